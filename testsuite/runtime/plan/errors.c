/* errors.c: plan_check finds planted errors; plan_build refuses bad input and runs out of memory
 * with a message, whichever allocation fails. Linked with --wrap=calloc,--wrap=realloc. */
#include <stdlib.h>

#include "check.h"
#include "meshes.h"

/* ---- planted errors -----------------------------------------------------------------------------
 */

/* The chain of metrics.c: elements 0..5, two to a block, points 0..6. */
static struct mesh chain;

static struct cleave_plan *chain_plan(void)
{
    char error[256] = "";
    struct plan_options options = {2, PLAN_CHUNKS, 0};
    struct cleave_plan *plan = NULL;
    CHECK(plan_build(&plan, NULL, chain.elements, 1, chain.map, &options, error) == 0);
    return plan;
}

static void expect(struct cleave_plan *plan, const char *message)
{
    char error[256] = "";
    CHECK(plan_check(plan, chain.elements, 1, chain.map, error) == -1);
    CHECK_TEXT(error, message);
    plan_free(plan);
}

static void test_planted_order(void)
{
    struct cleave_plan *plan = chain_plan();
    ((int *)plan->order)[3] = 1;
    expect(plan, "element 1 is at position 1 and at 3");
    plan = chain_plan();
    ((int *)plan->order)[3] = 6;
    expect(plan, "element 6 at position 3 does not exist");
    plan = chain_plan();
    ((int *)plan->start)[1] = 3;
    expect(plan, "block 0 has 3 elements; it must have 1 to 2");
    plan = chain_plan();
    ((int *)plan->start)[1] = 5;
    expect(plan, "the offsets of blocks descend at 1: 5, then 4");
    plan = chain_plan();
    ((int *)plan->start)[3] = 5;
    expect(plan, "the offsets of blocks do not run from 0 to 6");
    plan = chain_plan();
    plan->size = 5;
    expect(plan, "the plan is for 5 elements and 1 maps, not for 6 and 1");
}

static void test_planted_colours(void)
{
    struct cleave_plan *plan = chain_plan();
    ((unsigned short *)plan->thread_colour)[3] = 0;
    expect(plan, "block 1 has thread colours up to 0; it says 2, and the plan says 2");
    plan = chain_plan();
    ((unsigned short *)plan->thread_colour)[3] = 0;
    ((unsigned short *)plan->thread_colours)[1] = 1;
    expect(plan,
           "elements 2 and 3 of block 1 have thread colour 0 and both modify point 3 of set 0");
    plan = chain_plan();
    plan->max_thread_colours = 3;
    expect(plan, "blocks have at most 2 thread colours; the plan says 3");
    plan = chain_plan();
    ((int *)plan->colour_start)[1] = 0;
    expect(plan, "no block has colour 0");
    plan = chain_plan();
    ((int *)plan->colour_start)[1] = 3;
    plan->colours = 1;
    expect(plan, "blocks 0 and 1 have colour 0 and both modify point 2 of set 0");
    plan = chain_plan();
    ((int *)plan->colour_block)[2] = 0;
    expect(plan, "block 0 is at colour position 0 and at 2");
}

static void test_planted_lists(void)
{
    struct cleave_plan *plan = chain_plan();
    ((unsigned short *)plan->list[0].local)[2] = 1;
    expect(plan, "map 0, block 1: element 2, column 0 is point 2; its local index 1 does not lead "
                 "there");
    plan = chain_plan();
    ((unsigned short *)plan->list[0].local)[2] = 3;
    expect(plan, "map 0, block 1: element 2, column 0 is point 2; its local index 3 does not lead "
                 "there");
    plan = chain_plan();
    ((int *)plan->list[0].point)[1] = 2;
    expect(plan, "map 0: block 0 lists point 2 after point 2");
    plan = chain_plan();
    ((int *)plan->list[0].point)[8] = 7;
    expect(plan, "map 0: block 2 lists point 7 of a set of 7");
    plan = chain_plan();
    ((int *)plan->list[0].start)[3] = 8;
    expect(plan, "map 0, block 2: element 5, column 1 is point 6; its local index 2 does not lead "
                 "there");
    plan = chain_plan();
    plan->list[0].max_points = 2;
    expect(plan, "map 0: block 0 has 3 points; the plan says at most 2");
    plan = chain_plan();
    plan->list[0].max_points = 4;
    expect(plan, "map 0: blocks have at most 3 points; the plan says 4");
}

/* One more point in a list than its block names. */
static void test_planted_surplus(void)
{
    struct cleave_plan *plan = chain_plan();
    int *point = realloc((void *)plan->list[0].point, 10 * sizeof *point);
    CHECK(point != NULL);
    memmove(point + 4, point + 3, 6 * sizeof *point);
    point[3] = 5;
    plan->list[0].point = point;
    for (int b = 1; b <= 3; b++) {
        ((int *)plan->list[0].start)[b]++;
    }
    plan->list[0].max_points = 4;
    expect(plan, "map 0: block 0 lists point 5, which none of its elements names");
}

/* ---- bad input ----------------------------------------------------------------------------------
 */

static void refuse(int elements, int maps, const struct plan_map *map, int block_size,
                   const char *message)
{
    char error[256] = "";
    struct plan_options options = {block_size, PLAN_METIS, 0};
    struct cleave_plan *plan = (struct cleave_plan *)&options;
    CHECK(plan_build(&plan, NULL, elements, maps, map, &options, error) == -1);
    CHECK(plan == NULL);
    CHECK_TEXT(error, message);
}

static void test_input(void)
{
    struct plan_map map[2] = {chain.map[0], chain.map[0]};
    refuse(6, 1, map, 0, "the block size is 0; it must be 1 to 1024");
    refuse(6, 1, map, 1025, "the block size is 1025; it must be 1 to 1024");
    refuse(6, 17, map, 64, "a plan for 6 elements through 17 maps; at most 16 maps");
    refuse(-1, 1, map, 64, "a plan for -1 elements through 1 maps; at most 16 maps");
    map[1].points = 9;
    refuse(6, 2, map, 64, "maps 0 and 1 lead to set 0, with 7 and with 9 points");
    map[0].points = 6;
    refuse(6, 1, map, 64, "map 0, row 5, column 1 is 6; its set has 6 points");
    map[0] = chain.map[0];
    map[0].column[1] = 2;
    refuse(6, 1, map, 64, "map 0 has 2 columns; column 2 does not exist");
    map[0].columns = 17;
    refuse(6, 1, map, 64,
           "map 0 has 2 columns, 17 of them used (at most 16), 7 points and its entries");
    map[0] = chain.map[0];
    map[0].row = NULL;
    refuse(6, 1, map, 64,
           "map 0 has 2 columns, 2 of them used (at most 16), 7 points and no entries");
}

/* ---- out of memory ------------------------------------------------------------------------------
 */

static int allocations_left = -1; /* the next ones succeed; -1: all */

static int refuse_allocation(void)
{
    if (allocations_left < 0) {
        return 0;
    }
    return allocations_left == 0 || allocations_left-- == 0;
}

void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

void *__wrap_calloc(size_t count, size_t bytes)
{
    return refuse_allocation() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return refuse_allocation() ? NULL : __real_realloc(memory, bytes);
}

static void test_no_memory(enum plan_method method)
{
    struct mesh mesh;
    struct plan_options options = {64, method, 0};
    struct cleave_plan *plan = NULL;
    int refused = 0;
    int status = -1;
    mesh_quads(&mesh, 20, 20);
    for (int allowed = 0; status != 0 && allowed < 1000; allowed++) {
        char error[256] = "";
        allocations_left = allowed;
        status = plan_build(&plan, NULL, mesh.elements, mesh.maps, mesh.map, &options, error);
        allocations_left = -1;
        if (status != 0) {
            refused++;
            CHECK(plan == NULL);
            CHECK(strncmp(error, "out of memory: cannot allocate ", 31) == 0);
            CHECK(strstr(error, " bytes for ") != NULL);
        }
    }
    CHECK(status == 0);
    CHECK(refused > 15);
    plan_free(plan);
    mesh_free(&mesh);
}

static void test_no_memory_for_check(void)
{
    struct cleave_plan *plan = chain_plan();
    char error[256] = "";
    allocations_left = 0;
    CHECK(plan_check(plan, chain.elements, 1, chain.map, error) == -1);
    allocations_left = -1;
    CHECK_TEXT(error, "out of memory: cannot allocate 24 bytes for checking a plan");
    plan_free(plan);
}

int main(void)
{
    mesh_chain(&chain, 6);
    test_planted_order();
    test_planted_colours();
    test_planted_lists();
    test_planted_surplus();
    test_input();
    test_no_memory(PLAN_CHUNKS);
    test_no_memory(PLAN_METIS);
    test_no_memory_for_check();
    mesh_free(&chain);
    return CHECK_RESULT();
}
