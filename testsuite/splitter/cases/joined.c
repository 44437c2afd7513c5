/* joined.c: joined loops do what their members do one after the other: locals of equal names,
 * helpers and constants of both, returns in the middle, whole and partial records that pass from
 * one member to the next, sums of two members at one point, columns of vectors, numbers of
 * elements; doubles, floats and integers. */
#include "op_seq.h"

/* GROUPS
group 0 "copy+relax+limit" set loop - saves 64
  member copy joins 0 1
  member relax joins 0 1 2 3
  member limit joins 2 4 5
  arg 0 of 0:0 OP_READ dat 0 map -
  arg 1 of 0:1 OP_WRITE dat 1 map -
  arg 2 of 1:2 OP_RW dat 2 map -
  arg 3 of 1:3 OP_READ dat 3 map 0
  arg 4 of 2:1 OP_RW dat 4 map -
  arg 5 of 2:2 OP_INC dat - map -
group 1 "left+right" set loop - saves 64
  member left joins 0 1 2 3
  member right joins 0 1 2 3
  arg 0 of 0:0 OP_READ dat 0 map 0
  arg 1 of 0:1 OP_READ dat 0 map 0
  arg 2 of 0:2 OP_INC dat 1 map 0
  arg 3 of 0:3 OP_INC dat 1 map 0
group 2 "rows+count" set loop - saves 8
  member rows joins 0 1 2
  member count joins 2 3 1
  arg 0 of 0:0 OP_READ dat 0 map 0
  arg 1 of 0:1 OP_READ dat - map -
  arg 2 of 0:2 OP_RW dat 1 map -
  arg 3 of 1:1 OP_RW dat 2 map -
group 3 "single+double" set loop - saves 8
  member single joins 0 1
  member double_ joins 1 2 0
  arg 0 of 0:0 OP_RW dat 0 map -
  arg 1 of 0:1 OP_WRITE dat 1 map -
  arg 2 of 1:1 OP_WRITE dat 2 map -
group 4 "square+twice" set loop - saves 8
  member square joins 0 1
  member twice joins 0 1 2
  arg 0 of 0:0 OP_READ dat 0 map -
  arg 1 of 0:1 OP_RW dat 1 map -
  arg 2 of 1:2 OP_RW dat 2 map -
*/

static op_set cells, edges;
static op_map map, map4;
static op_dat p_q, p_old, p_adt, p_x, p_res, p_n, p_flag, p_f, p_g, p_d;
static double total;

static double half(double x)
{
    double t = x * 0.5;
    return t;
}

static void copy(const double *q, double *old)
{
    for (int n = 0; n < 4; n++) {
        old[n] = q[n];
    }
}

/* A sum over all elements has other parts. */
/* EXPECT: copy+relax+limit: not exact */
/* EXPECT: single+double: exact */
/* The copied values come from memory, so that they need no barrier. */
static void relax(const double *q, const double *old, double *adt, const double *x)
{
    double t = q[0] * old[1] + x[0];
    adt[0] = half(t) * old[2];
    if (t > 1.0) {
        return;
    }
    adt[1] = t * t;
}

/* EXPECT: old_3 = q[1] */
/* EXPECT: adt_4 = cleave_stored(adt_2) */
/* EXPECT: adt_6 = cleave_stored(adt_5) */
static void limit(const double *adt, double *flag, double *sum)
{
    double t = adt[0] + adt[1] * 3.0;
    if (t < 0.0) {
        flag[0] = -t;
        return;
    }
    flag[0] += half(t);
    *sum += flag[0];
}

static void left(const double *a, const double *b, double *ra, double *rb)
{
    double f = a[0] * b[1] - 2.0;
    ra[0] += f;
    rb[0] -= f;
}

static void right(const double *a, const double *b, double *ra, double *rb)
{
    double f = a[0] * b[1];
    ra[0] += f - b[2];
    rb[1] -= f;
}

static void rows(const double **x, const int *self, int *n)
{
    for (int c = 0; c < 4; c++) {
        n[0] += x[c][0] > x[c][1];
    }
    n[1] = *self;
}

/* EXPECT: n_6 > 2 && n_7 == self[0] */
/* Integers pass as they are. */
static void count(const int *n, int *flag, const int *self)
{
    if (n[0] > 2 && n[1] == *self) {
        flag[n[0] % 2] = n[0] * 3;
    }
}

/* EXPECT: g_3 = cleave_storedf(g_2) */
static void single(float *f, float *g)
{
    f[0] = f[1] * f[0] + 1.0f;
    g[0] = f[0] * f[0];
}

static void double_(const float *g, double *d, float *f)
{
    d[0] = g[0] + f[0] * 0.5;
    f[1] = (float)d[0];
}

/* Both compute q[0] * q[1], which a compiler contracts or not. */
/* EXPECT: square+twice: not exact */
static void square(const double *q, double *old)
{
    old[0] = q[0] * q[1];
}

static void twice(const double *q, const double *old, double *d)
{
    d[0] = old[0] - q[1] * q[0];
}

int main(void)
{
    op_par_loop(copy, "copy", cells, op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_old, -1, OP_ID, 4, "double", OP_WRITE));
    op_par_loop(relax, "relax", cells, op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_old, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_adt, -1, OP_ID, 2, "double", OP_RW),
                op_arg_dat(p_x, 1, map4, 2, "double", OP_READ));
    op_par_loop(limit, "limit", cells, op_arg_dat(p_adt, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(p_d, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&total, 1, "double", OP_INC));
    op_par_loop(left, "left", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_q, 1, map, 4, "double", OP_READ),
                op_arg_dat(p_res, 0, map, 2, "double", OP_INC),
                op_arg_dat(p_res, 1, map, 2, "double", OP_INC));
    op_par_loop(right, "right", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_q, 1, map, 4, "double", OP_READ),
                op_arg_dat(p_res, 0, map, 2, "double", OP_INC),
                op_arg_dat(p_res, 1, map, 2, "double", OP_INC));
    op_par_loop(rows, "rows", cells, op_arg_dat(p_x, -4, map4, 2, "double", OP_READ),
                op_arg_idx(-1, OP_ID), op_arg_dat(p_n, -1, OP_ID, 2, "int", OP_RW));
    op_par_loop(count, "count", cells, op_arg_dat(p_n, -1, OP_ID, 2, "int", OP_READ),
                op_arg_dat(p_flag, -1, OP_ID, 2, "int", OP_RW), op_arg_idx(-1, OP_ID));
    op_par_loop(single, "single", cells, op_arg_dat(p_f, -1, OP_ID, 2, "float", OP_RW),
                op_arg_dat(p_g, -1, OP_ID, 1, "float", OP_WRITE));
    op_par_loop(double_, "double", cells, op_arg_dat(p_g, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(p_d, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_f, -1, OP_ID, 2, "float", OP_RW));
    op_par_loop(square, "square", cells, op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_old, -1, OP_ID, 4, "double", OP_RW));
    op_par_loop(twice, "twice", cells, op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_old, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_d, -1, OP_ID, 1, "double", OP_RW));
    return 0;
}
