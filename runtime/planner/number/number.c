/* number.c: planner_number: blocks of elements in a good order.
 *
 * Maps -> mesh -> start (start.c: an order in which near elements are near, and
 * blocks in it) -> improvement (blocks/refine.c) -> blocks closed, sorted inside, and told in the
 * user's numbers (finish.c).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/planner/number/number.h"

#define REFINE_SWEEPS 6
#define ANNEAL_SWEEPS 40
/* Scores grow with the points of an element; found on meshes of edges and of hexahedra. */
#define ANNEAL_TEMPERATURE 1.5
#define ANNEAL_HOTTEST 16.0
/* The cap on a block's points, over the average of the start. Reuse loses less than 0.2 % by it. */
#define POINTS_OVER_AVERAGE 1.12
/* Meshes of fewer elements are numbered by one thread: others would come too late. */
#define SMALL_MESH 16384
/* Blocks that the average is taken from. */
#define AVERAGE_SAMPLES 512

/* ---- runs of elements ----------------------------------------------------------------------- */

/* order: the elements of the runs; NULL: as the user numbers them. */
static int number_runs(struct plan_numbering *numbering, const int *order, char *error)
{
    int block_size = numbering->block_size;
    int elements = numbering->elements;
    numbering->blocks = elements / block_size + (elements % block_size != 0);
    numbering->start = planner_memory((size_t)numbering->blocks + 1, sizeof *numbering->start,
                                      "the blocks of a numbering", error);
    if (numbering->start == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(static)
    for (int b = 0; b < numbering->blocks; b++) {
        numbering->start[b] = b * block_size;
    }
    numbering->start[numbering->blocks] = elements;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < elements; i++) {
        numbering->order[i] = order != NULL ? order[i] : i;
    }
    return 0;
}

/* ---- improvement ---------------------------------------------------------------------------- */

static int compare_ints(const void *a, const void *b)
{
    int left = *(const int *)a;
    int right = *(const int *)b;
    return (left > right) - (left < right);
}

/* The unique points of the elements of one block; slot has room for all their points. */
static int unique_points(int *slot, const struct plan_mesh *mesh, const int *element, int count)
{
    size_t slots = 0;
    for (int i = 0; i < count; i++) {
        for (int c = 0; c < mesh->arity; c++) {
            slot[slots++] = mesh->point[(size_t)element[i] * (size_t)mesh->arity + (size_t)c];
        }
    }
    qsort(slot, slots, sizeof *slot, compare_ints);
    int unique = 0;
    for (size_t i = 0; i < slots; i++) {
        unique += i == 0 || slot[i] != slot[i - 1];
    }
    return unique;
}

/* The average of some blocks, evenly spread. -1 without memory. */
static double average_points(const struct numbering_job *job, char *error)
{
    int *start;
    int *element;
    const struct blocks *blocks = &job->blocks;
    if (planner_blocks_lists(&start, &element, blocks, job->mesh.elements, error) != 0) {
        return -1;
    }
    size_t room = (size_t)blocks->block_size * (size_t)job->mesh.arity;
    int *slot = planner_memory(room, sizeof *slot, "counting the points of a block", error);
    int step = blocks->count / AVERAGE_SAMPLES + 1;
    double sum = 0;
    int samples = 0;
    for (int b = 0; slot != NULL && b < blocks->count; b += step) {
        sum += unique_points(slot, &job->mesh, element + start[b], start[b + 1] - start[b]);
        samples++;
    }
    free(start);
    free(element);
    free(slot);
    return slot != NULL ? sum / samples : -1;
}

static int choose_max_points(struct numbering_job *job, char *error)
{
    job->max_points = job->options->max_points;
    if (job->max_points > 0 || job->method.improve == PLAN_IMPROVE_NONE) {
        return 0;
    }
    double average = average_points(job, error);
    if (average < 0) {
        return -1;
    }
    job->max_points = (int)(average * POINTS_OVER_AVERAGE) + job->mesh.arity;
    return 0;
}

static int improve(struct numbering_job *job, char *error)
{
    struct blocks_improvement how = {.sweeps = REFINE_SWEEPS};
    if (choose_max_points(job, error) != 0) {
        return -1;
    }
    if (job->method.improve == PLAN_IMPROVE_NONE) {
        return 0;
    }
    if (job->method.improve == PLAN_IMPROVE_ANNEAL) {
        how.sweeps = ANNEAL_SWEEPS;
        how.temperature = fmin(ANNEAL_TEMPERATURE * job->mesh.arity, ANNEAL_HOTTEST);
    }
    how.max_points = job->max_points;
    double begin = planner_clock();
    int status = planner_blocks_improve(&job->blocks, &job->mesh, &how, error);
    planner_phase(job->phases, how.temperature > 0 ? "anneal" : "refine", begin, 0);
    return status;
}

/* After a start, points that nothing touches are gone. */
static int shares_nothing(const struct plan_mesh *mesh)
{
    return mesh->points == (int64_t)mesh->elements * mesh->arity;
}

/* ---- planner_number ------------------------------------------------------------------------- */

/* Whether elements stay in the user's order. */
static int keeps_order(const struct numbering_job *job)
{
    return job->method.start == PLAN_START_NONE && job->method.improve == PLAN_IMPROVE_NONE;
}

static int run_job(struct plan_numbering *numbering, struct numbering_job *job, char *error)
{
    double begin = planner_clock();
    job->method = planner_number_method(job);
    if (numbering->elements == 0) {
        job->method = (struct plan_method){PLAN_START_NONE, PLAN_IMPROVE_NONE};
    }
    if (numbering->elements == 0 || (keeps_order(job) && job->options->max_points == 0)) {
        numbering->method = job->method;
        return number_runs(numbering, NULL, error);
    }
    if (planner_mesh_make(&job->mesh, numbering->elements, job->maps, job->map, error) != 0) {
        return -1;
    }
    job->blocks.block_size = numbering->block_size;
    job->blocks.of = planner_memory((size_t)numbering->elements, sizeof *job->blocks.of,
                                    "the blocks of elements", error);
    planner_phase(job->phases, "mesh", begin, 0);
    if (job->blocks.of == NULL || planner_number_start(job, error) != 0) {
        return -1;
    }
    if (job->order != NULL) {
        numbering->method = job->method;
        return number_runs(numbering, job->order, error);
    }
    if (shares_nothing(&job->mesh) && job->options->max_points == 0) {
        numbering->method = (struct plan_method){PLAN_START_NONE, PLAN_IMPROVE_NONE};
        return number_runs(numbering, NULL, error);
    }
    if (improve(job, error) != 0) {
        return -1;
    }
    begin = planner_clock();
    int status = planner_number_finish(numbering, job, !keeps_order(job), error);
    planner_phase(job->phases, "close", begin, 0);
    numbering->method = job->method;
    return status;
}

int planner_number(const struct planner *planner, struct plan_numbering **numbering, int elements,
                   int maps, const struct plan_map *map, const struct plan_coordinates *coordinates,
                   const struct plan_numbering_options *options, struct plan_phases *phases,
                   char error[PLANNER_ERROR])
{
    struct numbering_job job = {.planner = planner,
                                .maps = maps,
                                .map = map,
                                .coordinates = coordinates,
                                .options = options,
                                .phases = phases};
    PLANNER_THREADS(planner);
    *numbering = NULL;
    double begin = planner_clock();
    if (planner_check_input(elements, maps, map, options->block_size, error) != 0) {
        return -1;
    }
    planner_phase(phases, "check", begin, 0);
    struct plan_numbering *made = calloc(1, sizeof *made);
    if (made == NULL) {
        snprintf(error, PLANNER_ERROR, "out of memory: cannot allocate a numbering");
        return -1;
    }
    made->elements = elements;
    made->block_size = options->block_size;
    made->order =
        planner_memory((size_t)elements, sizeof *made->order, "an order of elements", error);
    if (elements < SMALL_MESH) {
        planner_threads_set(1);
    }
    int status = made->order != NULL ? run_job(made, &job, error) : -1;
    planner_mesh_free(&job.mesh);
    free(job.blocks.of);
    free(job.order);
    if (status != 0) {
        planner_numbering_free(made);
        return -1;
    }
    *numbering = made;
    return 0;
}
