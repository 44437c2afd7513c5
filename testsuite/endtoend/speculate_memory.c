/* speculate_memory.c: memory that changes its owner while the time steps of speculate.c are
 * expected.
 *
 * partials: a loop with larger partial results has their memory made anew, and dats get the old
 *           one: no group may start with it, and write there.
 * ahead:    at some waits, nothing has been computed ahead of its call, so that its dat has no
 *           buffer for it.
 * calls:    the loops of a group that was expected long ago are called with ever other dats: what
 *           the runtime keeps of these calls does not grow with their number.
 */
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "speculate.h"

enum { WIDE = 64, SIZES = 40, FILLED = 5 * SIZES, OTHERS = 24, MOST_GROWN = 1 << 19 };

static op_dat p_filled[FILLED];

static void wide(const double *q, double *total)
{
    for (int n = 0; n < WIDE; n++) {
        total[n] += q[0] + n;
    }
}

static void fill(double *value)
{
    value[0] = 7.0;
}

static void look(const double *old, double *total)
{
    total[0] += old[0] + 3.0 * old[1];
}

static void partials(void)
{
    double total[WIDE] = {0.0};
    double values[4 * SIZES];
    int same = 0;
    for (int t = 0; t < 20; t++) {
        turn();
    }
    op_par_loop(wide, "wide", points, op_arg_dat(p_q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_gbl(total, WIDE, "double", OP_INC));
    for (int n = 0; n < FILLED; n++) {
        op_par_loop(fill, "fill", p_filled[n]->set,
                    op_arg_dat(p_filled[n], -1, OP_ID, 1, "double", OP_WRITE));
    }
    for (int t = 0; t < 4; t++) {
        turn();
    }
    for (int n = 0; n < FILLED; n++) {
        op_fetch_data(p_filled[n], values);
        for (int v = 0; v < p_filled[n]->set->size; v++) {
            same += values[v] == 7.0;
        }
    }
    printf("= wide %.17g filled %d\n", total[WIDE - 1], same);
}

static void ahead(void)
{
    for (int n = 0; n < 60; n++) {
        double total = 0.0;
        half_step(SPEED | FLUX);
        if (n % 10 == 9) {
            op_put_data(p_old); /* the launch of 'flux' does not wait for its group any more */
        }
        half_step(STEP);
        op_par_loop(look, "look", points, op_arg_dat(p_old, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_gbl(&total, 1, "double", OP_INC));
        printf("= look %.17g\n", total);
    }
}

static void calls(void)
{
    op_dat q[OTHERS];
    op_dat res[OTHERS];
    size_t before = 0;
    for (int t = 0; t < 40; t++) {
        half_step(FLUX | STEP);
    }
    for (int n = 0; n < OTHERS; n++) {
        q[n] = op_decl_dat(points, 2, "double", (double *)NULL, "q");
        res[n] = op_decl_dat(points, 2, "double", (double *)NULL, "res");
    }
    for (int n = 0; n < OTHERS * OTHERS; n++) {
        before = n == 4 * OTHERS ? mallinfo2().uordblks : before;
        p_q = q[n / OTHERS];
        p_res = res[n % OTHERS];
        half_step(FLUX | STEP);
        steps = 40;
    }
    printf("= grown %d\n", mallinfo2().uordblks > before + MOST_GROWN);
}

static void declare(void)
{
    static int end[2 * EDGES];
    static double q[2 * POINTS];
    for (int e = 0; e < EDGES; e++) {
        end[2 * e] = e % POINTS;
        end[2 * e + 1] = (e % POINTS + (e < POINTS ? 1 : 17)) % POINTS;
    }
    for (int n = 0; n < 2 * POINTS; n++) {
        q[n] = n % 29;
    }
    points = op_decl_set(POINTS, "points");
    edges = op_decl_set(EDGES, "edges");
    ends = op_decl_map(edges, points, 2, end, "ends");
    p_q = op_decl_dat(points, 2, "double", q, "q");
    p_old = op_decl_dat(points, 2, "double", (double *)NULL, "old");
    p_speed = op_decl_dat(points, 1, "double", (double *)NULL, "speed");
    p_res = op_decl_dat(points, 2, "double", (double *)NULL, "res");
    for (int n = 0; n < FILLED; n++) {
        op_set few = op_decl_set(4 * (n % SIZES + 1), "few");
        p_filled[n] = op_decl_dat(few, 1, "double", (double *)NULL, "filled");
    }
    op_decl_const(1, "double", &gain);
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    declare();
    if (argc > 1 && strcmp(argv[1], "ahead") == 0) {
        ahead();
    } else if (argc > 1 && strcmp(argv[1], "calls") == 0) {
        calls();
    } else {
        partials();
    }
    for (int n = 0; n < steps; n++) {
        printf("= step %d %.17g %.17g\n", n, sums[2 * n], sums[2 * n + 1]);
    }
    op_timing_output();
    op_exit();
    return 0;
}
