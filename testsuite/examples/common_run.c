/* common_run.c: a program with an option of each kind, for common.sh. It says what it was given,
 * and prints results of which some are known. Valid C and C++. */
#include "run.h"

#include "output.h"
#include "permute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct reference REFERENCES[] = {
    {"n=8 mode=fast", "third", 1.0 / 3.0, 1e-12, 0.0}, {"n=8 mode=fast", "zero", 0.0, 0.0, 1e-9},
    {"n=8 mode=fast", "late", 5.0, 0.0, 0.0},          {"n=9 mode=fast", "third", 0.3, 1e-12, 0.0},
    {"n=9 mode=fast", "zero", 0.0, 0.0, 1e-9},         {"n=10 mode=fast", "root", 1.0, 1e9, 1e9},
};

int main(int argc, char **argv)
{
    int n = 8;
    int sizes[2] = {3, 4};
    int fast = 0;
    int steps = 3;
    double length = 0.5;
    const char *mode = "fast";
    const char *mesh = NULL;
    const struct option options[] = {
        {"n", OPTION_COUNT, &n, 0, NULL, "elements"},
        {"sizes", OPTION_SIZES, sizes, 2, NULL, "cells in x and y"},
        {"steps", OPTION_COUNT, &steps, 0, NULL, "steps"},
        {"flag", OPTION_FLAG, &fast, 0, NULL, "a flag"},
        {"length", OPTION_NUMBER, &length, 0, NULL, "of the box"},
        {"mode", OPTION_WORD, &mode, 0, "fast slow", "how"},
        {"mesh", OPTION_FILE, &mesh, 0, NULL, "read from there"},
    };
    struct run run;
    run_begin(&run, "program", "A program of the tests.", options, 7, argc > 1 && argv[1][0] == 'O',
              argc, argv);
    snprintf(run.test, sizeof run.test, "n=%d mode=%s", n, mode);
    run_references(&run, REFERENCES, (int)(sizeof REFERENCES / sizeof REFERENCES[0]));
    printf("given: n %d sizes %d,%d flag %d length %g mode %s mesh %s shuffle %d output %s\n", n,
           sizes[0], sizes[1], fast, length, mode, mesh ? mesh : "none", run.shuffle,
           run.output ? run.output : "none");
    if (n == 77) {
        run_failed(run.program, "no memory for %d", n);
    }
    if (n == 78) {
        run_refused(run.program, "too large: %d", n);
    }
    run_progress(&run, 0, steps);
    for (int step = 1; step <= steps; step++) {
        run_progress(&run, step, steps);
    }
    run_result(&run, "third", 1.0 / 3.0);
    run_result(&run, "zero", 1e-10);
    run_result(&run, "root", sqrt(-(double)n));
    free(permutation_new(n, 1));
    return run_finish(&run) | (n == 79 ? output_check("x.vtkhdf") : 0);
}
