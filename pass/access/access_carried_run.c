/* access_carried_run.c: runs a statement that replaces an extremum, for each value of the counters
 * that it mentions, and notes which components of its payload it sets. See access_carried.c.
 */
#include "pass/access/access_carried.h"
#include "pass/ir/arena.h"

enum { MOST_STEPS = 100000 };

static void run_stmt(struct carried *c, const struct stmt *stmt);

static bool value_of(const struct carried *c, const struct expr *subscript, long *value)
{
    struct range range = {0, 0};

    if (subscript != NULL &&
        (!access_range(subscript, &c->counters, &range) || range.lo != range.hi)) {
        return false;
    }
    *value = range.lo;
    return true;
}

static bool same_subscript(const struct expr *a, const struct expr *b)
{
    return a == b || (a != NULL && b != NULL && access_same(a, b));
}

/* ---- counting loops -------------------------------------------------------------------------- */

/* Counts by one, so that it takes all values of the range. */
static bool counts_by_one(const struct stmt *loop)
{
    const struct expr *step = loop->step != NULL ? access_bare(loop->step) : NULL;
    long by = 0;

    return step != NULL &&
           ((step->kind == EXPR_UNARY && step->unary >= UNARY_PRE_INC) ||
            (step->kind == EXPR_ASSIGN && step->compound && step->binary == BINARY_ADD &&
             access_constant(step->kid[1], &by) && by == 1));
}

bool carried_count(struct carried *c, const struct stmt *loop)
{
    struct counter counter = {0};

    if (access_counted(loop, &counter.var, &counter.range) != LOOP_COUNTED ||
        !counts_by_one(loop)) {
        return false;
    }
    c->counters.counter = arena_grow(c->arena, c->counters.counter, c->counters.count,
                                     &c->counters.capacity, sizeof(*c->counters.counter));
    c->counters.counter[c->counters.count++] = counter;
    return true;
}

/* Calls `go` for every value of counter number n, as if the counter had only that value. */
static void for_each(struct carried *c, int n, const struct stmt *stmt,
                     void (*go)(struct carried *c, const struct stmt *stmt, int next))
{
    struct range range = c->counters.counter[n].range;

    for (long value = range.lo; value <= range.hi && c->reason == NULL; value++) {
        if (++c->steps > MOST_STEPS) {
            c->reason = "the payload of an op_arg_info is set in loops with too many iterations";
        }
        c->counters.counter[n].range = (struct range){value, value};
        go(c, stmt, n + 1);
    }
    c->counters.counter[n].range = range;
}

/* ---- the branch that replaces ---------------------------------------------------------------- */

static void set_extremum(struct carried *c, const struct expr *assign, const struct named *place)
{
    const struct expr *value = access_widened(assign->kid[1]);
    const struct type *type = c->loop->arg[place->arg].type;

    if (place->arg != c->replaced.arg || !same_subscript(place->subscript, c->replaced.subscript)) {
        carried_refuse(c, &assign->loc, place->arg, "is set where another value was compared");
    } else if (!access_same(value, access_widened(c->better)) ||
               !access_keeps_value(value->type, type)) {
        carried_refuse(c, &assign->loc, place->arg,
                       "is set to another value than it was compared with");
    }
    c->times++;
}

static void set_payload(struct carried *c, const struct expr *assign, const struct named *place)
{
    const struct arg *arg = &c->loop->arg[place->arg];
    long component = 0;

    carried_look(c, assign->kid[1], false);
    if (arg->info_of != c->replaced.arg) {
        carried_refuse(c, &assign->loc, place->arg, carried_otherwise);
    } else if (!c->is_known && same_subscript(place->subscript, c->replaced.subscript) &&
               arg->dim == c->loop->arg[arg->info_of].dim) {
        c->sets++; /* each component goes with the one of the same number */
    } else if (!c->is_known || !value_of(c, place->subscript, &component) || component < 0 ||
               component >= arg->dim) {
        carried_refuse(c, &assign->loc, place->arg, "is set at a subscript that is not known");
    } else {
        int *goes = &c->goes_with[place->arg][component];

        if (*goes >= 0 && *goes != c->component) {
            carried_refuse(c, &assign->loc, place->arg,
                           "goes with several components of the extremum");
        }
        *goes = (int)c->component;
        c->sets += c->stamp[place->arg][component] != c->number;
        c->stamp[place->arg][component] = c->number;
    }
}

static void run_expr(struct carried *c, const struct expr *expr)
{
    const struct expr *bare = access_bare(expr);
    struct named place;

    if (bare->kind == EXPR_ASSIGN && !bare->compound && carried_names(c, bare->kid[0], &place)) {
        if (place.subscript != NULL) {
            carried_look(c, place.subscript, false);
        }
        (carried_is_extremum(c, place.arg) ? set_extremum : set_payload)(c, bare, &place);
    } else if (bare->kind == EXPR_CALL && bare->callee->kind == FUNCTION_USER) {
        for (int k = 0; k < bare->kids; k++) {
            if (carried_role(c, bare->kid[k]) < 0) {
                carried_look(c, bare->kid[k], false);
            }
        }
        carried_enter(c, bare, run_stmt);
    } else {
        carried_look(c, bare, false);
    }
}

static void run_round(struct carried *c, const struct stmt *body, int next)
{
    (void)next;
    run_stmt(c, body);
}

/* A statement of the branch: it runs whenever the branch is taken. */
static void run_stmt(struct carried *c, const struct stmt *stmt)
{
    struct sight sight = carried_sight(c, stmt, NULL);

    if (sight.jumps) {
        carried_refuse(c, &stmt->loc, c->replaced.arg, "is set where a jump may leave the branch");
        return;
    }
    switch (stmt->kind) {
    case STMT_BLOCK:
        for (int k = 0; k < stmt->kids; k++) {
            run_stmt(c, stmt->kid[k]);
        }
        return;
    case STMT_EXPR:
        run_expr(c, stmt->expr);
        return;
    case STMT_FOR:
        if (sight.found && carried_count(c, stmt)) {
            for_each(c, c->counters.count - 1, stmt->kid[1], run_round);
            c->counters.count--;
            return;
        }
        break;
    default:
        break;
    }
    if (sight.found) {
        carried_refuse(c, &stmt->loc, carried_role(c, sight.expr), carried_otherwise);
    }
}

/* Records the components of the payload that are set with this component; they must be all that are
 * ever set. */
static void record(struct carried *c, long component)
{
    c->replacement = arena_grow(c->arena, c->replacement, c->replacements, &c->replacement_room,
                                sizeof(*c->replacement));
    c->replacement[c->replacements++] = (struct replacement){c->replaced.arg, component, c->sets};
}

/* Each component of a payload goes with the component of the extremum that has the same number. */
static void record_same(struct carried *c, const struct stmt *branch)
{
    int payloads = 0;

    for (int a = 0; a < c->loop->args; a++) {
        const struct arg *arg = &c->loop->arg[a];

        if (arg->kind != ARG_INFO || arg->info_of != c->replaced.arg) {
            continue;
        }
        payloads++;
        for (int i = 0; i < arg->dim; i++) {
            if (c->goes_with[a][i] >= 0 && c->goes_with[a][i] != i) {
                carried_refuse(c, &branch->loc, a, "goes with several components of the extremum");
            }
            c->goes_with[a][i] = i;
        }
    }
    if (c->sets != payloads) {
        carried_refuse(c, &branch->loc, c->replaced.arg, "is replaced without all of its payload");
    }
    for (int i = 0; i < c->loop->arg[c->replaced.arg].dim; i++) {
        record(c, i);
    }
}

/* Runs the branch once for each value of the counters that it mentions, from counter number `next`
 * on. */
void carried_run(struct carried *c, const struct stmt *branch, int next)
{
    const struct arg *extremum = &c->loop->arg[c->replaced.arg];

    while (next < c->counters.count &&
           !carried_sight(c, branch, c->counters.counter[next].var).found) {
        next++;
    }
    if (next < c->counters.count) {
        for_each(c, next, branch, carried_run);
        return;
    }
    c->is_known = value_of(c, c->replaced.subscript, &c->component);
    if (extremum->dim == 1) {
        c->is_known = true;
        c->component = 0;
    }
    c->number++;
    c->times = 0;
    c->sets = 0;
    c->is_running = true;
    run_stmt(c, branch);
    c->is_running = false;
    if (c->times != 1) {
        carried_refuse(c, &branch->loc, c->replaced.arg, carried_otherwise);
    }
    if (c->is_known) {
        record(c, c->component);
    } else {
        record_same(c, branch);
    }
}
