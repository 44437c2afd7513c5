/* owners.c: loops that add through maps of one to four columns, in several types, with and without
 * other effects, on a mesh with isolated points, elements that name a point twice, a hub and an
 * empty set. Arguments: points, and elements that name the hub. Prints sums of whole numbers, which
 * are the same in any order.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "op_seq.h"

/* ---- kernels --------------------------------------------------------------------------------- */

/* Equal up to sign, and different, for the two ends. */
static void flux(const double *x1, const double *x2, const double *w, double *r1, double *r2)
{
    double f = w[0] * (x1[0] - x2[1]) + x2[2];
    r1[0] += f;
    r2[0] -= f;
    r1[1] += 2.0 * w[1];
    r2[1] += x1[2];
    r1[2] -= w[2];
    r2[2] -= w[2];
}

/* Each of three columns something else; integers. */
static void count(const int *n1, const int *n2, const int *n3, int *c1, int *c2, int *c3)
{
    c1[0] += n2[0];
    c2[0] -= n3[0];
    c3[0] += n1[0] + 1;
    c1[1] += 1;
    c2[1] += 1;
    c3[1] -= 1;
}

/* All columns of a vector; one component of two. */
static void spread(const float *const y[4], float *const s[4])
{
    for (int c = 0; c < 4; c++) {
        s[c][1] += y[(c + 1) % 4][0] - y[c][2];
    }
}

static void touch(const double *x, double *r)
{
    r[0] += x[0];
}

/* Sums beside what is written and reduced. */
static void effects(const double *x1, const double *x2, double *w, double *r2, double *total)
{
    double mean = x1[1] + x2[1];
    w[2] = mean;
    r2[1] += mean;
    *total += mean;
}

static void peak(const double *x1, const double *x2, double *high, double *low)
{
    high[0] = x1[0] > high[0] ? x1[0] : high[0];
    low[0] = x2[2] - 3.0 < low[0] ? x2[2] - 3.0 : low[0];
}

/* Products that one end adds and the other subtracts. */
static void pull(const double *x1, const double *x2, const double *w, double *r1, double *r2)
{
    for (int d = 0; d < 3; d++) {
        const double part = d == 1 ? w[0] * (x1[0] - x2[2]) : (x2[d] - x1[d]) * w[1];
        r1[d] -= part;
        r2[d] += part;
    }
}

/* Roots and quotients of one end, which each end needs of both. */
static void weigh(const double *m1, const double *m2, const int *n1, const int *n2,
                  const double *x1, const double *x2, double *r1, double *r2)
{
    const double root1 = sqrt(m1[0]), root2 = sqrt(m2[0]);
    const double f = root1 * x2[0] + root2 * x1[0] + 64.0 * *n1 / m1[1] - 64.0 * *n2 / m2[1];
    const double g = (x1[1] > 2.0 ? 64.0 * x1[1] / m1[1] : x1[2]) * root2;
    r1[0] += f;
    r2[0] -= f;
    r1[1] += g;
    r2[2] -= g * (x2[1] > 2.0 ? 64.0 * x2[1] / m2[1] : x2[2]);
}

/* All columns of a vector, with components that are not modified. */
static void blend(const float *const z[4], float *const s[4])
{
    for (int c = 0; c < 4; c++) {
        const float *next = z[(c + 1) % 4];
        s[c][0] += 64.0f / sqrtf(z[c][0]) * next[1] - 16.0f * z[c][1] / next[0];
    }
}

/* ---- mesh ------------------------------------------------------------------------------------ */

/* The arrays that the mesh and its data were declared with; kept until the end. */
static void *kept[64];
static int keeps;

static void *zeros(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL || keeps == (int)(sizeof kept / sizeof kept[0])) {
        fprintf(stderr, "owners: not enough memory\n");
        exit(1);
    }
    kept[keeps++] = memory;
    return memory;
}

static void free_all(void)
{
    while (keeps > 0) {
        free(kept[--keeps]);
    }
}

/* Every tenth point is isolated. */
static int point_of(int p, int points)
{
    p %= points;
    return p % 10 == 9 ? p - 1 : p;
}

static int *make_map(int elements, int columns, int points, int hub)
{
    int *map = zeros((size_t)elements * (size_t)columns, sizeof *map);
    for (int e = 0; e < elements; e++) {
        for (int c = 0; c < columns; c++) {
            map[e * columns + c] = point_of(e + c * (e % 3), points);
        }
        if (e >= elements - hub) {
            map[e * columns] = points / 2;
        }
    }
    return map;
}

static void *make_dat(const char *type, int count)
{
    void *dat = zeros((size_t)count, sizeof(double));
    for (int i = 0; i < count; i++) {
        if (type[0] == 'd') {
            ((double *)dat)[i] = i * 7 % 5;
        } else if (type[0] == 'f') {
            ((float *)dat)[i] = (float)(i * 3 % 7);
        } else {
            ((int *)dat)[i] = i % 11 - 4;
        }
    }
    return dat;
}

/* Powers of four from 1 to 64: their roots and what they divide are exact. */
static void *make_powers(const char *type, int count)
{
    void *dat = zeros((size_t)count, sizeof(double));
    for (int i = 0; i < count; i++) {
        int power = 1 << 2 * (i * 5 % 4);
        if (type[0] == 'd') {
            ((double *)dat)[i] = power;
        } else {
            ((float *)dat)[i] = (float)(power == 64 ? 1 : power);
        }
    }
    return dat;
}

static void print_dat(const char *name, op_dat dat, int count, const char *type)
{
    double sum = 0.0;
    double weighted = 0.0;
    op_get_data(dat);
    for (int i = 0; i < count; i++) {
        double value = type[0] == 'd'   ? ((double *)dat->data)[i]
                       : type[0] == 'f' ? ((float *)dat->data)[i]
                                        : ((int *)dat->data)[i];
        sum += value;
        weighted += value * (i % 17 + 1);
    }
    printf("= %s %.0f %.0f\n", name, sum, weighted);
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 1);
    const int points = atoi(argv[1]);
    const int hub = atoi(argv[2]);
    const int edges = 3 * points + hub;
    op_set P = op_decl_set(points, "points");
    op_set E = op_decl_set(edges, "edges");
    op_set T = op_decl_set(points, "triangles");
    op_set Q = op_decl_set(points, "cells");
    op_set none = op_decl_set(0, "none");
    op_map edge = op_decl_map(E, P, 2, make_map(edges, 2, points, hub), "edge");
    op_map triangle = op_decl_map(T, P, 3, make_map(points, 3, points, 0), "triangle");
    op_map cell = op_decl_map(Q, P, 4, make_map(points, 4, points, 0), "cell");
    op_map nothing = op_decl_map(none, P, 1, zeros(1, sizeof(int)), "nothing");
    op_dat x = op_decl_dat(P, 3, "double", make_dat("double", 3 * points), "x");
    op_dat r = op_decl_dat(P, 3, "double", make_dat("double", 3 * points), "r");
    op_dat low = op_decl_dat(P, 1, "double", make_dat("double", points), "low");
    op_dat w = op_decl_dat(E, 3, "double", make_dat("double", 3 * edges), "w");
    op_dat m = op_decl_dat(P, 2, "double", make_powers("double", 2 * points), "m");
    op_dat z = op_decl_dat(P, 2, "float", make_powers("float", 2 * points), "z");
    op_dat n = op_decl_dat(P, 1, "int", make_dat("int", points), "n");
    op_dat c = op_decl_dat(P, 2, "int", make_dat("int", 2 * points), "c");
    op_dat y = op_decl_dat(P, 3, "float", make_dat("float", 3 * points), "y");
    op_dat s = op_decl_dat(P, 2, "float", make_dat("float", 2 * points), "s");
    double total = 0.0;

    op_par_loop(flux, "flux", E, op_arg_dat(x, 0, edge, 3, "double", OP_READ),
                op_arg_dat(x, 1, edge, 3, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(r, 0, edge, 3, "double", OP_INC),
                op_arg_dat(r, 1, edge, 3, "double", OP_INC));
    op_par_loop(
        count, "count", T, op_arg_dat(n, 0, triangle, 1, "int", OP_READ),
        op_arg_dat(n, 1, triangle, 1, "int", OP_READ),
        op_arg_dat(n, 2, triangle, 1, "int", OP_READ), op_arg_dat(c, 0, triangle, 2, "int", OP_INC),
        op_arg_dat(c, 1, triangle, 2, "int", OP_INC), op_arg_dat(c, 2, triangle, 2, "int", OP_INC));
    op_par_loop(spread, "spread", Q, op_arg_dat(y, -4, cell, 3, "float", OP_READ),
                op_arg_dat(s, -4, cell, 2, "float", OP_INC));
    op_par_loop(touch, "touch", none, op_arg_dat(x, 0, nothing, 3, "double", OP_READ),
                op_arg_dat(r, 0, nothing, 3, "double", OP_INC));
    op_par_loop(touch, "touch", T, op_arg_dat(x, 1, triangle, 3, "double", OP_READ),
                op_arg_dat(r, 1, triangle, 3, "double", OP_INC));
    op_par_loop(
        effects, "effects", E, op_arg_dat(x, 0, edge, 3, "double", OP_READ),
        op_arg_dat(x, 1, edge, 3, "double", OP_READ), op_arg_dat(w, -1, OP_ID, 3, "double", OP_RW),
        op_arg_dat(r, 1, edge, 3, "double", OP_INC), op_arg_gbl(&total, 1, "double", OP_INC));
    op_par_loop(peak, "peak", E, op_arg_dat(x, 0, edge, 3, "double", OP_READ),
                op_arg_dat(x, 1, edge, 3, "double", OP_READ),
                op_arg_dat(r, 0, edge, 3, "double", OP_MAX),
                op_arg_dat(low, 1, edge, 1, "double", OP_MIN));
    op_par_loop(pull, "pull", E, op_arg_dat(x, 0, edge, 3, "double", OP_READ),
                op_arg_dat(x, 1, edge, 3, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(r, 0, edge, 3, "double", OP_INC),
                op_arg_dat(r, 1, edge, 3, "double", OP_INC));
    op_par_loop(
        weigh, "weigh", E, op_arg_dat(m, 0, edge, 2, "double", OP_READ),
        op_arg_dat(m, 1, edge, 2, "double", OP_READ), op_arg_dat(n, 0, edge, 1, "int", OP_READ),
        op_arg_dat(n, 1, edge, 1, "int", OP_READ), op_arg_dat(x, 0, edge, 3, "double", OP_READ),
        op_arg_dat(x, 1, edge, 3, "double", OP_READ), op_arg_dat(r, 0, edge, 3, "double", OP_INC),
        op_arg_dat(r, 1, edge, 3, "double", OP_INC));
    op_par_loop(blend, "blend", Q, op_arg_dat(z, -4, cell, 2, "float", OP_READ),
                op_arg_dat(s, -4, cell, 2, "float", OP_INC));
    print_dat("r", r, 3 * points, "double");
    print_dat("low", low, points, "double");
    print_dat("w", w, 3 * edges, "double");
    print_dat("c", c, 2 * points, "int");
    print_dat("s", s, 2 * points, "float");
    printf("= total %.0f\n", total);
    op_timing_output();
    op_exit();
    free_all();
    return 0;
}
