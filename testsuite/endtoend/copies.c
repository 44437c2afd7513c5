/* copies.c: loops over blocks of points that read what elements have of their own, called again and
 * again while that changes, or does not.
 *
 * copies.c POINTS MODE STEPS: what happens between two calls of the loops:
 *   still     nothing
 *   once      another loop changes the dats on the device before the third step only
 *   always    the same before every step
 *   host      the program changes one through op_get_data and op_put_data before the third step
 *   temp      the dats of one loop are temporary, declared and freed in every step
 *   renumber  the mesh gets another order before the third step
 *   layout    another loop wants the dats as structures of arrays, in every step
 * Prints all values of the results with all their digits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op_seq.h"

#include "copies_kernels.h"

static int points;
static int edges;
static op_set P;
static op_set E;
static op_map edge;
static op_map back;
static op_map next;
static op_dat x;
static op_dat r;
static op_dat c;
static op_dat w;
static op_dat f;
static op_dat big;
static op_dat on;
static op_dat y;
static op_dat s;
static op_dat g;
static op_dat h;

static void *memory(size_t count, size_t size)
{
    void *made = calloc(count, size);
    if (made == NULL) {
        fprintf(stderr, "copies: not enough memory\n");
        exit(1);
    }
    return made;
}

static op_map make_map(op_set from, int columns, int step, const char *name)
{
    int *row = memory((size_t)from->size * (size_t)columns, sizeof *row);
    for (int e = 0; e < from->size; e++) {
        for (int k = 0; k < columns; k++) {
            row[e * columns + k] = (int)((e * 7919L + k * (1 + e % 5) * step) % points);
        }
    }
    op_map map = op_decl_map(from, P, columns, row, name);
    free(row);
    return map;
}

static double value(int i, int salt)
{
    return ((i * 2654435761U + (unsigned)salt * 40503U) % 10007U) / 10007.0 - 0.25;
}

static op_dat make_dat(op_set set, int dim, const char *name, int salt)
{
    double *data = memory((size_t)set->size * (size_t)dim, sizeof *data);
    for (int i = 0; i < set->size * dim; i++) {
        data[i] = value(i, salt);
    }
    op_dat dat = op_decl_dat(set, dim, "double", data, name);
    free(data);
    return dat;
}

static void make_mesh(void)
{
    edges = 3 * points + 5;
    P = op_decl_set(points, "points");
    E = op_decl_set(edges, "edges");
    edge = make_map(E, 2, 1, "edge");
    back = make_map(E, 2, 3, "back");
    next = make_map(P, 1, 0, "next");
    x = make_dat(P, 3, "x", 1);
    r = make_dat(P, 3, "r", 2);
    c = make_dat(P, 1, "c", 3);
    w = make_dat(E, 3, "w", 4);
    big = make_dat(E, 6, "big", 5);
    float *single = memory(5 * (size_t)edges, sizeof *single);
    bool *flag = memory(3 * (size_t)edges, sizeof *flag);
    for (int i = 0; i < 5 * edges; i++) {
        single[i] = (float)value(i, 6);
    }
    for (int i = 0; i < 3 * edges; i++) {
        flag[i] = i % 4 > 1;
    }
    f = op_decl_dat(E, 5, "float", single, "f");
    on = op_decl_dat(E, 3, "bool", flag, "on");
    y = make_dat(P, 6, "y", 8);
    s = make_dat(P, 1, "s", 9);
    g = op_decl_dat(P, 2, "float", single, "g");
    h = op_decl_dat(P, 3, "float", single + 2 * points, "h");
    free(single);
    free(flag);
}

static void call_other(op_dat weight)
{
    op_par_loop(other, "other", E, op_arg_dat(x, 0, back, 3, "double", OP_READ),
                op_arg_dat(x, 1, back, 3, "double", OP_READ),
                op_arg_dat(weight, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(big, -1, OP_ID, 6, "double", OP_READ),
                op_arg_dat(r, 0, back, 3, "double", OP_INC),
                op_arg_dat(r, 1, back, 3, "double", OP_INC));
}

static void call_change(op_dat weight)
{
    op_par_loop(change, "change", E, op_arg_dat(weight, -1, OP_ID, 3, "double", OP_RW),
                op_arg_dat(f, -1, OP_ID, 5, "float", OP_RW));
}

/* A loop that wants the same dats as structures of arrays, and leaves them as they are. */
static void call_layout(void)
{
    op_par_loop(turn, "turn", P, op_arg_dat(r, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(x, -1, OP_ID, 3, "double:soa", OP_RW));
    op_par_loop(both, "both", E, op_arg_dat(x, 0, edge, 3, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 3, "double:soa", OP_READ),
                op_arg_dat(r, 1, edge, 3, "double", OP_INC),
                op_arg_dat(c, 0, back, 1, "double", OP_INC));
}

static void call_temporary(int step)
{
    op_dat weight = op_decl_dat_temp(E, 3, "double", (double *)NULL, "weight");
    double *data = (double *)weight->data;
    for (int i = 0; i < 3 * edges; i++) {
        data[i] = value(i, 7 + step);
    }
    op_put_data(weight);
    call_other(weight);
    op_free_dat_temp(weight);
}

static void between(const char *mode, int step)
{
    if ((strcmp(mode, "once") == 0 && step == 2) || strcmp(mode, "always") == 0) {
        call_change(w);
    }
    if (strcmp(mode, "host") == 0 && step == 2) {
        op_get_data(w);
        ((double *)w->data)[3 * (edges / 2) + 1] = 4.5;
        op_put_data(w);
    }
    if (strcmp(mode, "renumber") == 0 && step == 2) {
        op_partition("PTSCOTCH", "KWAY", P, edge, NULL);
    }
    if (strcmp(mode, "layout") == 0) {
        call_layout();
    }
    if (strcmp(mode, "temp") == 0) {
        call_temporary(step);
    }
}

static void step(void)
{
    op_par_loop(flux, "flux", E, op_arg_dat(x, 0, edge, 3, "double", OP_READ),
                op_arg_dat(x, 1, edge, 3, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(f, -1, OP_ID, 5, "float", OP_READ),
                op_arg_dat(big, -1, OP_ID, 6, "double", OP_READ),
                op_arg_dat(on, -1, OP_ID, 3, "bool", OP_READ),
                op_arg_dat(r, 0, edge, 3, "double", OP_INC),
                op_arg_dat(r, 1, edge, 3, "double", OP_INC));
    call_other(w);
    op_par_loop(chain, "chain", P, op_arg_dat(x, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(x, 0, next, 3, "double", OP_READ),
                op_arg_dat(r, 0, next, 3, "double", OP_INC));
    op_par_loop(both, "both", E, op_arg_dat(x, 0, edge, 3, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(r, 1, edge, 3, "double", OP_INC),
                op_arg_dat(c, 0, back, 1, "double", OP_INC));
}

static void call_many(void)
{
    op_par_loop(
        many, "many", E, op_arg_dat(x, 0, edge, 3, "double", OP_READ),
        op_arg_dat(x, 1, edge, 3, "double", OP_READ), op_arg_dat(y, 0, edge, 6, "double", OP_READ),
        op_arg_dat(y, 1, edge, 6, "double", OP_READ), op_arg_dat(s, 0, edge, 1, "double", OP_READ),
        op_arg_dat(s, 1, edge, 1, "double", OP_READ), op_arg_dat(g, 0, edge, 2, "float", OP_READ),
        op_arg_dat(g, 1, edge, 2, "float", OP_READ), op_arg_dat(h, 0, edge, 3, "float", OP_READ),
        op_arg_dat(h, 1, edge, 3, "float", OP_READ), op_arg_dat(r, 0, edge, 3, "double", OP_INC),
        op_arg_dat(r, 1, edge, 3, "double", OP_INC));
}

static void print_dat(const char *name, op_dat dat)
{
    op_get_data(dat);
    for (int i = 0; i < dat->set->size * dat->dim; i++) {
        printf("= %s %d %.17g\n", name, i, ((double *)dat->data)[i]);
    }
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 2);
    points = atoi(argv[1]);
    make_mesh();
    for (int t = 0; t < atoi(argv[3]); t++) {
        between(argv[2], t);
        step();
        call_many();
    }
    print_dat("r", r);
    print_dat("c", c);
    print_dat("x", x);
    op_timing_output();
    op_exit();
    return 0;
}
