/* endless.c: a group whose kernel ends on all data that the program gives it, and not on those that
 * its last step leaves: nothing may start it before its calls. */
#include "op_seq.h"

#include <stdio.h>

enum { POINTS = 300, EDGES = 2 * POINTS };

static void flux(const double *q1, const double *q2, double *res1, double *res2)
{
    const double f = q1[0] - q2[0];
    res1[0] += f;
    res2[0] -= f;
}

/* Ends if q is positive. */
static void step(double *q, double *res, double *most, int *halved)
{
    for (double v = 1024.0; v > q[0]; v *= 0.5) {
        halved[0]++;
    }
    q[0] -= 2.0;
    res[0] = 0.0;
    most[0] = fmax(most[0], q[0]);
}

int main(int argc, char **argv)
{
    static int end[2 * EDGES];
    static double q[POINTS];
    for (int e = 0; e < EDGES; e++) {
        end[2 * e] = e % POINTS;
        end[2 * e + 1] = (e % POINTS + (e < POINTS ? 1 : 17)) % POINTS;
    }
    for (int n = 0; n < POINTS; n++) {
        q[n] = 61.0;
    }
    op_init(argc, argv, 0);
    op_set points = op_decl_set(POINTS, "points");
    op_set edges = op_decl_set(EDGES, "edges");
    op_map ends = op_decl_map(edges, points, 2, end, "ends");
    op_dat p_q = op_decl_dat(points, 1, "double", q, "q");
    op_dat p_res = op_decl_dat(points, 1, "double", (double *)NULL, "res");
    double most = 1.0;
    while (most > 0.0) {
        int halved = 0;
        most = -1.0;
        op_par_loop(flux, "flux", edges, op_arg_dat(p_q, 0, ends, 1, "double", OP_READ),
                    op_arg_dat(p_q, 1, ends, 1, "double", OP_READ),
                    op_arg_dat(p_res, 0, ends, 1, "double", OP_INC),
                    op_arg_dat(p_res, 1, ends, 1, "double", OP_INC));
        op_par_loop(step, "step", points, op_arg_dat(p_q, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_dat(p_res, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_gbl(&most, 1, "double", OP_MAX), op_arg_gbl(&halved, 1, "int", OP_INC));
        printf("= %g %d\n", most, halved);
    }
    op_timing_output();
    op_exit();
    return 0;
}
