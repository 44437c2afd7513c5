/* graph_gain.c: whether a sequence of launches is faster as graphs.
 *
 * A graph saves the host most of the time that single launches take it. Where the device is busy
 * with earlier launches meanwhile, that gains nothing, and the start of a graph costs the device a
 * little more than that of a launch. So a sequence is first followed in thought, with the times of
 * its loops that were sampled, and graphs are only made if that promises a gain, after the sequence
 * has come so often that the gains would have repaid making them. Then runs with and without graphs
 * are measured in turns, and the faster way stays. */
#include "runtime/exec/graph_gain.h"

#include <limits.h>
#include "runtime/base/machine.h"

/* ---- segments ---------------------------------------------------------------------------- */

static void set_segment(struct cleave_paced *launch, int first, int last)
{
    for (int s = first; s <= last; s++) {
        launch[s].first = first;
        launch[s].last = last;
    }
}

/* Divides launches first..end-1, whose values do not change. is_head: nothing keeps the device at
 * work while they are submitted. */
static void divide_run(struct cleave_paced *launch, int first, int end, int is_head)
{
    const int least = cleave_machine.graph_least;
    const int some = cleave_machine.graph_first;
    if (end - first < least) {
        return;
    }
    if (is_head && end - first >= some + least) {
        set_segment(launch, first, first + some - 1);
        first += some;
    }
    set_segment(launch, first, end - 1);
}

void cleave_paced_divide(struct cleave_paced *launch, int count)
{
    int first = 0;
    for (int s = 0; s < count; s++) {
        launch[s].first = -1;
    }
    for (int s = 0; s <= count; s++) {
        if (s == count || launch[s].changes) {
            divide_run(launch, first, s, first == 0);
            first = s + 1;
        }
    }
}

/* ---- expected ---------------------------------------------------------------------------- */

/* A site may call its loop for sets of different sizes: times are in proportion to bytes. */
static double seconds_of(const struct cleave_queued *queued)
{
    const struct cleave_record *record = queued->record;
    if (!record->warm || record->sample_bytes <= 0.0) {
        return -1.0;
    }
    const double seconds = record->sample_seconds * (queued->bytes / record->sample_bytes);
    return MAX(seconds - cleave_machine.graph.overhead, cleave_machine.graph.least);
}

void cleave_paced_time(struct cleave_paced *launch, const struct cleave_queued *queued, int count)
{
    cleave_timers_poll(INT_MAX);
    for (int s = 0; s < count; s++) {
        launch[s].seconds = seconds_of(&queued[s]);
    }
}

double cleave_paced_seconds(const struct cleave_paced *launch, int count, int as_graphs)
{
    const struct cleave_graph_costs *cost = &cleave_machine.graph;
    double host = 0.0;   /* when the host has submitted what comes before launch s */
    double device = 0.0; /* when the device has ended it */
    for (int s = 0; s < count; s++) {
        const int in_graph = as_graphs && launch[s].first >= 0;
        const int launches = in_graph ? launch[s].last - s + 1 : 1;
        if (!in_graph) {
            host += cost->launch;
        } else if (launch[s].first == s) {
            host += cost->start + launches * cost->call;
            device += cost->gap;
        }
        device = MAX(device, host) + launch[s].seconds;
    }
    return device;
}

double cleave_paced_gain(const struct cleave_paced *launch, int count)
{
    for (int s = 0; s < count; s++) {
        if (launch[s].seconds < 0.0) {
            return 0.0;
        }
    }
    const double gain =
        cleave_paced_seconds(launch, count, 0) - cleave_paced_seconds(launch, count, 1);
    return MAX(gain, 0.0);
}

double cleave_paced_cost(const struct cleave_paced *launch, int count)
{
    double cost = 0.0;
    for (int s = 0; s < count; s++) {
        cost += launch[s].first == s ? cleave_machine.graph.make : 0.0;
        cost += launch[s].first >= 0 ? cleave_machine.graph.make_launch : 0.0;
    }
    return cost;
}

/* ---- measured ---------------------------------------------------------------------------- */

/* Ways take turns of TURN runs each. The first run of a turn is not measured: it still has to do
 * with the way before, or captures graphs. */
enum { TURN = 5 };

int cleave_graph_trial_uses(const struct cleave_graph_trial *trial)
{
    return trial->settled ? !trial->loses : trial->runs / TURN % 2 == 0;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

double cleave_graph_trial_median(const struct cleave_graph_trial *trial, int with_graphs)
{
    double sorted[CLEAVE_GRAPH_SAMPLES];
    memcpy(sorted, trial->seconds[with_graphs], sizeof sorted);
    qsort(sorted, CLEAVE_GRAPH_SAMPLES, sizeof sorted[0], by_value);
    return 0.5 * (sorted[CLEAVE_GRAPH_SAMPLES / 2 - 1] + sorted[CLEAVE_GRAPH_SAMPLES / 2]);
}

int cleave_graph_trial_took(struct cleave_graph_trial *trial, double seconds)
{
    const int way = cleave_graph_trial_uses(trial);
    if (trial->settled) {
        return 0;
    }
    if (trial->runs++ % TURN != 0 && trial->samples[way] < CLEAVE_GRAPH_SAMPLES) {
        trial->seconds[way][trial->samples[way]++] = seconds;
    }
    trial->settled =
        trial->samples[0] == CLEAVE_GRAPH_SAMPLES && trial->samples[1] == CLEAVE_GRAPH_SAMPLES;
    trial->loses =
        trial->settled && cleave_graph_trial_median(trial, 1) > cleave_graph_trial_median(trial, 0);
    return trial->settled;
}
