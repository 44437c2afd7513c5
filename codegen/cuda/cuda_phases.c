/* cuda_phases.c: what elements of other sets add to a point: the phases of a joined loop.
 *
 * In: a loop with phases, and the point's records with their sums of the loop's own kernel
 * (cuda_epilogue.c). Out: for each phase a loop over the elements that name the point, which the
 * plan lists for the few points that have any (runtime/device/entries.cuh). Each calls the user's
 * kernel with zeros for what it increments, and adds those of the column by which the element names
 * the point.
 */
#include "codegen/cuda/cuda_owner.h"
#include "pass/ir/arena.h"

static bool is_added(const struct emit *emit, int a)
{
    return emit->loop->arg[a].kind == ARG_DAT && emit->loop->arg[a].access == ACCESS_INC;
}

bool cuda_phase_adds(const struct emit *emit, int d)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (emit->loop->arg[a].set > 0 && is_added(emit, a) && emit->shape->dat_of[a] == d) {
            return true;
        }
    }
    return false;
}

/* The map that the phase increments through. */
static const struct shape_map *map_of(struct emit *emit, const struct phase *phase)
{
    int p = 0;
    while (!is_added(emit, phase->arg[p])) {
        p++;
    }
    return cuda_map(emit, phase->arg[p]);
}

const char *cuda_entries_name(struct emit *emit, const struct shape_map *map)
{
    return emit_format(emit, "cleave_entries_%s", map->label);
}

bool cuda_has_entries(struct emit *emit, int map)
{
    for (int n = 0; n < emit->loop->phases; n++) {
        if (map_of(emit, &emit->loop->phase[n]) == &emit->shape->map[map]) {
            return true;
        }
    }
    return false;
}

/* ---- an element -------------------------------------------------------------------------------
 */

static bool reads_column(const struct emit *emit, const struct phase *phase, int map, int column)
{
    for (int p = 0; p < phase->kernel->params; p++) {
        int a = phase->arg[p];
        const struct arg *arg = &emit->loop->arg[a];
        for (int c = 0;
             emit->shape->map_of[a] == map && !is_added(emit, a) && c < place_columns(arg); c++) {
            if (place_column(arg, c) == column) {
                return true;
            }
        }
    }
    return false;
}

/* The points that the kernel reads. */
static void print_points(struct emit *emit, const struct phase *phase)
{
    for (int m = 0; m < emit->shape->maps; m++) {
        const struct shape_map *map = &emit->shape->map[m];
        for (int k = 0; k < map->columns; k++) {
            if (reads_column(emit, phase, m, map->column[k])) {
                emit_point(emit, m, map->column[k]);
            }
        }
    }
}

static const char *added_name(struct emit *emit, int a, int c)
{
    return emit_format(emit, emit->loop->arg[a].is_vector ? "cleave_inc_%s[%d]" : "cleave_inc_%s",
                       emit->shape->label[a], c);
}

static void print_zeros(struct emit *emit, const struct phase *phase)
{
    for (int p = 0; p < phase->kernel->params; p++) {
        int a = phase->arg[p];
        const struct arg *arg = &emit->loop->arg[a];
        if (is_added(emit, a)) {
            out_line(emit->out, "%s cleave_inc_%s%s[%d] = {};", emit_type_name(emit, arg->type),
                     emit->shape->label[a],
                     arg->is_vector ? emit_format(emit, "[%d]", arg->columns) : "", arg->dim);
        }
    }
}

/* ---- the kernel's call ------------------------------------------------------------------------
 */

/* The type of the components that parameter p of a kernel leads to. */
static const struct type *component_type(const struct emit *emit, const struct phase *phase, int p)
{
    const struct type *type = phase->kernel->param[p]->type->elem;
    return emit->loop->arg[phase->arg[p]].is_vector ? type->elem : type;
}

static void print_vectors(struct emit *emit, const struct phase *phase)
{
    for (int p = 0; p < phase->kernel->params; p++) {
        int a = phase->arg[p];
        const struct arg *arg = &emit->loop->arg[a];
        const struct type *type = component_type(emit, phase, p);
        int items = 0;
        if (!arg->is_vector) {
            continue;
        }
        out_format(emit->out, "%s%s *cleave_vec_%s[%d] = {", type->is_const ? "const " : "",
                   emit_type_name(emit, type), emit->shape->label[a], arg->columns);
        for (int c = 0; c < arg->columns; c++) {
            out_item(emit->out, &items, "%s", place_pointer(emit, a, c, type));
        }
        out_text(emit->out, "};\n");
    }
}

static void print_call(struct emit *emit, const struct phase *phase)
{
    int f = program_function_index(emit->file->program, phase->kernel);
    const bool *templated =
        emit->file->templated != NULL && f >= 0 ? emit->file->templated[f] : NULL;
    int items = 0;
    functions_mark(emit, phase->kernel);
    out_format(emit->out, "%s(", names_function(phase->kernel, emit));
    for (int p = 0; p < phase->kernel->params; p++) {
        int a = phase->arg[p];
        bool any = templated != NULL && templated[p];
        const char *pointer =
            emit->loop->arg[a].is_vector
                ? emit_format(emit, "cleave_vec_%s", emit->shape->label[a])
                : place_pointer(emit, a, 0, any ? NULL : component_type(emit, phase, p));
        out_item(emit->out, &items, "%s", pointer);
    }
    out_text(emit->out, ");\n");
}

/* ---- what the point gets ----------------------------------------------------------------------
 */

static int position_of(const struct shape_map *map, int column)
{
    int k = 0;
    while (map->column[k] != column) {
        k++;
    }
    return k;
}

static void print_adds(struct emit *emit, const struct phase *phase, const struct shape_map *map)
{
    bool one_column = (map->conflicts & (map->conflicts - 1)) == 0;
    for (int p = 0; p < phase->kernel->params; p++) {
        int a = phase->arg[p];
        const struct arg *arg = &emit->loop->arg[a];
        for (int c = 0; is_added(emit, a) && c < place_columns(arg); c++) {
            const char *record = cuda_own_record(emit, cuda_dat(emit, a));
            if (!one_column) {
                out_line(emit->out, "if (cleave_side == %d) { // %s[%d]",
                         position_of(map, place_column(arg, c)), map->label, place_column(arg, c));
                emit->out->indent += 4;
            }
            emit_add(emit, a, "%s += %s;", emit_format(emit, "%s.v", record), NULL,
                     added_name(emit, a, c));
            if (!one_column) {
                emit->out->indent -= 4;
                out_line(emit->out, "}");
            }
        }
    }
}

static bool uses_element(struct emit *emit, const struct phase *phase)
{
    for (int p = 0; p < phase->kernel->params; p++) {
        const struct arg *arg = &emit->loop->arg[phase->arg[p]];
        if (arg->kind == ARG_DAT && !is_added(emit, phase->arg[p])) {
            return true;
        }
    }
    return false;
}

static void print_phase(struct emit *emit, const struct phase *phase)
{
    const struct shape_map *map = map_of(emit, phase);
    const char *entries = cuda_entries_name(emit, map);
    out_comment(emit->out, "%s over %s, %s:%d: few points have such elements.",
                phase->kernel->user_name, phase->set_text, phase->loc.file, phase->loc.line);
    out_line(emit->out, "for (cleave_entry_range cleave_at = cleave_entries_of(%s, cleave_p);",
             entries);
    out_line(emit->out, "     cleave_at.first < cleave_at.last; cleave_at.first++) {");
    emit->out->indent += 4;
    if (uses_element(emit, phase)) {
        out_line(emit->out, "const int cleave_e = %s.element[cleave_at.first];", entries);
    }
    if ((map->conflicts & (map->conflicts - 1)) != 0) {
        out_line(emit->out, "const int cleave_side = %s.column[cleave_at.first];", entries);
    }
    print_points(emit, phase);
    print_zeros(emit, phase);
    print_vectors(emit, phase);
    print_call(emit, phase);
    print_adds(emit, phase, map);
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}

void cuda_phases(struct emit *emit)
{
    const bool *held = emit->held;
    emit->held = NULL; /* copies of what the loop's own elements read */
    for (int n = 0; n < emit->loop->phases; n++) {
        print_phase(emit, &emit->loop->phase[n]);
    }
    emit->held = held;
}
