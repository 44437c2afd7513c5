/* access_walk.c: follows the pointers of a loop's arguments through a kernel's tree and its
 * helpers, and reports each use that the declared access does not allow.
 *
 * Every pointer expression has a set of targets: which argument it may point into, and where.
 * Statements are walked in order; what pointer variables hold is joined where paths meet, and loops
 * are walked until that no longer changes. Helpers are walked once for each combination of targets
 * passed to them. Where a pointer's target is in doubt (taken from a local array of pointers)
 * nothing is reported; the loop runs sequentially when the use may be wrong.
 */
#include <string.h>

#include "pass/access_impl.h"
#include "pass/access_state.h"
#include "pass/arena.h"

static struct targets evaluate(struct walk *walk, const struct expr *expr);
static struct targets find_lvalue(struct walk *walk, const struct expr *expr);
static void walk_stmt(struct walk *walk, const struct stmt *stmt);

static bool holds_pointers(const struct type *type)
{
    while (type->kind == TYPE_ARRAY) {
        type = type->elem;
    }
    return type->kind == TYPE_POINTER;
}

/* The value read from a place: a row's pointer gives its components, anything else is a read. */
static struct targets read_place(struct walk *walk, const struct expr *expr,
                                 const struct targets *place)
{
    struct targets value = {0};

    if (expr->type->kind == TYPE_ARRAY) {
        return *place; /* an array is not read, it becomes a pointer */
    }
    for (int n = 0; n < place->count; n++) {
        struct target target = place->target[n];

        if (target.is_rows) {
            access_check_row(walk, expr, &target);
            target.is_rows = false;
            target.offset = (struct range){0, 0};
            target.offset_known = true;
            targets_add(&value, target);
        }
    }
    if (value.count == 0) {
        access_use(walk, expr, place, USE_READ);
    }
    return value;
}

static struct targets evaluate_lvalue(struct walk *walk, const struct expr *expr)
{
    struct targets place = find_lvalue(walk, expr);

    return read_place(walk, expr, &place);
}

static struct targets find_index(struct walk *walk, const struct expr *expr)
{
    struct targets base = evaluate(walk, expr->kid[0]);

    evaluate(walk, expr->kid[1]);
    if (access_bare(expr->kid[0])->type->kind == TYPE_ARRAY && holds_pointers(expr->type) &&
        access_bare(expr->kid[0])->kind == EXPR_VAR) {
        return base; /* an element of a local array of pointers: it may be any of them */
    }
    targets_shift(&base, expr->kid[1], &walk->counters, access_scalars(expr->type), 1);
    return base;
}

static bool is_pointer_variable(const struct expr *expr)
{
    return expr->kind == EXPR_VAR && holds_pointers(expr->type);
}

/* An element of a local array of pointers, whose targets are kept with the array's variable. */
static bool is_kept_element(const struct expr *expr)
{
    const struct expr *base;

    if (expr->kind != EXPR_INDEX || !holds_pointers(expr->type)) {
        return false;
    }
    base = access_bare(expr->kid[0]);
    return base->kind == EXPR_VAR && base->type->kind == TYPE_ARRAY;
}

static struct targets find_lvalue(struct walk *walk, const struct expr *expr)
{
    struct targets place = {0};

    switch (expr->kind) {
    case EXPR_VAR:
        break;
    case EXPR_INDEX:
        return find_index(walk, expr);
    case EXPR_UNARY:
        if (expr->unary == UNARY_DEREF) {
            return evaluate(walk, expr->kid[0]);
        }
        evaluate(walk, expr);
        break;
    case EXPR_MEMBER:
        place = expr->kid[0]->type->kind == TYPE_POINTER ? evaluate(walk, expr->kid[0])
                                                         : find_lvalue(walk, expr->kid[0]);
        targets_blur(&place);
        break;
    case EXPR_CAST:
        return find_lvalue(walk, expr->kid[0]);
    default:
        evaluate(walk, expr);
        break;
    }
    return place;
}

static struct targets evaluate_cond(struct walk *walk, const struct expr *expr)
{
    struct targets value;
    struct targets other;
    bool taken;

    evaluate(walk, expr->kid[0]);
    if (access_truth(expr->kid[0], &taken)) {
        return evaluate(walk, expr->kid[taken ? 1 : 2]);
    }
    walk->counters.depth++;
    value = evaluate(walk, expr->kid[1]);
    other = evaluate(walk, expr->kid[2]);
    walk->counters.depth--;
    targets_join(&value, &other);
    return value;
}

static struct targets evaluate_binary(struct walk *walk, const struct expr *expr)
{
    struct targets left = evaluate(walk, expr->kid[0]);
    bool is_lazy = expr->binary == BINARY_LAND || expr->binary == BINARY_LOR;
    struct targets right;
    struct targets none = {0};
    bool first;

    if (is_lazy && access_truth(expr->kid[0], &first) && first == (expr->binary == BINARY_LOR)) {
        return none; /* the second never runs */
    }
    walk->counters.depth += is_lazy;
    right = evaluate(walk, expr->kid[1]);
    walk->counters.depth -= is_lazy;
    if (expr->binary == BINARY_COMMA) {
        return right;
    }
    if (expr->type->kind != TYPE_POINTER) {
        return none;
    }
    if (left.count > 0) {
        targets_shift(&left, expr->kid[1], &walk->counters, access_scalars(expr->type->elem),
                      expr->binary == BINARY_SUB ? -1 : 1);
        return left;
    }
    targets_shift(&right, expr->kid[0], &walk->counters, access_scalars(expr->type->elem), 1);
    return right;
}

/* The terms of a sum, but for the place that is incremented. */
static void evaluate_terms(struct walk *walk, const struct expr *sum, const struct expr *place)
{
    sum = access_bare(sum);
    if (sum->kind == EXPR_BINARY && (sum->binary == BINARY_ADD || sum->binary == BINARY_SUB)) {
        evaluate_terms(walk, sum->kid[0], place);
        evaluate_terms(walk, sum->kid[1], place);
    } else if (!access_same_place(sum, place)) {
        evaluate(walk, sum);
    }
}

static struct targets assign_pointer(struct walk *walk, const struct expr *expr,
                                     const struct var *var)
{
    struct targets value = evaluate(walk, expr->kid[1]);

    if (expr->compound) {
        value = state_get(walk, var);
        targets_shift(&value, expr->kid[1], &walk->counters, access_scalars(var->type->elem),
                      expr->binary == BINARY_SUB ? -1 : 1);
    }
    state_set(walk, var, value);
    return value;
}

static struct targets assign(struct walk *walk, const struct expr *expr, bool is_used)
{
    const struct expr *left = access_bare(expr->kid[0]);
    bool is_increment = expr->compound ? expr->binary == BINARY_ADD || expr->binary == BINARY_SUB
                                       : access_adds_to(expr->kid[1], left);
    struct targets value = {0};
    struct targets place;
    enum use use = expr->compound ? USE_UPDATE : USE_WRITE;

    if (is_pointer_variable(left)) {
        return assign_pointer(walk, expr, left->var);
    }
    if (is_kept_element(left)) {
        const struct var *array = access_bare(left->kid[0])->var;

        value = evaluate(walk, expr->kid[1]);
        place = state_get(walk, array);
        targets_join(&place, &value);
        targets_doubt(&place);
        state_set(walk, array, place);
        return value;
    }
    place = find_lvalue(walk, left);
    if (is_increment && !expr->compound && place.count > 0) {
        evaluate_terms(walk, expr->kid[1], left);
    } else {
        value = evaluate(walk, expr->kid[1]);
    }
    use = is_increment && place.count > 0 ? USE_INCREMENT : use;
    access_use(walk, left, &place, use);
    if (is_used && use == USE_INCREMENT) {
        access_use(walk, left, &place, USE_READ);
    }
    return value;
}

static struct targets step(struct walk *walk, const struct expr *expr, bool is_used)
{
    const struct expr *left = access_bare(expr->kid[0]);
    struct targets none = {0};
    struct targets place;

    if (is_pointer_variable(left)) {
        struct targets before = state_get(walk, left->var);

        place = before;
        targets_move(&place,
                     (expr->unary == UNARY_PRE_INC || expr->unary == UNARY_POST_INC ? 1 : -1) *
                         access_scalars(left->type->elem));
        state_set(walk, left->var, place);
        return expr->unary == UNARY_POST_INC || expr->unary == UNARY_POST_DEC ? before : place;
    }
    place = find_lvalue(walk, left);
    access_use(walk, left, &place, USE_INCREMENT);
    if (is_used) {
        access_use(walk, left, &place, USE_READ);
    }
    return none;
}

static bool writes_through(const struct expr *argument)
{
    const struct type *type = argument->type;

    return type->kind == TYPE_POINTER && !type->elem->is_const && type->elem->kind != TYPE_VOID;
}

static struct targets enter(struct walk *walk, struct function *callee,
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

static struct targets call(struct walk *walk, const struct expr *expr)
{
    struct function *callee = expr->callee;
    int slots = expr->kids > callee->params ? expr->kids : callee->params;
    struct targets *passed =
        arena_alloc(walk->arena, (size_t)(slots > 0 ? slots : 1) * sizeof(*passed));
    struct targets none = {0};
    bool any = false;

    for (int k = 0; k < expr->kids; k++) {
        passed[k] = evaluate(walk, expr->kid[k]);
        any |= passed[k].count > 0;
        if (callee->kind == FUNCTION_MATH && writes_through(expr->kid[k])) {
            access_use(walk, expr->kid[k], &passed[k], USE_WRITE);
        }
    }
    if (!any || callee->kind != FUNCTION_USER || callee->body == NULL) {
        return none;
    }
    return enter(walk, callee, passed);
}

static struct targets evaluate_unary(struct walk *walk, const struct expr *expr)
{
    struct targets none = {0};

    switch (expr->unary) {
    case UNARY_DEREF:
        return evaluate_lvalue(walk, expr);
    case UNARY_ADDRESS:
        return find_lvalue(walk, expr->kid[0]);
    case UNARY_PRE_INC:
    case UNARY_PRE_DEC:
    case UNARY_POST_INC:
    case UNARY_POST_DEC:
        return step(walk, expr, true);
    default:
        evaluate(walk, expr->kid[0]);
        return none;
    }
}

static struct targets evaluate_cast(struct walk *walk, const struct expr *expr)
{
    struct targets value = evaluate(walk, expr->kid[0]);

    if (expr->type->kind != TYPE_POINTER) {
        value.count = 0;
    } else if (!expr->implicit) {
        targets_blur(&value);
    }
    return value;
}

static struct targets evaluate(struct walk *walk, const struct expr *expr)
{
    struct targets value = {0};

    switch (expr->kind) {
    case EXPR_VAR:
        return holds_pointers(expr->type) ? state_get(walk, expr->var) : value;
    case EXPR_UNARY:
        return evaluate_unary(walk, expr);
    case EXPR_BINARY:
        return evaluate_binary(walk, expr);
    case EXPR_ASSIGN:
        return assign(walk, expr, true);
    case EXPR_COND:
        return evaluate_cond(walk, expr);
    case EXPR_INDEX:
        if (is_kept_element(expr)) {
            return find_index(walk, expr);
        }
        return evaluate_lvalue(walk, expr);
    case EXPR_MEMBER:
        return evaluate_lvalue(walk, expr);
    case EXPR_CALL:
        return call(walk, expr);
    case EXPR_CAST:
        return evaluate_cast(walk, expr);
    case EXPR_INIT:
        for (int k = 0; k < expr->kids; k++) {
            struct targets kid = evaluate(walk, expr->kid[k]);

            targets_join(&value, &kid);
        }
        if (expr->kids > 1) {
            targets_doubt(&value);
        }
        return value;
    default:
        return value;
    }
}

/* A value that nobody uses: an increment here reads nothing. */
static void evaluate_discarded(struct walk *walk, const struct expr *expr)
{
    bool taken;

    if (expr->kind == EXPR_ASSIGN) {
        assign(walk, expr, false);
    } else if (expr->kind == EXPR_UNARY && expr->unary >= UNARY_PRE_INC) {
        step(walk, expr, false);
    } else if (expr->kind == EXPR_BINARY && expr->binary == BINARY_COMMA) {
        evaluate_discarded(walk, expr->kid[0]);
        evaluate_discarded(walk, expr->kid[1]);
    } else if (expr->kind == EXPR_CAST && (expr->implicit || expr->type->kind == TYPE_VOID)) {
        evaluate_discarded(walk, expr->kid[0]);
    } else if (expr->kind == EXPR_COND) {
        evaluate(walk, expr->kid[0]);
        if (access_truth(expr->kid[0], &taken)) {
            evaluate_discarded(walk, expr->kid[taken ? 1 : 2]);
            return;
        }
        walk->counters.depth++;
        evaluate_discarded(walk, expr->kid[1]);
        evaluate_discarded(walk, expr->kid[2]);
        walk->counters.depth--;
    } else if (expr->kind != EXPR_VAR && expr->kind != EXPR_INDEX) {
        evaluate(walk, expr); /* (void)q[0] reads nothing */
    }
}

static void walk_if(struct walk *walk, const struct stmt *stmt)
{
    struct state *before;
    bool taken;

    evaluate(walk, stmt->expr);
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
            evaluate(walk, stmt->expr);
        }
        walk_stmt(walk, body);
        if (stmt->expr != NULL && stmt->kind == STMT_DO) {
            evaluate(walk, stmt->expr);
        }
        if (stmt->step != NULL) {
            evaluate_discarded(walk, stmt->step);
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
        value = evaluate(walk, var->init);
    }
    if (holds_pointers(var->type)) {
        targets_settle(&value);
        state_set(walk, var, value);
    }
}

static void walk_stmt(struct walk *walk, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_EXPR:
        evaluate_discarded(walk, stmt->expr);
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
            struct targets value = evaluate(walk, stmt->expr);

            targets_join(&walk->returned, &value);
        }
        break;
    default:
        break;
    }
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
