/* cpu_bench_hydra_plain.c: the loops of cpu_bench_hydra as a sequential program has them. */
#include "cpu_bench_hydra.h"

#include <stdlib.h>
#include <string.h>

#include "cpu_bench.h"

static int edges;
static int *edge, *deg, *flag;
static double *x, *vol, *q, *w, *pc, *th, *mu, *grad_read, *lap_read, *S;
static double *sum[HYDRA_SUMS];

static void *copy(const void *from, long long count, int bytes)
{
    void *to = cpu_bench_memory(count, bytes);
    memcpy(to, from, (size_t)count * (size_t)bytes);
    return to;
}

void hydra_declare(const struct hydra_case *hydra, const struct hydra_state *state)
{
    const struct tet_box *box = &hydra->mesh.box;
    const long long vertices = box->nodes;
    const int size = sizeof(double);
    edges = box->edges;
    edge = copy(box->edge, 2LL * edges, sizeof *edge);
    deg = copy(hydra->mesh.degree, vertices, sizeof *deg);
    flag = copy(hydra->mesh.flag, vertices, sizeof *flag);
    x = copy(box->x, 3 * vertices, size);
    vol = copy(box->volume, vertices, size);
    q = copy(hydra->mesh.q, 6 * vertices, size);
    w = copy(state->w, 6 * vertices, size);
    pc = copy(state->pc, 2 * vertices, size);
    th = copy(state->th, 6 * vertices, size);
    mu = copy(state->mu, 5 * vertices, size);
    grad_read = copy(hydra->expected.grad, 18 * vertices, size);
    lap_read = copy(hydra->expected.lap, 6 * vertices, size);
    S = copy(box->area, 3LL * edges, size);
    for (int s = 0; s < HYDRA_SUMS; s++) {
        sum[s] = cpu_bench_memory(hydra_components[s] * vertices, size);
    }
}

static void run_edgecon(void)
{
    double *grad = sum[HYDRA_GRAD], *lap = sum[HYDRA_LAP];
    for (size_t e = 0; e < (size_t)edges; e++) {
        const size_t a = (size_t)edge[2 * e], b = (size_t)edge[2 * e + 1];
        edgecon(x + 3 * a, x + 3 * b, q + 6 * a, q + 6 * b, grad + 18 * a, grad + 18 * b,
                lap + 6 * a, lap + 6 * b, S + 3 * e);
    }
}

static void run_iflux(void)
{
    double *res = sum[HYDRA_RES];
    for (size_t e = 0; e < (size_t)edges; e++) {
        const size_t a = (size_t)edge[2 * e], b = (size_t)edge[2 * e + 1];
        iflux(q + 6 * a, q + 6 * b, lap_read + 6 * a, lap_read + 6 * b, pc + 2 * a, pc + 2 * b,
              flag + a, flag + b, res + 6 * a, res + 6 * b, S + 3 * e);
    }
}

static void run_vflux(void)
{
    double *rvis = sum[HYDRA_RVIS];
    for (size_t e = 0; e < (size_t)edges; e++) {
        const size_t a = (size_t)edge[2 * e], b = (size_t)edge[2 * e + 1];
        vflux(x + 3 * a, x + 3 * b, q + 6 * a, q + 6 * b, w + 6 * a, w + 6 * b, grad_read + 18 * a,
              grad_read + 18 * b, lap_read + 6 * a, lap_read + 6 * b, mu + 5 * a, mu + 5 * b,
              flag + a, flag + b, rvis + 6 * a, rvis + 6 * b, S + 3 * e);
    }
}

static void run_accu(void)
{
    double *B = sum[HYDRA_B], *t = sum[HYDRA_T];
    for (size_t e = 0; e < (size_t)edges; e++) {
        const size_t a = (size_t)edge[2 * e], b = (size_t)edge[2 * e + 1];
        accu(x + 3 * a, x + 3 * b, vol + a, vol + b, q + 6 * a, q + 6 * b, th + 6 * a, th + 6 * b,
             deg + a, deg + b, B + 25 * a, B + 25 * b, t + a, t + b);
    }
}

void (*const hydra_run[HYDRA_LOOPS])(void) = {run_edgecon, run_iflux, run_vflux, run_accu};

const double *hydra_result(enum hydra_sum which)
{
    return sum[which];
}

void hydra_end(void)
{
    void *const arrays[] = {edge, deg, flag, x, vol, q, w, pc, th, mu, grad_read, lap_read, S};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++) {
        free(arrays[a]);
    }
    for (int s = 0; s < HYDRA_SUMS; s++) {
        free(sum[s]);
    }
}
