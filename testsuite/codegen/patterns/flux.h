/* flux.h: a loop that most schedules and races fit, for the patterns of these. It reads points of two maps, adds to
 * those of one, and one of the two values that it adds depends on a condition. */
#include "op_seq.h"

static void flux(const double *x1, const double *x2, const double *adt1, const double *adt2,
                 double *res1, double *res2)
{
    double slope = x1[0] - x2[1];
    double f = slope * adt1[0];
    res1[0] += f;
    res2[0] -= f;
    if (adt2[0] > 0.0) {
        f = f + slope;
    }
    res1[1] += f;
    res2[1] -= f;
}

void loop(op_set edges, op_map ends, op_map sides, op_dat x, op_dat adt, op_dat res);

void loop(op_set edges, op_map ends, op_map sides, op_dat x, op_dat adt, op_dat res)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(x, 1, ends, 2, "double", OP_READ),
                op_arg_dat(adt, 0, sides, 1, "double", OP_READ),
                op_arg_dat(adt, 1, sides, 1, "double", OP_READ),
                op_arg_dat(res, 0, sides, 2, "double", OP_INC),
                op_arg_dat(res, 1, sides, 2, "double", OP_INC));
}
