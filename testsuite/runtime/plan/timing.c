/* timing.c: plan time and metrics on quads, to be run by hand with a large mesh:
 *   test_runtime_plan_timing [cells per side (840: 1.41 million edges)] [METIS too: 1 or 0]
 * As a test it runs small and only checks that the plans are valid. */
#include <stdlib.h>

#include "check.h"
#include "meshes.h"

static void time_plan(const struct mesh *mesh, const char *numbering, struct plan_options options)
{
    char error[256] = "";
    struct plan_metrics metrics;
    struct cleave_plan *plan = NULL;
    int status =
        plan_build(&plan, &metrics, mesh->elements, mesh->maps, mesh->map, &options, error);
    CHECK(status == 0);
    CHECK(plan != NULL && plan_check(plan, mesh->elements, mesh->maps, mesh->map, error) == 0);
    CHECK_TEXT(error, "");
    if (status == 0) {
        printf(
            "%-9s %-12s %5d %7.2f s  blocks %6d  colours %3d  thread colours %5.2f  reuse %5.3f  "
            "points %6.1f (max %d)  fill %.3f\n",
            numbering, plan_method_name(options.method), options.block_size, metrics.seconds,
            metrics.blocks, metrics.block_colours, metrics.thread_colours, metrics.reuse,
            metrics.points, metrics.max_points, metrics.fill);
    }
    plan_free(plan);
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 40;
    int with_metis = argc > 2 ? atoi(argv[2]) : 1;
    struct mesh mesh;
    mesh_quads(&mesh, side, side);
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        const char *numbering = shuffled ? "shuffled" : "natural";
        for (int block_size = 128; block_size <= 256; block_size *= 2) {
            time_plan(&mesh, numbering, (struct plan_options){block_size, PLAN_CHUNKS, 0});
            if (with_metis) {
                time_plan(&mesh, numbering, (struct plan_options){block_size, PLAN_METIS, 0});
            }
        }
        mesh_shuffle(&mesh, 11);
    }
    mesh_free(&mesh);
    return CHECK_RESULT();
}
