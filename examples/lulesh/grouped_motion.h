/* grouped_motion.h: kernels of nodes and of elements with their corners, with three components in a
 * record; the forces are in grouped_forces.h. Arrays of 24 numbers are [8][3], corner by corner.
 */
#ifndef LULESH_GROUPED_MOTION_H
#define LULESH_GROUPED_MOTION_H

#include <math.h>

#include "constants.h"
#include "hexahedron.h"

/* One component of the records of eight corners. */
static inline void component(const double **record, int d, double *value)
{
    for (int n = 0; n < 8; n++) {
        value[n] = record[n][d];
    }
}

/* An eighth of an element's mass goes to each of its nodes. */
static inline void initial_masses(const double **corner, double *volo, double *mass,
                                  double **nodal_mass)
{
    double x[8], y[8], z[8];
    component(corner, 0, x);
    component(corner, 1, y);
    component(corner, 2, z);
    const double volume = hexahedron_volume(x, y, z);
    *volo = volume;
    *mass = refdens * volume;
    for (int n = 0; n < 8; n++) {
        *nodal_mass[n] += refdens * volume / 8.0;
    }
}

static inline void init_stress(const double *p, const double *q, double *sig)
{
    sig[0] = sig[1] = sig[2] = -*p - *q;
}

/* x8: copies of the corners' positions, dvd: derivatives of the volume by them. */
static inline void volume_derivatives(const double **corner, const double *volo, const double *v,
                                      double *x8, double *dvd, double *determ)
{
    double x[8], y[8], z[8], dx[8], dy[8], dz[8];
    component(corner, 0, x);
    component(corner, 1, y);
    component(corner, 2, z);
    volume_derivatives_of(x, y, z, dx, dy, dz);
    for (int n = 0; n < 8; n++) {
        x8[3 * n] = x[n];
        x8[3 * n + 1] = y[n];
        x8[3 * n + 2] = z[n];
        dvd[3 * n] = dx[n];
        dvd[3 * n + 1] = dy[n];
        dvd[3 * n + 2] = dz[n];
    }
    *determ = *volo * *v;
}

static inline void acceleration(const double *f, const double *mass, double *a)
{
    for (int d = 0; d < 3; d++) {
        a[d] = f[d] / *mass;
    }
}

/* Nodes on a plane of symmetry stay on it. */
static inline void hold_x(double *a)
{
    a[0] = 0.0;
}

static inline void hold_y(double *a)
{
    a[1] = 0.0;
}

static inline void hold_z(double *a)
{
    a[2] = 0.0;
}

static inline void velocity(double *xd, const double *a, const double *dt)
{
    for (int d = 0; d < 3; d++) {
        const double u = xd[d] + a[d] * *dt;
        xd[d] = fabs(u) < u_cut ? 0.0 : u;
    }
}

static inline void position(double *x, const double *xd, const double *dt)
{
    for (int d = 0; d < 3; d++) {
        x[d] += xd[d] * *dt;
    }
}

/* vnew: relative volume, delv: its change in this step, arealg: a length, vdov: the rate of change
 * over volume. */
static inline void kinematics(const double **corner, const double **speed, const double *volo,
                              const double *v, double *vnew, double *delv, double *arealg,
                              double *vdov, const double *dt)
{
    double x[8], y[8], z[8], xd[8], yd[8], zd[8];
    component(corner, 0, x);
    component(corner, 1, y);
    component(corner, 2, z);
    component(speed, 0, xd);
    component(speed, 1, yd);
    component(speed, 2, zd);
    const double volume = hexahedron_volume(x, y, z);
    *vnew = volume / *volo;
    *delv = *vnew - *v;
    *arealg = characteristic_length(x, y, z, volume);
    *vdov = volume_rate(x, y, z, xd, yd, zd, 0.5 * *dt);
}

static inline void velocity_gradients(const double **corner, const double **speed,
                                      const double *volo, const double *vnew, double *delx_xi,
                                      double *delx_eta, double *delx_zeta, double *delv_xi,
                                      double *delv_eta, double *delv_zeta)
{
    double x[8], y[8], z[8], xd[8], yd[8], zd[8];
    component(corner, 0, x);
    component(corner, 1, y);
    component(corner, 2, z);
    component(speed, 0, xd);
    component(speed, 1, yd);
    component(speed, 2, zd);
    gradients(x, y, z, xd, yd, zd, *volo * *vnew, delx_xi, delx_eta, delx_zeta, delv_xi, delv_eta,
              delv_zeta);
}

#endif
