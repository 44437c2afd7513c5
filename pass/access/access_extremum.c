/* access_extremum.c: checks how a kernel uses its OP_MIN and OP_MAX arguments.
 *
 * In: values as access_value.c combines them, conditions, and the places that values are stored to.
 * Out: reports. Such a place may be set to the minimum (maximum) of itself and free values, or to
 * a free value that a comparison with the place found better. Nothing else may depend on it: no
 * other place and no printed text, neither through a value nor because a statement is reached. A
 * use that is only possibly wrong is a warning, and the loop runs sequentially. */
#include "pass/access/access_impl.h"
#include "pass/access/access_state.h"
#include "pass/ir/arena.h"

/* ---- conditions ------------------------------------------------------------------------------ */

static void find_effect(struct expr *expr, void *user)
{
    bool *found = user;

    *found |= expr->kind == EXPR_ASSIGN ||
              (expr->kind == EXPR_UNARY && expr->unary >= UNARY_PRE_INC) ||
              (expr->kind == EXPR_CALL && expr->callee->kind != FUNCTION_MATH);
}

static bool has_effects(const struct expr *expr)
{
    bool found = false;

    expr_visit((struct expr *)expr, find_effect, &found);
    return found;
}

static void add_guard(struct walk *walk, struct guards *guards, struct guard guard)
{
    guards->guard = arena_grow(walk->arena, guards->guard, guards->count, &guards->capacity,
                               sizeof(*guards->guard));
    guards->guard[guards->count++] = guard;
}

/* Recognises the comparison of an extremum with a free value. */
static bool compare(struct walk *walk, const struct expr *condition, bool truth,
                    struct guard *guard)
{
    struct value left;
    struct value right;
    bool is_greater;
    bool is_left;

    if (condition->kind != EXPR_BINARY || condition->binary < BINARY_LT ||
        condition->binary > BINARY_GE) {
        return false;
    }
    left = access_value(walk, condition->kid[0]).value;
    right = access_value(walk, condition->kid[1]).value;
    is_left = left.kind == VALUE_EXTREMUM;
    if ((is_left ? right : left).kind != VALUE_FREE ||
        (is_left ? left : right).kind != VALUE_EXTREMUM) {
        return false;
    }
    guard->value = is_left ? left : right;
    guard->held = condition->kid[is_left ? 0 : 1];
    guard->other = condition->kid[is_left ? 1 : 0];
    /* Whether the condition, with this outcome, says that the free value is the greater one. */
    is_greater =
        (condition->binary == BINARY_GT || condition->binary == BINARY_GE) ^ is_left ^ !truth;
    guard->kind = is_greater == (walk->loop->arg[guard->value.arg].declared == ACCESS_MAX)
                      ? GUARD_BETTER
                      : GUARD_WORSE;
    return true;
}

static void collect(struct walk *walk, const struct expr *condition, bool truth,
                    struct guards *guards)
{
    struct guard guard = {.kind = GUARD_DEPENDENT};
    const struct expr *source;

    condition = access_term(condition);
    source = condition->kind == EXPR_VAR ? value_source(walk, condition->var) : NULL;
    if (source != NULL && !has_effects(source)) {
        collect(walk, source, truth, guards);
        return;
    }
    if (condition->kind == EXPR_UNARY && condition->unary == UNARY_NOT) {
        collect(walk, condition->kid[0], !truth, guards);
        return;
    }
    if (condition->kind == EXPR_BINARY && condition->binary == (truth ? BINARY_LAND : BINARY_LOR)) {
        collect(walk, condition->kid[0], truth, guards);
        collect(walk, condition->kid[1], truth, guards);
        return;
    }
    if (!compare(walk, condition, truth, &guard)) {
        guard.value = access_value(walk, condition).value;
    }
    if (guard.value.kind != VALUE_FREE) {
        add_guard(walk, guards, guard);
    }
}

struct guards extremum_guards(struct walk *walk, const struct expr *condition, struct value value,
                              bool truth)
{
    struct guards guards = {0};

    if (value.kind == VALUE_FREE) {
        return guards;
    }
    if (has_effects(condition)) {
        add_guard(walk, &guards, (struct guard){.kind = GUARD_DEPENDENT, .value = value});
    } else {
        collect(walk, condition, truth, &guards);
    }
    return guards;
}

int extremum_enter(struct walk *walk, const struct guards *guards)
{
    int mark = walk->guards.count;

    for (int n = 0; n < guards->count; n++) {
        add_guard(walk, &walk->guards, guards->guard[n]);
    }
    return mark;
}

void extremum_leave(struct walk *walk, int mark, int count)
{
    struct guards *guards = &walk->guards;

    for (int n = mark; n + count < guards->count; n++) {
        guards->guard[n] = guards->guard[n + count];
    }
    guards->count -= count;
    guards_ended(walk);
}

void extremum_cut(struct walk *walk, int mark, enum guard_end end)
{
    struct guards *guards = &walk->guards;
    int kept = mark;

    for (int n = mark; n < guards->count; n++) {
        if (guards->guard[n].end > end) {
            guards->guard[kept++] = guards->guard[n];
        }
    }
    guards->count = kept;
    guards_ended(walk);
}

void extremum_stash(struct walk *walk, int mark, struct guards *stash)
{
    for (int n = mark; n < walk->guards.count; n++) {
        add_guard(walk, stash, walk->guards.guard[n]);
    }
    walk->guards.count = mark < walk->guards.count ? mark : walk->guards.count;
    guards_ended(walk);
}

void extremum_close(struct walk *walk, int mark)
{
    for (int n = mark; n < walk->guards.count; n++) {
        walk->guards.guard[n].kind = GUARD_DEPENDENT;
    }
}

/* The outermost target of a jump in the statement. in_loop, in_switch: one of the statement's own
 * loops or switches encloses it. */
static enum guard_end jump_of(const struct stmt *stmt, bool in_loop, bool in_switch)
{
    bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO;
    enum guard_end end = END_OF_BRANCH;

    if (stmt->kind == STMT_RETURN) {
        return END_OF_FUNCTION;
    }
    if (stmt->kind == STMT_BREAK && !in_loop && !in_switch) {
        return END_OF_LOOP;
    }
    if (stmt->kind == STMT_CONTINUE && !in_loop) {
        return END_OF_ROUND;
    }
    for (int k = 0; k < stmt->kids; k++) {
        enum guard_end inner =
            jump_of(stmt->kid[k], in_loop || is_loop, in_switch || stmt->kind == STMT_SWITCH);

        end = inner > end ? inner : end;
    }
    return end;
}

void extremum_jumped(struct walk *walk, const struct guards *opposite, const struct stmt *branch,
                     bool always)
{
    enum guard_end end = jump_of(branch, false, false);
    int mark = walk->guards.count;

    if (end == END_OF_BRANCH) {
        return;
    }
    extremum_enter(walk, opposite);
    for (int n = mark; n < walk->guards.count; n++) {
        struct guard *guard = &walk->guards.guard[n];

        guard->end = end;
        guard->kind = always ? guard->kind : GUARD_DEPENDENT;
    }
}

/* ---- what conditions make of a value --------------------------------------------------------- */

static struct value decided_by(const struct guard *guard, bool is_unclear)
{
    struct value none = {0};
    struct value value = value_combined(guard->value, none, is_unclear);

    return value;
}

/* Whether every number of type `from` is also a number of type `to`. */
bool access_keeps_value(const struct type *from, const struct type *to)
{
    if (type_is_floating(from) || type_is_floating(to)) {
        return type_is_floating(to) &&
               (type_is_floating(from) ? to->size >= from->size : to->size > from->size);
    }
    return to->size > from->size
               ? type_is_signed(to) || !type_is_signed(from)
               : to->size == from->size && type_is_signed(to) == type_is_signed(from);
}

static bool is_number_cast(const struct expr *expr)
{
    return expr->kind == EXPR_CAST && expr->type->kind <= TYPE_DOUBLE;
}

/* The expression below casts that keep its value. */
const struct expr *access_widened(const struct expr *expr)
{
    expr = access_term(expr);
    while (is_number_cast(expr) && access_keeps_value(expr->kid[0]->type, expr->type)) {
        expr = access_term(expr->kid[0]);
    }
    return expr;
}

/* Whether `from` is the value that was compared, or a conversion of it. A conversion keeps the
 * order of values, but a value must not be taken by a comparison that only its converted form
 * passes. */
static bool same_value(const struct expr *from, const struct expr *compared)
{
    compared = access_widened(compared);
    while (from != NULL) {
        if (access_same(from, compared) || (is_number_cast(from) && is_number_cast(compared) &&
                                            type_same(from->type, compared->type) &&
                                            access_same(from->kid[0], compared->kid[0]))) {
            return true;
        }
        from = access_term(from) != from ? access_term(from)
               : is_number_cast(from)    ? from->kid[0]
                                         : NULL;
    }
    return false;
}

/* The value of `from` (NULL: no expression) when it is stored because the guard holds. */
static struct value under(const struct guard *guard, struct value value, const struct expr *from)
{
    bool is_own = value.kind == VALUE_EXTREMUM && value_same_place(&value, &guard->value);
    bool is_free = value.kind == VALUE_FREE;

    if (is_own && value.is_old) {
        return value; /* storing the place's own old value changes nothing */
    }
    if (guard->kind == GUARD_DEPENDENT || guard->is_stale) {
        return decided_by(guard, guard->kind != GUARD_DEPENDENT || guard->value.is_unclear);
    }
    if (is_own && same_value(from, guard->held)) {
        return value;
    }
    if (guard->kind == GUARD_WORSE) {
        return decided_by(guard, is_own);
    }
    if (is_free && same_value(from, guard->other)) {
        value = guard->value;
        value.is_old = false;
        return value;
    }
    return decided_by(guard, is_free || is_own);
}

struct value extremum_chosen(const struct walk *walk, int mark, struct value value,
                             const struct expr *from)
{
    struct value chosen = value;

    for (int n = mark; n < walk->guards.count; n++) {
        struct value here = under(&walk->guards.guard[n], value, from);

        chosen = n == mark                        ? here
                 : chosen.kind == VALUE_DEPENDENT ? chosen
                                                  : value_either(chosen, here);
    }
    return chosen;
}

/* ---- reports --------------------------------------------------------------------------------- */

static void report_unclear(struct walk *walk, const struct expr *expr, int arg)
{
    walk->is_unclear = true;
    if (walk->loop->sequential_reason == NULL) {
        access_report(walk, DIAG_extremum_unclear, expr, arg);
    }
}

static void report_read(struct walk *walk, const struct value *value, bool is_unclear)
{
    if (value->in_doubt || is_unclear) {
        report_unclear(walk, value->read, value->arg);
    } else {
        access_report(walk, DIAG_extremum_read, value->read, value->arg);
    }
}

void extremum_effect(struct walk *walk, const struct value *value)
{
    if (value->kind != VALUE_FREE) {
        report_read(walk, value, false);
    }
    for (int n = 0; n < walk->guards.count; n++) {
        report_read(walk, &walk->guards.guard[n].value, false);
    }
}

struct value extremum_unknown_call(struct walk *walk, struct value passed)
{
    for (int n = 0; n < walk->guards.count; n++) {
        report_read(walk, &walk->guards.guard[n].value, true);
    }
    passed.in_doubt = passed.kind != VALUE_FREE;
    return passed;
}

void extremum_keep(struct walk *walk, const struct expr *lvalue, struct value value,
                   const struct expr *from)
{
    const struct var *var = value_root(lvalue);
    struct value before = var != NULL ? value_get(walk, var) : (struct value){0};
    const int mark = var != NULL ? guards_newer(walk, var) : 0;
    struct value kept = extremum_chosen(walk, mark, value, from);
    const int guards = walk->guards.count;
    const struct guard *last = guards > mark ? &walk->guards.guard[guards - 1] : NULL;

    value_changed(walk, lvalue);
    if (var == NULL) {
        if (kept.kind != VALUE_FREE) { /* later reads of that memory are not tracked */
            report_unclear(walk, kept.read, kept.arg);
        }
        return;
    }
    if (last != NULL && kept.kind == VALUE_EXTREMUM && before.kind == VALUE_EXTREMUM &&
        !before.is_old && (last->held == NULL || !access_same(last->held, lvalue))) {
        kept = value_combined(kept, before, true); /* compared with another copy */
    }
    if (access_bare(lvalue)->kind != EXPR_VAR && kept.kind != before.kind) {
        value_join(&kept, &before); /* the other parts keep their values */
    }
    value_set(walk, var, kept, last == NULL ? from : NULL);
}

enum match { MATCH_NO, MATCH_UNKNOWN, MATCH_YES };

/* Whether the value comes from the place that `lvalue` names. */
static enum match matches(const struct walk *walk, const struct value *value,
                          const struct expr *lvalue, const struct targets *place)
{
    struct value here = value_read((struct walk *)walk, lvalue, place);

    if (here.kind == VALUE_EXTREMUM && value_same_place(value, &here)) {
        return MATCH_YES;
    }
    if (value->is_known && here.is_known) {
        return MATCH_NO;
    }
    for (int n = 0; n < place->count; n++) {
        if (place->target[n].arg == value->arg) {
            return MATCH_UNKNOWN;
        }
    }
    return place->is_full ? MATCH_UNKNOWN : MATCH_NO;
}

/* Reports the first guard that the stored value must not depend on; true: one was reported. */
static bool check_guards(struct walk *walk, const struct expr *lvalue, const struct targets *place,
                         const struct value *value, const struct expr *from)
{
    for (int n = 0; n < walk->guards.count; n++) {
        const struct guard *guard = &walk->guards.guard[n];
        enum match match = matches(walk, &guard->value, lvalue, place);
        bool is_fresh = guard->value.version == walk->version[guard->value.arg] ||
                        (guard->held != NULL && access_same(guard->held, lvalue));
        bool is_current =
            value->kind != VALUE_EXTREMUM || value->version == walk->version[value->arg];
        struct value chosen = under(guard, *value, from);

        if (match == MATCH_YES && chosen.kind == VALUE_EXTREMUM && is_fresh && is_current) {
            continue;
        }
        if (match == MATCH_YES && guard->kind != GUARD_DEPENDENT && value->kind == VALUE_FREE &&
            !chosen.is_unclear && is_fresh) {
            access_report(walk, DIAG_extremum_assigned, lvalue, guard->value.arg);
        } else if (match == MATCH_NO) {
            report_read(walk, &guard->value, false);
        } else {
            report_read(walk, &guard->value,
                        chosen.is_unclear || match == MATCH_UNKNOWN || !is_fresh || !is_current);
        }
        return true;
    }
    return false;
}

static void store_extremum(struct walk *walk, const struct expr *lvalue,
                           const struct targets *place, const struct value *value,
                           const struct expr *from, int arg, bool in_doubt)
{
    enum match match = value->kind != VALUE_FREE ? matches(walk, value, lvalue, place) : MATCH_NO;

    if (value->kind == VALUE_EXTREMUM && value->is_old && match == MATCH_YES &&
        value->version == walk->version[value->arg]) {
        return; /* a = a */
    }
    if (check_guards(walk, lvalue, place, value, from)) {
        return;
    }
    if (value->kind == VALUE_EXTREMUM && match == MATCH_YES) {
        return;
    }
    if (value->kind == VALUE_FREE && walk->guards.count > 0) {
        return; /* every guard says that the value is better */
    }
    if (in_doubt || match == MATCH_UNKNOWN ||
        (value->kind == VALUE_DEPENDENT && (value->in_doubt || value->is_unclear))) {
        report_unclear(walk, lvalue, arg);
    } else {
        access_report(walk, DIAG_extremum_assigned, lvalue, arg);
    }
}

void extremum_store(struct walk *walk, const struct expr *lvalue, const struct targets *place,
                    struct value value, const struct expr *from)
{
    bool has_effect = place->is_full;
    bool was_stored = false;

    if (place->value.kind != VALUE_FREE) { /* the choice of the place depends on an extremum */
        report_read(walk, &place->value, false);
    }
    for (int n = 0; n < place->count; n++) {
        int arg = place->target[n].arg;

        if (arg < 0) {
            has_effect |= place->target[n].is_global;
        } else if (!value_is_extremum(&walk->loop->arg[arg])) {
            bool is_payload = walk->loop->arg[arg].kind == ARG_INFO;

            has_effect |= !is_payload;
            if (is_payload && value.kind != VALUE_FREE) {
                walk->carries = walk->loop->kernel->param[arg]->name;
            }
        } else if (!was_stored) {
            was_stored = true;
            store_extremum(walk, lvalue, place, &value, from, arg,
                           place->target[n].in_doubt || place->count > 1);
        }
    }
    if (has_effect) {
        extremum_effect(walk, &value);
    }
    for (int n = 0; n < place->count; n++) {
        if (place->target[n].arg >= 0) {
            walk->version[place->target[n].arg]++;
        }
    }
    value_changed(walk, lvalue);
}
