/* lanes_move.c: data between memory and vectors: points of maps, loads, stores, increments.
 */
#include "codegen/lanes/lanes_impl.h"

/* ---- questions ------------------------------------------------------------------------------ */

bool lanes_is_written(const struct lane_data *data)
{
    bool written = false;
    for (int c = 0; c < data->dim; c++) {
        written = written || data->writes[c];
    }
    return written;
}

static const struct expr *without_casts(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST) {
        expr = expr->kid[0];
    }
    return expr;
}

/* The argument whose parameter the expression is; -1: it is none. */
static int argument_of(const struct expr *expr)
{
    expr = without_casts(expr);
    bool param = expr->kind == EXPR_VAR && expr->var->storage == STORAGE_PARAM;
    return param ? expr->var->index : -1;
}

/* A subscript of a vector argument that is known at run time needs no column of its own: it reads
 * the map. */
static void note_subscript(struct expr *expr, void *user)
{
    struct lanes *lanes = user;
    int a = expr->kind == EXPR_INDEX ? argument_of(expr->kid[0]) : -1;
    if (a < 0) {
        return;
    }
    const struct expr *subscript = without_casts(expr->kid[1]);
    if (!lanes->loop->arg[a].is_vector) {
        lanes->subscripted[a][0] = true;
    } else if (subscript->kind == EXPR_INT) {
        lanes->subscripted[a][subscript->bits] = true;
    }
}

void lanes_find_subscripted(struct lanes *lanes)
{
    const struct loop *loop = lanes->loop;
    lanes->subscripted =
        arena_alloc(lanes->arena, (size_t)loop->args * sizeof(*lanes->subscripted));
    for (int a = 0; a < loop->args; a++) {
        lanes->subscripted[a] = arena_alloc(lanes->arena, (size_t)place_columns(&loop->arg[a]) *
                                                              sizeof(**lanes->subscripted));
    }
    stmt_visit(lanes->stage->body, NULL, note_subscript, lanes);
}

static bool subscripts_column(const struct lanes *lanes, int a, int column)
{
    const struct arg *arg = &lanes->loop->arg[a];
    for (int c = 0; c < place_columns(arg); c++) {
        if (lanes->subscripted[a][c] && place_column(arg, c) == column) {
            return true;
        }
    }
    return false;
}

static bool uses_column(const struct lanes *lanes, int m, int column)
{
    const struct emit *emit = lanes->emit;
    for (int a = 0; a < lanes->loop->args; a++) {
        if (lanes->loop->arg[a].is_indirect && emit->shape->map_of[a] == m &&
            subscripts_column(lanes, a, column)) {
            return true;
        }
    }
    for (int d = 0; d < lanes->datas; d++) {
        if (lanes->data[d].map == m && lanes->data[d].column == column) {
            return true;
        }
    }
    for (int u = 0; u < lanes->stage->updates; u++) {
        const struct update *update = &lanes->stage->update[u];
        if (emit->shape->map_of[update->place.arg] == m &&
            emit_update_column(lanes->loop, update) == column) {
            return true;
        }
    }
    return false;
}

/* ---- points --------------------------------------------------------------------------------- */

static bool uses_elements(const struct lanes *lanes)
{
    bool uses = false;
    for (int d = 0; d < lanes->datas; d++) {
        uses = uses || (lanes->data[d].kind == LANE_ROW && !lanes_is_contiguous(&lanes->data[d]));
    }
    return uses;
}

void lanes_print_points(struct lanes *lanes)
{
    struct emit *emit = lanes->emit;
    if (uses_elements(lanes)) {
        lanes_line(lanes, "const CLEAVE_V(index) cleave_elements = CLEAVE_V(elements)(cleave_e);");
    }
    for (int m = 0; m < emit->shape->maps; m++) {
        const char *label = emit->shape->map[m].label;
        for (int column = 0; column <= place_largest_column(emit); column++) {
            if (uses_column(lanes, m, column)) {
                lanes_line(lanes,
                           "const CLEAVE_V(index) %s = CLEAVE_V(column)(cleave_map_%s, "
                           "cleave_width_%s, %d, cleave_e);",
                           place_point(emit, m, column), label, label, column);
            }
        }
    }
}

/* ---- loads ---------------------------------------------------------------------------------- */

static const char *point_of(struct lanes *lanes, const struct lane_data *data)
{
    return place_point(lanes->emit, data->map, data->column);
}

/* The number that the program knows the element, or the point, by. */
static void print_index(struct lanes *lanes, const struct lane_data *data)
{
    const char *label = lanes->emit->shape->label[data->arg];
    const char *own = data->map >= 0 ? lanes_format(lanes, "%s.at[cleave_l]", point_of(lanes, data))
                                     : "cleave_e + cleave_l";
    lanes_line(lanes,
               "CLEAVE_LANEWISE(%s[0], cleave_number_%s != NULL ? cleave_number_%s[%s] : %s);",
               data->name, label, label, own, own);
}

/* Parts of a record: components that are used, and what lies between two that are near. */
static int next_part(const bool *used, int dim, int from, int *end)
{
    while (from < dim && !used[from]) {
        from++;
    }
    *end = from;
    for (int c = from; c < dim && c <= *end + 1; c++) {
        *end = used[c] ? c + 1 : *end;
    }
    return from;
}

/* Reads components first..first+count-1 of the records at `index`, piece by piece. */
static void print_pieces(struct lanes *lanes, const struct lane_data *data, const char *index,
                         int first, int count)
{
    const char *name = lanes->emit->shape->dat[data->dat].name;
    int piece;
    for (int c = first; c < first + count; c += piece) {
        piece = lanes_piece(data->type, first + count - c);
        lanes_line(lanes, "CLEAVE_GET%d(%s, %s, %s, %d, %s.at);", piece,
                   lanes_move_word(data->type), lanes_behind(lanes, data->name, c),
                   lanes_behind(lanes, name, c), data->dim, index);
    }
}

static void print_part(struct lanes *lanes, const struct lane_data *data, const char *mask,
                       int first, int count)
{
    const char *index = data->kind == LANE_ROW ? "cleave_elements" : point_of(lanes, data);
    if (data->kind == LANE_ROW && count == data->dim) {
        mask = NULL; /* memory of the dat, whatever the lanes do */
    }
    if (lanes_is_contiguous(data)) {
        lanes_line(lanes, "%s[0] = CLEAVE_ROW(%s, %s + cleave_e);", data->name,
                   lanes_move_word(data->type), lanes->emit->shape->dat[data->dat].name);
        return;
    }
    if (mask != NULL) {
        const char *filled = lanes_format(lanes, "cleave_at_%s_%d", data->name, first);
        lanes_line(lanes, "const CLEAVE_V(index) %s = CLEAVE_V(fill_index)(%s, %s);", filled, mask,
                   index);
        index = filled;
    }
    print_pieces(lanes, data, index, first, count);
}

/* Each component's slots lie side by side; those of narrow types are moved lane by lane. */
static void print_slots(struct lanes *lanes, const struct lane_data *data, bool stores)
{
    const char *word = lanes_move_word(data->type);
    bool narrow = lanes_is_narrow(data->type);
    const char *label = lanes->emit->shape->label[data->arg];
    for (int c = 0; c < data->dim; c++) {
        const char *v = lanes_format(lanes, "%s[%d]", data->name, c);
        const char *slots = lanes_format(lanes, "cleave_gbl_%s[%d] + cleave_slot", label, c);
        if (stores && data->writes[c] && narrow) {
            lanes_line(lanes,
                       "CLEAVE_EACH_LANE(CLEAVE_PUT1(%s, STORE, %s + cleave_l, &%s, cleave_l));",
                       word, slots, v);
        } else if (stores && data->writes[c]) {
            lanes_line(lanes, "CLEAVE_PUT_ROW(%s, %s, %s);", word, slots, v);
        } else if (!stores && (data->reads[c] || data->writes[c]) && narrow) {
            lanes_line(lanes, "CLEAVE_LANEWISE(%s, (%s)[cleave_l]);", v, slots);
        } else if (!stores && (data->reads[c] || data->writes[c])) {
            lanes_line(lanes, "%s = CLEAVE_ROW(%s, %s);", v, word, slots);
        }
    }
}

/* Records that are written whole, whatever the conditions are, and not read need not be loaded. */
static bool is_overwritten(const struct lane_data *data)
{
    for (int c = 0; c < data->dim; c++) {
        if (!data->always[c] || data->reads[c]) {
            return false;
        }
    }
    return data->kind == LANE_ROW || data->kind == LANE_RECORD;
}

/* The components that vectors need: all of a row that is stored, since rows are stored whole. */
static const bool *loaded(const struct lane_data *data)
{
    if (data->kind == LANE_ROW && lanes_is_written(data)) {
        return data->all;
    }
    return data->needs;
}

void lanes_print_load(struct lanes *lanes, struct lane_data *data, const char *mask)
{
    data->loaded = true;
    lanes_line(lanes, "%s %s[%d];", lanes_type(lanes, data->type), data->name, data->dim);
    if (is_overwritten(data)) {
        return;
    }
    if (data->kind == LANE_INDEX) {
        print_index(lanes, data);
    } else if (data->kind == LANE_SLOT) {
        print_slots(lanes, data, false);
    } else {
        int end;
        for (int first = 0; first < data->dim; first = end) {
            first = next_part(loaded(data), data->dim, first, &end);
            if (end > first) {
                print_part(lanes, data, mask, first, end - first);
            }
        }
    }
}

/* ---- stores --------------------------------------------------------------------------------- */

/* Stores `count` components of every lane's record, at `element` of lane cleave_l: no two lanes
 * have the same record. */
static void print_stored_part(struct lanes *lanes, const struct lane_data *data,
                              const char *element, int first, int count)
{
    const char *record = lanes_format(lanes, "%s + %s", lanes->emit->shape->dat[data->dat].name,
                                      place_offset(lanes->emit, data->dim, element));
    int piece;
    for (int c = first; c < first + count; c += piece) {
        piece = lanes_piece(data->type, first + count - c);
        const char *values = lanes_behind(lanes, data->name, c);
        if (piece > 1) {
            const char *turned = lanes_format(lanes, "cleave_turned_%s_%d", data->name, c);
            lanes_line(lanes, "%s %s[%d];", lanes_type(lanes, data->type), turned, piece);
            lanes_print_turn(lanes, data->type, turned, values, piece);
            values = turned;
        }
        out_line(lanes->emit->out, "CLEAVE_EACH_LANE(");
        lanes->emit->out->indent += 4;
        lanes_print_put(lanes, data->type, "STORE", lanes_behind(lanes, record, c), values, piece,
                        ");");
        lanes->emit->out->indent -= 4;
    }
}

static void print_row_store(struct lanes *lanes, const struct lane_data *data)
{
    if (lanes_is_contiguous(data)) {
        lanes_line(lanes, "CLEAVE_PUT_ROW(%s, %s + cleave_e, %s[0]);", lanes_move_word(data->type),
                   lanes->emit->shape->dat[data->dat].name, data->name);
    } else {
        print_stored_part(lanes, data, "cleave_elements.at[cleave_l]", 0, data->dim);
    }
}

static void print_record_store(struct lanes *lanes, const struct lane_data *data)
{
    for (int first = 0; first < data->dim; first++) {
        int count = 0;
        while (first + count < data->dim && data->writes[first + count]) {
            count++;
        }
        if (count > 0) {
            print_stored_part(lanes, data,
                              lanes_format(lanes, "%s.at[cleave_l]", point_of(lanes, data)), first,
                              count);
            first += count;
        }
    }
}

void lanes_print_stores(struct lanes *lanes)
{
    for (int d = 0; d < lanes->datas; d++) {
        const struct lane_data *data = &lanes->data[d];
        bool writes = lanes_is_written(data);
        if (writes && data->kind == LANE_SLOT) {
            print_slots(lanes, data, true);
        } else if (writes && data->kind == LANE_RECORD) {
            print_record_store(lanes, data);
        } else if (writes) {
            print_row_store(lanes, data);
        }
    }
}
