/* jac.h: the iteration of the jac example, once for each kind of number. */
#ifndef JAC_JAC_H
#define JAC_JAC_H

#include "../common/run.h"
#include "grid.h"

/* Makes so many steps of Jacobi's iteration from u = 0 and prints the largest u and the root mean
 * square of u after each. u: [nnode], set to the result. */
void jacobi_double(const struct grid *grid, struct run *run, int steps, double *u);
void jacobi_float(const struct grid *grid, struct run *run, int steps, double *u);

/* A in double with three components, u and r in float with two, du in float with three; the first
 * component of each is used. */
void jacobi_mixed(const struct grid *grid, struct run *run, int steps, double *u);

/* Prints the results of one step. sum: of the squares of u. */
void jacobi_report(const struct grid *grid, struct run *run, int step, double largest, double sum);

#endif
