/* more.c: the rarer arguments and forms: op_arg_idx, data modified through a map,
 * vector extrema, float sums, unions, arrays of pointers, names that generated code cannot have. */
#include "op_seq.h"

static op_set cells, edges;
static op_map map, map4;
static op_dat p_x, p_q, p_r, p_d, p_n, p_f, p_g, p_i;
static float state;

static void numbers(const int *self, const int *other, const double *a, double *r)
{
    r[0] += self[0] * a[0];
    if (*other > 1)
        r[1] -= *other;
}

/* Two columns of one dat, which may be one point. */
/* EXPECT: a_3 = a[0]; after 1, 4 */
static void through(double *a, double *b, const double *w, double *r)
{
    a[0] = w[0];
    b[0] = b[0] + 1.0;
    if (a[0] > 1.0)
        b[1] = a[0] * b[0];
    a[1] += b[1];
    r[0] += a[1] + a[2];
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

static void greatest(const double **a, double **most, float **low)
{
    for (int c = 0; c < 4; c++) {
        for (int d = 0; d < 2; d++)
            most[c][d] = larger(most[c][d], a[3 - c][d]);
        float x = (float)a[c][0];
        if (x < low[c][0])
            low[c][0] = x;
    }
}

static void singles(const float *a, float *r, int *count, float *total)
{
    float f = a[0] * a[1];
    r[0] += f;
    r[1] -= f * 0.5f;
    r[0] += 0.25f;
    count[0] += a[0] > 0.0f;
    count[1]++;
    total[0] += f;
    total[0]--;
}

union bits {
    int word;
    unsigned char byte[4];
};

static void unions(const int *n, double *r)
{
    union bits b;
    b.word = n[0] * 77;
    r[0] += b.byte[n[1]];
    b.byte[0] = 1;
    r[1] += b.word & 0xffff;
}

/* Pointers kept in an array, and chosen by a constant. */
static void ends(const double *a, const double *b, double *ra, double *rb)
{
    const double *end[2] = {a, b};
    double *res[2] = {ra, rb};
    const double sign[2] = {1.0, -1.0};
    for (int e = 0; e < 2; e++) {
        const double *other = end[1 - e];
        const double *own = e == 0 ? a : b;
        for (int k = 0; k < 2; k++)
            res[e][k] += sign[e] * (other[k] - own[k]);
    }
}

/* EXPECT: class_2 = */
/* EXPECT: user_cleave_x = */
/* EXPECT: sqrt(class_2) */
static void names(const double *a, double *r)
{
    double class = a[0] * a[0];
    double cleave_x = sqrt(class) + class;
    double min = cleave_x * 2.0, template = min - a[1];
    {
        double a = template * min;
        r[0] += a;
    }
    r[1] += template + cleave_x;
}

/* Counters of several kinds, shadowed names, empty statements, nested breaks. */
static void counters(const double *a, double *r)
{
    double s = 0.0;
    int i = 2, j;
    for (; i >= 0; --i) {
        double i = s;
        s += i + 1.0;
    }
    for (i = 0, j = 3; i < j; i++, j--)
        s += a[i] * a[j];
    unsigned char wrap = 254;
    do
        s += wrap;
    while (++wrap != 1);
    for (int k = 0;; k += 2) {
        if (k == 4)
            break;
        r[k] += s;
    }
    for (float x = 0.5f; x < 2.0f; x += 0.5f)
        s += x;
    for (long k = 10; k > 0; k /= 2)
        r[1] += k;
    r[3] -= s;
}

/* An extremum in a loop that stays whole, and one under a condition. */
static void searched(const double *a, const int *n, double *low)
{
    for (int i = 0; i < n[0]; i++)
        low[0] = fmin(low[0], a[i]);
    int i = 0;
    while (i < n[1]) {
        double x = a[i] * 2.0;
        if (x < low[1])
            low[1] = x;
        low[0] = low[0] < x ? low[0] : x;
        i++;
    }
}

/* Comparisons among other conditions: each of those is a guard of the update. */
/* EXPECT: most[0] max= */
/* EXPECT: most[3] max= */
static void guarded(const double *a, const int *n, double *most)
{
    const int c = n[0] > 1;
    if (c && a[0] > most[0])
        most[0] = a[0];
    if (a[1] > most[0] && n[1] != 0) {
        most[0] = a[1];
    }
    if (c) {
        if (a[2] * 2.0 > most[0])
            most[0] = a[2] * 2.0;
    }
    most[1] = (c && n[1] > 0 && most[1] < a[1]) ? a[1] : most[1];
    most[1] = n[2] ? fmax(most[1], a[2]) : most[1];
    if (n[n[3] & 3] > 0 && sqrt(fabs(a[n[1] & 3])) > most[2])
        most[2] = sqrt(fabs(a[n[1] & 3]));
    const int better = a[3] > most[2] && a[3] < 3.0;
    if (better && !c)
        most[2] = a[3];
    if (n[2] > 2)
        most[3] = fmax(a[0], most[3]);
    for (int i = 0; i < 4; i++)
        if (i != 2 && a[i] >= most[3] && i < 3)
            most[3] = a[i];
}

/* And in a loop that is not unrolled. */
/* EXPECT: low[2] min= */
static void guarded_search(const double *a, const int *n, double *low)
{
    for (int i = 0; i < n[0]; i++) {
        if (i > 1 && a[i] < low[0] && n[i] != 0)
            low[0] = a[i];
        low[1] = i != 1 && a[i] < low[1] ? a[i] : low[1];
        if (n[i] > 1)
            low[2] = fmin(low[2], a[i]);
    }
}

/* Upwind: which end is read, and which incremented, depends on a condition. */
/* EXPECT: value = (cond ? a[1] : b[1]) * 2.0 */
static void upwind(const double *a, const double *b, double *ra, double *rb, double *out)
{
    const double *from = a[0] + b[0] > 0.0 ? a : b;
    double *to;
    if (a[1] > 0.5)
        to = rb;
    else
        to = ra;
    for (int k = 0; k < 3; k++)
        to[k] += from[k + 1] * 2.0;
    const double *near = a;
    double *sum = ra;
    if (b[2] > 0.0) {
        near = from + 1;
        out++;
    }
    *sum++ -= *near;
    out[0] = near[1];
    out[1] += *from;
    const double *none = NULL;
    if (a[3] > 0.0)
        none = a + 1;
    if (a[3] > 0.0)
        sum[1] += none[1];
}

/* One of two places is incremented. */
static void either(const double *a, double *r)
{
    *(a[0] > 0.0 ? &r[0] : &r[1]) += a[1];
    r[a[2] > 0.0 ? 2 : 3] -= a[2];
    r[0] += a[0] > 0.5 && a[1] > a[2] ? sqrt(a[0]) : 1.0;
}

int main(void)
{
    op_par_loop(numbers, "numbers", edges, op_arg_idx(-1, OP_ID), op_arg_idx(1, map),
                op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC));
    op_par_loop(through, "through", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_RW),
                op_arg_dat(p_q, 1, map, 4, "double", OP_RW),
                op_arg_dat(p_d, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC));
    op_par_loop(greatest, "greatest", cells, op_arg_dat(p_x, -4, map4, 2, "double", OP_READ),
                op_arg_dat(p_r, -4, map4, 2, "double", OP_MAX),
                op_arg_dat(p_f, -4, map4, 1, "float", OP_MIN));
    op_par_loop(singles, "singles", edges, op_arg_dat(p_f, 0, map, 2, "float", OP_READ),
                op_arg_dat(p_g, 0, map, 2, "float", OP_INC),
                op_arg_dat(p_i, 0, map, 2, "int", OP_INC), op_arg_gbl(&state, 1, "float", OP_INC));
    op_par_loop(unions, "unions", edges, op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC));
    op_par_loop(ends, "ends", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_q, 1, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 0, map, 4, "double", OP_INC),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC));
    op_par_loop(names, "names", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC));
    op_par_loop(counters, "counters", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC));
    op_par_loop(searched, "searched", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_MIN));
    op_par_loop(guarded, "guarded", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_MAX));
    op_par_loop(guarded_search, "guarded_search", edges,
                op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_MIN));
    op_par_loop(upwind, "upwind", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_q, 1, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 0, map, 4, "double", OP_INC),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 4, "double", OP_RW));
    op_par_loop(either, "either", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC));
    return 0;
}
