/* lanes_data.c: which vectors hold arguments.
 *
 * In: the lifted body and the updates. Out: lanes->data, one entry for each record that they name:
 * a dat through one column of a map, an element's own record of a dat, a reduction, an op_arg_idx.
 */
#include <string.h>

#include "codegen/lanes/lanes_impl.h"

static int column_of(const struct lanes *lanes, const struct place *place)
{
    const struct arg *arg = &lanes->loop->arg[place->arg];
    return arg->is_indirect ? place_column(arg, place->column) : -1;
}

static enum lane_kind kind_of(const struct arg *arg)
{
    return arg->kind == ARG_INDEX    ? LANE_INDEX
           : arg->kind == ARG_GLOBAL ? LANE_SLOT
           : arg->is_indirect        ? LANE_RECORD
                                     : LANE_ROW;
}

bool lanes_place_varies(const struct lanes *lanes, const struct place *place)
{
    const struct arg *arg = &lanes->loop->arg[place->arg];
    return arg->kind != ARG_GLOBAL || arg->access != ACCESS_READ;
}

struct lane_data *lanes_data_of(const struct lanes *lanes, const struct place *place)
{
    const struct shape *shape = lanes->emit->shape;
    enum lane_kind kind = kind_of(&lanes->loop->arg[place->arg]);
    int map = shape->map_of[place->arg];
    int column = column_of(lanes, place);
    for (int d = 0; d < lanes->datas; d++) {
        struct lane_data *data = &lanes->data[d];
        bool is_dat = kind == LANE_RECORD || kind == LANE_ROW;
        bool same = is_dat ? data->dat == shape->dat_of[place->arg] : data->arg == place->arg;
        if (same && data->kind == kind && data->map == map && data->column == column) {
            return data;
        }
    }
    return NULL;
}

/* "q1", or "x_0" for a column of a vector argument. */
static const char *name_of(struct lanes *lanes, const struct place *place)
{
    const struct function *kernel = lanes->loop->kernel;
    const char *param = names_var(kernel->param[place->arg], lanes->emit);
    bool is_vector = lanes->loop->arg[place->arg].is_vector;
    return lanes_free_name(lanes,
                           is_vector ? lanes_format(lanes, "%s_%d", param, place->column) : param);
}

static struct lane_data *add(struct lanes *lanes, const struct place *place)
{
    static const struct type type_int = {.kind = TYPE_INT, .size = sizeof(int)};
    const struct arg *arg = &lanes->loop->arg[place->arg];
    int capacity = lanes->datas;
    lanes->data =
        arena_grow(lanes->arena, lanes->data, lanes->datas, &capacity, sizeof(*lanes->data));
    struct lane_data *data = &lanes->data[lanes->datas];
    *data = (struct lane_data){.kind = kind_of(arg),
                               .arg = place->arg,
                               .dat = lanes->emit->shape->dat_of[place->arg],
                               .map = lanes->emit->shape->map_of[place->arg],
                               .column = column_of(lanes, place),
                               .dim = arg->kind == ARG_INDEX ? 1 : arg->dim,
                               .type = arg->kind == ARG_INDEX ? &type_int : arg->type,
                               .name = name_of(lanes, place)};
    lanes->datas++;
    data->reads = arena_alloc(lanes->arena, (size_t)data->dim * sizeof(bool));
    data->writes = arena_alloc(lanes->arena, (size_t)data->dim * sizeof(bool));
    data->needs = arena_alloc(lanes->arena, (size_t)data->dim * sizeof(bool));
    data->always = arena_alloc(lanes->arena, (size_t)data->dim * sizeof(bool));
    data->all = arena_alloc(lanes->arena, (size_t)data->dim * sizeof(bool));
    memset(data->all, true, (size_t)data->dim * sizeof(bool));
    data->now = arena_alloc(lanes->arena, (size_t)data->dim * sizeof(*data->now));
    for (int c = 0; c < data->dim; c++) {
        data->now[c] = lanes_format(lanes, "%s[%d]", data->name, c);
    }
    return data;
}

static struct lane_data *use(struct lanes *lanes, const struct place *place)
{
    struct lane_data *data = lanes_data_of(lanes, place);
    data = data != NULL ? data : add(lanes, place);
    data->uses++;
    return data;
}

static void note_read(struct lanes *lanes, const struct expr *expr)
{
    if (expr != NULL && expr->kind == EXPR_PLACE && lanes_place_varies(lanes, &expr->place)) {
        use(lanes, &expr->place)->reads[expr->place.component] = true;
    }
    for (int k = 0; expr != NULL && k < expr->kids; k++) {
        note_read(lanes, expr->kid[k]);
    }
}

static void note_assign(struct lanes *lanes, const struct expr *expr, bool always)
{
    note_read(lanes, expr->kid[1]);
    if (expr->kid[0]->kind != EXPR_PLACE) {
        return;
    }
    const struct place *place = &expr->kid[0]->place;
    struct lane_data *data = use(lanes, place);
    data->writes[place->component] = true;
    data->always[place->component] = data->always[place->component] || always;
    data->reads[place->component] = data->reads[place->component] || expr->compound;
}

static void note_stmt(struct lanes *lanes, const struct stmt *stmt, bool always)
{
    if (stmt->kind == STMT_EXPR) {
        note_assign(lanes, stmt->expr, always);
    } else {
        note_read(lanes, stmt->expr);
    }
    for (int k = 0; k < stmt->kids; k++) {
        note_stmt(lanes, stmt->kid[k], always && stmt->kind != STMT_IF && stmt->kind != STMT_WHILE);
    }
}

void lanes_find_data(struct lanes *lanes)
{
    note_stmt(lanes, lanes->body, true);
    for (int u = 0; u < lanes->stage->updates; u++) {
        note_read(lanes, lanes->stage->update[u].value);
    }
    for (int d = 0; d < lanes->datas; d++) {
        struct lane_data *data = &lanes->data[d];
        for (int c = 0; c < data->dim; c++) {
            data->needs[c] = data->reads[c] || data->writes[c];
        }
    }
}
