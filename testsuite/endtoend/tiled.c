/* tiled.c: loops that the CPU runs tile by tile, and calls that it must not let wait: the program
 * looks at dats behind them, or the same text stands at two places. Sums depend on the order of
 * their terms. The argument says what the program does besides:
 *
 *   again   the second mesh comes in turns with the first
 *   inside  a global lies in the array of a dat
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op_seq.h"

enum { ROWS = 60, TURNS = 12 };

double weight = 0.3;

static void keep(const double *u, double *old)
{
    old[0] = u[0];
    old[1] = u[1] * weight;
}

static void speed(const double *a, const double *b, const double *u, double *s, const double *dt)
{
    s[0] = a[0] * u[0] - b[1] * u[1] + *dt;
}

static void flux(const double *ua, const double *ub, const double *sa, const double *sb, double *ra,
                 double *rb)
{
    double f = (ua[0] - ub[0]) * sa[0] + (ua[1] + ub[1]) * sb[0] / 3.0;
    ra[0] += f;
    rb[0] -= f * 1.1;
    ra[1] += f * f;
    rb[1] += ua[1];
}

static void wall(const double *u, double *r, const int *kind)
{
    r[0] += u[1] / (3.0 + *kind);
    r[1] -= u[0];
}

static void step(const double *old, double *u, double *r, const double *s, double *sum,
                 double *most)
{
    u[0] = old[0] - 0.01 * r[0] / (1.0 + s[0] * s[0]);
    u[1] = old[1] / weight + 0.01 * r[1];
    *sum += u[0] * u[1];
    if (u[0] > *most) {
        *most = u[0];
    }
    r[0] = r[1] = 0.0;
}

static void twice(double *u)
{
    u[0] *= 2.0;
}

struct mesh {
    op_set nodes, cells, edges, walls;
    op_map cell_node, edge_cell, wall_cell;
    op_dat x, u, old, s, r, kind;
};

static int *cell_row, *edge_row, *wall_row;

static double *noise(int n)
{
    static unsigned state = 7;
    double *value = malloc((size_t)n * sizeof *value);
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        value[i] = (state >> 8) / 16777216.0 + 0.5;
    }
    return value;
}

static void declare(struct mesh *m, int columns)
{
    const int cells = columns * ROWS, nodes = (columns + 1) * (ROWS + 1);
    int edges = 0, walls = 0;
    cell_row = malloc(2 * (size_t)cells * sizeof(int));
    edge_row = malloc(4 * (size_t)cells * sizeof(int));
    wall_row = malloc((size_t)cells * sizeof(int));
    int *kind = malloc((size_t)cells * sizeof(int));
    for (int c = 0; c < cells; c++) {
        cell_row[2 * c] = c / ROWS * (ROWS + 1) + c % ROWS;
        cell_row[2 * c + 1] = cell_row[2 * c] + ROWS + 2;
        if (c % ROWS + 1 < ROWS) {
            edge_row[2 * edges] = c, edge_row[2 * edges++ + 1] = c + 1;
        }
        if (c + ROWS < cells) {
            edge_row[2 * edges] = c + ROWS, edge_row[2 * edges++ + 1] = c;
        }
        if (c % ROWS == 0 || c < ROWS) {
            kind[walls] = c % 3, wall_row[walls++] = c;
        }
    }
    m->nodes = op_decl_set(nodes, "nodes"), m->cells = op_decl_set(cells, "cells");
    m->edges = op_decl_set(edges, "edges"), m->walls = op_decl_set(walls, "walls");
    m->cell_node = op_decl_map(m->cells, m->nodes, 2, cell_row, "cell_node");
    m->edge_cell = op_decl_map(m->edges, m->cells, 2, edge_row, "edge_cell");
    m->wall_cell = op_decl_map(m->walls, m->cells, 1, wall_row, "wall_cell");
    double *x = noise(2 * nodes), *u = noise(2 * cells);
    m->x = op_decl_dat(m->nodes, 2, "double", x, "x");
    m->u = op_decl_dat(m->cells, 2, "double", u, "u");
    m->old = op_decl_dat(m->cells, 2, "double", (double *)NULL, "old");
    m->s = op_decl_dat(m->cells, 1, "double", (double *)NULL, "s");
    m->r = op_decl_dat(m->cells, 2, "double", (double *)NULL, "r");
    m->kind = op_decl_dat(m->walls, 1, "int", kind, "kind");
    free(x), free(u), free(kind), free(cell_row), free(edge_row), free(wall_row);
}

/* Five calls that run in tiles. dt changes behind the call that reads it, *sum before the one that
 * reduces into it. */
static void advance(struct mesh *m, double *sum, double *most)
{
    double dt = 0.25;
    op_par_loop(keep, "keep", m->cells, op_arg_dat(m->u, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(m->old, -1, OP_ID, 2, "double", OP_WRITE));
    for (int k = 0; k < 2; k++) {
        op_par_loop(speed, "speed", m->cells,
                    op_arg_dat(m->x, 0, m->cell_node, 2, "double", OP_READ),
                    op_arg_dat(m->x, 1, m->cell_node, 2, "double", OP_READ),
                    op_arg_dat(m->u, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(m->s, -1, OP_ID, 1, "double", OP_WRITE),
                    op_arg_gbl(&dt, 1, "double", OP_READ));
        dt += 0.5;
        op_par_loop(flux, "flux", m->edges, op_arg_dat(m->u, 0, m->edge_cell, 2, "double", OP_READ),
                    op_arg_dat(m->u, 1, m->edge_cell, 2, "double", OP_READ),
                    op_arg_dat(m->s, 0, m->edge_cell, 1, "double", OP_READ),
                    op_arg_dat(m->s, 1, m->edge_cell, 1, "double", OP_READ),
                    op_arg_dat(m->r, 0, m->edge_cell, 2, "double", OP_INC),
                    op_arg_dat(m->r, 1, m->edge_cell, 2, "double", OP_INC));
        op_par_loop(wall, "wall", m->walls, op_arg_dat(m->u, 0, m->wall_cell, 2, "double", OP_READ),
                    op_arg_dat(m->r, 0, m->wall_cell, 2, "double", OP_INC),
                    op_arg_dat(m->kind, -1, OP_ID, 1, "int", OP_READ));
        *sum = 0.0;
        op_par_loop(step, "step", m->cells, op_arg_dat(m->old, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(m->u, -1, OP_ID, 2, "double", OP_WRITE),
                    op_arg_dat(m->r, -1, OP_ID, 2, "double", OP_RW),
                    op_arg_dat(m->s, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_gbl(sum, 1, "double", OP_INC), op_arg_gbl(most, 1, "double", OP_MAX));
    }
}

/* The program reads and writes dats between the calls, through a pointer that it has had for long.
 */
static double look(struct mesh *m, double *u)
{
    double seen;
    op_par_loop(twice, "twice", m->cells, op_arg_dat(m->u, -1, OP_ID, 2, "double", OP_RW));
    seen = u[0];
    u[2] += seen;
    op_par_loop(twice, "twice", m->cells, op_arg_dat(m->u, -1, OP_ID, 2, "double", OP_RW));
    return seen + ((double *)m->u->data)[2];
}

/* Calls of one text in one line, behind only one of which nothing looks. */
#define TWICE op_par_loop(twice, "twice", m->cells, op_arg_dat(m->u, -1, OP_ID, 2, "double", OP_RW))
#define LINE                                                                                       \
    TWICE;                                                                                         \
    seen += u[0];                                                                                  \
    TWICE;                                                                                         \
    TWICE
static double one_line(struct mesh *m, double *u)
{
    double seen = 0.0;
    LINE;
    return seen + u[0];
}

/* Another thread might wait for the flag, and then look at u. */
volatile int flag;
static void signal_others(struct mesh *m)
{
    op_par_loop(twice, "twice", m->cells, op_arg_dat(m->u, -1, OP_ID, 2, "double", OP_RW));
    flag = 1;
    op_par_loop(keep, "keep", m->cells, op_arg_dat(m->u, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(m->old, -1, OP_ID, 2, "double", OP_WRITE));
}

/* The sum is wanted when the first call returns, so that the repeat behind it is in no sequence
 * with it. */
static double sum_first(struct mesh *m)
{
    double sum = 0.0, most = 0.0;
    op_par_loop(step, "step", m->cells, op_arg_dat(m->old, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(m->u, -1, OP_ID, 2, "double", OP_WRITE),
                op_arg_dat(m->r, -1, OP_ID, 2, "double", OP_RW),
                op_arg_dat(m->s, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC), op_arg_gbl(&most, 1, "double", OP_MAX));
    for (int k = 0; k < 2; k++) {
        op_par_loop(twice, "twice", m->cells, op_arg_dat(m->u, -1, OP_ID, 2, "double", OP_RW));
    }
    return sum;
}

/* A repeat that may not run does not lengthen a sequence. */
static double maybe(struct mesh *m, double *u, int times)
{
    op_par_loop(keep, "keep", m->cells, op_arg_dat(m->u, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(m->old, -1, OP_ID, 2, "double", OP_WRITE));
    for (int k = 0; k < times; k++) {
        op_par_loop(twice, "twice", m->cells, op_arg_dat(m->old, -1, OP_ID, 2, "double", OP_RW));
    }
    return u[0];
}

/* Leaves numbers where functions that are called later have their variables. */
static int litter(void)
{
    volatile int number[100000];
    for (int i = 0; i < 100000; i++) {
        number[i] = 3;
    }
    return number[7];
}

static void show(const char *name, op_dat dat)
{
    double *value = malloc((size_t)dat->set->size * (size_t)dat->dim * sizeof *value);
    op_fetch_data(dat, value);
    unsigned long long hash = 5;
    for (int i = 0; i < dat->set->size * dat->dim; i++) {
        unsigned long long bits;
        memcpy(&bits, &value[i], sizeof bits);
        hash = hash * 1099511628211ULL + bits;
    }
    printf("%s: %016llx\n", name, hash);
    free(value);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    struct mesh mesh[2];
    op_init(argc, argv, 0);
    op_decl_const(1, "double", &weight);
    declare(&mesh[0], 90);
    declare(&mesh[1], 50);
    op_partition("", "", NULL, NULL, NULL);
    for (int turn = 0; turn < TURNS; turn++) {
        double sum = 0.0, most = litter() - 3.0;
        struct mesh *m = &mesh[strcmp(what, "again") == 0 ? turn % 2 : 0];
        if (strcmp(what, "inside") == 0 && turn > 6) {
            double *inside = (double *)m->old->data;
            advance(m, inside + 4, &most);
        } else {
            advance(m, &sum, &most);
        }
        printf("turn %d: %a %a\n", turn, sum, most);
    }
    for (int m = 0; m < 2; m++) {
        double *u = (double *)mesh[m].u->data, *old = (double *)mesh[m].old->data;
        printf("seen: %a", look(&mesh[m], u));
        signal_others(&mesh[m]);
        printf(" %a %a", one_line(&mesh[m], u), sum_first(&mesh[m]));
        printf(" %a\n", maybe(&mesh[m], old, m));
        show("u", mesh[m].u);
        show("old", mesh[m].old);
    }
    op_timing_output();
    op_exit();
    return 0;
}
