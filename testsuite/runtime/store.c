/* store.c: what programs keep for later runs, of every kind: it comes back as it was, or not at
 * all; many programs at once, killed writers, full disks and folders that cannot be written leave
 * the store whole and are noted once; all kinds together stay below the limit. The tests of kept
 * numberings (planner/cache_*.c) have more cases of damage and of trimming. Every test runs in a
 * process of its own. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "runtime/store/store.h"

#define NOBODY 65534

static const char *const folders[CLEAVE_KINDS] = {"plans-2", "tuned-1", "rates-1", "kernels-1", "orders-1"};
static char home[64];

/* ---- write(), as a full disk has it --------------------------------------------------------- */

static long disk_space = LONG_MAX; /* bytes until ENOSPC */

ssize_t write(int file, const void *from, size_t bytes)
{
    if (file > 2 && (long)bytes > disk_space) {
        errno = ENOSPC;
        return -1;
    }
    if (file > 2) {
        disk_space -= (long)bytes;
    }
    return syscall(SYS_write, file, from, bytes);
}

/* ---- one test, one process ------------------------------------------------------------------ */

static const char *in_home(const char *name)
{
    static char path[4][256];
    static int next;
    char *at = path[next++ % 4];
    snprintf(at, sizeof path[0], "%s/%s", home, name);
    return at;
}

static const char *notes(void)
{
    static char text[1 << 16];
    fflush(stderr);
    FILE *file = fopen(in_home("notes"), "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static int count_notes(void)
{
    int count = 0;
    for (const char *at = notes(); (at = strstr(at, "cleave: note: ")) != NULL; at++) {
        count++;
    }
    return count;
}

static void run_test(void (*test)(void), const char *name)
{
    int status = -1;
    char command[128];
    strcpy(home, "/tmp/cleave-store.XXXXXX");
    CHECK(mkdtemp(home) != NULL);
    pid_t child = fork();
    if (child == 0) {
        int console = dup(2);
        check_failures = 0;
        setenv("CLEAVE_PLAN_CACHE", in_home("kept"), 1);
        setenv("CLEAVE_PLAN_CACHE_MB", "1", 1);
        cleave_settings_read(0, NULL, 0);
        CHECK(freopen(in_home("notes"), "a+", stderr) != NULL);
        test();
        if (check_failures > 0) {
            dprintf(console, "in %s:\n%s", name, notes());
        }
        fflush(NULL);
        _exit(check_failures > 0);
    }
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    snprintf(command, sizeof command, "chmod -R u+rwX %s; rm -rf %s", home, home);
    CHECK(system(command) == 0);
}

#define RUN(test) run_test(test, #test)

/* ---- entries -------------------------------------------------------------------------------- */

static struct store_key key_number(uint64_t i)
{
    struct store_key key = {{0, 0}};
    cleave_store_hash(&key, &i, sizeof i);
    return key;
}

/* Bytes that tell the entry of a number and a version. */
static unsigned char *content(size_t bytes, unsigned seed)
{
    unsigned char *data = malloc(bytes + 1);
    for (size_t i = 0; i < bytes; i++) {
        data[i] = (unsigned char)(seed + i * 7 + (i >> 8));
    }
    return data;
}

static int keep(enum cleave_kind kind, uint64_t number, size_t bytes, unsigned seed)
{
    struct store_key key = key_number(number);
    unsigned char *data = content(bytes, seed);
    int result = cleave_store_write(kind, &key, data, bytes);
    free(data);
    return result;
}

/* 1: the entry has this content; 0: there is none; -1: it is another one. */
static int finds(enum cleave_kind kind, uint64_t number, size_t bytes, unsigned seed)
{
    struct store_key key = key_number(number);
    size_t length = 12345;
    unsigned char *found = cleave_store_read(kind, &key, &length);
    unsigned char *data = content(bytes, seed);
    int result = found == NULL ? 0 : length == bytes && memcmp(found, data, bytes) == 0 ? 1 : -1;
    free(found);
    free(data);
    return result;
}

static char *path_of(enum cleave_kind kind, uint64_t number)
{
    static char path[256];
    struct store_key key = key_number(number);
    snprintf(path, sizeof path, "%s/kept/%s/%016llx%016llx", home, folders[kind],
             (unsigned long long)key.word[0], (unsigned long long)key.word[1]);
    return path;
}

/* Counts the files of all kinds, and their bytes. */
static int files(long *bytes)
{
    int count = 0;
    *bytes = 0;
    for (int k = 0; k < CLEAVE_KINDS; k++) {
        struct stat status;
        char path[256];
        snprintf(path, sizeof path, "%s/kept/%s", home, folders[k]);
        DIR *folder = opendir(path);
        for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;) {
            if (e->d_name[0] != '.' && fstatat(dirfd(folder), e->d_name, &status, 0) == 0) {
                count++;
                *bytes += status.st_size;
            }
        }
        if (folder != NULL) {
            closedir(folder);
        }
    }
    return count;
}

static void age(const char *path, int hours)
{
    struct timespec then = {.tv_sec = time(NULL) - (time_t)hours * 3600};
    struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, then};
    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void test_kinds(void)
{
    long bytes;
    CHECK(finds(CLEAVE_KEPT_TUNED, 1, 10, 1) == 0);
    CHECK(access(in_home("kept"), F_OK) != 0); /* reading makes no folders */
    for (int k = 0; k < CLEAVE_KINDS; k++) {
        CHECK(keep((enum cleave_kind)k, 1, (size_t)k * 1000, (unsigned)k) == 0);
    }
    CHECK(files(&bytes) == CLEAVE_KINDS);
    for (int k = 0; k < CLEAVE_KINDS; k++) {
        CHECK(finds((enum cleave_kind)k, 1, (size_t)k * 1000, (unsigned)k) == 1);
        CHECK(finds((enum cleave_kind)k, 2, (size_t)k * 1000, (unsigned)k) == 0);
    }
    CHECK(keep(CLEAVE_KEPT_RATES, 1, 77, 9) == 0);
    CHECK(finds(CLEAVE_KEPT_RATES, 1, 77, 9) == 1 && files(&bytes) == CLEAVE_KINDS);
    CHECK_TEXT(notes(), "");
}

/* One note for each damaged file; it is left as it is, until the next write of its key. */
static void test_damage(void)
{
    struct stat status;
    CHECK(keep(CLEAVE_KEPT_TUNED, 1, 500, 1) == 0 && keep(CLEAVE_KEPT_KERNELS, 2, 500, 2) == 0);
    CHECK(truncate(path_of(CLEAVE_KEPT_TUNED, 1), 300) == 0);
    int file = open(path_of(CLEAVE_KEPT_KERNELS, 2), O_WRONLY);
    CHECK(pwrite(file, "?", 1, 200) == 1 && close(file) == 0);
    CHECK(finds(CLEAVE_KEPT_TUNED, 1, 500, 1) == 0 && finds(CLEAVE_KEPT_KERNELS, 2, 500, 2) == 0);
    CHECK(count_notes() == 2);
    CHECK(strstr(notes(), "is damaged (length): ignored, and made again") != NULL);
    CHECK(strstr(notes(), "is damaged (checksum): ignored, and made again") != NULL);
    CHECK(stat(path_of(CLEAVE_KEPT_TUNED, 1), &status) == 0 && status.st_size == 300);
    CHECK(keep(CLEAVE_KEPT_TUNED, 1, 500, 1) == 0 && finds(CLEAVE_KEPT_TUNED, 1, 500, 1) == 1);
    CHECK(count_notes() == 2);
}

/* The oldest entry goes, whatever its kind, and so does what an older cleave has kept. */
static void test_limit(void)
{
    long bytes;
    char old[256];
    for (int k = 0; k < CLEAVE_KINDS; k++) {
        CHECK(keep((enum cleave_kind)k, (uint64_t)k, 200000, 1) == 0);
        age(path_of((enum cleave_kind)k, (uint64_t)k), k == 1 ? 50 : 10 - k);
    }
    snprintf(old, sizeof old, "%s/kept/plans-1", home);
    CHECK(mkdir(old, 0700) == 0);
    strcat(old, "/0123456789abcdef0123456789abcdef");
    CHECK(link(path_of(CLEAVE_KEPT_RATES, 2), old) == 0 && rename(old, in_home("x")) == 0);
    char command[600];
    snprintf(command, sizeof command, "cp %s %s", in_home("x"), old);
    CHECK(system(command) == 0);
    age(old, 100);
    CHECK(keep(CLEAVE_KEPT_TUNED, 7, 100000, 1) == 0); /* 1100000 bytes of 1048576 */
    CHECK(access(old, F_OK) != 0 && files(&bytes) == 5);
    CHECK(keep(CLEAVE_KEPT_KERNELS, 8, 200000, 1) == 0);
    CHECK(finds(CLEAVE_KEPT_TUNED, 1, 200000, 1) == 0 && files(&bytes) == 5);
    CHECK(bytes <= 1 << 20);
    CHECK(keep(CLEAVE_KEPT_KERNELS, 9, 1 << 20, 1) == -1);
    CHECK(count_notes() == 1 && strstr(notes(), "a file of 2 MiB is not kept in ") != NULL);
}

/* Many small entries, most of which leave the limit to another write. */
static void test_small(void)
{
    enum { ENTRIES = 2000, BYTES = 2000 };
    long bytes;
    for (int i = 0; i < ENTRIES; i++) {
        CHECK(keep(CLEAVE_KEPT_TUNED, (uint64_t)i, BYTES, 1) == 0);
    }
    CHECK(files(&bytes) > 400 && bytes < (1 << 20) + 100 * (BYTES + 64));
}

/* Programs that start together on an empty store, keep and read the same and other entries of all
 * kinds, and remove what is too much. */
static void test_together(void)
{
    enum { PROCESSES = 20, TIMES = 20, BYTES = 70000 };
    pid_t child[PROCESSES];
    int bad = 0;
    long bytes;
    for (int p = 0; p < PROCESSES; p++) {
        child[p] = fork();
        if (child[p] == 0) {
            int wrong = 0;
            for (int i = 0; i < TIMES; i++) {
                enum cleave_kind kind = (enum cleave_kind)((i + p) % CLEAVE_KINDS);
                uint64_t other = (uint64_t)(i * 7 + p) % 13;
                wrong += keep(kind, (uint64_t)(i % 13), BYTES, (unsigned)(i % 13)) != 0;
                wrong += finds(kind, other, BYTES, (unsigned)other) < 0;
            }
            _exit(wrong != 0);
        }
    }
    for (int p = 0; p < PROCESSES; p++) {
        int status = -1;
        bad += waitpid(child[p], &status, 0) != child[p] || status != 0;
    }
    CHECK(bad == 0);
    /* 14 entries fit. Readers that mark an entry as used may have two programs remove different
     * ones. */
    CHECK(files(&bytes) >= 7 && bytes <= 1 << 20);
    CHECK_TEXT(notes(), "");
}

/* A writer is killed at any moment: what it leaves is never read, and goes a day later. */
static void test_killed(void)
{
    enum { WRITERS = 8, BYTES = 900000 };
    long bytes;
    CHECK(keep(CLEAVE_KEPT_KERNELS, 1, BYTES, 1) == 0);
    for (int w = 0; w < WRITERS; w++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            for (;;) {
                keep(CLEAVE_KEPT_KERNELS, 1, BYTES, 1);
            }
        }
        usleep(3000 + 1700 * (useconds_t)w);
        kill(child, SIGKILL);
        CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
        CHECK(finds(CLEAVE_KEPT_KERNELS, 1, BYTES, 1) == 1);
    }
    char command[256];
    snprintf(command, sizeof command, "touch -d '2 days ago' %s/kept/kernels-1/*.??????", home);
    int left = files(&bytes);
    CHECK(left == 1 || system(command) == 0);
    CHECK(keep(CLEAVE_KEPT_TUNED, 1, 70000, 1) == 0);
    CHECK(files(&bytes) == 2 && finds(CLEAVE_KEPT_KERNELS, 1, BYTES, 1) == 1);
    CHECK_TEXT(notes(), "");
}

/* Nothing can be kept: one note for all kinds, and reading finds nothing. */
static void check_not_kept(const char *reason)
{
    for (int k = 0; k < CLEAVE_KINDS; k++) {
        CHECK(keep((enum cleave_kind)k, 1, 5000, 1) == -1);
        CHECK(finds((enum cleave_kind)k, 1, 5000, 1) == 0);
    }
    CHECK(count_notes() == 1 && strstr(notes(), reason) != NULL);
}

static void test_full_disk(void)
{
    long bytes;
    disk_space = 3000;
    check_not_kept("No space left on device");
    CHECK(files(&bytes) == 0);
    disk_space = LONG_MAX;
    CHECK(keep(CLEAVE_KEPT_RATES, 1, 5000, 1) == 0 && finds(CLEAVE_KEPT_RATES, 1, 5000, 1) == 1);
}

static void test_read_only(void)
{
    CHECK(mkdir(in_home("kept"), 0700) == 0 && chmod(in_home("kept"), 0555) == 0);
    CHECK(chmod(home, 0755) == 0 && chmod(in_home("notes"), 0666) == 0);
    if (geteuid() == 0) {
        CHECK(seteuid(NOBODY) == 0);
    }
    check_not_kept("Permission denied");
}

static void test_no_home(void)
{
    unsetenv("CLEAVE_PLAN_CACHE");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    cleave_settings_read(0, NULL, 0);
    check_not_kept("HOME is not set");
}

static void test_off(void)
{
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    cleave_settings_read(0, NULL, 0);
    CHECK(keep(CLEAVE_KEPT_TUNED, 1, 10, 1) == -1 && finds(CLEAVE_KEPT_TUNED, 1, 10, 1) == 0);
    CHECK_TEXT(notes(), "");
}

int main(void)
{
    RUN(test_kinds);
    RUN(test_damage);
    RUN(test_limit);
    RUN(test_small);
    RUN(test_together);
    RUN(test_killed);
    RUN(test_full_disk);
    RUN(test_read_only);
    RUN(test_no_home);
    RUN(test_off);
    return CHECK_RESULT();
}
