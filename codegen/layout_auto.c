/* layout_auto.c: one layout for each dat of a file, from what its loops do with it.
 *
 * In: the loops with their shapes. Out: emit->file->layout, and the text of it for
 * --cleave-explain. The measure is how many sectors of 32 bytes a warp touches for each record, all
 * loops added up:
 *
 *                        array of structures            structure of arrays
 *   in place, records    a sector per load, which is    (bytes used) / 32
 *                        of 16 bytes where whole
 *                        records are used and are a
 *                        multiple of that, else of a
 *                        component; where neighbours
 *                        share sectors, their part
 *   through a map        the sectors that the used      a sector per component
 *                        part of one record lies in
 *
 * Modified data count twice, and so do data reached through a map: there are more elements
 * than points, and blocks stage whole records. Where points visit their elements (an owner gather,
 * if the cost model prefers it), elements' records lie anywhere, too. A dat is known by what the
 * arguments call it: two dats of one name get one layout, and for one dat of two names the runtime
 * may have to change it.
 */
#include <string.h>

#include "codegen/emit.h"
#include "pass/ir/arena.h"
#include "splitter/graph/graph.h"

enum { SECTOR = 32, WIDE_LOAD = 16 };

/* A structure of arrays is chosen if it touches at most this fraction of the sectors of an array of
 * structures: converting costs, too. */
static const double worth_it = 0.75;

/* Loops through a map visit their points more than once. */
enum { VISITS = 2 };

/* ---- what a loop uses ------------------------------------------------------------------------ */

struct used {
    int arg;
    int dim;
    bool *component;
};

static void note_place(struct used *used, const struct place *place)
{
    for (int c = 0; place->arg == used->arg && c < used->dim; c++) {
        used->component[c] = used->component[c] || place->component < 0 || place->component == c;
    }
}

static void note_expr(struct expr *expr, void *user)
{
    struct used *used = user;
    struct place whole = {used->arg, 0, -1};
    if (expr->kind == EXPR_PLACE) {
        note_place(used, &expr->place);
    } else if (expr->kind == EXPR_VAR && expr->var->storage == STORAGE_PARAM &&
               expr->var->index == used->arg) {
        note_place(used, &whole);
    }
}

/* The components that the body reads or sets; all, where the body is not known. */
static bool *components_used(struct arena *arena, const struct loop *loop, int a)
{
    const struct graph *graph = loop->graph;
    struct used used = {a, loop->arg[a].dim, NULL};
    struct place whole = {a, 0, -1};
    used.component = arena_alloc(arena, (size_t)used.dim * sizeof(bool));
    for (int n = 0; graph != NULL && n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        for (int p = 0; p < node->places; p++) {
            note_place(&used, &node->place[p]);
        }
        if (node->stmt != NULL) {
            stmt_visit(node->stmt, NULL, note_expr, &used);
        }
    }
    for (int c = 0; graph != NULL && c < graph->contributions; c++) {
        const struct update *update = &graph->contribution[c].update;
        note_place(&used, &update->place);
        note_expr(update->value, &used);
    }
    if (graph == NULL) {
        note_place(&used, &whole);
    }
    return used.component;
}

/* ---- sectors --------------------------------------------------------------------------------- */

struct cost {
    double structures; /* sectors per record in an array of structures */
    double arrays;     /* and in a structure of arrays */
};

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* Lanes read records that follow each other. */
static struct cost cost_in_place(size_t size, int dim, int used)
{
    double record = (double)size * dim;
    bool wide = used == dim && (size * (size_t)dim) % WIDE_LOAD == 0;
    double loads = wide ? record / WIDE_LOAD : used;
    return (struct cost){loads * least(1, record / SECTOR), (double)size * used / SECTOR};
}

/* Lanes read scattered records. A record starts at any offset in a sector that its length
 * allows. */
static struct cost cost_through_map(size_t size, const bool *component, int dim, int used)
{
    size_t record = size * (size_t)dim;
    size_t step = SECTOR;
    int first = 0;
    int last = dim - 1;
    while (record % step != 0) {
        step /= 2;
    }
    while (first < last && !component[first]) {
        first++;
    }
    while (last > first && !component[last]) {
        last--;
    }
    double span = (double)size * (last - first + 1);
    double sectors = 1 + (span > (double)step ? (span - (double)step) / SECTOR : 0);
    return (struct cost){least(sectors, used), used};
}

static bool lies_anywhere(const struct loop *loop, int a)
{
    return loop->arg[a].is_indirect || (loop->schedules > 0 && loop->predicted == AT_OWNER_GATHER);
}

static struct cost cost_of_arg(struct arena *arena, const struct loop *loop, int a)
{
    const struct arg *arg = &loop->arg[a];
    bool anywhere = lies_anywhere(loop, a);
    bool *component = components_used(arena, loop, a);
    int used = 0;
    for (int c = 0; c < arg->dim; c++) {
        used += component[c];
    }
    if (used == 0) {
        return (struct cost){0, 0};
    }
    struct cost cost = anywhere ? cost_through_map(arg->type->size, component, arg->dim, used)
                                : cost_in_place(arg->type->size, arg->dim, used);
    double times = arg->access == ACCESS_READ || arg->access == ACCESS_WRITE ? 1 : 2;
    times *= anywhere ? VISITS * place_columns(arg) : 1;
    return (struct cost){times * cost.structures, times * cost.arrays};
}

/* ---- dats ------------------------------------------------------------------------------------ */

static bool is_of(const struct dat_layout *layout, const struct arg *arg)
{
    return arg->kind == ARG_DAT && arg->dat_text != NULL &&
           strcmp(layout->text, arg->dat_text) == 0 && layout->dim == arg->dim &&
           type_same(layout->type, arg->type);
}

struct dat_layout *layouts_of(const struct emit *emit, const struct arg *arg)
{
    for (int d = 0; d < emit->file->layouts; d++) {
        if (is_of(&emit->file->layout[d], arg)) {
            return &emit->file->layout[d];
        }
    }
    return NULL;
}

static struct dat_layout *add_layout(struct emit *emit, int *capacity, const struct arg *arg)
{
    struct dat_layout *known = layouts_of(emit, arg);
    if (known != NULL) {
        return known;
    }
    emit->file->layout = arena_grow(emit->file->program->arena, emit->file->layout,
                                    emit->file->layouts, capacity, sizeof(*emit->file->layout));
    struct dat_layout *layout = &emit->file->layout[emit->file->layouts++];
    layout->text = arg->dat_text;
    layout->type = arg->type;
    layout->dim = arg->dim;
    return layout;
}

static void add_use(struct emit *emit, struct dat_layout *layout, const struct shape *shape, int a)
{
    struct arena *arena = emit->file->program->arena;
    const struct loop *loop = shape->loop;
    const struct arg *arg = &loop->arg[a];
    struct cost cost = cost_of_arg(arena, loop, a);
    layout->structures += cost.structures;
    layout->arrays += cost.arrays;
    layout->through_maps += lies_anywhere(loop, a);
    layout->declared = layout->declared || arg->is_soa;
    if (layout->unsuited == NULL && !layout_suits(emit, shape, a)) {
        layout->unsuited = loop->name;
    }
}

static void decide(struct arena *arena, struct dat_layout *layout)
{
    layout->soa = false;
    if (layout->declared) {
        layout->soa = true;
        layout->reason = "an argument's type says \":soa\"";
    } else if (layout->unsuited != NULL) {
        layout->reason =
            arena_format(arena, "loop '%s' needs whole records of it", layout->unsuited);
    } else if (layout->arrays <= worth_it * layout->structures) {
        layout->soa = true;
        layout->reason = layout->through_maps == 0
                             ? "loops access it directly, by component or in long records"
                             : "its direct accesses outweigh those through maps";
    } else if (layout->through_maps > 0 && layout->arrays > layout->structures) {
        layout->reason = "whole records are accessed through maps";
    } else {
        layout->reason = "the difference is small";
    }
}

void layouts_find(struct emit *emit)
{
    const struct program *program = emit->file->program;
    int capacity = 0;
    for (int l = 0; l < program->user_loops; l++) {
        const struct shape *shape = emit->file->loops[l].shape;
        const struct loop *loop = &program->loop[l];
        for (int a = 0; emit->file->loops[l].refusal == NULL && a < loop->args; a++) {
            const struct arg *arg = &loop->arg[a];
            if (arg->kind == ARG_DAT && arg->dat_text != NULL && arg->dim > 1) {
                add_use(emit, add_layout(emit, &capacity, arg), shape, a);
            }
        }
    }
    for (int d = 0; d < emit->file->layouts; d++) {
        decide(program->arena, &emit->file->layout[d]);
    }
}

/* ---- --cleave-explain ------------------------------------------------------------------------ */

static char *dat_text(struct arena *arena, const struct dat_layout *layout)
{
    return arena_format(arena, "%s (%d x %zu bytes)", layout->text, layout->dim,
                        layout->type->size);
}

void layouts_print(const struct emit *emit, FILE *out)
{
    struct arena *arena = emit->file->program->arena;
    int width = 0;
    for (int d = 0; d < emit->file->layouts; d++) {
        int length = (int)strlen(dat_text(arena, &emit->file->layout[d]));
        width = length > width ? length : width;
    }
    if (emit->file->layouts > 0) {
        fprintf(
            out,
            "layouts on the GPU: sectors of 32 bytes that the loops of this file touch for each "
            "record,\nas an array of structures (AoS) and as a structure of arrays (SoA)\n"
            "  %-*s %6s %6s  choice\n",
            width, "", "AoS", "SoA");
    }
    for (int d = 0; d < emit->file->layouts; d++) {
        const struct dat_layout *layout = &emit->file->layout[d];
        fprintf(out, "  %-*s %6.2f %6.2f  %s: %s\n", width, dat_text(arena, layout),
                layout->structures, layout->arrays, layout->soa ? "SoA" : "AoS", layout->reason);
    }
}
