/* refine_sweep.c: moves of single elements between the blocks of a group.
 *
 * The objective is the number of (point, block) pairs in which the block touches the point, the
 * connectivity objective of hypergraph partitioning; among equal moves elements go where more of
 * their neighbours are. Moves take effect at once (C. Fiduccia, R. Mattheyses, 1982, without
 * buckets: an element has only a few blocks to go to). With a temperature, a block is drawn with
 * the probability exp(score / temperature), as in annealing by a heat bath (S. Kirkpatrick et al.,
 * 1983).
 */
#include "runtime/planner/blocks/refine_state.h"

/* A point less counts as this many neighbours more. */
#define POINT_WEIGHT 16
/* A block above max_points pays for each point that it has as if others had it too. */
#define EXCESS_WEIGHT 2
#define CANDIDATES 64
/* Points of more blocks of the group are left out: they are hubs, and say little about where to go.
 */
#define BUSY_TOUCHERS 48

/* An element's choice. found[b] holds the points of the element that b touches, times 2^20, and how
 * many elements of b touch them. */
#define FOUND_POINT (1u << 20)

struct choice {
    int points;     /* of the element */
    int saved;      /* points that its block loses with it */
    int neighbours; /* elements of its block at its points, itself not counted */
    int candidates;
    unsigned char candidate[CANDIDATES];
};

/* ---- random numbers ------------------------------------------------------------------------- */

/* A good mix of all bits (that of splitmix64; G. Steele, D. Lea, C. Flood, 2014). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Noise of Gumbel's distribution: the largest of score + temperature * noise is a draw from the
 * heat bath. */
static float noise(const struct group *group, uint64_t seed, int block)
{
    uint64_t bits = mix(seed + (uint64_t)block * UINT64_C(0x9e3779b97f4a7c15));
    return group->noise[bits >> (64 - NOISE_BITS)];
}

/* ---- one element ---------------------------------------------------------------------------- */

/* Counts what the blocks around have of the element's points. Returns 0 when there is only its own.
 */
static int look_around(struct choice *choice, struct group *group, const int *row, int own)
{
    int arity = group->mesh->arity;
    choice->points = 0;
    choice->saved = 0;
    choice->neighbours = 0;
    choice->candidates = 0;
    for (int c = 0; c < arity && row[c] >= 0; c++) {
        const struct group_point *point = &group->point[row[c]];
        const struct toucher *toucher = &group->toucher[point->first];
        if (point->touchers > BUSY_TOUCHERS) {
            continue;
        }
        choice->points++;
        for (int t = 0; t < point->touchers; t++) {
            int block = toucher[t].block;
            if (block == own) {
                choice->saved += toucher[t].elements == 1;
                choice->neighbours += toucher[t].elements - 1;
                continue;
            }
            if (group->found[block] == 0) {
                if (choice->candidates == CANDIDATES) {
                    continue;
                }
                choice->candidate[choice->candidates++] = (unsigned char)block;
            }
            group->found[block] += FOUND_POINT + toucher[t].elements;
        }
    }
    return choice->candidates;
}

/* The best block to move to, or `own`; ends the scratch use of found[]. */
static int choose(struct choice *choice, struct group *group, int own, const struct sweep *sweep,
                  uint64_t seed)
{
    float temperature = (float)sweep->temperature;
    int excess = group->max_points > 0 && group->uniques[own] > group->max_points;
    float best_score = temperature > 0 ? temperature * noise(group, seed, own) : 0;
    int best = own;
    for (int k = 0; k < choice->candidates; k++) {
        int block = choice->candidate[k];
        int missing = choice->points - (int)(group->found[block] / FOUND_POINT);
        int neighbours = (int)(group->found[block] % FOUND_POINT);
        group->found[block] = 0;
        if (group->size[block] >= group->block_size ||
            (group->max_points > 0 && missing > 0 &&
             group->uniques[block] + missing > group->max_points)) {
            continue;
        }
        int saved = choice->saved * (excess ? EXCESS_WEIGHT : 1);
        float score = (float)(POINT_WEIGHT * (saved - missing) + neighbours - choice->neighbours);
        if (temperature > 0) {
            score += temperature * noise(group, seed, block);
        }
        if (score > best_score) {
            best_score = score;
            best = block;
        }
    }
    return best;
}

static void leave_point(struct group *group, struct group_point *point, int block)
{
    struct toucher *toucher = &group->toucher[point->first];
    int t = 0;
    while (toucher[t].block != block) {
        t++;
    }
    if (--toucher[t].elements == 0) {
        toucher[t] = toucher[--point->touchers];
        group->uniques[block]--;
    }
}

static void join_point(struct group *group, struct group_point *point, int block)
{
    struct toucher *toucher = &group->toucher[point->first];
    int t = 0;
    while (t < point->touchers && toucher[t].block != block) {
        t++;
    }
    if (t == point->touchers) {
        toucher[point->touchers++] = (struct toucher){(unsigned short)block, 0};
        group->uniques[block]++;
    }
    toucher[t].elements++;
}

/* Returns how many (point, block) pairs there are less. */
static long move(struct group *group, int i, int to, int sweep)
{
    int arity = group->mesh->arity;
    const int *row = group->row + (size_t)i * (size_t)arity;
    int from = group->of[i];
    long before = group->uniques[from] + group->uniques[to];
    for (int c = 0; c < arity && row[c] >= 0; c++) {
        struct group_point *point = &group->point[row[c]];
        leave_point(group, point, from);
        join_point(group, point, to);
        point->changed = (unsigned short)sweep;
    }
    group->size[from]--;
    group->size[to]++;
    group->of[i] = (unsigned char)to;
    return before - group->uniques[from] - group->uniques[to];
}

/* ---- a sweep -------------------------------------------------------------------------------- */

/* Whether there is something to decide: another block at one of the points, and a change since. */
static int is_open(const struct group *group, const int *row, const struct sweep *sweep)
{
    int arity = group->mesh->arity;
    int others = 0;
    int changed = sweep->all;
    for (int c = 0; c < arity && row[c] >= 0; c++) {
        const struct group_point *point = &group->point[row[c]];
        others |= point->touchers > 1;
        changed |= point->changed >= sweep->number - 1;
    }
    return others && changed;
}

long planner_group_sweep(struct group *group, const struct sweep *sweep)
{
    struct choice choice;
    long gain = 0;
    for (int i = 0; i < group->elements; i++) {
        const int *row = group->row + (size_t)i * (size_t)group->mesh->arity;
        if (!is_open(group, row, sweep)) {
            continue;
        }
        int own = group->of[i];
        if (look_around(&choice, group, row, own) == 0) {
            continue;
        }
        uint64_t seed = 0;
        if (sweep->temperature > 0) {
            seed = mix(sweep->seed ^
                       mix((uint64_t)group->element[i] << 16 | (uint64_t)(unsigned)sweep->number));
        }
        int to = choose(&choice, group, own, sweep, seed);
        if (to != own) {
            gain += move(group, i, to, sweep->number);
        }
    }
    return gain;
}
