/* graph_memory.c: every allocation of the starts from the graph fails once: -1, and nothing leaks
 * (under AddressSanitizer) and nothing is given. */
#include <omp.h>

#include "failing_memory.h"
#include "graph_cases.h"

typedef int start(struct blocks *blocks, const struct plan_mesh *mesh, char *error);

static int grow(struct blocks *blocks, const struct plan_mesh *mesh, char *error)
{
    const int chunk_start[] = {0, 300, mesh->elements};
    return planner_blocks_grow(blocks, mesh, 2, chunk_start, 0, error);
}

static int pseudo(struct blocks *unused, const struct plan_mesh *mesh, char *error)
{
    float *centre = NULL;
    (void)unused;
    int status = planner_blocks_pseudo_centres(&centre, mesh, NULL, error);
    CHECK((status == 0) == (centre != NULL));
    free(centre);
    return status;
}

static int metis_weighted(struct blocks *blocks, const struct plan_mesh *mesh, char *error)
{
    return planner_blocks_metis_weighted(blocks, mesh, &test_planner, error);
}

static int gps(struct blocks *blocks, const struct plan_mesh *mesh, char *error)
{
    return planner_blocks_gps(blocks, mesh, &test_planner, error);
}

/* Returns how many allocations the start makes. */
static int fail_each(start *start, const struct plan_mesh *mesh)
{
    struct blocks blocks = graph_blocks(mesh, 64);
    int count = 0;
    int status = -1;
    while (status != 0 && count < 1000) {
        char error[PLANNER_ERROR] = "";
        allowed = count++;
        status = start(&blocks, mesh, error);
        if (allowed < 0 && status != 0) {
            CHECK(strncmp(error, "out of memory for ", 18) == 0);
        }
    }
    CHECK(status == 0);
    free(blocks.of);
    return count - 1;
}

int main(void)
{
    struct plan_mesh mesh;
    omp_set_num_threads(1);
    allowed = -1;
    graph_case(&mesh, TEST_MESH_TET, 1000, 0);
    CHECK(fail_each(grow, &mesh) > 10);
    CHECK(fail_each(pseudo, &mesh) > 10);
    CHECK(fail_each(planner_blocks_rcm, &mesh) > 5);
    if (planner_blocks_gps_available(&test_planner)) {
        CHECK(fail_each(gps, &mesh) > 5);
    }
    if (planner_blocks_metis_available(&test_planner)) {
        CHECK(fail_each(metis_weighted, &mesh) > 5);
    }
    allowed = -1;
    planner_mesh_free(&mesh);
    return CHECK_RESULT();
}
