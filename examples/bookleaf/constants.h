/* constants.h: what the kernels use beside their arguments. bookleaf.c declares gam, which depends
 * on the problem; the cut-offs are those of BookLeaf.
 */
#ifndef BOOKLEAF_CONSTANTS_H
#define BOOKLEAF_CONSTANTS_H

extern double gam; /* ratio of the specific heats */

static const double ZERO_CUT = 1e-40;   /* smaller denominators are replaced by it */
static const double LENGTH_CUT = 1e-8;  /* squared length of an edge that has collapsed */
static const double DENSITY_CUT = 1e-6; /* mass of a node, per area, that is accelerated */
static const double ACCELERATION_CUT = 1e-6;
static const double PRESSURE_CUT = 1e-8;
static const double SOUND_CUT = 1e-6; /* smallest square of the speed of sound */
static const double VISCOSITY_LINEAR = 0.5;
static const double VISCOSITY_QUADRATIC = 0.75;

/* Kinds of nodes; those of the boundary are negative. At a wall the velocity across it stays 0. */
enum { NODE_INNER = 0, NODE_SLIP_X = -1, NODE_SLIP_Y = -2, NODE_FIXED = -3, NODE_FREE = -4 };

#endif
