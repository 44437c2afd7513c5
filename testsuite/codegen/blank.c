/* blank.c: loops that run by themselves, one of which leaves zeros in the dats that the next one increments: of several
 * types and lengths, at points without elements, and with terms of -0.0. The words of the command line say what comes
 * between, as in zeros.c; all values are printed with all bits.
 *
 *   fetch    op_fetch_data of a dat that is zero
 *   twice    the dats are incremented twice, so that they are zero at the first time only
 */
#include "op_seq.h"

#include <stdio.h>
#include <string.h>

/* The last nodes have no edges. */
enum { NODES = 300, CONNECTED = 270, EDGES = 700, STEPS = 6 };

static inline void add(const double *w, double *one, double *two1, double *two2, float *three, double *four1,
                       double *four2, int *count)
{
    one[0] += *w;
    two1[0] += *w;
    two1[1] -= *w;
    two2[0] -= *w;
    two2[1] += *w * 0.5;
    for (int n = 0; n < 3; n++) {
        three[n] += (float)*w;
    }
    for (int n = 0; n < 4; n++) {
        four1[n] += *w * n;
        four2[n] -= *w;
    }
    count[0] += 1;
    count[1] += *w > 0.0;
}

static inline void take(double *one, double *two, float *three, double *four, int *count, double *out)
{
    out[0] = one[0];
    out[1] = two[0];
    out[2] = two[1];
    out[3] = three[1];
    out[4] = four[0] + four[3];
    out[5] = count[0] + 1000 * count[1];
    one[0] = 0.0;
    two[0] = two[1] = 0.0;
    three[0] = three[1] = three[2] = 0;
    for (int n = 0; n < 4; n++) {
        four[n] = 0.0;
    }
    count[0] = count[1] = 0;
}

static unsigned state = 1;

static unsigned number(unsigned most)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % most;
}

static int is_asked(int argc, char **argv, const char *word)
{
    int asked = 0;
    for (int n = 1; n < argc; n++) {
        asked |= strcmp(argv[n], word) == 0;
    }
    return asked;
}

static void print(op_dat dat, int dim)
{
    static double value[6 * NODES];
    op_fetch_data(dat, value);
    for (int n = 0; n < NODES * dim; n++) {
        printf("%s[%d] = %a\n", dat->name, n, value[n]);
    }
}

int main(int argc, char **argv)
{
    static int target[2 * EDGES];
    static double weight[EDGES];
    op_init(argc, argv, 1);
    for (int e = 0; e < EDGES; e++) { /* all edges of the first nodes add nothing but -0.0 */
        target[2 * e] = (int)number(CONNECTED);
        target[2 * e + 1] = target[2 * e] < 40 ? (int)number(40) : 40 + (int)number(CONNECTED - 40);
        weight[e] = target[2 * e] < 40 ? -0.0 : number(1000) * 1e-3 - 0.5;
    }
    op_set nodes = op_decl_set(NODES, "nodes");
    op_set edges = op_decl_set(EDGES, "edges");
    op_map map = op_decl_map(edges, nodes, 2, target, "map");
    op_dat w = op_decl_dat(edges, 1, "double", weight, "w");
    op_dat one = op_decl_dat(nodes, 1, "double", (double *)NULL, "one");
    op_dat two = op_decl_dat(nodes, 2, "double", (double *)NULL, "two");
    op_dat three = op_decl_dat(nodes, 3, "float", (float *)NULL, "three");
    op_dat four = op_decl_dat(nodes, 4, "double", (double *)NULL, "four");
    op_dat count = op_decl_dat(nodes, 2, "int", (int *)NULL, "count");
    op_dat out = op_decl_dat(nodes, 6, "double", (double *)NULL, "out");
    for (int step = 0; step < STEPS; step++) {
        for (int time = 0; time < 1 + is_asked(argc, argv, "twice"); time++) {
            op_par_loop(add, "add", edges, op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                        op_arg_dat(one, 0, map, 1, "double", OP_INC), op_arg_dat(two, 0, map, 2, "double", OP_INC),
                        op_arg_dat(two, 1, map, 2, "double", OP_INC), op_arg_dat(three, 1, map, 3, "float", OP_INC),
                        op_arg_dat(four, 0, map, 4, "double", OP_INC), op_arg_dat(four, 1, map, 4, "double", OP_INC),
                        op_arg_dat(count, 0, map, 2, "int", OP_INC));
        }
        op_par_loop(take, "take", nodes, op_arg_dat(one, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_dat(two, -1, OP_ID, 2, "double", OP_RW), op_arg_dat(three, -1, OP_ID, 3, "float", OP_RW),
                    op_arg_dat(four, -1, OP_ID, 4, "double", OP_RW), op_arg_dat(count, -1, OP_ID, 2, "int", OP_RW),
                    op_arg_dat(out, -1, OP_ID, 6, "double", OP_WRITE));
        print(out, 6);
        if (is_asked(argc, argv, "fetch")) {
            print(two, 2);
        }
    }
    print(one, 1);
    print(four, 4);
    op_exit();
    return 0;
}
