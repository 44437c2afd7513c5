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

#endif
