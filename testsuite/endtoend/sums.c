/* sums.c: sums whose rounding depends on the order of their terms as strongly as it gets: of single
 * precision, of terms that cancel, of terms far larger than all data, and into one point that all
 * elements share, or of differences of far larger products. With an argument, compiled loops have
 * other constants than the reference: `wrong` makes the sums of powers wrong, `far` the last
 * loop's, and `near` changes these by no more than another rounding of a product does. */
#include "op_seq.h"

#include <math.h>
#include <string.h>

enum { MANY = 200000 };

static void add(const double *x, double *sum)
{
    *sum += *x;
}

static void add_single(const float *x, float *sum)
{
    *sum += *x;
}

/* Into globals that lie over one another. */
static void add_both(const double *x, double *two, double *one, double *front)
{
    two[0] += *x;
    two[1] += 1.0;
    *one += 2.0;
    *front += 3.0;
}

/* Results of `many`. */
static double three[3], seven[7], twelve[12], least = 1e300, largest = -1e300;
static float two[2];
static int count;

/* A GPU joins some of these reductions together, some in a second turn, and one by itself. */
static void many(const double *x, const float *y, double *to3, float *to2, int *n, double *to7,
                 double *to12, double *low, double *high)
{
    for (int k = 0; k < 3; k++) {
        to3[k] += (k + 1) * *x;
    }
    to2[0] += *y;
    to2[1] += 2.0f;
    *n += 1;
    for (int k = 0; k < 7; k++) {
        to7[k] = fmax(to7[k], (k - 3) * *x);
    }
    for (int k = 0; k < 12; k++) {
        to12[k] += (k % 2 == 0 ? 1.0 : -1.0) * *x * *x + k;
    }
    *low = fmin(*low, *x);
    *high = fmax(*high, *x);
}

static void reduce_many(op_set cells, op_dat x, op_dat y)
{
    op_par_loop(many, "many", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 1, "float", OP_READ),
                op_arg_gbl(three, 3, "double", OP_INC), op_arg_gbl(two, 2, "float", OP_INC),
                op_arg_gbl(&count, 1, "int", OP_INC), op_arg_gbl(seven, 7, "double", OP_MAX),
                op_arg_gbl(twelve, 12, "double", OP_INC), op_arg_gbl(&least, 1, "double", OP_MIN),
                op_arg_gbl(&largest, 1, "double", OP_MAX));
}

double shift = 1.0 / 3.0;

/* Adds the sixth power of x, or subtracts it, to two points by a vector argument. */
static void cancel(const double *x, const double *sign, double *one, double *two[2])
{
    const double cube = *x * *x * *x;
    one[0] += *sign * cube * cube + shift;
    two[0][1] += *sign * cube * cube;
    two[1][1] -= *sign * cube * cube * 3.0 + shift;
}

double share = 1.0 / 3.0;

/* The products are 1e12 times larger than what is read, and the sum is zero but for their rounding.
 */
static void amplify(const double *x, const double *third, double *sum)
{
    sum[0] += 1e12 * (share * x[0]) - 1e12 * third[0];
}

static void add_differences(const char *change)
{
    enum { POINTS = 50, ELEMENTS = 200 };
    double x[ELEMENTS];
    double third[ELEMENTS];
    int table[ELEMENTS];
    for (int e = 0; e < ELEMENTS; e++) {
        x[e] = 1.0 + e / 700.0;
        third[e] = share * x[e];
        table[e] = e % POINTS;
    }
    op_set elements = op_decl_set(ELEMENTS, "pairs");
    op_set points = op_decl_set(POINTS, "sums");
    op_map to = op_decl_map(elements, points, 1, table, "to");
    op_dat p_x = op_decl_dat(elements, 1, "double", x, "pair_x");
    op_dat p_third = op_decl_dat(elements, 1, "double", third, "third");
    op_dat p_sum = op_decl_dat(points, 1, "double", (double *)NULL, "difference");
    op_decl_const(1, "double", &share);
    if (strcmp(change, "near") == 0) {
        share = nextafter(share, 1.0);
    } else if (strcmp(change, "far") == 0) {
        share *= 1.0 + 1e-13;
    }
    op_par_loop(amplify, "amplify", elements, op_arg_dat(p_x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_third, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_sum, 0, to, 1, "double", OP_INC));
    op_fetch_data(p_x, third);
    if (memcmp(x, third, sizeof x) != 0) {
        printf("CLEAVE_VERIFY has changed what a loop only reads\n");
    }
}

/* Elements of one point have powers that cancel in pairs, which lie far apart. */
static void add_powers(void)
{
    enum { POINTS = 100, ELEMENTS = 4000 };
    double *x = (double *)calloc(ELEMENTS, sizeof *x);
    double *sign = (double *)calloc(ELEMENTS, sizeof *sign);
    int *table = (int *)calloc((size_t)2 * ELEMENTS, sizeof *table);
    for (int e = 0; e < ELEMENTS; e++) {
        const int pair = e % (ELEMENTS / 2);
        x[e] = 100.0 + pair % 37 / 7.0;
        sign[e] = e < ELEMENTS / 2 ? 1.0 : -1.0;
        table[2 * e] = pair % POINTS;
        table[2 * e + 1] = (pair + 1) % POINTS;
    }
    op_set elements = op_decl_set(ELEMENTS, "elements");
    op_set points = op_decl_set(POINTS, "points");
    op_map ends = op_decl_map(elements, points, 2, table, "ends");
    op_dat p_x = op_decl_dat(elements, 1, "double", x, "x");
    op_dat p_sign = op_decl_dat(elements, 1, "double", sign, "sign");
    op_dat p_one = op_decl_dat(points, 1, "double", (double *)NULL, "one");
    op_dat p_two = op_decl_dat(points, 2, "double", (double *)NULL, "two");
    free(x);
    free(sign);
    free(table);
    op_par_loop(cancel, "cancel", elements, op_arg_dat(p_x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_sign, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_one, 0, ends, 1, "double", OP_INC),
                op_arg_dat(p_two, -2, ends, 2, "double", OP_INC));
}

int main(int argc, char **argv)
{
    double *x = (double *)calloc(MANY, sizeof *x);
    float *y = (float *)calloc(MANY, sizeof *y);
    int *all = (int *)calloc(MANY, sizeof *all);
    for (int i = 0; i < MANY; i++) {
        double term = 1.0 / 3.0 + 1e-3 * (i % (MANY / 2) % 17);
        x[i] = i < MANY / 2 ? term : -term;
        y[i] = 0.1f;
    }
    op_init(argc, argv, 0);
    op_set cells = op_decl_set(MANY, "cells");
    op_set hubs = op_decl_set(1, "hubs");
    op_map hub = op_decl_map(cells, hubs, 1, all, "hub");
    op_dat p_x = op_decl_dat(cells, 1, "double", x, "x");
    op_dat p_y = op_decl_dat(cells, 1, "float", y, "y");
    op_dat p_sum = op_decl_dat(hubs, 1, "double", (double *)NULL, "sum");
    op_dat p_single = op_decl_dat(hubs, 1, "float", (float *)NULL, "single");
    free(x);
    free(y);
    free(all);
    double sum = 0.0;
    float single = 0.0f;
    op_par_loop(add, "add", cells, op_arg_dat(p_x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC));
    op_par_loop(add_single, "add_single", cells, op_arg_dat(p_y, -1, OP_ID, 1, "float", OP_READ),
                op_arg_gbl(&single, 1, "float", OP_INC));
    op_par_loop(add, "add_hub", cells, op_arg_dat(p_x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_sum, 0, hub, 1, "double", OP_INC));
    op_par_loop(add_single, "single_hub", cells, op_arg_dat(p_y, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(p_single, 0, hub, 1, "float", OP_INC));
    double both[2] = {0.0, 0.0};
    op_par_loop(add_both, "add_both", cells, op_arg_dat(p_x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(both, 2, "double", OP_INC), op_arg_gbl(&both[1], 1, "double", OP_INC),
                op_arg_gbl(both, 1, "double", OP_INC));
    reduce_many(cells, p_x, p_y);
    op_decl_const(1, "double", &shift);
    shift += argc > 1 && strcmp(argv[1], "wrong") == 0 ? 0.01 : 0.0;
    add_powers();
    add_differences(argc > 1 ? argv[1] : "");
    printf("sums %.17g %.9g %.17g %g\n", sum, (double)single, both[0], both[1]);
    printf("many %d %g %g\n", count, least, largest);
    op_exit();
    return 0;
}
