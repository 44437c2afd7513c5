/* group_round.c: how long a program takes from one time that a group is complete to the next, with
 * the group in one of several ways. Unlike the times of kernels, that of such a round has all that
 * a way costs or saves elsewhere: gaps between launches, what the host does, graphs that it breaks,
 * copies that it forces, calls that are computed ahead.
 *
 * A way runs for a block of rounds, and the ways take turns. The first rounds of a block do not
 * count: they still have to do with the way before, and sequences of launches become graphs in them
 * (graph.c). Then a mark on the device is set before the next launch, and another one some rounds
 * later; the launches in between are timed by nobody, so that graphs hold them. */
#include "runtime/base/machine.h"
#include "runtime/exec/group.h"
#include "runtime/exec/group_round.h"

/* Rounds of a block that do not count: at least, and while graphs are being tried; those that do:
 * a multiple of the 2 or 3 stages that time steps have; and rounds of all blocks, at most. */
enum { SETTLE = 2, MOST_SETTLE = 64, COUNTED = 6, MOST_ROUNDS = 600 };

/* Pairs of marks; bit p: pair p is in use. */
enum { FIRST_MARK = TARGET_OWN_MARKS + 2, PAIRS = TARGET_ROUND_MARKS / 2 };
static unsigned used;

static int mark_of(int pair)
{
    return FIRST_MARK + 2 * pair;
}

/* -1: none is free. */
static int take_pair(void)
{
    int pair = 0;
    while (pair < PAIRS && (used >> pair & 1) != 0) {
        pair++;
    }
    used |= pair < PAIRS ? 1u << pair : 0;
    return pair < PAIRS ? pair : -1;
}

static void free_pair(struct cleave_rounds *rounds)
{
    if (rounds->has_pair) {
        cleave_queue_unmark(mark_of(rounds->pair));
        cleave_queue_unmark(mark_of(rounds->pair) + 1);
        used &= ~(1u << rounds->pair);
    }
    rounds->has_pair = rounds->ended = rounds->begun = 0;
}

void cleave_rounds_begin(struct cleave_rounds *rounds)
{
    free_pair(rounds);
    *rounds = (struct cleave_rounds){0};
}

void cleave_rounds_disturbed(struct cleave_rounds *rounds)
{
    if (!rounds->ended) {
        free_pair(rounds);
    }
    rounds->position = 0;
}

/* ---- blocks ------------------------------------------------------------------------------ */

static void keep(struct cleave_rounds *rounds, double seconds)
{
    const int way = rounds->of;
    const int first = rounds->blocks[way]++ == 0;
    rounds->least[way] = first ? seconds : MIN(rounds->least[way], seconds);
    rounds->most[way] = first ? seconds : MAX(rounds->most[way], seconds);
}

/* Takes the time of the block before, as soon as the device has it. */
static void read_block(struct cleave_rounds *rounds)
{
    const int mark = mark_of(rounds->pair);
    if (!rounds->ended || cleave_queue_is_to_mark(mark + 1) ||
        (cleave_device->passed != NULL && !cleave_device->passed(mark + 1))) {
        return;
    }
    const double seconds = cleave_device->elapsed(mark, mark + 1);
    free_pair(rounds);
    if (seconds >= 0.0) {
        keep(rounds, seconds / COUNTED);
    }
}

static void end_block(struct cleave_rounds *rounds, int way)
{
    cleave_queue_mark(mark_of(rounds->pair) + 1);
    rounds->ended = 1;
    rounds->of = way;
    rounds->block++;
    rounds->position = 0;
}

static void begin_block(struct cleave_rounds *rounds)
{
    const int pair = take_pair();
    if (pair >= 0) {
        rounds->pair = pair;
        rounds->has_pair = rounds->begun = 1;
        rounds->begun_at = rounds->position;
        cleave_queue_mark(mark_of(pair));
    }
}

static int has_settled(const struct cleave_rounds *rounds)
{
    return rounds->position >= SETTLE &&
           (rounds->position >= MOST_SETTLE || !cleave_graphs_settle());
}

int cleave_rounds_next(struct cleave_rounds *rounds, const int *way, int ways)
{
    read_block(rounds);
    if (rounds->begun && !rounds->ended && rounds->position == rounds->begun_at + COUNTED) {
        end_block(rounds, way[rounds->block % ways]);
    }
    const int all = rounds->block >= ways * CLEAVE_ROUND_BLOCKS;
    if ((all && !rounds->ended) || ++rounds->rounds > MOST_ROUNDS) {
        free_pair(rounds);
        return -1;
    }
    if (!all && !rounds->has_pair && has_settled(rounds)) {
        begin_block(rounds);
    }
    rounds->position++;
    return way[rounds->block % ways];
}
