/* child.h: runs a function in a child process and keeps what it says on stderr: for errors, which
 * end the program. */
#ifndef CLEAVE_TEST_CHILD_H
#define CLEAVE_TEST_CHILD_H

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* The child has none of the threads that OpenMP started in the parent, and would wait for them:
 * it does without. Returns the exit code, or 128 plus the signal. `function` returning counts as
 * exit code 0. */
static int child_run(void (*function)(void), char *said, size_t capacity)
{
    FILE *file = tmpfile();
    int status = 0;
    size_t length;
    pid_t child;
    if (file == NULL) {
        return -1;
    }
    fflush(stdout);
    fflush(stderr);
    child = fork();
    if (child == 0) {
        omp_set_num_threads(1);
        dup2(fileno(file), STDERR_FILENO);
        function();
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        fclose(file);
        return -1;
    }
    rewind(file);
    length = fread(said, 1, capacity - 1, file);
    said[length] = '\0';
    fclose(file);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Checks that a child process which runs `function` ends with `code`, as child_run() returns it,
 * and says `says` once. */
static inline void expect_child(void (*function)(void), int code, const char *says)
{
    char said[4096];
    const int got = child_run(function, said, sizeof said);
    const char *first = strstr(said, says);
    const int is_once = first != NULL && strstr(first + 1, says) == NULL;
    CHECK(got == code && is_once);
    if (got != code || !is_once) {
        fprintf(stderr, "  expected %d and once \"%s\"\n  is %d \"%s\"\n", code, says, got, said);
    }
}

#endif
