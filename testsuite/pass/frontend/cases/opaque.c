/* Bodies that are taken whole, and what they use. */
#include "op_seq.h"

typedef double real;
struct pair {
    real first;
    int second;
};
enum side { LEFT, RIGHT = 4 };
static double factor;
static const int limits[2] = {1, 2};

static real helper(struct pair p)
{
    return p.first * p.second * factor;
}

static void chosen(const double *x, double *y)
{
    struct pair p = {x[0], limits[1]};
    y[0] = (real)sqrt(x[0]);
    if (x[0] == RIGHT)
        goto end;
    y[0] = helper(p);
end:;
}

void run(op_set set, op_dat x, op_dat y)
{
    op_decl_const(1, "double", &factor);
    op_par_loop(chosen, "chosen", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}
