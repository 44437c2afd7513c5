#include "op_seq.h"

/* Whole numbers are added to an int without loss, and a direct argument has one element to itself. */
static void count(const double *x, const int *n, int *hits, int *own, int *total)
{
    hits[0] += n[0] + (x[0] > 0.0 ? 1.0 : -2.0);
    hits[1] += 0.5 * x[0];
    own[0] += x[0];
    *total = *total - x[0];
}

void run(op_set edges, op_map pedge, op_dat x, op_dat n, op_dat hits, op_dat own, int *total)
{
    op_par_loop(count, "count", edges, op_arg_dat(x, 0, pedge, 1, "double", OP_READ),
                op_arg_dat(n, 0, pedge, 1, "int", OP_READ),
                op_arg_dat(hits, 0, pedge, 2, "int", OP_INC),
                op_arg_dat(own, -1, OP_ID, 1, "int", OP_INC), op_arg_gbl(total, 1, "int", OP_INC));
}
