/* access_walk.c: follows the pointers of a loop's arguments through the statements of a kernel and
 * its helpers, and reports each use that the declared access does not allow.
 *
 * Every pointer expression has a set of targets (access_expr.c): the arguments that it may point
 * into, and where. Statements are walked in order; pointer variables are joined where paths meet,
 * and loops are walked until nothing changes any more. A helper is walked once for each combination
 * of targets passed to it, and each time when it is given pointers to pointers (access_store.c). If
 * a pointer's target is in doubt (taken from an array of pointers by a subscript that is not
 * known), nothing is reported; the loop runs sequentially when the use may be wrong. */
#include "pass/access/access_impl.h"
#include "pass/access/access_state.h"
#include "pass/ir/arena.h"

static void walk_stmt(struct walk *walk, const struct stmt *stmt);

/* One branch of an if, and where it ends. */
static bool walk_branch(struct walk *walk, const struct stmt *branch, const struct guards *guards)
{
    int mark = extremum_enter(walk, guards);

    walk_stmt(walk, branch);
    extremum_leave(walk, mark, guards->count);
    return !walk->state->is_reached;
}

static void walk_if(struct walk *walk, const struct stmt *stmt)
{
    struct value value = access_value(walk, stmt->expr).value;
    struct guards yes;
    struct guards no;
    struct guards kept = {0};
    struct state *before;
    bool taken;
    bool jumped;
    bool other_jumped = false;
    int mark = walk->guards.count;

    if (access_truth(stmt->expr, &taken)) { /* as in kernels for several dimensions */
        if (taken || stmt->kids == 2) {
            walk_stmt(walk, stmt->kid[taken ? 0 : 1]);
        }
        return;
    }
    yes = extremum_guards(walk, stmt->expr, value, true);
    no = extremum_guards(walk, stmt->expr, value, false);
    before = state_copy(walk);
    walk->counters.depth++;
    jumped = walk_branch(walk, stmt->kid[0], &yes);
    if (stmt->kids == 2) {
        struct state *after = walk->state;

        walk->state = before;
        extremum_stash(walk, mark, &kept);
        other_jumped = walk_branch(walk, stmt->kid[1], &no);
        extremum_enter(walk, &kept);
        before = after;
    }
    walk->counters.depth--;
    state_join(walk, before);
    extremum_jumped(walk, &no, stmt->kid[0], jumped);
    if (stmt->kids == 2) {
        extremum_jumped(walk, &yes, stmt->kid[1], other_jumped);
    }
}

/* Marks values of an extremum that were read before the loop as old if a round may change it.
 * Returns whether there are any. */
static bool begin_rounds(struct walk *walk, const int *before)
{
    bool any = false;

    for (int n = 0; n < walk->loop->args; n++) {
        if (walk->version[n] != before[n]) {
            walk->version[n]++;
            any = true;
        }
    }
    return any;
}

static int *versions(const struct walk *walk)
{
    size_t bytes = (size_t)walk->loop->args * sizeof(*walk->version);
    int *copy = arena_alloc(walk->arena, bytes);

    for (int n = 0; n < walk->loop->args; n++) {
        copy[n] = walk->version[n];
    }
    return copy;
}

/* One round of a loop: condition, body and step. */
static void walk_round(struct walk *walk, const struct stmt *stmt, const struct stmt *body)
{
    struct guards guards = {0};
    int mark;

    if (stmt->expr != NULL && stmt->kind != STMT_DO) {
        struct value value = access_value(walk, stmt->expr).value;

        guards = extremum_guards(walk, stmt->expr, value, true);
    }
    mark = extremum_enter(walk, &guards);
    walk->continued = state_new(walk);
    walk_stmt(walk, body);
    state_join(walk, walk->continued);
    extremum_cut(walk, mark + guards.count, END_OF_ROUND);
    if (stmt->expr != NULL && stmt->kind == STMT_DO) {
        struct value value = access_value(walk, stmt->expr).value;
        struct guards again = extremum_guards(walk, stmt->expr, value, true);

        for (int n = 0; n < again.count; n++) {
            again.guard[n].end = END_OF_LOOP;
        }
        extremum_enter(walk, &again);
    }
    if (stmt->step != NULL) {
        access_discard(walk, stmt->step);
    }
    extremum_leave(walk, mark, guards.count);
}

/* Walks condition, body and step until the pointers and values that they see no longer change. This
 * ends, because each round only adds possibilities. If a jump out of the loop depends on an
 * extremum, so does each further round. runs: at least once. */
static void walk_repeated(struct walk *walk, const struct stmt *stmt, const struct stmt *body,
                          bool runs)
{
    const unsigned long long *set = NULL;
    struct state *outer_left = walk->left;
    struct state *outer_continued = walk->continued;
    int mark = walk->guards.count;
    const int *version = versions(walk);
    bool depends = false;
    bool begun = false;
    bool changed = true;

    walk->left = state_new(walk);
    while (changed) {
        struct state *before = state_copy(walk);

        walk_round(walk, stmt, body);
        set = sure_copy(walk);
        changed = state_join(walk, before);
        changed |= !depends && walk->guards.count > mark;
        depends = walk->guards.count > mark;
        if (!begun && begin_rounds(walk, version)) {
            begun = true;
            changed = true;
        }
        extremum_close(walk, mark);
    }
    if (runs) {
        sure_set(walk, set);
    }
    state_join(walk, walk->left);
    extremum_cut(walk, mark, END_OF_LOOP);
    walk->left = outer_left;
    walk->continued = outer_continued;
}

static void walk_for(struct walk *walk, const struct stmt *stmt)
{
    struct counter counter = {0};
    enum loop_runs runs;

    walk_stmt(walk, stmt->kid[0]);
    runs = access_counted(stmt, &counter.var, &counter.range);
    if (runs == LOOP_NEVER) {
        return;
    }
    if (runs == LOOP_UNKNOWN) {
        walk->counters.depth++;
        walk_repeated(walk, stmt, stmt->kid[1], false);
        walk->counters.depth--;
        return;
    }
    counter.depth = walk->counters.depth;
    walk->counters.counter = arena_grow(walk->arena, walk->counters.counter, walk->counters.count,
                                        &walk->counters.capacity, sizeof(*walk->counters.counter));
    walk->counters.counter[walk->counters.count++] = counter;
    walk_repeated(walk, stmt, stmt->kid[1], true);
    walk->counters.count--;
}

/* The walk may jump to every case and leave before every next case: the state behind the switch
 * joins all of these. */
static void walk_switch(struct walk *walk, const struct stmt *stmt)
{
    const struct stmt *block = stmt->kid[0];
    struct state *outer_left = walk->left;
    struct value value = access_value(walk, stmt->expr).value;
    struct guards kept = {0};
    struct state *before = state_copy(walk);
    struct state *after = state_copy(walk);
    struct guard guard = {.kind = GUARD_DEPENDENT, .value = value};
    struct guards guards = {.count = value.kind != VALUE_FREE, .guard = &guard};
    int mark = extremum_enter(walk, &guards);

    walk->left = after;
    walk->counters.depth++;
    for (int k = 0; k < block->kids; k++) {
        if (block->kid[k]->kind == STMT_CASE) {
            if (block->kid[k]->expr == NULL) {
                sure_forget(walk, after); /* with a default, no path passes by all cases */
            }
            if (!walk->state->is_reached) {
                extremum_stash(walk, mark + guards.count, &kept);
            }
            state_join_into(walk, after);
            state_join(walk, before);
        } else {
            walk_stmt(walk, block->kid[k]);
        }
    }
    walk->counters.depth--;
    walk->left = outer_left;
    state_join(walk, after);
    extremum_enter(walk, &kept);
    extremum_leave(walk, mark, guards.count);
    extremum_close(walk, mark);
    extremum_cut(walk, mark, END_OF_LOOP);
}

static void walk_decl(struct walk *walk, const struct var *var)
{
    guards_declare(walk, var);
    if (access_holds_pointers(var->type)) {
        store_begin(walk, var, var->init);
    } else {
        struct value value = {0};

        if (var->init != NULL) {
            value = access_value(walk, var->init).value;
        }
        value_set(walk, var, value, type_is_integer(var->type) ? var->init : NULL);
    }
}

static void walk_return(struct walk *walk, const struct stmt *stmt)
{
    if (stmt->expr != NULL) {
        struct targets value = access_value(walk, stmt->expr);

        value.value = extremum_chosen(walk, walk->guards_outside, value.value, stmt->expr);
        targets_settle(&value);
        if (walk->has_returned) {
            targets_join(&walk->returned, &value);
        } else {
            walk->returned = value;
        }
        walk->has_returned = true;
    }
    state_join_into(walk, walk->at_return);
    walk->state->is_reached = false;
}

static void walk_block(struct walk *walk, const struct stmt *stmt)
{
    int mark = walk->guards.count;

    for (int k = 0; k < stmt->kids; k++) {
        walk_stmt(walk, stmt->kid[k]);
    }
    extremum_close(walk, mark);
}

static void walk_stmt(struct walk *walk, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_EXPR:
        access_discard(walk, stmt->expr);
        break;
    case STMT_DECL:
        walk_decl(walk, stmt->var);
        break;
    case STMT_BLOCK:
        walk_block(walk, stmt);
        break;
    case STMT_IF:
        walk_if(walk, stmt);
        break;
    case STMT_FOR:
        walk_for(walk, stmt);
        break;
    case STMT_SWITCH:
        walk_switch(walk, stmt);
        break;
    case STMT_WHILE:
    case STMT_DO:
        walk->counters.depth++;
        walk_repeated(walk, stmt, stmt->kid[0], stmt->kind == STMT_DO);
        walk->counters.depth--;
        break;
    case STMT_RETURN:
        walk_return(walk, stmt);
        break;
    case STMT_BREAK:
        state_join_into(walk, walk->left);
        walk->state->is_reached = false;
        break;
    case STMT_CONTINUE:
        state_join_into(walk, walk->continued);
        walk->state->is_reached = false;
        break;
    default:
        break;
    }
}

/* Sets the parameters and walks the body; returns its result's targets. */
static struct targets walk_function(struct walk *walk, const struct function *function,
                                    const struct targets *passed)
{
    walk->function = function;
    walk->returned = (struct targets){0};
    walk->has_returned = false;
    walk->guards_outside = walk->guards.count;
    walk->at_return = state_new(walk);
    for (int n = 0; n < function->params; n++) {
        if (access_holds_pointers(function->param[n]->type)) {
            state_set(walk, function->param[n], 0, passed[n]);
        } else {
            value_set(walk, function->param[n], passed[n].value, NULL);
        }
    }
    walk_stmt(walk, function->body);
    state_join(walk, walk->at_return);
    walk->state->is_reached = true;
    extremum_cut(walk, walk->guards_outside, END_OF_FUNCTION);
    return walk->returned;
}

/* Whether a walk with these targets is valid for later calls with the same targets. Effects on
 * extrema depend on the place of the call, so those calls are walked each time. */
static bool is_settled(const struct walk *walk, const struct function *callee,
                       const struct targets *passed)
{
    for (int n = 0; n < callee->params; n++) {
        if (store_is_meant(&passed[n]) ||
            (walk->has_extrema && (passed[n].count > 0 || passed[n].value.kind != VALUE_FREE))) {
            return false;
        }
    }
    return walk->guards.count == 0;
}

/* A call that is not followed: it may change only objects that it gets pointers to. */
static struct targets leave_unfollowed(struct walk *walk, const struct function *callee,
                                       const struct targets *passed)
{
    struct targets result = {0};

    for (int n = 0; n < callee->params; n++) {
        result.is_full |= passed[n].is_full || passed[n].count > 0;
    }
    if (!result.is_full) {
        return access_unknown_call(walk, callee->params, passed);
    }
    walk->is_limited = true;
    access_escape(walk, &result);
    return result;
}

struct targets access_enter(struct walk *walk, struct function *callee,
                            const struct targets *passed)
{
    struct walk outer = *walk;
    struct targets result = {0};
    bool is_once = is_settled(walk, callee, passed);
    bool is_conditional = access_is_conditional(walk);
    const struct memo *memo = is_once ? memo_find(walk, callee, passed) : NULL;
    const unsigned long long *sure = sure_copy(walk);

    if (memo != NULL) {
        sure_set(walk, memo->sure_after);
        return memo->result;
    }
    walk->walks += !is_once;
    if (walk->calls >= CALLS_LIMIT || walk->walks > WALKS_LIMIT) {
        return leave_unfollowed(walk, callee, passed);
    }
    walk->calls++;
    walk->counters.depth += is_conditional;
    result = walk_function(walk, callee, passed);
    walk->counters.depth -= is_conditional;
    walk->calls--;
    walk->function = outer.function;
    walk->returned = outer.returned;
    walk->has_returned = outer.has_returned;
    walk->guards_outside = outer.guards_outside;
    walk->at_return = outer.at_return;
    if (is_once) {
        memo_add(walk, callee, passed, sure, &result);
    }
    return result;
}

static const char *doubt_text(const struct walk *walk)
{
    if (walk->doubt == NULL) {
        return NULL;
    }
    return arena_format(walk->arena, "'%s' may be used against its declared access, %s",
                        walk->doubt,
                        walk->is_limited ? "in calls that are nested too deep to be followed"
                                         : "through an array of pointers");
}

bool access_walk(struct program *program, struct diag *diag, const struct loop *loop,
                 struct access_found *found)
{
    struct walk walk = {.arena = program->arena, .diag = diag, .loop = loop};
    size_t args = (size_t)loop->args;
    struct targets *passed = arena_alloc(program->arena, args * sizeof(*passed));

    walk.direct_said = arena_alloc(program->arena, args * sizeof(bool));
    walk.version = arena_alloc(program->arena, args * sizeof(*walk.version));
    walk.seen = arena_alloc(program->arena, args * sizeof(*walk.seen));
    walk.state = state_new(&walk);
    walk.state->is_reached = true;
    for (int n = 0; n < loop->args; n++) {
        walk.has_extrema |= value_is_extremum(&loop->arg[n]);
        passed[n].count = 1;
        passed[n].target[0] = (struct target){.arg = n,
                                              .is_rows = loop->arg[n].is_vector,
                                              .offset_known = true,
                                              .column_known = true};
    }
    walk_function(&walk, loop->kernel, passed);
    *found = (struct access_found){doubt_text(&walk), walk.beyond, walk.carries, walk.is_unclear,
                                   walk.seen};
    return walk.failed;
}
