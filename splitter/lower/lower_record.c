/* lower_record.c: records by value, and initialisers: leaf by leaf. */
#include "splitter/lower/lower_impl.h"

/* ---- values of records --------------------------------------------------------------------- */

static struct value *load_all(struct lower *lower, const struct location *location)
{
    int leaves = type_leaves(location->type);
    struct value *value = arena_alloc(lower->arena, (size_t)leaves * sizeof(*value));

    if (type_has_union(location->type)) {
        lower_refuse(lower, arena_format(lower->arena, "a union in %s is copied",
                                         location_name(lower, location)));
    }
    for (int n = 0; n < leaves; n++) {
        value[n] = memory_load_value(lower, location_leaf(lower, location, n));
    }
    return value;
}

void record_store(struct lower *lower, struct location *location, struct value *value)
{
    int leaves = type_leaves(location->type);

    if (type_has_union(location->type)) {
        lower_refuse(lower, arena_format(lower->arena, "a union in %s is copied",
                                         location_name(lower, location)));
    }
    for (int n = 0; n < leaves; n++) {
        memory_store_value(lower, location_leaf(lower, location, n), value[n]);
    }
}

/* Both sides are computed under their condition; each leaf is selected. */
static struct value *select_record(struct lower *lower, struct expr *expr)
{
    struct expr *condition = branch_condition(lower, lower_value(lower, expr->kid[0]), "cond");
    struct object *object;
    struct branch branch;
    struct join yes;
    struct join no;
    bool truth;

    if (expr_truth(condition, &truth)) {
        return record_value(lower, expr->kid[truth ? 1 : 2]);
    }
    object = object_new(lower, "value", expr->type, expr, ROLE_LOCAL);
    branch = branch_begin(lower, condition, true);
    record_store(lower, location_object(lower, object), record_value(lower, expr->kid[1]));
    yes = branch_end(lower, &branch);
    branch = branch_begin(lower, condition, false);
    record_store(lower, location_object(lower, object), record_value(lower, expr->kid[2]));
    no = branch_end(lower, &branch);
    branch_join(lower, condition, &yes, &no);
    return load_all(lower, location_object(lower, object));
}

static struct value *initialised_record(struct lower *lower, struct expr *expr)
{
    struct object *object = object_new(lower, "value", expr->type, expr, ROLE_LOCAL);

    lower_initialise(lower, location_object(lower, object), expr);
    return load_all(lower, location_object(lower, object));
}

struct value *record_value(struct lower *lower, struct expr *expr)
{
    struct expr *direct = NULL;
    struct object *result;
    struct location *to;
    struct value *value;

    switch (expr->kind) {
    case EXPR_COND:
        return select_record(lower, expr);
    case EXPR_INIT:
        return initialised_record(lower, expr);
    case EXPR_CALL:
        result = lower_call(lower, expr, &direct);
        if (result == NULL) {
            lower_refuse(lower, "a function that returns a record");
        }
        return load_all(lower, location_object(lower, result));
    case EXPR_ASSIGN:
        to = location_of(lower, expr->kid[0]);
        value = record_value(lower, expr->kid[1]);
        record_store(lower, to, value);
        return value;
    case EXPR_CAST:
        return record_value(lower, expr->kid[0]);
    case EXPR_BINARY:
        lower_discard(lower, expr->kid[0]);
        return record_value(lower, expr->kid[1]);
    default:
        return load_all(lower, location_of(lower, expr));
    }
}

/* A record that is no lvalue gets a place. */
struct location *record_location(struct lower *lower, struct expr *expr)
{
    struct value *value = record_value(lower, expr);
    struct object *object = object_new(lower, "value", expr->type, expr, ROLE_LOCAL);

    record_store(lower, location_object(lower, object), value);
    return location_object(lower, object);
}

/* ---- initialisers -------------------------------------------------------------------------- */

static void zero(struct lower *lower, struct location *location)
{
    struct location *at;

    for (int n = 0; n < type_leaves(location->type); n++) {
        at = location_leaf(lower, location, n);
        if (at->type->kind == TYPE_POINTER) {
            struct value value = {.target = location_new(lower, BASE_NULL, at->type->elem)};

            memory_store_value(lower, at, value);
        } else {
            memory_store(lower, at, make_zero(lower, lower_bare_type(lower, at->type)));
        }
    }
}

static void initialise_parts(struct lower *lower, struct location *location, struct expr *init)
{
    const struct type *type = location->type;
    long parts = type->kind == TYPE_ARRAY ? type->count : type->record->fields;

    if (type->kind == TYPE_RECORD && type->record->is_union) {
        parts = parts > 0;
    }
    for (long k = 0; k < parts; k++) {
        struct location *part = type->kind == TYPE_ARRAY
                                    ? location_element(lower, location, k)
                                    : location_field(lower, location, type->record->field[k].name);

        if (k < init->kids) {
            lower_initialise(lower, part, init->kid[k]);
        } else {
            zero(lower, part);
        }
    }
}

void lower_initialise(struct lower *lower, struct location *location, struct expr *init)
{
    switch (location->type->kind) {
    case TYPE_POINTER: {
        struct value value = {.target = pointer_value(lower, init)};

        memory_store_value(lower, location, value);
        return;
    }
    case TYPE_ARRAY:
        if (init->kind != EXPR_INIT) {
            lower_refuse(lower, "an array that starts from a string");
        }
        initialise_parts(lower, location, init);
        return;
    case TYPE_RECORD:
        if (init->kind == EXPR_INIT) {
            initialise_parts(lower, location, init);
        } else {
            record_store(lower, location, record_value(lower, init));
        }
        return;
    default:
        memory_store(lower, location, lower_value(lower, init));
    }
}
