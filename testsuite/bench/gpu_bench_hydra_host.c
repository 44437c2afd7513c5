/* gpu_bench_hydra_host.c: what the loops of gpu_bench_hydra give, computed by plain C: the kernels
 * of examples/hydra, one edge after the other. Norms that are known from
 * another program show that the kernels and the mesh are what they should be.
 */
#include "gpu_bench_hydra.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_bench_numbers.h"
#include "meshes/meshes_impl.h"

/* ---- the loops ------------------------------------------------------------------------------- */

/* The result of prims; only the reference needs it on the host. */
struct state {
    double *w;
    double *pc;
    double *th;
    double *mu;
};

static double *field(size_t vertices, int components)
{
    return numbers_zero(vertices * (size_t)components);
}

static double *copy_of(const double *value, size_t vertices, int components)
{
    double *copy = field(vertices, components);
    memcpy(copy, value, vertices * (size_t)components * sizeof *copy);
    return copy;
}

static void state_make(struct state *state, const struct hydra_case *hydra)
{
    const size_t vertices = (size_t)hydra->mesh.box.nodes;
    state->w = field(vertices, 6);
    state->pc = field(vertices, 2);
    state->th = field(vertices, 6);
    state->mu = field(vertices, 5);
#pragma omp parallel for
    for (size_t v = 0; v < vertices; v++) {
        state->mu[5 * v + 3] = hydra->mesh.wall[v];
        prims(&hydra->mesh.q[6 * v], &state->w[6 * v], &state->pc[2 * v], &state->th[6 * v],
              &state->mu[5 * v]);
    }
}

static void state_free(struct state *state)
{
    free(state->w);
    free(state->pc);
    free(state->th);
    free(state->mu);
}

/* The ends of an edge. */
struct ends {
    size_t a;
    size_t b;
};

static struct ends ends_of(const struct tet_box *box, size_t e)
{
    return (struct ends){(size_t)box->edge[2 * e], (size_t)box->edge[2 * e + 1]};
}

typedef void edge_loop(struct hydra_case *hydra, const struct state *state, size_t e);

static void edgecon_at(struct hydra_case *hydra, const struct state *state, size_t e)
{
    const struct tet_box *box = &hydra->mesh.box;
    const struct ends v = ends_of(box, e);
    struct hydra_expected *to = &hydra->expected;
    (void)state;
    edgecon(&box->x[3 * v.a], &box->x[3 * v.b], &hydra->mesh.q[6 * v.a], &hydra->mesh.q[6 * v.b],
            &to->edge_grad[18 * v.a], &to->edge_grad[18 * v.b], &to->edge_lap[6 * v.a],
            &to->edge_lap[6 * v.b], &box->area[3 * e]);
}

static void iflux_at(struct hydra_case *hydra, const struct state *state, size_t e)
{
    const struct tet_box *box = &hydra->mesh.box;
    const struct ends v = ends_of(box, e);
    struct hydra_expected *to = &hydra->expected;
    iflux(&hydra->mesh.q[6 * v.a], &hydra->mesh.q[6 * v.b], &to->lap[6 * v.a], &to->lap[6 * v.b],
          &state->pc[2 * v.a], &state->pc[2 * v.b], &hydra->mesh.flag[v.a], &hydra->mesh.flag[v.b],
          &to->res[6 * v.a], &to->res[6 * v.b], &box->area[3 * e]);
}

static void vflux_at(struct hydra_case *hydra, const struct state *state, size_t e)
{
    const struct tet_box *box = &hydra->mesh.box;
    const struct ends v = ends_of(box, e);
    struct hydra_expected *to = &hydra->expected;
    vflux(&box->x[3 * v.a], &box->x[3 * v.b], &hydra->mesh.q[6 * v.a], &hydra->mesh.q[6 * v.b],
          &state->w[6 * v.a], &state->w[6 * v.b], &to->grad[18 * v.a], &to->grad[18 * v.b],
          &to->lap[6 * v.a], &to->lap[6 * v.b], &state->mu[5 * v.a], &state->mu[5 * v.b],
          &hydra->mesh.flag[v.a], &hydra->mesh.flag[v.b], &to->rvis[6 * v.a], &to->rvis[6 * v.b],
          &box->area[3 * e]);
}

static void accu_at(struct hydra_case *hydra, const struct state *state, size_t e)
{
    const struct tet_box *box = &hydra->mesh.box;
    const struct ends v = ends_of(box, e);
    struct hydra_expected *to = &hydra->expected;
    accu(&box->x[3 * v.a], &box->x[3 * v.b], &box->volume[v.a], &box->volume[v.b],
         &hydra->mesh.q[6 * v.a], &hydra->mesh.q[6 * v.b], &state->th[6 * v.a], &state->th[6 * v.b],
         &hydra->mesh.degree[v.a], &hydra->mesh.degree[v.b], &to->B[25 * v.a], &to->B[25 * v.b],
         &to->t[v.a], &to->t[v.b]);
}

/* In the natural numbering edges are sorted by layers of their lower vertex and end in this layer
 * or the next: every second layer at once. */
static void each_edge(struct hydra_case *hydra, const struct state *state, edge_loop *loop)
{
    const struct tet_box *box = &hydra->mesh.box;
    const int layers = box->n[0] + 1;
    size_t *first = test_memory((size_t)layers + 1, sizeof *first);
    int layer = 0;
    for (size_t e = 0; e < (size_t)box->edges; e++) {
        while (layer * layers * layers <= box->edge[2 * e]) {
            first[layer++] = e;
        }
    }
    while (layer <= layers) {
        first[layer++] = (size_t)box->edges;
    }
    for (int start = 0; start < 2; start++) {
#pragma omp parallel for
        for (int k = start; k < layers; k += 2) {
            for (size_t e = first[k]; e < first[k + 1]; e++) {
                loop(hydra, state, e);
            }
        }
    }
    free(first);
}

static void finish_gradients(struct hydra_case *hydra, const struct state *state)
{
    const struct tet_box *box = &hydra->mesh.box;
    struct hydra_expected *to = &hydra->expected;
    const size_t vertices = (size_t)box->nodes;
    to->grad = copy_of(to->edge_grad, vertices, 18);
    to->lap = copy_of(to->edge_lap, vertices, 6);
    for (size_t t = 0; t < (size_t)box->triangles; t++) {
        const int *corner = &box->triangle[3 * t];
        const size_t a = (size_t)corner[0], b = (size_t)corner[1], c = (size_t)corner[2];
        btris(&state->w[6 * a], &state->w[6 * b], &state->w[6 * c], &to->grad[18 * a],
              &to->grad[18 * b], &to->grad[18 * c], &box->triangle_area[3 * t]);
    }
    for (size_t v = 0; v < vertices; v++) {
        normalise(&to->grad[18 * v], &to->lap[6 * v], &box->volume[v],
                  &hydra->mesh.inverse_length[v]);
    }
}

static void expect(struct hydra_case *hydra)
{
    const size_t vertices = (size_t)hydra->mesh.box.nodes;
    struct hydra_expected *to = &hydra->expected;
    struct state state;
    state_make(&state, hydra);
    to->edge_grad = field(vertices, 18);
    to->edge_lap = field(vertices, 6);
    to->res = field(vertices, 6);
    to->rvis = field(vertices, 6);
    to->B = field(vertices, 25);
    to->t = field(vertices, 1);
    each_edge(hydra, &state, edgecon_at);
    finish_gradients(hydra, &state);
    each_edge(hydra, &state, iflux_at);
    each_edge(hydra, &state, vflux_at);
    each_edge(hydra, &state, accu_at);
    state_free(&state);
}

void hydra_make(struct hydra_case *hydra, int n, int mode, int fault)
{
    memset(hydra, 0, sizeof *hydra);
    const int status = hydra_mesh_make(&hydra->mesh, n, mode);
    if (status != 0) {
        exit(status);
    }
    if (fault) {
        hydra->mesh.q[0] *= 1.0 + 1e-6;
    }
    expect(hydra);
}

void hydra_free(struct hydra_case *hydra)
{
    struct hydra_expected *to = &hydra->expected;
    hydra_mesh_free(&hydra->mesh);
    free(to->edge_grad);
    free(to->edge_lap);
    free(to->grad);
    free(to->lap);
    free(to->res);
    free(to->rvis);
    free(to->B);
    free(to->t);
    memset(hydra, 0, sizeof *hydra);
}

/* ---- numbering ------------------------------------------------------------------------------- */

static void move_vertices(struct hydra_case *hydra, const int *number)
{
    struct tet_box *box = &hydra->mesh.box;
    struct hydra_expected *to = &hydra->expected;
    const struct {
        double *value;
        int components;
    } fields[] = {{box->x, 3},        {box->volume, 1},      {hydra->mesh.inverse_length, 1},
                  {hydra->mesh.q, 6}, {hydra->mesh.wall, 1}, {to->edge_grad, 18},
                  {to->edge_lap, 6},  {to->grad, 18},        {to->lap, 6},
                  {to->res, 6},       {to->rvis, 6},         {to->B, 25},
                  {to->t, 1}};
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        numbers_move(fields[f].value, (size_t)fields[f].components * sizeof(double), box->nodes,
                     number);
    }
    numbers_move(hydra->mesh.degree, sizeof(int), box->nodes, number);
    numbers_move(hydra->mesh.flag, sizeof(int), box->nodes, number);
    numbers_rename(box->edge, 2 * (size_t)box->edges, number);
    numbers_rename(box->triangle, 3 * (size_t)box->triangles, number);
}

void hydra_shuffle(struct hydra_case *hydra, unsigned long long seed)
{
    struct tet_box *box = &hydra->mesh.box;
    int *vertex = test_random_permutation(box->nodes, seed);
    int *edge = test_random_permutation(box->edges, seed + 1);
    int *triangle = test_random_permutation(box->triangles, seed + 2);
    move_vertices(hydra, vertex);
    numbers_move(box->edge, 2 * sizeof(int), box->edges, edge);
    numbers_move(box->area, 3 * sizeof(double), box->edges, edge);
    numbers_move(box->triangle, 3 * sizeof(int), box->triangles, triangle);
    numbers_move(box->triangle_area, 3 * sizeof(double), box->triangles, triangle);
    free(vertex);
    free(edge);
    free(triangle);
}

/* ---- norms ----------------------------------------------------------------------------------- */

/* Euclidean norms of grad, lap, res, rvis, B, t, measured with an independent program that follows
 * the same formulas (serial, gcc 12 on x86-64); 12 or 13 digits. */
static const struct {
    int n;
    int mode;
    double norm[HYDRA_NORMS];
} known[] = {
    {8,
     1,
     {5.566258078818, 2.205613118353e-1, 3.899756001187e-1, 1.448797938414e-4, 1.236354852385,
      2.506502290938e-1}},
    {8,
     2,
     {1.570901660717e1, 1.030393774255, 3.348739336329e-1, 7.507553863834e-4, 1.203552758133,
      2.290485666646e-1}},
    {16,
     2,
     {4.297540659638e1, 8.893357191806e-1, 1.730802633572e-1, 1.636133161009e-4, 9.259929383029e-1,
      1.968515833355e-1}},
};

void hydra_norms(const struct hydra_case *hydra, int mode, struct hydra_norm norm[HYDRA_NORMS])
{
    const struct hydra_expected *from = &hydra->expected;
    const struct hydra_norm all[HYDRA_NORMS] = {
        {"grad", from->grad, 18, 0.0}, {"lap", from->lap, 6, 0.0}, {"res", from->res, 6, 0.0},
        {"rvis", from->rvis, 6, 0.0},  {"B", from->B, 25, 0.0},    {"t", from->t, 1, 0.0},
    };
    memcpy(norm, all, sizeof all);
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (known[k].n == hydra->mesh.box.n[0] && known[k].mode == mode) {
            for (int i = 0; i < HYDRA_NORMS; i++) {
                norm[i].expected = known[k].norm[i];
            }
        }
    }
}
