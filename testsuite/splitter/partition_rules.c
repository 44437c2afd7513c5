/* partition_rules.c: the rules that a partition keeps. What is needed in which stage and where it
 * comes from; settling a partition that recomputes something for nothing; and that the check
 * finds partitions that break a rule.
 */
#include "check.h"
#include "hand.h"
#include "splitter/partition/needs.h"
#include "splitter/partition/partition_impl.h"
#include "splitter/partition_graphs.h"

/* ---- needs ----------------------------------------------------------------------------------- */

static bool list_is(const struct var_list *list, int vars, struct var *const *var)
{
    bool same = list->vars == vars;
    for (int v = 0; same && v < vars; v++) {
        same = list->var[v] == var[v];
    }
    return same;
}

/* The condition of a guard is needed like an operand; what an update takes crosses; a third stage
 * computes nothing. */
static void test_guard_needed(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "q", 0, 0, 0, 2, ACCESS_READ);
    hand_arg(h, "r", 1, 0, 0, 1, ACCESS_INC);
    int condition =
        hand_value(h, "c", hand_op(h, BINARY_LT, hand_place(h, 0, 0), hand_number(h, 1.0)));
    struct guard guard = {condition, true, NULL};
    h->guard = &guard;
    int value = hand_value(h, "v", hand_call(h, "sqrt", hand_place(h, 0, 1)));
    hand_add(h, 1, 0, value);
    bool first[] = {true, false};
    bool second[] = {false, true};
    bool *in[] = {first, second, NULL};
    struct needs needs = needs_of_stages(h->arena, h->graph, 3, in);
    CHECK(needs_computed(&needs, 0, condition) && !needs_read(&needs, 0, condition));
    CHECK(!needs_computed(&needs, 1, condition) && needs_read(&needs, 1, condition));
    CHECK(needs_brought(&needs, 1, condition) && !needs_brought(&needs, 2, condition));
    CHECK(needs_crosses(&needs, condition) && needs_crosses(&needs, value));
    CHECK(!needs_brought(&needs, 1, value) && !needs_read(&needs, 1, value));
    struct var *both[] = {h->graph->node[condition].var, h->graph->node[value].var};
    struct var_list crossing = needs_vars_crossing(&needs, h->arena);
    struct var_list brought = needs_vars_brought(&needs, h->arena, 1);
    struct var_list made = needs_vars_made(&needs, h->arena, 1, &crossing);
    CHECK(list_is(&crossing, 2, both));
    CHECK(list_is(&brought, 1, both));
    CHECK(list_is(&made, 1, both + 1));
    CHECK(needs_vars_brought(&needs, h->arena, 0).vars == 0);
    CHECK(needs_vars_made(&needs, h->arena, 2, &crossing).vars == 0);
    second[condition] = true;
    needs = needs_of_stages(h->arena, h->graph, 3, in);
    CHECK(!needs_brought(&needs, 1, condition) && !needs_crosses(&needs, condition));
    hand_free(h);
}

/* A node sets two variables, of which another stage reads one: only that crosses. */
static void test_two_variables(void)
{
    struct build build = build_new();
    int x = build_two_ends(&build, ACCESS_READ, 0, 0, 1);
    int a = build_ends_node(&build, x, 0, 1, 5);
    struct var other = *build.open->var;
    struct var *pair[] = {build.open->var, &other};
    build.open->kind = NODE_REGION;
    build.open->define = pair;
    build.open->defines = 2;
    int own = build_node(&build, 1);
    build.open->use[build.open->uses++] = (struct use){a, &other};
    int far = build_node(&build, 1);
    build_use(&build, a);
    int stage[3] = {[1] = 0, [2] = 1};
    bool recomputed[6] = {false};
    struct partition partition = {2, stage, recomputed, false};
    struct needs needs = needs_of_partition(build.arena, build.graph, &partition);
    struct var_list crossing = needs_vars_crossing(&needs, build.arena);
    CHECK(needs_read(&needs, 0, a) && needs_brought(&needs, 1, a) && needs_crosses(&needs, a));
    CHECK(!needs_crosses(&needs, own) && !needs_crosses(&needs, far));
    CHECK(list_is(&crossing, 1, pair));
    build_free(&build);
}

/* ---- settling -------------------------------------------------------------------------------- */

enum { SHARED, LEFT, RIGHT, LAST, NODES, STAGES = 3 };

/* SHARED is cheap and reads what all stages stage; LEFT, RIGHT and LAST are not cheap, each reads
 * the one before, and is the only one in its stage. */
struct trial {
    struct build build;
    int x;
    int out;
    int stage[NODES];
    bool recomputed[STAGES * NODES];
    struct partition partition;
};

/* reads: as bits, which of the others read SHARED. */
static struct trial *trial_new(int reads)
{
    struct build build = build_new();
    struct trial *trial = arena_alloc(build.arena, sizeof(*trial));
    trial->x = build_two_ends(&build, ACCESS_READ, 0, 0, 2);
    trial->out = build_two_ends(&build, ACCESS_INC, 1, 0, 2);
    CHECK(build_ends_node(&build, trial->x, 0, 1, 1) == SHARED);
    for (int n = LEFT; n <= LAST; n++) {
        trial->stage[n] = n - LEFT;
        CHECK(build_ends_node(&build, trial->x, 0, 1, 30) == n);
        if (n > LEFT) {
            build_use(&build, n - 1);
        }
        if ((reads & 1 << n) != 0) {
            build_use(&build, SHARED);
        }
    }
    build_contribution(&build, trial->out, 0, 0, LAST);
    trial->build = build;
    trial->partition = (struct partition){STAGES, trial->stage, trial->recomputed, false};
    return trial;
}

static bool *recomputed_in(struct trial *trial, int s, int n)
{
    return &trial->recomputed[s * trial->build.graph->nodes + n];
}

static const char *check_trial(const struct trial *trial)
{
    return partition_check(trial->build.graph, &trial->partition);
}

/* `broken` is part of what the check says before; afterwards it says nothing, and settling once
 * more changes nothing. */
static void settle(struct trial *trial, const char *broken)
{
    build_finish(&trial->build);
    struct arena *scratch = arena_new();
    struct cost_graph *base = cost_graph_new(scratch, trial->build.graph);
    struct trial before;
    const char *message = check_trial(trial);
    CHECK((message == NULL) == (broken == NULL));
    CHECK(broken == NULL || (message != NULL && strstr(message, broken) != NULL));
    partition_settle(base, &trial->partition);
    CHECK_TEXT(check_trial(trial) == NULL ? "" : check_trial(trial), "");
    before = *trial;
    partition_settle(base, &trial->partition);
    CHECK(memcmp(before.stage, trial->stage, sizeof(before.stage)) == 0);
    CHECK(memcmp(before.recomputed, trial->recomputed, sizeof(before.recomputed)) == 0);
    arena_free(scratch);
}

static void test_stays(void)
{
    struct trial *trial = trial_new(1 << LEFT | 1 << RIGHT | 1 << LAST);
    *recomputed_in(trial, 1, SHARED) = *recomputed_in(trial, 2, SHARED) = true;
    settle(trial, NULL);
    CHECK(*recomputed_in(trial, 1, SHARED) && *recomputed_in(trial, 2, SHARED));
    build_free(&trial->build);
}

/* It is brought to stage 2 all the same: then one stage computes it. */
static void test_brought_anyway(void)
{
    struct trial *trial = trial_new(1 << LEFT | 1 << RIGHT | 1 << LAST);
    *recomputed_in(trial, 1, SHARED) = true;
    settle(trial, "node 0, recomputed in stage 1, crosses all the same");
    CHECK(!*recomputed_in(trial, 1, SHARED) && trial->stage[SHARED] == 0);
    build_free(&trial->build);
}

static void test_taken_anyway(void)
{
    struct trial *trial = trial_new(1 << LEFT | 1 << RIGHT);
    *recomputed_in(trial, 1, SHARED) = true;
    build_contribution(&trial->build, trial->out, 0, 1, SHARED);
    settle(trial, "node 0, recomputed in stage 1, crosses all the same");
    CHECK(!*recomputed_in(trial, 1, SHARED));
    build_free(&trial->build);
}

static void test_nothing_reads_it(void)
{
    struct trial *trial = trial_new(1 << LEFT | 1 << RIGHT);
    *recomputed_in(trial, 1, SHARED) = *recomputed_in(trial, 2, SHARED) = true;
    settle(trial, "nothing needs node 0 in stage 2");
    CHECK(*recomputed_in(trial, 1, SHARED) && !*recomputed_in(trial, 2, SHARED));
    build_free(&trial->build);
}

static void test_home_moves(void)
{
    struct trial *trial = trial_new(1 << RIGHT | 1 << LAST);
    *recomputed_in(trial, 1, SHARED) = *recomputed_in(trial, 2, SHARED) = true;
    settle(trial, "nothing needs node 0 in stage 0");
    CHECK(trial->stage[SHARED] == 1);
    CHECK(!*recomputed_in(trial, 1, SHARED) && *recomputed_in(trial, 2, SHARED));
    build_free(&trial->build);
}

/* LEFT has to follow SHARED, which stays before it and crosses. */
static void test_home_may_not_move(void)
{
    struct trial *trial = trial_new(1 << RIGHT | 1 << LAST);
    *recomputed_in(trial, 1, SHARED) = *recomputed_in(trial, 2, SHARED) = true;
    trial->build.open = &trial->build.graph->node[LEFT];
    build_after(&trial->build, SHARED);
    settle(trial, "nothing needs node 0 in stage 0");
    CHECK(trial->stage[SHARED] == 0);
    CHECK(!*recomputed_in(trial, 1, SHARED) && !*recomputed_in(trial, 2, SHARED));
    build_free(&trial->build);
}

/* A second cheap node moves from stage 1 to stage 2, with all that stage 1 stages of the component
 * that SHARED reads: then SHARED is not recomputed in stage 1. */
static void test_no_longer_staged(void)
{
    struct build build = build_new();
    int x = build_two_ends(&build, ACCESS_READ, 0, 0, 3);
    int out = build_two_ends(&build, ACCESS_INC, 1, 0, 1);
    int shared = build_ends_node(&build, x, 0, 1, 1);
    int first = build_ends_node(&build, x, 0, 1, 30);
    build_use(&build, shared);
    int moves = build_ends_node(&build, x, 0, 1, 1);
    int second = build_ends_node(&build, x, 1, 1, 30);
    build_use(&build, first);
    build_use(&build, shared);
    int third = build_ends_node(&build, x, 0, 1, 30);
    build_use(&build, second);
    build_use(&build, moves);
    build_contribution(&build, out, 0, 0, third);
    build_finish(&build);
    int stage[5] = {[1] = 0, [2] = 1, [3] = 1, [4] = 2};
    bool recomputed[15] = {[5 + 0] = true, [10 + 2] = true};
    struct partition partition = {3, stage, recomputed, false};
    struct cost_graph *base = cost_graph_new(build.arena, build.graph);
    partition_settle(base, &partition);
    CHECK(stage[moves] == 2 && !recomputed[10 + moves]);
    CHECK(stage[shared] == 0 && !recomputed[5 + shared]);
    CHECK(partition_check(build.graph, &partition) == NULL);
    build_free(&build);
}

/* ---- broken partitions are found ------------------------------------------------------------- */

static void check_broken(const struct build *build, const struct partition *partition,
                         const char *part)
{
    const char *message = partition_check(build->graph, partition);
    CHECK(message != NULL && strstr(message, part) != NULL);
}

static void test_check(void)
{
    struct build build = build_new();
    int p = build_two_ends(&build, ACCESS_READ, 0, 0, 2);
    int q = build_two_ends(&build, ACCESS_READ, 1, 0, 2);
    int out = build_two_ends(&build, ACCESS_INC, 2, 0, 1);
    int a = build_ends_node(&build, p, 0, 2, 3);
    int b = build_ends_node(&build, q, 0, 2, 3);
    build_use(&build, a);
    int c = build_ends_node(&build, q, 0, 1, 3);
    build_after(&build, b);
    build_contribution(&build, out, 0, 0, b);
    build_contribution(&build, out, 1, 0, c);
    build_finish(&build);
    int stage[3] = {0, 1, 1};
    bool recomputed[6] = {false};
    struct partition partition = {2, stage, recomputed, false};
    CHECK(partition_check(build.graph, &partition) == NULL);
    stage[a] = 2;
    check_broken(&build, &partition, "stage 2 of 2");
    stage[a] = 1;
    check_broken(&build, &partition, "stage 0 has no node");
    stage[b] = 0;
    check_broken(&build, &partition, "reads node 0");
    stage[a] = 0;
    stage[b] = 1;
    stage[c] = 0;
    check_broken(&build, &partition, "must follow node 1");
    stage[c] = 1;
    recomputed[3 + a] = true;
    check_broken(&build, &partition, "not staged");
    build.graph->node[a].flops = 100;
    check_broken(&build, &partition, "may not be recomputed");
    recomputed[3 + a] = false;
    recomputed[b] = true;
    check_broken(&build, &partition, "of stage 1 is recomputed in stage 0");
    build_free(&build);
}

/* a is computed in stage 0, and again in stage 1, where alone it is read; then c is, which stages
 * nothing. */
static void test_check_needed(void)
{
    struct build build = build_new();
    int p = build_two_ends(&build, ACCESS_READ, 0, 0, 2);
    int q = build_two_ends(&build, ACCESS_READ, 1, 0, 2);
    int out = build_two_ends(&build, ACCESS_INC, 2, 0, 1);
    int a = build_ends_node(&build, p, 0, 1, 1);
    int b = build_ends_node(&build, q, 0, 2, 30);
    int c = build_node(&build, 10);
    build_use(&build, a);
    build_ends(&build, p, p + 1, 0, 2);
    build_contribution(&build, out, 0, 0, b);
    build_contribution(&build, out, 1, 0, c);
    build_finish(&build);
    int stage[3] = {0, 0, 1};
    bool recomputed[6] = {false};
    struct partition partition = {2, stage, recomputed, false};
    CHECK(partition_check(build.graph, &partition) == NULL);
    recomputed[3 + a] = true;
    check_broken(&build, &partition, "nothing needs node 0 in stage 0");
    recomputed[3 + a] = false;
    build.graph->node[c].places = 0;
    check_broken(&build, &partition, "stage 1 stages nothing");
    build_free(&build);
}

int main(void)
{
    test_guard_needed();
    test_two_variables();
    test_stays();
    test_brought_anyway();
    test_taken_anyway();
    test_nothing_reads_it();
    test_home_moves();
    test_home_may_not_move();
    test_no_longer_staged();
    test_check();
    test_check_needed();
    return CHECK_RESULT();
}
