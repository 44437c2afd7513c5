/* cuda_updates.c: p op= value for every destination p.
 *
 * In: the updates of a stage. Out: one statement each, in the form that suits its destination: the
 * block's shared memory or the dat, plain in an element's turn or atomic, or a register of the
 * point that gathers. A kernel that is called whole gives all components of its private increments:
 * those are a loop.
 */
#include <string.h>

#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

enum { LINE_WIDTH = 100 };

const char *cuda_operation(enum access access)
{
    return access == ACCESS_MIN ? "min" : access == ACCESS_MAX ? "max" : "add";
}

const char *cuda_point_register(struct emit *emit, const struct place *place)
{
    return emit_format(emit, "cleave_p_%s_%d", cuda_dat(emit, place->arg)->label, place->component);
}

/* "head place middle value tail", broken after the middle where the line would be too long. */
static void print_statement(struct emit *emit, const char *left, const char *middle,
                            const char *value, const char *tail)
{
    size_t width = (size_t)emit->out->indent + strlen(left) + strlen(middle) + strlen(value) +
                   strlen(tail) + 1;
    out_line(emit->out, "%s%s%s%s%s", left, middle, width <= LINE_WIDTH ? " " : "\n    ", value,
             tail);
}

/* "-f", "-(0.5 * f)": value of an atomic addition. */
const char *cuda_negative(struct emit *emit, const char *value)
{
    return strpbrk(value, " -+*/") == NULL ? emit_format(emit, "-%s", value)
                                           : emit_format(emit, "-(%s)", value);
}

static void print_plain(struct emit *emit, const char *place, const struct update *update,
                        const char *value)
{
    switch (emit->loop->arg[update->place.arg].access) {
    case ACCESS_MIN:
        print_statement(emit, emit_format(emit, "cleave_lower(%s", place), ",", value, ");");
        break;
    case ACCESS_MAX:
        print_statement(emit, emit_format(emit, "cleave_raise(%s", place), ",", value, ");");
        break;
    default:
        print_statement(emit, place, update->negative ? " -=" : " +=", value, ";");
        break;
    }
}

static const char *in_group(struct emit *emit, const struct stage *stage, const struct place *place,
                            const char *component)
{
    const struct arg *arg = &emit->loop->arg[place->arg];
    const struct transfer *group = stage_transfer(emit->loop, stage, TRANSFER_OUT, place->arg);
    const char *local = emit_format(emit, "cleave_local_%s_%d", cuda_map(emit, place->arg)->label,
                                    place_column(arg, place->column));
    if (component == NULL) {
        int slot = transfer_slot(group, place->component);
        component = slot > 0 ? emit_format(emit, " + %d", slot) : "";
    }
    return group->components == 1
               ? local
               : emit_format(emit, "%d * %s%s", group->components, local, component);
}

static const char *in_dat(struct emit *emit, const struct place *place, const char *component)
{
    const struct arg *arg = &emit->loop->arg[place->arg];
    const char *point =
        place_point(emit, emit->shape->map_of[place->arg], place_column(arg, place->column));
    return place_component(emit, cuda_dat(emit, place->arg), point,
                           component != NULL ? component + strlen(" + ")
                                             : emit_format(emit, "%d", place->component));
}

/* component: " + cleave_d" inside a loop over components, else NULL. */
static void print_update(struct emit *emit, const struct stage *stage, enum cuda_sink sink,
                         const struct update *update, const char *component, const char *value)
{
    const struct place *place = &update->place;
    const char *operation = cuda_operation(emit->loop->arg[place->arg].access);
    const char *view = emit_format(emit, "cleave_out_%s", cuda_group(emit, place->arg));
    const char *added = update->negative ? cuda_negative(emit, value) : value;
    switch (sink) {
    case SINK_SHARED:
        print_plain(emit,
                    emit_format(emit, "%s[%s]", view, in_group(emit, stage, place, component)),
                    update, value);
        break;
    case SINK_SHARED_ATOMIC:
        print_statement(emit,
                        emit_format(emit, "cleave_%s_shared<%s>(%s, %s", operation,
                                    cuda_type(emit, place->arg), view,
                                    in_group(emit, stage, place, component)),
                        ",", added, ");");
        break;
    case SINK_MEMORY_ATOMIC:
        print_statement(
            emit, emit_format(emit, "cleave_%s(&%s", operation, in_dat(emit, place, component)),
            ",", added, ");");
        break;
    case SINK_MEMORY:
        print_plain(emit, in_dat(emit, place, component), update, value);
        break;
    case SINK_POINT:
        print_plain(emit, cuda_point_register(emit, place), update, value);
        break;
    }
}

/* Returns how many updates from u on are all components of an argument's private increments; 0:
 * they are not, or there is only one. */
static int whole_record(const struct emit *emit, const struct stage *stage, int u)
{
    const struct place *first = &stage->update[u].place;
    int dim = emit->loop->arg[first->arg].dim;
    if (stage->update[u].value != NULL || dim == 1 || u + dim > stage->updates) {
        return 0;
    }
    for (int d = 0; d < dim; d++) {
        const struct place *place = &stage->update[u + d].place;
        if (place->arg != first->arg || place->column != first->column || place->component != d) {
            return 0;
        }
    }
    return dim;
}

static void print_record(struct emit *emit, const struct stage *stage, enum cuda_sink sink,
                         const struct update *update)
{
    const struct arg *arg = &emit->loop->arg[update->place.arg];
    const char *row = arg->is_vector ? emit_format(emit, "[%d]", update->place.column) : "";
    out_line(emit->out, "for (int cleave_d = 0; cleave_d < %d; cleave_d++) {", arg->dim);
    emit->out->indent += 4;
    print_update(
        emit, stage, sink, update, " + cleave_d",
        emit_format(emit, "cleave_inc_%s%s[cleave_d]", emit->shape->label[update->place.arg], row));
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}

void cuda_print_updates(struct emit *emit, const struct stage *stage, enum cuda_sink sink,
                        int column)
{
    bool memory = sink == SINK_MEMORY_ATOMIC || sink == SINK_MEMORY;
    bool guarded = stage->kind == STAGE_UPDATE && !memory; /* as a whole */
    for (int u = 0; u < stage->updates;) {
        const struct update *update = &stage->update[u];
        int a = update->place.arg;
        int record = sink != SINK_POINT ? whole_record(emit, stage, u) : 0;
        u += record > 0 ? record : 1;
        if (column >= 0 && emit_update_column(emit->loop, update) != column) {
            continue;
        }
        if (!guarded) {
            cuda_open_guard(emit, a);
        }
        if (record > 0) {
            print_record(emit, stage, sink, update);
        } else {
            print_update(emit, stage, sink, update, NULL, emit_update_value(emit, update));
        }
        if (!guarded) {
            cuda_close_guard(emit, a);
        }
    }
}

void cuda_memory_updates(struct emit *emit, enum cuda_sink sink)
{
    const struct stage *stage = emit->stage;
    if (stage == NULL || stage->updates == 0) {
        return;
    }
    out_line(emit->out, "{");
    emit->out->indent += 4;
    emit_update_points(emit, stage);
    emit_update_pointers(emit, stage);
    cuda_print_updates(emit, stage, sink, -1);
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}
