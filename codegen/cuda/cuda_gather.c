/* cuda_gather.c: update stages without races inside a block: its points gather.
 *
 * In: the updates of a split schedule. Out: for each map, what an element puts into shared memory,
 * and for each dat updated through it the call that lets every point of the block sum what the
 * elements that name it put there (runtime/device/gather.cuh). Values that are equal up to sign are
 * put there once: a flux that one end gains and the other loses is one value, which the columns of
 * the map take with their signs.
 */
#include <string.h>

#include "codegen/cuda/cuda.h"
#include "pass/arena.h"

/* One dat that is updated through one map. Numbers of columns count the map's columns in use. */
struct gather {
    int arg; /* the first argument of them */
    int components;
    int *component; /* updated ones, ascending */
    int columns;
    int values; /* of an element */
    const char **value;
    int *value_of;  /* [columns * components]; -1: the column modifies nothing */
    bool *negative; /* [columns * components] */
};

/* ---- what is gathered --------------------------------------------------------------------------
 */

static bool is_of(const struct emit *emit, const struct update *update, int arg)
{
    int a = update->place.arg;
    return emit->shape->dat_of[a] == emit->shape->dat_of[arg] &&
           emit->shape->map_of[a] == emit->shape->map_of[arg];
}

/* The next update of the schedule's update stages behind stage *s, update *u; NULL: no more. */
static const struct update *next_update(const struct schedule *schedule, int *s, int *u)
{
    for (; *s < schedule->stages; (*s)++, *u = 0) {
        const struct stage *stage = &schedule->stage[*s];
        if (stage->kind == STAGE_UPDATE && *u < stage->updates) {
            return &stage->update[(*u)++];
        }
    }
    return NULL;
}

static void find_components(struct emit *emit, struct gather *gather)
{
    int dim = cuda_dat(emit, gather->arg)->dim;
    gather->component = arena_alloc(emit->program->arena, (size_t)dim * sizeof(int));
    for (int c = 0; c < dim; c++) {
        const struct update *update;
        bool updated = false;
        for (int s = 0, u = 0; (update = next_update(emit->schedule, &s, &u)) != NULL;) {
            updated = updated || (is_of(emit, update, gather->arg) && update->place.component == c);
        }
        if (updated) {
            gather->component[gather->components++] = c;
        }
    }
}

/* "a", "a - b": what all updates of one place add; of minima and maxima the least or largest. */
static const char *join(struct emit *emit, const struct gather *gather, const char *sum,
                        const struct update *update, bool negative)
{
    const char *value = emit_update_value(emit, update);
    enum access access = emit->loop->arg[gather->arg].access;
    if (sum == NULL) {
        return value;
    }
    if (access == ACCESS_INC) {
        return emit_format(emit, "%s %c %s", sum, update->negative == negative ? '+' : '-', value);
    }
    return emit_format(emit, "cleave_join(cleave_op_%s(), %s(%s), %s(%s))", cuda_operation(access),
                       cuda_type(emit, gather->arg), sum, cuda_type(emit, gather->arg), value);
}

/* Position of a value among those of the element, where it is put when it is new. */
static int position_of(struct gather *gather, const char *value)
{
    for (int v = 0; v < gather->values; v++) {
        if (strcmp(gather->value[v], value) == 0) {
            return v;
        }
    }
    gather->value[gather->values] = value;
    return gather->values++;
}

static const char *neutral(const struct emit *emit, const struct gather *gather)
{
    switch (emit->loop->arg[gather->arg].access) {
    case ACCESS_MIN:
        return "cleave_highest";
    case ACCESS_MAX:
        return "cleave_lowest";
    default:
        return NULL;
    }
}

/* What column k adds to one component; a column that adds nothing there puts what changes nothing.
 */
static void find_value(struct emit *emit, struct gather *gather, int k, int c)
{
    const struct shape_map *map = cuda_map(emit, gather->arg);
    const struct update *update;
    const char *sum = NULL;
    bool negative = false;
    for (int s = 0, u = 0; (update = next_update(emit->schedule, &s, &u)) != NULL;) {
        if (is_of(emit, update, gather->arg) && update->place.component == gather->component[c] &&
            emit_update_column(emit->loop, update) == map->column[k]) {
            negative = sum == NULL ? update->negative : negative;
            sum = join(emit, gather, sum, update, negative);
        }
    }
    if (sum == NULL) {
        const char *start = neutral(emit, gather);
        sum = start == NULL ? "0"
                            : emit_format(emit, "%s<%s>()", start, cuda_type(emit, gather->arg));
    }
    gather->value_of[k * gather->components + c] = position_of(gather, sum);
    gather->negative[k * gather->components + c] = negative;
}

static struct gather find_gather(struct emit *emit, int arg)
{
    struct arena *arena = emit->program->arena;
    struct gather gather = {.arg = arg, .columns = cuda_map(emit, arg)->columns};
    find_components(emit, &gather);
    size_t places = (size_t)gather.columns * (size_t)gather.components;
    gather.value = arena_alloc(arena, places * sizeof(*gather.value));
    gather.value_of = arena_alloc(arena, places * sizeof(*gather.value_of));
    gather.negative = arena_alloc(arena, places * sizeof(*gather.negative));
    for (int k = 0; k < gather.columns; k++) {
        for (int c = 0; c < gather.components; c++) {
            gather.value_of[k * gather.components + c] = -1;
            if ((cuda_map(emit, arg)->conflicts >> k & 1) != 0) {
                find_value(emit, &gather, k, c);
            }
        }
    }
    return gather;
}

/* A kernel may leave alone what its descriptor lets it update. */
static bool has_updates(const struct emit *emit, int arg)
{
    const struct update *update;
    bool found = false;
    for (int s = 0, u = 0; (update = next_update(emit->schedule, &s, &u)) != NULL;) {
        found = found || is_of(emit, update, arg);
    }
    return found;
}

/* The first argument of each dat that is updated through a map: gather number n of the map; -1: no
 * more. */
static int gather_arg(struct emit *emit, int map, int n)
{
    for (int a = 0; a < emit->loop->args; a++) {
        bool first = emit->shape->map_of[a] == map && shape_updates_arg(emit->loop, a) &&
                     has_updates(emit, a);
        for (int before = 0; before < a && first; before++) {
            first = emit->shape->map_of[before] != map ||
                    emit->shape->dat_of[before] != emit->shape->dat_of[a] ||
                    !shape_updates_arg(emit->loop, before);
        }
        if (first && n-- == 0) {
            return a;
        }
    }
    return -1;
}

/* An odd number of values apart: elements of a warp begin in different banks. */
static int stride_of(const struct gather *gather)
{
    return gather->values | 1;
}

static int chunk_of(int components, int wanted)
{
    int chunk = wanted < components ? wanted : components;
    while (components % chunk != 0) {
        chunk--;
    }
    return chunk;
}

bool cuda_gather_alike(struct emit *emit, int a, int b)
{
    for (int m = 0; m < emit->shape->maps; m++) {
        int arg;
        for (int n = 0; (arg = gather_arg(emit, m, n)) >= 0; n++) {
            int components = find_gather(emit, arg).components;
            if (chunk_of(components, a) != chunk_of(components, b)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- shared memory -----------------------------------------------------------------------------
 */

static const char *offset_field(struct emit *emit, int arg)
{
    return emit_format(emit, "tmp_%s", cuda_group(emit, arg));
}

void cuda_gather_fields(struct emit *emit)
{
    for (int m = 0; m < emit->shape->maps; m++) {
        int arg;
        for (int n = 1; (arg = gather_arg(emit, m, n)) >= 0; n++) {
            out_line(emit->out, "unsigned %s;", offset_field(emit, arg));
        }
    }
}

void cuda_gather_counts(struct emit *emit)
{
    for (int m = 0; m < emit->shape->maps; m++) {
        int arg;
        for (int n = 0; (arg = gather_arg(emit, m, n)) >= 0; n++) {
            struct gather gather = find_gather(emit, arg);
            if (n == 0) {
                out_comment(emit->out, "tmp(e) for the points of %s", emit->shape->map[m].label);
            } else {
                out_line(emit->out, "cleave_space.%s = (unsigned)cleave_at;",
                         offset_field(emit, arg));
            }
            out_line(
                emit->out,
                "cleave_at %s cleave_round_up((size_t)cleave_plan->block_size * %d * sizeof(%s));",
                n == 0 ? "=" : "+=", stride_of(&gather), cuda_type(emit, arg));
        }
        if (gather_arg(emit, m, 0) >= 0) {
            out_line(emit->out, "cleave_bytes = cleave_larger(cleave_bytes, cleave_at);");
        }
    }
}

/* ---- the stages ---------------------------------------------------------------------------------
 */

static const char *view_name(struct emit *emit, int arg)
{
    return emit_format(emit, "cleave_tmp_%s", cuda_group(emit, arg));
}

static void print_view(struct emit *emit, const struct gather *gather, int n)
{
    const char *offset =
        n == 0 ? "0" : emit_format(emit, "cleave_space.%s", offset_field(emit, gather->arg));
    out_assign(emit->out, emit_format(emit, "const auto %s", view_name(emit, gather->arg)), "=",
               emit_format(emit, "cleave_shared<%s>(%s)", cuda_type(emit, gather->arg), offset));
}

static void print_stores(struct emit *emit, const struct gather *gather)
{
    int stride = stride_of(gather);
    const char *thread =
        stride == 1 ? "cleave_thread()" : emit_format(emit, "%d * cleave_thread()", stride);
    for (int v = 0; v < gather->values; v++) {
        const char *at = v == 0 ? thread : emit_format(emit, "%s + %d", thread, v);
        out_assign(emit->out, emit_format(emit, "%s[%s]", view_name(emit, gather->arg), at), "=",
                   gather->value[v]);
    }
}

/* "{0, 1, 2}" of numbers as constants of a table. */
static const char *table(struct emit *emit, const struct gather *gather, bool signs)
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

/* Where an element has what it adds through a column: "cleave_component" where all columns take the
 * same values, "4 * cleave_column + cleave_component" where each has its own; else from a table. */
static const char *value_function(struct emit *emit, const struct gather *gather)
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
    if (same) {
        return "cleave_component";
    }
    return own ? emit_format(emit, "%d * cleave_column + cleave_component", gather->components)
               : emit_format(emit, "cleave_of[%d * cleave_column + cleave_component]",
                             gather->components);
}

static bool is_table(const char *function)
{
    return strstr(function, "_of[") != NULL;
}

/* Whether a column subtracts it. */
static const char *sign_function(struct emit *emit, const struct gather *gather)
{
    unsigned columns = 0;
    bool uniform = true;
    for (int k = 0; k < gather->columns; k++) {
        const bool *negative = &gather->negative[k * gather->components];
        columns |= (unsigned)negative[0] << k;
        for (int c = 0; c < gather->components; c++) {
            uniform = uniform && negative[c] == negative[0];
        }
    }
    if (!uniform) {
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

/* A function of the column through which an element names the point and of the component. */
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

static const char *components_text(struct emit *emit, const struct gather *gather)
{
    const char *text = "";
    int dim = cuda_dat(emit, gather->arg)->dim;
    for (int c = 0; gather->components < dim && c < gather->components; c++) {
        text = emit_format(emit, "%s, %d", text, gather->component[c]);
    }
    return text;
}

static void print_gather(struct emit *emit, const struct gather *gather)
{
    const struct shape_dat *dat = cuda_dat(emit, gather->arg);
    cuda_open_guard(emit, gather->arg);
    out_format(emit->out, "cleave_gather_%s<%s, %d, cleave_components%s>(\n",
               cuda_operation(emit->loop->arg[gather->arg].access), cuda_type(emit, gather->arg),
               dat->dim, components_text(emit, gather));
    emit->out->indent += 4;
    out_format(emit->out, "%s, %s, %d, cleave_plan.list[%d], cleave_b, cleave_begin", dat->name,
               view_name(emit, gather->arg), stride_of(gather), cuda_map(emit, gather->arg)->list);
    print_function(emit, "int", value_function(emit, gather), table(emit, gather, false),
                   "cleave_of");
    print_function(emit, "bool", sign_function(emit, gather), table(emit, gather, true),
                   "cleave_minus_of");
    out_text(emit->out, ");\n");
    emit->out->indent -= 4;
    cuda_close_guard(emit, gather->arg);
}

/* What the updates through a map use of direct arguments, each once. */
static void print_pointers(struct emit *emit, int map)
{
    struct stage all = {.kind = STAGE_UPDATE};
    const struct update *update;
    int updates = 0;
    for (int s = 0; s < emit->schedule->stages; s++) {
        updates += emit->schedule->stage[s].updates;
    }
    all.update = arena_alloc(emit->program->arena, (size_t)updates * sizeof(*all.update));
    for (int s = 0, u = 0; (update = next_update(emit->schedule, &s, &u)) != NULL;) {
        if (emit->shape->map_of[update->place.arg] == map) {
            all.update[all.updates++] = *update;
        }
    }
    emit_update_pointers(emit, &all);
}

static int gathers_of(struct emit *emit, int map, struct gather *gather)
{
    int count = 0;
    for (int arg; (arg = gather_arg(emit, map, count)) >= 0; count++) {
        gather[count] = find_gather(emit, arg);
    }
    return count;
}

static void print_map(struct emit *emit, int map, bool reuses)
{
    struct gather *gather =
        arena_alloc(emit->program->arena, (size_t)emit->loop->args * sizeof(*gather));
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
    print_pointers(emit, map);
    for (int n = 0; n < count; n++) {
        print_stores(emit, &gather[n]);
    }
    emit->out->indent -= 4;
    out_line(emit->out, "}");
    out_line(emit->out, "cleave_barrier();");
    for (int n = 0; n < count; n++) {
        print_gather(emit, &gather[n]);
    }
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}

void cuda_print_gathers(struct emit *emit, bool staged)
{
    bool reuses = staged;
    for (int m = 0; m < emit->shape->maps; m++) {
        print_map(emit, m, reuses);
        reuses = reuses || gather_arg(emit, m, 0) >= 0;
    }
}
