/* args.c: the arguments of a joined loop. Arguments of several members that lead to the same
 * records become one; its access says what the members do to the records together.
 */
#include "pass/ir/arena.h"
#include "splitter/graph/graph.h"
#include "splitter/group/group_impl.h"
#include "splitter/partition/cost.h"

const struct loop *run_loop(const struct run *run, int member)
{
    return &run->flow->program->loop[flow_step(run->flow, run->node[member])->loop];
}

struct flow_var flow_data(const struct flow *flow, int node, int arg)
{
    return flow_resolve(flow, flow->node[node].frame, flow_step(flow, node)->arg[arg].data);
}

struct flow_var flow_map(const struct flow *flow, int node, int arg)
{
    return flow_resolve(flow, flow->node[node].frame, flow_step(flow, node)->arg[arg].map);
}

/* ---- which arguments are one --------------------------------------------------------------------
 */

static bool may_share(const struct arg *a, const struct arg *b)
{
    if (a->kind != b->kind || a->dim != b->dim || a->is_indirect != b->is_indirect ||
        a->is_vector != b->is_vector || a->map_index != b->map_index || a->columns != b->columns) {
        return false;
    }
    switch (a->kind) {
    case ARG_DAT:
        return type_same(a->type, b->type) && a->is_soa == b->is_soa;
    case ARG_GLOBAL:
        return type_same(a->type, b->type) && a->access == ACCESS_READ && b->access == ACCESS_READ;
    case ARG_INDEX:
        return true;
    default:
        return false;
    }
}

/* Whether a frame is another one, or called by it, directly or not. */
static bool is_inside(const struct flow *flow, int frame, int outer)
{
    while (frame >= 0 && frame != outer) {
        frame = flow->frame[frame].caller;
    }
    return frame == outer;
}

bool run_names_same(const struct run *run, int member, struct flow_var var, int later,
                    struct flow_var other)
{
    if (!flow_var_same(var, other)) {
        return false;
    }
    for (int m = member + 1; m <= later && var.frame >= 0; m++) {
        if (run->left[m] >= 0 && is_inside(run->flow, var.frame, run->left[m])) {
            return false;
        }
    }
    return true;
}

bool run_same_data(const struct run *run, int member, int arg, int later, int other)
{
    return run_names_same(run, member, flow_data(run->flow, run->node[member], arg), later,
                          flow_data(run->flow, run->node[later], other));
}

static bool same_map(const struct run *run, int member, int arg, int later, int other)
{
    return run_names_same(run, member, flow_map(run->flow, run->node[member], arg), later,
                          flow_map(run->flow, run->node[later], other));
}

/* Whether two arguments lead to the same records: the same dat, direct or through one column of one
 * map. */
static bool share_path(const struct run *run, int member, int arg, int later, int other)
{
    const struct arg *a = &run_loop(run, member)->arg[arg];
    const struct arg *b = &run_loop(run, later)->arg[other];

    return may_share(a, b) &&
           (a->kind == ARG_INDEX || run_same_data(run, member, arg, later, other)) &&
           (!a->is_indirect || same_map(run, member, arg, later, other));
}

/* Whether the loop sets every component of a direct argument, whatever its values are. */
static bool sets_all(const struct loop *loop, int arg)
{
    unsigned long long set = 0;
    int dim = loop->arg[arg].dim;

    if (loop->graph == NULL || dim < 1 || dim > 63) {
        return false;
    }
    for (int n = 0; n < loop->graph->nodes; n++) {
        const struct node *node = &loop->graph->node[n];

        const struct expr *target = node->kind == NODE_STORE && node->guard == NULL &&
                                            node->stmt->kind == STMT_EXPR &&
                                            node->stmt->expr->kind == EXPR_ASSIGN
                                        ? node->stmt->expr->kid[0]
                                        : NULL;

        if (target != NULL && target->kind == EXPR_PLACE && target->place.arg == arg) {
            set |= 1ULL << target->place.component;
        }
    }
    return set == (1ULL << dim) - 1;
}

enum access join_access(const struct loop *first, int a, enum access access, enum access next)
{
    if (access == next || (access == ACCESS_WRITE && sets_all(first, a))) {
        return access;
    }
    return ACCESS_RW;
}

/* ---- the group ----------------------------------------------------------------------------------
 */

struct joining {
    const struct run *run;
    struct group *group;
    int room;
};

/* In a run that gathers, the first loop, phases, and the loops over points run over different sets:
 * they have nothing but values in common. */
static bool is_of_one_set(const struct run *run, int member, int arg, int later)
{
    if ((!run->gathers && !run_has_phases(run)) ||
        run_loop(run, member)->arg[arg].kind == ARG_GLOBAL) {
        return true;
    }
    return member > 0 && run_phase_set(run, member) == run_phase_set(run, later);
}

/* Number of the joined argument that leads to the same records; -1: there is none yet. */
static int find_joined(const struct joining *joining, int member, int arg)
{
    const struct run *run = joining->run;

    for (int j = 0; j < joining->group->args; j++) {
        const struct group_arg *joined = &joining->group->arg[j];

        if (joined->member != member && is_of_one_set(run, joined->member, joined->arg, member) &&
            share_path(run, joined->member, joined->arg, member, arg)) {
            return j;
        }
    }
    return -1;
}

/* Whether the dat, or the map, of a joined argument is that of a member's argument. */
static bool is_of_class(const struct run *run, const struct group_arg *joined, int member, int arg,
                        bool map)
{
    const struct arg *before = &run_loop(run, joined->member)->arg[joined->arg];
    const struct arg *users = &run_loop(run, member)->arg[arg];

    if (joined->member == member) {
        return map ? before->map == users->map : before->dat == users->dat;
    }
    return map ? same_map(run, joined->member, joined->arg, member, arg)
               : run_same_data(run, joined->member, joined->arg, member, arg);
}

/* The class of a dat or map: that of an earlier joined argument with the same, else a new one. */
static int class_of(const struct joining *joining, int member, int arg, bool map)
{
    int classes = 0;

    for (int j = 0; j < joining->group->args; j++) {
        const struct group_arg *joined = &joining->group->arg[j];
        int class = map ? joined->map : joined->dat;

        if (class >= 0 && is_of_class(joining->run, joined, member, arg, map)) {
            return class;
        }
        classes = class >= classes ? class + 1 : classes;
    }
    return classes;
}

static int add_arg(struct joining *joining, int member, int arg)
{
    struct group *group = joining->group;
    const struct arg *users = &run_loop(joining->run, member)->arg[arg];
    struct group_arg joined = {.member = member, .arg = arg, .access = users->access};

    joined.dat = users->dat >= 0 ? class_of(joining, member, arg, false) : -1;
    joined.map = users->map >= 0 ? class_of(joining, member, arg, true) : -1;
    joined.set = users->kind == ARG_DAT ? run_phase_set(joining->run, member) : 0;
    group->arg = arena_grow(joining->run->flow->program->arena, group->arg, group->args,
                            &joining->room, sizeof(*group->arg));
    group->arg[group->args] = joined;
    return group->args++;
}

static void add_member(struct joining *joining, int member)
{
    const struct run *run = joining->run;
    const struct loop *loop = run_loop(run, member);
    int *position = arena_alloc(run->flow->program->arena, (size_t)loop->args * sizeof(*position));

    for (int a = 0; a < loop->args; a++) {
        int joined = find_joined(joining, member, a);

        position[a] = joined >= 0 ? joined : add_arg(joining, member, a);
        if (joined >= 0) {
            struct group_arg *both = &joining->group->arg[joined];

            both->access = join_access(run_loop(run, both->member), both->arg, both->access,
                                       loop->arg[a].access);
        }
    }
    joining->group->member[member] = (struct group_member){
        .loop = flow_step(run->flow, run->node[member])->loop,
        .place = run->ahead && member == run->members - 1 ? GROUP_AHEAD : GROUP_IS_JOINED,
        .arg = position};
}

int run_joined_before(const struct run *run, int member)
{
    int before = member - 1;

    while (before >= 0 && run->before[before]) {
        before--;
    }
    return before;
}

static const char *name_of(const struct run *run)
{
    struct arena *arena = run->flow->program->arena;
    const char *name = run_loop(run, 0)->name;

    for (int m = 1; m < run->members; m++) {
        const char sign = run->ahead && m == run->members - 1 ? '|' : '+';

        name = run->before[m] ? name
                              : arena_format(arena, "%s%c%s", name, sign, run_loop(run, m)->name);
    }
    return name;
}

void run_make_group(const struct run *run, struct group *group)
{
    struct joining joining = {.run = run, .group = group};

    *group = (struct group){.name = name_of(run),
                            .form = run->gathers ? GROUP_GATHER : GROUP_SET,
                            .members = run->members,
                            .loop = -1,
                            .loc = flow_step(run->flow, run->node[0])->loc};
    group->member =
        arena_alloc(run->flow->program->arena, (size_t)run->members * sizeof(*group->member));
    for (int m = 0; m < run->members; m++) {
        if (run->before[m]) {
            group->member[m] = (struct group_member){
                .loop = flow_step(run->flow, run->node[m])->loop, .place = GROUP_BEFORE};
        } else {
            add_member(&joining, m);
        }
    }
}

/* ---- bytes --------------------------------------------------------------------------------------
 */

static double joined_bytes(const struct program *program, const struct group *group)
{
    struct loop joined = {.args = group->args};

    joined.arg = arena_alloc(program->arena, (size_t)group->args * sizeof(*joined.arg));
    for (int a = 0; a < group->args; a++) {
        joined.arg[a] = group_joined_arg(program, group, a);
    }
    return cost_memory(&joined);
}

double run_bytes_apart(const struct run *run)
{
    double bytes = 0;

    for (int m = 0; m < run->members; m++) {
        bytes += run->before[m] ? 0 : cost_memory(run_loop(run, m));
    }
    return bytes;
}

double run_bytes_joined(const struct run *run, const struct group *group)
{
    return joined_bytes(run->flow->program, group);
}

int group_saved_bytes(const struct program *program, const struct group *group)
{
    double saved = -joined_bytes(program, group);

    for (int m = 0; m < group->members; m++) {
        const struct group_member *member = &group->member[m];

        saved += member->arg != NULL ? cost_memory(&program->loop[member->loop]) : 0;
    }
    return saved > 0 ? (int)(saved + 0.5) : 0;
}
