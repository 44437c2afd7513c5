/* nan.c: minima and maxima with terms that are not numbers, and of values that are none when the
 * loop begins. Prints lines "= name value..." that must not depend on backend, schedule or races.
 * With the argument "taken", a loop whose form takes such terms; with "zeros", one of zeros of both
 * signs.
 */
#include "mesh.h"

#include <math.h>
#include <string.h>

/* Terms that are not numbers change nothing. No comparison with what is none when the loop begins
 * ever holds; a global that is none is replaced by fmin and fmax. */
static void ignored(const double *w, double *hi, double *lo, double *top, float *low)
{
    hi[0] = fmax(hi[0], w[0]);
    hi[1] = fmax(w[1], hi[1]);
    if (w[0] > hi[2]) {
        hi[2] = w[0];
    }
    lo[0] = w[1] < lo[0] ? w[1] : lo[0];
    lo[1] = lo[1] > w[0] ? w[0] : lo[1];
    top[0] = fmax(top[0], w[0]);
    top[1] = w[1] > top[1] ? w[1] : top[1];
    top[2] = fmax(w[1], top[2]);
    *low = fminf(*low, (float)w[0]);
}

static void taken(const double *w, double *hi, double *top)
{
    hi[0] = hi[0] > w[0] ? hi[0] : w[0];
    top[0] = top[0] > w[0] ? top[0] : w[0];
}

static void zeros(const double *w, double *hi, double *top)
{
    if (w[0] > hi[0]) {
        hi[0] = w[0];
    }
    top[0] = top[0] < w[0] ? w[0] : top[0];
}

static void show(const char *name, op_dat dat)
{
    double *value = malloc((size_t)dat->set->size * (size_t)dat->size);
    op_fetch_data(dat, value);
    double sum[4] = {0};
    int nans[4] = {0};
    for (int i = 0; i < dat->set->size * dat->dim; i++) {
        if (isnan(value[i])) {
            nans[i % dat->dim]++;
        } else {
            sum[i % dat->dim] += value[i] * (i % 11 + 1);
        }
    }
    for (int d = 0; d < dat->dim; d++) {
        printf("= %s[%d] %g %d\n", name, d, sum[d], nans[d]);
    }
    free(value);
}

int main(int argc, char **argv)
{
    static double value[2 * LINKS], first[3 * POINTS], second[3 * POINTS];
    double top[3] = {NAN, NAN, -9};
    float low = NAN;
    op_init(argc, argv, 0);
    mesh_make();
    for (int i = 0; i < 2 * LINKS; i++) {
        value[i] = i % 5 < 2 || i < 6 ? NAN : (i * 13) % 17 - 8;
    }
    for (int i = 0; i < 3 * POINTS; i++) {
        first[i] = -3;
        second[i] = i % 7 == 0 ? NAN : 4;
    }
    op_dat w = op_decl_dat(links, 2, "double", value, "w");
    op_dat hi = op_decl_dat(points, 3, "double", first, "hi");
    op_dat lo = op_decl_dat(points, 2, "double", second, "lo");
    const char *mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "taken") == 0) {
        op_dat one = op_decl_dat(points, 1, "double", first, "one");
        op_par_loop(taken, "taken", links, op_arg_dat(w, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(one, 0, ends, 1, "double", OP_MAX),
                    op_arg_gbl(top, 1, "double", OP_MAX));
    } else if (strcmp(mode, "zeros") == 0) {
        for (int i = 0; i < 2 * LINKS; i++) {
            value[i] = i % 4 < 2 ? -0.0 : 0.0;
        }
        top[0] = -1;
        op_dat both = op_decl_dat(links, 2, "double", value, "both");
        op_dat one = op_decl_dat(points, 1, "double", first, "one");
        op_par_loop(zeros, "zeros", links, op_arg_dat(both, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(one, 0, ends, 1, "double", OP_MAX),
                    op_arg_gbl(top, 1, "double", OP_MAX));
    } else {
        op_par_loop(ignored, "ignored", links, op_arg_dat(w, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(hi, 0, ends, 3, "double", OP_MAX),
                    op_arg_dat(lo, 1, ends, 2, "double", OP_MIN),
                    op_arg_gbl(top, 3, "double", OP_MAX), op_arg_gbl(&low, 1, "float", OP_MIN));
        printf("= top %g %d %g %g\n", top[0], isnan(top[1]) != 0, top[2], low);
        show("hi", hi);
        show("lo", lo);
    }
    op_exit();
    return 0;
}
