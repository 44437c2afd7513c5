/* cuda_stages.c: the stages of a kernel over blocks, and what moves through shared memory.
 *
 * In: the stages of emit->schedule that the kernel runs, with their transfers: a group is one
 * record per unique point of the block, of the components that the stage needs. Out: for each stage
 * its groups staged in, the body or the updates, and its groups staged out, with the barriers that
 * keep threads apart. Every stage begins at byte 0 of shared memory, so that one waits for the one
 * before.
 */
#include <string.h>

#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"
#include "pass/ir/machine.h"

enum { LINE_WIDTH = 100 };

const struct shape_dat *cuda_dat(const struct emit *emit, int a)
{
    return &emit->shape->dat[emit->shape->dat_of[a]];
}

const struct shape_map *cuda_map(const struct emit *emit, int a)
{
    return &emit->shape->map[emit->shape->map_of[a]];
}

const char *cuda_type(struct emit *emit, int a)
{
    return emit_type_name(emit, emit->loop->arg[a].type);
}

const char *cuda_group(struct emit *emit, int a)
{
    return emit_format(emit, "%s_%s", cuda_dat(emit, a)->label, cuda_map(emit, a)->label);
}

/* ---- lists ------------------------------------------------------------------------------------
 */

static void print_list(struct emit *emit, const struct shape_map *map)
{
    const char *points = emit_format(emit, "cleave_points_%s", map->label);
    if (emit_mentions(emit, points)) {
        out_assign(
            emit->out, emit_format(emit, "const cleave_points %s", points), "=",
            emit_format(emit, "cleave_points_of(cleave_plan.list[%d], cleave_b)", map->list));
    }
    const char *runs = emit_format(emit, "cleave_runs_%s", map->label);
    if (emit_mentions(emit, runs)) {
        out_assign(emit->out, emit_format(emit, "const cleave_runs %s", runs), "=",
                   emit_format(emit, "cleave_runs_of(cleave_plan.list[%d], cleave_b)", map->list));
    }
}

static void print_local(struct emit *emit, const struct shape_map *map, int k)
{
    const char *local = emit_format(emit, "cleave_local_%s_%d", map->label, map->column[k]);
    if (emit_mentions(emit, local)) {
        out_assign(emit->out, emit_format(emit, "const int %s", local), "=",
                   emit_format(emit,
                               "cleave_local_of(cleave_plan, %d, %d, cleave_position, "
                               "cleave_active)",
                               map->list, k));
    }
}

void cuda_lists(struct emit *emit)
{
    if (cuda_is_bulk(emit)) {
        cuda_bulk_arrival(emit);
    }
    for (int l = 0; l < emit->shape->lists; l++) {
        const struct shape_map *map = &emit->shape->map[emit->shape->list[l]];
        print_list(emit, map);
        for (int k = 0; k < map->columns; k++) {
            print_local(emit, map, k);
        }
    }
    if (cuda_is_bulk(emit)) {
        cuda_stage_bulk(emit);
    }
}

/* ---- groups -----------------------------------------------------------------------------------
 */

const char *cuda_record(struct emit *emit, const struct transfer *transfer)
{
    int dim = cuda_dat(emit, transfer->arg)->dim;
    const char *text = emit_format(emit, "%s, %d", cuda_type(emit, transfer->arg), dim);
    if (emit->variant->gathers) {
        text = emit_format(emit, "%s, %d", text, place_stride(emit, transfer));
    }
    for (int c = 0; transfer->components < dim && c < transfer->components; c++) {
        text = emit_format(emit, "%s, %d", text, transfer->component[c]);
    }
    return text;
}

/* "if (dat != NULL)" around it, the same for all threads of a block. An update stage is guarded as
 * a whole. */
static bool is_guarded(const struct emit *emit, const struct transfer *transfer)
{
    return cuda_dat(emit, transfer->arg)->optional && emit->stage->kind != STAGE_UPDATE;
}

void cuda_print_staging(struct emit *emit, const char *view, const char *call,
                        const char *arguments)
{
    size_t indent = (size_t)emit->out->indent;
    size_t left = view != NULL ? strlen(view) + strlen(" = ") : 0;
    size_t right = strlen(call) + strlen(arguments) + strlen("();");
    bool whole = indent + left + right <= LINE_WIDTH;
    bool after_sign = view != NULL && indent + 4 + right <= LINE_WIDTH;
    bool after_call = indent + left + strlen(call) + 1 <= LINE_WIDTH;
    const char *sign = view == NULL                           ? ""
                       : whole || (!after_sign && after_call) ? " = "
                                                              : " =\n    ";
    const char *brace = whole || after_sign ? "" : after_call ? "\n    " : "\n        ";
    out_line(emit->out, "%s%s%s(%s%s);", view != NULL ? view : "", sign, call, brace, arguments);
}

/* An optional argument's records are staged where it is on. The view exists in any case. */
static void print_optional(struct emit *emit, const char *view, const struct transfer *transfer,
                           const char *offset, const char *call, const char *arguments)
{
    const char *type = emit_format(emit, "%s%s", transfer->kind == TRANSFER_IN ? "const " : "",
                                   cuda_type(emit, transfer->arg));
    out_assign(emit->out, emit_format(emit, "const auto %s", view), "=",
               emit_format(emit, "cleave_shared<%s>(%s)", type, offset));
    out_line(emit->out, "if (%s != NULL) {", cuda_dat(emit, transfer->arg)->name);
    out_line(emit->out, "    %s(%s);", call, arguments);
    out_line(emit->out, "}");
}

static void print_transfer(struct emit *emit, int t, const char *call, const char *source)
{
    const struct transfer *transfer = &emit->stage->transfer[t];
    const char *way = transfer->kind == TRANSFER_IN ? "in" : "out";
    const char *view = emit_format(emit, "cleave_%s_%s", way, cuda_group(emit, transfer->arg));
    const char *offset = cuda_space_offset(emit, emit->number - 1, t);
    const char *arguments = emit_format(emit, "%s, %scleave_points_%s", offset, source,
                                        cuda_map(emit, transfer->arg)->label);
    if (is_guarded(emit, transfer)) {
        print_optional(emit, view, transfer, offset, call, arguments);
    } else {
        cuda_print_staging(emit, emit_format(emit, "const auto %s", view), call, arguments);
    }
}

static bool stages_in(const struct emit *emit)
{
    return emit->stage->transfers > 0 && cuda_recipe(emit)->reads != CLEAVE_READS_DIRECT;
}

static bool is_bulk(const struct emit *emit, const struct transfer *transfer)
{
    return cuda_is_bulk(emit) && cuda_is_packed(emit, transfer);
}

static void print_stage_in(struct emit *emit)
{
    if (cuda_is_ahead(emit)) {
        cuda_stage_ahead(emit);
        return;
    }
    for (int t = 0; stages_in(emit) && t < emit->stage->transfers; t++) {
        const struct transfer *transfer = &emit->stage->transfer[t];
        if (is_bulk(emit, transfer)) {
            continue;
        }
        if (cuda_is_packed(emit, transfer)) {
            cuda_stage_pack(
                emit, transfer, "cleave_stage_in_async",
                cuda_space_group(emit, emit->number - 1, t),
                emit_format(emit, "cleave_points_%s", cuda_map(emit, transfer->arg)->label));
        } else if (transfer->kind == TRANSFER_IN) {
            print_transfer(
                emit, t,
                emit_format(emit, "cleave_stage_in%s<%s>", emit->variant->gathers ? "_async" : "",
                            cuda_record(emit, transfer)),
                emit_format(emit, "%s, ", place_dat(emit, cuda_dat(emit, transfer->arg))));
        }
    }
}

static bool is_worth_ahead(struct emit *emit, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    const struct type *type = place_param_type(emit->loop, a);
    while (type->kind == TYPE_ARRAY) {
        type = type->elem;
    }
    return arg->kind == ARG_DAT && emit->binding[a] == BIND_DIRECT && arg->access == ACCESS_READ &&
           !arg->is_optional && !cuda_dat(emit, a)->modified && type_same(type, arg->type) &&
           emit->stage->body != NULL && body_uses_components(emit, emit->stage->body, a);
}

/* Loads the element's own data early, so that it arrives together with the staged data. */
static void print_ahead(struct emit *emit)
{
    bool *held = arena_alloc(emit->file->program->arena, (size_t)emit->loop->args * sizeof(*held));
    size_t bytes = 0;
    for (int a = 0; a < emit->loop->args; a++) {
        size_t size = (size_t)emit->loop->arg[a].dim * emit->loop->arg[a].type->size;
        if (bytes + size > machines[MACHINE_GPU].ahead_bytes || !is_worth_ahead(emit, a)) {
            continue;
        }
        bytes += size;
        out_assign(emit->out, emit_format(emit, "const auto %s", record_name(emit, a, 0)), "=",
                   emit_format(emit, "cleave_load_ahead<%d>(%s)", emit->loop->arg[a].dim,
                               place_pointer(emit, a, 0, NULL)));
        held[a] = true;
    }
    emit->held = held;
}

static void print_stage_in_barrier(struct emit *emit)
{
    bool any = false;
    for (int t = 0; stages_in(emit) && t < emit->stage->transfers; t++) {
        const struct transfer *transfer = &emit->stage->transfer[t];
        any = any || (transfer->kind == TRANSFER_IN && !is_bulk(emit, transfer));
    }
    if ((any || cuda_is_bulk(emit)) && emit->variant->gathers) {
        print_ahead(emit);
    }
    if (cuda_is_ahead(emit)) {
        cuda_wait_ahead(emit);
        return;
    }
    if (any && emit->variant->gathers) {
        out_line(emit->out, "cleave_copy_wait();");
    }
    out_text(emit->out, any ? "cleave_barrier();\n" : "");
    if (cuda_is_bulk(emit)) {
        cuda_wait_bulk(emit);
    }
}

static void print_fill(struct emit *emit)
{
    for (int t = 0; t < emit->stage->transfers; t++) {
        const struct transfer *transfer = &emit->stage->transfer[t];
        enum access access = emit->loop->arg[transfer->arg].access;
        const char *start = access == ACCESS_MIN   ? "highest"
                            : access == ACCESS_MAX ? "lowest"
                                                   : "zero";
        if (transfer->kind == TRANSFER_OUT) {
            print_transfer(emit, t,
                           emit_format(emit, "cleave_stage_%s<%s, %d>", start,
                                       cuda_type(emit, transfer->arg), transfer->components),
                           "");
        }
    }
}

/* Two groups of one set of data may hold the same point at different places: a barrier between. */
static bool follows_itself(const struct emit *emit, int t)
{
    const struct transfer *transfer = &emit->stage->transfer[t];
    for (int before = 0; before < t; before++) {
        const struct transfer *other = &emit->stage->transfer[before];
        if (other->kind == TRANSFER_OUT &&
            emit->loop->arg[other->arg].dat == emit->loop->arg[transfer->arg].dat) {
            return true;
        }
    }
    return false;
}

static void print_stage_out(struct emit *emit)
{
    for (int t = 0; t < emit->stage->transfers; t++) {
        const struct transfer *transfer = &emit->stage->transfer[t];
        int items = 0;
        if (transfer->kind != TRANSFER_OUT) {
            continue;
        }
        if (follows_itself(emit, t)) {
            out_line(emit->out, "cleave_barrier();");
        }
        if (is_guarded(emit, transfer)) {
            cuda_open_guard(emit, transfer->arg);
        }
        out_format(emit->out, "cleave_stage_out_%s%s<%s>(", cuda_recipe(emit)->updating->stage_out,
                   cuda_operation(emit->loop->arg[transfer->arg].access),
                   cuda_record(emit, transfer));
        out_item(emit->out, &items, "%s", place_dat(emit, cuda_dat(emit, transfer->arg)));
        out_item(emit->out, &items, "cleave_out_%s", cuda_group(emit, transfer->arg));
        out_item(emit->out, &items, "cleave_points_%s", cuda_map(emit, transfer->arg)->label);
        out_text(emit->out, ");\n");
        if (is_guarded(emit, transfer)) {
            cuda_close_guard(emit, transfer->arg);
        }
    }
}

/* ---- stages -----------------------------------------------------------------------------------
 */

static void print_what(struct emit *emit)
{
    const struct stage *stage = emit->stage;
    out_format(emit->out, "stage %d: %s", emit->number, stage->name);
    if (stages_in(emit)) {
        out_format(emit->out, ", %zu bytes per point", stage->staged_bytes);
    }
}

/* Shared memory is free when all threads are done with the stage before. */
static void print_reuse(struct emit *emit)
{
    const struct cuda_kernel *kernel = cuda_kernel(emit);
    bool used = false;
    for (int s = kernel->stage; s < emit->number - 1; s++) {
        used = used || emit->schedule->stage[s].transfers > 0;
    }
    if (used && stages_in(emit) && !cuda_is_ahead(emit)) {
        out_line(emit->out, "cleave_barrier();");
    }
}

/* Prints the updates of an element: in its turn, or atomically for all elements at once. */
static void print_updates(struct emit *emit)
{
    emit_update_pointers(emit, emit->stage);
    cuda_print_updates(emit, emit->stage, cuda_recipe(emit)->updating->sink, -1);
}

static const struct hole holes[] = {
    {"what", print_what},
    {"reuse", print_reuse},
    {"stage_in", print_stage_in},
    {"stage_in_barrier", print_stage_in_barrier},
    {"fill", print_fill},
    {"compute", cuda_compute},
    {"updates", print_updates},
    {"stage_out", print_stage_out},
    {NULL, NULL},
};

static void print_update_stage(struct emit *emit)
{
    int a = emit->stage->updates > 0 ? emit->stage->update[0].place.arg : -1;
    if (a < 0) {
        return;
    }
    cuda_open_guard(emit, a);
    template_print(emit, cuda_recipe(emit)->updating->stage, holes);
    cuda_close_guard(emit, a);
}

void cuda_stages(struct emit *emit)
{
    const struct cuda_kernel *kernel = cuda_kernel(emit);
    const struct cuda_updating *updating = cuda_recipe(emit)->updating;
    bool staged = false;
    if (cuda_recipe(emit)->slices > 0) {
        cuda_print_slices(emit);
        return;
    }
    for (int s = kernel->stage; s < kernel->stage + kernel->stages; s++) {
        if (updating->print != NULL && emit->schedule->stage[s].kind == STAGE_UPDATE) {
            updating->print(emit, staged);
            break;
        }
        emit->stage = &emit->schedule->stage[s];
        emit->number = s + 1;
        staged = staged || stages_in(emit);
        out_text(emit->out, "\n");
        switch (emit->stage->kind) {
        case STAGE_WHOLE:
            template_print(emit, template_cuda_whole, holes);
            break;
        case STAGE_CONTRIBUTION:
            template_print(emit, template_cuda_contribution, holes);
            emit->held = NULL;
            break;
        default:
            print_update_stage(emit);
            break;
        }
    }
}
