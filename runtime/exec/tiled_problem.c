/* tiled_problem.c: what the members of a sequence read and modify, as runtime/tile/ wants it.
 *
 * Dats on one set are not told apart: the points of the set remember who has used any of them. Only
 * dats that a member modifies count. */
#include "runtime/base/machine.h"
#include "runtime/exec/tiled.h"

enum {
    MOST_SETS = sizeof((struct cleave_tiled_problem){0}).set / sizeof(struct cleave_set *),
    MOST_ACCESSES = sizeof((struct cleave_tiled_problem){0}).access / sizeof(struct tile_access),
    /* Elements that stay together, at most: long enough for lanes, and short enough that few of
     * them touch two domains. */
    PIECE = 64,
    /* Pieces of a loop, at least: a small loop, such as one over a boundary, has short ones, whose
     * elements may be far from each other. */
    LEAST_PIECES = 4096
};

/* 1: the dat is modified by a member. */
static int is_modified(const struct cleave_tiled_member *member, int members, op_dat dat)
{
    for (int m = 0; m < members; m++) {
        const struct cleave_call *call = member[m].call;
        for (int a = 0; a < call->args; a++) {
            if (cleave_arg_uses_dat(&call->arg[a]) && call->arg[a].dat == dat &&
                call->arg[a].acc != OP_READ) {
                return 1;
            }
        }
    }
    return 0;
}

/* Adds an access of the last loop, or joins it with one through the same column. 0: there are too
 * many. */
static int add(struct cleave_tiled_problem *problem, struct tile_loop *loop,
               struct tile_access access)
{
    struct tile_access *own = &problem->access[problem->accesses - loop->accesses];
    for (int a = 0; a < loop->accesses; a++) {
        if (own[a].set == access.set && own[a].map == access.map &&
            own[a].column == access.column) {
            own[a].modifies |= access.modifies;
            return 1;
        }
    }
    if (problem->accesses == MOST_ACCESSES) {
        return 0;
    }
    problem->access[problem->accesses++] = access;
    loop->accesses++;
    return 1;
}

/* The position of the set; -1: there are too many. */
static int set_of(struct cleave_tiled_problem *problem, op_set set)
{
    const struct cleave_set *own = cleave_set_of(set);
    int s = 0;
    while (s < problem->tile.sets && problem->set[s] != own) {
        s++;
    }
    if (s == MOST_SETS) {
        return -1;
    }
    if (s == problem->tile.sets) {
        problem->tile.sets++;
        problem->set[s] = own;
        problem->points[s] = set->size;
    }
    return s;
}

static int add_argument(struct cleave_tiled_problem *problem, struct tile_loop *loop,
                        const struct cleave_tiled_member *member, int a)
{
    const op_arg *arg = &member->call->arg[a];
    struct tile_access access = {
        .set = set_of(problem, arg->dat->set),
        .map = arg->map != NULL ? member->launcher->map[a] : NULL,
        .width = arg->map != NULL ? arg->map->dim : 0,
        .column = arg->map != NULL ? arg->idx : 0,
        .modifies = arg->acc != OP_READ,
    };
    if (access.set < 0) {
        return 0;
    }
    if (!cleave_arg_is_vector(arg)) {
        return add(problem, loop, access);
    }
    int fits = 1;
    for (access.column = 0; access.column < -arg->idx; access.column++) {
        fits = fits && add(problem, loop, access);
    }
    return fits;
}

/* Elements of the loop that stay together. Those of a reduction are the blocks of its partial
 * results. */
static int piece_of(const struct cleave_tiled_member *member)
{
    const struct cleave_launcher *launcher = member->launcher;
    if (launcher->partial.bytes > 0) {
        return launcher->choice.block_size;
    }
    return MAX(1, MIN(PIECE, member->call->set->size / LEAST_PIECES));
}

/* NULL: the member's launch has been gathered in this generation. */
static const char *why_unknown(const struct cleave_tiled_member *member)
{
    const struct cleave_launcher *launcher = member->launcher;
    int known = launcher != NULL && launcher->chosen_at == cleave_generation;
    for (int a = 0; known && a < member->call->args; a++) {
        known = member->call->arg[a].map == NULL || launcher->map[a] != NULL;
    }
    known = known && (launcher->launch.plan != NULL || launcher->choice.plan == NULL);
    return known ? NULL : "a variant is being tried";
}

/* Why a member cannot be cut into pieces; NULL: it can. is_last: it is the sequence's last call. */
static const char *why_whole(const struct cleave_tiled_member *member, int is_last)
{
    const struct cleave_choice *choice = &member->launcher->choice;
    const enum cleave_plan_kind plan = choice->variant->plan;
    if (choice->device != NULL) {
        return "they do not run on the host";
    }
    if (choice->loop->prints || (!is_last && member->launcher->partial.bytes > 0)) {
        return "the program sees what a loop has done when its call returns";
    }
    if ((plan != CLEAVE_PLAN_NONE && plan != CLEAVE_PLAN_RANGES) ||
        choice->variant->tmp_bytes > 0 || choice->variant->sums_bytes != NULL) {
        return "a variant is used that runs a loop as a whole";
    }
    if (plan == CLEAVE_PLAN_RANGES && member->launcher->partial.bytes > 0) {
        return "a loop reduces and also modifies data through a map";
    }
    return NULL;
}

/* Why the dats of a member, or its globals, may be one memory; NULL: they are not. */
static const char *why_shared(const struct cleave_tiled_member *member)
{
    for (int a = 0; a < member->call->args; a++) {
        const op_arg *arg = &member->call->arg[a];
        const struct cleave_dat *dat = cleave_arg_uses_dat(arg) ? cleave_dat_of(arg->dat) : NULL;
        if (dat != NULL && (dat->overlay != NULL || dat->borrowed)) {
            return "a dat lies in an array of the program, or shares its values with another dat";
        }
    }
    return NULL;
}

/* Sets the pointers inside of the problem. */
static void bind(struct cleave_tiled_problem *problem)
{
    problem->tile.points = problem->points;
    problem->tile.loop = problem->loop;
    for (int m = 0, at = 0; m < problem->tile.loops; at += problem->loop[m++].accesses) {
        problem->loop[m].access = &problem->access[at];
    }
}

const char *cleave_tiled_describe(const struct cleave_tiled_member *member, int members,
                                  struct cleave_tiled_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    problem->generation = cleave_generation;
    for (int m = 0; m < members; m++) {
        const struct cleave_call *call = member[m].call;
        struct tile_loop *loop = &problem->loop[m];
        const char *reason = why_unknown(&member[m]);
        reason = reason == NULL ? why_whole(&member[m], m + 1 == members) : reason;
        if (reason == NULL && (reason = why_shared(&member[m])) == NULL) {
            loop->elements = call->set->size;
            loop->piece = piece_of(&member[m]);
            loop->plan = member[m].launcher->launch.plan;
            loop->bytes = call->bytes / call->set->size;
        }
        for (int a = 0; a < call->args && reason == NULL; a++) {
            if (cleave_arg_uses_dat(&call->arg[a]) &&
                is_modified(member, members, call->arg[a].dat) &&
                !add_argument(problem, loop, &member[m], a)) {
                reason = "they use too many maps";
            }
        }
        if (reason != NULL) {
            return reason;
        }
    }
    problem->tile.loops = members;
    problem->tile.tile_bytes = cleave_machine.tile_bytes;
    bind(problem);
    return NULL;
}

void cleave_tiled_copy(struct cleave_tiled_problem *to, const struct cleave_tiled_problem *from)
{
    *to = *from;
    bind(to);
}

static int same_loop(const struct tile_loop *a, const struct tile_loop *b)
{
    return a->elements == b->elements && a->piece == b->piece && a->plan == b->plan &&
           a->accesses == b->accesses;
}

static int same_access(const struct tile_access *a, const struct tile_access *b)
{
    return a->set == b->set && a->map == b->map && a->width == b->width && a->column == b->column &&
           a->modifies == b->modifies;
}

int cleave_tiled_same(const struct cleave_tiled_problem *a, const struct cleave_tiled_problem *b)
{
    int same = a->generation == b->generation && a->tile.sets == b->tile.sets &&
               a->tile.loops == b->tile.loops && a->accesses == b->accesses;
    for (int s = 0; same && s < a->tile.sets; s++) {
        same = a->set[s] == b->set[s];
    }
    for (int l = 0; same && l < a->tile.loops; l++) {
        same = same_loop(&a->loop[l], &b->loop[l]);
    }
    for (int n = 0; same && n < a->accesses; n++) {
        same = same_access(&a->access[n], &b->access[n]);
    }
    return same;
}
