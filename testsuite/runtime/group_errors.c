/* group_errors.c: what goes wrong with groups: launches that fail, a joined loop that computes
 * something else than its members (CLEAVE_VERIFY), or is slower. */
#include <setjmp.h>

#include "child.h"
#include "group_loops.h"

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
    CHECK(strstr(said, "group_loops.h:") != NULL);
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

/* ---- trials ------------------------------------------------------------------------------ */

static double marked[TARGET_MARKS]; /* the device's time at each mark */

static int mark_time(int slot)
{
    marked[slot] = device_seconds;
    return 0;
}

static double time_between(int begin, int end)
{
    return marked[end] - marked[begin];
}

/* Lets the sequence come so often that a trial decides, and returns what it runs from then on.
 * elsewhere: seconds that the program takes longer where the group runs as one kernel. */
static const char *settled_but(double joined, double first, double second, double elsewhere)
{
    enum { TURNS = 80 };
    int letters = 0;
    start();
    seconds_of['W'] = joined;
    seconds_of['a'] = first;
    seconds_of['s'] = second;
    for (int i = 0; i < TURNS; i++) {
        call_add(x, y);
        call_scale(x, 0.5);
        const char *ran = launches();
        letters += (int)strlen(ran);
        device_seconds += 20.0 + (ran[0] == 'W' ? elsewhere : 0.0);
    }
    CHECK(letters >= TURNS + 4 && letters <= 2 * TURNS - 4); /* both have been tried */
    call_add(x, y);
    call_scale(x, 0.5);
    return launches();
}

static const char *settled(double joined, double first, double second)
{
    return settled_but(joined, first, second, 0.0);
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
    finish();
    CHECK_TEXT(settled_but(3e-6, 2e-6, 2e-6, 5e-6), "as"); /* as if it broke a graph */
    finish();
    CHECK_TEXT(settled_but(5e-6, 2e-6, 2e-6, -5e-6), "W"); /* as if it spared a call */
    finish();
    CHECK_TEXT(settled(5.0, 2.0, 2.0), "as");
    call_scale(x, 0.5); /* another group is tried by itself */
    call_add(x, y);
    call_total(y);
    CHECK_TEXT(launches(), "T");
    for (int i = 0; i < 80; i++) { /* the loops have other variants by now */
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
    device.mark = mark_time;
    device.elapsed = time_between;
    target_provide(&device);
    cleave_register(&unit);
    setenv("CLEAVE_TUNE", "off", 1);
    test_verify();
    test_survival();
    test_messages(); /* before a child has lost the device */
    test_trials();
    test_kept();
    return CHECK_RESULT();
}
