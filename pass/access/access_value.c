/* access_value.c: tracks how values depend on OP_MIN and OP_MAX arguments while a kernel is walked.
 *
 * Elements may lower (raise) such a place in any order, and in copies of it, as long as it becomes
 * the minimum (maximum) of itself and of values that do not depend on it. So each value is free of
 * such places, is the extremum of one place so far, or depends on one in another way. In: operands.
 * Out: the value of an operation, of a variable, and of joined paths; access_extremum.c decides
 * what may be done with it. */
#include <string.h>

#include "pass/access/access_impl.h"
#include "pass/access/access_state.h"
#include "pass/ir/arena.h"

bool value_is_extremum(const struct arg *arg)
{
    return (arg->declared == ACCESS_MIN || arg->declared == ACCESS_MAX) &&
           (arg->kind == ARG_GLOBAL || (arg->kind == ARG_DAT && arg->is_indirect));
}

static struct value dependent(struct value value, bool in_doubt, bool is_unclear)
{
    value.kind = VALUE_DEPENDENT;
    value.is_old = false;
    value.in_doubt = in_doubt;
    value.is_unclear = is_unclear;
    return value;
}

bool value_same_place(const struct value *a, const struct value *b)
{
    if (a->arg != b->arg) {
        return false;
    }
    if (a->is_known && b->is_known) {
        return a->column == b->column && a->component == b->component;
    }
    return !a->is_moved && !b->is_moved && access_same(a->read, b->read);
}

bool value_same(const struct value *a, const struct value *b)
{
    if (a->kind == VALUE_FREE || b->kind == VALUE_FREE) {
        return a->kind == b->kind;
    }
    return a->kind == b->kind && a->is_old == b->is_old && a->in_doubt == b->in_doubt &&
           a->is_unclear == b->is_unclear && a->arg == b->arg && a->is_known == b->is_known &&
           a->column == b->column && a->component == b->component && a->read == b->read &&
           a->is_moved == b->is_moved && a->version == b->version;
}

/* ---- operations ------------------------------------------------------------------------------ */

static struct value joined(struct value a, struct value b)
{
    struct value value = a.kind != VALUE_FREE ? a : b;

    if (a.kind == VALUE_FREE || b.kind == VALUE_FREE) {
        return value.kind == VALUE_FREE ? value : dependent(value, true, true);
    }
    if (a.kind == VALUE_EXTREMUM && b.kind == VALUE_EXTREMUM) {
        if (!value_same_place(&a, &b)) {
            return dependent(a, false, false);
        }
        value.is_old &= b.is_old;
        value.is_moved |= b.is_moved;
        value.version = a.version < b.version ? a.version : b.version;
        return value;
    }
    return dependent(a.kind == VALUE_DEPENDENT ? a : b, a.in_doubt || b.in_doubt,
                     a.is_unclear || b.is_unclear);
}

bool value_join(struct value *value, const struct value *other)
{
    struct value before = *value;

    *value = joined(before, *other);
    return !value_same(value, &before);
}

struct value value_either(struct value a, struct value b)
{
    bool is_free = a.kind == VALUE_FREE || b.kind == VALUE_FREE;
    struct value value = a.kind != VALUE_FREE ? a : b;

    if (is_free && value.kind == VALUE_DEPENDENT) {
        return value;
    }
    return is_free && value.kind == VALUE_EXTREMUM ? dependent(value, false, true) : joined(a, b);
}

struct value value_combined(struct value a, struct value b, bool is_unclear)
{
    struct value value = a.kind != VALUE_FREE ? a : b;

    if (value.kind == VALUE_FREE) {
        return value;
    }
    return dependent(value, a.in_doubt || b.in_doubt, is_unclear || a.is_unclear || b.is_unclear);
}

struct value value_extremum(const struct walk *walk, struct value a, struct value b, bool is_max)
{
    struct value value = a.kind != VALUE_FREE ? a : b;
    bool is_one;

    if (value.kind == VALUE_FREE) {
        return value;
    }
    is_one = a.kind != VALUE_DEPENDENT && b.kind != VALUE_DEPENDENT &&
             (a.kind != b.kind || value_same_place(&a, &b));
    if (is_one && (walk->loop->arg[value.arg].declared == ACCESS_MAX) == is_max) {
        value.is_old = false;
        return value;
    }
    /* A clipped extremum may still be one: fmin(fmax(a, x), 10). */
    return value_combined(a, b, is_one && !value.is_old);
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool is_point(struct range range)
{
    return range.lo == range.hi;
}

/* The value read from one of several places. It is an extremum if all places are extrema of one
 * kind; otherwise it depends on one. */
static struct value read_several(const struct walk *walk, const struct targets *place,
                                 struct value value)
{
    for (int n = 0; n < place->count; n++) {
        const struct target *target = &place->target[n];
        const struct arg *arg = target->arg >= 0 ? &walk->loop->arg[target->arg] : NULL;

        if (arg == NULL || !value_is_extremum(arg) ||
            arg->declared != walk->loop->arg[value.arg].declared) {
            return dependent(value, true, true);
        }
    }
    return value;
}

struct value value_read(struct walk *walk, const struct expr *expr, const struct targets *place)
{
    struct value value = place->value; /* of the pointer, or of the subscripts */

    if (!walk->has_extrema || value.kind != VALUE_FREE) {
        return value.kind == VALUE_FREE ? value : dependent(value, value.in_doubt, false);
    }
    for (int n = 0; n < place->count; n++) {
        const struct target *target = &place->target[n];

        if (target->arg < 0 || !value_is_extremum(&walk->loop->arg[target->arg])) {
            continue;
        }
        value =
            (struct value){.kind = VALUE_EXTREMUM,
                           .is_old = true,
                           .arg = target->arg,
                           .is_known = place->count == 1 && !place->is_full && !target->in_doubt &&
                                       target->offset_known && target->column_known &&
                                       is_point(target->offset) && is_point(target->column),
                           .column = target->column.lo,
                           .component = target->offset.lo,
                           .read = expr,
                           .version = walk->version[target->arg]};
        return read_several(walk, place, value);
    }
    return value;
}

const struct var *value_root(const struct expr *lvalue)
{
    for (;;) {
        lvalue = access_bare(lvalue);
        switch (lvalue->kind) {
        case EXPR_VAR:
            return lvalue->var;
        case EXPR_INDEX:
        case EXPR_MEMBER:
            if (access_bare(lvalue->kid[0])->type->kind == TYPE_POINTER) {
                return NULL;
            }
            lvalue = lvalue->kid[0];
            break;
        default:
            return NULL;
        }
    }
}

/* Whether the expression mentions the variable. */
static bool mentions(const struct expr *expr, const struct var *var)
{
    const struct expr *bare = access_bare(expr);

    if (bare->kind == EXPR_VAR) {
        return bare->var == var;
    }
    for (int k = 0; k < bare->kids; k++) {
        if (mentions(bare->kid[k], var)) {
            return true;
        }
    }
    return false;
}

/* ---- variables ------------------------------------------------------------------------------- */

static struct held_value *find(const struct state *state, const struct var *var)
{
    for (int n = 0; n < state->values; n++) {
        if (state->value[n].var == var) {
            return &state->value[n];
        }
    }
    return NULL;
}

struct value value_get(const struct walk *walk, const struct var *var)
{
    const struct held_value *held = find(walk->state, var);

    return held != NULL ? held->value : (struct value){0};
}

static void set_in(struct walk *walk, struct state *state, struct held_value set)
{
    struct held_value *held = find(state, set.var);

    if (held != NULL) {
        *held = set;
    } else if (set.value.kind != VALUE_FREE) {
        state->value = arena_grow(walk->arena, state->value, state->values, &state->value_room,
                                  sizeof(*state->value));
        state->value[state->values++] = set;
    }
}

void value_set(struct walk *walk, const struct var *var, struct value value,
               const struct expr *from)
{
    bool is_kept = from != NULL && !mentions(from, var);

    set_in(walk, walk->state, (struct held_value){var, value, is_kept ? from : NULL});
}

const struct expr *value_source(const struct walk *walk, const struct var *var)
{
    const struct held_value *held = find(walk->state, var);
    const struct value *value = held != NULL ? &held->value : NULL;

    return value != NULL && value->kind != VALUE_FREE && !value->is_moved &&
                   value->version == walk->version[value->arg]
               ? held->from
               : NULL;
}

bool value_join_states(struct walk *walk, const struct state *other)
{
    struct state *state = walk->state;
    bool changed = false;

    if (!other->is_reached) {
        return false;
    }
    if (!state->is_reached) {
        state->is_reached = true;
        state->values = 0;
        for (int n = 0; n < other->values; n++) {
            set_in(walk, state, other->value[n]);
        }
        return false;
    }
    for (int n = 0; n < other->values; n++) {
        struct held_value joined = other->value[n];
        const struct held_value *held = find(state, joined.var);
        struct value here = held != NULL ? held->value : (struct value){0};

        joined.from = held != NULL && held->from == joined.from ? joined.from : NULL;
        changed |= value_join(&joined.value, &here);
        set_in(walk, state, joined);
    }
    for (int n = 0; n < state->values; n++) {
        if (find(other, state->value[n].var) == NULL) {
            struct value value = {0};

            changed |= value_join(&value, &state->value[n].value);
            state->value[n].value = value;
            state->value[n].from = NULL;
        }
    }
    return changed;
}

/* ---- changes --------------------------------------------------------------------------------- */

/* The variable at the beginning of the lvalue: an object, or the pointer to it. */
static const struct var *first_variable(const struct expr *lvalue)
{
    lvalue = access_bare(lvalue);
    while (lvalue->kind != EXPR_VAR && lvalue->kids > 0) {
        lvalue = access_bare(lvalue->kid[0]);
    }
    return lvalue->kind == EXPR_VAR ? lvalue->var : NULL;
}

/* Whether the expression reads memory through a pointer that may point to the same object as `but`.
 * Two different parameters never do. */
static bool reads_memory(const struct expr *expr, const struct var *but)
{
    const struct expr *bare = access_bare(expr);
    bool reads = bare->kind == EXPR_INDEX || bare->kind == EXPR_MEMBER ||
                 (bare->kind == EXPR_UNARY && bare->unary == UNARY_DEREF);

    if (reads && value_root(bare) == NULL) {
        const struct var *first = first_variable(bare);

        return first == NULL || but == NULL || first->storage == STORAGE_LOCAL ||
               but->storage == STORAGE_LOCAL;
    }
    for (int k = 0; k < bare->kids; k++) {
        if (reads_memory(bare->kid[k], but)) {
            return true;
        }
    }
    return false;
}

void value_changed(struct walk *walk, const struct expr *lvalue)
{
    const struct var *var = first_variable(lvalue);
    bool is_memory = value_root(lvalue) == NULL;

    for (int n = 0; n < walk->guards.count; n++) {
        struct guard *guard = &walk->guards.guard[n];

        guard->is_stale |= guard->kind != GUARD_DEPENDENT &&
                           (mentions(guard->other, var) || mentions(guard->held, var) ||
                            (is_memory && reads_memory(guard->other, var)));
        guard->value.is_moved |= mentions(guard->value.read, var);
    }
    for (int n = 0; n < walk->state->values; n++) {
        struct held_value *held = &walk->state->value[n];

        held->value.is_moved |= held->value.kind != VALUE_FREE && mentions(held->value.read, var);
        if (held->from != NULL &&
            (mentions(held->from, var) || (is_memory && reads_memory(held->from, var)))) {
            held->from = NULL;
        }
    }
}
