/* tiled_run.c: runs the members of a sequence by a schedule. A part of a loop is a launch of its
 * variant: of a range of elements for loops without a plan; for those with ranges, of a plan of one
 * block with the segments of the tile. */
#include <omp.h>

#include "runtime/exec/tiled.h"

/* A member's launch as one thread runs parts of it. */
struct own {
    struct cleave_launch launch;
    struct cleave_plan plan;
    int segment_start[2];
    int args;
    const struct cleave_launcher *launcher;
    void *partial[CLEAVE_MAX_ARGS];
    int *best[CLEAVE_MAX_ARGS];
    size_t bytes[CLEAVE_MAX_ARGS]; /* of a block's partial result */
    int dim[CLEAVE_MAX_ARGS];
};

static const int one_colour_start[2] = {0, 1};
static const int one_block[1] = {0};

static void own_plan(struct own *own)
{
    own->plan = *own->launch.plan;
    own->segment_start[0] = own->segment_start[1] = 0;
    own->plan.blocks = own->plan.ranges = own->plan.colours = 1;
    own->plan.colour_start = one_colour_start;
    own->plan.colour_block = one_block;
    own->plan.segment_start = own->segment_start;
    own->launch.plan = &own->plan;
    own->launch.blocks = 1;
}

static void own_partials(struct own *own, const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        own->partial[a] = own->launcher->partial.value[a];
        own->best[a] = own->launcher->partial.element[a];
        own->bytes[a] = (size_t)call->arg[a].size;
        own->dim[a] = call->arg[a].dim;
    }
    own->launch.partial = own->partial;
    own->launch.best_elements = own->best;
}

static void own_launch(struct own *own, const struct cleave_tiled_member *member)
{
    own->launcher = member->launcher;
    own->launch = member->launcher->launch;
    own->launch.one_thread = 1;
    own->args = member->call->args;
    own_partials(own, member->call);
    if (own->launch.plan != NULL) {
        own_plan(own);
    }
}

/* ---- parts of a loop ----------------------------------------------------------------------- */

static void run_elements(struct own *own, int first, int last)
{
    const int block_size = own->launch.block_size;
    const size_t block = (size_t)(first / block_size);
    own->launch.begin = first;
    own->launch.end = last;
    own->launch.blocks = (last - first + block_size - 1) / block_size;
    for (int a = 0; a < own->args && own->launcher->partial.bytes > 0; a++) {
        char *partial = own->launcher->partial.value[a];
        int *best = own->launcher->partial.element[a];
        own->partial[a] = partial != NULL ? partial + block * own->bytes[a] : NULL;
        own->best[a] = best != NULL ? best + block * (size_t)own->dim[a] : NULL;
    }
    own->launcher->choice.variant->run(&own->launch);
}

/* Segments from..to-1. */
static void run_segments(struct own *own, const struct tile_segments *segments, int from, int to)
{
    if (own->launch.plan == NULL) {
        for (int s = from; s < to; s++) {
            run_elements(own, segments->first[s], segments->last[s]);
        }
    } else if (from < to) {
        own->plan.segments = own->segment_start[1] = to - from;
        own->plan.segment_first = segments->first + from;
        own->plan.segment_last = segments->last + from;
        own->launcher->choice.variant->run(&own->launch);
    }
}

/* ---- early and late ------------------------------------------------------------------------ */

/* What a loop runs early or late, on all threads. */
static void run_part(const struct cleave_tiled_member *member, const struct tile_part *part)
{
    if (part->segments.count == 0) {
        return;
    }
    if (part->plan != NULL) {
        struct cleave_launch launch = member->launcher->launch;
        launch.plan = part->plan;
        member->launcher->choice.variant->run(&launch);
        return;
    }
#pragma omp parallel
    {
        struct own own;
        own_launch(&own, member);
#pragma omp for schedule(static)
        for (int s = 0; s < part->segments.count; s++) {
            run_segments(&own, &part->segments, s, s + 1);
        }
    }
}

static void run_parts(const struct cleave_tiled_member *member, const struct tile_part *part,
                      int members, double *seconds)
{
    for (int m = 0; m < members; m++) {
        const double begin = cleave_seconds();
        run_part(&member[m], &part[m]);
        seconds[m] += cleave_seconds() - begin;
    }
}

/* ---- tiles --------------------------------------------------------------------------------- */

/* One domain. seconds: NULL, or gets the time of each member. */
static void run_domain(const struct tile_schedule *schedule, struct own *own, int domain,
                       double *seconds)
{
    double begin = seconds != NULL ? cleave_seconds() : 0.0;
    for (int t = schedule->tile[domain]; t < schedule->tile[domain + 1]; t++) {
        const int *cell = &schedule->cell[t * schedule->loops];
        for (int m = 0; m < schedule->loops; m++) {
            run_segments(&own[m], &schedule->segments, cell[m], cell[m + 1]);
            if (seconds != NULL) {
                const double end = cleave_seconds();
                seconds[m] += end - begin;
                begin = end;
            }
        }
    }
}

/* All domains. One thread measures what share of the time each member has. */
static void run_tiles(const struct tile_schedule *schedule,
                      const struct cleave_tiled_member *member, double *seconds)
{
    double share[CLEAVE_MAX_MEMBERS] = {0};
    double all = 0.0;
    const double begin = cleave_seconds();
#pragma omp parallel
    {
        struct own own[CLEAVE_MAX_MEMBERS];
        double *measured = omp_get_thread_num() == 0 ? share : NULL;
        for (int m = 0; m < schedule->loops; m++) {
            own_launch(&own[m], &member[m]);
        }
#pragma omp for schedule(static)
        for (int d = 0; d < schedule->domains; d++) {
            run_domain(schedule, own, d, measured);
        }
    }
    const double wall = cleave_seconds() - begin;
    for (int m = 0; m < schedule->loops; m++) {
        all += share[m];
    }
    for (int m = 0; m < schedule->loops && all > 0.0; m++) {
        seconds[m] += wall * share[m] / all;
    }
}

void cleave_tiled_run(const struct tile_schedule *schedule,
                      const struct cleave_tiled_member *member, double *seconds)
{
    memset(seconds, 0, (size_t)schedule->loops * sizeof *seconds);
    run_parts(member, schedule->early, schedule->loops, seconds);
    run_tiles(schedule, member, seconds);
    run_parts(member, schedule->late, schedule->loops, seconds);
}
