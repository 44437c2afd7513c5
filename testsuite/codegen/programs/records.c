/* records.c: kernels over one set, which a GPU gives copies of records: every way to leave a part
 * of a record alone, every size of record, and data that two arguments name. */
#include "mesh.h"

#define OWN(dat, dim, type, access) op_arg_dat(dat, -1, OP_ID, dim, type, access)

static void copy(const double *from, double *to)
{
    for (int d = 0; d < 4; d++) {
        to[d] = from[d];
    }
}

/* Writes nothing for some elements, although the descriptor says OP_WRITE. */
static void some(const double *from, double *to, double *both)
{
    if (from[0] > 2.0) {
        for (int d = 0; d < 4; d++) {
            to[d] = from[d] + 1.0;
        }
        both[0] = 1.0;
        both[1] = from[1];
    } else {
        both[0] = 2.0;
        both[1] = from[2];
    }
}

static void part(const double *from, double *to)
{
    to[1] = from[2];
    to[2] = from[0] > 3.0 ? from[1] : to[2];
}

static void leaves(const double *from, double *to)
{
    if (from[0] > 4.0) {
        return;
    }
    to[0] += 1.0;
    to[1] = from[1] * to[0];
}

/* Components that are read after they are written, or incremented. */
static void again(double *x, const double *step)
{
    x[0] = x[1] + step[0];
    x[1] = x[0] + x[2];
    x[2]++;
}

static void pairs(float *x, int *n, bool *flag)
{
    x[0] = x[0] + 1;
    x[1] = x[0] * 2;
    n[0] = n[2];
    n[2] = n[1] + 1;
    n[1] = 5;
    flag[0] = flag[2];
    flag[1] = flag[0];
    flag[2] = true;
}

/* x and y are one dat: what is set through x is seen through y. */
static void twice(double *x, const double *y, double *z)
{
    x[0] = y[1] + 1.0;
    x[1] = y[0] + 1.0;
    z[0] = y[0];
    z[1] = x[1];
}

static double at(const double *p, int n)
{
    return p[n];
}

static void chosen(const double *from, const int *which, double *to)
{
    to[0] = from[which[0] & 3];
    to[1] = at(from, which[0] % 2);
    to[which[0] & 1] += 3.0;
}

static void rows(const double x[2][2], double (*y)[2])
{
    y[0][0] = x[1][1];
    y[0][1] = x[1][0];
    y[1][0] = x[0][1];
    y[1][1] = x[0][0];
}

static void corners(const double *const x[2], const double *w, double *mean, double *sum,
                    double *most)
{
    mean[0] = w[0] * (x[0][0] + x[1][0]);
    mean[1] = x[0][1] - x[1][1];
    sum[0] += mean[0];
    sum[1] += 1.0;
    *most = mean[1] > *most ? mean[1] : *most;
}

int main(int argc, char **argv)
{
    double step = 2.0, sum[2] = {0.0, 0.0}, most = -100.0;
    op_init(argc, argv, 0);
    mesh_make();
    op_dat from = mesh_dat_double(points, 4, "from");
    op_dat to = mesh_dat_double(points, 4, "to");
    op_dat three = mesh_dat_double(points, 3, "three");
    op_dat two = mesh_dat_double(points, 2, "two");
    op_dat both = mesh_dat_double(points, 2, "both");
    op_dat number = mesh_dat_int(points, 3, "number");
    op_dat which = mesh_dat_int(points, 1, "which");
    op_dat single = mesh_dat_float(points, 2, "single");
    op_dat flag = mesh_dat_bool(points, 3, "flag");
    op_dat weight = mesh_dat_double(links, 1, "weight");
    op_dat mean = mesh_dat_double(links, 2, "mean");
    op_par_loop(some, "some", points, OWN(from, 4, "double", OP_READ),
                OWN(to, 4, "double", OP_WRITE), OWN(both, 2, "double", OP_WRITE));
    mesh_show_double("some to", to);
    mesh_show_double("some both", both);
    op_par_loop(part, "part", points, OWN(from, 4, "double", OP_READ), OWN(to, 4, "double", OP_RW));
    mesh_show_double("part", to);
    op_par_loop(leaves, "leaves", points, OWN(from, 4, "double", OP_READ),
                OWN(two, 2, "double", OP_RW));
    mesh_show_double("leaves", two);
    op_par_loop(again, "again", points, OWN(three, 3, "double", OP_RW),
                op_arg_gbl(&step, 1, "double", OP_READ));
    mesh_show_double("again", three);
    op_par_loop(pairs, "pairs", points, OWN(single, 2, "float", OP_RW),
                OWN(number, 3, "int", OP_RW), OWN(flag, 3, "bool", OP_RW));
    mesh_show_float("pairs single", single);
    mesh_show_int("pairs number", number);
    mesh_show_bool("pairs flag", flag);
    op_par_loop(twice, "twice", points, OWN(two, 2, "double", OP_RW),
                OWN(two, 2, "double", OP_READ), OWN(both, 2, "double", OP_WRITE));
    mesh_show_double("twice two", two);
    mesh_show_double("twice both", both);
    op_par_loop(chosen, "chosen", points, OWN(from, 4, "double", OP_READ),
                OWN(which, 1, "int", OP_READ), OWN(two, 2, "double", OP_RW));
    mesh_show_double("chosen", two);
    op_par_loop(rows, "rows", points, OWN(to, 4, "double", OP_READ),
                OWN(from, 4, "double", OP_WRITE));
    mesh_show_double("rows", from);
    op_par_loop(copy, "copy", points, OWN(from, 4, "double", OP_READ),
                OWN(to, 4, "double", OP_WRITE));
    mesh_show_double("copy", to);
    op_par_loop(corners, "corners", links, op_arg_dat(two, -2, ends, 2, "double", OP_READ),
                OWN(weight, 1, "double", OP_READ), OWN(mean, 2, "double", OP_WRITE),
                op_arg_gbl(sum, 2, "double", OP_INC), op_arg_gbl(&most, 1, "double", OP_MAX));
    mesh_show_double("corners", mean);
    printf("= corners sum %g %g %g\n", sum[0], sum[1], most);
    op_exit();
    return 0;
}
