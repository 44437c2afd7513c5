/* stages.c: bodies that are taken apart: what crosses from stage to stage, what updates add, and how
 * both are spelled. */
#include "mesh.h"

#define DIRECT(dat, dim, access) op_arg_dat(dat, -1, OP_ID, dim, "double", access)
#define THROUGH(dat, column, map, dim, access) op_arg_dat(dat, column, map, dim, "double", access)

static const double table[3] = {1.0, 2.0, 4.0};
static double scale;

/* Values that no variable holds: direct data, globals, constants, with signs and factors. */
static void values(const double *w, const double *g, const int *self, double *y, double *z)
{
    y[0] += w[0];
    y[1] -= w[0];
    z[0] += 2.0 * w[1];
    z[1] -= 3.0;
    z[1] += g[0];
    y[1] += *self % 4;
}

/* Nothing but constants. */
static void count(double *y, int *n)
{
    y[0] += 1.0;
    n[0]++;
}

/* Least and largest through a map, beside a sum. */
static void bounds(const double *w, const double *x, double *low, double *high, double *sum)
{
    if (x[0] + w[0] < low[0]) {
        low[0] = x[0] + w[0];
    }
    high[0] = high[0] > x[0] * w[0] ? high[0] : x[0] * w[0];
    sum[1] += x[1];
}

static void int_bounds(const int *i, int *low, int *high)
{
    low[0] = low[0] < i[0] ? low[0] : i[0];
    if (i[1] > high[0]) {
        high[0] = i[1];
    }
}

static void float_bounds(const float *f, float *low, float *high)
{
    low[0] = fminf(low[0], f[0] - 2.0f);
    high[0] = fmaxf(high[0], f[0] * 3.0f);
}

/* Called whole, because an argument may be off: private copies begin where no value is below, or above. */
static void optional_bounds(const int *on, const double *w, double *low, double **high, double *sum)
{
    double most = on[0] ? w[0] - 1.0 : 2.0;
    low[0] = low[0] < most ? low[0] : most;
    for (int c = 0; c < 2; c++) {
        if (most + c > high[c][0]) {
            high[c][0] = most + c;
        }
    }
    sum[0] += most;
}

/* How often the loop runs is not known: the vectors are subscripted by a variable. */
static void unknown(const int *n, const double **x, double **y, double *z)
{
    double x_0 = 0.0; /* as the pointer to column 0 would be called */
    for (int c = 0; c < n[0]; c++) {
        x_0 += x[c][1];
        y[c][c] += x[c][0] + x_0;
    }
    z[0] += x_0;
}

static void columns(const double **x, double **y)
{
    double x_0 = x[0][0] - x[1][1];
    double x_1 = x_0 * x[1][0];
    y[0][1] += x_0;
    y[1][0] += x_1;
    y[1][1] -= x_1;
}

/* Parts that need different data, joined by one number: stages of their own. */
static void parts(const double *a1, const double *a2, const double *b1, const double *b2,
                  const double *c1, const double *c2, double *y1, double *y2, double *sum)
{
    double f[6], join = 0.0;
    for (int d = 0; d < 6; d++) {
        f[d] = (a1[d] - a2[d]) * table[d % 3];
        join += f[d];
    }
    for (int d = 0; d < 3; d++) {
        y1[d] += f[d] * f[d + 3];
        y2[d] -= f[d] * f[d + 3];
    }
    double g = 0.0, most = b1[0];
    for (int d = 0; d < 6; d++) {
        g += b1[d] * b2[5 - d];
        most = most > b2[d] ? most : b2[d];
    }
    if (join > g) {
        y1[3] += join * scale;
        y2[3] -= most;
    } else {
        y1[3] += g;
    }
    double h[2] = {c1[0], c2[0]};
    for (int d = 1; d < 6; d++) {
        h[d % 2] += c1[d] * c2[d] - most;
    }
    y1[4] += h[0];
    y2[4] -= h[1];
    y2[5] += h[1] - join;
    sum[0] += join;
    sum[1] += h[0];
}

/* A local array that is subscripted by data crosses stages as a whole. */
static void drawers(const double *a1, const double *a2, const double *b1, const double *b2,
                    const double *c1, const double *c2, const int *at, double *y1, double *y2)
{
    double drawer[2] = {0.0, 1.0};
    for (int d = 0; d < 6; d++) {
        drawer[(at[0] + d) % 2] += a1[d] * a2[5 - d];
    }
    double sum = 0.0;
    for (int d = 0; d < 6; d++) {
        sum += (b1[d] - b2[d] * c1[d] + c2[d]) * drawer[(at[1] + d) % 2];
    }
    y1[0] += sum;
    y2[1] += sum;
    y1[2] -= drawer[0];
}

/* Effects beside increments that do not need them. */
static void effects(const double *x1, const double *x2, const double *w, double *v, double *y1,
                    double *y2, double *sum, double *high, double *untouched)
{
    double f = x1[0] * x2[1] - w[0];
    v[0] = w[0] + x1[1];
    v[1] += v[0];
    y1[0] += f;
    y2[0] -= f;
    sum[0] += v[1];
    high[0] = high[0] > v[0] ? high[0] : v[0];
    (void)untouched;
}

/* Reduces what nothing is added to. */
static void idle(const double *x, double *y, double *untouched)
{
    (void)untouched;
    y[0] += x[0];
}

/* Leaves early, takes one of several ways, and jumps. */
static void ways(const int *kind, const double *x, double *y, double *z)
{
    double f = x[0];
    if (kind[0] == 0) {
        return;
    }
    switch (kind[0]) {
    case 1:
        f += 1.0;
        z[0] += f;
        /* fall through */
    case 2:
    case 3:
        f *= 2.0;
        break;
    default:
        f -= x[1];
    }
    for (int d = 0; d < 4; d++) {
        if (d == kind[0] - 1) {
            continue;
        }
        if (d > kind[0]) {
            break;
        }
        f += d;
    }
    y[0] += f;
}

static void show(const char *name, op_dat y, op_dat z)
{
    mesh_show_double(name, y);
    mesh_show_double(name, z);
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    mesh_make();
    scale = 3.0;
    op_decl_const(1, "double", &scale);
    op_dat x2 = mesh_dat_double(points, 2, "x2");
    op_dat y2 = mesh_dat_double(points, 2, "y2");
    op_dat z2 = mesh_dat_double(points, 2, "z2");
    op_dat y1 = mesh_dat_double(points, 1, "y1");
    op_dat z1 = mesh_dat_double(points, 1, "z1");
    op_dat w2 = mesh_dat_double(links, 2, "w2");
    op_dat a6 = mesh_dat_double(points, 6, "a6");
    op_dat b6 = mesh_dat_double(points, 6, "b6");
    op_dat c6 = mesh_dat_double(points, 6, "c6");
    op_dat y6 = mesh_dat_double(points, 6, "y6");
    op_dat i2 = mesh_dat_int(links, 2, "i2");
    op_dat j1 = mesh_dat_int(points, 1, "j1");
    op_dat k1 = mesh_dat_int(points, 1, "k1");
    op_dat f1 = mesh_dat_float(links, 1, "f1");
    op_dat g1 = mesh_dat_float(points, 1, "g1");
    op_dat h1 = mesh_dat_float(points, 1, "h1");
    double global = 5.0, sum[2] = {1.0, 2.0}, high = -9.0, untouched = 3.0;

    op_par_loop(values, "values", links, DIRECT(w2, 2, OP_READ),
                op_arg_gbl(&global, 1, "double", OP_READ), op_arg_idx(-1, OP_ID),
                THROUGH(y2, 0, ends, 2, OP_INC), THROUGH(z2, 1, others, 2, OP_INC));
    show("values", y2, z2);
    op_par_loop(count, "count", links, THROUGH(y1, 1, ends, 1, OP_INC),
                op_arg_dat(j1, 0, others, 1, "int", OP_INC));
    mesh_show_double("count", y1);
    mesh_show_int("count", j1);
    op_par_loop(bounds, "bounds", links, DIRECT(w2, 2, OP_READ), THROUGH(x2, 0, ends, 2, OP_READ),
                THROUGH(y1, 1, ends, 1, OP_MIN), THROUGH(z1, 0, others, 1, OP_MAX),
                THROUGH(z2, 1, ends, 2, OP_INC));
    show("bounds", y1, z1);
    mesh_show_double("bounds", z2);
    op_par_loop(int_bounds, "int_bounds", links, op_arg_dat(i2, -1, OP_ID, 2, "int", OP_READ),
                op_arg_dat(j1, 0, ends, 1, "int", OP_MIN),
                op_arg_dat(k1, 1, ends, 1, "int", OP_MAX));
    mesh_show_int("int bounds", j1);
    mesh_show_int("int bounds", k1);
    op_par_loop(float_bounds, "float_bounds", links,
                op_arg_dat(f1, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(g1, 0, ends, 1, "float", OP_MIN),
                op_arg_dat(h1, 1, ends, 1, "float", OP_MAX));
    mesh_show_float("float bounds", g1);
    mesh_show_float("float bounds", h1);
    for (int on = 0; on < 2; on++) {
        op_par_loop(optional_bounds, "optional_bounds", links, op_arg_gbl(&on, 1, "int", OP_READ),
                    op_opt_arg_dat(on, w2, -1, OP_ID, 2, "double", OP_READ),
                    THROUGH(y1, 0, ends, 1, OP_MIN), THROUGH(z1, -2, others, 1, OP_MAX),
                    THROUGH(z2, 0, ends, 2, OP_INC));
        show("optional bounds", y1, z1);
    }
    for (int n = 0; n < 3; n++) {
        op_par_loop(unknown, "unknown", links, op_arg_gbl(&n, 1, "int", OP_READ),
                    THROUGH(x2, -2, ends, 2, OP_READ), THROUGH(y2, -2, others, 2, OP_INC),
                    THROUGH(z1, 4, wide, 1, OP_INC));
        show("unknown", y2, z1);
    }
    op_par_loop(columns, "columns", links, THROUGH(x2, -2, ends, 2, OP_READ),
                THROUGH(y2, -2, ends, 2, OP_INC));
    mesh_show_double("columns", y2);
    op_par_loop(parts, "parts", links, THROUGH(a6, 0, ends, 6, OP_READ),
                THROUGH(a6, 1, ends, 6, OP_READ), THROUGH(b6, 0, ends, 6, OP_READ),
                THROUGH(b6, 1, ends, 6, OP_READ), THROUGH(c6, 0, ends, 6, OP_READ),
                THROUGH(c6, 1, ends, 6, OP_READ), THROUGH(y6, 0, ends, 6, OP_INC),
                THROUGH(y6, 1, ends, 6, OP_INC), op_arg_gbl(sum, 2, "double", OP_INC));
    mesh_show_double("parts", y6);
    printf("= parts %g %g\n", sum[0], sum[1]);
    op_par_loop(drawers, "drawers", links, THROUGH(a6, 0, ends, 6, OP_READ),
                THROUGH(a6, 1, ends, 6, OP_READ), THROUGH(b6, 0, others, 6, OP_READ),
                THROUGH(b6, 1, others, 6, OP_READ), THROUGH(c6, 0, others, 6, OP_READ),
                THROUGH(c6, 1, others, 6, OP_READ), op_arg_dat(i2, -1, OP_ID, 2, "int", OP_READ),
                THROUGH(y6, 0, ends, 6, OP_INC), THROUGH(y6, 1, ends, 6, OP_INC));
    mesh_show_double("drawers", y6);
    op_dat v2 = mesh_dat_double(links, 2, "v2");
    op_par_loop(effects, "effects", links, THROUGH(x2, 0, ends, 2, OP_READ),
                THROUGH(x2, 1, ends, 2, OP_READ), DIRECT(w2, 2, OP_READ), DIRECT(v2, 2, OP_RW),
                THROUGH(y1, 0, ends, 1, OP_INC), THROUGH(y1, 1, ends, 1, OP_INC),
                op_arg_gbl(sum, 2, "double", OP_INC), op_arg_gbl(&high, 1, "double", OP_MAX),
                op_arg_gbl(&untouched, 1, "double", OP_INC));
    show("effects", y1, v2);
    printf("= effects %g %g %g %g\n", sum[0], sum[1], high, untouched);
    op_par_loop(idle, "idle", links, THROUGH(x2, 0, ends, 2, OP_READ),
                THROUGH(y1, 1, ends, 1, OP_INC), op_arg_gbl(&untouched, 1, "double", OP_MIN));
    mesh_show_double("idle", y1);
    printf("= idle %g\n", untouched);
    op_par_loop(ways, "ways", links, op_arg_dat(i2, -1, OP_ID, 2, "int", OP_READ),
                THROUGH(x2, 1, ends, 2, OP_READ), THROUGH(y1, 0, ends, 1, OP_INC),
                THROUGH(z1, 1, others, 1, OP_INC));
    show("ways", y1, z1);
    op_exit();
    return 0;
}
