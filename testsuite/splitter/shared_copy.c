/* shared_copy.c: what touches a global's private copy is in one stage. The elements of a thread
 * share the copy of an OP_MIN or OP_MAX global, so that a stage of all elements between reading it
 * and setting it would lose some; an OP_INC global is only added to.
 */
#include "check.h"
#include "splitter/partition/partition.h"
#include "splitter/partition_graphs.h"

enum { FROM_P, RAISE_P, FROM_Q, RAISE_Q, NODES };

static int global(struct build *build, enum access access)
{
    int a = build_direct(build, access, -1, 1);
    build->loop->arg[a].kind = ARG_GLOBAL;
    return a;
}

static int ends_node(struct build *build, int arg, int count)
{
    int n = build_node(build, 30.0);
    build_ends(build, arg, arg + 1, 0, count);
    return n;
}

/* Stores into the global what `from` computes, after the node `after` (-1: none). */
static void raise(struct build *build, int arg, int from, int after)
{
    build_node(build, 1.0);
    build->open->kind = NODE_STORE;
    build->open->defines = 0;
    build->open->once = true;
    build_place(build, arg, 0, 0);
    build_use(build, from);
    if (after >= 0) {
        build_after(build, after);
    }
}

/* The four nodes of the enumeration, two for each of two dats; *gbl: the global's argument. */
static struct build two_raises(enum access access, int *gbl)
{
    struct build build = build_new();
    int p = build_arg(&build, ACCESS_READ, 0, 0, 0, 4, false);
    build_arg(&build, ACCESS_READ, 0, 0, 1, 4, false);
    int q = build_arg(&build, ACCESS_READ, 1, 0, 0, 4, false);
    build_arg(&build, ACCESS_READ, 1, 0, 1, 4, false);
    int out = build_arg(&build, ACCESS_INC, 2, 0, 0, 1, false);
    *gbl = global(&build, access);
    CHECK(ends_node(&build, p, 4) == FROM_P);
    raise(&build, *gbl, FROM_P, -1);
    CHECK(ends_node(&build, q, 4) == FROM_Q);
    build_use(&build, FROM_P);
    raise(&build, *gbl, FROM_Q, RAISE_P);
    build_contribution(&build, out, 0, 0, FROM_Q);
    build_finish(&build);
    return build;
}

static const char *check(const struct build *build, int from_p, int raise_p, int from_q,
                         int raise_q)
{
    int stage[NODES] = {from_p, raise_p, from_q, raise_q};
    bool recomputed[2 * NODES] = {false};
    struct partition partition = {2, stage, recomputed, false};
    return partition_check(build->graph, &partition);
}

static void test_refused(enum access access)
{
    int gbl;
    struct build build = two_raises(access, &gbl);
    const char *message = check(&build, 0, 0, 1, 1);
    CHECK(arg_is_read_back(&build.loop->arg[gbl]));
    CHECK_TEXT(message != NULL ? message : "accepted",
               arena_format(build.arena, "argument %d is read back in stages 0 and 1", gbl));
    CHECK(check(&build, 0, 1, 1, 1) == NULL);
    build_free(&build);
}

/* Several stages may touch an argument that is only added to, or is not a global. */
static void test_accepted(void)
{
    int gbl;
    struct build build = two_raises(ACCESS_INC, &gbl);
    CHECK(!arg_is_read_back(&build.loop->arg[gbl]));
    CHECK(check(&build, 0, 0, 1, 1) == NULL);
    build_free(&build);

    build = two_raises(ACCESS_MAX, &gbl);
    build.loop->arg[gbl].kind = ARG_DAT;
    CHECK(!arg_is_read_back(&build.loop->arg[gbl]));
    CHECK(check(&build, 0, 0, 1, 1) == NULL);
    build_free(&build);
}

/* The search keeps the rule: the stores stay together though their inputs part. */
static void test_found(void)
{
    int gbl;
    const char *reason = NULL;
    struct build build = two_raises(ACCESS_MIN, &gbl);
    struct partition *partition = partition_find(build.graph, 2, &reason);
    CHECK(partition != NULL);
    if (partition != NULL) {
        CHECK(partition->stage[FROM_P] == 0 && partition->stage[FROM_Q] == 1);
        CHECK(partition->stage[RAISE_P] == partition->stage[RAISE_Q]);
        CHECK(partition_check(build.graph, partition) == NULL);
    }
    build_free(&build);
}

int main(void)
{
    test_refused(ACCESS_MIN);
    test_refused(ACCESS_MAX);
    test_accepted();
    test_found();
    return CHECK_RESULT();
}
