/* race.c: how well a variant resolves the races of a call if CLEAVE_RACES is unset: as the compiler
 * ranks it, except where the mesh decides. The compiler knows what a loop reads and adds, but not
 * how many elements share a point, how large the sets are, nor how they are numbered. */
#include "runtime/base/machine.h"
#include "runtime/choose/choose.h"
#include "runtime/choose/variants.h"

static cleave_expecting *expected_seconds;

void cleave_choose_by(cleave_expecting *expecting)
{
    expected_seconds = expecting;
}

/* 1: the loop works in place, by colours of either kind. */
static int in_place(const struct cleave_loop *loop)
{
    int global = 0;
    for (int v = 0; v < loop->variants; v++) {
        const struct cleave_variant *variant = &loop->variant[v];
        if (variant->schedule != CLEAVE_FUSED ||
            (variant->race != CLEAVE_RACE_COLOUR && variant->race != CLEAVE_RACE_GLOBAL)) {
            return 0;
        }
        global |= variant->race == CLEAVE_RACE_GLOBAL;
    }
    return global;
}

/* ---- gathers or whole warps --------------------------------------------------------------- */

/* Points that an element of the call increments, or takes extrema to. */
struct sharing {
    int columns; /* of one map, the most */
    double uses; /* increments that a point gets through all columns of one map, on average, the
                    most */
};

static int modifies_through(const op_arg *arg, op_map map)
{
    return cleave_arg_uses_dat(arg) && arg->map == map && arg->acc != OP_READ;
}

/* The columns of a map through which the call modifies points. */
static int columns_through(const struct cleave_call *call, op_map map)
{
    int columns = 0;
    for (int c = 0; c < map->dim; c++) {
        int modified = 0;
        for (int a = 0; a < call->args; a++) {
            const op_arg *arg = &call->arg[a];
            modified |=
                modifies_through(arg, map) && (arg->idx < 0 ? c < -arg->idx : c == arg->idx);
        }
        columns += modified;
    }
    return columns;
}

static struct sharing sharing_of(const struct cleave_call *call)
{
    struct sharing sharing = {0, 0.0};
    for (int a = 0; a < call->args; a++) {
        const op_map map = call->arg[a].map;
        if (map != NULL && modifies_through(&call->arg[a], map) && map->to->size > 0) {
            const int columns = columns_through(call, map);
            sharing.columns = columns > sharing.columns ? columns : sharing.columns;
            sharing.uses =
                fmax(sharing.uses, (double)map->from->size * columns / (double)map->to->size);
        }
    }
    return sharing;
}

double cleave_uses_of_points(const struct cleave_call *call)
{
    return sharing_of(call).uses;
}

/* 1: the loop has a variant of that race with the schedule of `like`. */
static int has_race(const struct cleave_loop *loop, const struct cleave_variant *like,
                    enum cleave_race race)
{
    for (int v = 0; v < loop->variants; v++) {
        const struct cleave_variant *variant = &loop->variant[v];
        if (variant->schedule == like->schedule && variant->cuts == like->cuts &&
            variant->race == race) {
            return 1;
        }
    }
    return 0;
}

double cleave_expected_of(const struct cleave_call *call, const struct cleave_choice *choice,
                          const struct cleave_variant *variant)
{
    struct cleave_choice candidate = {.unit = choice->unit,
                                      .loop = choice->loop,
                                      .variant = variant,
                                      .target = choice->target,
                                      .device = choice->device};
    candidate.block_size = cleave_usual_block(call, &candidate);
    return expected_seconds != NULL ? expected_seconds(call, &candidate) : 0.0;
}

/* Seconds that the model expects of the fastest variant with that race and the schedule of `like`,
 * in its usual blocks; 0: of one of them it expects nothing. */
static double expected_of(const struct cleave_call *call, const struct cleave_choice *choice,
                          const struct cleave_variant *like, enum cleave_race race)
{
    double least = 0.0;
    for (int v = 0; v < choice->loop->variants; v++) {
        const struct cleave_variant *variant = &choice->loop->variant[v];
        if (variant->schedule == like->schedule && variant->cuts == like->cuts &&
            variant->race == race) {
            const double seconds = cleave_expected_of(call, choice, variant);
            if (seconds <= 0.0) {
                return 0.0;
            }
            least = least == 0.0 ? seconds : fmin(least, seconds);
        }
    }
    return least;
}

/* Elements with many points: what the model expects, since the numbering of the mesh decides how
 * many sectors of memory a warp touches. -1: the set is small, or the model knows nothing. */
static int race_by_model(const struct cleave_call *call, const struct cleave_choice *choice,
                         const struct cleave_variant *like)
{
    if (expected_seconds == NULL || choice->device == NULL ||
        call->set->size < cleave_machine.modelled_elements) {
        return -1;
    }
    const double gather = expected_of(call, choice, like, CLEAVE_RACE_GATHER);
    const double warps = expected_of(call, choice, like, CLEAVE_RACE_TRANSPOSE);
    if (gather <= 0.0 || warps <= 0.0) {
        return -1;
    }
    return gather < warps ? CLEAVE_RACE_GATHER : CLEAVE_RACE_TRANSPOSE;
}

/* Returns how the loop resolves races on this mesh, or -1 if the mesh does not decide it. If many
 * elements share a point, a block that gathers reads and adds few points for many elements. If few
 * do, whole warps that add without a plan are faster. */
static int race_of_mesh(const struct cleave_call *call, const struct cleave_choice *choice,
                        const struct cleave_variant *variant)
{
    const struct cleave_loop *loop = choice->loop;
    if ((variant->race != CLEAVE_RACE_GATHER && variant->race != CLEAVE_RACE_TRANSPOSE) ||
        !has_race(loop, variant, CLEAVE_RACE_GATHER) ||
        !has_race(loop, variant, CLEAVE_RACE_TRANSPOSE)) {
        return -1;
    }
    const struct sharing sharing = sharing_of(call);
    if (sharing.columns >= cleave_machine.many_columns) {
        return race_by_model(call, choice, variant);
    }
    return sharing.uses >= cleave_machine.many_uses ? CLEAVE_RACE_GATHER : CLEAVE_RACE_TRANSPOSE;
}

/* 1: colours of the whole set are faster than those of blocks, for a loop in place: the cache holds
 * its data, which each colour reads again, and there are few colours, each of which is a launch. If
 * elements modify one point each, there are as many colours as elements of one point, but threads
 * of a block wait for few others. */
static int is_for_global_colours(const struct cleave_call *call)
{
    const struct sharing sharing = sharing_of(call);
    return cleave_useful_bytes(call) <= cleave_machine.in_place_bytes &&
           (sharing.columns > 1 || sharing.uses <= cleave_machine.in_place_uses);
}

int cleave_variant_rank(const struct cleave_call *call, const struct cleave_choice *choice,
                        const struct cleave_variant *variant)
{
    if (in_place(choice->loop) && is_for_global_colours(call)) {
        return variant->race == CLEAVE_RACE_GLOBAL ? 0 : CLEAVE_WORST_RANK;
    }
    const int race = race_of_mesh(call, choice, variant);
    return race < 0 ? variant->rank : (int)variant->race == race ? 0 : CLEAVE_WORST_RANK;
}
