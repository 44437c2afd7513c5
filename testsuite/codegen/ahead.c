/* ahead.c: a loop that runs ahead of its call (--cleave-fuse=gather): `area` behind `flux+update`,
 * whose sum the program looks at. Each letter of the first argument is a time step, in which
 * something happens before `area` is called for the second of two stages, a capital letter: for
 * both, so that what was computed ahead is wrong, or still right:
 *
 *   n  nothing                               w  a loop writes what area writes
 *   p  the host changes q by op_put_data     c  the constant changes
 *   l  a loop changes q                      s  the constant is declared again, with its value
 *   x  area gets other coordinates           o  area is not called before the next flux
 *   f  the host fetches area's values        t  area is called for another dat behind
 *
 * Prints the sums of all steps, and the values at the end.
 */
#include "op_seq.h"

#include <ctype.h>
#include <stdio.h>

enum { CELLS = 600, EDGES = 1500, NODES = 640, RIM = 40 };

double gain = 0.5;

static inline void save(const double *q, double *old)
{
    old[0] = q[0];
    old[1] = q[1];
}

static inline void area(const double *x1, const double *x2, const double *x3, const double *q,
                        double *size)
{
    const double dx = x2[0] - x1[0] + 0.125 * x3[0];
    const double dy = x2[1] - x1[1] - 0.125 * x3[1];
    *size = 1.0 + gain * (dx * dx + dy * dy) + 0.25 * q[0] * q[0];
}

static inline void flux(const double *q1, const double *q2, const double *size1,
                        const double *size2, double *res1, double *res2)
{
    const double f = 0.01 * (q1[0] - q2[0]) / (*size1 + *size2);
    const double g = 0.02 * (q1[1] - q2[1]);
    res1[0] -= f;
    res1[1] -= g;
    res2[0] += f;
    res2[1] += g;
}

static inline void rim(const double *size, double *res)
{
    res[0] += 0.001 * *size;
}

static inline void update(const double *old, double *q, double *res, const double *size,
                          double *sum)
{
    for (int n = 0; n < 2; n++) {
        const double change = res[n] / *size;
        q[n] = 0.5 * (old[n] + q[n]) + change;
        res[n] = 0.0;
        *sum += change * change;
    }
}

static inline void kick(double *q)
{
    q[0] += 0.0625;
}

static inline void spoil(double *size)
{
    *size = -1.0;
}

static double number(void)
{
    static unsigned state = 7;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / (double)(1u << 24);
}

static double values[4][2 * NODES];
static int ends[2 * EDGES], corners[3 * CELLS], owner[RIM];
static op_set cells, edges, outside;
static op_map edge, corner, beside;
static op_dat q, old, res, size, other;

static void print_sum(op_dat dat)
{
    static double value[2 * CELLS];
    double sum = 0.0;
    op_fetch_data(dat, value);
    for (int n = 0; n < CELLS * dat->dim; n++) {
        sum += (n % 7 + 1) * value[n];
    }
    printf("%s: %.8e\n", dat->name, sum);
}

static void put(void)
{
    static double value[2 * CELLS];
    op_fetch_data(q, value);
    value[6] += 1.0;
    for (int n = 0; n < 2 * CELLS; n++) {
        ((double *)q->data)[n] = value[n];
    }
    op_put_data(q);
}

static void happen(char what)
{
    if (what == 'p') {
        put();
    }
    if (what == 'c') {
        gain *= 1.125;
    }
    if (what == 'c' || what == 's') {
        op_decl_const(1, "double", &gain);
    }
    if (what == 'f') {
        print_sum(size);
    }
    if (what == 'l') {
        op_par_loop(kick, "kick", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_RW));
    }
    if (what == 'w') {
        op_par_loop(spoil, "spoil", cells, op_arg_dat(size, -1, OP_ID, 1, "double", OP_WRITE));
    }
}

static void compute(op_dat coordinates, op_dat into)
{
    op_par_loop(area, "area", cells, op_arg_dat(coordinates, 0, corner, 2, "double", OP_READ),
                op_arg_dat(coordinates, 1, corner, 2, "double", OP_READ),
                op_arg_dat(coordinates, 2, corner, 2, "double", OP_READ),
                op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(into, -1, OP_ID, 1, "double", OP_WRITE));
}

static void step(char what, op_dat coordinates)
{
    op_par_loop(save, "save", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(old, -1, OP_ID, 2, "double", OP_WRITE));
    for (int stage = 0; stage < 2; stage++) {
        double sum = 0.0;
        happen(stage == 1 || isupper(what) ? (char)tolower(what) : 'n');
        if (stage == 0 || what != 'o') {
            compute(coordinates, size);
        }
        if (stage == 1 && what == 't') {
            compute(coordinates, other);
        }
        op_par_loop(flux, "flux", edges, op_arg_dat(q, 0, edge, 2, "double", OP_READ),
                    op_arg_dat(q, 1, edge, 2, "double", OP_READ),
                    op_arg_dat(size, 0, edge, 1, "double", OP_READ),
                    op_arg_dat(size, 1, edge, 1, "double", OP_READ),
                    op_arg_dat(res, 0, edge, 2, "double", OP_INC),
                    op_arg_dat(res, 1, edge, 2, "double", OP_INC));
        op_par_loop(rim, "rim", outside, op_arg_dat(size, 0, beside, 1, "double", OP_READ),
                    op_arg_dat(res, 0, beside, 2, "double", OP_INC));
        op_par_loop(update, "update", cells, op_arg_dat(old, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(q, -1, OP_ID, 2, "double", OP_RW),
                    op_arg_dat(res, -1, OP_ID, 2, "double", OP_RW),
                    op_arg_dat(size, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_gbl(&sum, 1, "double", OP_INC));
        printf("%c%d %.8e\n", what, stage, sum);
    }
}

static void fill(int *to, int count, int members)
{
    for (int n = 0; n < count; n++) {
        to[n] = (int)(number() * members);
    }
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 1);
    for (int n = 0; n < 4 * 2 * NODES; n++) {
        values[n / (2 * NODES)][n % (2 * NODES)] = number();
    }
    fill(ends, 2 * EDGES, CELLS);
    fill(corners, 3 * CELLS, NODES);
    fill(owner, RIM, CELLS);
    cells = op_decl_set(CELLS, "cells");
    edges = op_decl_set(EDGES, "edges");
    outside = op_decl_set(RIM, "outside");
    op_set nodes = op_decl_set(NODES, "nodes");
    edge = op_decl_map(edges, cells, 2, ends, "edge");
    corner = op_decl_map(cells, nodes, 3, corners, "corner");
    beside = op_decl_map(outside, cells, 1, owner, "beside");
    op_dat x = op_decl_dat(nodes, 2, "double", values[0], "x");
    op_dat y = op_decl_dat(nodes, 2, "double", values[1], "y");
    q = op_decl_dat(cells, 2, "double", values[2], "q");
    old = op_decl_dat(cells, 2, "double", (double *)NULL, "old");
    res = op_decl_dat(cells, 2, "double", (double *)NULL, "res");
    size = op_decl_dat(cells, 1, "double", (double *)NULL, "size");
    other = op_decl_dat(cells, 1, "double", (double *)NULL, "other");
    op_decl_const(1, "double", &gain);
    for (const char *what = argc > 1 ? argv[1] : "nnn"; *what != '\0'; what++) {
        step(*what, *what == 'x' ? y : x);
    }
    print_sum(q);
    print_sum(size);
    print_sum(other);
    op_exit();
    return 0;
}
