/* lower_place.c: what lvalues name, and where pointers point: a local, an argument's components, a
 * table, with an offset in leaves that is a constant or has a part known only at run time.
 */
#include <string.h>

#include "splitter/lower/lower_impl.h"

struct location *location_new(struct lower *lower, enum base base, const struct type *type)
{
    struct location *location = arena_alloc(lower->arena, sizeof(*location));

    location->base = base;
    location->type = type;
    return location;
}

struct location *location_copy(struct lower *lower, const struct location *from)
{
    struct location *location = arena_alloc(lower->arena, sizeof(*location));

    *location = *from;
    return location;
}

struct location *location_object(struct lower *lower, struct object *object)
{
    struct location *location = location_new(lower, BASE_OBJECT, object->type);

    location->object = object;
    if (object->storage != NULL) {
        location->path = make_var(lower, &object->storage->var);
    }
    return location;
}

static bool same_index(const struct expr *a, const struct expr *b)
{
    return a == b || (a != NULL && b != NULL && expr_same(a, b));
}

bool location_same(const struct location *a, const struct location *b)
{
    if (a == b) {
        return true;
    }
    if (a->base != b->base || !type_same(a->type, b->type) || a->object != b->object ||
        a->var != b->var || a->arg != b->arg || a->column != b->column || a->offset != b->offset) {
        return false;
    }
    if (a->base == BASE_EITHER) {
        return expr_same(a->condition, b->condition) && location_same(a->yes, b->yes) &&
               location_same(a->no, b->no);
    }
    return same_index(a->index, b->index) && same_index(a->column_index, b->column_index);
}

const char *location_name(struct lower *lower, const struct location *location)
{
    const char *yes;
    const char *no;

    switch (location->base) {
    case BASE_OBJECT:
        return arena_format(lower->arena, "'%s'", location->object->name);
    case BASE_ARG:
    case BASE_ROWS:
        return arena_format(lower->arena, "'%s'", lower->loop->kernel->param[location->arg]->name);
    case BASE_VAR:
        return arena_format(lower->arena, "'%s'", location->var->name);
    case BASE_NULL:
        return "nothing";
    case BASE_EITHER:
        yes = location_name(lower, location->yes);
        no = location_name(lower, location->no);
        return strcmp(yes, no) == 0 ? yes : arena_format(lower->arena, "%s or %s", yes, no);
    }
    return "";
}

/* ---- one of two ---------------------------------------------------------------------------- */

struct location *location_either(struct lower *lower, struct expr *condition, struct location *yes,
                                 struct location *no)
{
    struct location *location;

    if (yes == NULL || yes->base == BASE_NULL) {
        return no;
    }
    if (no == NULL || no->base == BASE_NULL || location_same(yes, no)) {
        return yes;
    }
    if (!type_same(yes->type, no->type) || expr_local(condition) == NULL) {
        lower_refuse(lower, arena_format(lower->arena, "a pointer that may point into %s or %s",
                                         location_name(lower, yes), location_name(lower, no)));
    }
    location = location_new(lower, BASE_EITHER, yes->type);
    location->condition = condition;
    location->yes = yes;
    location->no = no;
    return location;
}

struct location *location_both(struct lower *lower, const struct location *either,
                               struct location *yes, struct location *no)
{
    struct location *location = location_copy(lower, either);

    location->yes = yes;
    location->no = no;
    location->type = yes->type;
    return location;
}

/* ---- moving -------------------------------------------------------------------------------- */

static struct expr *as_long(struct lower *lower, struct expr *index)
{
    return make_cast(lower, &lower_long, index, true);
}

static struct expr *add_index(struct lower *lower, struct expr *sum, struct expr *index,
                              bool negative)
{
    long long zero;
    const struct type *type;

    if (sum == NULL || (expr_int(sum, &zero) && zero == 0)) {
        return negative ? make_unary(lower, UNARY_NEG, &lower_long, as_long(lower, index)) : index;
    }
    if (expr_int(index, &zero) && zero == 0) {
        return sum;
    }
    type = type_same(sum->type, index->type) && sum->type->size >= 4 ? sum->type : &lower_long;
    return make_binary(lower, negative ? BINARY_SUB : BINARY_ADD, type,
                       make_cast(lower, type, sum, true), make_cast(lower, type, index, true));
}

static struct expr *move_path(struct lower *lower, struct expr *path, struct expr *index,
                              bool negative)
{
    long long zero;

    if (path == NULL || (expr_int(index, &zero) && zero == 0)) {
        return path;
    }
    if (path->kind != EXPR_INDEX) {
        return NULL;
    }
    return make_index(lower, path->type, path->kid[0],
                      add_index(lower, path->kid[1], index, negative));
}

/* The pointer's target, `index` elements on (or back). */
struct location *location_move(struct lower *lower, const struct location *target,
                               struct expr *index, bool negative)
{
    struct location *location = location_copy(lower, target);
    long scale = target->base == BASE_ROWS ? 1 : type_leaves(target->type);
    long long number;

    if (target->base == BASE_EITHER) {
        return location_both(lower, target, location_move(lower, target->yes, index, negative),
                             location_move(lower, target->no, index, negative));
    }
    if (target->base == BASE_NULL) {
        lower_refuse(lower, "a pointer that points nowhere is followed");
    }
    location->path = move_path(lower, target->path, index, negative);
    if (expr_int(index, &number)) {
        location->offset += (negative ? -scale : scale) * (long)number;
        return location;
    }
    if (scale != 1) {
        index = make_binary(lower, BINARY_MUL, &lower_long, as_long(lower, index),
                            make_int(lower, &lower_long, scale));
    }
    location->index = add_index(lower, target->index, index, negative);
    return location;
}

struct location *location_decay(struct lower *lower, const struct location *array)
{
    struct location *location = location_copy(lower, array);

    if (array->type->kind != TYPE_ARRAY) {
        return location;
    }
    if (array->base == BASE_EITHER) {
        return location_both(lower, array, location_decay(lower, array->yes),
                             location_decay(lower, array->no));
    }
    location->type = array->type->elem;
    if (array->path != NULL) {
        location->path =
            make_index(lower, location->type, array->path, make_int(lower, &lower_int, 0));
    }
    return location;
}

struct location *location_element(struct lower *lower, const struct location *array, long element)
{
    return location_move(lower, location_decay(lower, array), make_int(lower, &lower_int, element),
                         false);
}

static struct location *field_at(struct lower *lower, const struct location *record, int f)
{
    const struct record *type = record->type->record;
    struct location *location = location_copy(lower, record);

    if (record->base == BASE_EITHER) {
        return location_both(lower, record, field_at(lower, record->yes, f),
                             field_at(lower, record->no, f));
    }
    location->type = type->field[f].type;
    if (record->path != NULL) {
        location->path = make_member(lower, location->type, record->path, type->field[f].name);
    }
    for (int k = 0; k < f && !type->is_union; k++) {
        location->offset += type_leaves(type->field[k].type);
    }
    return location;
}

struct location *location_field(struct lower *lower, const struct location *record,
                                const char *field)
{
    const struct type *type = record->type;

    for (int f = 0; type->kind == TYPE_RECORD && f < type->record->fields; f++) {
        if (strcmp(type->record->field[f].name, field) == 0) {
            return field_at(lower, record, f);
        }
    }
    lower_refuse(lower, arena_format(lower->arena, "the member '%s' of %s", field,
                                     location_name(lower, record)));
}

/* The leaf-th scalar of an array or a record. */
struct location *location_leaf(struct lower *lower, const struct location *whole, int leaf)
{
    const struct type *type = whole->type;

    if (type->kind == TYPE_ARRAY) {
        int each = type_leaves(type->elem);

        return location_leaf(lower, location_element(lower, whole, leaf / each), leaf % each);
    }
    if (type->kind == TYPE_RECORD) {
        for (int f = 0; f < type->record->fields; f++) {
            int each = type_leaves(type->record->field[f].type);

            if (leaf < each) {
                return location_leaf(lower, field_at(lower, whole, f), leaf);
            }
            leaf -= each;
        }
    }
    return location_copy(lower, whole);
}

/* ---- lvalues ------------------------------------------------------------------------------- */

static struct location *variable(struct lower *lower, struct expr *expr)
{
    struct location *location;

    if (expr->var->storage == STORAGE_LOCAL || expr->var->storage == STORAGE_PARAM) {
        return location_object(lower, object_find(lower, expr->var));
    }
    location = location_new(lower, BASE_VAR, expr->var->type);
    location->var = expr->var;
    location->path = expr;
    return location;
}

static struct location *checked(struct lower *lower, struct location *target)
{
    return location_move(lower, target, make_int(lower, &lower_int, 0), false);
}

struct location *location_of(struct lower *lower, struct expr *lvalue)
{
    struct location *location;

    switch (lvalue->kind) {
    case EXPR_VAR:
        return variable(lower, lvalue);
    case EXPR_INDEX:
        location = pointer_value(lower, lvalue->kid[0]);
        return location_move(lower, location, lower_value(lower, lvalue->kid[1]), false);
    case EXPR_MEMBER:
        location = lvalue->kid[0]->type->kind == TYPE_POINTER
                       ? checked(lower, pointer_value(lower, lvalue->kid[0]))
                       : location_of(lower, lvalue->kid[0]);
        return location_field(lower, location, lvalue->text);
    case EXPR_UNARY:
        if (lvalue->unary == UNARY_DEREF) {
            return checked(lower, pointer_value(lower, lvalue->kid[0]));
        }
        if (lvalue->unary == UNARY_PRE_INC || lvalue->unary == UNARY_PRE_DEC) {
            lower_discard(lower, lvalue);
            return location_of(lower, lvalue->kid[0]);
        }
        break;
    case EXPR_CAST:
        if (type_same(lvalue->type, lvalue->kid[0]->type)) {
            return location_of(lower, lvalue->kid[0]);
        }
        break;
    case EXPR_BINARY:
        if (lvalue->binary == BINARY_COMMA) {
            lower_discard(lower, lvalue->kid[0]);
            return location_of(lower, lvalue->kid[1]);
        }
        break;
    case EXPR_ASSIGN:
        if (lvalue->type->kind != TYPE_RECORD) {
            lower_discard(lower, lvalue);
            return location_of(lower, lvalue->kid[0]);
        }
        break;
    default:
        break;
    }
    if (lvalue->type->kind == TYPE_RECORD) {
        return record_location(lower, lvalue);
    }
    if (lvalue->kind == EXPR_COND) {
        return location_conditional(lower, lvalue, location_of);
    }
    lower_refuse(lower, "an lvalue of a kind that is not known");
}
