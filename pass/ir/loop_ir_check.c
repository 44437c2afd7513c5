/* loop_ir_check.c: the invariants that loop_ir.h states, for the program's lists and functions;
 * loops are in loop_ir_check_loop.c, bodies in loop_ir_check_tree.c. Runs between stations: what it
 * finds is a fault of the compiler, not of the user.
 */
#include <ctype.h>
#include <string.h>

#include "pass/ir/arena.h"
#include "pass/ir/chain.h"
#include "pass/ir/group.h"
#include "pass/ir/loop_ir_check_impl.h"

/* Letters of other alphabets, in UTF-8, are letters. */
static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_identifier(const char *name)
{
    if (name == NULL || !is_letter(name[0])) {
        return false;
    }
    for (; *name != '\0'; name++) {
        if (!is_letter(*name) && !isdigit((unsigned char)*name)) {
            return false;
        }
    }
    return true;
}

const char *check_name(const struct program *program, const char *name, const char *what)
{
    return is_identifier(name) ? NULL
                               : arena_format(program->arena, "%s '%s': its name is no identifier",
                                              what, name != NULL ? name : "(null)");
}

bool check_lists_global(const struct program *program, const struct var *var)
{
    for (int n = 0; n < program->globals; n++) {
        if (program->global[n] == var) {
            return true;
        }
    }
    return false;
}

static int find_record(const struct program *program, const struct record *record)
{
    for (int n = 0; n < program->records; n++) {
        if (program->record[n] == record) {
            return n;
        }
    }
    return -1;
}

static int find_function(const struct program *program, const struct function *function)
{
    for (int n = 0; n < program->functions; n++) {
        if (program->function[n] == function) {
            return n;
        }
    }
    return -1;
}

const char *check_type(const struct program *program, const struct type *type, const char *what)
{
    struct arena *arena = program->arena;

    while (type != NULL && (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY)) {
        if (type->kind == TYPE_ARRAY && type->count < 1) {
            return arena_format(arena, "'%s': its array type has %ld elements", what, type->count);
        }
        type = type->elem;
    }
    if (type == NULL) {
        return arena_format(arena, "'%s': a pointer or array type has no element type", what);
    }
    if (type->kind == TYPE_RECORD) {
        return type->record != NULL && find_record(program, type->record) >= 0
                   ? NULL
                   : arena_format(arena, "'%s': its record type is not in the program's list",
                                  what);
    }
    return type->kind == TYPE_VOID || type->size > 0
               ? NULL
               : arena_format(arena, "'%s': its type has no size", what);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static const char *check_record(const struct program *program, int number)
{
    const struct record *record = program->record[number];
    const char *message = check_name(program, record->name, "record");

    for (int n = 0; n < number && message == NULL; n++) {
        if (program->record[n] == record || strcmp(program->record[n]->name, record->name) == 0) {
            message = arena_format(program->arena, "record '%s' is listed twice", record->name);
        }
    }
    for (int n = 0; n < record->fields && message == NULL; n++) {
        const struct type *type = record->field[n].type;

        message = check_name(program, record->field[n].name, "field");
        if (message == NULL) {
            message = check_type(program, type, record->field[n].name);
        }
        while (message == NULL && type->kind == TYPE_ARRAY) {
            type = type->elem;
        }
        if (message == NULL && type->kind == TYPE_RECORD &&
            find_record(program, type->record) >= number) {
            message =
                arena_format(program->arena, "record '%s' comes before '%s', which it contains",
                             record->name, type->record->name);
        }
    }
    return message;
}

static const char *check_global(const struct program *program, int number)
{
    const struct var *var = program->global[number];
    const char *message = check_name(program, var->name, "global");

    if (message != NULL) {
        return message;
    }
    for (int n = 0; n < number; n++) {
        if (program->global[n] == var) {
            return arena_format(program->arena, "global '%s' is listed twice", var->name);
        }
    }
    if (var->storage != STORAGE_GLOBAL && var->storage != STORAGE_TABLE) {
        return arena_format(program->arena, "global '%s': its storage is neither GLOBAL nor TABLE",
                            var->name);
    }
    if (var->type == NULL) {
        return arena_format(program->arena, "global '%s' has no type", var->name);
    }
    message = check_type(program, var->type, var->name);
    if (message != NULL || var->storage == STORAGE_GLOBAL) {
        return message;
    }
    if (var->init == NULL) {
        return arena_format(program->arena, "table '%s' has no value", var->name);
    }
    return check_table(program, var);
}

/* ---- functions ------------------------------------------------------------------------------- */

static const char *check_params(const struct program *program, const struct function *function)
{
    const char *message = NULL;

    for (int n = 0; n < function->params && message == NULL; n++) {
        const struct var *param = function->param[n];

        if (param->storage != STORAGE_PARAM || param->index != n || param->init != NULL) {
            return arena_format(program->arena,
                                "function '%s': parameter %d has storage PARAM, its position as "
                                "index and no initialiser",
                                function->name, n);
        }
        if (param->type == NULL) {
            return arena_format(program->arena, "function '%s': parameter %d has no type",
                                function->name, n);
        }
        if (function->kind == FUNCTION_USER) {
            message = check_name(program, param->name, "parameter");
        }
        for (int k = 0; k < n && message == NULL && function->kind == FUNCTION_USER; k++) {
            if (strcmp(function->param[k]->name, param->name) == 0) {
                message = arena_format(program->arena, "function '%s' has two parameters '%s'",
                                       function->name, param->name);
            }
        }
        if (message == NULL) {
            message = check_type(program, param->type, function->name);
        }
    }
    return message;
}

struct call_search {
    const struct function *callee;
    bool found;
};

static void find_call(struct expr *expr, void *user)
{
    struct call_search *search = user;

    search->found |= expr->kind == EXPR_CALL && expr->callee == search->callee;
}

/* Whether the function calls the callee. A function that is text counts as calling it: texts are
 * not searched. */
static bool calls(const struct function *function, const struct function *callee)
{
    struct call_search search = {callee, function->body == NULL};

    stmt_visit(function->body, NULL, find_call, &search);
    return search.found;
}

/* A library function that no target has: only sequential loops call it, so no list contains it. */
static bool is_unknown(const struct function *function)
{
    return function->body == NULL && function->opaque_text == NULL;
}

static const char *check_callees(const struct program *program, int number)
{
    const struct function *function = program->function[number];

    for (int n = 0; n < function->callees; n++) {
        const struct function *callee = function->callee[n];
        int place = find_function(program, callee);

        for (int k = 0; k < n; k++) {
            if (function->callee[k] == callee) {
                return arena_format(program->arena, "function '%s' lists callee '%s' twice",
                                    function->name, callee->name);
            }
        }
        if (place < 0 && callee->kind == FUNCTION_USER && !is_unknown(callee)) {
            return arena_format(program->arena, "function '%s', called by '%s', is not listed",
                                callee->name, function->name);
        }
        if (place >= number) {
            return arena_format(program->arena, "function '%s' comes before '%s', which it calls",
                                function->name, callee->name);
        }
        if (!calls(function, callee)) {
            return arena_format(program->arena,
                                "function '%s' lists callee '%s' but calls it nowhere",
                                function->name, callee->name);
        }
    }
    return NULL;
}

static const char *check_function_globals(const struct program *program,
                                          const struct function *function)
{
    for (int n = 0; n < function->globals; n++) {
        const struct var *var = function->global[n];

        for (int k = 0; k < n; k++) {
            if (function->global[k] == var) {
                return arena_format(program->arena, "function '%s' lists global '%s' twice",
                                    function->name, var->name);
            }
        }
        if (!check_lists_global(program, var)) {
            return arena_format(program->arena, "global '%s', used by '%s', is not listed",
                                var->name, function->name);
        }
    }
    return NULL;
}

/* Math functions may have a qualified name: std::max. */
static const char *check_function_name(const struct program *program, int number)
{
    const struct function *function = program->function[number];

    for (int n = 0; n < number; n++) {
        if (program->function[n] == function) {
            return arena_format(program->arena, "function '%s' is listed twice", function->name);
        }
        if (function->kind == FUNCTION_USER &&
            strcmp(program->function[n]->name, function->name) == 0) {
            return arena_format(program->arena, "two functions have the name '%s'", function->name);
        }
    }
    return function->kind == FUNCTION_USER ? check_name(program, function->name, "function") : NULL;
}

static const char *check_function(const struct program *program, int number)
{
    const struct function *function = program->function[number];
    int bodies = (function->body != NULL) + (function->opaque_text != NULL);
    const char *message;

    if (function->name == NULL || function->user_name == NULL || function->result == NULL) {
        return arena_format(program->arena, "function %d has no name or no result type", number);
    }
    message = check_function_name(program, number);
    if (message == NULL && bodies != (function->kind == FUNCTION_USER ? 1 : 0)) {
        message =
            arena_format(program->arena,
                         "function '%s': a user's function has either a tree or a text, others "
                         "have none",
                         function->name);
    }
    if (message == NULL) {
        message = check_type(program, function->result, function->name);
    }
    if (message == NULL) {
        message = check_params(program, function);
    }
    if (message == NULL) {
        message = check_callees(program, number);
    }
    if (message == NULL) {
        message = check_function_globals(program, function);
    }
    if (message == NULL && function->body != NULL) {
        message = check_body(program, function);
    }
    return message;
}

/* ---- the program ----------------------------------------------------------------------------- */

const char *loop_ir_check(const struct program *program)
{
    const char *message = NULL;

    if (program->source == NULL || program->unit == NULL) {
        return arena_format(program->arena, "the program has a source and a unit");
    }
    for (int n = 0; n < program->records && message == NULL; n++) {
        message = check_record(program, n);
    }
    for (int n = 0; n < program->globals && message == NULL; n++) {
        message = check_global(program, n);
    }
    for (int n = 0; n < program->functions && message == NULL; n++) {
        message = check_function(program, n);
    }
    for (int n = 0; n < program->loops && message == NULL; n++) {
        message = check_loop(program, n);
    }
    message = message == NULL ? chain_check(program) : message;
    return message != NULL ? message : group_check(program);
}
