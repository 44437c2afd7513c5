/* cuda_values.c: the values that elements of a split schedule add to one dat through one map.
 *
 * In: the updates of a schedule's update stages. Out: struct cuda_update, from which the stages are
 * printed where the points of a block gather (cuda_gather.c) and where warps add to memory
 * (cuda_transpose.c). Values that are equal up to sign are stored once: a flux that one end gains
 * and the other loses is one value, which the columns of the map take with their signs.
 */
#include <string.h>

#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

static bool is_of(const struct emit *emit, const struct update *update, int arg)
{
    int a = update->place.arg;
    return emit->shape->dat_of[a] == emit->shape->dat_of[arg] &&
           emit->shape->map_of[a] == emit->shape->map_of[arg];
}

/* The next update of the schedule's update or gather stages behind stage *s, update *u; NULL: no
 * more. */
static const struct update *next_update(const struct schedule *schedule, int *s, int *u)
{
    for (; *s < schedule->stages; (*s)++, *u = 0) {
        const struct stage *stage = &schedule->stage[*s];
        bool updates = stage->kind == STAGE_UPDATE || stage->kind == STAGE_GATHER;
        if (updates && *u < stage->updates) {
            return &stage->update[(*u)++];
        }
    }
    return NULL;
}

static void find_components(struct emit *emit, struct cuda_update *gather)
{
    int dim = cuda_dat(emit, gather->arg)->dim;
    gather->component = arena_alloc(emit->file->program->arena, (size_t)dim * sizeof(int));
    for (int c = 0; c < dim; c++) {
        const struct update *update;
        bool updated = false;
        for (int s = 0, u = 0; (update = next_update(emit->schedule, &s, &u)) != NULL;) {
            updated = updated || (is_of(emit, update, gather->arg) && update->place.component == c);
        }
        if (updated) {
            gather->component[gather->components++] = c;
        }
    }
}

/* "a", "a - b": the sum of all updates of one place; for OP_MIN and OP_MAX, their minimum or
 * maximum. */
static const char *join(struct emit *emit, const struct cuda_update *gather, const char *sum,
                        const struct update *update, bool negative)
{
    const char *value = emit_update_value(emit, update);
    enum access access = emit->loop->arg[gather->arg].access;
    if (sum == NULL) {
        return value;
    }
    if (access == ACCESS_INC) {
        return emit_format(emit, "%s %c %s", sum, update->negative == negative ? '+' : '-', value);
    }
    return emit_format(emit, "cleave_join<%s>(cleave_op_%s(), %s, %s)",
                       cuda_type(emit, gather->arg), cuda_operation(access), sum, value);
}

/* Returns the position of a value among those of the element; a new one is appended. */
static int position_of(struct cuda_update *gather, const char *value)
{
    for (int v = 0; v < gather->values; v++) {
        if (strcmp(gather->value[v], value) == 0) {
            return v;
        }
    }
    gather->value[gather->values] = value;
    return gather->values++;
}

static const char *neutral(const struct emit *emit, const struct cuda_update *gather)
{
    switch (emit->loop->arg[gather->arg].access) {
    case ACCESS_MIN:
        return "cleave_highest";
    case ACCESS_MAX:
        return "cleave_lowest";
    default:
        return NULL;
    }
}

/* Finds what column k adds to one component; a column that adds nothing there puts the neutral
 * element. */
static void find_value(struct emit *emit, struct cuda_update *gather, int k, int c)
{
    const struct shape_map *map = cuda_map(emit, gather->arg);
    const struct update *update;
    const char *sum = NULL;
    bool negative = false;
    for (int s = 0, u = 0; (update = next_update(emit->schedule, &s, &u)) != NULL;) {
        if (is_of(emit, update, gather->arg) && update->place.component == gather->component[c] &&
            emit_update_column(emit->loop, update) == map->column[k]) {
            negative = sum == NULL ? update->negative : negative;
            sum = join(emit, gather, sum, update, negative);
        }
    }
    if (sum == NULL) {
        const char *start = neutral(emit, gather);
        sum = start == NULL ? "0"
                            : emit_format(emit, "%s<%s>()", start, cuda_type(emit, gather->arg));
    }
    gather->value_of[k * gather->components + c] = position_of(gather, sum);
    gather->negative[k * gather->components + c] = negative;
}

struct cuda_update cuda_find_components(struct emit *emit, int arg)
{
    struct cuda_update gather = {.arg = arg, .columns = cuda_map(emit, arg)->columns};
    find_components(emit, &gather);
    return gather;
}

struct cuda_update cuda_find_update(struct emit *emit, int arg)
{
    struct arena *arena = emit->file->program->arena;
    struct cuda_update gather = cuda_find_components(emit, arg);
    size_t places = (size_t)gather.columns * (size_t)gather.components;
    gather.value = arena_alloc(arena, places * sizeof(*gather.value));
    gather.value_of = arena_alloc(arena, places * sizeof(*gather.value_of));
    gather.negative = arena_alloc(arena, places * sizeof(*gather.negative));
    for (int k = 0; k < gather.columns; k++) {
        for (int c = 0; c < gather.components; c++) {
            gather.value_of[k * gather.components + c] = -1;
            if ((cuda_map(emit, arg)->conflicts >> k & 1) != 0) {
                find_value(emit, &gather, k, c);
            }
        }
    }
    return gather;
}

/* Returns false for a dat that the kernel may update but does not touch. */
static bool has_updates(const struct emit *emit, int arg)
{
    const struct update *update;
    bool found = false;
    for (int s = 0, u = 0; (update = next_update(emit->schedule, &s, &u)) != NULL;) {
        found = found || is_of(emit, update, arg);
    }
    return found;
}

/* The first argument of each dat that is updated through a map: gather number n of the map; -1: no
 * more. */
int cuda_update_arg(struct emit *emit, int map, int n)
{
    for (int a = 0; a < emit->loop->args; a++) {
        bool first = emit->shape->map_of[a] == map && shape_updates_arg(emit->loop, a) &&
                     has_updates(emit, a);
        for (int before = 0; before < a && first; before++) {
            first = emit->shape->map_of[before] != map ||
                    emit->shape->dat_of[before] != emit->shape->dat_of[a] ||
                    !shape_updates_arg(emit->loop, before);
        }
        if (first && n-- == 0) {
            return a;
        }
    }
    return -1;
}

void cuda_update_pointers(struct emit *emit, int map, int arg, int column)
{
    struct stage all = {.kind = STAGE_UPDATE};
    const struct update *update;
    int updates = 0;
    for (int s = 0; s < emit->schedule->stages; s++) {
        updates += emit->schedule->stage[s].updates;
    }
    all.update = arena_alloc(emit->file->program->arena, (size_t)updates * sizeof(*all.update));
    for (int s = 0, u = 0; (update = next_update(emit->schedule, &s, &u)) != NULL;) {
        if (emit->shape->map_of[update->place.arg] == map &&
            (arg < 0 ||
             (is_of(emit, update, arg) && emit_update_column(emit->loop, update) == column))) {
            all.update[all.updates++] = *update;
        }
    }
    emit_update_pointers(emit, &all);
}

const char *cuda_components_text(struct emit *emit, const struct cuda_update *update)
{
    const char *text = "";
    int dim = cuda_dat(emit, update->arg)->dim;
    for (int c = 0; update->components < dim && c < update->components; c++) {
        text = emit_format(emit, "%s, %d", text, update->component[c]);
    }
    return text;
}
