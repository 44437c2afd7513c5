/* cpu_hand_plan.c: plans of cpu_hand: which edges run at once.
 */
#include "cpu_hand.h"

#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

#include "cpu_bench.h"

/* Edges of a range, at least, and of a coloured block of what ranges leave. */
enum { RANGE_EDGES = 32768, MOST_RANGES = 64, BORDER_EDGES = 4096 };

/* A plan that is being made; segments are added in the order of blocks. */
struct builder {
    struct cpu_hand_plan *plan;
    int blocks;
    int segments;
};

static struct builder begin(struct cpu_hand_plan *plan, int edges)
{
    plan->segment = cpu_bench_memory(edges + 1LL, sizeof(int));
    plan->first = cpu_bench_memory(edges + 1LL, sizeof(int));
    plan->last = cpu_bench_memory(edges + 1LL, sizeof(int));
    return (struct builder){plan, 0, 0};
}

/* Adds an edge to the open block. */
static void add(struct builder *builder, int edge)
{
    struct cpu_hand_plan *plan = builder->plan;
    const int open = plan->segment[builder->blocks];
    if (builder->segments == open || plan->last[builder->segments - 1] != edge) {
        plan->first[builder->segments++] = edge;
    }
    plan->last[builder->segments - 1] = edge + 1;
}

static void close_block(struct builder *builder)
{
    builder->plan->segment[++builder->blocks] = builder->segments;
}

/* Sorts blocks by their colours. */
static void sort(struct cpu_hand_plan *plan, int blocks, const int *colour)
{
    plan->colour_start = cpu_bench_memory(plan->colours + 1LL, sizeof(int));
    plan->block = cpu_bench_memory(blocks, sizeof(int));
    int count = 0;
    for (int c = 0; c < plan->colours; c++) {
        for (int b = 0; b < blocks; b++) {
            if (colour[b] == c) {
                plan->block[count++] = b;
            }
        }
        plan->colour_start[c + 1] = count;
    }
}

/* Points that a block modifies have, or get, a mark. */
static uint64_t marks(const struct cpu_hand_plan *plan, int block, const int *point, uint64_t *mark,
                      uint64_t set)
{
    uint64_t all = 0;
    for (int s = plan->segment[block]; s < plan->segment[block + 1]; s++) {
        for (size_t i = 2 * (size_t)plan->first[s]; i < 2 * (size_t)plan->last[s]; i++) {
            all |= mark[point[i]];
            mark[point[i]] |= set;
        }
    }
    return all;
}

/* Gives the first `free_blocks` blocks colour 0 and each other one the first of colours 1..63 that
 * no block has that modifies a common point. */
static void colour_blocks(struct cpu_hand_plan *plan, int blocks, int free_blocks, int points,
                          const int *point)
{
    uint64_t *mark = cpu_bench_memory(points, sizeof *mark);
    int *colour = cpu_bench_memory(blocks, sizeof *colour);
    const int least = free_blocks > 0;
    plan->colours = 1;
    for (int b = free_blocks; b < blocks; b++) {
        const uint64_t used = marks(plan, b, point, mark, 0);
        int c = least;
        while (c < 63 && (used >> c & 1) != 0) {
            c++;
        }
        if (used >> c & 1) {
            abort(); /* natural numberings take a few */
        }
        marks(plan, b, point, mark, (uint64_t)1 << c);
        colour[b] = c;
        plan->colours = c + 1 > plan->colours ? c + 1 : plan->colours;
    }
    sort(plan, blocks, colour);
    free(mark);
    free(colour);
}

void cpu_hand_plan_whole(struct cpu_hand_plan *plan, int edges)
{
    cpu_hand_plan_colours(plan, edges, 1, NULL, edges);
}

void cpu_hand_plan_colours(struct cpu_hand_plan *plan, int edges, int points, const int *point,
                           int size)
{
    struct builder builder = begin(plan, edges);
    for (int e = 0; e < edges; e++) {
        add(&builder, e);
        if ((e + 1) % size == 0 || e + 1 == edges) {
            close_block(&builder);
        }
    }
    colour_blocks(plan, builder.blocks, builder.blocks == 1, points, point);
}

static int range_start(int edges, int ranges, int range)
{
    return (int)((long long)edges * range / ranges);
}

/* Fills inner[edges] for so many ranges and returns how many edges are not inner ones. */
static int find_inner(int edges, int points, const int *point, int ranges, char *inner)
{
    int *owner = cpu_bench_memory(points, sizeof *owner); /* its number + 1 */
    int border = 0;
    for (int r = 0; r < ranges; r++) {
        const size_t last = 2 * (size_t)range_start(edges, ranges, r + 1);
        for (size_t i = 2 * (size_t)range_start(edges, ranges, r); i < last; i++) {
            owner[point[i]] = owner[point[i]] == 0 ? r + 1 : owner[point[i]];
        }
    }
    for (int r = 0; r < ranges; r++) {
        const int last = range_start(edges, ranges, r + 1);
        for (int e = range_start(edges, ranges, r); e < last; e++) {
            const int *of = point + 2 * (size_t)e;
            inner[e] = owner[of[0]] == r + 1 && owner[of[1]] == r + 1;
            border += !inner[e];
        }
    }
    free(owner);
    return border;
}

void cpu_hand_plan_ranges(struct cpu_hand_plan *plan, int edges, int points, const int *point)
{
    char *inner = cpu_bench_memory(edges, 1);
    int ranges = edges / RANGE_EDGES, count = 0;
    ranges = ranges < 1 ? 1 : ranges > MOST_RANGES ? MOST_RANGES : ranges;
    while (find_inner(edges, points, point, ranges, inner) > edges / 10 && ranges > 2) {
        ranges /= 2;
    }
    struct builder builder = begin(plan, edges);
    for (int r = 0; r < ranges; r++) {
        const int last = range_start(edges, ranges, r + 1);
        for (int e = range_start(edges, ranges, r); e < last; e++) {
            if (inner[e]) {
                add(&builder, e);
            }
        }
        close_block(&builder);
    }
    for (int e = 0; e < edges; e++) {
        if (!inner[e]) {
            add(&builder, e);
            if (++count % BORDER_EDGES == 0) {
                close_block(&builder);
            }
        }
    }
    if (count % BORDER_EDGES != 0) {
        close_block(&builder);
    }
    colour_blocks(plan, builder.blocks, ranges, points, point);
    free(inner);
}

void cpu_hand_plan_free(struct cpu_hand_plan *plan)
{
    free(plan->colour_start);
    free(plan->block);
    free(plan->segment);
    free(plan->first);
    free(plan->last);
}

void cpu_hand_execute(const struct cpu_hand_plan *plan, cpu_hand_run *run,
                      const struct cpu_hand *hand, int threads)
{
#pragma omp parallel num_threads(threads)
    for (int c = 0; c < plan->colours; c++) {
#pragma omp for schedule(static)
        for (int k = plan->colour_start[c]; k < plan->colour_start[c + 1]; k++) {
            const int block = plan->block[k];
            for (int s = plan->segment[block]; s < plan->segment[block + 1]; s++) {
                run(hand, plan->first[s], plan->last[s]);
            }
        }
    }
}
