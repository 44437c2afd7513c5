/* group.c: groups of loops in the queue: that the joined loop runs instead of its members, with the
 * values that they were called with, and that the members run by themselves, each once and in
 * order, whatever comes between them or is wrong with the group. */
#include "group_loops.h"

static void pass(double seconds)
{
    now += seconds;
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

/* A look at results ends a longer group that could follow: the shorter one runs. */
static void test_looks(void)
{
    start();
    call_scale(x, 0.5);
    call_add(x, y);
    CHECK_TEXT(log_of, "");
    CHECK(is_right(y));
    CHECK_TEXT(launches(), "S");
    call_scale(y, 0.5);
    call_scale(x, 0.5); /* not a group with the first one */
    call_add(x, y);
    op_get_data(x);
    CHECK_TEXT(launches(), "sS");
    call_both(x, 0.5, 1.0);
    op_get_data(x);
    CHECK_TEXT(launches(), "b");
    finish();
}

/* The same loop begins a group in one of three places alone: waiting ends in the other two, though
 * the group comes in between. */
static void test_places(void)
{
    enum { ROUNDS = 20, LEARNED = 8 };
    start();
    for (int i = 0; i < ROUNDS; i++) {
        const long missed = cleave_group_use.missed;
        for (int place = 0; place < 2; place++) {
            call_scale(x, 0.5);
            CHECK_TEXT(log_of, i < 3 ? "" : i < LEARNED ? log_of : "s");
            call_total(z);
            CHECK_TEXT(launches(), "st");
        }
        call_scale(x, 0.5);
        call_add(x, y);
        CHECK_TEXT(log_of, "");
        call_total(y);
        CHECK_TEXT(launches(), "T");
        CHECK(i < LEARNED || cleave_group_use.missed == missed);
    }
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

int main(void)
{
    target_provide(&ops);
    cleave_register(&unit);
    setenv("CLEAVE_TUNE", "off", 1);
    test_groups();
    test_restart();
    test_values();
    test_aliases();
    test_overlay();
    test_missed();
    test_places();
    test_looks();
    test_pauses();
    test_off();
    test_memory();
    test_dats();
    test_unit();
    test_records();
    test_random();
    return CHECK_RESULT();
}
