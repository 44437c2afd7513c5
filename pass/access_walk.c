/* access_walk.c: follows the pointers of a loop's arguments through the statements of a kernel and
 * its helpers, so that each use that the declared access does not allow is reported.
 *
 * Every pointer expression has a set of targets (access_expr.c): which argument it may point into,
 * and where. Statements are walked in order; what pointer variables hold is joined where paths
 * meet, and loops are walked until that no longer changes. Helpers are walked once for each
 * combination of targets passed to them, and each time when they are given pointers to pointers
 * (access_store.c). Where a pointer's target is in doubt (taken from an array of pointers by a
 * subscript that is not known) nothing is reported; the loop runs sequentially when the use may be
 * wrong.
 */
#include "pass/access_impl.h"
#include "pass/access_state.h"
#include "pass/arena.h"

static void walk_stmt(struct walk *walk, const struct stmt *stmt);

static void walk_if(struct walk *walk, const struct stmt *stmt)
{
    struct state *before;
    bool taken;

    access_value(walk, stmt->expr);
    if (access_truth(stmt->expr, &taken)) { /* as in kernels for several dimensions */
        if (taken || stmt->kids == 2) {
            walk_stmt(walk, stmt->kid[taken ? 0 : 1]);
        }
        return;
    }
    before = state_copy(walk);
    walk->counters.depth++;
    walk_stmt(walk, stmt->kid[0]);
    if (stmt->kids == 2) {
        struct state *after = walk->state;

        walk->state = before;
        walk_stmt(walk, stmt->kid[1]);
        before = after;
    }
    walk->counters.depth--;
    state_join(walk, before);
}

/* Walks condition, body and step until the pointers that they see no longer change; that ends, for
 * each round adds to what they may be. */
static void walk_repeated(struct walk *walk, const struct stmt *stmt, const struct stmt *body)
{
    struct state *outer_left = walk->left;
    struct state *outer_continued = walk->continued;
    bool changed = true;

    walk->left = state_new(walk);
    while (changed) {
        struct state *before = state_copy(walk);

        if (stmt->expr != NULL && stmt->kind != STMT_DO) {
            access_value(walk, stmt->expr);
        }
        walk->continued = state_new(walk);
        walk_stmt(walk, body);
        state_join(walk, walk->continued);
        if (stmt->expr != NULL && stmt->kind == STMT_DO) {
            access_value(walk, stmt->expr);
        }
        if (stmt->step != NULL) {
            access_discard(walk, stmt->step);
        }
        changed = state_join(walk, before);
    }
    state_join(walk, walk->left);
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
        walk_repeated(walk, stmt, stmt->kid[1]);
        walk->counters.depth--;
        return;
    }
    counter.depth = walk->counters.depth;
    walk->counters.counter = arena_grow(walk->arena, walk->counters.counter, walk->counters.count,
                                        &walk->counters.capacity, sizeof(*walk->counters.counter));
    walk->counters.counter[walk->counters.count++] = counter;
    walk_repeated(walk, stmt, stmt->kid[1]);
    walk->counters.count--;
}

/* Every case may be jumped to, and the last statement before a case may be left from: what holds
 * behind the switch is joined of all. */
static void walk_switch(struct walk *walk, const struct stmt *stmt)
{
    const struct stmt *block = stmt->kid[0];
    struct state *outer_left = walk->left;
    struct state *before;
    struct state *after;

    access_value(walk, stmt->expr);
    before = state_copy(walk);
    after = state_copy(walk);
    walk->left = after;
    walk->counters.depth++;
    for (int k = 0; k < block->kids; k++) {
        if (block->kid[k]->kind == STMT_CASE) {
            state_join_into(walk, after);
            state_join(walk, before);
        } else {
            walk_stmt(walk, block->kid[k]);
        }
    }
    walk->counters.depth--;
    walk->left = outer_left;
    state_join(walk, after);
}

static void walk_decl(struct walk *walk, const struct var *var)
{
    if (access_holds_pointers(var->type)) {
        store_begin(walk, var, var->init);
    } else if (var->init != NULL) {
        access_value(walk, var->init);
    }
}

static void walk_return(struct walk *walk, const struct stmt *stmt)
{
    if (stmt->expr != NULL) {
        struct targets value = access_value(walk, stmt->expr);

        targets_settle(&value);
        targets_join(&walk->returned, &value);
    }
    state_join_into(walk, walk->at_return);
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
        for (int k = 0; k < stmt->kids; k++) {
            walk_stmt(walk, stmt->kid[k]);
        }
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
        walk_repeated(walk, stmt, stmt->kid[0]);
        walk->counters.depth--;
        break;
    case STMT_RETURN:
        walk_return(walk, stmt);
        break;
    case STMT_BREAK:
        state_join_into(walk, walk->left);
        break;
    case STMT_CONTINUE:
        state_join_into(walk, walk->continued);
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
    walk->at_return = state_new(walk);
    for (int n = 0; n < function->params; n++) {
        if (access_holds_pointers(function->param[n]->type)) {
            state_set(walk, function->param[n], 0, passed[n]);
        }
    }
    walk_stmt(walk, function->body);
    state_join(walk, walk->at_return);
    return walk->returned;
}

/* Whether a walk with these targets says all about a later one with the same. */
static bool is_settled(const struct function *callee, const struct targets *passed)
{
    for (int n = 0; n < callee->params; n++) {
        if (store_is_meant(&passed[n])) {
            return false;
        }
    }
    return true;
}

struct targets access_enter(struct walk *walk, struct function *callee,
                            const struct targets *passed)
{
    struct walk outer = *walk;
    struct targets result = {0};
    bool is_once = is_settled(callee, passed);

    if (is_once && memo_find(walk, callee, passed, &result)) {
        return result;
    }
    walk->walks += !is_once;
    if (walk->calls >= CALLS_LIMIT || walk->walks > WALKS_LIMIT) {
        result.is_full = true;
        access_escape(walk, &result);
        return result;
    }
    walk->calls++;
    result = walk_function(walk, callee, passed);
    if (is_once) {
        memo_add(walk, callee, passed, &result);
    }
    walk->calls--;
    walk->function = outer.function;
    walk->returned = outer.returned;
    walk->at_return = outer.at_return;
    return result;
}

bool access_walk(struct program *program, struct diag *diag, const struct loop *loop,
                 const char **doubt)
{
    struct walk walk = {.arena = program->arena, .diag = diag, .loop = loop};
    struct targets *passed = arena_alloc(program->arena, (size_t)loop->args * sizeof(*passed));

    walk.direct_said = arena_alloc(program->arena, (size_t)loop->args * sizeof(bool));
    walk.state = state_new(&walk);
    for (int n = 0; n < loop->args; n++) {
        passed[n].count = 1;
        passed[n].target[0] = (struct target){.arg = n,
                                              .is_rows = loop->arg[n].is_vector,
                                              .offset_known = true,
                                              .column_known = true};
    }
    walk_function(&walk, loop->kernel, passed);
    *doubt = walk.doubt;
    return walk.failed;
}
