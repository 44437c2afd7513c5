/* grouped_forces.h: LULESH's two force loops with three components in a record: what the stress in
 * an element, and the control of hourglass motion, do to its eight corners. Arrays of 24 numbers
 * are [8][3], corner by corner. Formulas as in LULESH 2.0 (Karlin, Keasler, Neely: LULESH 2.0
 * Updates and Changes, LLNL-TR-641973, 2013).
 */
#ifndef LULESH_GROUPED_FORCES_H
#define LULESH_GROUPED_FORCES_H

#include <math.h>

static inline void clear_force(double *f)
{
    f[0] = 0.0;
    f[1] = 0.0;
    f[2] = 0.0;
}

/* Adds a quarter of the face's area vector to the normals of its four corners. */
static inline void face_normal(double B[8][3], const double *const *x, int a, int b, int c, int d)
{
    double u[3], v[3], area[3];
    for (int i = 0; i < 3; i++) {
        u[i] = 0.5 * (x[d][i] + x[c][i] - x[b][i] - x[a][i]);
        v[i] = 0.5 * (x[c][i] + x[b][i] - x[d][i] - x[a][i]);
    }
    area[0] = 0.25 * (u[1] * v[2] - u[2] * v[1]);
    area[1] = 0.25 * (u[2] * v[0] - u[0] * v[2]);
    area[2] = 0.25 * (u[0] * v[1] - u[1] * v[0]);
    for (int i = 0; i < 3; i++) {
        B[a][i] += area[i];
        B[b][i] += area[i];
        B[c][i] += area[i];
        B[d][i] += area[i];
    }
}

/* Half the derivative of the position along a local axis: sums of opposite corners' differences. */
static inline void axis(const double *const *x, int s, int t, int r, double *f)
{
    for (int i = 0; i < 3; i++) {
        const double d60 = x[6][i] - x[0][i];
        const double d53 = x[5][i] - x[3][i];
        const double d71 = x[7][i] - x[1][i];
        const double d42 = x[4][i] - x[2][i];
        f[i] = 0.125 * (d60 + s * d53 + t * d71 + r * d42);
    }
}

/* x: positions of the corners, f: their forces, sig: normal stresses, determ: volume of the
 * element. */
static inline void integrate_stress(const double **x, double **f, const double *sig, double *determ)
{
    static const int face[6][4] = {{0, 1, 2, 3}, {0, 4, 5, 1}, {1, 5, 6, 2},
                                   {2, 6, 7, 3}, {3, 7, 4, 0}, {4, 7, 6, 5}};
    double B[8][3];
    double xi[3], eta[3], zeta[3];
    axis(x, 1, -1, -1, xi);
    axis(x, -1, 1, -1, eta);
    axis(x, 1, 1, 1, zeta);
    *determ = 8.0 * (eta[0] * (zeta[1] * xi[2] - xi[1] * zeta[2]) +
                     eta[1] * (xi[0] * zeta[2] - zeta[0] * xi[2]) +
                     eta[2] * (zeta[0] * xi[1] - xi[0] * zeta[1]));
    for (int n = 0; n < 8; n++) {
        B[n][0] = B[n][1] = B[n][2] = 0.0;
    }
    for (int k = 0; k < 6; k++) {
        face_normal(B, x, face[k][0], face[k][1], face[k][2], face[k][3]);
    }
    for (int n = 0; n < 8; n++) {
        for (int i = 0; i < 3; i++) {
            f[n][i] -= sig[i] * B[n][i];
        }
    }
}

/* Flanagan-Belytschko hourglass control: forces against the four modes in which the corners move
 * without straining the element, for velocities xd, positions x8 and derivatives dvd of the volume
 * by them; c is the coefficient. */
static inline void hourglass_force(const double **xd, double **f, const double *x8,
                                   const double *dvd, double volume, double c)
{
    static const double gamma[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                       {1, -1, -1, 1, -1, 1, 1, -1},
                                       {1, -1, 1, -1, 1, -1, 1, -1},
                                       {-1, 1, -1, 1, 1, -1, 1, -1}};
    const double volinv = 1.0 / volume;
    double H[8][4];
    for (int i = 0; i < 4; i++) {
        double mode[3] = {0.0, 0.0, 0.0};
        for (int n = 0; n < 8; n++) {
            for (int d = 0; d < 3; d++) {
                mode[d] += x8[3 * n + d] * gamma[i][n];
            }
        }
        for (int n = 0; n < 8; n++) {
            H[n][i] = gamma[i][n] - volinv * (dvd[3 * n] * mode[0] + dvd[3 * n + 1] * mode[1] +
                                              dvd[3 * n + 2] * mode[2]);
        }
    }
    for (int d = 0; d < 3; d++) {
        double h[4] = {0.0};
        for (int i = 0; i < 4; i++) {
            for (int n = 0; n < 8; n++) {
                h[i] += H[n][i] * xd[n][d];
            }
        }
        for (int n = 0; n < 8; n++) {
            f[n][d] += c * (H[n][0] * h[0] + H[n][1] * h[1] + H[n][2] * h[2] + H[n][3] * h[3]);
        }
    }
}

/* ss: speed of sound. The coefficient is 3 per cent (LULESH's hgcoef is 3) of mass times speed over
 * length. */
static inline void hourglass(const double **xd, double **f, const double *x8, const double *dvd,
                             const double *volume, const double *ss, const double *mass)
{
    hourglass_force(xd, f, x8, dvd, *volume, -0.03 * *ss * *mass / cbrt(*volume));
}

#endif
