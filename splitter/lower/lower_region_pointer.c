/* lower_region_pointer.c: pointers that move inside a loop that stays whole: where one points is
 * where it pointed before the loop, and an integer counts how far it has moved since.
 */
#include "splitter/lower/lower_impl.h"

/* The counter of a pointer that is declared in the region itself. */
static struct local *own_step(struct lower *lower, const struct object *object)
{
    struct region *region = lower->region;
    struct pointer_step *step;

    for (int n = 0; n < region->steps; n++) {
        if (region->step[n].user == object->mark) {
            return region->step[n].local;
        }
    }
    region->step =
        arena_grow(lower->arena, region->step, region->steps, &region->step_room, sizeof(*step));
    step = &region->step[region->steps++];
    step->user = object->mark;
    step->local = lower_local(lower, object->name, &lower_long);
    step->local->is_inner = true;
    region->found = true;
    return step->local;
}

struct expr *region_pointer_step(struct lower *lower, struct expr *expr, struct location *pointer)
{
    struct expr *step = make_expr(lower, expr->kind, &lower_long, expr->kids);
    int leaf;

    if (pointer->base != BASE_OBJECT || pointer->object->storage != NULL) {
        lower_refuse(lower, arena_format(lower->arena, "a pointer kept in %s",
                                         location_name(lower, pointer)));
    }
    leaf = memory_leaf(lower, pointer);
    if (leaf >= lower->region->first_leaf) {
        step->kid[0] = make_var(lower, &own_step(lower, pointer->object)->var);
        lower->leaf[leaf].changing = own_step(lower, pointer->object);
    } else {
        step->kid[0] = region_leaf(lower, leaf);
    }
    step->unary = expr->unary;
    step->compound = expr->compound;
    step->binary = expr->binary;
    step->compute = &lower_long;
    if (expr->kids == 2) {
        step->kid[1] = make_cast(lower, &lower_long, lower_value(lower, expr->kid[1]), true);
    }
    return step;
}

struct location *region_pointer(struct lower *lower, struct location *pointer, struct expr *moved)
{
    const struct leaf *leaf = &lower->leaf[memory_leaf(lower, pointer)];

    if (moved == NULL && leaf->changing != NULL) {
        moved = make_var(lower, &leaf->changing->var);
    }
    if (leaf->value.target == NULL || moved == NULL) {
        return leaf->value.target;
    }
    return location_move(lower, leaf->value.target, moved, false);
}
