/* shapes.c: arguments: many of them, two maps to one set, wide maps, vectors in every access,
 * optional ones on and off, indices, and what may stand beside an increment. */
#include "mesh.h"

#define DIRECT(dat, dim, access) op_arg_dat(dat, -1, OP_ID, dim, "double", access)
#define THROUGH(dat, column, map, dim, access) op_arg_dat(dat, column, map, dim, "double", access)

#define DIM_OF(n)                                                                                  \
    static void dim_##n(const double *w, const double *x, double *y, double *z, double *sum)       \
    {                                                                                              \
        for (int d = 0; d < n; d++) {                                                              \
            y[d] += w[0] * x[d];                                                                   \
            z[d] -= x[n - 1 - d];                                                                  \
            sum[d] += x[d] + d;                                                                    \
        }                                                                                          \
    }                                                                                              \
    static void dim_loop_##n(void)                                                                 \
    {                                                                                              \
        op_dat w = mesh_dat_double(links, 1, "w");                                                 \
        op_dat x = mesh_dat_double(points, n, "x");                                                \
        op_dat y = mesh_dat_double(points, n, "y");                                                \
        double sum[n] = {1.0};                                                                     \
        op_par_loop(dim_##n, "dim", links, DIRECT(w, 1, OP_READ), THROUGH(x, 0, ends, n, OP_READ), \
                    THROUGH(y, 1, ends, n, OP_INC), THROUGH(y, 0, others, n, OP_INC),              \
                    op_arg_gbl(sum, n, "double", OP_INC));                                         \
        mesh_show_double("dim " #n, y);                                                            \
        printf("= dim sum %g %g\n", sum[0], sum[n - 1]);                                           \
    }
DIM_OF(1)
DIM_OF(2)
DIM_OF(3)
DIM_OF(4)
DIM_OF(5)
DIM_OF(6)
DIM_OF(7)
DIM_OF(8)

static void many(const double *a, const double *b, const double *c, const double *d,
                 const double *e, const double *f, const double *g, const double *h, double *i,
                 double *j, double *k, double *l, double *m, double *n, const double *o,
                 const double *p, double *q, double *r, double *s, double *t, const int *u,
                 const int *v, double *w, double *x)
{
    i[0] += a[0] + b[0];
    i[1] += c[0] - d[0];
    j[0] += e[0] * 2 + f[0];
    k[0] += g[0] - h[0];
    l[0] += a[1];
    m[0] = n[0] + o[0];
    n[0] = p[0];
    *q += a[0];
    *r += 2 * b[0];
    *s = *s < c[1] ? *s : c[1];
    *t = *t > d[1] ? *t : d[1];
    w[0] = u[0] + v[0];
    x[0] += w[0];
}

static void wide_columns(const double *a, const double *b, const double *c, const double *d,
                         const double *e, const double *f, const double *g, const double *h,
                         double *i, double *j, double *k)
{
    i[0] += a[0] + b[0] + c[0];
    j[0] += d[0] + e[0] + f[0];
    k[0] += g[0] + h[0];
}

static void wide_vector(const double *const x[], double *y[], double *mean)
{
    double sum = 0.0;
    for (int c = 0; c < WIDE; c++) {
        sum += x[c][0] - x[c][1];
    }
    for (int c = 0; c < WIDE; c++) {
        y[c][0] += sum * c;
    }
    mean[0] = sum;
}

static void vector_rw(double *x[2], double *y[2])
{
    x[0][0] = x[0][0] + 1.0;
    x[1][1] = x[1][1] + 2.0;
    y[0][0] += 1.0;
    y[1][0] += 2.0;
}

static void vector_bound(const double *w, double **low, double **high)
{
    for (int c = 0; c < 2; c++) {
        low[c][0] = low[c][0] < w[0] ? low[c][0] : w[0];
        high[c][1] = high[c][1] > w[0] ? high[c][1] : w[0];
    }
}

static void optional(const int *on, const double *a, const double *b, double *c, double *d,
                     double *e, double *f, const double *g, double *sum, double *high,
                     double *always)
{
    if (*on & 1) {
        *always += a[0];
        d[0] += 1.0 + a[0];
        *sum += a[0];
    }
    if (*on & 2) {
        *always += b[0] * 2;
        e[0] += b[1];
        f[0] = b[0];
        *high = *high > b[0] ? *high : b[0];
    }
    if (*on & 4) {
        c[0] = c[0] + g[1];
        always[1] += g[0];
    }
}

static void optional_vector(const int *on, const double *const *x, double **y, double *z)
{
    for (int c = 0; c < 2 && *on; c++) {
        y[c][0] += x[c][1];
        z[0] += x[c][0];
    }
    z[0] += 1.0;
}

static void optional_write(const int *on, double *x, double *y)
{
    if (*on) {
        x[0] = 7.0;
        y[0] = y[0] + 1.0;
    }
}

static void indices(const int *self, const int *left, const int *far, double *x, int *number)
{
    *x += *self % 3 + *left % 5;
    number[0] = *self;
    number[1] = *left * 100 + *far;
}

static void beside(const double *x, double *big, double *y, double *z, double *sum)
{
    for (int d = 0; d < 16; d++) {
        big[d] = x[0] + d;
        sum[d % 2] += d;
    }
    y[0] += x[1];
    z[0] = z[0] + 1.0;
}

static void beside_inc(const double *x, double *big, double *y, double *high)
{
    for (int d = 0; d < 16; d++) {
        big[d] = x[0] + d;
    }
    y[0] += x[1];
    *high = *high > x[0] ? *high : x[0];
}

static void three_maps(const double *a, const double *b, double *y0, double *y1, double *y2,
                       double *y3)
{
    y0[0] += a[0];
    y1[0] += b[0];
    y2[1] += a[1];
    y3[1] -= b[1];
}

static void same_column(const double *x, double *y, double *z)
{
    y[0] += x[0];
    z[0] += x[1];
}

static void on_self(double *x, const double *y)
{
    x[0] = y[0];
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    mesh_make();
    dim_loop_1();
    dim_loop_2();
    dim_loop_3();
    dim_loop_4();
    dim_loop_5();
    dim_loop_6();
    dim_loop_7();
    dim_loop_8();

    op_dat x2 = mesh_dat_double(points, 2, "x2");
    op_dat y2 = mesh_dat_double(points, 2, "y2");
    op_dat y1 = mesh_dat_double(points, 1, "y1");
    op_dat z1 = mesh_dat_double(points, 1, "z1");
    op_dat w1 = mesh_dat_double(links, 1, "w1");
    op_dat v1 = mesh_dat_double(links, 1, "v1");
    op_dat u1 = mesh_dat_double(links, 1, "u1");
    op_dat t1 = mesh_dat_double(links, 1, "t1");
    op_dat big = mesh_dat_double(links, 16, "big");
    op_dat number = mesh_dat_int(links, 2, "number");
    double sum = 0.0, twice = 0.0, low = 9.0, high = -9.0, pair[2] = {1.0, 2.0};

    op_par_loop(many, "many", links, THROUGH(x2, 0, ends, 2, OP_READ),
                THROUGH(x2, 1, ends, 2, OP_READ), THROUGH(x2, 0, others, 2, OP_READ),
                THROUGH(x2, 1, others, 2, OP_READ), THROUGH(x2, 3, wide, 2, OP_READ),
                THROUGH(x2, 7, wide, 2, OP_READ), THROUGH(x2, 9, wide, 2, OP_READ),
                THROUGH(x2, 0, ends, 2, OP_READ), THROUGH(y2, 0, ends, 2, OP_INC),
                THROUGH(y2, 1, ends, 2, OP_INC), THROUGH(y2, 1, others, 2, OP_INC),
                THROUGH(y1, 5, wide, 1, OP_INC), DIRECT(w1, 1, OP_WRITE), DIRECT(v1, 1, OP_RW),
                DIRECT(u1, 1, OP_READ), DIRECT(u1, 1, OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC), op_arg_gbl(&twice, 1, "double", OP_INC),
                op_arg_gbl(&low, 1, "double", OP_MIN), op_arg_gbl(&high, 1, "double", OP_MAX),
                op_arg_idx(-1, OP_ID), op_arg_idx(1, ends), DIRECT(t1, 1, OP_WRITE),
                THROUGH(z1, 0, ends, 1, OP_INC));
    mesh_show_double("many y2", y2);
    mesh_show_double("many y1", y1);
    mesh_show_double("many z1", z1);
    mesh_show_double("many w1", w1);
    mesh_show_double("many v1", v1);
    printf("= many %g %g %g %g\n", sum, twice, low, high);

    op_par_loop(wide_columns, "wide_columns", links, THROUGH(x2, 0, wide, 2, OP_READ),
                THROUGH(x2, 1, wide, 2, OP_READ), THROUGH(x2, 2, wide, 2, OP_READ),
                THROUGH(x2, 3, wide, 2, OP_READ), THROUGH(x2, 4, wide, 2, OP_READ),
                THROUGH(x2, 5, wide, 2, OP_READ), THROUGH(x2, 6, wide, 2, OP_READ),
                THROUGH(x2, 7, wide, 2, OP_READ), THROUGH(y1, 8, wide, 1, OP_INC),
                THROUGH(y1, 9, wide, 1, OP_INC), THROUGH(y1, 0, wide, 1, OP_INC));
    mesh_show_double("wide columns", y1);

    op_par_loop(wide_vector, "wide_vector", links, THROUGH(x2, -WIDE, wide, 2, OP_READ),
                THROUGH(y2, -WIDE, wide, 2, OP_INC), DIRECT(w1, 1, OP_WRITE));
    mesh_show_double("wide vector", y2);
    mesh_show_double("wide vector", w1);

    op_par_loop(vector_rw, "vector_rw", links, THROUGH(y2, -2, ends, 2, OP_RW),
                THROUGH(z1, -2, others, 1, OP_INC));
    mesh_show_double("vector rw", y2);
    mesh_show_double("vector rw", z1);
    op_par_loop(vector_bound, "vector_bound", links, DIRECT(w1, 1, OP_READ),
                THROUGH(x2, -2, ends, 2, OP_MIN), THROUGH(y2, -2, others, 2, OP_MAX));
    mesh_show_double("vector bound", x2);
    mesh_show_double("vector bound", y2);

    for (int on = 0; on < 8; on++) {
        int a = (on & 1) != 0, b = (on & 2) != 0, c = (on & 4) != 0;
        op_par_loop(optional, "optional", links, op_arg_gbl(&on, 1, "int", OP_READ),
                    op_opt_arg_dat(a, u1, -1, OP_ID, 1, "double", OP_READ),
                    op_opt_arg_dat(b, x2, 0, ends, 2, "double", OP_READ),
                    op_opt_arg_dat(c, v1, -1, OP_ID, 1, "double", OP_RW),
                    op_opt_arg_dat(a, y1, 1, ends, 1, "double", OP_INC),
                    op_opt_arg_dat(b, y1, 0, others, 1, "double", OP_INC),
                    op_opt_arg_dat(b, t1, -1, OP_ID, 1, "double", OP_WRITE),
                    op_opt_arg_gbl(c, pair, 2, "double", OP_READ),
                    op_opt_arg_gbl(a, &sum, 1, "double", OP_INC),
                    op_opt_arg_gbl(b, &high, 1, "double", OP_MAX), THROUGH(y2, 0, ends, 2, OP_INC));
        printf("= optional %d %g %g\n", on, sum, high);
        op_par_loop(optional_vector, "optional_vector", links, op_arg_gbl(&a, 1, "int", OP_READ),
                    op_opt_arg_dat(a, x2, -2, ends, 2, "double", OP_READ),
                    op_opt_arg_dat(a, y1, -2, ends, 1, "double", OP_INC),
                    THROUGH(z1, 1, others, 1, OP_INC));
        op_par_loop(optional_write, "optional_write", links, op_arg_gbl(&a, 1, "int", OP_READ),
                    op_opt_arg_dat(a, z1, 1, others, 1, "double", OP_WRITE),
                    op_opt_arg_dat(a, y1, 0, ends, 1, "double", OP_RW));
        mesh_show_double("optional y1", y1);
        mesh_show_double("optional y2", y2);
        mesh_show_double("optional z1", z1);
        mesh_show_double("optional t1", t1);
        mesh_show_double("optional v1", v1);
    }

    op_par_loop(indices, "indices", links, op_arg_idx(-1, OP_ID), op_arg_idx(0, ends),
                op_arg_idx(9, wide), THROUGH(y1, 1, ends, 1, OP_INC),
                op_arg_dat(number, -1, OP_ID, 2, "int", OP_WRITE));
    mesh_show_double("indices", y1);
    mesh_show_int("indices", number);
    op_par_loop(beside, "beside", links, THROUGH(x2, 0, ends, 2, OP_READ),
                DIRECT(big, 16, OP_WRITE), THROUGH(y1, 1, ends, 1, OP_INC),
                THROUGH(z1, 0, others, 1, OP_RW), op_arg_gbl(pair, 2, "double", OP_INC));
    mesh_show_double("beside big", big);
    mesh_show_double("beside y1", y1);
    mesh_show_double("beside z1", z1);
    printf("= beside %g %g\n", pair[0], pair[1]);
    op_par_loop(beside_inc, "beside_inc", links, THROUGH(x2, 1, ends, 2, OP_READ),
                DIRECT(big, 16, OP_WRITE), THROUGH(y1, 0, ends, 1, OP_INC),
                op_arg_gbl(&high, 1, "double", OP_MAX));
    mesh_show_double("beside inc", big);
    mesh_show_double("beside inc", y1);
    op_par_loop(three_maps, "three_maps", links, THROUGH(x2, 0, ends, 2, OP_READ),
                THROUGH(x2, 1, others, 2, OP_READ), THROUGH(y2, 0, ends, 2, OP_INC),
                THROUGH(y2, 1, others, 2, OP_INC), THROUGH(y2, 4, wide, 2, OP_INC),
                THROUGH(y2, 1, ends, 2, OP_INC));
    mesh_show_double("three maps", y2);
    op_par_loop(same_column, "same_column", links, THROUGH(x2, 0, ends, 2, OP_READ),
                THROUGH(y1, 0, ends, 1, OP_INC), THROUGH(y1, 0, ends, 1, OP_INC));
    mesh_show_double("same column", y1);

    op_set one = op_decl_set(1, "one");
    int target = 5;
    op_map to = op_decl_map(one, points, 1, &target, "to");
    op_dat o1 = mesh_dat_double(one, 1, "o1");
    op_par_loop(on_self, "on_self", one, DIRECT(o1, 1, OP_WRITE), THROUGH(z1, 0, to, 1, OP_READ));
    op_par_loop(same_column, "one_point", one, THROUGH(x2, 0, to, 2, OP_READ),
                THROUGH(y1, 0, to, 1, OP_INC), THROUGH(z1, 0, to, 1, OP_INC));
    mesh_show_double("one", o1);
    mesh_show_double("one", y1);
    mesh_show_double("one", z1);
    op_exit();
    return 0;
}
