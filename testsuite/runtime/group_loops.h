/* group_loops.h: loops and groups of them for tests of groups in the queue, and the values that
 * they must give. The log has a letter for each launch: s, a, t, b of the members, S, T, W, B of
 * joined loops. */
#ifndef CLEAVE_TEST_GROUP_LOOPS_H
#define CLEAVE_TEST_GROUP_LOOPS_H

#define CLEAVE_UNIT "group"
#include "hand_made.h"
#include "runtime/exec/group.h"

enum { CELLS = 50, LOG = 400 };

static int cells_count = CELLS; /* or less */
static op_set cells;
static op_dat x;
static op_dat y;
static op_dat z;

/* ---- loops ------------------------------------------------------------------------------- */

static void scale(double *value, const double *factor)
{
    value[0] = factor[0] * value[0] + 1.0;
}

static void add(const double *from, double *to)
{
    to[0] += from[0];
}

static void total(const double *value, double *sum)
{
    sum[0] += value[0];
}

static void both(double *value, const double *factor, const double *once_more)
{
    value[0] = factor[0] * value[0] + once_more[0];
}

#define SCALE                                                                                      \
    scale, "scale", cells, op_arg_dat(scaled, -1, OP_ID, 1, "double", OP_RW),                      \
        op_arg_gbl(factor, 1, "double", OP_READ)
#define ADD                                                                                        \
    add, "add", cells, op_arg_dat(from, -1, OP_ID, 1, "double", OP_READ),                          \
        op_arg_dat(to, -1, OP_ID, 1, "double", OP_RW)
#define TOTAL                                                                                      \
    total, "total", cells, op_arg_dat(of, -1, OP_ID, 1, "double", OP_READ),                        \
        op_arg_gbl(&sum, 1, "double", OP_INC)
#define BOTH                                                                                       \
    both, "both", cells, op_arg_dat(scaled, -1, OP_ID, 1, "double", OP_RW),                        \
        op_arg_gbl(factor, 1, "double", OP_READ), op_arg_gbl(other, 1, "double", OP_READ)

static int is_wrong; /* a joined loop computes something else than its members */
static char log_of[LOG];
static int fails_at;           /* the launch that fails; 0: none */
static double seconds_of[128]; /* that the device works on the launch with each letter */
static double device_seconds;  /* that it has worked so far */

static void note(char letter)
{
    const size_t length = strlen(log_of);
    device_seconds += seconds_of[(int)letter];
    if (length + 1 < sizeof log_of) {
        log_of[length] = letter;
        log_of[length + 1] = '\0';
    }
    if (fails_at > 0 && --fails_at == 0) {
        failure = "as the test wishes";
    }
}

/* The runtime's clock, by which launches wait too long for a group or not: it does not depend on
 * how busy the machine is. */
static double now;

double __wrap_cleave_seconds(void);
double __wrap_cleave_seconds(void)
{
    now += 1e-7;
    return now;
}

static double values[3][CELLS]; /* of x, y and z, as they must be */
static op_dat *const dats[] = {&x, &y, &z};

static int number_of(op_dat dat)
{
    return dat == x ? 0 : dat == y ? 1 : 2;
}

static void call_scale(op_dat scaled, double value)
{
    double *factor = &value;
    LOOP(SCALE);
    for (int c = 0; c < cells_count; c++) {
        scale(&values[number_of(scaled)][c], factor);
    }
    value = NAN; /* nobody may read it any more */
}

static void call_add(op_dat from, op_dat to)
{
    LOOP(ADD);
    for (int c = 0; c < cells_count; c++) {
        add(&values[number_of(from)][c], &values[number_of(to)][c]);
    }
}

static void call_total(op_dat of)
{
    double sum = 0.5;
    double right = 0.5;
    LOOP(TOTAL);
    for (int c = 0; c < cells_count; c++) {
        total(&values[number_of(of)][c], &right);
    }
    CHECK(fabs(sum - right) <= 1e-12 * right);
}

static void call_both(op_dat scaled, double value, double more)
{
    const double *factor = &value;
    const double *other = &more;
    LOOP(BOTH);
    for (int c = 0; c < cells_count; c++) {
        both(&values[number_of(scaled)][c], factor, other);
    }
}

/* ---- variants ---------------------------------------------------------------------------- */

static void run_scale(const struct cleave_launch *l, int value, int factor)
{
    for (int c = 0; c < cells_count; c++) {
        scale((double *)l->data[value] + c, l->data[factor]);
    }
}

static void run_add(const struct cleave_launch *l, int from, int to)
{
    for (int c = 0; c < cells_count; c++) {
        add((double *)l->data[from] + c, (double *)l->data[to] + c);
    }
}

static void run_total(const struct cleave_launch *l, int value, int sum)
{
    double all = 0.0;
    for (int c = 0; c < cells_count; c++) {
        total((double *)l->data[value] + c, &all);
    }
    *(double *)l->result[sum] = all;
}

static void run_both(const struct cleave_launch *l, int value, int factor, int other)
{
    for (int c = 0; c < cells_count; c++) {
        both((double *)l->data[value] + c, l->data[factor], l->data[other]);
    }
}

static void scale_run(const struct cleave_launch *l)
{
    note('s');
    run_scale(l, 0, 1);
}

static void add_run(const struct cleave_launch *l)
{
    note('a');
    run_add(l, 0, 1);
}

static void total_run(const struct cleave_launch *l)
{
    note('t');
    run_total(l, 0, 1);
}

static void both_run(const struct cleave_launch *l)
{
    note('b');
    run_both(l, 0, 1, 2);
}

/* scale, then add: the scaled dat is what is added. */
static void scale_add_run(const struct cleave_launch *l)
{
    note('S');
    run_scale(l, 1, 0);
    run_add(l, 1, 2);
}

/* scale, add, total: of the dat that was added to. */
static void scale_add_total_run(const struct cleave_launch *l)
{
    note('T');
    run_scale(l, 0, 1);
    run_add(l, 0, 2);
    run_total(l, 2, 3);
}

/* add, then scale what was added. */
static void add_scale_run(const struct cleave_launch *l)
{
    note('W');
    if (failure != NULL) {
        return; /* it has not run */
    }
    run_add(l, 0, 1);
    run_scale(l, 0, 2);
    *(double *)l->data[0] += is_wrong;
}

/* both with both: equal factors, two other values. */
static void both_both_run(const struct cleave_launch *l)
{
    note('B');
    run_both(l, 0, 1, 2);
    run_both(l, 0, 1, 3);
}

static const struct cleave_variant variants[] = {
    HAND_VARIANT(scale_run, 0),
    HAND_VARIANT(add_run, 0),
    HAND_VARIANT(total_run, 0),
    HAND_VARIANT(both_run, 0),
    HAND_VARIANT(scale_add_run, 0),
    HAND_VARIANT(scale_add_total_run, 0),
    HAND_VARIANT(add_scale_run, sizeof(double)), /* as if it kept contributions */
    HAND_VARIANT(both_both_run, 0)};
#define ROW(text, arguments, name, number)                                                         \
    {HAND_LOOP(text, arguments, name, variants[number]), .location = "group.c:7"}
static const struct cleave_loop loops[] = {
    ROW(TEXT(SCALE), "d0.-1.0:1:double:B g-1.-1.0:1:double:R", "scale", 0),
    ROW(TEXT(ADD), "d0.-1.0:1:double:R d1.-1.0:1:double:B", "add", 1),
    ROW(TEXT(TOTAL), "d0.-1.0:1:double:R g-1.-1.0:1:double:I", "total", 2),
    ROW(TEXT(BOTH), "d0.-1.0:1:double:B g-1.-1.0:1:double:R g-1.-1.0:1:double:R", "both", 3),
    ROW("\001scale+add 0", "g-1.-1.0:1:double:R d1.-1.0:1:double:B d2.-1.0:1:double:B", "scale+add",
        4),
    ROW("\001scale+add+total 1",
        "d0.-1.0:1:double:B g-1.-1.0:1:double:R d2.-1.0:1:double:B g-1.-1.0:1:double:I",
        "scale+add+total", 5),
    ROW("\001add+scale 2", "d0.-1.0:1:double:B d1.-1.0:1:double:B g-1.-1.0:1:double:R", "add+scale",
        6),
    ROW("\001both+both 3",
        "d0.-1.0:1:double:B g-1.-1.0:1:double:R g-1.-1.0:1:double:R g-1.-1.0:1:double:R",
        "both+both", 7)};
static const struct cleave_member scale_add[] = {{0, (const int[]){1, 0}},
                                                 {1, (const int[]){1, 2}}};
static const struct cleave_member scale_add_total[] = {
    {0, (const int[]){0, 1}}, {1, (const int[]){0, 2}}, {2, (const int[]){2, 3}}};
static const struct cleave_member add_scale[] = {{1, (const int[]){0, 1}},
                                                 {0, (const int[]){0, 2}}};
static const struct cleave_member both_both[] = {{3, (const int[]){0, 1, 2}},
                                                 {3, (const int[]){0, 1, 3}}};
static const struct cleave_group groups[] = {{.loop = 4, .members = 2, .member = scale_add},
                                             {.loop = 5, .members = 3, .member = scale_add_total},
                                             {.loop = 6, .members = 2, .member = add_scale},
                                             {.loop = 7, .members = 2, .member = both_both}};
static const struct cleave_unit unit = {.abi = CLEAVE_ABI,
                                        .target = CLEAVE_TARGET_CUDA,
                                        .id = CLEAVE_UNIT,
                                        .source = "group.c",
                                        .loops = 8,
                                        .loop = loops,
                                        .key = &cleave_unit_key,
                                        .launch_error = launch_error,
                                        .groups = 4,
                                        .group = groups};

/* ---- programs ---------------------------------------------------------------------------- */

static void start(void)
{
    op_init(0, NULL, 0);
    cells = op_decl_set(cells_count, "cells");
    for (int d = 0; d < 3; d++) {
        for (int c = 0; c < cells_count; c++) {
            values[d][c] = c % 7 + d;
        }
        *dats[d] = op_decl_dat(cells, 1, "double", values[d], d == 0 ? "x" : d == 1 ? "y" : "z");
    }
    call_add(x, z); /* everything is on the device now */
    call_add(y, z);
    call_total(z); /* memory for results, too */
    cleave_groups_start();
    memset(&cleave_group_use, 0, sizeof cleave_group_use);
    log_of[0] = '\0';
}

static int is_right(op_dat dat)
{
    double got[CELLS];
    op_fetch_data(dat, got);
    return memcmp(got, values[number_of(dat)], (size_t)cells_count * sizeof *got) == 0;
}

static void finish(void)
{
    CHECK(is_right(x) && is_right(y) && is_right(z));
    op_exit();
    CHECK(in_use == 0);
}

/* The launches since the last call. */
static const char *launches(void)
{
    static char last[LOG];
    cleave_flush();
    memcpy(last, log_of, sizeof last);
    log_of[0] = '\0';
    return last;
}

#endif
