/* plan_named.c: plans for points whose items name what elements read: every (element, modified
 * column) has its words in the lane of its point, read here as a kernel reads them; planted errors
 * are found, and items that cannot be are refused. */
#include <limits.h>

#include "plan_cases.h"

enum { POINTS = 70, ELEMENTS = 150, NODES = 40, TWO_SIDES = 3, NODES_NAMED = CLEAVE_PART_NAMES(1) };

/* Elements between two points; the map to two nodes is only read. Points 64.. have no elements. */
static struct plan_case edges(unsigned conflicts)
{
    struct plan_case own = {.elements = ELEMENTS};
    int *point = case_add_map(&own, 2, POINTS, 0, conflicts);
    int *node = case_add_map(&own, 2, NODES, 1, 0);
    for (int e = 0; e < ELEMENTS; e++) {
        point[2 * e] = e * 7 % 64;
        point[2 * e + 1] = e % 50 == 0 ? point[2 * e] : (e * 13 + 5) % 64;
        node[2 * e] = e * 3 % NODES;
        node[2 * e + 1] = e * 5 % NODES;
    }
    return own;
}

static int build(struct cleave_plan **plan, const struct plan_case *own, unsigned parts,
                 char *error)
{
    return planner_named_build(&test_planner, plan, own->elements, own->maps, own->map, parts,
                               error);
}

static int check(const struct cleave_plan *plan, const struct plan_case *own, unsigned parts,
                 char *error)
{
    return planner_named_check(&test_planner, plan, own->elements, own->maps, own->map, parts,
                               error);
}

static struct cleave_plan *built(const struct plan_case *own, unsigned parts)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    CHECK(build(&plan, own, parts, error) == 0);
    CHECK_TEXT(error, "");
    CHECK(check(plan, own, parts, error) == 0);
    CHECK_TEXT(error, "");
    return plan;
}

static int word(const struct cleave_plan_list *list, int point, int item, int w)
{
    const int row = list->named_start[point / 32] + item;
    return list->named_item[CLEAVE_NAMED_AT(list->words, row, point % 32, w)];
}

/* The other point and the column in one word, then both nodes. */
static void test_two_sides(void)
{
    struct plan_case own = edges(TWO_SIDES);
    struct cleave_plan *plan = built(&own, NODES_NAMED);
    const struct cleave_plan_list *list = &plan->list[0];
    struct plan_metrics metrics;
    int found[POINTS] = {0};
    CHECK(list->words == 3 && list->points == POINTS && list->item_start == NULL);
    CHECK(plan->list[1].named_start == NULL); /* read only */
    for (int e = 0; e < ELEMENTS; e++) {
        for (int k = 0; k < 2; k++) {
            const int p = own.row[0][2 * e + k];
            const int n = found[p]++;
            CHECK(word(list, p, n, 0) == 2 * own.row[0][2 * e + 1 - k] + k);
            CHECK(word(list, p, n, 1) == own.row[1][2 * e]);
            CHECK(word(list, p, n, 2) == own.row[1][2 * e + 1]);
        }
    }
    CHECK(list->named_start[3] == list->named_start[2]); /* nobody names points 64.. */
    planner_named_measure(plan, &metrics);
    CHECK(metrics.padding == 32.0 * list->rows / (2 * ELEMENTS) && metrics.padding >= 1.0);
    CHECK(metrics.plan_bytes == 4.0 * (4 + 96 * list->rows));
    planner_free(plan);
    case_free(&own);
}

/* One word, two, and four, the first of them an element. */
static void test_words(void)
{
    struct plan_case own = edges(1u << 1);
    struct cleave_plan *plan = built(&own, 0);
    CHECK(plan->list[0].words == 2); /* both columns of the own map */
    CHECK(word(&plan->list[0], own.row[0][1], 0, 0) == (own.row[0][0] << 1 | 1));
    planner_free(plan);
    plan = built(&own, NODES_NAMED);
    CHECK(plan->list[0].words == 4);
    planner_free(plan);
    case_free(&own);
    own = edges(TWO_SIDES);
    plan = built(&own, CLEAVE_PART_NUMBERED | NODES_NAMED);
    CHECK(plan->list[0].words == 4);
    CHECK(word(&plan->list[0], own.row[0][0], 0, 0) == 0);
    CHECK(word(&plan->list[0], own.row[0][0], 1, 0) == 1); /* element 0 names its point twice */
    CHECK(word(&plan->list[0], own.row[0][0], 1, 1) == own.row[0][0]);
    planner_free(plan);
    plan = built(&own, 0);
    CHECK(plan->list[0].words == 1);
    planner_free(plan);
    own.map[0].columns = 1;
    own.map[0].conflicts = 1;
    plan = built(&own, CLEAVE_PART_NUMBERED);
    CHECK(plan->list[0].words == 1);
    planner_free(plan);
    case_free(&own);
}

/* ---- refusals ---------------------------------------------------------------------------------
 */

static void refuse(const struct plan_case *own, unsigned parts, const char *message)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    CHECK(build(&plan, own, parts, error) != 0 && plan == NULL);
    CHECK_TEXT(error, message);
}

static void test_refused(void)
{
    struct plan_case own = edges(1u << 1);
    refuse(&own, CLEAVE_PART_NUMBERED | NODES_NAMED, "an item would have 5 words; it has 1 to 4");
    refuse(&own, CLEAVE_PART_NAMES(0),
           "items cannot name the points of map 0: elements have no such map, or modify data "
           "through it");
    refuse(&own, CLEAVE_PART_NAMES(2),
           "items cannot name the points of map 2: elements have no such map, or modify data "
           "through it");
    own.map[0].columns = 1;
    own.map[0].conflicts = 1;
    refuse(&own, 0, "an item would have 0 words; it has 1 to 4");
    own.map[0].columns = 2;
    own.map[0].conflicts = TWO_SIDES;
    own.map[0].points = INT_MAX; /* found before memory is asked for */
    refuse(&own, 0, "the numbers 0..2147483646 and 1 bits for a column do not fit 31");
    case_free(&own);
    own.elements = 0;
    case_add_map(&own, 2, 0, 0, TWO_SIDES);
    planner_free(built(&own, 0)); /* an empty set */
    case_free(&own);
}

/* ---- planted errors ---------------------------------------------------------------------------
 */

static void expect(struct cleave_plan *plan, const struct plan_case *own, unsigned parts,
                   const char *message)
{
    char error[PLANNER_ERROR] = "";
    CHECK(check(plan, own, parts, error) != 0);
    CHECK_TEXT(error, message);
    planner_free(plan);
}

static int *place(struct cleave_plan *plan, int point, int item, int w)
{
    const struct cleave_plan_list *list = &plan->list[0];
    const int row = list->named_start[point / 32] + item;
    return (int *)list->named_item + CLEAVE_NAMED_AT(list->words, row, point % 32, w);
}

static void test_planted(void)
{
    struct plan_case own = edges(TWO_SIDES);
    struct cleave_plan *plan = built(&own, NODES_NAMED);
    *place(plan, 7, 0, 1) = 39;
    expect(plan, &own, NODES_NAMED, "map 0: word 1 of item 0 of point 7 is 39, not 3");
    plan = built(&own, NODES_NAMED);
    int p = 0;
    const int last = plan->list[0].named_start[1] - 1;
    while (word(&plan->list[0], p, last, 0) >= 0 || word(&plan->list[0], p, last - 1, 0) < 0) {
        p++;
    }
    char message[100];
    snprintf(message, sizeof message, "map 0: point %d has something behind its %d items", p, last);
    CHECK(p < 32);
    *place(plan, p, last, 2) = 5;
    expect(plan, &own, NODES_NAMED, message);
    plan = built(&own, NODES_NAMED);
    ((int *)plan->list[0].named_start)[1] = 1;
    expect(plan, &own, NODES_NAMED, "map 0: item 1 of point 0 is missing");
    plan = built(&own, NODES_NAMED);
    ((int *)plan->list[0].named_start)[3]--;
    expect(plan, &own, NODES_NAMED, "the offsets of rows of items do not run from 0 to 12");
    plan = built(&own, NODES_NAMED);
    expect(plan, &own, 0, "map 0: items have 3 words, not 1");
    case_free(&own);
}

/* The same rows for any mesh of the planner's tests. */
static void test_meshes(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_QUAD_NODES, 200, 0, 0);
    test_mesh_shuffle(&mesh, 3);
    struct plan_case own = case_of(&mesh);
    planner_free(built(&own, 0));
    test_mesh_free(&mesh);
}

int main(void)
{
    test_two_sides();
    test_words();
    test_refused();
    test_planted();
    test_meshes();
    return CHECK_RESULT();
}
