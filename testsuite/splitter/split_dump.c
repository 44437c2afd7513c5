/* split_dump.c: split_dump SOURCE [--loops|--graph|--dot|--stages|--explain|--groups]...
 * [--fuse|--gather] [parse flags]: what the front end and the splitter make of a source, with the
 * checks between.
 * --fuse: and groups of loops; --gather: also those that gather. Exit 1 on errors or a broken rule.
 */
#include <stdlib.h>
#include <string.h>

#include "pass/frontend/pass.h"
#include "pass/ir/group.h"
#include "splitter/splitter.h"

static const struct {
    const char *flag;
    void (*print)(FILE *out, const struct program *program);
} dump[] = {
    {"--loops", loop_ir_print},   {"--graph", splitter_print_graph}, {"--dot", splitter_print_dot},
    {"--stages", splitter_print}, {"--explain", splitter_explain},   {"--groups", group_print},
};
enum { DUMPS = sizeof dump / sizeof dump[0] };

static int broken(const char *station, const char *rule)
{
    if (rule != NULL) {
        fprintf(stderr, "split_dump: %s: %s\n", station, rule);
    }
    return rule != NULL;
}

static int run(struct program *program, const bool *wanted, const struct splitter_options *options)
{

    if (broken("front end", loop_ir_check(program))) {
        return 1;
    }
    splitter_run(program, options);
    for (int d = 0; d < DUMPS; d++) {
        if (wanted[d]) {
            dump[d].print(stdout, program);
        }
    }
    int failed = broken("splitter", loop_ir_check(program));
    failed = broken("splitter", splitter_check_graphs(program)) || failed;
    return broken("splitter", splitter_check(program)) || failed;
}

int main(int argc, char **argv)
{
    const char *flag[64];
    bool wanted[DUMPS] = {false};
    bool has_loops;
    struct splitter_options split = {0};
    struct pass_options options = {.resource_dir = getenv("CLEAVE_CLANG_RESOURCE_DIR"),
                                   .source = argv[1],
                                   .flag = flag,
                                   .unit = "0123456789abcdef",
                                   .include_dir = RUNTIME_DIR,
                                   .parse_dir = PARSE_DIR};
    const char *dot = argc > 1 ? strrchr(argv[1], '.') : NULL;
    options.language = dot != NULL && strcmp(dot, ".c") != 0 ? LANGUAGE_CXX : LANGUAGE_C;
    flag[options.flags++] = "-I" RUNTIME_DIR;
    for (int a = 2; a < argc; a++) {
        bool is_gather = strcmp(argv[a], "--gather") == 0;
        bool is_dump = strcmp(argv[a], "--fuse") == 0 || is_gather;

        split.fuse = split.fuse || is_dump;
        split.gather = split.gather || is_gather;
        for (int d = 0; d < DUMPS; d++) {
            is_dump = is_dump || strcmp(argv[a], dump[d].flag) == 0;
            wanted[d] = wanted[d] || strcmp(argv[a], dump[d].flag) == 0;
        }
        if (!is_dump && options.flags < 64) {
            flag[options.flags++] = argv[a];
        }
    }
    struct diag *diag = diag_new(stderr);
    struct program *program = argc > 1 ? pass_run(&options, diag, &has_loops) : NULL;
    if (program == NULL || diag_errors(diag) > 0) {
        return 1;
    }
    int code = run(program, wanted, &split);
    program_free(program);
    diag_free(diag);
    return code;
}
