/* openmp.c: the OpenMP target: C that is valid in C++ too.
 *
 * In: a loop with its shape and schedules. Out: its variants, schedule after schedule, each from a
 * row of recipes.c:
 *   nothing modified through a map   blocks of consecutive elements
 *   fused, or in place               the kernel, called whole, over ranges of elements, or block
 *                                    colour after block colour
 *   split                            block colours, each block in pieces, stage after stage
 *   loops                            a loop that writes tmp(e), then the updates by block colours
 *   twopass, owner                   a loop over elements, then one over the points of each map
 * The blocks of a colour run in parallel, each block in one thread. A variant is the function of
 * one thread, with all of its stages and colours (runtime/api/cleave_threads.h), and one that
 * starts it. Skeletons: codegen/templates/openmp_*.tpl.
 */
#include "codegen/lanes/lanes.h"
#include "codegen/openmp/openmp.h"
#include "codegen/openmp/recipes.h"
#include "pass/ir/arena.h"

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
    if (place_uses_global(emit, a, "on")) {
        out_line(emit->out, "const bool cleave_on_%s = cleave_launch->%s[%d] != NULL;", label,
                 arg->access == ACCESS_READ ? "data" : "partial", a);
    }
    const char *start = arg->access == ACCESS_READ ? "gbl" : "start";
    if (arg->access != ACCESS_INC && place_uses_global(emit, a, start)) {
        out_line(emit->out, "const %s *const cleave_%s_%s = (const %s *)cleave_launch->data[%d];",
                 type, start, label, type, a);
    }
    if (place_uses_global(emit, a, "partial")) {
        out_line(emit->out, "%s *const cleave_partial_%s = (%s *)cleave_launch->partial[%d];", type,
                 label, type, a);
    }
    if (place_uses_global(emit, a, "best_elements")) {
        out_line(emit->out,
                 "int *const cleave_best_elements_%s = cleave_launch->best_elements[%d];", label,
                 a);
    }
}

static void print_number(struct emit *emit, int a)
{
    if (place_uses_global(emit, a, "number")) {
        out_line(emit->out, "const int *const cleave_number_%s = cleave_launch->number[%d];",
                 emit->shape->label[a], a);
    }
}

static void print_data(struct emit *emit)
{
    for (int d = 0; d < emit->shape->dats; d++) {
        if (place_uses_dat(emit, d)) {
            print_dat(emit, &emit->shape->dat[d]);
        }
    }
    for (int m = 0; m < emit->shape->maps; m++) {
        if (place_uses_map(emit, m)) {
            print_map(emit, m);
        }
    }
    for (int a = 0; a < emit->loop->args; a++) {
        const enum arg_kind kind = emit->loop->arg[a].kind;
        if (kind == ARG_GLOBAL || kind == ARG_INFO) {
            print_global(emit, a);
        }
        if (kind == ARG_INDEX || kind == ARG_INFO) {
            print_number(emit, a);
        }
    }
}

/* "cleave_partial_rms[2 * (size_t)cleave_b + cleave_d]": component cleave_d of the block. */
static const char *of_block(struct emit *emit, int a, int dim, const char *array)
{
    return emit_format(emit, "cleave_%s_%s[%scleave_d]", array, emit->shape->label[a],
                       dim == 1 ? "cleave_b + "
                                : emit_format(emit, "%d * (size_t)cleave_b + ", dim));
}

/* to[d] of the block = from[d]. */
static void print_partial(struct emit *emit, int a, int dim, const char *to, const char *from)
{
    const char *label = emit->shape->label[a];
    const char *guard =
        emit->loop->arg[a].is_optional ? emit_format(emit, "cleave_on_%s && ", label) : "";
    out_line(emit->out, "for (int cleave_d = 0; %scleave_d < %d; cleave_d++) {", guard, dim);
    out_line(emit->out, "    %s = cleave_%s_%s[cleave_d];", of_block(emit, a, dim, to), from,
             label);
    out_line(emit->out, "}");
}

void openmp_partials(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (place_has_slots(emit, a)) {
            openmp_slots_join(emit, a, of_block(emit, a, arg->dim, "partial"));
        } else if (arg_is_reduction(arg)) {
            print_partial(emit, a, arg->dim, "partial", "gbl");
        }
        if (arg->ties != TIES_NONE) {
            print_partial(emit, a, arg->dim, "best_elements", "best_element");
        }
        if (arg->kind == ARG_INFO) {
            print_partial(emit, a, arg_payload(arg), "partial", "gbl");
        }
    }
}

void openmp_copies(struct emit *emit)
{
    openmp_slots_begin(emit);
    emit_reduction_copies(emit);
}

/* ---- variants ---------------------------------------------------------------------------------
 */

static void print_comment(struct emit *emit)
{
    emit_variant_comment(emit, emit->variant->what, false);
}

/* Declares the element's number, in the contribution over all elements. */
static void print_element(struct emit *emit)
{
    struct tmp_value *value;
    if (place_uses_element(emit) || tmp_values(emit, emit->schedule, &value) > 0) {
        out_line(emit->out, "const int cleave_e = cleave_plan->order[cleave_i];");
    }
}

static void print_contribution_what(struct emit *emit)
{
    emit->stage = &emit->schedule->stage[0];
    emit->number = 1;
    openmp_what(emit);
}

static void print_tmp(struct emit *emit)
{
    if (emit->schedule->kind != SCHEDULE_OWNER_GATHER) {
        emit_tmp_pointers(emit);
    }
}

static void print_head(struct emit *emit)
{
    int items = 0;
    out_format(emit->out, "static void %s(", emit->variant->name);
    out_item(emit->out, &items, "const struct cleave_launch *cleave_launch");
    out_item(emit->out, &items, "struct cleave_thread cleave_thread");
    out_text(emit->out, ")");
}

void openmp_element_work(struct emit *emit)
{
    if (emit->variant->as_lanes) {
        openmp_slot_before(emit, lanes_one);
    } else {
        emit_locals(emit);
        emit_call(emit);
    }
}

static void print_lanes_work(struct emit *emit)
{
    openmp_slot_before(emit, lanes_work);
}

static const struct hole holes[] = {
    {"comment", print_comment},
    {"head", print_head},
    {"name", emit_variant_name},
    {"data", print_data},
    {"copies", openmp_copies},
    {"locals", emit_locals},
    {"call", emit_call},
    {"lanes", print_lanes_work},
    {"element_work", openmp_element_work},
    {"run_elements", openmp_run_elements},
    {"head_lanes", openmp_lanes_head},
    {"choose_lanes", openmp_choose_lanes},
    {"head_rest", openmp_rest_head},
    {"unused_rest", openmp_rest_unused},
    {"call_rest", openmp_rest_call},
    {"call_singles", openmp_singles_call},
    {"partials", openmp_partials},
    {"piece", openmp_piece},
    {"arrays", openmp_piece_arrays},
    {"stages", openmp_piece_stages},
    {"tmp", print_tmp},
    {"what", print_contribution_what},
    {"element", print_element},
    {"work", openmp_body},
    {"updates", openmp_update_loops},
    {"elements", openmp_element_loop},
    {"gathers", openmp_gathers},
    {NULL, NULL},
};

/* How the kernel, called whole, or a stage's body accesses an argument. */
static enum binding binding_of(const struct emit *emit, int a)
{
    enum binding binding;
    if (binding_is_fixed(emit, a, &binding)) {
        return binding;
    }
    bool fused = emit->schedule == NULL || emit->schedule->kind == SCHEDULE_FUSED;
    if (fused || !shape_updates_arg(emit->loop, a)) {
        return BIND_MAP;
    }
    return emit->schedule->stage[0].body == NULL ? BIND_TMP : BIND_PRIVATE;
}

/* The functions that compute a run of elements: what the variant with lanes has beside the variant
 * without, whose function of one thread is its own, too. */
static void print_lane_functions(struct emit *emit, const struct openmp_recipe *recipe)
{
    passes_open_callee(emit);
    template_function(emit, template_openmp_rest, holes);
    passes_close(emit);
    passes_open(emit, lanes_class(emit, emit->loop));
    template_function(emit, recipe->text, holes);
    passes_close(emit);
}

static void print_variant(struct emit *emit, const struct openmp_recipe *recipe,
                          const struct schedule *schedule, const struct cleave_cost *cost)
{
    struct variant wanted = {.race = recipe->race, .what = recipe->what};
    wanted.as_lanes = recipe->as_lanes && openmp_lanes_refusal(emit) == NULL;
    wanted.name = schedule == NULL
                      ? recipe->suffix
                      : emit_format(emit, "_%s%s", schedule_word(schedule), recipe->suffix);
    struct emitted *row = emit_start(emit, schedule, wanted, recipe->plan);
    row->rank = recipe->rank;
    row->lanes = recipe->lanes;
    row->parts = recipe->parts;
    row->cost = cost;
    row->run = openmp_name_without_lanes(emit, "_run");
    for (int a = 0; a < emit->loop->args; a++) {
        emit->binding[a] = binding_of(emit, a);
    }
    if (recipe->lanes) {
        print_lane_functions(emit, recipe);
        return;
    }
    template_function(emit, recipe->text, holes);
    template_print(emit, template_openmp_run, holes);
}

static void print_recipes(struct emit *emit, unsigned schedules, const struct schedule *schedule)
{
    const struct openmp_recipe *recipe[OPENMP_MOST_RECIPES];
    int recipes = openmp_recipes_find(emit, schedules, schedule, recipe);
    const struct cleave_cost *cost = recipes > 0 ? openmp_cost(emit, schedule) : NULL;
    for (int r = 0; r < recipes; r++) {
        print_variant(emit, recipe[r], schedule, cost);
    }
}

/* Schedules in their order: fused first, which the runtime prefers. */
static void print_loop(struct emit *emit)
{
    if (emit->shape->in_place || !emit->shape->updates) {
        print_recipes(emit, emit->shape->in_place ? OPENMP_IN_PLACE : OPENMP_DIRECT, NULL);
        return;
    }
    for (int index = 0; index < SCHEDULES; index++) {
        const struct schedule *schedule = emit_wanted(emit, index);
        if (schedule != NULL) {
            print_recipes(emit, 1u << schedule->kind, schedule);
        }
    }
}

const struct target_row codegen_openmp = {
    .place = "CPU",
    .symbol = "cleave_unit_openmp",
    .launch_error = "NULL",
    .change_graph = "NULL",
    .has_tiles = true,
    .permute = "NULL",
    .lanes = 1,
    .has_lines = true,
    .zeros = "0",
    .by_value = "",
    .suffix = {[LANGUAGE_C] = ".cleave.c", [LANGUAGE_CXX] = ".cleave.cpp"},
    .qualifier = "static inline",
    .constant = "static",
    .large_constant = "static",
    .setter = "memcpy(&%s, cleave_value, sizeof(%s));",
    .registers = "cleave_register",
    .id = "CLEAVE_TARGET_OPENMP",
    .includes = "#include \"cleave_math.h\"\n#include \"cleave_threads.h\"\n",
    .loop = print_loop,
    .explain = openmp_explain,
};
