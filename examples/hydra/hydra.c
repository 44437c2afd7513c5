/* hydra.c: flow over a wall in a cube of tetrahedra, in pseudo-time: a Reynolds-averaged
 * Navier-Stokes solver, vertex-centred, with five variables of the flow and one of turbulence
 * (Spalart-Allmaras).
 *
 * Its edge loops edgecon, iflux, vflux and accu move the bytes per edge that Tohid, Meyer and
 * others report for the loops of the same names in Rolls-Royce's HYDRA. Formulas are in the
 * kernels' headers.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op_seq.h"

#include "../common/permute.h"
#include "../common/run.h"
#include "accu.h"
#include "boundary.h"
#include "fields.h"
#include "gradients.h"
#include "iflux.h"
#include "measure.h"
#include "update.h"
#include "vflux.h"

double qinf[NVAR];

/* Runge-Kutta, five stages: each iteration of the program is one of them. */
enum { STAGES = 5 };
static const double stage[STAGES] = {1.0 / 4.0, 1.0 / 6.0, 3.0 / 8.0, 1.0 / 2.0, 1.0};

static op_set vertices, edges, triangles, boundary;
static op_map e2v, b2v, s2v;
static op_dat x, vol, iw, deg, flag, S, A, SA, kind;
static op_dat q, qold, w, pc, th, mu, grad, lap, res, rvis, B, t;

/* ---- known values ---------------------------------------------------------------------------- */

/* Norms of the first evaluation: of another program with the same formulas (12 or 13 digits).
 * Sums over the mesh and uniform fields: exact. Norms after iterations: of this program, run
 * sequentially. */
static const struct reference known[] = {
    {"n=8 mode=0", "lap", 0.0, 0.0, 0.0},
    {"n=8 mode=0", "rvis", 0.0, 0.0, 1e-15},
    {"n=8 mode=0", "gradient error", 0.0, 0.0, 1e-12},
    {"n=8 mode=0", "res inside", 0.0, 0.0, 1e-15},
    {"n=8 mode=0", "sum of res", 0.0, 0.0, 1e-14},
    {"n=8 mode=0", "sum of rvis", 0.0, 0.0, 1e-14},
    {"n=8 mode=0", "sum of B less edges", 0.0, 0.0, 1e-12},
    {"n=8 mode=0", "rms after 1", 0.063676144399974, 1e-10, 0.0},
    {"n=8 mode=0", "rms after 10", 0.0892615411024, 1e-10, 0.0},
    {"n=8 mode=0", "rms after 100", 0.01092571484978, 1e-10, 0.0},
    {"n=8 mode=1", "grad", 5.566258078818, 1e-10, 0.0},
    {"n=8 mode=1", "lap", 2.205613118353e-1, 1e-10, 0.0},
    {"n=8 mode=1", "res", 3.899756001187e-1, 1e-10, 0.0},
    {"n=8 mode=1", "rvis", 1.448797938414e-4, 1e-10, 0.0},
    {"n=8 mode=1", "B", 1.236354852385, 1e-10, 0.0},
    {"n=8 mode=1", "t", 2.506502290938e-1, 1e-10, 0.0},
    {"n=8 mode=1", "gradient error", 0.0, 0.0, 1e-12},
    {"n=8 mode=1", "sum of res", 0.0, 0.0, 1e-14},
    {"n=8 mode=1", "sum of rvis", 0.0, 0.0, 1e-14},
    {"n=8 mode=1", "sum of B less edges", 0.0, 0.0, 1e-12},
    {"n=8 mode=1", "rms after 1", 0.061686262485506, 1e-10, 0.0},
    {"n=8 mode=1", "rms after 10", 0.0833093540696, 1e-10, 0.0},
    {"n=8 mode=1", "rms after 100", 0.00980905606281, 1e-10, 0.0},
    {"n=8 mode=2", "grad", 1.570901660717e1, 1e-10, 0.0},
    {"n=8 mode=2", "lap", 1.030393774255, 1e-10, 0.0},
    {"n=8 mode=2", "res", 3.348739336329e-1, 1e-10, 0.0},
    {"n=8 mode=2", "rvis", 7.507553863834e-4, 1e-10, 0.0},
    {"n=8 mode=2", "B", 1.203552758133, 1e-10, 0.0},
    {"n=8 mode=2", "t", 2.290485666646e-1, 1e-10, 0.0},
    {"n=8 mode=2", "sum of res", 0.0, 0.0, 1e-14},
    {"n=8 mode=2", "sum of rvis", 0.0, 0.0, 1e-14},
    {"n=8 mode=2", "sum of B less edges", 0.0, 0.0, 1e-12},
    {"n=8 mode=2", "rms after 1", 0.047381875804387, 1e-10, 0.0},
    {"n=8 mode=2", "rms after 10", 0.0770044587667, 1e-10, 0.0},
    {"n=8 mode=2", "rms after 100", 0.00749982890007, 1e-10, 0.0},
    {"n=16 mode=2", "grad", 4.297540659638e1, 1e-10, 0.0},
    {"n=16 mode=2", "lap", 8.893357191806e-1, 1e-10, 0.0},
    {"n=16 mode=2", "res", 1.730802633572e-1, 1e-10, 0.0},
    {"n=16 mode=2", "rvis", 1.636133161009e-4, 1e-10, 0.0},
    {"n=16 mode=2", "B", 9.259929383029e-1, 1e-10, 0.0},
    {"n=16 mode=2", "t", 1.968515833355e-1, 1e-10, 0.0},
    {"n=16 mode=2", "sum of res", 0.0, 0.0, 1e-14},
    {"n=16 mode=2", "sum of rvis", 0.0, 0.0, 1e-14},
    {"n=16 mode=2", "sum of B less edges", 0.0, 0.0, 1e-12},
    {"n=16 mode=2", "rms after 1", 0.029256263878605, 1e-10, 0.0},
    {"n=16 mode=2", "rms after 10", 0.054502566019383, 1e-10, 0.0},
    {"n=16 mode=2", "rms after 100", 0.018893330709424, 1e-10, 0.0},
};

/* ---- mesh ------------------------------------------------------------------------------------ */

static void shuffle(struct hydra_mesh *mesh, int seed)
{
    struct tet_box *box = &mesh->box;
    int *node = permutation_new(box->nodes, seed);
    int *edge = permutation_new(box->edges, seed + 1);
    int *triangle = permutation_new(box->triangles, seed + 2);
    int *side = permutation_new(box->boundary_nodes, seed + 3);
    permute_rows(box->x, box->nodes, 3 * sizeof(double), node);
    permute_rows(box->volume, box->nodes, sizeof(double), node);
    permute_rows(mesh->degree, box->nodes, sizeof(int), node);
    permute_rows(mesh->flag, box->nodes, sizeof(int), node);
    permute_rows(mesh->inverse_length, box->nodes, sizeof(double), node);
    permute_rows(mesh->wall, box->nodes, sizeof(double), node);
    permute_rows(mesh->q, box->nodes, NVAR * sizeof(double), node);
    permute_entries(box->edge, 2 * (size_t)box->edges, node);
    permute_entries(box->triangle, 3 * (size_t)box->triangles, node);
    permute_entries(box->boundary_node, (size_t)box->boundary_nodes, node);
    permute_rows(box->edge, box->edges, 2 * sizeof(int), edge);
    permute_rows(box->area, box->edges, 3 * sizeof(double), edge);
    permute_rows(box->triangle, box->triangles, 3 * sizeof(int), triangle);
    permute_rows(box->triangle_area, box->triangles, 3 * sizeof(double), triangle);
    permute_rows(box->boundary_node, box->boundary_nodes, sizeof(int), side);
    permute_rows(box->boundary_area, box->boundary_nodes, 3 * sizeof(double), side);
    permute_rows(mesh->boundary_kind, box->boundary_nodes, sizeof(int), side);
    free(node);
    free(edge);
    free(triangle);
    free(side);
}

static op_dat zeros(int dim, const char *name)
{
    return op_decl_dat(vertices, dim, "double", (double *)NULL, name);
}

/* prims fills all of mu but the distance to the wall. */
static op_dat declare_mu(const struct hydra_mesh *mesh)
{
    const size_t count = (size_t)mesh->box.nodes;
    double *value = (double *)calloc(5 * count, sizeof *value);
    if (value == NULL) {
        run_failed("hydra", "not enough memory for %zu vertices", count);
    }
    for (size_t v = 0; v < count; v++) {
        value[5 * v + 3] = mesh->wall[v];
    }
    op_dat dat = op_decl_dat(vertices, 5, "double", value, "mu");
    free(value);
    return dat;
}

static void declare(const struct hydra_mesh *mesh)
{
    const struct tet_box *box = &mesh->box;
    vertices = op_decl_set(box->nodes, "vertices");
    edges = op_decl_set(box->edges, "edges");
    triangles = op_decl_set(box->triangles, "triangles");
    boundary = op_decl_set(box->boundary_nodes, "boundary");
    e2v = op_decl_map(edges, vertices, 2, box->edge, "e2v");
    b2v = op_decl_map(triangles, vertices, 3, box->triangle, "b2v");
    s2v = op_decl_map(boundary, vertices, 1, box->boundary_node, "s2v");
    x = op_decl_dat(vertices, 3, "double", box->x, "x");
    vol = op_decl_dat(vertices, 1, "double", box->volume, "vol");
    iw = op_decl_dat(vertices, 1, "double", mesh->inverse_length, "iw");
    deg = op_decl_dat(vertices, 1, "int", mesh->degree, "deg");
    flag = op_decl_dat(vertices, 1, "int", mesh->flag, "flag");
    S = op_decl_dat(edges, 3, "double", box->area, "S");
    A = op_decl_dat(triangles, 3, "double", box->triangle_area, "A");
    SA = op_decl_dat(boundary, 3, "double", box->boundary_area, "SA");
    kind = op_decl_dat(boundary, 1, "int", mesh->boundary_kind, "kind");
    q = op_decl_dat(vertices, NVAR, "double", mesh->q, "q");
    mu = declare_mu(mesh);
    qold = zeros(NVAR, "qold");
    w = zeros(NVAR, "w");
    pc = zeros(2, "pc");
    th = zeros(6, "th");
    grad = zeros(3 * NVAR, "grad");
    lap = zeros(NVAR, "lap");
    res = zeros(NVAR, "res");
    rvis = zeros(NVAR, "rvis");
    B = zeros(25, "B");
    t = zeros(1, "t");
    op_decl_const(NVAR, "double", qinf);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static void find_gradients(void)
{
    op_par_loop(prims, "prims", vertices, op_arg_dat(q, -1, OP_ID, 6, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 6, "double", OP_WRITE),
                op_arg_dat(pc, -1, OP_ID, 2, "double", OP_WRITE),
                op_arg_dat(th, -1, OP_ID, 6, "double", OP_WRITE),
                op_arg_dat(mu, -1, OP_ID, 5, "double", OP_RW));

    op_par_loop(clear_gradients, "clear_gradients", vertices,
                op_arg_dat(grad, -1, OP_ID, 18, "double", OP_WRITE),
                op_arg_dat(lap, -1, OP_ID, 6, "double", OP_WRITE));

    op_par_loop(
        edgecon, "edgecon", edges, op_arg_dat(x, 0, e2v, 3, "double", OP_READ),
        op_arg_dat(x, 1, e2v, 3, "double", OP_READ), op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(grad, 0, e2v, 18, "double", OP_INC),
        op_arg_dat(grad, 1, e2v, 18, "double", OP_INC),
        op_arg_dat(lap, 0, e2v, 6, "double", OP_INC), op_arg_dat(lap, 1, e2v, 6, "double", OP_INC),
        op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ));

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

static void find_fluxes(void)
{
    op_par_loop(
        iflux, "iflux", edges, op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(lap, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(lap, 1, e2v, 6, "double", OP_READ), op_arg_dat(pc, 0, e2v, 2, "double", OP_READ),
        op_arg_dat(pc, 1, e2v, 2, "double", OP_READ), op_arg_dat(flag, 0, e2v, 1, "int", OP_READ),
        op_arg_dat(flag, 1, e2v, 1, "int", OP_READ), op_arg_dat(res, 0, e2v, 6, "double", OP_INC),
        op_arg_dat(res, 1, e2v, 6, "double", OP_INC),
        op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ));

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

static void find_blocks(void)
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

static void take_step(double alpha)
{
    op_par_loop(
        bflux, "bflux", boundary, op_arg_dat(q, 0, s2v, 6, "double", OP_READ),
        op_arg_dat(res, 0, s2v, 6, "double", OP_INC), op_arg_dat(B, 0, s2v, 25, "double", OP_INC),
        op_arg_dat(t, 0, s2v, 1, "double", OP_INC), op_arg_dat(SA, -1, OP_ID, 3, "double", OP_READ),
        op_arg_dat(kind, -1, OP_ID, 1, "int", OP_READ));

    op_par_loop(
        update, "update", vertices, op_arg_dat(qold, -1, OP_ID, 6, "double", OP_READ),
        op_arg_dat(q, -1, OP_ID, 6, "double", OP_WRITE),
        op_arg_dat(res, -1, OP_ID, 6, "double", OP_RW),
        op_arg_dat(rvis, -1, OP_ID, 6, "double", OP_RW),
        op_arg_dat(B, -1, OP_ID, 25, "double", OP_RW), op_arg_dat(t, -1, OP_ID, 1, "double", OP_RW),
        op_arg_dat(flag, -1, OP_ID, 1, "int", OP_READ), op_arg_gbl(&alpha, 1, "double", OP_READ));
}

/* ---- results --------------------------------------------------------------------------------- */

/* The sum over the mesh, of all entries of B, that Accu must have made. */
static double sum_of_blocks(void)
{
    double sum = 0.0;
    op_par_loop(
        block_sum, "block_sum", edges, op_arg_dat(x, 0, e2v, 3, "double", OP_READ),
        op_arg_dat(x, 1, e2v, 3, "double", OP_READ), op_arg_dat(vol, 0, e2v, 1, "double", OP_READ),
        op_arg_dat(vol, 1, e2v, 1, "double", OP_READ), op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(th, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(th, 1, e2v, 6, "double", OP_READ), op_arg_dat(deg, 0, e2v, 1, "int", OP_READ),
        op_arg_dat(deg, 1, e2v, 1, "int", OP_READ), op_arg_gbl(&sum, 1, "double", OP_INC));
    return sum;
}

static double largest(const double *value, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, fabs(value[i]));
    }
    return most;
}

static void print_gradient_error(struct run *run, int mode)
{
    double exact[3 * NVAR], error = 0.0;
    hydra_gradient(mode, exact);
    op_par_loop(gradient_error, "gradient_error", vertices,
                op_arg_dat(grad, -1, OP_ID, 18, "double", OP_READ),
                op_arg_gbl(exact, 18, "double", OP_READ), op_arg_gbl(&error, 1, "double", OP_MAX));
    run_result(run, "gradient error", error);
}

/* Norms and sums of the results of the edge loops, without the fluxes through the boundary. */
static void print_evaluation(struct run *run, int mode)
{
    static const char *const name[] = {"grad", "lap", "res", "rvis", "B", "t"};
    double squares[6] = {0.0}, sums[2 * NVAR + 1] = {0.0}, inside = 0.0;
    op_par_loop(measure, "measure", vertices, op_arg_dat(grad, -1, OP_ID, 18, "double", OP_READ),
                op_arg_dat(lap, -1, OP_ID, 6, "double", OP_READ),
                op_arg_dat(res, -1, OP_ID, 6, "double", OP_READ),
                op_arg_dat(rvis, -1, OP_ID, 6, "double", OP_READ),
                op_arg_dat(B, -1, OP_ID, 25, "double", OP_READ),
                op_arg_dat(t, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(flag, -1, OP_ID, 1, "int", OP_READ),
                op_arg_gbl(squares, 6, "double", OP_INC), op_arg_gbl(sums, 13, "double", OP_INC),
                op_arg_gbl(&inside, 1, "double", OP_MAX));
    for (int k = 0; k < 6; k++) {
        run_result(run, name[k], sqrt(squares[k]));
    }
    if (mode < 2) {
        print_gradient_error(run, mode);
    }
    if (mode == 0) {
        run_result(run, "res inside", inside);
    }
    run_result(run, "sum of res", largest(sums, NVAR));
    run_result(run, "sum of rvis", largest(sums + NVAR, NVAR));
    run_result(run, "sum of B less edges", sums[2 * NVAR] / sum_of_blocks() - 1.0);
}

/* The change of q since the last step of all stages. */
static void print_change(struct run *run, int iteration)
{
    char name[64];
    double change = 0.0;
    op_par_loop(
        difference, "difference", vertices, op_arg_dat(qold, -1, OP_ID, 6, "double", OP_READ),
        op_arg_dat(q, -1, OP_ID, 6, "double", OP_READ), op_arg_gbl(&change, 1, "double", OP_INC));
    snprintf(name, sizeof name, "rms after %d", iteration);
    run_result(run, name, sqrt(change / op_get_size(vertices)));
}

static int is_reported(int iteration, int iterations)
{
    int power = 1;
    while (power < iteration && power <= INT_MAX / 10) {
        power *= 10;
    }
    return iteration == power || iteration == iterations;
}

static void iterate(struct run *run, int iterations, int mode)
{
    run_progress(run, 0, iterations);
    for (int i = 0; i < iterations; i++) {
        if (i % STAGES == 0) {
            op_par_loop(save, "save", vertices, op_arg_dat(q, -1, OP_ID, 6, "double", OP_READ),
                        op_arg_dat(qold, -1, OP_ID, 6, "double", OP_WRITE));
        }
        find_gradients();
        find_fluxes();
        find_blocks();
        if (i == 0) {
            print_evaluation(run, mode);
        }
        take_step(stage[i % STAGES]);
        run_progress(run, i + 1, iterations);
        if (is_reported(i + 1, iterations)) {
            print_change(run, i + 1);
        }
    }
}

static void set_free_stream(void)
{
    static const double anywhere[3] = {0.0, 0.0, 0.0};
    double wave[NVAR];
    hydra_field(0, anywhere, wave);
    hydra_conserved(wave, qinf);
}

int main(int argc, char **argv)
{
    int n = 16, iterations = 100;
    const char *mode_word = "2";
    const struct option options[] = {
        {"n", OPTION_COUNT, &n, 0, NULL, "cubes along each side of the box"},
        {"mode", OPTION_WORD, &mode_word, 0, "0 1 2",
         "fields at the start: uniform, linear, smooth"},
        {"iterations", OPTION_COUNT, &iterations, 0, NULL, "stages of the Runge-Kutta scheme"},
    };
    struct run run;
    struct hydra_mesh mesh;
    run_begin(&run, "hydra", "Flow over a wall in a cube of tetrahedra.", options, 3, 0, argc,
              argv);
    const int mode = atoi(mode_word);
    snprintf(run.test, sizeof run.test, "n=%d mode=%d", n, mode);
    run_references(&run, known, (int)(sizeof known / sizeof known[0]));
    op_init(argc, argv, 1);
    set_free_stream();
    const int failed = hydra_mesh_make(&mesh, n, mode);
    if (failed) {
        return failed;
    }
    if (run.shuffle) {
        shuffle(&mesh, run.shuffle);
    }
    printf("%d vertices, %d edges, %d boundary triangles\n", mesh.box.nodes, mesh.box.edges,
           mesh.box.triangles);
    declare(&mesh);
    hydra_mesh_free(&mesh);
    op_partition("PTSCOTCH", "KWAY", edges, e2v, x);
    iterate(&run, iterations, mode);
    op_timing_output();
    const int status = run_finish(&run);
    op_exit();
    return status;
}
