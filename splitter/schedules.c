/* schedules.c: which stages a loop has, and what each moves.
 *
 * In: a loop. Out: its two schedules. Paper 001 (Tohid et al.) draws them:
 *
 *   fused (figure 3)                      split (figure 5)
 *     whole: IN  what is read               contribution: IN what is read, TMP_OUT tmp(e)
 *            OUT what is incremented        update k:     TMP_IN tmp(e) of k, OUT what k increments
 *
 * tmp(e) is the full increment of every incremented argument. Nothing outside this file depends on
 * that: a schedule with fewer components or more contribution stages is only another list of
 * stages.
 */
#include "pass/arena.h"
#include "splitter/splitter_impl.h"

bool arg_is_indirect_inc(const struct arg *arg)
{
    return arg->kind == ARG_DAT && arg->is_indirect && arg->access == ACCESS_INC;
}

bool arg_is_indirect_read(const struct arg *arg)
{
    return arg->kind == ARG_DAT && arg->is_indirect && arg->access == ACCESS_READ;
}

int arg_values(const struct arg *arg)
{
    return arg->dim * arg->columns;
}

int transfer_column(const struct arg *arg, const struct transfer *transfer)
{
    return arg->is_vector ? transfer->first / arg->dim : arg->map_index;
}

/* ---- stages ---------------------------------------------------------------------------------- */

/* One transfer per column that the argument uses. */
static void stage_add(struct stage *stage, const struct loop *loop, enum transfer_kind kind, int a)
{
    const struct arg *arg = &loop->arg[a];
    for (int c = 0; c < arg->columns; c++) {
        struct transfer *transfer = &stage->transfer[stage->transfers++];
        transfer->kind = kind;
        transfer->arg = a;
        transfer->first = c * arg->dim;
        transfer->count = arg->dim;
    }
}

static bool transfer_is_staged(const struct transfer *transfer)
{
    return transfer->kind == TRANSFER_IN || transfer->kind == TRANSFER_OUT;
}

/* Arguments that name one dat through one map share their points in fast memory. */
static bool transfers_share(const struct loop *loop, const struct transfer *a,
                            const struct transfer *b)
{
    const struct arg *x = &loop->arg[a->arg];
    const struct arg *y = &loop->arg[b->arg];
    return a->kind == b->kind && x->dat == y->dat && x->map == y->map &&
           (a->arg == b->arg || (!x->is_optional && !y->is_optional));
}

static size_t staged_bytes(const struct loop *loop, const struct stage *stage)
{
    size_t bytes = 0;
    for (int t = 0; t < stage->transfers; t++) {
        const struct transfer *transfer = &stage->transfer[t];
        bool counted = !transfer_is_staged(transfer);
        for (int before = 0; before < t && !counted; before++) {
            counted = transfers_share(loop, transfer, &stage->transfer[before]);
        }
        if (!counted) {
            const struct arg *arg = &loop->arg[transfer->arg];
            bytes += (size_t)arg->dim * arg->type->size;
        }
    }
    return bytes;
}

/* A stage with room for every transfer it could have. */
static void stage_start(struct arena *arena, const struct loop *loop, struct stage *stage,
                        enum stage_kind kind, const char *name)
{
    size_t room = 0;
    for (int a = 0; a < loop->args; a++) {
        room += 2 * (size_t)loop->arg[a].columns;
    }
    stage->kind = kind;
    stage->name = name;
    stage->transfer = arena_alloc(arena, room * sizeof(*stage->transfer));
}

static void stage_add_reads(struct stage *stage, const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        if (arg_is_indirect_read(&loop->arg[a])) {
            stage_add(stage, loop, TRANSFER_IN, a);
        }
    }
}

static const char *update_name(struct arena *arena, const struct arg *arg)
{
    if (arg->is_vector) {
        return arena_format(arena, "update of %s through %s[0..%d]", arg->dat_text, arg->map_text,
                            arg->columns - 1);
    }
    return arena_format(arena, "update of %s through %s[%d]", arg->dat_text, arg->map_text,
                        arg->map_index);
}

/* ---- schedules ------------------------------------------------------------------------------- */

static bool modifies_indirectly_otherwise(const struct arg *arg)
{
    return arg->kind == ARG_DAT && arg->is_indirect && arg->access != ACCESS_READ &&
           arg->access != ACCESS_INC;
}

/* A loop that modifies through a map in an order-dependent way works on the data in place, so
 * nothing is staged; see codegen/. */
static void build_fused(struct arena *arena, const struct loop *loop, struct schedule *schedule)
{
    bool in_place = false;
    for (int a = 0; a < loop->args; a++) {
        in_place = in_place || modifies_indirectly_otherwise(&loop->arg[a]);
    }
    schedule->kind = SCHEDULE_FUSED;
    schedule->legal = true;
    schedule->reason = in_place ? "data modified through a map is worked on in place"
                                : "the body and its updates are one stage";
    schedule->stages = 1;
    schedule->stage = arena_alloc(arena, sizeof(*schedule->stage));
    struct stage *whole = &schedule->stage[0];
    stage_start(arena, loop, whole, STAGE_WHOLE, "whole body");
    if (in_place) {
        return;
    }
    stage_add_reads(whole, loop);
    for (int a = 0; a < loop->args; a++) {
        if (arg_is_indirect_inc(&loop->arg[a])) {
            stage_add(whole, loop, TRANSFER_OUT, a);
        }
    }
    whole->staged_bytes = staged_bytes(loop, whole);
}

const char *schedules_split_refusal(struct arena *arena, const struct loop *loop)
{
    bool increments = false;
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (modifies_indirectly_otherwise(arg)) {
            return arena_format(arena, "%s is %s through %s, and only increments can be put off",
                                arg->dat_text, access_name(arg->access), arg->map_text);
        }
        increments = increments || arg_is_indirect_inc(arg);
    }
    return increments ? NULL : "nothing is incremented through a map";
}

static void build_updates(struct arena *arena, const struct loop *loop, struct schedule *schedule)
{
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (!arg_is_indirect_inc(arg)) {
            continue;
        }
        struct stage *update = &schedule->stage[schedule->stages++];
        stage_start(arena, loop, update, STAGE_UPDATE, update_name(arena, arg));
        stage_add(update, loop, TRANSFER_TMP_IN, a);
        stage_add(update, loop, TRANSFER_OUT, a);
        update->staged_bytes = staged_bytes(loop, update);
    }
}

static size_t largest_staged_bytes(const struct schedule *schedule)
{
    size_t largest = 0;
    for (int s = 0; s < schedule->stages; s++) {
        size_t bytes = schedule->stage[s].staged_bytes;
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

static void build_split(struct arena *arena, const struct loop *loop, struct schedule *schedule)
{
    schedule->kind = SCHEDULE_SPLIT;
    schedule->reason = schedules_split_refusal(arena, loop);
    if (schedule->reason != NULL) {
        return;
    }
    schedule->legal = true;
    schedule->stage = arena_alloc(arena, ((size_t)loop->args + 1) * sizeof(*schedule->stage));
    struct stage *contribution = &schedule->stage[schedule->stages++];
    stage_start(arena, loop, contribution, STAGE_CONTRIBUTION, "contribution");
    stage_add_reads(contribution, loop);
    for (int a = 0; a < loop->args; a++) {
        if (arg_is_indirect_inc(&loop->arg[a])) {
            stage_add(contribution, loop, TRANSFER_TMP_OUT, a);
            schedule->tmp_values += arg_values(&loop->arg[a]);
            schedule->tmp_bytes += (size_t)arg_values(&loop->arg[a]) * loop->arg[a].type->size;
        }
    }
    contribution->staged_bytes = staged_bytes(loop, contribution);
    build_updates(arena, loop, schedule);
    schedule->reason =
        arena_format(arena, "at most %zu bytes per point are staged at a time, not %zu",
                     largest_staged_bytes(schedule), largest_staged_bytes(&loop->schedule[0]));
}

void schedules_build(struct arena *arena, struct loop *loop)
{
    loop->schedules = 2;
    loop->schedule = arena_alloc(arena, 2 * sizeof(*loop->schedule));
    build_fused(arena, loop, &loop->schedule[0]);
    build_split(arena, loop, &loop->schedule[1]);
}
