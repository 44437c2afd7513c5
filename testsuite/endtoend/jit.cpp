/* jit.cpp: a ring of edges and a loop that adds through maps, called until a variant runs whose name is the first
 * argument, or as many seconds have passed as the second one says. Every value is a whole number, so that each call is
 * checked exactly, whatever variant runs it. A constant is declared, another one is the program's own. For jit.sh. */
#include "op_seq.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int EDGES = 600;

static double three(void)
{
    return 3.0;
}

double weight = 2.0;
static const double shift = three();

static void spread(const double *from, const double *to, double *at_from, double *at_to)
{
    for (int c = 0; c < 4; c++) {
        at_from[c] += weight * to[c] + shift;
        at_to[c] += from[c];
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* 1: the table of times has a row for the variant. */
static int has_run(const char *variant)
{
    char text[8192];
    op_timings_to_csv("times.csv");
    FILE *file = fopen("times.csv", "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return strstr(text, variant) != NULL;
}

/* After so many calls each component of each point has the same value. */
static void check(op_dat sums, double expected)
{
    op_get_data(sums);
    for (int i = 0; i < 4 * EDGES; i++) {
        if (((double *)sums->data)[i] != expected) {
            printf("wrong: value %d is %g, and should be %g\n", i, ((double *)sums->data)[i], expected);
            exit(1);
        }
    }
}

int main(int argc, char **argv)
{
    static int ends[2 * EDGES];
    static double ones[4 * EDGES];
    static double zeros[4 * EDGES];
    double expected = 0.0;
    int found = 0;
    for (int e = 0; e < EDGES; e++) {
        ends[2 * e] = e;
        ends[2 * e + 1] = (e + 1) % EDGES;
    }
    for (int i = 0; i < 4 * EDGES; i++) {
        ones[i] = 1.0;
    }
    op_init(argc, argv, getenv("DIAGS") != NULL);
    op_decl_const(1, "double", &weight);
    op_set points = op_decl_set(EDGES, "points");
    op_set edges = op_decl_set(EDGES, "edges");
    op_map end = op_decl_map(edges, points, 2, ends, "end");
    op_dat values = op_decl_dat(points, 4, "double", ones, "values");
    op_dat sums = op_decl_dat(points, 4, "double", zeros, "sums");
    const double stop = now() + atof(argv[2]);
    do {
        op_par_loop(spread, "spread", edges, op_arg_dat(values, 0, end, 4, "double", OP_READ),
                    op_arg_dat(values, 1, end, 4, "double", OP_READ),
                    op_arg_dat(sums, 0, end, 4, "double", OP_INC),
                    op_arg_dat(sums, 1, end, 4, "double", OP_INC));
        expected += weight + shift + 1.0;
        check(sums, expected);
        found = found || has_run(argv[1]);
        if (found && weight == 2.0) {
            weight = 5.0; /* the new unit gets constants that change, too */
            op_decl_const(1, "double", &weight);
            continue;
        }
        usleep(5000);
    } while ((!found || weight == 2.0) && now() < stop);
    printf("%s %s\n", found ? "ran" : "never ran", argv[1]);
    op_exit();
    return 0;
}
