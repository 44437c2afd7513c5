/* Increments are found, schedules have the stages of paper 001, what cannot be split says why, the
 * check finds planted errors, and the dump reads as documented. */
#include <stdlib.h>

#include "check.h"
#include "fixture.h"
#include "pass/arena.h"
#include "splitter/splitter.h"

static struct program *split_program(void)
{
    struct program *program = fixture_program(LANGUAGE_C);
    splitter_run(program);
    CHECK(splitter_check(program) == NULL);
    return program;
}

/* ---- increments -------------------------------------------------------------------------------
 */

struct counts {
    int arg[8];
    int last_component;
};

static void count(struct stmt *stmt, void *user)
{
    struct counts *counts = user;
    if (stmt->increments_arg >= 0) {
        counts->arg[stmt->increments_arg]++;
        counts->last_component = stmt->increments_component;
    }
}

static struct counts count_increments(const struct program *program, enum fixture_loop loop)
{
    struct counts counts = {.last_component = -2};
    stmt_visit(program->loop[loop].kernel->body, count, NULL, &counts);
    return counts;
}

static void test_increments(void)
{
    struct program *program = split_program();
    struct counts res = count_increments(program, LOOP_RES);
    CHECK(res.arg[6] == 4 && res.arg[7] == 5); /* the fifth is inside an if */
    CHECK(res.last_component == 3);
    struct counts corners = count_increments(program, LOOP_CORNERS);
    CHECK(corners.arg[2] == 3 && corners.last_component == 3); /* column 1, component 1 of 2 */
    struct counts save = count_increments(program, LOOP_SAVE);
    CHECK(save.arg[0] == 0 && save.arg[1] == 0);
    arena_free(program->arena);
}

/* ---- schedules --------------------------------------------------------------------------------
 */

static void test_res_calc(void)
{
    struct program *program = split_program();
    const struct schedule *fused = &program->loop[LOOP_RES].schedule[0];
    const struct schedule *split = &program->loop[LOOP_RES].schedule[1];
    CHECK(fused->legal && fused->stages == 1 && fused->stage[0].transfers == 8);
    CHECK(fused->stage[0].staged_bytes == 88 && fused->tmp_values == 0);
    CHECK(split->legal && split->stages == 3);
    CHECK(split->tmp_values == 8 && split->tmp_bytes == 64);
    CHECK(split->stage[0].kind == STAGE_CONTRIBUTION && split->stage[0].staged_bytes == 56);
    CHECK(split->stage[2].kind == STAGE_UPDATE && split->stage[2].staged_bytes == 32);
    CHECK_TEXT(split->stage[1].name, "update of res through pecell[0]");
    arena_free(program->arena);
}

static void test_vector(void)
{
    struct program *program = split_program();
    const struct schedule *split = &program->loop[LOOP_CORNERS].schedule[1];
    CHECK(split->legal && split->stages == 2 && split->tmp_values == 8);
    CHECK(split->stage[1].transfers == 8 && split->stage[1].staged_bytes == 16);
    CHECK(split->stage[0].transfer[3].first == 6 && split->stage[0].transfer[3].count == 2);
    arena_free(program->arena);
}

static void test_reasons(void)
{
    struct program *program = split_program();
    const struct schedule *direct = &program->loop[LOOP_SAVE].schedule[1];
    const struct schedule *touch = &program->loop[LOOP_TOUCH].schedule[1];
    CHECK(!direct->legal && direct->stages == 0);
    CHECK_TEXT(direct->reason, "nothing is incremented through a map");
    CHECK(!touch->legal);
    CHECK_TEXT(touch->reason, "node is OP_RW through pedge, and only increments can be put off");
    CHECK(program->loop[LOOP_TOUCH].schedule[0].stage[0].transfers == 0);
    CHECK(program->loop[LOOP_WHOLE].schedule[1].legal); /* a body taken whole is split too */
    CHECK(program->loop[LOOP_REFERENCE].schedules == 0);
    arena_free(program->arena);
}

/* ---- planted errors ---------------------------------------------------------------------------
 */

static void check_caught(struct program *program, const char *message)
{
    CHECK_TEXT(splitter_check(program), message);
    arena_free(program->arena);
}

static struct stage *split_stage(struct program *program, int stage)
{
    return &program->loop[LOOP_RES].schedule[1].stage[stage];
}

static void test_check(void)
{
    struct program *program = split_program();
    split_stage(program, 1)->transfers--; /* res1 does not leave */
    check_caught(program,
                 "loop res_calc, split schedule, argument 6: a component that is incremented "
                 "does not leave exactly once");
    program = split_program();
    split_stage(program, 0)->transfer[0].arg = 1; /* x2 twice, x1 never */
    check_caught(program,
                 "loop res_calc, split schedule, argument 0: a component that is read is not "
                 "staged exactly once");
    program = split_program();
    split_stage(program, 1)->transfer[0].count = 3; /* update 1 leaves out a component of tmp */
    check_caught(program,
                 "loop res_calc, split schedule, argument 6: an update does not use the tmp "
                 "of what it adds to");
    program = split_program();
    program->loop[LOOP_RES].schedule[1].tmp_values = 4;
    check_caught(program, "loop res_calc, split schedule: tmp_values is not what the stages make");
    program = split_program();
    struct stage swapped = *split_stage(program, 0);
    *split_stage(program, 0) = *split_stage(program, 1);
    *split_stage(program, 1) = swapped;
    check_caught(program,
                 "loop res_calc, split schedule, argument 6: tmp is used before it is made");
    program = split_program();
    program->loop[LOOP_RES].schedule[0].stage[0].transfer[0].arg = 6; /* an increment staged in */
    check_caught(program, "loop res_calc, fused schedule, argument 6: a transfer does not fit the "
                          "argument's access");
    program = split_program();
    split_stage(program, 0)->transfer[2].count = 5;
    check_caught(program,
                 "loop res_calc, split schedule, argument 2: a transfer's components are not "
                 "those of one column");
    program = split_program();
    program->loop[LOOP_SAVE].schedules = 0;
    check_caught(program, "loop save_soln: fused and split schedules are missing");
}

/* ---- the dump ---------------------------------------------------------------------------------
 */

static void test_print(void)
{
    struct program *program = split_program();
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    program->loop[LOOP_TOUCH].kernel->body->kid[1]->loc.line = 43;
    program->loop = &program->loop[LOOP_TOUCH];
    program->loops = 1;
    splitter_print(file, program);
    fclose(file);
    CHECK_TEXT(text,
               "loop touch (mesh.c:105)\n"
               "  line 43: adds to count, component 0\n"
               "  fused: data modified through a map is worked on in place\n"
               "    stage 1: whole body; 0 bytes per point\n"
               "  split: not possible: node is OP_RW through pedge, and only increments can be "
               "put off\n");
    free(text);
    arena_free(program->arena);
}

static void test_print_stages(void)
{
    struct program *program = split_program();
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    splitter_print(file, program);
    fclose(file);
    CHECK(strstr(text, "  split: at most 56 bytes per point are staged at a time, not 88; tmp(e) 8 "
                       "values, 64 bytes\n"
                       "    stage 1: contribution; 56 bytes per point\n"
                       "      in       x1 = x through pedge[0], components 0..1\n") != NULL);
    CHECK(strstr(text, "    stage 3: update of res through pecell[1]; 32 bytes per point\n"
                       "      tmp in   res2 = res through pecell[1], components 0..3\n"
                       "      out      res2 = res through pecell[1], components 0..3\n") != NULL);
    CHECK(strstr(text, "  sequential: a test says \"no\"\n") != NULL);
    free(text);
    arena_free(program->arena);
}

int main(void)
{
    test_increments();
    test_res_calc();
    test_vector();
    test_reasons();
    test_check();
    test_print();
    test_print_stages();
    return CHECK_RESULT();
}
