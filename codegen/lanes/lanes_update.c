/* lanes_update.c: increments, and minima and maxima, of data through maps.
 *
 * Values of consecutive components are turned from vectors into records, and put into memory lane
 * after lane, and for each lane in the order of the updates: what a single element after another
 * does, also where two lanes, or two columns, name one point.
 */
#include <string.h>

#include "codegen/lanes/lanes_impl.h"

/* Updates of consecutive components of one record that are put there in one way. */
struct run {
    const struct update *first;
    int count;
    const char *values; /* "f, f_2, f_3" */
    const char *turned; /* the array that holds them as records */
    const char *how;
};

static const char *how_of(const struct lanes *lanes, const struct update *update)
{
    switch (lanes->loop->arg[update->place.arg].access) {
    case ACCESS_MIN:
        return "LOWER";
    case ACCESS_MAX:
        return "RAISE";
    default:
        return update->negative ? "SUBTRACT" : "ADD";
    }
}

static bool goes_on(const struct lanes *lanes, const struct update *a, const struct update *b)
{
    return a->place.arg == b->place.arg && a->place.column == b->place.column &&
           a->place.component + 1 == b->place.component &&
           strcmp(how_of(lanes, a), how_of(lanes, b)) == 0;
}

static const char *value_of(struct lanes *lanes, const struct update *update)
{
    const char *value = lanes_vector(lanes, update->value);
    if (update->scale == NULL) {
        return value;
    }
    struct lane_value factor = lanes_value(lanes, update->scale);
    struct lane_value vector = {value, BINDS_TIGHT, FORM_VECTOR};
    vector.binds = update->value->kind == EXPR_VAR ? BINDS_TIGHT : BINDS_LOOSE;
    return lanes_format(lanes, "%s * %s", lanes_operand(lanes, factor, BINDS_MUL),
                        lanes_operand(lanes, vector, BINDS_UNARY));
}

static struct run run_from(struct lanes *lanes, int u)
{
    const struct stage *stage = lanes->stage;
    struct run run = {.first = &stage->update[u], .how = how_of(lanes, &stage->update[u])};
    do {
        const char *value = value_of(lanes, &stage->update[u]);
        run.values = run.count == 0 ? value : lanes_format(lanes, "%s, %s", run.values, value);
        run.count++;
        u++;
    } while (u < stage->updates && goes_on(lanes, &stage->update[u - 1], &stage->update[u]));
    return run;
}

/* "cleave_to_res1", with the column of a vector argument, and a first component that is not 0. */
static const char *array_name(struct lanes *lanes, const struct place *place)
{
    const char *label = lanes->emit->shape->label[place->arg];
    const char *column =
        lanes->loop->arg[place->arg].is_vector ? lanes_format(lanes, "_%d", place->column) : "";
    const char *component =
        place->component > 0 ? lanes_format(lanes, "_from_%d", place->component) : "";
    return lanes_format(lanes, "cleave_to_%s%s%s", label, column, component);
}

/* The records of this run, unless an earlier run has the same values. */
static void print_turn(struct lanes *lanes, struct run *runs, int r)
{
    struct run *run = &runs[r];
    const struct type *type = lanes->loop->arg[run->first->place.arg].type;
    for (int other = 0; other < r; other++) {
        const struct type *had = lanes->loop->arg[runs[other].first->place.arg].type;
        if (type_same(type, had) && strcmp(runs[other].values, run->values) == 0) {
            run->turned = runs[other].turned;
            return;
        }
    }
    run->turned = array_name(lanes, &run->first->place);
    lanes_line(lanes, "%s %s[%d] = {%s};", lanes_type(lanes, type), run->turned, run->count,
               run->values);
    lanes_print_turn(lanes, type, run->turned, run->turned, run->count);
}

static void print_put(struct lanes *lanes, const struct run *run, const char *end)
{
    const struct place *place = &run->first->place;
    const struct shape *shape = lanes->emit->shape;
    const struct shape_dat *dat = &shape->dat[shape->dat_of[place->arg]];
    const char *point = place_point(lanes->emit, shape->map_of[place->arg],
                                    emit_update_column(lanes->loop, run->first));
    const char *record =
        place_offset(lanes->emit, dat->dim, lanes_format(lanes, "%s.at[cleave_l]", point));
    const char *behind = place->component > 0 ? lanes_format(lanes, " + %d", place->component) : "";
    lanes_print_put(lanes, dat->type, run->how,
                    lanes_format(lanes, "%s + %s%s", dat->name, record, behind), run->turned,
                    run->count, end);
}

void lanes_print_updates(struct lanes *lanes)
{
    const struct stage *stage = lanes->stage;
    struct out *out = lanes->emit->out;
    struct run *run = arena_alloc(lanes->arena, (size_t)stage->updates * sizeof(*run));
    int runs = 0;
    for (int u = 0; u < stage->updates; u += run[runs++].count) {
        run[runs] = run_from(lanes, u);
        print_turn(lanes, run, runs);
    }
    if (runs == 0) {
        return;
    }
    out_line(out, "CLEAVE_EACH_LANE(");
    out->indent += 4;
    for (int r = 0; r < runs; r++) {
        print_put(lanes, &run[r], r + 1 < runs ? ";" : ");");
    }
    out->indent -= 4;
}
