/* print_back.c: print_back SOURCE c|c++ [flags...]: the program of a source, printed as C.
 *
 * Every function becomes printed_NAME, and every loop's kernel an entry of the table `printed`.
 * Notes and errors go to stderr; the exit status says whether there were errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass/frontend/pass.h"

static const char *printed_name(const struct function *function, void *user)
{
    static char name[4][256];
    static int next;

    (void)user;
    if (function->kind != FUNCTION_USER) {
        return NULL;
    }
    next = (next + 1) % 4;
    snprintf(name[next], sizeof(name[next]), "printed_%s", function->name);
    return name[next];
}

static const struct c_names names = {.function = printed_name};

static void print_records(const struct program *program)
{
    for (int r = 0; r < program->records; r++) {
        const struct record *record = program->record[r];

        printf("%s %s {\n", record->is_union ? "union" : "struct", record->name);
        for (int f = 0; f < record->fields; f++) {
            printf("    ");
            print_c_type(stdout, record->field[f].type, record->field[f].name);
            printf(";\n");
        }
        printf("};\n");
    }
}

static void print_globals(const struct program *program)
{
    for (int g = 0; g < program->globals; g++) {
        const struct var *var = program->global[g];

        printf(var->storage == STORAGE_TABLE ? "static " : "extern ");
        print_c_type(stdout, var->type, var->name);
        if (var->storage == STORAGE_TABLE) {
            printf(" = ");
            print_c_expr(stdout, var->init, &names);
        }
        printf(";\n");
    }
}

/* An opaque text calls functions by their names and itself by the user's: macros rename them. */
static void print_opaque(const struct function *function)
{
    for (int c = 0; c < function->callees; c++) {
        const char *name = function->callee[c]->name;

        if (function->callee[c]->kind == FUNCTION_USER) {
            printf("#define %s printed_%s\n", name, name);
        }
    }
    printf("#define %s printed_%s\n", function->user_name, function->name);
    printf("static %s\n", function->opaque_text);
    printf("#undef %s\n", function->user_name);
    for (int c = 0; c < function->callees; c++) {
        if (function->callee[c]->kind == FUNCTION_USER) {
            printf("#undef %s\n", function->callee[c]->name);
        }
    }
}

static void print_functions(const struct program *program)
{
    for (int f = 0; f < program->functions; f++) {
        const struct function *function = program->function[f];

        if (function->opaque_text != NULL) {
            print_opaque(function);
            continue;
        }
        printf("static ");
        print_c_prototype(stdout, function, &names);
        printf("\n");
        print_c_stmt(stdout, function->body, 0, &names);
        printf("\n");
    }
}

static void print_table(const struct program *program)
{
    printf("extern const struct kernel_entry printed[];\n");
    printf("const struct kernel_entry printed[] = {\n");
    for (int l = 0; l < program->loops; l++) {
        printf("    {\"%s\", printed_%s},\n", program->loop[l].name, program->loop[l].kernel->name);
    }
    printf("    {0, 0}};\n");
}

int main(int argc, char **argv)
{
    struct diag *diag = diag_new(stderr);
    struct pass_options options = {.unit = "0123456789abcdef",
                                   .parse_dir = PARSE_DIR,
                                   .resource_dir = getenv("CLEAVE_CLANG_RESOURCE_DIR")};
    struct program *program;
    bool has_loops;
    int errors;

    if (argc < 3 || diag == NULL) {
        return 2;
    }
    options.source = argv[1];
    options.language = strcmp(argv[2], "c++") == 0 ? LANGUAGE_CXX : LANGUAGE_C;
    options.flags = argc - 3;
    options.flag = (const char *const *)argv + 3;
    program = pass_run(&options, diag, &has_loops);
    errors = diag_errors(diag);
    if (program != NULL) {
        const char *message = loop_ir_check(program);

        if (errors == 0 && message != NULL) {
            fprintf(stderr, "loop_ir_check: %s\n", message);
            errors++;
        }
        printf("#include <math.h>\n#include <stdbool.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
               "#include \"runtime/api/cleave_math.h\"\n#include \"kernels.h\"\n");
        print_records(program);
        print_globals(program);
        print_functions(program);
        print_table(program);
    }
    program_free(program);
    diag_free(diag);
    return errors != 0;
}
