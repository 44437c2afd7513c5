/* planning.c: what the runtime lets the planner use, from the environment: the cache's folder and
 * size, libraries, threads, and a function that tells each note once. Every case runs in a process
 * of its own. */
#include <omp.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "runtime/mesh/mesh.h"
#include "runtime/store/store.h"

static void in_child(void (*run)(void), const char *expected)
{
    FILE *err = tmpfile();
    char text[4096];
    int status = -1;
    CHECK(err != NULL);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(fileno(err), STDERR_FILENO);
        check_failures = 0;
        unsetenv("CLEAVE_PLAN_CACHE");
        unsetenv("XDG_CACHE_HOME");
        setenv("HOME", "/home/me", 1);
        run();
        fflush(NULL);
        _exit(check_failures != 0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    rewind(err);
    text[fread(text, 1, sizeof text - 1, err)] = '\0';
    fclose(err);
    CHECK_TEXT(text, expected);
}

static const struct planner *read_settings(void)
{
    cleave_settings_read(0, NULL, 0);
    return cleave_planner();
}

static void finds_folder(void)
{
    CHECK_TEXT(read_settings()->store.folder, "/home/me/.cache/cleave");
    setenv("XDG_CACHE_HOME", "/var/cache/me", 1);
    CHECK_TEXT(read_settings()->store.folder, "/var/cache/me/cleave");
    setenv("XDG_CACHE_HOME", "relative", 1);
    CHECK_TEXT(read_settings()->store.folder, "/home/me/.cache/cleave");
    setenv("CLEAVE_PLAN_CACHE", "", 1);
    setenv("XDG_CACHE_HOME", "", 1);
    CHECK_TEXT(read_settings()->store.folder, "/home/me/.cache/cleave");
    setenv("CLEAVE_PLAN_CACHE", "a//b", 1);
    CHECK_TEXT(read_settings()->store.folder, "a//b");
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    CHECK(read_settings()->store.folder == NULL);
    unsetenv("HOME");
    CHECK(read_settings()->store.folder == NULL);
    cleave_store_need();
}

static void lacks_home(void)
{
    setenv("HOME", "relative", 1);
    CHECK(read_settings()->store.folder == NULL);
    cleave_store_need();
    unsetenv("HOME");
    CHECK(read_settings()->store.folder == NULL);
    cleave_store_need();
}

static void has_size(void)
{
    static const struct {
        const char *value;
        uint64_t bytes;
    } size[] = {{"", UINT64_C(2) << 30}, {"1048576", UINT64_C(1) << 40}, {"007", 7 << 20}};
    unsetenv("CLEAVE_PLAN_CACHE_MB");
    CHECK(read_settings()->store.bytes == UINT64_C(2) << 30);
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        setenv("CLEAVE_PLAN_CACHE_MB", size[i].value, 1);
        CHECK(read_settings()->store.bytes == size[i].bytes);
    }
}

static const char *wrong_size;

static void refuse(const char *message)
{
    (void)message; /* it is on stderr, too */
    _exit(0);
}

static void refuses_size(void)
{
    setenv("CLEAVE_PLAN_CACHE_MB", wrong_size, 1);
    cleave_set_error_handler(refuse);
    read_settings();
    CHECK(0);
}

static void has_libraries(void)
{
    CHECK(read_settings()->metis == NULL && cleave_planner()->scotch == NULL);
    setenv("CLEAVE_METIS", "/opt/libmetis.so", 1);
    setenv("CLEAVE_SCOTCH", "none", 1);
    CHECK_TEXT(read_settings()->metis, "/opt/libmetis.so");
    CHECK_TEXT(cleave_planner()->scotch, "none");
    omp_set_num_threads(3);
    CHECK(cleave_planner()->threads == 3);
}

static void tells_once(void)
{
    const struct planner *planner = read_settings();
    for (int i = 0; i < 2; i++) {
        planner->note(PLAN_NOTE_METIS, "first");
        planner->note(PLAN_NOTE_SCOTCH, "second");
        planner->store.note(STORE_NOTE_REFUSED, "a file");
    }
}

int main(void)
{
    static const char *const wrong[] = {"0",       "-1",    "1.5",  " 1",   "1 ",
                                        "1048577", "2 GiB", "0x10", "many", "18446744073709551617"};
    in_child(finds_folder, "");
    in_child(lacks_home, "cleave: note: no folder to keep plans and other files in (HOME is not "
                         "set): they are made again "
                         "in every run; set CLEAVE_PLAN_CACHE to a folder, or to off\n");
    in_child(has_size, "");
    in_child(has_libraries, "");
    in_child(tells_once, "cleave: note: first\ncleave: note: second\ncleave: note: a file\n"
                         "cleave: note: a file\n");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char expected[256];
        wrong_size = wrong[i];
        snprintf(expected, sizeof expected,
                 "cleave: error: CLEAVE_PLAN_CACHE_MB=%s is not a number from 1 to 1048576\n",
                 wrong[i]);
        in_child(refuses_size, expected);
    }
    return CHECK_RESULT();
}
