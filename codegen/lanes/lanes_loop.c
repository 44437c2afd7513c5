/* lanes_loop.c: loops whose trip count is not known when compiling, in the one form that has
 * vectors.
 *
 *   for (int k = 0; k < n; k++) {          int k = 0;
 *       s += x / k;                        bool looping = true;
 *       if (s > most) {                    while (looping) {
 *           break;                             if (looping) { looping = k < n; }
 *       }                                      if (looping) {
 *       s *= 0.5;                                  s = s + x / k;
 *   }                                              if (s > most) { looping = false; }
 *                                                  if (looping) { s = s * 0.5; }
 *                                                  if (looping) { k = k + 1; }
 *                                              }
 *                                          }
 *
 * If `looping` differs between lanes it is a mask, and the loop runs until no lane is on.
 * `continue` sets a variable of its own, which each trip clears.
 */
#include "codegen/lanes/lanes_impl.h"

/* The loop whose body is being copied. */
struct loop_form {
    struct loop_form *outer;
    struct var *looping;
    struct var *skipping; /* NULL: no `continue` */
};

struct rewrite {
    struct lanes *lanes;
    struct loop_form *loop;
    const char *reason;
    struct loc loc;
};

static const struct type type_bool = {.kind = TYPE_BOOL, .size = sizeof(bool)};

static void rewrite_into(struct rewrite *rewrite, struct lane_list *list, struct stmt *stmt);

static void refuse(struct rewrite *rewrite, struct loc loc, const char *reason)
{
    if (rewrite->reason == NULL) {
        rewrite->reason = reason;
        rewrite->loc = loc;
    }
}

/* ---- expressions ---------------------------------------------------------------------------- */

static struct expr *truth(struct lanes *lanes, bool value)
{
    struct expr *expr = lanes_new_expr(lanes, EXPR_INT, &type_bool, 0);
    expr->bits = value;
    return expr;
}

static struct expr *binary(struct lanes *lanes, enum binary_op op, const struct type *type,
                           struct expr *left, struct expr *right)
{
    struct expr *expr = lanes_new_expr(lanes, EXPR_BINARY, type, 2);
    expr->binary = op;
    expr->kid[0] = left;
    expr->kid[1] = right;
    return expr;
}

static struct expr *one(struct lanes *lanes, const struct type *type)
{
    struct expr *expr =
        lanes_new_expr(lanes, type_is_floating(type) ? EXPR_FLOAT : EXPR_INT, type, 0);
    expr->bits = 1;
    expr->value = 1;
    return expr;
}

/* x++, --x and their kind */
static bool is_step(const struct expr *expr)
{
    return expr->kind == EXPR_UNARY && expr->unary >= UNARY_PRE_INC;
}

static bool is_local(const struct expr *expr)
{
    return expr->kind == EXPR_VAR && expr->var->storage == STORAGE_LOCAL;
}

/* Appends x++, x *= 2 or x = 2 of a variable as an assignment that is not compound. */
static void assign_into(struct rewrite *rewrite, struct lane_list *list, struct expr *expr)
{
    struct lanes *lanes = rewrite->lanes;
    if (is_step(expr) && is_local(expr->kid[0]) && expr->kid[0]->var->type->size >= sizeof(int) &&
        (type_is_integer(expr->type) || type_is_floating(expr->type))) {
        struct var *var = expr->kid[0]->var;
        bool adds = expr->unary == UNARY_PRE_INC || expr->unary == UNARY_POST_INC;
        lanes_assign(list, var,
                     binary(lanes, adds ? BINARY_ADD : BINARY_SUB, var->type,
                            lanes_read_of(lanes, var), one(lanes, var->type)));
    } else if (expr->kind == EXPR_ASSIGN && expr->compound && is_local(expr->kid[0])) {
        struct var *var = expr->kid[0]->var;
        struct expr *value =
            binary(lanes, expr->binary, expr->compute,
                   lanes_cast_to(lanes, expr->compute, lanes_read_of(lanes, var)), expr->kid[1]);
        lanes_assign(list, var, lanes_cast_to(lanes, var->type, value));
    } else if (expr->kind == EXPR_ASSIGN) {
        lanes_add(list, STMT_EXPR, expr->loc)->expr = expr;
    } else {
        refuse(rewrite, expr->loc, "it is more than assignments of numbers");
    }
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* A jump out of this statement, or to the end of the trip; inner loops have jumps of their own. */
static bool jumps(const struct stmt *stmt, enum stmt_kind kind)
{
    bool found = stmt->kind == kind;
    bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO;
    for (int k = 0; k < stmt->kids && !found && !is_loop; k++) {
        found = jumps(stmt->kid[k], kind);
    }
    return found;
}

/* Appends the block's statements from `first` on in an if: they run where no jump was taken. */
static void rest_into(struct rewrite *rewrite, struct lane_list *list, struct stmt *block,
                      int first)
{
    struct lanes *lanes = rewrite->lanes;
    struct loop_form *loop = rewrite->loop;
    struct lane_list rest = {.lanes = lanes};
    struct expr *runs = lanes_read_of(lanes, loop->looping);
    for (int k = first; k < block->kids; k++) {
        rewrite_into(rewrite, &rest, block->kid[k]);
        if (k + 1 < block->kids &&
            (jumps(block->kid[k], STMT_BREAK) || jumps(block->kid[k], STMT_CONTINUE))) {
            rest_into(rewrite, &rest, block, k + 1);
            break;
        }
    }
    if (loop->skipping != NULL) {
        runs = binary(lanes, BINARY_LAND, &type_bool, runs,
                      lanes_not_of(lanes, lanes_read_of(lanes, loop->skipping)));
    }
    struct stmt *guard = lanes_add(list, STMT_IF, block->loc);
    guard->expr = runs;
    guard->kids = 1;
    guard->kid = arena_alloc(lanes->arena, sizeof(struct stmt *));
    guard->kid[0] = lanes_block_of(&rest);
}

static void block_into(struct rewrite *rewrite, struct lane_list *list, struct stmt *block)
{
    for (int k = 0; k < block->kids; k++) {
        rewrite_into(rewrite, list, block->kid[k]);
        bool left = jumps(block->kid[k], STMT_BREAK) || jumps(block->kid[k], STMT_CONTINUE);
        if (left && k + 1 < block->kids && rewrite->loop != NULL) {
            rest_into(rewrite, list, block, k + 1);
            return;
        }
    }
}

static struct stmt *block_of(struct rewrite *rewrite, struct stmt *block)
{
    struct lane_list list = {.lanes = rewrite->lanes};
    if (block->kind == STMT_BLOCK) {
        block_into(rewrite, &list, block);
    } else {
        rewrite_into(rewrite, &list, block);
    }
    return lanes_block_of(&list);
}

/* Appends if (looping) { ... } of the inner statements. */
static void guard_into(struct rewrite *rewrite, struct lane_list *list, struct lane_list *inner,
                       struct loc loc)
{
    struct lanes *lanes = rewrite->lanes;
    struct stmt *guard = lanes_add(list, STMT_IF, loc);
    guard->expr = lanes_read_of(lanes, rewrite->loop->looping);
    guard->kids = 1;
    guard->kid = arena_alloc(lanes->arena, sizeof(struct stmt *));
    guard->kid[0] = lanes_block_of(inner);
}

static void test_into(struct rewrite *rewrite, struct lane_list *list, struct stmt *stmt)
{
    struct lane_list inner = {.lanes = rewrite->lanes};
    if (stmt->expr != NULL) {
        lanes_assign(&inner, rewrite->loop->looping,
                     lanes_cast_to(rewrite->lanes, &type_bool, stmt->expr));
        guard_into(rewrite, list, &inner, stmt->loc);
    }
}

static void body_into(struct rewrite *rewrite, struct lane_list *list, struct stmt *stmt)
{
    struct lanes *lanes = rewrite->lanes;
    struct lane_list inner = {.lanes = lanes};
    struct stmt *body = stmt->kid[stmt->kids - 1];
    if (jumps(body, STMT_CONTINUE)) {
        rewrite->loop->skipping =
            lanes_declare(&inner, "skipping", &type_bool, truth(lanes, false), stmt->loc);
    }
    *lanes_add(&inner, STMT_BLOCK, stmt->loc) = *block_of(rewrite, body);
    if (stmt->step != NULL) {
        struct lane_list step = {.lanes = lanes};
        assign_into(rewrite, &step, stmt->step);
        guard_into(rewrite, &inner, &step, stmt->loc);
    }
    guard_into(rewrite, list, &inner, stmt->loc);
}

static void loop_into(struct rewrite *rewrite, struct lane_list *list, struct stmt *stmt)
{
    struct lanes *lanes = rewrite->lanes;
    struct loop_form loop = {.outer = rewrite->loop};
    struct lane_list outer = {.lanes = lanes};
    struct lane_list trip = {.lanes = lanes};
    if (stmt->kind == STMT_FOR) {
        rewrite_into(rewrite, &outer, stmt->kid[0]);
    }
    loop.looping = lanes_declare(&outer, "looping", &type_bool, truth(lanes, true), stmt->loc);
    rewrite->loop = &loop;
    if (stmt->kind == STMT_DO) {
        body_into(rewrite, &trip, stmt);
        test_into(rewrite, &trip, stmt);
    } else {
        test_into(rewrite, &trip, stmt);
        body_into(rewrite, &trip, stmt);
    }
    rewrite->loop = loop.outer;
    struct stmt *form = lanes_add(&outer, STMT_WHILE, stmt->loc);
    form->expr = lanes_read_of(lanes, loop.looping);
    form->kids = 1;
    form->kid = arena_alloc(lanes->arena, sizeof(struct stmt *));
    form->kid[0] = lanes_block_of(&trip);
    *lanes_add(list, STMT_BLOCK, stmt->loc) = *lanes_block_of(&outer);
}

/* ---- statements ----------------------------------------------------------------------------- */

static void rewrite_if(struct rewrite *rewrite, struct lane_list *list, struct stmt *stmt)
{
    struct stmt *copy = lanes_add(list, STMT_IF, stmt->loc);
    copy->expr = stmt->expr;
    copy->kids = stmt->kids;
    copy->kid = arena_alloc(rewrite->lanes->arena, (size_t)stmt->kids * sizeof(struct stmt *));
    for (int k = 0; k < stmt->kids; k++) {
        copy->kid[k] = block_of(rewrite, stmt->kid[k]);
    }
}

static void rewrite_into(struct rewrite *rewrite, struct lane_list *list, struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_FOR:
    case STMT_WHILE:
    case STMT_DO:
        loop_into(rewrite, list, stmt);
        break;
    case STMT_IF:
        rewrite_if(rewrite, list, stmt);
        break;
    case STMT_BLOCK:
        *lanes_add(list, STMT_BLOCK, stmt->loc) = *block_of(rewrite, stmt);
        break;
    case STMT_BREAK:
        lanes_assign(list, rewrite->loop->looping, truth(rewrite->lanes, false));
        break;
    case STMT_CONTINUE:
        lanes_assign(list, rewrite->loop->skipping, truth(rewrite->lanes, true));
        break;
    case STMT_EXPR:
        assign_into(rewrite, list, stmt->expr);
        break;
    case STMT_DECL:
    case STMT_NOTHING:
        *lanes_add(list, stmt->kind, stmt->loc) = *stmt;
        break;
    default:
        refuse(rewrite, stmt->loc, "it has a switch, or a jump out of one");
        break;
    }
}

static void find_loop(struct stmt *stmt, void *user)
{
    bool *found = user;
    *found = *found || stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO;
}

struct stmt *lanes_rewrite_loops(struct lanes *lanes, struct stmt *body, const char **reason,
                                 struct loc *loc)
{
    struct rewrite rewrite = {.lanes = lanes};
    bool has_loops = false;
    *reason = NULL;
    stmt_visit(body, find_loop, NULL, &has_loops);
    if (!has_loops) {
        return body;
    }
    struct stmt *copy = block_of(&rewrite, body);
    *reason = rewrite.reason;
    *loc = rewrite.loc;
    return copy;
}
