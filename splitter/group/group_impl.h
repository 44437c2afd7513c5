/* group_impl.h: what the files of the finder share; nobody outside this folder includes it. */
#ifndef CLEAVE_SPLITTER_GROUP_IMPL_H
#define CLEAVE_SPLITTER_GROUP_IMPL_H

#include "pass/ir/group.h"
#include "splitter/group/flow.h"

/* A joined loop that reads through maps keeps more values in registers and shared memory than its
 * members; below this part of their bytes or time saved, that is likely to cost more. */
static const double LEAST_SAVED = 0.05;

/* Loops of a flow that follow one another and may be a group. */
struct run {
    const struct flow *flow;
    int members;
    int node[GROUP_MOST_MEMBERS]; /* FLOW_LOOPs, each once */
    /* [member] the outermost frame that control has left on the way to this member from the one
     * before it; -1: none */
    int left[GROUP_MOST_MEMBERS];
    /* GROUP_GATHER: members run over the points that the first one increments. */
    bool gathers;
    /* GROUP_GATHER: the last member is computed before it is called. No other follows. */
    bool ahead;
    /* [member] a passenger: it is not joined, but launched by itself before the joined loop */
    bool before[GROUP_MOST_MEMBERS];
    /* [member] a phase: it increments the points of the first one, from another set */
    bool adds[GROUP_MOST_MEMBERS];
};

/* ---- legality.c, code.c: reasons for users, in the arena; NULL: there is none
 * --------------------
 */

/* Traits of the program's functions, those of their callees included: TRAIT_ bits by number. */
enum { TRAIT_TEXT = 1 /* a body that is text */, TRAIT_PRINTS = 2 };
struct traits {
    const struct program *program;
    unsigned *of;
};
void traits_find(struct traits *traits, const struct program *program);
unsigned traits_of(const struct traits *traits, const struct function *function);

/* Why the loop can be in no group at all. */
const char *loop_why_alone(const struct traits *traits, const struct loop *loop);

/* Why the last member of a run cannot be joined with the others that are, by what they do to the
 * dats that they have in common. The others may be in a group, and each alone may be. */
const char *run_why_apart(const struct run *run);

/* Why the last member cannot be joined with an earlier one, by the dats that both use. */
const char *run_why_dats(const struct run *run, int member);
/* Why the joined loop would be too large for generated code. */
const char *run_why_large(const struct run *run);

/* Whether two members certainly run over the same set. */
bool run_same_set(const struct run *run, int member, int later);

/* Why the last member cannot follow those of a run that gathers, by their set and what they reduce.
 */
const char *run_why_apart_points(const struct run *run);

/* Likewise, by their set alone. */
const char *run_why_apart_set(const struct run *run);
/* Whether the last joined member but one reduces. */
bool run_is_reduced(const struct run *run);

/* ahead.c: whether the last member could at most run ahead of its call, by those before. */
bool run_is_before_ahead(const struct run *run);
/* Whether the last member of a run that gathers, and whose members before reduce, may run
 * ahead of its call. If not, *why is a reason for users, or NULL as in run_may_gather(). */
bool run_may_go_ahead(const struct run *run, const char **why);

/* passengers.c: whether the last member may be launched before the joined loop. */
bool run_may_go_before(const struct traits *traits, const struct run *run);

/* gather.c: whether the last member may be joined with the others of a GROUP_GATHER that the run
 * is, or becomes. If not, *why is a reason for users; NULL: there is no more to say than for a
 * GROUP_SET. */
bool run_may_gather(const struct run *run, const char **why);
/* Why the last member cannot run behind the sums of each point, by what it does to dats. */
const char *run_why_not_behind(const struct run *run);
/* Why a loop is not the first one of a GROUP_GATHER: one that increments points through one map,
 * and does nothing else. */
const char *loop_why_not_first(struct arena *arena, const struct loop *loop);

/* gather_phases.c: whether the last member may be a phase of the GROUP_GATHER that the run may
 * become. If not, *why is a reason for users; NULL: it does not increment the points of the first
 * member. */
bool run_may_add(const struct run *run, const char **why);
bool run_has_phases(const struct run *run);
/* Number of the set of a phase, from 1 on in order; 0 for all other members. */
int run_phase_set(const struct run *run, int member);

/* Bytes per point that a run that gathers moves less than its members. */
double run_bytes_gathered(const struct run *run);

/* Why the host's code of a FLOW_CODE or FLOW_CALL ends a group that the run would begin. */
const char *run_why_broken(const struct run *run, int node);

/* ---- args.c -------------------------------------------------------------------------------------
 */

const struct loop *run_loop(const struct run *run, int member);
/* The value or dat, and the map, of an argument of a node's loop. */
struct flow_var flow_data(const struct flow *flow, int node, int arg);
struct flow_var flow_map(const struct flow *flow, int node, int arg);

/* Whether a variable of a member names the object that a variable of a later member does. Those of
 * a function that was left and called again in between do not. */
bool run_names_same(const struct run *run, int member, struct flow_var var, int later,
                    struct flow_var other);

/* Whether two arguments name one dat, or one value. */
bool run_same_data(const struct run *run, int member, int arg, int later, int other);

/* The joined member before this one; -1: there is none. */
int run_joined_before(const struct run *run, int member);

/* Fills name, form, members, arguments and place of the group of the run; `loop` is -1. */
void run_make_group(const struct run *run, struct group *group);

/* Access of two arguments that are one. first: the loop, and a: the argument, that the joined one
 * is named by; access: of all so far; next: of a later loop's. */
enum access join_access(const struct loop *first, int a, enum access access, enum access next);

/* Bytes per element that the joined loop moves less than the members. */
int group_saved_bytes(const struct program *program, const struct group *group);

/* Bytes per element that the members move, and that their joined loop moves. */
double run_bytes_apart(const struct run *run);
double run_bytes_joined(const struct run *run, const struct group *group);

#endif
