/* lanes_one.c: the work of a single element, by scalars: the same stage with the same operations,
 * in the order in which vectors put results back.
 */
#include "codegen/lanes/lanes_impl.h"

static void print_update(struct emit *emit, const struct update *update)
{
    const struct shape_dat *dat = &emit->shape->dat[emit->shape->dat_of[update->place.arg]];
    enum access access = emit->loop->arg[update->place.arg].access;
    const char *point = place_point(emit, emit->shape->map_of[update->place.arg],
                                    emit_update_column(emit->loop, update));
    const char *to =
        place_component(emit, dat, point, emit_format(emit, "%d", update->place.component));
    const char *value = emit_update_value(emit, update);
    if (access == ACCESS_INC) {
        out_assign(emit->out, to, update->negative ? "-=" : "+=", value);
        return;
    }
    out_line(emit->out, "if (%s %s %s) {", value, access == ACCESS_MIN ? "<" : ">", to);
    emit->out->indent += 4;
    out_assign(emit->out, to, "=", value);
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}

static void print_updates(struct emit *emit, const struct stage *stage)
{
    if (stage->updates == 0) {
        return;
    }
    out_line(emit->out, "{");
    emit->out->indent += 4;
    emit_update_points(emit, stage);
    emit_update_pointers(emit, stage);
    for (int u = 0; u < stage->updates; u++) {
        print_update(emit, &stage->update[u]);
    }
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}

void lanes_one(struct emit *emit)
{
    const struct schedule *schedule = emit->schedule;
    const struct stage *stage = emit->stage;
    enum binding *place = emit->binding;
    emit->schedule = emit->loop->whole;
    emit->stage = &emit->loop->whole->stage[0];
    emit->binding =
        arena_alloc(emit->file->program->arena, (size_t)emit->loop->args * sizeof(*place));
    for (int a = 0; a < emit->loop->args; a++) {
        emit->binding[a] =
            binding_is_fixed(emit, a, &emit->binding[a]) ? emit->binding[a] : BIND_MAP;
        emit->binding[a] = arg_is_reduction(&emit->loop->arg[a]) ? BIND_SLOT : emit->binding[a];
    }
    out_line(emit->out, "{");
    emit->out->indent += 4;
    emit_stage_inline(emit, emit->stage);
    print_updates(emit, emit->stage);
    emit->out->indent -= 4;
    out_line(emit->out, "}");
    emit->schedule = schedule;
    emit->stage = stage;
    emit->binding = place;
}
