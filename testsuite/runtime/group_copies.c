/* group_copies.c: groups that copies belong to which launch nothing, because both dats share a
 * buffer. */
#include "record_loops.h"

/* Launches have waited for the copy in vain, and it came without one: the next ones wait again. */
static void test_waits_again(void)
{
    start();
    for (int i = 0; i < 4; i++) {
        call_step(a);
        CHECK_TEXT(launches(), "s");
    }
    CHECK(cleave_group_use.missed == 3);
    call_step(a);
    call_copy(a, b);
    CHECK_TEXT(launches(), "s");
    CHECK(cleave_buffer_use.shared == 1);
    for (int i = 0; i < 3; i++) {
        call_step(a);
        call_copy(a, b);
        CHECK_TEXT(launches(), "C");
    }
    CHECK(cleave_buffer_use.shared == 1);
    finish();
}

/* Copies that launch nothing are no beginning of a group: none waits for the next one, and what
 * comes behind them begins one of its own. */
static void test_beginnings(void)
{
    start();
    call_copy(a, b);
    call_copy(a, p);
    CHECK_TEXT(launches(), "");
    CHECK(cleave_buffer_use.shared == 2 && cleave_group_use.launches == 0);
    call_step(p);
    CHECK_TEXT(launches(), "s");
    for (int i = 0; i < 3; i++) {
        call_copy(a, b);
        call_step(q);
        call_copy(q, p);
        CHECK_TEXT(launches(), "C");
    }
    finish();
}

int main(void)
{
    target_provide(&ops);
    cleave_register(&unit);
    setenv("CLEAVE_TUNE", "off", 1);
    test_waits_again();
    test_beginnings();
    return CHECK_RESULT();
}
