/* partition.c: the search for partitions: known kernels, small graphs against every assignment
 * there is, many random graphs against the rules, and large ones against the clock. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "splitter/partition/needs.h"
#include "splitter/partition/partition_impl.h"
#include "splitter/partition_graphs.h"

/* ---- known kernels --------------------------------------------------------------------------- */

static size_t staged(const struct graph *graph, const struct partition *partition, int s)
{
    struct arena *scratch = arena_new();
    size_t bytes = cost_staged_bytes(cost_graph_new(scratch, graph), partition, s);
    arena_free(scratch);
    return bytes;
}

static size_t largest_staged(const struct graph *graph, const struct partition *partition)
{
    size_t largest = 0;
    for (int s = 0; s < partition->stages; s++) {
        size_t bytes = staged(graph, partition, s);
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

/* The variables that stage s reads of other stages, and those that it makes for them or for
 * updates; in the graph's arena. */
struct crossing {
    struct var_list in;
    struct var_list out;
};

static struct crossing crossing(const struct graph *graph, const struct partition *partition, int s)
{
    struct needs needs = needs_of_partition(graph->arena, graph, partition);
    struct var_list all = needs_vars_crossing(&needs, graph->arena);
    return (struct crossing){needs_vars_brought(&needs, graph->arena, s),
                             needs_vars_made(&needs, graph->arena, s, &all)};
}

static struct partition *find(const struct build *build, int cuts)
{
    const char *reason = NULL;
    struct partition *partition = partition_find(build->graph, cuts, &reason);
    CHECK(partition != NULL || reason != NULL);
    CHECK(partition == NULL || partition->stages == cuts);
    const char *broken = partition != NULL ? partition_check(build->graph, partition) : NULL;
    if (broken != NULL) {
        fprintf(stderr, "%s\n", broken);
    }
    CHECK(broken == NULL);
    return partition;
}

static void test_airfoil(void)
{
    struct build build = build_airfoil();
    const char *reason = NULL;
    CHECK(staged(build.graph, find(&build, 1), 0) == 56);
    CHECK(partition_find(build.graph, 2, &reason) == NULL);
    CHECK(reason != NULL && strstr(reason, "cut in 2, the body would") != NULL);
    CHECK(reason != NULL && strstr(reason, "56") != NULL);
    CHECK(find(&build, 3) == NULL);
    CHECK(find(&build, 4) == NULL);
    build_free(&build);
}

static void test_vflux(void)
{
    struct build build = build_vflux();
    static const size_t most[] = {0, 356, 200, 150, 130};
    for (int cuts = 1; cuts <= MAX_CUTS; cuts++) {
        struct partition *partition = find(&build, cuts);
        CHECK(partition != NULL);
        CHECK(partition != NULL && largest_staged(build.graph, partition) <= most[cuts]);
    }
    struct partition *two = find(&build, 2);
    struct crossing second = crossing(build.graph, two, 1);
    CHECK(second.in.vars <= 10); /* few values join the parts */
    CHECK(second.out.vars >= 1 && second.out.vars <= 6);
    build_free(&build);
}

static void test_edgecon(void)
{
    struct build build = build_edgecon();
    struct partition *two = find(&build, 2);
    CHECK(two != NULL && largest_staged(build.graph, two) == 48);
    build_free(&build);
}

/* Forces in three directions need nothing of one another. */
static void test_corners(void)
{
    struct build build = build_corners();
    struct partition *three = find(&build, 3);
    CHECK(three != NULL);
    for (int s = 0; three != NULL && s < 3; s++) {
        struct crossing stage = crossing(build.graph, three, s);
        CHECK(staged(build.graph, three, s) == 16);
        CHECK(stage.in.vars == 0);
        CHECK(stage.out.vars == 8);
    }
    build_free(&build);
}

/* ---- small bodies ---------------------------------------------------------------------------- */

/* a needs 10 components and makes one value; b needs 10 others and that value; `difference` is
 * cheap, reads what both stages stage, and is read in both. */
static void test_again(void)
{
    struct build build = build_new();
    int p = build_two_ends(&build, ACCESS_READ, 0, 0, 10);
    int q = build_two_ends(&build, ACCESS_READ, 1, 0, 10);
    int x = build_two_ends(&build, ACCESS_READ, 2, 0, 1);
    int out = build_two_ends(&build, ACCESS_INC, 3, 0, 1);
    int difference = build_ends_node(&build, x, 0, 1, 1);
    int a = build_ends_node(&build, p, 0, 10, 40);
    build_ends(&build, x, x + 1, 0, 1);
    build_use(&build, difference);
    int b = build_ends_node(&build, q, 0, 10, 40);
    build_ends(&build, x, x + 1, 0, 1);
    build_use(&build, difference);
    build_use(&build, a);
    build_contribution(&build, out, 0, 0, b);
    build_finish(&build);
    struct partition *two = find(&build, 2);
    CHECK(two != NULL);
    if (two != NULL) {
        struct crossing second = crossing(build.graph, two, 1);
        CHECK(two->stage[a] == 0 && two->stage[b] == 1);
        CHECK(two->recomputed[build.graph->nodes + difference]);
        CHECK(second.in.vars == 1 && second.in.var[0] == build.graph->node[a].var);
        CHECK(second.out.vars == 1 && second.out.var[0] == build.graph->node[b].var);
        CHECK(staged(build.graph, two, 1) == 88);
    }
    build_free(&build);
}

/* Likewise, but what the cheap value reads may change: it is kept, not recomputed. */
static void test_kept(void)
{
    struct build build = build_new();
    int p = build_two_ends(&build, ACCESS_READ, 0, 0, 10);
    int q = build_two_ends(&build, ACCESS_READ, 1, 0, 10);
    int state = build_direct(&build, ACCESS_RW, 2, 1);
    int out = build_two_ends(&build, ACCESS_INC, 3, 0, 1);
    int old = build_node(&build, 1);
    build_place(&build, state, 0, 0);
    int a = build_ends_node(&build, p, 0, 10, 40);
    build_use(&build, old);
    build_node(&build, 0);
    build_use(&build, a);
    build_after(&build, old);
    build.open->kind = NODE_STORE;
    build.open->once = true;
    build.open->var = NULL;
    build.open->defines = 0;
    int b = build_ends_node(&build, q, 0, 10, 40);
    build_use(&build, old);
    build_use(&build, a);
    build_contribution(&build, out, 0, 0, b);
    build_finish(&build);
    struct partition *two = find(&build, 2);
    CHECK(two != NULL);
    for (int n = 0; two != NULL && n < build.graph->nodes; n++) {
        CHECK(!two->recomputed[build.graph->nodes + n]);
    }
    build_free(&build);
}

/* A node that must run before another one cannot go into any stage, nor can its readers. */
static void test_followed(void)
{
    struct build build = build_new();
    int p = build_two_ends(&build, ACCESS_READ, 0, 0, 10);
    int q = build_two_ends(&build, ACCESS_READ, 1, 0, 10);
    int direct = build_direct(&build, ACCESS_READ, 2, 1);
    int out = build_two_ends(&build, ACCESS_INC, 3, 0, 1);
    int followed = build_node(&build, 1);
    build_place(&build, direct, 0, 0);
    int reader = build_node(&build, 1);
    build_use(&build, followed);
    int a = build_ends_node(&build, p, 0, 10, 40);
    build_use(&build, reader);
    int b = build_ends_node(&build, q, 0, 10, 40);
    build_use(&build, a);
    build_after(&build, followed);
    build_contribution(&build, out, 0, 0, b);
    build_finish(&build);
    struct partition *two = find(&build, 2);
    CHECK(two != NULL && two->stage[followed] == 0 && two->stage[b] == 1);
    build_free(&build);
}

static void test_reasons(void)
{
    const char *reason = NULL;
    struct build build = build_new();
    int q = build_two_ends(&build, ACCESS_READ, 0, 0, 4);
    int out = build_two_ends(&build, ACCESS_INC, 1, 0, 1);
    int all = build_ends_node(&build, q, 0, 4, 10);
    build_contribution(&build, out, 0, 0, all);
    build_finish(&build);
    CHECK(partition_find(build.graph, 2, &reason) == NULL);
    CHECK_TEXT(reason, "the body is a single part, which cannot be cut");
    build_free(&build);

    build = build_new();
    int direct = build_direct(&build, ACCESS_READ, 0, 4);
    out = build_two_ends(&build, ACCESS_INC, 1, 0, 1);
    all = build_node(&build, 20);
    build_place(&build, direct, 0, 0);
    build_contribution(&build, out, 0, 0, all);
    build_finish(&build);
    CHECK(partition_find(build.graph, 1, &reason) != NULL);
    CHECK(partition_find(build.graph, 2, &reason) == NULL);
    CHECK_TEXT(reason,
               "the body reads nothing through a map, so there is nothing to stage in parts");
    build_free(&build);
}

/* Fewer parts stage as little: then more are of no use. What only order keeps apart moves on. */
static void test_below(void)
{
    struct build build = build_edgecon();
    const char *reason = NULL;
    struct partition *three = partition_find_below(build.graph, 3, 48, &reason);
    CHECK(three != NULL && largest_staged(build.graph, three) < 48);
    CHECK(three != NULL && partition_check(build.graph, three) == NULL);
    CHECK(partition_find_below(build.graph, 3, 24, &reason) == NULL);
    CHECK_TEXT(reason,
               "cut in 3, the body would still stage 24 bytes per point at a time, as with fewer "
               "parts");
    build_free(&build);
}

/* ---- against every assignment ---------------------------------------------------------------- */

/* A problem whose measures are set as the search sets them: all items in one stage. */
static struct problem *problem_of(struct arena *scratch, const struct graph *graph, int cuts)
{
    struct problem *problem = problem_new(scratch, cost_graph_new(scratch, graph));
    int *stage = arena_alloc(scratch, (size_t)problem->items * sizeof(*stage));
    problem->cuts = 1;
    problem->whole_footprint = problem->whole_shared = 1;
    problem->whole_footprint = problem_rank(problem, stage).footprint;
    problem->whole_shared = 0;
    for (int u = 0; u < problem->base->units; u++) {
        problem->whole_shared += problem->base->unit[u].shared;
    }
    problem->cuts = cuts;
    problem->most_steps = 100 * 1000 * 1000;
    return problem;
}

static bool is_legal(const struct problem *problem, const int *stage)
{
    bool used[MAX_CUTS] = {false};
    for (int i = 0; i < problem->items; i++) {
        used[stage[i]] = true;
        for (int e = problem->before.first[i]; e < problem->before.first[i + 1]; e++) {
            if (stage[problem->before.of[e]] > stage[i]) {
                return false;
            }
        }
    }
    for (int s = 0; s < problem->cuts; s++) {
        if (!used[s]) {
            return false;
        }
    }
    return true;
}

/* stage[] as the digits of a number; false after the last. */
static bool advance(int *stage, int count, int cuts)
{
    for (int i = 0; i < count; i++) {
        if (++stage[i] < cuts) {
            return true;
        }
        stage[i] = 0;
    }
    return false;
}

static struct rank best_of_all(struct problem *problem)
{
    int stage[16] = {0};
    struct rank best = {false, INFINITY, INFINITY, INFINITY};
    do {
        struct rank rank = {false, INFINITY, INFINITY, INFINITY};
        if (is_legal(problem, stage)) {
            rank = problem_rank(problem, stage);
        }
        best = rank_better(&rank, &best) ? rank : best;
    } while (advance(stage, problem->items, problem->cuts));
    return best;
}

static bool same_rank(const struct rank *a, const struct rank *b)
{
    return !rank_better(a, b) && !rank_better(b, a);
}

static void test_exact(void)
{
    int compared = 0;
    int heuristic_best = 0;
    for (unsigned seed = 0; seed < 60; seed++) {
        struct build build = build_random(seed, 8 + (int)(seed % 6), 4);
        for (int cuts = 2; cuts <= 3; cuts++) {
            struct arena *scratch = arena_new();
            struct problem *problem = problem_of(scratch, build.graph, cuts);
            if (problem->items >= cuts && problem->items <= 9) {
                int stage[16];
                struct rank rank;
                struct rank best = best_of_all(problem);
                search_heuristic(problem, stage, &rank);
                heuristic_best += same_rank(&rank, &best);
                CHECK(is_legal(problem, stage));
                CHECK(rank.gained == best.gained);
                CHECK(!best.gained || rank.time <= 1.05 * best.time);
                problem->steps = 0;
                CHECK(search_exact(problem, stage, &rank));
                CHECK(is_legal(problem, stage));
                CHECK(!best.gained || same_rank(&rank, &best));
                compared++;
            }
            arena_free(scratch);
        }
        build_free(&build);
    }
    printf("%d of %d best by the heuristic alone\n", heuristic_best, compared);
    CHECK(compared > 50);
    CHECK(10 * heuristic_best >= 9 * compared);
}

/* On nodes, not items: what condensing loses is little. */
static void test_condensing(void)
{
    int compared = 0;
    for (unsigned seed = 100; seed < 140; seed++) {
        struct build build = build_random(seed, 8, 4);
        const struct graph *graph = build.graph;
        struct partition *found = find(&build, 2);
        int stage[8] = {0};
        bool recomputed[16] = {false};
        struct partition trial = {2, stage, recomputed, false};
        size_t whole = staged(graph, find(&build, 1), 0);
        double best = INFINITY;
        while (found != NULL && advance(stage, 8, 2)) {
            bool counts =
                partition_check(graph, &trial) == NULL && largest_staged(graph, &trial) < whole;
            best = counts ? fmin(best, cost_partition(graph, &trial)) : best;
        }
        compared += found != NULL;
        CHECK(found == NULL || cost_partition(graph, found) <= 1.03 * best);
        CHECK(found == NULL || largest_staged(graph, found) < whole);
        build_free(&build);
    }
    CHECK(compared > 20);
}

/* The bits of the search and the sums over nodes price one partition alike. */
static void test_one_price(void)
{
    int compared = 0;
    for (unsigned seed = 0; seed < 40; seed++) {
        struct build build = build_random(seed, 24, 5);
        struct arena *scratch = arena_new();
        for (int n = 0; n < 24; n++) {
            build.graph->node[n].flops = 2 * CHEAP_FLOPS; /* none is free */
        }
        struct problem *problem = problem_of(scratch, build.graph, 3);
        struct rank rank;
        int *stage = arena_alloc(scratch, (size_t)problem->items * sizeof(*stage));
        int node_stage[24];
        bool recomputed[72] = {false};
        struct partition partition = {3, node_stage, recomputed, false};
        if (problem->items >= 3) {
            search_heuristic(problem, stage, &rank);
            for (int n = 0; n < 24; n++) {
                node_stage[n] = stage[problem->item_of[n]];
            }
            double price = cost_partition(build.graph, &partition);
            CHECK(fabs(price - rank.time) < 1e-9 * price);
            compared++;
        }
        arena_free(scratch);
        build_free(&build);
    }
    CHECK(compared > 20);
}

/* ---- many, and large ------------------------------------------------------------------------- */

static bool same_partition(const struct graph *graph, const struct partition *a,
                           const struct partition *b)
{
    size_t nodes = (size_t)graph->nodes;
    return memcmp(a->stage, b->stage, nodes * sizeof(*a->stage)) == 0 &&
           memcmp(a->recomputed, b->recomputed,
                  (size_t)a->stages * nodes * sizeof(*a->recomputed)) == 0;
}

static void test_rules(void)
{
    int found = 0;
    int exact = 0;
    for (unsigned seed = 1000; seed < 1120; seed++) {
        struct build build = build_random(seed, 3 + (int)(seed % 70), 2 + (int)(seed % 9));
        for (int cuts = 1; cuts <= MAX_CUTS; cuts++) {
            struct partition *partition = find(&build, cuts);
            if (partition != NULL && cuts > 1) {
                found++;
                exact += partition->exact;
                CHECK(seed % 4 != 0 || same_partition(build.graph, partition, find(&build, cuts)));
            }
        }
        build_free(&build);
    }
    CHECK(found > 120);
    CHECK(exact > 20 && exact < found);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Limits are for loaded machines: an idle one takes a tenth of them, and several times that when
   the build is sanitized, which only has to end. */
static void test_time(int nodes, int dats, double limit)
{
#ifdef __SANITIZE_ADDRESS__
    limit *= 10;
#endif
    struct build build = build_random(7, nodes, dats);
    double start = seconds();
    for (int cuts = 1; cuts <= MAX_CUTS; cuts++) {
        find(&build, cuts);
    }
    double taken = seconds() - start;
    printf("%d nodes: %.2f s\n", nodes, taken);
    CHECK(taken < limit);
    build_free(&build);
}

int main(void)
{
    test_airfoil();
    test_vflux();
    test_edgecon();
    test_corners();
    test_again();
    test_kept();
    test_followed();
    test_reasons();
    test_below();
    test_exact();
    test_condensing();
    test_one_price();
    test_rules();
    test_time(1000, 10, 5);
    test_time(20000, 12, 15);
    return CHECK_RESULT();
}
