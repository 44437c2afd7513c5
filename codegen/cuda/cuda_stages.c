/* cuda_stages.c: what moves through shared memory, and where it lies there.
 *
 * In: the transfers of the schedule being written. Out: text. Arguments that name one dat through
 * one map share one copy of the block's points, a group:
 *
 *   fused   | in group 0 | in group 1 | out group 0 | ...     all at once
 *   split   | in group 0 | in group 1 |                        contribution
 *           | points of the updated argument |                 each update, from byte 0
 *
 * Offsets are counted once, on the host, in NAME_layout(); the kernel gets them by value.
 */
#include <string.h>

#include "codegen/cuda/cuda.h"
#include "pass/arena.h"

enum { WARP = 32 };

static const struct shape_dat *dat_of(const struct emit *emit, int a)
{
    return &emit->shape->dat[emit->shape->dat_of[a]];
}

static const struct shape_map *map_of(const struct emit *emit, int a)
{
    return &emit->shape->map[emit->shape->map_of[a]];
}

static const char *type_of(struct emit *emit, int a)
{
    return emit_type_name(emit, emit->loop->arg[a].type);
}

/* "p_x_pedge": the group of argument a. */
static const char *group_name(struct emit *emit, int a)
{
    return emit_format(emit, "%s_%s", dat_of(emit, a)->label, map_of(emit, a)->label);
}

static bool is_split(const struct emit *emit)
{
    return emit->schedule->kind == SCHEDULE_SPLIT;
}

/* True for the first argument of a group of the given place. */
static bool leads_group(const struct emit *emit, int a, enum place place)
{
    if (emit->place[a] != place) {
        return false;
    }
    for (int before = 0; before < a; before++) {
        if (emit->place[before] == place && emit->shape->dat_of[before] == emit->shape->dat_of[a] &&
            emit->shape->map_of[before] == emit->shape->map_of[a]) {
            return false;
        }
    }
    return true;
}

/* "if (dat != NULL) ", the same for all threads of a block. An update stage is guarded as a whole.
 */
static const char *guard(struct emit *emit, int a)
{
    const struct shape_dat *dat = dat_of(emit, a);
    bool guarded = is_split(emit) && emit->place[a] == PLACE_PRIVATE;
    return dat->optional && !guarded ? emit_format(emit, "if (%s != NULL) ", dat->name) : "";
}

/* ---- lists ------------------------------------------------------------------------------------
 */

static void print_list(struct emit *emit, const struct shape_map *map)
{
    const char *label = map->label;
    out_line(emit->out, "const int *cleave_points_%s =", label);
    out_line(emit->out, "    cleave_plan.list[%d].point + cleave_plan.list[%d].start[cleave_b];",
             map->list, map->list);
    out_line(emit->out, "const int cleave_number_%s =", label);
    out_line(emit->out,
             "    cleave_plan.list[%d].start[cleave_b + 1] - cleave_plan.list[%d].start[cleave_b];",
             map->list, map->list);
}

static bool column_is_staged(const struct emit *emit, int m, int column)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        bool staged = emit->place[a] == PLACE_STAGED || emit->place[a] == PLACE_PRIVATE;
        if (!staged || emit->shape->map_of[a] != m) {
            continue;
        }
        for (int c = 0; c < place_columns(arg); c++) {
            if (place_column(arg, c) == column) {
                return true;
            }
        }
    }
    return false;
}

static void print_local(struct emit *emit, const struct shape_map *map, int k)
{
    const char *at = k == 0
                         ? "cleave_position"
                         : emit_format(emit, "%d * (size_t)cleave_plan.size + cleave_position", k);
    out_line(emit->out, "const int cleave_local_%s_%d =", map->label, map->column[k]);
    out_line(emit->out, "    !cleave_active ? 0 :%scleave_plan.list[%d].local[%s];",
             k == 0 ? " " : "\n    ", map->list, at);
}

void cuda_lists(struct emit *emit)
{
    for (int l = 0; l < emit->shape->lists; l++) {
        int m = emit->shape->list[l];
        const struct shape_map *map = &emit->shape->map[m];
        bool any = false;
        for (int k = 0; k < map->columns; k++) {
            bool staged = column_is_staged(emit, m, map->column[k]);
            if (staged && !any) {
                print_list(emit, map);
            }
            any = any || staged;
            if (staged) {
                print_local(emit, map, k);
            }
        }
    }
}

/* ---- staging ----------------------------------------------------------------------------------
 */

bool cuda_stages_in(const struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (emit->place[a] == PLACE_STAGED) {
            return true;
        }
    }
    return false;
}

void cuda_stage_in(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (!leads_group(emit, a, PLACE_STAGED)) {
            continue;
        }
        const char *map = map_of(emit, a)->label;
        out_line(emit->out, "%scleave_stage_in<%s, %d>(", guard(emit, a), type_of(emit, a),
                 dat_of(emit, a)->dim);
        out_line(emit->out, "    cleave_shared<%s>(cleave_space.in_%s), %s,", type_of(emit, a),
                 group_name(emit, a), dat_of(emit, a)->name);
        out_line(emit->out, "    cleave_points_%s, cleave_number_%s);", map, map);
    }
}

void cuda_stage_in_barrier(struct emit *emit)
{
    if (cuda_stages_in(emit)) {
        out_line(emit->out, "cleave_barrier();");
    }
}

static void print_zero(struct emit *emit, int a, const char *view)
{
    int dim = dat_of(emit, a)->dim;
    out_line(emit->out, "%scleave_stage_zero<%s>(%s, cleave_number_%s%s);", guard(emit, a),
             type_of(emit, a), view, map_of(emit, a)->label,
             dim == 1 ? "" : emit_format(emit, " * %d", dim));
}

static void print_view(struct emit *emit, int a, const char *qualifier, const char *name,
                       const char *offset)
{
    const char *type = emit_format(emit, "%s%s", qualifier, type_of(emit, a));
    out_line(emit->out, "CLEAVE_SHARED(%s) %s =%scleave_shared<%s>(%s);", type, name,
             strlen(offset) > 1 ? "\n    " : " ", type, offset);
}

static const char *out_view(struct emit *emit, int a)
{
    return emit_format(emit, "cleave_out_%s", group_name(emit, a));
}

void cuda_zero(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (leads_group(emit, a, PLACE_PRIVATE)) {
            print_view(emit, a, "", out_view(emit, a),
                       emit_format(emit, "cleave_space.out_%s", group_name(emit, a)));
            print_zero(emit, a, out_view(emit, a));
        }
    }
}

void cuda_views(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (leads_group(emit, a, PLACE_STAGED)) {
            print_view(emit, a, "const ", emit_format(emit, "cleave_in_%s", group_name(emit, a)),
                       emit_format(emit, "cleave_space.in_%s", group_name(emit, a)));
        }
    }
}

static void print_adds(struct emit *emit, int a, const char *format)
{
    const struct arg *arg = &emit->loop->arg[a];
    const char *times = arg->dim == 1 ? "" : emit_format(emit, "%d * ", arg->dim);
    const char *view = out_view(emit, a);
    for (int c = 0; c < place_columns(arg); c++) {
        const char *row = arg->is_vector ? emit_format(emit, "[%d]", c) : "";
        emit_add(emit, a, format, view,
                 emit_format(emit, "%scleave_local_%s_%d", times, map_of(emit, a)->label,
                             place_column(arg, c)),
                 emit_format(emit, "cleave_inc_%s%s", emit->shape->label[a], row));
    }
}

static void open_guard(struct emit *emit, int a)
{
    if (dat_of(emit, a)->optional) {
        out_line(emit->out, "if (%s != NULL) {", dat_of(emit, a)->name);
        emit->out->indent += 4;
    }
}

static void close_guard(struct emit *emit, int a)
{
    if (dat_of(emit, a)->optional) {
        emit->out->indent -= 4;
        out_line(emit->out, "}");
    }
}

void cuda_shared_adds(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (emit->place[a] == PLACE_PRIVATE) {
            open_guard(emit, a);
            print_adds(emit, a, "%s += %s;");
            close_guard(emit, a);
        }
    }
}

static void print_stage_out(struct emit *emit, int a)
{
    const struct shape_dat *dat = dat_of(emit, a);
    const char *map = map_of(emit, a)->label;
    out_line(emit->out, "%scleave_stage_out_%s<%s, %d>(%s, %s,", guard(emit, a),
             emit->atomic ? "atomic" : "add", type_of(emit, a), dat->dim, dat->name,
             out_view(emit, a));
    out_line(emit->out, "    cleave_points_%s, cleave_number_%s);", map, map);
}

/* Two groups of one set of data may hold the same point at different places: a barrier between. */
void cuda_stage_out(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        bool seen = false;
        if (!leads_group(emit, a, PLACE_PRIVATE)) {
            continue;
        }
        for (int before = 0; before < a; before++) {
            seen = seen || (emit->place[before] == PLACE_PRIVATE &&
                            emit->loop->arg[before].dat == emit->loop->arg[a].dat);
        }
        if (seen) {
            out_line(emit->out, "cleave_barrier();");
        }
        print_stage_out(emit, a);
    }
}

/* ---- update stages ----------------------------------------------------------------------------
 */

static void update_what(struct emit *emit)
{
    out_format(emit->out, "stage %d: %s", emit->stage + 1, emit->schedule->stage[emit->stage].name);
}

static void update_view(struct emit *emit)
{
    print_view(emit, emit->arg, "", out_view(emit, emit->arg), "0");
}

static void update_zero(struct emit *emit)
{
    print_zero(emit, emit->arg, out_view(emit, emit->arg));
}

static void update_adds(struct emit *emit)
{
    const char *add = emit_format(emit, "cleave_add_shared<%s>(", type_of(emit, emit->arg));
    const struct arg *arg = &emit->loop->arg[emit->arg];
    if (!emit->atomic) {
        print_adds(emit, emit->arg, "%s += %s;");
        return;
    }
    for (int c = 0; c < place_columns(arg); c++) {
        const char *row = arg->is_vector ? emit_format(emit, "[%d]", c) : "";
        const char *d = arg->dim == 1 ? "0" : "cleave_d";
        const char *times = arg->dim == 1 ? "" : emit_format(emit, "%d * ", arg->dim);
        const char *blank = arg->dim == 1 ? "" : "    ";
        if (arg->dim > 1) {
            out_line(emit->out, "for (int cleave_d = 0; cleave_d < %d; cleave_d++) {", arg->dim);
        }
        out_line(emit->out, "%s%s%s,\n%s    %scleave_local_%s_%d%s, cleave_inc_%s%s[%s]);", blank,
                 add, out_view(emit, emit->arg), blank, times, map_of(emit, emit->arg)->label,
                 place_column(arg, c), arg->dim == 1 ? "" : " + cleave_d",
                 emit->shape->label[emit->arg], row, d);
        if (arg->dim > 1) {
            out_line(emit->out, "}");
        }
    }
}

static void update_out(struct emit *emit)
{
    print_stage_out(emit, emit->arg);
}

void cuda_updates(struct emit *emit)
{
    static const struct hole holes[] = {
        {"what", update_what}, {"view", update_view}, {"zero", update_zero},
        {"adds", update_adds}, {"out", update_out},   {NULL, NULL},
    };
    for (int s = 0; s < emit->schedule->stages; s++) {
        if (emit->schedule->stage[s].kind != STAGE_UPDATE) {
            continue;
        }
        emit->stage = s;
        emit->arg = emit->schedule->stage[s].transfer[0].arg;
        out_text(emit->out, "\n");
        open_guard(emit, emit->arg);
        template_print(
            emit, emit->atomic ? template_cuda_update_atomic : template_cuda_update_colour, holes);
        close_guard(emit, emit->arg);
    }
}

/* ---- shared memory ----------------------------------------------------------------------------
 */

static const char *group_bytes(struct emit *emit, int a)
{
    return emit_format(emit, "cleave_round_up(cleave_plan->list[%d].max_points * %d * sizeof(%s))",
                       map_of(emit, a)->list, dat_of(emit, a)->dim, type_of(emit, a));
}

const char *cuda_space_name(struct emit *emit)
{
    return emit_format(emit, "%s_%s", emit->loop->id, is_split(emit) ? "split" : "fused");
}

void cuda_space_fields(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        bool in = leads_group(emit, a, PLACE_STAGED);
        if (in || (leads_group(emit, a, PLACE_PRIVATE) && !is_split(emit))) {
            out_line(emit->out, "unsigned %s_%s;", in ? "in" : "out", group_name(emit, a));
        }
    }
}

void cuda_space_offsets(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        bool in = leads_group(emit, a, PLACE_STAGED);
        if (in || (leads_group(emit, a, PLACE_PRIVATE) && !is_split(emit))) {
            out_line(emit->out, "cleave_space.%s_%s = (unsigned)cleave_at;", in ? "in" : "out",
                     group_name(emit, a));
            out_line(emit->out, "cleave_at += %s;", group_bytes(emit, a));
        }
    }
}

size_t cuda_scratch_bytes(const struct loop *loop)
{
    size_t bytes = 0;
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (arg_is_reduction(arg) && WARP * arg->type->size > bytes) {
            bytes = WARP * arg->type->size;
        }
    }
    return bytes;
}

void cuda_space_others(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (leads_group(emit, a, PLACE_PRIVATE) && is_split(emit)) {
            out_line(emit->out, "cleave_bytes = cleave_larger(\n    cleave_bytes, %s);",
                     group_bytes(emit, a));
        }
    }
    if (cuda_scratch_bytes(emit->loop) > 0) {
        out_line(emit->out, "cleave_bytes = cleave_larger(cleave_bytes, %zu); // reductions",
                 cuda_scratch_bytes(emit->loop));
    }
}
