/* geometry.h: shape of an element after its corners have moved. */
#ifndef BOOKLEAF_GEOMETRY_H
#define BOOKLEAF_GEOMETRY_H

/* Components of `shape`: coefficients of the map from the square [-1,1]^2 to the element, x = ... +
 * a1 s + a2 s t + a3 t, and y likewise with b. */
enum { A1, A2, A3, B1, B2, B3, SHAPE };

/* The integral of a corner's shape function; s and t: signs of the corner in the square. */
static inline double corner_weight(const double *g, double s, double t)
{
    return ((3.0 * g[B3] + s * g[B2]) * (3.0 * g[A1] + t * g[A2]) -
            (3.0 * g[A3] + s * g[A2]) * (3.0 * g[B1] + t * g[B2])) /
           9.0;
}

/* cnx, cny: coordinates of the corners. cnwt: integral of each corner's shape function. */
static inline void geometry(const double *x0, const double *x1, const double *x2, const double *x3,
                            double *cnx, double *cny, double *shape, double *cnwt, double *volume)
{
    cnx[0] = x0[0];
    cnx[1] = x1[0];
    cnx[2] = x2[0];
    cnx[3] = x3[0];
    cny[0] = x0[1];
    cny[1] = x1[1];
    cny[2] = x2[1];
    cny[3] = x3[1];

    double g[SHAPE];
    g[A1] = 0.25 * (-x0[0] + x1[0] + x2[0] - x3[0]);
    g[A2] = 0.25 * (x0[0] - x1[0] + x2[0] - x3[0]);
    g[A3] = 0.25 * (-x0[0] - x1[0] + x2[0] + x3[0]);
    g[B1] = 0.25 * (-x0[1] + x1[1] + x2[1] - x3[1]);
    g[B2] = 0.25 * (x0[1] - x1[1] + x2[1] - x3[1]);
    g[B3] = 0.25 * (-x0[1] - x1[1] + x2[1] + x3[1]);
    for (int k = 0; k < SHAPE; k++) {
        shape[k] = g[k];
    }
    volume[0] = 4.0 * (g[A1] * g[B3] - g[A3] * g[B1]);
    cnwt[0] = corner_weight(g, -1.0, -1.0);
    cnwt[1] = corner_weight(g, 1.0, -1.0);
    cnwt[2] = corner_weight(g, 1.0, 1.0);
    cnwt[3] = corner_weight(g, -1.0, 1.0);
}

/* Gradient of the volume by the corner c: what a unit of pressure pushes it with. */
static inline double push_x(const double *g, int c)
{
    const double value = c % 2 == 0 ? g[B1] - g[B3] : g[B1] + g[B3];
    return c < 2 ? value : -value;
}

static inline double push_y(const double *g, int c)
{
    const double value = c % 2 == 0 ? g[A3] - g[A1] : -g[A3] - g[A1];
    return c < 2 ? value : -value;
}

/* Velocities of the corners. */
static inline void gather_velocity(const double *u0, const double *u1, const double *u2,
                                   const double *u3, double *cnu, double *cnv)
{
    cnu[0] = u0[0];
    cnu[1] = u1[0];
    cnu[2] = u2[0];
    cnu[3] = u3[0];
    cnv[0] = u0[1];
    cnv[1] = u1[1];
    cnv[2] = u2[1];
    cnv[3] = u3[1];
}

/* Differences of coordinates and velocities along the sides, from corner k to k + 1. */
static inline void differences(const double *cnx, const double *cny, const double *cnu,
                               const double *cnv, double *dx, double *dy, double *du, double *dv)
{
    for (int k = 0; k < 4; k++) {
        const int next = (k + 1) % 4;
        dx[k] = cnx[next] - cnx[k];
        dy[k] = cny[next] - cny[k];
        du[k] = cnu[next] - cnu[k];
        dv[k] = cnv[next] - cnv[k];
    }
}

#endif
