/* tables.c: the end of a generated file: the tables that runtime/api/cleave_gen.h declares.
 * In: the variants that were written. Out: the lists, constants and variants of loops, the unit,
 * its constructor, and the symbol by which the driver sees that it is in the object. */
#include <string.h>

#include "codegen/emit.h"
#include "codegen/template.h"
#include "pass/ir/arena.h"

/* ---- per loop -------------------------------------------------------------------------------- */

static void print_lists(struct emit *emit, const struct shape *shape)
{
    if (shape->lists == 0) {
        return;
    }
    out_line(emit->out, "static const struct cleave_list %s_lists[] = {", shape->loop->id);
    for (int l = 0; l < shape->lists; l++) {
        const struct shape_map *map = &shape->map[shape->list[l]];
        out_format(emit->out, "    {%d, %d, {", map->arg, map->columns);
        for (int c = 0; c < map->columns; c++) {
            out_format(emit->out, "%s%d", c > 0 ? ", " : "", map->column[c]);
        }
        out_format(emit->out, "}, 0x%xu}, ", map->conflicts);
        out_comment(emit->out, "%s", map->label);
    }
    out_text(emit->out, "};\n\n");
}

/* Position of a used constant among those of the unit. */
static int constant_position(const struct emit *emit, int global)
{
    int position = 0;
    for (int g = 0; g < global; g++) {
        position +=
            emit->file->global_used[g] && emit->file->program->global[g]->storage == STORAGE_GLOBAL;
    }
    return position;
}

static int print_loop_constants(struct emit *emit, const struct loop *loop)
{
    const struct program *program = emit->file->program;
    const bool *used = emit->file->loops[loop - program->loop].global_used;
    int constants = 0;
    for (int g = 0; g < program->globals; g++) {
        if (used[g] && program->global[g]->storage == STORAGE_GLOBAL) {
            out_format(emit->out, constants++ == 0 ? "static const int %s_constants[] = {" : ", ",
                       loop->id);
            out_format(emit->out, "%d", constant_position(emit, g));
        }
    }
    out_text(emit->out, constants > 0 ? "};\n\n" : "");
    return constants;
}

/* Prints the parts of a packed record: component number slot + c is component[c] of the group. */
static const char *print_parts(struct emit *emit, const char *name, int n, const struct pack *pack)
{
    const char *parts = emit_format(emit, "%s_%d", name, n + 1);
    int items = 0;
    out_format(emit->out, "static const struct cleave_packed %s[] = {", parts);
    for (int g = 0; g < pack->groups; g++) {
        for (int c = 0; c < pack->group[g]->components; c++) {
            out_item(emit->out, &items, "{%d, %d}", pack->group[g]->arg,
                     pack->group[g]->component[c]);
        }
    }
    out_text(emit->out, "};\n\n");
    return emit_format(emit, "%d, %d, %s", pack->dim, items, parts);
}

/* Prints the tables of copies of dats that variants ask for: one table for rows that differ only in
 * registers. */
static void print_dat_copies(struct emit *emit, const struct emitted_loop *emitted)
{
    const char *last = NULL;
    for (int v = 0; v < emitted->variants; v++) {
        const struct emitted *variant = emitted->variant[v];
        if (variant->copies == 0 || variant->copies_name == last) {
            continue;
        }
        last = variant->copies_name;
        emit->file->makes_copies = true;
        const char *text = "";
        for (int n = 0; n < variant->copies; n++) {
            const struct emitted_copy *copy = &variant->copy[n];
            const char *parts =
                copy->pack != NULL ? print_parts(emit, last, n, copy->pack) : "0, 0, NULL";
            text = emit_format(emit, "%s    {%d, %d, %s},\n", text, copy->arg, copy->list, parts);
        }
        out_format(emit->out, "static const struct cleave_dat_copy %s[] = {\n%s};\n\n", last, text);
    }
}

/* The constant of enum cleave_schedule. */
static const char *schedule_constant(int schedule)
{
    static const char *const name[] = {
#define CLEAVE_SCHEDULE_KIND(name, meaning) "CLEAVE_" #name,
#include "runtime/api/cleave_words.def"
    };
    return name[schedule];
}

/* Prints the table of the variants, and what they cost. prefix: of the tables' names, behind the
 * loop's; soa: as layout_print() returns it. */
static void print_variants(struct emit *emit, const char *prefix,
                           const struct emitted_loop *emitted, const char *soa)
{
    static const char *const plan[] = {
#define CLEAVE_PLAN_KIND(name, meaning) "CLEAVE_PLAN_" #name,
#include "runtime/api/cleave_words.def"
    };
    static const char *const race[] = {
#define CLEAVE_RACE(name, word, sums, meaning) "CLEAVE_RACE_" #name,
#include "runtime/api/cleave_words.def"
    };
    static const char *const reads[] = {
#define CLEAVE_READS(name, word, meaning) "CLEAVE_READS_" #name,
#include "runtime/api/cleave_words.def"
    };
    if (emitted->variants == 0) {
        return;
    }
    costs_print(emit, emitted, prefix);
    out_line(emit->out, "static const struct cleave_variant %s%s_variants[] = {", emit->loop->id,
             prefix);
    for (int v = 0; v < emitted->variants; v++) {
        const struct emitted *variant = emitted->variant[v];
        out_line(emit->out, "    {\"%s\", %s, %d, %s, %s, %zu,", variant->name,
                 schedule_constant(variant->schedule), variant->cuts, race[variant->race],
                 plan[variant->plan], variant->tmp_bytes);
        out_line(emit->out, "     %s, %s,", variant->shared != NULL ? variant->shared : "NULL",
                 variant->run);
        out_line(emit->out, "     %s, %u, %s, %s,", reads[variant->reads], variant->parts,
                 variant->kernel != NULL ? variant->kernel : "NULL", soa);
        out_line(emit->out, "     %d, %s, %s, %s, %d, %d, %s, %s, %llu},", variant->copies,
                 variant->copies > 0 ? variant->copies_name : "NULL",
                 variant->sums != NULL ? variant->sums : "NULL",
                 costs_name(emit, emitted, v, prefix), variant->components, variant->rank,
                 variant->lanes ? "CLEAVE_LANE_WIDTHS" : "0",
                 variant->early > 0 ? emit_format(emit, "CLEAVE_EARLY(%d)", variant->early) : "0",
                 variant->starts);
    }
    out_text(emit->out, "};\n\n");
}

/* 1: a variant of the loop runs this schedule. */
static int has_variant(const struct emitted_loop *emitted, const struct schedule *schedule)
{
    for (int v = 0; v < emitted->variants; v++) {
        const struct emitted *variant = emitted->variant[v];
        if ((int)variant->schedule == (int)schedule->kind &&
            variant->cuts == (schedule->kind == SCHEDULE_SPLIT ? schedule->cuts : 0)) {
            return 1;
        }
    }
    return 0;
}

/* Prints the stages of all schedules that have variants, on targets that stage; returns how many.
 */
static int print_stages(struct emit *emit, const struct loop *loop,
                        const struct emitted_loop *emitted)
{
    int stages = 0;
    for (int s = 0; emit->file->target->stages && s < loop->schedules; s++) {
        const struct schedule *schedule = &loop->schedule[s];
        for (int t = 0; has_variant(emitted, schedule) && t < schedule->stages; t++) {
            const struct stage *stage = &schedule->stage[t];
            if (stages++ == 0) {
                out_line(emit->out, "static const struct cleave_stage %s_stages[] = {", loop->id);
            }
            out_format(emit->out, "    {%s, %d, ", schedule_constant(schedule->kind),
                       schedule->kind == SCHEDULE_SPLIT ? schedule->cuts : 0);
            out_string(emit->out, stage->name);
            out_format(emit->out, ", %zu, ", stage->shown_bytes);
            out_string(emit->out, stage->staged_text);
            out_text(emit->out, "},\n");
        }
    }
    out_text(emit->out, stages > 0 ? "};\n\n" : "");
    return stages;
}

/* "static const struct cleave_payload LOOP_payloads_2[] = {...};" for each extremum with payloads,
 * and a table of these extrema; returns how many. */
static int print_extrema(struct emit *emit, const struct loop *loop)
{
    const char *rows = "";
    int extrema = 0;
    for (int a = 0; a < loop->args; a++) {
        const char *payloads = "";
        int count = 0;
        for (int p = 0; p < loop->args && loop->arg[a].ties != TIES_NONE; p++) {
            const struct arg *payload = &loop->arg[p];
            if (payload->kind != ARG_INFO || payload->info_of != a) {
                continue;
            }
            int items = 0;
            out_format(emit->out, "static const int %s_goes_with_%d[] = {", loop->id, p);
            for (int i = 0; i < arg_payload(payload); i++) {
                out_item(emit->out, &items, "%d", payload->goes_with[i]);
            }
            out_text(emit->out, "};\n");
            payloads = emit_format(emit, "%s    {%d, %d, %s_goes_with_%d},\n", payloads, p,
                                   arg_payload(payload), loop->id, p);
            count++;
        }
        if (count > 0) {
            out_format(emit->out, "static const struct cleave_payload %s_payloads_%d[] = {\n%s};\n",
                       loop->id, a, payloads);
            rows = emit_format(emit, "%s    {%d, %d, %d, %s_payloads_%d},\n", rows, a,
                               loop->arg[a].ties == TIES_LAST, count, loop->id, a);
            extrema++;
        }
    }
    if (extrema > 0) {
        out_format(emit->out, "static const struct cleave_extremum %s_extrema[] = {\n%s};\n\n",
                   loop->id, rows);
    }
    return extrema;
}

/* Letters of the kernel's real accesses to each argument, as in cleave_loop.access; NULL: as
 * declared. */
static const char *access_letters(struct emit *emit, const struct loop *loop)
{
    char *letters = arena_alloc(emit->file->program->arena, (size_t)loop->args + 1);
    bool differs = false;
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        bool is_proven = arg->kind == ARG_DAT && arg->declared != ACCESS_INC;
        letters[a] = access_letter(is_proven ? arg->access : arg->declared);
        differs = differs || (is_proven && arg->access != arg->declared);
    }
    return differs ? letters : NULL;
}

static void print_row(struct emit *emit, const struct loop *loop,
                      const struct emitted_loop *emitted, int constants, int extrema, int stages)
{
    struct out *out = emit->out;
    int lists = emitted->refusal == NULL ? emitted->shape->lists : 0;
    out_text(out, "    {");
    out_string(out, loop->call_text);
    out_text(out, ",\n     ");
    out_string(out, loop->signature);
    out_text(out, ",\n     ");
    out_string(out, loop->kernel != NULL ? loop->kernel->user_name : loop->name);
    out_text(out, ", ");
    out_string(out, emit_format(emit, "%s:%d", loop->loc.file, loop->loc.line));
    out_text(out, ",\n     ");
    out_string(out, emitted->refusal);
    out_format(out, ",\n     %d, %s%s, %d, %s%s, %d, %s%s, %d, %s%s, ", lists,
               lists > 0 ? loop->id : "NULL", lists > 0 ? "_lists" : "", constants,
               constants > 0 ? loop->id : "NULL", constants > 0 ? "_constants" : "",
               emitted->variants, emitted->variants > 0 ? loop->id : "NULL",
               emitted->variants > 0 ? "_variants" : "", extrema, extrema > 0 ? loop->id : "NULL",
               extrema > 0 ? "_extrema" : "");
    out_string(out, access_letters(emit, loop));
    out_format(out, ", %d, %d, %s%s, %d, %s%s},\n",
               emitted->refusal == NULL && functions_may_print(emit->file->program, loop), stages,
               stages > 0 ? loop->id : "NULL", stages > 0 ? "_stages" : "", emitted->further,
               emitted->further > 0 ? loop->id : "NULL",
               emitted->further > 0 ? "_further_variants" : "");
}

static void print_loops(struct emit *emit)
{
    const struct program *program = emit->file->program;
    int *constants = arena_alloc(program->arena, (size_t)program->loops * sizeof(*constants));
    int *extrema = arena_alloc(program->arena, (size_t)program->loops * sizeof(*extrema));
    int *stages = arena_alloc(program->arena, (size_t)program->loops * sizeof(*stages));
    for (int l = 0; l < program->loops; l++) {
        const struct emitted_loop *loop = &emit->file->loops[l];
        if (loop->refusal == NULL && further_lists(emit->file, l)) {
            emit->loop = &program->loop[l];
            further_open(emit, l);
            print_lists(emit, loop->shape);
            constants[l] = print_loop_constants(emit, &program->loop[l]);
            extrema[l] = print_extrema(emit, &program->loop[l]);
            const char *soa = layout_print(emit, loop->shape);
            print_dat_copies(emit, loop);
            const struct emitted_loop further = {
                .shape = loop->shape, .variants = loop->further, .variant = loop->further_variant};
            print_variants(emit, "", loop, soa);
            print_variants(emit, "_further", &further, soa);
            stages[l] = print_stages(emit, &program->loop[l], loop);
            further_close(emit);
        }
    }
    if (program->loops == 0) {
        return;
    }
    out_text(emit->out, "static const struct cleave_loop cleave_loops[] = {\n");
    for (int l = 0; l < program->loops; l++) {
        if (further_lists(emit->file, l)) {
            further_open(emit, l);
            print_row(emit, &program->loop[l], &emit->file->loops[l], constants[l], extrema[l],
                      stages[l]);
            further_close(emit);
        }
    }
    out_text(emit->out, "};\n");
}

/* ---- constants ------------------------------------------------------------------------------- */

static const char *constant_type(struct emit *emit, const struct type *type)
{
    switch (type->kind) {
    case TYPE_UINT:
        return "uint";
    case TYPE_LLONG:
        return "ll";
    case TYPE_ULONG:
        return "unsigned long";
    case TYPE_ULLONG:
        return "ull";
    default:
        return emit_type_name(emit, type);
    }
}

static void print_constant_row(struct emit *emit, int g)
{
    const struct var *var = emit->file->program->global[g];
    const struct type *elem = var->type;
    long dim = 1;
    while (elem->kind == TYPE_ARRAY) {
        dim *= elem->count;
        elem = elem->elem;
    }
    if (elem->kind == TYPE_POINTER) {
        dim = 0;
        elem = elem->elem;
    }
    out_text(emit->out, "    {");
    out_string(emit->out, var->name);
    out_text(emit->out, ", ");
    out_string(emit->out, constant_type(emit, elem));
    out_format(emit->out, ", %ld, sizeof(%s), %d, cleave_set_%d", dim, names_global(emit, var),
               var->is_external, g);
    if (var->symbol != NULL) {
        out_format(emit->out, ", 1, cleave_object_%d", g);
    } else {
        out_text(emit->out, ", 0, NULL");
    }
    out_line(emit->out, "},");
}

static int count_constants(const struct emit *emit)
{
    return constant_position(emit, emit->file->program->globals);
}

static void print_constants(struct emit *emit)
{
    if (count_constants(emit) == 0) {
        return;
    }
    out_text(emit->out, "static const struct cleave_constant cleave_constants[] = {\n");
    for (int g = 0; g < emit->file->program->globals; g++) {
        if (emit->file->global_used[g] &&
            emit->file->program->global[g]->storage == STORAGE_GLOBAL) {
            print_constant_row(emit, g);
        }
    }
    out_text(emit->out, "};\n");
}

/* ---- the unit -------------------------------------------------------------------------------- */

static void print_target_id(struct emit *emit)
{
    out_text(emit->out, emit->file->target->id);
}

static void print_unit_id(struct emit *emit)
{
    out_string(emit->out, emit->file->program->unit);
}

static void print_source(struct emit *emit)
{
    out_string(emit->out, emit->file->program->source);
}

static void print_loop_table(struct emit *emit)
{
    int loops = emit->file->program->loops;
    if (emit->file->compiled != NULL) {
        out_text(emit->out, "sizeof(cleave_loops) / sizeof(cleave_loops[0]), cleave_loops");
    } else {
        out_format(emit->out, "%d, %s", loops, loops > 0 ? "cleave_loops" : "NULL");
    }
}

static void print_constant_table(struct emit *emit)
{
    int constants = count_constants(emit);
    out_format(emit->out, "%d, %s", constants, constants > 0 ? "cleave_constants" : "NULL");
}

static void print_relayout(struct emit *emit)
{
    out_text(emit->out, emit->file->relayouts ? "cleave_relayout_run<void>" : "NULL");
}

static void print_make_copy(struct emit *emit)
{
    out_text(emit->out, emit->file->makes_copies ? "cleave_make_copy<void>" : "NULL");
}

static void print_permute(struct emit *emit)
{
    out_text(emit->out, emit->file->target->permute);
}

static void print_launch_error(struct emit *emit)
{
    out_text(emit->out, emit->file->target->launch_error);
}

static void print_change_graph(struct emit *emit)
{
    out_text(emit->out, emit->file->target->change_graph);
}

static void print_register(struct emit *emit)
{
    out_text(emit->out, emit->file->target->registers);
}

static void print_namespace_end(struct emit *emit)
{
    out_text(emit->out, emit_is_cxx(emit) ? "} // namespace\n" : "");
}

static void print_linkage(struct emit *emit)
{
    out_text(emit->out, emit_is_cxx(emit) ? "extern \"C\"" : "extern");
}

static void print_symbol(struct emit *emit)
{
    out_text(emit->out, emit->file->target->symbol);
}

void tables_print(struct emit *emit)
{
    static const struct hole holes[] = {
        {"loops", print_loops},
        {"constants", print_constants},
        {"target", print_target_id},
        {"id", print_unit_id},
        {"source", print_source},
        {"groups", groups_print},
        {"loop_table", print_loop_table},
        {"group_table", groups_print_table},
        {"constant_table", print_constant_table},
        {"relayout", print_relayout},
        {"make_copy", print_make_copy},
        {"permute", print_permute},
        {"launch_error", print_launch_error},
        {"change_graph", print_change_graph},
        {"records", dat_records_print},
        {"record_table", dat_records_print_table},
        {"tiled_table", tiled_print_table},
        {"source_text", further_print_text},
        {"further_unit", further_print_name},
        {"register", print_register},
        {"namespace_end", print_namespace_end},
        {"linkage", print_linkage},
        {"symbol", print_symbol},
        {NULL, NULL},
    };
    further_declare(emit);
    template_print(emit, emit->file->compiled != NULL ? template_unit_further : template_unit,
                   holes);
}
