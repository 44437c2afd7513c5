/* cache_cases.h: what the tests of kept numberings share. Every test runs in a process of its own,
 * with a folder of its own and its notes in a file. */
#ifndef CLEAVE_TEST_CACHE_CASES_H
#define CLEAVE_TEST_CACHE_CASES_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "meshes/meshes.h"
#include "runtime/planner/cache/cache.h"
#include "runtime/store/entries/impl.h"

#define ELEMENTS 2000
#define BLOCK 64
#define NOBODY 65534

/* ---- one test, one process ----------------------------------------------------------------- */

static char home[64]; /* the folder of the running test */

static inline char *in_home(const char *name)
{
    static char path[4][512];
    static int next;
    char *at = path[next++ % 4];
    snprintf(at, sizeof path[0], "%s%s%s", home, name[0] != '\0' ? "/" : "", name);
    return at;
}

/* Returns the text written to stderr until now. */
static inline const char *notes(void)
{
    static char text[1 << 16];
    fflush(stderr);
    FILE *file = fopen(in_home("notes"), "r");
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

static inline int count_notes(void)
{
    int count = 0;
    for (const char *at = notes(); (at = strstr(at, "cleave: note: ")) != NULL; at++) {
        count++;
    }
    return count;
}

static inline void forget_notes(void)
{
    fflush(stderr);
    CHECK(truncate(in_home("notes"), 0) == 0);
}

/* Kept numberings are in this folder from now on; NULL: none are kept. */
static inline void keep_in(const char *folder)
{
    static char kept[CLEAVE_STORE_PATH + 512];
    snprintf(kept, sizeof kept, "%s", folder != NULL ? folder : "");
    test_planner.store.folder = folder != NULL ? kept : NULL;
}

static inline void run_test(void (*test)(void), const char *name)
{
    strcpy(home, "/tmp/cleave-cache.XXXXXX");
    CHECK(mkdtemp(home) != NULL);
    pid_t child = fork();
    if (child == 0) {
        int console = dup(2);
        check_failures = 0;
        keep_in(in_home("kept"));
        test_planner.store.bytes = UINT64_C(2) << 30;
        CHECK(freopen(in_home("notes"), "a+", stderr) != NULL);
        test();
        if (check_failures > 0) {
            dprintf(console, "in %s:\n%s", name, notes());
        }
        fflush(NULL);
        _exit(check_failures > 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    char command[256];
    snprintf(command, sizeof command, "chmod -R u+rwX %s; rm -rf %s", home, home);
    CHECK(system(command) == 0);
}

/* ---- numberings and files ------------------------------------------------------------------ */

static inline struct plan_numbering *make_numbering(int elements, uint64_t seed)
{
    struct plan_numbering *numbering = calloc(1, sizeof *numbering);
    int blocks = (elements + BLOCK - 1) / BLOCK;
    *numbering = (struct plan_numbering){.elements = elements,
                                         .blocks = blocks,
                                         .block_size = BLOCK,
                                         .method = {PLAN_START_RCB, PLAN_IMPROVE_REFINE}};
    numbering->start = malloc(((size_t)blocks + 1) * sizeof(int));
    numbering->order = malloc((size_t)elements * sizeof(int) + 1);
    for (int b = 0; b <= blocks; b++) {
        numbering->start[b] = b < blocks ? b * BLOCK : elements;
    }
    for (int i = 0; i < elements; i++) {
        int j = test_random_below(&seed, i + 1);
        numbering->order[i] = numbering->order[j];
        numbering->order[j] = i;
    }
    return numbering;
}

static inline int same_numbering(const struct plan_numbering *a, const struct plan_numbering *b)
{
    return a != NULL && b != NULL && a->elements == b->elements && a->blocks == b->blocks &&
           a->block_size == b->block_size && a->method.start == b->method.start &&
           a->method.improve == b->method.improve &&
           memcmp(a->start, b->start, ((size_t)a->blocks + 1) * sizeof(int)) == 0 &&
           memcmp(a->order, b->order, (size_t)a->elements * sizeof(int)) == 0;
}

static const struct store_key any_key = {{UINT64_C(0x0123456789abcdef), 42}};

/* 1: the key's numbering is read and equals `expected`; 0: none is read; -1: another one. */
static inline int reads(const struct store_key *key, const struct plan_numbering *expected)
{
    struct plan_numbering *read = planner_cache_read(&test_planner, key, expected->elements);
    int result = read == NULL ? 0 : same_numbering(read, expected) ? 1 : -1;
    planner_numbering_free(read);
    return result;
}

static inline int files_in(const char *folder)
{
    DIR *list = opendir(folder);
    int count = 0;
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    if (list != NULL) {
        closedir(list);
    }
    return count;
}

static inline char *path_of(const struct store_key *key)
{
    static char path[CLEAVE_STORE_PATH];
    CHECK(cleave_store_file(&test_planner.store, CLEAVE_KEPT_PLANS, key, path) == 0);
    return path;
}

static inline unsigned char *load(const char *path, size_t *bytes)
{
    struct stat status = {0};
    CHECK(stat(path, &status) == 0);
    *bytes = (size_t)status.st_size;
    unsigned char *data = malloc(*bytes + 1);
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL && fread(data, 1, *bytes, file) == *bytes);
    fclose(file);
    return data;
}

static inline void store(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(data, 1, bytes, file) == bytes);
    CHECK(file != NULL && fclose(file) == 0);
    chmod(path, 0600);
}

#define RUN(test) run_test(test, #test)

#endif
