/* limits.c: what is too large for the device, words that C++ reserves, and loops that run
 * elsewhere.
 *
 * runs sequentially: 'variable_length' uses an array of variable length
 * runs sequentially: 'counts' uses a static variable, which keeps its value
 */
#include "mesh.h"

typedef struct {
    double v;
    int class;
} record;
double first[4000];
double second[4000];
double third[3000];
int fourth[20000];
static const double table[9000] = {1, 2, 3};

static void large_constants(const double *x, double *y)
{
    int i = (int)x[0] * 100;
    y[0] += first[i] + second[i] + third[i] + fourth[2 * i] + table[i / 300];
}
static void large_global(const double *many, const double *x, double *y)
{
    y[0] += many[(int)x[0] * 30] + many[999];
}
static void large_points(const double *a, double *c)
{
    for (int i = 0; i < 60; i++) {
        c[i] += a[59 - i];
    }
}
static void huge_points(const double *a, double *c)
{
    for (int i = 0; i < 3000; i++) {
        c[i] += a[2999 - i];
    }
}
static void words(const double *new, double *delete)
{
    record this = {new[0], 2};
    delete[0] += this.v + this.class;
    if (this.class == 2) {
        double template = this.v;
        delete[1] += template + this.class;
    }
}
static void variable_length(const double *x, double *y)
{
    int n = (int)x[0] + 1;
    double w[n];
    w[0] = x[0];
    y[0] += w[0];
}
static void counts(const double *x, double *y)
{
    static double count = 3;
    y[0] += x[0] + count;
}

#define LOOP(kernel)                                                                               \
    op_par_loop(kernel, #kernel, links, op_arg_dat(x, 0, ends, 2, "double", OP_READ),              \
                op_arg_dat(y, 1, ends, 2, "double", OP_INC));                                      \
    mesh_show_double(#kernel, y)
#define WIDE_LOOP(kernel, dim, from, to)                                                           \
    op_par_loop(kernel, #kernel, links, op_arg_dat(from, 0, ends, dim, "double", OP_READ),         \
                op_arg_dat(to, 1, ends, dim, "double", OP_INC));                                   \
    mesh_show_double(#kernel, to)

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    mesh_make();
    for (int i = 0; i < 20000; i++) {
        first[i % 4000] = i % 7;
        second[i % 4000] = i % 11;
        third[i % 3000] = i % 3;
        fourth[i] = i % 5;
    }
    op_decl_const(4000, "double", first);
    op_decl_const(4000, "double", second);
    op_decl_const(3000, "double", third);
    op_decl_const(20000, "int", fourth);
    op_dat x = mesh_dat_double(points, 2, "x");
    op_dat y = mesh_dat_double(points, 2, "y");
    op_dat a = mesh_dat_double(points, 60, "a");
    op_dat c = mesh_dat_double(points, 60, "c");
    op_dat e = mesh_dat_double(points, 3000, "e");
    op_dat f = mesh_dat_double(points, 3000, "f");
    LOOP(large_constants);
    op_par_loop(large_global, "large_global", links, op_arg_gbl(first, 1000, "double", OP_READ),
                op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(y, 1, ends, 2, "double", OP_INC));
    mesh_show_double("large_global", y);
    WIDE_LOOP(large_points, 60, a, c);
    WIDE_LOOP(huge_points, 3000, e, f);
    LOOP(words);
    LOOP(variable_length);
    LOOP(counts);
    op_exit();
    return 0;
}
