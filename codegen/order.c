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

#include "codegen/order_impl.h"
#include "pass/ir/arena.h"

enum {
    BUDGET = 52, /* words of registers, of some 72, that values may take */
    MOST_STATEMENTS = 2000,
    MOST_CLIMBED = 400, /* statements, since a move costs as much as the body is long */
    MOST_ROUNDS = 6
};

/* ---- what an order costs -----------------------------------------------------------------------
 */

struct cost {
    double above; /* squared excess of live words over the budget, summed over the statements */
    double alive; /* live words, summed over the statements */
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

/* Returns the position farthest towards the beginning, or the end, that dependences allow. */
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

/* The body has pointers: its statements may then read or set data that they do not name. */
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
    struct order order = {.arena = emit->file->program->arena, .emit = emit, .stage = stage};
    if (body->kids > MOST_STATEMENTS || body->kids < 2 || has_pointers(body)) {
        return body->kid;
    }
    order.statements = body->kids;
    order.statement = arena_alloc(order.arena, (size_t)body->kids * sizeof(*order.statement));
    order.live = arena_alloc(order.arena, (size_t)(body->kids + 1) * sizeof(*order.live));
    for (int s = 0; s < order.statements; s++) {
        order.statement[s].stmt = body->kid[s];
    }
    order_find_dependences(&order);
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
