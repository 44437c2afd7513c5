/* order.c: an order of a stage's statements in which few values are alive at a time.
 *
 * In: the body of a stage, statements that mostly set one local each. Out: the same statements,
 * each behind those that it depends on. Compilers for the device keep to the order of the text
 * wherever control flow parts it, as it does at every division and square root of double precision;
 * what is computed long before it is used then waits in a register, or is spilled.
 *
 * Two orders are tried: the user's, and one that is made from the end, always taking next the
 * statement that makes fewest operands live and frees most. Both are improved by moving single
 * statements to where their operands are made or to where they are used first, while that lowers
 * what is alive above a budget of registers. The better one is taken.
 */
#include <string.h>

#include "codegen/emit.h"
#include "pass/arena.h"

enum {
    BUDGET = 52, /* words of registers, of some 72, that values may take */
    MOST_STATEMENTS = 2000,
    MOST_CLIMBED = 400, /* statements, since a move costs as much as the body is long */
    MOST_ROUNDS = 6,
    NOBODY = -1
};

/* A local, or a component of an argument. */
struct value {
    const struct var *var; /* the local, or the argument's parameter */
    struct place place;    /* of the latter */
    bool is_place;
    int words;
    int part;    /* the first value that is loaded together with it */
    bool stays;  /* used behind the body */
    int writer;  /* statement that set it last, while dependences are found */
    int readers; /* and statements that read it since */
    int *reader;
    int room;
    int first; /* places of its first and last use in an order */
    int last;
};

struct statement {
    struct stmt *stmt;
    bool fixed; /* keeps its place among those that are */
    int uses;   /* values that it reads */
    int *use;
    int sets; /* the value that it makes, where it is one; else NOBODY */
    int befores;
    int *before;   /* statements that must run first */
    int followers; /* that must run later and are not placed yet */
};

struct order {
    struct arena *arena;
    const struct emit *emit;
    const struct stage *stage;
    int values;
    struct value *value;
    int value_room;
    int statements;
    struct statement *statement;
    struct statement *current; /* whose expressions are walked */
    bool is_free;              /* it may move */
    int *live;                 /* [statements + 1] scratch: words alive */
};

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

/* What is not known to set one local from what it reads keeps its place, and changes all it names.
 */
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

static void find_dependences(struct order *order)
{
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

/* ---- what an order costs -----------------------------------------------------------------------
 */

struct cost {
    double above; /* squares of what is alive above the budget, summed over the statements */
    double alive; /* the sum of all that is */
};

static bool is_lower(struct cost a, struct cost b)
{
    return a.above < b.above || (a.above == b.above && a.alive < b.alive);
}

static void note_at(struct value *value, int at)
{
    if (value->first == NOBODY) {
        value->first = at;
    }
    value->last = at;
}

/* The thread has it before the body begins. */
static bool is_ahead(const struct order *order, const struct value *value)
{
    return value->is_place && order->emit->held != NULL && order->emit->held[value->place.arg];
}

static void find_spans(struct order *order, const int *at)
{
    for (int v = 0; v < order->values; v++) {
        order->value[v].first = is_ahead(order, &order->value[v]) ? 0 : NOBODY;
    }
    for (int i = 0; i < order->statements; i++) {
        const struct statement *statement = &order->statement[at[i]];
        for (int u = 0; u < statement->uses; u++) {
            note_at(&order->value[statement->use[u]], i);
        }
        if (statement->sets != NOBODY) {
            note_at(&order->value[statement->sets], i);
        }
    }
    for (int v = 0; v < order->values; v++) {
        struct value *part = &order->value[order->value[v].part];
        part->first = order->value[v].first < part->first ? order->value[v].first : part->first;
    }
}

static struct cost cost_of(struct order *order, const int *at)
{
    struct cost cost = {0, 0};
    int alive = 0;
    find_spans(order, at);
    memset(order->live, 0, (size_t)(order->statements + 1) * sizeof(*order->live));
    for (int v = 0; v < order->values; v++) {
        const struct value *value = &order->value[v];
        int first = order->value[value->part].first;
        order->live[first == NOBODY ? 0 : first] += value->words;
        if (!value->stays) {
            order->live[first == NOBODY ? 0 : value->last + 1] -= value->words;
        }
    }
    for (int i = 0; i < order->statements; i++) {
        alive += order->live[i];
        int above = alive > BUDGET ? alive - BUDGET : 0;
        cost.above += (double)above * above;
        cost.alive += alive;
    }
    return cost;
}

/* ---- orders ------------------------------------------------------------------------------------
 */

/* Words that become live before the statement, less those that it makes. */
static int words_made_live(const struct order *order, const struct statement *statement,
                           const bool *live)
{
    int words = 0;
    for (int u = 0; u < statement->uses; u++) {
        const struct value *value = &order->value[statement->use[u]];
        words += live[value->part] ? 0 : value->words;
    }
    if (statement->sets != NOBODY && live[statement->sets]) {
        words -= order->value[statement->sets].words;
    }
    return words;
}

static int best_last(const struct order *order, const bool *placed, const bool *live)
{
    int best = NOBODY;
    int words = 0;
    for (int s = order->statements - 1; s >= 0; s--) {
        const struct statement *statement = &order->statement[s];
        if (placed[s] || statement->followers > 0) {
            continue;
        }
        int made = words_made_live(order, statement, live);
        if (best == NOBODY || made < words) {
            best = s;
            words = made;
        }
    }
    return best;
}

static void order_from_end(struct order *order, int *at)
{
    bool *placed = arena_alloc(order->arena, (size_t)order->statements * sizeof(*placed));
    bool *live = arena_alloc(order->arena, (size_t)(order->values + 1) * sizeof(*live));
    for (int v = 0; v < order->values; v++) {
        live[v] = order->value[v].stays;
    }
    for (int i = order->statements - 1; i >= 0; i--) {
        int s = best_last(order, placed, live);
        const struct statement *statement = &order->statement[s];
        at[i] = s;
        placed[s] = true;
        if (statement->sets != NOBODY) {
            live[statement->sets] = false;
        }
        for (int u = 0; u < statement->uses; u++) {
            live[order->value[statement->use[u]].part] = true;
        }
        for (int b = 0; b < statement->befores; b++) {
            order->statement[statement->before[b]].followers--;
        }
    }
}

static bool must_precede(const struct order *order, int first, int second)
{
    const struct statement *statement = &order->statement[second];
    for (int b = 0; b < statement->befores; b++) {
        if (statement->before[b] == first) {
            return true;
        }
    }
    return false;
}

/* Moves the statement at place `from` to place `to`, the others keeping their order. */
static void move(int *at, int from, int to)
{
    int moved = at[from];
    if (from < to) {
        memmove(&at[from], &at[from + 1], (size_t)(to - from) * sizeof(*at));
    } else {
        memmove(&at[to + 1], &at[to], (size_t)(from - to) * sizeof(*at));
    }
    at[to] = moved;
}

/* As far towards the beginning, or the end, as what it depends on and what depends on it allow. */
static int farthest(const struct order *order, const int *at, int from, bool later)
{
    int to = from;
    if (later) {
        while (to + 1 < order->statements && !must_precede(order, at[from], at[to + 1])) {
            to++;
        }
    } else {
        while (to > 0 && !must_precede(order, at[to - 1], at[from])) {
            to--;
        }
    }
    return to;
}

static bool improve(struct order *order, int *at, int from, struct cost *cost)
{
    for (int later = 0; later < 2; later++) {
        int to = farthest(order, at, from, later != 0);
        if (to == from) {
            continue;
        }
        move(at, from, to);
        struct cost changed = cost_of(order, at);
        if (is_lower(changed, *cost)) {
            *cost = changed;
            return true;
        }
        move(at, to, from);
    }
    return false;
}

static struct cost climb(struct order *order, int *at)
{
    struct cost cost = cost_of(order, at);
    bool improved = order->statements <= MOST_CLIMBED;
    for (int round = 0; round < MOST_ROUNDS && improved; round++) {
        improved = false;
        for (int i = 0; i < order->statements; i++) {
            improved = improve(order, at, i, &cost) || improved;
        }
    }
    return cost;
}

/* ---- the body ----------------------------------------------------------------------------------
 */

/* Through a pointer a statement may read or set what it does not name. */
static bool has_pointers(const struct stmt *body)
{
    for (int k = 0; k < body->kids; k++) {
        if (body->kid[k]->kind == STMT_DECL && body->kid[k]->var->type->kind == TYPE_POINTER) {
            return true;
        }
    }
    return false;
}

static int *user_order(struct order *order)
{
    int *at = arena_alloc(order->arena, (size_t)order->statements * sizeof(*at));
    for (int s = 0; s < order->statements; s++) {
        at[s] = s;
    }
    return at;
}

struct stmt **order_statements(const struct emit *emit, const struct stage *stage)
{
    struct stmt *body = stage->body;
    struct order order = {.arena = emit->program->arena, .emit = emit, .stage = stage};
    if (body->kids > MOST_STATEMENTS || body->kids < 2 || has_pointers(body)) {
        return body->kid;
    }
    order.statements = body->kids;
    order.statement = arena_alloc(order.arena, (size_t)body->kids * sizeof(*order.statement));
    order.live = arena_alloc(order.arena, (size_t)(body->kids + 1) * sizeof(*order.live));
    for (int s = 0; s < order.statements; s++) {
        order.statement[s].stmt = body->kid[s];
        find_effects(&order, &order.statement[s]);
    }
    find_dependences(&order);
    int *user = user_order(&order);
    int *other = arena_alloc(order.arena, (size_t)order.statements * sizeof(*other));
    order_from_end(&order, other);
    struct cost of_user = climb(&order, user);
    const int *best = is_lower(climb(&order, other), of_user) ? other : user;
    struct stmt **sorted = arena_alloc(order.arena, (size_t)body->kids * sizeof(*sorted));
    for (int s = 0; s < order.statements; s++) {
        sorted[s] = body->kid[best[s]];
    }
    return sorted;
}
