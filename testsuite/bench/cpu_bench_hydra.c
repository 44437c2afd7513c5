/* cpu_bench_hydra.c: times the four edge loops of a Navier-Stokes solver on a box of tetrahedra
 * (cpu_bench.h). Plain C: the loops are linked from cpu_bench_hydra_op2.c, which cleavecc compiles,
 * or from cpu_bench_hydra_plain.c.
 */
#include "cpu_bench_hydra.h"

#include <stdlib.h>

#include "cpu_bench.h"

/* Doubles per vertex that a loop reads, ints, doubles that it adds to, and direct ones per edge. */
static double bytes_of(const struct tet_box *box, int reads, int ints, int sums, int direct)
{
    const double per_vertex = 8.0 * reads + 4.0 * ints + 16.0 * sums;
    return per_vertex * box->nodes + (8.0 * direct + 8.0) * box->edges;
}

/* The state per vertex that the edge loops read, from the conserved variables. */
static void make_state(const struct hydra_case *hydra, struct hydra_state *state)
{
    const int vertices = hydra->mesh.box.nodes;
    state->w = cpu_bench_memory(6LL * vertices, sizeof(double));
    state->pc = cpu_bench_memory(2LL * vertices, sizeof(double));
    state->th = cpu_bench_memory(6LL * vertices, sizeof(double));
    state->mu = cpu_bench_memory(5LL * vertices, sizeof(double));
    for (size_t v = 0; v < (size_t)vertices; v++) {
        state->mu[5 * v + 3] = hydra->mesh.wall[v];
        prims(hydra->mesh.q + 6 * v, state->w + 6 * v, state->pc + 2 * v, state->th + 6 * v,
              state->mu + 5 * v);
    }
}

static void free_state(struct hydra_state *state)
{
    free(state->w);
    free(state->pc);
    free(state->th);
    free(state->mu);
}

static void run(const struct tet_box *box, const struct cpu_bench_options *options)
{
    static const int step[] = {EDGECON, IFLUX, VFLUX, ACCU};
    static const char *const value[] = {"grad", "lap", "res", "rvis", "B", "t"};
    const struct cpu_bench_loop loop[HYDRA_LOOPS] = {
        {"edgecon", hydra_run[EDGECON], bytes_of(box, 9, 0, 24, 3)},
        {"iflux", hydra_run[IFLUX], bytes_of(box, 14, 1, 6, 3)},
        {"vflux", hydra_run[VFLUX], bytes_of(box, 44, 1, 6, 3)},
        {"accu", hydra_run[ACCU], bytes_of(box, 16, 1, 26, 0)},
    };
    cpu_bench_run(loop, HYDRA_LOOPS, step, HYDRA_LOOPS, options);
    for (int s = 0; s < HYDRA_SUMS; s++) {
        cpu_bench_norm(value[s], hydra_result((enum hydra_sum)s),
                       (long long)hydra_components[s] * box->nodes);
    }
}

int main(int argc, char **argv)
{
    struct cpu_bench_options options = {.size = {8, 0}, .iterations = 10};
    struct hydra_case hydra;
    struct hydra_state state;
    cpu_bench_options(&options, HYDRA_MOST, argc, argv);
    hydra_make(&hydra, options.size[0], 2, 0);
    if (options.shuffled) {
        hydra_shuffle(&hydra, 7);
    }
    make_state(&hydra, &state);
    const double begin = cpu_bench_clock();
    hydra_declare(&hydra, &state);
    cpu_bench_setup(cpu_bench_clock() - begin);
    run(&hydra.mesh.box, &options);
    free_state(&state);
    hydra_free(&hydra);
    hydra_end();
    return 0;
}
