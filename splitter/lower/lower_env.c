/* lower_env.c: the value of each variable while the body is executed symbolically: objects (a
 * local, or the accumulators and cached values of an argument), their leaves, and the trail that
 * takes changes back.
 */
#include "splitter/lower/lower_impl.h"

struct binding {
    const struct var *user;
    struct object *object;
};

/* ---- types --------------------------------------------------------------------------------- */

const struct type *lower_bare_type(struct lower *lower, const struct type *type)
{
    struct type *bare;

    if (type->kind == TYPE_ARRAY) {
        const struct type *elem = lower_bare_type(lower, type->elem);

        if (elem == type->elem && !type->is_const) {
            return type;
        }
        bare = arena_alloc(lower->arena, sizeof(*bare));
        *bare = *type;
        bare->elem = elem;
        bare->is_const = false;
        return bare;
    }
    if (!type->is_const) {
        return type;
    }
    bare = arena_alloc(lower->arena, sizeof(*bare));
    *bare = *type;
    bare->is_const = false;
    return bare;
}

int type_leaves(const struct type *type)
{
    int leaves = 0;

    if (type->kind == TYPE_ARRAY) {
        return (int)type->count * type_leaves(type->elem);
    }
    if (type->kind != TYPE_RECORD) {
        return 1;
    }
    for (int f = 0; f < type->record->fields; f++) {
        leaves += type_leaves(type->record->field[f].type);
    }
    return leaves;
}

bool type_has_union(const struct type *type)
{
    if (type->kind == TYPE_ARRAY) {
        return type_has_union(type->elem);
    }
    if (type->kind != TYPE_RECORD) {
        return false;
    }
    if (type->record->is_union) {
        return true;
    }
    for (int f = 0; f < type->record->fields; f++) {
        if (type_has_union(type->record->field[f].type)) {
            return true;
        }
    }
    return false;
}

/* ---- variables of the graph ---------------------------------------------------------------- */

struct local *lower_local(struct lower *lower, const char *base, const struct type *type)
{
    struct local *local = arena_alloc(lower->arena, sizeof(*local));

    local->var.name = lower_name(lower, base);
    local->var.type = lower_bare_type(lower, type);
    local->var.storage = STORAGE_LOCAL;
    local->var.loc = lower->loc;
    local->var.index = -1;
    local->node = -1;
    return local;
}

/* ---- the user's variables ------------------------------------------------------------------ */

static struct binding *slot_of(const struct lower *lower, const struct var *user)
{
    size_t slot = ((size_t)user >> 4) & (size_t)(lower->binding_size - 1);

    while (lower->binding[slot].user != NULL && lower->binding[slot].user != user) {
        slot = (slot + 1) & (size_t)(lower->binding_size - 1);
    }
    return &lower->binding[slot];
}

static void grow_bindings(struct lower *lower)
{
    int size = lower->binding_size;
    struct binding *old = lower->binding;

    lower->binding_size = size == 0 ? 64 : 2 * size;
    lower->binding = arena_alloc(lower->arena, (size_t)lower->binding_size * sizeof(*old));
    for (int n = 0; n < size; n++) {
        if (old[n].user != NULL) {
            *slot_of(lower, old[n].user) = old[n];
        }
    }
}

void object_bind(struct lower *lower, const struct var *user, struct object *object)
{
    struct binding *binding;

    if (2 * lower->bindings >= lower->binding_size) {
        grow_bindings(lower);
    }
    binding = slot_of(lower, user);
    lower->bindings += binding->user == NULL;
    binding->user = user;
    binding->object = object;
}

struct object *object_find(struct lower *lower, const struct var *user)
{
    struct object *object = slot_of(lower, user)->object;

    if (object == NULL) {
        lower_refuse(lower,
                     arena_format(lower->arena, "'%s' is used before its declaration", user->name));
    }
    return object;
}

/* ---- objects and leaves -------------------------------------------------------------------- */

int leaf_new(struct lower *lower, const char *name, const struct type *type, enum role role)
{
    struct leaf *leaf;

    lower->leaf =
        arena_grow(lower->arena, lower->leaf, lower->leaves, &lower->leaf_room, sizeof(*leaf));
    leaf = &lower->leaf[lower->leaves];
    *leaf = (struct leaf){.name = name, .type = lower_bare_type(lower, type), .role = role};
    return lower->leaves++;
}

static void add_leaves(struct lower *lower, const char *name, const struct type *type,
                       enum role role)
{
    if (type->kind == TYPE_ARRAY) {
        for (long n = 0; n < type->count; n++) {
            add_leaves(lower, arena_format(lower->arena, "%s_%ld", name, n), type->elem, role);
        }
    } else if (type->kind == TYPE_RECORD) {
        for (int f = 0; f < type->record->fields; f++) {
            const struct field *field = &type->record->field[f];

            add_leaves(lower, arena_format(lower->arena, "%s_%s", name, field->name), field->type,
                       role);
        }
    } else {
        leaf_new(lower, name, type, role);
    }
}

struct object *object_new(struct lower *lower, const char *name, const struct type *type,
                          const void *mark, enum role role)
{
    struct object *object = arena_alloc(lower->arena, sizeof(*object));

    object->name = name;
    object->type = lower_bare_type(lower, type);
    object->mark = mark;
    object->leaves = type_leaves(type);
    if ((mark != NULL && lower_is_marked(lower, mark)) || type_has_union(type)) {
        object->storage = lower_local(lower, name, type);
        object->storage->is_storage = true;
        return object;
    }
    object->first = lower->leaves;
    add_leaves(lower, name, type, role);
    return object;
}

void leaf_set(struct lower *lower, int leaf, struct value value)
{
    struct change *change;

    lower->change = arena_grow(lower->arena, lower->change, lower->changes, &lower->change_room,
                               sizeof(*change));
    change = &lower->change[lower->changes++];
    change->leaf = leaf;
    change->old = lower->leaf[leaf].value;
    lower->leaf[leaf].value = value;
}

static struct expr *identity(struct lower *lower, const struct type *type, bool greatest)
{
    struct expr *expr;
    int width = 8 * (int)type->size;
    bool is_signed = type->kind != TYPE_BOOL && type->kind != TYPE_UCHAR &&
                     type->kind != TYPE_USHORT && type->kind != TYPE_UINT &&
                     type->kind != TYPE_ULONG && type->kind != TYPE_ULLONG;
    unsigned long long top = 1ULL << (width - 1);

    if (type_is_floating(type)) {
        expr = make_zero(lower, type);
        expr->value = greatest ? -__builtin_inf() : __builtin_inf();
        return expr;
    }
    if (is_signed) {
        return make_int(lower, type, (long long)(greatest ? ~(top - 1) : top - 1));
    }
    return make_int(lower, type, greatest ? 0 : -1);
}

struct expr *leaf_default(struct lower *lower, const struct leaf *leaf)
{
    switch (leaf->role) {
    case ROLE_SUM:
        return make_nothing(lower, leaf->type);
    case ROLE_LEAST:
    case ROLE_GREATEST:
        return identity(lower, leaf->type, leaf->role == ROLE_GREATEST);
    default:
        return make_zero(lower, leaf->type);
    }
}

struct expr *leaf_expr(struct lower *lower, int leaf)
{
    struct leaf *at = &lower->leaf[leaf];

    if (at->value.target != NULL) {
        lower_refuse(lower,
                     arena_format(lower->arena, "the pointer '%s' is used as a number", at->name));
    }
    return at->value.atom != NULL ? at->value.atom : leaf_default(lower, at);
}

/* A value stays a tree, without a version, if it is a place that nothing modifies in a sum, or if
 * it reads an OP_MIN or OP_MAX place whose form of update is not known yet. */
static bool may_stay(const struct lower *lower, const struct leaf *leaf, const struct expr *expr)
{
    return expr_is_atom(expr) || (leaf->role == ROLE_SUM && expr->kind == EXPR_PLACE) ||
           (leaf->role == ROLE_LOCAL && lower->has_extrema && extremum_read(lower, expr));
}

void leaf_assign(struct lower *lower, int leaf, struct expr *expr)
{
    struct leaf *at = &lower->leaf[leaf];

    expr = make_cast(lower, at->type, expr, true);
    if (at->first.line == 0) {
        at->first = lower->loc;
    }
    if (!may_stay(lower, at, expr)) {
        expr = node_version(lower, at->name, expr);
    }
    leaf_set(lower, leaf, (struct value){.atom = expr});
}
