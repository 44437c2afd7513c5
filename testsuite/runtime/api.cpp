/* api.cpp: api.c as C++, and what only C++ has: kernels with references, and template arguments
 * with commas in the call. */
#define main main_of_api
#include "api.c"
#undef main

#include "child.h"

static void twice_by_reference(const double &from, double &to)
{
    to = 2.0 * from;
}

template <class T, int N> static void scaled(const T *from, T *to)
{
    *to = N * *from;
}

namespace kernels
{
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

/* ---- pointers whose type is not the one that the string says --------------------------------- */

static void kernel(const double *)
{
}

static void wrong_global()
{
    int number = 1;
    op_par_loop(kernel, "kernel", nodes, op_arg_gbl(&number, 1, "double", OP_READ));
}

static void wrong_dat()
{
    const float values[5] = {1, 2, 3, 4, 5};
    op_decl_dat(nodes, 1, "double", values, "values");
}

static void wrong_constant()
{
    int gam = 1;
    op_decl_const(1, "double", &gam);
}

static void check_pointers()
{
    char said[1024];
    CHECK(child_run(wrong_global, said, sizeof said) == 1);
    CHECK(strstr(said, "argument 1: type \"double\" is given, but the global is of type int"));
    CHECK(child_run(wrong_dat, said, sizeof said) == 1);
    CHECK(strstr(said, "op_decl_dat 'values': the type is given as \"double\""));
    CHECK(child_run(wrong_constant, said, sizeof said) == 1);
    CHECK(strstr(said, "op_decl_const 'gam': the type is given as \"double\""));
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    declare();
    check_loops();
    check_pointers();
    op_exit();
    return main_of_api(argc, argv);
}
