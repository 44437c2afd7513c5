/* blank.c: loops that run by themselves and go by what is known of zeros: what a launch is told,
 * when a dat is filled, when zeros are stored again, and what a group does whose first loop would
 * have begun with zeros that it does not read. */
#define CLEAVE_UNIT "blank"
#include "hand_made.h"
#include "runtime/exec/group.h"
#include "runtime/mesh/mesh.h"

enum { CELLS = 40 };

static op_set cells;
static op_dat from; /* what is added */
static op_dat sum;  /* what it is added to */
static op_dat out;  /* what takes the sum and leaves zeros in it */
static double right_sum[CELLS], right_out[CELLS], given[CELLS];
static unsigned told; /* cleave_launch.zeros of the latest launch, of the sum */
static int joined;    /* launches of the group */

static void add(const double *x, double *to)
{
    to[0] += x[0];
}

static void plain(const double *x, double *to)
{
    to[0] += x[0];
}

static void take(double *of, double *to)
{
    to[0] += of[0];
    of[0] = 0.0;
}

static void use(const double *x, double *to)
{
    to[0] += x[0];
}

#define ADD                                                                                        \
    add, "add", cells, op_arg_dat(from, -1, OP_ID, 1, "double", OP_READ),                          \
        op_arg_dat(sum, -1, OP_ID, 1, "double", OP_RW)
#define PLAIN                                                                                      \
    plain, "plain", cells, op_arg_dat(from, -1, OP_ID, 1, "double", OP_READ),                      \
        op_arg_dat(sum, -1, OP_ID, 1, "double", OP_RW)
#define TAKE                                                                                       \
    take, "take", cells, op_arg_dat(sum, -1, OP_ID, 1, "double", OP_RW),                           \
        op_arg_dat(out, -1, OP_ID, 1, "double", OP_RW)
#define USE                                                                                        \
    use, "use", cells, op_arg_dat(sum, -1, OP_ID, 1, "double", OP_READ),                           \
        op_arg_dat(out, -1, OP_ID, 1, "double", OP_RW)

/* The runtime's clock: it does not depend on how busy the machine is. */
static double now;

double __wrap_cleave_seconds(void);
double __wrap_cleave_seconds(void)
{
    now += 1e-7;
    return now;
}

/* ---- variants ---------------------------------------------------------------------------- */

/* Goes by CLEAVE_ZEROS_KNOWN. */
static void add_run(const struct cleave_launch *l)
{
    told = l->zeros[1];
    for (int c = 0; c < CELLS; c++) {
        double *to = (double *)l->data[1] + c;
        *to = ((told & CLEAVE_ZEROS_KNOWN) != 0 ? 0.0 : *to) + ((double *)l->data[0])[c];
    }
}

static void plain_run(const struct cleave_launch *l)
{
    told = l->zeros[1];
    for (int c = 0; c < CELLS; c++) {
        ((double *)l->data[1])[c] += ((double *)l->data[0])[c];
    }
}

/* What is not stored is lost. */
static void take_run(const struct cleave_launch *l)
{
    told = l->zeros[0];
    for (int c = 0; c < CELLS; c++) {
        ((double *)l->data[1])[c] += ((double *)l->data[0])[c];
        ((double *)l->data[0])[c] = (told & CLEAVE_ZEROS_LEAVE) != 0 ? 77.0 : 0.0;
    }
}

static void use_run(const struct cleave_launch *l)
{
    for (int c = 0; c < CELLS; c++) {
        ((double *)l->data[1])[c] += ((double *)l->data[0])[c];
    }
}

/* add, then use: reads what it adds to. */
static void add_use_run(const struct cleave_launch *l)
{
    joined++;
    for (int c = 0; c < CELLS; c++) {
        ((double *)l->data[1])[c] += ((double *)l->data[0])[c];
        ((double *)l->data[2])[c] += ((double *)l->data[1])[c];
    }
}

enum { ADD_, PLAIN_, TAKE_, USE_, ADD_USE_ };
static const struct cleave_variant variants[] = {
    {.name = "add", .plan = CLEAVE_PLAN_NONE, .run = add_run, .starts = 2},
    HAND_VARIANT(plain_run, 0),
    HAND_VARIANT(take_run, 0),
    HAND_VARIANT(use_run, 0),
    HAND_VARIANT(add_use_run, 0)};
#define ROW(text, arguments, name, number)                                                         \
    {HAND_LOOP(text, arguments, name, variants[number]), .location = "blank.c:7"}
static const struct cleave_loop loops[] = {
    ROW(TEXT(ADD), "d0.-1.0:1:double:R d1.-1.0:1:double:B", "add", ADD_),
    ROW(TEXT(PLAIN), "d0.-1.0:1:double:R d1.-1.0:1:double:B", "plain", PLAIN_),
    ROW(TEXT(TAKE), "d0.-1.0:1:double:B d1.-1.0:1:double:B", "take", TAKE_),
    ROW(TEXT(USE), "d0.-1.0:1:double:R d1.-1.0:1:double:B", "use", USE_),
    ROW("\001add+use 0", "d0.-1.0:1:double:R d1.-1.0:1:double:B d2.-1.0:1:double:B", "add+use",
        ADD_USE_)};
static const struct cleave_records records[] = {
    {NULL, 0, 0},
    {NULL, 0, 0},
    {(const unsigned char[]){CLEAVE_RECORD_ZEROS | CLEAVE_RECORD_LEAVES, 0}, 0, 0},
    {NULL, 0, 0},
    {NULL, 0, 0}};
static const struct cleave_member members[] = {{ADD_, (const int[]){0, 1}},
                                               {USE_, (const int[]){1, 2}}};
static const struct cleave_group groups[] = {{.loop = ADD_USE_, .members = 2, .member = members}};
static const struct cleave_unit unit = {.abi = CLEAVE_ABI,
                                        .target = CLEAVE_TARGET_CUDA,
                                        .id = CLEAVE_UNIT,
                                        .source = "blank.c",
                                        .loops = 5,
                                        .loop = loops,
                                        .key = &cleave_unit_key,
                                        .launch_error = launch_error,
                                        .records = records,
                                        .groups = 1,
                                        .group = groups};

/* ---- programs ---------------------------------------------------------------------------- */

static void call_add(void)
{
    LOOP(ADD);
    for (int c = 0; c < CELLS; c++) {
        add(given + c, right_sum + c);
    }
}

static void call_plain(void)
{
    LOOP(PLAIN);
    for (int c = 0; c < CELLS; c++) {
        plain(given + c, right_sum + c);
    }
}

static void call_take(void)
{
    LOOP(TAKE);
    for (int c = 0; c < CELLS; c++) {
        take(right_sum + c, right_out + c);
    }
}

static void call_use(void)
{
    LOOP(USE);
    for (int c = 0; c < CELLS; c++) {
        use(right_sum + c, right_out + c);
    }
}

/* What the latest launch was told, of the bits that generated code knows. */
static unsigned latest(void)
{
    cleave_flush();
    return told & (CLEAVE_ZEROS_KNOWN | CLEAVE_ZEROS_LEAVE);
}

static void start(const char *fuse)
{
    setenv("CLEAVE_FUSE", fuse, 1);
    op_init(0, NULL, 0);
    cells = op_decl_set(CELLS, "cells");
    for (int c = 0; c < CELLS; c++) {
        given[c] = c % 5 + 1;
        right_sum[c] = right_out[c] = 0.0;
    }
    from = op_decl_dat(cells, 1, "double", given, "from");
    sum = op_decl_dat(cells, 1, "double", right_sum, "sum");
    out = op_decl_dat(cells, 1, "double", right_out, "out");
    cleave_groups_start();
    cleave_buffer_use_forget();
    joined = 0;
}

static int is_right(op_dat dat, const double *right)
{
    double got[CELLS];
    op_fetch_data(dat, got);
    return memcmp(got, right, sizeof got) == 0;
}

static void finish(void)
{
    CHECK(is_right(out, right_out));
    CHECK(is_right(sum, right_sum));
    op_exit();
    CHECK(in_use == 0);
}

/* The loop that takes does not store zeros, and the one that adds does not read them. */
static void test_alone(void)
{
    start("auto");
    for (int i = 0; i < 4; i++) {
        call_add();
        CHECK(latest() == (i == 0 ? 0 : CLEAVE_ZEROS_KNOWN));
        call_take();
        CHECK(latest() == CLEAVE_ZEROS_LEAVE);
    }
    CHECK(cleave_buffer_use.zeros_left == 4 && cleave_buffer_use.zeros_used == 3);
    CHECK(cleave_buffer_use.zeros_made == 0);
    finish();
    start("off");
    for (int i = 0; i < 4; i++) {
        call_add();
        CHECK(latest() == 0);
        call_take();
        CHECK(latest() == 0);
    }
    CHECK(cleave_buffer_use.zeros_left == 0);
    finish();
}

/* A loop that reads has the dat filled. After three times in a row zeros are stored, until enough
 * loops have not read them. */
static void test_filled(void)
{
    enum { AGAIN = 32 };
    start("auto");
    for (int i = 0; i < 5; i++) {
        call_plain();
        call_take();
        CHECK(latest() == (i < 3 ? CLEAVE_ZEROS_LEAVE : 0));
    }
    CHECK(cleave_buffer_use.zeros_made == 3);
    for (int i = 0; i < AGAIN; i++) {
        call_add();
        CHECK(latest() == CLEAVE_ZEROS_KNOWN);
        call_take();
        CHECK(latest() == (i < AGAIN - 1 ? 0 : CLEAVE_ZEROS_LEAVE));
    }
    finish();
}

/* The group reads what it adds to: the dat is filled for it, though its first loop would not have
 * needed that. */
static void test_group(void)
{
    start("on");
    call_plain();
    call_take();
    CHECK(latest() == CLEAVE_ZEROS_LEAVE);
    call_add();
    call_use();
    cleave_flush();
    CHECK(joined == 1);
    CHECK(cleave_buffer_use.zeros_made == 1 && cleave_buffer_use.zeros_used == 0);
    CHECK(is_right(out, right_out) && is_right(sum, right_sum));
    call_take();
    call_add(); /* waits for a loop that does not come */
    call_take();
    CHECK(joined == 1 && cleave_buffer_use.zeros_used == 1);
    call_take(); /* begins with zeros, and leaves them */
    finish();
}

int main(void)
{
    target_provide(&ops);
    cleave_register(&unit);
    setenv("CLEAVE_TUNE", "off", 1);
    test_alone();
    test_filled();
    test_group();
    return CHECK_RESULT();
}
