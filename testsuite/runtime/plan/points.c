/* points.c: plans for points: every (element, column) through which data is modified is in its
 * point's list, in the order of the elements; planted errors are found; what is too large is
 * refused. */
#include "check.h"
#include "meshes.h"

static struct cleave_plan *build(const struct mesh *mesh)
{
    char error[256] = "";
    struct cleave_plan *plan = NULL;
    CHECK(plan_points_build(&plan, mesh->elements, mesh->maps, mesh->map, error) == 0);
    CHECK(plan_points_check(plan, mesh->elements, mesh->maps, mesh->map, error) == 0);
    CHECK_TEXT(error, "");
    return plan;
}

static void test_meshes(void)
{
    struct mesh mesh;
    mesh_quads(&mesh, 12, 9);
    mesh_shuffle(&mesh, 3);
    struct cleave_plan *plan = build(&mesh);
    CHECK(plan->list[0].points == mesh.map[0].points);
    CHECK(plan->list[0].item_start[plan->list[0].points] == 2 * mesh.elements);
    CHECK(plan->list[1].points == 0 && plan->list[1].item_start == NULL); /* read only */
    plan_free(plan);
    mesh_free(&mesh);
    mesh_hexes(&mesh, 4);
    plan = build(&mesh);
    CHECK(plan->list[0].item_start[mesh.map[0].points] == 8 * mesh.elements);
    plan_free(plan);
    mesh_free(&mesh);
}

/* Element e names point 2 twice, and one of four columns is only read. */
static void test_repeats(void)
{
    struct mesh mesh = {.elements = 3};
    int *row = mesh_add_map(&mesh, 4, 5, 0, 0xb);
    static const int entries[] = {2, 2, 0, 1, 0, 3, 2, 2, 2, 0, 1, 3};
    for (int i = 0; i < 12; i++) {
        row[i] = entries[i];
    }
    struct cleave_plan *plan = build(&mesh);
    const struct cleave_plan_list *list = &plan->list[0];
    static const int element[] = {0, 0, 1, 2};
    static const int column[] = {0, 1, 3, 0};
    CHECK(list->item_start[3] - list->item_start[2] == 4);
    for (int i = 0; i < 4; i++) {
        CHECK(list->item_element[list->item_start[2] + i] == element[i]);
        CHECK(list->item_column[list->item_start[2] + i] == column[i]);
    }
    CHECK(list->item_start[5] == list->item_start[4]); /* nobody names point 4 */
    plan_free(plan);
    mesh_free(&mesh);
}

static void expect_caught(struct cleave_plan *plan, const struct mesh *mesh, const char *says)
{
    char error[256] = "";
    CHECK(plan_points_check(plan, mesh->elements, mesh->maps, mesh->map, error) != 0);
    CHECK_TEXT(error, says);
}

static void test_planted(void)
{
    struct mesh mesh;
    mesh_chain(&mesh, 10);
    struct cleave_plan *plan = build(&mesh);
    int *element = (int *)plan->list[0].item_element;
    int *start = (int *)plan->list[0].item_start;
    int kept = element[1];
    element[1] = element[2];
    expect_caught(plan, &mesh, "item 0 of point 1 is wrong");
    element[1] = kept;
    start[11]--;
    expect_caught(plan, &mesh, "the items of the points are not all there");
    plan_free(plan);
    mesh_free(&mesh);
}

static void test_limits(void)
{
    char error[256] = "";
    struct cleave_plan *plan = NULL;
    struct mesh mesh = {.elements = 0};
    mesh_add_map(&mesh, 2, 0, 0, 3);
    plan_free(build(&mesh)); /* an empty set */
    mesh_free(&mesh);
    mesh = (struct mesh){.elements = 4};
    int *row = mesh_add_map(&mesh, 1, 4, 0, 1);
    row[2] = 4;
    CHECK(plan_points_build(&plan, 4, 1, mesh.map, error) != 0 && plan == NULL);
    CHECK(error[0] != '\0');
    mesh_free(&mesh);
}

int main(void)
{
    test_meshes();
    test_repeats();
    test_planted();
    test_limits();
    return CHECK_RESULT();
}
