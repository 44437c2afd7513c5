/* group_find.c: from chains to groups.
 *
 * For each call of a loop, the finder follows the flow to the calls that may come next, and extends
 * the run as long as the next loop may be computed together with all loops before it. The longest
 * runs, or the parts of them that are worth it, are candidates. Those that save most, weighed by
 * the repetitions around them, become groups, each call in one of them at most.
 */
#include "splitter/group/group_find.h"

#include <math.h>
#include <stdlib.h>

#include "pass/ir/arena.h"
#include "splitter/group/group_impl.h"
#include "splitter/group/search.h"

/* How much more often a loop runs for each repetition around it. */
static const double REPETITION = 10;
enum { MOST_WEIGHED_REPETITIONS = 6 };

struct candidate {
    struct run whole; /* as it was found */
    struct run run;   /* the part of it that is worth it */
    struct group group;
    double gain; /* bytes per element, weighed */
    int number;  /* in the order in which they were found */
    /* The group that was chosen: this one, or one that saves more and has a call or all loops in
     * common; NULL: there were too many. */
    const char *chosen_name;
};

struct finder {
    struct program *program;
    struct search *search;
    struct candidate *candidate;
    int candidates;
    int candidate_room;
    struct candidate *chosen[GROUP_MOST];
    int chosen_count;
};

/* ---- what a run saves ---------------------------------------------------------------------------
 */

static bool is_direct(const struct run *run)
{
    for (int m = 0; m < run->members; m++) {
        const struct loop *loop = run_loop(run, m);

        for (int a = 0; a < loop->args && !run->before[m]; a++) {
            if (loop->arg[a].is_indirect) {
                return false;
            }
        }
    }
    return true;
}

static double saved_bytes(const struct run *run)
{
    struct group group;

    if (run->gathers) {
        return run_bytes_gathered(run);
    }
    run_make_group(run, &group);
    return run_bytes_apart(run) - run_bytes_joined(run, &group);
}

/* Direct loops are always worth joining: at least a launch is saved. */
static bool is_worth(const struct run *run)
{
    return run->members > 1 && run_joined_before(run, run->members - 1) >= 0 &&
           (is_direct(run) || run->gathers ||
            saved_bytes(run) >= LEAST_SAVED * run_bytes_apart(run));
}

/* Members of the run from `first` on, without passengers at the ends. */
static struct run part_of(const struct run *run, int first, int members)
{
    struct run part = {.flow = run->flow, .gathers = run->gathers};

    while (members > 0 && run->before[first + members - 1]) {
        members--;
    }
    while (members > 0 && run->before[first]) {
        first++;
        members--;
    }
    for (int m = 0; m < members; m++) {
        part.node[m] = run->node[first + m];
        part.before[m] = run->before[first + m];
        part.adds[m] = run->adds[first + m];
        part.left[m] = run->left[first + m];
    }
    part.members = members;
    return part;
}

/* Drops members at both ends that save nothing. */
static struct run trimmed(struct run run)
{
    bool drops = !is_direct(&run) && !run.gathers;

    while (drops && run.members > 2) {
        double saved = saved_bytes(&run);
        struct run behind = part_of(&run, 1, run.members - 1);
        struct run before = part_of(&run, 0, run.members - 1);

        drops = true;
        if (is_worth(&behind) && saved_bytes(&behind) >= saved) {
            run = behind;
        } else if (is_worth(&before) && saved_bytes(&before) >= saved) {
            run = before;
        } else {
            drops = false;
        }
    }
    return run;
}

/* ---- candidates ---------------------------------------------------------------------------------
 */

static double weight_of(const struct run *run)
{
    int depth = MOST_WEIGHED_REPETITIONS;

    for (int m = 0; m < run->members; m++) {
        int own = run->flow->node[run->node[m]].depth;

        depth = own < depth ? own : depth;
    }
    return pow(REPETITION, depth);
}

/* In bytes, to choose between runs that save as much: many joined members, and few passengers, for
 * which the joined loop waits. In a run that gathers, passengers are small loops, such as those
 * over a boundary: if one of them were the first member, the large loop would be apart. */
static double worth_of_launches(const struct run *run)
{
    double worth = 0;

    for (int m = 0; m < run->members; m++) {
        worth += run->before[m] && !run->gathers ? -0.5 : 1;
    }
    return worth;
}

static void add_candidate(struct finder *finder, const struct run *whole, struct run run)
{
    struct candidate candidate = {.whole = *whole, .number = finder->candidates};
    double saved;

    candidate.run = trimmed(run);
    run_make_group(&candidate.run, &candidate.group);
    if (candidate.run.gathers) {
        candidate.group.saved_bytes = (int)saved_bytes(&candidate.run);
    } else {
        candidate.group.saved_bytes = group_saved_bytes(finder->program, &candidate.group);
    }
    saved = candidate.group.saved_bytes;
    candidate.gain = (saved + worth_of_launches(&candidate.run)) * weight_of(&candidate.run);
    finder->candidate = arena_grow(finder->program->arena, finder->candidate, finder->candidates,
                                   &finder->candidate_room, sizeof(candidate));
    finder->candidate[finder->candidates++] = candidate;
}

/* The run, or the part of it that saves most. */
static void consider(struct finder *finder, const struct run *run)
{
    struct run best = {.members = 0};
    double most = -1;

    if (is_worth(run)) {
        add_candidate(finder, run, *run);
        return;
    }
    for (int first = 0; first + 1 < run->members; first++) {
        for (int members = 2; first + members <= run->members; members++) {
            struct run part = part_of(run, first, members);

            if (is_worth(&part) && saved_bytes(&part) > most) {
                most = saved_bytes(&part);
                best = part;
            }
        }
    }
    if (best.members > 0) {
        add_candidate(finder, run, best);
    }
}

/* ---- choice -------------------------------------------------------------------------------------
 */

static int compare_gains(const void *left, const void *right)
{
    const struct candidate *a = left;
    const struct candidate *b = right;

    if (a->gain != b->gain) {
        return a->gain > b->gain ? -1 : 1;
    }
    return a->number - b->number;
}

/* The calls that launches wait for: a loop that runs ahead of its call may be in another group. */
static struct run waiting_part(const struct run *run)
{
    return run->ahead ? part_of(run, 0, run->members - 1) : *run;
}

/* Whether the runs have a call in common, other than at the beginning of both: there the call waits
 * for what comes next. */
static bool shares_call(const struct run *a, const struct run *b)
{
    int same = 0;

    if (a->flow != b->flow) {
        return false;
    }
    while (same < a->members && same < b->members && a->node[same] == b->node[same]) {
        same++;
    }
    if (same == a->members || same == b->members) {
        return true;
    }
    for (int m = 0; m < a->members; m++) {
        for (int n = 0; n < b->members; n++) {
            if (a->node[m] == b->node[n] && (m >= same || m != n)) {
                return true;
            }
        }
    }
    return false;
}

/* Whether both are the same loops with the same pattern of arguments: one joined loop serves both.
 */
static bool is_same_group(const struct program *program, const struct group *a,
                          const struct group *b)
{
    if (a->members != b->members || a->args != b->args) {
        return false;
    }
    for (int m = 0; m < a->members; m++) {
        if (a->member[m].loop != b->member[m].loop) {
            return false;
        }
        if (a->member[m].place != b->member[m].place) {
            return false;
        }
        for (int n = 0; a->member[m].arg != NULL && n < program->loop[a->member[m].loop].args;
             n++) {
            if (a->member[m].arg[n] != b->member[m].arg[n]) {
                return false;
            }
        }
    }
    for (int n = 0; n < a->args; n++) {
        if (a->arg[n].dat != b->arg[n].dat || a->arg[n].map != b->arg[n].map) {
            return false;
        }
    }
    return true;
}

/* The chosen candidate in whose favour this one is not chosen; NULL: there is none. */
static const struct candidate *rival_of(const struct finder *finder,
                                        const struct candidate *candidate)
{
    for (int c = 0; c < finder->chosen_count; c++) {
        const struct candidate *other = finder->chosen[c];
        const struct run first = waiting_part(&other->run);
        const struct run second = waiting_part(&candidate->run);

        if (shares_call(&first, &second) ||
            is_same_group(finder->program, &other->group, &candidate->group)) {
            return other;
        }
    }
    return NULL;
}

static int compare_places(const void *left, const void *right)
{
    const struct group *a = left;
    const struct group *b = right;
    int members = a->members < b->members ? a->members : b->members;

    for (int m = 0; m < members; m++) {
        if (a->member[m].loop != b->member[m].loop) {
            return a->member[m].loop - b->member[m].loop;
        }
    }
    return a->members - b->members;
}

/* A group whose last member runs ahead of its call takes the place of one without it, which runs
 * where that call has not come. */
static void add_without_ahead(struct finder *finder, const struct candidate *whole)
{
    struct candidate *candidate = arena_alloc(finder->program->arena, sizeof(*candidate));

    *candidate = *whole;
    candidate->run.ahead = false;
    candidate->run.members--;
    run_make_group(&candidate->run, &candidate->group);
    candidate->group.saved_bytes = (int)saved_bytes(&candidate->run);
    for (int c = 0; c < finder->chosen_count; c++) {
        if (is_same_group(finder->program, &finder->chosen[c]->group, &candidate->group)) {
            return;
        }
    }
    finder->chosen[finder->chosen_count++] = candidate;
}

/* Whether there was room for the group. */
static bool add_chosen(struct finder *finder, struct candidate *candidate)
{
    if (finder->chosen_count + (candidate->run.ahead ? 2 : 1) > GROUP_MOST) {
        return false;
    }
    if (candidate->run.ahead) {
        add_without_ahead(finder, candidate);
    }
    finder->chosen[finder->chosen_count++] = candidate;
    return true;
}

static void choose(struct finder *finder)
{
    struct program *program = finder->program;

    if (finder->candidates == 0) {
        return;
    }
    qsort(finder->candidate, (size_t)finder->candidates, sizeof(*finder->candidate), compare_gains);
    for (int c = 0; c < finder->candidates; c++) {
        struct candidate *candidate = &finder->candidate[c];
        const struct candidate *rival = rival_of(finder, candidate);

        if (rival == NULL && add_chosen(finder, candidate)) {
            rival = candidate;
        }
        candidate->chosen_name = rival != NULL ? rival->group.name : NULL;
    }
    program->groups = finder->chosen_count;
    program->group =
        arena_alloc(program->arena, (size_t)finder->chosen_count * sizeof(*program->group));
    for (int c = 0; c < finder->chosen_count; c++) {
        program->group[c] = finder->chosen[c]->group;
    }
    qsort(program->group, (size_t)program->groups, sizeof(*program->group), compare_places);
}

/* ---- refusals -----------------------------------------------------------------------------------
 */

static bool is_member(const struct program *program, const struct group *group, int member,
                      const struct loop *loop)
{
    return &program->loop[group->member[member].loop] == loop;
}

/* Whether the second loop follows the first one in a group. A passenger of one that gathers could
 * be a phase: users learn why it is none. */
static bool are_joined(const struct program *program, const struct run *both)
{
    for (int g = 0; g < program->groups; g++) {
        const struct group *group = &program->group[g];

        for (int m = 0; m + 1 < group->members; m++) {
            if (is_member(program, group, m, run_loop(both, 0)) &&
                is_member(program, group, m + 1, run_loop(both, 1))) {
                return group->form == GROUP_SET || group->member[m + 1].place == GROUP_IS_JOINED;
            }
        }
    }
    return false;
}

static const struct group *group_with(const struct program *program, const struct loop *loop)
{
    for (int g = 0; g < program->groups; g++) {
        for (int m = 0; m < program->group[g].members; m++) {
            if (is_member(program, &program->group[g], m, loop)) {
                return &program->group[g];
            }
        }
    }
    return NULL;
}

/* The chosen group that another part of these calls is in, or whose place they would take; NULL:
 * there is none. */
static const char *better_part(const struct finder *finder, const struct run *both)
{
    for (int c = 0; c < finder->candidates; c++) {
        const struct candidate *candidate = &finder->candidate[c];
        const struct run *whole = &candidate->whole;

        for (int m = 0; m + 1 < whole->members && whole->flow == both->flow; m++) {
            if (whole->node[m] == both->node[0] && whole->node[m + 1] == both->node[1] &&
                candidate->chosen_name != NULL) {
                return candidate->chosen_name;
            }
        }
    }
    return NULL;
}

/* Why two loops that may be a group are none. */
static const char *why_not_chosen(const struct finder *finder, const struct run *both)
{
    const struct program *program = finder->program;
    int member = 1;
    const struct group *other = group_with(program, run_loop(both, 1));
    double apart = run_bytes_apart(both);
    const char *better;

    if (!is_worth(both)) {
        return arena_format(program->arena,
                            "joined, they would move %.0f bytes per element in place of %.0f: too "
                            "little is saved",
                            apart - saved_bytes(both), apart);
    }
    if (other == NULL) {
        member = 0;
        other = group_with(program, run_loop(both, 0));
    }
    if (other != NULL) {
        return arena_format(program->arena, "'%s' is in the group '%s', which saves more",
                            run_loop(both, member)->name, other->name);
    }
    better = better_part(finder, both);
    return better != NULL
               ? arena_format(program->arena,
                              "of the loops that follow one another here, '%s' saves more", better)
               : arena_format(program->arena, "there are %d groups that save more", GROUP_MOST);
}

static int compare_refusals(const void *left, const void *right)
{
    const struct group_refusal *a = left;
    const struct group_refusal *b = right;

    return a->first != b->first ? a->first - b->first : a->second - b->second;
}

static void refuse(struct finder *finder)
{
    struct program *program = finder->program;
    const struct search *search = finder->search;

    program->refusal =
        arena_alloc(program->arena, (size_t)search->pairs * sizeof(*program->refusal));
    for (int p = 0; p < search->pairs; p++) {
        const struct pair *pair = &search->pair[p];
        const struct step *first = flow_step(pair->run.flow, pair->run.node[0]);
        const struct step *second = flow_step(pair->run.flow, pair->run.node[1]);

        if (!are_joined(program, &pair->run)) {
            program->refusal[program->refusals++] = (struct group_refusal){
                .first = first->loop,
                .second = second->loop,
                .reason = pair->why != NULL ? pair->why : why_not_chosen(finder, &pair->run),
                .loc = second->loc,
            };
        }
    }
    if (program->refusals > 0) {
        qsort(program->refusal, (size_t)program->refusals, sizeof(*program->refusal),
              compare_refusals);
    }
}

static void consider_run(const struct run *run, void *user)
{
    consider(user, run);
}

void groups_find(struct program *program, bool gathers)
{
    struct finder finder = {.program = program};

    program->groups = 0;
    program->refusals = 0;
    if (program->chains == 0) {
        return;
    }
    finder.search = search_runs(program, gathers, consider_run, &finder);
    choose(&finder);
    refuse(&finder);
}
