#include "op_seq.h"

/* One kernel for several sets of fields: which ones, a global says. */
static void fill(const int *fields, double *out)
{
    out[0] = 1;
    if (*fields & 2)
        out[1] = 2;
}

/* Behind a jump that may be taken, and in a helper that is called under a condition. */
static void set_third(double *out)
{
    out[2] = 3;
}

static void leave(const int *fields, double *out)
{
    if (*fields > 2)
        set_third(out);
    if (*fields < 2)
        return;
    out[1] = 2;
}

/* No loop uses it. */
void unused(double *out)
{
    out[100] = 1;
}

void run(op_set cells, op_dat q, int *fields)
{
    op_par_loop(fill, "fill", cells, op_arg_gbl(fields, 1, "int", OP_READ),
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(leave, "leave", cells, op_arg_gbl(fields, 1, "int", OP_READ),
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}
