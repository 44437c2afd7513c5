/* cuda_gather.c: update stages without races inside a block: its points gather.
 *
 * In: the updates of a split schedule. Out: for each map, the stores of an element's contributions
 * to shared memory, and for each dat updated through it the call in which every point of the block
 * sums the contributions of the elements that name it (runtime/device/gather.cuh).
 */
#include <string.h>

#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

/* Layout of the values that an element adds through its columns. */
enum layout {
    LAYOUT_SAME, /* value c is for component c, in all columns */
    LAYOUT_OWN,  /* each column has its own values, one after another */
    LAYOUT_TABLE
};

static enum layout layout_of(const struct cuda_update *gather)
{
    bool same = true;
    bool own = true;
    for (int k = 0; k < gather->columns; k++) {
        for (int c = 0; c < gather->components; c++) {
            int at = k * gather->components + c;
            int value = gather->value_of[at];
            same = same && (value < 0 || value == c);
            own = own && (value < 0 || value == at);
        }
    }
    return same ? LAYOUT_SAME : own ? LAYOUT_OWN : LAYOUT_TABLE;
}

/* Whether a column either adds or subtracts all components. */
static bool is_uniform(const struct cuda_update *gather)
{
    for (int k = 0; k < gather->columns; k++) {
        const bool *negative = &gather->negative[k * gather->components];
        for (int c = 0; c < gather->components; c++) {
            if (negative[c] != negative[0]) {
                return false;
            }
        }
    }
    return true;
}

static int wide_stride(int values, int part)
{
    return ((values + part - 1) / part | 1) * part;
}

/* Number of consecutive values that a load reads at once, 16 or 8 bytes, if padding for that costs
 * less than half as much memory again; see cleave_gather_by. */
static int part_of(struct emit *emit, const struct cuda_update *gather)
{
    int size = (int)emit->loop->arg[gather->arg].type->size;
    enum layout layout = layout_of(gather);
    for (int part = 16 / size; part > 1; part /= 2) {
        bool whole = gather->components % part == 0;
        bool follow = whole || (layout == LAYOUT_SAME && is_uniform(gather));
        if (layout != LAYOUT_TABLE && follow && part <= gather->components &&
            2 * wide_stride(gather->values, part) <= 3 * gather->values) {
            return part;
        }
    }
    return 1;
}

/* An odd number of such parts: elements of a warp begin in different banks. */
static int stride_of(struct emit *emit, const struct cuda_update *gather)
{
    return wide_stride(gather->values, part_of(emit, gather));
}

/* Must agree with cleave_components_per_thread in runtime/device/gather.cuh. */
static int components_per_thread(int components, int wanted, int part)
{
    int each = wanted < components ? wanted : components;
    if (part > 1 && each >= part) {
        int shares = (components + each - 1) / each;
        return ((components + shares - 1) / shares + part - 1) / part * part;
    }
    while (components % each != 0) {
        each--;
    }
    return each;
}

/* Gathers through the map, of the slice that is being printed; `gather` has room for all arguments.
 */
static int gathers_of(struct emit *emit, int map, struct cuda_update *gather)
{
    int count = 0;
    int arg;
    for (int n = 0; (arg = cuda_update_arg(emit, map, n)) >= 0; n++) {
        gather[count] = cuda_find_slice(emit, arg);
        count += gather[count].components > 0;
    }
    return count;
}

static struct cuda_update *new_gathers(const struct emit *emit)
{
    return arena_alloc(emit->file->program->arena,
                       (size_t)emit->loop->args * sizeof(struct cuda_update));
}

static bool slice_is_alike(struct emit *emit, int a, int b)
{
    struct cuda_update *gather = new_gathers(emit);
    for (int m = 0; m < emit->shape->maps; m++) {
        int count = gathers_of(emit, m, gather);
        for (int n = 0; n < count; n++) {
            int components = gather[n].components;
            int part = part_of(emit, &gather[n]);
            if (components_per_thread(components, a, part) !=
                components_per_thread(components, b, part)) {
                return false;
            }
        }
    }
    return true;
}

bool cuda_gather_alike(struct emit *emit, int a, int b)
{
    bool alike = true;
    for (int s = 0; s < cuda_slices(emit); s++) {
        emit->slice = s;
        alike = alike && slice_is_alike(emit, a, b);
    }
    emit->slice = 0;
    return alike;
}

/* ---- shared memory -----------------------------------------------------------------------------
 */

static const char *offset_field(struct emit *emit, int arg)
{
    return cuda_recipe(emit)->slices > 1
               ? emit_format(emit, "tmp%d_%s", emit->slice + 1, cuda_group(emit, arg))
               : emit_format(emit, "tmp_%s", cuda_group(emit, arg));
}

void cuda_gather_fields(struct emit *emit)
{
    struct cuda_update *gather = new_gathers(emit);
    for (int m = 0; m < emit->shape->maps; m++) {
        if (cuda_update_arg(emit, m, 0) >= 0) {
            out_line(emit->out, "unsigned gather_%s;", emit->shape->map[m].label);
        }
        for (int s = 0; s < cuda_slices(emit); s++) {
            emit->slice = s;
            int count = gathers_of(emit, m, gather);
            for (int n = 1; n < count; n++) {
                out_line(emit->out, "unsigned %s;", offset_field(emit, gather[n].arg));
            }
        }
    }
    emit->slice = 0;
}

/* Counts the shared memory of tmp(e) for the points of one map, in one slice. */
static void print_counts(struct emit *emit, int map)
{
    struct cuda_update *gather = new_gathers(emit);
    int count = gathers_of(emit, map, gather);
    for (int n = 0; n < count; n++) {
        if (n == 0) {
            out_comment(emit->out, "tmp(e) for the points of %s", emit->shape->map[map].label);
        } else {
            out_line(emit->out, "cleave_space.%s = (unsigned)cleave_at;",
                     offset_field(emit, gather[n].arg));
        }
        out_line(emit->out,
                 "cleave_at %s cleave_round_up((size_t)cleave_plan->block_size * %d * sizeof(%s));",
                 n == 0 ? "=" : "+=", stride_of(emit, &gather[n]), cuda_type(emit, gather[n].arg));
    }
    if (count > 0) {
        out_line(emit->out, "cleave_bytes = cleave_larger(cleave_bytes, cleave_at);");
    }
}

void cuda_gather_counts(struct emit *emit)
{
    for (int m = 0; m < emit->shape->maps; m++) {
        for (int s = 0; s < cuda_slices(emit); s++) {
            emit->slice = s;
            print_counts(emit, m);
        }
    }
    emit->slice = 0;
}

/* ---- the stages ---------------------------------------------------------------------------------
 */

static const char *view_name(struct emit *emit, int arg)
{
    return emit_format(emit, "cleave_tmp_%s", cuda_group(emit, arg));
}

static void print_view(struct emit *emit, const struct cuda_update *gather, int n)
{
    const char *offset =
        n == 0 ? "0" : emit_format(emit, "cleave_space.%s", offset_field(emit, gather->arg));
    out_assign(emit->out, emit_format(emit, "const auto %s", view_name(emit, gather->arg)), "=",
               emit_format(emit, "cleave_shared<%s>(%s)", cuda_type(emit, gather->arg), offset));
}

/* Stores whole parts: the components that pad the last part are read, but not used. */
static void print_stores(struct emit *emit, const struct cuda_update *gather)
{
    int stride = stride_of(emit, gather);
    int part = part_of(emit, gather);
    int stored = (gather->values + part - 1) / part * part;
    const char *own = emit_format(emit, "cleave_own_%s", cuda_group(emit, gather->arg));
    const char *record = emit_format(
        emit, "%s + %s", view_name(emit, gather->arg),
        stride == 1 ? "cleave_thread()" : emit_format(emit, "%d * cleave_thread()", stride));
    bool aligned = part * (int)emit->loop->arg[gather->arg].type->size == 16;
    out_assign(emit->out, emit_format(emit, "const auto %s", own), "=",
               aligned ? emit_format(emit, "cleave_aligned(%s)", record) : record);
    for (int v = 0; v < stored; v++) {
        out_assign(emit->out, emit_format(emit, "%s[%d]", own, v), "=",
                   v < gather->values ? gather->value[v] : "0");
    }
}

/* "{0, 1, 2}" of numbers as constants of a table. */
static const char *table(struct emit *emit, const struct cuda_update *gather, bool signs)
{
    const char *text = "";
    int places = gather->columns * gather->components;
    for (int i = 0; i < places; i++) {
        text = emit_format(emit, "%s%s%d", text, i > 0 ? ", " : "",
                           signs                     ? gather->negative[i]
                           : gather->value_of[i] < 0 ? 0
                                                     : gather->value_of[i]);
    }
    return text;
}

/* "cleave_component", "4 * cleave_column + cleave_component", or from a table. */
static const char *value_function(struct emit *emit, const struct cuda_update *gather)
{
    switch (layout_of(gather)) {
    case LAYOUT_SAME:
        return "cleave_component";
    case LAYOUT_OWN:
        return emit_format(emit, "%d * cleave_column + cleave_component", gather->components);
    default:
        return emit_format(emit, "cleave_of[%d * cleave_column + cleave_component]",
                           gather->components);
    }
}

static bool is_table(const char *function)
{
    return strstr(function, "_of[") != NULL;
}

/* Whether a column subtracts it. */
static const char *sign_function(struct emit *emit, const struct cuda_update *gather)
{
    unsigned columns = 0;
    for (int k = 0; k < gather->columns; k++) {
        columns |= (unsigned)gather->negative[k * gather->components] << k;
    }
    if (!is_uniform(gather)) {
        return emit_format(emit, "cleave_minus_of[%d * cleave_column + cleave_component]",
                           gather->components);
    }
    if (columns == 0) {
        return "false";
    }
    return (columns & (columns - 1)) == 0
               ? emit_format(emit, "cleave_column == %d", __builtin_ctz(columns))
               : emit_format(emit, "(0x%xu >> cleave_column & 1) != 0", columns);
}

/* Prints a lambda of two parameters: the column through which an element names the point, and the
 * component. */
static void print_function(struct emit *emit, const char *type, const char *body, const char *table,
                           const char *name)
{
    const char *column = strstr(body, "cleave_column") != NULL ? "int cleave_column" : "int";
    const char *component =
        strstr(body, "cleave_component") != NULL ? "int cleave_component" : "int";
    out_text(emit->out, ",\n");
    if (is_table(body)) {
        out_line(emit->out, "[](%s, %s) {", column, component);
        out_line(emit->out, "    constexpr unsigned char %s[] = {%s};", name, table);
        out_line(emit->out, "    return %s(%s);", type, body);
        out_text(emit->out, "}");
    } else {
        out_format(emit->out, "[](%s, %s) { return %s; }", column, component, body);
    }
}

/* Returns the target of the gathered sums: "cleave_dat_x", or the memory for the sums of blocks. */
static const char *target(struct emit *emit, const struct cuda_update *gather)
{
    const struct shape_dat *dat = cuda_dat(emit, gather->arg);
    if (cuda_leaves_sums(emit)) {
        return emit_format(emit, "%s, cleave_plan.list[%d],\n",
                           cuda_ordered_place(emit, gather->arg),
                           cuda_map(emit, gather->arg)->list);
    }
    return emit_format(emit, "%s,%s", place_dat(emit, dat), dat->soa ? "\n" : " ");
}

static void print_gather(struct emit *emit, const struct cuda_update *gather)
{
    cuda_open_guard(emit, gather->arg);
    out_format(emit->out, "cleave_%s_%s<%s, ", cuda_leaves_sums(emit) ? "ordered_put" : "gather",
               cuda_operation(emit->loop->arg[gather->arg].access), cuda_type(emit, gather->arg));
    if (cuda_leaves_sums(emit)) {
        out_format(emit->out, "%d, cleave_components, %d, %d>(\n", gather->components,
                   part_of(emit, gather), stride_of(emit, gather));
    } else {
        out_format(emit->out, "%d, cleave_components, %d, %d%s>(\n",
                   cuda_dat(emit, gather->arg)->dim, part_of(emit, gather), stride_of(emit, gather),
                   cuda_components_text(emit, gather));
    }
    emit->out->indent += 4;
    out_format(emit->out, "%s%s, cleave_gather_%s", target(emit, gather),
               view_name(emit, gather->arg), cuda_map(emit, gather->arg)->label);
    print_function(emit, "int", value_function(emit, gather), table(emit, gather, false),
                   "cleave_of");
    print_function(emit, "bool", sign_function(emit, gather), table(emit, gather, true),
                   "cleave_minus_of");
    out_text(emit->out, ");\n");
    emit->out->indent -= 4;
    cuda_close_guard(emit, gather->arg);
}

/* If the body reads little, passes the locals that the copy of the lists began with; else reads
 * them again, to lower register pressure in the body. */
static void print_list(struct emit *emit, const struct shape_map *map)
{
    out_line(emit->out, "const auto cleave_gather_%s = cleave_gather_of(", map->label);
    out_line(emit->out, "    cleave_space.gather_%s, cleave_plan, cleave_plan.list[%d], cleave_b,",
             map->label, map->list);
    if (shape_reads_little(emit->loop)) {
        out_line(emit->out, "    cleave_points_%s, cleave_begin);", map->label);
    } else {
        out_line(emit->out,
                 "    cleave_points_of(cleave_plan.list[%d], cleave_b), "
                 "cleave_plan.start[cleave_b]);",
                 map->list);
    }
}

static void print_map(struct emit *emit, int map, bool reuses)
{
    struct cuda_update *gather = new_gathers(emit);
    int count = gathers_of(emit, map, gather);
    if (count == 0) {
        return;
    }
    out_text(emit->out, "\n");
    out_comment(emit->out, "update through %s: points gather what the block's elements put here",
                emit->shape->map[map].label);
    if (reuses) {
        out_line(emit->out, "cleave_barrier();");
    }
    out_line(emit->out, "{");
    emit->out->indent += 4;
    for (int n = 0; n < count; n++) {
        print_view(emit, &gather[n], n);
    }
    out_line(emit->out, "if (cleave_active) {");
    emit->out->indent += 4;
    cuda_update_pointers(emit, map, -1, -1);
    for (int n = 0; n < count; n++) {
        print_stores(emit, &gather[n]);
    }
    emit->out->indent -= 4;
    out_line(emit->out, "}");
    print_list(emit, &emit->shape->map[map]);
    out_line(emit->out, "cleave_copy_wait();");
    out_line(emit->out, "cleave_barrier();");
    for (int n = 0; n < count; n++) {
        print_gather(emit, &gather[n]);
    }
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}

/* The lists lie behind the memory that stages share, because they arrive while stages run. */
void cuda_gather_list_counts(struct emit *emit)
{
    for (int m = 0; m < emit->shape->maps; m++) {
        const struct shape_map *map = &emit->shape->map[m];
        if (cuda_update_arg(emit, m, 0) >= 0) {
            out_line(emit->out, "cleave_space.gather_%s = (unsigned)cleave_bytes;", map->label);
            out_line(emit->out,
                     "cleave_bytes += cleave_gather_bytes(cleave_plan->list[%d], "
                     "cleave_plan->block_size);",
                     map->list);
        }
    }
}

void cuda_gather_lists(struct emit *emit)
{
    for (int m = 0; m < emit->shape->maps; m++) {
        const struct shape_map *map = &emit->shape->map[m];
        if (emit->variant->gathers && cuda_update_arg(emit, m, 0) >= 0) {
            out_line(emit->out, "cleave_gather_stage(");
            out_line(emit->out,
                     "    cleave_space.gather_%s, cleave_plan, cleave_plan.list[%d], cleave_b,",
                     map->label, map->list);
            out_line(emit->out, "    cleave_points_%s, cleave_begin, cleave_count);", map->label);
        }
    }
}

void cuda_print_gathers(struct emit *emit, bool staged)
{
    bool reuses = staged;
    for (int m = 0; m < emit->shape->maps; m++) {
        print_map(emit, m, reuses);
        reuses = reuses || cuda_update_arg(emit, m, 0) >= 0;
    }
}

const struct cuda_updating cuda_by_gather = {.print = cuda_print_gathers, .gathers = true};
