/* cuda_own_values.c: values of a point's own record, computed once before the point walks its
 * items.
 *
 * In: the GATHER stage of points that keep their own records in registers (cuda_own.c), with its
 * struct stage.own_values. Out: the values of the own point, and those of the other point of each
 * item, in place of components of the records and in records of their own. What elements compute
 * from both points stays in their body, which reads the values where they are.
 */
#include "codegen/cuda/cuda_owner.h"
#include "codegen/uses.h"
#include "pass/ir/arena.h"

/* ---- which ------------------------------------------------------------------------------------
 */

/* The part of the stage that computes a point's values. */
static struct stage points_of(const struct stage *stage)
{
    struct stage points = *stage;
    points.kind = STAGE_CONTRIBUTION;
    points.body = stage->own_values->points;
    points.makes = 0;
    points.uses = 0;
    points.updates = 0;
    return points;
}

const struct point_values *cuda_own_values(struct emit *emit, const struct stage *stage)
{
    if (stage->own_values == NULL) {
        return NULL;
    }
    const struct stage points = points_of(stage);
    const struct body_use *use = cuda_uses_in(emit, &points);
    for (int a = 0; a < emit->loop->args; a++) {
        if (emit->loop->arg[a].kind == ARG_DAT && use[a].columns != 0 &&
            !cuda_own_has(emit, stage, emit->shape->dat_of[a])) {
            return NULL;
        }
    }
    return stage->own_values;
}

bool cuda_own_replaces(struct emit *emit, const struct stage *stage, int d)
{
    const struct point_values *values = cuda_own_values(emit, stage);
    bool replaces = false;
    for (int v = 0; values != NULL && v < values->values; v++) {
        const int a = values->value[v].place.arg;
        replaces = replaces || (a >= 0 && emit->shape->dat_of[a] == d);
    }
    return replaces;
}

/* ---- text -------------------------------------------------------------------------------------
 */

static const char *dat_label(const struct emit *emit, int a)
{
    return emit->shape->dat[emit->shape->dat_of[a]].label;
}

/* The records that the values are computed from, under the names that the trees give them. */
static void print_records(struct emit *emit, const struct stage *points, const char *whose)
{
    const struct body_use *use = cuda_uses_in(emit, points);
    bool *held = arena_alloc(emit->file->program->arena, (size_t)emit->loop->args * sizeof(*held));
    for (int a = 0; a < emit->loop->args; a++) {
        held[a] = emit->loop->arg[a].kind == ARG_DAT && use[a].columns != 0;
        for (int c = 0; held[a] && c < CLEAVE_MAX_COLUMNS; c++) {
            if ((use[a].columns >> c & 1) != 0) {
                out_line(emit->out, "const auto &%s = cleave_%s_%s;", record_name(emit, a, c),
                         whose, dat_label(emit, a));
            }
        }
    }
    emit->held = held;
}

static void print_stores(struct emit *emit, const struct point_values *values, const char *whose)
{
    for (int v = 0; v < values->values; v++) {
        const struct point_value *value = &values->value[v];
        const bool replaces = value->place.arg >= 0;
        out_line(emit->out, "cleave_%s_%s.v[%d] = %s;", whose,
                 replaces ? dat_label(emit, value->place.arg) : "values",
                 replaces ? value->place.component : value->extra, names_var(value->var, emit));
    }
}

void cuda_own_compute(struct emit *emit, const struct stage *stage, const char *whose)
{
    const struct point_values *values = cuda_own_values(emit, stage);
    if (values == NULL) {
        return;
    }
    const struct stage points = points_of(stage);
    const struct stage *before = emit->stage;
    const bool *held = emit->held;
    if (values->extras > 0) {
        out_line(emit->out, "cleave_record<%s, %d> cleave_%s_values;",
                 emit_type_name(emit, values->type), values->extras, whose);
    }
    out_line(emit->out, "{");
    emit->out->indent += 4;
    emit->stage = &points;
    print_records(emit, &points, whose);
    emit_stage_inline(emit, &points);
    print_stores(emit, values, whose);
    emit->stage = before;
    emit->held = held;
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}

void cuda_own_choose(struct emit *emit, const struct stage *stage)
{
    const struct point_values *values = cuda_own_values(emit, stage);
    const struct shape_map *map = cuda_map(emit, stage->map);
    for (int k = 0; values != NULL && k < map->columns; k++) {
        const struct var *var = values->extra[map->column[k]];
        if (var != NULL && cuda_exchanges(emit)) {
            out_line(emit->out, "const auto &%s = cleave_%s_values;", names_var(var, emit),
                     k == 0 ? "mine" : "theirs");
        } else if (var != NULL) {
            out_assign(emit->out, emit_format(emit, "const auto %s", names_var(var, emit)), "=",
                       emit_format(emit,
                                   "cleave_choose_record(cleave_column == %d, cleave_mine_values, "
                                   "cleave_theirs_values)",
                                   k));
        }
    }
}

/* ---- sides that need no choice ----------------------------------------------------------------
 */

/* What a body does with a dat's records of both points. */
struct pairs {
    const struct emit *emit;
    struct stmt *body;
    int dat;
    int used;   /* places of the dat, or variables that hold one */
    int paired; /* of these: in a sum or product with the same component of the other point */
};

struct definition {
    const struct var *var;
    const struct expr *value; /* NULL: it is no place */
    bool changes;
};

static void note_definition(struct stmt *stmt, void *user)
{
    struct definition *found = user;
    if (stmt->kind == STMT_DECL && stmt->var == found->var) {
        found->value = stmt->var->init;
    }
}

static void note_change(struct expr *expr, void *user)
{
    struct definition *found = user;
    const bool sets =
        expr->kind == EXPR_ASSIGN || (expr->kind == EXPR_UNARY && expr->unary >= UNARY_ADDRESS);
    found->changes = found->changes ||
                     (sets && expr->kid[0]->kind == EXPR_VAR && expr->kid[0]->var == found->var);
}

/* The dat's place that an expression is, or that a variable holds from its declaration on; NULL:
 * another one. */
static const struct expr *place_of(const struct pairs *pairs, const struct expr *expr)
{
    if (expr->kind == EXPR_VAR) {
        struct definition found = {.var = expr->var};
        stmt_visit(pairs->body, note_definition, note_change, &found);
        expr = found.changes ? NULL : found.value;
    }
    return expr != NULL && expr->kind == EXPR_PLACE &&
                   pairs->emit->shape->dat_of[expr->place.arg] == pairs->dat
               ? expr
               : NULL;
}

static int column_of(const struct pairs *pairs, const struct expr *expr)
{
    return place_column(&pairs->emit->loop->arg[expr->place.arg], expr->place.column);
}

static void note_pair(struct expr *expr, void *user)
{
    struct pairs *pairs = user;
    const struct expr *one = NULL;
    const struct expr *other = NULL;
    pairs->used += place_of(pairs, expr) != NULL;
    if (expr->kind == EXPR_BINARY && (expr->binary == BINARY_ADD || expr->binary == BINARY_MUL)) {
        one = place_of(pairs, expr->kid[0]);
        other = place_of(pairs, expr->kid[1]);
    }
    if (one != NULL && other != NULL && one->place.component == other->place.component &&
        column_of(pairs, one) != column_of(pairs, other)) {
        pairs->paired += 2;
    }
}

static void note_held(struct stmt *stmt, void *user)
{
    struct pairs *pairs = user;
    if (stmt->kind == STMT_DECL && stmt->var->init != NULL) {
        const struct expr held = {.kind = EXPR_VAR, .var = stmt->var};
        pairs->used -= place_of(pairs, &held) != NULL; /* where its variable is used, it counts */
    }
}

bool cuda_own_is_symmetric(struct emit *emit, const struct stage *stage, int d)
{
    struct pairs pairs = {.emit = emit, .body = stage->body, .dat = d};
    stmt_visit(stage->body, note_held, note_pair, &pairs);
    for (int u = 0; u < stage->updates; u++) {
        expr_visit(stage->update[u].value, note_pair, &pairs);
    }
    return pairs.used > 0 && pairs.used == pairs.paired;
}
