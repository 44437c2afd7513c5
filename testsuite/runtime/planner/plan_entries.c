/* plan_entries.c: maps from other sets in plans for points and for blocks of points: each (element,
 * modified column) is there once, found by its chunk of points; planted errors are found; plans of
 * other kinds refuse such maps; whichever allocation fails, there is no plan.
 */
#include "failing_memory.h"
#include "plan_cases.h"

enum { POINTS = 100, ELEMENTS = 300, ROWS = 40, BLOCK = 32, LANES = 32 };

/* Elements with two points each, and 40 of a boundary with three columns, of which the first is
 * only read; the first two rows name point 31 and, twice, point 32. */
static struct plan_case new_case(void)
{
    struct plan_case own = {.elements = ELEMENTS};
    int *row = case_add_map(&own, 2, POINTS, 0, 3);
    for (int i = 0; i < 2 * ELEMENTS; i++) {
        row[i] = i * 7 % POINTS;
    }
    row = case_add_map(&own, 3, POINTS, 0, 6);
    own.map[1].apart = 1;
    own.map[1].rows = ROWS;
    for (int i = 0; i < 3 * ROWS; i++) {
        row[i] = i * 13 % POINTS;
    }
    row[1] = row[2] = 32;
    row[4] = 31;
    return own;
}

static int build(struct cleave_plan **plan, const struct plan_case *own, int owners, char *error)
{
    return owners ? planner_owners_build(&test_planner, plan, own->elements, BLOCK, LANES,
                                         own->maps, own->map, error)
                  : planner_points_build(&test_planner, plan, own->elements, own->maps, own->map,
                                         error);
}

static int check(const struct cleave_plan *plan, const struct plan_case *own, int owners,
                 char *error)
{
    return owners ? planner_owners_check(&test_planner, plan, own->elements, BLOCK, LANES,
                                         own->maps, own->map, error)
                  : planner_points_check(&test_planner, plan, own->elements, own->maps, own->map,
                                         error);
}

static struct cleave_plan *built(const struct plan_case *own, int owners)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    CHECK(build(&plan, own, owners, error) == 0);
    CHECK_TEXT(error, "");
    CHECK(check(plan, own, owners, error) == 0);
    CHECK_TEXT(error, "");
    return plan;
}

/* All entries of each point, against the map's rows, read as a kernel reads them. */
static void test_lists(int owners)
{
    struct plan_case own = new_case();
    struct cleave_plan *plan = built(&own, owners);
    const struct cleave_plan_list *list = &plan->list[1];
    int i = 0;
    CHECK(list->points == POINTS && list->entries == 2 * ROWS && list->columns == 3 &&
          list->modified == 2 && list->item_start == NULL && list->owners == 0);
    for (int p = 0; p < POINTS; p++) {
        CHECK(p % CLEAVE_ENTRY_CHUNK != 0 || list->entry_start[p / CLEAVE_ENTRY_CHUNK] == i);
        for (int e = 0; e < ROWS; e++) {
            for (int k = 1; k < 3; k++) {
                if (own.map[1].row[3 * e + k] == p) {
                    CHECK(list->entry_point[i] == p && list->entry_element[i] == e &&
                          list->entry_column[i] == k);
                    i++;
                }
            }
        }
    }
    CHECK(i == 2 * ROWS && list->entry_start[(POINTS - 1) / CLEAVE_ENTRY_CHUNK + 1] == i);
    planner_free(plan);
    own.map[1].rows = 0; /* a boundary without edges */
    plan = built(&own, owners);
    CHECK(plan->list[1].entry_start == NULL && plan->list[1].entries == 0);
    planner_free(plan);
    own.map[1].rows = ROWS;
    own.map[1].conflicts = 0; /* only read */
    plan = built(&own, owners);
    CHECK(plan->list[1].entry_start == NULL && plan->list[1].entries == 0);
    planner_free(plan);
    case_free(&own);
}

static void expect(struct cleave_plan *plan, const struct plan_case *own, int owners,
                   const char *message)
{
    char error[PLANNER_ERROR] = "";
    CHECK(check(plan, own, owners, error) != 0);
    CHECK_TEXT(error, message);
    planner_free(plan);
}

static void test_planted(int owners)
{
    struct plan_case own = new_case();
    struct cleave_plan *plan = built(&own, owners);
    ((int *)plan->list[1].entry_point)[5]++;
    expect(plan, &own, owners, "map 1: entry 5 is wrong");
    plan = built(&own, owners);
    ((int *)plan->list[1].entry_element)[7] = ROWS;
    expect(plan, &own, owners, "map 1: entry 7 is wrong");
    plan = built(&own, owners);
    ((unsigned char *)plan->list[1].entry_column)[7] = 0; /* data is only read through it */
    expect(plan, &own, owners, "map 1: entry 7 is wrong");
    plan = built(&own, owners);
    ((int *)plan->list[1].entry_start)[1]--; /* the last entry of a chunk in the next one */
    char message[64];
    snprintf(message, sizeof message, "map 1: entry %d is wrong", plan->list[1].entry_start[1]);
    expect(plan, &own, owners, message);
    plan = built(&own, owners);
    ((int *)plan->list[1].entry_start)[1] = 2 * ROWS + 1;
    snprintf(message, sizeof message, "the offsets of entries descend at 1: %d, then %d",
             2 * ROWS + 1, plan->list[1].entry_start[2]);
    expect(plan, &own, owners, message);
    plan = built(&own, owners);
    plan->list[1].entries--;
    expect(plan, &own, owners, "map 1: the entries of the points are not all there");
    plan = built(&own, owners);
    free((void *)plan->list[1].entry_column);
    plan->list[1].entry_column = NULL;
    expect(plan, &own, owners, "map 1: the list has 'entry_start' without 'entry_column'");
    case_free(&own);
}

static void test_memory(int owners)
{
    struct plan_case own = new_case();
    int status = -1;
    int failures = 0;
    for (; status != 0 && failures < 100; failures++) {
        char error[PLANNER_ERROR] = "";
        struct cleave_plan *plan = NULL;
        allowed = failures;
        status = build(&plan, &own, owners, error);
        allowed = -1;
        CHECK(status == 0 || (plan == NULL && strncmp(error, "out of memory for ", 18) == 0));
        planner_free(plan);
    }
    CHECK(status == 0 && failures > 10);
    case_free(&own);
}

static void test_refused(void)
{
    char error[PLANNER_ERROR] = "";
    struct plan_case own = new_case();
    struct cleave_plan *plan = NULL;
    const struct plan_options options = {.block_size = BLOCK};
    CHECK(planner_build(&test_planner, &plan, NULL, own.elements, own.maps, own.map, NULL, &options,
                        error) != 0);
    CHECK_TEXT(error, "map 1 starts at another set than the elements; only plans for points have "
                      "such maps");
    CHECK(planner_colours_build(&test_planner, &plan, own.elements, own.maps, own.map, error) != 0);
    ((int *)own.map[1].row)[3 * ROWS - 1] = POINTS;
    CHECK(planner_points_build(&test_planner, &plan, own.elements, own.maps, own.map, error) != 0);
    CHECK_TEXT(error, "map 1, row 39, column 2 is 100; its set has 100 points");
    case_free(&own);
}

int main(void)
{
    allowed = -1;
    for (int owners = 0; owners < 2; owners++) {
        test_lists(owners);
        test_planted(owners);
        test_memory(owners);
    }
    test_refused();
    return CHECK_RESULT();
}
