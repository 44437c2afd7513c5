#include "op_seq.h"

template <int N> static void fill(double *x)
{
    x[0] = N;
}

template <int N> static void set_all(op_set cells, op_dat x)
{
    op_par_loop(fill<N>, "fill", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE));
}

void run(op_set cells, op_dat x)
{
    set_all<1>(cells, x);
    set_all<2>(cells, x);
}
