/* cuda_points.c: a point that gathers: it adds the contributions of the elements that name it, in
 * ascending order of the elements, each through the column by which the element names the point.
 *
 * In: a GATHER stage, whose values are in memory (two-pass) or computed by its body (owner gather,
 * see cuda_owner_sums.c). Out: the pieces of cuda_points.tpl. The point's components stay in
 * registers: each is read and written once, and no two threads touch the same one.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

/* Calls print for each component of a dat that the stage updates, each once. */
static void each_component(struct emit *emit,
                           void (*print)(struct emit *emit, const struct place *place))
{
    const struct stage *stage = emit->stage;
    for (int u = 0; u < stage->updates; u++) {
        const struct place *place = &stage->update[u].place;
        bool seen = false;
        for (int before = 0; before < u; before++) {
            const struct place *other = &stage->update[before].place;
            seen = seen || (emit->shape->dat_of[other->arg] == emit->shape->dat_of[place->arg] &&
                            other->component == place->component);
        }
        if (!seen) {
            print(emit, place);
        }
    }
}

static const char *in_memory(struct emit *emit, const struct place *place)
{
    return place_component(emit, cuda_dat(emit, place->arg), "cleave_p",
                           emit_format(emit, "%d", place->component));
}

static void print_load(struct emit *emit, const struct place *place)
{
    out_assign(
        emit->out,
        emit_format(emit, "%s %s", cuda_type(emit, place->arg), cuda_point_register(emit, place)),
        "=", in_memory(emit, place));
}

static void print_save(struct emit *emit, const struct place *place)
{
    out_assign(emit->out, in_memory(emit, place), "=", cuda_point_register(emit, place));
}

static void print_join(struct emit *emit, const struct place *place)
{
    if (cuda_begins_with_zeros(emit, emit->stage, emit->shape->dat_of[place->arg])) {
        return;
    }
    enum access access = emit->loop->arg[place->arg].access;
    const char *sum = cuda_point_register(emit, place);
    if (access == ACCESS_INC) {
        out_assign(emit->out, in_memory(emit, place), "+=", sum);
    } else {
        out_line(emit->out, "cleave_%s(%s, %s);", access == ACCESS_MIN ? "lower" : "raise",
                 in_memory(emit, place), sum);
    }
}

/* Owners sum up contributions before they add the sum to memory, as blocks of points do, so that
 * both give the same bits. */
void cuda_point_load(struct emit *emit)
{
    if (emit->stage->body != NULL) {
        cuda_owner_start(emit);
    } else {
        each_component(emit, print_load);
    }
}

void cuda_point_save(struct emit *emit)
{
    for (int d = 0; d < emit->shape->dats; d++) {
        if (cuda_begins_with_zeros(emit, emit->stage, d)) {
            cuda_zeros_add(emit, d);
        }
    }
    each_component(emit, emit->stage->body != NULL ? print_join : print_save);
}

static void print_item(struct emit *emit)
{
    if (emit_mentions(emit, "cleave_e")) {
        out_line(emit->out, "const int cleave_e = cleave_list.item_element[cleave_i];");
    }
    if (emit_mentions(emit, "cleave_column")) {
        out_line(emit->out, "const int cleave_column = cleave_list.item_column[cleave_i];");
    }
}

static unsigned columns_updated(const struct emit *emit)
{
    unsigned columns = 0;
    for (int u = 0; u < emit->stage->updates; u++) {
        columns |= 1u << emit_update_column(emit->loop, &emit->stage->update[u]);
    }
    return columns;
}

/* Positions in the plan's list of columns tell through which column the element names the point. */
static void print_case(struct emit *emit, const struct shape_map *map, int k)
{
    out_line(emit->out, "case %d: // %s[%d]", k, map->label, map->column[k]);
    emit->out->indent += 4;
    cuda_print_updates(emit, emit->stage, SINK_POINT, map->column[k]);
    out_line(emit->out, "break;");
    emit->out->indent -= 4;
}

static void print_updates(struct emit *emit)
{
    if (emit->stage->body != NULL) {
        cuda_owner_body(emit);
        return;
    }
    const struct shape_map *map = cuda_map(emit, emit->stage->map);
    unsigned columns = columns_updated(emit);
    emit_update_pointers(emit, emit->stage);
    if ((map->conflicts & (map->conflicts - 1)) == 0) { /* the plan lists one column alone */
        cuda_print_updates(emit, emit->stage, SINK_POINT, -1);
        return;
    }
    out_line(emit->out, "switch (cleave_column) {");
    for (int k = 0; k < map->columns; k++) {
        if ((columns >> map->column[k] & 1) != 0) {
            print_case(emit, map, k);
        }
    }
    out_line(emit->out, "}");
}

/* ---- the walk ---------------------------------------------------------------------------------
 */

static void print_batch(struct emit *emit)
{
    out_format(emit->out, "%d", cuda_batch_items(emit, emit->stage));
}

/* The template of the walk; a stage that a recipe's walk does not suit has each item by itself. */
static const char *walk_of(struct emit *emit)
{
    switch (cuda_recipe(emit)->walk) {
    case WALK_BATCHES:
        return cuda_batch_items(emit, emit->stage) > 1 ? template_cuda_points_batch
                                                       : template_cuda_points_each;
    case WALK_OWN:
        return cuda_keeps_own(emit, emit->stage) ? template_cuda_points_own
                                                 : template_cuda_points_each;
    case WALK_NAMED:
        return template_cuda_points_named;
    default:
        return template_cuda_points_each;
    }
}

void cuda_point_range(struct emit *emit)
{
    if (cuda_recipe(emit)->walk == WALK_NAMED) {
        cuda_named_range(emit);
        return;
    }
    out_line(emit->out, "const int cleave_first = cleave_list.item_start[cleave_p];");
    out_line(emit->out, "const int cleave_last = cleave_list.item_start[cleave_p + 1];");
}

/* Whether no element names the point, so that its data stays as it is. */
void cuda_point_is_alone(struct emit *emit)
{
    out_text(emit->out, cuda_recipe(emit)->walk == WALK_NAMED ? "cleave_next.word[0] < 0"
                                                              : "cleave_first == cleave_last");
    cuda_unless_zeros(emit);
}

void cuda_point_items(struct emit *emit)
{
    static const struct hole holes[] = {
        {"point_item", print_item},
        {"point_updates", print_updates},
        {"batch", print_batch},
        {"batch_records", cuda_batch_records},
        {"batch_load", cuda_batch_load},
        {"batch_item", cuda_batch_item},
        {"own_records", cuda_own_records},
        {"own_item", cuda_own_item},
        {"named_records", cuda_named_records},
        {"named_words", cuda_named_words},
        {"named_item", cuda_named_item},
        {NULL, NULL},
    };
    const bool *held = emit->held;
    emit->held = NULL;
    if (cuda_recipe(emit)->walk == WALK_NAMED) {
        const struct stage *stage = emit->stage;
        const struct stage elements = cuda_named_elements(emit, stage);
        emit->stage = &elements;
        emit->point_text = cuda_named_point;
        template_print(emit, walk_of(emit), holes);
        emit->point_text = NULL;
        emit->stage = stage;
    } else {
        template_print(emit, walk_of(emit), holes);
    }
    emit->held = held;
}
