/* cache_folder.c: where numberings are kept, and that programs run on where they cannot be. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "cache_cases.h"

/* ---- write(), as a full disk or a slow one has it ------------------------------------------ */

static long disk_space = LONG_MAX; /* bytes until ENOSPC */
static size_t disk_piece; /* at most so many bytes at once, every second call is interrupted */
static int disk_calls;

ssize_t write(int file, const void *from, size_t bytes)
{
    if (file > 2 && disk_piece > 0) {
        if (++disk_calls % 2 == 1) {
            errno = EINTR;
            return -1;
        }
        bytes = bytes < disk_piece ? bytes : disk_piece;
    }
    if (file > 2 && (long)bytes > disk_space) {
        errno = ENOSPC;
        return -1;
    }
    if (file > 2) {
        disk_space -= (long)bytes;
    }
    return syscall(SYS_write, file, from, bytes);
}

/* ---- folders ------------------------------------------------------------------------------- */

static void test_no_folder(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    keep_in(NULL);
    planner_cache_write(&test_planner, &any_key, numbering);
    CHECK(reads(&any_key, numbering) == 0);
    CHECK(files_in(home) == 1); /* the notes */
    CHECK_TEXT(notes(), "");
    keep_in(in_home("kept"));
    planner_cache_write(&test_planner, &any_key, numbering);
    CHECK(reads(&any_key, numbering) == 1);
}

/* Folders on the way are made; the name may be relative and odd. */
static void test_relative(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    CHECK(chdir(home) == 0);
    keep_in("a//b/c/");
    planner_cache_write(&test_planner, &any_key, numbering);
    CHECK(files_in(in_home("a/b/c/plans-2")) == 1);
    CHECK(reads(&any_key, numbering) == 1);
    CHECK_TEXT(notes(), "");
}

/* Two attempts, one note, which names the folder and the reason; nothing is left behind. */
static void check_not_kept(const struct plan_numbering *numbering, const char *reason)
{
    planner_cache_write(&test_planner, &any_key, numbering);
    planner_cache_write(&test_planner, &any_key, numbering);
    CHECK(reads(&any_key, numbering) == 0);
    CHECK(count_notes() == 1);
    CHECK(strstr(notes(), "cleave: note: plans and other files cannot be kept in ") != NULL);
    CHECK(strstr(notes(), test_planner.store.folder) != NULL);
    CHECK(strstr(notes(), reason) != NULL);
}

static void test_file_for_folder(void)
{
    store(in_home("kept"), "x", 1);
    check_not_kept(make_numbering(ELEMENTS, 1), "Not a directory");
}

static void test_read_only(void)
{
    CHECK(mkdir(in_home("kept"), 0700) == 0 && chmod(in_home("kept"), 0555) == 0);
    CHECK(chmod(home, 0755) == 0 && chmod(in_home("notes"), 0666) == 0);
    if (geteuid() == 0) {
        CHECK(seteuid(NOBODY) == 0);
    }
    check_not_kept(make_numbering(ELEMENTS, 1), "Permission denied");
}

static void test_full_disk(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    disk_space = 5000;
    check_not_kept(numbering, "No space left on device");
    CHECK(files_in(in_home("kept/plans-2")) == 0);
    disk_space = LONG_MAX;
    planner_cache_write(&test_planner, &any_key, numbering);
    CHECK(reads(&any_key, numbering) == 1);
}

/* Without care this ends the process by SIGXFSZ. */
static void test_file_limit(void)
{
    struct rlimit limit = {4096, 4096};
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    check_not_kept(make_numbering(ELEMENTS, 1), "File too large");
    CHECK(files_in(in_home("kept/plans-2")) == 0);
}

static void test_slow_disk(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    disk_piece = 7;
    planner_cache_write(&test_planner, &any_key, numbering);
    CHECK(disk_calls > 1000);
    CHECK(reads(&any_key, numbering) == 1);
    CHECK_TEXT(notes(), "");
}

static void test_long_name(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    char folder[CLEAVE_STORE_PATH + 1];
    memset(folder, 'a', CLEAVE_STORE_PATH);
    folder[0] = '/';
    folder[CLEAVE_STORE_PATH] = '\0';
    keep_in(folder);
    planner_cache_write(&test_planner, &any_key, numbering);
    CHECK(reads(&any_key, numbering) == 0);
    CHECK(count_notes() == 1 && strstr(notes(), "is too long") != NULL);
}

int main(void)
{
    RUN(test_no_folder);
    RUN(test_relative);
    RUN(test_file_for_folder);
    RUN(test_read_only);
    RUN(test_full_disk);
    RUN(test_file_limit);
    RUN(test_slow_disk);
    RUN(test_long_name);
    return CHECK_RESULT();
}
