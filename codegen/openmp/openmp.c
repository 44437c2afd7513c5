/* openmp.c: the OpenMP target: C that is valid in C++ too.
 *
 * In: a loop with its shape and schedules. Out: its variants. Loops that modify nothing through a
 * map run in chunks of elements; the others run block colour after block colour, the blocks of a
 * colour in parallel, and each block in one thread. Skeletons: codegen/templates/openmp_*.tpl.
 */
#include <string.h>

#include "codegen/emit.h"
#include "codegen/template.h"
#include "pass/arena.h"

enum { PIECE_BYTES = 32768, MAX_PIECE = 1024 };

/* ---- data -------------------------------------------------------------------------------------
 */

static void print_dat(struct emit *emit, const struct shape_dat *dat)
{
    const char *type =
        emit_format(emit, "%s%s", dat->modified ? "" : "const ", emit_type_name(emit, dat->type));
    out_line(emit->out, "%s *const %s = (%s *)cleave_launch->data[%d];", type, dat->name, type,
             dat->arg);
}

static void print_map(struct emit *emit, int m)
{
    const struct shape_map *map = &emit->shape->map[m];
    out_line(emit->out, "const int *const cleave_map_%s = cleave_launch->map[%d];", map->label,
             map->arg);
    out_line(emit->out, "const int cleave_width_%s = cleave_launch->map_dim[%d];", map->label,
             map->arg);
}

static void print_global(struct emit *emit, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    const char *label = emit->shape->label[a];
    const char *type = emit_type_name(emit, arg->type);
    if (arg->is_optional) {
        out_line(emit->out, "const bool cleave_on_%s = cleave_launch->%s[%d] != NULL;", label,
                 arg->access == ACCESS_READ ? "data" : "partial", a);
    }
    if (arg->access != ACCESS_INC) {
        out_line(emit->out, "const %s *const cleave_%s_%s = (const %s *)cleave_launch->data[%d];",
                 type, arg->access == ACCESS_READ ? "gbl" : "start", label, type, a);
    }
    if (arg_is_reduction(arg)) {
        out_line(emit->out, "%s *const cleave_partial_%s = (%s *)cleave_launch->partial[%d];", type,
                 label, type, a);
    }
}

static void print_data(struct emit *emit)
{
    for (int d = 0; d < emit->shape->dats; d++) {
        print_dat(emit, &emit->shape->dat[d]);
    }
    for (int m = 0; m < emit->shape->maps; m++) {
        if (place_uses_map(emit, m)) {
            print_map(emit, m);
        }
    }
    for (int a = 0; a < emit->loop->args; a++) {
        if (emit->loop->arg[a].kind == ARG_GLOBAL) {
            print_global(emit, a);
        }
    }
}

static void print_partials(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (!arg_is_reduction(arg)) {
            continue;
        }
        const char *label = emit->shape->label[a];
        out_line(emit->out, "for (int cleave_d = 0; %scleave_d < %d; cleave_d++) {",
                 arg->is_optional ? emit_format(emit, "cleave_on_%s && ", label) : "", arg->dim);
        out_line(emit->out, "    cleave_partial_%s[%scleave_d] = cleave_gbl_%s[cleave_d];", label,
                 arg->dim == 1 ? "cleave_b + "
                               : emit_format(emit, "%d * (size_t)cleave_b + ", arg->dim),
                 label);
        out_line(emit->out, "}");
    }
}

/* ---- split ------------------------------------------------------------------------------------
 */

static void print_piece(struct emit *emit)
{
    size_t bytes = emit->schedule->tmp_bytes;
    size_t piece = PIECE_BYTES / (bytes > 0 ? bytes : 1);
    piece = piece < 1 ? 1 : piece > MAX_PIECE ? MAX_PIECE : piece;
    out_format(emit->out, "%zu", piece);
}

static void print_tmp(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (emit->place[a] != PLACE_TMP) {
            continue;
        }
        out_format(emit->out, "%s cleave_tmp_%s[", emit_type_name(emit, arg->type),
                   emit->shape->label[a]);
        print_piece(emit);
        if (arg->is_vector) {
            out_format(emit->out, "][%d", arg->columns);
        }
        out_line(emit->out, "][%d];", arg->dim);
    }
}

static void print_zero(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (emit->place[a] == PLACE_TMP) {
            const char *label = emit->shape->label[a];
            out_line(emit->out,
                     "memset(cleave_tmp_%s[cleave_i], 0, sizeof cleave_tmp_%s[cleave_i]);", label,
                     label);
        }
    }
}

static void print_element(struct emit *emit)
{
    if (place_uses_element(emit)) {
        out_line(emit->out, "const int cleave_e = cleave_plan->order[cleave_at + cleave_i];");
    }
}

static void print_update_what(struct emit *emit)
{
    out_format(emit->out, "stage %d: %s", emit->stage + 1, emit->schedule->stage[emit->stage].name);
}

static void print_adds(struct emit *emit)
{
    const struct arg *arg = &emit->loop->arg[emit->arg];
    const struct shape_dat *dat = &emit->shape->dat[emit->shape->dat_of[emit->arg]];
    for (int c = 0; c < place_columns(arg); c++) {
        const char *point = place_point(emit, emit->shape->map_of[emit->arg], place_column(arg, c));
        const char *row = arg->is_vector ? emit_format(emit, "[%d]", c) : "";
        emit_add(
            emit, emit->arg, "%s += %s;", dat->name, place_offset(emit, dat->dim, point),
            emit_format(emit, "cleave_tmp_%s[cleave_i]%s", emit->shape->label[emit->arg], row));
    }
}

static void print_update(struct emit *emit)
{
    static const struct hole holes[] = {
        {"what", print_update_what},
        {"points", emit_update_points},
        {"adds", print_adds},
        {NULL, NULL},
    };
    const struct shape_dat *dat = &emit->shape->dat[emit->shape->dat_of[emit->arg]];
    out_text(emit->out, "\n");
    if (!dat->optional) {
        template_print(emit, template_openmp_update, holes);
        return;
    }
    out_line(emit->out, "if (%s != NULL) {", dat->name);
    emit->out->indent += 4;
    template_print(emit, template_openmp_update, holes);
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}

static void print_updates(struct emit *emit)
{
    for (int s = 0; s < emit->schedule->stages; s++) {
        if (emit->schedule->stage[s].kind == STAGE_UPDATE) {
            emit->stage = s;
            emit->arg = emit->schedule->stage[s].transfer[0].arg;
            print_update(emit);
        }
    }
}

/* ---- variants ---------------------------------------------------------------------------------
 */

static void print_comment(struct emit *emit)
{
    if (emit->schedule != NULL && emit->schedule->kind == SCHEDULE_SPLIT) {
        emit_variant_comment(emit, "split stages, block colours", false);
    } else if (emit->shape->increments || emit->shape->in_place) {
        emit_variant_comment(emit, "fused, block colours", false);
    } else {
        emit_variant_comment(emit, "nothing is modified through a map", false);
    }
}

static const struct hole holes[] = {
    {"comment", print_comment},
    {"name", emit_variant_name},
    {"data", print_data},
    {"copies", emit_reduction_copies},
    {"locals", emit_locals},
    {"call", emit_call},
    {"partials", print_partials},
    {"piece", print_piece},
    {"tmp", print_tmp},
    {"zero", print_zero},
    {"element", print_element},
    {"updates", print_updates},
    {NULL, NULL},
};

static enum place place_of(const struct arg *arg, bool split)
{
    switch (arg->kind) {
    case ARG_INDEX:
        return PLACE_INDEX;
    case ARG_GLOBAL:
        return arg_is_reduction(arg) ? PLACE_REDUCE : PLACE_VALUE;
    default:
        if (!arg->is_indirect) {
            return PLACE_DIRECT;
        }
        return split && arg->access == ACCESS_INC ? PLACE_TMP : PLACE_MAP;
    }
}

static void print_variant(struct emit *emit, const char *text, const struct schedule *schedule)
{
    emit->schedule = schedule;
    for (int a = 0; a < emit->loop->args; a++) {
        emit->place[a] = place_of(&emit->loop->arg[a], schedule != NULL);
    }
    template_print(emit, text, holes);
}

static void print_loop(struct emit *emit, struct emitted_loop *loop)
{
    const struct schedule *split = &emit->loop->schedule[1];
    if (!emit->shape->increments && !emit->shape->in_place) {
        emit_variant(emit, loop, "direct", CLEAVE_FUSED, CLEAVE_RACE_NONE, 0);
        print_variant(emit, template_openmp_direct, NULL);
        return;
    }
    if (emit->options->fused || !split->legal) {
        emit_variant(emit, loop, "fused_colour", CLEAVE_FUSED, CLEAVE_RACE_COLOUR, 1);
        print_variant(emit, template_openmp_colour, NULL);
    }
    if (emit->options->split && split->legal) {
        emit_variant(emit, loop, "split_colour", CLEAVE_SPLIT, CLEAVE_RACE_COLOUR, 1);
        print_variant(emit, template_openmp_split, split);
    }
}

const struct target_row codegen_openmp = {
    .symbol = "openmp",
    .suffix = {[LANGUAGE_C] = ".cleave.c", [LANGUAGE_CXX] = ".cleave.cpp"},
    .qualifier = "static inline",
    .constant = "static",
    .large_constant = "static",
    .setter = "memcpy(&%s, cleave_value, sizeof(%s));",
    .registers = "cleave_register",
    .id = "CLEAVE_TARGET_OPENMP",
    .includes = "#include \"cleave_gen.h\"\n#include \"cleave_math.h\"\n",
    .loop = print_loop,
};
