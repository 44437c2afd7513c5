/* real.h: the type of the state: double, or float where the program is compiled with -DSINGLE. */
#ifndef AIRFOIL_REAL_H
#define AIRFOIL_REAL_H

#ifdef SINGLE
typedef float real;
#define REAL "float"
#define real_sqrt sqrtf
#define real_abs fabsf
#else
typedef double real;
#define REAL "double"
#define real_sqrt sqrt
#define real_abs fabs
#endif

#endif
