/* point_ops.c: numbers the operations of a body that work on one point's record alone.
 *
 * In: the body of a GATHER stage, whose own block defines most variables, each once. Out: those
 * operations, without the columns through which elements reach the point, so that r1 = 1 / q1[0]
 * and r2 = 1 / q2[0] are one; and which of them elements need themselves, because operations on
 * them depend on more than one point. Operations that could fail stay in the user's place.
 */
#include <stdint.h>
#include <string.h>

#include "pass/ir/arena.h"
#include "splitter/schedule/point_values.h"

/* ---- definitions ----------------------------------------------------------------------------- */

static bool is_scalar(const struct type *type)
{
    return type_is_floating(type) || type_is_integer(type);
}

struct expr *point_definition(const struct stmt *stmt, struct var **var)
{
    if (stmt->kind == STMT_DECL && stmt->var->init != NULL) {
        *var = stmt->var;
        return stmt->var->init;
    }
    const struct expr *expr = stmt->kind == STMT_EXPR ? stmt->expr : NULL;
    if (expr != NULL && expr->kind == EXPR_ASSIGN && !expr->compound &&
        expr->kid[0]->kind == EXPR_VAR) {
        *var = expr->kid[0]->var;
        return expr->kid[1];
    }
    return NULL;
}

/* How often statements set a variable, or might. */
struct settings {
    const struct var *var;
    int count;
};

static const struct expr *root_of(const struct expr *expr)
{
    while (expr->kind == EXPR_INDEX || expr->kind == EXPR_MEMBER || expr->kind == EXPR_CAST) {
        expr = expr->kid[0];
    }
    return expr;
}

static void count_expr(struct expr *expr, void *user)
{
    struct settings *settings = user;
    bool sets =
        expr->kind == EXPR_ASSIGN || (expr->kind == EXPR_UNARY && expr->unary >= UNARY_ADDRESS);
    settings->count += sets && root_of(expr->kid[0])->var == settings->var;
}

static void count_declaration(struct stmt *stmt, void *user)
{
    struct settings *settings = user;
    settings->count +=
        stmt->kind == STMT_DECL && stmt->var == settings->var && stmt->var->init != NULL;
}

static bool is_set_once(const struct stmt *body, struct var *var)
{
    struct settings settings = {var, 0};
    stmt_visit((struct stmt *)body, count_declaration, count_expr, &settings);
    return settings.count == 1 && var->storage == STORAGE_LOCAL && is_scalar(var->type);
}

/* ---- operations ------------------------------------------------------------------------------ */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_op(const struct point_op *a, const struct point_op *b)
{
    const struct expr *x = a->expr;
    const struct expr *y = b->expr;
    return x->kind == y->kind && x->unary == y->unary && x->binary == y->binary &&
           type_same(x->type, y->type) && x->bits == y->bits &&
           memcmp(&x->value, &y->value, sizeof x->value) == 0 && same_text(x->text, y->text) &&
           a->what == b->what && a->group == b->group && a->component == b->component &&
           memcmp(a->kid, b->kid, sizeof a->kid) == 0;
}

/* -1: there is no room for another. */
static int intern(struct point_ops *values, const struct point_op *op)
{
    for (int i = 0; i < values->ops; i++) {
        if (same_op(&values->op[i], op)) {
            return i;
        }
    }
    if (values->ops == POINT_MOST_OPS) {
        return -1;
    }
    values->op[values->ops] = *op;
    return values->ops++;
}

static const struct point_ref no_ref = {-1, 0};

/* The first argument of a's group, which stages stage; -1: they do not. */
static int group_of(const struct point_ops *values, int a)
{
    const struct loop *loop = values->loop;
    const struct arg *arg = &loop->arg[a];
    if (arg->kind != ARG_DAT || !arg->is_indirect || arg->is_optional ||
        arg->access != ACCESS_READ || arg->map != loop->arg[values->map].map ||
        !arg_is_constant(loop, a)) {
        return -1;
    }
    int group = 0;
    while (!args_share_group(loop, group, a)) {
        group++;
    }
    return group;
}

static struct point_ref number_place(struct point_ops *values, const struct expr *expr,
                                     struct point_op *op)
{
    const struct arg *arg = &values->loop->arg[expr->place.arg];
    int column = arg->is_vector ? expr->place.column : arg->map_index;
    op->group = group_of(values, expr->place.arg);
    op->component = expr->place.component;
    op->reads = true;
    if (op->group < 0 || column >= POINT_COLUMNS || !type_same(expr->type, arg->type)) {
        return no_ref;
    }
    return (struct point_ref){intern(values, op), 1u << column};
}

static struct point_ref number_var(struct point_ops *values, const struct expr *expr,
                                   struct point_op *op)
{
    int known = pointer_map_get(&values->vars, expr->var);
    if (known >= 0) {
        return values->ref[known];
    }
    op->what = expr->var;
    return expr->var->storage == STORAGE_GLOBAL || expr->var->storage == STORAGE_TABLE
               ? (struct point_ref){intern(values, op), 0}
               : no_ref;
}

/* Operations that cannot fail: on floating-point numbers, and choices between their results. */
static bool is_harmless(const struct expr *expr)
{
    bool compares =
        expr->kind == EXPR_BINARY && ((expr->binary >= BINARY_LT && expr->binary <= BINARY_NE) ||
                                      expr->binary == BINARY_LAND || expr->binary == BINARY_LOR);
    switch (expr->kind) {
    case EXPR_UNARY:
        return expr->unary == UNARY_NOT ||
               (expr->unary <= UNARY_PLUS && type_is_floating(expr->type));
    case EXPR_BINARY:
        return compares || (type_is_floating(expr->type) && expr->binary <= BINARY_SUB);
    case EXPR_COND:
        return true;
    case EXPR_CAST:
        return type_is_floating(expr->type) || (type_is_integer(expr->kid[0]->type) &&
                                                expr->type->size >= expr->kid[0]->type->size);
    case EXPR_CALL:
        return expr->callee->kind == FUNCTION_MATH && type_is_floating(expr->type);
    default:
        return false;
    }
}

static bool is_product(const struct point_ops *values, int i)
{
    const struct expr *expr = i >= 0 ? values->op[i].expr : NULL;
    return expr != NULL && ((expr->kind == EXPR_BINARY && expr->binary == BINARY_MUL) ||
                            (expr->kind == EXPR_UNARY && is_product(values, values->op[i].kid[0])));
}

static bool is_sum(const struct expr *expr)
{
    bool adds = expr->kind == EXPR_BINARY || (expr->kind == EXPR_ASSIGN && expr->compound);
    return adds && (expr->binary == BINARY_ADD || expr->binary == BINARY_SUB);
}

/* Operation i is added to something. */
static void note_sum(struct point_ops *values, int i)
{
    for (; is_product(values, i); i = values->op[i].kid[0]) {
        values->op[i].fuses = true;
        if (values->op[i].expr->kind == EXPR_BINARY) {
            return;
        }
    }
}

static struct point_ref number_operation(struct point_ops *values, const struct expr *expr,
                                         struct point_op *op)
{
    unsigned columns = 0;
    bool pure = is_harmless(expr) && expr->kids <= 3;
    op->what = expr->kind == EXPR_CALL ? expr->callee : NULL;
    for (int k = 0; k < expr->kids && pure; k++) {
        struct point_ref kid = point_ref_of(values, expr->kid[k]);
        pure = kid.op >= 0;
        if (pure) {
            op->kid[k] = kid.op;
            op->reads = op->reads || values->op[kid.op].reads;
            columns |= kid.columns;
        }
        if (pure && is_sum(expr)) {
            note_sum(values, kid.op);
        }
    }
    if (!pure || (columns & (columns - 1)) != 0) {
        return no_ref;
    }
    return (struct point_ref){intern(values, op), columns};
}

struct point_ref point_ref_of(struct point_ops *values, const struct expr *expr)
{
    struct point_op op = {.expr = expr, .group = -1, .kid = {-1, -1, -1}};
    if (!is_scalar(expr->type)) {
        return no_ref;
    }
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
        return (struct point_ref){intern(values, &op), 0};
    case EXPR_PLACE:
        return number_place(values, expr, &op);
    case EXPR_VAR:
        return number_var(values, expr, &op);
    default:
        return number_operation(values, expr, &op);
    }
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Marks the largest operations of one point in an expression. */
static void need(struct point_ops *values, const struct expr *expr)
{
    struct point_ref ref = point_ref_of(values, expr);
    if (ref.op >= 0 && ref.columns != 0) {
        values->needed[ref.op] = true;
        values->op[ref.op].columns |= ref.columns;
        return;
    }
    for (int k = 0; ref.op < 0 && k < expr->kids; k++) {
        need(values, expr->kid[k]);
        if (is_sum(expr)) {
            note_sum(values, point_ref_of(values, expr->kid[k]).op);
        }
    }
}

/* Marks a value that an update takes as needed, and as an operand of a sum. */
static void need_for_sum(struct point_ops *values, const struct expr *expr)
{
    need(values, expr);
    note_sum(values, point_ref_of(values, expr).op);
}

/* All components of an argument whose parameter is subscripted, or passed on, are needed. */
static void need_records(struct point_ops *values, const struct expr *expr)
{
    const struct function *kernel = values->loop->kernel;
    for (int i = 0; i < values->ops && expr->kind == EXPR_VAR; i++) {
        struct point_op *op = &values->op[i];
        for (int a = 0; op->group >= 0 && a < values->loop->args; a++) {
            if (kernel->param[a] == expr->var && args_share_group(values->loop, op->group, a)) {
                values->needed[i] = true;
            }
        }
    }
}

static void on_expr(struct expr *expr, void *user)
{
    need_records(user, expr);
}

static void need_tree(struct point_ops *values, const struct stmt *stmt)
{
    if (stmt->expr != NULL) {
        need(values, stmt->expr);
    }
    if (stmt->step != NULL) {
        need(values, stmt->step);
    }
    if (stmt->var != NULL && stmt->var->init != NULL) {
        need(values, stmt->var->init);
    }
    for (int k = 0; k < stmt->kids; k++) {
        need_tree(values, stmt->kid[k]);
    }
}

/* A declaration whose value is one point's is needed where it is used, no sooner. */
static void number_statement(struct point_ops *values, const struct stmt *body, int k)
{
    const struct stmt *stmt = body->kid[k];
    struct var *var;
    const struct expr *value = point_definition(stmt, &var);
    if (value == NULL || !is_set_once(body, var) || !type_same(value->type, var->type)) {
        if (value != NULL && stmt->kind == STMT_EXPR) {
            need_for_sum(values, value);
        } else {
            need_tree(values, stmt);
        }
        return;
    }
    struct point_ref ref = point_ref_of(values, value);
    values->ref[k] = ref;
    pointer_map_set(&values->vars, var, k);
    if (ref.op >= 0 && values->op[ref.op].var == NULL && values->op[ref.op].reads) {
        values->op[ref.op].var = var;
    }
    if (ref.op < 0 || stmt->kind == STMT_EXPR) {
        need_for_sum(values, value);
    }
}

/* Elements need operands through the columns of the operations that read them. */
static void spread_columns(struct point_ops *values)
{
    for (int i = values->ops - 1; i >= 0; i--) {
        for (int k = 0; k < 3; k++) {
            if (values->op[i].kid[k] >= 0) {
                values->op[values->op[i].kid[k]].columns |= values->op[i].columns;
            }
        }
    }
}

struct point_ops *point_ops_new(struct arena *arena, const struct loop *loop,
                                const struct stage *stage)
{
    struct point_ops *values = arena_alloc(arena, sizeof(*values));
    const struct stmt *body = stage->body;
    values->arena = arena;
    values->loop = loop;
    values->map = stage->map;
    values->vars = pointer_map_new(arena);
    values->ref = arena_alloc(arena, (size_t)body->kids * sizeof(*values->ref));
    values->needed = arena_alloc(arena, POINT_MOST_OPS * sizeof(*values->needed));
    for (int k = 0; k < body->kids; k++) {
        number_statement(values, body, k);
    }
    for (int u = 0; u < stage->updates; u++) {
        if (stage->update[u].value != NULL) {
            need_for_sum(values, stage->update[u].value);
        }
    }
    stmt_visit((struct stmt *)body, NULL, on_expr, values);
    spread_columns(values);
    return values->ops < POINT_MOST_OPS ? values : NULL;
}
