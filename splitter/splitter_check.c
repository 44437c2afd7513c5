/* splitter_check.c: the rules that hold between splitter/ and codegen/.
 *
 * In: a Program with schedules. Out: NULL, or which rule is broken where. Rules: every transfer
 * moves components of one column of an indirect dat argument; what is read through a map is staged
 * in the stage that runs the body, once, and nowhere else; what is incremented leaves exactly once;
 * tmp(e) is made by the contribution stage and used, whole, by later stages only.
 */
#include "pass/arena.h"
#include "splitter/splitter_impl.h"

struct check {
    struct arena *arena;
    const struct loop *loop;
    const struct schedule *schedule;
    const char *error; /* the first found */
};

static void broken(struct check *check, const char *rule, int a)
{
    if (check->error != NULL) {
        return;
    }
    check->error =
        a < 0 ? arena_format(check->arena, "loop %s, %s schedule: %s", check->loop->id,
                             check->schedule->kind == SCHEDULE_SPLIT ? "split" : "fused", rule)
              : arena_format(check->arena, "loop %s, %s schedule, argument %d: %s", check->loop->id,
                             check->schedule->kind == SCHEDULE_SPLIT ? "split" : "fused", a, rule);
}

static void check_transfer(struct check *check, const struct stage *stage, const struct transfer *t)
{
    if (t->arg < 0 || t->arg >= check->loop->args) {
        broken(check, "a transfer names an argument that does not exist", t->arg);
        return;
    }
    const struct arg *arg = &check->loop->arg[t->arg];
    if (t->kind == TRANSFER_IN ? !arg_is_indirect_read(arg) : !arg_is_indirect_inc(arg)) {
        broken(check, "a transfer does not fit the argument's access", t->arg);
        return;
    }
    if (t->first < 0 || t->count < 1 || t->first + t->count > arg_values(arg) ||
        t->first / arg->dim != (t->first + t->count - 1) / arg->dim) {
        broken(check, "a transfer's components are not those of one column", t->arg);
    }
    bool runs_body = stage->kind != STAGE_UPDATE;
    if (t->kind == TRANSFER_IN && !runs_body) {
        broken(check, "data is staged in a stage that does not use it", t->arg);
    }
    if (t->kind == TRANSFER_TMP_OUT && stage->kind != STAGE_CONTRIBUTION) {
        broken(check, "tmp is made outside of the contribution stage", t->arg);
    }
    if (t->kind == TRANSFER_TMP_IN && stage->kind != STAGE_UPDATE) {
        broken(check, "tmp is used outside of an update stage", t->arg);
    }
    if (t->kind == TRANSFER_OUT && stage->kind == STAGE_CONTRIBUTION) {
        broken(check, "increments leave before they are made", t->arg);
    }
}

/* How often component `value` of argument `a` is moved by transfers of one kind in stages
 * [from, to). */
static int times_moved(const struct schedule *schedule, int from, int to, enum transfer_kind kind,
                       int a, int value)
{
    int times = 0;
    for (int s = from; s < to; s++) {
        for (int t = 0; t < schedule->stage[s].transfers; t++) {
            const struct transfer *transfer = &schedule->stage[s].transfer[t];
            times += transfer->kind == kind && transfer->arg == a && value >= transfer->first &&
                     value < transfer->first + transfer->count;
        }
    }
    return times;
}

static void check_increment(struct check *check, int a, int value)
{
    const struct schedule *schedule = check->schedule;
    int stages = schedule->stages;
    if (times_moved(schedule, 0, stages, TRANSFER_OUT, a, value) != 1) {
        broken(check, "a component that is incremented does not leave exactly once", a);
    }
    if (schedule->kind != SCHEDULE_SPLIT) {
        return;
    }
    for (int s = 0; s < stages; s++) {
        int used = times_moved(schedule, s, s + 1, TRANSFER_TMP_IN, a, value);
        if (used > 0 && times_moved(schedule, 0, s, TRANSFER_TMP_OUT, a, value) == 0) {
            broken(check, "tmp is used before it is made", a);
        }
        if (used != times_moved(schedule, s, s + 1, TRANSFER_OUT, a, value)) {
            broken(check, "an update does not use the tmp of what it adds to", a);
        }
    }
    if (times_moved(schedule, 0, stages, TRANSFER_TMP_OUT, a, value) != 1) {
        broken(check, "a component of tmp is not made exactly once", a);
    }
    if (times_moved(schedule, 0, stages, TRANSFER_TMP_IN, a, value) != 1) {
        broken(check, "a component of tmp is not used exactly once", a);
    }
}

/* Loops that work in place stage nothing at all. */
static bool stages_anything(const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (arg->kind == ARG_DAT && arg->is_indirect && !arg_is_indirect_inc(arg) &&
            !arg_is_indirect_read(arg)) {
            return false;
        }
    }
    return true;
}

static void check_coverage(struct check *check)
{
    const struct schedule *schedule = check->schedule;
    for (int a = 0; a < check->loop->args && stages_anything(check->loop); a++) {
        const struct arg *arg = &check->loop->arg[a];
        if (!arg_is_indirect_inc(arg) && !arg_is_indirect_read(arg)) {
            continue;
        }
        for (int value = 0; value < arg_values(arg); value++) {
            if (arg_is_indirect_inc(arg)) {
                check_increment(check, a, value);
            } else if (times_moved(schedule, 0, schedule->stages, TRANSFER_IN, a, value) != 1) {
                broken(check, "a component that is read is not staged exactly once", a);
            }
        }
    }
}

static void check_schedule(struct check *check)
{
    const struct schedule *schedule = check->schedule;
    if (schedule->reason == NULL) {
        broken(check, "no reason is given", -1);
    }
    if (!schedule->legal) {
        return;
    }
    int tmp_values = 0;
    for (int s = 0; s < schedule->stages && check->error == NULL; s++) {
        const struct stage *stage = &schedule->stage[s];
        for (int t = 0; t < stage->transfers && check->error == NULL; t++) {
            check_transfer(check, stage, &stage->transfer[t]);
            tmp_values +=
                stage->transfer[t].kind == TRANSFER_TMP_OUT ? stage->transfer[t].count : 0;
        }
    }
    if (check->error == NULL && tmp_values != schedule->tmp_values) {
        broken(check, "tmp_values is not what the stages make", -1);
    }
    if (check->error == NULL) {
        check_coverage(check);
    }
}

const char *splitter_check(const struct program *program)
{
    for (int l = 0; l < program->loops; l++) {
        const struct loop *loop = &program->loop[l];
        struct check check = {program->arena, loop, NULL, NULL};
        if (loop->sequential_reason != NULL || loop->kernel == NULL) {
            continue;
        }
        if (loop->schedules != 2 || loop->schedule[0].kind != SCHEDULE_FUSED ||
            loop->schedule[1].kind != SCHEDULE_SPLIT || !loop->schedule[0].legal) {
            return arena_format(program->arena, "loop %s: fused and split schedules are missing",
                                loop->id);
        }
        for (int s = 0; s < loop->schedules && check.error == NULL; s++) {
            check.schedule = &loop->schedule[s];
            check_schedule(&check);
        }
        if (check.error != NULL) {
            return check.error;
        }
    }
    return NULL;
}
