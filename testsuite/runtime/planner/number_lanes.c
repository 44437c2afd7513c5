/* number_lanes.c: what 32 consecutive elements name, in a mesh that was shuffled and numbered. A
 * GPU's warp loads and adds to lines of 128 bytes, here of 4 points of 32 bytes: the fewer lines
 * for each column of a map, the better, and the same whatever numbers the mesh came with. */
#include <stdlib.h>

#include "check.h"
#include "meshes/meshes.h"

enum { LANES = 32, LINE = 4 };

static int compare_ints(const void *a, const void *b)
{
    const int left = *(const int *)a;
    const int right = *(const int *)b;
    return (left > right) - (left < right);
}

/* Lines that the lanes of a warp name through one column, on average over warps and columns. */
static double lines_per_column(const struct plan_map *map, const struct plan_numbering *numbering,
                               const int *to_own)
{
    int warps = numbering->elements / LANES;
    double lines = 0.0;
    for (int w = 0; w < warps; w++) {
        for (int k = 0; k < map->columns; k++) {
            int line[LANES];
            for (int l = 0; l < LANES; l++) {
                const size_t e = (size_t)numbering->order[w * LANES + l];
                line[l] = to_own[map->row[e * (size_t)map->dim + (size_t)map->column[k]]] / LINE;
            }
            qsort(line, LANES, sizeof *line, compare_ints);
            for (int l = 0; l < LANES; l++) {
                lines += l == 0 || line[l] != line[l - 1];
            }
        }
    }
    return lines / warps / map->columns;
}

static double measure(enum test_mesh_kind kind, const char *method, int is_shuffled)
{
    char error[PLANNER_ERROR] = "";
    struct test_mesh mesh;
    struct plan_numbering *numbering = NULL;
    struct plan_numbering_options options = {.block_size = 128};
    CHECK(planner_method_parse(method, &options.method) == 0);
    test_mesh_make(&mesh, kind, 20000, 8, 3);
    if (is_shuffled) {
        test_mesh_shuffle(&mesh, 5);
    }
    CHECK(planner_number(&test_planner, &numbering, mesh.elements, mesh.maps, mesh.map,
                         &mesh.coordinates, &options, NULL, error) == 0);
    const int points = mesh.map[0].points;
    int *to_user = malloc((size_t)points * sizeof *to_user);
    int *to_own = malloc((size_t)points * sizeof *to_own);
    CHECK(planner_order_points(&test_planner, to_user, points, mesh.map[0].target, numbering,
                               mesh.maps, mesh.map, NULL, error) == 0);
    for (int p = 0; p < points; p++) {
        to_own[to_user[p]] = p;
    }
    const double lines = lines_per_column(&mesh.map[0], numbering, to_own);
    printf("%-12s %-8s %-8s %.2f lines\n", test_mesh_name(kind), method,
           is_shuffled ? "shuffled" : "natural", lines);
    free(to_user);
    free(to_own);
    planner_numbering_free(numbering);
    test_mesh_free(&mesh);
    return lines;
}

int main(void)
{
    /* The most that is allowed lies 5 % above what was measured. */
    static const struct {
        enum test_mesh_kind kind;
        const char *method;
        double most;
    } CASES[] = {
        {TEST_MESH_QUAD_NODES, "rcm", 5.7},
        {TEST_MESH_QUAD_NODES, "default", 8.1},
        {TEST_MESH_QUAD, "default", 8.1},
        {TEST_MESH_TET, "default", 9.8},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const double natural = measure(CASES[i].kind, CASES[i].method, 0);
        const double shuffled = measure(CASES[i].kind, CASES[i].method, 1);
        CHECK(shuffled <= CASES[i].most);
        CHECK(shuffled <= 1.1 * natural);
    }
    return CHECK_RESULT();
}
