/* gpu_bench_lulesh.c: LULESH's two force loops over hexahedra as an OP2 program that measures them
 * (gpu_bench.h). Eight corners are incremented by each element, and the hourglass loop reads 51
 * numbers of its own per element. Every value is compared with that of gpu_bench_lulesh_host.c.
 */
#include "op_seq.h"

#include "gpu_bench.h"
#include "gpu_bench_lulesh.h"

static op_set nodes, elements;
static op_map nodelist;
static op_dat x, xd, sig, x8, dvd, volume, ss, mass, determ, f;

static void declare(const struct lulesh_case *lulesh)
{
    nodes = op_decl_set(lulesh->nodes, "nodes");
    elements = op_decl_set(lulesh->elements, "elements");
    nodelist = op_decl_map(elements, nodes, 8, lulesh->corner, "nodelist");
    x = op_decl_dat(nodes, 3, "double", lulesh->x, "x");
    xd = op_decl_dat(nodes, 3, "double", lulesh->xd, "xd");
    f = op_decl_dat(nodes, 3, "double", (double *)NULL, "f");
    sig = op_decl_dat(elements, 3, "double", lulesh->sig, "sig");
    x8 = op_decl_dat(elements, 24, "double", lulesh->x8, "x8");
    dvd = op_decl_dat(elements, 24, "double", lulesh->dvd, "dvd");
    volume = op_decl_dat(elements, 1, "double", lulesh->volume, "volume");
    ss = op_decl_dat(elements, 1, "double", lulesh->ss, "ss");
    mass = op_decl_dat(elements, 1, "double", lulesh->mass, "mass");
    determ = op_decl_dat(elements, 1, "double", (double *)NULL, "determ");
}

static void prepare_force(void)
{
    op_par_loop(clear_force, "clear_force", nodes, op_arg_dat(f, -1, OP_ID, 3, "double", OP_WRITE));
}

static void run_integrate_stress(void)
{
    op_par_loop(integrate_stress, "integrate_stress", elements,
                op_arg_dat(x, -8, nodelist, 3, "double", OP_READ),
                op_arg_dat(f, -8, nodelist, 3, "double", OP_INC),
                op_arg_dat(sig, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(determ, -1, OP_ID, 1, "double", OP_WRITE));
}

static void run_hourglass(void)
{
    op_par_loop(hourglass, "hourglass", elements,
                op_arg_dat(xd, -8, nodelist, 3, "double", OP_READ),
                op_arg_dat(f, -8, nodelist, 3, "double", OP_INC),
                op_arg_dat(x8, -1, OP_ID, 24, "double", OP_READ),
                op_arg_dat(dvd, -1, OP_ID, 24, "double", OP_READ),
                op_arg_dat(volume, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(ss, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(mass, -1, OP_ID, 1, "double", OP_READ));
}

static void measure_all(struct gpu_bench *bench, const struct lulesh_case *lulesh)
{
    const double node = lulesh->nodes, element = lulesh->elements;
    const struct gpu_bench_loop stress = {"integrate_stress",
                                          72.0 * node + 64.0 * element,
                                          prepare_force,
                                          run_integrate_stress,
                                          2,
                                          {{f, lulesh->stress, 1}, {determ, lulesh->determ, 0}},
                                          0};
    const struct gpu_bench_loop control = {"hourglass",
                                           72.0 * node + 440.0 * element,
                                           prepare_force,
                                           run_hourglass,
                                           1,
                                           {{f, lulesh->hourglass, 1}},
                                           0};
    gpu_bench_table_head();
    gpu_bench_measure(bench, &stress);
    gpu_bench_measure(bench, &control);
}

/* The elements fill the cube; stresses in equilibrium within each element add up to nothing; linear
 * velocities strain, which hourglass control leaves alone. */
static void check_reference(struct gpu_bench *bench, const struct lulesh_case *lulesh)
{
    double filled = 0.0, sum = 0.0, magnitude = 0.0;
    for (int e = 0; e < lulesh->elements; e++) {
        filled += lulesh->volume[e];
    }
    for (size_t i = 0; i < 3 * (size_t)lulesh->nodes; i += 3) {
        sum += lulesh->stress[i];
        magnitude += fabs(lulesh->stress[i]);
    }
    gpu_bench_known(bench, "volume", filled, 1.125 * 1.125 * 1.125, 1e-12);
    gpu_bench_small(bench, "force", sum / magnitude, 1e-12);
    gpu_bench_small(bench, "linear", lulesh->linear, 1e-11);
}

static void spoil_references(struct lulesh_case *lulesh)
{
    lulesh->stress[0] *= 1.01;
    lulesh->hourglass[0] *= 1.01;
    lulesh->determ[0] *= 1.01;
}

int main(int argc, char **argv)
{
    static const char *const loops[] = {"integrate_stress", "hourglass", NULL};
    struct gpu_bench bench = {
        .program = "lulesh",
        .precision = "double",
        .tolerance = 1e-12,
        .options = {.size = {10, 0}, .mode = 1, .seed = 7, .calls = 11},
    };
    struct lulesh_case lulesh;
    gpu_bench_begin(&bench, argc, argv, 1, LULESH_MOST, loops);
    op_init(argc, argv, 1);
    lulesh_make(&lulesh, bench.options.size[0], bench.options.fault == GPU_BENCH_FAULT_NORM);
    if (bench.options.shuffled) {
        lulesh_shuffle(&lulesh, bench.options.seed);
    }
    printf("lulesh, s %d, %s: %d nodes, %d elements\n", lulesh.s,
           bench.options.shuffled ? "shuffled" : "natural", lulesh.nodes, lulesh.elements);
    check_reference(&bench, &lulesh);
    if (bench.options.fault == GPU_BENCH_FAULT_RESULT) {
        spoil_references(&lulesh);
    }
    declare(&lulesh);
    op_partition("", "", elements, nodelist, x);
    measure_all(&bench, &lulesh);
    lulesh_free(&lulesh);
    const int status = gpu_bench_end(&bench);
    op_exit();
    return status;
}
