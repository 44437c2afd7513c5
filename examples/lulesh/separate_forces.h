/* separate_forces.h: LULESH's two force loops with a dat for each direction and an argument for
 * each corner: fields on nodes are x0..x7, y0..y7, z0..z7. Arrays of 8 numbers have one for each
 * corner. Formulas as in LULESH 2.0 (LLNL-TR-641973).
 */
#ifndef LULESH_SEPARATE_FORCES_H
#define LULESH_SEPARATE_FORCES_H

#include <math.h>

#include "hexahedron.h"

/* Parameters, and the values that they point to, of the eight corners. */
#define EIGHT(type, p)                                                                             \
    type *p##0, type *p##1, type *p##2, type *p##3, type *p##4, type *p##5, type *p##6, type *p##7
#define VALUES(p) {*p##0, *p##1, *p##2, *p##3, *p##4, *p##5, *p##6, *p##7}

static inline void clear_forces(double *fx, double *fy, double *fz)
{
    *fx = 0.0;
    *fy = 0.0;
    *fz = 0.0;
}

/* Adds a quarter of the area vector of the face a, b, c, d to the normals of its four corners. */
static inline void face_normal(const double *x, const double *y, const double *z, int a, int b,
                               int c, int d, double *nx, double *ny, double *nz)
{
    const int corner[4] = {a, b, c, d};
    const double ux = 0.5 * (x[d] + x[c] - x[b] - x[a]), vx = 0.5 * (x[c] + x[b] - x[d] - x[a]);
    const double uy = 0.5 * (y[d] + y[c] - y[b] - y[a]), vy = 0.5 * (y[c] + y[b] - y[d] - y[a]);
    const double uz = 0.5 * (z[d] + z[c] - z[b] - z[a]), vz = 0.5 * (z[c] + z[b] - z[d] - z[a]);
    for (int i = 0; i < 4; i++) {
        nx[corner[i]] += 0.25 * (uy * vz - uz * vy);
        ny[corner[i]] += 0.25 * (uz * vx - ux * vz);
        nz[corner[i]] += 0.25 * (ux * vy - uy * vx);
    }
}

static inline void integrate_stress(EIGHT(const double, x), EIGHT(const double, y),
                                    EIGHT(const double, z), EIGHT(double, fx), EIGHT(double, fy),
                                    EIGHT(double, fz), const double *sigxx, const double *sigyy,
                                    const double *sigzz, double *determ)
{
    const double x[8] = VALUES(x), y[8] = VALUES(y), z[8] = VALUES(z);
    double jx[3], jy[3], jz[3];
    double nx[8] = {0}, ny[8] = {0}, nz[8] = {0};
    half_derivatives(x, jx);
    half_derivatives(y, jy);
    half_derivatives(z, jz);
    *determ =
        8.0 * (jx[1] * (jz[0] * jy[2] - jy[0] * jz[2]) + jy[1] * (jx[0] * jz[2] - jz[0] * jx[2]) +
               jz[1] * (jy[0] * jx[2] - jx[0] * jy[2]));
    face_normal(x, y, z, 0, 1, 2, 3, nx, ny, nz);
    face_normal(x, y, z, 0, 4, 5, 1, nx, ny, nz);
    face_normal(x, y, z, 1, 5, 6, 2, nx, ny, nz);
    face_normal(x, y, z, 2, 6, 7, 3, nx, ny, nz);
    face_normal(x, y, z, 3, 7, 4, 0, nx, ny, nz);
    face_normal(x, y, z, 4, 7, 6, 5, nx, ny, nz);
#define ADD(n)                                                                                     \
    *fx##n -= *sigxx * nx[n];                                                                      \
    *fy##n -= *sigyy * ny[n];                                                                      \
    *fz##n -= *sigzz * nz[n];
    ADD(0) ADD(1) ADD(2) ADD(3) ADD(4) ADD(5) ADD(6) ADD(7)
#undef ADD
}

/* One mode of hourglass motion at the eight corners, orthogonal to linear motion. */
static inline void hourglass_mode(const double *gamma, double volinv, const double *x8,
                                  const double *y8, const double *z8, const double *dx,
                                  const double *dy, const double *dz, double *mode)
{
    double sx = 0.0, sy = 0.0, sz = 0.0;
    for (int n = 0; n < 8; n++) {
        sx += x8[n] * gamma[n];
        sy += y8[n] * gamma[n];
        sz += z8[n] * gamma[n];
    }
    for (int n = 0; n < 8; n++) {
        mode[n] = gamma[n] - volinv * (dx[n] * sx + dy[n] * sy + dz[n] * sz);
    }
}

/* Adds to `force` what a mode does against the velocities v of one direction. */
static inline void hourglass_force(const double *mode, const double *v, double coefficient,
                                   double *force)
{
    double h = 0.0;
    for (int n = 0; n < 8; n++) {
        h += mode[n] * v[n];
    }
    for (int n = 0; n < 8; n++) {
        force[n] += coefficient * (mode[n] * h);
    }
}

/* The coefficient is 3 per cent (LULESH's hgcoef is 3) of mass times speed of sound over length. */
static inline void hourglass(EIGHT(const double, xd), EIGHT(const double, yd),
                             EIGHT(const double, zd), EIGHT(double, fx), EIGHT(double, fy),
                             EIGHT(double, fz), const double *x8, const double *y8,
                             const double *z8, const double *dx, const double *dy, const double *dz,
                             const double *volume, const double *ss, const double *mass)
{
    const double gamma[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                {1, -1, -1, 1, -1, 1, 1, -1},
                                {1, -1, 1, -1, 1, -1, 1, -1},
                                {-1, 1, -1, 1, 1, -1, 1, -1}};
    const double xd[8] = VALUES(xd), yd[8] = VALUES(yd), zd[8] = VALUES(zd);
    double mode[8], hx[8] = {0}, hy[8] = {0}, hz[8] = {0};
    const double coefficient = -0.03 * *ss * *mass / cbrt(*volume);
    for (int i = 0; i < 4; i++) {
        hourglass_mode(gamma[i], 1.0 / *volume, x8, y8, z8, dx, dy, dz, mode);
        hourglass_force(mode, xd, coefficient, hx);
        hourglass_force(mode, yd, coefficient, hy);
        hourglass_force(mode, zd, coefficient, hz);
    }
#define ADD(n)                                                                                     \
    *fx##n += hx[n];                                                                               \
    *fy##n += hy[n];                                                                               \
    *fz##n += hz[n];
    ADD(0) ADD(1) ADD(2) ADD(3) ADD(4) ADD(5) ADD(6) ADD(7)
#undef ADD
}

#endif
