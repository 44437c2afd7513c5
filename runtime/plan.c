/* plan.c: builds execution plans; the entry of the planner.
 *
 * In: maps and options (plan.h). Out: a plan and its metrics. Checks the input, turns the parts of
 * plan_partition.c into blocks and an order of positions, and calls plan_colour.c and plan_lists.c
 * for the rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "plan_impl.h"

/* Accesses per staged point above which runs of consecutive elements are kept. Random numberings
 * have about 1, natural ones of quadrilaterals 2, of tetrahedra 3 and more. Airfoil's res_calc in
 * natural numbering takes 10 ms with runs and 40 ms with METIS's blocks on two cores, 135 and 153
 * us on an H200, besides 7 to 16 s for METIS itself. */
#define ENOUGH_REUSE 1.5

void *plan_allocate(size_t count, size_t bytes, const char *what, char *error)
{
    if (count == 0) {
        count = 1;
    }
    void *memory = calloc(count, bytes);
    if (memory == NULL) {
        snprintf(error, PLAN_ERROR_BYTES, "out of memory: cannot allocate %zu bytes for %s",
                 count * bytes, what);
    }
    return memory;
}

/* ---- columns ------------------------------------------------------------------------------------
 */

static int any_conflicts(const struct plan_input *input)
{
    for (int m = 0; m < input->maps; m++) {
        if (input->map[m].conflicts != 0) {
            return 1;
        }
    }
    return 0;
}

/* Where the points of map m's target start; its first use adds the set to the numbering. */
static size_t target_offset(struct plan_columns *columns, const struct plan_input *input,
                            size_t *offset, int *numbered, int m)
{
    const struct plan_map *map = &input->map[m];
    for (int earlier = 0; earlier < m; earlier++) {
        if (numbered[earlier] && input->map[earlier].target == map->target) {
            return offset[earlier];
        }
    }
    size_t first = columns->points;
    columns->points += (size_t)map->points;
    return first;
}

void plan_columns(struct plan_columns *columns, const struct plan_input *input, enum plan_use use)
{
    size_t offset[CLEAVE_MAX_LISTS];
    int numbered[CLEAVE_MAX_LISTS] = {0};
    int all = use == PLAN_JOINED && !any_conflicts(input);

    columns->count = 0;
    columns->points = 0;
    for (int m = 0; m < input->maps; m++) {
        const struct plan_map *map = &input->map[m];
        if (!all && map->conflicts == 0) {
            continue;
        }
        offset[m] = target_offset(columns, input, offset, numbered, m);
        numbered[m] = 1;
        for (int k = 0; k < map->columns; k++) {
            if (use == PLAN_MODIFIED && !(map->conflicts >> k & 1)) {
                continue;
            }
            columns->column[columns->count++] =
                (struct plan_column){map->row, map->dim, map->column[k], offset[m]};
        }
    }
}

/* ---- input --------------------------------------------------------------------------------------
 */

static int check_entries(const struct plan_input *input, int m)
{
    const struct plan_map *map = &input->map[m];
    for (int e = 0; e < input->elements; e++) {
        const int *row = map->row + (size_t)e * map->dim;
        for (int k = 0; k < map->columns; k++) {
            int point = row[map->column[k]];
            if (point < 0 || point >= map->points) {
                snprintf(input->error, PLAN_ERROR_BYTES,
                         "map %d, row %d, column %d is %d; its set has %d points", m, e,
                         map->column[k], point, map->points);
                return -1;
            }
        }
    }
    return 0;
}

static int check_shape(const struct plan_input *input, int m)
{
    const struct plan_map *map = &input->map[m];
    if (map->dim < 1 || map->points < 0 || map->columns < 0 || map->columns > CLEAVE_MAX_COLUMNS ||
        (map->row == NULL && input->elements > 0)) {
        snprintf(input->error, PLAN_ERROR_BYTES,
                 "map %d has %d columns, %d of them used (at most %d), %d points and %s entries", m,
                 map->dim, map->columns, CLEAVE_MAX_COLUMNS, map->points,
                 map->row == NULL ? "no" : "its");
        return -1;
    }
    for (int k = 0; k < map->columns; k++) {
        if (map->column[k] < 0 || map->column[k] >= map->dim) {
            snprintf(input->error, PLAN_ERROR_BYTES,
                     "map %d has %d columns; column %d does not exist", m, map->dim,
                     map->column[k]);
            return -1;
        }
    }
    for (int other = 0; other < m; other++) {
        if (input->map[other].target == map->target && input->map[other].points != map->points) {
            snprintf(input->error, PLAN_ERROR_BYTES,
                     "maps %d and %d lead to set %d, with %d and with %d points", other, m,
                     map->target, input->map[other].points, map->points);
            return -1;
        }
    }
    return 0;
}

int plan_check_input(const struct plan_input *input)
{
    if (input->elements < 0 || input->maps < 0 || input->maps > CLEAVE_MAX_LISTS) {
        snprintf(input->error, PLAN_ERROR_BYTES,
                 "a plan for %d elements through %d maps; at most %d maps", input->elements,
                 input->maps, CLEAVE_MAX_LISTS);
        return -1;
    }
    if (input->options->block_size < 1 || input->options->block_size > 1024) {
        snprintf(input->error, PLAN_ERROR_BYTES, "the block size is %d; it must be 1 to 1024",
                 input->options->block_size);
        return -1;
    }
    for (int m = 0; m < input->maps; m++) {
        if (check_shape(input, m) != 0 || check_entries(input, m) != 0) {
            return -1;
        }
    }
    return 0;
}

/* ---- blocks -------------------------------------------------------------------------------------
 */

/* A part on its way to blocks. A part above the block size is cut into runs of about equal length.
 */
struct part {
    int elements;
    int run;   /* elements of each of its blocks, at most */
    int block; /* the one being filled */
    int room;  /* left in that block */
};

/* Sets run for each part; returns the number of blocks at most. */
static int cut_parts(struct part *part, int parts, int block_size)
{
    int blocks = 0;
    for (int p = 0; p < parts; p++) {
        if (part[p].elements > 0) {
            int pieces = (part[p].elements - 1) / block_size + 1;
            part[p].run = (part[p].elements - 1) / pieces + 1;
            blocks += pieces;
        }
    }
    return blocks;
}

/* Replaces each element's part by its block and counts the blocks' elements in start[block+1].
 * Blocks are numbered as their first elements come; empty parts vanish. */
static void assign_blocks(struct cleave_plan *plan, int *start, struct part *part, int *of_element)
{
    for (int e = 0; e < plan->size; e++) {
        struct part *own = &part[of_element[e]];
        if (own->room == 0) {
            own->block = plan->blocks++;
            own->room = own->run;
        }
        own->room--;
        of_element[e] = own->block;
        start[own->block + 1]++;
    }
}

static void order_elements(struct cleave_plan *plan, int *start, int *order, const int *block,
                           int *filled)
{
    for (int b = 0; b < plan->blocks; b++) {
        start[b + 1] += start[b];
        filled[b] = start[b];
    }
    for (int e = 0; e < plan->size; e++) {
        order[filled[block[e]]++] = e;
    }
}

/* The same blocks with all positions backwards. */
static void reverse_positions(struct cleave_plan *plan, int *start, int *order)
{
    for (int i = 0, j = plan->size - 1; i < j; i++, j--) {
        int element = order[i];
        order[i] = order[j];
        order[j] = element;
    }
    for (int i = 0, j = plan->blocks; i <= j; i++, j--) {
        int first = start[i];
        start[i] = plan->size - start[j];
        start[j] = plan->size - first;
    }
}

/* Blocks and order from the part of each element, which becomes its block. */
static int make_blocks(struct cleave_plan *plan, const struct plan_input *input, int *of_element,
                       int parts)
{
    struct part *part =
        plan_allocate((size_t)parts, sizeof *part, "the parts of a plan", input->error);
    int *order = plan_allocate((size_t)plan->size, sizeof *order, "the order of a plan's elements",
                               input->error);
    plan->order = order;
    if (part == NULL || order == NULL) {
        free(part);
        return -1;
    }
    for (int e = 0; e < plan->size; e++) {
        part[of_element[e]].elements++;
    }
    int most = cut_parts(part, parts, plan->block_size);
    int *start = plan_allocate((size_t)most + 1, sizeof *start, "the offsets of a plan's blocks",
                               input->error);
    plan->start = start;
    int *filled =
        plan_allocate((size_t)most, sizeof *filled, "filling a plan's blocks", input->error);
    int status = start != NULL && filled != NULL ? 0 : -1;
    if (status == 0) {
        assign_blocks(plan, start, part, of_element);
        order_elements(plan, start, order, of_element, filled);
        if (input->options->reverse) {
            reverse_positions(plan, start, order);
        }
    }
    free(filled);
    free(part);
    return status;
}

static int build_blocks(struct cleave_plan *plan, const struct plan_input *input,
                        enum plan_method *used)
{
    int parts = 0;
    int *part = plan_allocate((size_t)input->elements, sizeof *part, "the part of each element",
                              input->error);
    int status = part != NULL ? plan_partition(input, part, &parts, used) : -1;
    if (status == 0) {
        status = make_blocks(plan, input, part, parts);
    }
    free(part);
    return status;
}

/* ---- metrics ------------------------------------------------------------------------------------
 */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void sum_points(struct plan_metrics *metrics, const struct cleave_plan *plan, double *total)
{
    for (int b = 0; b < plan->blocks; b++) {
        int points = 0;
        for (int m = 0; m < plan->lists; m++) {
            points += plan->list[m].start[b + 1] - plan->list[m].start[b];
        }
        *total += points;
        if (metrics->max_points < points) {
            metrics->max_points = points;
        }
    }
}

static void measure(struct plan_metrics *metrics, const struct cleave_plan *plan,
                    const struct plan_input *input)
{
    double points = 0;
    double accesses = 0;
    double thread_colours = 0;

    *metrics = (struct plan_metrics){.blocks = plan->blocks, .block_colours = plan->colours};
    if (plan->blocks == 0) {
        return;
    }
    sum_points(metrics, plan, &points);
    for (int m = 0; m < input->maps; m++) {
        accesses += (double)input->map[m].columns * plan->size;
    }
    for (int b = 0; b < plan->blocks; b++) {
        thread_colours += plan->thread_colours[b];
    }
    metrics->thread_colours = thread_colours / plan->blocks;
    metrics->reuse = points > 0 ? accesses / points : 1.0;
    metrics->points = points / plan->blocks;
    metrics->fill = plan->size / ((double)plan->blocks * plan->block_size);
}

/* ---- entry --------------------------------------------------------------------------------------
 */

static int build_by(enum plan_method method, struct cleave_plan **plan,
                    struct plan_metrics *metrics, const struct plan_input *given)
{
    struct plan_options options = *given->options;
    struct plan_input input = *given;

    options.method = method;
    input.options = &options;
    *plan = NULL;
    struct cleave_plan *built = plan_allocate(1, sizeof *built, "a plan", input.error);
    if (built == NULL) {
        return -1;
    }
    built->size = input.elements;
    built->block_size = options.block_size;
    enum plan_method used = PLAN_CHUNKS;
    if (build_blocks(built, &input, &used) != 0 || plan_colour_blocks(built, &input) != 0 ||
        plan_colour_threads(built, &input) != 0 || plan_lists(built, &input) != 0) {
        plan_free(built);
        return -1;
    }
    measure(metrics, built, &input);
    metrics->method = used;
    *plan = built;
    return 0;
}

/* Runs of consecutive elements; where these reuse little, METIS's blocks, if they reuse more. */
static int build_better(struct cleave_plan **plan, struct plan_metrics *metrics,
                        const struct plan_input *input)
{
    struct cleave_plan *runs;
    struct plan_metrics runs_metrics;

    if (build_by(PLAN_CHUNKS, &runs, &runs_metrics, input) != 0) {
        return -1;
    }
    if (runs_metrics.reuse < ENOUGH_REUSE && plan_metis_is_useful(input)) {
        if (build_by(PLAN_METIS, plan, metrics, input) != 0 ||
            metrics->reuse > runs_metrics.reuse) {
            plan_free(runs);
            return *plan != NULL ? 0 : -1;
        }
        plan_free(*plan);
    }
    *plan = runs;
    *metrics = runs_metrics;
    return 0;
}

int plan_build(struct cleave_plan **plan, struct plan_metrics *metrics, int elements, int maps,
               const struct plan_map *map, const struct plan_options *options, char error[256])
{
    double begin = seconds_now();
    struct plan_input input = {elements, maps, map, options, error};
    struct plan_metrics measured;
    int status;

    *plan = NULL;
    if (plan_check_input(&input) != 0) {
        return -1;
    }
    if (options->method == PLAN_AUTO) {
        status = build_better(plan, &measured, &input);
    } else {
        status =
            build_by(options->method == PLAN_METIS && plan_metis_is_useful(&input) ? PLAN_METIS
                                                                                   : PLAN_CHUNKS,
                     plan, &measured, &input);
    }
    if (status == 0 && metrics != NULL) {
        *metrics = measured;
        metrics->seconds = seconds_now() - begin;
    }
    return status;
}

void plan_free(struct cleave_plan *plan)
{
    if (plan == NULL) {
        return;
    }
    for (int m = 0; m < plan->lists; m++) {
        free((void *)plan->list[m].start);
        free((void *)plan->list[m].point);
        free((void *)plan->list[m].local);
        free((void *)plan->list[m].item_start);
        free((void *)plan->list[m].item_element);
        free((void *)plan->list[m].item_column);
    }
    free((void *)plan->start);
    free((void *)plan->order);
    free((void *)plan->colour_start);
    free((void *)plan->colour_block);
    free((void *)plan->thread_colour);
    free((void *)plan->thread_colours);
    free(plan);
}
