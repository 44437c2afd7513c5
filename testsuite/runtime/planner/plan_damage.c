/* plan_damage.c: planner_check finds planted errors of every kind; planner_build refuses bad input.
 */
#include "plan_cases.h"

/* A chain: elements 0..5, two to a block, points 0..6. */
static struct test_mesh mesh;
static struct plan_case chain;

static struct cleave_plan *chain_plan(void)
{
    return case_build(&chain, NULL, (struct plan_options){2, 0, 0, PLAN_WITH_ALL}, NULL);
}

static void expect(struct cleave_plan *plan, const char *message)
{
    char error[PLANNER_ERROR] = "";
    CHECK(planner_check(&test_planner, plan, chain.elements, 1, chain.map, error) == -1);
    CHECK_TEXT(error, message);
    planner_free(plan);
}

#define SET(array, at, value) ((int *)(array))[at] = (value)
#define SET_SHORT(array, at, value) ((unsigned short *)(array))[at] = (unsigned short)(value)

static void test_order(void)
{
    struct cleave_plan *plan = chain_plan();
    SET(plan->order, 3, 1);
    expect(plan, "element 1 is at position 1 and at 3");
    plan = chain_plan();
    SET(plan->order, 3, 6);
    expect(plan, "element 6 at position 3 does not exist");
    plan = chain_plan();
    SET(plan->order, 3, -1);
    expect(plan, "element -1 at position 3 does not exist");
    plan = chain_plan();
    SET(plan->start, 1, 3);
    expect(plan, "block 0 has 3 elements; it must have 1 to 2");
    plan = chain_plan();
    SET(plan->start, 1, 5);
    expect(plan, "the offsets of blocks descend at 1: 5, then 4");
    plan = chain_plan();
    SET(plan->start, 3, 5);
    expect(plan, "the offsets of blocks do not run from 0 to 6");
    plan = chain_plan();
    plan->size = 5;
    expect(plan, "the plan is for 5 elements and 1 maps, not for 6 and 1");
}

static void test_thread_colours(void)
{
    struct cleave_plan *plan = chain_plan();
    SET_SHORT(plan->thread_colour, 3, 0);
    expect(plan, "block 1 has thread colours up to 0; it says 2, and the plan says 2");
    plan = chain_plan();
    SET_SHORT(plan->thread_colour, 3, 0);
    SET_SHORT(plan->thread_colours, 1, 1);
    expect(plan,
           "elements 2 and 3 of block 1 have thread colour 0 and both modify point 3 of set 0");
    plan = chain_plan();
    plan->max_thread_colours = 3;
    expect(plan, "blocks have at most 2 thread colours; the plan says 3");
}

static void test_block_colours(void)
{
    struct cleave_plan *plan = chain_plan();
    SET(plan->colour_start, 1, 0);
    expect(plan, "no block has colour 0");
    plan = chain_plan();
    SET(plan->colour_start, 1, 3);
    plan->colours = 1;
    expect(plan, "blocks 0 and 1 have colour 0 and both modify point 2 of set 0");
    plan = chain_plan();
    SET(plan->colour_start, 0, 1);
    expect(plan, "the offsets of block colours do not run from 0 to 3");
    plan = chain_plan();
    SET(plan->colour_block, 2, 0);
    expect(plan, "block 0 is at colour position 0 and at 2");
    plan = chain_plan();
    SET(plan->colour_block, 2, 3);
    expect(plan, "block 3 at colour position 2 does not exist");
}

static void test_global_colours(void)
{
    struct cleave_plan *plan = chain_plan();
    SET(plan->global_start, 1, 0);
    expect(plan, "no element has global colour 0");
    plan = chain_plan();
    SET(plan->global_start, 1, 4);
    expect(plan, "elements 0 and 1 have global colour 0 and both modify point 1 of set 0");
    plan = chain_plan();
    SET(plan->global_start, 2, 5);
    expect(plan, "the offsets of global colours do not run from 0 to 6");
    plan = chain_plan();
    SET(plan->global_element, 1, 0);
    expect(plan, "element 0 is at global colour position 0 and at 1");
}

static struct cleave_plan *colours_plan(void)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    CHECK(planner_colours_build(&test_planner, &plan, chain.elements, 1, chain.map, error) == 0);
    return plan;
}

static void expect_colours(struct cleave_plan *plan, const char *message)
{
    char error[PLANNER_ERROR] = "";
    CHECK(planner_colours_check(&test_planner, plan, chain.elements, 1, chain.map, error) == -1);
    CHECK_TEXT(error, message);
    planner_free(plan);
}

static void test_colours_alone(void)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = colours_plan();
    SET(plan->global_start, 1, 0);
    expect_colours(plan, "no element has global colour 0");
    plan = colours_plan();
    SET(plan->global_start, 1, 4);
    expect_colours(plan, "elements 0 and 1 have global colour 0 and both modify point 1 of set 0");
    plan = colours_plan();
    SET(plan->global_element, 1, 0);
    expect_colours(plan, "element 0 is at global colour position 0 and at 1");
    plan = colours_plan();
    plan->size = 5;
    expect_colours(plan, "the plan is for 5 elements, not for 6");
    expect_colours(case_build(&chain, NULL, (struct plan_options){2, 0, 0, 0}, NULL),
                   "the plan for colours has none");
    CHECK(planner_colours_build(&test_planner, &plan, -1, 1, chain.map, error) == -1 &&
          plan == NULL);
}

static void test_lists(void)
{
    struct cleave_plan *plan = chain_plan();
    SET_SHORT(plan->list[0].local, 2, 1);
    expect(plan, "map 0, block 1: element 2, column 0 is point 2; its local index 1 does not lead "
                 "there");
    plan = chain_plan();
    SET_SHORT(plan->list[0].local, 2, 3);
    expect(plan, "map 0, block 1: element 2, column 0 is point 2; its local index 3 does not lead "
                 "there");
    plan = chain_plan();
    SET(plan->list[0].point, 1, 2);
    expect(plan, "map 0: block 0 lists point 2 after point 2");
    plan = chain_plan();
    SET(plan->list[0].point, 8, 7);
    expect(plan, "map 0: block 2 lists point 7 of a set of 7");
    plan = chain_plan();
    SET(plan->list[0].start, 3, 8);
    expect(plan, "map 0, block 2: element 5, column 1 is point 6; its local index 2 does not lead "
                 "there");
    plan = chain_plan();
    SET(plan->list[0].start, 1, 7);
    expect(plan, "map 0: the offsets of its points are not ascending from 0");
    plan = chain_plan();
    SET(plan->list[0].start, 0, 1);
    expect(plan, "map 0: the offsets of its points are not ascending from 0");
    plan = chain_plan();
    plan->list[0].max_points = 2;
    expect(plan, "map 0: block 0 has 3 points; the plan says at most 2");
    plan = chain_plan();
    plan->list[0].max_points = 4;
    expect(plan, "map 0: blocks have at most 3 points; the plan says 4");
    plan = chain_plan();
    plan->list[0].modified = 1;
    expect(plan, "map 0: the list is for 2 columns, 1 of them modified; the map has 2 and 2");
    plan = chain_plan();
    plan->list[0].columns = 3;
    expect(plan, "map 0: the list is for 3 columns, 2 of them modified; the map has 2 and 2");
    plan = chain_plan();
    for (int b = 1; b <= 3; b++) {
        SET(plan->list[0].start, b, 65536 + b);
    }
    expect(plan, "map 0: block 0 lists 65537 points, too many for 16-bit local indices");
}

/* One more point in a list than its block names. */
static void test_surplus(void)
{
    struct cleave_plan *plan = chain_plan();
    int *point = malloc(10 * sizeof *point);
    memcpy(point, plan->list[0].point, 3 * sizeof *point);
    memcpy(point + 4, plan->list[0].point + 3, 6 * sizeof *point);
    point[3] = 5;
    free((void *)plan->list[0].point);
    plan->list[0].point = point;
    for (int b = 1; b <= 3; b++) {
        ((int *)plan->list[0].start)[b]++;
    }
    plan->list[0].max_points = 4;
    expect(plan, "map 0: block 0 lists point 5, which none of its elements names");
}

static void test_shared(void)
{
    struct cleave_plan *plan = chain_plan();
    ((unsigned char *)plan->list[0].shared)[3] = 0;
    expect(plan, "map 0, block 1: point 2 is marked 0 as shared, but 2 blocks list it");
    plan = chain_plan();
    ((unsigned char *)plan->list[0].shared)[1] = 1;
    expect(plan, "map 0, block 0: point 1 is marked 1 as shared, but 1 blocks list it");
}

/* Block 1 is elements 2 and 3 with points 2, 3, 4; its gather lists begin at 4 (starts) and 4
 * (items). */
static void test_gather(void)
{
    struct cleave_plan *plan = chain_plan();
    free((void *)plan->list[0].gather);
    plan->list[0].gather = NULL;
    expect(plan, "map 0: the list has 'gather_start' without 'gather'");
    plan = chain_plan();
    free((void *)plan->list[0].gather_start);
    plan->list[0].gather_start = NULL;
    expect(plan, "map 0: the list has 'gather' without 'gather_start'");
    plan = chain_plan();
    SET_SHORT(plan->list[0].gather_start, 7, 3);
    expect(plan, "map 0, block 1: the gather lists go from 0 to 3, not from 0 to 4");
    plan = chain_plan();
    SET_SHORT(plan->list[0].gather_start, 5, 9);
    expect(plan, "map 0, block 1: the offsets of gather lists descend at 1: 9, then 3");
    static const struct {
        int at;
        unsigned short item;
        const char *message;
    } wrong[] = {
        {5, CLEAVE_GATHER_ITEM(1, 1), "item 0 of point 3, position 1 and column 1, is wrong"},
        {6, CLEAVE_GATHER_ITEM(0, 1), "item 1 of point 3, position 0 and column 1, is wrong"},
        {6, CLEAVE_GATHER_ITEM(2, 0), "item 1 of point 3, position 2 and column 0, is wrong"},
        {6, CLEAVE_GATHER_ITEM(1, 2), "item 1 of point 3, position 1 and column 2, is wrong"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char message[PLANNER_ERROR];
        snprintf(message, sizeof message, "map 0, block 1: %s", wrong[i].message);
        plan = chain_plan();
        SET_SHORT(plan->list[0].gather, wrong[i].at, wrong[i].item);
        expect(plan, message);
    }
}

/* Points 0..6 in blocks {0,1,2} {2,3,4} {4,5,6}: points 2 and 4 have two sums. */
static void test_sums(void)
{
    struct cleave_plan *plan = chain_plan();
    CHECK(plan->list[0].places == 9 && plan->list[0].summed == 7);
    plan->list[0].places = 8;
    expect(plan, "map 0: the list has 9 places; the plan says 8");
    static const struct {
        int array; /* 0: sum_point, 1: sum_start, 2: sum_place */
        int at;
        int value;
        const char *message;
    } wrong[] = {
        {0, 3, 2, "map 0: point 2 with sums 4 to 4 stands behind point 2"},
        {0, 3, 5, "map 0: sum 0 of point 5, at place 4 of the list, is wrong"},
        {1, 0, 1, "the offsets of sums of blocks do not run from 0 to 9"},
        {1, 7, 8, "the offsets of sums of blocks do not run from 0 to 9"},
        {1, 2, 4, "map 0: sum 1 of point 1, at place 2 of the list, is wrong"},
        {1, 2, 1, "map 0: point 1 with sums 1 to 0 stands behind point 0"},
        {1, 2, 9, "the offsets of sums of blocks descend at 2: 9, then 4"},
        {2, 2, 3, "map 0: sum 1 of point 2, at place 3 of the list, is wrong"},
        {2, 0, 9, "map 0: sum 0 of point 0, at place 9 of the list, is wrong"},
        {2, 0, -1, "map 0: sum 0 of point 0, at place -1 of the list, is wrong"},
        {2, 4, 5, "map 0: sum 0 of point 3, at place 5 of the list, is wrong"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        plan = chain_plan();
        const int *const array[] = {plan->list[0].sum_point, plan->list[0].sum_start,
                                    plan->list[0].sum_place};
        SET(array[wrong[i].array], wrong[i].at, wrong[i].value);
        expect(plan, wrong[i].message);
    }
    plan = chain_plan();
    free((void *)plan->list[0].sum_place);
    plan->list[0].sum_place = NULL;
    expect(plan, "map 0: the list has 'sum_point' without 'sum_place'");
    plan = chain_plan();
    plan->list[0].summed = 6;
    expect(plan, "the offsets of sums of blocks do not run from 0 to 9");
}

/* A sum that its block does not make: nothing is added through column 1, which leads to point 5. */
static void test_idle_sum(void)
{
    char error[PLANNER_ERROR] = "";
    struct plan_case own = {.elements = 2};
    static const int rows[] = {3, 5, 3, 5};
    memcpy(case_add_map(&own, 2, 6, 0, 1), rows, sizeof rows);
    struct cleave_plan *plan =
        case_build(&own, NULL, (struct plan_options){1, 0, 0, CLEAVE_PART_SUMS}, NULL);
    CHECK(plan->list[0].summed == 1 && plan->list[0].sum_start[1] == 2);
    SET(plan->list[0].sum_point, 0, 5);
    SET(plan->list[0].sum_place, 0, 1);
    SET(plan->list[0].sum_place, 1, 3);
    CHECK(planner_check(&test_planner, plan, 2, 1, own.map, error) == -1);
    CHECK_TEXT(error, "map 0: block 0 adds nothing to point 5, but place 1 is among its sums");
    planner_free(plan);
    case_free(&own);
}

/* Elements {0,1} of the chain and element 5 in one block: points 0, 1, 2, 5, 6 in two runs. */
static void expect_runs(int at_start, int at_point, int at_place, int value, const char *message)
{
    char error[PLANNER_ERROR] = "";
    struct plan_numbering *numbering = case_numbering(6, 6, 1);
    static const int order[] = {0, 1, 5, 2, 3, 4};
    memcpy(numbering->order, order, sizeof order);
    memcpy(numbering->start, (int[]){0, 3, 6}, 3 * sizeof(int));
    numbering->blocks = 2;
    struct plan_options options = {6, 0, 0, CLEAVE_PART_RUNS};
    struct cleave_plan *plan = case_build(&chain, numbering, options, NULL);
    CHECK(plan->list[0].run_start[1] == 2 && plan->list[0].run_start[2] == 3);
    if (at_start >= 0) {
        SET(plan->list[0].run_start, at_start, value);
    } else if (at_point >= 0) {
        SET(plan->list[0].run_point, at_point, value);
    } else {
        SET_SHORT(plan->list[0].run_place, at_place, value);
    }
    CHECK(planner_check(&test_planner, plan, 6, 1, chain.map, error) == -1);
    CHECK_TEXT(error, message);
    planner_free(plan);
    case_numbering_free(numbering);
}

static void test_runs(void)
{
    expect_runs(0, -1, -1, 1, "the offsets of runs do not run from 0 to 3");
    expect_runs(1, -1, -1, 4, "the offsets of runs descend at 1: 4, then 3");
    expect_runs(2, -1, -1, 2, "map 0: the runs of block 1 hold 0 of its 4 points");
    expect_runs(-1, 1, -1, 4, "map 0: run 1 from point 4 on has point 5 at place 0");
    expect_runs(-1, -1, 1, 2, "map 0: run 1 from point 5 on has point 2 at place 0");
    expect_runs(-1, -1, 1, 4, "map 0: run 0 from point 0 on has point 5 at place 3");
    expect_runs(-1, -1, 1, 6,
                "map 0: run 0 of block 0 is at places 0 to 5; it must begin at 0 and end before 5");
    expect_runs(-1, -1, 0, 1,
                "map 0: run 0 of block 0 is at places 1 to 2; it must begin at 0 and end before 5");
}

/* A run cut in two. */
static void test_cut_run(void)
{
    struct cleave_plan *plan = chain_plan();
    struct cleave_plan_list *list = &plan->list[0];
    int *point = malloc(4 * sizeof *point);
    unsigned short *place = malloc(4 * sizeof *place);
    memcpy(point, (int[]){0, 1, 2, 4}, 4 * sizeof *point);
    memcpy(place, (unsigned short[]){0, 1, 0, 0}, 4 * sizeof *place);
    free((void *)list->run_point);
    free((void *)list->run_place);
    list->run_point = point;
    list->run_place = place;
    for (int b = 1; b <= 3; b++) {
        ((int *)list->run_start)[b]++;
    }
    expect(plan, "map 0: run 1 of block 0 continues the one before");
}

/* ---- bad input ----------------------------------------------------------------------------- */

static void refuse(int elements, int maps, const struct plan_map *map,
                   const struct plan_numbering *numbering, int block_size, const char *message)
{
    char error[PLANNER_ERROR] = "";
    struct plan_options options = {block_size, 0, 0, 0};
    struct cleave_plan *plan = (struct cleave_plan *)&options;
    CHECK(planner_build(&test_planner, &plan, NULL, elements, maps, map, numbering, &options,
                        error) == -1);
    CHECK(plan == NULL);
    CHECK_TEXT(error, message);
}

static void test_input(void)
{
    struct plan_map map[2] = {chain.map[0], chain.map[0]};
    refuse(6, 1, map, NULL, 0, "the block size is 0; it must be 1 to 1024");
    refuse(6, 1, map, NULL, 1025, "the block size is 1025; it must be 1 to 1024");
    refuse(6, 17, map, NULL, 64, "a plan for 6 elements through 17 maps; at most 16 maps");
    refuse(-1, 1, map, NULL, 64, "a plan for -1 elements through 1 maps; at most 16 maps");
    map[1].points = 9;
    refuse(6, 2, map, NULL, 64, "maps 0 and 1 lead to set 0, with 7 and with 9 points");
    map[0].points = 6;
    refuse(6, 1, map, NULL, 64, "map 0, row 5, column 1 is 6; its set has 6 points");
    map[0] = chain.map[0];
    map[0].column[1] = 2;
    refuse(6, 1, map, NULL, 64, "map 0 has 2 columns; column 2 does not exist");
    map[0].columns = 17;
    refuse(6, 1, map, NULL, 64,
           "map 0 has 2 columns, 17 of them used (at most 16), 7 points and its entries");
    map[0] = chain.map[0];
    map[0].row = NULL;
    refuse(6, 1, map, NULL, 64,
           "map 0 has 2 columns, 2 of them used (at most 16), 7 points and no entries");
}

static void test_numbering(void)
{
    struct plan_numbering *numbering = case_numbering(6, 2, 1);
    numbering->elements = 5;
    refuse(6, 1, chain.map, numbering, 2,
           "a plan for 6 elements cannot be made from a numbering of 5");
    numbering->elements = 6;
    numbering->order[4] = 6;
    refuse(6, 1, chain.map, numbering, 2, "the numbering has element 6 at position 4; there are 6");
    numbering->blocks = 2;
    memcpy(numbering->start, (int[]){0, 2, 6}, 3 * sizeof(int));
    refuse(6, 1, chain.map, numbering, 2,
           "block 1 of the numbering has 4 elements; a plan of blocks of 2 takes 1 to 2");
    case_numbering_free(numbering);
}

int main(void)
{
    test_mesh_make(&mesh, TEST_MESH_CHAIN, 6, 0, 0);
    chain = case_of(&mesh);
    test_order();
    test_thread_colours();
    test_block_colours();
    test_global_colours();
    test_colours_alone();
    test_lists();
    test_surplus();
    test_shared();
    test_gather();
    test_sums();
    test_idle_sum();
    test_runs();
    test_cut_run();
    test_input();
    test_numbering();
    test_mesh_free(&mesh);
    return CHECK_RESULT();
}
