/* crossings.c: which variables live across stages.
 *
 * In: the nodes of each stage. Out: the variables that one stage sets and another, or an update,
 * reads. They are tmp(e) and the values that one contribution stage leaves for the next; conditions
 * of guards cross like any other value.
 */
#include "pass/ir/arena.h"
#include "splitter/partition/needs.h"
#include "splitter/schedule/crossings.h"

/* A kernel called whole: tmp(e) is everything that it may increment. */
static void find_whole(const struct build *build, struct schedule *schedule)
{
    schedule->tmp_values = build->updates;
    for (int u = 0; u < build->updates; u++) {
        schedule->tmp_bytes += build->loop->arg[build->update[u].place.arg].type->size;
    }
    schedule->crossing_bytes = schedule->tmp_bytes;
}

/* Finds the variables that stage s makes for other stages, and those that its nodes and updates use
 * from other stages. */
static void find_in_stage(const struct build *build, const struct needs *needs,
                          const struct var_list *crossing, int s, struct stage *stage)
{
    struct var_list made = needs_vars_made(needs, build->arena, s, crossing);
    struct var_list used = needs_vars_brought(needs, build->arena, s);
    for (int u = 0; u < stage->updates; u++) {
        struct var *var = update_var(&stage->update[u]);
        if (var != NULL && !var_list_has(&made, var)) {
            var_list_add(&used, var);
        }
    }
    stage->makes = made.vars;
    stage->make = made.var;
    stage->uses = used.vars;
    stage->use = used.var;
}

void crossings_find(const struct build *build, struct schedule *schedule, bool *const *in)
{
    if (build->graph == NULL) {
        find_whole(build, schedule);
        return;
    }
    struct arena *scratch = arena_new();
    struct needs needs = needs_of_stages(scratch, build->graph, schedule->stages, in);
    struct var_list tmp = graph_vars_taken(build->graph, scratch);
    struct var_list crossing = needs_vars_crossing(&needs, build->arena);
    schedule->tmp_values = tmp.vars;
    schedule->tmp_bytes = var_list_bytes(&tmp);
    schedule->crossings = crossing.vars;
    schedule->crossing = crossing.var;
    schedule->crossing_bytes = var_list_bytes(&crossing);
    for (int s = 0; s < schedule->stages; s++) {
        find_in_stage(build, &needs, &crossing, s, &schedule->stage[s]);
    }
    arena_free(scratch);
}
