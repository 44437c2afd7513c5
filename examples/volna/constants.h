/* constants.h: what the kernels use beside their arguments; volna.c declares them to OP2. */
#ifndef VOLNA_CONSTANTS_H
#define VOLNA_CONSTANTS_H

extern float g;       /* gravity, m/s^2 */
extern float EPS;     /* depth of a dry cell, m */
extern float CFL;     /* time step, in units of the largest that is stable */
extern float manning; /* Manning's coefficient of friction, s/m^(1/3) */

/* Depth below which water counts as not moving, m. */
static const float THIN = 1e-3f;

/* Kinds of edges. */
enum { EDGE_INNER = 0, EDGE_OPEN = 1, EDGE_WALL = 2 };

#endif
