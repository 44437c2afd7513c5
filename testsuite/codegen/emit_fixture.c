/* emit_fixture.c: prints what codegen/ makes of the fixture: emit_fixture TARGET SCHEDULES LANGUAGE
 * [LOOPS], as in `emit_fixture cuda split c`. LOOPS: only that many of the first loops. The shell
 * tests compare and compile its output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/codegen.h"
#include "fixture.h"
#include "pass/arena.h"
#include "splitter/splitter.h"

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: emit_fixture openmp|cuda|stages fused|split|all c|c++ [LOOPS]\n");
        return 2;
    }
    struct codegen_options options = {strcmp(argv[2], "split") != 0, strcmp(argv[2], "fused") != 0};
    struct program *program =
        fixture_program(strcmp(argv[3], "c") == 0 ? LANGUAGE_C : LANGUAGE_CXX);
    int status = 0;
    program->loops = argc == 5 ? atoi(argv[4]) : program->loops;
    splitter_run(program);
    const char *broken = splitter_check(program);
    if (broken != NULL) {
        fprintf(stderr, "%s\n", broken);
        status = 1;
    } else if (strcmp(argv[1], "stages") == 0) {
        splitter_print(stdout, program);
    } else {
        status =
            codegen_emit(stdout, program,
                         strcmp(argv[1], "cuda") == 0 ? CODEGEN_CUDA : CODEGEN_OPENMP, &options);
    }
    arena_free(program->arena);
    return status != 0;
}
