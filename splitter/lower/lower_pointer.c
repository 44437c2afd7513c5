/* lower_pointer.c: targets of pointer expressions, and assignments to pointers. The value of a
 * stored pointer is a location (lower_place.c), not a number.
 */
#include "splitter/lower/lower_impl.h"

/* ---- pointers ------------------------------------------------------------------------------ */

/* Returns what a stored pointer points to. */
static struct location *kept(struct lower *lower, struct expr *expr)
{
    struct location *at = location_of(lower, expr);
    struct value value;

    if (at->type->kind == TYPE_ARRAY) {
        return location_decay(lower, at);
    }
    value = memory_load_value(lower, at);
    if (value.target == NULL) {
        lower_refuse(lower, arena_format(lower->arena, "the pointer %s is used before it is set",
                                         location_name(lower, at)));
    }
    return value.target;
}

/* Views memory with another array shape, such as a matrix as a vector. */
static struct location *view(struct lower *lower, const struct location *target,
                             const struct type *to)
{
    struct location *location = location_copy(lower, target);
    const struct type *type = to;
    const struct type *from = target->type;

    if (target->base == BASE_EITHER) {
        return location_both(lower, target, view(lower, target->yes, to),
                             view(lower, target->no, to));
    }
    if (type_same(to, from) || to->kind == TYPE_VOID) {
        return location;
    }
    while (type->kind == TYPE_ARRAY) {
        type = type->elem;
    }
    while (from->kind == TYPE_ARRAY) {
        from = from->elem;
    }
    if (!type_same(type, from)) {
        lower_refuse(lower,
                     arena_format(lower->arena, "a pointer into %s that is cast to another type",
                                  location_name(lower, location)));
    }
    location->type = to;
    location->path = NULL;
    return location;
}

static struct location *cast_pointer(struct lower *lower, struct expr *expr)
{
    long long zero;

    if (expr_int(expr->kid[0], &zero)) {
        return location_new(lower, BASE_NULL, expr->type->elem);
    }
    return view(lower, pointer_value(lower, expr->kid[0]), expr->type->elem);
}

/* c ? p : q, as pointers or as lvalues. */
struct location *location_conditional(struct lower *lower, struct expr *expr,
                                      struct location *(*of)(struct lower *, struct expr *))
{
    struct expr *condition = lower_value(lower, expr->kid[0]);
    struct location *yes;
    bool truth;

    if (expr_truth(condition, &truth)) {
        return of(lower, expr->kid[truth ? 1 : 2]);
    }
    if (lower->region == NULL) {
        condition = branch_condition(lower, condition, "cond");
    } else {
        condition = make_bool(lower, true); /* both have to be the same */
    }
    yes = of(lower, expr->kid[1]);
    return location_either(lower, condition, yes, of(lower, expr->kid[2]));
}

static struct location *set_pointer(struct lower *lower, struct expr *expr)
{
    struct location *at = location_of(lower, expr->kid[0]);
    struct value value = {0};

    if (lower->region != NULL && (expr->kind == EXPR_UNARY || expr->compound)) {
        return region_pointer(lower, at, region_pointer_step(lower, expr, at));
    }
    if (expr->kind == EXPR_ASSIGN && !expr->compound) {
        value.target = pointer_value(lower, expr->kid[1]);
    } else {
        struct expr *by = expr->kind == EXPR_ASSIGN ? lower_value(lower, expr->kid[1])
                                                    : make_int(lower, &lower_int, 1);
        bool negative = expr->kind == EXPR_ASSIGN
                            ? expr->binary == BINARY_SUB
                            : expr->unary == UNARY_PRE_DEC || expr->unary == UNARY_POST_DEC;
        struct location *old = memory_load_value(lower, at).target;

        if (old == NULL) {
            lower_refuse(lower, "a pointer is moved before it is set");
        }
        value.target = location_move(lower, old, by, negative);
        memory_store_value(lower, at, value);
        return expr->kind == EXPR_UNARY &&
                       (expr->unary == UNARY_POST_INC || expr->unary == UNARY_POST_DEC)
                   ? old
                   : value.target;
    }
    memory_store_value(lower, at, value);
    return value.target;
}

static struct location *called_pointer(struct lower *lower, struct expr *expr)
{
    struct expr *direct = NULL;
    struct object *result = lower_call(lower, expr, &direct);

    if (result == NULL || result->storage != NULL ||
        lower->leaf[result->first].value.target == NULL) {
        lower_refuse(lower, "a pointer that a function returns");
    }
    return lower->leaf[result->first].value.target;
}

static struct location *summed_pointer(struct lower *lower, struct expr *expr)
{
    bool swapped = type_is_integer(expr->kid[0]->type);
    struct location *target = pointer_value(lower, expr->kid[swapped]);

    return location_move(lower, target, lower_value(lower, expr->kid[!swapped]),
                         expr->binary == BINARY_SUB);
}

struct location *pointer_value(struct lower *lower, struct expr *pointer)
{
    switch (pointer->kind) {
    case EXPR_VAR:
    case EXPR_INDEX:
    case EXPR_MEMBER:
        return kept(lower, pointer);
    case EXPR_UNARY:
        if (pointer->unary == UNARY_ADDRESS) {
            return location_of(lower, pointer->kid[0]);
        }
        if (pointer->unary >= UNARY_PRE_INC) {
            return set_pointer(lower, pointer);
        }
        return kept(lower, pointer);
    case EXPR_ASSIGN:
        return set_pointer(lower, pointer);
    case EXPR_BINARY:
        if (pointer->binary == BINARY_COMMA) {
            lower_discard(lower, pointer->kid[0]);
            return pointer_value(lower, pointer->kid[1]);
        }
        return summed_pointer(lower, pointer);
    case EXPR_CAST:
        return cast_pointer(lower, pointer);
    case EXPR_COND:
        return location_conditional(lower, pointer, pointer_value);
    case EXPR_CALL:
        return called_pointer(lower, pointer);
    case EXPR_INT:
        return location_new(lower, BASE_NULL, &lower_int);
    default:
        lower_refuse(lower, "a pointer of a kind that is not known");
    }
}
