/* api.cpp: api.c as C++, and what only C++ has: kernels with references, and template arguments with
 * commas in the call. */
#define main main_of_api
#include "api.c"
#undef main

static void twice_by_reference(const double &from, double &to)
{
    to = 2.0 * from;
}

template <class T, int N> static void scaled(const T *from, T *to)
{
    *to = N * *from;
}

namespace kernels {
static void nothrow(const double *from, double *to) noexcept
{
    *to = -*from;
}
} // namespace kernels

static void check_loops()
{
    double out[5];
    op_dat to = op_decl_dat(nodes, 1, "double", static_cast<double *>(nullptr), "to");
    op_dat plain = op_decl_dat(nodes, 1, "double", nullptr, "plain");
    CHECK(plain->data[0] == 0);
    op_par_loop(twice_by_reference, "twice", nodes, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(to, -1, OP_ID, 1, "double", OP_WRITE));
    op_fetch_data(to, out);
    CHECK(out[4] == 32.0);
    op_par_loop(scaled<double, 3>, "scaled", nodes, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(to, -1, OP_ID, 1, "double", OP_WRITE));
    op_fetch_data(to, out);
    CHECK(out[4] == 48.0);
    op_par_loop(&kernels::nothrow, "nothrow", nodes, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(to, -1, OP_ID, 1, "double", OP_WRITE));
    op_fetch_data(to, out);
    CHECK(out[4] == -16.0);
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    declare();
    check_loops();
    op_exit();
    return main_of_api(argc, argv);
}
