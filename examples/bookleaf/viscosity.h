/* viscosity.h: artificial viscosity of the edges of an element (Caramana, Shashkov and Whalen
 * 1998), with a limiter that switches it off where the velocity is linear over the neighbours.
 */
#ifndef BOOKLEAF_VISCOSITY_H
#define BOOKLEAF_VISCOSITY_H

#include "constants.h"

#include <math.h>

/* A denominator that is not zero. */
static inline double nonzero(double value)
{
    return value < 0.0 ? fmin(value, -ZERO_CUT) : fmax(value, ZERO_CUT);
}

/* Differences along an edge, and their lengths. */
struct edge {
    double x;
    double y;
    double u;
    double v;
    double length;
    double speed;
};

/* Slope of the velocity along edge n of a neighbour, which continues the edge e, over that along e.
 */
static inline double slope_ratio(const struct edge *e, const double *dx, const double *dy,
                                 const double *du, const double *dv, int n)
{
    const double speed = 1.0 / nonzero(e->speed);
    const double length = 1.0 / nonzero(e->length);
    const double change = (du[n] * e->u + dv[n] * e->v) * speed;
    const double distance = (dx[n] * e->x + dy[n] * e->y) * length;
    const double own = nonzero(e->speed) / nonzero(e->length);
    return change / nonzero(distance) / own;
}

/* Without a neighbour the ratio is 1 at a wall, where the flow is mirrored, if there is a neighbour
 * opposite; else 0. */
static inline double ratio_at_boundary(int type1, int type2, int opposite)
{
    return type1 < 0 && type2 < 0 && opposite ? 1.0 : 0.0;
}

/* The part of the viscosity that the limiter takes away. */
static inline double limited(double r1, double r2)
{
    const double r = fmin(fmin(0.5 * (r1 + r2), 2.0 * r1), fmin(2.0 * r2, 1.0));
    return fmax(0.0, r);
}

/* The coefficient of edge e, whose element has a neighbour with these values across it. */
static inline double coefficient(const struct edge *e, double phi, double density, double cs2,
                                 double density_beyond, double cs2_beyond)
{
    return 0.5 * (1.0 - phi) * (density + density_beyond) *
           (VISCOSITY_LINEAR * sqrt(0.5 * (cs2 + cs2_beyond)) + VISCOSITY_QUADRATIC * e->speed);
}

/* Force along the velocity's change at an edge, per unit of that change: the share of the change
 * across the line from the edge's middle to the element's centre, if it is compressed. */
static inline double compression(const struct edge *e, double to_x, double to_y)
{
    double across_x = -to_y;
    double across_y = to_x;
    if (across_x * e->x + across_y * e->y > 0.0) {
        across_x = -across_x;
        across_y = -across_y;
    }
    const double closing = e->u * across_x + e->v * across_y;
    const double width = sqrt(to_x * to_x + to_y * to_y);
    return closing > 0.0 && width > 0.0 && e->speed > 0.0 ? closing / e->speed : 0.0;
}

/* For the two sides s and s + 2 of an element: the limiters of the two edges between them. dx ...
 * dv: differences along the sides of the neighbours; beyond: which side of its neighbour each side
 * is. */
static inline void limit_pair(int s, const struct edge *e, const double **dx, const double **dy,
                              const double **du, const double **dv, const int *beyond, int boundary,
                              const int **type, double *phi)
{
    const int t = s + 2;
    const int before = (s + 3) % 4;
    const int after = s + 1;
    const int open_s = !(boundary >> s & 1);
    const int open_t = !(boundary >> t & 1);
    double before_s = ratio_at_boundary(type[s][0], type[s + 1][0], open_t);
    double before_t = ratio_at_boundary(type[t][0], type[(t + 1) % 4][0], open_s);
    double after_s = before_s;
    double after_t = before_t;
    if (open_s) {
        before_s = slope_ratio(&e[before], dx[s], dy[s], du[s], dv[s], (beyond[s] + 1) % 4);
        after_s = slope_ratio(&e[after], dx[s], dy[s], du[s], dv[s], (beyond[s] + 3) % 4);
    }
    if (open_t) {
        before_t = slope_ratio(&e[before], dx[t], dy[t], du[t], dv[t], (beyond[t] + 3) % 4);
        after_t = slope_ratio(&e[after], dx[t], dy[t], du[t], dv[t], (beyond[t] + 1) % 4);
    }
    phi[before] = limited(before_s, before_t);
    phi[after] = limited(after_s, after_t);
}

static inline void set_edges(struct edge *e, const double *dx, const double *dy, const double *du,
                             const double *dv)
{
    for (int k = 0; k < 4; k++) {
        e[k].x = dx[k];
        e[k].y = dy[k];
        e[k].u = du[k];
        e[k].v = dv[k];
        e[k].length = sqrt(dx[k] * dx[k] + dy[k] * dy[k]);
        e[k].speed = sqrt(du[k] * du[k] + dv[k] * dv[k]);
    }
}

/* Each pair: values of the element, and of its neighbours across its sides. elfc: which side of its
 * neighbour each side is; boundary: bits of the sides without neighbours; type: kinds of the
 * corners. Sets the forces on the corners, and visc, which limits the time step. */
static inline void viscosity(const double *dx, const double **dx_beyond, const double *dy,
                             const double **dy_beyond, const double *du, const double **du_beyond,
                             const double *dv, const double **dv_beyond, const double *density,
                             const double **density_beyond, const double *cs2,
                             const double **cs2_beyond, const int *elfc, const int *boundary,
                             const int **type, const double *cnx, const double *cny, double *visc,
                             double *cnviscx, double *cnviscy)
{
    struct edge e[4];
    double phi[4];
    set_edges(e, dx, dy, du, dv);
    for (int s = 0; s < 2; s++) {
        limit_pair(s, e, dx_beyond, dy_beyond, du_beyond, dv_beyond, elfc, boundary[0], type, phi);
    }
    const double center_x = 0.25 * (cnx[0] + cnx[1] + cnx[2] + cnx[3]);
    const double center_y = 0.25 * (cny[0] + cny[1] + cny[2] + cny[3]);
    double fx[4];
    double fy[4];
    double largest = 0.0;
    for (int k = 0; k < 4; k++) {
        const int next = (k + 1) % 4;
        const double mu =
            coefficient(&e[k], phi[k], density[0], cs2[0], density_beyond[k][0], cs2_beyond[k][0]);
        const double to_x = center_x - 0.5 * (cnx[k] + cnx[next]);
        const double to_y = center_y - 0.5 * (cny[k] + cny[next]);
        const double force = mu * compression(&e[k], to_x, to_y);
        fx[k] = force * e[k].u;
        fy[k] = force * e[k].v;
        largest = fmax(largest, 2.0 * mu * e[k].speed / density[0]);
    }
    visc[0] = largest;
    for (int k = 0; k < 4; k++) {
        cnviscx[k] = fx[k] - fx[(k + 3) % 4];
        cnviscy[k] = fy[k] - fy[(k + 3) % 4];
    }
}

#endif
