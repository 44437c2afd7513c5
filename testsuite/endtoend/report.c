/* report.c: a ring of edges, a loop that moves values along them, one that adds up, and one that cleavecc leaves
 * sequential. For report.sh. */
#include "op_seq.h"

#include <stdlib.h>

static void move(const double *from, double *to)
{
    to[0] += 0.5 * from[0];
}

static void add(const double *value, double *sum)
{
    sum[0] += value[0];
}

/* Writes what it says that it reads: --cleave-access=warn. */
static void scale(double *value)
{
    value[0] *= 0.5;
}

int main(int argc, char **argv)
{
    enum { EDGES = 5000, CALLS = 6 };
    int *ends = malloc(2 * EDGES * sizeof *ends);
    double sum = 0.0;
    for (int e = 0; e < EDGES; e++) {
        ends[2 * e] = e;
        ends[2 * e + 1] = (e + 1) % EDGES;
    }
    op_init(argc, argv, 0);
    op_set points = op_decl_set(EDGES, "points");
    op_set edges = op_decl_set(EDGES, "edges");
    op_map end = op_decl_map(edges, points, 2, ends, "end");
    op_dat a = op_decl_dat(points, 1, "double", (double *)NULL, "a");
    op_dat b = op_decl_dat(points, 1, "double", (double *)NULL, "b");
    for (int call = 0; call < CALLS; call++) {
        op_par_loop(move, "move \"it\"", edges, op_arg_dat(a, 0, end, 1, "double", OP_READ),
                    op_arg_dat(b, 1, end, 1, "double", OP_INC));
        op_par_loop(add, "add", points, op_arg_dat(b, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_gbl(&sum, 1, "double", OP_INC));
    }
    op_par_loop(scale, "scale", points, op_arg_dat(b, -1, OP_ID, 1, "double", OP_READ));
    if (getenv("WITHOUT_OP_EXIT") == NULL) {
        op_exit();
    }
    free(ends);
    return sum == 0.0 ? 0 : 1;
}
