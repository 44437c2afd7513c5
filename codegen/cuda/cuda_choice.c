/* cuda_choice.c: the race resolutions that a loop can have, and the one to prefer.
 *
 * In: a loop with the estimates of its schedules. Out: choices without measurements of this loop,
 * from times of loops of known programs (pass/ir/machine.c).
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/machine.h"
#include "splitter/graph/graph.h"

/* The types that atomic operations have. */
bool cuda_has_atomics(const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        if (shape_updates_arg(loop, a) && loop->arg[a].type->size < 4) {
            return false;
        }
    }
    return true;
}

/* The stage that computes everything but the updates writes the reductions. */
bool cuda_can_gather(const struct emit *emit, const struct schedule *schedule)
{
    return schedule->stages > 0 && (schedule->stage[0].kind != STAGE_GATHER ||
                                    !emit->shape->reduces || emit->loop->epilogues > 0);
}

/* Points recompute contributions if these are cheap, else read stored ones. */
int cuda_gather_index(const struct emit *emit)
{
    const struct schedule *owner = &emit->loop->schedule[AT_OWNER_GATHER];
    const struct schedule *two_pass = &emit->loop->schedule[AT_TWO_PASS];
    if (!owner->legal || !cuda_can_gather(emit, owner)) {
        return AT_TWO_PASS;
    }
    bool light = owner->estimate.recomputed <= machines[MACHINE_GPU].recomputed_flops &&
                 owner->estimate.time <= two_pass->estimate.time;
    return light || !two_pass->legal || !cuda_can_gather(emit, two_pass) ? AT_OWNER_GATHER
                                                                         : AT_TWO_PASS;
}

/* Owners recompute so little that they are preferred to ordered sums of blocks. */
static bool suits_owners(const struct emit *emit)
{
    const struct schedule *owner = &emit->loop->schedule[AT_OWNER_GATHER];
    const struct schedule *split = &emit->loop->schedule[AT_SPLIT];
    int values = split->tmp_values > 0 ? split->tmp_values : 1;
    return owner->legal && cuda_can_gather(emit, owner) &&
           owner->estimate.recomputed <= machines[MACHINE_GPU].recomputed_per_value * values;
}

bool cuda_prefers_ordered(const struct emit *emit)
{
    return emit->loop->schedule[AT_SPLIT].legal && cuda_has_atomics(emit->loop) &&
           !suits_owners(emit);
}

/* Components of a point that the loop updates. */
static int updated_components(const struct emit *emit)
{
    int components = 0;
    for (int d = 0; d < emit->shape->dats; d++) {
        const struct shape_dat *dat = &emit->shape->dat[d];
        components += shape_updates_arg(emit->loop, dat->arg) ? dat->dim : 0;
    }
    return components;
}

bool cuda_only_adds(const struct emit *emit)
{
    const struct schedule *owner = &emit->loop->schedule[AT_OWNER_GATHER];
    return owner->legal && cuda_can_gather(emit, owner) &&
           owner->estimate.flops <= machines[MACHINE_GPU].added_flops * updated_components(emit);
}

bool cuda_prefers_owners(const struct emit *emit)
{
    return cuda_only_adds(emit) ||
           (updated_components(emit) >= machines[MACHINE_GPU].many_components &&
            !shape_reads_little(emit->loop) && suits_owners(emit));
}

bool cuda_only_takes_extrema(const struct emit *emit)
{
    bool any = false;
    for (int a = 0; a < emit->loop->args; a++) {
        if (shape_updates_arg(emit->loop, a)) {
            any = true;
            if (emit->loop->arg[a].access == ACCESS_INC) {
                return false;
            }
        }
    }
    return any;
}

/* The body is so long that its turns in a block take longer than reading data again for each global
 * colour. Bodies that are not taken apart count as long. */
static bool computes_much(const struct loop *loop)
{
    double flops = 0;
    double components = 0;
    for (int n = 0; loop->graph != NULL && n < loop->graph->nodes; n++) {
        flops += loop->graph->node[n].flops;
    }
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        components += arg->kind == ARG_DAT && arg->is_indirect ? place_columns(arg) * arg->dim : 0;
    }
    return loop->graph == NULL || flops > machines[MACHINE_GPU].in_place_flops * components;
}

/* Gathers and whole warps are the usual ways, whichever is preferred for the loop; atomic
 * operations are the next best, because they are faster than turns. */
static enum cleave_race usual_race(const struct emitted_loop *loop)
{
    for (int v = 0; v < loop->variants; v++) {
        enum cleave_race race = loop->variant[v]->race;
        if (race == CLEAVE_RACE_GATHER || race == CLEAVE_RACE_TRANSPOSE) {
            return race;
        }
    }
    return CLEAVE_RACE_GATHER;
}

void cuda_rank(struct emit *emit, struct emitted_loop *loop)
{
    enum cleave_race usual = emit->shape->in_place ? loop->variant[0]->race : usual_race(loop);
    for (int v = 0; v < loop->variants; v++) {
        struct emitted *row = loop->variant[v];
        row->rank = row->race == usual || row->race == CLEAVE_RACE_NONE ? 0
                    : row->race == CLEAVE_RACE_ATOMIC                   ? 1
                                                                        : CLEAVE_WORST_RANK;
    }
}

bool cuda_only_reads(const struct emit *emit)
{
    size_t bytes = 0;
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (arg->kind == ARG_INFO || arg->is_optional ||
            (arg->kind == ARG_DAT && (arg->is_indirect || arg->access != ACCESS_READ))) {
            return false;
        }
        bytes += arg->kind == ARG_DAT ? (size_t)arg->dim * arg->type->size : 0;
    }
    return emit->shape->reduces && bytes > 0 && bytes <= machines[MACHINE_GPU].short_bytes;
}

enum cuda_situation cuda_situation_of(struct emit *emit, const struct schedule *schedule)
{
    if (schedule != NULL && schedule->kind == SCHEDULE_OWNER_GATHER && cuda_only_adds(emit) &&
        cuda_items_fit(emit, schedule)) {
        return BLOCKS_WIN;
    }
    if (emit->shape->in_place) {
        return computes_much(emit->loop) ? BLOCKS_LOSE : BLOCKS_WIN;
    }
    if (!shape_reads_little(emit->loop)) {
        return BLOCKS_WIN;
    }
    return shape_updates_doubles(emit->loop) ? BLOCKS_LOSE_DOUBLES : BLOCKS_LOSE;
}
