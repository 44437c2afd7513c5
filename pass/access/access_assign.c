/* access_assign.c: what assignments, ++ and --, and calls in a kernel do to the places that they
 * name.
 *
 * In and out: as in access_expr.c, which evaluates the operands.
 */
#include "pass/access/access_impl.h"
#include "pass/access/access_state.h"
#include "pass/ir/arena.h"

/* The terms of a sum without the place that is incremented. */
static struct value evaluate_terms(struct walk *walk, const struct expr *sum,
                                   const struct expr *place)
{
    struct value none = {0};

    sum = access_term(sum);
    if (sum->kind == EXPR_BINARY && (sum->binary == BINARY_ADD || sum->binary == BINARY_SUB)) {
        struct value left = evaluate_terms(walk, sum->kid[0], place);

        return value_combined(left, evaluate_terms(walk, sum->kid[1], place), false);
    }
    return access_same(sum, place) ? none : access_value(walk, sum).value;
}

/* Records what the new value of the lvalue depends on: the value of `from`, or of an operation
 * (NULL). */
static void put_value(struct walk *walk, const struct expr *lvalue, const struct targets *place,
                      struct value value, const struct expr *from)
{
    if (!walk->has_extrema) {
        return;
    }
    if (place->count > 0 || place->is_full) {
        extremum_store(walk, lvalue, place, value, from);
    } else {
        extremum_keep(walk, lvalue, value, from);
    }
}

/* Assigns pointers, or a record that holds some. */
static struct targets assign_pointer(struct walk *walk, const struct expr *expr,
                                     const struct expr *left)
{
    struct targets value = access_value(walk, expr->kid[1]);
    struct targets place = access_lvalue(walk, left);

    if (expr->compound) {
        value = access_read_place(walk, left, &place);
        targets_shift(&value, expr->kid[1], &walk->counters, store_step(left->type->elem),
                      expr->binary == BINARY_SUB ? -1 : 1);
    }
    value.value = extremum_chosen(walk, 0, value.value, NULL);
    access_use(walk, left, &place, USE_WRITE); /* a global */
    store_assign(walk, &place, left->type, value);
    value_changed(walk, left);
    return value;
}

static bool has_extremum(const struct walk *walk, const struct targets *place)
{
    for (int n = 0; n < place->count; n++) {
        if (place->target[n].arg >= 0 &&
            value_is_extremum(&walk->loop->arg[place->target[n].arg])) {
            return true;
        }
    }
    return false;
}

struct targets access_assign(struct walk *walk, const struct expr *expr, bool is_used)
{
    const struct expr *left = access_bare(expr->kid[0]);
    bool is_increment = expr->compound ? expr->binary == BINARY_ADD || expr->binary == BINARY_SUB
                                       : access_adds_to(expr->kid[1], left);
    struct targets value = {0};
    struct targets place;
    enum use use = expr->compound ? USE_UPDATE : USE_WRITE;

    if (access_holds_pointers(left->type)) {
        return assign_pointer(walk, expr, left);
    }
    place = access_lvalue(walk, left);
    is_increment &= place.count > 0 && !has_extremum(walk, &place);
    if (is_increment && !expr->compound) {
        value.value = evaluate_terms(walk, expr->kid[1], left);
    } else {
        value = access_value(walk, expr->kid[1]);
    }
    if (is_increment) {
        use = access_truncates(expr) ? USE_TRUNCATE : USE_INCREMENT;
    }
    access_use(walk, left, &place, use);
    if (is_used && is_increment) {
        access_use(walk, left, &place, USE_READ);
    }
    if (expr->compound) {
        value.value = value_combined(value.value, access_read_value(walk, left, &place),
                                     expr->binary == BINARY_AND || expr->binary == BINARY_OR);
    }
    put_value(walk, left, &place, value.value, expr->compound ? NULL : expr->kid[1]);
    return value;
}

struct targets access_step(struct walk *walk, const struct expr *expr, bool is_used)
{
    const struct expr *left = access_bare(expr->kid[0]);
    struct targets none = {0};
    struct targets place;

    place = access_lvalue(walk, left);
    if (left->type->kind == TYPE_POINTER) {
        struct targets before = access_read_place(walk, left, &place);
        struct targets after = before;

        targets_move(&after,
                     (expr->unary == UNARY_PRE_INC || expr->unary == UNARY_POST_INC ? 1 : -1) *
                         store_step(left->type->elem));
        access_use(walk, left, &place, USE_WRITE); /* a global */
        store_assign(walk, &place, left->type, after);
        value_changed(walk, left);
        return expr->unary == UNARY_POST_INC || expr->unary == UNARY_POST_DEC ? before : after;
    }
    access_use(walk, left, &place, USE_INCREMENT);
    if (is_used) {
        access_use(walk, left, &place, USE_READ);
    }
    none.value = value_combined(access_read_value(walk, left, &place), none.value, false);
    put_value(walk, left, &place, none.value, NULL);
    return none;
}

static bool writes_through(const struct expr *argument)
{
    const struct type *type = argument->type;

    return type->kind == TYPE_POINTER && !type->elem->is_const && type->elem->kind != TYPE_VOID;
}

/* The value of a library function, and its effect on its arguments. */
static struct value library_call(struct walk *walk, const struct expr *expr,
                                 const struct targets *passed)
{
    struct value value = {0};
    bool is_max;

    if (expr->kids == 2 && access_is_extremum_call(expr, &is_max)) {
        return value_extremum(walk, passed[0].value, passed[1].value, is_max);
    }
    for (int k = 0; k < expr->kids; k++) {
        value = value_combined(value, passed[k].value, false);
    }
    if (walk->has_extrema && expr->callee->kind == FUNCTION_PRINT) {
        extremum_effect(walk, &value);
    }
    for (int k = 0; k < expr->kids; k++) {
        if (expr->callee->kind == FUNCTION_MATH && writes_through(expr->kid[k])) {
            access_use(walk, expr->kid[k], &passed[k], USE_WRITE);
            put_value(walk, expr->kid[k], &passed[k], value, NULL);
        } else {
            access_see_unknown(walk, &passed[k]); /* printf may read, through "%s" */
        }
    }
    return value;
}

struct targets access_unknown_call(struct walk *walk, int count, const struct targets *passed)
{
    struct targets result = {0};

    for (int k = 0; k < count; k++) {
        access_see_unknown(walk, &passed[k]);
        result.value = value_combined(result.value, passed[k].value, true);
    }
    result.value = extremum_unknown_call(walk, result.value);
    return result;
}

struct targets access_call(struct walk *walk, const struct expr *expr)
{
    struct function *callee = expr->callee;
    int slots = expr->kids > callee->params ? expr->kids : callee->params;
    struct targets *passed =
        arena_alloc(walk->arena, (size_t)(slots > 0 ? slots : 1) * sizeof(*passed));
    struct targets result = {0};

    for (int k = 0; k < expr->kids; k++) {
        passed[k] = access_value(walk, expr->kid[k]);
    }
    if (callee->kind != FUNCTION_USER) {
        result.value = library_call(walk, expr, passed);
        return result;
    }
    if (callee->body != NULL) {
        return access_enter(walk, callee, passed);
    }
    return access_unknown_call(walk, expr->kids, passed);
}
