#include "op_seq.h"

struct scaler {
    void operator()(double *x) const
    {
        x[0] *= 2;
    }
};

void run(op_set cells, op_dat x)
{
    auto by_name = [](double *x) { x[0] += 1; };
    op_par_loop(by_name, "by_name", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop([](double *x) { x[0] += 1; }, "lambda", cells,
                op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(scaler(), "object", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
}
