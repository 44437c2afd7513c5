/* temporary.c: variables that the user did not write.
 *
 * In: a value that an expression needs in memory: a literal of a record, the operand of a
 * reference. Out: a variable with that value, declared before the statement. If the value may be
 * computed never or more than once, the variable is declared at the function's top and set where it
 * is needed, part by part: (value_1.x = a, value_1.y = b, value_1). */
#include "pass/frontend/util.h"

#include <string.h>

struct var *body_new_var(struct body *body, CXCursor where, const char *name,
                         const struct type *type)
{
    struct var *var = arena_alloc(body->front->arena, sizeof(*var));

    do {
        var->name = arena_format(body->front->arena, "%s_%d", name, ++body->temporaries);
    } while (strstr(body->text, var->name) != NULL);
    var->type = type;
    var->storage = STORAGE_LOCAL;
    var->loc = front_loc(body->front, where);
    var->index = -1;
    return var;
}

struct expr *body_named(struct body *body, CXCursor where, struct var *var)
{
    struct expr *expr = body_new_expr(body, EXPR_VAR, where, var->type, 0);

    expr->var = var;
    return expr;
}

struct expr *body_set(struct body *body, CXCursor where, struct expr *place, struct expr *value)
{
    struct expr *expr = body_new_expr(body, EXPR_ASSIGN, where, place->type, 2);

    expr->kid[0] = place;
    expr->kid[1] = value;
    return expr;
}

struct expr *body_element(struct body *body, CXCursor where, struct expr *base, struct expr *at)
{
    struct expr *expr = body_new_expr(body, EXPR_INDEX, where, base->type->elem, 2);

    expr->kid[0] = base;
    expr->kid[1] = at;
    return expr;
}

struct expr *body_field(struct body *body, CXCursor where, struct expr *record, int field)
{
    const struct field *own = &record->type->record->field[field];
    struct expr *expr = body_new_expr(body, EXPR_MEMBER, where, own->type, 1);

    expr->kid[0] = record;
    expr->text = own->name;
    return expr;
}

static struct stmt *declared(struct body *body, CXCursor where, struct var *var)
{
    struct stmt *stmt = body_new_stmt(body, STMT_DECL, where, 0);

    stmt->var = var;
    return stmt;
}

/* ---- set where it is needed ---------------------------------------------------------------------
 */

static struct expr *after(struct body *body, CXCursor where, struct expr *first,
                          struct expr *second)
{
    struct expr *expr;

    if (first == NULL) {
        return second;
    }
    expr = body_new_expr(body, EXPR_BINARY, where, second->type, 2);
    expr->binary = BINARY_COMMA;
    expr->kid[0] = first;
    expr->kid[1] = second;
    return expr;
}

static int parts(const struct type *type)
{
    if (type->kind == TYPE_ARRAY) {
        return (int)type->count;
    }
    return type->record->is_union ? 1 : type->record->fields;
}

/* Sets the place after `before` is evaluated, part by part if the value is a list. */
static struct expr *set_parts(struct body *body, CXCursor where, struct expr *before,
                              struct expr *place, struct expr *value)
{
    const struct type *int_type = front_basic(body->front, TYPE_INT, false);

    if (value->kind != EXPR_INIT) {
        return after(body, where, before, body_set(body, where, place, value));
    }
    for (int k = 0; k < parts(place->type); k++) {
        struct expr *part;

        if (place->type->kind == TYPE_ARRAY) {
            struct expr *at = body_new_expr(body, EXPR_INT, where, int_type, 0);

            at->bits = (unsigned long long)k;
            part = body_element(body, where, place, at);
        } else {
            part = body_field(body, where, place, k);
        }
        before = set_parts(body, where, before, part,
                           k < value->kids ? value->kid[k] : body_zero(body, where, part->type));
    }
    return before;
}

/* A const object cannot be set after its declaration. */
static bool has_const(const struct type *type)
{
    for (int f = 0; type->kind == TYPE_RECORD && f < type->record->fields; f++) {
        const struct type *own = type->record->field[f].type;

        if (own->is_const || has_const(own)) {
            return true;
        }
    }
    return type->kind == TYPE_ARRAY && (type->elem->is_const || has_const(type->elem));
}

static const struct type *without_const(struct body *body, const struct type *type)
{
    struct type *own;

    if (type->kind <= TYPE_DOUBLE) {
        return front_basic(body->front, type->kind, false);
    }
    if (!type->is_const || type->kind == TYPE_ARRAY) {
        return type;
    }
    own = arena_alloc(body->front->arena, sizeof(*own));
    *own = *type;
    own->is_const = false;
    return own;
}

struct expr *body_set_later(struct body *body, CXCursor where, struct var *var, struct expr *value)
{
    if (has_const(var->type) || (var->type->kind == TYPE_ARRAY && value->kind != EXPR_INIT)) {
        return NULL;
    }
    var->type = without_const(body, var->type);
    return set_parts(body, where, NULL, body_named(body, where, var), value);
}

static struct expr *set_in_place(struct body *body, CXCursor where, struct expr *value)
{
    struct var *var = body_new_var(body, where, "value", value->type);
    struct expr *set = body_set_later(body, where, var, value);

    if (set == NULL) {
        return NULL;
    }
    body_append(body, &body->top, declared(body, where, var));
    return after(body, where, set, body_named(body, where, var));
}

struct expr *body_temporary(struct body *body, CXCursor where, struct expr *value)
{
    struct var *var;

    if (body->entry == NULL) {
        return NULL;
    }
    if (body->before == NULL) {
        return set_in_place(body, where, value);
    }
    var = body_new_var(body, where, "value", without_const(body, value->type));
    var->init = value;
    body_append(body, body->before, declared(body, where, var));
    return body_named(body, where, var);
}

/* ---- loops --------------------------------------------------------------------------------------
 */

struct stmt *body_counting_loop(struct body *body, CXCursor where, long count, struct var **index)
{
    const struct type *type = front_basic(body->front, TYPE_INT, false);
    const struct type *truth = body->front->options->language == LANGUAGE_CXX
                                   ? front_basic(body->front, TYPE_BOOL, false)
                                   : type;
    struct stmt *stmt = body_new_stmt(body, STMT_FOR, where, 2);

    *index = body_new_var(body, where, "index", type);
    (*index)->init = body_zero(body, where, type);
    stmt->kid[0] = declared(body, where, *index);
    stmt->expr = body_new_expr(body, EXPR_BINARY, where, truth, 2);
    stmt->expr->binary = BINARY_LT;
    stmt->expr->kid[0] = body_named(body, where, *index);
    stmt->expr->kid[1] = body_new_expr(body, EXPR_INT, where, type, 0);
    stmt->expr->kid[1]->bits = (unsigned long long)count;
    stmt->step = body_new_expr(body, EXPR_UNARY, where, type, 1);
    stmt->step->unary = UNARY_PRE_INC;
    stmt->step->kid[0] = body_named(body, where, *index);
    return stmt;
}
