/* ranges.c: plans for the cores of a CPU (CLEAVE_PLAN_RANGES): long ranges of consecutive elements,
 * and coloured blocks of the elements on their borders.
 *
 * In: maps. Out: ranges, blocks, colours, colour_start, colour_block, segments, segment_start,
 * segment_first, segment_last, and distinct if it is asked for (distinct.c).
 *
 * A point belongs to the first element that modifies it: first[point]. oldest[e] is the least
 * first[] of all points that element e modifies. If a range begins at element b, its element e is a
 * border element where oldest[e] < b, because an earlier range modifies one of its points; all
 * other elements are inner ones. No inner element shares a point with one of another range: the
 * later one would be a border element. So one pass over `oldest` tells the border elements for any
 * number of ranges, and this number is chosen by trying.
 *
 * In an order of the mesh with short distances, the border elements of a range lie together at its
 * beginning. Inner runs between them that are shorter than LEAST_RUN join the border, which keeps
 * segments long.
 *
 * Nothing depends on the number of threads: each range is cut by itself, and first[] are minima.
 */
#include <limits.h>
#include <stdlib.h>

#include "runtime/planner/plan/build.h"

#define LEAST_RUN 16    /* inner elements between border elements: the lanes of the widest CPU */
#define POOR_BLOCK 256  /* elements per block where there are no ranges */
#define LARGE_SET 16384 /* elements from which on threads pay */

/* Everything here works on positions 0..size-1: elements, or with `reverse` elements from the last
 * one on. */
struct range_job {
    struct cleave_plan *plan;
    struct plan_ways ways;
    const struct plan_range_options *options;
    int *oldest; /* [size] */
    char *error;
};

static int element_at(const struct range_job *job, int position)
{
    return job->options->reverse ? job->plan->size - 1 - position : position;
}

/* ---- the first element at each point -------------------------------------------------------- */

/* *least = min(*least, value), among threads. */
static inline void lower(int *least, int value)
{
    int now = __atomic_load_n(least, __ATOMIC_RELAXED);
    while (value < now && !__atomic_compare_exchange_n(least, &now, value, 1, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
    }
}

static void find_first(int *first, const struct range_job *job)
{
    const int size = job->plan->size;
#pragma omp parallel if (size >= LARGE_SET)
    {
#pragma omp for schedule(static)
        for (int64_t p = 0; p < job->ways.points; p++) {
            first[p] = INT_MAX;
        }
#pragma omp for schedule(static)
        for (int e = 0; e < size; e++) {
            const int element = element_at(job, e);
            for (int w = 0; w < job->ways.count; w++) {
                lower(&first[plan_way_point(&job->ways.way[w], element)], e);
            }
        }
    }
}

static void find_oldest(const struct range_job *job, const int *first)
{
    const int size = job->plan->size;
#pragma omp parallel for schedule(static) if (size >= LARGE_SET)
    for (int e = 0; e < size; e++) {
        const int element = element_at(job, e);
        int oldest = e;
        for (int w = 0; w < job->ways.count; w++) {
            const int other = first[plan_way_point(&job->ways.way[w], element)];
            oldest = other < oldest ? other : oldest;
        }
        job->oldest[e] = oldest;
    }
}

static int look_at_points(struct range_job *job)
{
    static const char what[] = "the ranges of a plan";
    int *first = planner_memory((size_t)job->ways.points, sizeof *first, what, job->error);
    job->oldest = planner_memory((size_t)job->plan->size, sizeof *job->oldest, what, job->error);
    if (first != NULL && job->oldest != NULL) {
        find_first(first, job);
        find_oldest(job, first);
    }
    const int status = first != NULL && job->oldest != NULL ? 0 : -1;
    free(first);
    return status;
}

/* ---- runs of inner and of border elements --------------------------------------------------- */

/* Elements first..last-1 of one range, neither empty nor followed by elements of their sort. */
struct run {
    int first;
    int last;
    int on_border;
};

static int range_begin(int size, int ranges, int r)
{
    return (int)((int64_t)size * r / ranges);
}

/* The end of the inner elements from e on. */
static int inner_end(const int *oldest, int begin, int end, int e)
{
    while (e < end && oldest[e] >= begin) {
        e++;
    }
    return e;
}

/* The end of the border elements from e on, with the short inner runs between and after them. */
static int border_end(const int *oldest, int begin, int end, int e)
{
    for (;;) {
        while (e < end && oldest[e] < begin) {
            e++;
        }
        const int stop = inner_end(oldest, begin, end, e);
        if (stop - e >= LEAST_RUN || e == end) {
            return e;
        }
        e = stop;
    }
}

/* The run of the range begin..end-1 that starts at element `first`. A range that is inner as a
 * whole may be short. */
static struct run run_from(const int *oldest, int begin, int end, int first)
{
    const int stop = inner_end(oldest, begin, end, first);
    if (stop - first >= LEAST_RUN || (first == begin && stop == end)) {
        return (struct run){first, stop, 0};
    }
    return (struct run){first, border_end(oldest, begin, end, first), 1};
}

/* ---- the number of ranges ------------------------------------------------------------------- */

static int64_t count_border(const struct range_job *job, int ranges)
{
    const int size = job->plan->size;
    int64_t border = 0;
#pragma omp parallel for schedule(static) reduction(+ : border) if (size >= LARGE_SET)
    for (int r = 0; r < ranges; r++) {
        const int begin = range_begin(size, ranges, r);
        const int end = range_begin(size, ranges, r + 1);
        for (int e = begin; e < end;) {
            const struct run run = run_from(job->oldest, begin, end, e);
            border += run.on_border ? run.last - run.first : 0;
            e = run.last;
        }
    }
    return border;
}

/* Numbers of ranges, and the share of elements on borders up to which each is taken.
 *
 * More ranges keep more threads busy: with 16, 7 threads take 1.3 times as long as if all had as
 * much to do, with 32, 1.1 times. But data on borders come from memory twice. On 2 cores with 1 MiB
 * of cache each, airfoil's flux over 1.4 million edges of squares takes 5.71 ms with 2 ranges, 5.88
 * with 24 (2.7 % of the edges on borders), 6.15 with 48 (5.5 %), 6.74 with 96 (11 %). In three
 * dimensions a border is a plane of the mesh, and costs little, since few of its points have much
 * data: 5.51 ms with 2 ranges, 5.55 with 24 (40 %), 5.60 with 96 (98 %). So from 32 ranges on, the
 * share must fall as the number grows; 16 ranges and fewer are taken as long as most elements are
 * inner ones. Where 4 ranges leave more than half on borders, neighbours are far apart. */
static const struct {
    int ranges;
    double border;
} tried[] = {{128, 3.0 / 128}, {64, 3.0 / 64}, {32, 3.0 / 32}, {16, 0.5},
             {8, 0.5},         {4, 0.5},       {2, 0.5},       {1, 0.0}};
#define FEWEST 5 /* place in `tried` of the last one that large sets try: 4 ranges */

/* 1: an int counts the points that the elements of a range name, repeats and all. */
static int can_count_points(const struct range_job *job, int ranges)
{
    return ((int64_t)job->plan->size / ranges + 1) * job->ways.count <= INT_MAX;
}

/* Returns 0 where no number of ranges is good enough. */
static int choose_ranges(const struct range_job *job)
{
    const int size = job->plan->size;
    int t = 0;
    while (tried[t].ranges > 1 && size / tried[t].ranges < job->options->least) {
        t++;
    }
    const int last = t > FEWEST ? t : FEWEST;
    for (; t <= last; t++) {
        if ((double)count_border(job, tried[t].ranges) <= tried[t].border * size) {
            return can_count_points(job, tried[t].ranges) ? tried[t].ranges : 0;
        }
    }
    return 0;
}

/* ---- segments ------------------------------------------------------------------------------- */

/* A range on its way into the plan: first counted, then written. */
struct cutting {
    int begin;
    int end;
    int write; /* 0: counts only */
    /* Segments of the inner elements and of the border elements: how many, or the place of the next
     * one. */
    int inner;
    int border;
};

static void add_segment(const struct range_job *job, int write, int *at, int first, int last)
{
    if (write) {
        ((int *)job->plan->segment_first)[*at] = first;
        ((int *)job->plan->segment_last)[*at] = last;
    }
    ++*at;
}

/* Backwards, each element is a segment of its own. */
static void add_run(const struct range_job *job, int write, int *at, struct run run)
{
    if (!job->options->reverse) {
        add_segment(job, write, at, run.first, run.last);
        return;
    }
    for (int e = run.first; e < run.last; e++) {
        const int element = element_at(job, e);
        add_segment(job, write, at, element, element + 1);
    }
}

static void cut_range(const struct range_job *job, struct cutting *cut)
{
    for (int e = cut->begin; e < cut->end;) {
        const struct run run = run_from(job->oldest, cut->begin, cut->end, e);
        add_run(job, cut->write, run.on_border ? &cut->border : &cut->inner, run);
        e = run.last;
    }
}

static void cut_all(const struct range_job *job, struct cutting *cut)
{
#pragma omp parallel for schedule(static) if (job->plan->size >= LARGE_SET)
    for (int r = 0; r < job->plan->ranges; r++) {
        cut_range(job, &cut[r]);
    }
}

/* Fills plan->blocks and plan->segments from the counts. All border elements of a range are one
 * block. */
static void count_blocks(struct cleave_plan *plan, const struct cutting *cut)
{
    plan->blocks = plan->ranges;
    plan->segments = 0;
    for (int r = 0; r < plan->ranges; r++) {
        plan->blocks += cut[r].border > 0;
        plan->segments += cut[r].inner + cut[r].border;
    }
}

static int allocate_blocks(const struct range_job *job)
{
    static const char what[] = "the segments of a plan";
    struct cleave_plan *plan = job->plan;
    const size_t segments = (size_t)plan->segments;
    plan->segment_start = planner_memory((size_t)plan->blocks + 1, sizeof(int), what, job->error);
    plan->segment_first = planner_memory(segments, sizeof(int), what, job->error);
    plan->segment_last = planner_memory(segments, sizeof(int), what, job->error);
    return plan->segment_start != NULL && plan->segment_first != NULL && plan->segment_last != NULL
               ? 0
               : -1;
}

/* Fills segment_start, and turns counts into places: the segments of the ranges come first. */
static void place_blocks(struct cleave_plan *plan, struct cutting *cut)
{
    int *start = (int *)plan->segment_start;
    int at = 0;
    for (int r = 0; r < plan->ranges; r++) {
        start[r] = at;
        at += cut[r].inner;
        cut[r].inner = start[r];
        cut[r].write = 1;
    }
    int block = plan->ranges;
    for (int r = 0; r < plan->ranges; r++) {
        const int segments = cut[r].border;
        cut[r].border = at;
        if (segments > 0) {
            start[block++] = at;
            at += segments;
        }
    }
    start[plan->blocks] = at;
}

static int cut_ranges(const struct range_job *job)
{
    struct cleave_plan *plan = job->plan;
    struct cutting *cut =
        planner_memory((size_t)plan->ranges, sizeof *cut, "the ranges of a plan", job->error);
    if (cut == NULL) {
        return -1;
    }
    for (int r = 0; r < plan->ranges; r++) {
        cut[r] = (struct cutting){.begin = range_begin(plan->size, plan->ranges, r),
                                  .end = range_begin(plan->size, plan->ranges, r + 1)};
    }
    cut_all(job, cut);
    count_blocks(plan, cut);
    const int status = allocate_blocks(job);
    if (status == 0) {
        place_blocks(plan, cut);
        cut_all(job, cut);
    }
    free(cut);
    return status;
}

/* Without ranges: blocks of consecutive elements. */
static int cut_blocks(const struct range_job *job)
{
    struct cleave_plan *plan = job->plan;
    plan->blocks = (int)(((int64_t)plan->size + POOR_BLOCK - 1) / POOR_BLOCK);
    plan->segments = job->options->reverse ? plan->size : plan->blocks;
    if (allocate_blocks(job) != 0) {
        return -1;
    }
    int at = 0;
    for (int b = 0; b < plan->blocks; b++) {
        const int first = b * POOR_BLOCK;
        const int last = plan->size - first < POOR_BLOCK ? plan->size : first + POOR_BLOCK;
        ((int *)plan->segment_start)[b] = at;
        add_run(job, 1, &at, (struct run){first, last, 1});
    }
    ((int *)plan->segment_start)[plan->blocks] = plan->segments;
    return 0;
}

/* ---- colours -------------------------------------------------------------------------------- */

static int elements_of(const struct cleave_plan *plan, int block)
{
    int elements = 0;
    for (int s = plan->segment_start[block]; s < plan->segment_start[block + 1]; s++) {
        elements += plan->segment_last[s] - plan->segment_first[s];
    }
    return elements;
}

/* item: a block behind those of the ranges. */
static int points_of_border_block(const void *from, int item, int64_t *out)
{
    const struct range_job *job = from;
    const struct cleave_plan *plan = job->plan;
    const int block = plan->ranges + item;
    int points = 0;
    for (int s = plan->segment_start[block]; s < plan->segment_start[block + 1]; s++) {
        for (int e = plan->segment_first[s]; e < plan->segment_last[s]; e++) {
            for (int w = 0; w < job->ways.count; w++) {
                out[points++] = plan_way_point(&job->ways.way[w], e);
            }
        }
    }
    return points;
}

/* start[c] and sorted: the items of colour c, as planner_greedy_sort gives them. Colour 0 of the
 * plan are its ranges, if there are any. */
static int fill_colours(const struct range_job *job, const int *start, const int *sorted,
                        int colours)
{
    static const char what[] = "the colours of a plan's blocks";
    struct cleave_plan *plan = job->plan;
    const int before = plan->ranges > 0;
    plan->colours = before + colours;
    int *colour_start =
        planner_memory((size_t)plan->colours + 1, sizeof *colour_start, what, job->error);
    plan->colour_start = colour_start;
    int *block = planner_memory((size_t)plan->blocks, sizeof *block, what, job->error);
    plan->colour_block = block;
    if (colour_start == NULL || block == NULL) {
        return -1;
    }
    colour_start[0] = 0;
    for (int c = 0; c <= colours; c++) {
        colour_start[before + c] = plan->ranges + start[c];
    }
    for (int b = 0; b < plan->blocks; b++) {
        block[b] = b < plan->ranges ? b : plan->ranges + sorted[b - plan->ranges];
    }
    return 0;
}

static int colour_border(const struct range_job *job)
{
    static const char what[] = "the colours of a plan's blocks";
    const struct cleave_plan *plan = job->plan;
    const int count = plan->blocks - plan->ranges;
    struct greedy_items items = {job, points_of_border_block, job->ways.points, 0};
    struct greedy greedy;
    for (int b = plan->ranges; b < plan->blocks; b++) {
        const int most = elements_of(plan, b) * job->ways.count;
        items.most = most > items.most ? most : items.most;
    }
    int status = planner_greedy_open(&greedy, count, count > 0 ? items.points : 0, items.most, what,
                                     job->error);
    if (status == 0) {
        for (int i = 0; i < count; i++) {
            greedy.pending[i] = i;
        }
        int *start;
        int *sorted;
        const int colours = count > 0 ? planner_greedy_colour(&greedy, &items, count) : 0;
        status =
            planner_greedy_sort(&start, &sorted, greedy.colour, count, colours, what, job->error);
        status = status == 0 ? fill_colours(job, start, sorted, colours) : status;
        free(start);
        free(sorted);
    }
    planner_greedy_close(&greedy);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static int build(struct range_job *job)
{
    struct cleave_plan *plan = job->plan;
    if (look_at_points(job) != 0) {
        return -1;
    }
    plan->ranges = plan->size > 0 ? choose_ranges(job) : 0;
    const int status = plan->ranges > 0 ? cut_ranges(job) : cut_blocks(job);
    if (status != 0 || colour_border(job) != 0) {
        return -1;
    }
    return (job->options->parts & CLEAVE_PART_DISTINCT) != 0
               ? planner_find_distinct(plan, &job->ways, job->error)
               : 0;
}

int planner_ranges_build(const struct planner *planner, struct cleave_plan **plan, int elements,
                         int maps, const struct plan_map *map,
                         const struct plan_range_options *options, char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    *plan = NULL;
    if (planner_check_input(elements, maps, map, 1, error) != 0) {
        return -1;
    }
    struct range_job job = {.plan = planner_zeroed(1, sizeof *job.plan, "a plan", error),
                            .options = options,
                            .error = error};
    if (job.plan == NULL) {
        return -1;
    }
    job.plan->size = elements;
    planner_find_ways(&job.ways, maps, map);
    const int status = build(&job);
    free(job.oldest);
    if (status != 0) {
        planner_free(job.plan);
        return -1;
    }
    *plan = job.plan;
    return 0;
}

void planner_ranges_measure(const struct cleave_plan *plan, struct plan_metrics *metrics)
{
    int64_t border = 0;
    *metrics = (struct plan_metrics){
        .blocks = plan->blocks, .block_colours = plan->colours, .ranges = plan->ranges};
    metrics->plan_bytes = planner_plan_bytes(plan);
    metrics->distinct = planner_measure_distinct(plan);
    for (int b = plan->ranges; b < plan->blocks; b++) {
        border += elements_of(plan, b);
    }
    if (plan->size > 0) {
        metrics->border = (double)border / plan->size;
        metrics->segment = (double)plan->size / plan->segments;
    }
}
