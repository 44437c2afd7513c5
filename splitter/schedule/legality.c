/* legality.c: which schedules of a loop give right results, and why the others do not.
 *
 * In: a loop with in_place and graph set. Out: NULL, or the reason in the user's words;
 * --cleave-explain puts "left out: " before it.
 */
#include "pass/ir/arena.h"
#include "splitter/graph/graph_impl.h"
#include "splitter/schedule/schedules.h"

bool arg_is_updated(const struct loop *loop, int a)
{
    const struct arg *arg = &loop->arg[a];
    bool extremum = arg->access == ACCESS_MIN || arg->access == ACCESS_MAX;
    return arg->kind == ARG_DAT && arg->is_indirect &&
           (arg->access == ACCESS_INC || (extremum && !loop->in_place));
}

bool arg_is_staged(const struct loop *loop, int a)
{
    const struct arg *arg = &loop->arg[a];
    return !loop->in_place && arg->kind == ARG_DAT && arg->is_indirect && !arg->is_point &&
           arg->access == ACCESS_READ;
}

/* Why the loop works in place; NULL when it does not. */
static const char *works_in_place(struct arena *arena, const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (arg->kind != ARG_DAT || !arg->is_indirect || arg->access == ACCESS_READ ||
            arg_is_updated(loop, a)) {
            continue;
        }
        if (arg->access == ACCESS_RW || arg->access == ACCESS_WRITE) {
            return arena_format(
                arena, "%s is %s through %s, and only increments can be moved to a later stage",
                arg->dat_text, access_name(arg->access), arg->map_text);
        }
        if (loop->whole_reason != NULL) {
            return loop->whole_reason; /* it names the one that is to blame */
        }
        return arena_format(arena,
                            "%s is %s through %s, but the kernel uses it for more than its "
                            "%s",
                            arg->dat_text, access_name(arg->access), arg->map_text,
                            arg->access == ACCESS_MIN ? "minimum" : "maximum");
    }
    return NULL;
}

static bool has_updates(const struct loop *loop)
{
    if (loop->graph != NULL) {
        return loop->graph->contributions > 0;
    }
    for (int a = 0; a < loop->args; a++) {
        if (arg_is_updated(loop, a)) {
            return true;
        }
    }
    return false;
}

const char *legality_split(struct arena *arena, const struct loop *loop)
{
    const char *reason = works_in_place(arena, loop);
    if (reason != NULL) {
        return reason;
    }
    return has_updates(loop) ? NULL : "nothing is incremented through a map";
}

/* Schedules that need the dependence graph: a kernel that is called whole has none. */
const char *legality_cuts(struct arena *arena, const struct loop *loop)
{
    const char *reason = legality_split(arena, loop);
    if (reason != NULL || loop->graph != NULL) {
        return reason;
    }
    return arena_format(arena, "the body could not be taken apart: %s",
                        loop->whole_reason != NULL ? loop->whole_reason : "no reason is known");
}

const char *legality_loops(struct arena *arena, const struct loop *loop)
{
    return legality_cuts(arena, loop);
}

const char *legality_two_pass(struct arena *arena, const struct loop *loop)
{
    return legality_cuts(arena, loop);
}

/* ---- owner gather ---------------------------------------------------------------------------- */

/* Finds the first argument that a statement writes. */
struct effect {
    const struct loop *loop;
    const char *name;
};

static void find_effect(struct expr *expr, void *user)
{
    struct effect *effect = user;
    bool is_place = expr->kind == EXPR_PLACE;
    bool is_param = expr->kind == EXPR_VAR && expr->var->storage == STORAGE_PARAM;
    if (effect->name != NULL || (!is_place && !is_param)) {
        return;
    }
    const struct arg *arg = &effect->loop->arg[is_place ? expr->place.arg : expr->var->index];
    if (arg->kind != ARG_INDEX && arg->access != ACCESS_READ) {
        effect->name = arg->dat_text;
    }
}

/* Names the side effect of a node that may run only once per element. */
static const char *name_effect(struct arena *arena, const struct loop *loop,
                               const struct node *node)
{
    struct effect effect = {loop, NULL};
    if (node->stmt != NULL) {
        stmt_visit(node->stmt, NULL, find_effect, &effect);
    }
    return effect.name != NULL ? arena_format(arena, "the write to '%s'", effect.name)
                               : "a statement with side effects";
}

/* Points compute contributions after the rest of the body has run for all elements, and one point
 * may do so after another has its sum. So contributions must not read what the loop changes. */
static const char *refuse_node(struct arena *arena, const struct loop *loop,
                               const struct node *node)
{
    if (node->once) {
        return arena_format(arena, "each point would repeat %s", name_effect(arena, loop, node));
    }
    for (int p = 0; p < node->places; p++) {
        int a = node->place[p].arg;
        if (loop->arg[a].kind != ARG_INDEX && !arg_is_constant(loop, a)) {
            return arena_format(arena, "points would read '%s' after the loop has changed it",
                                loop->arg[a].dat_text);
        }
    }
    return NULL;
}

const char *legality_besides_owners(struct arena *arena, const struct loop *loop)
{
    return loop->epilogues == 0 ? NULL
                                : arena_format(arena,
                                               "'%s' runs where the sums of a point are complete, "
                                               "which only the point's owner knows",
                                               loop->epilogue[0].kernel->user_name);
}

/* An epilogue runs in the kernel that adds up all that its point gets. */
static const char *refuse_epilogues(struct arena *arena, const struct loop *loop)
{
    int map = -1;
    if (loop->graph->effects) {
        return arena_format(arena, "'%s' does more than increment through a map, once per element",
                            loop->kernel->user_name);
    }
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (arg->kind == ARG_INFO || arg->ties != TIES_NONE) {
            return arena_format(arena, "'%s' has a payload", arg->dat_text);
        }
        if (arg->is_optional) {
            return arena_format(arena, "'%s' is optional", arg->dat_text);
        }
        if (!arg_is_updated(loop, a) || arg->set > 0) {
            continue;
        }
        if (map >= 0 && arg->map != map) {
            return arena_format(arena, "points of several maps are incremented, '%s' and '%s'",
                                loop->arg[map].map_text, arg->map_text);
        }
        map = arg->map;
    }
    return NULL;
}

const char *legality_owner_gather(struct arena *arena, const struct loop *loop)
{
    const char *reason = legality_cuts(arena, loop);
    if (reason == NULL && loop->epilogues > 0) {
        reason = refuse_epilogues(arena, loop);
    }
    if (reason != NULL) {
        return reason;
    }
    const struct graph *graph = loop->graph;
    bool *cone = arena_alloc(arena, (size_t)graph->nodes * sizeof(*cone));
    graph_mark_taken(graph, cone);
    graph_cone(graph, cone, false);
    for (int n = 0; n < graph->nodes && reason == NULL; n++) {
        reason = cone[n] ? refuse_node(arena, loop, &graph->node[n]) : NULL;
    }
    return reason;
}
