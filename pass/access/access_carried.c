/* access_carried.c: checks that a kernel replaces an OP_MIN or OP_MAX global together with its
 * payload (op_arg_info).
 *
 * In: a loop with payloads whose kernel passed the access check. Out: for each extremum, which of
 * several elements that attain it counts; for each payload, which component of the extremum it goes
 * with. If one of these is not known, the reason. Targets keep the best element's value and payload
 * together. That is right only if each statement that replaces a component of the extremum also
 * replaces all of its payload, and nothing else uses either of them:
 *
 *     if (x > *most && c) { *most = x; *where = *element; }
 *
 * Counting loops are run for their subscripts, helpers are entered with the pointers they are
 * given. */
#include "pass/access/access_carried.h"
#include "pass/ir/arena.h"

enum { MOST_CALLS = 16 };

static void walk_stmt(struct carried *c, const struct stmt *stmt);

void carried_refuse(struct carried *c, const struct loc *loc, int arg, const char *what)
{
    if (c->reason == NULL) {
        c->reason = arena_format(c->arena,
                                 "%s:%d: '%s' %s (in parallel, an op_arg_info needs the "
                                 "form 'if (x > *extremum) { *extremum = x; *payload = "
                                 "...; }')",
                                 loc->file, loc->line, c->loop->kernel->param[arg]->name, what);
    }
}

const char carried_otherwise[] = "is used in another way";

/* ---- places ---------------------------------------------------------------------------------- */

int carried_role(const struct carried *c, const struct expr *expr)
{
    expr = access_bare(expr);
    for (int n = c->roles - 1; n >= 0 && expr->kind == EXPR_VAR; n--) {
        if (c->role[n].param == expr->var) {
            return c->role[n].arg;
        }
    }
    return -1;
}

bool carried_names(const struct carried *c, const struct expr *expr, struct named *named)
{
    expr = access_bare(expr);
    named->arg = -1;
    named->subscript = NULL;
    if (expr->kind == EXPR_INDEX) {
        named->arg = carried_role(c, expr->kid[0]);
        named->subscript = expr->kid[1];
    } else if (expr->kind == EXPR_UNARY && expr->unary == UNARY_DEREF) {
        named->arg = carried_role(c, expr->kid[0]);
    }
    return named->arg >= 0;
}

bool carried_is_extremum(const struct carried *c, int arg)
{
    return c->loop->arg[arg].kind == ARG_GLOBAL;
}

/* ---- what is outside of such statements ------------------------------------------------------ */

static void push_role(struct carried *c, const struct var *param, int arg)
{
    c->role = arena_grow(c->arena, c->role, c->roles, &c->role_room, sizeof(*c->role));
    c->role[c->roles++] = (struct role){param, arg};
}

/* Enters a helper that gets pointers to extrema or payloads. */
void carried_enter(struct carried *c, const struct expr *call,
                   void (*go)(struct carried *c, const struct stmt *body))
{
    const struct function *callee = call->callee;
    int roles = c->roles;
    int arg = -1;

    for (int k = 0; k < call->kids; k++) {
        int role = carried_role(c, call->kid[k]);

        arg = role >= 0 ? role : arg;
        if (role >= 0 && k < callee->params) {
            push_role(c, callee->param[k], role);
        }
    }
    if (arg >= 0 && c->is_running && go == walk_stmt) {
        carried_refuse(c, &call->loc, arg, carried_otherwise);
    } else if (arg >= 0 && (callee->body == NULL || c->calls >= MOST_CALLS)) {
        carried_refuse(c, &call->loc, arg, "is passed to a function that is not analysed");
    } else if (arg >= 0) {
        c->calls++;
        go(c, callee->body);
        c->calls--;
    }
    c->roles = roles;
}

/* Refuses an expression that names an extremum or a payload. is_test: the expression is only tested
 * for zero, which is allowed. */
void carried_look(struct carried *c, const struct expr *expr, bool is_test)
{
    const struct expr *bare = access_bare(expr);
    int role = carried_role(c, bare);
    bool tests = bare->kind == EXPR_UNARY && bare->unary == UNARY_NOT;

    if (role >= 0) {
        if (!is_test) {
            carried_refuse(c, &bare->loc, role, carried_otherwise);
        }
        return;
    }
    if (bare->kind == EXPR_BINARY) {
        tests = bare->binary == BINARY_LAND || bare->binary == BINARY_LOR ||
                bare->binary == BINARY_EQ || bare->binary == BINARY_NE;
    } else if (bare->kind == EXPR_CAST && bare->type->kind != TYPE_POINTER) {
        tests = is_test || bare->type->kind == TYPE_BOOL;
    }
    for (int k = 0; k < bare->kids; k++) {
        if (bare->kind != EXPR_CALL || carried_role(c, bare->kid[k]) < 0) {
            carried_look(c, bare->kid[k], tests || (bare->kind == EXPR_COND && k == 0));
        }
    }
    if (bare->kind == EXPR_CALL) {
        carried_enter(c, bare, walk_stmt);
    }
}

static void see_expr(struct expr *expr, void *user)
{
    struct sight *sight = user;
    bool is =
        expr->kind == EXPR_VAR &&
        (sight->var != NULL ? expr->var == sight->var : carried_role(sight->carried, expr) >= 0);

    sight->expr = is ? expr : sight->expr;
    sight->found |= is;
}

static void see_stmt(struct stmt *stmt, void *user)
{
    struct sight *sight = user;

    sight->jumps |=
        stmt->kind == STMT_RETURN || stmt->kind == STMT_BREAK || stmt->kind == STMT_CONTINUE;
}

/* The statement mentions the variable, or any role. */
struct sight carried_sight(const struct carried *c, const struct stmt *stmt, const struct var *var)
{
    struct sight sight = {.carried = c, .var = var};

    stmt_visit((struct stmt *)stmt, see_stmt, see_expr, &sight);
    return sight;
}

/* ---- the statement that replaces ------------------------------------------------------------- */

/* Whether the branch sets an extremum. */
static bool replaces(const struct carried *c, const struct stmt *branch)
{
    struct named place;

    if (branch->kind == STMT_EXPR) {
        const struct expr *bare = access_bare(branch->expr);

        return bare->kind == EXPR_ASSIGN && !bare->compound &&
               carried_names(c, bare->kid[0], &place) && carried_is_extremum(c, place.arg);
    }
    for (int k = 0; k < branch->kids && branch->kind == STMT_BLOCK; k++) {
        if (replaces(c, branch->kid[k])) {
            return true;
        }
    }
    return false;
}

/* Recognises x > *extremum, or its mirror image: sets `better` to x. is_strict: equal values do not
 * replace. */
static bool compares(struct carried *c, const struct expr *condition, bool *is_strict)
{
    const struct expr *bare = access_bare(condition);
    bool is_left;
    bool is_greater;

    if (bare->kind != EXPR_BINARY || bare->binary < BINARY_LT || bare->binary > BINARY_GE) {
        return false;
    }
    is_left =
        carried_names(c, bare->kid[0], &c->replaced) && carried_is_extremum(c, c->replaced.arg);
    if (!is_left && (!carried_names(c, bare->kid[1], &c->replaced) ||
                     !carried_is_extremum(c, c->replaced.arg))) {
        return false;
    }
    c->better = bare->kid[is_left ? 1 : 0];
    is_greater = (bare->binary == BINARY_GT || bare->binary == BINARY_GE) != is_left;
    *is_strict = bare->binary == BINARY_LT || bare->binary == BINARY_GT;
    carried_look(c, c->better, false);
    if (is_greater != (c->loop->arg[c->replaced.arg].access == ACCESS_MAX) ||
        !access_keeps_value(c->loop->arg[c->replaced.arg].type, bare->kid[is_left ? 0 : 1]->type)) {
        carried_refuse(c, &bare->loc, c->replaced.arg, carried_otherwise);
    }
    return true;
}

/* Searches the conditions joined by && for the comparison; true when it was found. */
static bool find_comparison(struct carried *c, const struct expr *condition, bool *is_strict)
{
    const struct expr *bare = access_bare(condition);

    if (bare->kind == EXPR_BINARY && bare->binary == BINARY_LAND) {
        bool first = find_comparison(c, bare->kid[0], is_strict);
        struct named replaced = c->replaced;
        const struct expr *better = c->better;

        if (!first) {
            return find_comparison(c, bare->kid[1], is_strict);
        }
        carried_look(c, bare->kid[1], true);
        c->replaced = replaced;
        c->better = better;
        return true;
    }
    if (compares(c, bare, is_strict)) {
        return true;
    }
    carried_look(c, bare, true);
    return false;
}

static void walk_replacing(struct carried *c, const struct stmt *stmt)
{
    bool is_strict = false;
    enum ties ties;

    c->replaced.arg = -1;
    if (!find_comparison(c, stmt->expr, &is_strict) || stmt->kids > 1) {
        const struct expr *found = carried_sight(c, stmt, NULL).expr;

        carried_refuse(c, &stmt->loc, carried_role(c, found), carried_otherwise);
        return;
    }
    ties = is_strict ? TIES_FIRST : TIES_LAST;
    if (c->ties[c->replaced.arg] != TIES_NONE && c->ties[c->replaced.arg] != ties) {
        carried_refuse(c, &stmt->loc, c->replaced.arg,
                       "is compared in two ways, with and without equality");
    }
    c->ties[c->replaced.arg] = ties;
    if (!is_strict) {
        carried_flag(c, stmt->kid[0]);
    }
    carried_run(c, stmt->kid[0], 0);
}

static void walk_stmt(struct carried *c, const struct stmt *stmt)
{
    bool counts = stmt->kind == STMT_FOR && carried_count(c, stmt);

    if (stmt->kind == STMT_IF && replaces(c, stmt->kid[0])) {
        walk_replacing(c, stmt);
        return;
    }
    if (stmt->expr != NULL) {
        carried_look(c, stmt->expr, stmt->kind != STMT_EXPR && stmt->kind != STMT_RETURN);
    }
    if (stmt->step != NULL) {
        carried_look(c, stmt->step, false);
    }
    if (stmt->kind == STMT_DECL && stmt->var->init != NULL) {
        carried_look(c, stmt->var->init, false);
    }
    for (int k = 0; k < stmt->kids && c->reason == NULL; k++) {
        walk_stmt(c, stmt->kid[k]);
    }
    c->counters.count -= counts;
}

/* ---- the loop ---------------------------------------------------------------------------------
 */

static bool has_payload(const struct loop *loop, int extremum)
{
    for (int a = 0; a < loop->args; a++) {
        if (loop->arg[a].kind == ARG_INFO && loop->arg[a].info_of == extremum) {
            return true;
        }
    }
    return false;
}

static void start(struct carried *c, struct arena *arena, struct loop *loop,
                  struct carried_flags *flags)
{
    size_t args = (size_t)loop->args;

    *c = (struct carried){.arena = arena, .loop = loop, .flags = flags};
    c->ties = arena_alloc(arena, args * sizeof(*c->ties));
    c->goes_with = arena_alloc(arena, args * sizeof(*c->goes_with));
    c->stamp = arena_alloc(arena, args * sizeof(*c->stamp));
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        bool is_payload = arg->kind == ARG_INFO;
        size_t bytes = is_payload ? (size_t)arg->dim * sizeof(int) : 0;

        if (is_payload || has_payload(loop, a)) {
            push_role(c, loop->kernel->param[a], a);
        }
        c->goes_with[a] = arena_alloc(arena, bytes);
        c->stamp[a] = arena_alloc(arena, bytes);
        for (int i = 0; is_payload && i < arg->dim; i++) {
            c->goes_with[a][i] = -1;
        }
    }
}

/* Each statement that replaces a component must also replace all payload components that go with
 * it. */
static void check_complete(struct carried *c)
{
    for (int r = 0; r < c->replacements; r++) {
        const struct replacement *replacement = &c->replacement[r];
        int owned = 0;

        for (int a = 0; a < c->loop->args; a++) {
            const struct arg *arg = &c->loop->arg[a];

            for (int i = 0; arg->kind == ARG_INFO && i < arg->dim; i++) {
                owned += arg->info_of == replacement->extremum &&
                         c->goes_with[a][i] == replacement->component;
            }
        }
        if (owned != replacement->sets) {
            carried_refuse(c, &c->loop->kernel->loc, replacement->extremum,
                           "is replaced in one place with its whole payload, in another without");
            return;
        }
    }
}

const char *access_carried(struct arena *arena, struct loop *loop, struct carried_flags *flags)
{
    struct carried c;
    bool any = false;

    for (int a = 0; a < loop->args; a++) {
        any |= loop->arg[a].kind == ARG_INFO;
        if (loop->arg[a].kind == ARG_INFO && (loop->arg[a].info_of < 0 || loop->arg[a].dim < 1 ||
                                              loop->arg[loop->arg[a].info_of].dim < 1)) {
            return "the dimension of an op_arg_info, or of its extremum, is not known when it is "
                   "compiled";
        }
    }
    if (!any) {
        return NULL;
    }
    if (loop->kernel->body == NULL) {
        return "it has an op_arg_info, and its kernel is not analysed";
    }
    start(&c, arena, loop, flags);
    walk_stmt(&c, loop->kernel->body);
    check_complete(&c);
    for (int a = 0; a < loop->args && c.reason == NULL; a++) {
        struct arg *arg = &loop->arg[a];

        if (arg->kind == ARG_INFO) {
            arg->goes_with = c.goes_with[a];
        } else if (has_payload(loop, a)) {
            arg->ties = c.ties[a] == TIES_LAST ? TIES_LAST : TIES_FIRST;
        }
    }
    return c.reason;
}
