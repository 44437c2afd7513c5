/* refusals.c: what the front end never hands on, and what code generation refuses all the same: the tables say why, and
 * kernels are not printed. patterns/refused.c has the loops that a source can bring here. */
#include <stdlib.h>

#include "check.h"
#include "codegen/codegen.h"
#include "fixture.h"
#include "pass/ir/arena.h"
#include "pass/ir/chain.h"
#include "splitter/splitter.h"

static char *emitted(struct program *program, enum codegen_target target)
{
    struct codegen_options options = {.schedule = {[AT_FUSED] = true, [AT_SPLIT] = true},
                                      .predicted = false};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    chain_add_loose(program);
    splitter_run(program, NULL);
    CHECK(splitter_check(program) == NULL);
    CHECK(codegen_emit(file, program, target, &options) == 0);
    fclose(file);
    return text;
}

static void check_reason(struct program *program, enum codegen_target target, const char *reason,
                         const char *kernel)
{
    char *text = emitted(program, target);
    CHECK(strstr(text, reason) != NULL);
    CHECK(strstr(text, kernel) == NULL);
    free(text);
    arena_free(program->arena);
}

static void test_dimension(void)
{
    struct program *program = fixture_program(LANGUAGE_C);
    program->loop[LOOP_SAVE].arg[0].dim = -1;
    check_reason(program, CODEGEN_OPENMP,
                 "\"the dimension of 'q' is not known when it is compiled\"", "save_soln_body");
}

static void test_global_write(void)
{
    struct program *program = fixture_program(LANGUAGE_C);
    program->loop[LOOP_UPDATE].arg[3].access = ACCESS_RW;
    check_reason(program, CODEGEN_CUDA, "\"the global '&rms' is OP_RW\"", "update_body");
}

static void test_info(void)
{
    struct program *program = fixture_program(LANGUAGE_C);
    program->loop[LOOP_UPDATE].arg[2].kind = ARG_INFO;
    check_reason(program, CODEGEN_OPENMP, "\"a loop with op_arg_info runs sequentially\"",
                 "update_body");
}

static void test_names(void)
{
    struct program *program = fixture_program(LANGUAGE_CXX);
    CHECK_TEXT(codegen_registration_symbol(CODEGEN_CUDA), "cleave_unit_cuda");
    CHECK_TEXT(codegen_suffix(CODEGEN_OPENMP, LANGUAGE_C), ".cleave.c");
    CHECK_TEXT(codegen_suffix(CODEGEN_OPENMP, LANGUAGE_CXX), ".cleave.cpp");
    CHECK_TEXT(codegen_suffix(CODEGEN_CUDA, LANGUAGE_C), ".cleave.cu");
    arena_free(program->arena);
}

int main(void)
{
    test_dimension();
    test_global_write();
    test_info();
    test_names();
    return CHECK_RESULT();
}
