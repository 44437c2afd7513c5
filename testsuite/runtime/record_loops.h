/* record_loops.h: loops that replace whole dats, and groups of them, for tests of what the runtime
 * leaves out: copies, and values that a later loop can do without. The log has a letter for each
 * launch: m, u, c, s of the loops, M, C of joined loops. */
#ifndef CLEAVE_TEST_RECORD_LOOPS_H
#define CLEAVE_TEST_RECORD_LOOPS_H

#define CLEAVE_UNIT "records"
#include "hand_made.h"
#include "runtime/exec/group.h"

enum { CELLS = 50, LOG = 400, DATS = 4 };

static op_set cells;
static op_dat a; /* what others are computed from */
static op_dat b;
static op_dat p; /* computed from a */
static op_dat q; /* what p is added to */
static op_dat *const dats[DATS] = {&a, &b, &p, &q};
static double values[DATS][CELLS]; /* as they must be */
static char log_of[LOG];

/* ---- loops ------------------------------------------------------------------------------- */

static void make(const double *from, double *to)
{
    to[0] = 2.0 * from[0] + 1.0;
}

static void use(const double *from, double *to)
{
    to[0] += from[0];
}

static void copy(const double *from, double *to)
{
    to[0] = from[0];
}

static void step(double *value)
{
    value[0] += 1.0;
}

#define MAKE                                                                                       \
    make, "make", cells, op_arg_dat(from, -1, OP_ID, 1, "double", OP_READ),                        \
        op_arg_dat(to, -1, OP_ID, 1, "double", OP_WRITE)
#define USE                                                                                        \
    use, "use", cells, op_arg_dat(from, -1, OP_ID, 1, "double", OP_READ),                          \
        op_arg_dat(to, -1, OP_ID, 1, "double", OP_RW)
#define COPY                                                                                       \
    copy, "copy", cells, op_arg_dat(from, -1, OP_ID, 1, "double", OP_READ),                        \
        op_arg_dat(to, -1, OP_ID, 1, "double", OP_WRITE)
#define STEP step, "step", cells, op_arg_dat(to, -1, OP_ID, 1, "double", OP_RW)

/* The runtime's clock: it does not depend on how busy the machine is. */
static double now;

double __wrap_cleave_seconds(void);
double __wrap_cleave_seconds(void)
{
    now += 1e-7;
    return now;
}

static double *right(op_dat dat)
{
    int d = 0;
    while (*dats[d] != dat) {
        d++;
    }
    return values[d];
}

static void call_make(op_dat from, op_dat to)
{
    LOOP(MAKE);
    for (int c = 0; c < CELLS; c++) {
        make(right(from) + c, right(to) + c);
    }
}

static void call_use(op_dat from, op_dat to)
{
    LOOP(USE);
    for (int c = 0; c < CELLS; c++) {
        use(right(from) + c, right(to) + c);
    }
}

static void call_copy(op_dat from, op_dat to)
{
    LOOP(COPY);
    memcpy(right(to), right(from), sizeof values[0]);
}

static void call_step(op_dat to)
{
    LOOP(STEP);
    for (int c = 0; c < CELLS; c++) {
        step(right(to) + c);
    }
}

/* ---- variants ---------------------------------------------------------------------------- */

static void note(char letter)
{
    const size_t length = strlen(log_of);
    CHECK(length + 1 < sizeof log_of);
    log_of[length] = letter;
    log_of[length + 1] = '\0';
}

/* Runs a kernel of two dats, arguments `from` and `to` of the launch. */
static void run(const struct cleave_launch *l, void (*kernel)(const double *, double *), int from,
                int to)
{
    for (int c = 0; c < CELLS; c++) {
        kernel((double *)l->data[from] + c, (double *)l->data[to] + c);
    }
}

static void make_run(const struct cleave_launch *l)
{
    note('m');
    run(l, make, 0, 1);
}

static void use_run(const struct cleave_launch *l)
{
    note('u');
    run(l, use, 0, 1);
}

static void copy_run(const struct cleave_launch *l)
{
    note('c');
    run(l, copy, 0, 1);
}

static void step_run(const struct cleave_launch *l)
{
    note('s');
    for (int c = 0; c < CELLS; c++) {
        step((double *)l->data[0] + c);
    }
}

/* make, then use of what it has made, which is stored if the launch says so. */
static void make_use_run(const struct cleave_launch *l)
{
    note('M');
    for (int c = 0; c < CELLS; c++) {
        double made;
        make((double *)l->data[0] + c, &made);
        use(&made, (double *)l->data[2] + c);
        if ((l->zeros[1] & CLEAVE_ZEROS_LEAVE) == 0) {
            ((double *)l->data[1])[c] = made;
        }
    }
}

/* step, then copy of what it has changed. */
static void step_copy_run(const struct cleave_launch *l)
{
    note('C');
    for (int c = 0; c < CELLS; c++) {
        step((double *)l->data[0] + c);
    }
    run(l, copy, 0, 1);
}

/* copy, then copy of the same dat. */
static void copy_copy_run(const struct cleave_launch *l)
{
    note('D');
    run(l, copy, 0, 1);
    run(l, copy, 0, 2);
}

static const struct cleave_variant variants[] = {
    HAND_VARIANT(make_run, 0),      HAND_VARIANT(use_run, 0),      HAND_VARIANT(copy_run, 0),
    HAND_VARIANT(step_run, 0),      HAND_VARIANT(make_use_run, 0), HAND_VARIANT(step_copy_run, 0),
    HAND_VARIANT(copy_copy_run, 0),
};
#define ROW(text, arguments, name, number)                                                         \
    {HAND_LOOP(text, arguments, name, variants[number]), .location = "records.c:7"}
#define READ_0 "d0.-1.0:1:double:R "
static const struct cleave_loop loops[] = {
    ROW(TEXT(MAKE), READ_0 "d1.-1.0:1:double:W", "make", 0),
    ROW(TEXT(USE), READ_0 "d1.-1.0:1:double:B", "use", 1),
    ROW(TEXT(COPY), READ_0 "d1.-1.0:1:double:W", "copy", 2),
    ROW(TEXT(STEP), "d0.-1.0:1:double:B", "step", 3),
    ROW("\001make+use 0", READ_0 "d1.-1.0:1:double:W d2.-1.0:1:double:B", "make+use", 4),
    ROW("\001step+copy 1", "d0.-1.0:1:double:B d1.-1.0:1:double:W", "step+copy", 5),
    ROW("\001copy+copy 2", READ_0 "d1.-1.0:1:double:W d2.-1.0:1:double:W", "copy+copy", 6)};
static const struct cleave_member make_use[] = {{0, (const int[]){0, 1}}, {1, (const int[]){1, 2}}};
static const struct cleave_member step_copy[] = {{3, (const int[]){0}}, {2, (const int[]){0, 1}}};
static const struct cleave_member copy_copy[] = {{2, (const int[]){0, 1}},
                                                 {2, (const int[]){0, 2}}};
static const struct cleave_group groups[] = {{.loop = 4, .members = 2, .member = make_use},
                                             {.loop = 5, .members = 2, .member = step_copy},
                                             {.loop = 6, .members = 2, .member = copy_copy}};
static const unsigned char replaces_1[] = {0, CLEAVE_RECORD_WHOLE};
static const unsigned char makes[] = {0, CLEAVE_RECORD_WHOLE, 0};
static const unsigned char copies_twice[] = {0, CLEAVE_RECORD_WHOLE, CLEAVE_RECORD_WHOLE};
static const struct cleave_records records[] = {
    {replaces_1, 0, 0}, {NULL, 0, 0},       {replaces_1, 0, 1},  {NULL, 0, 0},
    {makes, 0, 0},      {replaces_1, 0, 0}, {copies_twice, 0, 0}};
static const struct cleave_unit unit = {.abi = CLEAVE_ABI,
                                        .target = CLEAVE_TARGET_CUDA,
                                        .id = CLEAVE_UNIT,
                                        .source = "records.c",
                                        .loops = 7,
                                        .loop = loops,
                                        .key = &cleave_unit_key,
                                        .launch_error = launch_error,
                                        .records = records,
                                        .groups = 3,
                                        .group = groups};

/* ---- programs ---------------------------------------------------------------------------- */

static void start(void)
{
    static const char *const names[DATS] = {"a", "b", "p", "q"};
    op_init(0, NULL, 0);
    cells = op_decl_set(CELLS, "cells");
    for (int d = 0; d < DATS; d++) {
        for (int c = 0; c < CELLS; c++) {
            values[d][c] = c % 7 + d;
        }
        *dats[d] = op_decl_dat(cells, 1, "double", values[d], names[d]);
    }
    for (int d = 0; d < DATS; d++) {
        call_step(*dats[d]); /* everything is on the device now */
    }
    cleave_flush();
    cleave_groups_start();
    memset(&cleave_group_use, 0, sizeof cleave_group_use);
    cleave_buffer_use_forget();
    log_of[0] = '\0';
}

static int is_right(op_dat dat)
{
    double got[CELLS];
    op_fetch_data(dat, got);
    return memcmp(got, right(dat), sizeof got) == 0;
}

static void finish(void)
{
    CHECK(is_right(a) && is_right(b) && is_right(p) && is_right(q));
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
