/* queue_loops.h: loops and graphs of launches for tests of the queue. */
#ifndef CLEAVE_TEST_QUEUE_LOOPS_H
#define CLEAVE_TEST_QUEUE_LOOPS_H

#define CLEAVE_UNIT "queue"
#include "hand_made.h"

enum { CELLS = 2000, STEPS = 10, SOME = 6 };

static op_set cells;
static op_dat x;
static op_map next;
static double gain = 0.5;
static double gain_copy;

/* ---- loops ------------------------------------------------------------------------------- */

static void step(double *value, const double *add)
{
    value[0] = gain * value[0] + add[0];
}

static void total(const double *value, double *sum)
{
    sum[0] += value[0];
}

#define STEP                                                                                       \
    step, "step", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW),                             \
        op_arg_gbl(add, 1, "double", OP_READ)
#define TOTAL                                                                                      \
    total, "total", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),                         \
        op_arg_gbl(&sum, 1, "double", OP_INC)

/* A loop over a set that is large enough to be tuned; the test declares both. */
static inline void early(double *value)
{
    value[0] += 1.0;
}
#define EARLY early, "early", large, op_arg_dat(y, -1, OP_ID, 1, "double", OP_RW)

static double expected;   /* of each value of x */
static volatile int runs; /* the handler of a fault starts launches, too */
static int fails_at;      /* the run of `step` whose launch fails; 0: none */

static void call_step(double value)
{
    double *add = &value;
    LOOP(STEP);
    expected = gain * expected + value;
    value = NAN; /* nobody may read it any more */
}

static double call_total(void)
{
    double sum = 0.0;
    LOOP(TOTAL);
    return sum;
}

/* ---- variants, and graphs of them --------------------------------------------------------- */

struct kept {
    double *value;
    const double *constant;
    double add;
    double *result; /* NULL: step */
};

struct graph {
    int count;
    struct kept kept[200];
};

static struct graph *capturing;
static char captured; /* its address is the stream */
static int graphs;
static int graph_launches;
static int captures_fail;

static void run_kept(const struct kept *kept)
{
    runs++;
    for (int c = 0; c < CELLS; c += kept->result == NULL ? 1 : CELLS) {
        if (kept->result != NULL) {
            *kept->result = CELLS * kept->value[0];
        } else {
            kept->value[c] = *kept->constant * kept->value[c] + kept->add;
        }
    }
}

/* That starting one launch, and one graph, takes. */
static double launch_seconds;
static double graph_seconds;

static void spend(double seconds)
{
    for (const double until = cleave_seconds() + seconds; cleave_seconds() < until;) {
    }
}

static struct kept *changed; /* the launch of a graph that gets the next parameters, or NULL */
static int changes;

static void run(const struct kept *kept, const void *stream)
{
    if (changed != NULL) {
        *changed = *kept;
        changes++;
        return;
    }
    if (stream == &captured) {
        capturing->kept[capturing->count++] = *kept;
    } else {
        spend(launch_seconds);
        run_kept(kept);
    }
}

static void step_run(const struct cleave_launch *l)
{
    const struct kept kept = {l->data[0], &gain_copy, *(double *)l->data[1], NULL};
    failure = fails_at > 0 && runs + 1 == fails_at ? "as the test wishes" : NULL;
    run(&kept, l->stream);
}

static int early_block; /* of the latest launch, if it was of `early`; else 0 */

static void early_run(const struct cleave_launch *l)
{
    static const double one = 1.0;
    early_block = l->block_size;
    const struct kept kept = {l->data[0], &one, 1.0, NULL};
    run(&kept, l->stream);
}

/* Another variant of it. */
static void early_other(const struct cleave_launch *l)
{
    early_run(l);
}

static void total_run(const struct cleave_launch *l)
{
    const struct kept kept = {l->data[0], &gain_copy, 0.0, l->result[1]};
    run(&kept, l->stream);
}

static void *graph_begin(void)
{
    CHECK(capturing == NULL);
    capturing = captures_fail ? NULL : calloc(1, sizeof *capturing);
    return capturing != NULL ? &captured : NULL;
}

static int two_kernels; /* 1: a launch counts as two */

static int graph_captured(void **latest)
{
    *latest = &capturing->kept[capturing->count - 1];
    return capturing->count << two_kernels;
}

static void graph_place(void *graph, void *launch, struct cleave_graph_launch *place)
{
    *place = (struct cleave_graph_launch){graph, launch};
}

static void change_graph(const struct cleave_graph_launch *launch)
{
    changed = launch != NULL ? launch->launch : NULL;
}

static void *graph_end(void)
{
    struct graph *graph = capturing;
    capturing = NULL;
    graphs++;
    return graph;
}

static double kernel_seconds; /* as the device tells them; of `early` twice as many, */
static int fast_block;        /* but in blocks of this size; 0: as of others */
static double seconds_at[TARGET_MARKS];

static int mark(int slot)
{
    const int is_slow = fast_block > 0 && early_block > 0 && early_block != fast_block;
    seconds_at[slot] = is_slow ? 2.0 * kernel_seconds : kernel_seconds;
    early_block = 0;
    return device_mark(slot);
}

static double elapsed(int begin, int end)
{
    CHECK(begin + 1 == end);
    return seconds_at[end];
}

static int graph_launch(void *memory)
{
    const struct graph *graph = memory;
    graph_launches++;
    spend(graph_seconds);
    for (int k = 0; k < graph->count; k++) {
        run_kept(&graph->kept[k]);
    }
    return 0;
}

static void graph_free(void *graph)
{
    graphs--;
    free(graph);
}

static void set_gain(const void *value)
{
    memcpy(&gain_copy, value, sizeof gain_copy);
}

static const int used[] = {0};
static const struct cleave_constant constants[] = {
    {"gain", "double", 1, sizeof(double), 1, set_gain, 0, NULL}};
static const struct cleave_variant variants[] = {
    HAND_VARIANT(step_run, 0), HAND_VARIANT(total_run, 0), HAND_VARIANT(early_run, 0),
    HAND_VARIANT(early_other, 0)};
static const struct cleave_loop loops[] = {
    {HAND_LOOP(TEXT(STEP), "d0.-1.0:1:double:B g-1.-1.0:1:double:R", "step", variants[0]),
     .constants = 1, .constant = used},
    {HAND_LOOP(TEXT(TOTAL), "d0.-1.0:1:double:R g-1.-1.0:1:double:I", "total", variants[1])},
    {.call = TEXT(EARLY),
     .signature = "d0.-1.0:1:double:B",
     .kernel = "early",
     .variants = 2,
     .variant = &variants[2]}};
static const struct cleave_unit unit = {.abi = CLEAVE_ABI,
                                        .target = CLEAVE_TARGET_CUDA,
                                        .id = CLEAVE_UNIT,
                                        .source = "queue.c",
                                        .loops = 3,
                                        .loop = loops,
                                        .constants = 1,
                                        .constant = constants,
                                        .key = &cleave_unit_key,
                                        .launch_error = launch_error,
                                        .change_graph = change_graph};

/* ---- sequences --------------------------------------------------------------------------- */

static void start(void)
{
    static int map[CELLS];
    op_init(0, NULL, 0);
    cells = op_decl_set(CELLS, "cells");
    next = op_decl_map(cells, cells, 1, map, "next");
    x = op_decl_dat(cells, 1, "double", (double *)NULL, "x");
    gain = 0.5;
    op_decl_const(1, "double", &gain);
    expected = 0.0;
    runs = graph_launches = 0;
}

static void steps(int count)
{
    for (int s = 0; s < count; s++) {
        call_step(0.25 * s + 1.0);
    }
}

static int sequence(void)
{
    const int before = runs;
    steps(STEPS);
    const double sum = call_total();
    CHECK(sum == CELLS * expected);
    return runs - before;
}

static int is_right(void)
{
    double *values = malloc(CELLS * sizeof *values);
    op_fetch_data(x, values);
    const int right = values[0] == expected && values[CELLS - 1] == expected;
    free(values);
    return right;
}

/* The device with the graphs and times above. */
static void provide(void)
{
    static struct target_ops device;
    device = ops;
    device.mark = mark;
    device.elapsed = elapsed;
    device.graph_begin = graph_begin;
    device.graph_end = graph_end;
    device.graph_launch = graph_launch;
    device.graph_free = graph_free;
    device.graph_captured = graph_captured;
    device.graph_place = graph_place;
    target_provide(&device);
    setenv("CLEAVE_GRAPH", "on", 1);
    setenv("CLEAVE_TUNE", "auto", 1);
    cleave_register(&unit);
}

#endif
