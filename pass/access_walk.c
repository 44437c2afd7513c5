/* access_walk.c: follows the pointers of a loop's arguments through the statements of a kernel and
 * its helpers, so that each use that the declared access does not allow is reported.
 *
 * Every pointer expression has a set of targets (access_expr.c): which argument it may point into,
 * and where. Statements are walked in order; what pointer variables hold is joined where paths
 * meet, and loops are walked until that no longer changes. Helpers are walked once for each
 * combination of targets passed to them. Where a pointer's target is in doubt (taken from a local
 * array of pointers) nothing is reported; the loop runs sequentially when the use may be wrong.
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

/* Walks condition, body and step until the pointers that they see no longer change. */
static void walk_repeated(struct walk *walk, const struct stmt *stmt, const struct stmt *body)
{
    bool changed = true;

    for (int round = 0; changed && round < ROUNDS_LIMIT; round++) {
        struct state *before = state_copy(walk);

        if (stmt->expr != NULL && stmt->kind != STMT_DO) {
            access_value(walk, stmt->expr);
        }
        walk_stmt(walk, body);
        if (stmt->expr != NULL && stmt->kind == STMT_DO) {
            access_value(walk, stmt->expr);
        }
        if (stmt->step != NULL) {
            access_discard(walk, stmt->step);
        }
        changed = state_join(walk, before);
    }
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

static void walk_decl(struct walk *walk, const struct var *var)
{
    struct targets value = {0};

    if (var->init != NULL) {
        value = access_value(walk, var->init);
    }
    if (access_holds_pointers(var->type)) {
        targets_settle(&value);
        state_set(walk, var, value);
    }
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
    case STMT_WHILE:
    case STMT_DO:
        walk->counters.depth++;
        walk_repeated(walk, stmt, stmt->kid[0]);
        walk->counters.depth--;
        break;
    case STMT_RETURN:
        if (stmt->expr != NULL) {
            struct targets value = access_value(walk, stmt->expr);

            targets_join(&walk->returned, &value);
        }
        break;
    default:
        break;
    }
}

struct targets access_enter(struct walk *walk, struct function *callee,
                            const struct targets *passed)
{
    struct state *outer = walk->state;
    const struct function *caller = walk->function;
    struct targets outer_result = walk->returned;
    struct targets result;

    if (walk->calls >= CALLS_LIMIT || memo_find(walk, callee, passed, &result)) {
        return walk->calls >= CALLS_LIMIT ? (struct targets){0} : result;
    }
    memo_begin(walk, callee, passed);
    walk->calls++;
    walk->state = state_new(walk);
    walk->function = callee;
    walk->returned = (struct targets){0};
    for (int n = 0; n < callee->params; n++) {
        state_set(walk, callee->param[n], passed[n]);
    }
    walk_stmt(walk, callee->body);
    result = walk->returned;
    memo_end(walk, callee, passed, &result);
    walk->calls--;
    walk->state = outer;
    walk->function = caller;
    walk->returned = outer_result;
    return result;
}

bool access_walk(struct program *program, struct diag *diag, const struct loop *loop,
                 const char **doubt)
{
    struct walk walk = {
        .arena = program->arena, .diag = diag, .loop = loop, .function = loop->kernel};

    walk.direct_said = arena_alloc(program->arena, (size_t)loop->args * sizeof(bool));
    walk.state = state_new(&walk);
    for (int n = 0; n < loop->args; n++) {
        struct targets value = {.count = 1};

        value.target[0] = (struct target){.arg = n,
                                          .is_rows = loop->arg[n].is_vector,
                                          .offset_known = true,
                                          .column_known = true};
        state_set(&walk, loop->kernel->param[n], value);
    }
    walk_stmt(&walk, loop->kernel->body);
    *doubt = walk.doubt;
    return walk.failed;
}
