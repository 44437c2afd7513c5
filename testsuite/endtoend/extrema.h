/* extrema.h: kernels that lower and raise their OP_MIN and OP_MAX arguments, in every form that the
 * access check must find right. w: of the link; x: of a point; hi: OP_MAX and lo: OP_MIN of another
 * point, 4 components each; top: an OP_MAX global of 2.
 */
#ifndef CLEAVE_TEST_EXTREMA_H
#define CLEAVE_TEST_EXTREMA_H

#define PARAMS const double *w, const double *x, double *hi, double *lo, double *top

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    if (a < b) {
        return a;
    }
    return b;
}

static void raise(double *place, double value)
{
    if (value <= *place) {
        return;
    }
    *place = value;
}

static int is_better(double value, double than)
{
    return value > than;
}

/* Library functions, and comparisons in all directions. */
static void compared(PARAMS)
{
    hi[0] = fmax(hi[0], w[0]);
    hi[1] = fmax(w[1], hi[1]);
    if (!(x[1] <= hi[2])) {
        hi[2] = x[1];
    }
    hi[3] = hi[3] >= x[0] ? hi[3] : x[0];
    lo[0] = fmin(lo[0], fmin(w[0], w[1]));
    if (lo[1] > x[0] - x[1]) {
        lo[1] = x[0] - x[1];
    }
    lo[2] = !(lo[2] < w[1]) ? w[1] : lo[2];
    if (!(lo[3] <= x[1])) {
        lo[3] = x[1];
    } else {
        lo[3] = lo[3];
    }
    top[0] = x[0] > top[0] ? x[0] : top[0];
    (w[0] > top[1]) && (top[1] = w[0]);
}

/* Under conditions and in loops. */
static void guarded(PARAMS)
{
    int j = (int)fabs(w[0]) & 3;
    if (x[0] > hi[0] && w[0] > 2) {
        hi[0] = x[0];
    }
    if (w[1] > 2) {
        if (x[1] > hi[1]) {
            hi[1] = x[1];
        }
    } else {
        hi[1] = fmax(hi[1], w[1]);
    }
    hi[2] = w[0] > 3 && x[1] > hi[2] ? x[1] : hi[2];
    for (int k = 0; k < 4; k++) {
        lo[k] = fmin(lo[k], x[k & 1] + k);
        if (x[k & 1] - k < lo[k]) {
            lo[k] = x[k & 1] - k;
        }
    }
    const int is_new = w[0] > top[0] && w[1] > 1;
    if (is_new) {
        top[0] = w[0];
    }
    switch (j) {
    case 1:
        top[1] = fmax(top[1], x[0]);
        break;
    case 2:
        if (top[1] < x[1]) {
            top[1] = x[1];
        }
        break;
    default:
        break;
    }
}

/* In copies, through pointers, in helpers, at subscripts that are not constant, and behind an early
 * return. */
static void elsewhere(PARAMS)
{
    double copy = hi[0];
    double *place = &hi[1];
    double *either = w[0] > 3 ? &hi[2] : &hi[3];
    double least = lo[0];
    int j = (int)fabs(w[0]) & 3;
    if (copy < x[0]) {
        copy = x[0];
    }
    copy = copy > w[0] ? copy : w[0];
    hi[0] = copy;
    hi[1] = fmax(x[0], fmax(hi[1], w[1]));
    hi[j] = hi[j] < w[1] ? w[1] : hi[j];
    *place = fmax(x[1], *place);
    if (w[1] > *either) {
        *either = w[1];
    }
    for (int k = 0; k < 2; k++) {
        least = smaller(least, x[k]);
    }
    lo[0] = least;
    lo[1] = smaller(lo[1], w[0]);
    raise(top, larger(x[0], x[1]));
    top[1] = larger(top[1], w[1] + x[0]);
    if (is_better(-x[0], -lo[2])) {
        lo[2] = lo[2];
    }
    if (x[1] >= lo[3]) {
        return;
    }
    lo[3] = x[1];
}

#endif
