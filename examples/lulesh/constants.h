/* constants.h: constants of the kernels, with LULESH's names and values; lulesh.c declares them to
 * OP2. */
#ifndef LULESH_CONSTANTS_H
#define LULESH_CONSTANTS_H

/* Values of energy, pressure, viscosity, speed and |relative volume - 1| below these become zero.
 */
extern double e_cut, p_cut, q_cut, u_cut, v_cut;

extern double emin, pmin;         /* lower bounds of energy and pressure */
extern double eosvmin, eosvmax;   /* bounds of the relative volume in the equation of state */
extern double monoq_max_slope;    /* largest value of the viscosity's limiter, */
extern double monoq_limiter_mult; /* and what it may exceed the neighbours' gradients by */
extern double qlc_monoq;          /* coefficients of the viscosity's linear */
extern double qqc_monoq;          /* and quadratic terms */
extern double qqc;                /* quadratic viscosity in the Courant condition */
extern double dvovmax;            /* largest relative change of a volume in one step */
extern double refdens;            /* density at relative volume 1 */

#endif
