/* begun.c: op_init begins with the start of the device and returns. Then the program ends, forks,
 * or goes on, as its argument says; the exit code is 3 if all is well. See forked.sh. */
#include "op_seq.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CELLS = 64, WELL = 3, WRONG = 1 };

static void twice(double *value)
{
    *value *= 2;
}

static int child_ends_well(void)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        exit(WELL);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == WELL;
}

static int computes(void)
{
    double values[CELLS] = {1};
    op_set cells = op_decl_set(CELLS, "cells");
    op_dat dat = op_decl_dat(cells, 1, "double", values, "dat");
    op_par_loop(twice, "twice", cells, op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW));
    op_fetch_data(dat, values);
    return values[0] == 2;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    op_init(argc, argv, 0);
    if (strcmp(what, "exits") == 0) {
        exit(WELL);
    }
    if (strcmp(what, "forks") == 0 && !child_ends_well()) {
        return WRONG;
    }
    if (strcmp(what, "ends") != 0 && !computes()) {
        return WRONG;
    }
    op_exit();
    if (strcmp(what, "again") == 0) {
        op_init(argc, argv, 0);
        op_exit();
        op_init(argc, argv, 0);
        return computes() ? WELL : WRONG;
    }
    return WELL;
}
