/* gpu_bench_airfoil.c: OP2's airfoil program as one that measures its loops (gpu_bench.h), in
 * double or, compiled with GPU_BENCH_FLOAT, in single precision. The mesh is that of the airfoil
 * example.
 *
 * Loops are measured on a disturbed free stream, where no flux cancels, and each is compared with
 * the same kernels called here one element after the other. Then the program runs 100 iterations of
 * the real problem; what they give is known.
 */
#include "op_seq.h"

#include "examples/airfoil/mesh.h"
#include "gpu_bench.h"
#include "gpu_bench_airfoil.h"

real gam, gm1, cfl, eps, mach, qinf[4];

static op_set nodes, edges, bedges, cells;
static op_map pedge, pecell, pbedge, pbecell, pcell;
static op_dat p_bound, p_x, p_q, p_qold, p_adt, p_res;
static real rms, most;

/* Results of one call of each loop on the disturbed stream; arrays [4*cells], adt [cells]; owned.
 */
static struct {
    real *x; /* [2*nodes] */
    real *q;
    real *adt;
    real *edge_res;
    real *boundary_res;
    real *next;
    real *none; /* zeros */
} expected;

/* Float literals in both precisions: known results depend on it. */
static void set_constants(void)
{
    gam = 1.4f;
    gm1 = gam - R(1.0);
    cfl = 0.9f;
    eps = 0.05f;
    mach = 0.4f;
    const real u = real_sqrt(gam) * mach;
    qinf[0] = R(1.0);
    qinf[1] = u;
    qinf[2] = R(0.0);
    qinf[3] = R(1.0) / gm1 + R(0.5) * u * u;
    op_decl_const(1, REAL, &gam);
    op_decl_const(1, REAL, &gm1);
    op_decl_const(1, REAL, &cfl);
    op_decl_const(1, REAL, &eps);
    op_decl_const(1, REAL, &mach);
    op_decl_const(4, REAL, qinf);
}

/* ---- what the loops should give -------------------------------------------------------------- */

static real *reals(size_t count)
{
    real *value = calloc(count, sizeof *value);
    if (value == NULL) {
        fprintf(stderr, "gpu_bench_airfoil: not enough memory for %zu values\n", count);
        exit(1);
    }
    return value;
}

/* The free stream with waves of 5 per cent. */
static void disturb(const struct mesh *mesh)
{
    for (size_t c = 0; c < (size_t)mesh->ncell; c++) {
        double at[2] = {0.0, 0.0};
        for (int k = 0; k < 4; k++) {
            at[0] += 0.25 * mesh->x[2 * (size_t)mesh->cell[4 * c + k]];
            at[1] += 0.25 * mesh->x[2 * (size_t)mesh->cell[4 * c + k] + 1];
        }
        for (int k = 0; k < 4; k++) {
            const double wave = 0.05 * sin(0.7 * at[0] + k) * cos(0.5 * at[1] - k);
            expected.q[4 * c + k] = (real)((double)qinf[k] + wave);
        }
    }
}

static void expect_residuals(const struct mesh *mesh)
{
    const real *x = expected.x, *q = expected.q, *adt = expected.adt;
    for (size_t c = 0; c < (size_t)mesh->ncell; c++) {
        const int *n = &mesh->cell[4 * c];
        adt_calc(&x[2 * n[0]], &x[2 * n[1]], &x[2 * n[2]], &x[2 * n[3]], &q[4 * c],
                 &expected.adt[c]);
    }
    for (size_t e = 0; e < (size_t)mesh->nedge; e++) {
        const int *n = &mesh->edge[2 * e];
        const int *c = &mesh->ecell[2 * e];
        res_calc(&x[2 * n[0]], &x[2 * n[1]], &q[4 * c[0]], &q[4 * c[1]], &adt[c[0]], &adt[c[1]],
                 &expected.edge_res[4 * c[0]], &expected.edge_res[4 * c[1]]);
    }
    for (size_t b = 0; b < (size_t)mesh->nbedge; b++) {
        const int *n = &mesh->bedge[2 * b];
        const int c = mesh->becell[b];
        bres_calc(&x[2 * n[0]], &x[2 * n[1]], &q[4 * c], &adt[c], &expected.boundary_res[4 * c],
                  &mesh->bound[b]);
    }
}

static void expect_next(const struct mesh *mesh)
{
    real sum = R(0.0), largest = R(0.0);
    for (size_t c = 0; c < (size_t)mesh->ncell; c++) {
        real res[4];
        for (int k = 0; k < 4; k++) {
            res[k] = expected.edge_res[4 * c + k] + expected.boundary_res[4 * c + k];
        }
        update(&expected.q[4 * c], &expected.next[4 * c], res, &expected.adt[c], &sum, &largest);
    }
}

static void expect(const struct mesh *mesh)
{
    const size_t ncell = (size_t)mesh->ncell;
    expected.x = reals(2 * (size_t)mesh->nnode);
    expected.q = reals(4 * ncell);
    expected.adt = reals(ncell);
    expected.edge_res = reals(4 * ncell);
    expected.boundary_res = reals(4 * ncell);
    expected.next = reals(4 * ncell);
    expected.none = reals(4 * ncell);
    for (size_t i = 0; i < 2 * (size_t)mesh->nnode; i++) {
        expected.x[i] = (real)mesh->x[i];
    }
    disturb(mesh);
    expect_residuals(mesh);
    expect_next(mesh);
}

static void forget(void)
{
    free(expected.x);
    free(expected.q);
    free(expected.adt);
    free(expected.edge_res);
    free(expected.boundary_res);
    free(expected.next);
    free(expected.none);
}

/* Makes one value of each reference wrong by 1 per cent or so. */
static void spoil_references(void)
{
    expected.q[0] += R(0.01);
    expected.adt[0] *= R(1.01);
    expected.edge_res[0] += R(0.01);
    expected.boundary_res[0] += R(0.01);
    expected.next[0] += R(0.01);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void declare(const struct mesh *mesh)
{
    nodes = op_decl_set(mesh->nnode, "nodes");
    edges = op_decl_set(mesh->nedge, "edges");
    bedges = op_decl_set(mesh->nbedge, "bedges");
    cells = op_decl_set(mesh->ncell, "cells");
    pedge = op_decl_map(edges, nodes, 2, mesh->edge, "pedge");
    pecell = op_decl_map(edges, cells, 2, mesh->ecell, "pecell");
    pbedge = op_decl_map(bedges, nodes, 2, mesh->bedge, "pbedge");
    pbecell = op_decl_map(bedges, cells, 1, mesh->becell, "pbecell");
    pcell = op_decl_map(cells, nodes, 4, mesh->cell, "pcell");
    p_bound = op_decl_dat(bedges, 1, "int", mesh->bound, "p_bound");
    p_x = op_decl_dat(nodes, 2, REAL, expected.x, "p_x");
    p_q = op_decl_dat(cells, 4, REAL, expected.q, "p_q");
    p_qold = op_decl_dat(cells, 4, REAL, (real *)NULL, "p_qold");
    p_adt = op_decl_dat(cells, 1, REAL, (real *)NULL, "p_adt");
    p_res = op_decl_dat(cells, 4, REAL, (real *)NULL, "p_res");
}

static void run_save_soln(void)
{
    op_par_loop(save_soln, "save_soln", cells, op_arg_dat(p_q, -1, OP_ID, 4, REAL, OP_READ),
                op_arg_dat(p_qold, -1, OP_ID, 4, REAL, OP_WRITE));
}

static void run_adt_calc(void)
{
    op_par_loop(
        adt_calc, "adt_calc", cells, op_arg_dat(p_x, 0, pcell, 2, REAL, OP_READ),
        op_arg_dat(p_x, 1, pcell, 2, REAL, OP_READ), op_arg_dat(p_x, 2, pcell, 2, REAL, OP_READ),
        op_arg_dat(p_x, 3, pcell, 2, REAL, OP_READ), op_arg_dat(p_q, -1, OP_ID, 4, REAL, OP_READ),
        op_arg_dat(p_adt, -1, OP_ID, 1, REAL, OP_WRITE));
}

static void prepare_res(void)
{
    op_par_loop(clear_res, "clear_res", cells, op_arg_dat(p_res, -1, OP_ID, 4, REAL, OP_WRITE));
}

static void run_res_calc(void)
{
    op_par_loop(res_calc, "res_calc", edges, op_arg_dat(p_x, 0, pedge, 2, REAL, OP_READ),
                op_arg_dat(p_x, 1, pedge, 2, REAL, OP_READ),
                op_arg_dat(p_q, 0, pecell, 4, REAL, OP_READ),
                op_arg_dat(p_q, 1, pecell, 4, REAL, OP_READ),
                op_arg_dat(p_adt, 0, pecell, 1, REAL, OP_READ),
                op_arg_dat(p_adt, 1, pecell, 1, REAL, OP_READ),
                op_arg_dat(p_res, 0, pecell, 4, REAL, OP_INC),
                op_arg_dat(p_res, 1, pecell, 4, REAL, OP_INC));
}

static void run_bres_calc(void)
{
    op_par_loop(bres_calc, "bres_calc", bedges, op_arg_dat(p_x, 0, pbedge, 2, REAL, OP_READ),
                op_arg_dat(p_x, 1, pbedge, 2, REAL, OP_READ),
                op_arg_dat(p_q, 0, pbecell, 4, REAL, OP_READ),
                op_arg_dat(p_adt, 0, pbecell, 1, REAL, OP_READ),
                op_arg_dat(p_res, 0, pbecell, 4, REAL, OP_INC),
                op_arg_dat(p_bound, -1, OP_ID, 1, "int", OP_READ));
}

static void run_update(void)
{
    rms = R(0.0);
    most = R(0.0);
    op_par_loop(update, "update", cells, op_arg_dat(p_qold, -1, OP_ID, 4, REAL, OP_READ),
                op_arg_dat(p_q, -1, OP_ID, 4, REAL, OP_WRITE),
                op_arg_dat(p_res, -1, OP_ID, 4, REAL, OP_RW),
                op_arg_dat(p_adt, -1, OP_ID, 1, REAL, OP_READ), op_arg_gbl(&rms, 1, REAL, OP_INC),
                op_arg_gbl(&most, 1, REAL, OP_MAX));
}

/* The disturbed stream and its residuals again. */
static void prepare_update(void)
{
    op_par_loop(save_soln, "restore", cells, op_arg_dat(p_qold, -1, OP_ID, 4, REAL, OP_READ),
                op_arg_dat(p_q, -1, OP_ID, 4, REAL, OP_WRITE));
    prepare_res();
    run_res_calc();
    run_bres_calc();
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void measure_all(struct gpu_bench *bench, const struct mesh *mesh)
{
    const double r = sizeof(real);
    const double node = mesh->nnode, cell = mesh->ncell, edge = mesh->nedge, bound = mesh->nbedge;
    const struct gpu_bench_loop loop[] = {
        {"save_soln", 8.0 * r * cell, NULL, run_save_soln, 1, {{p_qold, expected.q, 0}}, 0},
        {"adt_calc",
         2.0 * r * node + (5.0 * r + 16.0) * cell,
         NULL,
         run_adt_calc,
         1,
         {{p_adt, expected.adt, 0}},
         0},
        {"res_calc",
         2.0 * r * node + 13.0 * r * cell + 16.0 * edge,
         prepare_res,
         run_res_calc,
         1,
         {{p_res, expected.edge_res, 1}},
         0},
        {"bres_calc",
         (17.0 * r + 16.0) * bound,
         prepare_res,
         run_bres_calc,
         1,
         {{p_res, expected.boundary_res, 1}},
         0},
        {"update",
         17.0 * r * cell,
         prepare_update,
         run_update,
         2,
         {{p_q, expected.next, 0}, {p_res, expected.none, 0}},
         1},
    };
    gpu_bench_table_head();
    run_save_soln();
    run_adt_calc();
    for (size_t l = 0; l < sizeof loop / sizeof loop[0]; l++) {
        gpu_bench_measure(bench, &loop[l]);
    }
}

/* Root mean square of the change after 100 iterations: of the small mesh from OP2's sequential
 * program, of the large one as OP2's documentation prints it, six digits. */
static double known_rms(const struct gpu_bench *bench, double *tolerance)
{
    const int *size = bench->options.size;
    const int small = size[0] == 20 && size[1] == 30;
    const int large = size[0] == 400 && size[1] == 600;
    *tolerance = large ? 1e-6 : 1e-10;
    if (sizeof(real) == sizeof(float)) {
        *tolerance = 1e-4; /* one sum of 2.9 million floats after the other is off by 3e-5 */
    }
    return small ? 2.074220547521027e-4 : large ? 5.02186e-4 : 0.0;
}

static void free_stream(const struct gpu_bench *bench)
{
    real *q = (real *)p_q->data;
    op_get_data(p_q);
    for (size_t c = 0; c < (size_t)cells->size; c++) {
        memcpy(&q[4 * c], qinf, sizeof qinf);
    }
    if (bench->options.fault == GPU_BENCH_FAULT_NORM) {
        q[0] *= R(1.1);
    }
    op_put_data(p_q);
    prepare_res();
}

static void check_iterations(struct gpu_bench *bench)
{
    double tolerance;
    const double known = known_rms(bench, &tolerance);
    free_stream(bench);
    for (int i = 0; i < 100; i++) {
        run_save_soln();
        for (int k = 0; k < 2; k++) {
            run_adt_calc();
            run_res_calc();
            run_bres_calc();
            run_update();
        }
    }
    gpu_bench_known(bench, "rms", sqrt((double)rms / cells->size), known, tolerance);
}

static void make_mesh(struct mesh *mesh, const struct gpu_bench_options *options)
{
    if (mesh_generate(mesh, options->size[0], options->size[1]) != 0) {
        exit(1);
    }
    if (options->shuffled) {
        mesh_shuffle(mesh, (int)options->seed);
    }
    printf("airfoil in %s, %d x %d, %s: %d nodes, %d cells, %d edges, %d boundary edges\n", REAL,
           options->size[0], options->size[1], options->shuffled ? "shuffled" : "natural",
           mesh->nnode, mesh->ncell, mesh->nedge, mesh->nbedge);
}

int main(int argc, char **argv)
{
    static const char *const loops[] = {"save_soln", "adt_calc", "res_calc",
                                        "bres_calc", "update",   NULL};
    struct gpu_bench bench = {
        .program = sizeof(real) == sizeof(float) ? "airfoil_float" : "airfoil",
        .precision = REAL,
        .tolerance = sizeof(real) == sizeof(float) ? 1e-5 : 1e-12,
        .options = {.size = {20, 30}, .mode = 1, .seed = 7, .calls = 11},
    };
    struct mesh mesh;
    gpu_bench_begin(&bench, argc, argv, 2, 20000, loops);
    op_init(argc, argv, 1);
    make_mesh(&mesh, &bench.options);
    set_constants();
    expect(&mesh);
    declare(&mesh);
    if (bench.options.fault == GPU_BENCH_FAULT_RESULT) {
        spoil_references();
    }
    op_partition("", "", edges, pecell, p_x);
    measure_all(&bench, &mesh);
    check_iterations(&bench);
    mesh_free(&mesh);
    forget();
    const int status = gpu_bench_end(&bench);
    op_exit();
    return status;
}
