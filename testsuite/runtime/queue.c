/* queue.c: launches that wait in the queue: that a known sequence waits and becomes a graph, that
 * everything which looks at the results of launches starts them first, that launches have the
 * parameters which they had when their loops were called, and that errors name the right loop. */
#define CLEAVE_UNIT "queue"
#include "cleave_gen.h"
#include "op_seq.h"

#include "runtime/exec/exec.h"

#include <pthread.h>
#include <semaphore.h>

#include "check.h"
#include "child.h"
#include "fake_device.h"

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

#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define LOOP(...) op_par_loop(__VA_ARGS__)
#define STEP                                                                                       \
    step, "step", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW),                             \
        op_arg_gbl(add, 1, "double", OP_READ)
#define TOTAL                                                                                      \
    total, "total", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),                         \
        op_arg_gbl(&sum, 1, "double", OP_INC)

/* A loop over a set that is large enough to be tuned. */
static op_set large;
static op_dat y;
static void early(double *value)
{
    value[0] += 1.0;
}
#define EARLY early, "early", large, op_arg_dat(y, -1, OP_ID, 1, "double", OP_RW)

static double expected;   /* of each value of x */
static volatile int runs; /* the handler of a fault starts launches, too */
static int fails_at;      /* the run of `step` whose launch fails; 0: none */
static const char *failure;

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

static void early_run(const struct cleave_launch *l)
{
    static const double one = 1.0;
    const struct kept kept = {l->data[0], &one, 1.0, NULL};
    run(&kept, l->stream);
}

static void total_run(const struct cleave_launch *l)
{
    const struct kept kept = {l->data[0], &gain_copy, 0.0, l->result[1]};
    run(&kept, l->stream);
}

static const char *launch_error(void)
{
    const char *error = failure;
    failure = NULL;
    return error;
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

static double kernel_seconds; /* as the device tells them */

static double elapsed(int begin, int end)
{
    CHECK(begin + 1 == end);
    return kernel_seconds;
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
static const struct cleave_variant step_variants[] = {
    {.name = "step_direct", .schedule = CLEAVE_FUSED, .plan = CLEAVE_PLAN_NONE, .run = step_run}};
static const struct cleave_variant early_variants[] = {
    {.name = "early_direct", .schedule = CLEAVE_FUSED, .plan = CLEAVE_PLAN_NONE, .run = early_run}};
static const struct cleave_variant total_variants[] = {
    {.name = "total_direct", .schedule = CLEAVE_FUSED, .plan = CLEAVE_PLAN_NONE, .run = total_run}};
static const struct cleave_loop loops[] = {{.call = TEXT(STEP),
                                            .signature = "d0.-1.0:1:double:B g-1.-1.0:1:double:R",
                                            .kernel = "step",
                                            .constants = 1,
                                            .constant = used,
                                            .variants = 1,
                                            .variant = step_variants},
                                           {.call = TEXT(TOTAL),
                                            .signature = "d0.-1.0:1:double:R g-1.-1.0:1:double:I",
                                            .kernel = "total",
                                            .variants = 1,
                                            .variant = total_variants},
                                           {.call = TEXT(EARLY),
                                            .signature = "d0.-1.0:1:double:B",
                                            .kernel = "early",
                                            .variants = 1,
                                            .variant = early_variants}};
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

/* Lets the sequence come so often that a graph is made of it; then begins it, so that launches
 * wait. The machine may be busy, which ends sequences: tries again. */
static void wait_in_queue(void)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        cleave_generation++;
        for (int i = 0; i < 5; i++) {
            sequence();
        }
        const int before = runs;
        steps(SOME);
        if (runs == before) {
            return;
        }
        cleave_flush();
    }
    CHECK(!"launches wait");
}

#define STARTS(call)                                                                               \
    do {                                                                                           \
        wait_in_queue();                                                                           \
        const int before = runs;                                                                   \
        call;                                                                                      \
        CHECK(runs == before + SOME);                                                              \
        if (runs != before + SOME) {                                                               \
            fprintf(stderr, "  %d runs: %s\n", runs - before, #call);                              \
        }                                                                                          \
    } while (0)

static int is_right(void)
{
    double *values = malloc(CELLS * sizeof *values);
    op_fetch_data(x, values);
    const int right = values[0] == expected && values[CELLS - 1] == expected;
    free(values);
    return right;
}

/* ---- tests ------------------------------------------------------------------------------- */

static void test_graphs(void)
{
    start();
    for (int attempt = 0; attempt < 50 && graph_launches < 2; attempt++) {
        CHECK(sequence() == STEPS + 1);
    }
    CHECK(graph_launches >= 2 && graphs > 0);
    CHECK(is_right());
    op_exit();
    CHECK(graphs == 0 && in_use == 0);
    setenv("CLEAVE_GRAPH", "off", 1);
    start();
    setenv("CLEAVE_GRAPH", "on", 1);
    for (int i = 0; i < 10; i++) {
        CHECK(sequence() == STEPS + 1);
    }
    CHECK(graph_launches == 0 && is_right());
    op_exit();
}

/* A device that cannot capture, or has no memory for it. */
static void test_no_capture(void)
{
    captures_fail = 1;
    start();
    for (int i = 0; i < 10; i++) {
        CHECK(sequence() == STEPS + 1);
    }
    CHECK(graph_launches == 0 && is_right());
    op_exit();
    captures_fail = 0;
}

/* Calls of `early` that have measured another candidate than the rule's, or are doing it. */
static int early_samples(void)
{
    const struct cleave_trials *trials = cleave_trials_of("early", "early", NULL);
    int samples = 0;
    for (int n = 0; trials != NULL && n < trials->count; n++) {
        samples += n != trials->by_rule ? trials->trial[n].samples + trials->trial[n].asked : 0;
    }
    return samples;
}

/* Returns how many of the sequences whose first segment has a candidate were not launched as graphs
 * behind it; -1: none had one. */
static int without_graphs(void)
{
    enum { LARGE = 20000 };
    int measured = 0;
    int with_graph = 0;
    start();
    large = op_decl_set(LARGE, "large");
    y = op_decl_dat(large, 1, "double", (double *)NULL, "y");
    for (int i = 0; i < 1500; i++) {
        const int samples = early_samples();
        const int before = graph_launches;
        const int first = runs;
        steps(SOME);
        LOOP(EARLY);
        steps(2 * STEPS);
        CHECK(call_total() == CELLS * expected && runs == first + SOME + 2 * STEPS + 2);
        measured += early_samples() > samples;
        with_graph += early_samples() > samples && graph_launches > before;
    }
    op_exit();
    CHECK(graphs == 0 && in_use == 0);
    return measured > 0 ? measured - with_graph : -1;
}

/* The launch of a candidate that the tuner measures runs by itself; the segments behind its own are
 * graphs all the same. The machine may be busy, which ends sequences: tries again. */
static void test_measured(void)
{
    int without = -1;
    kernel_seconds = 20e-6; /* so short that the tuner can seldom afford to measure one */
    for (int attempt = 0; attempt < 20 && without != 0; attempt++) {
        without = without_graphs();
    }
    CHECK(without == 0);
    kernel_seconds = 0.0;
}

static int graphs_of(int sequences)
{
    const int before = graph_launches;
    for (int i = 0; i < sequences; i++) {
        CHECK(sequence() == STEPS + 1);
    }
    return graph_launches - before;
}

/* Graphs only where the times of kernels promise a gain, and only as long as they bring one. */
static void test_gain(void)
{
    setenv("CLEAVE_GRAPH", "auto", 1);
    launch_seconds = 5e-6;
    start();
    kernel_seconds = 50e-6;
    CHECK(graphs_of(100) == 0);
    op_exit();
    start();
    kernel_seconds = 2e-6;
    CHECK(graphs_of(3) == 0 && graphs_of(97) > 20);
    CHECK(is_right());
    op_exit();
    start();
    graph_seconds = 200e-6;
    int made = 0;
    int later = 1; /* a busy machine ends some sequences early, and the trial comes to no end */
    for (int attempt = 0; attempt < 20 && later > 0; attempt++) {
        later = graphs_of(100);
        made += later;
    }
    CHECK(made > 3 && later == 0 && graphs == 0);
    CHECK(is_right());
    op_exit();
    CHECK(in_use == 0);
    setenv("CLEAVE_GRAPH", "on", 1);
    kernel_seconds = launch_seconds = graph_seconds = 0.0;
}

/* Values that change, in another place each time, and another dat in the place of a freed one. */
static void test_changes(void)
{
    start();
    for (int i = 0; i < 60; i++) {
        for (int s = 0; s < STEPS; s++) {
            call_step(s == i % 7 ? i : 0.5);
        }
        CHECK(call_total() == CELLS * expected);
    }
    op_dat keep = x;
    const double kept = expected;
    for (int i = 0; i < 20; i++) {
        x = op_decl_dat_temp(cells, 1, "double", (double *)NULL, "temporary");
        void *space = i % 3 == 0 ? malloc((size_t)i * 5000) : NULL; /* x lies elsewhere */
        expected = 0.0;
        CHECK(sequence() == STEPS + 1);
        op_free_dat_temp(x);
        free(space);
    }
    x = keep;
    expected = kept;
    CHECK(is_right());
    op_exit();
    CHECK(in_use == 0);
}

/* Values that change each time are put into the graph, but not into that of a launch of several
 * kernels. */
static void check_values(int count)
{
    start();
    changes = 0;
    for (int i = 0; i < count; i++) {
        for (int s = 0; s < STEPS; s++) {
            call_step(s % 3 == 0 ? 0.01 * i : 0.5);
        }
        CHECK(call_total() == CELLS * expected);
    }
    CHECK(two_kernels ? changes == 0 : changes > 100);
    CHECK(graph_launches > 0 && is_right());
    op_exit();
    CHECK(graphs == 0 && in_use == 0);
}

static void test_values(void)
{
    for (two_kernels = 0; two_kernels < 2; two_kernels++) {
        check_values(100);
    }
    two_kernels = 0;
    setenv("CLEAVE_GRAPH", "auto", 1);
    launch_seconds = 5e-6;
    kernel_seconds = 2e-6;
    check_values(400);
    setenv("CLEAVE_GRAPH", "on", 1);
    kernel_seconds = launch_seconds = 0.0;
}

/* Sequences that begin alike and go on differently, with values that differ now and then: whichever
 * the queue follows, each launch runs once, with its own values. */
static void test_alike(void)
{
    static const int lengths[] = {5, 9, 11, 14, 20, 26};
    unsigned chance = 1;
    start();
    op_dat first = x;
    op_dat second = op_decl_dat(cells, 1, "double", (double *)NULL, "second");
    double expected_of[2] = {0.0, 0.0};
    for (int i = 0; i < 3000; i++) {
        chance = chance * 1664525 + 1013904223;
        const int kind = i % 200 < 100 ? i % 4 : (int)(chance >> 16) % 6;
        const int odd = (chance >> 20) % 64 == 0 ? (int)(chance >> 24) % lengths[kind] : -1;
        const int before = runs;
        cleave_generation += i % 300 == 0; /* what has changed once may be in a graph again */
        for (int s = 0; s < lengths[kind]; s++) {
            const int which = s >= 7 && (s + kind / 2) % 3 == 0;
            x = which ? second : first;
            expected = expected_of[which];
            call_step(s == odd ? 7.0 : 0.5 * s);
            expected_of[which] = expected;
        }
        x = first;
        CHECK(call_total() == CELLS * expected_of[0] && runs == before + lengths[kind] + 1);
    }
    CHECK(graph_launches > 100);
    expected = expected_of[0];
    CHECK(is_right());
    x = second;
    expected = expected_of[1];
    CHECK(is_right());
    op_exit();
}

/* More sequences than are remembered. */
static void test_many(void)
{
    start();
    for (int i = 0; i < 80 * 12 || (graph_launches <= 100 && i < 80 * 60); i++) {
        const int count = 3 + i % 80;
        const int before = runs;
        steps(count);
        CHECK(call_total() == CELLS * expected && runs == before + count + 1);
    }
    CHECK(graph_launches > 100 && graphs <= 128);
    CHECK(is_right());
    op_exit();
    CHECK(graphs == 0 && in_use == 0);
}

/* The queue is full before anybody looks. */
static void test_full(void)
{
    start();
    for (int i = 0; i < 10; i++) {
        const int before = runs;
        for (int s = 0; s < 700; s++) {
            call_step(s % 2 ? -expected : 1.0);
        }
        CHECK(runs - before > 500);
        CHECK(is_right() && runs - before == 700);
    }
    op_exit();
}

static void not_compiled(void)
{
    double all = 0.0;
    op_par_loop(total, "not compiled", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&all, 1, "double", OP_INC));
}

static void declare_gain(double value)
{
    gain = value;
    op_decl_const(1, "double", &gain);
}

static void test_flushes(void)
{
    double *values = calloc(CELLS, sizeof *values);
    double cpu;
    double wall;
    op_arg by_hand;
    start();
    op_dat gone = op_decl_dat_temp(cells, 1, "double", (double *)NULL, "gone");
    by_hand = op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW);
    STARTS(op_fetch_data(x, values); CHECK(values[CELLS - 1] == expected));
    STARTS(op_fetch_data_idx(x, values, 3, 3); CHECK(values[0] == expected));
    STARTS(op_get_data(x); CHECK(((double *)(void *)x->data)[7] == expected));
    STARTS(op_put_data(x));
    STARTS(op_download_dat(x));
    STARTS(op_upload_dat(x));
    STARTS(op_upload_all());
    STARTS(op_print_dat_to_txtfile(x, "/dev/null"));
    STARTS(op_mpi_halo_exchanges(cells, 1, &by_hand); op_mpi_set_dirtybit(1, &by_hand));
    STARTS(op_timers(&cpu, &wall));
    STARTS(op_timing_output_2_file("/dev/null"));
    STARTS(op_printf("%s", ""));
    STARTS(op_print(""));
    STARTS(op_profile_enter("a section"));
    STARTS(op_profile_exit());
    STARTS(op_free_dat_temp(gone));
    STARTS(op_partition("", "", cells, NULL, NULL));
    STARTS(next = op_decl_map(cells, cells, 1, next->map, "more"));
    STARTS(gone = op_decl_dat_overlay(cells, x));
    STARTS(cleave_force_variant(NULL));
    STARTS(op_disable_device_execution(false));
    STARTS(declare_gain(0.25));
    STARTS(not_compiled());
    CHECK(is_right());
    STARTS(op_exit());
    free(values);
}

/* Reading the times of earlier launches starts none. */
static void test_times(void)
{
    start();
    wait_in_queue();
    const int before = runs;
    const int timed = marks;
    cleave_timers_poll(1);
    cleave_timers_collect();
    CHECK(timed > 0 && marks == timed);
    CHECK(runs == before);
    CHECK(is_right());
    CHECK(runs == before + SOME);
    op_exit();
}

static double value_elsewhere;

static void *look(void *nothing)
{
    value_elsewhere = ((double *)(void *)x->data)[CELLS - 1];
    return nothing;
}

/* A thread that calls no function of the runtime reads what waits in the queue of another. */
static void test_threads(void)
{
    pthread_t thread;
    start();
    STARTS(pthread_create(&thread, NULL, look, NULL); pthread_join(thread, NULL));
    CHECK(value_elsewhere == expected);
    STARTS(CHECK(((double *)(void *)x->data)[0] == expected));
    op_exit();
}

static sem_t taken;

/* Writes from dat->data, as a program may, which fetches it. */
static void *write_from_dat(void *file)
{
    flockfile(file);
    sem_post(&taken);
    value_elsewhere = ((double *)(void *)x->data)[1];
    funlockfile(file);
    return NULL;
}

/* Messages of a thread that holds the state of dats do not wait for a stream that such a thread
 * holds. */
static void test_streams(void)
{
    FILE *const streams[] = {stderr, stdout};
    start();
    for (int s = 0; s < 2; s++) {
        pthread_t thread;
        sequence();
        sem_init(&taken, 0, 0);
        cleave_dats_hold();
        pthread_create(&thread, NULL, write_from_dat, streams[s]);
        sem_wait(&taken);
        alarm(20); /* they would wait for ever */
        cleave_note("stream %d is not waited for", s);
        cleave_print("stream %d is not waited for\n", s);
        alarm(0);
        cleave_dats_release();
        pthread_join(thread, NULL);
        CHECK(value_elsewhere == expected);
    }
    op_exit();
}

/* The child sees what the parent had called, and the parent goes on. */
static void test_fork(void)
{
    int status = 1;
    pid_t child = -1;
    start();
    STARTS(child = fork(); if (child == 0) { _exit(is_right() ? 0 : 3); });
    CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 0);
    sequence();
    CHECK(is_right());
    op_exit();
}

/* A global that a loop reads lies in a dat whose values wait in the queue. */
static void test_globals(void)
{
    start();
    op_dat y = op_decl_dat(cells, 1, "double", (double *)NULL, "y");
    STARTS(op_dat keep = x; double *add = (double *)(void *)x->data + 5; x = y; LOOP(STEP);
           op_get_data(y); runs--; x = keep);
    CHECK(((double *)(void *)y->data)[3] == expected && is_right());
    op_exit();
}

/* A library that is closed takes its code along. */
static void test_unit(void)
{
    start();
    STARTS(cleave_unregister(&unit));
    CHECK(is_right() && graphs == 0);
    cleave_register(&unit);
    sequence();
    op_exit();
}

/* The site of the loop, not that of the function that flushes. */
static void failing_launch(void)
{
    start();
    wait_in_queue();
    fails_at = runs + 1;
    op_get_data(x);
}

static void test_errors(void)
{
    char said[4096];
    char wanted[200];
    CHECK(child_run(failing_launch, said, sizeof said) == 1);
    snprintf(wanted, sizeof wanted, "error: loop 'step' (%s:", __FILE__);
    CHECK(strstr(said, wanted) != NULL);
    CHECK(strstr(said, "'step_direct' failed on a test device: as the test wishes") != NULL);
}

int main(void)
{
    static struct target_ops device;
    device = ops;
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
    test_errors(); /* before a child has lost the device */
    test_graphs();
    test_gain();
    test_no_capture();
    test_changes();
    test_measured();
    test_values();
    test_alike();
    test_many();
    test_full();
    test_flushes();
    test_times();
    test_threads();
    test_streams();
    test_globals();
    test_unit();
    test_fork();
    return CHECK_RESULT();
}
