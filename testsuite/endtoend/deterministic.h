/* deterministic.h: the kernels of deterministic.c. Every sum of theirs rounds, so that another
 * order of its terms gives other bits. */
#ifndef DETERMINISTIC_H
#define DETERMINISTIC_H

/* Light, of two columns, with reductions. */
static inline void flux(const double *a, const double *b, const float *weight, double *to_a,
                        double *to_b, double *total, double *most)
{
    for (int k = 0; k < 4; k++) {
        double f = (a[k] - 0.7 * b[k]) * *weight;
        to_a[k] += f;
        to_b[k] -= f;
        *total += f;
        *most = *most > f ? *most : f;
    }
}

/* Too many operations for points to recompute them for each of their cells. */
static inline void heavy(const double *n0, const double *n1, const double *n2, const double *n3,
                         double *s0, double *s1, double *s2, double *s3)
{
    double mean = 0.25 * (n0[0] + n1[1] + n2[2] + n3[3]);
    double sum = 0.3;
    for (int k = 0; k < 1000; k++) {
        sum = 0.9 * sum + 0.1 * mean;
    }
    *s0 += sum * n0[1];
    *s1 += sum * n1[2];
    *s2 += sum * n2[3];
    *s3 += sum * n3[0];
}

static inline void single(const float *weight, float *a, float *b)
{
    *a += *weight * 0.1f;
    *b += *weight * 0.3f;
}

/* A sum, declared OP_RW. */
static inline void in_place(const float *weight, double *a, double *b)
{
    *a = 0.75 * *a + 0.1 * *weight;
    *b = 0.75 * *b - 0.3 * *weight;
}

/* Not taken apart, because of the label. */
static inline void whole(const float *weight, double *a, double *b)
{
    int k = 0;
again:
    *a += 0.1 * *weight;
    *b -= 0.7 * *weight;
    if (++k < 2) {
        goto again;
    }
}

static inline void extremes(const double *x, double *high, double *low)
{
    high[0] = high[0] > x[0] ? high[0] : x[0];
    low[0] = low[0] < x[1] ? low[0] : x[1];
}

/* A loop over few elements whose map leads to a set of many points. */
static inline void boundary(const double *x, double *far)
{
    *far += 0.1 * *x;
}

static inline void counted(int *a, int *b)
{
    *a += 1;
    *b += 2;
}

/* Nothing goes through a map. */
static inline void norms(const double *sum, double *x, double *square, float *simple, double *least)
{
    for (int k = 0; k < 4; k++) {
        x[k] += 1e-3 * sum[k];
        *square += sum[k] * sum[k];
        *simple += (float)(sum[k] * sum[k]);
        *least = *least < sum[k] ? *least : sum[k];
    }
}

/* An edge sees what others do to its first point. */
static inline void seen(const double *first, double *second)
{
    *second += 1e-3 * *first;
}

static inline void spread(const double *of, double *a, double *b)
{
    *a += 0.1 * *of;
    *b -= 0.3 * *of;
}

#endif
