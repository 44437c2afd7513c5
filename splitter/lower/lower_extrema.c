/* lower_extrema.c: how OP_MIN and OP_MAX places that are reached through a map are lowered or
 * raised.
 *
 * Reading one gives its place, which no node may read; so only the forms that are recognised here
 * get through: a = fmin(a, x), a = x < a ? x : a, if (x < a) a = x, and their mirrored forms. The
 * comparison may be joined with conditions that do not read a: if (c && x < a) a = x is the same
 * under the guard c.
 */
#include <string.h>

#include "splitter/lower/lower_extrema.h"

static struct expr *without_cast(struct expr *expr)
{
    while (expr->kind == EXPR_CAST && expr->implicit) {
        expr = expr->kid[0];
    }
    return expr;
}

const struct expr *extremum_bare(const struct expr *expr)
{
    return expr->kind == EXPR_CAST && expr->implicit ? without_cast(expr->kid[0]) : expr;
}

static bool is_place(const struct expr *expr, const struct location *location)
{
    expr = extremum_bare(expr);
    return expr->kind == EXPR_PLACE && expr->place.arg == location->arg &&
           expr->place.column == location->column && expr->place.component == location->offset;
}

bool extremum_read(const struct lower *lower, const struct expr *expr)
{
    bool does = expr->kind == EXPR_PLACE && lower_is_extremum(&lower->loop->arg[expr->place.arg]);

    for (int k = 0; k < expr->kids && !does; k++) {
        does = extremum_read(lower, expr->kid[k]);
    }
    return does;
}

_Noreturn void extremum_unknown(struct lower *lower, const struct location *location)
{
    lower_refuse(
        lower,
        arena_format(lower->arena,
                     "%s is %s, and its minimum or maximum is taken in a form that is not known",
                     location_name(lower, location),
                     access_name(lower->loop->arg[location->arg].access)));
}

static bool is_current(const struct lower *lower, const struct expr *place)
{
    return extremum_bare(place)->bits == (unsigned long long)lower->extremum_stores;
}

/* The one of two operands that is not the place; NULL: neither or both are. */
static struct expr *other_of(const struct lower *lower, struct expr *a, struct expr *b,
                             const struct location *location)
{
    struct expr *place = is_place(a, location) ? a : b;
    struct expr *other = place == a ? b : a;

    return is_place(place, location) && is_current(lower, place) && !extremum_read(lower, other)
               ? other
               : NULL;
}

/* x where `a cmp b` compares x with the place; *less: it holds for x below the place. */
static struct expr *compared(const struct lower *lower, const struct expr *expr,
                             const struct location *location, bool *less)
{
    struct expr *other;

    expr = extremum_bare(expr);
    if (expr->kind != EXPR_BINARY || expr->binary < BINARY_LT || expr->binary > BINARY_GE) {
        return NULL;
    }
    other = other_of(lower, expr->kid[0], expr->kid[1], location);
    *less = (expr->binary == BINARY_LT || expr->binary == BINARY_LE) == (other == expr->kid[0]);
    return other;
}

/* Like compared(); inside a region, `expr` may also be a conjunction (&&) in which only the
 * comparison reads the extremum. A region stays whole, so its conditions stay together. */
static struct expr *compared_among(const struct lower *lower, const struct expr *expr,
                                   const struct location *location, bool *less)
{
    expr = extremum_bare(expr);
    if (lower->region == NULL || expr->kind != EXPR_BINARY || expr->binary != BINARY_LAND) {
        return compared(lower, expr, location, less);
    }
    for (int k = 0; k < 2; k++) {
        if (!extremum_read(lower, expr->kid[1 - k])) {
            return compared_among(lower, expr->kid[k], location, less);
        }
    }
    return NULL;
}

static bool is_library(const struct lower *lower, const struct expr *call, bool greatest)
{
    static const char *const name[2][4] = {{"fmin", "fminf", "fminl", "cleave_min_"},
                                           {"fmax", "fmaxf", "fmaxl", "cleave_max_"}};
    const char *called = call->callee->name;

    (void)lower;
    if (call->callee->kind != FUNCTION_MATH || call->kids != 2) {
        return false;
    }
    for (int n = 0; n < 3; n++) {
        if (strcmp(called, name[greatest][n]) == 0) {
            return true;
        }
    }
    return strncmp(called, name[greatest][3], strlen(name[greatest][3])) == 0;
}

/* If the stored value is the extremum of the place and another value, returns the other value, else
 * NULL. */
static struct expr *combined(const struct lower *lower, const struct expr *value,
                             const struct location *location, bool greatest)
{
    const struct expr *condition;
    struct expr *other;
    struct expr *chosen;
    bool less;

    value = extremum_bare(value);
    if (value->kind == EXPR_CALL && is_library(lower, value, greatest)) {
        return other_of(lower, value->kid[0], value->kid[1], location);
    }
    if (value->kind != EXPR_COND) {
        return NULL;
    }
    condition = extremum_bare(value->kid[0]);
    other = compared_among(lower, condition, location, &less);
    chosen = other_of(lower, value->kid[1], value->kid[2], location);
    if (other == NULL || chosen == NULL ||
        !expr_same(extremum_bare(other), extremum_bare(chosen)) ||
        (condition->binary == BINARY_LAND && chosen != value->kid[1])) {
        return NULL;
    }
    /* x is taken if it is less: a minimum; if it is not less: a maximum. */
    return (less == (chosen == value->kid[1])) == !greatest ? chosen : NULL;
}

/* The value is better than the old one, or the old one is NaN, which is never stored to a place. */
static struct expr *is_better(struct lower *lower, struct expr *value, struct expr *old,
                              bool greatest)
{
    struct expr *beyond =
        make_binary(lower, greatest ? BINARY_GT : BINARY_LT, &lower_int, value, old);

    if (!type_is_floating(old->type) || old->kind == EXPR_FLOAT) {
        return beyond;
    }
    return make_binary(lower, BINARY_LOR, &lower_int, beyond,
                       make_binary(lower, BINARY_NE, &lower_int, old, old));
}

static void combine(struct lower *lower, struct location *location, struct expr *value)
{
    int leaf = memory_leaf(lower, memory_actual(lower, location));
    const struct leaf *at = &lower->leaf[leaf];
    bool greatest = at->role == ROLE_GREATEST;
    struct expr *old = at->value.atom;

    value = make_cast(lower, at->type, value, true);
    if (!expr_is_atom(value)) {
        value = node_version(lower, at->name, value);
    }
    lower->extremum_stores++;
    at = &lower->leaf[leaf];
    if (old != NULL) {
        value = make_cond(lower, at->type, is_better(lower, value, old, greatest), value, old);
    }
    leaf_assign(lower, leaf, value);
}

static bool is_extremum_place(const struct lower *lower, const struct location *location)
{
    return location->base == BASE_ARG && lower->sum[location->arg] != NULL &&
           lower_is_extremum(&lower->loop->arg[location->arg]);
}

bool extremum_assign(struct lower *lower, struct location *location, struct expr *value)
{
    bool greatest;

    if (!is_extremum_place(lower, location)) {
        return false;
    }
    if (!memory_is_one_place(lower, location)) {
        extremum_unknown(lower, location);
    }
    if (is_place(value, location) && is_current(lower, value)) {
        return true; /* a = a */
    }
    greatest = lower->loop->arg[location->arg].access == ACCESS_MAX;
    value = combined(lower, value, location, greatest);
    if (value == NULL) {
        extremum_unknown(lower, location);
    }
    combine(lower, location, value);
    return true;
}

/* ---- if (c && x < a) a = x, and a = c && x < a ? x : a ------------------------------------------
 */

static void find_effects(struct expr *expr, void *user)
{
    bool *found = user;

    *found = *found || expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INIT ||
             (expr->kind == EXPR_UNARY && expr->unary >= UNARY_PRE_INC) ||
             (expr->kind == EXPR_CALL && expr->callee->kind != FUNCTION_MATH);
}

static bool is_pure(struct expr *expr)
{
    bool found = false;

    expr_visit(expr, find_effects, &found);
    return !found;
}

/* Returns the place that a plain assignment sets, if it is one place of an extremum, else NULL. */
static struct location *assigned_place(struct lower *lower, struct expr *assign)
{
    struct location *location;

    if (assign->compound || assign->type->kind == TYPE_POINTER ||
        assign->type->kind == TYPE_RECORD || !is_pure(assign->kid[0]) || !is_pure(assign->kid[1])) {
        return NULL;
    }
    location = location_of(lower, assign->kid[0]);
    return is_extremum_place(lower, location) && memory_is_one_place(lower, location) ? location
                                                                                      : NULL;
}

/* Whether the value compared with the place is the one that is then stored, in the direction of its
 * access. */
static bool is_improved(const struct lower *lower, const struct location *location,
                        const struct expr *other, bool less, const struct expr *value)
{
    return other != NULL && expr_same(extremum_bare(other), extremum_bare(value)) &&
           less == (lower->loop->arg[location->arg].access == ACCESS_MIN);
}

/* The assignment where the condition holds. When the condition compares the place with the value,
 * it raises or lowers the place; else the assignment must do so itself. */
static void assign_guarded(struct lower *lower, struct expr *condition, struct expr *assign,
                           struct location *location)
{
    struct extremum_guards guards = {.location = location};

    extremum_guards_enter(lower, &guards, condition);
    if (!guards.never && guards.comparison == NULL) {
        lower_discard(lower, assign);
    } else if (!guards.never) {
        struct expr *value = lower_value(lower, assign->kid[1]);
        bool less = false;
        const struct expr *other = compared(lower, guards.comparison, location, &less);

        if (!is_improved(lower, location, other, less, value)) {
            extremum_unknown(lower, location);
        }
        combine(lower, location, value);
    }
    extremum_guards_leave(lower, &guards);
}

/* The branch's only statement, when it is an assignment. */
static struct expr *only_assignment(struct stmt *stmt)
{
    while (stmt->kind == STMT_BLOCK && stmt->kids == 1) {
        stmt = stmt->kid[0];
    }
    return stmt->kind == STMT_EXPR && stmt->expr->kind == EXPR_ASSIGN ? stmt->expr : NULL;
}

/* Returns the place that the branch sets, if it sets one place of an extremum and nothing else. */
static struct location *set_place(struct lower *lower, struct stmt *stmt, struct expr **assign)
{
    *assign = stmt->kids == 1 ? only_assignment(stmt->kid[0]) : NULL;
    return *assign != NULL && is_pure(stmt->expr) ? assigned_place(lower, *assign) : NULL;
}

bool extremum_if(struct lower *lower, struct stmt *stmt)
{
    struct expr *assign;
    struct location *location = set_place(lower, stmt, &assign);

    if (location != NULL) {
        assign_guarded(lower, stmt->expr, assign, location);
    }
    return location != NULL;
}

static bool is_lvalue(const struct expr *expr)
{
    return expr->kind == EXPR_VAR || expr->kind == EXPR_INDEX || expr->kind == EXPR_MEMBER ||
           (expr->kind == EXPR_UNARY && expr->unary == UNARY_DEREF);
}

bool extremum_conditional(struct lower *lower, struct expr *assign)
{
    const struct expr *value = extremum_bare(assign->kid[1]);
    struct location *location;
    struct location *kept;

    if (value->kind != EXPR_COND || !is_lvalue(extremum_bare(value->kid[2]))) {
        return false;
    }
    location = assigned_place(lower, assign);
    if (location == NULL) {
        return false;
    }
    kept = location_of(lower, without_cast(value->kid[2]));
    if (kept->base != BASE_ARG || !location_same(kept, location)) {
        return false;
    }
    assign_guarded(lower, value->kid[0], make_assign(lower, assign->kid[0], value->kid[1]),
                   location);
    return true;
}

/* ---- in a loop that stays whole: the accumulator takes the place's place
 * ---------------------------- */

static struct expr *replaced(struct lower *lower, struct expr *expr,
                             const struct location *location, struct expr *by)
{
    struct expr *copy;

    if (is_place(expr, location) && expr->kind == EXPR_PLACE) {
        return by;
    }
    if (expr->kids == 0) {
        return expr;
    }
    copy = arena_alloc(lower->arena, sizeof(*copy));
    *copy = *expr;
    copy->kid = arena_alloc(lower->arena, (size_t)expr->kids * sizeof(struct expr *));
    for (int k = 0; k < expr->kids; k++) {
        copy->kid[k] = replaced(lower, expr->kid[k], location, by);
    }
    return copy;
}

static struct expr *accumulator(struct lower *lower, struct location *location)
{
    return region_leaf(lower, memory_leaf(lower, memory_actual(lower, location)));
}

struct expr *extremum_region_assign(struct lower *lower, struct location *location,
                                    struct expr *value)
{
    struct expr *sum;

    if (!is_extremum_place(lower, location)) {
        return NULL;
    }
    if (!memory_is_one_place(lower, location) ||
        combined(lower, value, location, lower->loop->arg[location->arg].access == ACCESS_MAX) ==
            NULL) {
        extremum_unknown(lower, location);
    }
    sum = accumulator(lower, location);
    return make_assign(lower, sum, replaced(lower, value, location, sum));
}

struct stmt *extremum_region_if(struct lower *lower, struct stmt *stmt)
{
    struct expr *assign;
    struct location *location = set_place(lower, stmt, &assign);
    struct expr *condition = location != NULL ? lower_value(lower, stmt->expr) : NULL;
    const struct expr *other;
    struct expr *value;
    struct stmt *copy;
    struct expr *sum;
    bool less = false;

    if (location == NULL || !extremum_read(lower, condition)) {
        return NULL;
    }
    value = lower_value(lower, assign->kid[1]);
    other = compared_among(lower, condition, location, &less);
    if (!is_improved(lower, location, other, less, value)) {
        extremum_unknown(lower, location);
    }
    sum = accumulator(lower, location);
    copy = make_stmt(lower, STMT_IF, 1);
    copy->expr = replaced(lower, condition, location, sum);
    copy->kid[0] = make_stmt(lower, STMT_BLOCK, 1);
    copy->kid[0]->kid[0] = make_expr_stmt(lower, make_assign(lower, sum, value));
    return copy;
}
