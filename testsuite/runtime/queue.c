/* queue.c: launches that wait in the queue: that a known sequence waits and becomes a graph, where
 * that pays, and that launches have the parameters which they had when their loops were called. */
#include "queue_loops.h"

static op_set large;
static op_dat y;

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

/* Calls of a loop that were measured, or are. */
static long measured_of(const char *loop)
{
    const struct cleave_trials *trials = cleave_trials_of(loop, loop, NULL);
    return trials != NULL ? trials->measured_now : 0;
}

enum { LARGE = 20000 };

static void start_with_early(void)
{
    start();
    large = op_decl_set(LARGE, "large");
    y = op_decl_dat(large, 1, "double", (double *)NULL, "y");
}

/* A sequence with a call of `early` in its first segment. Returns how many graphs it had;
 * *measured: calls that were measured. */
static int sequence_with_early(long *measured)
{
    const int before = graph_launches;
    const int first = runs;
    *measured = measured_of("early") + measured_of("step") + measured_of("total");
    steps(SOME);
    LOOP(EARLY);
    steps(2 * STEPS);
    CHECK(call_total() == CELLS * expected && runs == first + SOME + 2 * STEPS + 2);
    *measured = measured_of("early") + measured_of("step") + measured_of("total") - *measured;
    return graph_launches - before;
}

/* Returns how many of the sequences whose first segment has a candidate were not launched as graphs
 * behind it; -1: none had one. */
static int without_graphs(void)
{
    int candidates = 0;
    int with_graph = 0;
    start_with_early();
    for (int i = 0; i < 1500; i++) {
        long measured;
        const int has_graphs = sequence_with_early(&measured) > 0;
        candidates += measured > 0;
        with_graph += measured > 0 && has_graphs;
    }
    op_exit();
    CHECK(graphs == 0 && in_use == 0);
    return candidates > 0 ? candidates - with_graph : -1;
}

/* The launch of a candidate that the tuner measures runs by itself; the segments behind its own are
 * graphs all the same. The machine may be busy, which ends sequences: tries again. */
static void test_measured(void)
{
    int without = -1;
    kernel_seconds = 20e-6; /* so short that the tuner can seldom afford to measure one */
    setenv("CLEAVE_BLOCK_SIZE", "256", 1); /* the other loops have one variant */
    for (int attempt = 0; attempt < 20 && without != 0; attempt++) {
        without = without_graphs();
    }
    CHECK(without == 0);
    kernel_seconds = 0.0;
    unsetenv("CLEAVE_BLOCK_SIZE");
}

/* The candidate that calls of `early` usually run; -1: it has no trials. */
static int early_runs(void)
{
    const struct cleave_trials *trials = cleave_trials_of("early", "early", NULL);
    return trials != NULL ? trials->runs : -1;
}

/* Runs sequences until `early` has changed to its fastest block size. Returns how many sequences
 * without measured calls came from then on to the first one that had graphs again; 0: none had. */
static int until_graphs(void)
{
    int usual;
    int sequences = 0;
    int graphs_again = 0;
    long measured;
    start_with_early();
    for (int i = 0; i < 3000 && sequences == 0; i++) {
        usual = early_runs();
        const int has_graphs = sequence_with_early(&measured);
        sequences = usual >= 0 && early_runs() != usual && !has_graphs && measured == 0;
    }
    for (int i = 0; i < 20 && sequences > 0 && graphs_again == 0; i++) {
        const int has_graphs = sequence_with_early(&measured);
        sequences += measured == 0;
        graphs_again = measured == 0 && has_graphs;
    }
    op_exit();
    CHECK(graphs == 0 && in_use == 0);
    return graphs_again > 0 ? sequences : 0;
}

/* Where a loop has been tuned, the sequence with its new launch is known to be worth graphs: it is
 * not watched for some runs. The machine may be busy: tries again. */
static void test_tuned(void)
{
    int sequences = 0;
    kernel_seconds = 20e-6;
    fast_block = 512;
    for (int attempt = 0; attempt < 20 && (sequences < 1 || sequences > 2); attempt++) {
        sequences = until_graphs();
    }
    CHECK(sequences == 1 || sequences == 2);
    kernel_seconds = 0.0;
    fast_block = 0;
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

int main(void)
{
    provide();
    test_graphs();
    test_gain();
    test_no_capture();
    test_changes();
    test_measured();
    test_tuned();
    test_values();
    test_alike();
    test_many();
    test_full();
    return CHECK_RESULT();
}
