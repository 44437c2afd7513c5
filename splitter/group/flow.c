/* flow.c: chains, with the chains that they call, as a graph. See flow.h. */
#include "splitter/group/flow.h"

#include <string.h>

#include "pass/ir/arena.h"

/* Targets of break and continue. */
struct target {
    int out;   /* -1: outside of everything */
    int again; /* of the innermost repetition */
    int next;  /* the step that is the last STEP_NEXT of the repetition; -1: none */
};

struct build {
    struct flow *flow;
    struct arena *arena;
    bool *root; /* [chain] it gets a flow of its own */
    int depth;  /* repetitions */
    int repeat; /* first node of the innermost one; -1: none */
    int before; /* nodes of the flows that are made */
    struct target target;
};

static int build_steps(struct build *build, int frame, int first, int end, int from);

/* ---- nodes --------------------------------------------------------------------------------------
 */

static int add_node(struct build *build, enum flow_kind kind, int frame, int step)
{
    struct flow *flow = build->flow;

    flow->node =
        arena_grow(build->arena, flow->node, flow->nodes, &flow->node_room, sizeof(*flow->node));
    flow->node[flow->nodes] = (struct flow_node){
        .kind = kind, .frame = frame, .step = step, .depth = build->depth, .repeat = build->repeat};
    return flow->nodes++;
}

/* from -1: control does not come from there. */
static void add_edge(struct build *build, int from, int to)
{
    struct flow_node *node;

    if (from < 0 || to < 0) {
        return;
    }
    node = &build->flow->node[from];
    node->next =
        arena_grow(build->arena, node->next, node->nexts, &node->next_room, sizeof(*node->next));
    node->next[node->nexts++] = to;
}

static int append(struct build *build, enum flow_kind kind, int frame, int step, int from)
{
    int node = add_node(build, kind, frame, step);

    add_edge(build, from, node);
    return node;
}

const struct step *flow_step(const struct flow *flow, int node)
{
    const struct flow_node *at = &flow->node[node];

    return &flow->program->chain[flow->frame[at->frame].chain].step[at->step];
}

static const struct chain *chain_of(const struct build *build, int frame)
{
    return &build->flow->program->chain[build->flow->frame[frame].chain];
}

/* ---- steps --------------------------------------------------------------------------------------
 */

static int count_frames(const struct flow *flow, int frame)
{
    int count = 0;

    for (; frame >= 0; frame = flow->frame[frame].caller) {
        count++;
    }
    return count;
}

/* Steps of a callee become nodes of this flow, unless it grows too long by them. */
static int build_call(struct build *build, int frame, int step, int from)
{
    struct flow *flow = build->flow;
    int callee = chain_of(build, frame)->step[step].callee;
    const struct chain *inner = &flow->program->chain[callee];
    struct target outer = build->target;
    int end;
    int number;

    if (flow->nodes + inner->steps >= FLOW_MOST_NODES ||
        build->before + flow->nodes >= FLOW_MOST_ALL_NODES ||
        count_frames(flow, frame) >= FLOW_MOST_FRAMES) {
        build->root[callee] = true;
        return append(build, FLOW_CALL, frame, step, from);
    }
    number = flow->frames;
    flow->frame = arena_grow(build->arena, flow->frame, flow->frames, &flow->frame_room,
                             sizeof(*flow->frame));
    flow->frame[flow->frames++] =
        (struct flow_frame){.chain = callee,
                            .caller = frame,
                            .call = step,
                            .place = add_node(build, FLOW_PLACE, frame, step)};
    build->target = (struct target){-1, -1, -1};
    end = build_steps(build, number, 0, inner->steps, from);
    add_edge(build, end, flow->frame[number].place);
    build->target = outer;
    return flow->frame[number].place;
}

/* The step where STEP_CONTINUE goes on; -1: none. */
static int last_next(const struct chain *chain, int repeat)
{
    int last = -1;

    for (int s = repeat + 1; s < chain->step[repeat].end; s = chain->step[s].end) {
        last = chain->step[s].kind == STEP_NEXT ? s : last;
    }
    return last;
}

/* That the body runs at all is taken for granted: groups of the loops before and behind it would
 * wait for each other in vain nearly always. */
static int build_repeat(struct build *build, int frame, int step, int from)
{
    const struct step *repeat = &chain_of(build, frame)->step[step];
    struct target outer = build->target;
    int around = build->repeat;
    int head = append(build, FLOW_PLACE, frame, step, from);
    int out;
    int end;

    build->depth++;
    build->repeat = head;
    build->target = (struct target){.out = add_node(build, FLOW_PLACE, frame, step),
                                    .again = add_node(build, FLOW_PLACE, frame, step),
                                    .next = last_next(chain_of(build, frame), step)};
    end = build_steps(build, frame, step + 1, repeat->end, head);
    add_edge(build, end, head);
    add_edge(build, end, build->target.out);
    out = build->target.out;
    build->depth--;
    build->repeat = around;
    build->target = outer;
    return out;
}

static int build_branches(struct build *build, int frame, int step, int from)
{
    const struct chain *chain = chain_of(build, frame);
    const struct step *choice = &chain->step[step];
    bool falls = choice->kind == STEP_SWITCH;
    struct target outer = build->target;
    int out = add_node(build, FLOW_PLACE, frame, step);
    int end = -1;

    build->target.out = falls ? out : build->target.out;
    for (int b = step + 1; b < choice->end; b = chain->step[b].end) {
        int head = append(build, FLOW_PLACE, frame, b, from);

        add_edge(build, falls ? end : -1, head);
        end = build_steps(build, frame, b + 1, chain->step[b].end, head);
        add_edge(build, falls ? -1 : end, out);
    }
    add_edge(build, falls ? end : -1, out);
    add_edge(build, choice->always ? -1 : from, out);
    build->target = outer;
    return out;
}

static int build_next(struct build *build, int step, int from)
{
    if (build->target.next != step) {
        return from;
    }
    add_edge(build, from, build->target.again);
    return build->target.again;
}

static int build_leave(struct build *build, int frame, int step, int from)
{
    const char *word = chain_of(build, frame)->step[step].word;
    int place = build->flow->frame[frame].place;

    /* Other ways to leave, such as exit and throw, lead out of what the flow shows. */
    if (strcmp(word, "return") == 0) {
        add_edge(build, from, place);
    }
    return -1;
}

/* Returns the node that control leaves the step from; -1: none. */
static int build_step(struct build *build, int frame, int step, int from)
{
    switch (chain_of(build, frame)->step[step].kind) {
    case STEP_LOOP:
        return append(build, FLOW_LOOP, frame, step, from);
    case STEP_CODE:
        return append(build, FLOW_CODE, frame, step, from);
    case STEP_CALL:
        return build_call(build, frame, step, from);
    case STEP_REPEAT:
        return build_repeat(build, frame, step, from);
    case STEP_CHOICE:
    case STEP_SWITCH:
        return build_branches(build, frame, step, from);
    case STEP_BREAK:
        add_edge(build, from, build->target.out);
        return -1;
    case STEP_CONTINUE:
        add_edge(build, from, build->target.again);
        return -1;
    case STEP_NEXT:
        return build_next(build, step, from);
    case STEP_LABEL:
        return append(build, FLOW_PLACE, frame, step, from);
    case STEP_LEAVE:
        return build_leave(build, frame, step, from);
    case STEP_GOTO:
    case STEP_BRANCH:
        break;
    }
    return -1;
}

/* Nodes that control does not reach are made too: each loop is in the flow. */
static int build_steps(struct build *build, int frame, int first, int end, int from)
{
    for (int s = first; s < end; s = chain_of(build, frame)->step[s].end) {
        from = build_step(build, frame, s, from);
    }
    return from;
}

/* ---- flows --------------------------------------------------------------------------------------
 */

static struct flow build_flow(struct build *build, const struct program *program, int chain)
{
    struct flow flow = {.program = program};

    build->flow = &flow;
    build->target = (struct target){-1, -1, -1};
    build->depth = 0;
    build->repeat = -1;
    flow.frame = arena_grow(build->arena, NULL, 0, &flow.frame_room, sizeof(*flow.frame));
    flow.frame[flow.frames++] = (struct flow_frame){.chain = chain, .caller = -1, .call = -1};
    flow.frame[0].place = add_node(build, FLOW_PLACE, 0, 0);
    build_steps(build, 0, 0, program->chain[chain].steps, add_node(build, FLOW_PLACE, 0, 0));
    build->flow = NULL;
    return flow;
}

static bool *find_roots(const struct program *program)
{
    bool *root = arena_alloc(program->arena, (size_t)program->chains * sizeof(*root));

    for (int c = 0; c < program->chains; c++) {
        root[c] = true;
    }
    for (int c = 0; c < program->chains; c++) {
        for (int s = 0; s < program->chain[c].steps; s++) {
            const struct step *step = &program->chain[c].step[s];

            if (step->kind == STEP_CALL) {
                root[step->callee] = false;
            }
        }
    }
    return root;
}

/* Callers come behind their callees: a callee that a flow does not follow becomes a root before the
 * walk from the last chain to the first reaches it. */
int flows_make(const struct program *program, struct flow **flow)
{
    struct build build = {.arena = program->arena, .root = find_roots(program)};
    int flows = 0;

    *flow = arena_alloc(program->arena, (size_t)program->chains * sizeof(**flow));
    for (int c = program->chains - 1; c >= 0; c--) {
        if (build.root[c]) {
            (*flow)[flows] = build_flow(&build, program, c);
            build.before += (*flow)[flows++].nodes;
        }
    }
    return flows;
}

bool flow_is_in(const struct flow *flow, int node, int repeat)
{
    int around = flow->node[node].repeat;

    while (around >= 0 && around != repeat) {
        around = flow->node[around].repeat;
    }
    return around == repeat;
}

/* ---- variables ----------------------------------------------------------------------------------
 */

/* The caller's variable that the call binds; HOST_NONE: it binds none. */
static int bound_to(const struct step *call, int var)
{
    for (int b = 0; b < call->binds; b++) {
        if (call->bind[b].inner == var) {
            return call->bind[b].outer;
        }
    }
    return HOST_NONE;
}

struct flow_var flow_resolve(const struct flow *flow, int frame, int var)
{
    const struct program *program = flow->program;

    while (var >= 0 && program->host_var[var].chain >= 0 && flow->frame[frame].caller >= 0) {
        const struct flow_frame *at = &flow->frame[frame];
        const struct chain *caller = &program->chain[flow->frame[at->caller].chain];
        int outer = bound_to(&caller->step[at->call], var);

        if (outer < 0 || program->host_var[outer].varies) {
            break;
        }
        var = outer;
        frame = at->caller;
    }
    return (struct flow_var){var >= 0 && program->host_var[var].chain >= 0 ? frame : -1, var};
}

bool flow_var_same(struct flow_var a, struct flow_var b)
{
    return a.var >= 0 && a.var == b.var && a.frame == b.frame;
}
