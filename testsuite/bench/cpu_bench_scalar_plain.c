/* cpu_bench_scalar_plain.c: the loops of cpu_bench_scalar as a sequential program has them. */
#include "cpu_bench_scalar.h"

#include <stdlib.h>
#include <string.h>

#include "cpu_bench.h"

static int edges, cells;
static int *ecell;
static double *value, *sum, *found;

void scalar_declare(const struct mesh *mesh, const double *of_cells)
{
    edges = mesh->nedge;
    cells = mesh->ncell;
    ecell = cpu_bench_memory(2LL * edges, sizeof *ecell);
    memcpy(ecell, mesh->ecell, 2 * (size_t)edges * sizeof *ecell);
    value = cpu_bench_memory(cells, sizeof *value);
    memcpy(value, of_cells, (size_t)cells * sizeof *value);
    sum = cpu_bench_memory(cells, sizeof *sum);
    found = cpu_bench_memory(cells, sizeof *found);
}

static void run_star(void)
{
    for (size_t e = 0; e < (size_t)edges; e++) {
        const size_t left = (size_t)ecell[2 * e], right = (size_t)ecell[2 * e + 1];
        star(value + left, value + right, sum + left, sum + right);
    }
}

static void run_anomaly(void)
{
    for (size_t c = 0; c < (size_t)cells; c++) {
        anomaly(value + c, found + c);
    }
}

void (*const scalar_run[SCALAR_LOOPS])(void) = {run_star, run_anomaly};

const double *scalar_result(int loop)
{
    return loop == STAR ? sum : found;
}

void scalar_end(void)
{
    free(ecell);
    free(value);
    free(sum);
    free(found);
}
