/* cpu_bench_airfoil.c: times airfoil's iterations and each of its loops (cpu_bench.h), on the
 * generated mesh of examples/airfoil. Plain C: the loops are linked from cpu_bench_airfoil_op2.c,
 * which cleavecc compiles, or from cpu_bench_airfoil_plain.c.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cpu_bench.h"
#include "cpu_bench_airfoil.h"

real gam, gm1, cfl, eps, qinf[4];

/* Float literals in both precisions, as in the program that published the results. */
static void set_constants(void)
{
    gam = 1.4f;
    gm1 = gam - R(1.0);
    cfl = 0.9f;
    eps = 0.05f;
    const real mach = 0.4f, u = real_sqrt(gam) * mach;
    qinf[0] = R(1.0);
    qinf[1] = u;
    qinf[2] = R(0.0);
    qinf[3] = R(1.0) / gm1 + R(0.5) * u * u;
}

static void make(const struct cpu_bench_options *options, struct mesh *mesh)
{
    if (mesh_generate(mesh, options->size[0], options->size[1]) != 0) {
        exit(1);
    }
    if (options->shuffled) {
        mesh_shuffle(mesh, 7);
    }
}

/* Times of op_decl_* and op_partition, and of what they are compared with: copying the mesh. */
static void declare(const struct mesh *mesh)
{
    real *x = cpu_bench_memory(2 * (long long)mesh->nnode, sizeof *x);
    for (long long i = 0; i < 2 * (long long)mesh->nnode; i++) {
        x[i] = (real)mesh->x[i];
    }
    const double begin = cpu_bench_clock();
    airfoil_declare(mesh, x);
    cpu_bench_setup(cpu_bench_clock() - begin);
    free(x);
}

static void run(const struct mesh *mesh, const struct cpu_bench_options *options)
{
    const double r = sizeof(real);
    const double node = mesh->nnode, cell = mesh->ncell, edge = mesh->nedge, bound = mesh->nbedge;
    const struct cpu_bench_loop loop[AIRFOIL_LOOPS] = {
        {"save_soln", airfoil_run[SAVE_SOLN], 8.0 * r * cell},
        {"adt_calc", airfoil_run[ADT_CALC], 2.0 * r * node + (5.0 * r + 16.0) * cell},
        {"res_calc", airfoil_run[RES_CALC], 2.0 * r * node + 13.0 * r * cell + 16.0 * edge},
        {"bres_calc", airfoil_run[BRES_CALC], (17.0 * r + 16.0) * bound},
        {"update", airfoil_run[UPDATE], 17.0 * r * cell},
    };
    static const int step[] = {SAVE_SOLN, ADT_CALC, RES_CALC,  BRES_CALC, UPDATE,
                               ADT_CALC,  RES_CALC, BRES_CALC, UPDATE};
    cpu_bench_run(loop, AIRFOIL_LOOPS, step, sizeof step / sizeof step[0], options);
    cpu_bench_value("rms", sqrt(airfoil_sum() / cell));
}

int main(int argc, char **argv)
{
    struct cpu_bench_options options = {.size = {20, 30}, .iterations = 10};
    struct mesh mesh;
    cpu_bench_options(&options, 20000, argc, argv);
    make(&options, &mesh);
    set_constants();
    declare(&mesh);
    run(&mesh, &options);
    mesh_free(&mesh);
    airfoil_end();
    return 0;
}
