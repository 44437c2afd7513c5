/* cache_limit.c: kept numberings stay below the limit: what was used least recently goes, what a
 * program left half written goes after a day, and nothing else is ever removed. */
#include <fcntl.h>
#include <time.h>

#include "cache_cases.h"

/* Four numberings of so many elements fit one MiB, five do not. */
#define QUARTER 60000
#define HOUR 3600

static struct plan_numbering *quarter;

static struct store_key key_number(int i)
{
    return (struct store_key){{UINT64_C(0xabcdef0000000000) + (uint64_t)i, 7}};
}

/* Makes the file `hours` older than now. */
static void age(const char *path, double hours)
{
    struct timespec then = {.tv_sec = time(NULL) - (time_t)(hours * HOUR)};
    struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, then};
    CHECK(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0);
}

static void start(void)
{
    test_planner.store.bytes = 1 << 20;
    quarter = make_numbering(QUARTER, 1);
}

/* Keeps numberings first..last-1, each an hour younger than the one before, the last `hours` ago.
 */
static void keep(int first, int last, double hours)
{
    for (int i = first; i < last; i++) {
        struct store_key key = key_number(i);
        planner_cache_write(&test_planner, &key, quarter);
        age(path_of(&key), hours + last - 1 - i);
    }
}

static int is_there(int i)
{
    struct store_key key = key_number(i);
    return access(path_of(&key), F_OK) == 0;
}

static void test_oldest_goes(void)
{
    start();
    keep(0, 4, 1);
    CHECK(files_in(in_home("kept/plans-2")) == 4);
    keep(4, 6, 0);
    CHECK(!is_there(0) && !is_there(1) && is_there(2) && is_there(3) && is_there(4));
    CHECK(files_in(in_home("kept/plans-2")) == 4);
    struct store_key last = key_number(5);
    CHECK(reads(&last, quarter) == 1);
    keep(3, 4, 0); /* again: it takes no more room */
    CHECK(files_in(in_home("kept/plans-2")) == 4 && is_there(2));
    CHECK_TEXT(notes(), "");
}

/* Reading a file counts as using it. */
static void test_reading_keeps(void)
{
    start();
    keep(0, 4, 10);
    struct store_key oldest = key_number(0);
    CHECK(reads(&oldest, quarter) == 1);
    keep(4, 6, 0);
    CHECK(is_there(0) && !is_there(1) && !is_there(2) && is_there(3));
}

/* A file that is not read because it is damaged does not count as used. */
static void test_damaged_goes(void)
{
    start();
    keep(0, 4, 10);
    struct store_key oldest = key_number(0);
    CHECK(truncate(path_of(&oldest), 200000) == 0);
    age(path_of(&oldest), 20);
    CHECK(reads(&oldest, quarter) == 0);
    keep(4, 6, 0);
    CHECK(!is_there(0) && is_there(2));
}

/* A time in the future does not protect a file, and no time at all is fine. */
static void test_odd_times(void)
{
    start();
    keep(0, 4, 10);
    struct store_key young = key_number(3);
    struct store_key old = key_number(2);
    age(path_of(&young), -1e5);
    struct timespec never[2] = {{.tv_sec = -5000}, {.tv_sec = -5000}};
    CHECK(utimensat(AT_FDCWD, path_of(&old), never, 0) == 0);
    keep(4, 6, 0);
    CHECK(!is_there(3) && !is_there(2) && is_there(0) && is_there(1) && is_there(5));
}

/* All of these fit, until the limit falls. */
static void test_limits(void)
{
    start();
    test_planner.store.bytes = UINT64_C(2) << 30;
    keep(0, 12, 1000);
    CHECK(files_in(in_home("kept/plans-2")) == 12);
    test_planner.store.bytes = 2 << 20;
    keep(12, 13, 0);
    CHECK(files_in(in_home("kept/plans-2")) == 8);
}

static void test_too_large(void)
{
    struct plan_numbering *large = make_numbering(300000, 1);
    start();
    keep(0, 2, 1);
    planner_cache_write(&test_planner, &any_key, large);
    planner_cache_write(&test_planner, &any_key, large);
    CHECK(count_notes() == 1);
    CHECK(strstr(notes(), "a file of 2 MiB is not kept in ") != NULL);
    CHECK(strstr(notes(), "it takes more than the 1 MiB that all kept files may take") != NULL);
    CHECK(reads(&any_key, large) == 0 && is_there(0) && is_there(1));
    CHECK(files_in(in_home("kept/plans-2")) == 2);
}

/* ---- what is not the cache's --------------------------------------------------------------- */

static char *in_folder(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "kept/plans-2/%s", name);
    return in_home(path);
}

#define HEX "0123456789abcdef0123456789abcde"

/* All of these are old and large; the limit is passed many times over. */
static void test_foreign(void)
{
    static const char *const names[] = {"notes",        HEX,         HEX "f0",
                                        HEX "F",        HEX "f.txt", HEX "f.XXXXXXX",
                                        HEX "f_XXXXXX", ".hidden",   HEX "g.abcdef"};
    enum { NAMES = sizeof names / sizeof *names, BYTES = 900000 };
    size_t bytes;
    start();
    keep(0, 1, 0);
    struct store_key key = key_number(0);
    unsigned char *data = load(path_of(&key), &bytes); /* looks like the cache's but for the name */
    for (int i = 0; i < NAMES; i++) {
        store(in_folder(names[i]), data, bytes);
        age(in_folder(names[i]), 1000);
    }
    char *other = calloc(1, BYTES); /* has the name only */
    store(in_folder(HEX "0"), other, BYTES);
    store(in_folder(HEX "1.abcdef"), other, BYTES);
    CHECK(mkdir(in_folder(HEX "2"), 0700) == 0 && mkdir(in_folder(HEX "3.abcdef"), 0700) == 0);
    CHECK(mkfifo(in_folder(HEX "4"), 0600) == 0);
    CHECK(symlink(in_home("notes"), in_folder(HEX "5")) == 0);
    static const char *const kinds[] = {HEX "0",        HEX "1.abcdef", HEX "2",
                                        HEX "3.abcdef", HEX "4",        HEX "5"};
    for (int i = 0; i < 6; i++) {
        age(in_folder(kinds[i]), 1000);
    }
    int files = files_in(in_home("kept/plans-2"));
    keep(1, 4, 1);
    CHECK(files_in(in_home("kept/plans-2")) == files + 3); /* nothing went, and four still fit */
    CHECK(access(in_folder(".hidden"), F_OK) == 0);
    keep(4, 6, 0);
    CHECK(files_in(in_home("kept/plans-2")) == files + 3);
    CHECK_TEXT(notes(), "");
    free(data);
    free(other);
}

static void test_files_of_others(void)
{
    if (geteuid() != 0) {
        return;
    }
    start();
    keep(0, 3, 100);
    struct store_key theirs = key_number(0);
    CHECK(chown(path_of(&theirs), NOBODY, NOBODY) == 0);
    keep(3, 7, 0);
    CHECK(is_there(0) && !is_there(1) && !is_there(2) && is_there(3) && is_there(6));
}

/* ---- half written files -------------------------------------------------------------------- */

static void test_left_behind(void)
{
    size_t bytes;
    start();
    keep(0, 1, 0);
    struct store_key key = key_number(0);
    unsigned char *data = load(path_of(&key), &bytes);
    store(in_folder(HEX "0.aB3xY9"), data, 5000);
    age(in_folder(HEX "0.aB3xY9"), 25);
    store(in_folder(HEX "0.bbbbbb"), data, 0);
    age(in_folder(HEX "0.bbbbbb"), 1e4);
    store(in_folder(HEX "0.cccccc"), data, bytes);
    age(in_folder(HEX "0.cccccc"), 23);
    store(in_folder(HEX "0.dddddd"), "data of another program", 23);
    age(in_folder(HEX "0.dddddd"), 1e4);
    CHECK(reads(&key, quarter) == 1);
    CHECK(files_in(in_home("kept/plans-2")) == 5); /* reading does not look */
    keep(1, 2, 0);
    CHECK(files_in(in_home("kept/plans-2")) == 4);
    CHECK(access(in_folder(HEX "0.cccccc"), F_OK) == 0);
    CHECK(access(in_folder(HEX "0.dddddd"), F_OK) == 0);
    CHECK_TEXT(notes(), "");
    free(data);
}

/* Files that cannot be removed are no reason to fail, to wait or to say anything. */
static void test_cannot_remove(void)
{
    start();
    keep(0, 4, 1);
    CHECK(chmod(home, 0755) == 0 && chmod(in_home("notes"), 0666) == 0);
    CHECK(chmod(in_home("kept"), 0555) == 0 && chmod(in_home("kept/plans-2"), 0555) == 0);
    if (geteuid() == 0) {
        for (int i = 0; i < 4; i++) {
            struct store_key key = key_number(i);
            CHECK(chown(path_of(&key), NOBODY, NOBODY) == 0);
        }
        CHECK(seteuid(NOBODY) == 0);
    }
    test_planner.store.bytes = 1 << 20;
    store(in_home("notes"), "", 0);
    cleave_store_trim(&test_planner.store);
    struct cleave_store other = test_planner.store;
    other.folder = in_home("nowhere");
    cleave_store_trim(&other);
    other.folder = in_home("notes");
    cleave_store_trim(&other);
    for (int i = 0; i < 4; i++) {
        struct store_key key = key_number(i);
        CHECK(reads(&key, quarter) == 1);
    }
    CHECK_TEXT(notes(), "");
}

int main(void)
{
    RUN(test_oldest_goes);
    RUN(test_reading_keeps);
    RUN(test_damaged_goes);
    RUN(test_odd_times);
    RUN(test_limits);
    RUN(test_too_large);
    RUN(test_foreign);
    RUN(test_files_of_others);
    RUN(test_left_behind);
    RUN(test_cannot_remove);
    return CHECK_RESULT();
}
