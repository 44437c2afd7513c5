/* point_values.c: splits a body into a part computed once per point and a part computed per
 * element.
 *
 * In: a GATHER stage with its body, and the operations that were chosen (point_choose.c). Out: its
 * struct point_values. Both parts are new trees: one declares the values, each under the name that
 * the user gave it where he did; in the other a value is a component of the point's record:
 *
 *   points:    r1 = 1 / q1[0];  s1 = sqrt(q1[0]);        q[0] <- s1, extra[0] <- r1
 *   elements:  r1 = point_values_0[0];  r2 = point_values_1[0];  s1 = q1[0];  s2 = q2[0];  ...
 */
#include <string.h>

#include "pass/ir/arena.h"
#include "splitter/schedule/layout.h"
#include "splitter/schedule/point_values.h"

struct split {
    struct arena *arena;
    const struct loop *loop;
    const struct stage *stage;
    struct point_ops *values;
    const bool *chosen;
    const bool *live;
    struct point_values *computed;
    struct point_value **value; /* [ops] of those chosen */
    struct var **point_var;     /* [ops] that the points' part declares; NULL: none */
    struct pointer_map renamed; /* variables of the body to these of the elements' part */
    int new_vars;
    int new_var_capacity;
    struct var **new_var;
};

/* ---- names ----------------------------------------------------------------------------------- */

struct prefix {
    const char *text;
    bool taken;
};

static void note_name(struct stmt *stmt, void *user)
{
    struct prefix *prefix = user;
    prefix->taken =
        prefix->taken || (stmt->kind == STMT_DECL &&
                          strncmp(stmt->var->name, prefix->text, strlen(prefix->text)) == 0);
}

/* "point_values_", with more underscores where the user has such names. */
static const char *free_prefix(const struct split *split, const char *text)
{
    struct prefix prefix = {text, false};
    const struct function *kernel = split->loop->kernel;
    stmt_visit(split->stage->body, note_name, NULL, &prefix);
    for (int p = 0; p < kernel->params; p++) {
        const char *name = kernel->param[p]->name;
        prefix.taken = prefix.taken || (name != NULL && strncmp(name, text, strlen(text)) == 0);
    }
    return prefix.taken ? free_prefix(split, arena_format(split->arena, "%s_", text)) : text;
}

static struct var *new_var(struct arena *arena, const char *name, const struct type *type,
                           struct expr *init)
{
    struct var *var = arena_alloc(arena, sizeof(*var));
    var->name = name;
    var->type = type;
    var->storage = STORAGE_LOCAL;
    var->index = -1;
    var->init = init;
    return var;
}

/* ---- where values go ------------------------------------------------------------------------- */

/* An argument of the group that reaches its record through a column; *place gets which. */
static bool find_place(const struct loop *loop, int group, int column, struct place *place)
{
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        bool has = arg->is_vector ? column < arg->columns : column == arg->map_index;
        if (args_share_group(loop, group, a) && has) {
            place->arg = a;
            place->column = arg->is_vector ? column : 0;
            return true;
        }
    }
    return false;
}

static bool reaches(const struct split *split, int group, unsigned columns)
{
    struct place place;
    bool all = true;
    for (int c = 0; c < POINT_COLUMNS; c++) {
        all = all && ((columns >> c & 1) == 0 || find_place(split->loop, group, c, &place));
    }
    return all;
}

/* A free place for value `op`: `own`, one that it is made of itself; -1: there is none. */
static int place_for(const struct split *split, int op, const bool *free, bool own)
{
    const struct point_ops *values = split->values;
    bool *cone = arena_alloc(values->arena, (size_t)values->ops * sizeof(*cone));
    point_ops_mark_cone(values, op, cone);
    for (int i = 0; i < values->ops; i++) {
        if (free[i] && (cone[i] || !own) && point_ops_can_replace(values, i, op) &&
            reaches(split, values->op[i].group, values->op[op].columns)) {
            return i;
        }
    }
    return -1;
}

/* Marks the nodes that the chosen values are computed from, these included. */
static bool *point_cone(const struct split *split)
{
    const struct point_ops *values = split->values;
    bool *cone = arena_alloc(values->arena, (size_t)values->ops * sizeof(*cone));
    for (int i = 0; i < values->ops; i++) {
        if (split->chosen[i]) {
            point_ops_mark_cone(values, i, cone);
        }
    }
    return cone;
}

/* Places that chosen values read and elements do not. */
static bool *free_places(const struct split *split)
{
    bool *free = point_cone(split);
    for (int i = 0; i < split->values->ops; i++) {
        free[i] = free[i] && split->values->op[i].group >= 0 && !split->live[i];
    }
    return free;
}

static void take_places(struct split *split, bool *free, bool own)
{
    for (int i = 0; i < split->values->ops; i++) {
        struct point_value *value = split->value[i];
        int at = value != NULL && value->place.arg < 0 ? place_for(split, i, free, own) : -1;
        if (at >= 0) {
            free[at] = false;
            value->place.arg = split->values->op[at].group;
            value->place.component = split->values->op[at].component;
        }
    }
}

static void place_values(struct split *split, int chosen)
{
    struct point_values *computed = split->computed;
    bool *free = free_places(split);
    computed->value = arena_alloc(split->arena, (size_t)chosen * sizeof(*computed->value));
    for (int i = 0; i < split->values->ops; i++) {
        if (split->chosen[i]) {
            split->value[i] = &computed->value[computed->values++];
            split->value[i]->place = (struct place){-1, -1, 0};
            computed->type = split->values->op[i].expr->type;
        }
    }
    take_places(split, free, true);
    take_places(split, free, false);
    for (int v = 0; v < computed->values; v++) {
        if (computed->value[v].place.arg < 0) {
            computed->value[v].extra = computed->extras++;
        }
    }
}

/* ---- the points' part ------------------------------------------------------------------------ */

/* The operation anew, with variables of this part. */
static struct expr *point_expr(const struct split *split, int i, bool whole)
{
    const struct point_op *op = &split->values->op[i];
    if (!whole && split->point_var[i] != NULL) {
        return expr_of_var(split->arena, split->point_var[i], op->expr->loc);
    }
    struct expr *expr = arena_alloc(split->arena, sizeof(*expr));
    *expr = *op->expr;
    expr->kid = arena_alloc(split->arena, (size_t)expr->kids * sizeof(struct expr *));
    for (int k = 0; k < expr->kids; k++) {
        expr->kid[k] = point_expr(split, op->kid[k], false);
    }
    return expr;
}

static void build_points(struct split *split)
{
    const struct point_ops *values = split->values;
    const char *prefix = free_prefix(split, "value_");
    struct stmt *block = stmt_new(split->arena, STMT_BLOCK, split->stage->body->loc);
    const bool *cone = point_cone(split);
    block->kid = arena_alloc(split->arena, (size_t)values->ops * sizeof(struct stmt *));
    for (int i = 0; i < values->ops; i++) {
        const struct point_op *op = &values->op[i];
        if (!split->chosen[i] && (!cone[i] || op->var == NULL)) {
            continue;
        }
        const char *name =
            op->var != NULL ? op->var->name : arena_format(split->arena, "%s%d", prefix, i);
        struct stmt *stmt = stmt_new(split->arena, STMT_DECL, op->expr->loc);
        stmt->var = new_var(split->arena, name, op->expr->type, point_expr(split, i, true));
        split->point_var[i] = stmt->var;
        block->kid[block->kids++] = stmt;
        if (split->chosen[i]) {
            split->value[i]->var = stmt->var;
        }
    }
    split->computed->points = block;
}

/* ---- the elements' part ---------------------------------------------------------------------- */

static struct expr *new_expr(struct arena *arena, const struct expr *like, enum expr_kind kind,
                             int kids)
{
    struct expr *expr = arena_alloc(arena, sizeof(*expr));
    expr->kind = kind;
    expr->type = like->type;
    expr->loc = like->loc;
    expr->kids = kids;
    expr->kid = arena_alloc(arena, (size_t)kids * sizeof(struct expr *));
    return expr;
}

/* point_values_1[0] */
static struct expr *extra_of(struct split *split, const struct expr *like, int column, int extra)
{
    static const struct type integer = {.kind = TYPE_INT, .size = sizeof(int)};
    struct point_values *computed = split->computed;
    struct expr *expr = new_expr(split->arena, like, EXPR_INDEX, 2);
    struct expr *index = new_expr(split->arena, like, EXPR_INT, 0);
    if (computed->extra[column] == NULL) {
        struct type *pointer = arena_alloc(split->arena, sizeof(*pointer));
        *pointer =
            (struct type){.kind = TYPE_POINTER, .size = sizeof(void *), .elem = computed->type};
        const char *name =
            arena_format(split->arena, "%s%d", free_prefix(split, "point_values_"), column);
        computed->extra[column] = new_var(split->arena, name, pointer, NULL);
    }
    index->type = &integer;
    index->bits = (unsigned long long)extra;
    expr->kid[0] = expr_of_var(split->arena, computed->extra[column], like->loc);
    expr->kid[1] = index;
    return expr;
}

/* A value where it is, of the point that is reached through a column. */
static struct expr *value_at(struct split *split, const struct expr *like, int op, int column)
{
    const struct point_value *value = split->value[op];
    if (value->place.arg < 0) {
        return extra_of(split, like, column, value->extra);
    }
    struct expr *expr = new_expr(split->arena, like, EXPR_PLACE, 0);
    find_place(split->loop, value->place.arg, column, &expr->place);
    expr->place.component = value->place.component;
    expr->var = split->loop->kernel->param[expr->place.arg];
    return expr;
}

static struct expr *element_expr(struct split *split, struct expr *expr)
{
    if (expr->kind == EXPR_VAR) {
        int renamed = pointer_map_get(&split->renamed, expr->var);
        return renamed >= 0 ? expr_of_var(split->arena, split->new_var[renamed], expr->loc) : expr;
    }
    struct point_ref ref = point_ref_of(split->values, expr);
    if (ref.op >= 0 && ref.columns != 0 && split->chosen[ref.op]) {
        return value_at(split, expr, ref.op, __builtin_ctz(ref.columns));
    }
    struct expr *copy = arena_alloc(split->arena, sizeof(*copy));
    *copy = *expr;
    copy->kid = arena_alloc(split->arena, (size_t)expr->kids * sizeof(struct expr *));
    for (int k = 0; k < expr->kids; k++) {
        copy->kid[k] = element_expr(split, expr->kid[k]);
    }
    return copy;
}

/* A declaration's variable is new too, since its first value is the variable's. */
static struct var *element_var(struct split *split, struct var *old)
{
    struct var *var = arena_alloc(split->arena, sizeof(*var));
    *var = *old;
    var->init = old->init != NULL ? element_expr(split, old->init) : NULL;
    split->new_var = arena_grow(split->arena, split->new_var, split->new_vars,
                                &split->new_var_capacity, sizeof(*split->new_var));
    pointer_map_set(&split->renamed, old, split->new_vars);
    split->new_var[split->new_vars++] = var;
    return var;
}

static struct stmt *element_stmt(struct split *split, const struct stmt *stmt)
{
    struct stmt *copy = arena_alloc(split->arena, sizeof(*copy));
    *copy = *stmt;
    copy->kid = arena_alloc(split->arena, (size_t)stmt->kids * sizeof(struct stmt *));
    if (stmt->kind == STMT_DECL) {
        copy->var = element_var(split, stmt->var);
    }
    for (int k = 0; k < stmt->kids; k++) {
        copy->kid[k] = element_stmt(split, stmt->kid[k]);
    }
    copy->expr = stmt->expr != NULL ? element_expr(split, stmt->expr) : NULL;
    copy->step = stmt->step != NULL ? element_expr(split, stmt->step) : NULL;
    return copy;
}

struct mention {
    const struct var *var;
    bool found;
};

static void note_mention(struct expr *expr, void *user)
{
    struct mention *mention = user;
    mention->found = mention->found || (expr->kind == EXPR_VAR && expr->var == mention->var);
}

/* Drops declarations of variables that only the values were computed from. */
static void drop_unused(struct split *split, struct stmt *block)
{
    const struct point_ops *values = split->values;
    for (int k = block->kids - 1; k >= 0; k--) {
        struct stmt *stmt = block->kid[k];
        struct mention mention = {stmt->var, false};
        for (int after = k + 1; after < block->kids && stmt->kind == STMT_DECL; after++) {
            stmt_visit(block->kid[after], NULL, note_mention, &mention);
        }
        if (stmt->kind == STMT_DECL && values->ref[k].op >= 0 && values->ref[k].columns != 0 &&
            !mention.found) {
            block->kid[k] = stmt_new(split->arena, STMT_NOTHING, stmt->loc);
        }
    }
    int kept = 0;
    for (int k = 0; k < block->kids; k++) {
        if (block->kid[k]->kind != STMT_NOTHING) {
            block->kid[kept++] = block->kid[k];
        }
    }
    block->kids = kept;
}

/* NULL: no value is worth it. */
static const struct point_values *values_for(struct arena *arena, const struct loop *loop,
                                             const struct stage *stage, enum point_way way)
{
    struct arena *scratch = arena_new();
    struct point_ops *values = point_ops_new(scratch, loop, stage);
    size_t ops = values != NULL ? (size_t)values->ops : 0;
    bool *chosen = arena_alloc(scratch, ops * sizeof(*chosen));
    bool *live = arena_alloc(scratch, ops * sizeof(*live));
    struct point_values *computed = NULL;
    int count = values != NULL ? point_ops_choose(values, way, chosen) : 0;
    if (count > 0) {
        point_ops_live(values, chosen, live);
        computed = arena_alloc(arena, sizeof(*computed));
        struct split split = {.arena = arena,
                              .loop = loop,
                              .stage = stage,
                              .values = values,
                              .chosen = chosen,
                              .live = live,
                              .computed = computed,
                              .value = arena_alloc(scratch, ops * sizeof(*split.value)),
                              .point_var = arena_alloc(scratch, ops * sizeof(*split.point_var)),
                              .renamed = pointer_map_new(scratch)};
        place_values(&split, count);
        build_points(&split);
        computed->elements = element_stmt(&split, stage->body);
        drop_unused(&split, computed->elements);
    }
    arena_free(scratch);
    return computed;
}

void point_values_find(struct arena *arena, const struct loop *loop, struct stage *stage)
{
    stage->point_values = values_for(arena, loop, stage, POINT_STAGED);
    stage->own_values = values_for(arena, loop, stage, POINT_OWN);
}
