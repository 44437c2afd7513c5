/* unstored.c: values that a joined loop passed from one member to the next and did not store:
 * whoever asks for them, however, gets what a loop would have stored, and what they are computed
 * from is not overwritten before. */
#include <sys/wait.h>
#include <unistd.h>

#include "record_loops.h"

/* Three rounds of a group, after which p is not stored. */
static void begin(void)
{
    start();
    for (int i = 0; i < 3; i++) {
        call_make(a, p);
        call_use(p, q);
    }
    CHECK_TEXT(launches(), "MMM");
    CHECK(cleave_buffer_use.unstored == 1);
}

/* p was computed once more, by the launches of `log`, and everything is right. */
static void end(const char *log)
{
    CHECK_TEXT(launches(), log);
    CHECK(cleave_buffer_use.recomputed == 1);
    finish();
}

/* ---- who looks at the values ------------------------------------------------------------- */

static void test_nobody(void)
{
    begin();
    call_make(a, p);
    call_use(p, q);
    CHECK_TEXT(launches(), "M");
    CHECK(cleave_buffer_use.unstored == 2 && cleave_buffer_use.recomputed == 0);
    call_make(a, p);
    CHECK(is_right(p));
    CHECK_TEXT(launches(), "m");
    CHECK(cleave_buffer_use.recomputed == 0);
    finish();
    begin();
    op_exit();
    CHECK_TEXT(launches(), "");
    CHECK(in_use == 0);
}

static void test_loops(void)
{
    begin();
    call_use(p, b);
    end("mu");
    begin();
    call_step(p);
    end("ms");
    begin();
    call_copy(p, b);
    end("m");
    begin();
    call_make(p, b); /* which begins a group */
    call_use(b, q);
    end("mM");
}

static void test_fetch(void)
{
    begin();
    CHECK(is_right(p) && is_right(p));
    end("m");
    begin();
    op_get_data(p);
    CHECK(memcmp(p->data, values[2], CELLS * sizeof(double)) == 0);
    end("m");
    begin();
    op_dat copied = op_fetch_data_file_char(p);
    CHECK(memcmp(copied->data, values[2], CELLS * sizeof(double)) == 0);
    end("m");
}

/* As the pages of dat->data let a program see it, and change a part of it. */
static void test_pointer(void)
{
    begin();
    CHECK(cleave_dat_of(p)->paged);
    CHECK(((double *)p->data)[3] == values[2][3]);
    end("m");
    begin();
    ((double *)p->data)[3] = values[2][3] = 100.0;
    call_use(p, b);
    end("mu");
    begin();
    ((double *)p->data)[3] = values[2][3] = 100.0;
    op_put_data(p);
    end("m");
    begin();
    op_put_data(p); /* nothing was written */
    end("m");
}

static void test_overlay(void)
{
    begin();
    op_dat over = op_decl_dat_overlay(cells, p);
    CHECK(memcmp(op_fetch_data_file_char(over)->data, values[2], CELLS * sizeof(double)) == 0);
    end("m");
}

/* ---- what they are computed from changes ------------------------------------------------- */

static void test_ingredient(void)
{
    begin();
    call_step(a);
    end("ms");
    begin();
    call_copy(b, a); /* without a launch */
    end("m");
    begin();
    call_make(b, a);
    call_use(a, q);
    end("mM");
    begin();
    ((double *)a->data)[5] = values[0][5] = 100.0;
    call_use(p, b);
    end("mu");
    begin();
    op_get_data(a);
    ((double *)a->data)[5] = values[0][5] = 100.0;
    op_put_data(a);
    end("m");
}

/* The program says that it has written, and looks at p first. */
static void test_dirty(void)
{
    setenv("CLEAVE_WATCH", "off", 1);
    begin();
    op_get_data(a);
    ((double *)a->data)[5] = values[0][5] = 100.0;
    a->dirty_hd = 1;
    call_use(p, b);
    call_use(a, b);
    end("muu");
    begin();
    op_get_data(a);
    ((double *)a->data)[5] = values[0][5] = 100.0;
    a->dirty_hd = 1;
    call_use(a, b);
    end("mu");
    begin();
    op_get_data(p);
    CHECK(cleave_buffer_use.recomputed == 1);
    for (int i = 0; i < 3; i++) {
        call_make(a, p);
        call_use(p, q);
    }
    memset(values[2], 0, sizeof values[2]);
    memset(p->data, 0, CELLS * sizeof(double));
    op_put_data(p); /* all of it, over values that no copy holds */
    unsetenv("CLEAVE_WATCH");
    finish();
}

/* A small dat is copied, since that costs less than to store a large one. */
static void test_kept(void)
{
    start();
    for (int i = 0; i < 6; i++) {
        call_widen(a, w);
        call_reduce(w, q);
        call_use(b, a);
    }
    CHECK_TEXT(launches(), "WuWuWuWuWuWu");
    CHECK(cleave_buffer_use.unstored == 4 && cleave_buffer_use.recomputed == 0);
    CHECK(cleave_dat_of(a)->buffers.kept != NULL);
    call_use(a, q);
    CHECK(is_right(w) && is_right(a)); /* from what a was, which stays what it is */
    CHECK_TEXT(launches(), "uw");
    CHECK(cleave_buffer_use.recomputed == 1 && cleave_dat_of(a)->buffers.kept == NULL);
    finish();
}

/* Where the launch itself changes it before, a copy of what the launch found would be wrong. */
static void test_not_kept(void)
{
    start();
    for (int i = 0; i < 9; i++) {
        call_step(a);
        call_widen(a, w);
        call_reduce(w, q);
        if (i > 5) {
            cleave_flush();
            call_step(a);
            CHECK(is_right(w));
        }
    }
    CHECK(strncmp(launches(), "NNN", 3) == 0);
    finish();
}

/* What would be copied is known to be zero, and stored nowhere. */
static void test_zeros(void)
{
    start();
    for (int i = 0; i < 6; i++) {
        call_widen(a, w);
        call_reduce(w, q);
        call_use(b, a);
    }
    launches();
    cleave_dat_zeroed(a, 0);
    memset(values[0], 0, sizeof values[0]);
    call_widen(a, w);
    call_reduce(w, q);
    call_use(b, a);
    CHECK(is_right(w));
    finish();
}

/* ---- what the runtime does otherwise ----------------------------------------------------- */

static void test_partition(void)
{
    begin();
    cleave_order_drop();
    end("m");
    begin();
    op_partition("", "", cells, NULL, NULL);
    end("m");
}

static void test_constants(void)
{
    double value = 0.5;
    begin();
    op_decl_const(1, "double", &value);
    end("m");
}

/* Dats that are freed: one that was read, or the one that was not stored. */
static void test_temporary(void)
{
    op_dat keep;
    for (int which = 0; which < 2; which++) {
        start();
        op_dat *freed = which == 0 ? &a : &p;
        keep = *freed;
        *freed = op_decl_dat_temp(cells, 1, "double", (double *)NULL, "temporary");
        call_copy(b, a);
        for (int i = 0; i < 3; i++) {
            call_make(a, p);
            call_use(p, q);
        }
        launches();
        CHECK(cleave_buffer_use.unstored == 1);
        op_free_dat_temp(*freed);
        *freed = keep;
        CHECK(cleave_buffer_use.recomputed == 1);
        CHECK(which == 1 || is_right(p));
        CHECK(is_right(q));
        op_exit();
        CHECK(in_use == 0);
    }
}

/* The site forgets the call that computes p, or what became of it, after many others. */
static void test_many_calls(void)
{
    enum { OTHERS = 80 };
    op_dat other[OTHERS];
    start();
    for (int o = 0; o < OTHERS; o++) {
        other[o] = op_decl_dat(cells, 1, "double", values[1], "other");
    }
    for (int i = 0; i < 3; i++) {
        call_make(a, p);
        call_use(p, q);
    }
    CHECK(cleave_buffer_use.unstored == 1);
    for (int o = 0; o < OTHERS; o++) {
        call_make(b, other[o]);
        call_use(other[o], b);
    }
    launches();
    end("");
}

static void test_unit(void)
{
    begin();
    cleave_unregister(&unit);
    end("m");
    cleave_register(&unit);
}

static void test_fork(void)
{
    int status = 1;
    begin();
    const pid_t child = fork();
    if (child == 0) {
        _exit(!is_right(p) || !is_right(a));
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    end("m");
}

/* ---- memory ------------------------------------------------------------------------------ */

/* Rounds in which p is needed by the group alone, and b is stored, as others read it. */
static void run_mixed(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        call_both(a, p, b);
        call_use(p, q);
        call_use(b, q);
    }
}

static void test_memory(void)
{
    const size_t all = budget;
    begin();
    budget = in_use;
    call_use(p, b);
    budget = all;
    end("mu");

    start();
    run_mixed(3);
    CHECK_TEXT(launches(), "BuBuBu");
    CHECK(cleave_buffer_use.unstored == 1);
    call_step(b);
    budget = in_use;
    CHECK(is_right(p) && is_right(b)); /* b is what the step has made of it */
    budget = all;
    end("sb");

    start();
    run_mixed(2);
    budget = in_use; /* no place for what would be computed in vain */
    run_mixed(1);
    budget = all;
    CHECK(cleave_buffer_use.unstored == 0);
    finish();

    start();
    for (int i = 0; i < 4; i++) { /* no place for a copy */
        budget = i >= 2 ? in_use : all;
        call_widen(a, w);
        call_reduce(w, q);
        call_use(b, a);
    }
    budget = all;
    CHECK(cleave_buffer_use.unstored == 0);
    finish();
}

/* ---- when it is not worth it -------------------------------------------------------------- */

static void test_vain(void)
{
    start();
    for (int i = 0; i < 60; i++) {
        call_make(a, p);
        call_use(p, q);
        CHECK(i % 3 != 0 || is_right(p));
    }
    CHECK(cleave_buffer_use.unstored == CLEAVE_FATE_VAIN);
    finish();
    start();
    for (int i = 0; i < 60; i++) {
        call_make(a, p);
        call_use(p, q);
        cleave_recipes_settle();
    }
    CHECK(cleave_buffer_use.unstored == 0);
    finish();
    begin();
    for (int i = 0; i < 12; i++) {
        CHECK(is_right(p));
        for (int k = 0; k < 3; k++) {
            call_make(a, p);
            call_use(p, q);
        }
    }
    CHECK(cleave_buffer_use.recomputed == CLEAVE_FATE_VAIN);
    finish();
}

static void test_settings(void)
{
    static const char *const setting[][2] = {{"CLEAVE_FUSE", "called"}, {"CLEAVE_VERIFY", "1"}};
    for (int s = 0; s < 2; s++) {
        setenv(setting[s][0], setting[s][1], 1);
        start();
        for (int i = 0; i < 6; i++) {
            call_make(a, p);
            call_use(p, q);
        }
        CHECK(cleave_buffer_use.unstored == 0 && cleave_recipes == NULL);
        finish();
        unsetenv(setting[s][0]);
    }
}

int main(void)
{
    target_provide(&ops);
    cleave_register(&unit);
    setenv("CLEAVE_TUNE", "off", 1);
    test_nobody();
    test_loops();
    test_fetch();
    test_pointer();
    test_overlay();
    test_ingredient();
    test_dirty();
    test_kept();
    test_not_kept();
    test_zeros();
    test_partition();
    test_constants();
    test_temporary();
    test_many_calls();
    test_unit();
    test_fork();
    test_memory();
    test_vain();
    test_settings();
    return CHECK_RESULT();
}
