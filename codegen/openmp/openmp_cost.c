/* openmp_cost.c: what a variant takes of a processor, counted for the runtime's model
 * (runtime/model/).
 *
 * In: a loop and one of its schedules. Out: the struct cleave_cost of all variants of the schedule:
 * they differ in how ranges or colours share the elements among threads, and in how many elements a
 * core computes at once, which the runtime knows.
 */
#include "codegen/openmp/openmp.h"
#include "pass/ir/arena.h"
#include "splitter/graph/graph.h"

enum { MAP_BYTES = 4 };

/* The kernel, called whole: as its graph has it, whose loops are unrolled, else as it is written.
 * One that the compiler does not look into counts nothing. */
static void count_kernel(const struct emit *emit, struct graph_operations *sum)
{
    const struct loop *loop = emit->loop;
    if (loop->graph != NULL) {
        graph_operations_of(loop->written_graph != NULL ? loop->written_graph : loop->graph, sum);
        sum->in_double.simple += loop->graph->contributions;
    } else if (loop->kernel != NULL && loop->kernel->body != NULL) {
        graph_operations_add(loop->kernel->body, sum);
    }
}

/* How often a stage does its work for an element: once, or in each visit of a point. */
static int times_of(const struct emit *emit, const struct stage *stage)
{
    return stage->kind == STAGE_GATHER
               ? costs_modified_columns(&emit->shape->map[emit->shape->map_of[stage->map]])
               : 1;
}

static void count_stage(const struct emit *emit, const struct stage *stage,
                        struct graph_operations *sum, struct cleave_cost *cost)
{
    const int times = times_of(emit, stage);
    struct graph_operations once = {{0, 0, 0}, {0, 0, 0}};
    if (stage->body != NULL) {
        graph_operations_add(stage->body, &once);
    } else if (stage->kind == STAGE_CONTRIBUTION || stage->kind == STAGE_WHOLE) {
        count_kernel(emit, &once);
    }
    once.in_double.simple += stage->updates;
    costs_add(sum, &once, times);
    cost->visits += stage->kind == STAGE_GATHER ? times : 0;
}

/* Records that elements reach through maps, in place; a point that gathers has its own at hand. */
static void count_records(const struct emit *emit, struct cleave_cost *cost,
                          struct cleave_cost_list *list)
{
    const int times = cost->visits > 0 ? cost->visits : 1;
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        const int map = emit->shape->map_of[a];
        if (arg->kind != ARG_DAT || costs_is_repeated(emit, a)) {
            continue;
        }
        const int bytes = costs_moves(arg) * arg->dim * (int)arg->type->size;
        if (!arg->is_indirect) {
            cost->own += bytes * times;
        } else if (map >= 0 && emit->shape->map[map].list >= 0) {
            const int columns = arg->is_vector ? arg->columns : 1;
            list[emit->shape->map[map].list].read += bytes * columns * times;
            list[emit->shape->map[map].list].records += columns * times;
        }
    }
}

/* Bytes of maps, and of the lists by which points find their elements. */
static void count_lists(const struct emit *emit, struct cleave_cost *cost)
{
    const int times = cost->visits > 0 ? cost->visits : 1;
    for (int l = 0; l < emit->shape->lists; l++) {
        cost->lists += MAP_BYTES * emit->shape->map[emit->shape->list[l]].columns * times;
    }
    cost->lists += 2 * MAP_BYTES * cost->visits;
}

const struct cleave_cost *openmp_cost(struct emit *emit, const struct schedule *schedule)
{
    struct arena *arena = emit->file->program->arena;
    struct cleave_cost *cost = arena_alloc(arena, sizeof(*cost));
    struct cleave_cost_list *list =
        arena_alloc(arena, ((size_t)emit->shape->lists + 1) * sizeof(*list));
    struct graph_operations sum = {{0, 0, 0}, {0, 0, 0}};
    if (schedule == NULL || schedule->kind == SCHEDULE_FUSED) {
        count_kernel(emit, &sum);
    } else {
        for (int s = 0; s < schedule->stages; s++) {
            count_stage(emit, &schedule->stage[s], &sum, cost);
        }
    }
    if (schedule != NULL &&
        (schedule->kind == SCHEDULE_LOOPS || schedule->kind == SCHEDULE_TWO_PASS)) {
        cost->tmp = 2 * (int)schedule->tmp_bytes;
    }
    count_records(emit, cost, list);
    count_lists(emit, cost);
    costs_set_operations(cost, &sum);
    cost->kernels = schedule == NULL || schedule->stages == 0 ? 1 : schedule->stages;
    cost->list = emit->shape->lists > 0 ? list : NULL;
    return cost;
}
