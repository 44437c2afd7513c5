/* soa_kernels.h: the kernels of soa.c. All values are whole numbers, so that sums are the same in
 * any order. Names say what is special about how a kernel uses its records. */
#ifndef CLEAVE_TEST_SOA_KERNELS_H
#define CLEAVE_TEST_SOA_KERNELS_H

/* Components of two ends by constants; what is added differs by component. */
static inline void flux(const double *x1, const double *x2, const float *w, const double *q1,
                        const double *q2, double *r1, double *r2)
{
    double f = (x1[0] - x2[1]) * w[2] + q1[4];
    r1[0] += f;
    r2[0] -= f;
    f = q2[1] + w[0];
    r1[3] += f;
    r2[3] += f;
    r2[4] += 1;
}

static inline double sum_of(const double *q, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += q[i];
    }
    return sum;
}

/* Records that are handed on: a copy is read. */
static inline void handed_on(const double *q1, const double *q2, const double *x, double *r)
{
    double f = sum_of(q1, 5) - sum_of(q2, 3);
    r[1] += f;
    r[2] -= f + x[1];
}

/* Subscripts that are no constants. */
static inline void any_component(const int *kind, const double *const *q, double *r)
{
    int c = kind[1] & 3;
    r[0] += q[0][c] + q[1][c + 1];
    for (int i = 0; i < 5; i++) {
        r[i] += q[1][i];
    }
}

static inline void extremes(const double *q, const int *kind, double *low, double *high)
{
    for (int c = 0; c < 5; c++) {
        low[c] = q[c] < low[c] ? q[c] : low[c];
        high[c] = fmax(high[c], q[4 - c] + kind[0]);
    }
}

/* Taken whole, with increments. */
static inline void whole(const double *q, const float *w, double *r)
{
    if (w[1] > 2) {
        goto out;
    }
    r[2] += q[3] + w[1];
out:
    r[4] += *q;
}

/* One record read and written through a map, in place, and some of its components only. */
static inline void place(const double *q, double *at)
{
    if (q[0] > 2) {
        at[1] = 7;
    }
    at[3] = at[3] > q[2] ? at[3] : q[2];
}

static inline void raise(double *at, double least)
{
    at[0] = at[0] < least ? least : at[0];
    at[2] += 1;
}

static inline void place_handed_on(double *at)
{
    raise(at, 3);
}

/* Two arguments that may be one and the same record. */
static inline void two_places(double *a, double *b)
{
    a[1] = 5;
    b[1] = 5;
    b[4] = 2;
}

/* Direct: read, written in part, and in every component. */
static inline void update(const double *old, double *q, double *r, double *sum)
{
    for (int c = 0; c < 5; c++) {
        q[c] = (double)((int)(old[c] + r[c]) % 17);
        sum[0] += q[c];
    }
    r[1] = 0;
    raise(r, -4);
}

static inline void copy(const double *q, double *old)
{
    for (int c = 0; c < 5; c++) {
        old[c] = q[c];
    }
}

/* One dat in two arguments: one writes what the other reads. */
static inline void same_twice(const double *a, double *b, double *sum)
{
    b[0] = b[0] + 1;
    sum[0] += a[0] + a[4];
}

static inline void long_records(const double *in, double *out, long *count, bool *odd)
{
    for (int c = 0; c < 40; c++) {
        out[39 - c] = in[c] + c;
    }
    count[0] += (long)in[7];
    count[1] -= 1;
    odd[2] = !odd[1];
}

/* One component: both layouts are the same. */
static inline void single(const double *one, const double *q, double *to)
{
    *to += *one + q[0];
}

/* Off or on. */
static inline void perhaps(const double *q, double *r, const int *on)
{
    if (*on) {
        r[1] += q[1];
    }
}

#endif
