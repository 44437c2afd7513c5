/* layout.c: nodes with guards become nested ifs.
 *
 * In: statements in the order in which they run, each with its node's guard. Out: a tree in which
 * statements under one guard share an if as long as nothing runs between them:
 *
 *   c = ...          {                        A guard's conditions each open an if, the outermost
 * first. [c] a = ...        c = ...                An if can take more statements, in either
 * branch, while it
 *   [!c] b = ...       if (c) { a = ... }     is the last statement of its block: a condition has
 * one else { b = ... } }     value, and only one of the branches runs.
 */
#include "pass/ir/arena.h"
#include "splitter/schedule/layout.h"

/* ---- small trees ----------------------------------------------------------------------------- */

struct stmt *stmt_new(struct arena *arena, enum stmt_kind kind, struct loc loc)
{
    struct stmt *stmt = arena_alloc(arena, sizeof(*stmt));
    stmt->kind = kind;
    stmt->loc = loc;
    return stmt;
}

struct expr *expr_of_var(struct arena *arena, struct var *var, struct loc loc)
{
    struct expr *expr = arena_alloc(arena, sizeof(*expr));
    expr->kind = EXPR_VAR;
    expr->type = var->type;
    expr->var = var;
    expr->loc = loc;
    return expr;
}

static struct expr *expr_not(struct arena *arena, struct expr *kid)
{
    static const struct type type_int = {.kind = TYPE_INT, .size = sizeof(int)};
    struct expr *expr = arena_alloc(arena, sizeof(*expr));
    expr->kind = EXPR_UNARY;
    expr->unary = UNARY_NOT;
    expr->type = &type_int;
    expr->loc = kid->loc;
    expr->kids = 1;
    expr->kid = arena_alloc(arena, sizeof(struct expr *));
    expr->kid[0] = kid;
    return expr;
}

/* ---- scopes ---------------------------------------------------------------------------------- */

static struct scope *scope_new(struct layout *layout, struct scope *parent, struct loc loc)
{
    struct arena *arena = layout->graph->arena;
    struct scope *scope = arena_alloc(arena, sizeof(*scope));
    scope->block = stmt_new(arena, STMT_BLOCK, loc);
    scope->parent = parent;
    scope->depth = parent != NULL ? parent->depth + 1 : 0;
    scope->position = parent != NULL ? parent->block->kids - 1 : 0;
    scope->condition = -1;
    layout->scope =
        arena_grow(arena, layout->scope, layout->scopes, &layout->capacity, sizeof(struct scope *));
    layout->scope[layout->scopes++] = scope;
    return scope;
}

struct layout layout_new(const struct graph *graph)
{
    size_t nodes = (size_t)graph->nodes;
    struct layout layout = {.graph = graph};
    layout.of = arena_alloc(graph->arena, nodes * sizeof(struct scope *));
    layout.position = arena_alloc(graph->arena, nodes * sizeof(int));
    scope_new(&layout, NULL, graph->loop->kernel->loc);
    return layout;
}

static void scope_append(struct layout *layout, struct scope *scope, struct stmt *stmt)
{
    struct stmt *block = scope->block;
    block->kid = arena_grow(layout->graph->arena, block->kid, block->kids, &scope->capacity,
                            sizeof(struct stmt *));
    block->kid[block->kids++] = stmt;
    scope->condition = -1;
}

/* An if as the last statement of the scope, with one branch so far. */
static void open_if(struct layout *layout, struct scope *scope, const struct guard *guard)
{
    struct arena *arena = layout->graph->arena;
    const struct node *node = &layout->graph->node[guard->condition];
    struct stmt *stmt = stmt_new(arena, STMT_IF, node->loc);
    struct expr *condition = expr_of_var(arena, node->var, node->loc);
    stmt->expr = guard->when ? condition : expr_not(arena, condition);
    stmt->kid = arena_alloc(arena, 2 * sizeof(struct stmt *));
    scope_append(layout, scope, stmt);
    scope->condition = guard->condition;
    scope->branch[0] = NULL;
    scope->branch[1] = NULL;
}

static struct scope *scope_of_guard(struct layout *layout, const struct guard *guard)
{
    if (guard == NULL) {
        return layout->scope[0];
    }
    struct scope *outer = scope_of_guard(layout, guard->outer);
    if (outer->condition != guard->condition) {
        open_if(layout, outer, guard);
    }
    struct scope **branch = &outer->branch[guard->when];
    if (*branch == NULL) {
        struct stmt *stmt = outer->block->kid[outer->block->kids - 1];
        *branch = scope_new(layout, outer, stmt->loc);
        stmt->kid[stmt->kids++] = (*branch)->block;
    }
    return *branch;
}

void layout_add(struct layout *layout, int n, const struct guard *guard, struct stmt *stmt)
{
    struct scope *scope = scope_of_guard(layout, guard);
    if (layout->of[n] == NULL) {
        layout->of[n] = scope;
        layout->position[n] = scope->block->kids;
    }
    scope_append(layout, scope, stmt);
}

struct scope *layout_common(struct scope *a, struct scope *b)
{
    if (a == NULL) {
        return b;
    }
    while (a != b) {
        if (a->depth >= b->depth) {
            a = a->parent;
        } else {
            b = b->parent;
        }
    }
    return a;
}

/* ---- declarations ---------------------------------------------------------------------------- */

void layout_declare(struct layout *layout, struct scope *scope, int n, struct var *var)
{
    int position = layout->position[n];
    for (struct scope *s = layout->of[n]; s != scope; s = s->parent) {
        position = s->position;
    }
    scope->declaration = arena_grow(layout->graph->arena, scope->declaration, scope->declarations,
                                    &scope->declaration_capacity, sizeof(*scope->declaration));
    scope->declaration[scope->declarations++] = (struct declaration){position, var};
}

static void place_declarations(struct layout *layout, struct scope *scope)
{
    struct arena *arena = layout->graph->arena;
    struct stmt *block = scope->block;
    int kids = block->kids + scope->declarations;
    struct stmt **kid = arena_alloc(arena, (size_t)kids * sizeof(struct stmt *));
    int next = 0;
    int count = 0;
    for (int k = 0; k < block->kids; k++) {
        while (next < scope->declarations && scope->declaration[next].position == k) {
            struct var *var = scope->declaration[next++].var;
            kid[count] = stmt_new(arena, STMT_DECL, var->loc);
            kid[count++]->var = var;
        }
        kid[count++] = block->kid[k];
    }
    block->kid = kid;
    block->kids = kids;
}

struct stmt *layout_finish(struct layout *layout)
{
    for (int s = 0; s < layout->scopes; s++) {
        if (layout->scope[s]->declarations > 0) {
            place_declarations(layout, layout->scope[s]);
        }
    }
    return layout->scope[0]->block;
}
