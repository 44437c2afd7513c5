/* group.c: groups of loops in the queue: that the joined loop runs instead of its members, with the
 * values that they were called with, and that the members run by themselves, each once and in
 * order, whatever comes between them or is wrong with the group. The log has a letter for each
 * launch: s, a, t, b of the members, S, T, W, B of joined loops. */
#define CLEAVE_UNIT "group"
#include "cleave_gen.h"
#include "op_seq.h"

#include "runtime/exec/group.h"

#include <setjmp.h>

#include "check.h"
#include "child.h"
#include "fake_device.h"

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

#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define LOOP(...) op_par_loop(__VA_ARGS__)
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
static int fails_at; /* the launch that fails; 0: none */
static const char *failure;

static void note(char letter)
{
    const size_t length = strlen(log_of);
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

static void pass(double seconds)
{
    now += seconds;
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

static const char *launch_error(void)
{
    const char *error = failure;
    failure = NULL;
    return error;
}

#define VARIANT(function, bytes)                                                                   \
    {.name = #function,                                                                            \
     .schedule = CLEAVE_FUSED,                                                                     \
     .plan = CLEAVE_PLAN_NONE,                                                                     \
     .tmp_bytes = (bytes),                                                                         \
     .run = function}
static const struct cleave_variant variants[] = {
    VARIANT(scale_run, 0),
    VARIANT(add_run, 0),
    VARIANT(total_run, 0),
    VARIANT(both_run, 0),
    VARIANT(scale_add_run, 0),
    VARIANT(scale_add_total_run, 0),
    VARIANT(add_scale_run, sizeof(double)), /* as if it kept contributions */
    VARIANT(both_both_run, 0)};
#define ROW(text, arguments, name, number)                                                         \
    {.call = (text),                                                                               \
     .signature = (arguments),                                                                     \
     .kernel = (name),                                                                             \
     .location = "group.c:7",                                                                      \
     .variants = 1,                                                                                \
     .variant = &variants[number]}
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

/* ---- tests ------------------------------------------------------------------------------- */

static void test_groups(void)
{
    start();
    call_scale(x, 0.5);
    call_add(x, y);
    CHECK_TEXT(log_of, ""); /* they wait for a reduction */
    call_total(y);
    CHECK_TEXT(launches(), "T");
    call_scale(z, 0.25); /* other dats */
    call_add(z, x);
    call_total(x);
    CHECK_TEXT(launches(), "T");
    call_scale(x, 0.5); /* the longest that is complete, and what no group covers */
    call_add(x, y);
    call_scale(x, 0.75);
    call_total(x);
    CHECK_TEXT(launches(), "Sst");
    call_add(y, x);
    call_scale(y, 2.0);
    call_both(x, 0.5, 1.0);
    call_both(x, 0.5, 2.0);
    CHECK_TEXT(launches(), "WB");
    finish();
}

/* A path that fails begins again at a later loop of it. */
static void test_restart(void)
{
    start();
    call_scale(x, 0.5);
    call_add(x, y);
    call_scale(x, 0.5); /* the group scale+add comes first */
    call_add(x, y);
    call_total(y);
    CHECK_TEXT(launches(), "ST");
    call_add(x, z);
    call_add(z, y);
    call_scale(z, 0.5);
    CHECK_TEXT(launches(), "aW");
    finish();
}

static void test_values(void)
{
    start();
    call_both(x, 0.5, 1.0);
    call_both(x, 0.25, 2.0); /* the factor is one argument of the joined loop */
    CHECK_TEXT(launches(), "bb");
    finish();
}

/* One dat where two were compiled, two where one was. */
static void test_aliases(void)
{
    start();
    for (int i = 0; i < 5; i++) {
        call_scale(x, 0.5);
        call_add(y, z);
        call_total(z);
        CHECK_TEXT(launches(), "sat");
        call_scale(x, 0.5);
        call_add(y, x);
        call_total(x);
        CHECK_TEXT(launches(), "sat");
        call_scale(x, 0.5);
        call_add(x, y);
        call_total(x);
        CHECK_TEXT(launches(), "St");
    }
    cleave_generation++;
    call_scale(x, 0.5);
    call_add(x, y);
    call_total(y);
    CHECK_TEXT(launches(), "T");
    finish();
}

static void test_overlay(void)
{
    start();
    op_dat over = op_decl_dat_overlay(cells, x);
    const struct cleave_dat *shared = cleave_dat_of(x);
    CHECK(shared->overlay != NULL);
    op_dat keep = z;
    z = over;
    call_scale(x, 0.5);
    memcpy(values[2], values[0], sizeof values[2]);
    call_add(z, y); /* what `scale` has written, under another name */
    cleave_flush();
    z = keep;
    CHECK(strchr(launches(), 'S') == NULL);
    CHECK(is_right(x) && is_right(y));
    op_exit();
}

/* Waiting stops where it was in vain three times, and begins again when it would not have been. */
static void test_missed(void)
{
    start();
    for (int i = 0; i < 6; i++) {
        call_scale(x, 0.5);
        CHECK_TEXT(log_of, i < 3 ? "" : "s");
        CHECK(is_right(x));
        CHECK_TEXT(launches(), "s");
    }
    CHECK(cleave_group_use.missed == 3);
    call_scale(x, 0.5);
    call_add(x, y);
    CHECK_TEXT(launches(), "sa");
    call_scale(x, 0.5);
    CHECK_TEXT(log_of, "");
    call_add(x, y);
    call_total(y);
    CHECK_TEXT(launches(), "T");
    finish();
}

/* A pause between two members: the device could have worked meanwhile. */
static void test_pauses(void)
{
    start();
    for (int i = 0; i < 6; i++) {
        call_add(x, y);
        pass(0.002);
        call_scale(x, 0.5);
        CHECK_TEXT(launches(), i < 3 ? "W" : "as");
    }
    call_add(x, y);
    call_scale(x, 0.5);
    launches();
    call_add(x, y);
    call_scale(x, 0.5);
    CHECK_TEXT(launches(), "W");
    finish();
}

static void test_off(void)
{
    setenv("CLEAVE_FUSE", "off", 1);
    start();
    unsetenv("CLEAVE_FUSE");
    call_scale(x, 0.5);
    CHECK_TEXT(log_of, "s");
    call_add(x, y);
    call_total(y);
    CHECK_TEXT(launches(), "sat");
    CHECK(cleave_group_use.launches == 0);
    finish();
}

/* Dats that come and go, and an order of the runtime that changes between two members. */
static void test_dats(void)
{
    start();
    op_dat keep = x;
    for (int i = 0; i < 40; i++) {
        x = op_decl_dat_temp(cells, 1, "double", (double *)NULL, "temporary");
        memset(values[0], 0, sizeof values[0]);
        call_scale(x, 0.5);
        cleave_generation += i % 3 == 0;
        call_add(x, y);
        call_total(y);
        CHECK(is_right(x));
        op_free_dat_temp(x);
    }
    CHECK(cleave_group_use.launches > 20);
    x = keep;
    CHECK(is_right(y));
    op_exit();
    CHECK(in_use == 0);
}

static void test_unit(void)
{
    start();
    call_scale(x, 0.5);
    cleave_unregister(&unit);
    CHECK_TEXT(launches(), "s");
    cleave_register(&unit);
    call_scale(x, 0.5);
    call_add(x, y);
    call_total(y);
    CHECK_TEXT(launches(), "T");
    finish();
}

/* Without memory for the contributions of the joined loop its members run. */
static void test_memory(void)
{
    static const size_t left[] = {100, 1 << 20, 0}; /* bytes of the device */
    static const char *const runs[] = {"as", "W", "W"};
    const size_t all = budget;
    start();
    for (int i = 0; i < 3; i++) {
        budget = in_use + left[i];
        call_add(x, y);
        call_scale(x, 0.5);
        CHECK_TEXT(launches(), runs[i]);
    }
    budget = all;
    finish();
}

static long count_of(const char *name, const char *variant)
{
    long count = 0;
    for (const struct cleave_record *r = cleave_records; r != NULL; r = r->next) {
        count += strcmp(r->name, name) == 0 && strcmp(r->variant, variant) == 0 ? r->count : 0;
    }
    return count;
}

static void test_records(void)
{
    start();
    for (int i = 0; i < 10; i++) {
        call_scale(x, 0.5);
        call_add(x, y);
        call_total(y);
        CHECK_TEXT(launches(), "T");
    }
    CHECK(count_of("scale+add+total", "scale_add_total_run") == 10);
    CHECK(count_of("scale", "in scale+add+total") == 10);
    CHECK(count_of("add", "in scale+add+total") == 10);
    CHECK(count_of("total", "in scale+add+total") == 10);
    CHECK(count_of("scale", "scale_run") == 0 && count_of("add", "add_run") == 2);
    CHECK(count_of("total", "total_run") == 1);
    CHECK(cleave_group_use.launches == 10 && cleave_group_use.loops == 30);
    call_scale(x, 0.5);
    launches();
    CHECK(count_of("scale", "scale_run") == 1);
    finish();
}

/* ---- errors ------------------------------------------------------------------------------ */

static void failing_group(void)
{
    start();
    call_add(x, y);
    fails_at = 1;
    call_scale(x, 0.5);
    cleave_flush();
}

static void failing_member(void)
{
    start();
    call_add(x, y);
    fails_at = 1;
    cleave_flush();
}

static void test_messages(void)
{
    char said[4096];
    CHECK(child_run(failing_group, said, sizeof said) == 1);
    CHECK(strstr(said, "error: loop 'add+scale' (group.c:7), which runs 'add' (") != NULL);
    CHECK(strstr(said, "testsuite/runtime/group.c:") != NULL);
    CHECK(strstr(said, " and 'scale' (") != NULL && strstr(said, ") as one kernel: ") != NULL);
    CHECK(strstr(said, "'add_scale_run' failed on a test device: as the test wishes") != NULL);
    CHECK(child_run(failing_member, said, sizeof said) == 1);
    CHECK(strstr(said, "error: loop 'add' (") != NULL && strstr(said, "one kernel") == NULL);
}

static jmp_buf out;

static void survive(const char *message)
{
    (void)message;
    longjmp(out, 1);
}

static __attribute__((noinline)) void fail_in(op_dat a, op_dat b, int launch)
{
    call_add(a, b);
    fails_at = launch;
    call_scale(a, 0.5);
    cleave_flush();
}

/* A program that goes on after an error: the launch that failed counts as run, and what comes after
 * it is neither lost nor joined with what was there before. */
static void surviving_program(void)
{
    start();
    const cleave_error_handler before = cleave_set_error_handler(survive);
    for (int i = 0; i < 6; i++) {
        if (setjmp(out) == 0) {
            fail_in(x, z, 1);
            CHECK(!"the launch fails");
        }
        fails_at = 0;
        op_fetch_data(x, values[0]); /* whatever the failed loop has done */
        op_fetch_data(y, values[1]);
        op_fetch_data(z, values[2]);
        log_of[0] = '\0';
        call_scale(x, 0.5);
        call_add(x, y);
        call_total(y);
        CHECK_TEXT(launches(), "T");
    }
    cleave_set_error_handler(before);
    CHECK(is_right(x) && is_right(y) && is_right(z));
    op_exit();
    exit(check_failures != 0 ? 3 : 0);
}

static void test_survival(void)
{
    char said[4096];
    const int code = child_run(surviving_program, said, sizeof said);
    CHECK(code == 0);
    fputs(code != 0 ? said : "", stderr);
}

/* ---- verified ---------------------------------------------------------------------------- */

/* Changes the first value as programs do that know nothing of a device. */
static void put(op_dat dat, double value)
{
    ((double *)(void *)dat->data)[0] = values[number_of(dat)][0] = value;
}

static void verified_program(void)
{
    setenv("CLEAVE_VERIFY", "1", 1);
    start();
    log_of[0] = '\0';
    for (int i = 0; i < 2; i++) {
        call_scale(x, 0.5);
        call_add(x, y);
        call_total(y);
    }
    CHECK_TEXT(launches(), "saStTsaStT");
    call_both(x, 0.5, 1.0);
    CHECK(is_right(x)); /* looking changes nothing */
    call_both(x, 0.5, 2.0);
    CHECK_TEXT(launches(), "bbB");
    call_add(x, y);
    op_put_data(y);
    call_scale(x, 0.5);
    call_total(y);
    CHECK_TEXT(launches(), "ast");
    call_add(z, y);
    put(z, 3.0); /* only the first of the two reads it */
    call_scale(z, 0.5);
    CHECK_TEXT(launches(), "as");
    call_scale(x, 0.5);
    call_add(x, y);
    put(x, 4.0); /* after a group that may go on */
    call_total(y);
    CHECK_TEXT(launches(), "saSt");
    op_dat kept = x;
    x = op_decl_dat_temp(cells, 1, "double", (double *)NULL, "temporary");
    call_scale(x, 0.5);
    op_free_dat_temp(x); /* nobody can compare it when the group is complete */
    x = kept;
    call_add(y, z);
    CHECK_TEXT(launches(), "sa");
    call_add(x, y);
    is_wrong = 1;
    call_scale(x, 0.5);
    op_exit();
}

static void right_program(void)
{
    setenv("CLEAVE_VERIFY", "1", 1);
    start();
    call_add(x, y);
    call_scale(x, 0.5);
    CHECK(is_right(x) && is_right(y));
    op_exit();
    exit(check_failures != 0 ? 3 : 0);
}

static void test_verify(void)
{
    char said[4096];
    CHECK(child_run(right_program, said, sizeof said) == 0);
    CHECK(strstr(said, "CLEAVE_VERIFY: 1 groups of loops that run as one kernel agree with") !=
          NULL);
    CHECK(child_run(verified_program, said, sizeof said) == 1);
    CHECK(strstr(said, "failed: ") == NULL);
    CHECK(strstr(said, "CLEAVE_VERIFY: loop 'add+scale', which runs 'add' (") != NULL);
    CHECK(strstr(said, "variant 'add_scale_run' on cuda: dat 'x' element 0 component 0 is ") !=
          NULL);
    CHECK(strstr(said, ", one by one the loops give ") != NULL);
    if (strstr(said, "failed: ") != NULL) {
        fputs(said, stderr);
    }
}

/* ---- random programs --------------------------------------------------------------------- */

static unsigned chance = 1;

static int pick(int below)
{
    chance = chance * 1664525 + 1013904223;
    return (int)((chance >> 16) % (unsigned)below);
}

static void interrupt(void)
{
    switch (pick(12)) {
    case 0:
        CHECK(is_right(*dats[pick(3)]));
        break;
    case 1:
        cleave_flush();
        break;
    case 2:
        cleave_generation++;
        break;
    case 3:
        pass(150e-6);
        break;
    default:
        break;
    }
}

/* Sequences of loops over dats at random, some of which come again with small changes: each loop
 * runs once, in order, and its effects are right, whoever looks at them when. */
static void test_random(void)
{
    struct {
        int kind;
        int a;
        int b;
    } step[12];
    start();
    for (int s = 0; s < 12; s++) {
        step[s].kind = step[s].a = step[s].b = 0;
    }
    for (int i = 0; i < 2000; i++) {
        const int length = 1 + pick(12);
        for (int s = 0; s < length; s++) {
            if (i % 20 == 0 || pick(40) == 0) {
                step[s].kind = pick(8);
                step[s].a = pick(3);
                step[s].b = (step[s].a + 1 + pick(2)) % 3;
            }
            op_dat a = *dats[step[s].a];
            op_dat b = *dats[step[s].b];
            if (step[s].kind < 3) {
                call_scale(a, pick(10) == 0 ? 0.25 : 0.125);
            } else if (step[s].kind < 6) {
                call_add(a, b);
            } else if (step[s].kind == 6) {
                call_total(a);
            } else {
                call_both(a, pick(3) == 0 ? 0.25 : 0.125, 1.0);
            }
            if (pick(15) == 0) {
                interrupt();
            }
            if (values[step[s].b][0] > 1e100) {
                call_scale(b, 0.0);
            }
        }
        log_of[0] = '\0';
    }
    CHECK(cleave_group_use.launches > 500 && cleave_group_use.missed > 100);
    finish();
}

/* ---- trials ------------------------------------------------------------------------------ */

static char letter_at[TARGET_MARKS]; /* of the launch before each mark */
static double seconds_of[128];       /* of the launch with each letter */

static int mark_letter(int slot)
{
    letter_at[slot] = log_of[0] != '\0' ? log_of[strlen(log_of) - 1] : ' ';
    return 0;
}

static double time_of_letter(int begin, int end)
{
    (void)begin;
    return seconds_of[(int)letter_at[end]];
}

/* Lets the sequence come so often that a trial decides, and returns what it runs from then on. */
static const char *settled(double joined, double first, double second)
{
    int letters = 0;
    start();
    seconds_of['W'] = joined;
    seconds_of['a'] = first;
    seconds_of['s'] = second;
    for (int i = 0; i < 40; i++) {
        call_add(x, y);
        call_scale(x, 0.5);
        letters += (int)strlen(launches());
    }
    CHECK(letters >= 40 + 4 && letters <= 80 - 4); /* both have been tried */
    call_add(x, y);
    call_scale(x, 0.5);
    return launches();
}

/* What the sequence runs, 10 times, in a run that finds in the store what an earlier one has
 * decided. */
static const char *later_run(int apart)
{
    start();
    for (int i = 0; i < 10; i++) {
        call_add(x, y);
        call_scale(x, 0.5);
        cleave_flush();
    }
    const char *ran = launches();
    CHECK(cleave_group_use.apart == apart);
    finish();
    return ran;
}

/* Later runs measure nothing, unless the mesh is another one. */
static void test_kept(void)
{
    char folder[] = "/tmp/cleave-group.XXXXXX";
    char command[64];
    CHECK(mkdtemp(folder) != NULL);
    setenv("CLEAVE_TUNE", "auto", 1);
    setenv("CLEAVE_PLAN_CACHE", folder, 1);
    CHECK_TEXT(settled(5.0, 2.0, 4.0), "W");
    finish();
    CHECK_TEXT(later_run(0), "WWWWWWWWWW");
    cells_count = CELLS - 1;
    CHECK_TEXT(settled(5.0, 2.0, 2.0), "as");
    CHECK(cleave_group_use.apart == 1);
    finish();
    CHECK_TEXT(later_run(1), "asasasasasasasasasas");
    cells_count = CELLS;
    CHECK_TEXT(later_run(0), "WWWWWWWWWW");
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    setenv("CLEAVE_TUNE", "off", 1);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
}

/* The faster way wins. */
static void test_trials(void)
{
    setenv("CLEAVE_TUNE", "auto", 1);
    CHECK_TEXT(settled(5.0, 2.0, 4.0), "W");
    CHECK(cleave_group_use.apart == 0);
    finish();
    CHECK_TEXT(settled(5.0, 2.0, 2.0), "as");
    CHECK(cleave_group_use.apart == 1);
    call_scale(x, 0.5); /* another group is tried by itself */
    call_add(x, y);
    call_total(y);
    CHECK_TEXT(launches(), "T");
    for (int i = 0; i < 40; i++) { /* the loops have other variants by now */
        cleave_generation += i == 0;
        seconds_of['W'] = 3.0;
        call_add(x, y);
        call_scale(x, 0.5);
        launches();
    }
    call_add(x, y);
    call_scale(x, 0.5);
    CHECK_TEXT(launches(), "W");
    finish();
    setenv("CLEAVE_TUNE", "off", 1);
}

int main(void)
{
    static struct target_ops device;
    device = ops;
    device.mark = mark_letter;
    device.elapsed = time_of_letter;
    target_provide(&device);
    cleave_register(&unit);
    setenv("CLEAVE_TUNE", "off", 1);
    test_verify();
    test_survival();
    test_messages(); /* before a child has lost the device */
    test_groups();
    test_restart();
    test_values();
    test_aliases();
    test_overlay();
    test_missed();
    test_pauses();
    test_off();
    test_memory();
    test_dats();
    test_unit();
    test_records();
    test_random();
    test_trials();
    test_kept();
    return CHECK_RESULT();
}
