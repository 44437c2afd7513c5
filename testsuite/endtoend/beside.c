/* beside.c: loops that modify data through maps in several ways at once. Prints lines "= name
 * value..." that must not depend on the variant: values are whole numbers, and what is worked on in
 * place ends the same in any order. */
#include "mesh.h"

#define ENDS(dat, column, dim, type, access)                                                       \
    op_arg_dat(dat, column, ends, dim, type, access),                                              \
        op_arg_dat(dat, column, others, dim, type, access)

/* Sums beside extrema of the same points and of others, with two values only. */
static void sums_beside_extrema(const double *w, const double *x, double *r1, double *r2,
                                double *lo, double *hi, int *most)
{
    const double f = w[0] * (x[0] - x[1]);
    for (int k = 0; k < 4; k++) {
        r1[k] += f * (k + 1);
        r2[k] -= f;
    }
    r2[1] += w[1];
    lo[0] = lo[0] < f ? lo[0] : f;
    lo[2] = f - w[1] < lo[2] ? f - w[1] : lo[2];
    hi[1] = hi[1] > w[1] ? hi[1] : w[1];
    most[0] = most[0] > (int)w[0] ? most[0] : (int)w[0];
}

/* Likewise with floats, and sums under a condition. */
static void floats(const double *w, const float *y, float *s1, float *s2, float *low1, float *low2)
{
    const float g = (float)w[0] - y[0];
    s1[0] += g;
    s2[0] += w[1] > 2 ? g : 0.0f;
    s2[1] -= g;
    low1[0] = low1[0] < g ? low1[0] : g;
    low2[0] = low2[0] < g ? low2[0] : g;
    low2[1] = low2[1] < y[1] ? low2[1] : y[1];
}

/* More components than one slice takes, of three sets of data through two maps; the values of one
 * end are not those of the other. */
static void many(const double *w, const double *x, double *a1, double *a2, double *r1, double *r2,
                 double *hi)
{
    double f[10];
    for (int k = 0; k < 10; k++) {
        f[k] = w[k % 2] * (x[0] + k) - x[1];
    }
    for (int k = 0; k < 10; k++) {
        a1[k] += f[k];
        a2[k] -= f[9 - k];
    }
    r1[0] += f[1] - f[2];
    r1[3] += w[0];
    r2[1] += f[3];
    r2[3] -= w[1];
    hi[3] = hi[3] > f[4] ? hi[3] : f[4];
}

/* In place: what OP_RW gets is a sum, what OP_WRITE gets is the same for all elements. */
static void sums_in_place(const double *w, const double *x, double *r1, double *mine, double *zero,
                          double *lo)
{
    r1[0] += w[0] * x[0];
    mine[0] = mine[0] + w[1];
    mine[1] = mine[1] > w[0] ? mine[1] : w[0];
    zero[0] = 17;
    lo[1] = lo[1] < w[1] ? lo[1] : w[1];
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    mesh_make();
    op_dat w = mesh_dat_double(links, 2, "w"), x = mesh_dat_double(points, 2, "x");
    op_dat r = mesh_dat_double(points, 4, "r"), own = mesh_dat_double(points, 2, "own");
    op_dat lo = mesh_dat_double(points, 4, "lo"), hi = mesh_dat_double(points, 4, "hi");
    op_dat one = mesh_dat_double(points, 1, "one"), s = mesh_dat_float(points, 2, "s");
    op_dat y = mesh_dat_float(points, 2, "y"), low = mesh_dat_float(points, 2, "low");
    op_dat all = mesh_dat_double(points, 10, "all");
    op_dat most = mesh_dat_int(points, 1, "most");
    op_par_loop(sums_beside_extrema, "sums_beside_extrema", links,
                op_arg_dat(w, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(x, 0, ends, 2, "double", OP_READ), ENDS(r, 1, 4, "double", OP_INC),
                op_arg_dat(lo, 0, ends, 4, "double", OP_MIN),
                op_arg_dat(hi, 0, others, 4, "double", OP_MAX),
                op_arg_dat(most, 1, ends, 1, "int", OP_MAX));
    op_par_loop(floats, "floats", links, op_arg_dat(w, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(y, 0, ends, 2, "float", OP_READ), ENDS(s, 0, 2, "float", OP_INC),
                ENDS(low, 1, 2, "float", OP_MIN));
    op_par_loop(many, "many", links, op_arg_dat(w, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(x, 1, ends, 2, "double", OP_READ),
                op_arg_dat(all, 0, ends, 10, "double", OP_INC),
                op_arg_dat(all, 1, ends, 10, "double", OP_INC), ENDS(r, 0, 4, "double", OP_INC),
                op_arg_dat(hi, 1, others, 4, "double", OP_MAX));
    op_par_loop(
        sums_in_place, "sums_in_place", links, op_arg_dat(w, -1, OP_ID, 2, "double", OP_READ),
        op_arg_dat(x, 0, ends, 2, "double", OP_READ), op_arg_dat(r, 0, ends, 4, "double", OP_INC),
        op_arg_dat(own, 1, ends, 2, "double", OP_RW),
        op_arg_dat(one, 0, others, 1, "double", OP_WRITE),
        op_arg_dat(lo, 1, ends, 4, "double", OP_MIN));
    mesh_show_double("r", r);
    mesh_show_double("lo", lo);
    mesh_show_double("hi", hi);
    mesh_show_double("own", own);
    mesh_show_double("one", one);
    mesh_show_double("all", all);
    mesh_show_float("s", s);
    mesh_show_float("low", low);
    mesh_show_int("most", most);
    op_exit();
    return 0;
}
