/* tiled_trial.c: when the schedule of a sequence is made, and whether it pays.
 *
 * At first the calls run one after the other and are timed. Making a schedule takes as long as some
 * runs of the sequence, so that it is made when the calls have taken many times that long. Then
 * both ways run in turns, and from then on the faster one. Both give the same bits. */
#include "runtime/base/machine.h"
#include "runtime/exec/tiled.h"

enum { APART, IN_TILES };
/* Times of each way in the trial, besides the first. */
enum { SAMPLES = 5 };

int cleave_tiled_turn(const struct cleave_tiled_case *tiled)
{
    if (tiled->schedule == NULL) {
        return APART;
    }
    if (tiled->decided) {
        return tiled->apart ? APART : IN_TILES;
    }
    return tiled->turns % 2 == 0 ? IN_TILES : APART;
}

/* Seconds that a schedule will take: each point of each element is looked at some times. */
static double expected_build(const struct cleave_tiled_problem *problem)
{
    double visits = 0.0;
    for (int l = 0; l < problem->tile.loops; l++) {
        visits += (double)problem->loop[l].elements * (problem->loop[l].accesses + 1);
    }
    return visits * cleave_machine.tile_visit;
}

/* Bytes of all that the members move. */
static double bytes_of(const struct cleave_tiled_problem *problem)
{
    double bytes = 0.0;
    for (int l = 0; l < problem->tile.loops; l++) {
        bytes += problem->loop[l].bytes * problem->loop[l].elements;
    }
    return bytes;
}

static void say(const struct cleave_tiled_member *member, int members, const char *text)
{
    const struct cleave_call *first = member[0].call;
    const struct cleave_call *last = member[members - 1].call;
    if (cleave_settings.diags >= 2) {
        cleave_note("loops '%s' (%s:%d) to '%s' (%s:%d) %s", first->name, first->site->file,
                    first->site->line, last->name, last->site->file, last->site->line, text);
    }
}

/* CLEAVE_CHECK_PLAN=1: a wrong schedule ends the program. */
static void check(const struct cleave_tiled_case *tiled, const struct cleave_tiled_member *member)
{
    int loop;
    const char *wrong = cleave_settings.check_plan
                            ? cleave_tile_check(&tiled->problem.tile, tiled->schedule, &loop)
                            : NULL;
    if (wrong != NULL) {
        const struct cleave_call *call = member[loop].call;
        cleave_fatal("the schedule of loop '%s' (%s:%d) in tiles %s: an error in cleave, please "
                     "report it; CLEAVE_FUSE=off runs without tiles",
                     call->name, call->site->file, call->site->line, wrong);
    }
}

void cleave_tiled_make(struct cleave_tiled_case *tiled, const struct cleave_tiled_member *member,
                       int members)
{
    char text[160];
    const double begin = cleave_seconds();
    tiled->schedule = cleave_tile_schedule_new(&tiled->problem.tile);
    tiled->build = cleave_seconds() - begin;
    if (tiled->schedule == NULL) {
        tiled->reason = "there is no memory for a schedule, or no ranges";
        say(member, members, "do not run in tiles: there is no memory for it, or no ranges");
        return;
    }
    check(tiled, member);
    snprintf(text, sizeof text,
             "can run in %d tiles of %d domains, %.1f%% of what they move; found in %.3f s",
             tiled->schedule->tiles, tiled->schedule->domains, 100.0 * tiled->schedule->share,
             tiled->build);
    say(member, members, text);
    if (cleave_settings.fuse == CLEAVE_FUSE_ON) {
        tiled->decided = 1;
    }
}

static void decide(struct cleave_tiled_case *tiled, const struct cleave_tiled_member *member,
                   int members)
{
    char text[160];
    tiled->decided = 1;
    tiled->apart = tiled->least[IN_TILES] > cleave_machine.tile_gain * tiled->least[APART];
    snprintf(text, sizeof text, "take %.1f us in tiles, %.1f us one after the other",
             1e6 * tiled->least[IN_TILES], 1e6 * tiled->least[APART]);
    say(member, members, text);
    cleave_tile_use.apart += tiled->apart;
    if (tiled->apart) {
        cleave_tile_schedule_free(tiled->schedule);
        tiled->schedule = NULL;
        tiled->reason = "they are faster one after the other";
    }
}

/* 1: it is time to make the schedule. */
static int is_worth(const struct cleave_tiled_case *tiled)
{
    if (tiled->schedule != NULL || tiled->reason != NULL) {
        return 0;
    }
    return cleave_settings.fuse == CLEAVE_FUSE_ON || cleave_settings.verify ||
           (bytes_of(&tiled->problem) >= cleave_machine.tiled_bytes &&
            tiled->seen >= cleave_machine.tile_patience * expected_build(&tiled->problem));
}

void cleave_tiled_took(struct cleave_tiled_case *tiled, const struct cleave_tiled_member *member,
                       int members, int in_tiles, double seconds)
{
    if (!in_tiles) {
        tiled->seen += seconds;
    }
    if (is_worth(tiled)) {
        cleave_tiled_make(tiled, member, members);
        return;
    }
    if (tiled->schedule == NULL || tiled->decided) {
        return;
    }
    tiled->turns++;
    if (tiled->samples[in_tiles]++ > 0 &&
        (tiled->least[in_tiles] == 0.0 || seconds < tiled->least[in_tiles])) {
        tiled->least[in_tiles] = seconds;
    }
    if (tiled->samples[APART] > SAMPLES && tiled->samples[IN_TILES] > SAMPLES) {
        decide(tiled, member, members);
    }
}

void cleave_tiled_case_free(struct cleave_tiled_case *tiled)
{
    while (tiled != NULL) {
        struct cleave_tiled_case *next = tiled->next;
        cleave_tile_schedule_free(tiled->schedule);
        free(tiled);
        tiled = next;
    }
}
