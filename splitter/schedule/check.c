/* check.c: the rules that hold between splitter/ and codegen/.
 *
 * In: a Program with schedules. Out: NULL, or the broken rule and its place. This file checks the
 * schedules and their stages; check_moves.c their transfers and updates; check_body.c and
 * check_nodes.c that bodies compute the graph's nodes, each value before it is read.
 */
#include <stdarg.h>
#include <stdio.h>

#include "pass/ir/arena.h"
#include "splitter/schedule/check_impl.h"

void broken(struct check *check, const char *format, ...)
{
    char rule[400];
    if (check->error != NULL) {
        return;
    }
    va_list list;
    va_start(list, format);
    vsnprintf(rule, sizeof(rule), format, list);
    va_end(list);
    const char *name = check->whole ? "whole" : schedule_word(check->schedule);
    const char *stage = check->stage < 0
                            ? ""
                            : arena_format(check->arena, ", stage %d (%s)", check->stage + 1,
                                           check->schedule->stage[check->stage].name);
    check->error = arena_format(check->arena, "loop %s, %s schedule%s: %s", check->loop->id, name,
                                stage, rule);
}

/* ---- stages ---------------------------------------------------------------------------------- */

/* The kind that stage s must have. */
static enum stage_kind kind_expected(const struct check *check, int s)
{
    const struct schedule *schedule = check->schedule;
    switch (schedule->kind) {
    case SCHEDULE_FUSED:
        return STAGE_WHOLE;
    case SCHEDULE_SPLIT:
    case SCHEDULE_LOOPS:
        return s < schedule->cuts ? STAGE_CONTRIBUTION : STAGE_UPDATE;
    case SCHEDULE_TWO_PASS:
        return s < schedule->cuts ? STAGE_CONTRIBUTION : STAGE_GATHER;
    case SCHEDULE_OWNER_GATHER:
        break;
    }
    bool effects = check->loop->graph != NULL && check->loop->graph->effects;
    return effects && s == 0 ? STAGE_EFFECTS : STAGE_GATHER;
}

static bool stages_data(const struct check *check)
{
    enum schedule_kind kind = check->schedule->kind;
    return kind != SCHEDULE_TWO_PASS && kind != SCHEDULE_OWNER_GATHER && !check->loop->in_place;
}

static bool has_body(const struct check *check)
{
    enum stage_kind kind = checked_stage(check)->kind;
    bool gathers = kind == STAGE_GATHER && check->schedule->kind == SCHEDULE_TWO_PASS;
    return check->loop->graph != NULL && !check->loop->in_place && kind != STAGE_UPDATE && !gathers;
}

static void check_stage(struct check *check)
{
    const struct stage *stage = checked_stage(check);
    if (stage->kind != kind_expected(check, check->stage)) {
        broken(check, "its kind does not belong here");
    }
    if ((stage->body != NULL) != has_body(check)) {
        broken(check, stage->body != NULL ? "it has a body of its own" : "its body is missing");
    }
    if (stage->transfers > 0 && !stages_data(check)) {
        broken(check, "it stages data");
    }
    check_transfers(check);
}

static int stages_at_least(const struct check *check)
{
    const struct schedule *schedule = check->schedule;
    return schedule->kind == SCHEDULE_FUSED          ? 1
           : schedule->kind == SCHEDULE_OWNER_GATHER ? 1
                                                     : schedule->cuts + 1;
}

static void check_schedule(struct check *check)
{
    const struct schedule *schedule = check->schedule;
    if (schedule->reason == NULL) {
        broken(check, "no reason is given");
    }
    if (!schedule->legal && schedule->stages > 0) {
        broken(check, "it is not possible, yet has stages");
    }
    if (schedule->legal && schedule->stages < stages_at_least(check)) {
        broken(check, "stages are missing");
    }
    if (!schedule->legal || check->error != NULL) {
        return;
    }
    for (check->stage = 0; check->stage < schedule->stages && check->error == NULL;) {
        check_stage(check);
        check->stage++;
    }
    check->stage = -1;
    if (!check->loop->in_place && check->error == NULL) {
        check_updates(check);
        check_bodies(check);
    }
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* loop->whole: one stage that computes the body and applies all updates. */
static const char *check_whole(struct arena *arena, const struct loop *loop)
{
    struct loop written = *loop;
    struct check check = {arena, &written, loop->whole, -1, NULL, true};
    written.graph = loop->written_graph != NULL ? loop->written_graph : loop->graph;
    if ((loop->whole != NULL) != (written.graph != NULL)) {
        return arena_format(arena, "loop %s: its whole body is %s", loop->id,
                            loop->whole != NULL ? "of no graph" : "missing");
    }
    if (loop->whole == NULL) {
        return NULL;
    }
    const struct stage *stage = &loop->whole->stage[0];
    if (loop->whole->stages != 1 || stage->kind != STAGE_WHOLE || stage->body == NULL ||
        stage->transfers != 0) {
        broken(&check, "it is not one stage that stages nothing");
        return check.error;
    }
    check_updates(&check);
    if (check.error == NULL) {
        check_bodies(&check);
    }
    return check.error;
}

static const char *check_loop(struct arena *arena, const struct loop *loop)
{
    struct loop gather = *loop;
    struct check check = {arena, loop, NULL, -1, NULL, false};
    gather.graph = loop->gather_graph != NULL ? loop->gather_graph : loop->graph;
    if (loop->schedules != SCHEDULES) {
        return arena_format(arena, "loop %s: schedules are missing", loop->id);
    }
    for (int s = 0; s < SCHEDULES && check.error == NULL; s++) {
        check.loop = s == AT_OWNER_GATHER ? &gather : loop;
        check.schedule = &loop->schedule[s];
        if (check.schedule->kind != schedule_forms[s].kind ||
            check.schedule->cuts != schedule_forms[s].cuts) {
            return arena_format(arena, "loop %s: schedule %d is of another kind", loop->id, s);
        }
        check_schedule(&check);
    }
    if (check.error == NULL && loop->epilogues == 0 && !loop->schedule[AT_FUSED].legal) {
        return arena_format(arena, "loop %s: the fused schedule must be legal", loop->id);
    }
    if (check.error == NULL && (loop->predicted < 0 || loop->predicted >= SCHEDULES ||
                                !loop->schedule[loop->predicted].legal)) {
        return arena_format(arena, "loop %s: the preferred schedule is not legal", loop->id);
    }
    return check.error != NULL ? check.error : check_whole(arena, loop);
}

const char *schedules_check(const struct program *program)
{
    const char *error = NULL;
    for (int l = 0; l < program->loops && error == NULL; l++) {
        const struct loop *loop = &program->loop[l];
        if (loop->sequential_reason == NULL && loop->kernel != NULL) {
            error = check_loop(program->arena, loop);
        }
    }
    return error;
}
