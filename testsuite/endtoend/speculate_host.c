/* speculate_host.c: calls the time steps of speculate.c, and now and then does something else in
 * between: looks at data, changes them, a constant or a global, calls other loops, or stops in the
 * middle of a step.
 *
 * speculate SEED PERCENT: prints all sums and the values of the dats. PERCENT of the time steps
 * have something else in them. */
#include <stdio.h>
#include <stdlib.h>

#include "speculate.h"

static op_dat p_other;
static unsigned long long state;

static void nudge(double *q)
{
    q[0] += 1.0;
}

static void look(const double *q, double *total)
{
    total[0] += q[0] + 3.0 * q[1];
}

static void copy(const double *from_dat, double *to)
{
    to[0] = from_dat[0];
    to[1] = from_dat[1];
}

/* A number from 0 to count - 1. */
static int pick(int count)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (int)((state >> 33) % (unsigned)count);
}

static void change_on_host(void)
{
    double *values = (double *)p_q->data;
    op_get_data(p_q);
    for (int n = 0; n < 2 * POINTS; n += 3) {
        values[n] += 2.0;
    }
    op_put_data(p_q);
}

/* Without telling the runtime. */
static void change_unsaid(void)
{
    double *values = (double *)p_q->data;
    values[5] = values[6] + 1.0;
}

static void work_on_temporary(void)
{
    op_dat scratch = op_decl_dat_temp(points, 2, "double", (double *)NULL, "scratch");
    op_par_loop(copy, "copy", points, op_arg_dat(p_q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(scratch, -1, OP_ID, 2, "double", OP_WRITE));
    op_par_loop(nudge, "nudge", points, op_arg_dat(scratch, -1, OP_ID, 2, "double", OP_RW));
    op_free_dat_temp(scratch);
}

static void total_of(op_dat dat)
{
    double total = 0.0;
    op_par_loop(look, "look", points, op_arg_dat(dat, -1, OP_ID, 2, "double", OP_READ),
                op_arg_gbl(&total, 1, "double", OP_INC));
    printf("= look %.17g\n", total);
}

static void something_else(void)
{
    static double values[2 * POINTS];
    switch (pick(14)) {
    case 0:
        op_fetch_data(p_q, values);
        break;
    case 1:
    case 11:
        change_on_host();
        break;
    case 2:
    case 12:
        change_unsaid();
        break;
    case 3:
        gain = 3.0 - gain;
        op_decl_const(1, "double", &gain);
        break;
    case 4:
        total_of(p_q);
        break;
    case 5:
        total_of(p_other);
        break;
    case 6:
        op_par_loop(nudge, "nudge", points, op_arg_dat(p_q, -1, OP_ID, 2, "double", OP_RW));
        break;
    case 7:
        op_par_loop(nudge, "nudge", points, op_arg_dat(p_speed, -1, OP_ID, 1, "double", OP_RW));
        break;
    case 8:
        half_step(FLUX);
        break; /* its sums come besides */
    case 9:
        work_on_temporary();
        break;
    default:
        call_save();
        break;
    }
}

/* A turn in pieces: something else comes before one of them, or a value changes. */
static void other_turn(void)
{
    /* Often between loops that become a group. */
    static const int place[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 4, 1};
    const int before = place[pick(12)];
    if (before != 8) {
        call_save();
    }
    for (int n = 0; n < 6; n++) {
        if (before == n) {
            something_else();
        }
        dt = before == 6 ? 1.0 + n % 2 : 1.0;
        from = before == 7 ? 70.0 * (n % 2) : 0.0;
        half_step(1 << n % 3);
    }
    dt = 1.0;
    from = 0.0;
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
    p_other = op_decl_dat(points, 2, "double", q, "other");
    p_old = op_decl_dat(points, 2, "double", (double *)NULL, "old");
    p_speed = op_decl_dat(points, 1, "double", (double *)NULL, "speed");
    p_res = op_decl_dat(points, 2, "double", (double *)NULL, "res");
}

static void print(const char *name, op_dat dat)
{
    static double values[2 * POINTS];
    op_fetch_data(dat, values);
    for (int n = 0; n < dat->dim * POINTS; n++) {
        printf("= %s %d %.17g\n", name, n, values[n]);
    }
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const int percent = argc > 2 ? atoi(argv[2]) : 0;
    declare();
    op_decl_const(1, "double", &gain);
    for (int t = 0; t < TURNS; t++) {
        if (pick(100) < percent) {
            other_turn();
        } else {
            turn();
        }
    }
    for (int n = 0; n < steps; n++) {
        printf("= step %d %.17g %.17g\n", n, sums[2 * n], sums[2 * n + 1]);
    }
    print("q", p_q);
    print("speed", p_speed);
    print("res", p_res);
    op_timing_output();
    op_exit();
    return 0;
}
