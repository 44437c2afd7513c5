/* lanes.c: the entries: the work of a vector of elements, and that of a single element.
 *
 * In: loop->whole. Out: its text:
 *
 *   points of maps; records and rows that all elements read, loaded
 *   the body, statement by statement
 *   rows and reductions stored; increments added
 */
#include "codegen/lanes/lanes_impl.h"

/* ---- names of scalars ------------------------------------------------------------------------ */

static const char *global_place(struct lanes *lanes, const struct place *place)
{
    return lanes_format(lanes, "cleave_gbl_%s[%d]", lanes->emit->shape->label[place->arg],
                        place->component);
}

/* The address of record `record` of an argument's dat. */
static const char *record_at(struct lanes *lanes, int a, const char *record)
{
    const struct shape *shape = lanes->emit->shape;
    return lanes_format(lanes, "(%s + %s)", shape->dat[shape->dat_of[a]].name,
                        place_offset(lanes->emit, lanes->loop->arg[a].dim, record));
}

/* The address of a parameter that is subscripted at run time; for a dat, of lane cleave_l's record.
 */
static const char *param_data(struct lanes *lanes, const struct var *param)
{
    const struct shape *shape = lanes->emit->shape;
    const struct arg *arg = &lanes->loop->arg[param->index];
    if (arg->kind == ARG_GLOBAL) {
        return lanes_format(lanes, "cleave_gbl_%s", shape->label[param->index]);
    }
    const char *record = "(cleave_e + cleave_l)";
    if (arg->is_indirect) {
        int map = shape->map_of[param->index];
        record =
            lanes_format(lanes, "%s.at[cleave_l]", place_point(lanes->emit, map, arg->map_index));
    }
    return record_at(lanes, param->index, record);
}

/* The address of lane cleave_l's record through a column of a vector argument. */
static const char *column_data(struct lanes *lanes, int a, const struct expr *column)
{
    const struct shape *shape = lanes->emit->shape;
    int m = shape->map_of[a];
    const char *record;
    if (column->kind == EXPR_INT) {
        record =
            lanes_format(lanes, "%s.at[cleave_l]", place_point(lanes->emit, m, (int)column->bits));
    } else {
        const char *label = shape->map[m].label;
        record = lanes_format(
            lanes, "cleave_map_%s[cleave_width_%s * (size_t)(cleave_e + cleave_l) + (size_t)(%s)]",
            label, label, out_expr_text(lanes->emit->out, lanes->arena, column, &lanes->one_lane));
    }
    return record_at(lanes, a, record);
}

static const char *name_var(const struct var *var, void *user)
{
    struct lanes *lanes = user;
    return var->storage == STORAGE_PARAM ? param_data(lanes, var) : names_var(var, lanes->emit);
}

static const char *name_function(const struct function *function, void *user)
{
    struct lanes *lanes = user;
    return names_function(function, lanes->emit);
}

static const char *name_place(const struct expr *expr, void *user)
{
    return global_place(user, &expr->place);
}

/* The value of lane cleave_l. */
static const char *name_var_of_lane(const struct var *var, void *user)
{
    struct lanes *lanes = user;
    const struct lane_var *local = lanes_var(lanes, var);
    if (local == NULL || !local->varies) {
        return name_var(var, user);
    }
    return lanes_format(lanes, local->mask ? "(%s[cleave_l] != 0)" : "%s[cleave_l]", local->name);
}

static const char *name_place_of_lane(const struct expr *expr, void *user)
{
    struct lanes *lanes = user;
    if (!lanes_place_varies(lanes, &expr->place)) {
        return global_place(lanes, &expr->place);
    }
    const struct lane_data *data = lanes_data_of(lanes, &expr->place);
    return lanes_format(lanes, "%s[cleave_l]", data->now[expr->place.component]);
}

static const struct expr *without_casts(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST) {
        expr = expr->kid[0];
    }
    return expr;
}

const char *lanes_one_lane(struct lanes *lanes, const struct expr *expr)
{
    struct out *out = lanes->emit->out;
    const struct expr *row = expr->kind == EXPR_INDEX ? without_casts(expr->kid[0]) : expr;
    const struct expr *base = row->kind == EXPR_INDEX ? without_casts(row->kid[0]) : row;
    if (base == row || base->kind != EXPR_VAR || base->var->storage != STORAGE_PARAM) {
        return out_expr_text(out, lanes->arena, expr, &lanes->one_lane);
    }
    return lanes_format(lanes, "%s[%s]",
                        column_data(lanes, base->var->index, without_casts(row->kid[1])),
                        out_expr_text(out, lanes->arena, expr->kid[1], &lanes->one_lane));
}

/* ---- the work ------------------------------------------------------------------------------- */

static struct lanes *lanes_new(struct emit *emit)
{
    struct lanes *lanes = arena_alloc(emit->file->program->arena, sizeof(*lanes));
    const char *reason; /* none, as lanes_refusal() has seen */
    struct loc loc;
    lanes->emit = emit;
    lanes->arena = emit->file->program->arena;
    lanes->loop = emit->loop;
    lanes->stage = &emit->loop->whole->stage[0];
    lanes->names = (struct c_names){name_var, name_function, lanes, name_place, false};
    lanes->one_lane =
        (struct c_names){name_var_of_lane, name_function, lanes, name_place_of_lane, false};
    lanes_find_varying(lanes, lanes->stage->body);
    struct stmt *body = lanes_rewrite_loops(lanes, lanes->stage->body, &reason, &loc);
    lanes_find_varying(lanes, body);
    lanes_lift(lanes, body);
    lanes_find_varying(lanes, lanes->body);
    lanes_find_data(lanes);
    lanes_find_subscripted(lanes);
    return lanes;
}

static void mark_used(struct emit *emit, const struct stage *stage)
{
    functions_mark_tree(emit, stage->body);
    for (int u = 0; u < stage->updates; u++) {
        functions_mark_expr(emit, stage->update[u].value);
    }
}

void lanes_work(struct emit *emit)
{
    struct lanes *lanes = lanes_new(emit);
    mark_used(emit, lanes->stage);
    out_line(emit->out, "{");
    emit->out->indent += 4;
    lanes_print_points(lanes);
    for (int d = 0; d < lanes->datas; d++) {
        if (!lanes_loads_in_branch(lanes, lanes->body, &lanes->data[d])) {
            lanes_print_load(lanes, &lanes->data[d], NULL);
        }
    }
    lanes_declare_made(lanes);
    lanes_print_block(lanes, lanes->body);
    lanes_print_stores(lanes);
    lanes_print_updates(lanes);
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}
