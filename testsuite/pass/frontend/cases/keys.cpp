// Instances of templates: kernels, and functions that hold loops; calls that look alike at run time.
#include "op_seq.h"

template <class T, int N> void copy(const T *x, T *y)
{
    for (int i = 0; i < N; i++)
        y[i] = x[i];
}

template <int N> void same(op_set set, op_dat x, op_dat y)
{
    op_par_loop((copy<double, N>), "same", set, op_arg_dat(x, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 4, "double", OP_WRITE));
}

template <class T> struct solver {
    op_dat x, y;
    void step(op_set set)
    {
        op_par_loop((copy<T, 2>), "step", set, op_arg_dat(x, -1, OP_ID, 2, "float", OP_READ),
                    op_arg_dat(y, -1, OP_ID, 2, "float", OP_WRITE));
    }
};

namespace flow
{
constexpr int dim = 2;
static void scale(double *x)
{
    x[1] *= dim;
}
} // namespace flow

void run(op_set set, op_dat x, op_dat y, solver<float> s)
{
    using namespace flow;
    op_par_loop((copy<double, 4>), "copy", set, op_arg_dat(x, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 4, "double", OP_WRITE));
    same<2>(set, x, y);
    same<3>(set, x, y);
    s.step(set);
    op_par_loop(flow::scale, "scale", set, op_arg_dat(x, -1, OP_ID, flow::dim, "double", OP_RW));
    op_par_loop(flow::scale, "scale", set, op_arg_dat(x, -1, OP_ID, flow::dim, "double", OP_RW));
}
