/* plan_bench_accept.c: goals of the planner, stated for shuffled meshes and blocks of 256. Ratios
 * are to METIS k-way on the element graph in the same run: machines are noisy, and ratios are less
 * so. */
#include <stdarg.h>
#include <string.h>

#include "plan_bench.h"

/* Reuse at least `reuse` of METIS's, in at most `cpu` of its CPU time (0: any). */
struct goal {
    enum test_mesh_kind kind;
    const char *method;
    double reuse;
    double cpu;
};

/* If two consecutive rows have one mesh and method, either goal is enough. */
static const struct goal goals[] = {
    {TEST_MESH_TET, "default", 1.10, 1. / 12},
    {TEST_MESH_QUAD, "default", 0.985, 1. / 6},
    {TEST_MESH_HEX, "default", 1.00, 1. / 2},
    {TEST_MESH_HEX, "default", 0.99, 1. / 3},
    {TEST_MESH_PIPE, "default", 1.00, 1. / 2},
    {TEST_MESH_PIPE, "default", 0.99, 1. / 3},
    {TEST_MESH_GRADED, "default", 0.97, 0},
    {TEST_MESH_GRADED_QUAD, "default", 0.97, 0},
    {TEST_MESH_ANNULUS, "default", 0.97, 0},
    {TEST_MESH_TET, "default/graph", 1.10, 0},
    {TEST_MESH_QUAD, "default/graph", 0.975, 0},
    {TEST_MESH_HEX, "default/graph", 1.00, 0},
    {TEST_MESH_PIPE, "default/graph", 1.00, 0},
    {TEST_MESH_TET, "hard", 1.00, 1},
    {TEST_MESH_QUAD, "hard", 1.00, 1},
    {TEST_MESH_HEX, "hard", 1.00, 1},
    {TEST_MESH_PIPE, "hard", 1.00, 1},
    {TEST_MESH_GRADED, "hard", 0.98, 1},
    {TEST_MESH_GRADED_QUAD, "hard", 0.98, 1},
    {TEST_MESH_ANNULUS, "hard", 0.98, 1},
};
enum { GOALS = sizeof goals / sizeof goals[0] };

#define MAX_POINTS_RATIO 1.15
#define PEAK_BYTES 80 /* per element, above the input */
#define SERIAL_PHASE 0.10
#define SPEEDUP 1.6 /* 2 threads to 1 */
#define LARGE_CPU 15.0
#define LARGE_ELEMENTS 9500000
#define SERIOUS_ELEMENTS 1000000 /* below, fixed costs decide memory and speedup */

__attribute__((format(printf, 4, 5))) static void judge(struct bench_verdict *verdict,
                                                        const struct bench_table *table, int met,
                                                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("%-8s %s ", met ? "met" : "NOT MET", test_mesh_name(table->mesh->kind));
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    if (met) {
        verdict->met++;
    } else {
        verdict->not_met++;
    }
}

static int meets(const struct goal *goal, const struct bench_result *result,
                 const struct bench_result *metis)
{
    return result->metrics.reuse >= goal->reuse * metis->metrics.reuse &&
           (goal->cpu == 0 || result->total_cpu <= goal->cpu * metis->total_cpu);
}

static void describe(char *out, size_t size, const struct goal *goal)
{
    if (goal->cpu > 0) {
        snprintf(out, size, "reuse %.3f and CPU %.3f", goal->reuse, goal->cpu);
    } else {
        snprintf(out, size, "reuse %.3f", goal->reuse);
    }
}

/* Goal g, and the one after it where both are for the same mesh and method. */
static void judge_ratios(struct bench_verdict *verdict, const struct bench_table *table, int g,
                         int both, const char *reference)
{
    char text[2][64] = {"", ""};
    const struct bench_result *result = bench_find(table, goals[g].method);
    const struct bench_result *metis = bench_find(table, reference);
    if (result == NULL || metis == NULL) {
        return;
    }
    describe(text[0], sizeof text[0], &goals[g]);
    if (both) {
        describe(text[1], sizeof text[1], &goals[g + 1]);
    }
    int met = meets(&goals[g], result, metis) || (both && meets(&goals[g + 1], result, metis));
    judge(verdict, table, met, "%s: reuse %.3f, CPU %.3f of %s's (goal: %s%s%s)", goals[g].method,
          result->metrics.reuse / metis->metrics.reuse, result->total_cpu / metis->total_cpu,
          reference, text[0], both ? ", or " : "", text[1]);
}

static void judge_max_points(struct bench_verdict *verdict, const struct bench_table *table)
{
    const struct bench_result *result = bench_find(table, "default");
    const struct bench_result *metis = bench_find(table, "metis");
    if (result == NULL || metis == NULL) {
        return;
    }
    double ratio = (double)result->metrics.max_points / metis->metrics.max_points;
    judge(verdict, table, ratio <= MAX_POINTS_RATIO,
          "default: most points of a block %.3f of metis's (goal: %.2f)", ratio, MAX_POINTS_RATIO);
}

static const struct bench_result *with_threads(const struct bench_table *table, const char *name,
                                               int threads)
{
    const struct bench_result *result = bench_find(table, name);
    for (int t = 0; result != NULL && t < table->options->thread_counts; t++) {
        if (result[t].threads == threads && !result[t].failed) {
            return &result[t];
        }
    }
    return NULL;
}

static void judge_phases(struct bench_verdict *verdict, const struct bench_table *table,
                         const struct bench_result *one)
{
    const struct bench_phase *worst = NULL;
    for (int p = 0; p < one->phases; p++) {
        if (one->phase[p].serial && (worst == NULL || one->phase[p].seconds > worst->seconds)) {
            worst = &one->phase[p];
        }
    }
    double share = worst != NULL ? worst->seconds / one->total_wall : 0;
    judge(verdict, table, share <= SERIAL_PHASE,
          "default: largest serial phase (%s) %.1f%% of the time (goal: %.0f%%)",
          worst != NULL ? worst->name : "none", worst != NULL ? 100 * share : 0,
          100 * SERIAL_PHASE);
}

/* Cost of the default method on large meshes of tetrahedra. */
static void judge_cost(struct bench_verdict *verdict, const struct bench_table *table)
{
    const struct bench_result *one = with_threads(table, "default", 1);
    const struct bench_result *two = with_threads(table, "default", 2);
    if (table->mesh->kind != TEST_MESH_TET || table->mesh->elements < SERIOUS_ELEMENTS) {
        return;
    }
    const struct bench_result *any = bench_find(table, "default");
    if (any != NULL) {
        judge(verdict, table, any->peak <= PEAK_BYTES * (double)any->elements,
              "default: %.1f bytes per element above the input (goal: %d)",
              any->peak / any->elements, PEAK_BYTES);
    }
    if (one != NULL) {
        judge_phases(verdict, table, one);
    }
    if (one != NULL && two != NULL) {
        judge(verdict, table, one->total_wall >= SPEEDUP * two->total_wall,
              "default: 2 threads %.2f times as fast as 1 (goal: %.1f)",
              one->total_wall / two->total_wall, SPEEDUP);
    }
    if (one != NULL && table->mesh->elements >= LARGE_ELEMENTS) {
        judge(verdict, table, one->total_cpu < LARGE_CPU,
              "default: %d elements in %.1f s of CPU time (goal: below %.0f)", one->elements,
              one->total_cpu, LARGE_CPU);
    }
}

/* A reference that was asked for and is not there leaves goals open: that is not success. */
static void judge_reference(struct bench_verdict *verdict, const struct bench_table *table,
                            const char *name)
{
    for (int m = 0; m < table->options->methods; m++) {
        if (strcmp(table->options->method[m].name, name) == 0 && bench_find(table, name) == NULL) {
            judge(verdict, table, 0, "%s: not available; nothing can be compared with it", name);
        }
    }
}

static int same_subject(const struct goal *a, const struct goal *b)
{
    return a->kind == b->kind && strcmp(a->method, b->method) == 0;
}

void bench_accept(struct bench_verdict *verdict, const struct bench_table *table)
{
    if (!table->options->shuffled || table->options->block_size != 256) {
        printf("no goals for %s meshes and blocks of %d: they are stated for shuffled meshes and "
               "blocks of 256\n",
               table->options->shuffled ? "shuffled" : "natural", table->options->block_size);
        return;
    }
    for (int g = 0; g < GOALS; g++) {
        int both = g + 1 < GOALS && same_subject(&goals[g], &goals[g + 1]);
        int second = g > 0 && same_subject(&goals[g - 1], &goals[g]);
        if (goals[g].kind != table->mesh->kind || second) {
            continue;
        }
        judge_ratios(verdict, table, g, both, "metis");
        if (strcmp(goals[g].method, "hard") == 0) {
            judge_ratios(verdict, table, g, both, "metis-weighted");
        }
    }
    judge_reference(verdict, table, "metis");
    judge_reference(verdict, table, "metis-weighted");
    judge_max_points(verdict, table);
    judge_cost(verdict, table);
    fflush(stdout);
}
