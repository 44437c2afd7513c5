/* cpu_hand.c: times res_calc of airfoil, and Edgecon and Iflux of the Navier-Stokes solver, written
 * by hand, and STREAM's triad.
 *
 *   cpu_hand airfoil [--size=N,M] | hydra [--size=N] | triad  [--iterations=K]
 *
 * Forms that only one thread can run are left out with more. Prints "hand FORM LOOP MS BYTES" for
 * each form of each loop, medians of K calls in turns, or "triad GB/s". Ends with exit code 1 when
 * a form gives other bits than the scalar kernel with the same plan.
 */
#include "cpu_hand.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_bench.h"
#include "examples/airfoil/mesh.h"
#include "gpu_bench_hydra.h"

/* One way to run a loop. */
struct form {
    const char *name;
    int plan; /* index */
    int width;
};

enum { WHOLE, COLOURS, RANGES, PLANS };

static const struct form forms[] = {
    {"scalar", WHOLE, CPU_HAND_SCALAR},           {"colours", COLOURS, CPU_HAND_SCALAR},
    {"ranges", RANGES, CPU_HAND_SCALAR},          {"colours_lanes_4", COLOURS, CPU_HAND_LANES_4},
    {"ranges_lanes_4", RANGES, CPU_HAND_LANES_4}, {"ranges_lanes_8", RANGES, CPU_HAND_LANES_8},
};
enum { FORMS = sizeof forms / sizeof forms[0], BLOCK_EDGES = 256 };

struct loop {
    int number; /* CPU_HAND_... */
    const char *name;
    double bytes;
    double *sum[2]; /* what it adds to; [1] may be NULL */
    long long values[2];
};

static void plans_make(struct cpu_hand_plan *plan, int edges, int points, const int *point)
{
    cpu_hand_plan_whole(&plan[WHOLE], edges);
    cpu_hand_plan_colours(&plan[COLOURS], edges, points, point, BLOCK_EDGES);
    cpu_hand_plan_ranges(&plan[RANGES], edges, points, point);
}

/* 1: the form can run with so many threads here. */
static int runs(const struct loop *loop, const struct form *form, int threads)
{
    return cpu_hand_kernel(loop->number, form->width) != NULL &&
           (form->plan != WHOLE || threads == 1);
}

/* Copies what a call from zero adds. */
static void *result(const struct cpu_hand *hand, const struct loop *loop,
                    const struct cpu_hand_plan *plan, int width, int threads)
{
    const long long all = loop->values[0] + loop->values[1];
    double *copy = cpu_bench_memory(all, sizeof *copy);
    for (int s = 0; s < 2 && loop->sum[s] != NULL; s++) {
        memset(loop->sum[s], 0, (size_t)loop->values[s] * sizeof(double));
    }
    cpu_hand_execute(plan, cpu_hand_kernel(loop->number, width), hand, threads);
    for (int s = 0; s < 2 && loop->sum[s] != NULL; s++) {
        memcpy(copy + (s == 0 ? 0 : loop->values[0]), loop->sum[s],
               (size_t)loop->values[s] * sizeof(double));
    }
    return copy;
}

/* Every form gives the bits of the scalar kernel on one thread with the same plan. */
static int check(const struct cpu_hand *hand, const struct loop *loop,
                 const struct cpu_hand_plan *plan, int threads)
{
    const size_t size = (size_t)(loop->values[0] + loop->values[1]) * sizeof(double);
    int wrong = 0;
    for (int f = 0; f < FORMS; f++) {
        if (!runs(loop, &forms[f], threads)) {
            continue;
        }
        void *expected = result(hand, loop, &plan[forms[f].plan], CPU_HAND_SCALAR, 1);
        void *given = result(hand, loop, &plan[forms[f].plan], forms[f].width, threads);
        if (memcmp(expected, given, size) != 0) {
            fprintf(stderr, "cpu_hand: %s, %s: other bits than the scalar kernel\n", loop->name,
                    forms[f].name);
            wrong = 1;
        }
        free(expected);
        free(given);
    }
    return wrong;
}

static void measure(const struct cpu_hand *hand, const struct loop *loop,
                    const struct cpu_hand_plan *plan, int threads, int iterations)
{
    double *time[FORMS];
    for (int f = 0; f < FORMS; f++) {
        time[f] = cpu_bench_memory(iterations, sizeof(double));
    }
    for (int i = 0; i < iterations; i++) {
        for (int f = 0; f < FORMS; f++) {
            if (runs(loop, &forms[f], threads)) {
                cpu_hand_run *run = cpu_hand_kernel(loop->number, forms[f].width);
                const double begin = cpu_bench_clock();
                cpu_hand_execute(&plan[forms[f].plan], run, hand, threads);
                time[f][i] = cpu_bench_clock() - begin;
            }
        }
    }
    for (int f = 0; f < FORMS; f++) {
        if (runs(loop, &forms[f], threads)) {
            printf("hand %s %s %.6f %.0f\n", forms[f].name, loop->name,
                   1e3 * cpu_bench_median(time[f], iterations), loop->bytes);
        }
        free(time[f]);
    }
}

/* Checks and times loops over the same edges; returns 1 when a form is wrong. */
static int run_loops(const struct cpu_hand *hand, const struct loop *loop, int loops, int points,
                     const int *point, int iterations)
{
    struct cpu_hand_plan plan[PLANS];
    const int threads = omp_get_max_threads();
    int wrong = 0;
    plans_make(plan, hand->edges, points, point);
    for (int l = 0; l < loops; l++) {
        wrong |= check(hand, &loop[l], plan, threads);
        measure(hand, &loop[l], plan, threads, iterations);
    }
    for (int p = 0; p < PLANS; p++) {
        cpu_hand_plan_free(&plan[p]);
    }
    return wrong;
}

/* A copy of `count` doubles that is aligned like all arrays here. */
static double *aligned(const double *from, long long count)
{
    double *to = cpu_bench_memory(count, sizeof *to);
    memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

static int airfoil(const struct cpu_bench_options *options)
{
    struct mesh mesh;
    if (mesh_generate(&mesh, options->size[0], options->size[1]) != 0) {
        return 1;
    }
    const long long cells = mesh.ncell;
    double *x = aligned(mesh.x, 2LL * mesh.nnode);
    double *q = cpu_bench_memory(4 * cells, sizeof *q);
    double *adt = cpu_bench_memory(cells, sizeof *adt);
    double *res = cpu_bench_memory(4 * cells, sizeof *res);
    for (size_t c = 0; c < (size_t)cells; c++) { /* a free stream with waves */
        const double wave = 0.05 * sin(1e-3 * (double)c);
        const double state[4] = {1.0 + wave, 0.5 - wave, wave, 2.5 + wave};
        memcpy(q + 4 * c, state, sizeof state);
        adt[c] = 1.0 + wave;
    }
    const struct cpu_hand hand = {.edges = mesh.nedge,
                                  .airfoil = {mesh.edge, mesh.ecell, x, q, adt, res, 0.4, 0.05}};
    const double bytes = 16.0 * mesh.nnode + 104.0 * mesh.ncell + 16.0 * mesh.nedge;
    const struct loop loop = {CPU_HAND_RES_CALC, "res_calc", bytes, {res, NULL}, {4 * cells, 0}};
    const int wrong = run_loops(&hand, &loop, 1, mesh.ncell, mesh.ecell, options->iterations);
    free(x);
    free(q);
    free(adt);
    free(res);
    mesh_free(&mesh);
    return wrong;
}

static int hydra(const struct cpu_bench_options *options)
{
    struct hydra_case mesh;
    hydra_make(&mesh, options->size[0], 2, 0);
    const struct tet_box *box = &mesh.mesh.box;
    const long long vertices = box->nodes;
    double *x = aligned(box->x, 3 * vertices), *q = aligned(mesh.mesh.q, 6 * vertices);
    double *lap_read = aligned(mesh.expected.lap, 6 * vertices);
    double *S = aligned(box->area, 3LL * box->edges);
    double *pc = cpu_bench_memory(2 * vertices, sizeof *pc);
    double *grad = cpu_bench_memory(18 * vertices, sizeof *grad);
    double *lap = cpu_bench_memory(6 * vertices, sizeof *lap);
    double *res = cpu_bench_memory(6 * vertices, sizeof *res);
    for (size_t v = 0; v < (size_t)vertices; v++) {
        double w[6], th[6], mu[5];
        prims(q + 6 * v, w, pc + 2 * v, th, mu);
    }
    const struct cpu_hand hand = {
        .edges = box->edges,
        .hydra = {box->edge, x, q, pc, lap_read, mesh.mesh.flag, S, grad, lap, res}};
    const double edge = 32.0 * box->edges, vertex = (double)vertices;
    const struct loop loop[] = {
        {CPU_HAND_EDGECON,
         "edgecon",
         edge + 456.0 * vertex,
         {grad, lap},
         {18 * vertices, 6 * vertices}},
        {CPU_HAND_IFLUX, "iflux", edge + 212.0 * vertex, {res, NULL}, {6 * vertices, 0}},
    };
    const int wrong = run_loops(&hand, loop, 2, box->nodes, box->edge, options->iterations);
    double *const arrays[] = {x, q, lap_read, S, pc, grad, lap, res};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++) {
        free(arrays[a]);
    }
    hydra_free(&mesh);
    return wrong;
}

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
__attribute__((target_clones("default", "avx2", "avx512f")))
#endif
static void
triad_part(double *restrict a, const double *restrict b, const double *restrict c, long long first,
           long long last)
{
    for (long long k = first; k < last; k++) {
        a[k] = b[k] + 3.0 * c[k];
    }
}

/* STREAM's triad on arrays of --size=N million doubles each, which no cache holds: the best of the
 * calls. */
static int triad(const struct cpu_bench_options *options)
{
    const long long count = 1000000LL * options->size[0];
    double *a = cpu_bench_memory(count, sizeof *a), *b = cpu_bench_memory(count, sizeof *b);
    double *c = cpu_bench_memory(count, sizeof *c), best = HUGE_VAL;
    for (int i = 0; i <= options->iterations; i++) {
        const double begin = cpu_bench_clock();
#pragma omp parallel
        {
            const long long t = omp_get_thread_num(), threads = omp_get_num_threads();
            triad_part(a, b, c, count * t / threads, count * (t + 1) / threads);
        }
        const double seconds = cpu_bench_clock() - begin;
        best = i > 0 && seconds < best ? seconds : best; /* the first one warms up */
    }
    printf("triad %.3f\n", 24e-9 * (double)count / best);
    free(a);
    free(b);
    free(c);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(const struct cpu_bench_options *options);
        struct cpu_bench_options defaults;
        int most;
    } cases[] = {
        {"airfoil", airfoil, {{20, 30}, 0, 10}, 20000},
        {"hydra", hydra, {{8, 0}, 0, 10}, HYDRA_MOST},
        {"triad", triad, {{16, 0}, 0, 5}, 1000},
    };
    for (size_t c = 0; argc > 1 && c < sizeof cases / sizeof cases[0]; c++) {
        if (strcmp(argv[1], cases[c].name) == 0) {
            struct cpu_bench_options options = cases[c].defaults;
            cpu_bench_options(&options, cases[c].most, argc - 1, argv + 1);
            if (!options.shuffled) {
                return cases[c].run(&options);
            }
        }
    }
    fprintf(stderr, "usage: cpu_hand airfoil|hydra|triad [--size=N[,M]] [--iterations=K]\n");
    return 2;
}
