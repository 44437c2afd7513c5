/* cache_processes.c: several programs use one folder at once. */
#include <signal.h>

#include "cache_cases.h"

/* Six writers replace one file again and again with two numberings; every reading must give one of
 * them, whole. */
static void test_writers(void)
{
    enum { WRITERS = 6, TIMES = 100 };
    struct plan_numbering *a = make_numbering(ELEMENTS, 1);
    struct plan_numbering *b = make_numbering(ELEMENTS, 2);
    planner_cache_write(&test_planner, &any_key, a);
    pid_t writer[WRITERS];
    for (int w = 0; w < WRITERS; w++) {
        writer[w] = fork();
        if (writer[w] == 0) {
            for (int i = 0; i < TIMES; i++) {
                planner_cache_write(&test_planner, &any_key, (i + w) % 2 ? a : b);
            }
            _exit(0);
        }
    }
    int readings = 0;
    int running = WRITERS;
    while (running > 0) {
        struct plan_numbering *read = planner_cache_read(&test_planner, &any_key, ELEMENTS);
        CHECK(same_numbering(read, a) || same_numbering(read, b));
        planner_numbering_free(read);
        readings++;
        for (int w = 0; w < WRITERS; w++) {
            int status = 0;
            if (writer[w] != 0 && waitpid(writer[w], &status, WNOHANG) == writer[w]) {
                CHECK(status == 0);
                writer[w] = 0;
                running--;
            }
        }
    }
    CHECK(readings > 1);
    CHECK(files_in(in_home("kept/plans-2")) == 1);
    CHECK_TEXT(notes(), "");
}

static int wait_for_all(const pid_t *child, int count)
{
    int bad = 0;
    for (int i = 0; i < count; i++) {
        int status = -1;
        bad += waitpid(child[i], &status, 0) != child[i] || status != 0;
    }
    return bad;
}

static long bytes_in(const char *path)
{
    DIR *folder = opendir(path);
    long bytes = 0;
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        struct stat status;
        if (fstatat(dirfd(folder), entry->d_name, &status, 0) == 0 && S_ISREG(status.st_mode)) {
            bytes += status.st_size;
        }
    }
    closedir(folder);
    return bytes;
}

/* Four programs keep many numberings and read each other's, while all of them remove what passes
 * the limit: what is read is right, and what is left fits. */
static void test_trimming(void)
{
    enum { PROCESSES = 4, TIMES = 40, KEYS = 12, SIZE = 40000 };
    struct plan_numbering *numbering[KEYS];
    pid_t child[PROCESSES];
    test_planner.store.bytes = 1 << 20;
    for (int k = 0; k < KEYS; k++) {
        numbering[k] = make_numbering(SIZE, (uint64_t)k);
    }
    for (int p = 0; p < PROCESSES; p++) {
        child[p] = fork();
        if (child[p] == 0) {
            int wrong = 0;
            uint64_t state = (uint64_t)p;
            for (int i = 0; i < TIMES; i++) {
                int k = test_random_below(&state, KEYS);
                int other = test_random_below(&state, KEYS);
                struct store_key key = {{5, (uint64_t)k}};
                struct store_key read = {{5, (uint64_t)other}};
                planner_cache_write(&test_planner, &key, numbering[k]);
                wrong += reads(&read, numbering[other]) < 0;
            }
            _exit(wrong != 0);
        }
    }
    CHECK(wait_for_all(child, PROCESSES) == 0);
    CHECK(bytes_in(in_home("kept/plans-2")) <= 1 << 20);
    CHECK(files_in(in_home("kept/plans-2")) == 6); /* of 163 KB */
    CHECK_TEXT(notes(), "");
}

/* Writers are killed at any moment: what they leave is never read, and goes a day later. */
static void test_killed(void)
{
    enum { WRITERS = 12, SIZE = 1000000 };
    struct plan_numbering *numbering = make_numbering(SIZE, 3);
    for (int w = 0; w < WRITERS; w++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            for (;;) {
                planner_cache_write(&test_planner, &any_key, numbering);
            }
        }
        usleep(5000 + 1700 * (useconds_t)w);
        kill(child, SIGKILL);
        CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
        CHECK(reads(&any_key, numbering) >= 0);
    }
    char command[256];
    snprintf(command, sizeof command, "touch -d '2 days ago' %s/*.??????", in_home("kept/plans-2"));
    int left = files_in(in_home("kept/plans-2"));
    CHECK(left == 1 || system(command) == 0);
    planner_cache_write(&test_planner, &any_key, numbering);
    CHECK(files_in(in_home("kept/plans-2")) == 1);
    CHECK(reads(&any_key, numbering) == 1);
    CHECK_TEXT(notes(), "");
}

int main(void)
{
    RUN(test_writers);
    RUN(test_trimming);
    RUN(test_killed);
    return CHECK_RESULT();
}
