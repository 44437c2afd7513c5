/* records.c: what a loop does to all records of the dats that it uses directly: whether it stores
 * every component, whether it leaves zeros, whether it is a plain copy.
 *
 * In: a loop with its graph. Out: arg.sets_whole, arg.sets_zeros and loop.copy_from, copy_to. A
 * loop without a graph, or one that the graph leaves doubts about, has none of these. */
#include <math.h>
#include <string.h>

#include "pass/ir/arena.h"
#include "pass/ir/chain.h"
#include "splitter/graph/graph.h"
#include "splitter/group/records.h"

/* What the loop surely does to one component of each record, last. */
enum stored { STORED_NOT, STORED_VALUE, STORED_ZERO };

struct records {
    const struct loop *loop;
    int arg;
    int dim;
    enum stored *stored; /* [dim] */
};

/* ---- stores -----------------------------------------------------------------------------------
 */

/* The assignment of a node that surely runs and stores one component of an argument; NULL: it is
 * no such node. */
static const struct expr *sure_store(const struct node *node)
{
    bool is_sure = node->kind == NODE_STORE && node->guard == NULL &&
                   node->stmt->kind == STMT_EXPR && node->stmt->expr->kind == EXPR_ASSIGN &&
                   !node->stmt->expr->compound && node->stmt->expr->kid[0]->kind == EXPR_PLACE;
    return is_sure ? node->stmt->expr : NULL;
}

static bool is_plus_zero(const struct expr *expr)
{
    if (expr->kind == EXPR_CAST) {
        return is_plus_zero(expr->kid[0]) &&
               (type_is_floating(expr->type) || type_is_integer(expr->type));
    }
    return (expr->kind == EXPR_INT && expr->bits == 0) ||
           (expr->kind == EXPR_FLOAT && expr->value == 0.0 && !signbit(expr->value));
}

/* The node may store in some way: what it touches is no zero any more. */
static void note_doubt(struct records *records, const struct node *node)
{
    for (int p = 0; p < node->places; p++) {
        const struct place *place = &node->place[p];
        for (int c = 0; place->arg == records->arg && c < records->dim; c++) {
            if ((place->component < 0 || place->component == c) &&
                records->stored[c] == STORED_ZERO) {
                records->stored[c] = STORED_VALUE;
            }
        }
    }
}

static void note_node(struct records *records, const struct node *node)
{
    const struct expr *store = sure_store(node);
    const struct place *place = store != NULL ? &store->kid[0]->place : NULL;
    if (place == NULL || place->arg != records->arg || place->component < 0) {
        if (node->once) {
            note_doubt(records, node);
        }
        return;
    }
    records->stored[place->component] = is_plus_zero(store->kid[1]) ? STORED_ZERO : STORED_VALUE;
}

static bool is_own_record(const struct arg *arg)
{
    return arg->kind == ARG_DAT && !arg->is_indirect && !arg->is_optional && arg->dim > 0;
}

static void find_stores(struct arena *arena, struct loop *loop, int a)
{
    struct arg *arg = &loop->arg[a];
    struct records records = {loop, a, arg->dim,
                              arena_alloc(arena, (size_t)arg->dim * sizeof(enum stored))};
    for (int c = 0; c < arg->dim; c++) {
        records.stored[c] = STORED_NOT;
    }
    for (int n = 0; n < loop->graph->nodes; n++) {
        note_node(&records, &loop->graph->node[n]);
    }
    arg->sets_whole = arg->sets_zeros = true;
    for (int c = 0; c < arg->dim; c++) {
        arg->sets_whole = arg->sets_whole && records.stored[c] != STORED_NOT;
        arg->sets_zeros = arg->sets_zeros && records.stored[c] == STORED_ZERO;
    }
}

/* Whether an argument besides this one may modify the dat. */
static bool is_modified_besides(const struct loop *loop, int a)
{
    for (int b = 0; b < loop->args; b++) {
        const struct arg *other = &loop->arg[b];
        if (b != a && other->kind == ARG_DAT && other->dat == loop->arg[a].dat &&
            other->access != ACCESS_READ) {
            return true;
        }
    }
    return false;
}

/* ---- copies -----------------------------------------------------------------------------------
 */

/* The component of argument `from` that the expression is; -1: it is something else. */
static int component_of(const struct graph *graph, const struct expr *expr, int from)
{
    for (int n = 0; expr->kind == EXPR_VAR && n < graph->nodes; n++) {
        if (graph->node[n].kind == NODE_VALUE && graph->node[n].var == expr->var) {
            return component_of(graph, graph->node[n].expr, from);
        }
    }
    return expr->kind == EXPR_PLACE && expr->place.arg == from ? expr->place.component : -1;
}

/* Whether the loop does nothing but store components of `from` in their places of `to`. */
static bool only_copies(const struct loop *loop, int to, int from)
{
    const struct graph *graph = loop->graph;
    bool copies = graph->contributions == 0;
    for (int n = 0; n < graph->nodes && copies; n++) {
        const struct node *node = &graph->node[n];
        const struct expr *store = sure_store(node);
        copies = node->kind == NODE_VALUE ||
                 (store != NULL && store->kid[0]->place.arg == to &&
                  store->kid[0]->place.component >= 0 &&
                  component_of(graph, store->kid[1], from) == store->kid[0]->place.component);
    }
    return copies;
}

static void find_copy(struct loop *loop)
{
    int to = loop->args == 2 && loop->arg[1].access != ACCESS_READ ? 1 : 0;
    const struct arg *target = &loop->arg[to];
    const struct arg *source = &loop->arg[1 - to];
    if (loop->args == 2 && is_own_record(target) && is_own_record(source) && target->sets_whole &&
        source->access == ACCESS_READ && target->dat != source->dat && target->dim == source->dim &&
        type_same(target->type, source->type) && only_copies(loop, to, 1 - to)) {
        loop->copy_from = 1 - to;
        loop->copy_to = to;
    }
}

/* ---- loops ------------------------------------------------------------------------------------
 */

static void forget(struct loop *loop)
{
    loop->copy_from = loop->copy_to = 0;
    for (int a = 0; a < loop->args; a++) {
        loop->arg[a].sets_whole = loop->arg[a].sets_zeros = false;
    }
}

void records_find(struct arena *arena, struct loop *loop)
{
    forget(loop);
    for (int a = 0; loop->graph != NULL && a < loop->args; a++) {
        if (is_own_record(&loop->arg[a]) && loop->arg[a].access != ACCESS_READ &&
            !is_modified_besides(loop, a)) {
            find_stores(arena, loop, a);
        }
    }
    if (loop->graph != NULL && loop->epilogues == 0) {
        find_copy(loop);
    }
}

/* The effect of a step on the values of a dat: none, +0 in all of them, or others. */
enum doing { DOES_NOTHING, LEAVES_ZEROS, LEAVES_VALUES };

static enum doing doing_of(const struct program *program, const struct step *step, int var)
{
    enum doing doing = DOES_NOTHING;
    for (int a = 0; step->kind == STEP_LOOP && a < step->args; a++) {
        const struct arg *arg = &program->loop[step->loop].arg[a];
        if (arg->kind == ARG_DAT && step->arg[a].data == var && arg->access != ACCESS_READ) {
            doing = arg->sets_zeros && doing != LEAVES_VALUES ? LEAVES_ZEROS : LEAVES_VALUES;
        }
    }
    return doing;
}

/* Whether a loop of any chain leaves zeros in the dat. */
static bool is_cleared(const struct program *program, int var)
{
    bool cleared = false;
    for (int c = 0; c < program->chains; c++) {
        for (int s = 0; s < program->chain[c].steps; s++) {
            cleared = cleared || doing_of(program, &program->chain[c].step[s], var) == LEAVES_ZEROS;
        }
    }
    return cleared;
}

/* Whether the dat is zero when step s comes, as far as the order of the source tells: the chain
 * comes again and again. If no other step of it changes the dat, other chains may. */
static bool comes_to_zeros(const struct program *program, const struct chain *chain, int s, int var)
{
    for (int back = 1; back < chain->steps; back++) {
        const struct step *step = &chain->step[(s - back + chain->steps) % chain->steps];
        const enum doing doing = doing_of(program, step, var);
        if (doing != DOES_NOTHING) {
            return doing == LEAVES_ZEROS;
        }
    }
    return is_cleared(program, var);
}

void records_expect(struct program *program)
{
    for (int c = 0; c < program->chains; c++) {
        const struct chain *chain = &program->chain[c];
        for (int s = 0; s < chain->steps; s++) {
            const struct step *step = &chain->step[s];
            for (int a = 0; step->kind == STEP_LOOP && a < step->args; a++) {
                struct arg *arg = &program->loop[step->loop].arg[a];
                arg->expects_zeros =
                    arg->expects_zeros || (arg->kind == ARG_DAT && arg->is_indirect &&
                                           arg->access == ACCESS_INC && step->arg[a].data >= 0 &&
                                           comes_to_zeros(program, chain, s, step->arg[a].data));
            }
        }
    }
}

/* The last member that modifies what is the joined loop's argument a leaves it as it is. */
static void join_argument(const struct program *program, const struct group *group,
                          struct loop *joined, int a)
{
    for (int m = 0; m < group->members; m++) {
        const struct group_member *member = &group->member[m];
        const struct loop *loop = &program->loop[member->loop];
        for (int b = 0; member->arg != NULL && b < loop->args; b++) {
            const struct arg *arg = &loop->arg[b];
            int p = member->arg[b];
            if (arg->kind == ARG_DAT && arg->access != ACCESS_READ &&
                joined->arg[p].dat == joined->arg[a].dat) {
                joined->arg[a].sets_zeros = p == a && arg->sets_zeros;
                joined->arg[a].sets_whole =
                    p == a && joined->arg[a].access == ACCESS_WRITE && arg->sets_whole;
            }
        }
    }
}

void records_join(const struct program *program, const struct group *group, struct loop *joined)
{
    forget(joined);
    for (int a = 0; a < joined->args; a++) {
        if (joined->arg[a].is_point && !joined->arg[a].is_ahead && is_own_record(&joined->arg[a])) {
            join_argument(program, group, joined, a);
        }
    }
}

/* ---- what a member computes again -------------------------------------------------------------
 */

/* The last member that modifies what is the joined loop's argument p; -1: none does. */
static int last_to_modify(const struct program *program, const struct group *group, int p)
{
    int last = -1;
    for (int m = 0; m < group->members; m++) {
        const struct group_member *member = &group->member[m];
        const struct loop *loop = &program->loop[member->loop];
        for (int a = 0; member->arg != NULL && a < loop->args; a++) {
            last = member->arg[a] == p && loop->arg[a].access != ACCESS_READ ? m : last;
        }
    }
    return last;
}

/* Whether a member from m on modifies the dat of the joined loop's argument p. */
static bool changes_from(const struct program *program, const struct group *group,
                         const struct loop *joined, int m, int p)
{
    bool changes = false;
    for (int q = 0; q < joined->args; q++) {
        changes = changes || (joined->arg[q].dat == joined->arg[p].dat &&
                              last_to_modify(program, group, q) >= m);
    }
    return changes;
}

/* Whether member m, run once more behind the group, stores what it stored: it has dats alone,
 * replaces whole records, and nothing that it reads changes from there on. */
static bool repeats(const struct program *program, const struct group *group,
                    const struct loop *joined, int m)
{
    const struct group_member *member = &group->member[m];
    const struct loop *loop = &program->loop[member->loop];
    bool same = true;
    for (int a = 0; a < loop->args && same; a++) {
        const struct arg *arg = &loop->arg[a];
        same =
            arg->kind == ARG_DAT && !arg->is_optional &&
            (arg->access == ACCESS_READ ? !changes_from(program, group, joined, m, member->arg[a])
                                        : arg->access == ACCESS_WRITE && arg->sets_whole);
    }
    return same;
}

void records_recompute(const struct program *program, const struct group *group,
                       struct loop *joined)
{
    for (int p = 0; p < joined->args; p++) {
        struct arg *arg = &joined->arg[p];
        int m = is_own_record(arg) ? last_to_modify(program, group, p) : -1;
        arg->is_recomputable = m >= 0 && m < group->members - 1 && arg->sets_whole &&
                               !arg->sets_zeros && repeats(program, group, joined, m);
    }
}
