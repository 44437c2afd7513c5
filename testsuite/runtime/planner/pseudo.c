/* pseudo.c: coordinates from the graph alone: near in the graph is near in space, components lie
 * apart, and the numbers are the same for any number of threads. */
#include <math.h>
#include <omp.h>

#include "graph_cases.h"

static float *centres(const struct plan_mesh *mesh)
{
    char error[PLANNER_ERROR] = "";
    float *centre = NULL;
    struct plan_phases phases = {0};
    CHECK(planner_blocks_pseudo_centres(&centre, mesh, &phases, error) == 0);
    CHECK_TEXT(error, "");
    CHECK(centre != NULL && phases.count == 3);
    int wrong = 0;
    for (int64_t i = 0; i < (int64_t)mesh->elements * 3; i++) {
        wrong += !isfinite(centre[i]);
    }
    CHECK(wrong == 0);
    return centre;
}

static double distance(const float *centre, int a, int b)
{
    double sum = 0;
    for (int d = 0; d < 3; d++) {
        double difference = (double)centre[3 * (int64_t)a + d] - centre[3 * (int64_t)b + d];
        sum += difference * difference;
    }
    return sqrt(sum);
}

/* Mean distance of elements that share a point over the mean distance of any two. */
static double nearness(const float *centre, const struct plan_mesh *mesh)
{
    double near = 0;
    double far = 0;
    int64_t pairs = 0;
    for (int p = 0; p < mesh->points; p++) {
        for (int64_t i = mesh->touch_start[p]; i + 1 < mesh->touch_start[p + 1]; i++) {
            near += distance(centre, mesh->touch[i], mesh->touch[i + 1]);
            pairs++;
        }
    }
    for (int e = 0; e < mesh->elements; e++) {
        far += distance(centre, e, (int)((e * INT64_C(7919) + 13) % mesh->elements));
    }
    return near / (double)pairs / (far / mesh->elements);
}

static void keeps_neighbours(enum test_mesh_kind kind, double most)
{
    struct plan_mesh mesh;
    graph_case(&mesh, kind, 100000, 2);
    float *centre = centres(&mesh);
    double near = nearness(centre, &mesh);
    if (near >= most) {
        fprintf(stderr, "%s: %.4f\n", test_mesh_name(kind), near);
    }
    CHECK(near < most);
    free(centre);
    planner_mesh_free(&mesh);
}

/* A cube's extents are equal, so its pseudo-coordinates spread equally on three axes. */
static void keeps_shape(void)
{
    struct plan_mesh mesh;
    double square[3] = {0};
    double mean[3] = {0};
    graph_case(&mesh, TEST_MESH_TET, 100000, 0);
    float *centre = centres(&mesh);
    for (int e = 0; e < mesh.elements; e++) {
        for (int d = 0; d < 3; d++) {
            double at = centre[3 * (int64_t)e + d];
            mean[d] += at / mesh.elements;
            square[d] += at * at / mesh.elements;
        }
    }
    double spread = sqrt(square[0] - mean[0] * mean[0]);
    CHECK(spread > 0);
    CHECK(sqrt(square[2] - mean[2] * mean[2]) > 0.8 * spread);
    free(centre);
    planner_mesh_free(&mesh);
}

/* Two chains, of even and of odd elements: their ranges on the first axis are apart. */
static void sets_components_apart(void)
{
    struct plan_mesh mesh;
    enum { ELEMENTS = 2000 };
    static int row[2 * ELEMENTS];
    float low[2] = {INFINITY, INFINITY};
    float high[2] = {-INFINITY, -INFINITY};
    for (int e = 0; e < ELEMENTS; e++) {
        row[2 * e] = e;
        row[2 * e + 1] = e + 2;
    }
    graph_case_rows(&mesh, ELEMENTS, 2, ELEMENTS + 2, row);
    float *centre = centres(&mesh);
    for (int e = 0; e < ELEMENTS; e++) {
        low[e % 2] = fminf(low[e % 2], centre[3 * e]);
        high[e % 2] = fmaxf(high[e % 2], centre[3 * e]);
    }
    CHECK(high[0] < low[1] || high[1] < low[0]);
    CHECK(high[0] > low[0] && high[1] > low[1]);
    free(centre);
    planner_mesh_free(&mesh);
}

static void same_for_any_threads(void)
{
    static const int threads[] = {1, 2, 3, 8};
    struct plan_mesh mesh;
    uint64_t first = 0;
    graph_case(&mesh, TEST_MESH_HEX, 50000, 0);
    for (int i = 0; i < 4; i++) {
        omp_set_num_threads(threads[i]);
        float *centre = centres(&mesh);
        uint64_t hash = graph_hash(centre, (size_t)mesh.elements * 3 * sizeof *centre);
        first = i == 0 ? hash : first;
        CHECK(hash == first);
        free(centre);
    }
    omp_set_num_threads(2);
    planner_mesh_free(&mesh);
}

/* Hubs join nothing: what else elements share decides. Elements at one hub alone are at one place.
 */
static void hubs_join_nothing(void)
{
    struct plan_mesh mesh;
    enum { ELEMENTS = 20000 };
    static int row[2 * ELEMENTS];
    graph_case(&mesh, TEST_MESH_STAR, ELEMENTS, 0);
    free(centres(&mesh));
    planner_mesh_free(&mesh);
    for (int e = 0; e < ELEMENTS; e++) {
        row[e] = e % 2;
    }
    graph_case_rows(&mesh, ELEMENTS, 1, 2, row);
    float *centre = centres(&mesh);
    CHECK(distance(centre, 0, 2) < 1e-6 && distance(centre, 1, ELEMENTS - 1) < 1e-6);
    CHECK(distance(centre, 0, 1) > 0.5);
    free(centre);
    planner_mesh_free(&mesh);
    for (int e = 0; e < ELEMENTS; e++) {
        row[2 * e] = 0;
        row[2 * e + 1] = 1 + e / 4;
    }
    graph_case_rows(&mesh, ELEMENTS, 2, ELEMENTS + 1, row); /* most points have no element */
    centre = centres(&mesh);
    CHECK(distance(centre, 4, 7) < 1e-6 && distance(centre, 3, 4) > 0.5);
    free(centre);
    planner_mesh_free(&mesh);
}

static void one_element(void)
{
    static const int row[] = {3, 3, 0};
    struct plan_mesh mesh;
    graph_case_rows(&mesh, 1, 3, 9, row);
    free(centres(&mesh));
    planner_mesh_free(&mesh);
}

int main(void)
{
    keeps_neighbours(TEST_MESH_TET, 0.1);
    keeps_neighbours(TEST_MESH_QUAD, 0.02);
    keeps_neighbours(TEST_MESH_HEX, 0.08);
    keeps_neighbours(TEST_MESH_ANNULUS, 0.02);
    keeps_neighbours(TEST_MESH_CHAIN, 0.001);
    keeps_shape();
    sets_components_apart();
    same_for_any_threads();
    hubs_join_nothing();
    one_element();
    return CHECK_RESULT();
}
