/* Tests which variants are written for which options, how the tables describe them, and that
 * nothing is written that no variant needs. */
#include <stdlib.h>

#include "check.h"
#include "codegen/codegen.h"
#include "fixture.h"
#include "pass/ir/arena.h"
#include "pass/ir/chain.h"
#include "runtime/api/cleave_gen.h"
#include "splitter/splitter.h"

static char *text;

static double update_flops = -1;
static double update_bytes = -1;

/* preferred: what the cost model is made to prefer for res_calc; -1: what it does. Where
 * update_flops is not negative, it counts so many in update; the same with what it moves. */
static void emit(enum codegen_target target, struct codegen_options options, int preferred)
{
    struct program *program = fixture_program(LANGUAGE_C);
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    chain_add_loose(program);
    splitter_run(program, NULL);
    CHECK(splitter_check(program) == NULL);
    if (preferred >= 0) {
        program->loop[LOOP_RES].predicted = preferred;
    }
    if (update_flops >= 0) {
        program->loop[LOOP_UPDATE].schedule[AT_FUSED].estimate.flops = update_flops;
    }
    if (update_bytes >= 0) {
        program->loop[LOOP_UPDATE].schedule[AT_FUSED].estimate.memory_bytes = update_bytes;
    }
    CHECK(codegen_emit(file, program, target, &options) == 0);
    fclose(file);
    arena_free(program->arena);
}

static bool has(const char *part)
{
    return strstr(text, part) != NULL;
}

static void test_wanted(void)
{
    emit(CODEGEN_OPENMP,
         (struct codegen_options){.schedule = {[AT_SPLIT] = true, [AT_LOOPS] = true},
                                  .predicted = false},
         AT_TWO_PASS);
    CHECK(has("res_calc_split_colour("));
    CHECK(has("res_calc_loops_colour("));
    CHECK(!has("res_calc_fused_colour("));
    CHECK(!has("res_calc_split2_colour("));
    CHECK(!has("res_calc_twopass("));
    free(text);
}

static void test_predicted(void)
{
    emit(CODEGEN_OPENMP,
         (struct codegen_options){.schedule = {[AT_FUSED] = true}, .predicted = true}, AT_TWO_PASS);
    CHECK(has("res_calc_fused_colour("));
    CHECK(has("res_calc_twopass("));
    CHECK(!has("res_calc_owner("));
    free(text);
}

/* For CUDA, of the two whose points sum alone the better one; OpenMP has a fixed order anyway. */
static void test_deterministic(void)
{
    struct codegen_options options = {.schedule = {[AT_FUSED] = true}, .deterministic = true};
    emit(CODEGEN_CUDA, options, -1);
    CHECK(has("res_calc_owner"));
    CHECK(!has("res_calc_twopass"));
    free(text);
    emit(CODEGEN_OPENMP, options, -1);
    CHECK(!has("res_calc_owner"));
    CHECK(!has("res_calc_twopass"));
    free(text);
    options.deterministic = false;
    emit(CODEGEN_CUDA, options, -1);
    CHECK(!has("res_calc_owner"));
    free(text);
}

/* Blocks make sums where owners would compute much again; beside a split that is asked for always.
 */
static void test_ordered(void)
{
    struct codegen_options options = {.schedule = {[AT_FUSED] = true, [AT_SPLIT] = true}};
    emit(CODEGEN_CUDA, options, -1);
    CHECK(has("{\"res_calc_split_ordered_c2_r72\", CLEAVE_SPLIT, 1, CLEAVE_RACE_ORDERED, "
              "CLEAVE_PLAN_BLOCKS, 0,"));
    CHECK(has("res_calc_split_ordered_2("));
    CHECK(!has("res_calc_split_ordered_c2\""));
    free(text);
    options.candidates = true;
    emit(CODEGEN_CUDA, options, -1);
    CHECK(!has("res_calc_split_ordered_c2\""));
    free(text);
    options.exhaustive = true;
    emit(CODEGEN_CUDA, options, -1);
    CHECK(has("res_calc_split_ordered_c2\""));
    free(text);
    emit(CODEGEN_OPENMP, options, -1);
    CHECK(!has("ordered"));
    free(text);
    options = (struct codegen_options){.schedule = {[AT_SPLIT] = true}, .deterministic = true};
    emit(CODEGEN_CUDA, options, -1);
    CHECK(!has("res_calc_split_ordered") && has("res_calc_owner"));
    CHECK(has("whole_split_ordered_c2\"") && !has("whole_twopass"));
    free(text);
}

/* The last field of the variant's row; -1: there is no such row. */
static int rank_of(const char *name)
{
    char row[64];
    snprintf(row, sizeof(row), "{\"%s\",", name);
    const char *at = strstr(text, row);
    const char *end = at != NULL ? strstr(at, "},") : NULL;
    return end != NULL ? end[-1] - '0' : -1;
}

/* The runtime compares ranks where no setting says how races are resolved: what is listed first of
 * gathers and whole warps, then atomic operations, then the rest. */
static void test_ranks(void)
{
    struct codegen_options options = {.schedule = {[AT_FUSED] = true, [AT_SPLIT] = true}};
    emit(CODEGEN_CUDA, options, -1);
    const char *transpose = strstr(text, "{\"res_calc_split_transpose\"");
    const char *gather = strstr(text, "{\"res_calc_split_gather_c2_r64\"");
    CHECK(transpose != NULL && gather != NULL);
    CHECK(rank_of("res_calc_split_transpose") == (transpose < gather ? 0 : CLEAVE_WORST_RANK));
    CHECK(rank_of("res_calc_split_gather_c2_r64") == (transpose < gather ? CLEAVE_WORST_RANK : 0));
    CHECK(rank_of("res_calc_split_atomic") == 1 && rank_of("res_calc_fused_atomic") == 1);
    CHECK(rank_of("res_calc_split_colour") == CLEAVE_WORST_RANK);
    CHECK(rank_of("res_calc_split_ordered_c2_r72") == CLEAVE_WORST_RANK);
    CHECK(rank_of("touch_fused_colour") == 0);
    CHECK(rank_of("touch_fused_global_colour") == CLEAVE_WORST_RANK);
    CHECK(rank_of("save_soln_direct") == 0);
    free(text);
    emit(CODEGEN_OPENMP, options, -1);
    CHECK(rank_of("res_calc_fused_colour") == 0 && rank_of("res_calc_split_colour") == 0);
    free(text);
}

/* Copies in the order of items wherever blocks of points read something that is the elements' own;
 * packed records only where they are asked for, of loops that read several dats of a point. */
static void test_copies(void)
{
    struct codegen_options options = {.schedule = {[AT_SPLIT] = true, [AT_OWNER_GATHER] = true}};
    emit(CODEGEN_CUDA, options, -1);
    CHECK(has("peak_owner_staged_items_1("));
    CHECK(has("\"peak_owner_staged_items_r128\""));
    CHECK(has("cleave_make_copy<void>"));
    CHECK(!has("res_calc_owner_staged_items"));
    CHECK(!has("_packed"));
    CHECK(!has("_gather_bulk"));
    free(text);
    options.comparisons = true;
    emit(CODEGEN_CUDA, options, -1);
    CHECK(has("\"res_calc_split_gather_packed_c2_r64\""));
    CHECK(has("\"res_calc_owner_staged_packed_r128\""));
    CHECK(!has("peak_split_gather_packed"));
    CHECK(has("\"res_calc_split_gather_bulk_c2_r64\""));
    CHECK(!has("peak_split_gather_bulk"));
    free(text);
    options.comparisons = false;
    options.exhaustive = true;
    emit(CODEGEN_CUDA, options, -1);
    CHECK(has("\"res_calc_split_gather_packed_c2_r40\""));
    free(text);
    options = (struct codegen_options){.schedule = {[AT_SPLIT] = true}};
    emit(CODEGEN_CUDA, options, -1);
    CHECK(!has("cleave_make_copy<void>"));
    CHECK(!has("_copies["));
    free(text);
}

/* Loops in place exist by both kinds of colours, the one that is better on large meshes first:
 * `touch` computes nothing. */
static void test_in_place(void)
{
    struct codegen_options options = {.schedule = {[AT_FUSED] = true}};
    emit(CODEGEN_CUDA, options, -1);
    const char *blocks = strstr(text, "{\"touch_fused_colour\"");
    const char *global = strstr(text, "{\"touch_fused_global_colour\"");
    CHECK(blocks != NULL && global != NULL && blocks < global);
    free(text);
}

/* Forms to compare with are written where they are asked for. */
static void test_comparisons(void)
{
    struct codegen_options options = {.schedule = {[AT_FUSED] = true, [AT_LOOPS] = true}};
    emit(CODEGEN_CUDA, options, -1);
    CHECK(!has("res_calc_fused_global_colour") && !has("res_calc_loops_global_colour"));
    free(text);
    options.comparisons = true;
    emit(CODEGEN_CUDA, options, -1);
    CHECK(has("{\"res_calc_fused_global_colour\", CLEAVE_FUSED, 0, CLEAVE_RACE_GLOBAL, "
              "CLEAVE_PLAN_COLOURS, 0,"));
    CHECK(has("{\"res_calc_loops_global_colour\", CLEAVE_LOOPS, 0, CLEAVE_RACE_GLOBAL, "
              "CLEAVE_PLAN_COLOURS, 40,"));
    CHECK(has("{\"touch_fused_global_colour\", CLEAVE_FUSED, 0, CLEAVE_RACE_GLOBAL, "
              "CLEAVE_PLAN_COLOURS, 0,"));
    CHECK(!has("update_fused_global_colour"));
    CHECK(!has("res_calc_split"));
    free(text);
    emit(CODEGEN_OPENMP, options, -1);
    CHECK(!has("_global_colour"));
    free(text);
}

/* A reduction that computes much, or moves short records, has more blocks to hide that. */
static void test_blocks(void)
{
    struct codegen_options options = {.schedule = {[AT_FUSED] = true}};
    update_bytes = 136;
    emit(CODEGEN_CUDA, options, -1);
    CHECK(has("cleave_arrivals_of(cleave_launch, CLEAVE_FEW_BLOCKS)"));
    free(text);
    update_flops = 1000;
    emit(CODEGEN_CUDA, options, -1);
    update_flops = -1;
    CHECK(has("cleave_arrivals_of(cleave_launch, CLEAVE_MOST_BLOCKS)"));
    free(text);
    update_bytes = 68;
    emit(CODEGEN_CUDA, options, -1);
    update_bytes = -1;
    CHECK(has("cleave_arrivals_of(cleave_launch, CLEAVE_MOST_BLOCKS)"));
    free(text);
}

/* Only where there is a stage before the one that is staged ahead, and where it is asked for. */
static void test_ahead(void)
{
    struct codegen_options options = {.schedule = {[AT_SPLIT] = true, [AT_SPLIT + 1] = true}};
    emit(CODEGEN_CUDA, options, -1);
    CHECK(has("res_calc_split2_gather_c2"));
    CHECK(!has("_ahead"));
    free(text);
    options.comparisons = true;
    emit(CODEGEN_CUDA, options, -1);
    CHECK(has("{\"res_calc_split2_gather_ahead_c2_r64\", CLEAVE_SPLIT, 2, CLEAVE_RACE_GATHER, "
              "CLEAVE_PLAN_BLOCKS, 0,"));
    CHECK(has("cleave_copy_wait_group<1>();"));
    CHECK(!has("res_calc_split_gather_ahead"));
    free(text);
}

/* If no wanted schedule is legal, or none is wanted, the fused one is written. */
static void test_nothing_legal(void)
{
    emit(CODEGEN_CUDA,
         (struct codegen_options){.schedule = {[AT_OWNER_GATHER] = true}, .predicted = false}, -1);
    CHECK(has("touch_fused_colour"));
    CHECK(has("maybe_fused_colour"));
    CHECK(has("res_calc_owner"));
    CHECK(!has("res_calc_fused_colour"));
    free(text);
    emit(CODEGEN_OPENMP, (struct codegen_options){.schedule = {false}, .predicted = false},
         AT_TWO_PASS);
    CHECK(has("res_calc_fused_colour("));
    CHECK(!has("res_calc_twopass("));
    free(text);
}

static void test_tables(void)
{
    struct codegen_options all = {.schedule = {true, true, true, true, true, true, true, true},
                                  .predicted = false};
    emit(CODEGEN_OPENMP, all, -1);
    CHECK(has("{\"save_soln_direct\", CLEAVE_FUSED, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_NONE, 0,"));
    CHECK(has("{\"res_calc_fused_colour\", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, "
              "CLEAVE_PLAN_BLOCKS, 0,"));
    CHECK(has("{\"res_calc_split2_colour\", CLEAVE_SPLIT, 2, CLEAVE_RACE_COLOUR, "
              "CLEAVE_PLAN_BLOCKS, 0,"));
    CHECK(has("{\"res_calc_loops_colour\", CLEAVE_LOOPS, 0, CLEAVE_RACE_COLOUR, "
              "CLEAVE_PLAN_BLOCKS, 40,"));
    CHECK(has("{\"res_calc_twopass\", CLEAVE_TWO_PASS, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_POINTS, "
              "40,"));
    CHECK(has("{\"res_calc_owner\", CLEAVE_OWNER_GATHER, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_POINTS, "
              "0,"));
    free(text);
}

/* A kernel whose stages were taken apart is not called, and so not printed; nor is what only it
 * calls. */
static void test_functions(void)
{
    emit(CODEGEN_OPENMP,
         (struct codegen_options){.schedule = {[AT_FUSED] = true}, .predicted = false}, -1);
    CHECK(has("static inline void res_calc_body("));
    CHECK(has("static inline double square_helper("));
    CHECK(has("cleave_table_weight"));
    free(text);
    emit(CODEGEN_OPENMP,
         (struct codegen_options){.schedule = {[AT_SPLIT] = true}, .predicted = false}, -1);
    CHECK(!has("res_calc_body"));
    CHECK(!has("cleave_table_weight"));           /* its values stand in the body */
    CHECK(has("static inline void whole_body(")); /* taken whole */
    free(text);
}

int main(void)
{
    test_wanted();
    test_predicted();
    test_deterministic();
    test_ordered();
    test_copies();
    test_in_place();
    test_comparisons();
    test_ranks();
    test_blocks();
    test_ahead();
    test_nothing_legal();
    test_tables();
    test_functions();
    return CHECK_RESULT();
}
