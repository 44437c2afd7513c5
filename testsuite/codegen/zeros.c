/* zeros.c: dats that loops leave as zeros, and plain copies, in groups that gather. The words of
 * the command line say what comes between: all of it must find the values that loops one by one
 * leave.
 *
 *   fetch    op_fetch_data of the dat that is zero
 *   long     30 steps, of which the first 8 have what comes between
 *   touch    the program writes to its dat->data
 *   through  a loop reads it through a map
 *   host     a loop that runs on the host reads it
 *   keep     a plain copy of it, which the loop of another unit must leave alone
 *   other    a loop of another unit increments it
 *   fork     a child prints it and runs a loop
 *   spoil    a loop modifies what has been copied
 *   refill   a loop replaces the copy
 *   both     a second copy of the same dat
 *   clear    a loop that only leaves zeros, before each stage
 *   joined   a group over nodes that leaves zeros besides, before each stage
 *   dirty    the program writes to dat->data, and says so by dat->dirty_hd
 *   write    the program writes to the copy's dat->data
 */
#include "op_seq.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The last nodes have no edges. */
enum { NODES = 500, CONNECTED = 480, EDGES = 1300, STEPS = 8, LONG = 30, STAGES = 2 };

void zeros_hidden(const double *du, double *seen);
void zeros_between(void);
void zeros_other(op_set edges, op_map map, op_dat a, op_dat du);

static inline void save(const double *u, double *old)
{
    for (int n = 0; n < 2; n++) {
        old[n] = u[n];
    }
}

static inline void res(const double *a, const double *u1, const double *u2, double *du1,
                       double *du2)
{
    for (int n = 0; n < 2; n++) {
        const double f = *a * (u1[n] - u2[n]);
        du1[n] -= f;
        du2[n] += f;
    }
}

static inline void update(const double *old, double *du, double *u, double *sum)
{
    for (int n = 0; n < 2; n++) {
        u[n] = old[n] + 0.25 * du[n];
        du[n] = 0.0;
        *sum += u[n] * u[n];
    }
}

static inline void lower(double *low)
{
    *low = -0.0;
}

static inline void sink(const double *a, double *low)
{
    *low -= *a;
}

static inline void after(double *low, double *out)
{
    *out = *low * 0.5;
    *low = *low < -1.0 ? *out : *low;
}

static inline void look(const double *du1, const double *du2, double *e)
{
    *e += 1.0 + du1[0] + du2[1];
}

static inline void clear(double *du)
{
    du[0] = du[1] = 0.0;
}

/* Both loops together have records of more than 256 bytes. */
static inline void four(const double *shift, const double *u, double *w0, double *w1, double *w2,
                        double *w3)
{
    for (int n = 0; n < 4; n++) {
        w0[n] = u[0] + n + *shift;
        w1[n] = u[1] + n + *shift;
        w2[n] = u[0] - n;
        w3[n] = u[1] - n;
    }
}

static inline void five(const double *u, double *w4, double *w5, double *w6, double *w7, double *w8,
                        double *du)
{
    for (int n = 0; n < 4; n++) {
        w4[n] = u[0] * n;
        w5[n] = u[1] * n;
        w6[n] = u[0] * 2.0 + n;
        w7[n] = u[1] * 2.0 + n;
        w8[n] = u[0] * u[1] + n;
    }
    du[0] = du[1] = 0.0;
}

static inline void spoil(double *u)
{
    u[0] *= 1.01;
}

static inline void refill(double *old, const double *out)
{
    old[0] = 0.5 + *out;
    old[1] = 0.25;
}

static unsigned state = 1;

static double number(double least, double most)
{
    state = state * 1664525u + 1013904223u;
    return least + (most - least) * (double)(state >> 8) / (double)(1u << 24);
}

static int is_asked(int argc, char **argv, const char *word)
{
    int asked = 0;
    for (int n = 1; n < argc; n++) {
        asked |= strcmp(argv[n], word) == 0;
    }
    return asked;
}

static void print(op_dat dat, int dim, int count)
{
    static double value[2 * EDGES];
    op_fetch_data(dat, value);
    for (int n = 0; n < count * dim; n += 29) {
        printf("%s[%d] = %.8e\n", dat->name, n, value[n]);
    }
}

static void in_child(op_dat du, op_dat u, op_dat old, op_set nodes)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        op_par_loop(save, "save", nodes, op_arg_dat(u, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(old, -1, OP_ID, 2, "double", OP_WRITE));
        print(du, 2, NODES);
        print(old, 2, NODES);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
    static int target[2 * EDGES];
    static double weight[EDGES], first[2 * NODES], lowest[NODES];
    op_init(argc, argv, 1);
    for (int n = 0; n < 2 * EDGES; n++) {
        target[n] = (int)number(0, CONNECTED);
    }
    for (int n = 0; n < EDGES; n++) {
        weight[n] = number(0.0, 0.1);
    }
    for (int n = 0; n < 2 * NODES; n++) {
        first[n] = number(0.5, 1.5);
    }
    for (int n = 0; n < NODES; n++) {
        lowest[n] = -0.0;
    }
    op_set nodes = op_decl_set(NODES, "nodes");
    op_set edges = op_decl_set(EDGES, "edges");
    op_map map = op_decl_map(edges, nodes, 2, target, "map");
    op_dat a = op_decl_dat(edges, 1, "double", weight, "a");
    op_dat e = op_decl_dat(edges, 1, "double", (double *)NULL, "e");
    op_dat u = op_decl_dat(nodes, 2, "double", first, "u");
    op_dat old = op_decl_dat(nodes, 2, "double", (double *)NULL, "old");
    op_dat kept = op_decl_dat(nodes, 2, "double", (double *)NULL, "kept");
    op_dat du = op_decl_dat(nodes, 2, "double", (double *)NULL, "du");
    op_dat low = op_decl_dat(nodes, 1, "double", lowest, "low");
    op_dat out = op_decl_dat(nodes, 1, "double", (double *)NULL, "out");
    op_dat seen = op_decl_dat(nodes, 2, "double", (double *)NULL, "seen");
    op_dat w[9];
    for (int n = 0; n < 9; n++) {
        const char name[] = {'w', (char)('0' + n), '\0'};
        w[n] = op_decl_dat(nodes, 4, "double", (double *)NULL, name);
    }
    const int steps = is_asked(argc, argv, "long") ? LONG : STEPS;
    for (int step = 0; step < steps; step++) {
        op_par_loop(save, "save", nodes, op_arg_dat(u, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(old, -1, OP_ID, 2, "double", OP_WRITE));
        zeros_between();
        if (is_asked(argc, argv, "both")) {
            op_par_loop(save, "save", nodes, op_arg_dat(u, -1, OP_ID, 2, "double", OP_READ),
                        op_arg_dat(kept, -1, OP_ID, 2, "double", OP_WRITE));
        }
        zeros_between();
        if (is_asked(argc, argv, "spoil")) {
            op_par_loop(spoil, "spoil", nodes, op_arg_dat(u, -1, OP_ID, 2, "double", OP_RW));
        }
        zeros_between();
        if (is_asked(argc, argv, "refill")) {
            op_par_loop(refill, "refill", nodes, op_arg_dat(old, -1, OP_ID, 2, "double", OP_WRITE),
                        op_arg_dat(out, -1, OP_ID, 1, "double", OP_READ));
        }
        zeros_between();
        if (is_asked(argc, argv, "write") && step == 3) {
            ((double *)(void *)old->data)[7] = 0.125;
        }
        for (int stage = 0; stage < STAGES; stage++) {
            double sum = 0.0;
            const double shift = stage;
            if (is_asked(argc, argv, "clear")) {
                op_par_loop(clear, "clear", nodes,
                            op_arg_dat(du, -1, OP_ID, 2, "double", OP_WRITE));
            }
            zeros_between();
            if (is_asked(argc, argv, "joined")) {
                op_par_loop(four, "four", nodes, op_arg_gbl(&shift, 1, "double", OP_READ),
                            op_arg_dat(u, -1, OP_ID, 2, "double", OP_READ),
                            op_arg_dat(w[0], -1, OP_ID, 4, "double", OP_WRITE),
                            op_arg_dat(w[1], -1, OP_ID, 4, "double", OP_WRITE),
                            op_arg_dat(w[2], -1, OP_ID, 4, "double", OP_WRITE),
                            op_arg_dat(w[3], -1, OP_ID, 4, "double", OP_WRITE));
                op_par_loop(five, "five", nodes, op_arg_dat(u, -1, OP_ID, 2, "double", OP_READ),
                            op_arg_dat(w[4], -1, OP_ID, 4, "double", OP_WRITE),
                            op_arg_dat(w[5], -1, OP_ID, 4, "double", OP_WRITE),
                            op_arg_dat(w[6], -1, OP_ID, 4, "double", OP_WRITE),
                            op_arg_dat(w[7], -1, OP_ID, 4, "double", OP_WRITE),
                            op_arg_dat(w[8], -1, OP_ID, 4, "double", OP_WRITE),
                            op_arg_dat(du, -1, OP_ID, 2, "double", OP_WRITE));
            }
            op_par_loop(res, "res", edges, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                        op_arg_dat(u, 0, map, 2, "double", OP_READ),
                        op_arg_dat(u, 1, map, 2, "double", OP_READ),
                        op_arg_dat(du, 0, map, 2, "double", OP_INC),
                        op_arg_dat(du, 1, map, 2, "double", OP_INC));
            op_par_loop(update, "update", nodes, op_arg_dat(old, -1, OP_ID, 2, "double", OP_READ),
                        op_arg_dat(du, -1, OP_ID, 2, "double", OP_RW),
                        op_arg_dat(u, -1, OP_ID, 2, "double", OP_WRITE),
                        op_arg_gbl(&sum, 1, "double", OP_INC));
            printf("%.8e\n", sum);
            if (is_asked(argc, argv, "fetch") && step < STEPS) {
                print(du, 2, NODES);
            }
            if (is_asked(argc, argv, "touch") && step == 3) {
                ((double *)(void *)du->data)[5] = 0.25;
            }
            if (is_asked(argc, argv, "dirty") && step == 3) {
                op_get_data(du);
                ((double *)(void *)du->data)[5] = 0.25;
                du->dirty_hd = 1;
            }
            if (is_asked(argc, argv, "through")) {
                op_par_loop(look, "look", edges, op_arg_dat(du, 0, map, 2, "double", OP_READ),
                            op_arg_dat(du, 1, map, 2, "double", OP_READ),
                            op_arg_dat(e, -1, OP_ID, 1, "double", OP_RW));
            }
            if (is_asked(argc, argv, "host")) {
                op_par_loop(zeros_hidden, "hidden", nodes,
                            op_arg_dat(du, -1, OP_ID, 2, "double", OP_READ),
                            op_arg_dat(seen, -1, OP_ID, 2, "double", OP_RW));
            }
            if (is_asked(argc, argv, "keep") && step == STEPS - 1) {
                op_par_loop(save, "save", nodes, op_arg_dat(du, -1, OP_ID, 2, "double", OP_READ),
                            op_arg_dat(kept, -1, OP_ID, 2, "double", OP_WRITE));
            }
            if (is_asked(argc, argv, "other")) {
                zeros_other(edges, map, a, du);
            }
            if (is_asked(argc, argv, "fork") && step == 3) {
                in_child(du, u, old, nodes);
            }
        }
        op_par_loop(lower, "lower", nodes, op_arg_dat(low, -1, OP_ID, 1, "double", OP_WRITE));
        op_par_loop(sink, "sink", edges, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(low, 0, map, 1, "double", OP_INC));
        op_par_loop(after, "after", nodes, op_arg_dat(low, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE));
        zeros_between();
    }
    print(u, 2, NODES);
    print(old, 2, NODES);
    print(kept, 2, NODES);
    print(du, 2, NODES);
    print(low, 1, NODES);
    print(out, 1, NODES);
    print(seen, 2, NODES);
    print(e, 1, EDGES);
    for (int n = 0; n < 9 && is_asked(argc, argv, "joined"); n++) {
        print(w[n], 4, NODES);
    }
    op_exit();
    return 0;
}
