/* forked.c: forks between loops; parent and child both go on with their loops. With the argument
 * "early", before op_init. See forked.sh. */
#include "op_seq.h"

#include <sys/wait.h>
#include <unistd.h>

enum { CELLS = 1000, FACES = 5000 };

static void add(const double *weight, double *left, double *right)
{
    *left += *weight;
    *right -= 0.5 * *weight;
}

static void scale(double *value)
{
    *value *= 2.0;
}

static op_set cells;
static op_set faces;
static op_map sides;
static op_dat weight;
static op_dat value;

static void declare(int argc, char **argv)
{
    static int side[2 * FACES];
    static double weights[FACES];
    for (int f = 0; f < FACES; f++) {
        side[2 * f] = f % CELLS;
        side[2 * f + 1] = (f * 7 + 3) % CELLS;
        weights[f] = f % 5;
    }
    op_init(argc, argv, 0);
    cells = op_decl_set(CELLS, "cells");
    faces = op_decl_set(FACES, "faces");
    sides = op_decl_map(faces, cells, 2, side, "sides");
    weight = op_decl_dat(faces, 1, "double", weights, "weight");
    value = op_decl_dat(cells, 1, "double", (double *)NULL, "value");
}

static void loops(void)
{
    op_par_loop(add, "add", faces, op_arg_dat(weight, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(value, 0, sides, 1, "double", OP_INC),
                op_arg_dat(value, 1, sides, 1, "double", OP_INC));
    op_par_loop(scale, "scale", cells, op_arg_dat(value, -1, OP_ID, 1, "double", OP_RW));
}

static void show(const char *who)
{
    static double values[CELLS];
    double sum = 0.0;
    op_fetch_data(value, values);
    for (int c = 0; c < CELLS; c++) {
        sum += values[c] * (c % 11 + 1);
    }
    printf("= %s %.17g\n", who, sum);
    fflush(stdout);
}

/* Loops as small as these run on one thread: the program itself starts OpenMP's threads. */
static int count_threads(void)
{
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads++;
    return threads;
}

int main(int argc, char **argv)
{
    int early = argc > 1 && strcmp(argv[1], "early") == 0;
    int status = 1;
    if (!early) {
        declare(argc, argv);
        loops();
        if (count_threads() != 2) {
            return 5;
        }
    }
    fflush(stdout);
    pid_t child = fork();
    if (child != 0) {
        waitpid(child, &status, 0);
    }
    if (early) {
        declare(argc, argv);
        loops();
    }
    loops();
    show(child == 0 ? "child" : "parent");
    op_exit();
    return child == 0 || status == 0 ? 0 : 4;
}
