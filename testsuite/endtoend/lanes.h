/* lanes.h: kernels for which vectors must not compute more than scalars do. C and C++. */
#ifndef LANES_H
#define LANES_H

#include <math.h>
#include <stdbool.h>

extern double cut; /* op_decl_const */
extern int steps[4];

/* Divisions, roots and logarithms under conditions; zero denominators where they do not hold. */
static inline void guarded(const double *a, const double *b, const int *kind, double *into_a,
                           double *into_b)
{
    double f = 0;
    if (kind[0] == 1) {
        f = a[0] / b[1];
        if (f > cut) {
            f = sqrt(f - cut) + 1 / (b[1] - 3);
        } else if (a[1] != 0) {
            f += b[0] / a[1];
        }
    } else if (kind[0] == 2) {
        f = log(a[0]);
    }
    into_a[0] += f;
    into_b[0] -= f * (a[0] > 0 && b[1] > 0    ? a[0] / b[1]
                      : b[1] < 0 || a[1] == 0 ? -b[1]
                                              : 1 / a[1]);
    into_b[1] += kind[0] > 0 && !(b[1] == 0 || 1 / b[1] < cut) ? pow(fabs(a[0]), 1.5) : a[0] - b[0];
}

/* Records hold NaNs, quiet and signalling, where `used` is 0. */
static inline void selected(const double *a, const double *b, const int *used, double *most,
                            double *into)
{
    if (used[0]) {
        double d = a[0] < b[0] ? b[0] - a[0] : a[0] - b[0];
        into[0] += d > 1 && a[1] * d > cut ? a[1] : d;
        *most = *most > d ? *most : d;
    }
}

/* Numbers of all kinds. */
static inline void mixed(const int *n, const bool *odd, const unsigned *u, const long *l,
                         const float *f, double *out, int *bits, long *sum)
{
    short s = (short)n[0];
    unsigned char c = (unsigned char)n[1];
    int i = s * c - (int)(u[0] % 1000u);
    short cut_off = (short)(i * 7);
    float half = f[0] * 0.5f;
    double both = half + (double)l[0] / 3;
    if (c != 0 && s / c > 1) {
        i = i % c + (s >> 1);
        both += (float)i / c;
    }
    if (fabs(both) < 1e6 || (odd[0] && both < 2e9 && both > -2e9)) {
        i ^= (int)both;
    }
    out[0] = both + (double)cut_off;
    out[1] = u[0] > 3000000000u ? (double)u[0] : (double)(half > 0) - f[0];
    bits[0] = (i & 0xff) | (int)(u[0] >> 24) << 8 | (cut_off < 0) << 20 | odd[0] << 21;
    *sum += l[0] * (i & 3) + steps[i & 3] + (l[0] < 0 ? ~i : i);
}

/* Floats alone: twice as many lanes. */
static inline void floats(const float *a, const float *b, float *least, float *into_a,
                          float *into_b, float *norm)
{
    float dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
    float length = sqrtf(dx * dx + dy * dy + dz * dz);
    float flux[3];
    for (int k = 0; k < 3; k++) {
        flux[k] = length > 0 ? (a[k] + b[k]) / length : 0;
        into_a[k] += flux[k];
        into_b[k] -= flux[k];
    }
    norm[0] += length;
    norm[1] += flux[0] * flux[2];
    *least = fminf(*least, fmaxf(flux[0], flux[1]));
}

/* Through all columns at once; elements name one point several times. */
static inline void corners(const double *const *x, const double *w, double **into, double *low,
                           double *high)
{
    double middle = 0;
    for (int k = 0; k < 4; k++) {
        middle += x[k][0];
    }
    for (int k = 0; k < 4; k++) {
        into[k][0] += w[0] * (x[k][0] - middle / 4);
        into[k][2] -= x[k][1];
    }
    if (x[0][1] < *low) {
        *low = x[0][1];
    }
    *high = *high < x[1][1] ? x[1][1] : *high;
}

/* Loops of as many trips as each element wants, with jumps, one in another and under conditions.
 * Roots and quotients of lanes that have left a loop would raise exceptions. */
static inline void iterated(const double *a, const double *b, const int *trips, double *out,
                            int *count, double *sum)
{
    double left = b[0] + 1, total = 0;
    int n = 0;
    for (int k = trips[0]; k > 0; k--) {
        if (k % 3 == 1) {
            continue;
        }
        total += a[0] / k;
        left -= 0.25;
        if (left < 0) {
            total -= sqrt(left + 1);
            break;
        }
        n++;
    }
    if (a[1] > 0) {
        double root = a[1];
        do {
            root = 0.5 * (root + a[1] / root);
            for (int i = n; i < 3; i++) {
                total += 1 / (3.5 - i);
            }
            n += 2;
        } while (fabs(root * root - a[1]) > 1e-9 * a[1]);
        total += root;
        while (trips[0] > 2 && total > 4) {
            total = log(total);
        }
    }
    for (int i = 0; i < steps[3]; i++) { /* the same for all elements */
        total = 0.75 * total + steps[i & 3];
    }
    out[0] = total;
    count[0] = n;
    *sum += total;
}

/* Columns and components of a vector argument that are found at run time; in lanes that are off
 * they are far from any data. */
static const bool is_doubled[4] = {true, false, true, true};

static inline void picked(const double *const *x, const double *w, const int *side, double *out)
{
    out[0] += w[0];
    if (side[0] >= 0) {
        out[0] = w[0] / x[side[0]][1];
        out[1] = x[2][(side[0] + 1) % 2] + x[side[0]][side[0] & 1];
        if (is_doubled[side[0]]) {
            out[1] *= 2;
        }
    }
}

/* In place: neighbours share points, and some elements name one point twice. The order of elements
 * does not matter, but a lane must not miss what another one has written. */
static inline void tallied(const double *a, const double *b, const int *kind, double *p, double *q)
{
    p[0] += kind[0] + 1;
    q[0] = q[0] + 2;
    if (kind[0] == 1) {
        double f = a[0] / b[1];
        if (f > q[2]) {
            q[2] = f;
        }
    } else {
        p[2] = fmax(p[2], a[1]);
    }
    q[0] += p[0] - p[0];
}

/* In place: all points differ. Types of several sizes, and components that are left alone. */
static inline void scattered(const double *w, const long *before, bool *odd, long *sum, double *out,
                             float *half)
{
    odd[0] = w[0] > 5;
    if (odd[0]) {
        sum[0] = before[0] / 3 + (long)w[0];
        out[1] = 1 / (w[0] - 4);
    }
    out[2] = out[1] + w[0];
    half[0] = half[0] * 0.5f + (float)out[0];
}

/* NaNs, infinities and negative zeros as they come; fmin of two zeros is any of them. */
static inline void extremes(const double *v, double *out, double *top)
{
    out[0] = fmin(v[0], v[1]) + fmax(v[0], v[1]);
    out[1] = v[0] < v[1] ? v[0] : v[1];
    out[2] = v[0] == v[1] || !(v[0] >= v[1]) ? fabs(v[0]) : -v[1];
    out[3] = fmax(v[1], v[0]) * (v[1] != v[1] ? 2 : v[1]);
    if (v[1] > top[0]) {
        top[0] = v[1];
    }
    if (v[0] > 1) {
        out[1] = 1 / v[0]; /* set twice, and in part */
        if (v[0] > 2) {
            out[2] = out[1];
        }
    }
}

#endif
