/* gpu_bench_hydra.c: the edge loops of a Navier-Stokes solver on tetrahedra, as an OP2 program that
 * measures them: Edgecon, Iflux, Vflux, Accu, with the kernels and on the mesh of examples/hydra.
 *
 * One step: prims, Edgecon, btris, normalise, then the other three, which read what these have
 * made. Every value of every loop is compared with what the same formulas give one edge after the
 * other (gpu_bench_hydra_host.c), and that with norms that are known for some sizes.
 */
#include "op_seq.h"

#include "gpu_bench.h"
#include "gpu_bench_hydra.h"

static op_set vertices, edges, triangles;
static op_map e2v, b2v;
static op_dat x, vol, iw, q, w, pc, th, mu, deg, flag, S, A;
static op_dat grad, lap, res, rvis, B, t;

static op_dat zeros(int dim, const char *name)
{
    return op_decl_dat(vertices, dim, "double", (double *)NULL, name);
}

static void declare(const struct hydra_case *hydra)
{
    const struct tet_box *box = &hydra->mesh.box;
    vertices = op_decl_set(box->nodes, "vertices");
    edges = op_decl_set(box->edges, "edges");
    triangles = op_decl_set(box->triangles, "triangles");
    e2v = op_decl_map(edges, vertices, 2, box->edge, "e2v");
    b2v = op_decl_map(triangles, vertices, 3, box->triangle, "b2v");
    x = op_decl_dat(vertices, 3, "double", box->x, "x");
    vol = op_decl_dat(vertices, 1, "double", box->volume, "vol");
    iw = op_decl_dat(vertices, 1, "double", hydra->mesh.inverse_length, "iw");
    q = op_decl_dat(vertices, 6, "double", hydra->mesh.q, "q");
    deg = op_decl_dat(vertices, 1, "int", hydra->mesh.degree, "deg");
    flag = op_decl_dat(vertices, 1, "int", hydra->mesh.flag, "flag");
    S = op_decl_dat(edges, 3, "double", box->area, "S");
    A = op_decl_dat(triangles, 3, "double", box->triangle_area, "A");
    w = zeros(6, "w");
    pc = zeros(2, "pc");
    th = zeros(6, "th");
    grad = zeros(18, "grad");
    lap = zeros(6, "lap");
    res = zeros(6, "res");
    rvis = zeros(6, "rvis");
    B = zeros(25, "B");
    t = zeros(1, "t");
}

/* prims fills all of mu but the distance to the wall. */
static void declare_mu(const struct hydra_case *hydra)
{
    const size_t count = (size_t)hydra->mesh.box.nodes;
    double *value = calloc(5 * count, sizeof *value);
    if (value == NULL) {
        fprintf(stderr, "gpu_bench_hydra: not enough memory for %zu vertices\n", count);
        exit(1);
    }
    for (size_t v = 0; v < count; v++) {
        value[5 * v + 3] = hydra->mesh.wall[v];
    }
    mu = op_decl_dat(vertices, 5, "double", value, "mu");
    free(value);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static void run_prims(void)
{
    op_par_loop(prims, "prims", vertices, op_arg_dat(q, -1, OP_ID, 6, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 6, "double", OP_WRITE),
                op_arg_dat(pc, -1, OP_ID, 2, "double", OP_WRITE),
                op_arg_dat(th, -1, OP_ID, 6, "double", OP_WRITE),
                op_arg_dat(mu, -1, OP_ID, 5, "double", OP_RW));
}

static void prepare_edgecon(void)
{
    op_par_loop(clear_gradients, "clear_gradients", vertices,
                op_arg_dat(grad, -1, OP_ID, 18, "double", OP_WRITE),
                op_arg_dat(lap, -1, OP_ID, 6, "double", OP_WRITE));
}

static void run_edgecon(void)
{
    op_par_loop(
        edgecon, "edgecon", edges, op_arg_dat(x, 0, e2v, 3, "double", OP_READ),
        op_arg_dat(x, 1, e2v, 3, "double", OP_READ), op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(grad, 0, e2v, 18, "double", OP_INC),
        op_arg_dat(grad, 1, e2v, 18, "double", OP_INC),
        op_arg_dat(lap, 0, e2v, 6, "double", OP_INC), op_arg_dat(lap, 1, e2v, 6, "double", OP_INC),
        op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ));
}

static void finish_gradients(void)
{
    op_par_loop(btris, "btris", triangles, op_arg_dat(w, 0, b2v, 6, "double", OP_READ),
                op_arg_dat(w, 1, b2v, 6, "double", OP_READ),
                op_arg_dat(w, 2, b2v, 6, "double", OP_READ),
                op_arg_dat(grad, 0, b2v, 18, "double", OP_INC),
                op_arg_dat(grad, 1, b2v, 18, "double", OP_INC),
                op_arg_dat(grad, 2, b2v, 18, "double", OP_INC),
                op_arg_dat(A, -1, OP_ID, 3, "double", OP_READ));
    op_par_loop(normalise, "normalise", vertices, op_arg_dat(grad, -1, OP_ID, 18, "double", OP_RW),
                op_arg_dat(lap, -1, OP_ID, 6, "double", OP_RW),
                op_arg_dat(vol, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(iw, -1, OP_ID, 1, "double", OP_READ));
}

static void prepare_iflux(void)
{
    op_par_loop(clear_residual, "clear_res", vertices,
                op_arg_dat(res, -1, OP_ID, 6, "double", OP_WRITE));
}

static void run_iflux(void)
{
    op_par_loop(
        iflux, "iflux", edges, op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(lap, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(lap, 1, e2v, 6, "double", OP_READ), op_arg_dat(pc, 0, e2v, 2, "double", OP_READ),
        op_arg_dat(pc, 1, e2v, 2, "double", OP_READ), op_arg_dat(flag, 0, e2v, 1, "int", OP_READ),
        op_arg_dat(flag, 1, e2v, 1, "int", OP_READ), op_arg_dat(res, 0, e2v, 6, "double", OP_INC),
        op_arg_dat(res, 1, e2v, 6, "double", OP_INC),
        op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ));
}

static void prepare_vflux(void)
{
    op_par_loop(clear_residual, "clear_rvis", vertices,
                op_arg_dat(rvis, -1, OP_ID, 6, "double", OP_WRITE));
}

static void run_vflux(void)
{
    op_par_loop(
        vflux, "vflux", edges, op_arg_dat(x, 0, e2v, 3, "double", OP_READ),
        op_arg_dat(x, 1, e2v, 3, "double", OP_READ), op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(w, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(w, 1, e2v, 6, "double", OP_READ),
        op_arg_dat(grad, 0, e2v, 18, "double", OP_READ),
        op_arg_dat(grad, 1, e2v, 18, "double", OP_READ),
        op_arg_dat(lap, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(lap, 1, e2v, 6, "double", OP_READ), op_arg_dat(mu, 0, e2v, 5, "double", OP_READ),
        op_arg_dat(mu, 1, e2v, 5, "double", OP_READ), op_arg_dat(flag, 0, e2v, 1, "int", OP_READ),
        op_arg_dat(flag, 1, e2v, 1, "int", OP_READ), op_arg_dat(rvis, 0, e2v, 6, "double", OP_INC),
        op_arg_dat(rvis, 1, e2v, 6, "double", OP_INC),
        op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ));
}

static void prepare_accu(void)
{
    op_par_loop(clear_blocks, "clear_blocks", vertices,
                op_arg_dat(B, -1, OP_ID, 25, "double", OP_WRITE),
                op_arg_dat(t, -1, OP_ID, 1, "double", OP_WRITE));
}

static void run_accu(void)
{
    op_par_loop(
        accu, "accu", edges, op_arg_dat(x, 0, e2v, 3, "double", OP_READ),
        op_arg_dat(x, 1, e2v, 3, "double", OP_READ), op_arg_dat(vol, 0, e2v, 1, "double", OP_READ),
        op_arg_dat(vol, 1, e2v, 1, "double", OP_READ), op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(th, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(th, 1, e2v, 6, "double", OP_READ), op_arg_dat(deg, 0, e2v, 1, "int", OP_READ),
        op_arg_dat(deg, 1, e2v, 1, "int", OP_READ), op_arg_dat(B, 0, e2v, 25, "double", OP_INC),
        op_arg_dat(B, 1, e2v, 25, "double", OP_INC), op_arg_dat(t, 0, e2v, 1, "double", OP_INC),
        op_arg_dat(t, 1, e2v, 1, "double", OP_INC));
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* Doubles per vertex that a loop reads, ints, doubles that it increments, and direct ones per edge.
 */
static double bytes_of(const struct tet_box *box, int reads, int ints, int increments, int direct)
{
    const double per_vertex = 8.0 * reads + 4.0 * ints + 16.0 * increments;
    return per_vertex * box->nodes + (8.0 * direct + 8.0) * box->edges;
}

/* The loops that follow read the gradients: they get the reference's, so that what they give
 * depends on no other loop's rounding. */
static void check_gradients(struct gpu_bench *bench, const struct hydra_case *hydra)
{
    const struct gpu_bench_output output[2] = {{grad, hydra->expected.grad, 0},
                                               {lap, hydra->expected.lap, 0}};
    /* Sums of 0.5 (w1 + w2) S, some (1/n)^2, are divided by volumes of some (1/n)^3: their
     * rounding, not their value, grows with n. */
    const double tolerance = bench->tolerance * fmax(1.0, hydra->mesh.box.n[0] / 10.0);
    for (int o = 0; o < 2; o++) {
        const op_dat dat = output[o].dat;
        gpu_bench_compare(bench, dat->name, &output[o], tolerance);
        memcpy(dat->data, output[o].reference, (size_t)dat->size * (size_t)dat->set->size);
        op_put_data(dat);
    }
}

static void measure_all(struct gpu_bench *bench, const struct hydra_case *hydra)
{
    const struct tet_box *box = &hydra->mesh.box;
    const struct hydra_expected *from = &hydra->expected;
    const struct gpu_bench_loop loop[] = {
        {"edgecon",
         bytes_of(box, 9, 0, 24, 3),
         prepare_edgecon,
         run_edgecon,
         2,
         {{grad, from->edge_grad, 1}, {lap, from->edge_lap, 1}},
         0},
        {"iflux",
         bytes_of(box, 14, 1, 6, 3),
         prepare_iflux,
         run_iflux,
         1,
         {{res, from->res, 1}},
         0},
        {"vflux",
         bytes_of(box, 44, 1, 6, 3),
         prepare_vflux,
         run_vflux,
         1,
         {{rvis, from->rvis, 1}},
         0},
        {"accu",
         bytes_of(box, 16, 1, 26, 0),
         prepare_accu,
         run_accu,
         2,
         {{B, from->B, 1}, {t, from->t, 1}},
         0},
    };
    gpu_bench_table_head();
    run_prims();
    gpu_bench_measure(bench, &loop[0]);
    prepare_edgecon();
    run_edgecon();
    finish_gradients();
    check_gradients(bench, hydra);
    for (int l = 1; l < 4; l++) {
        gpu_bench_measure(bench, &loop[l]);
    }
}

static void check_norms(struct gpu_bench *bench, const struct hydra_case *hydra)
{
    struct hydra_norm norm[HYDRA_NORMS];
    hydra_norms(hydra, bench->options.mode, norm);
    for (int i = 0; i < HYDRA_NORMS; i++) {
        const size_t count = (size_t)norm[i].components * (size_t)hydra->mesh.box.nodes;
        gpu_bench_known(bench, norm[i].name, gpu_bench_norm(norm[i].value, count), norm[i].expected,
                        1e-10);
    }
}

static void spoil_references(struct hydra_case *hydra)
{
    hydra->expected.edge_lap[0] += 1e-6;
    hydra->expected.grad[0] += 1e-6;
    hydra->expected.res[0] += 1e-6;
    hydra->expected.rvis[0] += 1e-6;
    hydra->expected.t[0] += 1e-6;
}

int main(int argc, char **argv)
{
    static const char *const loops[] = {"edgecon", "iflux", "vflux", "accu", NULL};
    struct gpu_bench bench = {
        .program = "hydra",
        .precision = "double",
        .tolerance = 1e-12,
        .options = {.size = {16, 0}, .mode = 2, .seed = 7, .calls = 11},
    };
    struct hydra_case hydra;
    gpu_bench_begin(&bench, argc, argv, 1, HYDRA_MOST, loops);
    op_init(argc, argv, 1);
    hydra_make(&hydra, bench.options.size[0], bench.options.mode,
               bench.options.fault == GPU_BENCH_FAULT_NORM);
    if (bench.options.shuffled) {
        hydra_shuffle(&hydra, bench.options.seed);
    }
    printf("hydra, n %d, %s: %d vertices, %d edges, %d boundary triangles\n", bench.options.size[0],
           bench.options.shuffled ? "shuffled" : "natural", hydra.mesh.box.nodes,
           hydra.mesh.box.edges, hydra.mesh.box.triangles);
    check_norms(&bench, &hydra);
    if (bench.options.fault == GPU_BENCH_FAULT_RESULT) {
        spoil_references(&hydra);
    }
    declare(&hydra);
    declare_mu(&hydra);
    op_partition("", "", edges, e2v, x);
    measure_all(&bench, &hydra);
    hydra_free(&hydra);
    const int status = gpu_bench_end(&bench);
    op_exit();
    return status;
}
