/* names.c: how the user's names are spelled in generated code.
 *
 * A kernel res_calc becomes res_calc_body, a helper f becomes f_helper, a constant gam becomes
 * cleave_constant_gam, a table w becomes cleave_table_w: so none meets a name of the C library's,
 * of CUDA's or of ours. Parameters, locals and fields keep their names, but for words that C++
 * reserves and C does not, and for letters beyond ASCII, which nvcc does not take in all names.
 */
#include <ctype.h>
#include <string.h>

#include "codegen/emit.h"
#include "pass/ir/arena.h"

bool name_is_identifier(const char *text)
{
    if (!isalpha((unsigned char)text[0]) && text[0] != '_') {
        return false;
    }
    for (const char *c = text; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && *c != '_') {
            return false;
        }
    }
    return true;
}

/* Each byte beyond ASCII becomes its number. */
static const char *in_ascii(const struct program *program, const char *name)
{
    const char *ascii = "";
    for (; *name != '\0'; name++) {
        ascii = arena_format(program->arena, (unsigned char)*name < 0x80 ? "%s%c" : "%s_x%02x",
                             ascii, (unsigned char)*name);
    }
    return ascii;
}

const char *names_free(const struct program *program, const char *name)
{
    for (const char *c = name; c != NULL && *c != '\0'; c++) {
        if ((unsigned char)*c >= 0x80) {
            return in_ascii(program, name);
        }
    }
    if (name != NULL && program->language == LANGUAGE_C && is_cxx_keyword(name, strlen(name))) {
        return arena_format(program->arena, "cleave_user_%s", name);
    }
    return name;
}

/* Names that begin as ours do are the user's too. */
static const char *free_local(const struct program *program, const char *name)
{
    bool ours = name != NULL && strncmp(name, "cleave_", strlen("cleave_")) == 0;
    return ours ? arena_format(program->arena, "cleave_user_%s", name) : names_free(program, name);
}

static void free_member(struct expr *expr, void *user)
{
    if (expr->kind == EXPR_MEMBER) {
        expr->text = names_free(user, expr->text);
    }
}

static void free_members_of_stages(const struct program *program, const struct loop *loop)
{
    for (int s = 0; s < loop->schedules; s++) {
        for (int t = 0; t < loop->schedule[s].stages; t++) {
            stmt_visit(loop->schedule[s].stage[t].body, NULL, free_member, (void *)program);
        }
    }
}

void names_free_fields(const struct program *program)
{
    for (int r = 0; r < program->records; r++) {
        for (int f = 0; f < program->record[r]->fields; f++) {
            struct field *field = &program->record[r]->field[f];
            field->name = names_free(program, field->name);
        }
    }
    for (int f = 0; f < program->functions; f++) {
        stmt_visit(program->function[f]->body, NULL, free_member, (void *)program);
    }
    for (int l = 0; l < program->loops; l++) {
        free_members_of_stages(program, &program->loop[l]);
    }
}

int program_function_index(const struct program *program, const struct function *function)
{
    for (int f = 0; f < program->functions; f++) {
        if (program->function[f] == function) {
            return f;
        }
    }
    return -1;
}

int program_global_index(const struct program *program, const struct var *var)
{
    for (int g = 0; g < program->globals; g++) {
        if (program->global[g] == var) {
            return g;
        }
    }
    return -1;
}

const char *names_function(const struct function *function, void *user)
{
    struct emit *emit = user;
    if (function->kind != FUNCTION_USER) {
        return function->name;
    }
    for (int l = 0; l < emit->file->program->loops; l++) {
        if (emit->file->program->loop[l].kernel == function) {
            return emit_format(emit, "%s_body", function->name);
        }
    }
    return emit_format(emit, "%s_helper", function->name);
}

/* Globals of equal name (of two scopes) are told apart by their number. */
const char *names_global(struct emit *emit, const struct var *var)
{
    const char *kind = var->storage == STORAGE_TABLE ? "table" : "constant";
    int index = program_global_index(emit->file->program, var);
    bool unique = name_is_identifier(var->name);
    for (int g = 0; g < emit->file->program->globals; g++) {
        unique =
            unique && (g == index || strcmp(emit->file->program->global[g]->name, var->name) != 0);
    }
    return unique ? emit_format(emit, "cleave_%s_%s", kind, var->name)
                  : emit_format(emit, "cleave_%s_%d", kind, index);
}

const char *names_var(const struct var *var, void *user)
{
    struct emit *emit = user;
    if (var->storage == STORAGE_GLOBAL || var->storage == STORAGE_TABLE) {
        return names_global(emit, var);
    }
    return free_local(emit->file->program, var->name);
}
