/* lanes_lift.c: the body with everything that needs a mask of its own in statements.
 *
 *   v = c && 1 / x > y ? f / x : z;      bool cond = c;
 *                                        if (cond) { cond = 1 / x > y; }
 *                                        double either = z;
 *                                        if (cond) { either = f / x; }
 *                                        v = either;
 *
 * In: the stage's body, whose expressions have no side effects. Out: a copy whose ?:, && and || may
 * compute all their operands in all lanes, and in which a value that is computed lane by lane (a
 * function of libm, an element of a table) is the whole value of a variable, from operands that are
 * variables. A declaration holds its initial value in stmt->expr; expressions are shared with the
 * stage's body.
 */
#include <string.h>

#include "codegen/lanes/lanes_impl.h"

/* ---- questions ------------------------------------------------------------------------------ */

static bool operator_may_trap(const struct expr *expr)
{
    bool floating = expr->kids > 0 && type_is_floating(expr->kid[0]->type);
    if (expr->kind == EXPR_BINARY) {
        bool divides = expr->binary == BINARY_DIV || expr->binary == BINARY_REM;
        return divides || (floating && expr->binary <= BINARY_GE);
    }
    if (expr->kind == EXPR_CAST) {
        return floating && expr->type->kind != TYPE_BOOL &&
               (type_is_integer(expr->type) || expr->type->size < expr->kid[0]->type->size);
    }
    return expr->kind == EXPR_CALL || expr->kind == EXPR_INDEX;
}

bool lanes_may_trap(const struct expr *expr)
{
    if (operator_may_trap(expr)) {
        return true;
    }
    for (int k = 0; k < expr->kids; k++) {
        if (lanes_may_trap(expr->kid[k])) {
            return true;
        }
    }
    return false;
}

static bool same(const struct expr *a, const struct expr *b)
{
    bool equal = a->kind == b->kind && type_same(a->type, b->type) && a->kids == b->kids &&
                 a->var == b->var && a->callee == b->callee && a->bits == b->bits &&
                 memcmp(&a->value, &b->value, sizeof(a->value)) == 0;
    equal = equal && (a->kind != EXPR_UNARY || a->unary == b->unary) &&
            (a->kind != EXPR_BINARY || a->binary == b->binary) &&
            (a->kind != EXPR_PLACE || memcmp(&a->place, &b->place, sizeof(a->place)) == 0);
    for (int k = 0; k < a->kids && equal; k++) {
        equal = same(a->kid[k], b->kid[k]);
    }
    return equal;
}

/* Whether computing `other`, whatever the conditions in it are, computes expr too. */
static bool computes(const struct expr *other, const struct expr *expr)
{
    if (same(other, expr)) {
        return true;
    }
    bool guards =
        other->kind == EXPR_COND || (other->kind == EXPR_BINARY &&
                                     (other->binary == BINARY_LAND || other->binary == BINARY_LOR));
    for (int k = 0; k < (guards ? 1 : other->kids); k++) {
        if (computes(other->kid[k], expr)) {
            return true;
        }
    }
    return false;
}

/* Whether computing expr may trap where computing `other` does not. */
static bool traps_beside(const struct expr *expr, const struct expr *other)
{
    if (operator_may_trap(expr) && !computes(other, expr)) {
        return true;
    }
    for (int k = 0; k < expr->kids && !computes(other, expr); k++) {
        if (traps_beside(expr->kid[k], other)) {
            return true;
        }
    }
    return false;
}

static bool is_by_lane(const struct expr *expr)
{
    return expr->kind == EXPR_INDEX || (expr->kind == EXPR_CALL && !lanes_calls_vector(expr));
}

/* ---- expressions ---------------------------------------------------------------------------- */

static struct expr *lift(struct lane_list *list, struct expr *expr);

/* { var = value; } with what that takes. */
static struct stmt *setting(struct lanes *lanes, struct var *var, struct expr *value)
{
    struct lane_list inner = {.lanes = lanes};
    struct expr *lifted = lift(&inner, value);
    lanes_assign(&inner, var, lanes_cast_to(lanes, var->type, lifted));
    return lanes_block_of(&inner);
}

/* if (condition) var = yes; else var = no; `no` may be NULL. */
static void assign_if(struct lane_list *list, struct expr *condition, struct var *var,
                      struct expr *yes, struct expr *no)
{
    struct stmt *stmt = lanes_add(list, STMT_IF, var->loc);
    stmt->expr = condition;
    stmt->kids = no != NULL ? 2 : 1;
    stmt->kid = arena_alloc(list->lanes->arena, 2 * sizeof(struct stmt *));
    stmt->kid[0] = setting(list->lanes, var, yes);
    if (no != NULL) {
        stmt->kid[1] = setting(list->lanes, var, no);
    }
}

static struct expr *copy_with(struct lanes *lanes, const struct expr *expr, struct expr **kid)
{
    struct expr *copy = arena_alloc(lanes->arena, sizeof(*copy));
    *copy = *expr;
    copy->kid = kid;
    return copy;
}

static struct expr *lift_kids(struct lane_list *list, struct expr *expr)
{
    struct lanes *lanes = list->lanes;
    struct expr **kid = arena_alloc(lanes->arena, (size_t)expr->kids * sizeof(*kid));
    for (int k = 0; k < expr->kids; k++) {
        kid[k] = lift(list, expr->kid[k]);
    }
    return copy_with(lanes, expr, kid);
}

/* A variable, or what is the same for all lanes. */
static struct expr *atom_of(struct lane_list *list, struct expr *expr)
{
    bool varies = lanes_varies(list->lanes, expr);
    expr = lift(list, expr);
    if (expr->kind == EXPR_VAR || expr->kind == EXPR_PLACE || !varies) {
        return expr;
    }
    return lanes_read_of(list->lanes, lanes_declare(list, "value", expr->type, expr, expr->loc));
}

static struct expr *with_atoms(struct lane_list *list, struct expr *expr)
{
    struct lanes *lanes = list->lanes;
    struct expr **kid = arena_alloc(lanes->arena, (size_t)expr->kids * sizeof(*kid));
    for (int k = 0; k < expr->kids; k++) {
        enum type_kind type = expr->kid[k]->type->kind;
        bool array = type == TYPE_ARRAY || type == TYPE_POINTER;
        kid[k] = !array                             ? atom_of(list, expr->kid[k])
                 : expr->kid[k]->kind == EXPR_INDEX ? with_atoms(list, expr->kid[k])
                                                    : expr->kid[k];
    }
    return copy_with(lanes, expr, kid);
}

/* c ? yes : no. A side that may trap by more than c itself computes is moved into an if. */
static struct expr *lift_conditional(struct lane_list *list, struct expr *expr)
{
    struct lanes *lanes = list->lanes;
    bool yes = traps_beside(expr->kid[1], expr->kid[0]);
    bool no = traps_beside(expr->kid[2], expr->kid[0]);
    if (!yes && !no) {
        return lift_kids(list, expr);
    }
    struct expr *condition = atom_of(list, expr->kid[0]);
    if (yes && no) {
        struct var *either = lanes_declare(list, "either", expr->type, NULL, expr->loc);
        assign_if(list, condition, either, expr->kid[1], expr->kid[2]);
        return lanes_read_of(lanes, either);
    }
    struct expr *first = lift(list, expr->kid[yes ? 2 : 1]);
    struct var *either = lanes_declare(list, "either", expr->type, first, expr->loc);
    assign_if(list, yes ? condition : lanes_not_of(lanes, condition), either,
              expr->kid[yes ? 1 : 2], NULL);
    return lanes_read_of(lanes, either);
}

static struct expr *lift_logical(struct lane_list *list, struct expr *expr)
{
    static const struct type type_bool = {.kind = TYPE_BOOL, .size = sizeof(bool)};
    struct lanes *lanes = list->lanes;
    if (!traps_beside(expr->kid[1], expr->kid[0])) {
        return lift_kids(list, expr);
    }
    struct expr *left = lanes_cast_to(lanes, &type_bool, lift(list, expr->kid[0]));
    struct var *value = lanes_declare(list, "cond", &type_bool, left, expr->loc);
    struct expr *read = lanes_read_of(lanes, value);
    assign_if(list, expr->binary == BINARY_LAND ? read : lanes_not_of(lanes, read), value,
              expr->kid[1], NULL);
    return lanes_cast_to(lanes, expr->type, read);
}

static struct expr *lift(struct lane_list *list, struct expr *expr)
{
    if (!lanes_varies(list->lanes, expr) || expr->kids == 0) {
        return expr;
    }
    if (is_by_lane(expr)) {
        struct expr *call = with_atoms(list, expr);
        return lanes_read_of(list->lanes,
                             lanes_declare(list, "value", expr->type, call, expr->loc));
    }
    if (expr->kind == EXPR_COND) {
        return lift_conditional(list, expr);
    }
    if (expr->kind == EXPR_BINARY && (expr->binary == BINARY_LAND || expr->binary == BINARY_LOR)) {
        return lift_logical(list, expr);
    }
    return lift_kids(list, expr);
}

/* ---- the body ------------------------------------------------------------------------------- */

/* The initial value of a variable: computed lane by lane without another variable. */
static struct expr *lift_value(struct lane_list *list, struct expr *expr)
{
    return expr != NULL && lanes_varies(list->lanes, expr) && is_by_lane(expr)
               ? with_atoms(list, expr)
           : expr != NULL ? lift(list, expr)
                          : NULL;
}

static void lift_stmt(struct lane_list *list, const struct stmt *stmt);

static struct stmt *lift_block(struct lanes *lanes, const struct stmt *block)
{
    struct lane_list list = {.lanes = lanes};
    if (block->kind != STMT_BLOCK) {
        lift_stmt(&list, block);
        return lanes_block_of(&list);
    }
    for (int k = 0; k < block->kids; k++) {
        lift_stmt(&list, block->kid[k]);
    }
    return lanes_block_of(&list);
}

static void lift_assign(struct lane_list *list, const struct stmt *stmt)
{
    const struct expr *expr = stmt->expr;
    struct expr **kid = arena_alloc(list->lanes->arena, 2 * sizeof(*kid));
    kid[0] = expr->kid[0];
    kid[1] = lift(list, expr->kid[1]);
    lanes_add(list, STMT_EXPR, stmt->loc)->expr = copy_with(list->lanes, expr, kid);
}

static void lift_stmt(struct lane_list *list, const struct stmt *stmt)
{
    struct stmt *copy;
    struct expr *value;
    switch (stmt->kind) {
    case STMT_DECL:
        value = lift_value(list, stmt->var->init);
        copy = lanes_add(list, STMT_DECL, stmt->loc);
        copy->var = stmt->var;
        copy->expr = value;
        break;
    case STMT_EXPR:
        lift_assign(list, stmt);
        break;
    case STMT_IF:
        value = lift(list, stmt->expr);
        copy = lanes_add(list, STMT_IF, stmt->loc);
        copy->expr = value;
        copy->kids = stmt->kids;
        copy->kid = arena_alloc(list->lanes->arena, (size_t)stmt->kids * sizeof(struct stmt *));
        for (int k = 0; k < stmt->kids; k++) {
            copy->kid[k] = lift_block(list->lanes, stmt->kid[k]);
        }
        break;
    case STMT_WHILE:
        copy = lanes_add(list, STMT_WHILE, stmt->loc);
        copy->expr = stmt->expr;
        copy->kids = 1;
        copy->kid = arena_alloc(list->lanes->arena, sizeof(struct stmt *));
        copy->kid[0] = lift_block(list->lanes, stmt->kid[0]);
        break;
    case STMT_BLOCK:
        *lanes_add(list, STMT_BLOCK, stmt->loc) = *lift_block(list->lanes, stmt);
        break;
    default: /* nothing: lanes_refusal() has seen to that */
        break;
    }
}

void lanes_lift(struct lanes *lanes, const struct stmt *body)
{
    lanes->body = lift_block(lanes, body);
}
