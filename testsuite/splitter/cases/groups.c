/* groups.c: for each function, which of its loops run as one kernel; groups.expected shows what is
 * said about them. Loops of different functions are kept apart by look_away(). */
#include "op_seq.h"

#include <stdio.h>

op_set cells, edges, nodes;
op_map e2c, e2n, c2c;
op_dat a, b, c, d, one, wide, thin, flat, large, list[4];
double limit, scale;
double factor;

void look_away(void);

static void read_write(const double *x, double *y) { y[0] = 2.0 * x[0]; }
static void change(double *x) { x[0] *= 1.5; }
static void gather(const double *x0, const double *x1, double *y) { y[0] = x0[0] - x1[0]; }
static void scatter(const double *x, double *y0, double *y1)
{
    y0[0] += x[0];
    y1[0] -= x[0];
}
static void lower(const double *x, double *y) { y[0] = y[0] < x[0] ? y[0] : x[0]; }
static void add_up(const double *x, double *sum) { sum[0] += x[0]; }
static void scaled(const double *x, double *y, const double *by) { y[0] = by[0] * x[0]; }
static void use_constant(const double *x, double *y) { y[0] = factor * x[0]; }
static void maybe(const double *x, double *y)
{
    if (x[0] > 0.0) y[0] = x[0];
}
static void speak(const double *x) { printf("%f\n", x[0]); }
static void set_through(double *x) { x[0] = 0.0; }
static void number(const int *n, double *x) { x[0] = n[0]; }
static void halve(double *x) { x[0] = x[0] * 0.5; }
static void pair(double *x) { x[1] = x[0]; }
static void enlarge(double *x)
{
    for (int n = 0; n < 64; n++) x[n] *= 2.0;
}

#define DIRECT(dat, access) op_arg_dat(dat, -1, OP_ID, 1, "double", access)
#define AT(dat, map, column, access) op_arg_dat(dat, column, map, 1, "double", access)

/* The chain of the file's introduction: a is read twice, b is written and read. */
void direct_all(void)
{
    op_par_loop(read_write, "direct_1", cells, DIRECT(a, OP_READ), DIRECT(b, OP_WRITE));
    op_par_loop(read_write, "direct_2", cells, DIRECT(b, OP_READ), DIRECT(c, OP_WRITE));
    op_par_loop(change, "direct_3", cells, DIRECT(b, OP_RW));
    look_away();
}

/* A record that is not surely written keeps its old values: OP_RW. */
void unsure(void)
{
    op_par_loop(maybe, "unsure_1", cells, DIRECT(a, OP_READ), DIRECT(b, OP_WRITE));
    op_par_loop(read_write, "unsure_2", cells, DIRECT(b, OP_READ), DIRECT(c, OP_WRITE));
    look_away();
}

void both_gather(void)
{
    op_par_loop(gather, "gather_1", edges, AT(a, e2c, 0, OP_READ), AT(a, e2c, 1, OP_READ),
                DIRECT(one, OP_WRITE));
    op_par_loop(gather, "gather_2", edges, AT(a, e2c, 0, OP_READ), AT(b, e2c, 1, OP_READ),
                DIRECT(wide, OP_WRITE));
    look_away();
}

/* Increments commute; what both read is direct. */
void both_scatter(void)
{
    op_par_loop(scatter, "scatter_1", edges, DIRECT(one, OP_READ), AT(a, e2c, 0, OP_INC),
                AT(a, e2c, 1, OP_INC));
    op_par_loop(scatter, "scatter_2", edges, DIRECT(one, OP_READ), AT(a, e2n, 0, OP_INC),
                AT(a, e2c, 1, OP_INC));
    look_away();
}

void flow_through_map(void)
{
    op_par_loop(change, "written", cells, DIRECT(a, OP_RW));
    op_par_loop(gather, "read_through", cells, AT(a, c2c, 0, OP_READ), AT(b, c2c, 1, OP_READ),
                DIRECT(c, OP_WRITE));
    look_away();
}

void write_behind_map(void)
{
    op_par_loop(gather, "read_first", cells, AT(a, c2c, 0, OP_READ), AT(b, c2c, 1, OP_READ),
                DIRECT(c, OP_WRITE));
    op_par_loop(change, "written_later", cells, DIRECT(a, OP_RW));
    look_away();
}

void sum_then_read(void)
{
    op_par_loop(scatter, "sum", edges, DIRECT(one, OP_READ), AT(a, e2c, 0, OP_INC),
                AT(a, e2c, 1, OP_INC));
    op_par_loop(gather, "needs_sum", edges, AT(a, e2c, 0, OP_READ), AT(b, e2c, 1, OP_READ),
                DIRECT(wide, OP_WRITE));
    look_away();
}

void lowered_and_added(void)
{
    op_par_loop(lower, "lowers", edges, DIRECT(one, OP_READ), AT(a, e2c, 0, OP_MIN));
    op_par_loop(scatter, "adds", edges, DIRECT(one, OP_READ), AT(a, e2c, 0, OP_INC),
                AT(b, e2c, 1, OP_INC));
    look_away();
}

void both_lower(void)
{
    op_par_loop(lower, "lowers_1", edges, DIRECT(one, OP_READ), AT(a, e2c, 0, OP_MIN));
    op_par_loop(lower, "lowers_2", edges, DIRECT(one, OP_READ), AT(a, e2c, 1, OP_MIN));
    look_away();
}

/* Only the last loop may reduce. */
void reduce_last(void)
{
    double sum = 0.0;

    op_par_loop(read_write, "before_sum", cells, DIRECT(a, OP_READ), DIRECT(b, OP_WRITE));
    op_par_loop(add_up, "sum_last", cells, DIRECT(b, OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC));
    op_par_loop(change, "behind_sum", cells, DIRECT(b, OP_RW));
    look_away();
}

/* The host may change values that later loops get, and look at them. */
void values_between(double x)
{
    op_par_loop(scaled, "scaled_1", cells, DIRECT(a, OP_READ), DIRECT(b, OP_WRITE),
                op_arg_gbl(&scale, 1, "double", OP_READ));
    scale = scale * x;
    op_par_loop(scaled, "scaled_2", cells, DIRECT(b, OP_READ), DIRECT(c, OP_WRITE),
                op_arg_gbl(&scale, 1, "double", OP_READ));
    look_away();
}

void constant_between(double x)
{
    op_par_loop(use_constant, "constant_1", cells, DIRECT(a, OP_READ), DIRECT(b, OP_WRITE));
    factor = x;
    op_decl_const(1, "double", &factor);
    op_par_loop(use_constant, "constant_2", cells, DIRECT(b, OP_READ), DIRECT(c, OP_WRITE));
    look_away();
}

void fetch_between(double *x)
{
    op_par_loop(read_write, "fetched", cells, DIRECT(a, OP_READ), DIRECT(b, OP_WRITE));
    op_fetch_data(b, x);
    op_par_loop(change, "behind_fetch", cells, DIRECT(b, OP_RW));
    look_away();
}

void order_between(void)
{
    op_par_loop(change, "before_order", cells, DIRECT(a, OP_RW));
    op_partition("", "", cells, e2c, NULL);
    op_par_loop(change, "behind_order", cells, DIRECT(b, OP_RW));
    look_away();
}

void clock_between(double *cpu, double *wall)
{
    op_par_loop(change, "before_clock", cells, DIRECT(a, OP_RW));
    op_timers(cpu, wall);
    op_par_loop(change, "behind_clock", cells, DIRECT(b, OP_RW));
    look_away();
}

void unknown_between(void)
{
    op_par_loop(change, "before_unknown", cells, DIRECT(a, OP_RW));
    look_away();
    op_par_loop(change, "behind_unknown", cells, DIRECT(b, OP_RW));
    look_away();
}

void rebind_between(void)
{
    op_dat x = a;

    op_par_loop(change, "before_rebind", cells, DIRECT(x, OP_RW));
    x = b;
    op_par_loop(change, "behind_rebind", cells, DIRECT(x, OP_RW));
    look_away();
}

void other_set(void)
{
    op_par_loop(change, "over_cells", cells, DIRECT(a, OP_RW));
    op_par_loop(halve, "over_edges", edges, DIRECT(one, OP_RW));
    look_away();
}

void alone(void)
{
    op_par_loop(change, "before_print", cells, DIRECT(a, OP_RW));
    op_par_loop(speak, "prints", cells, DIRECT(a, OP_READ));
    op_par_loop(set_through, "in_place", cells, AT(a, c2c, 0, OP_WRITE));
    op_par_loop(change, "behind_in_place", cells, DIRECT(b, OP_RW));
    op_par_loop(change, "optional", cells, op_opt_arg_dat(1, b, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(change, "behind_optional", cells, DIRECT(c, OP_RW));
    op_par_loop(read_write, "doubled", cells, DIRECT(b, OP_READ), DIRECT(b, OP_WRITE));
    look_away();
}

void another_dim(void)
{
    op_par_loop(change, "dim_1", cells, DIRECT(a, OP_RW));
    op_par_loop(pair, "dim_2", cells, op_arg_dat(a, -1, OP_ID, 2, "double", OP_RW));
    look_away();
}

/* The last loop of a turn and the first of the next one. */
void wraps(int turns)
{
    for (int t = 0; t < turns; t++) {
        op_par_loop(change, "first_of_turn", cells, DIRECT(a, OP_RW));
        op_par_loop(halve, "second_of_turn", edges, DIRECT(one, OP_RW));
        op_par_loop(read_write, "last_of_turn", cells, DIRECT(a, OP_READ), DIRECT(b, OP_WRITE));
    }
    look_away();
}

static void inner(op_dat x, op_dat y)
{
    op_par_loop(read_write, "inside", cells, DIRECT(x, OP_READ), DIRECT(y, OP_WRITE));
}

/* Loops of a function that is called stand in the caller's order, with its dats. */
void calls(void)
{
    op_par_loop(change, "before_call", cells, DIRECT(a, OP_RW));
    inner(a, b);
    op_par_loop(change, "behind_call", cells, DIRECT(b, OP_RW));
    look_away();
}

static void of_level(op_dat x)
{
    op_par_loop(change, "level_1", cells, DIRECT(x, OP_RW));
    op_par_loop(halve, "level_2", cells, DIRECT(x, OP_RW));
}

/* Within one call a parameter is one dat; in the next it is another. */
void levels(void)
{
    for (int l = 0; l < 4; l++) of_level(list[l]);
    look_away();
}

/* Both ways have their group. */
void ways(int which)
{
    op_par_loop(read_write, "fork", cells, DIRECT(a, OP_READ), DIRECT(b, OP_WRITE));
    if (which) {
        op_par_loop(change, "left", cells, DIRECT(b, OP_RW));
    } else {
        op_par_loop(halve, "right", cells, DIRECT(b, OP_RW));
    }
    look_away();
}

/* Both use a map and nothing else in common: not worth it. */
void little(void)
{
    op_par_loop(gather, "little_1", edges, AT(a, e2c, 0, OP_READ), AT(b, e2c, 1, OP_READ),
                DIRECT(one, OP_WRITE));
    op_par_loop(gather, "little_2", edges, AT(c, e2n, 0, OP_READ), AT(d, e2n, 1, OP_READ),
                DIRECT(wide, OP_WRITE));
    look_away();
}

void numbers(void)
{
    op_par_loop(number, "number_1", cells, op_arg_idx(-1, OP_ID), DIRECT(a, OP_WRITE));
    op_par_loop(number, "number_2", cells, op_arg_idx(-1, OP_ID), DIRECT(b, OP_WRITE));
    look_away();
}

/* The loop in the repetition runs several times between the other two. */
void one_turn(int turns)
{
    op_par_loop(change, "before_turns", cells, DIRECT(a, OP_RW));
    for (int t = 0; t < turns; t++)
        op_par_loop(halve, "in_turn", cells, DIRECT(a, OP_RW));
    op_par_loop(read_write, "behind_turns", cells, DIRECT(a, OP_READ), DIRECT(b, OP_WRITE));
    look_away();
}

/* A large loop stands between two pairs, so that all of them together save too little: one pair is
 * the best part. */
void best_part(void)
{
    op_par_loop(gather, "good_1", edges, AT(a, e2c, 0, OP_READ), AT(b, e2c, 1, OP_READ),
                DIRECT(one, OP_WRITE));
    op_par_loop(gather, "good_2", edges, AT(a, e2c, 0, OP_READ), AT(b, e2n, 1, OP_READ),
                DIRECT(wide, OP_WRITE));
    op_par_loop(enlarge, "large", edges, op_arg_dat(large, -1, OP_ID, 64, "double", OP_RW));
    op_par_loop(gather, "better_1", edges, AT(c, e2c, 0, OP_READ), AT(d, e2c, 1, OP_READ),
                DIRECT(thin, OP_WRITE));
    op_par_loop(gather, "better_2", edges, AT(c, e2c, 0, OP_READ), AT(d, e2c, 1, OP_READ),
                DIRECT(flat, OP_WRITE));
    look_away();
}
