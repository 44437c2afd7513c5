/* record_loops.h: loops that replace whole dats, and groups of them, for tests of what the runtime
 * leaves out: copies, and values that a later loop can do without. The log has a letter for each
 * launch: m, u, c, s, b, w, r of the loops, M, C, D, N, B, W of joined loops. */
#ifndef CLEAVE_TEST_RECORD_LOOPS_H
#define CLEAVE_TEST_RECORD_LOOPS_H

#define CLEAVE_UNIT "records"
#include "hand_made.h"
#include "runtime/exec/group.h"

enum { CELLS = 50, LOG = 400, DATS = 5, WIDE = 8 };

static op_set cells;
static op_dat a; /* what others are computed from */
static op_dat b;
static op_dat p; /* computed from a */
static op_dat q; /* what p is added to */
static op_dat w; /* likewise computed from a, but has 8 components */
static op_dat *const dats[DATS] = {&a, &b, &p, &q, &w};
static double values[DATS + 1][CELLS * WIDE]; /* as they must be; the last one for other dats */
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

static void both(const double *from, double *to, double *other)
{
    to[0] = 2.0 * from[0] + 1.0;
    other[0] = from[0] - 3.0;
}

static void widen(const double *from, double *to)
{
    for (int k = 0; k < WIDE; k++) {
        to[k] = from[0] + k;
    }
}

static void reduce(const double *from, double *to)
{
    for (int k = 0; k < WIDE; k++) {
        to[0] += from[k];
    }
}

#define BOTH                                                                                       \
    both, "both", cells, op_arg_dat(from, -1, OP_ID, 1, "double", OP_READ),                        \
        op_arg_dat(to, -1, OP_ID, 1, "double", OP_WRITE),                                          \
        op_arg_dat(other, -1, OP_ID, 1, "double", OP_WRITE)
#define WIDEN                                                                                      \
    widen, "widen", cells, op_arg_dat(from, -1, OP_ID, 1, "double", OP_READ),                      \
        op_arg_dat(to, -1, OP_ID, 8, "double", OP_WRITE)
#define REDUCE                                                                                     \
    reduce, "reduce", cells, op_arg_dat(from, -1, OP_ID, 8, "double", OP_READ),                    \
        op_arg_dat(to, -1, OP_ID, 1, "double", OP_RW)

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
    while (d < DATS && *dats[d] != dat) {
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
    memcpy(right(to), right(from), CELLS * sizeof(double));
}

static void call_step(op_dat to)
{
    LOOP(STEP);
    for (int c = 0; c < CELLS; c++) {
        step(right(to) + c);
    }
}

static void call_both(op_dat from, op_dat to, op_dat other)
{
    LOOP(BOTH);
    for (int c = 0; c < CELLS; c++) {
        both(right(from) + c, right(to) + c, right(other) + c);
    }
}

static void call_widen(op_dat from, op_dat to)
{
    LOOP(WIDEN);
    for (int c = 0; c < CELLS; c++) {
        widen(right(from) + c, right(to) + WIDE * c);
    }
}

static void call_reduce(op_dat from, op_dat to)
{
    LOOP(REDUCE);
    for (int c = 0; c < CELLS; c++) {
        reduce(right(from) + WIDE * c, right(to) + c);
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

static void both_run(const struct cleave_launch *l)
{
    note('b');
    for (int c = 0; c < CELLS; c++) {
        both((double *)l->data[0] + c, (double *)l->data[1] + c, (double *)l->data[2] + c);
    }
}

static void widen_run(const struct cleave_launch *l)
{
    note('w');
    for (int c = 0; c < CELLS; c++) {
        widen((double *)l->data[0] + c, (double *)l->data[1] + WIDE * c);
    }
}

static void reduce_run(const struct cleave_launch *l)
{
    note('r');
    for (int c = 0; c < CELLS; c++) {
        reduce((double *)l->data[0] + WIDE * c, (double *)l->data[1] + c);
    }
}

/* both, then use of the first of what it has made. */
static void both_use_run(const struct cleave_launch *l)
{
    note('B');
    for (int c = 0; c < CELLS; c++) {
        double made;
        double other;
        both((double *)l->data[0] + c, &made, &other);
        use(&made, (double *)l->data[3] + c);
        if ((l->zeros[1] & CLEAVE_ZEROS_LEAVE) == 0) {
            ((double *)l->data[1])[c] = made;
        }
        if ((l->zeros[2] & CLEAVE_ZEROS_LEAVE) == 0) {
            ((double *)l->data[2])[c] = other;
        }
    }
}

static void run_widen_reduce(const struct cleave_launch *l)
{
    for (int c = 0; c < CELLS; c++) {
        double made[WIDE];
        widen((double *)l->data[0] + c, made);
        reduce(made, (double *)l->data[2] + c);
        if ((l->zeros[1] & CLEAVE_ZEROS_LEAVE) == 0) {
            memcpy((double *)l->data[1] + WIDE * c, made, sizeof made);
        }
    }
}

static void widen_reduce_run(const struct cleave_launch *l)
{
    note('W');
    run_widen_reduce(l);
}

/* step of what is widened then. */
static void step_widen_reduce_run(const struct cleave_launch *l)
{
    note('N');
    for (int c = 0; c < CELLS; c++) {
        step((double *)l->data[0] + c);
    }
    run_widen_reduce(l);
}

enum { MAKE_, USE_, COPY_, STEP_, BOTH_, WIDEN_, REDUCE_, LOOPS };
static const struct cleave_variant variants[] = {
    HAND_VARIANT(make_run, 0),
    HAND_VARIANT(use_run, 0),
    HAND_VARIANT(copy_run, 0),
    HAND_VARIANT(step_run, 0),
    HAND_VARIANT(both_run, 0),
    HAND_VARIANT(widen_run, 0),
    HAND_VARIANT(reduce_run, 0),
    HAND_VARIANT(make_use_run, 0),
    HAND_VARIANT(step_copy_run, 0),
    HAND_VARIANT(copy_copy_run, 0),
    HAND_VARIANT(both_use_run, 0),
    HAND_VARIANT(widen_reduce_run, 0),
    HAND_VARIANT(step_widen_reduce_run, 0),
};
#define ROW(text, arguments, name, number)                                                         \
    {HAND_LOOP(text, arguments, name, variants[number]), .location = "records.c:7"}
#define D(dat, dim, access) #dat ".-1.0:" #dim ":double:" #access
static const struct cleave_loop loops[] = {
    ROW(TEXT(MAKE), D(d0, 1, R) " " D(d1, 1, W), "make", MAKE_),
    ROW(TEXT(USE), D(d0, 1, R) " " D(d1, 1, B), "use", USE_),
    ROW(TEXT(COPY), D(d0, 1, R) " " D(d1, 1, W), "copy", COPY_),
    ROW(TEXT(STEP), D(d0, 1, B), "step", STEP_),
    ROW(TEXT(BOTH), D(d0, 1, R) " " D(d1, 1, W) " " D(d2, 1, W), "both", BOTH_),
    ROW(TEXT(WIDEN), D(d0, 1, R) " " D(d1, 8, W), "widen", WIDEN_),
    ROW(TEXT(REDUCE), D(d0, 8, R) " " D(d1, 1, B), "reduce", REDUCE_),
    ROW("\001make+use 0", D(d0, 1, R) " " D(d1, 1, W) " " D(d2, 1, B), "make+use", LOOPS),
    ROW("\001step+copy 1", D(d0, 1, B) " " D(d1, 1, W), "step+copy", LOOPS + 1),
    ROW("\001copy+copy 2", D(d0, 1, R) " " D(d1, 1, W) " " D(d2, 1, W), "copy+copy", LOOPS + 2),
    ROW("\001both+use 3", D(d0, 1, R) " " D(d1, 1, W) " " D(d2, 1, W) " " D(d3, 1, B), "both+use",
        LOOPS + 3),
    ROW("\001widen+reduce 4", D(d0, 1, R) " " D(d1, 8, W) " " D(d2, 1, B), "widen+reduce",
        LOOPS + 4),
    ROW("\001step+widen+reduce 5", D(d0, 1, B) " " D(d1, 8, W) " " D(d2, 1, B), "step+widen+reduce",
        LOOPS + 5)};
#define MEMBER(loop, ...)                                                                          \
    {                                                                                              \
        loop, (const int[])                                                                        \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
static const struct cleave_member make_use[] = {MEMBER(MAKE_, 0, 1), MEMBER(USE_, 1, 2)};
static const struct cleave_member step_copy[] = {MEMBER(STEP_, 0), MEMBER(COPY_, 0, 1)};
static const struct cleave_member copy_copy[] = {MEMBER(COPY_, 0, 1), MEMBER(COPY_, 0, 2)};
static const struct cleave_member both_use[] = {MEMBER(BOTH_, 0, 1, 2), MEMBER(USE_, 1, 3)};
static const struct cleave_member widen_reduce[] = {MEMBER(WIDEN_, 0, 1), MEMBER(REDUCE_, 1, 2)};
static const struct cleave_member step_widen_reduce[] = {MEMBER(STEP_, 0), MEMBER(WIDEN_, 0, 1),
                                                         MEMBER(REDUCE_, 1, 2)};
static const struct cleave_group groups[] = {
    {.loop = LOOPS, .members = 2, .member = make_use},
    {.loop = LOOPS + 1, .members = 2, .member = step_copy},
    {.loop = LOOPS + 2, .members = 2, .member = copy_copy},
    {.loop = LOOPS + 3, .members = 2, .member = both_use},
    {.loop = LOOPS + 4, .members = 2, .member = widen_reduce},
    {.loop = LOOPS + 5, .members = 3, .member = step_widen_reduce}};
enum { WHOLE = CLEAVE_RECORD_WHOLE, AGAIN = CLEAVE_RECORD_WHOLE | CLEAVE_RECORD_RECOMPUTABLE };
#define RECORDS(...) {(const unsigned char[]){__VA_ARGS__}, 0, 0}
static const struct cleave_records records[] = {RECORDS(0, WHOLE),
                                                {NULL, 0, 0},
                                                {(const unsigned char[]){0, WHOLE}, 0, 1},
                                                {NULL, 0, 0},
                                                RECORDS(0, WHOLE, WHOLE),
                                                RECORDS(0, WHOLE),
                                                {NULL, 0, 0},
                                                RECORDS(0, AGAIN, 0),
                                                RECORDS(0, WHOLE),
                                                RECORDS(0, WHOLE, WHOLE),
                                                RECORDS(0, AGAIN, AGAIN, 0),
                                                RECORDS(0, AGAIN, 0),
                                                RECORDS(0, AGAIN, 0)};
static const struct cleave_unit unit = {.abi = CLEAVE_ABI,
                                        .target = CLEAVE_TARGET_CUDA,
                                        .id = CLEAVE_UNIT,
                                        .source = "records.c",
                                        .loops = LOOPS + 6,
                                        .loop = loops,
                                        .key = &cleave_unit_key,
                                        .launch_error = launch_error,
                                        .records = records,
                                        .groups = 6,
                                        .group = groups};

/* ---- programs ---------------------------------------------------------------------------- */

static int dim_of(op_dat dat)
{
    return dat == w ? WIDE : 1;
}

static void start(void)
{
    static const char *const names[DATS] = {"a", "b", "p", "q", "w"};
    op_init(0, NULL, 0);
    cells = op_decl_set(CELLS, "cells");
    for (int d = 0; d < DATS; d++) {
        for (int c = 0; c < CELLS * WIDE; c++) {
            values[d][c] = c % 7 + d;
        }
        *dats[d] = op_decl_dat(cells, d == 4 ? WIDE : 1, "double", values[d], names[d]);
    }
    for (int d = 0; d < 4; d++) {
        call_step(*dats[d]); /* they are on the device now */
    }
    call_reduce(w, a);
    cleave_flush();
    cleave_groups_start();
    memset(&cleave_group_use, 0, sizeof cleave_group_use);
    cleave_buffer_use_forget();
    log_of[0] = '\0';
}

static int is_right(op_dat dat)
{
    double got[CELLS * WIDE];
    op_fetch_data(dat, got);
    return memcmp(got, right(dat), (size_t)(CELLS * dim_of(dat)) * sizeof *got) == 0;
}

static void finish(void)
{
    for (int d = 0; d < DATS; d++) {
        CHECK(is_right(*dats[d]));
    }
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
