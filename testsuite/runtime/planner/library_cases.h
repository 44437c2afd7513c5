/* library_cases.h: runs a case in a process of its own, because a library is loaded once, and
 * compares what it writes word by word. */
#ifndef CLEAVE_TEST_LIBRARY_CASES_H
#define CLEAVE_TEST_LIBRARY_CASES_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "graph_cases.h"

static inline void read_back(FILE *file, char *text, size_t capacity)
{
    rewind(file);
    text[fread(text, 1, capacity - 1, file)] = '\0';
    fclose(file);
}

/* The case must write `expected` to stderr, and nothing to stdout, where "before"
 * stands there already. `path` becomes `library` (a field of test_planner), `fake` tells the fake
 * library what to do. */
static inline void in_child(void (*run)(void), const char **path, const char *library,
                            const char *fake, const char *mode, const char *expected)
{
    FILE *out = tmpfile();
    FILE *err = tmpfile();
    char text[4096];
    int status = -1;
    CHECK(out != NULL && err != NULL);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        *path = library;
        setenv(fake, mode, 1);
        dup2(fileno(out), STDOUT_FILENO);
        dup2(fileno(err), STDERR_FILENO);
        check_failures = 0;
        printf("before");
        run();
        fflush(NULL);
        _exit(check_failures != 0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    read_back(err, text, sizeof text);
    CHECK_TEXT(text, expected);
    read_back(out, text, sizeof text);
    CHECK_TEXT(text, "before");
}

/* Element e -> points e and e+1, in their order. */
static inline void chain_case(struct plan_mesh *mesh, int elements)
{
    int *row = malloc((size_t)elements * 2 * sizeof *row);
    for (int e = 0; e < elements; e++) {
        row[2 * e] = e;
        row[2 * e + 1] = e + 1;
    }
    graph_case_rows(mesh, elements, 2, elements + 1, row);
    free(row);
}

#endif
