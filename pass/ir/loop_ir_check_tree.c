/* loop_ir_check_tree.c: the invariants of statements and expressions. See loop_ir_check_impl.h. */
#include "pass/ir/arena.h"
#include "pass/ir/loop_ir_check_impl.h"

struct tree {
    const struct program *program;
    const struct function *function; /* NULL in a table's initialiser */
    const struct loop *loop;         /* in the body of a stage, else NULL */
    const struct schedule *schedule; /* the stage's */
    const char *owner;               /* its name, for messages */
    int loops;                       /* loops around the statement */
    int switches;                    /* switches around it */
    int locals;                      /* declared so far */
    int capacity;
    const struct var **local;
};

static const char *const expr_name[] = {
    "INT",  "FLOAT", "STRING", "VAR",  "UNARY", "BINARY", "ASSIGN",
    "COND", "INDEX", "MEMBER", "CALL", "CAST",  "INIT",   "PLACE",
};
static const char *const stmt_name[] = {
    "EXPR",   "DECL",  "BLOCK",    "IF",      "FOR",    "WHILE", "DO",
    "RETURN", "BREAK", "CONTINUE", "NOTHING", "SWITCH", "CASE",
};

static const char *expr_message(const struct tree *tree, const struct expr *expr, const char *rule)
{
    return arena_format(tree->program->arena, "'%s', %d:%d: EXPR_%s: %s", tree->owner,
                        expr->loc.line, expr->loc.column, expr_name[expr->kind], rule);
}

static const char *stmt_message(const struct tree *tree, const struct stmt *stmt, const char *rule)
{
    return arena_format(tree->program->arena, "'%s', %d:%d: STMT_%s: %s", tree->owner,
                        stmt->loc.line, stmt->loc.column, stmt_name[stmt->kind], rule);
}

static bool is_arithmetic(const struct type *type)
{
    return type_is_integer(type) || type_is_floating(type);
}

static bool is_address(const struct type *type)
{
    return type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY;
}

static bool is_listed(const struct function *callee, const struct function *caller)
{
    for (int n = 0; n < caller->callees; n++) {
        if (caller->callee[n] == callee) {
            return true;
        }
    }
    return false;
}

static bool is_crossing(const struct schedule *schedule, const struct var *var)
{
    for (int n = 0; schedule != NULL && n < schedule->crossings; n++) {
        if (schedule->crossing[n] == var) {
            return true;
        }
    }
    return false;
}

/* A stage contains the code of its helpers, so it uses their globals and callees too. */
static bool may_use_global(const struct tree *tree, const struct var *var)
{
    if (tree->function == NULL || tree->loop != NULL) {
        return check_lists_global(tree->program, var);
    }
    for (int n = 0; n < tree->function->globals; n++) {
        if (tree->function->global[n] == var) {
            return true;
        }
    }
    return false;
}

static bool may_call(const struct tree *tree, const struct function *callee)
{
    if (tree->loop == NULL) {
        return tree->function != NULL && is_listed(callee, tree->function);
    }
    for (int n = 0; n < tree->program->functions; n++) {
        if (tree->program->function[n] == callee) {
            return true;
        }
    }
    return callee->kind != FUNCTION_USER;
}

static const char *check_var(const struct tree *tree, const struct expr *expr)
{
    const struct function *function = tree->function;
    const struct var *var = expr->var;
    const char *rule = "its local variable is declared nowhere before it";

    if (var == NULL) {
        return expr_message(tree, expr, "names no variable");
    }
    switch (var->storage) {
    case STORAGE_PARAM:
        if (function != NULL && var->index >= 0 && var->index < function->params &&
            function->param[var->index] == var) {
            return NULL;
        }
        rule = "its parameter is not one of this function";
        break;
    case STORAGE_LOCAL:
        for (int n = 0; n < tree->locals; n++) {
            if (tree->local[n] == var) {
                return NULL;
            }
        }
        if (is_crossing(tree->schedule, var)) {
            return NULL;
        }
        break;
    default:
        if (may_use_global(tree, var)) {
            return NULL;
        }
        rule = "its global is not in the function's list";
        break;
    }
    return expr_message(
        tree, expr,
        arena_format(tree->program->arena, "'%s': %s", var->name != NULL ? var->name : "?", rule));
}

static const char *check_call(const struct tree *tree, const struct expr *expr)
{
    const struct function *callee = expr->callee;

    if (callee == NULL) {
        return expr_message(tree, expr, "has no callee");
    }
    if (!may_call(tree, callee)) {
        return expr_message(tree, expr, "its callee is not in the function's list");
    }
    if (callee->kind == FUNCTION_USER && expr->kids != callee->params) {
        return expr_message(tree, expr, "as many arguments as the callee has parameters");
    }
    return NULL;
}

/* Operands are converted by EXPR_CAST nodes, so both sides of these have one type. */
static bool needs_equal_types(const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_BINARY:
        return expr->binary != BINARY_COMMA && expr->binary != BINARY_LAND &&
               expr->binary != BINARY_LOR && expr->binary != BINARY_SHL &&
               expr->binary != BINARY_SHR;
    case EXPR_ASSIGN:
        return !expr->compound;
    default:
        return false;
    }
}

static bool has_field(const struct record *record, const char *name)
{
    for (int n = 0; n < record->fields; n++) {
        const char *field = record->field[n].name;
        int k = 0;

        while (field[k] != '\0' && field[k] == name[k]) {
            k++;
        }
        if (field[k] == name[k]) {
            return true;
        }
    }
    return false;
}

static const char *check_member(const struct tree *tree, const struct expr *expr)
{
    const struct type *type = expr->kid[0]->type;

    if (type->kind == TYPE_POINTER) {
        type = type->elem;
    }
    if (type->kind != TYPE_RECORD || type->record == NULL || expr->text == NULL) {
        return expr_message(tree, expr, "its operand is a record or points to one");
    }
    return has_field(type->record, expr->text)
               ? NULL
               : expr_message(tree, expr, "the record has no such field");
}

static const char *check_place(const struct tree *tree, const struct expr *expr)
{
    const struct place *place = &expr->place;
    const struct arg *arg;

    if (tree->loop == NULL) {
        return expr_message(tree, expr, "stands in the body of a stage only");
    }
    if (place->arg < 0 || place->arg >= tree->loop->args ||
        expr->var != tree->function->param[place->arg]) {
        return expr_message(tree, expr, "its argument is the one of its parameter");
    }
    arg = &tree->loop->arg[place->arg];
    if (place->column < 0 || place->column >= arg->columns || place->component < 0 ||
        (arg->dim > 0 && place->component >= arg->dim)) {
        return expr_message(tree, expr, "its argument has such a column and component");
    }
    return NULL;
}

static const char *check_kind(const struct tree *tree, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_INT:
        return type_is_integer(expr->type) || expr->type->kind == TYPE_POINTER
                   ? NULL
                   : expr_message(tree, expr, "has an integer type");
    case EXPR_FLOAT:
        if (!type_is_floating(expr->type)) {
            return expr_message(tree, expr, "has a floating type");
        }
        return expr->type->kind == TYPE_FLOAT && expr->value == expr->value &&
                       (double)(float)expr->value != expr->value
                   ? expr_message(tree, expr, "its value is exact for its type")
                   : NULL;
    case EXPR_STRING:
        return expr->text != NULL ? NULL : expr_message(tree, expr, "has a text");
    case EXPR_VAR:
        return check_var(tree, expr);
    case EXPR_UNARY:
        return expr->unary == UNARY_DEREF && !is_address(expr->kid[0]->type)
                   ? expr_message(tree, expr, "dereferences a pointer or an array")
                   : NULL;
    case EXPR_INDEX:
        return is_address(expr->kid[0]->type) && type_is_integer(expr->kid[1]->type)
                   ? NULL
                   : expr_message(tree, expr, "subscripts a pointer or an array with an integer");
    case EXPR_MEMBER:
        return check_member(tree, expr);
    case EXPR_CALL:
        return check_call(tree, expr);
    case EXPR_PLACE:
        return check_place(tree, expr);
    case EXPR_ASSIGN:
        if (expr->compound && expr->compute == NULL) {
            return expr_message(tree, expr, "a compound assignment has a compute type");
        }
        break;
    default:
        break;
    }
    if (needs_equal_types(expr) && is_arithmetic(expr->kid[0]->type) &&
        is_arithmetic(expr->kid[1]->type) && !type_same(expr->kid[0]->type, expr->kid[1]->type)) {
        return expr_message(tree, expr, "both operands have one type: conversions are EXPR_CAST");
    }
    return NULL;
}

static const char *check_expr(const struct tree *tree, const struct expr *expr)
{
    static const int kids[] = {
        [EXPR_INT] = 0,   [EXPR_FLOAT] = 0,  [EXPR_STRING] = 0, [EXPR_VAR] = 0,
        [EXPR_UNARY] = 1, [EXPR_BINARY] = 2, [EXPR_ASSIGN] = 2, [EXPR_COND] = 3,
        [EXPR_INDEX] = 2, [EXPR_MEMBER] = 1, [EXPR_CALL] = -1,  [EXPR_CAST] = 1,
        [EXPR_INIT] = -1, [EXPR_PLACE] = 0,
    };
    const char *message;

    if (expr == NULL) {
        return arena_format(tree->program->arena, "'%s': a missing expression", tree->owner);
    }
    if (kids[expr->kind] >= 0 && expr->kids != kids[expr->kind]) {
        return expr_message(tree, expr,
                            arena_format(tree->program->arena, "has %d operands, needs %d",
                                         expr->kids, kids[expr->kind]));
    }
    if (expr->type == NULL) {
        return expr_message(tree, expr, "has no type");
    }
    message = check_type(tree->program, expr->type, tree->owner);
    for (int k = 0; k < expr->kids && message == NULL; k++) {
        message = check_expr(tree, expr->kid[k]);
    }
    return message != NULL ? message : check_kind(tree, expr);
}

static const char *check_decl(struct tree *tree, const struct stmt *stmt)
{
    const struct var *var = stmt->var;
    const char *message;

    if (var == NULL || var->storage != STORAGE_LOCAL) {
        return stmt_message(tree, stmt, "declares a local variable");
    }
    message = check_name(tree->program, var->name, "local variable");
    if (message == NULL && var->type == NULL) {
        message = stmt_message(tree, stmt, "its variable has no type");
    }
    if (message == NULL) {
        message = check_type(tree->program, var->type, var->name);
    }
    if (message != NULL) {
        return message;
    }
    for (int n = 0; n < tree->locals; n++) {
        if (tree->local[n] == var) {
            return stmt_message(tree, stmt, "declares a variable that was declared before");
        }
    }
    tree->local = arena_grow(tree->program->arena, tree->local, tree->locals, &tree->capacity,
                             sizeof(*tree->local));
    tree->local[tree->locals++] = var;
    return var->init != NULL ? check_expr(tree, var->init) : NULL;
}

static const char *check_shape(const struct tree *tree, const struct stmt *stmt)
{
    static const struct {
        int least_kids;
        int most_kids;
        bool has_expr;
    } shape[] = {
        [STMT_EXPR] = {0, 0, true},     [STMT_DECL] = {0, 0, false},
        [STMT_BLOCK] = {0, -1, false},  [STMT_IF] = {1, 2, true},
        [STMT_FOR] = {2, 2, false},     [STMT_WHILE] = {1, 1, true},
        [STMT_DO] = {1, 1, true},       [STMT_RETURN] = {0, 0, false},
        [STMT_BREAK] = {0, 0, false},   [STMT_CONTINUE] = {0, 0, false},
        [STMT_NOTHING] = {0, 0, false}, [STMT_SWITCH] = {1, 1, true},
        [STMT_CASE] = {0, 0, false},
    };
    int most = shape[stmt->kind].most_kids;

    if (stmt->kids < shape[stmt->kind].least_kids || (most >= 0 && stmt->kids > most)) {
        return stmt_message(
            tree, stmt,
            arena_format(tree->program->arena, "has %d statements below it", stmt->kids));
    }
    if (shape[stmt->kind].has_expr && stmt->expr == NULL) {
        return stmt_message(tree, stmt, "has no expression");
    }
    if ((stmt->kind == STMT_CONTINUE && tree->loops == 0) ||
        (stmt->kind == STMT_BREAK && tree->loops + tree->switches == 0)) {
        return stmt_message(tree, stmt, "stands in a loop");
    }
    return NULL;
}

/* The values of a label are constants. */
static const char *check_label(const struct tree *tree, const struct stmt *stmt)
{
    const struct expr *bound[] = {stmt->expr, stmt->step};

    for (int b = 0; b < 2; b++) {
        if (bound[b] != NULL && bound[b]->kind != EXPR_INT) {
            return stmt_message(tree, stmt, "its value is a constant");
        }
    }
    return stmt->expr == NULL && stmt->step != NULL ? stmt_message(tree, stmt, "has no first value")
                                                    : NULL;
}

static const char *check_stmt(struct tree *tree, const struct stmt *stmt);

static const char *check_switch(struct tree *tree, const struct stmt *stmt)
{
    const struct stmt *block = stmt->kid[0];
    const char *message = NULL;

    if (block == NULL || block->kind != STMT_BLOCK || !type_is_integer(stmt->expr->type)) {
        return stmt_message(tree, stmt, "has an integer and a block");
    }
    tree->switches++;
    for (int k = 0; k < block->kids && message == NULL; k++) {
        const struct stmt *kid = block->kid[k];

        message =
            kid != NULL && kid->kind == STMT_CASE ? check_label(tree, kid) : check_stmt(tree, kid);
        if (message == NULL && kid->kind == STMT_CASE && kid->expr != NULL &&
            !type_same(kid->expr->type, stmt->expr->type)) {
            message = stmt_message(tree, kid, "its value has the type of the switch");
        }
    }
    tree->switches--;
    return message != NULL ? message : check_expr(tree, stmt->expr);
}

static const char *check_for_start(const struct tree *tree, const struct stmt *stmt)
{
    const struct stmt *start = stmt->kid[0];
    bool is_right = start->kind == STMT_DECL || start->kind == STMT_EXPR ||
                    start->kind == STMT_NOTHING || start->kind == STMT_BLOCK;

    for (int k = 0; start->kind == STMT_BLOCK && k < start->kids; k++) {
        is_right &= start->kid[k]->kind == STMT_DECL;
    }
    return is_right
               ? NULL
               : stmt_message(tree, stmt, "starts with declarations, an expression or nothing");
}

static const char *check_return(const struct tree *tree, const struct stmt *stmt)
{
    const struct type *result = tree->function->result;

    if (tree->loop != NULL) {
        return stmt_message(tree, stmt, "stands in no stage");
    }
    if (result->kind == TYPE_VOID) {
        return stmt->expr == NULL || stmt->expr->type->kind == TYPE_VOID
                   ? NULL
                   : stmt_message(tree, stmt, "a function without result returns no value");
    }
    if (stmt->expr == NULL) {
        return stmt_message(tree, stmt, "returns a value");
    }
    return is_arithmetic(result) && !type_same(result, stmt->expr->type)
               ? stmt_message(tree, stmt,
                              "its value has the function's type: conversions are EXPR_CAST")
               : NULL;
}

static const char *check_stmt(struct tree *tree, const struct stmt *stmt)
{
    bool is_loop = stmt != NULL &&
                   (stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO);
    const char *message;

    if (stmt == NULL) {
        return arena_format(tree->program->arena, "'%s': a missing statement", tree->owner);
    }
    message = check_shape(tree, stmt);
    if (message == NULL && stmt->kind == STMT_SWITCH) {
        return check_switch(tree, stmt);
    }
    if (message == NULL && stmt->kind == STMT_CASE) {
        return stmt_message(tree, stmt, "stands in the block of a switch");
    }
    if (message == NULL && stmt->kind == STMT_DECL) {
        message = check_decl(tree, stmt);
    }
    if (message == NULL && stmt->kind == STMT_FOR && stmt->kid[0] != NULL) {
        message = check_for_start(tree, stmt);
    }
    /* A for's declarations come before its condition and step. */
    tree->loops += is_loop;
    for (int k = 0; k < stmt->kids && message == NULL; k++) {
        message = check_stmt(tree, stmt->kid[k]);
    }
    tree->loops -= is_loop;
    if (message == NULL && stmt->expr != NULL) {
        message = check_expr(tree, stmt->expr);
    }
    if (message == NULL && stmt->step != NULL) {
        message = check_expr(tree, stmt->step);
    }
    if (message == NULL && stmt->kind == STMT_RETURN) {
        message = check_return(tree, stmt);
    }
    return message;
}

const char *check_body(const struct program *program, const struct function *function)
{
    struct tree tree = {.program = program, .function = function, .owner = function->name};

    return check_stmt(&tree, function->body);
}

const char *check_stage_body(const struct program *program, const struct loop *loop,
                             const struct schedule *schedule, const struct stage *stage)
{
    struct tree tree = {.program = program,
                        .function = loop->kernel,
                        .loop = loop,
                        .schedule = schedule,
                        .owner = stage->name != NULL ? stage->name : loop->id};

    return check_stmt(&tree, stage->body);
}

const char *check_table(const struct program *program, const struct var *var)
{
    struct tree tree = {.program = program, .owner = var->name};

    return check_expr(&tree, var->init);
}
