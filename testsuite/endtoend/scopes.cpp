/* scopes.cpp: constants of equal last names in two namespaces, one of them used by a kernel. */
#include "op_seq.h"

namespace one
{
double gain = 3.0;
}
namespace two
{
double gain = 7.0;
}

static void apply(const double *x, double *y)
{
    *y = *x * one::gain;
}

int main(int argc, char **argv)
{
    double ones[4] = {1.0, 1.0, 1.0, 1.0};
    op_init(argc, argv, 0);
    op_set cells = op_decl_set(4, "cells");
    op_dat x = op_decl_dat(cells, 1, "double", ones, "x");
    op_dat y = op_decl_dat(cells, 1, "double", ones, "y");
    op_decl_const(1, "double", &one::gain);
    if (argc > 1) {
        op_decl_const(1, "double", &two::gain);
    }
    op_par_loop(apply, "apply", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
    op_fetch_data(y, ones);
    printf("= %g\n", ones[3]);
    op_exit();
    return 0;
}
