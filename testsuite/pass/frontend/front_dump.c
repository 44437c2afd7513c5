/* front_dump.c: front_dump SOURCE [flags...]: what the front end makes of a source, in short.
 *
 * Diagnostics go to stderr, loops and functions to stdout; the exit status is 1 with errors. A
 * source that ends in .cpp is read as C++. The flag --warn accepts access errors as warnings, --host says
 * that no device code is compiled. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass/frontend/pass.h"

static void print_loop(const struct loop *loop)
{
    printf("loop %s \"%s\" kernel %s set \"%s\"\n", loop->id, loop->name,
           loop->kernel != NULL ? loop->kernel->name : "-", loop->set_text);
    printf("  at %s:%d:%d\n", loop->loc.file, loop->loc.line, loop->loc.column);
    printf("  call %s\n  signature %s\n", loop->call_text, loop->signature);
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];

        printf("  arg %d at %d:%d \"%s\" map \"%s\"\n", a, arg->loc.line, arg->loc.column,
               arg->dat_text, arg->map_text != NULL ? arg->map_text : "");
    }
    if (loop->sequential_reason != NULL) {
        printf("  sequential: %s\n", loop->sequential_reason);
    }
}

static void print_program(const struct program *program)
{
    const char *message = loop_ir_check(program);

    for (int f = 0; f < program->functions; f++) {
        const struct function *function = program->function[f];

        printf("function %s (%s) %s\n", function->name, function->user_name,
               function->body != NULL ? "tree" : "text");
    }
    for (int g = 0; g < program->globals; g++) {
        const struct var *var = program->global[g];

        printf("%s %s%s\n", var->storage == STORAGE_TABLE ? "table" : "global", var->name,
               var->is_external ? " external" : "");
    }
    for (int r = 0; r < program->records; r++) {
        printf("record %s\n", program->record[r]->name);
    }
    for (int l = 0; l < program->loops; l++) {
        print_loop(&program->loop[l]);
    }
    printf("check: %s\n", message != NULL ? message : "ok");
}

int main(int argc, char **argv)
{
    struct diag *diag = diag_new(stderr);
    struct pass_options options = {.unit = "0123456789abcdef",
                                   .parse_dir = PARSE_DIR,
                                   .resource_dir = getenv("CLEAVE_CLANG_RESOURCE_DIR")};
    const char *flags[64];
    struct program *program;
    bool has_loops;
    int errors;

    if (argc < 2 || argc > 64 || diag == NULL) {
        return 2;
    }
    options.source = argv[1];
    options.language = strstr(argv[1], ".cpp") != NULL ? LANGUAGE_CXX : LANGUAGE_C;
    options.flag = flags;
    for (int a = 2; a < argc; a++) {
        if (strcmp(argv[a], "--warn") == 0) {
            diag_access_as_warnings(diag);
        } else if (strcmp(argv[a], "--host") == 0) {
            diag_host_only(diag);
        } else {
            flags[options.flags++] = argv[a];
        }
    }
    program = pass_run(&options, diag, &has_loops);
    errors = diag_errors(diag);
    if (!has_loops) {
        printf("no loops\n");
    }
    if (program != NULL && errors == 0) {
        print_program(program);
    }
    program_free(program);
    diag_free(diag);
    return errors != 0;
}
