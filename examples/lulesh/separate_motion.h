/* separate_motion.h: kernels of nodes and of elements with their corners, with a dat for each
 * direction and an argument for each corner; the forces, and the macros for eight corners, are in
 * separate_forces.h.
 */
#ifndef LULESH_SEPARATE_MOTION_H
#define LULESH_SEPARATE_MOTION_H

#include <math.h>

#include "constants.h"
#include "separate_forces.h"

/* An eighth of an element's mass goes to each of its nodes. */
static inline void initial_masses(EIGHT(const double, x), EIGHT(const double, y),
                                  EIGHT(const double, z), double *volo, double *mass,
                                  EIGHT(double, nodal))
{
    const double x[8] = VALUES(x), y[8] = VALUES(y), z[8] = VALUES(z);
    const double volume = hexahedron_volume(x, y, z);
    const double eighth = refdens * volume / 8.0;
    *volo = volume;
    *mass = refdens * volume;
    *nodal0 += eighth;
    *nodal1 += eighth;
    *nodal2 += eighth;
    *nodal3 += eighth;
    *nodal4 += eighth;
    *nodal5 += eighth;
    *nodal6 += eighth;
    *nodal7 += eighth;
}

static inline void init_stress(const double *p, const double *q, double *sigxx, double *sigyy,
                               double *sigzz)
{
    *sigxx = *sigyy = *sigzz = -*p - *q;
}

/* x8, y8, z8: copies of the corners' positions, dx, dy, dz: derivatives of the volume by them. */
static inline void volume_derivatives(EIGHT(const double, x), EIGHT(const double, y),
                                      EIGHT(const double, z), const double *volo, const double *v,
                                      double *x8, double *y8, double *z8, double *dx, double *dy,
                                      double *dz, double *determ)
{
    const double x[8] = VALUES(x), y[8] = VALUES(y), z[8] = VALUES(z);
    for (int n = 0; n < 8; n++) {
        x8[n] = x[n];
        y8[n] = y[n];
        z8[n] = z[n];
    }
    volume_derivatives_of(x, y, z, dx, dy, dz);
    *determ = *volo * *v;
}

static inline void acceleration(const double *fx, const double *fy, const double *fz,
                                const double *mass, double *ax, double *ay, double *az)
{
    *ax = *fx / *mass;
    *ay = *fy / *mass;
    *az = *fz / *mass;
}

/* Nodes on a plane of symmetry stay on it. */
static inline void hold(double *a)
{
    *a = 0.0;
}

static inline void velocity(double *xd, double *yd, double *zd, const double *ax, const double *ay,
                            const double *az, const double *dt)
{
    const double u = *xd + *ax * *dt;
    const double v = *yd + *ay * *dt;
    const double w = *zd + *az * *dt;
    *xd = fabs(u) < u_cut ? 0.0 : u;
    *yd = fabs(v) < u_cut ? 0.0 : v;
    *zd = fabs(w) < u_cut ? 0.0 : w;
}

static inline void position(double *x, double *y, double *z, const double *xd, const double *yd,
                            const double *zd, const double *dt)
{
    *x += *xd * *dt;
    *y += *yd * *dt;
    *z += *zd * *dt;
}

/* vnew: relative volume, delv: its change in this step, arealg: a length, vdov: the rate of change
 * over volume. */
static inline void kinematics(EIGHT(const double, x), EIGHT(const double, y),
                              EIGHT(const double, z), EIGHT(const double, xd),
                              EIGHT(const double, yd), EIGHT(const double, zd), const double *volo,
                              const double *v, double *vnew, double *delv, double *arealg,
                              double *vdov, const double *dt)
{
    const double x[8] = VALUES(x), y[8] = VALUES(y), z[8] = VALUES(z);
    const double xd[8] = VALUES(xd), yd[8] = VALUES(yd), zd[8] = VALUES(zd);
    const double volume = hexahedron_volume(x, y, z);
    *vnew = volume / *volo;
    *delv = *vnew - *v;
    *arealg = characteristic_length(x, y, z, volume);
    *vdov = volume_rate(x, y, z, xd, yd, zd, 0.5 * *dt);
}

static inline void velocity_gradients(EIGHT(const double, x), EIGHT(const double, y),
                                      EIGHT(const double, z), EIGHT(const double, xd),
                                      EIGHT(const double, yd), EIGHT(const double, zd),
                                      const double *volo, const double *vnew, double *delx_xi,
                                      double *delx_eta, double *delx_zeta, double *delv_xi,
                                      double *delv_eta, double *delv_zeta)
{
    const double x[8] = VALUES(x), y[8] = VALUES(y), z[8] = VALUES(z);
    const double xd[8] = VALUES(xd), yd[8] = VALUES(yd), zd[8] = VALUES(zd);
    gradients(x, y, z, xd, yd, zd, *volo * *vnew, delx_xi, delx_eta, delx_zeta, delv_xi, delv_eta,
              delv_zeta);
}

#endif
