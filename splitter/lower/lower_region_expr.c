/* lower_region_expr.c: expressions inside loops that stay whole: lvalues, records, calls. */
#include "splitter/lower/lower_impl.h"

/* ---- lvalues
 * ------------------------------------------------------------------------------------- */

/* The variable that stands for a leaf that the region assigns. */
struct expr *region_leaf(struct lower *lower, int number)
{
    struct region *region = lower->region;
    struct leaf *leaf = &lower->leaf[number];

    if (leaf->changing == NULL) {
        leaf->changing = lower_local(lower, leaf->name,
                                     leaf->type->kind == TYPE_POINTER ? &lower_long : leaf->type);
        region->leaf = arena_grow(lower->arena, region->leaf, region->changing,
                                  &region->changing_room, sizeof(int));
        region->leaf[region->changing++] = number;
        region->found = true;
    }
    return make_var(lower, &leaf->changing->var);
}

static void note_set(struct lower *lower, const struct object *object)
{
    struct region *region = lower->region;

    if (object->is_inner) {
        return;
    }
    for (int n = 0; n < region->sets; n++) {
        if (region->set[n] == object->storage) {
            return;
        }
    }
    region->set = arena_grow(lower->arena, region->set, region->sets, &region->sets_room,
                             sizeof(struct local *));
    region->set[region->sets++] = object->storage;
}

static struct expr *arg_lvalue(struct lower *lower, struct location *location)
{
    if (lower->cache[location->arg] == NULL ||
        lower->loop->arg[location->arg].access == ACCESS_READ) {
        lower_refuse(lower, arena_format(lower->arena, "%s is OP_READ, and written",
                                         location_name(lower, location)));
    }
    lower->region->is_once = true;
    return memory_is_one_place(lower, location) && location->type->kind != TYPE_RECORD
               ? make_place(lower, location)
               : memory_path(lower, location);
}

struct expr *region_lvalue(struct lower *lower, struct location *location)
{
    if (location->base == BASE_ARG && lower->sum[location->arg] != NULL &&
        lower_is_extremum(&lower->loop->arg[location->arg])) {
        lower_refuse(
            lower,
            arena_format(
                lower->arena,
                "the minimum or maximum of %s is taken in a loop whose trip count is not known",
                location_name(lower, location)));
    }
    location = memory_actual(lower, location);
    switch (location->base) {
    case BASE_OBJECT:
        if (location->object->storage == NULL && location->type->kind == TYPE_RECORD &&
            location->object->mark != NULL) {
            lower_restart(lower, location->object->mark);
        }
        if (location->object->storage == NULL) {
            return region_leaf(lower, memory_leaf(lower, location));
        }
        note_set(lower, location->object);
        return memory_path(lower, location);
    case BASE_ARG:
        return arg_lvalue(lower, location);
    default:
        lower_refuse(lower,
                     arena_format(lower->arena, "%s is written", location_name(lower, location)));
    }
}

/* ---- records
 * -------------------------------------------------------------------------------------- */

static struct expr *whole_record(struct lower *lower, struct expr *expr)
{
    struct location *location = memory_actual(lower, location_of(lower, expr));

    if (location->base == BASE_OBJECT && location->object->storage == NULL) {
        if (location->object->mark == NULL) {
            lower_refuse(lower, arena_format(lower->arena, "%s is used as a whole",
                                             location_name(lower, location)));
        }
        lower_restart(lower, location->object->mark);
    }
    return memory_path(lower, location);
}

static struct expr *initialiser(struct lower *lower, struct expr *expr)
{
    struct expr *copy = make_expr(lower, EXPR_INIT, expr->type, expr->kids);

    for (int k = 0; k < expr->kids; k++) {
        copy->kid[k] = region_expr(lower, expr->kid[k]);
    }
    return copy;
}

static struct expr *assign_record(struct lower *lower, struct expr *expr)
{
    struct expr *assign = make_expr(lower, EXPR_ASSIGN, expr->type, 2);

    assign->kid[1] = region_expr(lower, expr->kid[1]);
    assign->kid[0] = region_lvalue(lower, location_of(lower, expr->kid[0]));
    return assign;
}

/* Any expression, records and those without a value included. */
struct expr *region_expr(struct lower *lower, struct expr *expr)
{
    struct expr *condition;
    struct expr *yes;

    if (expr->kind == EXPR_INIT) {
        return initialiser(lower, expr);
    }
    if (expr->kind == EXPR_CALL) {
        return region_call(lower, expr);
    }
    if (expr->kind == EXPR_COND &&
        (expr->type->kind == TYPE_RECORD || expr->type->kind == TYPE_VOID)) {
        condition = lower_value(lower, expr->kid[0]);
        yes = region_expr(lower, expr->kid[1]);
        return make_cond(lower, expr->type, condition, yes, region_expr(lower, expr->kid[2]));
    }
    if (expr->type->kind == TYPE_RECORD && expr->kind == EXPR_CAST) {
        return region_expr(lower, expr->kid[0]);
    }
    if (expr->type->kind == TYPE_RECORD) {
        return expr->kind == EXPR_ASSIGN ? assign_record(lower, expr) : whole_record(lower, expr);
    }
    if (expr->kind == EXPR_BINARY && expr->binary == BINARY_COMMA) {
        yes = region_expr(lower, expr->kid[0]);
        return make_binary(lower, BINARY_COMMA, expr->type, yes, region_expr(lower, expr->kid[1]));
    }
    if (expr->type->kind == TYPE_POINTER) {
        if (expr->kind == EXPR_UNARY ? expr->unary < UNARY_PRE_INC
                                     : expr->kind != EXPR_ASSIGN || !expr->compound) {
            lower_refuse(lower, "a pointer that is set in a loop whose trip count is not known");
        }
        return region_pointer_step(lower, expr, location_of(lower, expr->kid[0]));
    }
    return lower_value(lower, expr);
}

/* ---- calls
 * ----------------------------------------------------------------------------------------- */

static struct expr *address(struct lower *lower, const struct type *type, struct expr *path)
{
    struct expr *expr;
    long long zero;

    if (path->kind == EXPR_INDEX && expr_int(path->kid[1], &zero) && zero == 0) {
        return path->kid[0];
    }
    expr = make_expr(lower, EXPR_UNARY, type, 1);
    expr->unary = UNARY_ADDRESS;
    expr->kid[0] = path;
    return expr;
}

/* Pointer argument of a call inside a region. `writes`: the parameter's type allows the callee to
 * write through it. */
static struct expr *passed_pointer(struct lower *lower, struct expr *expr, bool writes)
{
    struct location *location = pointer_value(lower, expr);
    const struct type *type = expr->type;

    if (type->kind == TYPE_ARRAY) {
        struct type *pointer = arena_alloc(lower->arena, sizeof(*pointer));

        *pointer = (struct type){.kind = TYPE_POINTER, .size = sizeof(void *), .elem = type->elem};
        type = pointer;
    }
    if (location->base == BASE_EITHER) {
        lower_refuse(lower, arena_format(lower->arena,
                                         "a pointer that may point into %s, passed on "
                                         "in a loop whose trip count is not known",
                                         location_name(lower, location)));
    }
    if (location->base == BASE_ARG && lower->sum[location->arg] != NULL) {
        if (lower_is_extremum(&lower->loop->arg[location->arg])) {
            return region_lvalue(lower, location); /* says why not */
        }
        if (lower->sum[location->arg]->storage == NULL) {
            lower_restart(lower, lower->sum[location->arg]->mark);
        }
        location = memory_actual(lower, location);
    }
    if (location->base == BASE_OBJECT) {
        if (location->object->storage == NULL && location->object->mark == NULL) {
            lower_refuse(lower, arena_format(lower->arena, "the address of %s is passed on",
                                             location_name(lower, location)));
        }
        if (location->object->storage == NULL) {
            lower_restart(lower, location->object->mark);
        }
        if (writes) {
            note_set(lower, location->object);
        }
    } else if (location->base == BASE_ARG && writes && lower->cache[location->arg] != NULL) {
        lower->region->is_once = true;
    } else if (location->base != BASE_ARG && location->base != BASE_VAR) {
        location_move(lower, location, make_int(lower, &lower_int, 0), false); /* says why not */
        lower_refuse(lower,
                     "a pointer to rows is passed on in a loop whose trip count is not known");
    }
    return address(lower, type, memory_path(lower, location));
}

struct expr *region_call(struct lower *lower, struct expr *call)
{
    struct expr *copy = make_expr(lower, EXPR_CALL, call->type, call->kids);
    const struct function *callee = call->callee;

    copy->callee = call->callee;
    if (lower_prints(lower, callee)) {
        lower->region->is_once = true;
        lower->region->is_effect = true;
    }
    for (int k = 0; k < call->kids; k++) {
        struct expr *kid = call->kid[k];

        if (type_is_address(kid->type) && kid->kind != EXPR_STRING) {
            const struct type *type = k < callee->params ? callee->param[k]->type : NULL;
            bool writes = type == NULL || type->kind != TYPE_POINTER || !type->elem->is_const;

            copy->kid[k] = passed_pointer(lower, kid, writes);
        } else {
            copy->kid[k] = region_expr(lower, kid);
        }
    }
    return copy;
}
