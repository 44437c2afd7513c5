/* emit_fixture.c: prints what codegen/ makes of the fixture: emit_fixture TARGET SCHEDULES LANGUAGE, as in
 * `emit_fixture cuda split,split2 c`. The shell tests compile its output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/codegen.h"
#include "fixture.h"
#include "pass/ir/arena.h"
#include "pass/ir/chain.h"
#include "splitter/splitter.h"

/* Words as schedule_word() has them, "all", "predicted", or "soa": all dats as structures of
 * arrays. */
static struct codegen_options options_of(char *words)
{
    static const char *const name[SCHEDULES] = {
        [AT_FUSED] = "fused",      [AT_SPLIT] = "split",        [AT_SPLIT + 1] = "split2",
        [AT_SPLIT + 2] = "split3", [AT_SPLIT + 3] = "split4",   [AT_LOOPS] = "loops",
        [AT_TWO_PASS] = "twopass", [AT_OWNER_GATHER] = "owner",
    };
    struct codegen_options options = {.predicted = false};
    for (char *word = strtok(words, ","); word != NULL; word = strtok(NULL, ",")) {
        bool known = strcmp(word, "predicted") == 0;
        options.predicted = options.predicted || known;
        options.comparisons = options.comparisons || strcmp(word, "all") == 0;
        options.soa = strcmp(word, "soa") == 0 ? CODEGEN_SOA_ALL : options.soa;
        known = known || strcmp(word, "soa") == 0;
        for (int s = 0; s < SCHEDULES; s++) {
            bool meant = strcmp(word, "all") == 0 || strcmp(word, name[s]) == 0;
            options.schedule[s] = options.schedule[s] || meant;
            known = known || meant;
        }
        if (!known) {
            fprintf(stderr, "emit_fixture: no schedule is called '%s'\n", word);
            exit(2);
        }
    }
    return options;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: emit_fixture openmp|cuda|stages SCHEDULES c|c++\n");
        return 2;
    }
    struct codegen_options options = options_of(argv[2]);
    struct program *program =
        fixture_program(strcmp(argv[3], "c") == 0 ? LANGUAGE_C : LANGUAGE_CXX);
    int status = 0;
    chain_add_loose(program);
    splitter_run(program, NULL);
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
