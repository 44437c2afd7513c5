/* shapes.c: plans for many shapes of mesh, by both methods and several block sizes, must pass
 * plan_check; and what the contract says about order, colours and quality. */
#include <stdlib.h>

#include "check.h"
#include "meshes.h"

static struct cleave_plan *build(const struct mesh *mesh, struct plan_options options,
                                 struct plan_metrics *metrics)
{
    char error[256] = "";
    struct cleave_plan *plan = NULL;
    int status = plan_build(&plan, metrics, mesh->elements, mesh->maps, mesh->map, &options, error);
    CHECK_TEXT(error, "");
    CHECK(status == 0 && plan != NULL);
    if (plan != NULL) {
        int valid = plan_check(plan, mesh->elements, mesh->maps, mesh->map, error);
        CHECK_TEXT(error, "");
        CHECK(valid == 0);
    }
    return plan;
}

static void try_all(const struct mesh *mesh)
{
    static const int sizes[] = {1, 2, 7, 128, 256, 1024};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int reverse = 0; reverse < 2; reverse++) {
            plan_free(build(mesh, (struct plan_options){sizes[s], PLAN_CHUNKS, reverse}, NULL));
            plan_free(build(mesh, (struct plan_options){sizes[s], PLAN_METIS, reverse}, NULL));
        }
    }
}

static void test_meshes(void)
{
    struct mesh mesh;
    mesh_quads(&mesh, 30, 25);
    try_all(&mesh);
    mesh_shuffle(&mesh, 1);
    try_all(&mesh);
    mesh_free(&mesh);
    mesh_hexes(&mesh, 9);
    try_all(&mesh);
    mesh_shuffle(&mesh, 2);
    try_all(&mesh);
    mesh_free(&mesh);
    mesh_chain(&mesh, 2000);
    try_all(&mesh);
    mesh_free(&mesh);
}

/* Boundary faces to one cell each: arity 1, several faces at one cell, most cells at none. */
static void test_arity_one(void)
{
    struct mesh mesh = {.elements = 1500};
    int *row = mesh_add_map(&mesh, 1, 100000, 0, 1);
    for (int e = 0; e < mesh.elements; e++) {
        row[e] = e * 37 % 500 * 200;
    }
    try_all(&mesh);
    mesh_free(&mesh);
}

static void test_repeated_targets(void)
{
    struct mesh mesh = {.elements = 600};
    int *row = mesh_add_map(&mesh, 4, 200, 0, 0xf);
    for (int e = 0; e < mesh.elements; e++) {
        for (int c = 0; c < 4; c++) {
            row[4 * e + c] = (e / 3 + c / 2) % 200;
        }
    }
    try_all(&mesh);
    for (int e = 0; e < mesh.elements; e++) {
        for (int c = 0; c < 4; c++) {
            row[4 * e + c] = e % 200;
        }
    }
    try_all(&mesh);
    struct cleave_plan *plan = build(&mesh, (struct plan_options){200, PLAN_CHUNKS, 0}, NULL);
    CHECK(plan->max_thread_colours == 1);
    plan_free(plan);
    mesh_free(&mesh);
}

static void test_empty(void)
{
    struct mesh mesh = {.elements = 0};
    struct plan_metrics metrics;
    mesh_add_map(&mesh, 2, 0, 0, 3);
    for (int reverse = 0; reverse < 2; reverse++) {
        struct cleave_plan *plan =
            build(&mesh, (struct plan_options){256, PLAN_METIS, reverse}, &metrics);
        CHECK(plan->size == 0 && plan->blocks == 0 && plan->colours == 0 && plan->lists == 1);
        CHECK(plan->start[0] == 0 && plan->colour_start[0] == 0 && plan->list[0].start[0] == 0);
        CHECK(metrics.blocks == 0 && metrics.fill == 0 && metrics.reuse == 0);
        plan_free(plan);
    }
    mesh.map[0].row = NULL;
    plan_free(build(&mesh, (struct plan_options){256, PLAN_METIS, 0}, NULL));
    mesh_free(&mesh);
}

static void test_one_element(void)
{
    struct mesh mesh;
    mesh_chain(&mesh, 1);
    try_all(&mesh);
    struct cleave_plan *plan = build(&mesh, (struct plan_options){256, PLAN_METIS, 0}, NULL);
    CHECK(plan->blocks == 1 && plan->colours == 1 && plan->max_thread_colours == 1);
    CHECK(plan->list[0].max_points == 2);
    plan_free(plan);
    mesh_free(&mesh);
}

/* Half of the elements share no point with any other; METIS sees vertices without edges. */
static void test_isolated(void)
{
    struct mesh mesh = {.elements = 2000};
    int *row = mesh_add_map(&mesh, 2, 5000, 0, 3);
    for (int e = 0; e < mesh.elements; e++) {
        row[2 * e] = e % 2 ? e : 4000;
        row[2 * e + 1] = e % 2 ? 2000 + e : e / 20;
    }
    try_all(&mesh);
    for (int e = 0; e < mesh.elements; e++) {
        row[2 * e] = 2 * e;
        row[2 * e + 1] = 2 * e + 1;
    }
    try_all(&mesh);
    mesh_free(&mesh);
}

/* Two maps to one set conflict with each other, and share points in the element graph; the same
 * numbers in another set do not. */
static void test_two_maps(void)
{
    for (int target = 0; target < 2; target++) {
        struct mesh mesh = {.elements = 64};
        int *one = mesh_add_map(&mesh, 1, 65, 0, 1);
        int *other = mesh_add_map(&mesh, 1, 65, target, 1);
        for (int e = 0; e < mesh.elements; e++) {
            one[e] = e;
            other[e] = e + 1;
        }
        try_all(&mesh);
        struct cleave_plan *plan = build(&mesh, (struct plan_options){8, PLAN_CHUNKS, 0}, NULL);
        CHECK(plan->colours == (target == 0 ? 2 : 1));
        CHECK(plan->max_thread_colours == (target == 0 ? 2 : 1));
        plan_free(plan);
        mesh_free(&mesh);
    }
}

/* Reads never conflict: one colour, one thread colour, lists all the same. */
static void test_no_conflicts(void)
{
    struct mesh mesh;
    struct plan_metrics metrics;
    mesh_quads(&mesh, 20, 20);
    mesh.map[0].conflicts = 0;
    try_all(&mesh);
    struct cleave_plan *plan = build(&mesh, (struct plan_options){64, PLAN_METIS, 0}, &metrics);
    CHECK(plan->colours == 1 && plan->max_thread_colours == 1 && metrics.thread_colours == 1.0);
    int others = 0;
    for (int i = 0; i < plan->size; i++) {
        others += plan->thread_colour[i] != 0;
    }
    CHECK(others == 0);
    CHECK(plan->lists == 2 && plan->list[1].max_points > 0);
    plan_free(plan);
    mesh.maps = 0;
    try_all(&mesh);
    plan = build(&mesh, (struct plan_options){64, PLAN_METIS, 0}, &metrics);
    CHECK(plan->blocks == (mesh.elements + 63) / 64 && plan->colours == 1 && plan->lists == 0);
    CHECK(metrics.reuse == 1.0 && metrics.points == 0 && metrics.max_points == 0);
    plan_free(plan);
    mesh.maps = 2;
    mesh_free(&mesh);
}

/* Only the columns that the loop uses are listed, and only the modified one conflicts. */
static void test_columns(void)
{
    struct mesh mesh;
    mesh_hexes(&mesh, 6);
    mesh.map[0].columns = 2;
    mesh.map[0].column[0] = 3;
    mesh.map[0].column[1] = 7;
    mesh.map[0].conflicts = 2;
    try_all(&mesh);
    struct cleave_plan *plan = build(&mesh, (struct plan_options){216, PLAN_CHUNKS, 0}, NULL);
    CHECK(plan->max_thread_colours == 1);
    CHECK(plan->list[0].max_points == 6 * 6 * 7);
    plan_free(plan);
    mesh_free(&mesh);
}

static int ascending_inside_blocks(const struct cleave_plan *plan, int sign)
{
    for (int b = 0; b < plan->blocks; b++) {
        for (int i = plan->start[b] + 1; i < plan->start[b + 1]; i++) {
            if (sign * (plan->order[i] - plan->order[i - 1]) <= 0) {
                return 0;
            }
        }
    }
    return 1;
}

/* Blocks in the order of their smallest elements, elements ascending; reversed: the mirror image.
 */
static void test_order(void)
{
    struct mesh mesh;
    mesh_quads(&mesh, 40, 40);
    struct cleave_plan *plan = build(&mesh, (struct plan_options){64, PLAN_METIS, 0}, NULL);
    struct cleave_plan *mirror = build(&mesh, (struct plan_options){64, PLAN_METIS, 1}, NULL);
    CHECK(ascending_inside_blocks(plan, 1));
    CHECK(ascending_inside_blocks(mirror, -1));
    for (int b = 1; b < plan->blocks; b++) {
        CHECK(plan->order[plan->start[b - 1]] < plan->order[plan->start[b]]);
    }
    CHECK(plan->blocks == mirror->blocks);
    for (int b = 0; b <= plan->blocks; b++) {
        CHECK(mirror->start[plan->blocks - b] == plan->size - plan->start[b]);
    }
    int different = 0;
    for (int i = 0; i < plan->size; i++) {
        different += plan->order[i] != mirror->order[plan->size - 1 - i];
    }
    CHECK(different == 0);
    plan_free(plan);
    plan_free(mirror);
    plan = build(&mesh, (struct plan_options){64, PLAN_CHUNKS, 1}, NULL);
    CHECK(plan->order[0] == plan->size - 1 && plan->order[plan->size - 1] == 0);
    plan_free(plan);
    mesh_free(&mesh);
}

static void test_deterministic(void)
{
    struct mesh mesh;
    mesh_quads(&mesh, 60, 60);
    mesh_shuffle(&mesh, 5);
    struct cleave_plan *one = build(&mesh, (struct plan_options){128, PLAN_METIS, 0}, NULL);
    struct cleave_plan *two = build(&mesh, (struct plan_options){128, PLAN_METIS, 0}, NULL);
    size_t elements = (size_t)mesh.elements;
    CHECK(one->blocks == two->blocks && one->colours == two->colours);
    CHECK(memcmp(one->order, two->order, elements * sizeof *one->order) == 0);
    CHECK(memcmp(one->thread_colour, two->thread_colour, elements * sizeof(short)) == 0);
    CHECK(memcmp(one->colour_block, two->colour_block, (size_t)one->blocks * sizeof(int)) == 0);
    plan_free(one);
    plan_free(two);
    mesh_free(&mesh);
}

/* METIS undoes a bad numbering; runs cannot. */
static void test_quality(void)
{
    struct mesh mesh;
    struct plan_metrics runs;
    struct plan_metrics metis;
    mesh_quads(&mesh, 120, 120);
    mesh_shuffle(&mesh, 6);
    plan_free(build(&mesh, (struct plan_options){256, PLAN_CHUNKS, 0}, &runs));
    plan_free(build(&mesh, (struct plan_options){256, PLAN_METIS, 0}, &metis));
    CHECK(runs.reuse < 1.1 && runs.fill > 0.99);
    if (strcmp(plan_method_name(PLAN_METIS), "METIS k-way") == 0) {
        CHECK(metis.reuse > 2.8);
        CHECK(metis.fill > 0.93);
        CHECK(metis.block_colours < 12);
    }
    CHECK_TEXT(plan_method_name(PLAN_CHUNKS), "chunks");
    mesh_free(&mesh);
}

/* PLAN_AUTO keeps runs where the numbering is good and asks METIS where it is not. */
static void test_automatic(void)
{
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        struct mesh mesh;
        struct plan_metrics metrics;
        struct plan_options options = {64, PLAN_AUTO, 0};
        struct cleave_plan *plan = NULL;
        char error[256] = "";
        mesh_quads(&mesh, 40, 40);
        if (shuffled) {
            mesh_shuffle(&mesh, 3);
        }
        CHECK(plan_build(&plan, &metrics, mesh.elements, mesh.maps, mesh.map, &options, error) ==
              0);
        CHECK(plan_check(plan, mesh.elements, mesh.maps, mesh.map, error) == 0);
        int by_metis = shuffled && strcmp(plan_method_name(PLAN_METIS), "METIS k-way") == 0;
        CHECK(metrics.method == (by_metis ? PLAN_METIS : PLAN_CHUNKS));
        CHECK(shuffled ? by_metis == (metrics.reuse > 2.0) : metrics.reuse > 1.5);
        plan_free(plan);
        mesh_free(&mesh);
    }
}

int main(void)
{
    test_meshes();
    test_arity_one();
    test_repeated_targets();
    test_empty();
    test_one_element();
    test_isolated();
    test_two_maps();
    test_no_conflicts();
    test_columns();
    test_order();
    test_deterministic();
    test_quality();
    test_automatic();
    return CHECK_RESULT();
}
