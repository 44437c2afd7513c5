/* cpu_bench_lulesh.c: times LULESH's two force loops on a cube of hexahedra (cpu_bench.h). Plain C:
 * the loops are linked from cpu_bench_lulesh_op2.c, which cleavecc compiles, or from
 * cpu_bench_lulesh_plain.c.
 */
#include "cpu_bench_lulesh.h"

#include "cpu_bench.h"

int main(int argc, char **argv)
{
    static const int step[] = {0, 1};
    struct cpu_bench_options options = {.size = {8, 0}, .iterations = 10};
    struct lulesh_case lulesh;
    cpu_bench_options(&options, LULESH_MOST, argc, argv);
    lulesh_make(&lulesh, options.size[0], 0);
    if (options.shuffled) {
        lulesh_shuffle(&lulesh, 7);
    }
    const double node = lulesh.nodes, element = lulesh.elements;
    const struct cpu_bench_loop loop[] = {
        {"integrate_stress", lulesh_integrate_stress, 72.0 * node + 64.0 * element},
        {"hourglass", lulesh_hourglass, 72.0 * node + 440.0 * element},
    };
    const double begin = cpu_bench_clock();
    lulesh_declare(&lulesh);
    cpu_bench_setup(cpu_bench_clock() - begin);
    cpu_bench_run(loop, 2, step, 2, &options);
    cpu_bench_norm("force", lulesh_force(), 3LL * lulesh.nodes);
    lulesh_free(&lulesh);
    lulesh_end();
    return 0;
}
