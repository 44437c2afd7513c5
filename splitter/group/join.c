/* join.c: the joined loop of a group, see join.h.
 *
 * In: the user's loops, and a group with the positions of its members' arguments. Out: a loop whose
 * kernel calls theirs:
 *
 *     void group0_save_soln_adt_calc(const double *q, double *qold, double **x, double *adt)
 *     {
 *         save_soln(q, qold);
 *         qold[0] = cleave_stored(qold[0]);      (if adt_calc read qold)
 *         adt_calc(x, q, adt);
 *     }
 *
 * The kernel of a GROUP_GATHER calls that of the first member alone; the others' are phases and
 * epilogues.
 */
#include <stdio.h>
#include <string.h>

#include "pass/ir/arena.h"
#include "splitter/group/join.h"
#include "splitter/lower/lower.h"

struct join {
    const struct program *program;
    struct arena *arena;
    const struct group *group;
    struct loop *loop;
    struct function *kernel;
    struct stmt *body;
    int room;
    int *written; /* [classes of dats] the last member that wrote the dat; -1: none */
    int *
        passed; /* [arguments] the last member behind which its values passed cleave_stored(); -1 */
    struct function *stored[2]; /* of float and double; NULL: not needed so far */
    const char *reason;
    struct loc where;
};

static const struct loop *member_loop(const struct join *join, int m)
{
    return &join->program->loop[join->group->member[m].loop];
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_taken(const struct program *program, const char *name)
{
    for (int l = 0; l < program->loops; l++) {
        if (strcmp(program->loop[l].id, name) == 0) {
            return true;
        }
    }
    for (int f = 0; f < program->functions; f++) {
        if (strcmp(program->function[f]->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* "group0_save_soln_adt_calc": the first and the last member. */
static const char *unique_name(const struct join *join)
{
    int last = join->group->members - 1;
    const char *name;
    int number = join->program->loops - join->program->user_loops;
    do {
        name =
            arena_format(join->arena, "group%d_%.40s_%.40s", number++,
                         member_loop(join, 0)->kernel->name, member_loop(join, last)->kernel->name);
    } while (is_taken(join->program, name));
    return name;
}

static const char *param_name(const struct join *join, int count, const char *wish)
{
    const char *name = wish;
    int number = 2;
    for (int p = 0; p < count; p++) {
        if (strcmp(join->kernel->param[p]->name, name) == 0) {
            name = arena_format(join->arena, "%s_%d", wish, number++);
            p = -1;
        }
    }
    return name;
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* Whether two types differ in nothing but const, at any depth. */
static bool same_but_const(const struct type *a, const struct type *b)
{
    if (a->kind != b->kind || a->size != b->size || a->count != b->count ||
        a->record != b->record) {
        return false;
    }
    return a->elem == NULL || same_but_const(a->elem, b->elem);
}

static int const_levels(const struct type *type)
{
    return type == NULL ? 0 : type->is_const + const_levels(type->elem);
}

static bool is_joined(const struct join *join, int m)
{
    return join->group->member[m].arg != NULL;
}

static const struct var *member_param(const struct join *join, int m, int a)
{
    return member_loop(join, m)->kernel->param[a];
}

/* Sets the parameter's type to the one that the members write through, if any does. */
static bool unify(struct join *join, int m, int a, struct var *param)
{
    const struct var *other = member_param(join, m, a);
    const struct group_arg *first = &join->group->arg[param->index];
    if (!same_but_const(param->type, other->type) || param->work_dim != other->work_dim) {
        join->reason = arena_format(join->arena, "'%s' takes '%s' as another type than '%s' does",
                                    member_loop(join, m)->kernel->user_name,
                                    join->loop->arg[param->index].dat_text,
                                    member_loop(join, first->member)->kernel->user_name);
        join->where = member_loop(join, m)->loc;
        return false;
    }
    if (const_levels(other->type) < const_levels(param->type)) {
        param->type = other->type;
    }
    return true;
}

static bool make_params(struct join *join)
{
    const struct group *group = join->group;
    join->kernel->params = group->args;
    join->kernel->param = arena_alloc(join->arena, (size_t)group->args * sizeof(struct var *));
    for (int p = 0; p < group->args; p++) {
        struct var *param = arena_alloc(join->arena, sizeof(*param));
        *param = *member_param(join, group->arg[p].member, group->arg[p].arg);
        param->name = param_name(join, p, param->name);
        param->index = p;
        join->kernel->param[p] = param;
    }
    for (int m = 0; m < group->members; m++) {
        for (int a = 0; is_joined(join, m) && a < member_loop(join, m)->args; a++) {
            if (!unify(join, m, a, join->kernel->param[group->member[m].arg[a]])) {
                return false;
            }
        }
    }
    return true;
}

/* ---- trees ----------------------------------------------------------------------------------- */

static struct expr *make(const struct join *join, enum expr_kind kind, const struct type *type,
                         int kids)
{
    struct expr *expr = arena_alloc(join->arena, sizeof(*expr));
    expr->kind = kind;
    expr->type = type;
    expr->loc = join->where;
    expr->kids = kids;
    expr->kid = arena_alloc(join->arena, (size_t)kids * sizeof(struct expr *));
    return expr;
}

static void add_statement(struct join *join, struct expr *expr)
{
    struct stmt *stmt = arena_alloc(join->arena, sizeof(*stmt));
    stmt->kind = STMT_EXPR;
    stmt->loc = join->where;
    stmt->expr = expr;
    join->body->kid = arena_grow(join->arena, join->body->kid, join->body->kids, &join->room,
                                 sizeof(struct stmt *));
    join->body->kid[join->body->kids++] = stmt;
}

static void add_callee(const struct join *join, struct function *callee)
{
    struct function *kernel = join->kernel;
    for (int c = 0; c < kernel->callees; c++) {
        if (kernel->callee[c] == callee) {
            return;
        }
    }
    kernel->callee[kernel->callees++] = callee;
}

static struct expr *parameter(const struct join *join, int p)
{
    struct expr *expr = make(join, EXPR_VAR, join->kernel->param[p]->type, 0);
    expr->var = join->kernel->param[p];
    return expr;
}

static void add_call(struct join *join, int m)
{
    struct function *callee = member_loop(join, m)->kernel;
    struct expr *call = make(join, EXPR_CALL, callee->result, callee->params);
    call->callee = callee;
    for (int a = 0; a < callee->params; a++) {
        struct expr *value = parameter(join, join->group->member[m].arg[a]);
        call->kid[a] = value;
        if (const_levels(value->type) != const_levels(callee->param[a]->type)) {
            call->kid[a] = make(join, EXPR_CAST, callee->param[a]->type, 1);
            call->kid[a]->kid[0] = value;
            call->kid[a]->implicit = true;
        }
    }
    add_callee(join, callee);
    add_statement(join, call);
}

/* ---- values that pass from one member to another ----------------------------------------------
 */

static struct function *stored_function(struct join *join, const struct type *type)
{
    struct function **stored = &join->stored[type->kind == TYPE_DOUBLE];
    if (*stored == NULL) {
        struct var *param = arena_alloc(join->arena, sizeof(*param));
        *param = (struct var){.name = "x", .type = type, .storage = STORAGE_PARAM};
        *stored = arena_alloc(join->arena, sizeof(**stored));
        const char *name = type->kind == TYPE_DOUBLE ? GRAPH_STORED_DOUBLE : GRAPH_STORED_FLOAT;
        **stored = (struct function){
            .name = name, .user_name = name, .kind = FUNCTION_MATH, .result = type, .params = 1};
        (*stored)->param = arena_alloc(join->arena, sizeof(struct var *));
        (*stored)->param[0] = param;
        add_callee(join, *stored);
    }
    return *stored;
}

static struct expr *component(const struct join *join, int p, int c)
{
    static const struct type number = {.kind = TYPE_INT, .size = sizeof(int)};
    const struct type *type = join->kernel->param[p]->type;
    struct expr *index = make(join, EXPR_INT, &number, 0);
    struct expr *place = make(join, EXPR_INDEX, type->elem, 2);
    index->bits = (unsigned long long)c;
    place->kid[0] = parameter(join, p);
    place->kid[1] = index;
    return place;
}

/* "p[c] = cleave_stored(p[c]);" for each component of argument p. */
static void add_passing(struct join *join, int p)
{
    const struct arg *arg = &join->loop->arg[p];
    struct type *type = arena_alloc(join->arena, sizeof(*type));
    *type = *arg->type;
    type->is_const = false;
    for (int c = 0; c < arg->dim; c++) {
        struct expr *assign = make(join, EXPR_ASSIGN, type, 2);
        struct expr *call = make(join, EXPR_CALL, type, 1);
        call->callee = stored_function(join, type);
        call->kid[0] = component(join, p, c);
        assign->kid[0] = component(join, p, c);
        assign->kid[1] = call;
        add_statement(join, assign);
    }
}

/* Member m reads floating-point values of argument p that an earlier member wrote, and that have
 * not passed cleave_stored() since. Integers need not pass: they are not contracted. */
static bool must_pass(const struct join *join, int m, int a)
{
    int p = join->group->member[m].arg[a];
    const struct arg *arg = &join->loop->arg[p];
    return arg->kind == ARG_DAT && !arg->is_indirect && type_is_floating(arg->type) &&
           member_loop(join, m)->arg[a].access != ACCESS_WRITE &&
           join->written[arg->dat] > join->passed[p];
}

static bool pass_values(struct join *join, int m)
{
    const struct loop *member = member_loop(join, m);
    for (int a = 0; a < member->args; a++) {
        if (!must_pass(join, m, a)) {
            continue;
        }
        int p = join->group->member[m].arg[a];
        if (join->loop->arg[p].dim < 1 || join->kernel->param[p]->type->elem->elem != NULL) {
            join->reason = arena_format(join->arena,
                                        "'%s' reads '%s', which an earlier loop writes, in "
                                        "records whose components are not known",
                                        member->kernel->user_name, member->arg[a].dat_text);
            join->where = member->loc;
            return false;
        }
        add_passing(join, p);
        join->passed[p] = m - 1;
    }
    return true;
}

static void note_written(struct join *join, int m)
{
    const struct loop *member = member_loop(join, m);
    for (int a = 0; a < member->args; a++) {
        const struct arg *arg = &join->loop->arg[join->group->member[m].arg[a]];
        if (arg->kind == ARG_DAT && !arg->is_indirect && member->arg[a].access != ACCESS_READ) {
            join->written[arg->dat] = m;
        }
    }
}

static bool make_body(struct join *join)
{
    const struct group *group = join->group;
    size_t callees = (size_t)group->members + 2;
    join->body = arena_alloc(join->arena, sizeof(*join->body));
    join->body->kind = STMT_BLOCK;
    join->body->loc = join->where;
    join->kernel->body = join->body;
    join->kernel->callee = arena_alloc(join->arena, callees * sizeof(struct function *));
    join->written = arena_alloc(join->arena, (size_t)(group->args + 1) * sizeof(int));
    join->passed = arena_alloc(join->arena, (size_t)(group->args + 1) * sizeof(int));
    for (int n = 0; n <= group->args; n++) {
        join->written[n] = -1;
        join->passed[n] = -1;
    }
    for (int m = 0; m < group->members; m++) {
        join->where = member_loop(join, m)->loc;
        if (!is_joined(join, m)) {
            continue;
        }
        if (group->form == GROUP_GATHER && m != group_first_joined(group)) {
            join_behind_sums(join->program, group, m, join->loop);
            continue;
        }
        if (!pass_values(join, m)) {
            return false;
        }
        add_call(join, m);
        note_written(join, m);
    }
    return true;
}

/* ---- values that need not pass ----------------------------------------------------------------
 */

/* The graph, which knows the components that a member reads, and that copies of memory round
 * nothing, has a node for this statement, which comes before member m. */
static bool is_needed(const struct graph *graph, int m, const struct place *place)
{
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        if (node->kind == NODE_VALUE && node->member == m && node->expr->kind == EXPR_CALL &&
            graph_is_stored(node->expr->callee) && node->expr->place.arg == place->arg &&
            node->expr->place.component == place->component) {
            return true;
        }
    }
    return false;
}

/* Drops statements that pass values which no later member needs to get so. */
static void drop_needless(struct join *join, const struct graph *graph)
{
    struct stmt *body = join->body;
    int kept = 0;
    int m = 0;
    for (int k = 0; k < body->kids; k++) {
        const struct expr *expr = body->kid[k]->expr;
        if (expr->kind == EXPR_CALL) {
            m++;
        }
        bool passes = expr->kind == EXPR_ASSIGN;
        const struct place place = {passes ? expr->kid[0]->kid[0]->var->index : -1, 0,
                                    passes ? (int)expr->kid[0]->kid[1]->bits : -1};
        if (!passes || is_needed(graph, m, &place)) {
            body->kid[kept++] = body->kid[k];
        }
    }
    body->kids = kept;
}

static void drop_callee(struct function *kernel, const struct function *callee)
{
    int kept = 0;
    for (int c = 0; c < kernel->callees; c++) {
        if (kernel->callee[c] != callee) {
            kernel->callee[kept++] = kernel->callee[c];
        }
    }
    kernel->callees = kept;
}

static void note_call(struct expr *expr, void *user)
{
    const struct function **wanted = user;
    if (expr->kind == EXPR_CALL && expr->callee == *wanted) {
        *wanted = NULL;
    }
}

/* Takes functions that the body does not call any more off the kernel's list. */
static void drop_callees(const struct join *join)
{
    for (int s = 0; s < 2; s++) {
        const struct function *wanted = join->stored[s];
        stmt_visit(join->body, NULL, note_call, &wanted);
        if (wanted != NULL) {
            drop_callee(join->kernel, wanted);
        }
    }
}

static bool simplify(struct join *join)
{
    const struct graph *graph = graph_lower(join->arena, join->loop, &join->reason, &join->where);
    if (graph == NULL) {
        return false;
    }
    drop_needless(join, graph);
    drop_callees(join);
    return true;
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* Position of the first argument of the class that argument a belongs to, as in the user's loops.
 */
static int first_of_dat(const struct group *group, int a)
{
    int first = 0;
    while (group->arg[first].dat != group->arg[a].dat) {
        first++;
    }
    return group->arg[a].dat < 0 ? -1 : first;
}

static int first_of_map(const struct group *group, int a)
{
    int first = 0;
    while (group->arg[first].map != group->arg[a].map) {
        first++;
    }
    return group->arg[a].map < 0 ? -1 : first;
}

static void make_loop(struct join *join)
{
    const struct group *group = join->group;
    const struct loop *first = member_loop(join, group_first_joined(group));
    const char *name = unique_name(join);
    struct arg *arg = arena_alloc(join->arena, (size_t)group->args * sizeof(*arg));
    for (int a = 0; a < group->args; a++) {
        arg[a] = group_joined_arg(join->program, group, a);
        arg[a].dat = first_of_dat(group, a);
        arg[a].map = first_of_map(group, a);
    }
    join->kernel = arena_alloc(join->arena, sizeof(*join->kernel));
    *join->kernel = (struct function){.name = name,
                                      .user_name = group->name,
                                      .kind = FUNCTION_USER,
                                      .result = first->kernel->result,
                                      .loc = first->kernel->loc};
    *join->loop = (struct loop){
        .name = group->name,
        .id = name,
        .call_text = arena_format(join->arena, "\001%s %d", group->name, join->program->loops),
        .set_text = first->set_text,
        .kernel = join->kernel,
        .loc = first->loc,
        .args = group->args,
        .arg = arg};
    join->loop->signature = loop_signature(join->arena, join->loop);
}

bool group_join(const struct program *program, const struct group *group, struct loop *loop,
                const char **reason, struct loc *where)
{
    struct join join = {.program = program,
                        .arena = program->arena,
                        .group = group,
                        .loop = loop,
                        .where = group->loc};
    make_loop(&join);
    bool made = make_params(&join) && make_body(&join) && simplify(&join);
    *reason = join.reason;
    *where = join.where;
    return made;
}
