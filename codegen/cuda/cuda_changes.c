/* cuda_changes.c: the statement after which the value of an update is final.
 *
 * In: a stage's body. Out: the statements of its outermost block that may change an update's
 * variable.
 */
#include "codegen/cuda/cuda.h"

/* Whether a statement may change a variable. */
struct change {
    const struct var *var;
    bool found;
};

static const struct expr *root_of(const struct expr *expr)
{
    while (expr->kind == EXPR_INDEX || expr->kind == EXPR_MEMBER || expr->kind == EXPR_CAST) {
        expr = expr->kid[0];
    }
    return expr;
}

static void note_change(struct expr *expr, void *user)
{
    struct change *change = user;
    bool steps = expr->kind == EXPR_UNARY && expr->unary >= UNARY_ADDRESS;
    bool changes = expr->kind == EXPR_ASSIGN || steps;
    const struct expr *root = changes ? root_of(expr->kid[0]) : expr;
    bool whole = change->var->type->kind == TYPE_ARRAY || change->var->type->kind == TYPE_RECORD;
    change->found =
        change->found || (root->kind == EXPR_VAR && root->var == change->var && (changes || whole));
}

static void note_declaration(struct stmt *stmt, void *user)
{
    struct change *change = user;
    change->found = change->found || (stmt->kind == STMT_DECL && stmt->var == change->var);
}

int cuda_last_change(const struct stage *stage, const struct update *update)
{
    int last = -1;
    for (int k = 0; update->value->kind == EXPR_VAR && k < stage->body->kids; k++) {
        struct change change = {update->value->var, false};
        stmt_visit(stage->body->kid[k], note_declaration, note_change, &change);
        last = change.found ? k : last;
    }
    return last;
}

static void note_read(struct expr *expr, void *user)
{
    struct change *read = user;
    read->found = read->found || (expr->kind == EXPR_VAR && expr->var == read->var);
}

static void ignore_statement(struct stmt *stmt, void *user)
{
    (void)stmt;
    (void)user;
}

bool cuda_is_named_besides(const struct stage *stage, const struct var *var, int statement)
{
    struct change read = {var, false};
    for (int k = 0; k < stage->body->kids; k++) {
        if (k != statement) {
            stmt_visit(stage->body->kid[k], ignore_statement, note_read, &read);
        }
    }
    return read.found;
}

const struct expr *cuda_only_value(const struct stage *stage, const struct update *update)
{
    int last = cuda_last_change(stage, update);
    const struct stmt *stmt = last >= 0 ? stage->body->kid[last] : NULL;
    bool assigns = stmt != NULL && stmt->kind == STMT_EXPR && stmt->expr->kind == EXPR_ASSIGN &&
                   !stmt->expr->compound && stmt->expr->kid[0]->kind == EXPR_VAR;
    for (int k = 0; k < last && assigns; k++) {
        struct change change = {update->value->var, false};
        stmt_visit(stage->body->kid[k], note_declaration, note_change, &change);
        assigns = !change.found;
    }
    return assigns ? stmt->expr->kid[1] : NULL;
}
