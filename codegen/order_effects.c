/* order_effects.c: the reads, writes and dependences of a body's statements.
 *
 * In: a body's statements. Out: the values that they share (locals, and components of arguments),
 * and for each statement those that must run before it.
 */
#include <string.h>

#include "codegen/order_impl.h"
#include "pass/ir/arena.h"

static void *grown(struct arena *arena, void *array, int count, int *room, size_t size)
{
    if (count < *room) {
        return array;
    }
    *room = *room > 0 ? 2 * *room : 8;
    void *larger = arena_alloc(arena, (size_t)*room * size);
    if (count > 0) {
        memcpy(larger, array, (size_t)count * size);
    }
    return larger;
}

/* ---- values ------------------------------------------------------------------------------------
 */

static bool is_aggregate(const struct type *type)
{
    return type->kind == TYPE_ARRAY || type->kind == TYPE_RECORD || type->kind == TYPE_POINTER;
}

static int words_of(const struct order *order, const struct value *value)
{
    if (value->is_place) {
        return ((int)order->emit->loop->arg[value->place.arg].type->size + 3) / 4;
    }
    return is_aggregate(value->var->type) ? 0 : ((int)value->var->type->size + 3) / 4;
}

static bool is_made(const struct stage *stage, const struct var *var)
{
    for (int v = 0; v < stage->makes; v++) {
        if (stage->make[v] == var) {
            return true;
        }
    }
    return false;
}

/* Components of 16 bytes are loaded together where records are made of such parts. */
static bool share_part(const struct order *order, const struct place *a, const struct place *b)
{
    const struct arg *arg = &order->emit->loop->arg[a->arg];
    int part = 16 / (int)arg->type->size;
    return a->arg == b->arg && a->column == b->column && part > 0 && arg->dim % part == 0 &&
           a->component / part == b->component / part;
}

static int find_value(struct order *order, const struct value *wanted)
{
    int part = order->values;
    for (int v = 0; v < order->values; v++) {
        const struct value *value = &order->value[v];
        if (value->var != wanted->var || value->is_place != wanted->is_place) {
            continue;
        }
        if (!wanted->is_place || (value->place.column == wanted->place.column &&
                                  value->place.component == wanted->place.component)) {
            return v;
        }
        if (part == order->values && share_part(order, &value->place, &wanted->place)) {
            part = v;
        }
    }
    order->value =
        grown(order->arena, order->value, order->values, &order->value_room, sizeof(*order->value));
    struct value *added = &order->value[order->values];
    *added = *wanted;
    added->words = words_of(order, wanted);
    added->part = part;
    added->stays = !wanted->is_place && is_made(order->stage, wanted->var);
    added->writer = NOBODY;
    return order->values++;
}

/* ---- what a statement does ---------------------------------------------------------------------
 */

static void note_use(struct order *order, int v)
{
    struct statement *statement = order->current;
    for (int u = 0; u < statement->uses; u++) {
        if (statement->use[u] == v) {
            return;
        }
    }
    int *use = arena_alloc(order->arena, (size_t)(statement->uses + 1) * sizeof(*use));
    if (statement->uses > 0) {
        memcpy(use, statement->use, (size_t)statement->uses * sizeof(*use));
    }
    use[statement->uses] = v;
    statement->use = use;
    statement->uses++;
}

static bool is_local(const struct var *var)
{
    return var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM;
}

static bool is_param(const struct order *order, const struct var *var, int *a)
{
    const struct loop *loop = order->emit->loop;
    for (*a = 0; *a < loop->args; ++*a) {
        if (loop->kernel->param[*a] == var) {
            return true;
        }
    }
    return false;
}

/* Reading it gives the same wherever the statement stands. */
static bool is_only_read(const struct order *order, int a)
{
    const struct arg *arg = &order->emit->loop->arg[a];
    return arg->access == ACCESS_READ &&
           (arg->kind != ARG_DAT ||
            !order->emit->shape->dat[order->emit->shape->dat_of[a]].modified);
}

static bool is_harmless(const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_ASSIGN:
    case EXPR_STRING:
        return false;
    case EXPR_CALL:
        return expr->callee->kind == FUNCTION_MATH;
    case EXPR_UNARY:
        return expr->unary != UNARY_PRE_INC && expr->unary != UNARY_PRE_DEC &&
               expr->unary != UNARY_POST_INC && expr->unary != UNARY_POST_DEC &&
               expr->unary != UNARY_ADDRESS;
    default:
        return true;
    }
}

static void note_expr(struct expr *expr, void *user)
{
    struct order *order = user;
    int a = 0;
    order->is_free = order->is_free && is_harmless(expr);
    if (expr->kind == EXPR_PLACE) {
        struct value place = {.var = expr->var, .place = expr->place, .is_place = true};
        order->is_free = order->is_free && is_only_read(order, expr->place.arg);
        if (order->emit->loop->arg[expr->place.arg].kind == ARG_DAT) {
            note_use(order, find_value(order, &place));
        }
    } else if (expr->kind == EXPR_VAR && is_param(order, expr->var, &a)) {
        order->is_free = order->is_free && is_only_read(order, a);
    } else if (expr->kind == EXPR_VAR && is_local(expr->var)) {
        struct value local = {.var = expr->var};
        note_use(order, find_value(order, &local));
    }
}

static void note_stmt(struct stmt *stmt, void *user)
{
    struct order *order = user;
    order->is_free = order->is_free && stmt->kind == STMT_DECL;
    if (stmt->kind == STMT_DECL) {
        struct value local = {.var = stmt->var};
        note_use(order, find_value(order, &local));
    }
}

/* "x = value;" or "T x = value;": the value, and the variable. */
static struct expr *setting(struct stmt *stmt, struct var **var)
{
    struct expr *expr = stmt->kind == STMT_EXPR ? stmt->expr : NULL;
    if (stmt->kind == STMT_DECL && stmt->var->init != NULL && !is_aggregate(stmt->var->type)) {
        *var = stmt->var;
        return stmt->var->init;
    }
    if (expr != NULL && expr->kind == EXPR_ASSIGN && !expr->compound &&
        expr->kid[0]->kind == EXPR_VAR && is_local(expr->kid[0]->var)) {
        *var = expr->kid[0]->var;
        return expr->kid[1];
    }
    return NULL;
}

/* Finds the variables that a statement reads and sets. A statement that does more than set one
 * local, or reads data that the loop modifies, keeps its place and counts as changing all that it
 * names. */
static void find_effects(struct order *order, struct statement *statement)
{
    struct var *var = NULL;
    struct expr *value = setting(statement->stmt, &var);
    order->current = statement;
    order->is_free = value != NULL;
    statement->sets = NOBODY;
    if (value != NULL) {
        expr_visit(value, note_expr, order);
    }
    if (order->is_free) {
        struct value local = {.var = var};
        statement->sets = find_value(order, &local);
        return;
    }
    statement->fixed = true;
    stmt_visit(statement->stmt, note_stmt, note_expr, order);
}

/* ---- dependences -------------------------------------------------------------------------------
 */

static void follow(struct order *order, struct statement *statement, int before)
{
    int self = (int)(statement - order->statement);
    for (int b = 0; b < statement->befores; b++) {
        if (statement->before[b] == before) {
            return;
        }
    }
    if (before == NOBODY || before == self) {
        return;
    }
    int *befores = arena_alloc(order->arena, (size_t)(statement->befores + 1) * sizeof(*befores));
    if (statement->befores > 0) {
        memcpy(befores, statement->before, (size_t)statement->befores * sizeof(*befores));
    }
    befores[statement->befores] = before;
    statement->before = befores;
    statement->befores++;
    order->statement[before].followers++;
}

static void follow_reading(struct order *order, struct statement *statement, int v)
{
    struct value *value = &order->value[v];
    follow(order, statement, value->writer);
    value->reader =
        grown(order->arena, value->reader, value->readers, &value->room, sizeof(*value->reader));
    value->reader[value->readers++] = (int)(statement - order->statement);
}

static void follow_writing(struct order *order, struct statement *statement, int v)
{
    struct value *value = &order->value[v];
    follow(order, statement, value->writer);
    for (int r = 0; r < value->readers; r++) {
        follow(order, statement, value->reader[r]);
    }
    value->readers = 0;
    value->writer = (int)(statement - order->statement);
}

void order_find_dependences(struct order *order)
{
    for (int s = 0; s < order->statements; s++) {
        find_effects(order, &order->statement[s]);
    }
    int fixed = NOBODY;
    for (int s = 0; s < order->statements; s++) {
        struct statement *statement = &order->statement[s];
        for (int u = 0; u < statement->uses; u++) {
            follow_reading(order, statement, statement->use[u]);
        }
        for (int u = 0; statement->fixed && u < statement->uses; u++) {
            if (!order->value[statement->use[u]].is_place) {
                follow_writing(order, statement, statement->use[u]);
            }
        }
        if (statement->sets != NOBODY) {
            follow_writing(order, statement, statement->sets);
        }
        if (statement->fixed) {
            follow(order, statement, fixed);
            fixed = s;
        }
    }
}
