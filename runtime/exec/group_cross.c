/* group_cross.c: whether calls can be members of one group, by what was called.
 *
 * Members may be launched by themselves, before the joined loop, though they are called between its
 * members. They then run earlier than members that were called before them, which is right only if
 * they have nothing to do with these: the compiler sees that for variables, and the dats that these
 * hold decide it. */
#include "runtime/exec/group.h"

/* 1: both arguments lead to the same values. */
static int meet(const op_arg *a, const op_arg *b)
{
    if (!cleave_arg_uses_dat(a) || !cleave_arg_uses_dat(b)) {
        return 0;
    }
    const struct cleave_dat *x = cleave_dat_of(a->dat);
    const struct cleave_dat *y = cleave_dat_of(b->dat);
    return x == y || cleave_overlay_same(x, y) || cleave_dat_arrays_meet(x, y);
}

/* 1: the results depend on which of the two comes first. Sums do not, but for their rounding. */
static int is_ordered(const op_arg *a, const op_arg *b)
{
    const int adds = a->acc == OP_INC && b->acc == OP_INC && !cleave_settings.deterministic;
    return (a->acc != OP_READ || b->acc != OP_READ) && !adds && meet(a, b);
}

static int depend(const struct cleave_call *x, const struct cleave_call *y)
{
    for (int a = 0; a < x->args; a++) {
        for (int b = 0; b < y->args; b++) {
            if (is_ordered(&x->arg[a], &y->arg[b])) {
                return 1;
            }
        }
    }
    return 0;
}

int cleave_group_crosses(const struct cleave_group *group, struct cleave_call *const *call)
{
    for (int m = 1; m < group->members; m++) {
        for (int before = 0; before < m && group->member[m].arg == NULL; before++) {
            if (group->member[before].arg != NULL && depend(call[before], call[m])) {
                return 1;
            }
        }
    }
    return 0;
}

/* 1: the call increments points of the set. */
static int increments(const struct cleave_call *call, op_set points)
{
    int found = 0;
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        found |= cleave_arg_uses_dat(arg) && arg->map != NULL && arg->acc != OP_READ &&
                 arg->map->to == points;
    }
    return found;
}

int cleave_group_gathers(const struct cleave_call *first, op_set points,
                         const struct cleave_call *call)
{
    return first->set->size > 0 && increments(first, points) &&
           (call->set == points || increments(call, points));
}
