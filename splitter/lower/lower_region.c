/* lower_region.c: loops that stay as they are. The tree is copied, with its reads replaced by
 * versions. An outer variable that it assigns becomes a variable that starts with the version
 * before the loop and is the version after it. Copying finds the assigned variables; it is repeated
 * until it finds no more.
 */
#include "splitter/lower/lower_impl.h"

struct stmts {
    int count;
    int room;
    struct stmt **stmt;
};

static void append(struct lower *lower, struct stmts *stmts, struct stmt *stmt)
{
    stmts->stmt =
        arena_grow(lower->arena, stmts->stmt, stmts->count, &stmts->room, sizeof(*stmts->stmt));
    stmts->stmt[stmts->count++] = stmt;
}

static struct stmt *block_of(struct lower *lower, const struct stmts *stmts)
{
    struct stmt *block = make_stmt(lower, STMT_BLOCK, 0);

    block->kids = stmts->count;
    block->kid = stmts->stmt;
    return block;
}

static struct stmt *copy_stmt(struct lower *lower, struct stmt *stmt);

/* ---- declarations
 * -------------------------------------------------------------------------------- */

static struct stmt *declaration(struct lower *lower, struct local *local, struct expr *init)
{
    struct stmt *decl = make_stmt(lower, STMT_DECL, 0);

    local->is_inner = true;
    local->var.init = init;
    decl->var = &local->var;
    return decl;
}

/* A subscript as it is now, kept in a variable. */
static struct expr *frozen(struct lower *lower, struct stmts *out, struct expr *index)
{
    struct local *local;

    if (index == NULL || index->kind == EXPR_INT) {
        return index;
    }
    local = lower_local(lower, "at", index->type);
    append(lower, out, declaration(lower, local, index));
    return make_var(lower, &local->var);
}

static struct expr *frozen_path(struct lower *lower, struct stmts *out, struct expr *path)
{
    if (path == NULL || path->kind == EXPR_VAR) {
        return path;
    }
    if (path->kind == EXPR_INDEX) {
        return make_index(lower, path->type, frozen_path(lower, out, path->kid[0]),
                          frozen(lower, out, path->kid[1]));
    }
    if (path->kind == EXPR_MEMBER) {
        return make_member(lower, path->type, frozen_path(lower, out, path->kid[0]), path->text);
    }
    lower_refuse(lower, "a pointer in a loop whose trip count is not known");
}

static struct location *frozen_target(struct lower *lower, struct stmts *out,
                                      const struct location *target)
{
    struct location *copy = location_new(lower, target->base, target->type);

    *copy = *target;
    copy->path = frozen_path(lower, out, target->path);
    copy->index = frozen(lower, out, target->index);
    copy->column_index = frozen(lower, out, target->column_index);
    if (target->base == BASE_EITHER) {
        copy->yes = frozen_target(lower, out, target->yes);
        copy->no = frozen_target(lower, out, target->no);
    }
    return copy;
}

/* A pointer declared in the loop keeps the target that it was declared with. */
static void declare_pointer(struct lower *lower, struct var *var, struct stmts *out)
{
    struct object *object = object_new(lower, var->name, var->type, var, ROLE_LOCAL);
    struct value value = {0};

    object_bind(lower, var, object);
    if (var->init != NULL) {
        value.target = frozen_target(lower, out, pointer_value(lower, var->init));
    }
    leaf_set(lower, object->first, value);
    for (int n = 0; n < lower->region->steps; n++) {
        struct pointer_step *step = &lower->region->step[n];

        if (step->user == var) {
            lower->leaf[object->first].changing = step->local;
            append(lower, out, declaration(lower, step->local, make_int(lower, &lower_long, 0)));
        }
    }
}

static void declare(struct lower *lower, struct var *var, struct stmts *out)
{
    struct object *object;

    if (var->type->kind == TYPE_POINTER) {
        declare_pointer(lower, var, out);
        return;
    }
    object = arena_alloc(lower->arena, sizeof(*object));
    object->name = var->name;
    object->type = var->type;
    object->leaves = type_leaves(var->type);
    object->is_inner = true;
    object->storage = lower_local(lower, var->name, var->type);
    object_bind(lower, var, object);
    append(lower, out,
           declaration(lower, object->storage,
                       var->init != NULL ? region_expr(lower, var->init) : NULL));
}

/* ---- control flow
 * ---------------------------------------------------------------------------------- */

static void find_return(struct stmt *stmt, void *user)
{
    bool *found = user;

    *found = *found || stmt->kind == STMT_RETURN;
}

static bool has_return(struct stmt *stmt)
{
    bool found = false;

    stmt_visit(stmt, find_return, NULL, &found);
    return found;
}

static struct expr *flag_lvalue(struct lower *lower)
{
    return region_leaf(lower, lower_function_frame(lower)->stopped);
}

/* result = value; returned = true; break; */
static struct stmt *copy_return(struct lower *lower, struct stmt *stmt)
{
    const struct frame *frame = lower_function_frame(lower);
    struct stmts out = {0};

    if (stmt->expr != NULL && frame->result != NULL) {
        struct expr *value;

        if (frame->result->type->kind == TYPE_POINTER) {
            lower_refuse(lower, "a pointer returned from a loop whose trip count is not known");
        }
        value = region_expr(lower, stmt->expr);
        append(lower, &out,
               make_expr_stmt(
                   lower,
                   make_assign(lower, region_lvalue(lower, location_object(lower, frame->result)),
                               value)));
    }
    append(lower, &out,
           make_expr_stmt(lower, make_assign(lower, flag_lvalue(lower), make_bool(lower, true))));
    append(lower, &out, make_stmt(lower, STMT_BREAK, 0));
    return block_of(lower, &out);
}

/* Behind an inner loop that may have returned: if (returned) break; */
static void append_break(struct lower *lower, struct stmts *out)
{
    struct stmt *check = make_stmt(lower, STMT_IF, 1);

    check->expr = flag_lvalue(lower);
    check->kid[0] = make_stmt(lower, STMT_BLOCK, 1);
    check->kid[0]->kid[0] = make_stmt(lower, STMT_BREAK, 0);
    append(lower, out, check);
}

static struct stmt *copy_start(struct lower *lower, struct stmt *start)
{
    struct stmts out = {0};

    if (start->kind == STMT_EXPR) {
        return make_expr_stmt(lower, region_expr(lower, start->expr));
    }
    if (start->kind == STMT_DECL) {
        declare(lower, start->var, &out);
        if (out.count != 1) {
            lower_refuse(lower, "a pointer that a loop of unknown trip count counts with");
        }
        return out.stmt[0];
    }
    for (int k = 0; k < start->kids; k++) {
        declare(lower, start->kid[k]->var, &out);
    }
    return start->kind == STMT_BLOCK ? block_of(lower, &out) : make_stmt(lower, STMT_NOTHING, 0);
}

static struct stmt *copy_loop(struct lower *lower, struct stmt *stmt)
{
    struct stmt *copy = make_stmt(lower, stmt->kind, stmt->kids);

    lower->region->loops++;
    if (stmt->kind == STMT_FOR) {
        copy->kid[0] = copy_start(lower, stmt->kid[0]);
    }
    if (stmt->kind != STMT_DO && stmt->expr != NULL) {
        copy->expr = lower_value(lower, stmt->expr);
    }
    copy->kid[stmt->kids - 1] = copy_stmt(lower, stmt->kid[stmt->kids - 1]);
    if (stmt->kind == STMT_DO) {
        copy->expr = lower_value(lower, stmt->expr);
    }
    if (stmt->step != NULL) {
        copy->step = region_expr(lower, stmt->step);
    }
    lower->region->loops--;
    return copy;
}

static struct stmt *copy_switch(struct lower *lower, struct stmt *stmt)
{
    struct stmt *copy = make_stmt(lower, STMT_SWITCH, 1);

    lower->region->loops++;
    copy->expr = lower_value(lower, stmt->expr);
    copy->kid[0] = copy_stmt(lower, stmt->kid[0]);
    lower->region->loops--;
    return copy;
}

static struct stmt *copy_if(struct lower *lower, struct stmt *stmt)
{
    struct stmt *copy = lower->has_extrema ? extremum_region_if(lower, stmt) : NULL;
    struct expr *condition;
    bool truth;

    if (copy != NULL) {
        return copy;
    }
    condition = lower_value(lower, stmt->expr);
    if (expr_truth(condition, &truth)) {
        return truth || stmt->kids == 2 ? copy_stmt(lower, stmt->kid[truth ? 0 : 1])
                                        : make_stmt(lower, STMT_NOTHING, 0);
    }
    copy = make_stmt(lower, STMT_IF, stmt->kids);
    copy->expr = condition;
    for (int k = 0; k < stmt->kids; k++) {
        copy->kid[k] = copy_stmt(lower, stmt->kid[k]);
    }
    return copy;
}

/* One statement of a block; a declaration may become several. */
static void copy_into(struct lower *lower, struct stmt *stmt, struct stmts *out)
{
    bool leaves = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO ||
                  stmt->kind == STMT_SWITCH;

    if (stmt->kind == STMT_DECL) {
        lower->loc = stmt->loc;
        declare(lower, stmt->var, out);
        return;
    }
    append(lower, out, copy_stmt(lower, stmt));
    if (leaves && lower->region->loops > 0 && has_return(stmt)) {
        append_break(lower, out);
    }
}

static struct stmt *copy_stmt(struct lower *lower, struct stmt *stmt)
{
    struct stmts out = {0};
    struct stmt *copy;

    lower->loc = stmt->loc;
    switch (stmt->kind) {
    case STMT_EXPR:
        return make_expr_stmt(lower, region_expr(lower, stmt->expr));
    case STMT_BLOCK:
        for (int k = 0; k < stmt->kids; k++) {
            copy_into(lower, stmt->kid[k], &out);
        }
        return block_of(lower, &out);
    case STMT_IF:
        return copy_if(lower, stmt);
    case STMT_FOR:
    case STMT_WHILE:
    case STMT_DO:
    case STMT_SWITCH:
        if (lower->region->loops > 0 && has_return(stmt)) {
            append(lower, &out,
                   stmt->kind == STMT_SWITCH ? copy_switch(lower, stmt) : copy_loop(lower, stmt));
            append_break(lower, &out);
            return block_of(lower, &out);
        }
        return stmt->kind == STMT_SWITCH ? copy_switch(lower, stmt) : copy_loop(lower, stmt);
    case STMT_RETURN:
        return copy_return(lower, stmt);
    case STMT_DECL:
        declare(lower, stmt->var, &out);
        return block_of(lower, &out);
    case STMT_CASE:
        copy = make_stmt(lower, STMT_CASE, 0);
        copy->expr = stmt->expr;
        copy->step = stmt->step;
        return copy;
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_NOTHING:
        break;
    }
    return make_stmt(lower, stmt->kind, 0);
}

/* ---- the region
 * -------------------------------------------------------------------------------------- */

/* Variables that the loop assigns start with their values from before the loop. */
static void append_starts(struct lower *lower, const struct region *region, struct stmts *out)
{
    for (int n = 0; n < region->changing; n++) {
        const struct leaf *leaf = &lower->leaf[region->leaf[n]];
        struct expr *start = leaf->value.atom;

        if (leaf->type->kind == TYPE_POINTER) {
            start = make_int(lower, &lower_long, 0);
        }
        if (start == NULL && leaf->role != ROLE_LOCAL) {
            start = leaf_default(lower, leaf);
        }
        if (start != NULL) {
            append(lower, out,
                   make_expr_stmt(
                       lower, make_assign(lower, make_var(lower, &leaf->changing->var), start)));
        }
    }
}

static void emit(struct lower *lower, const struct region *region, struct stmt *tree)
{
    int defines = region->changing + region->sets;
    struct local **define =
        arena_alloc(lower->arena, (size_t)(defines + 1) * sizeof(struct local *));
    struct stmts out = {0};

    for (int n = 0; n < region->changing; n++) {
        define[n] = lower->leaf[region->leaf[n]].changing;
    }
    for (int n = 0; n < region->sets; n++) {
        define[region->changing + n] = region->set[n];
    }
    append_starts(lower, region, &out);
    append(lower, &out, tree);
    node_stmt(lower, NODE_REGION, out.count == 1 ? tree : block_of(lower, &out), defines, define);
}

static void finish(struct lower *lower, const struct region *region)
{
    for (int n = 0; n < region->changing; n++) {
        struct leaf *leaf = &lower->leaf[region->leaf[n]];
        struct local *local = leaf->changing;
        struct value value = {0};

        leaf->changing = NULL;
        if (leaf->value.target != NULL) {
            value.target =
                location_move(lower, leaf->value.target, make_var(lower, &local->var), false);
        } else {
            value.atom = make_var(lower, &local->var);
        }
        leaf_set(lower, region->leaf[n], value);
    }
    for (int a = 0; region->is_once && a < lower->loop->args; a++) {
        if (lower->cache[a] != NULL) {
            memory_forget(lower, a, -1, -1);
        }
    }
}

void lower_region(struct lower *lower, struct stmt *stmt)
{
    struct region region = {0};
    struct loc loc = stmt->loc;
    struct stmt *tree;

    lower->region = &region;
    do {
        region.found = false;
        region.sets = 0;
        region.first_leaf = lower->leaves;
        tree = copy_stmt(lower, stmt);
    } while (region.found);
    lower->loc = loc;
    emit(lower, &region, tree);
    lower->region = NULL;
    finish(lower, &region);
}
