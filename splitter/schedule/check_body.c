/* check_body.c: checks that bodies read every value only after it is set or staged.
 *
 * The bodies of a schedule are walked in order. Rules: a statement runs under the conditions that
 * its node has; a variable is declared in the block or lives across stages, and is set before it is
 * read; a stage makes and uses the variables that it lists; a place that is read through a map is
 * staged in that stage, and every staged component is read. For a kernel called whole: everything
 * that it may read is staged with it.
 */
#include "pass/ir/arena.h"
#include "splitter/schedule/check_impl.h"

/* Facts about a variable while bodies are walked, as bits. */
enum {
    VAR_CROSSING = 1, /* lives across stages */
    VAR_DECLARED = 2, /* in an enclosing block */
    VAR_MADE = 4,     /* set by an earlier stage */
    VAR_SET = 8,      /* set in this stage */
    VAR_USED = 16,    /* read in this stage as an earlier one left it */
    VAR_MET = 32      /* named in this stage */
};

struct walk {
    struct check *check;
    struct occurrences occurrences;
    struct pointer_map vars; /* bits by variable */
    int declared;
    int declared_capacity;
    struct var **declared_var; /* in blocks that are open, in order */
    bool **read;               /* [args][components]: staged places that the stage reads */
    bool *own;                 /* [nodes]: the stage declares the VALUE's variable */
};

static int bits_of(const struct walk *walk, const struct var *var)
{
    int bits = pointer_map_get(&walk->vars, var);
    return bits < 0 ? 0 : bits;
}

static void bits_set(struct walk *walk, const struct var *var, int bits)
{
    pointer_map_set(&walk->vars, var, bits_of(walk, var) | bits);
}

static void bits_clear(struct walk *walk, const struct var *var, int bits)
{
    pointer_map_set(&walk->vars, var, bits_of(walk, var) & ~bits);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Component -1: all of them. */
static void read_argument(struct walk *walk, int a, int component)
{
    struct check *check = walk->check;
    const struct loop *loop = check->loop;
    const struct stage *stage = checked_stage(check);
    if (a < 0 || a >= loop->args) {
        broken(check, "the body names argument %d, which does not exist", a);
        return;
    }
    if (arg_is_updated(loop, a)) {
        broken(check, "the body names %s, which only updates may", loop->arg[a].dat_text);
    }
    bool staged = stage->kind == STAGE_WHOLE || check->schedule->kind == SCHEDULE_SPLIT ||
                  check->schedule->kind == SCHEDULE_LOOPS;
    if (check->whole || !staged || !arg_is_staged(loop, a)) {
        return;
    }
    const struct transfer *in = stage_transfer(loop, stage, TRANSFER_IN, a);
    for (int c = 0; c < loop->arg[a].dim; c++) {
        if (component >= 0 && component != c) {
            continue;
        }
        if (in == NULL || transfer_slot(in, c) < 0) {
            broken(check, "component %d of %s is read and not staged", c, loop->arg[a].dat_text);
            return;
        }
        walk->read[in->arg][c] = true;
    }
}

/* Data that is staged in must be read. */
static void check_inputs(struct walk *walk)
{
    struct check *check = walk->check;
    const struct stage *stage = checked_stage(check);
    for (int t = 0; t < stage->transfers; t++) {
        const struct transfer *transfer = &stage->transfer[t];
        for (int i = 0; transfer->kind == TRANSFER_IN && i < transfer->components; i++) {
            if (!walk->read[transfer->arg][transfer->component[i]]) {
                broken(check, "component %d of %s is staged and not read", transfer->component[i],
                       check->loop->arg[transfer->arg].dat_text);
            }
        }
    }
}

/* ---- expressions ----------------------------------------------------------------------------- */

static void read_var(struct walk *walk, const struct expr *expr)
{
    struct check *check = walk->check;
    const struct var *var = expr->var;
    int bits = bits_of(walk, var);
    if (var->storage == STORAGE_PARAM) {
        read_argument(walk, var->index, -1);
        return;
    }
    if (var->storage != STORAGE_LOCAL) {
        return;
    }
    bool whole = var->type->kind != TYPE_ARRAY; /* an array may be set in parts, in any order */
    if ((bits & (VAR_DECLARED | VAR_CROSSING)) == 0) {
        broken(check, "'%s' is read and not declared", var->name);
    } else if ((bits & (VAR_SET | VAR_MADE)) == 0 && whole) {
        broken(check, "'%s' is read before it is set", var->name);
    }
    bool earlier = (bits & (VAR_SET | VAR_DECLARED)) == 0 && (bits & VAR_MADE) != 0;
    bits_set(walk, var, VAR_MET | (earlier && whole ? VAR_USED : 0));
}

static void set_var(struct walk *walk, const struct expr *expr)
{
    const struct var *var = expr->var;
    if (var->storage != STORAGE_LOCAL) {
        read_var(walk, expr);
        return;
    }
    if ((bits_of(walk, var) & (VAR_DECLARED | VAR_CROSSING)) == 0) {
        broken(walk->check, "'%s' is set and not declared", var->name);
    }
    bits_set(walk, var, VAR_MET | VAR_SET);
}

static void walk_expr(struct walk *walk, const struct expr *expr);

/* An expression that is stored to, or whose address is taken; its subscripts are read. */
static void walk_target(struct walk *walk, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_VAR:
        set_var(walk, expr);
        break;
    case EXPR_INDEX:
        walk_target(walk, expr->kid[0]);
        walk_expr(walk, expr->kid[1]);
        break;
    case EXPR_MEMBER:
    case EXPR_CAST:
        walk_target(walk, expr->kid[0]);
        break;
    default:
        walk_expr(walk, expr);
        break;
    }
}

static bool sets_kid(const struct expr *expr)
{
    return expr->kind == EXPR_ASSIGN ||
           (expr->kind == EXPR_UNARY &&
            (expr->unary == UNARY_ADDRESS || expr->unary == UNARY_PRE_INC ||
             expr->unary == UNARY_PRE_DEC || expr->unary == UNARY_POST_INC ||
             expr->unary == UNARY_POST_DEC));
}

static void walk_expr(struct walk *walk, const struct expr *expr)
{
    if (expr == NULL) {
        return;
    }
    if (expr->kind == EXPR_PLACE) {
        read_argument(walk, expr->place.arg, expr->place.component);
        return;
    }
    if (expr->kind == EXPR_VAR) {
        read_var(walk, expr);
        return;
    }
    bool sets = sets_kid(expr);
    bool reads_too =
        sets && (expr->kind == EXPR_ASSIGN ? expr->compound : expr->unary != UNARY_ADDRESS);
    for (int k = expr->kids - 1; k >= 0; k--) { /* the value of an assignment before its target */
        if (k > 0 || !sets || reads_too) {
            walk_expr(walk, expr->kid[k]);
        }
        if (k == 0 && sets) {
            walk_target(walk, expr->kid[0]);
        }
    }
}

/* ---- statements ------------------------------------------------------------------------------ */

static void walk_stmt(struct walk *walk, const struct stmt *stmt, const struct guard *guard,
                      bool in_node);
static void walk_block(struct walk *walk, const struct stmt *block, const struct guard *guard,
                       bool in_node);

static void declare(struct walk *walk, const struct stmt *stmt)
{
    struct var *var = stmt->var;
    if ((bits_of(walk, var) & VAR_CROSSING) != 0) {
        broken(walk->check, "'%s' lives across stages and is declared in one", var->name);
    }
    int node = pointer_map_get(&walk->occurrences.value, var);
    if (node >= 0) {
        walk->own[node] = true;
    }
    bool set = var->init != NULL || var->type->kind == TYPE_RECORD;
    walk_expr(walk, var->init);
    walk->declared_var = arena_grow(walk->check->arena, walk->declared_var, walk->declared,
                                    &walk->declared_capacity, sizeof(struct var *));
    walk->declared_var[walk->declared++] = var;
    bits_clear(walk, var, VAR_SET);
    bits_set(walk, var, VAR_DECLARED | (set ? VAR_SET : 0));
}

static void close_block(struct walk *walk, int declared)
{
    while (walk->declared > declared) {
        bits_clear(walk, walk->declared_var[--walk->declared], VAR_DECLARED | VAR_SET);
    }
}

/* An if that stands for guards: its branches run under its condition. */
static void walk_guard(struct walk *walk, const struct stmt *stmt, const struct guard *guard)
{
    const struct expr *condition = stmt->expr;
    bool when = condition->kind != EXPR_UNARY;
    const struct expr *name = when ? condition : condition->kid[0];
    int node = name->kind == EXPR_VAR ? pointer_map_get(&walk->occurrences.value, name->var) : -1;
    if (node < 0) {
        broken(walk->check, "an if has no condition of the graph");
        return;
    }
    walk_expr(walk, condition);
    for (int k = 0; k < stmt->kids; k++) {
        struct guard inner = {node, k == 0 ? when : !when, guard};
        walk_block(walk, stmt->kid[k], &inner, false);
    }
}

/* A statement of a node, with all that is in it. */
static void walk_parts(struct walk *walk, const struct stmt *stmt, const struct guard *guard)
{
    int declared = walk->declared;
    if (stmt->kind == STMT_FOR && stmt->kid[0]->kind == STMT_BLOCK) {
        for (int k = 0; k < stmt->kid[0]->kids; k++) { /* its variables live as long as the loop */
            walk_stmt(walk, stmt->kid[0]->kid[k], guard, true);
        }
    } else if (stmt->kind == STMT_FOR) {
        walk_stmt(walk, stmt->kid[0], guard, true);
    }
    if (stmt->kind != STMT_DO) {
        walk_expr(walk, stmt->expr);
    }
    for (int k = stmt->kind == STMT_FOR; k < stmt->kids; k++) {
        walk_stmt(walk, stmt->kid[k], guard, true);
    }
    if (stmt->kind == STMT_DO) { /* its body runs before its condition */
        walk_expr(walk, stmt->expr);
    }
    walk_expr(walk, stmt->step);
    close_block(walk, declared);
}

static void walk_block(struct walk *walk, const struct stmt *block, const struct guard *guard,
                       bool in_node)
{
    int declared = walk->declared;
    for (int k = 0; k < block->kids; k++) {
        walk_stmt(walk, block->kid[k], guard, in_node);
    }
    close_block(walk, declared);
}

/* A statement that a node's own statement holds. */
static void walk_inside(struct walk *walk, const struct stmt *stmt, const struct guard *guard)
{
    if (stmt->kind == STMT_DECL) {
        declare(walk, stmt);
    } else if (stmt->kind == STMT_BLOCK) {
        walk_block(walk, stmt, guard, true);
    } else {
        walk_parts(walk, stmt, guard);
    }
}

static void walk_stmt(struct walk *walk, const struct stmt *stmt, const struct guard *guard,
                      bool in_node)
{
    struct occurrence met = {.node = -1, .select = -1};
    if (!in_node) {
        met = occurrences_find(walk->check, &walk->occurrences, stmt, guard);
    }
    if (in_node || met.node >= 0) {
        if (met.node >= 0 && !guards_equal(met.guard, guard)) {
            broken(walk->check, "node %d (line %d) runs under other conditions", met.node,
                   stmt->loc.line);
        }
        occurrences_add(walk->check, &walk->occurrences, &met);
        walk_inside(walk, stmt, guard);
    } else if (stmt->kind == STMT_DECL) {
        declare(walk, stmt);
    } else if (stmt->kind == STMT_IF) {
        walk_guard(walk, stmt, guard);
    } else {
        broken(walk->check, "a statement (line %d) belongs to no node", stmt->loc.line);
    }
}

/* ---- stages ---------------------------------------------------------------------------------- */

static bool has_var(int vars, struct var *const *list, const struct var *var)
{
    for (int v = 0; v < vars; v++) {
        if (list[v] == var) {
            return true;
        }
    }
    return false;
}

static void check_update_vars(struct walk *walk)
{
    const struct stage *stage = checked_stage(walk->check);
    for (int u = 0; u < stage->updates; u++) {
        const struct expr *value = stage->update[u].value;
        if (value == NULL || value->kind != EXPR_VAR || value->var->storage != STORAGE_LOCAL) {
            continue;
        }
        int bits = bits_of(walk, value->var);
        if ((bits & VAR_CROSSING) == 0 || (bits & (VAR_SET | VAR_MADE)) == 0) {
            broken(walk->check, "an update takes '%s', which is not made", value->var->name);
        }
        bits_set(walk, value->var, VAR_MET | ((bits & VAR_SET) == 0 ? VAR_USED : 0));
    }
}

/* A stage must make and use exactly the values that it lists. */
static void check_makes_and_uses(struct walk *walk)
{
    struct check *check = walk->check;
    const struct stage *stage = checked_stage(check);
    for (int v = 0; v < check->schedule->crossings; v++) {
        const struct var *var = check->schedule->crossing[v];
        int bits = bits_of(walk, var);
        bool made = has_var(stage->makes, stage->make, var);
        bool used = has_var(stage->uses, stage->use, var);
        if (made != ((bits & VAR_SET) != 0)) {
            broken(check,
                   made ? "it says that it makes '%s', and does not"
                        : "it makes '%s' and does not say so",
                   var->name);
        }
        if (used && ((bits & VAR_MET) == 0 || (bits & VAR_MADE) == 0)) {
            broken(check, "it says that it uses '%s', and does not", var->name);
        }
        if (!used && (bits & VAR_USED) != 0) {
            broken(check, "it uses '%s' and does not say so", var->name);
        }
    }
}

/* Variables that the stage set are visible to later stages, except in an owner gather, whose stages
 * are separate loops. */
static void leave_stage(struct walk *walk)
{
    const struct schedule *schedule = walk->check->schedule;
    bool stays = schedule->kind != SCHEDULE_OWNER_GATHER;
    for (int v = 0; v < schedule->crossings; v++) {
        const struct var *var = schedule->crossing[v];
        bool made = stays && (bits_of(walk, var) & VAR_SET) != 0;
        bits_clear(walk, var, VAR_SET | VAR_USED | VAR_MET);
        bits_set(walk, var, made ? VAR_MADE : 0);
    }
}

static void check_stage_body(struct walk *walk)
{
    struct check *check = walk->check;
    const struct loop *loop = check->loop;
    walk->own = arena_alloc(check->arena, (size_t)loop->graph->nodes * sizeof(bool));
    walk->read = arena_alloc(check->arena, (size_t)loop->args * sizeof(bool *));
    for (int a = 0; a < loop->args; a++) {
        int dim = loop->arg[a].dim > 0 ? loop->arg[a].dim : 0;
        walk->read[a] = arena_alloc(check->arena, (size_t)dim * sizeof(bool));
    }
    if (checked_stage(check)->body != NULL) {
        walk_block(walk, checked_stage(check)->body, NULL, false);
        occurrences_leave_stage(check, &walk->occurrences, walk->own);
        check_inputs(walk);
    }
    check_update_vars(walk);
    check_makes_and_uses(walk);
    leave_stage(walk);
}

/* ---- schedules ------------------------------------------------------------------------------- */

/* tmp(e) consists of the values that updates take. Its bytes and those of all crossing values must
 * be counted. */
static void check_totals(struct check *check, struct walk *walk)
{
    const struct schedule *schedule = check->schedule;
    size_t crossing_bytes = 0;
    size_t tmp_bytes = 0;
    int tmp_values = 0;
    for (int v = 0; v < schedule->crossings; v++) {
        crossing_bytes += schedule->crossing[v]->type->size;
    }
    for (int s = 0; s < schedule->stages; s++) {
        const struct stage *stage = &schedule->stage[s];
        for (int u = 0; u < stage->updates; u++) {
            const struct expr *value = stage->update[u].value;
            bool local =
                value != NULL && value->kind == EXPR_VAR && value->var->storage == STORAGE_LOCAL;
            if (local && (bits_of(walk, value->var) & VAR_USED) == 0) {
                bits_set(walk, value->var, VAR_USED);
                tmp_bytes += value->var->type->size;
                tmp_values++;
            }
        }
    }
    if (tmp_values != schedule->tmp_values || tmp_bytes != schedule->tmp_bytes ||
        crossing_bytes != schedule->crossing_bytes) {
        broken(check, "tmp(e) or what crosses is not counted right");
    }
}

/* Every component that a kernel called whole may read is staged with it. */
static void check_whole(struct check *check)
{
    const struct loop *loop = check->loop;
    const struct schedule *schedule = check->schedule;
    for (int a = 0; a < loop->args; a++) {
        if (!arg_is_staged(loop, a)) {
            continue;
        }
        const struct transfer *in = stage_transfer(loop, &schedule->stage[0], TRANSFER_IN, a);
        if (in == NULL || in->components != loop->arg[a].dim) {
            broken(check, "%s may be read and is not staged", loop->arg[a].dat_text);
        }
    }
    int updates = 0;
    for (int s = 0; s < schedule->stages; s++) {
        updates += schedule->stage[s].updates;
    }
    if (updates != schedule->tmp_values || schedule->crossings != 0) {
        broken(check, "tmp(e) or what crosses is not counted right");
    }
}

void check_bodies(struct check *check)
{
    const struct schedule *schedule = check->schedule;
    if (check->loop->graph == NULL) {
        check_whole(check);
        return;
    }
    struct walk walk = {.check = check,
                        .occurrences = occurrences_new(check),
                        .vars = pointer_map_new(check->arena)};
    for (int v = 0; v < schedule->crossings; v++) {
        bits_set(&walk, schedule->crossing[v], VAR_CROSSING);
    }
    for (check->stage = 0; check->stage < schedule->stages && check->error == NULL;) {
        check_stage_body(&walk);
        check->stage++;
    }
    check->stage = -1;
    if (check->error == NULL) {
        occurrences_check(check, &walk.occurrences);
        check_totals(check, &walk);
    }
}
