/* graph_flops.c: counts the operations of one evaluation of an expression or a statement. */
#include <string.h>

#include "splitter/graph/graph_impl.h"

/* Assumed iterations of a loop that was not unrolled. */
enum { LOOP_TRIPS = 16 };

/* Expressions visited at most: helpers that call helpers can expand to very many. */
enum { FLOPS_STEPS = 100000 };

enum kind { NOTHING, SIMPLE, DIVISION, FUNCTION };

struct counting {
    struct graph_operations *sum;
    double times; /* how often the expression is evaluated */
    int steps;    /* that are left */
};

static void count_stmt(struct counting *count, const struct stmt *stmt);

/* The functions of libm that take a few instructions, without "std::" and the "f" of floats. */
static const struct {
    const char *name;
    enum kind kind;
} few_instructions[] = {
    {"fabs", SIMPLE},  {"abs", SIMPLE},  {"fmin", SIMPLE},   {"min", SIMPLE},
    {"fmax", SIMPLE},  {"max", SIMPLE},  {"fma", SIMPLE},    {"copysign", SIMPLE},
    {"floor", SIMPLE}, {"ceil", SIMPLE}, {"trunc", SIMPLE},  {"rint", SIMPLE},
    {"round", SIMPLE}, {"fdim", SIMPLE}, {"sqrt", DIVISION}, {"rsqrt", DIVISION},
};

static enum kind kind_of_function(const char *name)
{
    name += strncmp(name, "std::", 5) == 0 ? 5 : 0;
    for (size_t i = 0; i < sizeof(few_instructions) / sizeof(few_instructions[0]); i++) {
        const size_t length = strlen(few_instructions[i].name);
        if (strncmp(name, few_instructions[i].name, length) == 0 &&
            (name[length] == '\0' || strcmp(name + length, "f") == 0)) {
            return few_instructions[i].kind;
        }
    }
    return FUNCTION;
}

static enum kind kind_of_operator(enum binary_op op)
{
    return op > BINARY_SUB ? NOTHING : op == BINARY_DIV ? DIVISION : SIMPLE;
}

/* Classifies the operation of the expression itself, without its operands. */
static enum kind kind_of(const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_BINARY:
        return type_is_floating(expr->type) ? kind_of_operator(expr->binary) : NOTHING;
    case EXPR_ASSIGN:
        return expr->compound && type_is_floating(expr->compute) ? kind_of_operator(expr->binary)
                                                                 : NOTHING;
    case EXPR_CALL:
        if (expr->callee->kind != FUNCTION_MATH || !type_is_floating(expr->type)) {
            return NOTHING;
        }
        return graph_is_stored(expr->callee) ? SIMPLE : kind_of_function(expr->callee->name);
    default:
        return NOTHING;
    }
}

static void count_expr(struct counting *count, const struct expr *expr)
{
    const enum kind kind = kind_of(expr);
    const struct type *type = expr->kind == EXPR_ASSIGN ? expr->compute : expr->type;
    if (kind != NOTHING) {
        struct operation_count *of =
            type->kind == TYPE_FLOAT ? &count->sum->in_float : &count->sum->in_double;
        double *number = kind == SIMPLE     ? &of->simple
                         : kind == DIVISION ? &of->divisions
                                            : &of->functions;
        *number += count->times;
    }
    if (expr->kind == EXPR_CALL && expr->callee->kind != FUNCTION_MATH &&
        expr->callee->body != NULL && count->steps > 0) {
        count_stmt(count, expr->callee->body);
    }
    for (int k = 0; k < expr->kids; k++) {
        count_expr(count, expr->kid[k]);
    }
    count->steps--;
}

static void count_stmt(struct counting *count, const struct stmt *stmt)
{
    const double times = count->times;
    if (stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO) {
        count->times *= LOOP_TRIPS;
    }
    if (stmt->expr != NULL) {
        count_expr(count, stmt->expr);
    }
    if (stmt->kind == STMT_DECL && stmt->var->init != NULL) {
        count_expr(count, stmt->var->init);
    }
    if (stmt->step != NULL) {
        count_expr(count, stmt->step);
    }
    for (int k = 0; k < stmt->kids; k++) {
        count_stmt(count, stmt->kid[k]);
    }
    count->times = times;
}

static double all_of(const struct operation_count *of)
{
    return of->simple + of->divisions + of->functions;
}

double graph_flops(const struct expr *expr)
{
    struct graph_operations sum = {{0, 0, 0}, {0, 0, 0}};
    struct counting count = {.sum = &sum, .times = 1, .steps = FLOPS_STEPS};
    count_expr(&count, expr);
    return all_of(&sum.in_double) + all_of(&sum.in_float);
}

double graph_flops_stmt(const struct stmt *stmt)
{
    struct graph_operations sum = {{0, 0, 0}, {0, 0, 0}};
    graph_operations_add(stmt, &sum);
    return all_of(&sum.in_double) + all_of(&sum.in_float);
}

void graph_operations_add(const struct stmt *stmt, struct graph_operations *sum)
{
    struct counting count = {.sum = sum, .times = 1, .steps = FLOPS_STEPS};
    count_stmt(&count, stmt);
}

bool graph_is_stored(const struct function *function)
{
    return function->kind == FUNCTION_MATH && (strcmp(function->name, GRAPH_STORED_DOUBLE) == 0 ||
                                               strcmp(function->name, GRAPH_STORED_FLOAT) == 0);
}

void graph_operations_of(const struct graph *graph, struct graph_operations *sum)
{
    struct counting count = {.sum = sum, .times = 1, .steps = FLOPS_STEPS};
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        if (node->expr != NULL) {
            count_expr(&count, node->expr);
        }
        if (node->stmt != NULL) {
            count_stmt(&count, node->stmt);
        }
    }
}
