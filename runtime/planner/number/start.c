/* start.c: starts of a numbering by places and by runs: blocks in a mesh whose elements are in a
 * good order. graph.c has the others. */
#include <stdlib.h>

#include "runtime/planner/number/number.h"

/* A chunk has at least so many blocks, and so many elements: looking at the mesh around it pays. */
#define CHUNK_BLOCKS 64
#define CHUNK_ELEMENTS 16384
/* How many times fewer points growth must leave to blocks than bisection to be worth its time. */
#define GROWTH_PAYS 1.15

/* ---- starts --------------------------------------------------------------------------------- */

void planner_start_take_leaves(struct blocks *blocks, const struct leaves *leaves)
{
    blocks->count = leaves->count;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < leaves->count; k++) {
        for (int i = leaves->start[k]; i < leaves->start[k + 1]; i++) {
            blocks->of[i] = k;
        }
    }
}

/* The mesh's order becomes that of place[].element; frees *place. */
static int order_by_places(struct plan_mesh *mesh, struct place **place, char *error)
{
    int *order =
        planner_memory((size_t)mesh->elements, sizeof *order, "an order of elements", error);
    if (order == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < mesh->elements; i++) {
        order[i] = (*place)[i].element;
    }
    free(*place);
    *place = NULL;
    int status = planner_mesh_permute(mesh, order, error);
    free(order);
    return status == 0 ? planner_mesh_renumber_points(mesh, error) : -1;
}

/* Places by coordinates where there are any, else by the graph alone. */
static int find_places(struct place **place, struct numbering_job *job, char *error)
{
    double begin = planner_clock();
    *place = NULL;
    if (planner_number_has_coordinates(job)) {
        int status =
            planner_mesh_places(place, &job->mesh, job->maps, job->map, job->coordinates, error);
        planner_phase(job->phases, "centres", begin, 0);
        return status;
    }
    float *centre = NULL;
    int status =
        planner_mesh_renumber_points(&job->mesh, error) || planner_mesh_touch(&job->mesh, error);
    planner_phase(job->phases, "touch", begin, 0);
    if (status == 0) {
        status = planner_blocks_pseudo_centres(&centre, &job->mesh, job->phases, error);
    }
    begin = planner_clock();
    if (status == 0) {
        status = planner_mesh_places_of_centres(place, job->mesh.elements, centre, 3, error);
    }
    free(centre);
    planner_phase(job->phases, "centres", begin, 0);
    return status != 0 ? -1 : 0;
}

/* The mesh in chunks, on its way to blocks. */
struct chunked {
    struct place *place; /* sorted by chunk; freed when the mesh takes its order */
    struct leaves chunks;
    int dim;
    double wanted; /* elements of a block */
};

static int make_chunks(struct chunked *chunked, struct numbering_job *job, char *error)
{
    int block_size = job->blocks.block_size;
    *chunked = (struct chunked){.wanted = BLOCKS_FILL * block_size, .dim = 3};
    if (chunked->wanted < 1) {
        chunked->wanted = 1;
    }
    if (find_places(&chunked->place, job, error) != 0) {
        return -1;
    }
    double begin = planner_clock();
    int chunk_blocks = CHUNK_ELEMENTS / block_size;
    if (chunk_blocks < CHUNK_BLOCKS) {
        chunk_blocks = CHUNK_BLOCKS;
    }
    if (planner_number_has_coordinates(job)) {
        chunked->dim = job->coordinates->dim;
    }
    int status =
        planner_rcb_turn(chunked->place, job->mesh.elements, chunked->dim, &job->mesh, error);
    if (status == 0) {
        status = planner_rcb_sort(&chunked->chunks, &chunked->place, job->mesh.elements,
                                  chunked->wanted * chunk_blocks, block_size * (chunk_blocks + 1),
                                  error);
    }
    planner_phase(job->phases, "chunks", begin, 0);
    return status;
}

static int bisect_chunks(struct numbering_job *job, struct chunked *chunked, char *error)
{
    struct leaves leaves;
    double begin = planner_clock();
    int status = planner_rcb_split(&leaves, chunked->place, &chunked->chunks, chunked->wanted,
                                   job->blocks.block_size, chunked->dim, &job->mesh, error);
    planner_phase(job->phases, "rcb", begin, 0);
    begin = planner_clock();
    if (status == 0) {
        status = order_by_places(&job->mesh, &chunked->place, error);
    }
    if (status == 0) {
        planner_start_take_leaves(&job->blocks, &leaves);
    }
    free(leaves.start);
    planner_phase(job->phases, "permute", begin, 0);
    return status;
}

static int grow_chunks(struct numbering_job *job, struct chunked *chunked, char *error)
{
    double begin = planner_clock();
    int status = order_by_places(&job->mesh, &chunked->place, error);
    planner_phase(job->phases, "permute", begin, 0);
    begin = planner_clock();
    if (status == 0) {
        status = planner_mesh_touch(&job->mesh, error);
    }
    planner_phase(job->phases, "touch", begin, 0);
    begin = planner_clock();
    if (status == 0) {
        status = planner_blocks_grow(&job->blocks, &job->mesh, chunked->chunks.count,
                                     chunked->chunks.start, job->options->max_points, error);
    }
    planner_phase(job->phases, "grow", begin, 0);
    return status;
}

/* Growth follows layers that are curved more than they are thick, which no straight cut does; where
 * cuts are as good they are cheaper. A sample of chunks tells which is better here. */
static int choose_start(struct numbering_job *job, struct chunked *chunked, char *error)
{
    struct number_trial trial;
    double begin = planner_clock();
    if (planner_number_try(&trial, job, chunked->place, &chunked->chunks, chunked->wanted,
                           chunked->dim, error) != 0) {
        return -1;
    }
    planner_phase(job->phases, "trial", begin, 0);
    job->method.start =
        trial.grown * GROWTH_PAYS < trial.bisected ? PLAN_START_CHUNKS : PLAN_START_RCB;
    return 0;
}

int planner_start_chunks(struct numbering_job *job, char error[PLANNER_ERROR])
{
    struct chunked chunked;
    int status = make_chunks(&chunked, job, error);
    if (status == 0 && job->method.start == PLAN_START_DEFAULT) {
        status = choose_start(job, &chunked, error);
    }
    if (status == 0) {
        status = job->method.start == PLAN_START_RCB ? bisect_chunks(job, &chunked, error)
                                                     : grow_chunks(job, &chunked, error);
    }
    free(chunked.place);
    free(chunked.chunks.start);
    return status;
}

/* One chunk, in an order in which near elements are near. */
int planner_start_grow(struct numbering_job *job, char error[PLANNER_ERROR])
{
    struct chunked chunked;
    int status = make_chunks(&chunked, job, error);
    if (status == 0) {
        chunked.chunks.count = 1;
        chunked.chunks.start[1] = job->mesh.elements;
        status = grow_chunks(job, &chunked, error);
    }
    free(chunked.place);
    free(chunked.chunks.start);
    return status;
}

int planner_start_order_by_blocks(struct numbering_job *job, char error[PLANNER_ERROR])
{
    int *start;
    int *element;
    double begin = planner_clock();
    if (planner_blocks_lists(&start, &element, &job->blocks, job->mesh.elements, error) != 0) {
        return -1;
    }
    int status = planner_mesh_permute(&job->mesh, element, error);
    if (status == 0) {
        planner_start_take_leaves(&job->blocks, &(struct leaves){job->blocks.count, start});
        status = planner_mesh_renumber_points(&job->mesh, error);
    }
    free(start);
    free(element);
    planner_phase(job->phases, "permute", begin, 0);
    return status;
}

int planner_start_hilbert(struct numbering_job *job, char error[PLANNER_ERROR])
{
    float *centre;
    double begin = planner_clock();
    int status =
        planner_mesh_centres(&centre, &job->mesh, job->maps, job->map, job->coordinates, error);
    if (status == 0) {
        status =
            planner_blocks_hilbert(&job->blocks, &job->mesh, centre, job->coordinates->dim, error);
    }
    free(centre);
    planner_phase(job->phases, "hilbert", begin, 0);
    return status == 0 ? planner_start_order_by_blocks(job, error) : -1;
}

int planner_start_none(struct numbering_job *job, char error[PLANNER_ERROR])
{
    struct blocks *blocks = &job->blocks;
    int elements = job->mesh.elements;
    blocks->count = elements / blocks->block_size + (elements % blocks->block_size != 0);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < elements; i++) {
        blocks->of[i] = i / blocks->block_size;
    }
    return planner_mesh_renumber_points(&job->mesh, error);
}
