/* cuda_point_values.c: values that blocks of points compute once for each point of their
 * neighbourhood.
 *
 * In: a GATHER stage with a struct point_values, whose groups are known (cuda_owner.c). Out: the
 * loop over the neighbourhood that computes the values and writes them where the elements read
 * them: in place of components of staged records that nothing needs any more, and in a record of
 * their own. A point's values are made and written by one thread, which has read its record before.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

static size_t extra_bytes(const struct point_values *computed)
{
    return (size_t)computed->extras * computed->type->size;
}

/* Stride of extra records. Like place_stride(), an odd number of loads, to avoid bank conflicts. */
static int extra_stride(const struct point_values *computed)
{
    int unit = extra_bytes(computed) % 16 == 0 ? 16 / (int)computed->type->size : 1;
    return (computed->extras / unit | 1) * unit;
}

size_t cuda_point_values_bytes(const struct stage *stage)
{
    return stage->point_values != NULL ? extra_bytes(stage->point_values) : 0;
}

static bool has_extras(const struct stage *stage)
{
    return stage->point_values != NULL && stage->point_values->extras > 0;
}

void cuda_point_values_fields(struct emit *emit, int s)
{
    if (has_extras(&emit->schedule->stage[s])) {
        out_line(emit->out, "unsigned point_values%d;", s + 1);
    }
}

void cuda_point_values_counts(struct emit *emit, int s)
{
    const struct stage *stage = &emit->schedule->stage[s];
    if (has_extras(stage)) {
        out_line(emit->out, "cleave_space.point_values%d = (unsigned)cleave_at;", s + 1);
        out_line(
            emit->out,
            "cleave_at += cleave_round_up(cleave_plan->list[%d].max_around * %d * sizeof(%s));",
            cuda_map(emit, stage->map)->list, extra_stride(stage->point_values),
            emit_type_name(emit, stage->point_values->type));
    }
}

/* "3 * cleave_around + 2" */
static const char *element_at(struct emit *emit, int stride, int slot)
{
    const char *at =
        stride == 1 ? "cleave_around" : emit_format(emit, "%d * cleave_around", stride);
    return slot == 0 ? at : emit_format(emit, "%s + %d", at, slot);
}

static const char *extra_offset(struct emit *emit)
{
    return emit_format(emit, "cleave_space.point_values%d", emit->number);
}

static void print_store(struct emit *emit, const struct point_value *value)
{
    const struct point_values *computed = emit->stage->point_values;
    const char *offset = extra_offset(emit);
    const char *at = element_at(emit, extra_stride(computed), value->extra);
    for (int t = 0; value->place.arg >= 0 && t < emit->stage->transfers; t++) {
        const struct transfer *group = &emit->stage->transfer[t];
        if (args_share_group(emit->loop, group->arg, value->place.arg)) {
            offset = cuda_space_offset(emit, emit->number - 1, t);
            at = element_at(emit, place_stride(emit, group),
                            transfer_slot(group, value->place.component));
        }
    }
    out_line(emit->out, "cleave_shared<%s>(%s)[%s] = %s;", emit_type_name(emit, computed->type),
             offset, at, names_var(value->var, emit));
}

/* The columns through which the values' trees read places. */
struct columns {
    const struct emit *emit;
    unsigned found;
};

static void note_column(struct expr *expr, void *user)
{
    struct columns *columns = user;
    if (expr->kind == EXPR_PLACE) {
        const struct arg *arg = &columns->emit->loop->arg[expr->place.arg];
        columns->found |= 1u << place_column(arg, expr->place.column);
    }
}

static void print_locals(struct emit *emit, struct stmt *body)
{
    const struct shape_map *map = cuda_map(emit, emit->stage->map);
    struct columns columns = {emit, 0};
    stmt_visit(body, NULL, note_column, &columns);
    for (int k = 0; k < map->columns; k++) {
        if ((columns.found >> map->column[k] & 1) != 0) {
            out_line(emit->out, "const int cleave_local_%s_%d = cleave_around;", map->label,
                     map->column[k]);
        }
    }
}

void cuda_point_values_loop(struct emit *emit)
{
    const struct stage *stage = emit->stage;
    const struct point_values *computed = stage->point_values;
    if (computed == NULL) {
        return;
    }
    struct stage points = *stage;
    points.kind = STAGE_CONTRIBUTION;
    points.body = computed->points;
    points.makes = 0;
    points.uses = 0;
    points.updates = 0;
    out_comment(emit->out, "What depends on one point alone, once for each point.");
    out_text(emit->out,
             "for (int cleave_around = cleave_thread(); cleave_around < cleave_own.points;\n"
             "     cleave_around += cleave_threads()) {\n");
    emit->out->indent += 4;
    emit->stage = &points;
    print_locals(emit, computed->points);
    emit_stage_inline(emit, &points);
    for (int v = 0; v < computed->values; v++) {
        print_store(emit, &computed->value[v]);
    }
    emit->stage = stage;
    emit->out->indent -= 4;
    out_line(emit->out, "}");
    out_line(emit->out, "cleave_barrier();");
    if (computed->extras > 0) {
        out_line(emit->out, "const auto cleave_in_point_values = cleave_shared<const %s>(%s);",
                 emit_type_name(emit, computed->type), extra_offset(emit));
    }
}

void cuda_point_values_records(struct emit *emit)
{
    const struct point_values *computed = emit->stage->point_values;
    const struct shape_map *map = cuda_map(emit, emit->stage->map);
    for (int k = 0; computed != NULL && k < map->columns; k++) {
        const struct var *var = computed->extra[map->column[k]];
        if (var == NULL) {
            continue;
        }
        int stride = extra_stride(computed);
        const char *times = stride == 1 ? "" : emit_format(emit, "%d * ", stride);
        const char *at = emit_format(emit, "cleave_in_point_values + %scleave_local_%s_%d", times,
                                     map->label, map->column[k]);
        out_assign(emit->out, emit_format(emit, "const auto %s", names_var(var, emit)), "=",
                   extra_bytes(computed) % 16 == 0 ? emit_format(emit, "cleave_aligned(%s)", at)
                                                   : at);
    }
}
