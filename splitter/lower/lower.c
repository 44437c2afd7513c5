/* lower.c: a kernel's body becomes a dependence graph: the entry, the arguments, and what the body
 * adds to each place. See lower_impl.h for the rest.
 */
#include "splitter/lower/lower.h"
#include "splitter/lower/lower_impl.h"

/* ---- leaving the lowering ------------------------------------------------------------------ */

_Noreturn void lower_refuse(struct lower *lower, const char *reason)
{
    lower->reason = reason;
    lower->where = lower->loc;
    longjmp(*lower->leave, 1);
}

_Noreturn void lower_restart(struct lower *lower, const void *mark)
{
    struct marks *marks = lower->marks;

    marks->mark =
        arena_grow(lower->arena, marks->mark, marks->count, &marks->room, sizeof(const void *));
    marks->mark[marks->count++] = mark;
    longjmp(*lower->leave, 2);
}

bool lower_is_marked(const struct lower *lower, const void *mark)
{
    for (int m = 0; m < lower->marks->count; m++) {
        if (lower->marks->mark[m] == mark) {
            return true;
        }
    }
    return false;
}

/* ---- arguments
 * ----------------------------------------------------------------------------------- */

bool lower_is_extremum(const struct arg *arg)
{
    return arg->kind == ARG_DAT && arg->is_indirect &&
           (arg->access == ACCESS_MIN || arg->access == ACCESS_MAX);
}

bool lower_is_summed(const struct arg *arg)
{
    return lower_is_extremum(arg) ||
           (arg->access == ACCESS_INC &&
            (arg->kind == ARG_GLOBAL || (arg->kind == ARG_DAT && arg->is_indirect)));
}

static bool is_modified(const struct arg *arg)
{
    return arg->kind != ARG_INDEX && arg->access != ACCESS_READ && !lower_is_summed(arg);
}

bool lower_is_mutable(const struct loop *loop, int number)
{
    const struct arg *arg = &loop->arg[number];

    if (is_modified(arg)) {
        return true;
    }
    for (int a = 0; a < loop->args && arg->kind == ARG_DAT && !lower_is_summed(arg); a++) {
        const struct arg *other = &loop->arg[a];

        if (other->kind == ARG_DAT && other->dat >= 0 && other->dat == arg->dat &&
            is_modified(other)) {
            return true;
        }
    }
    return false;
}

static const struct type *array_of(struct lower *lower, const struct arg *arg)
{
    struct type *type = arena_alloc(lower->arena, sizeof(*type));
    long dim = arg->kind == ARG_INDEX ? 1 : arg->dim;

    type->kind = TYPE_ARRAY;
    type->elem = lower_bare_type(lower, arg->type);
    type->count = dim > 0 ? dim * arg->columns : 0;
    type->size = (size_t)type->count * type->elem->size;
    return type;
}

static enum role role_of(const struct arg *arg)
{
    return arg->access == ACCESS_MIN   ? ROLE_LEAST
           : arg->access == ACCESS_MAX ? ROLE_GREATEST
                                       : ROLE_SUM;
}

/* Increments that are found by a subscript at run time go to an array that starts from zero. */
static void clear_storage(struct lower *lower, struct object *sum)
{
    struct stmt *block = make_stmt(lower, STMT_BLOCK, (int)sum->type->count);

    for (int k = 0; k < block->kids; k++) {
        struct expr *element =
            make_index(lower, sum->type->elem, make_var(lower, &sum->storage->var),
                       make_int(lower, &lower_int, k));

        block->kid[k] =
            make_expr_stmt(lower, make_assign(lower, element, make_zero(lower, sum->type->elem)));
    }
    node_stmt(lower, NODE_REGION, block, 1, &sum->storage);
}

static void set_up_data(struct lower *lower, int a)
{
    const struct arg *arg = &lower->loop->arg[a];
    const char *name = lower->loop->kernel->param[a]->name;

    if (lower_is_summed(arg)) {
        if (arg->dim <= 0) {
            lower_refuse(lower,
                         arena_format(lower->arena, "the dimension of '%s' is not known", name));
        }
        lower->sum[a] = object_new(lower, name, array_of(lower, arg),
                                   lower_is_extremum(arg) ? NULL : arg, role_of(arg));
        if (lower->sum[a]->storage != NULL) {
            clear_storage(lower, lower->sum[a]);
        }
        lower->has_extrema = lower->has_extrema || lower_is_extremum(arg);
    } else if (lower_is_mutable(lower->loop, a)) {
        lower->cache[a] = object_new(lower, name, array_of(lower, arg), NULL, ROLE_CACHE);
    }
}

/* The parameter points to the argument's data. */
static void set_up_parameter(struct lower *lower, int a)
{
    const struct arg *arg = &lower->loop->arg[a];
    struct var *param = lower->loop->kernel->param[a];
    struct object *object = object_new(lower, param->name, param->type, NULL, ROLE_LOCAL);
    struct location *target;

    if (param->type->kind != TYPE_POINTER || type_leaves(arg->type) != 1) {
        lower_refuse(lower, arena_format(lower->arena,
                                         "the parameter '%s' is of a kind that is not "
                                         "known",
                                         param->name));
    }
    target = location_new(lower, arg->is_vector ? BASE_ROWS : BASE_ARG, param->type->elem);
    target->arg = a;
    target->path = make_index(lower, param->type->elem, make_var(lower, param),
                              make_int(lower, &lower_int, 0));
    leaf_set(lower, object->first, (struct value){.target = target});
    object_bind(lower, param, object);
}

static void set_up(struct lower *lower)
{
    const struct loop *loop = lower->loop;
    size_t room = (size_t)(loop->args + 1) * sizeof(struct object *);

    lower->reserved = pointer_map_new(lower->arena);
    lower->prints = pointer_map_new(lower->arena);
    lower_names_start(lower);
    lower->sum = arena_alloc(lower->arena, room);
    lower->cache = arena_alloc(lower->arena, room);
    for (int a = 0; a < loop->args; a++) {
        lower->loc = loop->arg[a].loc;
        if (loop->arg[a].is_optional) {
            lower_refuse(lower, arena_format(lower->arena,
                                             "the argument '%s' is optional, and may be missing",
                                             loop->kernel->param[a]->name));
        }
        set_up_parameter(lower, a);
        set_up_data(lower, a);
    }
}

/* ---- contributions
 * -------------------------------------------------------------------------------- */

struct results {
    int room;
};

/* Whether an update may take the value without a variable. */
static bool needs_no_variable(const struct lower *lower, const struct expr *expr)
{
    if (expr->kind == EXPR_PLACE) {
        const struct arg *arg = &lower->loop->arg[expr->place.arg];

        return !lower_is_mutable(lower->loop, expr->place.arg) && arg->access == ACCESS_READ &&
               ((arg->kind == ARG_DAT && !arg->is_indirect) || arg->kind == ARG_GLOBAL);
    }
    return expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT;
}

/* Looks through plain copies and signs. Returns the value that is added; *negative: it is
 * subtracted. */
static struct expr *source_of(const struct lower *lower, struct expr *value, bool *negative)
{
    for (;;) {
        const struct local *local = expr_local(value);
        const struct node *node;

        if (local == NULL || local->node < 0) {
            return value;
        }
        node = &lower->graph->node[local->node];
        if (node->kind != NODE_VALUE || node->guard != NULL) {
            return value;
        }
        if (expr_is_atom(node->expr) || needs_no_variable(lower, node->expr)) {
            value = node->expr;
        } else if (node->expr->kind == EXPR_UNARY && node->expr->unary == UNARY_NEG &&
                   (expr_is_atom(node->expr->kid[0]) ||
                    needs_no_variable(lower, node->expr->kid[0]))) {
            value = node->expr->kid[0];
            *negative = !*negative;
        } else {
            return value;
        }
    }
}

static void add_contribution(struct lower *lower, struct results *results, struct place place,
                             const struct leaf *leaf, struct expr *value)
{
    struct graph *graph = lower->graph;
    const struct arg *arg = &lower->loop->arg[place.arg];
    struct contribution *made;
    bool negative = false;

    if (!expr_is_atom(value) && !needs_no_variable(lower, value)) {
        value = node_version(lower, leaf->name, value);
    }
    if (arg->access == ACCESS_INC) {
        value = source_of(lower, value, &negative);
    }
    graph->contribution = arena_grow(lower->arena, graph->contribution, graph->contributions,
                                     &results->room, sizeof(*graph->contribution));
    made = &graph->contribution[graph->contributions];
    made->update.place = place;
    made->update.value = value;
    made->update.negative = negative;
    made->node = expr_local(value) != NULL ? expr_local(value)->node : -1;
    made->merged = graph->contributions++;
    made->loc = leaf->first;
}

/* gbl[c] += the sum of its increments. */
static void store_global(struct lower *lower, struct place place, const struct leaf *leaf,
                         struct expr *value)
{
    const struct type *type = leaf->type;
    struct location location = {.base = BASE_ARG, .type = type, .arg = place.arg};
    struct expr *assign = make_expr(lower, EXPR_ASSIGN, type, 2);

    location.offset = place.component;
    lower->loc = leaf->first;
    assign->compound = true;
    assign->binary = BINARY_ADD;
    assign->compute = type;
    assign->kid[1] = value;
    assign->kid[0] = make_place(lower, &location);
    lower->is_ending = true;
    node_stmt(lower, NODE_STORE, make_expr_stmt(lower, assign), 0, NULL);
    lower->is_ending = false;
}

/* The k-th sum's value; NULL: nothing was added. */
static struct expr *sum_value(struct lower *lower, struct object *sum, int k, struct leaf *leaf)
{
    struct location *location;

    if (sum->storage == NULL) {
        *leaf = lower->leaf[sum->first + k];
        return leaf->value.atom;
    }
    location = location_element(lower, location_object(lower, sum), k);
    *leaf = (struct leaf){.name = sum->name, .type = sum->type->elem, .first = lower->loc};
    return memory_load(lower, location);
}

static void collect(struct lower *lower)
{
    struct results results = {0};

    for (int a = 0; a < lower->loop->args; a++) {
        const struct arg *arg = &lower->loop->arg[a];
        struct object *sum = lower->sum[a];

        for (int k = 0; sum != NULL && k < sum->leaves; k++) {
            struct place place = {a, k / arg->dim, k % arg->dim};
            struct leaf leaf;
            struct expr *value = sum_value(lower, sum, k, &leaf);

            if (value != NULL && arg->kind == ARG_GLOBAL) {
                store_global(lower, place, &leaf, value);
            } else if (value != NULL) {
                add_contribution(lower, &results, place, &leaf, value);
            }
        }
    }
}

/* ---- entry
 * ------------------------------------------------------------------------------------------ */

static void lower_body(struct lower *lower)
{
    struct frame frame = {.is_function = true, .skipped = -1};

    lower->last_effect = -1;
    set_up(lower);
    frame.stopped = leaf_new(lower, "returned", &lower_bool, ROLE_LOCAL);
    leaf_set(lower, frame.stopped, (struct value){.atom = make_bool(lower, false)});
    lower->frame = &frame;
    lower_stmt(lower, lower->loop->kernel->body);
    collect(lower);
    for (int n = 0; n < lower->graph->nodes; n++) {
        lower->graph->effects = lower->graph->effects || lower->graph->node[n].once;
    }
}

static struct lower *lower_new(struct arena *arena, const struct loop *loop, struct marks *marks)
{
    struct lower *lower = arena_alloc(arena, sizeof(*lower));

    lower->arena = arena;
    lower->loop = loop;
    lower->marks = marks;
    lower->loc = loop->kernel->loc;
    lower->graph = arena_alloc(arena, sizeof(*lower->graph));
    lower->graph->arena = arena;
    lower->graph->loop = loop;
    return lower;
}

/* Lowers once more for each thing that has to be kept in memory, or whole. */
static struct lower *lower_run(struct arena *arena, const struct loop *loop)
{
    struct marks marks = {0};

    for (;;) {
        struct lower *lower = lower_new(arena, loop, &marks);
        jmp_buf leave;
        int how;

        lower->leave = &leave;
        how = setjmp(leave);
        if (how == 0) {
            lower_body(lower);
        }
        if (how != 2) {
            lower->marks = NULL;
            return lower;
        }
    }
}

static const char *no_tree(struct arena *arena, const struct loop *loop)
{
    const struct function *kernel = loop->kernel;

    if (kernel->params != loop->args) {
        return "its parameters do not fit the arguments";
    }
    if (kernel->body != NULL) {
        return NULL;
    }
    return arena_format(arena, "%s",
                        kernel->opaque_reason != NULL ? kernel->opaque_reason
                                                      : "its body is not visible");
}

struct graph *graph_lower(struct arena *arena, const struct loop *loop, const char **reason,
                          struct loc *where)
{
    struct lower *lower;

    *reason = no_tree(arena, loop);
    *where = loop->kernel->opaque_reason != NULL ? loop->kernel->opaque_loc : loop->kernel->loc;
    if (*reason != NULL) {
        return NULL;
    }
    lower = lower_run(arena, loop);
    if (lower->reason != NULL) {
        *reason = lower->reason;
        *where = lower->where;
        return NULL;
    }
    *where = (struct loc){0};
    graph_drop_dead(lower->graph);
    graph_drop_overwritten(lower->graph);
    return lower->graph;
}
