/* tmp.c: tmp(e) in memory, where one loop makes it and others use it.
 *
 * In: a schedule whose updates use variables that its contribution makes. Out: one array per value
 * in launch->tmp, and the text that sets and finds it.
 */
#include "codegen/emit.h"
#include "pass/ir/arena.h"

struct list {
    struct emit *emit;
    const struct schedule *schedule;
    int values;
    struct tmp_value *value;
};

static bool has(const struct list *list, const struct var *var)
{
    for (int v = 0; v < list->values; v++) {
        if (list->value[v].var == var) {
            return true;
        }
    }
    return false;
}

static void add(struct list *list, const struct expr *value)
{
    if (!update_is_crossing(list->schedule, value) || has(list, value->var)) {
        return;
    }
    struct tmp_value *added = &list->value[list->values++];
    added->var = value->var;
    added->name = names_var(value->var, list->emit);
    added->type = emit_writable(list->emit, value->var->type);
}

/* Insertion sort: few values, and equal sizes keep their order. */
static void place_largest_first(struct list *list)
{
    size_t offset = 0;
    for (int v = 1; v < list->values; v++) {
        struct tmp_value moved = list->value[v];
        int at = v;
        for (; at > 0 && list->value[at - 1].type->size < moved.type->size; at--) {
            list->value[at] = list->value[at - 1];
        }
        list->value[at] = moved;
    }
    for (int v = 0; v < list->values; v++) {
        list->value[v].offset = offset;
        offset += list->value[v].type->size;
    }
}

int tmp_values(struct emit *emit, const struct schedule *schedule, struct tmp_value **out)
{
    struct list list = {emit, schedule, 0, NULL};
    size_t updates = 0;
    for (int s = 0; s < schedule->stages; s++) {
        updates += (size_t)schedule->stage[s].updates;
    }
    list.value = arena_alloc(emit->file->program->arena, updates * sizeof(*list.value));
    for (int s = 0; s < schedule->stages; s++) {
        for (int u = 0; u < schedule->stage[s].updates; u++) {
            add(&list, schedule->stage[s].update[u].value);
        }
    }
    place_largest_first(&list);
    *out = list.value;
    return list.values;
}

size_t tmp_bytes(struct emit *emit, const struct schedule *schedule)
{
    struct tmp_value *value;
    int values = tmp_values(emit, schedule, &value);
    return values == 0 ? 0 : value[values - 1].offset + value[values - 1].type->size;
}

void emit_tmp_pointers(struct emit *emit)
{
    struct tmp_value *value;
    int values = tmp_values(emit, emit->schedule, &value);
    for (int v = 0; v < values; v++) {
        const char *type = emit_type_name(emit, value[v].type);
        const char *at = value[v].offset == 0 ? "cleave_launch->tmp"
                                              : emit_format(emit,
                                                            "((char *)cleave_launch->tmp + %zu * "
                                                            "(size_t)cleave_launch->size)",
                                                            value[v].offset);
        out_assign(emit->out, emit_format(emit, "%s *const cleave_tmp_%s", type, value[v].name),
                   "=", emit_format(emit, "(%s *)%s", type, at));
    }
}

void emit_tmp_stores(struct emit *emit)
{
    struct tmp_value *value;
    int values = tmp_values(emit, emit->schedule, &value);
    for (int v = 0; v < values; v++) {
        out_line(emit->out, "cleave_tmp_%s[cleave_e] = %s;", value[v].name, value[v].name);
    }
}
