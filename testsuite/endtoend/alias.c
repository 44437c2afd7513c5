/* alias.c: a loop whose result depends on the order of its elements: each edge of a chain reads its
 * left point and writes its right one, so that in the user's order point i ends at i. */
#include "op_seq.h"

static void relax(const double *left, double *right)
{
    *right = *left + 1.0;
}

int main(int argc, char **argv)
{
    enum { POINTS = 1000 };
    static int chain[2 * (POINTS - 1)];
    for (int e = 0; e < POINTS - 1; e++) {
        chain[2 * e] = e;
        chain[2 * e + 1] = e + 1;
    }
    op_init(argc, argv, 0);
    op_set points = op_decl_set(POINTS, "points");
    op_set links = op_decl_set(POINTS - 1, "links");
    op_map ends = op_decl_map(links, points, 2, chain, "ends");
    op_dat p_depth = op_decl_dat(points, 1, "double", (double *)NULL, "depth");
    op_par_loop(relax, "relax", links, op_arg_dat(p_depth, 0, ends, 1, "double", OP_READ),
                op_arg_dat(p_depth, 1, ends, 1, "double", OP_WRITE));
    double *depth = (double *)malloc(POINTS * sizeof(double));
    op_fetch_data(p_depth, depth);
    printf("last %g\n", depth[POINTS - 1]);
    free(depth);
    op_exit();
    return 0;
}
