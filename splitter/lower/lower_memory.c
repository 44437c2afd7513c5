/* lower_memory.c: reading and writing a location.
 *
 * Leaves of locals are versions. An argument's data that nothing modifies while the body runs
 * becomes a place in the tree itself; other data is read by a separate node, ordered with the
 * stores to it. A place that is incremented is never touched: an accumulator stands for it.
 */
#include "splitter/lower/lower_impl.h"

static long dimension(const struct arg *arg)
{
    return arg->kind == ARG_INDEX ? 1 : arg->dim;
}

static bool is_constant(const struct location *location)
{
    return location->index == NULL && location->column_index == NULL;
}

/* Whether it is one component of the argument, known now. */
bool memory_is_one_place(const struct lower *lower, const struct location *location)
{
    const struct arg *arg = &lower->loop->arg[location->arg];

    return is_constant(location) && location->offset >= 0 && location->offset < dimension(arg) &&
           location->column >= 0 && location->column < arg->columns;
}

struct expr *memory_path(struct lower *lower, const struct location *location)
{
    if (location->path == NULL) {
        lower_refuse(lower, arena_format(lower->arena,
                                         "a subscript of %s that is not constant, behind a "
                                         "pointer that was cast",
                                         location_name(lower, location)));
    }
    return location->path;
}

/* ---- accumulators -------------------------------------------------------------------------- */

static struct expr *plus(struct lower *lower, struct expr *sum, struct expr *index)
{
    long long zero;

    index = make_cast(lower, &lower_long, index, true);
    return expr_int(sum, &zero) && zero == 0
               ? index
               : make_binary(lower, BINARY_ADD, &lower_long, sum, index);
}

/* Returns the index of the place in the array of all sums of its argument. */
static struct expr *sum_index(struct lower *lower, const struct location *location, long dim)
{
    struct expr *index = make_int(lower, &lower_long, location->column * dim + location->offset);

    if (location->column_index != NULL) {
        index = plus(lower, index,
                     make_binary(lower, BINARY_MUL, &lower_long,
                                 make_cast(lower, &lower_long, location->column_index, true),
                                 make_int(lower, &lower_long, dim)));
    }
    return location->index != NULL ? plus(lower, index, location->index) : index;
}

struct location *memory_actual(struct lower *lower, struct location *location)
{
    struct object *sum;
    struct location *start;

    if (location->base != BASE_ARG || lower->sum[location->arg] == NULL) {
        return location;
    }
    sum = lower->sum[location->arg];
    if (location->type->kind == TYPE_ARRAY || location->type->kind == TYPE_RECORD) {
        lower_refuse(lower, arena_format(lower->arena, "%s is incremented as a whole",
                                         location_name(lower, location)));
    }
    start = location_object(lower, sum);
    start = location_element(lower, start, 0);
    return location_move(lower, start,
                         sum_index(lower, location, dimension(&lower->loop->arg[location->arg])),
                         false);
}

/* ---- locals -------------------------------------------------------------------------------- */

/* Leaf of a location. An object that is kept in storage can be accessed by a path with variable
 * subscripts; one that is taken apart needs a constant leaf, else lowering restarts with it in
 * storage. */
int memory_leaf(struct lower *lower, const struct location *location)
{
    struct object *object = location->object;

    if (!is_constant(location)) {
        if (object->mark == NULL) {
            lower_refuse(lower,
                         arena_format(lower->arena, "a subscript of '%s' that is not constant",
                                      object->name));
        }
        lower_restart(lower, object->mark);
    }
    if (location->offset < 0 || location->offset >= object->leaves) {
        lower_refuse(lower,
                     arena_format(lower->arena, "a subscript outside of '%s'", object->name));
    }
    return object->first + (int)location->offset;
}

static struct expr *load_object(struct lower *lower, const struct location *location)
{
    const struct leaf *leaf;
    int number;

    if (location->object->storage == NULL) {
        number = memory_leaf(lower, location);
        leaf = &lower->leaf[number];
        return lower->region != NULL && leaf->changing != NULL
                   ? make_var(lower, &leaf->changing->var)
                   : leaf_expr(lower, number);
    }
    if (lower->region != NULL) {
        return memory_path(lower, location);
    }
    return node_version(lower, location->object->name, memory_path(lower, location));
}

static void store_storage(struct lower *lower, const struct location *location, struct expr *value)
{
    struct stmt *stmt =
        make_expr_stmt(lower, make_assign(lower, memory_path(lower, location), value));

    node_stmt(lower, NODE_REGION, stmt, 1, &location->object->storage);
}

/* ---- arguments ----------------------------------------------------------------------------- */

static int cache_leaf(struct lower *lower, const struct location *location)
{
    const struct object *cache = lower->cache[location->arg];

    return cache->first + (int)(location->column * dimension(&lower->loop->arg[location->arg])) +
           (int)location->offset;
}

static bool shares_data(const struct loop *loop, int a, int b)
{
    return a == b || (loop->arg[a].kind == ARG_DAT && loop->arg[b].kind == ARG_DAT &&
                      loop->arg[a].dat >= 0 && loop->arg[a].dat == loop->arg[b].dat);
}

/* Forgets the values of all leaves, except `keep`, that a store to `component` (-1: any) of the
 * argument may have changed. */
void memory_forget(struct lower *lower, int arg, long component, int keep)
{
    for (int a = 0; a < lower->loop->args; a++) {
        const struct object *cache = lower->cache[a];
        long dim = dimension(&lower->loop->arg[a]);

        for (int n = 0; cache != NULL && shares_data(lower->loop, a, arg) && n < cache->leaves;
             n++) {
            int leaf = cache->first + n;

            if (leaf != keep && (component < 0 || n % dim == component) &&
                lower->leaf[leaf].value.atom != NULL) {
                leaf_set(lower, leaf, (struct value){0});
            }
        }
    }
}

static struct expr *load_arg(struct lower *lower, struct location *location)
{
    const char *name = lower->loop->kernel->param[location->arg]->name;
    bool is_one = memory_is_one_place(lower, location);
    struct expr *expr = is_one ? make_place(lower, location) : memory_path(lower, location);
    int leaf;

    if (lower->cache[location->arg] == NULL || lower->region != NULL) {
        return expr;
    }
    if (!is_one) {
        return node_version(lower, name, expr);
    }
    leaf = cache_leaf(lower, location);
    if (lower->leaf[leaf].value.atom == NULL) {
        leaf_set(lower, leaf, (struct value){.atom = node_version(lower, name, expr)});
    }
    return lower->leaf[leaf].value.atom;
}

static void store_arg(struct lower *lower, struct location *location, struct expr *value)
{
    bool is_one = memory_is_one_place(lower, location);
    const char *name = lower->loop->kernel->param[location->arg]->name;
    struct expr *place;
    int leaf;

    if (lower->cache[location->arg] == NULL ||
        lower->loop->arg[location->arg].access == ACCESS_READ) {
        lower_refuse(lower, arena_format(lower->arena, "'%s' is OP_READ, and written", name));
    }
    place = is_one ? make_place(lower, location) : memory_path(lower, location);
    if (!expr_is_atom(value)) {
        value = node_version(lower, name, value);
    }
    node_stmt(lower, NODE_STORE, make_expr_stmt(lower, make_assign(lower, place, value)), 0, NULL);
    leaf = is_one ? cache_leaf(lower, location) : -1;
    memory_forget(lower, location->arg, is_one ? location->offset : -1, leaf);
    if (is_one) {
        leaf_set(lower, leaf, (struct value){.atom = value});
    }
}

/* A constant, or the value of a place that nothing has modified before: no compiler can contract
 * anything with it. */
static bool comes_from_memory(const struct lower *lower, const struct expr *value)
{
    const struct local *local = expr_local(value);
    if (local == NULL || local->node < 0) {
        return value->kind != EXPR_VAR;
    }
    const struct node *node = &lower->graph->node[local->node];
    return node->kind == NODE_VALUE && node->expr->kind == EXPR_PLACE && node->afters == 0;
}

void memory_pass(struct lower *lower, struct location *location, const struct expr *call)
{
    struct expr *value = memory_load(lower, location);
    if (comes_from_memory(lower, value)) {
        return;
    }
    struct expr *copy = make_expr(lower, EXPR_CALL, call->type, 1);
    copy->callee = call->callee;
    copy->kid[0] = value;
    copy->place = (struct place){location->arg, 0, (int)location->offset};
    value = node_version(lower, lower->loop->kernel->param[location->arg]->name, copy);
    leaf_set(lower, cache_leaf(lower, location), (struct value){.atom = value});
}

/* ---- tables -------------------------------------------------------------------------------- */

/* The offset-th scalar of an initialiser; NULL: it is not there, so zero. */
static struct expr *table_leaf(struct lower *lower, const struct type *type, struct expr *init,
                               long offset)
{
    if (type->kind != TYPE_ARRAY && type->kind != TYPE_RECORD) {
        return init;
    }
    if (init->kind != EXPR_INIT || type_has_union(type)) {
        return NULL;
    }
    for (int k = 0; k < init->kids; k++) {
        const struct type *elem =
            type->kind == TYPE_ARRAY ? type->elem : type->record->field[k].type;
        long leaves = type_leaves(elem);

        if (offset < leaves) {
            return table_leaf(lower, elem, init->kid[k], offset);
        }
        offset -= leaves;
    }
    return make_zero(lower, &lower_int);
}

static struct expr *load_var(struct lower *lower, const struct location *location)
{
    const struct var *var = location->var;
    struct expr *expr;

    if (var->storage == STORAGE_TABLE && is_constant(location) && location->offset >= 0 &&
        location->offset < type_leaves(var->type)) {
        expr = table_leaf(lower, var->type, var->init, location->offset);
        if (expr != NULL) {
            expr = make_cast(lower, lower_bare_type(lower, location->type), expr, true);
        }
        if (expr != NULL && (expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT)) {
            return expr;
        }
    }
    return memory_path(lower, location);
}

/* ---- one of two ---------------------------------------------------------------------------- */

static struct expr *load_either(struct lower *lower, const struct location *location)
{
    struct expr *condition = location->condition;
    struct branch branch;
    struct expr *yes;
    struct expr *no;
    struct join join_yes;
    struct join join_no;

    if (lower->region != NULL) {
        yes = memory_load(lower, location->yes);
        return make_cond(lower, yes->type, condition, yes, memory_load(lower, location->no));
    }
    branch = branch_begin(lower, condition, true);
    yes = memory_load(lower, location->yes);
    join_yes = branch_end(lower, &branch);
    branch = branch_begin(lower, condition, false);
    no = memory_load(lower, location->no);
    join_no = branch_end(lower, &branch);
    branch_join(lower, condition, &join_yes, &join_no);
    return make_cond(lower, yes->type, condition, yes, no);
}

static void store_either(struct lower *lower, const struct location *location, struct expr *value)
{
    struct expr *condition = location->condition;
    struct branch branch;
    struct join yes;
    struct join no;

    if (!expr_is_atom(value) && !extremum_read(lower, value)) {
        value = node_version(lower, "value", value);
    }
    branch = branch_begin(lower, condition, true);
    memory_store(lower, location->yes, value);
    yes = branch_end(lower, &branch);
    branch = branch_begin(lower, condition, false);
    memory_store(lower, location->no, value);
    no = branch_end(lower, &branch);
    branch_join(lower, condition, &yes, &no);
}

/* ---- any ----------------------------------------------------------------------------------- */

struct expr *memory_load(struct lower *lower, struct location *location)
{
    if (location->base == BASE_ARG && lower->sum[location->arg] != NULL &&
        lower_is_extremum(&lower->loop->arg[location->arg]) &&
        memory_is_one_place(lower, location)) {
        struct expr *place = make_place(lower, location);

        place->bits = (unsigned long long)lower->extremum_stores; /* for lower_extrema.c */
        return place;
    }
    location = memory_actual(lower, location);
    switch (location->base) {
    case BASE_EITHER:
        return load_either(lower, location);
    case BASE_OBJECT:
        return load_object(lower, location);
    case BASE_ARG:
        return load_arg(lower, location);
    case BASE_VAR:
        return load_var(lower, location);
    default:
        lower_refuse(lower, "a pointer is used as a number");
    }
}

void memory_store(struct lower *lower, struct location *location, struct expr *value)
{
    if (extremum_assign(lower, location, value)) {
        return;
    }
    location = memory_actual(lower, location);
    switch (location->base) {
    case BASE_EITHER:
        store_either(lower, location, value);
        return;
    case BASE_OBJECT:
        if (location->object->storage != NULL) {
            store_storage(lower, location, value);
        } else {
            leaf_assign(lower, memory_leaf(lower, location), value);
        }
        return;
    case BASE_ARG:
        store_arg(lower, location, value);
        return;
    default:
        lower_refuse(lower,
                     arena_format(lower->arena, "%s is written", location_name(lower, location)));
    }
}

struct value memory_load_value(struct lower *lower, struct location *location)
{
    struct value value = {0};

    if (location->type->kind != TYPE_POINTER) {
        value.atom = memory_load(lower, location);
        return value;
    }
    if (location->base == BASE_ROWS) {
        value.target = location_new(lower, BASE_ARG, location->type->elem);
        value.target->arg = location->arg;
        value.target->column = location->offset;
        value.target->column_index = location->index;
        if (location->path != NULL) {
            value.target->path = make_index(lower, location->type->elem, location->path,
                                            make_int(lower, &lower_int, 0));
        }
        return value;
    }
    if (location->base == BASE_VAR && location->path != NULL) { /* a constant of unknown size */
        value.target = location_new(lower, BASE_VAR, location->type->elem);
        value.target->var = location->var;
        value.target->path =
            make_index(lower, location->type->elem, location->path, make_int(lower, &lower_int, 0));
        return value;
    }
    if (location->base == BASE_EITHER) {
        value.target = location_either(lower, location->condition,
                                       memory_load_value(lower, location->yes).target,
                                       memory_load_value(lower, location->no).target);
        return value;
    }
    if (location->base != BASE_OBJECT || location->object->storage != NULL) {
        lower_refuse(lower, arena_format(lower->arena, "a pointer kept in %s",
                                         location_name(lower, location)));
    }
    value = lower->leaf[memory_leaf(lower, location)].value;
    if (lower->region != NULL) {
        value.target = region_pointer(lower, location, NULL);
    }
    return value;
}

void memory_store_value(struct lower *lower, struct location *location, struct value value)
{
    if (location->type->kind != TYPE_POINTER) {
        memory_store(lower, location, value.atom);
        return;
    }
    if (location->base != BASE_OBJECT || location->object->storage != NULL) {
        lower_refuse(lower, arena_format(lower->arena, "a pointer kept in %s",
                                         location_name(lower, location)));
    }
    if (lower->region != NULL) {
        lower_refuse(lower, "a pointer that is set in a loop whose trip count is not known");
    }
    leaf_set(lower, memory_leaf(lower, location), value);
}
