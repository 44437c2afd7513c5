/* places.c: where a kernel finds its arguments, and how it is called whole.
 *
 * In: emit->binding, chosen by a target's folder for the variant being written. Out: pointers,
 * offsets, the locals that they need, the call of the kernel, and copies of what it reduces.
 */
#include <stdlib.h>
#include <string.h>

#include "codegen/emit.h"
#include "pass/ir/arena.h"

const char *place_offset(struct emit *emit, int dim, const char *record)
{
    return dim == 1 ? record : emit_format(emit, "%d * (size_t)%s", dim, record);
}

const char *place_point(struct emit *emit, int map, int column)
{
    return emit_format(emit, "cleave_point_%s_%d", emit->shape->map[map].label, column);
}

const char *emit_type_name(struct emit *emit, const struct type *type)
{
    struct type plain = *type;
    plain.is_const = false;
    return emit_declaration(emit, &plain, "");
}

const char *emit_declaration(struct emit *emit, const struct type *type, const char *declarator)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    const char *copy = "";
    if (memory != NULL) {
        print_c_type(memory, type, declarator);
        if (fclose(memory) == 0 && text != NULL) {
            copy = arena_text(emit->file->program->arena, text);
        }
    }
    emit->out->failed = emit->out->failed || copy[0] == '\0';
    free(text);
    return copy;
}

bool binding_is_fixed(const struct emit *emit, int a, enum binding *binding)
{
    const struct arg *arg = &emit->loop->arg[a];
    switch (arg->kind) {
    case ARG_INDEX:
        *binding = BIND_INDEX;
        return true;
    case ARG_INFO:
        *binding = BIND_REDUCE;
        return true;
    case ARG_GLOBAL:
        *binding = arg_is_reduction(arg) ? BIND_REDUCE : BIND_VALUE;
        return true;
    default:
        *binding = BIND_DIRECT;
        return !arg->is_indirect || arg->is_point;
    }
}

/* ---- pointers -------------------------------------------------------------------------------- */

static bool source_is_const(const struct emit *emit, int a)
{
    switch (emit->binding[a]) {
    case BIND_DIRECT:
    case BIND_MAP:
        return !emit->shape->dat[emit->shape->dat_of[a]].modified;
    case BIND_STAGED:
    case BIND_FETCHED:
    case BIND_VALUE:
        return true;
    default:
        return false;
    }
}

const struct type *place_param_type(const struct loop *loop, int a)
{
    const struct type *param = loop->kernel->param[a]->type;
    return loop->arg[a].is_vector ? param->elem->elem : param->elem;
}

bool place_is_templated(const struct emit *emit, int a)
{
    int f = program_function_index(emit->file->program, emit->loop->kernel);
    return emit->file->templated != NULL && f >= 0 && emit->file->templated[f][a];
}

static bool is_held(const struct emit *emit, int a)
{
    return emit->held != NULL && emit->held[a];
}

/* "(double *)" where the pointer wanted is not what the argument is stored as; else "". */
static const char *pointer_cast(struct emit *emit, int a, const struct type *to)
{
    if (emit->binding[a] != BIND_INDEX && !type_same(to, emit->loop->arg[a].type)) {
        const struct type pointer = {.kind = TYPE_POINTER, .elem = to};
        return emit_format(emit, "(%s)", emit_declaration(emit, &pointer, ""));
    }
    if (source_is_const(emit, a) && !to->is_const) {
        return emit_format(emit, "(%s *)", emit_type_name(emit, to));
    }
    return "";
}

bool place_is_soa(const struct emit *emit, int a)
{
    return (emit->binding[a] == BIND_DIRECT || emit->binding[a] == BIND_MAP) &&
           emit->shape->dat[emit->shape->dat_of[a]].soa;
}

const char *place_dat(struct emit *emit, const struct shape_dat *dat)
{
    return dat->soa ? emit_format(emit, "cleave_soa_of(%s, %s)", dat->name, dat->stride)
                    : dat->name;
}

static const char *soa_record(struct emit *emit, const struct shape_dat *dat, const char *record)
{
    return emit_format(emit, "cleave_soa_at(%s, %s, %s)", dat->name, dat->stride, record);
}

const char *place_component(struct emit *emit, const struct shape_dat *dat, const char *record,
                            const char *component)
{
    if (dat->soa) {
        return emit_format(emit, "%s[%s]", soa_record(emit, dat, record), component);
    }
    return emit_format(emit, "%s[%s%s%s]", dat->name, place_offset(emit, dat->dim, record),
                       strcmp(component, "0") == 0 ? "" : " + ",
                       strcmp(component, "0") == 0 ? "" : component);
}

static const char *dat_pointer(struct emit *emit, int a, const char *record)
{
    const struct shape_dat *dat = &emit->shape->dat[emit->shape->dat_of[a]];
    if (dat->soa) {
        return soa_record(emit, dat, record);
    }
    return emit_format(emit, "%s + %s", dat->name, place_offset(emit, dat->dim, record));
}

static bool strides_are_odd(const struct emit *emit)
{
    return emit->variant->gathers || emit->schedule->kind == SCHEDULE_OWNER_GATHER;
}

const struct pack *place_pack(const struct emit *emit, const struct transfer *group, int *slot)
{
    for (int p = 0; p < emit->variant->packs; p++) {
        const struct pack *pack = &emit->variant->pack[p];
        for (int g = 0; g < pack->groups; g++) {
            if (pack->group[g] == group) {
                *slot = pack->slot[g];
                return pack;
            }
        }
    }
    return NULL;
}

bool place_stride_is_wide(const struct emit *emit, const struct transfer *group)
{
    size_t size = emit->loop->arg[group->arg].type->size;
    size_t bytes = (size_t)group->components * size;
    int slot = 0;
    if (place_pack(emit, group, &slot) != NULL) {
        return bytes % 16 == 0 && (size_t)slot * size % 16 == 0;
    }
    return strides_are_odd(emit) && bytes % 16 == 0;
}

int place_stride(const struct emit *emit, const struct transfer *group)
{
    int unit = 1;
    int slot;
    const struct pack *pack = place_pack(emit, group, &slot);
    if (pack != NULL) {
        return pack->stride;
    }
    if (!strides_are_odd(emit)) {
        return group->components;
    }
    if (place_stride_is_wide(emit, group)) {
        unit = 16 / (int)emit->loop->arg[group->arg].type->size;
    }
    return ((group->components + unit - 1) / unit | 1) * unit;
}

static const char *staged_pointer(struct emit *emit, int a, int c)
{
    const struct shape *shape = emit->shape;
    const struct shape_map *map = &shape->map[shape->map_of[a]];
    const struct shape_dat *dat = &shape->dat[shape->dat_of[a]];
    const struct transfer *group =
        emit->stage != NULL ? stage_transfer(emit->loop, emit->stage, TRANSFER_IN, a) : NULL;
    int column = place_column(&emit->loop->arg[a], c);
    int stride = group != NULL ? place_stride(emit, group) : dat->dim;
    const char *times = stride == 1 ? "" : emit_format(emit, "%d * ", stride);
    return emit_format(emit, "cleave_in_%s_%s + %scleave_local_%s_%d", dat->label, map->label,
                       times, map->label, column);
}

static const char *shape_dat_label(const struct emit *emit, int a)
{
    return emit->shape->dat[emit->shape->dat_of[a]].label;
}

static const char *bare_pointer(struct emit *emit, int a, int c)
{
    const struct arg *arg = &emit->loop->arg[a];
    const char *label = emit->shape->label[a];
    const char *row = arg->is_vector ? emit_format(emit, "[%d]", c) : "";
    if (is_held(emit, a)) {
        return emit_format(emit, "%s.v", record_name(emit, a, c));
    }
    switch (emit->binding[a]) {
    case BIND_DIRECT:
        return dat_pointer(emit, a, "cleave_e");
    case BIND_MAP:
        return dat_pointer(emit, a,
                           place_point(emit, emit->shape->map_of[a], place_column(arg, c)));
    case BIND_STAGED:
        return staged_pointer(emit, a, c);
    case BIND_FETCHED:
        return emit_format(emit, "cleave_now_%s.v", shape_dat_label(emit, a));
    case BIND_PRIVATE:
        return emit_format(emit, "cleave_inc_%s%s", label, row);
    case BIND_TMP:
        return emit_format(emit, "cleave_tmp_%s[cleave_i]%s", label, row);
    case BIND_VALUE:
        return emit_format(emit, "cleave_gbl_%s%s", label, emit->file->target->by_value);
    case BIND_REDUCE:
        return emit_format(emit, arg_is_carried(arg) ? "cleave_own_%s" : "cleave_gbl_%s", label);
    case BIND_INDEX:
        return emit_format(emit, "&cleave_idx_%s", label);
    case BIND_SLOT: /* its components do not lie side by side: no pointer leads to them */
        break;
    }
    return "";
}

/* Returns the test at run time that an optional argument is on. */
static const char *optional_test(struct emit *emit, int a)
{
    if (emit->loop->arg[a].kind == ARG_DAT) {
        return emit_format(emit, "%s != NULL", emit->shape->dat[emit->shape->dat_of[a]].name);
    }
    return emit_format(emit, "cleave_on_%s", emit->shape->label[a]);
}

const char *place_pointer(struct emit *emit, int a, int c, const struct type *to)
{
    const struct arg *arg = &emit->loop->arg[a];
    const char *pointer = bare_pointer(emit, a, c);
    const char *cast = to != NULL ? pointer_cast(emit, a, to) : "";
    if (emit->binding[a] == BIND_STAGED && (cast[0] != '\0' || arg->is_optional)) {
        pointer = emit_format(emit, "(const %s *)(%s)", emit_type_name(emit, arg->type), pointer);
    } else if (cast[0] != '\0') {
        pointer = emit_format(emit, "(%s)", pointer);
    }
    pointer = emit_format(emit, "%s%s", cast, pointer);
    if (arg->is_optional) {
        pointer = emit_format(emit, "%s ? %s : NULL", optional_test(emit, a), pointer);
    }
    return pointer;
}

/* ---- locals ---------------------------------------------------------------------------------- */

static bool arg_reads_map(const struct emit *emit, int a)
{
    return emit->loop->arg[a].is_indirect &&
           (emit->binding[a] == BIND_MAP || emit->binding[a] == BIND_INDEX);
}

bool place_uses_map(const struct emit *emit, int map)
{
    return emit_mentions(emit, arena_format(emit->file->program->arena, "cleave_map_%s",
                                            emit->shape->map[map].label));
}

bool place_uses_dat(const struct emit *emit, int dat)
{
    return emit_mentions(emit, emit->shape->dat[dat].name);
}

bool place_uses_global(struct emit *emit, int a, const char *kind)
{
    return emit_mentions(emit, emit_format(emit, "cleave_%s_%s", kind, emit->shape->label[a]));
}

bool place_uses_element(const struct emit *emit)
{
    if (emit->stage != NULL && emit->stage->body != NULL) {
        return body_uses_element(emit, emit->stage->body);
    }
    for (int a = 0; a < emit->loop->args; a++) {
        if (emit->binding[a] == BIND_DIRECT || emit->binding[a] == BIND_INDEX ||
            emit->binding[a] == BIND_MAP || arg_is_carried(&emit->loop->arg[a]) ||
            (emit->binding[a] == BIND_PRIVATE && emit->schedule == NULL)) {
            return true;
        }
    }
    return false;
}

void emit_point(struct emit *emit, int m, int column)
{
    const struct shape_map *map = &emit->shape->map[m];
    const char *value = emit_format(emit, "cleave_map_%s[(size_t)cleave_e * cleave_width_%s + %d]",
                                    map->label, map->label, column);
    if (map->optional) {
        value = emit_format(emit, "cleave_map_%s != NULL ? %s : 0", map->label, value);
    }
    if (emit->point_text != NULL) {
        value = emit->point_text(emit, m, column);
    }
    out_assign(emit->out, emit_format(emit, "const int %s", place_point(emit, m, column)), "=",
               value);
}

static bool column_is_read(const struct emit *emit, int m, int column)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        bool updates = emit->binding[a] == BIND_PRIVATE && emit->schedule == NULL;
        if (emit->shape->map_of[a] != m || !(arg_reads_map(emit, a) || updates)) {
            continue;
        }
        for (int c = 0; c < place_columns(arg); c++) {
            if (place_column(arg, c) == column) {
                return true;
            }
        }
    }
    return false;
}

int place_largest_column(const struct emit *emit)
{
    int largest = -1;
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        int column = arg->is_vector ? arg->columns - 1 : arg->map_index;
        largest = arg->is_indirect && column > largest ? column : largest;
    }
    return largest;
}

/* The program knows an element, or a point, by the number that it gave it. */
void emit_index(struct emit *emit, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    const char *label = emit->shape->label[a];
    const char *own =
        arg->is_indirect ? place_point(emit, emit->shape->map_of[a], arg->map_index) : "cleave_e";
    out_assign(emit->out, emit_format(emit, "int cleave_idx_%s", label), "=",
               emit_format(emit, "cleave_number_%s != NULL ? cleave_number_%s[%s] : %s", label,
                           label, own, own));
}

static void print_vector(struct emit *emit, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    const struct type *elem = place_param_type(emit->loop, a);
    int items = 0;
    out_format(emit->out, "%s%s *cleave_vec_%s[%d] = {", elem->is_const ? "const " : "",
               emit_type_name(emit, elem), emit->shape->label[a], arg->columns);
    for (int c = 0; c < arg->columns; c++) {
        out_item(emit->out, &items, "%s", place_pointer(emit, a, c, elem));
    }
    out_text(emit->out, "};\n");
}

void emit_locals(struct emit *emit)
{
    int last = place_largest_column(emit);
    for (int m = 0; m < emit->shape->maps; m++) {
        for (int column = 0; column <= last; column++) {
            if (column_is_read(emit, m, column)) {
                emit_point(emit, m, column);
            }
        }
    }
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (arg->kind == ARG_INDEX) {
            emit_index(emit, a);
        }
    }
    emit_record_loads(emit);
    for (int a = 0; a < emit->loop->args; a++) {
        if (emit->loop->arg[a].is_vector) {
            print_vector(emit, a);
        }
    }
}

void emit_call(struct emit *emit)
{
    int items = 0;
    functions_mark(emit, emit->loop->kernel);
    emit_carried_begin(emit, NULL);
    out_format(emit->out, "%s(", names_function(emit->loop->kernel, emit));
    for (int a = 0; a < emit->loop->args; a++) {
        if (emit->loop->arg[a].is_vector) {
            out_item(emit->out, &items, "cleave_vec_%s", emit->shape->label[a]);
        } else {
            const struct type *to =
                place_is_templated(emit, a) ? NULL : place_param_type(emit->loop, a);
            out_item(emit->out, &items, "%s", place_pointer(emit, a, 0, to));
        }
    }
    out_text(emit->out, ");\n");
    emit_carried_end(emit, NULL);
    emit_record_stores(emit);
}

/* ---- private increments ------------------------------------------------------------------------
 */

void emit_privates(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (emit->binding[a] == BIND_PRIVATE) {
            out_line(emit->out, "%s cleave_inc_%s%s[%d] = {};", emit_type_name(emit, arg->type),
                     emit->shape->label[a],
                     arg->is_vector ? emit_format(emit, "[%d]", arg->columns) : "", arg->dim);
        }
    }
}

/* ---- reductions --------------------------------------------------------------------------------
 */

void emit_reduction_copies(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        const char *label = emit->shape->label[a];
        if (!arg_is_reduction(arg) || place_has_slots(emit, a)) {
            continue;
        }
        out_line(emit->out, "%s cleave_gbl_%s[%d] = {%s};", emit_type_name(emit, arg->type), label,
                 arg->dim, emit->file->target->zeros);
        if (arg->access == ACCESS_INC) {
            continue;
        }
        const char *guard = arg->is_optional ? emit_format(emit, "cleave_on_%s && ", label) : "";
        out_line(emit->out, "for (int cleave_d = 0; %scleave_d < %d; cleave_d++) {", guard,
                 arg->dim);
        out_line(emit->out, "    cleave_gbl_%s[cleave_d] = cleave_start_%s%s[cleave_d];", label,
                 label, emit->file->target->by_value);
        out_line(emit->out, "}");
    }
    emit_carried_state(emit);
}

void emit_add(struct emit *emit, int a, const char *format, const char *to, const char *offset,
              const char *from)
{
    int dim = emit->loop->arg[a].dim;
    const char *d = dim == 1 ? "" : " + cleave_d";
    const char *blank = dim == 1 ? "" : "    ";
    const char *component = dim == 1 ? "0" : "cleave_d";
    const char *place = offset != NULL ? emit_format(emit, "%s[%s%s]", to, offset, d)
                                       : emit_format(emit, "%s[%s]", to, component);
    const char *value = emit_format(emit, "%s[%s]", from, component);
    if (dim > 1) {
        out_line(emit->out, "for (int cleave_d = 0; cleave_d < %d; cleave_d++) {", dim);
    }
    out_text(emit->out, blank);
    const char *mark = strstr(format, "%");
    const char *second = strstr(mark + 1, "%");
    bool fits = emit->out->column + strlen(place) + strlen(value) + strlen(format) <= 100;
    out_format(emit->out, "%.*s%s", (int)(mark - format), format, place);
    out_format(emit->out, "%.*s", (int)(second - mark - 3), mark + 2);
    out_format(emit->out, "%s%s%s\n", fits ? " " : emit_format(emit, "\n%s    ", blank), value,
               second + 2);
    if (dim > 1) {
        out_line(emit->out, "}");
    }
}
