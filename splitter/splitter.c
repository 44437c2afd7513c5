/* splitter.c: the station's entry: chain by chain, each loop's body is taken apart, then it gets
 * its schedules.
 *
 * In: a Program from pass/. Out: the same Program with the splitter's fields of each loop filled.
 */
#include "splitter/splitter.h"

#include <string.h>

#include "pass/ir/chain.h"
#include "pass/ir/group.h"
#include "splitter/group/group_find.h"
#include "splitter/group/join.h"
#include "splitter/group/records.h"
#include "splitter/group/tiled.h"
#include "splitter/lower/lower.h"
#include "splitter/schedule/schedules.h"

enum { MAX_CONTRIBUTIONS = 512 };

/* Whether the loop must modify data in place. A kernel that is called whole cannot move a minimum
 * or maximum to a later stage. */
static bool modifies_in_place(const struct loop *loop)
{
    bool extrema = false;
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (arg->kind != ARG_DAT || !arg->is_indirect) {
            continue;
        }
        if (arg->access == ACCESS_RW || arg->access == ACCESS_WRITE) {
            return true;
        }
        extrema = extrema || arg->access == ACCESS_MIN || arg->access == ACCESS_MAX;
    }
    return extrema && loop->graph == NULL;
}

/* A body with very many increments, each a value that crosses, is no gain on any machine and takes
 * compilers minutes. */
static void limit_size(struct arena *arena, struct loop *loop)
{
    if (loop->graph != NULL && loop->graph->contributions > MAX_CONTRIBUTIONS) {
        loop->whole_reason = arena_format(arena,
                                          "it increments %d components through maps, and at most "
                                          "%d can be added one by one in later stages",
                                          loop->graph->contributions, MAX_CONTRIBUTIONS);
        loop->whole_loc = loop->kernel->loc;
        loop->graph = NULL;
    }
}

/* The loop's graph, merged; NULL: there is none, and why. */
static struct graph *graph_of(struct program *program, struct loop *loop,
                              const struct splitter_options *options, bool keep_points)
{
    loop->graph = graph_lower(program->arena, loop, &loop->whole_reason, &loop->whole_loc);
    limit_size(program->arena, loop);
    if (loop->graph != NULL) {
        graph_merge(loop->graph);
    }
    if (loop->graph != NULL && loop->graph->contributions > 0 && options != NULL &&
        options->merge_quotients) {
        graph_merge_quotients(loop->graph, keep_points);
    }
    return loop->graph;
}

static void split_loop(struct program *program, struct loop *loop,
                       const struct splitter_options *options)
{
    if (loop->sequential_reason != NULL || loop->kernel == NULL) {
        return;
    }
    bool merges = options != NULL && options->merge_quotients;
    loop->gather_graph = merges ? graph_of(program, loop, options, true) : NULL;
    bool merged = loop->gather_graph != NULL && loop->gather_graph->quotients_merged;
    loop->written_graph = merged ? graph_of(program, loop, NULL, false) : NULL;
    loop->graph = graph_of(program, loop, options, false);
    loop->in_place = modifies_in_place(loop);
    schedules_build(program->arena, loop);
}

/* Loops in the order of a chain's calls. A loop may stand in several chains, and several times in
 * one: done[] says which loops have their schedules. */
static void split_chain(struct program *program, const struct chain *chain,
                        const struct splitter_options *options, bool *done)
{
    for (int s = 0; s < chain->steps; s++) {
        const struct step *step = &chain->step[s];
        if (step->kind == STEP_LOOP && !done[step->loop]) {
            done[step->loop] = true;
            split_loop(program, &program->loop[step->loop], options);
        }
    }
}

/* ---- joined loops ---------------------------------------------------------------------------- */

/* Makes room for the loops that groups append: graphs point to their loops, so that the array
 * cannot move once it has graphs. */
static void reserve(struct program *program)
{
    size_t room = (size_t)(program->loops + GROUP_MOST);
    struct loop *loop = arena_alloc(program->arena, room * sizeof(*loop));
    struct function **function = arena_alloc(
        program->arena, (size_t)(program->functions + GROUP_MOST) * sizeof(struct function *));
    for (int l = 0; l < program->loops; l++) {
        loop[l] = program->loop[l];
    }
    for (int f = 0; f < program->functions; f++) { /* none where all loops run sequentially */
        function[f] = program->function[f];
    }
    program->loop = loop;
    program->function = function;
}

/* The only schedule of a loop with epilogues; NULL: it is legal. */
static const char *why_not_gathered(const struct loop *loop)
{
    const struct schedule *owner = &loop->schedule[AT_OWNER_GATHER];
    return owner->legal ? NULL : owner->reason;
}

/* Appends the joined loop of a group; *reason says why it has none. */
static bool append(struct program *program, struct group *group,
                   const struct splitter_options *options, const char **reason, struct loc *where)
{
    struct loop *loop = &program->loop[program->loops];
    if (!group_join(program, group, loop, reason, where)) {
        return false;
    }
    split_loop(program, loop, options);
    *where = loop->whole_loc;
    *reason = loop->whole_reason;
    if (loop->graph == NULL) {
        return false;
    }
    *where = loop->loc;
    *reason = group->form == GROUP_GATHER ? why_not_gathered(loop) : NULL;
    if (*reason == NULL && (group->form != GROUP_GATHER || !options->gather_all)) {
        *reason = group_why_slow(program, group, loop);
    }
    if (*reason != NULL) {
        return false;
    }
    if (group->form == GROUP_GATHER) {
        records_join(program, group, loop);
    } else {
        records_find(program->arena, loop);
        records_recompute(program, group, loop);
    }
    group->exact = group_is_exact(loop);
    group->tame = group_is_tame(program, group);
    group->loop = program->loops++;
    program->function[program->functions++] = loop->kernel;
    return true;
}

static void refuse(struct program *program, const struct group *group, const char *reason,
                   struct loc where)
{
    struct group_refusal *refusal = &program->refusal[program->refusals++];
    *refusal = (struct group_refusal){.first = group->member[0].loop,
                                      .second = group->member[group->members - 1].loop,
                                      .reason = reason,
                                      .loc = where};
}

/* Appends the joined loop of a part of a group that has none itself: of all members but the last,
 * or all but the first; else of a part of the one that saves more. Returns whether there is one;
 * then *group is the part. */
static bool append_part(struct program *program, struct group *group,
                        const struct splitter_options *options)
{
    while (group->members > 2 && group->form == GROUP_SET) {
        struct group part[2] = {{.saved_bytes = -1}, {.saved_bytes = -1}};
        const char *reason;
        struct loc where;
        for (int p = 0; p < 2; p++) {
            if (group_part(program, group, p, group->members - 1, &part[p]) &&
                append(program, &part[p], options, &reason, &where)) {
                *group = part[p];
                return true;
            }
        }
        const struct group *better = &part[part[1].saved_bytes > part[0].saved_bytes];
        if (better->saved_bytes < 0) {
            return false;
        }
        *group = *better;
    }
    return false;
}

/* Groups whose bodies cannot be joined leave the program's list. */
static void append_all(struct program *program, const struct splitter_options *options)
{
    int groups = program->groups;
    struct group_refusal *refusal = arena_alloc(
        program->arena, (size_t)(program->refusals + groups) * sizeof(*program->refusal));
    if (program->refusals > 0) {
        memcpy(refusal, program->refusal, (size_t)program->refusals * sizeof(*refusal));
    }
    program->refusal = refusal;
    program->groups = 0;
    for (int g = 0; g < groups; g++) {
        struct group *group = &program->group[g];
        const char *reason;
        struct loc where;
        if (append(program, group, options, &reason, &where)) {
            program->group[program->groups++] = *group;
        } else {
            refuse(program, group, reason, where);
            if (append_part(program, group, options)) {
                program->group[program->groups++] = *group;
            }
        }
    }
}

/* ---- entry ----------------------------------------------------------------------------------- */

void splitter_run(struct program *program, const struct splitter_options *options)
{
    bool fuses = options != NULL && options->fuse;
    bool *done = arena_alloc(program->arena, (size_t)program->loops * sizeof(*done));
    if (fuses) {
        reserve(program);
    }
    for (int c = 0; c < program->chains; c++) {
        split_chain(program, &program->chain[c], options, done);
    }
    for (int l = 0; l < program->loops; l++) {
        records_find(program->arena, &program->loop[l]);
    }
    records_expect(program);
    if (fuses) {
        if (program->groups == 0) {
            groups_find(program, options->gather);
        }
        append_all(program, options);
        tiled_find(program);
    }
}

const char *splitter_check_graphs(const struct program *program)
{
    for (int l = 0; l < program->loops; l++) {
        const struct loop *loop = &program->loop[l];
        const char *rule = loop->graph != NULL ? graph_check(loop->graph) : NULL;
        rule = rule == NULL && loop->gather_graph != NULL ? graph_check(loop->gather_graph) : rule;
        rule =
            rule == NULL && loop->written_graph != NULL ? graph_check(loop->written_graph) : rule;
        if (rule != NULL) {
            return arena_format(program->arena, "loop %s, graph: %s", loop->id, rule);
        }
    }
    return NULL;
}

const char *splitter_check(const struct program *program)
{
    return schedules_check(program);
}

void splitter_print(FILE *out, const struct program *program)
{
    schedules_print(out, program);
}

void splitter_print_graph(FILE *out, const struct program *program)
{
    graph_print_all(out, program);
}

void splitter_print_dot(FILE *out, const struct program *program)
{
    graph_print_dot_all(out, program);
}

void splitter_explain(FILE *out, const struct program *program)
{
    groups_explain(out, program);
    tiled_explain(out, program);
    schedules_explain(out, program);
}
