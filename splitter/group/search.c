/* search.c: follows the flows of a program and extends runs. See search.h. */
#include "splitter/group/search.h"

#include "pass/ir/arena.h"

/* A node on the way to the next loops. */
struct spot {
    int node;
    const char *broken; /* the host's code on the way ends a group; NULL: it does not */
    int left;           /* the outermost frame that control has left on the way; -1: none */
};

struct spots {
    struct spot *spot;
    int first; /* of those that wait */
    int count;
    int room;
};

/* The ways from a run's last loop to the next ones. */
struct walk {
    struct search *search;
    const struct run *run;
    struct spots open;    /* nodes to visit, the nearest first */
    struct spots blocked; /* nodes to visit when no others are left */
    struct spots found;   /* FLOW_LOOPs, each once */
};

/* ---- the loops that come next -------------------------------------------------------------------
 */

static void push(struct walk *walk, struct spots *spots, struct spot spot)
{
    spots->spot = arena_grow(walk->search->program->arena, spots->spot, spots->count, &spots->room,
                             sizeof(spot));
    spots->spot[spots->count++] = spot;
}

static void push_nexts(struct walk *walk, struct spot spot)
{
    const struct flow_node *node = &walk->run->flow->node[spot.node];

    for (int n = 0; n < node->nexts; n++) {
        spot.node = node->next[n];
        push(walk, spot.broken == NULL ? &walk->open : &walk->blocked, spot);
    }
}

/* The frame that control leaves at a node behind a call; else `left`. */
static int frame_left(const struct walk *walk, int node, int left)
{
    const struct flow *flow = walk->run->flow;
    int inner = left >= 0 ? flow->frame[left].caller
                          : flow->node[walk->run->node[walk->run->members - 1]].frame;

    return inner >= 0 && flow->frame[inner].place == node ? inner : left;
}

static void visit(struct walk *walk, struct spot spot)
{
    struct search *search = walk->search;

    if (search->seen[spot.node] == search->walks || search->visits >= SEARCH_MOST_VISITS) {
        return;
    }
    search->seen[spot.node] = search->walks;
    search->visits++;
    if (walk->run->flow->node[spot.node].kind == FLOW_LOOP) {
        push(walk, &walk->found, spot);
        return;
    }
    spot.left = frame_left(walk, spot.node, spot.left);
    if (spot.broken == NULL) {
        spot.broken = run_why_broken(walk->run, spot.node);
    }
    push_nexts(walk, spot);
}

/* Nodes behind no obstacle come first: each is seen by its best way. */
static struct spots find_nexts(struct search *search, const struct run *run)
{
    struct walk walk = {.search = search, .run = run};

    search->walks++;
    push_nexts(&walk, (struct spot){run->node[run->members - 1], NULL, -1});
    while (walk.open.first < walk.open.count || walk.blocked.first < walk.blocked.count) {
        struct spots *from = walk.open.first < walk.open.count ? &walk.open : &walk.blocked;

        visit(&walk, from->spot[from->first++]);
    }
    return walk.found;
}

/* ---- runs ---------------------------------------------------------------------------------------
 */

static int loop_of(const struct run *run, int member)
{
    return flow_step(run->flow, run->node[member])->loop;
}

/* Keeps what is first found out about two loops; that they may be a group counts more. */
static void note_pair(struct search *search, const struct run *longer, const char *why)
{
    int last = longer->members - 1;
    struct pair pair = {
        .run = {.flow = longer->flow,
                .members = 2,
                .node = {longer->node[last - 1], longer->node[last]},
                .left = {-1, longer->left[last]},
                .gathers = longer->gathers,
                .ahead = longer->ahead},
        .why = why,
    };

    for (int p = 0; p < search->pairs; p++) {
        struct pair *old = &search->pair[p];

        if (loop_of(&old->run, 0) == loop_of(&pair.run, 0) &&
            loop_of(&old->run, 1) == loop_of(&pair.run, 1)) {
            *old = why == NULL && old->why != NULL ? pair : *old;
            return;
        }
    }
    if (search->pairs < SEARCH_MOST_PAIRS) {
        search->pair = arena_grow(search->program->arena, search->pair, search->pairs,
                                  &search->pair_room, sizeof(pair));
        search->pair[search->pairs++] = pair;
    }
}

static bool has_member(const struct run *run, int node)
{
    for (int m = 0; m < run->members; m++) {
        if (run->node[m] == node) {
            return true;
        }
    }
    return false;
}

/* Whether the run comes into a repetition and leaves it again: it would have one turn alone. */
static bool has_one_turn(const struct run *run)
{
    const struct flow *flow = run->flow;
    int last = run->members - 1;
    int repeat = flow->node[run->node[last - 1]].repeat;

    while (repeat >= 0 && !flow_is_in(flow, run->node[last], repeat)) {
        if (flow_step(flow, repeat)->trips != 1 && !flow_is_in(flow, run->node[0], repeat)) {
            return true;
        }
        repeat = flow->node[repeat].repeat;
    }
    return false;
}

/* Why the last member of a run cannot be joined with the others. The run may become one that
 * gathers, or whose last member runs ahead of its call: then the host's code between them,
 * `broken`, is no reason, since the runtime sees what that does. */
static const char *why_not_next(const struct search *search, struct run *run, const char *broken)
{
    const char *first = search->alone[loop_of(run, 0)];
    const char *second = search->alone[loop_of(run, run->members - 1)];
    const char *why = NULL;
    const char *reason;
    const char *ahead;

    if (broken != NULL && !run_is_before_ahead(run)) {
        return broken;
    }
    if (has_one_turn(run)) {
        return "loops before a repetition and behind it are in no group together";
    }
    if (first != NULL || second != NULL) {
        return first != NULL ? first : second;
    }
    if (run_may_go_ahead(run, &ahead)) {
        run->ahead = true;
        return NULL;
    }
    if (broken != NULL) {
        return broken;
    }
    if (!run->gathers && !run_has_phases(run)) {
        why = run_why_apart(run);
        if (why == NULL || !search->gathers) {
            return why;
        }
    }
    if (run_may_gather(run, &reason)) {
        run->gathers = true;
        return NULL;
    }
    reason = ahead != NULL ? ahead : reason;
    why = reason != NULL ? reason : why;
    return why != NULL
               ? why
               : arena_format(search->program->arena, "'%s' does not run over the points of '%s'",
                              run_loop(run, run->members - 1)->name, run_loop(run, 0)->name);
}

/* The run with one loop more; false: it is full, or the loop is its member. */
static bool make_longer(const struct run *run, const struct spot *next, struct run *longer)
{
    if (run->members == GROUP_MOST_MEMBERS || run->ahead || has_member(run, next->node)) {
        return false;
    }
    *longer = *run;
    longer->node[longer->members] = next->node;
    longer->before[longer->members] = false;
    longer->adds[longer->members] = false;
    longer->left[longer->members++] = next->left;
    return true;
}

/* Makes the run's last member a passenger; false: it cannot be one. */
static bool make_passenger(const struct search *search, struct run *run, const char *broken)
{
    if (broken != NULL || has_one_turn(run) || search->alone[loop_of(run, 0)] != NULL ||
        !run_may_go_before(&search->traits, run)) {
        return false;
    }
    run->before[run->members - 1] = true;
    return true;
}

/* Makes the run's last member a phase; *why: a reason for users why it cannot be one, NULL: there
 * is none to tell. */
static bool make_phase(const struct search *search, struct run *run, const char *broken,
                       const char **why)
{
    int last = run->members - 1;

    *why = NULL;
    if (!search->gathers || broken != NULL || has_one_turn(run) ||
        search->alone[loop_of(run, 0)] != NULL || search->alone[loop_of(run, last)] != NULL ||
        !run_may_add(run, why)) {
        return false;
    }
    run->adds[last] = true;
    return true;
}

static bool extend(struct search *search, const struct run *run);

static bool extend_counted(struct search *search, const struct run *run)
{
    search->runs++;
    return extend(search, run);
}

/* Goes on with the loop that comes next; true: some run was found in which it is. */
static bool extend_by(struct search *search, const struct run *run, const struct spot *next)
{
    struct run longer;
    struct run phase;
    const char *why;
    const char *no_phase = NULL;

    if (!make_longer(run, next, &longer)) {
        return false;
    }
    why = why_not_next(search, &longer, next->broken);
    phase = longer;
    bool may_add = why != NULL && make_phase(search, &phase, next->broken, &no_phase);
    if (!run->before[run->members - 1] && !run->adds[run->members - 1]) {
        note_pair(search, &longer, why != NULL && no_phase != NULL ? no_phase : why);
    }
    if (why == NULL || (may_add && extend_counted(search, &phase))) {
        return why != NULL || extend_counted(search, &longer);
    }
    return make_passenger(search, &longer, next->broken) && extend_counted(search, &longer);
}

/* Follows all ways from the run's last member on; true: some run was found. */
static bool extend(struct search *search, const struct run *run)
{
    struct spots nexts = find_nexts(search, run);
    bool is_found = false;

    for (int n = 0; n < nexts.count && search->runs < SEARCH_MOST_RUNS; n++) {
        is_found = extend_by(search, run, &nexts.spot[n]) || is_found;
    }
    if (!is_found && run->members > 1 && !run->before[run->members - 1] &&
        !run->adds[run->members - 1]) {
        search->found(run, search->user);
        is_found = true;
    }
    return is_found;
}

static void search_flow(struct search *search, const struct flow *flow)
{
    for (int n = 0; n < flow->nodes; n++) {
        struct run run = {.flow = flow, .members = 1, .node = {n}, .left = {-1}};

        if (flow->node[n].kind == FLOW_LOOP && search->runs < SEARCH_MOST_RUNS) {
            extend(search, &run);
        }
    }
}

struct search *search_runs(const struct program *program, bool gathers,
                           void (*found)(const struct run *run, void *user), void *user)
{
    struct search *search = arena_alloc(program->arena, sizeof(*search));
    struct flow *flow;
    int flows = flows_make(program, &flow);
    int most = 0;

    *search = (struct search){.program = program, .gathers = gathers, .found = found, .user = user};
    traits_find(&search->traits, program);
    search->alone = arena_alloc(program->arena, (size_t)program->loops * sizeof(*search->alone));
    for (int l = 0; l < program->loops; l++) {
        search->alone[l] = loop_why_alone(&search->traits, &program->loop[l]);
    }
    for (int f = 0; f < flows; f++) {
        most = flow[f].nodes > most ? flow[f].nodes : most;
    }
    search->seen = arena_alloc(program->arena, (size_t)most * sizeof(*search->seen));
    for (int f = 0; f < flows; f++) {
        search_flow(search, &flow[f]);
    }
    return search;
}
