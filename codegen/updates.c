/* updates.c: the columns that the updates of a stage go through, and the text of their values.
 *
 * In: the updates of a stage. Out: the columns and points that they need, and text for their
 * values.
 */
#include <string.h>

#include "codegen/emit.h"
#include "pass/ir/arena.h"

int emit_update_column(const struct loop *loop, const struct update *update)
{
    return place_column(&loop->arg[update->place.arg], update->place.column);
}

static bool updates_column(const struct emit *emit, const struct stage *stage, int m, int column)
{
    for (int u = 0; u < stage->updates; u++) {
        if (emit->shape->map_of[stage->update[u].place.arg] == m &&
            emit_update_column(emit->loop, &stage->update[u]) == column) {
            return true;
        }
    }
    return false;
}

void emit_update_points(struct emit *emit, const struct stage *stage)
{
    for (int m = 0; m < emit->shape->maps; m++) {
        for (int k = 0; k < emit->shape->map[m].columns; k++) {
            if (updates_column(emit, stage, m, emit->shape->map[m].column[k])) {
                emit_point(emit, m, emit->shape->map[m].column[k]);
            }
        }
    }
}

static const char *expr_text(struct emit *emit, const struct expr *expr)
{
    return out_expr_text(emit->out, emit->file->program->arena, expr, &emit->names);
}

/* "cleave_inc_res1[3]": a component of private increments. */
static const char *private_place(struct emit *emit, const struct place *place)
{
    const char *label = emit->shape->label[place->arg];
    const char *row =
        emit->loop->arg[place->arg].is_vector ? emit_format(emit, "[%d]", place->column) : "";
    const char *format = emit->binding[place->arg] == BIND_TMP ? "cleave_tmp_%s[cleave_i]%s[%d]"
                                                               : "cleave_inc_%s%s[%d]";
    return emit_format(emit, format, label, row, place->component);
}

bool update_is_crossing(const struct schedule *schedule, const struct expr *value)
{
    for (int v = 0; value->kind == EXPR_VAR && v < schedule->crossings; v++) {
        if (schedule->crossing[v] == value->var) {
            return true;
        }
    }
    return false;
}

/* With emit->tmp_format: `name` in its one %s. */
static const char *in_tmp(struct emit *emit, const char *name)
{
    const char *hole = strstr(emit->tmp_format, "%s");
    return emit_format(emit, "%.*s%s%s", (int)(hole - emit->tmp_format), emit->tmp_format, name,
                       hole + 2);
}

const char *emit_update_value(struct emit *emit, const struct update *update)
{
    const char *value;
    functions_mark_expr(emit, update->value);
    if (update->value == NULL) {
        return private_place(emit, &update->place);
    }
    value = emit->tmp_format != NULL && update_is_crossing(emit->schedule, update->value)
                ? in_tmp(emit, names_var(update->value->var, emit))
                : expr_text(emit, update->value);
    return update->scale == NULL
               ? value
               : emit_format(emit, "%s * %s", expr_text(emit, update->scale), value);
}
