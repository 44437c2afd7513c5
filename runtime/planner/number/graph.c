/* graph.c: starts of a numbering from the graph of elements and points, in the user's order of
 * elements. The algorithms are in blocks/. */
#include <stdlib.h>

#include "runtime/planner/number/number.h"

/* One of the algorithms of blocks/. */
typedef int algorithm(struct blocks *blocks, const struct plan_mesh *mesh,
                      const struct planner *planner, char *error);

static int start(struct numbering_job *job, algorithm *find_blocks, const char *phase, char *error)
{
    double begin = planner_clock();
    int status = planner_mesh_touch(&job->mesh, error);
    planner_phase(job->phases, "touch", begin, 0);
    if (status != 0) {
        return -1;
    }
    begin = planner_clock();
    status = find_blocks(&job->blocks, &job->mesh, job->planner, error);
    planner_phase(job->phases, phase, begin, 1);
    return status == 0 ? planner_start_order_by_blocks(job, error) : -1;
}

static int find_rcm(struct blocks *blocks, const struct plan_mesh *mesh,
                    const struct planner *planner, char *error)
{
    (void)planner;
    return planner_blocks_rcm(blocks, mesh, error);
}

int planner_start_rcm(struct numbering_job *job, char error[PLANNER_ERROR])
{
    return start(job, find_rcm, "levels", error);
}

/* Cuts an order of the mesh's elements into blocks, for what may improve them. */
static int take_runs(struct numbering_job *job, const int *order, char *error)
{
    struct blocks *blocks = &job->blocks;
    int elements = job->mesh.elements;
    blocks->count = (elements - 1) / blocks->block_size + 1;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < elements; i++) {
        blocks->of[order[i]] = i / blocks->block_size;
    }
    return planner_start_order_by_blocks(job, error);
}

int planner_start_bands(struct numbering_job *job, char error[PLANNER_ERROR])
{
    double begin = planner_clock();
    int *order = planner_memory((size_t)job->mesh.elements, sizeof *order,
                                "an order of elements in bands", error);
    int status = order != NULL ? planner_mesh_touch(&job->mesh, error) : -1;
    planner_phase(job->phases, "touch", begin, 0);
    begin = planner_clock();
    if (status == 0) {
        status = planner_blocks_bands(order, &job->mesh, error);
    }
    planner_phase(job->phases, "bands", begin, 1);
    if (status == 0 && planner_number_takes_order(job)) {
        job->order = order;
        return 0;
    }
    if (status == 0) {
        status = take_runs(job, order, error);
    }
    free(order);
    return status;
}

int planner_start_gps(struct numbering_job *job, char error[PLANNER_ERROR])
{
    return start(job, planner_blocks_gps, "levels", error);
}

int planner_start_metis(struct numbering_job *job, char error[PLANNER_ERROR])
{
    return start(job, planner_blocks_metis, "metis", error);
}

int planner_start_metis_weighted(struct numbering_job *job, char error[PLANNER_ERROR])
{
    return start(job, planner_blocks_metis_weighted, "metis", error);
}

int planner_start_metis_recursive(struct numbering_job *job, char error[PLANNER_ERROR])
{
    return start(job, planner_blocks_metis_recursive, "metis", error);
}
