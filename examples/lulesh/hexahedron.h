/* hexahedron.h: geometry of a hexahedron whose corners are given direction by direction: x[8],
 * y[8], z[8], in LULESH's order (round the lower face, then round the upper one). xi, eta and zeta
 * are its local axes. Formulas as in LULESH 2.0 (LLNL-TR-641973).
 */
#ifndef LULESH_HEXAHEDRON_H
#define LULESH_HEXAHEDRON_H

#include <math.h>

static inline double triple_product(double ax, double ay, double az, double bx, double by,
                                    double bz, double cx, double cy, double cz)
{
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

#define D(c, a, b) (c[a] - c[b])
static inline double hexahedron_volume(const double *x, const double *y, const double *z)
{
    return (triple_product(D(x, 3, 1) + D(x, 7, 2), D(y, 3, 1) + D(y, 7, 2),
                           D(z, 3, 1) + D(z, 7, 2), D(x, 6, 3), D(y, 6, 3), D(z, 6, 3), D(x, 2, 0),
                           D(y, 2, 0), D(z, 2, 0)) +
            triple_product(D(x, 4, 3) + D(x, 5, 7), D(y, 4, 3) + D(y, 5, 7),
                           D(z, 4, 3) + D(z, 5, 7), D(x, 6, 4), D(y, 6, 4), D(z, 6, 4), D(x, 7, 0),
                           D(y, 7, 0), D(z, 7, 0)) +
            triple_product(D(x, 1, 4) + D(x, 2, 5), D(y, 1, 4) + D(y, 2, 5),
                           D(z, 1, 4) + D(z, 2, 5), D(x, 6, 1), D(y, 6, 1), D(z, 6, 1), D(x, 5, 0),
                           D(y, 5, 0), D(z, 5, 0))) /
           12.0;
}
#undef D

/* 16 times the square of the area of the face a, b, c, d. */
static inline double face_area(const double *x, const double *y, const double *z, int a, int b,
                               int c, int d)
{
    const double fx = x[c] - x[a] - (x[d] - x[b]), gx = x[c] - x[a] + (x[d] - x[b]);
    const double fy = y[c] - y[a] - (y[d] - y[b]), gy = y[c] - y[a] + (y[d] - y[b]);
    const double fz = z[c] - z[a] - (z[d] - z[b]), gz = z[c] - z[a] + (z[d] - z[b]);
    const double fg = fx * gx + fy * gy + fz * gz;
    return (fx * fx + fy * fy + fz * fz) * (gx * gx + gy * gy + gz * gz) - fg * fg;
}

/* The volume over the area of the largest face. */
static inline double characteristic_length(const double *x, const double *y, const double *z,
                                           double volume)
{
    double area = face_area(x, y, z, 0, 1, 2, 3);
    area = fmax(area, face_area(x, y, z, 4, 5, 6, 7));
    area = fmax(area, face_area(x, y, z, 0, 1, 5, 4));
    area = fmax(area, face_area(x, y, z, 1, 2, 6, 5));
    area = fmax(area, face_area(x, y, z, 2, 3, 7, 6));
    area = fmax(area, face_area(x, y, z, 3, 0, 4, 7));
    return 4.0 * volume / sqrt(area);
}

/* Half the derivatives of one coordinate along xi, eta and zeta. */
static inline void half_derivatives(const double *x, double *half)
{
    const double d60 = x[6] - x[0], d53 = x[5] - x[3], d71 = x[7] - x[1], d42 = x[4] - x[2];
    half[0] = 0.125 * (d60 + d53 - d71 - d42);
    half[1] = 0.125 * (d60 - d53 + d71 - d42);
    half[2] = 0.125 * (d60 + d53 + d71 + d42);
}

/* Derivative of the volume by the position of one corner, from the six corners that share a face
 * with it. */
static inline void volume_derivative(const double *x, const double *y, const double *z, int i0,
                                     int i1, int i2, int i3, int i4, int i5, double *dx, double *dy,
                                     double *dz)
{
    const double t = 1.0 / 12.0;
    *dx = t * ((y[i1] + y[i2]) * (z[i0] + z[i1]) - (y[i0] + y[i1]) * (z[i1] + z[i2]) +
               (y[i0] + y[i4]) * (z[i3] + z[i4]) - (y[i3] + y[i4]) * (z[i0] + z[i4]) -
               (y[i2] + y[i5]) * (z[i3] + z[i5]) + (y[i3] + y[i5]) * (z[i2] + z[i5]));
    *dy = -t * ((x[i1] + x[i2]) * (z[i0] + z[i1]) - (x[i0] + x[i1]) * (z[i1] + z[i2]) +
                (x[i0] + x[i4]) * (z[i3] + z[i4]) - (x[i3] + x[i4]) * (z[i0] + z[i4]) -
                (x[i2] + x[i5]) * (z[i3] + z[i5]) + (x[i3] + x[i5]) * (z[i2] + z[i5]));
    *dz = t * (-(y[i1] + y[i2]) * (x[i0] + x[i1]) + (y[i0] + y[i1]) * (x[i1] + x[i2]) -
               (y[i0] + y[i4]) * (x[i3] + x[i4]) + (y[i3] + y[i4]) * (x[i0] + x[i4]) +
               (y[i2] + y[i5]) * (x[i3] + x[i5]) - (y[i3] + y[i5]) * (x[i2] + x[i5]));
}

/* All eight derivatives of the volume: dx[8], dy[8], dz[8]. */
static inline void volume_derivatives_of(const double *x, const double *y, const double *z,
                                         double *dx, double *dy, double *dz)
{
    volume_derivative(x, y, z, 1, 2, 3, 4, 5, 7, dx, dy, dz);
    volume_derivative(x, y, z, 2, 3, 0, 5, 6, 4, dx + 1, dy + 1, dz + 1);
    volume_derivative(x, y, z, 3, 0, 1, 6, 7, 5, dx + 2, dy + 2, dz + 2);
    volume_derivative(x, y, z, 0, 1, 2, 7, 4, 6, dx + 3, dy + 3, dz + 3);
    volume_derivative(x, y, z, 7, 6, 5, 0, 3, 1, dx + 4, dy + 4, dz + 4);
    volume_derivative(x, y, z, 4, 7, 6, 1, 0, 2, dx + 5, dy + 5, dz + 5);
    volume_derivative(x, y, z, 5, 4, 7, 2, 1, 3, dx + 6, dy + 6, dz + 6);
    volume_derivative(x, y, z, 6, 5, 4, 3, 2, 0, dx + 7, dy + 7, dz + 7);
}

/* The velocity u in one direction, differentiated in that direction: opposite corners' differences
 * times the gradients of the shape functions, which are sums of cofactors of the half derivatives.
 */
static inline double strain(double xi, double eta, double zeta, const double *u)
{
    return (-xi - eta - zeta) * (u[0] - u[6]) + (xi - eta - zeta) * (u[1] - u[7]) +
           (xi + eta - zeta) * (u[2] - u[4]) + (-xi + eta - zeta) * (u[3] - u[5]);
}

/* Rate at which the volume of the element grows, over its volume: the trace of the strain rates of
 * the velocities (u, v, w), on the element as it is half a time step earlier. */
static inline double volume_rate(const double *x, const double *y, const double *z, const double *u,
                                 const double *v, const double *w, double half_dt)
{
    double xh[8], yh[8], zh[8], jx[3], jy[3], jz[3];
    for (int n = 0; n < 8; n++) {
        xh[n] = x[n] - half_dt * u[n];
        yh[n] = y[n] - half_dt * v[n];
        zh[n] = z[n] - half_dt * w[n];
    }
    half_derivatives(xh, jx);
    half_derivatives(yh, jy);
    half_derivatives(zh, jz);
    const double xet = jz[0] * jy[2] - jy[0] * jz[2];
    const double yet = jx[0] * jz[2] - jz[0] * jx[2];
    const double zet = jy[0] * jx[2] - jx[0] * jy[2];
    const double inverse = 1.0 / (8.0 * (jx[1] * xet + jy[1] * yet + jz[1] * zet));
    return inverse * (strain(jy[1] * jz[2] - jz[1] * jy[2], xet, jy[0] * jz[1] - jz[0] * jy[1], u) +
                      strain(jz[1] * jx[2] - jx[1] * jz[2], yet, jz[0] * jx[1] - jx[0] * jz[1], v) +
                      strain(jx[1] * jy[2] - jy[1] * jx[2], zet, jx[0] * jy[1] - jy[0] * jx[1], w));
}

/* The mean of x over the corners of one face less that over the opposite one. */
static inline double across(const double *x, int a, int b, int c, int d, int e, int f, int g, int h)
{
    return 0.25 * ((x[a] + x[b] + x[c] + x[d]) - (x[e] + x[f] + x[g] + x[h]));
}

/* Length of the element along the direction whose area vector is a x b, and the gradient of the
 * velocity, whose change from face to face is `jump`, in this direction. */
static inline void gradient(const double *a, const double *b, const double *jump, double volume,
                            double *delx, double *delv)
{
    const double cx = a[1] * b[2] - a[2] * b[1];
    const double cy = a[2] * b[0] - a[0] * b[2];
    const double cz = a[0] * b[1] - a[1] * b[0];
    *delx = volume / sqrt(cx * cx + cy * cy + cz * cz + 1e-36);
    *delv = (cx * jump[0] + cy * jump[1] + cz * jump[2]) / (volume + 1e-36);
}

#define XI 1, 2, 6, 5, 0, 3, 7, 4
#define ETA 3, 2, 6, 7, 0, 1, 5, 4
#define ZETA 4, 5, 6, 7, 0, 1, 2, 3
/* Lengths (delx) and gradients of velocity (delv) along xi, eta and zeta. */
static inline void gradients(const double *x, const double *y, const double *z, const double *u,
                             const double *v, const double *w, double volume, double *delx_xi,
                             double *delx_eta, double *delx_zeta, double *delv_xi, double *delv_eta,
                             double *delv_zeta)
{
    const double i[3] = {across(x, XI), across(y, XI), across(z, XI)};
    const double j[3] = {across(x, ETA), across(y, ETA), across(z, ETA)};
    const double k[3] = {across(x, ZETA), across(y, ZETA), across(z, ZETA)};
    const double along_xi[3] = {across(u, XI), across(v, XI), across(w, XI)};
    const double along_eta[3] = {across(u, ETA), across(v, ETA), across(w, ETA)};
    const double along_zeta[3] = {across(u, ZETA), across(v, ZETA), across(w, ZETA)};
    gradient(i, j, along_zeta, volume, delx_zeta, delv_zeta);
    gradient(j, k, along_xi, volume, delx_xi, delv_xi);
    gradient(k, i, along_eta, volume, delx_eta, delv_eta);
}
#undef XI
#undef ETA
#undef ZETA

#endif
