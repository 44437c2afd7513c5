/* cpu_bench_scalar.c: times two loops of unknown trip counts (cpu_bench.h), on the mesh of
 * examples/airfoil. Plain C: the loops are linked from cpu_bench_scalar_op2.c, which cleavecc
 * compiles, or from cpu_bench_scalar_plain.c.
 */
#include "cpu_bench_scalar.h"

#include <stdlib.h>

#include "cpu_bench.h"

static void make(const struct cpu_bench_options *options, struct mesh *mesh)
{
    if (mesh_generate(mesh, options->size[0], options->size[1]) != 0) {
        exit(1);
    }
    if (options->shuffled) {
        mesh_shuffle(mesh, 7);
    }
}

/* Values that differ from cell to cell, so that numbers of steps do. */
static void declare(const struct mesh *mesh)
{
    double *value = cpu_bench_memory(mesh->ncell, sizeof *value);
    for (int c = 0; c < mesh->ncell; c++) {
        value[c] = 0.25 + 0.001 * (c % 1000);
    }
    const double begin = cpu_bench_clock();
    scalar_declare(mesh, value);
    cpu_bench_setup(cpu_bench_clock() - begin);
    free(value);
}

int main(int argc, char **argv)
{
    static const int step[] = {STAR, ANOMALY};
    struct cpu_bench_options options = {.size = {20, 30}, .iterations = 10};
    struct mesh mesh;
    cpu_bench_options(&options, 20000, argc, argv);
    make(&options, &mesh);
    declare(&mesh);
    const struct cpu_bench_loop loop[SCALAR_LOOPS] = {
        {"star", scalar_run[STAR], 24.0 * mesh.ncell + 8.0 * mesh.nedge},
        {"anomaly", scalar_run[ANOMALY], 16.0 * mesh.ncell},
    };
    cpu_bench_run(loop, SCALAR_LOOPS, step, SCALAR_LOOPS, &options);
    cpu_bench_norm("sum", scalar_result(STAR), mesh.ncell);
    cpu_bench_norm("anomaly", scalar_result(ANOMALY), mesh.ncell);
    mesh_free(&mesh);
    scalar_end();
    return 0;
}
