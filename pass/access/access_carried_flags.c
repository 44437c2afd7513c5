/* access_carried_flags.c: flags that say where a kernel replaced an extremum by an equal value.
 *
 * If x >= *extremum replaces, equal values leave the extremum as it is while the payload
 * changes, so the values do not show that it was replaced. The trees of such kernels get a
 * statement that sets a component behind the payload's last one (struct arg, flags):
 *
 *     if (x >= most[k]) { most[k] = x; where[k] = *element; where[dim + k] = 1; }
 *
 * The user's source, which the sequential reference runs, stays as it is.
 */
#include "pass/access/access_carried.h"
#include "pass/ir/arena.h"

/* A branch that sets a flag. */
struct carried_flag {
    struct loop *loop;
    struct stmt *branch;
    const struct expr *subscript; /* of the extremum; NULL: component 0 */
    int extremum;
};

void carried_flag(struct carried *c, struct stmt *branch)
{
    struct carried_flags *flags = c->flags;

    if (c->calls > 0) {
        carried_refuse(c, &branch->loc, c->replaced.arg,
                       "is compared with <= or >= in a helper function");
        return;
    }
    flags->flag =
        arena_grow(c->arena, flags->flag, flags->count, &flags->room, sizeof(*flags->flag));
    flags->flag[flags->count++] =
        (struct carried_flag){c->loop, branch, c->replaced.subscript, c->replaced.arg};
}

/* The first payload of the extremum. */
static int payload_of(const struct loop *loop, int extremum)
{
    for (int a = 0; a < loop->args; a++) {
        if (loop->arg[a].kind == ARG_INFO && loop->arg[a].info_of == extremum) {
            return a;
        }
    }
    return -1;
}

/* Loops that share a kernel share its tree: payload and extremum must be alike in all of them. */
static bool fits(const struct program *program, const struct loop *loop, int extremum)
{
    int payload = payload_of(loop, extremum);

    for (int n = 0; n < program->loops; n++) {
        const struct loop *other = &program->loop[n];

        if (other->kernel != loop->kernel || other->sequential_reason != NULL) {
            continue;
        }
        if (other->args != loop->args || payload_of(other, extremum) != payload ||
            arg_payload(&other->arg[payload]) != arg_payload(&loop->arg[payload]) ||
            other->arg[extremum].dim != loop->arg[extremum].dim) {
            return false;
        }
    }
    return true;
}

/* ---- the statement --------------------------------------------------------------------------- */

static struct expr *new_expr(struct arena *arena, enum expr_kind kind, const struct type *type,
                             const struct stmt *at)
{
    struct expr *expr = arena_alloc(arena, sizeof(*expr));

    expr->kind = kind;
    expr->type = type;
    expr->loc = at->loc;
    return expr;
}

static struct expr *new_pair(struct arena *arena, enum expr_kind kind, const struct type *type,
                             struct expr *first, struct expr *second)
{
    struct expr *expr = arena_alloc(arena, sizeof(*expr));

    expr->kind = kind;
    expr->type = type;
    expr->loc = first->loc;
    expr->kids = 2;
    expr->kid = arena_alloc(arena, 2 * sizeof(*expr->kid));
    expr->kid[0] = first;
    expr->kid[1] = second;
    return expr;
}

/* (long) first + subscript */
static struct expr *index_of(struct arena *arena, int first, const struct expr *subscript,
                             const struct stmt *at)
{
    struct type *type = arena_alloc(arena, sizeof(*type));
    struct expr *sum;
    struct expr *constant = new_expr(arena, EXPR_INT, type, at);

    *type = (struct type){.kind = TYPE_LONG, .size = sizeof(long)};
    constant->bits = (unsigned long long)first;
    if (subscript == NULL) {
        return constant;
    }
    if (!type_same(subscript->type, type)) {
        struct expr *cast = new_expr(arena, EXPR_CAST, type, at);

        cast->implicit = true;
        cast->kids = 1;
        cast->kid = arena_alloc(arena, sizeof(*cast->kid));
        cast->kid[0] = (struct expr *)subscript;
        subscript = cast;
    }
    sum = new_pair(arena, EXPR_BINARY, type, constant, (struct expr *)subscript);
    sum->binary = BINARY_ADD;
    return sum;
}

static struct stmt *setting(struct arena *arena, const struct carried_flag *flag)
{
    const struct loop *loop = flag->loop;
    int payload = payload_of(loop, flag->extremum);
    struct var *param = loop->kernel->param[payload];
    const struct type *type = param->type->elem;
    struct stmt *stmt = arena_alloc(arena, sizeof(*stmt));
    struct expr *pointer = new_expr(arena, EXPR_VAR, param->type, flag->branch);
    struct expr *one =
        new_expr(arena, type_is_floating(type) ? EXPR_FLOAT : EXPR_INT, type, flag->branch);

    pointer->var = param;
    one->bits = 1;
    one->value = 1.0;
    stmt->kind = STMT_EXPR;
    stmt->loc = flag->branch->loc;
    stmt->expr = new_pair(
        arena, EXPR_ASSIGN, type,
        new_pair(arena, EXPR_INDEX, type, pointer,
                 index_of(arena, arg_payload(&loop->arg[payload]), flag->subscript, flag->branch)),
        one);
    return stmt;
}

static void append(struct arena *arena, const struct carried_flag *flag)
{
    struct stmt *old = arena_alloc(arena, sizeof(*old));
    struct stmt *branch = flag->branch;

    *old = *branch;
    *branch = (struct stmt){.kind = STMT_BLOCK, .loc = old->loc, .kids = 2};
    branch->kid = arena_alloc(arena, 2 * sizeof(*branch->kid));
    branch->kid[0] = old;
    branch->kid[1] = setting(arena, flag);
}

/* ---- all loops --------------------------------------------------------------------------------
 */

static bool was_appended(const struct carried_flags *flags, int number)
{
    for (int n = 0; n < number; n++) {
        if (flags->flag[n].branch == flags->flag[number].branch &&
            flags->flag[n].loop->sequential_reason == NULL) {
            return true;
        }
    }
    return false;
}

static bool can_set(const struct loop *loop, int payload)
{
    const struct type *type = loop->kernel->param[payload]->type;

    return type->kind == TYPE_POINTER &&
           (type_is_floating(type->elem) || type_is_integer(type->elem));
}

void access_carried_flags(struct program *program, struct carried_flags *flags,
                          void (*sequential)(void *user, struct loop *loop, const char *reason),
                          void *user)
{
    for (int n = 0; n < flags->count; n++) {
        struct loop *loop = flags->flag[n].loop;
        int extremum = flags->flag[n].extremum;

        if (loop->sequential_reason == NULL &&
            (!can_set(loop, payload_of(loop, extremum)) || !fits(program, loop, extremum))) {
            sequential(user, loop,
                       "its kernel has an op_arg_info and compares with <= or >=, and another "
                       "loop gives it payloads of another shape");
        }
    }
    for (int n = 0; n < flags->count; n++) {
        if (flags->flag[n].loop->sequential_reason == NULL && !was_appended(flags, n)) {
            append(program->arena, &flags->flag[n]);
        }
    }
    for (int n = 0; n < flags->count; n++) {
        const struct carried_flag *flag = &flags->flag[n];
        struct arg *payload = &flag->loop->arg[payload_of(flag->loop, flag->extremum)];

        if (flag->loop->sequential_reason == NULL && payload->flags == 0) {
            payload->flags = flag->loop->arg[flag->extremum].dim;
            payload->dim += payload->flags;
        }
    }
}
