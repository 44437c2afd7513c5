/* ordered.h: kernels of ordered.c, of REAL, which the compiler is told: double or float. Bodies are
 * too heavy for points to compute them again, and their sums round. */
#ifndef ORDERED_H
#define ORDERED_H

/* A slow way to some mean of two values. */
static inline REAL mix(REAL a, REAL b)
{
    REAL mean = (REAL)0.5 * (a + b);
    for (int k = 0; k < 60; k++) {
        mean = (REAL)0.7 * mean + (REAL)0.3 * (a - (REAL)0.9 * b) / ((REAL)1.5 + mean * mean);
    }
    return mean;
}

/* Two points; five components of them, with a sign. */
static inline void edge(const REAL *a, const REAL *b, const REAL *w, REAL *to_a, REAL *to_b)
{
    REAL mean = *w;
    for (int d = 0; d < 3; d++) {
        mean += mix(a[d] + b[1], a[2] * b[d]) * mix(a[d], b[d]);
    }
    for (int d = 0; d < 5; d++) {
        REAL flow = mean * (REAL)(d + 1) + a[d % 3] - b[d % 3];
        to_a[d] += flow;
        to_b[d] -= flow;
    }
}

/* Four points, of which one component alone gets something; and the smallest of zeros, of either
 * sign, and others. */
static inline void cell(const REAL *n0, const REAL *n1, const REAL *n2, const REAL *n3, REAL *s0,
                        REAL *s1, REAL *s2, REAL *s3, REAL *low, REAL *high)
{
    REAL mean = mix(n0[0] - n2[1], n1[1] + n3[2]);
    s0[1] += mean * n0[2];
    s1[1] += mean * n1[2];
    s2[1] += mean * n2[2];
    s3[1] += mean * n3[2];
    REAL zero = mean > 0 ? (REAL)0.0 : (REAL)-0.0;
    low[0] = low[0] < zero ? low[0] : zero;
    high[0] = high[0] > mean ? high[0] : mean;
}

/* Eight points, as a vector. */
static inline void patch(const REAL **n, const REAL *w, REAL **s, REAL *total)
{
    REAL mean = 0;
    for (int k = 0; k < 8; k++) {
        mean += mix(n[k][0], n[(k + 3) % 8][1]);
    }
    for (int k = 0; k < 8; k++) {
        for (int d = 0; d < 3; d++) {
            s[k][d] += mean * *w * n[k][d];
        }
    }
    *total += mean;
}

/* Two maps, several dats, one of them integers, one that may be off. */
static inline void both(const int *on, const REAL *a, const REAL *b, REAL *to_a, REAL *to_b,
                        int *count, REAL *left, REAL *right, REAL *maybe)
{
    REAL mean = mix(a[0] * b[2], a[1] + b[1]);
    to_a[0] += mean * a[1];
    to_b[0] += mean * b[1];
    to_a[1] -= mean;
    to_b[1] -= (REAL)0.1 * mean;
    *count += 1;
    *left += mean * a[2];
    *right -= mean * b[2];
    if (*on) {
        *maybe += mean + (REAL)0.1;
    }
}

/* Not taken apart, because of the label. */
static inline void whole(const REAL *a, const REAL *b, REAL *to_a, REAL *to_b)
{
    int k = 0;
again:
    *to_a += (REAL)0.1 * a[0];
    *to_b -= (REAL)0.7 * b[1];
    if (++k < 3) {
        goto again;
    }
}

#endif
