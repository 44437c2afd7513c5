/* deterministic.c: CLEAVE_DETERMINISTIC=1: the same bits from run to run.
 *
 * Floating-point sums depend on the order of their terms. The functions here say whether that order
 * is fixed for a call and a variant, and whether it depends on the block size. choice.c leaves out
 * variants whose order is not fixed, and keeps the block size if it matters:
 *
 *   CLEAVE_RACE_NONE     each point adds the values of its elements in their order: always equal
 *   CLEAVE_RACE_ORDERED  block sums, each in the order of the block's elements, are added in the
 *                        order of the blocks: depends on the blocks
 *   CLEAVE_RACE_COLOUR   in the order of the colours, which depends on the blocks
 *   CLEAVE_RACE_GLOBAL   in the order of the colours, which depends on the order of the elements
 *   CLEAVE_RACE_RANGE    in the order of the elements inside a range, then of the colours of border
 *                        elements, which depend on the order of the elements
 *   atomic operations    in random order: left out, in any stage
 *   reductions           into globals: by blocks, which are joined in their order
 *
 * Blocks then have the target's default size, and CLEAVE_BLOCK_SIZE is ignored. The order of the
 * mesh is made for this size, too. Integer sums are equal in any order. */
#include "runtime/base/machine.h"
#include "runtime/choose/choose.h"

static int rounds(const op_arg *arg)
{
    const struct cleave_type *type = cleave_type_find(arg->type);
    return type == NULL || type->base == BASE_DOUBLE || type->base == BASE_FLOAT ||
           type->base == BASE_OTHER;
}

static int is_reduced(op_access access)
{
    return access == OP_INC || access == OP_MIN || access == OP_MAX;
}

static int modifies_points(const op_arg *arg)
{
    return cleave_arg_uses_dat(arg) && arg->map != NULL && arg->acc != OP_READ;
}

/* 1: the order of the elements that modify a point shows. Minima and maxima count: of two zeros
 * they keep either sign. */
static int order_shows(const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (modifies_points(arg) && (rounds(arg) || !is_reduced(arg->acc))) {
            return 1;
        }
    }
    return 0;
}

int cleave_call_reduces(const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        if (cleave_arg_is_reduction(&call->arg[a]) && rounds(&call->arg[a])) {
            return 1;
        }
    }
    return 0;
}

int cleave_must_be_ordered(const struct cleave_call *call)
{
    return cleave_settings.deterministic && order_shows(call);
}

int cleave_say_unordered(const struct cleave_call *call, const struct cleave_loop *loop,
                         const char *device)
{
    for (int v = 0; v < loop->variants; v++) {
        if (cleave_race_is_ordered(loop->variant[v].race)) {
            return 0;
        }
    }
    if (!cleave_must_be_ordered(call)) {
        return 0;
    }
    cleave_warning("loop '%s' (%s:%d): no variant that was compiled for %s adds in a fixed order, "
                   "as CLEAVE_DETERMINISTIC=1 requires; --cleave-emit=auto compiles one",
                   call->name, call->site->file, call->site->line, device);
    return 1;
}

int cleave_few_points_named(const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (modifies_points(arg) && arg->map->to->size > cleave_machine.many_points &&
            arg->map->to->size / cleave_machine.few_share > call->set->size) {
            return 1;
        }
    }
    return 0;
}

int cleave_many_points_each(const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        if (modifies_points(&call->arg[a]) &&
            call->arg[a].map->dim > cleave_machine.points_of_element) {
            return 1;
        }
    }
    return 0;
}

int cleave_blocks_show(const struct cleave_call *call, const struct cleave_variant *variant)
{
    return cleave_settings.deterministic &&
           (cleave_call_reduces(call) ||
            (cleave_race_sums(variant->race) == CLEAVE_SUMS_BY_BLOCKS && order_shows(call)));
}
