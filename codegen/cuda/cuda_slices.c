/* cuda_slices.c: split stages whose points gather slices of the components, one after the other.
 *
 * In: a split schedule whose contribution may run more than once. Out: for each slice the whole
 * body of the contribution, from which compilers remove what the slice's values do not need, and
 * the gathers of its components. tmp(e) has room for one slice only, in shared memory and in
 * registers: more blocks are resident, but the slices recompute what they have in common.
 *
 *   one slice:   body -> tmp(e), all components -> gather all
 *   two slices:  body -> first half -> gather it;  body -> second half -> gather it
 *
 * A slice takes consecutive components of the loop, whichever dats they belong to.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

enum { LEAST_COMPONENTS = 12 };

/* ---- which loops ------------------------------------------------------------------------------
 */

static int components_of(struct emit *emit)
{
    int components = 0;
    for (int m = 0; m < emit->shape->maps; m++) {
        int arg;
        for (int n = 0; (arg = cuda_update_arg(emit, m, n)) >= 0; n++) {
            components += cuda_find_components(emit, arg).components;
        }
    }
    return components;
}

/* The body may be recomputed for each slice if an owner gather may recompute it: nothing in it,
 * besides the updates, must run once per element. */
bool cuda_slices_fit(struct emit *emit, const struct schedule *split)
{
    const struct schedule *owner = &emit->loop->schedule[AT_OWNER_GATHER];
    emit->schedule = split;
    return split->cuts == 1 && split->stage[0].body != NULL && !emit->shape->reduces &&
           owner->legal && owner->stages > 0 && owner->stage[0].kind == STAGE_GATHER &&
           components_of(emit) >= LEAST_COMPONENTS;
}

/* ---- what a slice gathers ---------------------------------------------------------------------
 */

/* Position of a value among those of the slice; a new one is appended. */
static int position_of(struct cuda_update *slice, const char *value)
{
    for (int v = 0; v < slice->values; v++) {
        if (slice->value[v] == value) {
            return v;
        }
    }
    slice->value[slice->values] = value;
    return slice->values++;
}

/* Number of the dat's first component when the components of all dats and maps are numbered
 * consecutively. Slices of this numbering recompute as little as possible. */
static int components_before(struct emit *emit, int dat_arg)
{
    int before = 0;
    for (int m = 0; m < emit->shape->maps; m++) {
        int arg;
        for (int n = 0; (arg = cuda_update_arg(emit, m, n)) >= 0; n++) {
            if (arg == dat_arg) {
                return before;
            }
            before += cuda_find_components(emit, arg).components;
        }
    }
    return before;
}

/* Returns the component of the dat at which the slice begins. */
static int begin_of(struct emit *emit, const struct cuda_update *whole, int slice)
{
    int begin = components_of(emit) * slice / cuda_recipe(emit)->slices -
                components_before(emit, whole->arg);
    return begin < 0 ? 0 : begin < whole->components ? begin : whole->components;
}

static struct cuda_update cut(struct emit *emit, const struct cuda_update *whole)
{
    struct arena *arena = emit->file->program->arena;
    int first = begin_of(emit, whole, emit->slice);
    struct cuda_update part = *whole;
    part.component = whole->component + first;
    part.components = begin_of(emit, whole, emit->slice + 1) - first;
    size_t places = (size_t)part.columns * (size_t)part.components;
    part.values = 0;
    part.value = arena_alloc(arena, places * sizeof(*part.value));
    part.value_of = arena_alloc(arena, places * sizeof(*part.value_of));
    part.negative = arena_alloc(arena, places * sizeof(*part.negative));
    for (int k = 0; k < part.columns; k++) {
        for (int c = 0; c < part.components; c++) {
            int from = k * whole->components + first + c;
            int to = k * part.components + c;
            int value = whole->value_of[from];
            part.value_of[to] = value < 0 ? -1 : position_of(&part, whole->value[value]);
            part.negative[to] = whole->negative[from];
        }
    }
    return part;
}

struct cuda_update cuda_find_slice(struct emit *emit, int arg)
{
    struct cuda_update whole = cuda_find_update(emit, arg);
    return cuda_recipe(emit)->slices > 1 ? cut(emit, &whole) : whole;
}

int cuda_slices(const struct emit *emit)
{
    return cuda_recipe(emit)->slices > 1 ? cuda_recipe(emit)->slices : 1;
}

/* ---- the stages -------------------------------------------------------------------------------
 */

/* cleave_opaque() hides from the compiler that it returns its argument, so that no values of a
 * slice stay in registers for the next one. */
static void print_slice(struct emit *emit)
{
    out_text(emit->out, "\n");
    out_comment(emit->out, "slice %d of %d: contribution, of what is gathered below",
                emit->slice + 1, cuda_recipe(emit)->slices);
    out_line(emit->out, "{");
    emit->out->indent += 4;
    out_line(emit->out, "const int cleave_at = cleave_opaque(cleave_position);");
    out_line(emit->out,
             "const int cleave_e = cleave_active ? cleave_element_of(cleave_plan, cleave_at) : 0;");
    emit_crossings(emit);
    out_line(emit->out, "if (cleave_active) {");
    emit->out->indent += 4;
    cuda_compute(emit);
    emit->out->indent -= 4;
    out_line(emit->out, "}");
    cuda_print_gathers(emit, emit->slice > 0);
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}

void cuda_print_slices(struct emit *emit)
{
    emit->stage = &emit->schedule->stage[0];
    emit->number = 1;
    for (emit->slice = 0; emit->slice < cuda_recipe(emit)->slices; emit->slice++) {
        print_slice(emit);
    }
    emit->slice = 0;
}
