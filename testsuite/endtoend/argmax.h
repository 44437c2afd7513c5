/* argmax.h: kernels that carry something along with a minimum or maximum (op_arg_info). update() is
 * the loop of OP2's own airfoil. Data are small whole numbers, so that many elements attain each
 * extremum; the payload tells which of them counted.
 */
#ifndef CLEAVE_TEST_ARGMAX_H
#define CLEAVE_TEST_ARGMAX_H

static inline void update(const double *qold, double *q, double *res, const double *adt,
                          double *rms, double *maxerr, int *idx, int *errloc)
{
    double adti = 1.0 / (*adt);

    for (int n = 0; n < 4; n++) {
        double d2;
        double del = adti * res[n];
        q[n] = qold[n] - del;
        res[n] = 0.0;
        d2 = del * del;
        *rms += d2;
        if (d2 > *maxerr) {
            *maxerr = d2;
            *errloc = *idx;
        }
    }
}

/* Through a map, beside increments: a minimum whose last element counts, with the numbers of the
 * element and of a point and with two computed values; and a maximum under a condition. */
static void carry(const double *w, const double *x, double *sum, double *least, const int *element,
                  const int *point, int *where, double *at, float *most, ll *code)
{
    double both = w[0] + x[0];
    sum[0] += w[0];
    sum[1] += x[0] - w[1];
    if (both <= *least) {
        *least = both;
        where[0] = *element;
        where[1] = *point;
        for (int c = 0; c < 2; c++) {
            at[c] = 10 * x[c] + *element;
        }
    }
    float single = (float)w[1];
    if (w[0] > 2 && *most < single) {
        *code = 1000LL * *element + *point;
        *most = single;
    }
}

/* In a helper. */
static void raise(double value, int element, double *place, int *where)
{
    if (value > *place) {
        *place = value;
        *where = element;
    }
}

/* An extremum of several components, each with two of the payload's; one for each subscript that is
 * not known; unsigned numbers from 0 on, where an equal one counts; the loop is not unrolled. */
static void several(const double *x, const int *n, const uint *count, const int *element,
                    double *top, int *pair, double *low, int *same, uint *largest, int *last,
                    double *helped, int *helper)
{
    for (int c = 0; c < 3; c++) {
        if (x[c] > top[c]) {
            top[c] = x[c];
            pair[2 * c] = *element;
            pair[2 * c + 1] = c;
        }
    }
    for (int k = 0; k < n[0]; k++) {
        int c = (k + n[1]) & 1;
        if (x[c] < low[c]) {
            low[c] = x[c];
            same[c] = *element + 1000 * k;
        }
    }
    if (*count >= *largest) {
        *largest = *count;
        *last = *element;
    }
    raise(x[3], *element, helped, helper);
}

/* The extremum may be missing. */
static void optional(const double *x, const int *element, double *most, int *where)
{
    if (most != NULL && x[0] > *most) {
        *most = x[0];
        *where = *element;
    }
}

/* NaN is never better; -0.0 and 0.0 are equal, so the first of them stays. */
static void strange(const double *x, const int *element, double *least, int *where, double *value)
{
    if (*least > x[0]) {
        *least = x[0];
        *where = *element;
        *value = x[0];
    }
}

#endif
