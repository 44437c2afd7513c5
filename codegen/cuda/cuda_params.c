/* cuda_params.c: parameters of a kernel and the arguments of its launch.
 *
 * One walk makes both lists, so that they cannot differ; they contain the names that the kernel
 * mentions. Dats are restricted: no other parameter can name them, because arguments that name one
 * dat share one parameter.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

struct list {
    struct emit *emit;
    bool declares; /* parameters, not arguments */
    int items;
};

/* type: of the parameter; name: of it, and of the argument when value is NULL. */
static void item(struct list *list, const char *type, const char *name, const char *value)
{
    struct out *out = list->emit->out;
    if (list->declares) {
        out_item(out, &list->items, "%s%s", type, name);
    } else {
        out_item(out, &list->items, "%s", value != NULL ? value : name);
    }
}

static void list_plan(struct list *list)
{
    struct emit *emit = list->emit;
    const char *type =
        emit_format(emit, "cleave_block_plan<%d>", emit->shape->lists > 0 ? emit->shape->lists : 1);
    item(list, emit_format(emit, "%s ", type), "cleave_plan",
         emit_format(emit, "%s(*cleave_plan)", type));
    if (emit_mentions(emit, "cleave_space")) {
        item(list, emit_format(emit, "%s_space ", cuda_space_name(emit)), "cleave_space", NULL);
    }
}

/* The list of the map that the kernel's points gather through, elements or sums of blocks. */
static void list_points(struct list *list)
{
    struct emit *emit = list->emit;
    const struct cuda_kernel *kernel = cuda_kernel(emit);
    int arg = kernel->form == FORM_SUMS ? kernel->sums : emit->schedule->stage[kernel->stage].map;
    item(list, "struct cleave_plan_list ", "cleave_list",
         emit_format(emit, "cleave_plan->list[%d]", cuda_map(emit, arg)->list));
    if (kernel->form == FORM_OWNERS) {
        item(list, "int ", "cleave_block_size", "cleave_plan->block_size");
    }
    if (emit_mentions(emit, "cleave_space")) {
        item(list, emit_format(emit, "%s_space ", cuda_space_name(emit)), "cleave_space", NULL);
    }
}

/* The elements of phases that name points, by map. */
static void list_entries(struct list *list)
{
    struct emit *emit = list->emit;
    for (int m = 0; m < emit->shape->maps; m++) {
        const struct shape_map *map = &emit->shape->map[m];
        if (cuda_has_entries(emit, m) && emit_mentions(emit, cuda_entries_name(emit, map))) {
            item(list, "cleave_entries ", cuda_entries_name(emit, map),
                 emit_format(emit, "cleave_entries_in(cleave_plan->list[%d])", map->list));
        }
    }
}

/* Lists the elements of one colour. cleave_before: blocks of earlier launches. */
static void list_colour(struct list *list)
{
    item(list, "const int *__restrict__ ", "cleave_element", "cleave_plan->global_element");
    item(list, "int ", "cleave_first", NULL);
    item(list, "int ", "cleave_end", NULL);
    item(list, "int ", "cleave_block_size", NULL);
    if (emit_mentions(list->emit, "cleave_b")) {
        item(list, "int ", "cleave_before", NULL);
    }
}

static void list_form(struct list *list)
{
    struct emit *emit = list->emit;
    const struct cuda_kernel *kernel = cuda_kernel(emit);
    switch (kernel->form) {
    case FORM_NONE:
    case FORM_JOIN:
        break;
    case FORM_ELEMENTS:
    case FORM_ROWS:
    case FORM_WARPS:
        item(list, "int ", "cleave_begin", "cleave_launch->begin");
        item(list, "int ", "cleave_end", "cleave_launch->end");
        item(list, "int ", "cleave_block_size", NULL);
        break;
    case FORM_GLOBAL:
        list_colour(list);
        break;
    case FORM_BLOCKS:
        list_plan(list);
        break;
    case FORM_COLOURS:
    case FORM_TURNS:
        list_plan(list);
        item(list, "int ", "cleave_first", NULL);
        break;
    case FORM_POINTS:
    case FORM_OWNERS:
    case FORM_SUMS:
        list_points(list);
        list_entries(list);
        break;
    }
}

/* No other parameter names the same dat: optional arguments have parameters of their own. */
static bool is_alone(const struct emit *emit, const struct shape_dat *dat)
{
    for (int d = 0; d < emit->shape->dats; d++) {
        const struct shape_dat *other = &emit->shape->dat[d];
        if (other != dat && emit->loop->arg[other->arg].dat == emit->loop->arg[dat->arg].dat) {
            return false;
        }
    }
    return true;
}

static void list_dat(struct list *list, const struct shape_dat *dat)
{
    struct emit *emit = list->emit;
    const char *type = emit_type_name(emit, dat->type);
    bool alone = is_alone(emit, dat);
    const char *pointer = emit_format(emit, "%s%s *", dat->modified ? "" : "const ", type);
    item(list, emit_format(emit, "%s%s", pointer, alone ? "__restrict__ " : ""), dat->name,
         emit_format(emit, "(%s)cleave_launch->data[%d]", pointer, dat->arg));
    if (dat->doubled) {
        item(list, emit_format(emit, "%s *__restrict__ ", type), dat->next,
             emit_format(emit, "(%s *)cleave_launch->next[%d]", type, dat->next_arg));
    }
    if (dat->zeros != NULL && emit_mentions(emit, dat->zeros)) {
        item(list, "unsigned ", dat->zeros,
             emit_format(emit, "cleave_zeros_of(cleave_launch, %d)", dat->arg));
    }
    if (dat->soa) {
        item(list, "int ", dat->stride, emit_format(emit, "cleave_launch->stride[%d]", dat->arg));
    }
}

/* Lists the dat's copy in the order of the stage's items. */
static void list_copy(struct list *list, const struct shape_dat *dat)
{
    struct emit *emit = list->emit;
    if (cuda_recipe(emit)->items && cuda_items_mentions(emit, dat)) {
        const char *pointer = emit_format(emit, "const %s *", emit_type_name(emit, dat->type));
        item(list, emit_format(emit, "%s__restrict__ ", pointer), cuda_items_name(emit, dat),
             emit_format(emit, "(%s)cleave_launch->copy[%d]", pointer,
                         cuda_items_number(emit, dat)));
    }
}

static void list_packs(struct list *list)
{
    struct emit *emit = list->emit;
    for (int p = 0; p < emit->variant->packs; p++) {
        const struct pack *pack = &emit->variant->pack[p];
        const char *name = cuda_pack_name(emit, pack);
        const char *pointer = emit_format(emit, "const %s *", emit_type_name(emit, pack->type));
        if (emit_mentions(emit, name)) {
            const struct emitted_copy wanted = {pack->leader->arg, -1, pack};
            item(list, emit_format(emit, "%s__restrict__ ", pointer), name,
                 emit_format(emit, "(%s)cleave_launch->copy[%d]", pointer,
                             cuda_copy_number(emit, wanted)));
        }
    }
}

static void list_map(struct list *list, int m)
{
    struct emit *emit = list->emit;
    const struct shape_map *map = &emit->shape->map[m];
    item(list, "const int *__restrict__ ", emit_format(emit, "cleave_map_%s", map->label),
         emit_format(emit, "cleave_launch->map[%d]", map->arg));
    item(list, "int ", emit_format(emit, "cleave_width_%s", map->label),
         emit_format(emit, "cleave_launch->map_dim[%d]", map->arg));
}

static const char *value_type(struct emit *emit, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    return emit_format(emit, "cleave_value<%s, %d>", emit_type_name(emit, arg->type), arg->dim);
}

static const char *value_name(struct emit *emit, int a)
{
    const char *kind = emit->loop->arg[a].access == ACCESS_READ ? "gbl" : "start";
    return emit_format(emit, "cleave_%s_%s", kind, emit->shape->label[a]);
}

static void list_global(struct list *list, int a)
{
    struct emit *emit = list->emit;
    const struct arg *arg = &emit->loop->arg[a];
    const char *label = emit->shape->label[a];
    if (arg->is_optional && place_uses_global(emit, a, "on")) {
        item(list, "bool ", emit_format(emit, "cleave_on_%s", label),
             emit_format(emit, "cleave_launch->%s[%d] != NULL",
                         arg->access == ACCESS_READ ? "data" : "partial", a));
    }
    if (arg->access != ACCESS_INC && emit_mentions(emit, value_name(emit, a))) {
        item(list, emit_format(emit, "%s ", value_type(emit, a)), value_name(emit, a), NULL);
    }
    if ((arg_is_reduction(arg) || arg->kind == ARG_INFO) && place_uses_global(emit, a, "partial")) {
        const char *type = emit_type_name(emit, arg->type);
        item(list, emit_format(emit, "cleave_reduction<%s> ", type),
             emit_format(emit, "cleave_partial_%s", label),
             emit_format(emit, "cleave_reduction_of<%s>(cleave_launch, %d)", type, a));
    }
    if (arg->ties != TIES_NONE && place_uses_global(emit, a, "best_elements")) {
        item(list, "cleave_reduction<int> ", emit_format(emit, "cleave_best_elements_%s", label),
             emit_format(emit, "cleave_elements_of(cleave_launch, %d)", a));
    }
}

static void list_number(struct list *list, int a)
{
    struct emit *emit = list->emit;
    if (place_uses_global(emit, a, "number")) {
        item(list, "const int *__restrict__ ",
             emit_format(emit, "cleave_number_%s", emit->shape->label[a]),
             emit_format(emit, "cleave_launch->number[%d]", a));
    }
}

/* tmp(e), or sums of blocks: written by one kernel, read by others; one parameter, however many its
 * values are. */
static void list_tmp(struct list *list)
{
    struct emit *emit = list->emit;
    const struct cuda_kernel *kernel = cuda_kernel(emit);
    if (emit_mentions(emit, "cleave_sums")) {
        item(list, kernel->form == FORM_SUMS ? "const char *__restrict__ " : "char *",
             "cleave_sums", "(char *)cleave_launch->tmp");
    }
    if (!cuda_uses_tmp(emit, 0)) {
        return;
    }
    bool unsized = !cuda_form(kernel->form)->blocks;
    if (unsized && cuda_uses_tmp(emit, 1)) {
        item(list, "int ", "cleave_size", "cleave_launch->size");
    }
    item(list, kernel->saves ? "char *" : "const char *__restrict__ ", "cleave_tmp",
         kernel->saves ? "(char *)cleave_launch->tmp" : "(const char *)cleave_launch->tmp");
}

static void print_list(struct emit *emit, bool declares)
{
    struct list list = {emit, declares, 0};
    list_form(&list);
    for (int d = 0; d < emit->shape->dats; d++) {
        if (place_uses_dat(emit, d)) {
            list_dat(&list, &emit->shape->dat[d]);
        }
        list_copy(&list, &emit->shape->dat[d]);
    }
    list_packs(&list);
    for (int m = 0; m < emit->shape->maps; m++) {
        if (place_uses_map(emit, m)) {
            list_map(&list, m);
        }
    }
    for (int a = 0; a < emit->loop->args; a++) {
        const enum arg_kind kind = emit->loop->arg[a].kind;
        if (kind == ARG_GLOBAL || kind == ARG_INFO) {
            list_global(&list, a);
        }
        if (kind == ARG_INDEX || kind == ARG_INFO) {
            list_number(&list, a);
        }
    }
    if (emit_mentions(emit, "cleave_early")) {
        item(&list, "cleave_early ", "cleave_early", "cleave_launch->early");
    }
    if (emit_mentions(emit, "cleave_arrived")) {
        item(&list, "cleave_arrivals ", "cleave_arrived", NULL);
    }
    if (emit_mentions(emit, "cleave_portions")) {
        item(&list, "cleave_portions ", "cleave_portions", NULL);
    }
    list_tmp(&list);
}

void cuda_params(struct emit *emit)
{
    print_list(emit, true);
}

void cuda_arguments(struct emit *emit)
{
    print_list(emit, false);
}

void cuda_values(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (arg->kind != ARG_GLOBAL || arg->access == ACCESS_INC) {
            continue;
        }
        const char *name = value_name(emit, a);
        out_line(emit->out, "%s %s = {};", value_type(emit, a), name);
        if (arg->is_optional) {
            out_line(emit->out, "if (cleave_launch->data[%d] != NULL)", a);
        }
        out_line(emit->out, "%smemcpy(%s.v, cleave_launch->data[%d], sizeof(%s.v));",
                 arg->is_optional ? "    " : "", name, a, name);
    }
}

/* ---- early launches ---------------------------------------------------------------------------
 */

/* Words that the values of a global take behind those of the arguments before it. */
static int early_words(const struct arg *arg)
{
    return (int)(((size_t)arg->dim * arg->type->size + 15) / 16 * 2);
}

/* A kernel whose threads each have one element, and which has nothing but its values to wait for.
 */
int cuda_early_words(const struct emit *emit)
{
    int words = 0;
    if (emit->shape->updates || emit->shape->in_place || emit->loop->epilogues > 0) {
        return 0;
    }
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        const bool is_value = arg->kind == ARG_GLOBAL && arg->access != ACCESS_INC;
        if (arg->is_optional || (is_value && arg->access != ACCESS_READ)) {
            return 0;
        }
        words += is_value ? early_words(arg) : 0;
    }
    return words <= CLEAVE_EARLY_WORDS ? words : 0;
}

void cuda_early(struct emit *emit)
{
    const char *values = "";
    if (cuda_early_words(emit) == 0) {
        return;
    }
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (arg->kind == ARG_GLOBAL && arg->access == ACCESS_READ) {
            values = emit_format(emit, "%s, %s", values, value_name(emit, a));
        }
    }
    out_line(emit->out, "if (!cleave_values_come(cleave_early%s)) {", values);
    out_line(emit->out, "    return;");
    out_line(emit->out, "}");
}
