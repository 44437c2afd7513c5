/* cuda_near.c: values that blocks of points compute once for each point of their neighbourhood.
 *
 * In: a GATHER stage with a struct near, whose groups are known (cuda_owner.c). Out: the loop over
 * the neighbourhood that computes the values and writes them where the elements read them: in place
 * of components of staged records that nothing needs any more, and in a record of their own. A
 * point's values are made and written by one thread, which has read its record before.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

static size_t extra_bytes(const struct near *near)
{
    return (size_t)near->extras * near->type->size;
}

/* Stride of extra records. Like place_stride(), an odd number of loads, to avoid bank conflicts. */
static int extra_stride(const struct near *near)
{
    int unit = extra_bytes(near) % 16 == 0 ? 16 / (int)near->type->size : 1;
    return (near->extras / unit | 1) * unit;
}

size_t cuda_near_bytes(const struct stage *stage)
{
    return stage->near != NULL ? extra_bytes(stage->near) : 0;
}

static bool has_extras(const struct stage *stage)
{
    return stage->near != NULL && stage->near->extras > 0;
}

void cuda_near_fields(struct emit *emit, int s)
{
    if (has_extras(&emit->schedule->stage[s])) {
        out_line(emit->out, "unsigned near%d;", s + 1);
    }
}

void cuda_near_counts(struct emit *emit, int s)
{
    const struct stage *stage = &emit->schedule->stage[s];
    if (has_extras(stage)) {
        out_line(emit->out, "cleave_space.near%d = (unsigned)cleave_at;", s + 1);
        out_line(emit->out,
                 "cleave_at += cleave_round_up(cleave_plan->list[%d].max_near * %d * sizeof(%s));",
                 cuda_map(emit, stage->map)->list, extra_stride(stage->near),
                 emit_type_name(emit, stage->near->type));
    }
}

/* "3 * cleave_near + 2" */
static const char *element_at(struct emit *emit, int stride, int slot)
{
    const char *at = stride == 1 ? "cleave_near" : emit_format(emit, "%d * cleave_near", stride);
    return slot == 0 ? at : emit_format(emit, "%s + %d", at, slot);
}

static const char *extra_offset(struct emit *emit)
{
    return emit_format(emit, "cleave_space.near%d", emit->number);
}

static void print_store(struct emit *emit, const struct near_value *value)
{
    const struct near *near = emit->stage->near;
    const char *offset = extra_offset(emit);
    const char *at = element_at(emit, extra_stride(near), value->extra);
    for (int t = 0; value->place.arg >= 0 && t < emit->stage->transfers; t++) {
        const struct transfer *group = &emit->stage->transfer[t];
        if (args_share_group(emit->loop, group->arg, value->place.arg)) {
            offset = cuda_space_offset(emit, emit->number - 1, t);
            at = element_at(emit, place_stride(emit, group),
                            transfer_slot(group, value->place.component));
        }
    }
    out_line(emit->out, "cleave_shared<%s>(%s)[%s] = %s;", emit_type_name(emit, near->type), offset,
             at, names_var(value->var, emit));
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
            out_line(emit->out, "const int cleave_local_%s_%d = cleave_near;", map->label,
                     map->column[k]);
        }
    }
}

void cuda_near_points(struct emit *emit)
{
    const struct stage *stage = emit->stage;
    const struct near *near = stage->near;
    if (near == NULL) {
        return;
    }
    struct stage points = *stage;
    points.kind = STAGE_CONTRIBUTION;
    points.body = near->points;
    points.makes = 0;
    points.uses = 0;
    points.updates = 0;
    out_comment(emit->out, "What depends on one point alone, once for each point.");
    out_text(emit->out, "for (int cleave_near = cleave_thread(); cleave_near < cleave_own.points;\n"
                        "     cleave_near += cleave_threads()) {\n");
    emit->out->indent += 4;
    emit->stage = &points;
    print_locals(emit, near->points);
    emit_stage_inline(emit, &points);
    for (int v = 0; v < near->values; v++) {
        print_store(emit, &near->value[v]);
    }
    emit->stage = stage;
    emit->out->indent -= 4;
    out_line(emit->out, "}");
    out_line(emit->out, "cleave_barrier();");
    if (near->extras > 0) {
        out_line(emit->out, "const auto cleave_in_near = cleave_shared<const %s>(%s);",
                 emit_type_name(emit, near->type), extra_offset(emit));
    }
}

void cuda_near_records(struct emit *emit)
{
    const struct near *near = emit->stage->near;
    const struct shape_map *map = cuda_map(emit, emit->stage->map);
    for (int k = 0; near != NULL && k < map->columns; k++) {
        const struct var *var = near->extra[map->column[k]];
        if (var == NULL) {
            continue;
        }
        int stride = extra_stride(near);
        const char *times = stride == 1 ? "" : emit_format(emit, "%d * ", stride);
        const char *at = emit_format(emit, "cleave_in_near + %scleave_local_%s_%d", times,
                                     map->label, map->column[k]);
        out_assign(emit->out, emit_format(emit, "const auto %s", names_var(var, emit)), "=",
                   extra_bytes(near) % 16 == 0 ? emit_format(emit, "cleave_aligned(%s)", at) : at);
    }
}
