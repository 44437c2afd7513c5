/* graph_step.c: compares launches with those of a known sequence, and puts them into graphs. */
#include "runtime/exec/graph_step.h"

/* ---- comparing --------------------------------------------------------------------------- */

static int same_launch(const struct cleave_launch *a, const struct cleave_launch *b)
{
    return a->size == b->size && a->begin == b->begin && a->end == b->end &&
           a->blocks == b->blocks && a->block_size == b->block_size && a->plan == b->plan &&
           a->tmp == b->tmp && a->shared_bytes == b->shared_bytes && a->arrived == b->arrived &&
           a->done == b->done;
}

/* The arrays of a queued launch: [args] data, then other pointers, then numbers, then values. */
static void *const *data_of(const struct cleave_queued *queued)
{
    return (void *const *)(const void *)queued->memory;
}

static int is_value(const struct cleave_queued *queued, const void *data)
{
    const uintptr_t place = (uintptr_t)data - (uintptr_t)queued->memory;
    return place >= queued->fixed_bytes && place < queued->array_bytes;
}

static int same_arrays(const struct cleave_queued *known, const struct cleave_queued *queued)
{
    const size_t behind = (size_t)queued->args * sizeof(void *);
    for (int a = 0; a < queued->args; a++) {
        const void *data = data_of(queued)[a];
        if (data_of(known)[a] != (is_value(queued, data) ? NULL : data)) {
            return 0;
        }
    }
    return memcmp(known->memory + behind, queued->memory + behind, queued->fixed_bytes - behind) ==
           0;
}

int cleave_step_is_candidate(const struct cleave_queued *queued)
{
    return queued->candidate >= 0;
}

int cleave_step_same(const struct cleave_step *step, const struct cleave_queued *queued)
{
    const struct cleave_queued *known = &step->launch;
    if (cleave_step_is_candidate(queued)) {
        return known->call == queued->call;
    }
    return known->variant == queued->variant && known->launcher == queued->launcher &&
           known->args == queued->args && known->fixed_bytes == queued->fixed_bytes &&
           known->array_bytes == queued->array_bytes &&
           same_launch(&known->launch, &queued->launch) && same_arrays(known, queued);
}

int cleave_step_same_values(const struct cleave_step *step, const struct cleave_queued *queued)
{
    return memcmp(step->launch.memory + queued->fixed_bytes, queued->memory + queued->fixed_bytes,
                  queued->array_bytes - queued->fixed_bytes) == 0;
}

void cleave_step_keep(struct cleave_step *step, const struct cleave_queued *queued)
{
    step->launch = *queued;
    step->launch.memory = memcpy(cleave_alloc(queued->array_bytes, "a sequence of launches"),
                                 queued->memory, queued->array_bytes);
    void **data = (void **)(void *)step->launch.memory;
    for (int a = 0; a < queued->args; a++) {
        data[a] = is_value(queued, data[a]) ? NULL : data[a];
    }
    step->fixed = cleave_device->graph_captured == NULL || queued->unit->change_graph == NULL;
}

/* ---- graphs ------------------------------------------------------------------------------ */

static void keep_values(struct cleave_step *step, const struct cleave_queued *queued)
{
    memcpy(step->launch.memory + queued->fixed_bytes, queued->memory + queued->fixed_bytes,
           queued->array_bytes - queued->fixed_bytes);
}

/* Finds the launch in the graph that is being captured, which had `before` launches. Returns how
 * many it has now. */
static int find_captured(struct cleave_step *step, int before)
{
    void *latest = NULL;
    const int now =
        cleave_device->graph_captured != NULL ? cleave_device->graph_captured(&latest) : before;
    step->captured = now == before + 1 ? latest : NULL;
    step->fixed |= step->captured == NULL;
    return now;
}

void *cleave_step_capture(struct cleave_step *step, struct cleave_queued *queued, int count)
{
    void *stream = cleave_device->graph_begin();
    int failed = stream == NULL;
    int launches = 0;
    if (failed) {
        return NULL;
    }
    for (int q = 0; q < count; q++) {
        queued[q].launch.stream = stream;
        queued[q].variant->run(&queued[q].launch);
        failed |= cleave_launch_failure(queued[q].unit) != NULL;
        keep_values(&step[q], &queued[q]);
        launches = find_captured(&step[q], launches);
    }
    void *graph = cleave_device->graph_end();
    if (failed && graph != NULL) {
        cleave_device->graph_free(graph);
    }
    return failed ? NULL : graph;
}

/* Gives the launch in the graph its present values. 0: that failed. */
static int change(void *graph, struct cleave_step *step, const struct cleave_queued *queued)
{
    struct cleave_graph_launch place;
    cleave_device->graph_place(graph, step->captured, &place);
    queued->unit->change_graph(&place);
    queued->variant->run(&queued->launch);
    queued->unit->change_graph(NULL);
    keep_values(step, queued);
    return cleave_launch_failure(queued->unit) == NULL;
}

/* Brings the values of a graph's launches up to date. 0: that failed. */
int cleave_step_change(void *graph, struct cleave_step *step, const struct cleave_queued *queued,
                       int count)
{
    int changed = 1;
    for (int q = 0; changed && q < count; q++) {
        changed =
            cleave_step_same_values(&step[q], &queued[q]) || change(graph, &step[q], &queued[q]);
    }
    return changed;
}
