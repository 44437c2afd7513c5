/* partition_climb.c: local search, for graphs that are too large for an exhaustive one.
 *
 * Many orders are cut (partition_orders.c); the best of the results are then improved by moves: all
 * items of a stage that use one unit, or one group of units, go to another stage, and so do single
 * items; other items follow as needed, so that every value still flows forward. A move stays when
 * it is better.
 */
#include <string.h>

#include "pass/ir/arena.h"
#include "splitter/partition/partition_impl.h"

enum { STARTS = 8, CLIMBS = 4 };
/* Perturbations of the best partition found, and items that each one moves. */
enum { KICKS = 40, KICKED_ITEMS = 3 };
static const long long KICK_STEPS = 1500 * 1000;

/* ---- moves ----------------------------------------------------------------------------------- */

struct climber {
    struct problem *problem;
    int *stage;
    struct rank *rank;
    int *trial;
    int *stack;
};

/* Moves the item to stage `to` in the trial, with the items that must then follow. */
static void move_item(struct climber *climber, int item, int to)
{
    const struct problem *problem = climber->problem;
    int depth = 0;
    bool later = to > climber->trial[item];
    const struct rows *along = later ? &problem->after : &problem->before;
    climber->trial[item] = to;
    climber->stack[depth++] = item;
    while (depth > 0) {
        int i = climber->stack[--depth];
        for (int e = along->first[i]; e < along->first[i + 1]; e++) {
            int other = along->of[e];
            if (later ? climber->trial[other] < to : climber->trial[other] > to) {
                climber->trial[other] = to;
                climber->stack[depth++] = other;
            }
        }
    }
}

static bool all_stages_used(const struct problem *problem, const int *stage)
{
    bool used[MAX_CUTS] = {false};
    bool all = true;
    for (int i = 0; i < problem->items; i++) {
        used[stage[i]] = true;
    }
    for (int s = 0; s < problem->cuts; s++) {
        all = all && used[s];
    }
    return all;
}

static void copy_stages(const struct problem *problem, int *to, const int *from)
{
    memcpy(to, from, (size_t)problem->items * sizeof(*to));
}

/* Keeps the trial when it is better. */
static bool settle(struct climber *climber)
{
    struct problem *problem = climber->problem;
    if (all_stages_used(problem, climber->trial)) {
        struct rank rank = problem_rank(problem, climber->trial);
        if (rank_better(&rank, climber->rank)) {
            *climber->rank = rank;
            copy_stages(problem, climber->stage, climber->trial);
            return true;
        }
    }
    problem->steps += problem->items;
    copy_stages(problem, climber->trial, climber->stage);
    return false;
}

static bool reads_any(const struct problem *problem, int item, const uint64_t *units)
{
    for (int w = 0; w < problem->words; w++) {
        if ((problem->units[(size_t)item * (size_t)problem->words + (size_t)w] & units[w]) != 0) {
            return true;
        }
    }
    return false;
}

/* From each stage to each other: the items that read any of the units. */
static bool move_readers(struct climber *climber, const uint64_t *units)
{
    struct problem *problem = climber->problem;
    bool better = false;
    for (int move = 0; move < problem->cuts * problem->cuts; move++) {
        int from = move / problem->cuts;
        int to = move % problem->cuts;
        bool any = false;
        if (from == to || problem->steps > problem->most_steps) {
            continue;
        }
        for (int i = 0; i < problem->items; i++) {
            if (climber->stage[i] == from && climber->trial[i] == from &&
                reads_any(problem, i, units)) {
                move_item(climber, i, to);
                any = true;
            }
        }
        better = (any && settle(climber)) || better;
    }
    return better;
}

/* Items that are tied to no other: moving more than one stage away is left to further moves. */
static bool move_items(struct climber *climber)
{
    struct problem *problem = climber->problem;
    bool better = false;
    for (int i = 0; i < problem->items && problem->steps <= problem->most_steps; i++) {
        for (int to = 0; to < problem->cuts; to++) {
            if (to != climber->stage[i]) {
                move_item(climber, i, to);
                better = settle(climber) || better;
            }
        }
    }
    return better;
}

/* The units of the same group as unit u. */
static void mark_group(const struct problem *problem, int u, uint64_t *units)
{
    memset(units, 0, (size_t)problem->words * sizeof(*units));
    for (int other = 0; other < problem->base->units; other++) {
        if (problem->base->unit[other].arg == problem->base->unit[u].arg) {
            units[other / 64] |= (uint64_t)1 << (other % 64);
        }
    }
}

static bool is_group_start(const struct problem *problem, int u)
{
    for (int other = 0; other < u; other++) {
        if (problem->base->unit[other].arg == problem->base->unit[u].arg) {
            return false;
        }
    }
    return true;
}

static bool climb_round(struct climber *climber, uint64_t *units)
{
    struct problem *problem = climber->problem;
    bool better = false;
    for (int u = 0; u < problem->base->units; u++) {
        if (is_group_start(problem, u)) {
            mark_group(problem, u, units);
            better = move_readers(climber, units) || better;
        }
    }
    for (int u = 0; u < problem->base->units; u++) {
        memset(units, 0, (size_t)problem->words * sizeof(*units));
        units[u / 64] |= (uint64_t)1 << (u % 64);
        better = move_readers(climber, units) || better;
    }
    return move_items(climber) || better;
}

void climb(struct problem *problem, int *stage, struct rank *rank)
{
    struct arena *scratch = arena_new();
    size_t items = (size_t)problem->items;
    struct climber climber = {.problem = problem,
                              .stage = stage,
                              .rank = rank,
                              .trial = arena_alloc(scratch, items * sizeof(int)),
                              .stack = arena_alloc(scratch, items * sizeof(int))};
    uint64_t *units = arena_alloc(scratch, (size_t)problem->words * sizeof(*units));
    copy_stages(problem, climber.trial, stage);
    while (problem->steps <= problem->most_steps && climb_round(&climber, units)) {
    }
    arena_free(scratch);
}

/* ---- kicks ----------------------------------------------------------------------------------- */

static int next_number(unsigned *state, int below)
{
    *state = *state * 1664525u + 1013904223u;
    return (int)((*state >> 8) % (unsigned)below);
}

/* Moves some random items and climbs again, since several moves may improve where no single one
 * does. The seed is fixed, for equal results in every run. */
static void kick(struct problem *problem, int *best, struct rank *rank)
{
    struct arena *scratch = arena_new();
    size_t items = (size_t)problem->items;
    unsigned state = 1;
    long long end = problem->steps + KICK_STEPS;
    end = end < problem->most_steps ? end : problem->most_steps;
    struct climber climber = {.problem = problem,
                              .trial = arena_alloc(scratch, items * sizeof(int)),
                              .stack = arena_alloc(scratch, items * sizeof(int))};
    for (int k = 0; k < KICKS && problem->steps < end; k++) {
        copy_stages(problem, climber.trial, best);
        for (int i = 0; i < KICKED_ITEMS; i++) {
            int item = next_number(&state, problem->items);
            move_item(&climber, item, next_number(&state, problem->cuts));
        }
        if (all_stages_used(problem, climber.trial)) {
            struct rank trial = problem_rank(problem, climber.trial);
            climb(problem, climber.trial, &trial);
            if (rank_better(&trial, rank)) {
                *rank = trial;
                copy_stages(problem, best, climber.trial);
            }
        }
    }
    arena_free(scratch);
}

/* ---- starts ---------------------------------------------------------------------------------- */

/* The best few assignments so far, best first. */
struct pool {
    int count;
    int *stage[CLIMBS];
    struct rank rank[CLIMBS];
};

static void pool_add(struct problem *problem, struct pool *pool, const int *stage)
{
    struct rank rank = problem_rank(problem, stage);
    int at = pool->count;
    while (at > 0 && rank_better(&rank, &pool->rank[at - 1])) {
        at--;
    }
    bool known = at > 0 && !rank_better(&pool->rank[at - 1], &rank);
    if (at == CLIMBS || known) {
        return;
    }
    pool->count += pool->count < CLIMBS;
    int *room = pool->stage[pool->count - 1];
    for (int p = pool->count - 1; p > at; p--) {
        pool->stage[p] = pool->stage[p - 1];
        pool->rank[p] = pool->rank[p - 1];
    }
    pool->stage[at] = room;
    pool->rank[at] = rank;
    copy_stages(problem, room, stage);
}

static void add_order(struct problem *problem, struct pool *pool, const int *order, int *stage)
{
    cut_order(problem, order, stage);
    pool_add(problem, pool, stage);
}

static void add_starts(struct problem *problem, struct pool *pool, int *order, int *stage,
                       uint64_t *units)
{
    for (int i = 0; i < problem->items; i++) {
        order[i] = i;
    }
    add_order(problem, pool, order, stage);
    for (int backward = 0; backward < 2; backward++) {
        order_items(problem, backward, NULL, order);
        add_order(problem, pool, order, stage);
        int starts = 0;
        for (int u = 0; u < problem->base->units && starts < STARTS; u++) {
            if (is_group_start(problem, u) && problem->steps < problem->most_steps / 2) {
                mark_group(problem, u, units);
                order_items(problem, backward, units, order);
                add_order(problem, pool, order, stage);
                starts++;
            }
        }
    }
}

void search_heuristic(struct problem *problem, int *best, struct rank *rank)
{
    struct arena *scratch = arena_new();
    size_t items = (size_t)problem->items;
    int *order = arena_alloc(scratch, items * sizeof(*order));
    int *stage = arena_alloc(scratch, items * sizeof(*stage));
    uint64_t *units = arena_alloc(scratch, (size_t)problem->words * sizeof(*units));
    struct pool pool = {0};
    for (int p = 0; p < CLIMBS; p++) {
        pool.stage[p] = arena_alloc(scratch, items * sizeof(**pool.stage));
    }
    add_starts(problem, &pool, order, stage, units);
    for (int p = 0; p < pool.count; p++) {
        climb(problem, pool.stage[p], &pool.rank[p]);
        if (p == 0 || rank_better(&pool.rank[p], rank)) {
            *rank = pool.rank[p];
            copy_stages(problem, best, pool.stage[p]);
        }
    }
    kick(problem, best, rank);
    arena_free(scratch);
}
