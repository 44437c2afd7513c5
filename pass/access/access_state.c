/* access_state.c: sets of places that pointers may point to, and what variables hold of them. See
 * access_state.h; access_use.c reports about their use.
 */
#include "pass/access/access_state.h"

#include <string.h>

#include "pass/ir/arena.h"

static bool same_range(struct range a, struct range b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

void targets_add(struct targets *targets, struct target target)
{
    struct targets one = {.count = 1, .value = targets->value};

    one.target[0] = target;
    targets_join(targets, &one);
}

/* Makes a known value unknown when it differs from another one. */
static bool merge(bool *known, struct range *range, bool other_known, struct range other)
{
    if (*known && (!other_known || !same_range(*range, other))) {
        *known = false;
        *range = (struct range){0, 0};
        return true;
    }
    return false;
}

static bool merge_target(struct target *a, const struct target *b)
{
    bool changed = merge(&a->offset_known, &a->offset, b->offset_known, b->offset);

    changed |= merge(&a->column_known, &a->column, b->column_known, b->column);
    if (b->in_doubt && !a->in_doubt) {
        a->in_doubt = true;
        changed = true;
    }
    return changed;
}

static bool is_same_object(const struct target *a, const struct target *b)
{
    return a->arg == b->arg && a->storage == b->storage && a->is_rows == b->is_rows;
}

bool targets_join(struct targets *targets, const struct targets *other)
{
    bool changed = false;

    for (int n = 0; n < other->count; n++) {
        const struct target *add = &other->target[n];
        int k = 0;

        while (k < targets->count && !is_same_object(&targets->target[k], add)) {
            k++;
        }
        if (k < targets->count) {
            changed |= merge_target(&targets->target[k], add);
        } else if (k < TARGETS_LIMIT) {
            targets->target[targets->count++] = *add;
            changed = true;
        } else {
            changed |= !targets->is_full;
            targets->is_full = true;
        }
    }
    changed |= other->is_full && !targets->is_full;
    targets->is_full |= other->is_full;
    changed |= value_join(&targets->value, &other->value);
    return changed;
}

static void shift(bool *known, struct range *range, bool by_known, struct range by, long scale)
{
    if (scale < 0) {
        by = (struct range){by.hi, by.lo};
    }
    /* Two ranges may depend on the same counter: then the ends of their sum need not occur. */
    if (!by_known || (range->lo != range->hi && by.lo != by.hi)) {
        *known = false;
    }
    if (*known) {
        *range = (struct range){range->lo + by.lo * scale, range->hi + by.hi * scale};
    }
}

static void shift_all(struct targets *targets, bool by_known, struct range by, long scale)
{
    for (int n = 0; n < targets->count; n++) {
        struct target *target = &targets->target[n];

        if (target->is_rows) {
            shift(&target->column_known, &target->column, by_known, by, scale);
        } else {
            shift(&target->offset_known, &target->offset, by_known, by, scale);
        }
    }
}

void targets_shift(struct targets *targets, const struct expr *expr,
                   const struct counters *counters, long scale, int sign)
{
    struct range by = {0, 0};
    bool is_known = targets->count > 0 && access_range(expr, counters, &by);

    shift_all(targets, is_known, by, sign * scale);
}

void targets_move(struct targets *targets, long by)
{
    shift_all(targets, true, (struct range){by, by}, 1);
}

void targets_blur(struct targets *targets)
{
    for (int n = 0; n < targets->count; n++) {
        targets->target[n].offset_known = false;
        targets->target[n].column_known &= !targets->target[n].is_rows;
    }
}

void targets_doubt(struct targets *targets)
{
    for (int n = 0; n < targets->count && targets->count > 1; n++) {
        targets->target[n].in_doubt = true;
    }
}

void targets_settle(struct targets *targets)
{
    for (int n = 0; n < targets->count; n++) {
        struct target *target = &targets->target[n];

        target->offset_known &= target->offset.lo == target->offset.hi;
        target->column_known &= target->column.lo == target->column.hi;
    }
}

/* ---- what variables hold --------------------------------------------------------------------- */

struct state *state_new(struct walk *walk)
{
    struct state *state = arena_alloc(walk->arena, sizeof(*state));

    state->sure = sure_new(walk);
    return state;
}

struct state *state_copy(struct walk *walk)
{
    struct state *copy = state_new(walk);

    copy->count = walk->state->count;
    copy->capacity = copy->count;
    copy->held = arena_alloc(walk->arena, (size_t)copy->count * sizeof(*copy->held));
    if (copy->count > 0) {
        memcpy(copy->held, walk->state->held, (size_t)copy->count * sizeof(*copy->held));
    }
    copy->is_reached = walk->state->is_reached;
    copy->sure = sure_copy(walk);
    copy->values = walk->state->values;
    copy->value_room = copy->values;
    copy->value = arena_alloc(walk->arena, (size_t)copy->values * sizeof(*copy->value));
    if (copy->values > 0) {
        memcpy(copy->value, walk->state->value, (size_t)copy->values * sizeof(*copy->value));
    }
    return copy;
}

static struct held *find(const struct state *state, const struct var *var, int slot)
{
    for (int n = 0; n < state->count; n++) {
        if (state->held[n].var == var && state->held[n].slot == slot) {
            return &state->held[n];
        }
    }
    return NULL;
}

struct targets state_get(struct walk *walk, const struct var *var, int slot)
{
    const struct held *held = find(walk->state, var, slot);

    return held != NULL ? held->targets : (struct targets){0};
}

void state_set(struct walk *walk, const struct var *var, int slot, struct targets targets)
{
    struct state *state = walk->state;
    struct held *held = find(state, var, slot);

    targets_settle(&targets);
    if (held != NULL) {
        held->targets = targets;
        return;
    }
    state->held =
        arena_grow(walk->arena, state->held, state->count, &state->capacity, sizeof(*state->held));
    state->held[state->count++] = (struct held){var, slot, targets};
}

bool state_join(struct walk *walk, const struct state *other)
{
    bool changed = false;

    for (int n = 0; n < other->count; n++) {
        struct held *held = find(walk->state, other->held[n].var, other->held[n].slot);
        struct targets joined = other->held[n].targets;

        if (held == NULL) {
            state_set(walk, other->held[n].var, other->held[n].slot, joined);
            continue;
        }
        changed |= targets_join(&joined, &held->targets);
        held->targets = joined;
    }
    sure_join(walk, other);
    changed |= value_join_states(walk, other);
    return changed;
}

void state_join_into(struct walk *walk, struct state *other)
{
    struct state *now = walk->state;

    walk->state = other;
    state_join(walk, now);
    walk->state = now;
}

/* ---- helpers that were walked ---------------------------------------------------------------- */

static bool same_targets(const struct targets *a, const struct targets *b)
{
    if (a->count != b->count || a->is_full != b->is_full || !value_same(&a->value, &b->value)) {
        return false;
    }
    for (int n = 0; n < a->count; n++) {
        const struct target *x = &a->target[n];
        const struct target *y = &b->target[n];

        if (!is_same_object(x, y) || x->in_doubt != y->in_doubt ||
            x->offset_known != y->offset_known || x->column_known != y->column_known ||
            (x->offset_known && !same_range(x->offset, y->offset)) ||
            (x->column_known && !same_range(x->column, y->column))) {
            return false;
        }
    }
    return true;
}

const struct memo *memo_find(struct walk *walk, const struct function *function,
                             const struct targets *passed)
{
    for (struct memo *memo = walk->memo; memo != NULL; memo = memo->next) {
        bool is_same = memo->function == function &&
                       memo->is_conditional == access_is_conditional(walk) &&
                       sure_same(walk, memo->sure, walk->state->sure);

        for (int n = 0; is_same && n < function->params; n++) {
            is_same = same_targets(&memo->passed[n], &passed[n]);
        }
        if (is_same) {
            return memo;
        }
    }
    return NULL;
}

void memo_add(struct walk *walk, const struct function *function, const struct targets *passed,
              const unsigned long long *sure, const struct targets *result)
{
    struct memo *memo = arena_alloc(walk->arena, sizeof(*memo));

    memo->function = function;
    memo->passed = passed;
    memo->sure = sure;
    memo->is_conditional = access_is_conditional(walk);
    memo->result = *result;
    memo->sure_after = sure_copy(walk);
    memo->next = walk->memo;
    walk->memo = memo;
}

/* ---- conditions and the variables declared under them ---------------------------------------- */

void guards_declare(struct walk *walk, const struct var *var)
{
    struct declarations *known = &walk->declarations;

    for (int n = 0; n < known->count; n++) {
        if (known->declaration[n].var == var) {
            known->declaration[n].guards = walk->guards.count;
            return;
        }
    }
    known->declaration = arena_grow(walk->arena, known->declaration, known->count, &known->capacity,
                                    sizeof(*known->declaration));
    known->declaration[known->count++] = (struct declaration){var, walk->guards.count};
}

int guards_newer(const struct walk *walk, const struct var *var)
{
    for (int n = 0; n < walk->declarations.count; n++) {
        if (walk->declarations.declaration[n].var == var) {
            return walk->declarations.declaration[n].guards;
        }
    }
    return 0;
}

void guards_ended(struct walk *walk)
{
    for (int n = 0; n < walk->declarations.count; n++) {
        struct declaration *declaration = &walk->declarations.declaration[n];

        if (declaration->guards > walk->guards.count) {
            declaration->guards = walk->guards.count;
        }
    }
}
