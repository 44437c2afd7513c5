/* splitter.c: the station's entry: each loop's body is taken apart, then it gets its schedules.
 *
 * In: a Program from pass/. Out: the same Program with the splitter's fields of each loop filled.
 */
#include "splitter/splitter_impl.h"

enum { MAX_CONTRIBUTIONS = 512 };

/* Whether data modified through a map must be worked on in place. A kernel that is called whole
 * cannot put off a minimum or a maximum. */
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
        loop->whole_reason = arena_format(
            arena,
            "it increments %d components through maps, and more than %d are not put off one by one",
            loop->graph->contributions, MAX_CONTRIBUTIONS);
        loop->whole_loc = loop->kernel->loc;
        loop->graph = NULL;
    }
}

void splitter_run(struct program *program)
{
    for (int l = 0; l < program->loops; l++) {
        struct loop *loop = &program->loop[l];
        if (loop->sequential_reason != NULL || loop->kernel == NULL) {
            continue;
        }
        loop->graph = graph_lower(program->arena, loop, &loop->whole_reason, &loop->whole_loc);
        limit_size(program->arena, loop);
        loop->in_place = modifies_in_place(loop);
        if (loop->graph != NULL) {
            graph_merge(loop->graph);
        }
        schedules_build(program->arena, loop);
    }
}

const char *splitter_check_graphs(const struct program *program)
{
    for (int l = 0; l < program->loops; l++) {
        const struct loop *loop = &program->loop[l];
        const char *rule = loop->graph != NULL ? graph_check(loop->graph) : NULL;
        if (rule != NULL) {
            return arena_format(program->arena, "loop %s, graph: %s", loop->id, rule);
        }
    }
    return NULL;
}
