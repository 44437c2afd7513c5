/* graph_flops.c: counts the flops of one evaluation of an expression or a statement. */
#include "splitter/graph/graph_impl.h"

/* Assumed iterations of a loop that was not unrolled. */
enum { LOOP_TRIPS = 16 };

/* Expressions visited at most: helpers that call helpers can expand to very many. */
enum { FLOPS_STEPS = 100000 };

static double stmt_flops(const struct stmt *stmt, int *steps);

static double expr_flops(const struct expr *expr, int *steps)
{
    double flops = 0.0;

    switch (expr->kind) {
    case EXPR_BINARY:
        flops = expr->binary <= BINARY_SUB && type_is_floating(expr->type);
        break;
    case EXPR_ASSIGN:
        flops = expr->compound && type_is_floating(expr->compute);
        break;
    case EXPR_CALL:
        if (expr->callee->kind == FUNCTION_MATH) {
            flops = type_is_floating(expr->type);
        } else if (expr->callee->body != NULL && *steps > 0) {
            flops = stmt_flops(expr->callee->body, steps);
        }
        break;
    default:
        break;
    }
    for (int k = 0; k < expr->kids; k++) {
        flops += expr_flops(expr->kid[k], steps);
    }
    (*steps)--;
    return flops;
}

static double stmt_flops(const struct stmt *stmt, int *steps)
{
    double flops = stmt->expr != NULL ? expr_flops(stmt->expr, steps) : 0.0;
    bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO;

    if (stmt->kind == STMT_DECL && stmt->var->init != NULL) {
        flops += expr_flops(stmt->var->init, steps);
    }
    if (stmt->step != NULL) {
        flops += expr_flops(stmt->step, steps);
    }
    for (int k = 0; k < stmt->kids; k++) {
        flops += stmt_flops(stmt->kid[k], steps);
    }
    return is_loop ? LOOP_TRIPS * flops : flops;
}

double graph_flops(const struct expr *expr)
{
    int steps = FLOPS_STEPS;

    return expr_flops(expr, &steps);
}

double graph_flops_stmt(const struct stmt *stmt)
{
    int steps = FLOPS_STEPS;

    return stmt_flops(stmt, &steps);
}
