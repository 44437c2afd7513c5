/* code.c: which of the host's code between two loops ends a group: the runtime launches what waits
 * when it meets such code.
 *
 * Host code may change values that a later loop gets by op_arg_gbl, and look at them: the runtime
 * copies them when the loop is called. What it does through pointers to the values of dats, the
 * runtime notices when it happens.
 */
#include "pass/ir/arena.h"
#include "splitter/group/group_impl.h"

/* "the code at line 108 (op_printf)" */
static const char *place_of(struct arena *arena, const struct effect *effect)
{
    return effect->by != NULL
               ? arena_format(arena, "the code at line %d (%s)", effect->loc.line, effect->by)
               : arena_format(arena, "the code at line %d", effect->loc.line);
}

/* Whether a member's set, dat, map or value is this variable. */
static bool run_names(const struct run *run, struct flow_var var)
{
    const struct flow *flow = run->flow;

    for (int m = 0; m < run->members; m++) {
        const struct step *step = flow_step(flow, run->node[m]);

        if (flow_var_same(flow_resolve(flow, flow->node[run->node[m]].frame, step->set), var)) {
            return true;
        }
        for (int a = 0; a < step->args; a++) {
            if (flow_var_same(flow_data(flow, run->node[m], a), var) ||
                flow_var_same(flow_map(flow, run->node[m], a), var)) {
                return true;
            }
        }
    }
    return false;
}

static const char *why_named(const struct run *run, int frame, const struct effect *effect)
{
    struct arena *arena = run->flow->program->arena;
    const struct host_var *var = &run->flow->program->host_var[effect->var];

    if (effect->kind == EFFECT_REBIND) {
        return run_names(run, flow_resolve(run->flow, frame, effect->var))
                   ? arena_format(arena, "%s may make '%s' stand for another object",
                                  place_of(arena, effect), var->text)
                   : NULL;
    }
    if (var->kind == HOST_DAT) {
        return arena_format(arena, "%s may %s '%s'", place_of(arena, effect),
                            effect->kind == EFFECT_LOOK ? "read" : "change", var->text);
    }
    return effect->kind == EFFECT_CHANGE && var->constant != NULL
               ? arena_format(arena, "%s may change the constant '%s'", place_of(arena, effect),
                              var->text)
               : NULL;
}

static const char *why_effect(const struct run *run, int frame, const struct effect *effect)
{
    struct arena *arena = run->flow->program->arena;

    switch (effect->kind) {
    case EFFECT_UNKNOWN:
        return arena_format(arena, "%s may do what cleavecc cannot see", place_of(arena, effect));
    case EFFECT_ORDER:
        return arena_format(arena, "%s may order the mesh anew", place_of(arena, effect));
    case EFFECT_CLOCK:
        return arena_format(arena, "%s measures time, for which loops are waited for",
                            place_of(arena, effect));
    case EFFECT_LOOK:
    case EFFECT_CHANGE:
    case EFFECT_REBIND:
    case EFFECT_DECLARE: /* the EFFECT_CHANGE beside it says why */
        break;
    }
    if (effect->var >= 0) {
        return why_named(run, frame, effect);
    }
    return effect->var == HOST_ALL
               ? arena_format(arena, "%s may read or change all dats", place_of(arena, effect))
               : NULL;
}

const char *run_why_broken(const struct run *run, int node)
{
    const struct flow_node *at = &run->flow->node[node];
    const struct step *step = flow_step(run->flow, node);
    const char *why = NULL;

    if (at->kind == FLOW_CALL) {
        return arena_format(run->flow->program->arena,
                            "the call of '%s' at line %d leads to more loops than are followed",
                            step->word, step->loc.line);
    }
    for (int e = 0; e < step->effects && at->kind == FLOW_CODE && why == NULL; e++) {
        why = why_effect(run, at->frame, &step->effect[e]);
    }
    return why;
}
