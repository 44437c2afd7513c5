/* check_moves.c: checks transfers and updates of stages.
 *
 * Rules: a group is one dat through one map, in one direction, of ascending components that exist;
 * its bytes are counted; each contribution is applied exactly once, in a stage of its map and
 * column, and the components that a stage updates are those that it stages out.
 */
#include "pass/ir/arena.h"
#include "splitter/schedule/check_impl.h"
#include "splitter/schedule/stages.h"

/* ---- groups ---------------------------------------------------------------------------------- */

static bool fits_access(const struct check *check, const struct transfer *transfer)
{
    return transfer->kind == TRANSFER_IN ? arg_is_staged(check->loop, transfer->arg)
                                         : arg_is_updated(check->loop, transfer->arg);
}

static void check_components(struct check *check, const struct transfer *transfer)
{
    const struct arg *arg = &check->loop->arg[transfer->arg];
    if (transfer->components < 1) {
        broken(check, "the group of %s has no components", arg->dat_text);
    }
    for (int i = 0; i < transfer->components; i++) {
        int component = transfer->component[i];
        if (component < 0 || component >= arg->dim ||
            (i > 0 && component <= transfer->component[i - 1])) {
            broken(check, "components of %s do not ascend within it", arg->dat_text);
        }
    }
}

static void check_transfer(struct check *check, const struct stage *stage, int t)
{
    const struct transfer *transfer = &stage->transfer[t];
    if (transfer->arg < 0 || transfer->arg >= check->loop->args) {
        broken(check, "a group names argument %d, which does not exist", transfer->arg);
        return;
    }
    const char *name = check->loop->arg[transfer->arg].dat_text;
    if (!fits_access(check, transfer)) {
        broken(check, "the group of %s does not fit the argument's access",
               name != NULL ? name : "a global");
        return;
    }
    if (transfer->kind == TRANSFER_IN
            ? stage->kind != STAGE_WHOLE && stage->kind != STAGE_CONTRIBUTION
            : stage->kind != STAGE_WHOLE && stage->kind != STAGE_UPDATE) {
        broken(check, "%s is staged in a stage that does not use it", name);
    }
    if (stage_transfer(check->loop, stage, transfer->kind, transfer->arg) != transfer) {
        broken(check, "%s has two groups", name);
    }
    check_components(check, transfer);
}

void check_transfers(struct check *check)
{
    const struct stage *stage = checked_stage(check);
    size_t bytes = 0;
    for (int t = 0; t < stage->transfers && check->error == NULL; t++) {
        check_transfer(check, stage, t);
        if (check->error == NULL) {
            bytes += (size_t)stage->transfer[t].components *
                     check->loop->arg[stage->transfer[t].arg].type->size;
        }
    }
    if (check->error == NULL && bytes != stage->staged_bytes) {
        broken(check, "it stages %zu bytes and counts %zu", bytes, stage->staged_bytes);
    }
}

/* ---- updates --------------------------------------------------------------------------------- */

/* How often the schedule applies an update like this one. */
static int times_applied(const struct schedule *schedule, const struct update *update)
{
    int times = 0;
    for (int s = 0; s < schedule->stages; s++) {
        const struct stage *stage = &schedule->stage[s];
        for (int u = 0; u < stage->updates; u++) {
            const struct update *applied = &stage->update[u];
            times += place_compare(&applied->place, &update->place) == 0 &&
                     applied->value == update->value && applied->scale == update->scale &&
                     applied->negative == update->negative;
        }
    }
    return times;
}

static void check_update(struct check *check, const struct stage *stage,
                         const struct update *update)
{
    const struct loop *loop = check->loop;
    const char *name = loop->arg[update->place.arg].dat_text;
    if (stage->kind == STAGE_CONTRIBUTION || stage->kind == STAGE_EFFECTS) {
        broken(check, "%s is updated before its stage", name);
        return;
    }
    if (stage->kind != STAGE_WHOLE &&
        loop->arg[stage->map].map != loop->arg[update->place.arg].map) {
        broken(check, "%s is updated through another map", name);
    }
    if (stage->kind == STAGE_UPDATE && stage->column != update_column(loop, update)) {
        broken(check, "%s is updated through another column", name);
    }
    if (update->value != NULL && update->value->kind == EXPR_PLACE &&
        !arg_is_constant(loop, update->value->place.arg)) {
        broken(check, "%s is updated with data that the loop changes", name);
    }
    if (stage->kind == STAGE_GATHER || check->whole) {
        return;
    }
    const struct transfer *out = stage_transfer(loop, stage, TRANSFER_OUT, update->place.arg);
    if (out == NULL || transfer_slot(out, update->place.component) < 0) {
        broken(check, "component %d of %s is updated and does not leave", update->place.component,
               name);
    }
}

static bool is_touched(const struct loop *loop, const struct stage *stage, int group, int component)
{
    for (int u = 0; u < stage->updates; u++) {
        const struct place *place = &stage->update[u].place;
        if (place->component == component && args_share_group(loop, group, place->arg)) {
            return true;
        }
    }
    return false;
}

/* Nothing is staged out that no update touches. */
static void check_outputs(struct check *check, const struct stage *stage)
{
    for (int t = 0; t < stage->transfers; t++) {
        const struct transfer *transfer = &stage->transfer[t];
        for (int i = 0; transfer->kind == TRANSFER_OUT && i < transfer->components; i++) {
            if (!is_touched(check->loop, stage, transfer->arg, transfer->component[i])) {
                broken(check, "component %d of %s leaves and is not updated",
                       transfer->component[i], check->loop->arg[transfer->arg].dat_text);
            }
        }
    }
}

void check_updates(struct check *check)
{
    const struct schedule *schedule = check->schedule;
    struct build build = {.arena = check->arena, .loop = check->loop, .graph = check->loop->graph};
    int applied = 0;
    build_updates(&build);
    for (int u = 0; u < build.updates; u++) {
        if (times_applied(schedule, &build.update[u]) != 1) {
            const struct place *place = &build.update[u].place;
            broken(check, "the contribution to component %d of %s is not applied exactly once",
                   place->component, check->loop->arg[place->arg].dat_text);
        }
    }
    for (check->stage = 0; check->stage < schedule->stages; check->stage++) {
        const struct stage *stage = checked_stage(check);
        for (int u = 0; u < stage->updates; u++) {
            check_update(check, stage, &stage->update[u]);
        }
        check_outputs(check, stage);
        applied += stage->updates;
    }
    check->stage = -1;
    if (applied != build.updates) {
        broken(check, "it applies %d updates; the body has %d contributions", applied,
               build.updates);
    }
}
