/* fixture_trees.h: types, and short builders for the trees of the fixture's kernels; for fixture.c alone. */
#ifndef CLEAVE_TEST_FIXTURE_TREES_H
#define CLEAVE_TEST_FIXTURE_TREES_H

#include <string.h>

#include "pass/ir/arena.h"
#include "pass/ir/loop_ir.h"

static const struct type type_void = {.kind = TYPE_VOID};
static const struct type type_int = {.kind = TYPE_INT, .size = 4};
static const struct type type_double = {.kind = TYPE_DOUBLE, .size = 8};
static const struct type type_const_double = {.kind = TYPE_DOUBLE, .size = 8, .is_const = true};
static const struct type type_const_int = {.kind = TYPE_INT, .size = 4, .is_const = true};
static const struct type type_to = {.kind = TYPE_POINTER, .size = 8, .elem = &type_double};
static const struct type type_from = {.kind = TYPE_POINTER, .size = 8, .elem = &type_const_double};
static const struct type type_to_int = {.kind = TYPE_POINTER, .size = 8, .elem = &type_int};
static const struct type type_from_int = {.kind = TYPE_POINTER, .size = 8, .elem = &type_const_int};
static const struct type type_to_all = {.kind = TYPE_POINTER, .size = 8, .elem = &type_to};
static const struct type type_from_all = {.kind = TYPE_POINTER, .size = 8, .elem = &type_from};
static const struct type type_weights = {
    .kind = TYPE_ARRAY, .size = 16, .elem = &type_const_double, .count = 2};

struct build {
    struct arena *arena;
    struct program *program;
    struct function *kernel; /* being built */
    struct var *gam;
    struct var *weight;
    struct function *square;
    int line;
};

static struct expr *make(struct build *b, enum expr_kind kind, const struct type *type, int kids,
                         struct expr *x, struct expr *y)
{
    struct expr *expr = arena_alloc(b->arena, sizeof(*expr));
    expr->kind = kind;
    expr->type = type;
    expr->kids = kids;
    expr->kid = arena_alloc(b->arena, 3 * sizeof(*expr->kid));
    expr->kid[0] = x;
    expr->kid[1] = y;
    return expr;
}

static struct expr *number(struct build *b, unsigned long long value)
{
    struct expr *expr = make(b, EXPR_INT, &type_int, 0, NULL, NULL);
    expr->bits = value;
    return expr;
}

static struct expr *real(struct build *b, double value)
{
    struct expr *expr = make(b, EXPR_FLOAT, &type_double, 0, NULL, NULL);
    expr->value = value;
    return expr;
}

static struct expr *use(struct build *b, struct var *var)
{
    struct expr *expr = make(b, EXPR_VAR, var->type, 0, NULL, NULL);
    expr->var = var;
    return expr;
}

static struct expr *at(struct build *b, int param, int k)
{
    struct var *var = b->kernel->param[param];
    return make(b, EXPR_INDEX, var->type->elem, 2, use(b, var), number(b, (unsigned)k));
}

static struct expr *at2(struct build *b, int param, int column, int k)
{
    struct expr *row = at(b, param, column);
    return make(b, EXPR_INDEX, row->type->elem, 2, row, number(b, (unsigned)k));
}

static struct expr *binary(struct build *b, enum binary_op op, struct expr *x, struct expr *y)
{
    struct expr *expr = make(b, EXPR_BINARY, &type_double, 2, x, y);
    if (op == BINARY_LT || op == BINARY_GT || op == BINARY_NE) {
        expr->type = &type_int;
    }
    expr->binary = op;
    return expr;
}

static struct expr *add(struct build *b, struct expr *x, struct expr *y)
{
    return binary(b, BINARY_ADD, x, y);
}

static struct expr *mul(struct build *b, struct expr *x, struct expr *y)
{
    return binary(b, BINARY_MUL, x, y);
}

static struct expr *square(struct build *b, struct expr *x)
{
    struct expr *expr = make(b, EXPR_CALL, &type_double, 1, x, NULL);
    expr->callee = b->square;
    return expr;
}

static struct stmt *statement(struct build *b, enum stmt_kind kind, struct expr *expr)
{
    struct stmt *stmt = arena_alloc(b->arena, sizeof(*stmt));
    stmt->kind = kind;
    stmt->expr = expr;
    stmt->loc = (struct loc){"mesh.c", ++b->line, 5};
    return stmt;
}

static struct stmt *block(struct build *b, int kids, struct stmt *const *kid)
{
    struct stmt *stmt = statement(b, STMT_BLOCK, NULL);
    stmt->kids = kids;
    stmt->kid = arena_alloc(b->arena, (size_t)kids * sizeof(*stmt->kid));
    memcpy(stmt->kid, kid, (size_t)kids * sizeof(*stmt->kid));
    return stmt;
}

static struct stmt *assign(struct build *b, struct expr *to, struct expr *value)
{
    return statement(b, STMT_EXPR, make(b, EXPR_ASSIGN, to->type, 2, to, value));
}

static struct stmt *compound(struct build *b, enum binary_op op, struct expr *to,
                             struct expr *value)
{
    struct stmt *stmt = assign(b, to, value);
    stmt->expr->compound = true;
    stmt->expr->binary = op;
    stmt->expr->compute = to->type;
    return stmt;
}

static struct stmt *increment(struct build *b, struct expr *to, struct expr *value)
{
    return compound(b, BINARY_ADD, to, value);
}

static struct stmt *when(struct build *b, struct expr *condition, struct stmt *then)
{
    struct stmt *stmt = statement(b, STMT_IF, condition);
    stmt->kids = 1;
    stmt->kid = arena_alloc(b->arena, sizeof(*stmt->kid));
    stmt->kid[0] = then;
    return stmt;
}

#endif
