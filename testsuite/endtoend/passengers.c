/* passengers.c: loops between the members of a group that are launched before it: over another set,
 * with a value that changes, and one that adds to the points that a member adds to. What is added
 * are small integers, whose sums have no rounding.
 *
 * passengers [alias]: prints all values. alias: the loop between the members gets, under another
 * name, the dat that the first one reads: it must not pass it. */
#include <stdio.h>
#include <stdlib.h>

#include "op_seq.h"

enum { CELLS = 500, TURNS = 8 };

static op_set cells, edges, faces;
static op_map ends, sides;
static op_dat p_a, p_b, p_c, p_w, p_v, p_f, p_sum;
static double fetched[CELLS];

static void take(const double *a, double *b)
{
    b[0] = a[0] * 0.5 + 1.0;
}

static void move(double *w, const double *by)
{
    w[0] += by[0];
}

static void mix(const double *b, double *c)
{
    c[0] = c[0] * 0.25 + b[0];
}

static void add(const double *w, double *left, double *right)
{
    left[0] += (int)w[0];
    right[0] += 1.0;
}

static void add_some(const double *v, double *point)
{
    point[0] += (int)v[0] % 3;
}

static void follow(const double *w, double *v)
{
    v[0] = w[0] * 0.5;
}

static void turn(int t, op_dat between, op_set set)
{
    double by = t + 0.25;

    op_par_loop(take, "take", cells, op_arg_dat(p_a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_b, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(move, "move", set, op_arg_dat(between, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&by, 1, "double", OP_READ));
    by = -1.0;
    op_par_loop(mix, "mix", cells, op_arg_dat(p_b, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_c, -1, OP_ID, 1, "double", OP_RW));

    op_par_loop(add, "add", edges, op_arg_dat(p_w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_sum, 0, ends, 1, "double", OP_INC),
                op_arg_dat(p_sum, 1, ends, 1, "double", OP_INC));
    op_par_loop(add_some, "add some", faces, op_arg_dat(p_f, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_sum, 0, sides, 1, "double", OP_INC));
    op_par_loop(follow, "follow", edges, op_arg_dat(p_w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_v, -1, OP_ID, 1, "double", OP_WRITE));
    op_fetch_data(p_b, fetched);
}

static void print(const char *name, op_dat dat, int count, double *values)
{
    op_fetch_data(dat, values);
    for (int n = 0; n < count; n++) {
        printf("%s[%d] = %.17g\n", name, n, values[n]);
    }
}

int main(int argc, char **argv)
{
    int is_alias = argc > 1 && argv[1][0] == 'a';
    int *end = malloc(2 * CELLS * sizeof *end);
    double *value = malloc(CELLS * sizeof *value);

    for (int n = 0; n < CELLS; n++) {
        end[2 * n] = n;
        end[2 * n + 1] = (7 * n + 3) % CELLS;
        value[n] = n % 11;
    }
    op_init(argc, argv, 0);
    cells = op_decl_set(CELLS, "cells");
    edges = op_decl_set(CELLS, "edges");
    faces = op_decl_set(CELLS, "faces");
    ends = op_decl_map(edges, cells, 2, end, "ends");
    sides = op_decl_map(faces, cells, 2, end, "sides");
    p_a = op_decl_dat(cells, 1, "double", value, "a");
    p_b = op_decl_dat(cells, 1, "double", value, "b");
    p_c = op_decl_dat(cells, 1, "double", value, "c");
    p_sum = op_decl_dat(cells, 1, "double", value, "sum");
    p_w = op_decl_dat(edges, 1, "double", value, "w");
    p_v = op_decl_dat(edges, 1, "double", value, "v");
    p_f = op_decl_dat(faces, 1, "double", value, "f");
    for (int t = 0; t < TURNS; t++) {
        turn(t, is_alias ? p_a : p_w, is_alias ? cells : edges);
    }
    print("a", p_a, CELLS, value);
    print("b", p_b, CELLS, value);
    print("c", p_c, CELLS, value);
    print("sum", p_sum, CELLS, value);
    print("w", p_w, CELLS, value);
    print("v", p_v, CELLS, value);
    op_timing_output();
    op_exit();
    return 0;
}
