/* pseudo.c: coordinates for meshes that come without.
 *
 * In: a mesh. Out: a centre of each element, so that elements near in the graph are near in space.
 * Clusters of points are placed (clusters.c, embed.c), all points begin where their cluster is, and
 * some sweeps of averaging draw them to their neighbours. The idea is D. Harel and Y. Koren's
 * "Graph Drawing by High-Dimensional Embedding" (2002).
 */
#include <stdlib.h>

#include "runtime/planner/blocks/clusters.h"

/* Sweeps that spread a cluster's points over its extent. Four give chunks that are 1 % better, for
 * twice the time. */
#define SWEEPS 2

static void begin_at_clusters(float *at, const float *place, const struct clusters *clusters,
                              int points)
{
#pragma omp parallel for schedule(static)
    for (int p = 0; p < points; p++) {
        for (int d = 0; d < 3; d++) {
            at[(int64_t)p * 3 + d] =
                clusters->of[p] >= 0 ? place[(int64_t)clusters->of[p] * 3 + d] : 0;
        }
    }
}

/* The mean of the points that are no hubs; of all points when there are only hubs. */
static void place_element(float *centre, const float *at, const struct plan_mesh *mesh,
                          const int *point)
{
    float sum[2][3] = {{0}};
    int count[2] = {0};
    for (int c = 0; c < mesh->arity; c++) {
        int is_hub = planner_clusters_degree(mesh, point[c]) > CLUSTER_HUB;
        count[is_hub]++;
        for (int d = 0; d < 3; d++) {
            sum[is_hub][d] += at[(int64_t)point[c] * 3 + d];
        }
    }
    int which = count[0] == 0;
    for (int d = 0; d < 3; d++) {
        centre[d] = sum[which][d] / (float)count[which];
    }
}

static void place_elements(float *centre, const float *at, const struct plan_mesh *mesh)
{
#pragma omp parallel for schedule(static)
    for (int e = 0; e < mesh->elements; e++) {
        place_element(centre + (int64_t)e * 3, at, mesh, mesh->point + (int64_t)e * mesh->arity);
    }
}

/* Moves points to the mean of their elements. Hubs stay. */
static void place_points(float *at, const float *centre, const struct plan_mesh *mesh)
{
#pragma omp parallel for schedule(dynamic, 4096)
    for (int p = 0; p < mesh->points; p++) {
        int64_t degree = planner_clusters_degree(mesh, p);
        float sum[3] = {0};
        if (degree == 0 || degree > CLUSTER_HUB) {
            continue;
        }
        for (int64_t i = mesh->touch_start[p]; i < mesh->touch_start[p + 1]; i++) {
            for (int d = 0; d < 3; d++) {
                sum[d] += centre[(int64_t)mesh->touch[i] * 3 + d];
            }
        }
        for (int d = 0; d < 3; d++) {
            at[(int64_t)p * 3 + d] = sum[d] / (float)degree;
        }
    }
}

static int place_clusters(float *at, const struct plan_mesh *mesh, struct plan_phases *phases,
                          char *error)
{
    struct clusters clusters;
    float *place;
    double begin = planner_clock();
    if (planner_clusters_make(&clusters, mesh, error) != 0) {
        return -1;
    }
    planner_phase(phases, "clusters", begin, 0);
    begin = planner_clock();
    int status = planner_clusters_embed(&place, &clusters, error);
    planner_phase(phases, "embed", begin, 1);
    if (status == 0) {
        begin_at_clusters(at, place, &clusters, mesh->points);
        free(place);
    }
    planner_clusters_free(&clusters);
    return status;
}

int planner_blocks_pseudo_centres(float **centre, const struct plan_mesh *mesh,
                                  struct plan_phases *phases, char error[PLANNER_ERROR])
{
    const char *what = "coordinates from the graph";
    float *at = planner_memory((size_t)mesh->points * 3, sizeof *at, what, error);
    *centre = NULL;
    int status = at != NULL ? place_clusters(at, mesh, phases, error) : -1;
    double begin = planner_clock();
    if (status == 0) {
        *centre = planner_memory((size_t)mesh->elements * 3, sizeof **centre, what, error);
        status = *centre != NULL ? 0 : -1;
    }
    if (status == 0) {
        place_elements(*centre, at, mesh);
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            place_points(at, *centre, mesh);
            place_elements(*centre, at, mesh);
        }
        planner_phase(phases, "smooth", begin, 0);
    }
    free(at);
    return status;
}
