/* access_range.c: values of subscripts that are known at compile time: constants, and counters of
 * loops with constant bounds. Used to find components beyond an argument's dimension, so a range is
 * given only when both its ends occur: a doubtful one would be an error message about a right
 * program.
 */
#include <limits.h>

#include "pass/access/access_impl.h"

enum { COUNTERS_USED = 8, RANGE_LIMIT = INT_MAX };

/* Counters met so far: a counter that occurs twice in one subscript (n - n) has no simple range. */
struct evaluation {
    const struct counters *counters;
    int used;
    const struct var *var[COUNTERS_USED];
};

static bool evaluate(const struct expr *expr, struct evaluation *evaluation, struct range *range);

static bool in_limits(struct range range)
{
    return range.lo <= range.hi && range.lo >= -(long)RANGE_LIMIT && range.hi <= RANGE_LIMIT;
}

static bool is_point(struct range range)
{
    return range.lo == range.hi;
}

static bool evaluate_counter(const struct var *var, struct evaluation *evaluation,
                             struct range *range)
{
    const struct counters *counters = evaluation->counters;

    for (int n = 0; n < evaluation->used; n++) {
        if (evaluation->var[n] == var) {
            return false;
        }
    }
    for (int n = counters != NULL ? counters->count - 1 : -1; n >= 0; n--) {
        if (counters->counter[n].var == var) {
            *range = counters->counter[n].range;
            if (evaluation->used == COUNTERS_USED ||
                (counters->counter[n].depth != counters->depth && !is_point(*range))) {
                return false;
            }
            evaluation->var[evaluation->used++] = var;
            return true;
        }
    }
    return false;
}

static bool evaluate_var(const struct var *var, struct evaluation *evaluation, struct range *range)
{
    bool is_constant =
        var->storage == STORAGE_TABLE || (var->storage == STORAGE_LOCAL && var->type->is_const);

    if (is_constant && var->init != NULL && type_is_integer(var->type)) {
        return evaluate(var->init, evaluation, range);
    }
    return evaluate_counter(var, evaluation, range);
}

static bool evaluate_points(enum binary_op op, long a, long b, long *value)
{
    switch (op) {
    case BINARY_DIV:
        *value = b != 0 ? a / b : 0;
        return b != 0;
    case BINARY_REM:
        *value = b != 0 ? a % b : 0;
        return b != 0;
    case BINARY_SHL:
        *value = a >= 0 && b >= 0 && b < 31 ? a << b : 0;
        return a >= 0 && b >= 0 && b < 31;
    case BINARY_SHR:
        *value = a >= 0 && b >= 0 && b < 63 ? a >> b : 0;
        return a >= 0 && b >= 0 && b < 63;
    case BINARY_AND:
        *value = a & b;
        return true;
    case BINARY_OR:
        *value = a | b;
        return true;
    case BINARY_XOR:
        *value = a ^ b;
        return true;
    default:
        return false;
    }
}

static bool evaluate_binary(const struct expr *expr, struct evaluation *evaluation,
                            struct range *range)
{
    struct range a;
    struct range b;
    struct range swapped;

    if (!evaluate(expr->kid[0], evaluation, &a) || !evaluate(expr->kid[1], evaluation, &b)) {
        return false;
    }
    switch (expr->binary) {
    case BINARY_ADD:
        *range = (struct range){a.lo + b.lo, a.hi + b.hi};
        return in_limits(*range);
    case BINARY_SUB:
        *range = (struct range){a.lo - b.hi, a.hi - b.lo};
        return in_limits(*range);
    case BINARY_MUL:
        if (!is_point(a)) {
            swapped = a;
            a = b;
            b = swapped;
        }
        if (!is_point(a)) {
            return false;
        }
        *range = a.lo >= 0 ? (struct range){a.lo * b.lo, a.lo * b.hi}
                           : (struct range){a.lo * b.hi, a.lo * b.lo};
        return in_limits(*range);
    default:
        if (!is_point(a) || !is_point(b) || !evaluate_points(expr->binary, a.lo, b.lo, &a.lo)) {
            return false;
        }
        *range = (struct range){a.lo, a.lo};
        return in_limits(*range);
    }
}

static bool evaluate_constant(const struct expr *expr, struct range *range)
{
    long value = (long)type_cut_bits(expr->type, expr->bits);

    *range = (struct range){value, value};
    return in_limits(*range);
}

static bool evaluate(const struct expr *expr, struct evaluation *evaluation, struct range *range)
{
    struct range inner;

    if (!type_is_integer(expr->type)) {
        return false;
    }
    switch (expr->kind) {
    case EXPR_INT:
        return evaluate_constant(expr, range);
    case EXPR_VAR:
        return evaluate_var(expr->var, evaluation, range);
    case EXPR_CAST:
        /* Narrow casts may cut the value. */
        return expr->type->size >= sizeof(int) && evaluate(expr->kid[0], evaluation, range) &&
               (range->lo >= 0 || expr->type->kind == TYPE_INT || expr->type->kind == TYPE_LONG ||
                expr->type->kind == TYPE_LLONG);
    case EXPR_UNARY:
        if (expr->unary == UNARY_PLUS) {
            return evaluate(expr->kid[0], evaluation, range);
        }
        if (expr->unary != UNARY_NEG || !evaluate(expr->kid[0], evaluation, &inner)) {
            return false;
        }
        *range = (struct range){-inner.hi, -inner.lo};
        return true;
    case EXPR_BINARY:
        return evaluate_binary(expr, evaluation, range);
    default:
        return false;
    }
}

bool access_range(const struct expr *expr, const struct counters *counters, struct range *range)
{
    struct evaluation evaluation = {.counters = counters};

    return evaluate(expr, &evaluation, range);
}

bool access_constant(const struct expr *expr, long *value)
{
    struct range range;

    if (!access_range(expr, NULL, &range) || !is_point(range)) {
        return false;
    }
    *value = range.lo;
    return true;
}

static bool truth_of_both(const struct expr *expr, bool *value)
{
    bool decides = expr->binary == BINARY_LOR; /* which value of one side is enough */
    bool left;
    bool right;
    bool knows_left = access_truth(expr->kid[0], &left);
    bool knows_right = access_truth(expr->kid[1], &right);

    *value =
        (knows_left && left == decides) || (knows_right && right == decides) ? decides : !decides;
    return *value == decides || (knows_left && knows_right);
}

bool access_truth(const struct expr *condition, bool *value)
{
    const struct expr *expr = access_bare(condition);
    long a;
    long b;

    if (expr->kind == EXPR_UNARY && expr->unary == UNARY_NOT) {
        if (!access_truth(expr->kid[0], value)) {
            return false;
        }
        *value = !*value;
        return true;
    }
    if (expr->kind == EXPR_BINARY && (expr->binary == BINARY_LAND || expr->binary == BINARY_LOR)) {
        return truth_of_both(expr, value);
    }
    if (expr->kind == EXPR_BINARY && expr->binary >= BINARY_LT && expr->binary <= BINARY_NE) {
        return access_constant(expr->kid[0], &a) && access_constant(expr->kid[1], &b) &&
               binary_compares(expr->binary, a < b, a == b, value);
    }
    if (!access_constant(expr, &a)) {
        return false;
    }
    *value = a != 0;
    return true;
}

/* ---- counting loops -------------------------------------------------------------------------- */

struct disturbance {
    const struct var *var;
    bool found;
};

static void find_change(struct expr *expr, void *user)
{
    struct disturbance *disturbance = user;
    bool changes =
        expr->kind == EXPR_ASSIGN || (expr->kind == EXPR_UNARY && expr->unary >= UNARY_ADDRESS);

    if (changes) {
        const struct expr *place = access_bare(expr->kid[0]);

        disturbance->found |= place->kind == EXPR_VAR && place->var == disturbance->var;
    }
}

/* Whether a statement of a loop's body may end the iteration. inner_loops, inner_switches:
 * number of loops and switches of the body that enclose it. */
static bool has_exit(const struct stmt *stmt, int inner_loops, int inner_switches)
{
    bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO;

    if (stmt->kind == STMT_RETURN || (stmt->kind == STMT_CONTINUE && inner_loops == 0) ||
        (stmt->kind == STMT_BREAK && inner_loops + inner_switches == 0)) {
        return true;
    }
    for (int k = 0; k < stmt->kids; k++) {
        if (has_exit(stmt->kid[k], inner_loops + is_loop,
                     inner_switches + (stmt->kind == STMT_SWITCH))) {
            return true;
        }
    }
    return false;
}

static bool is_var(const struct expr *expr, const struct var *var)
{
    const struct expr *bare = access_bare(expr);

    return bare->kind == EXPR_VAR && bare->var == var;
}

/* Finds how much one step adds to the counter: n++, n += 2, n = n - 1. */
static bool step_of(const struct expr *step, const struct var *var, long *by)
{
    const struct expr *sum;

    if (step == NULL) {
        return false;
    }
    step = access_bare(step);
    if (step->kind == EXPR_UNARY && step->unary >= UNARY_PRE_INC && is_var(step->kid[0], var)) {
        *by = step->unary == UNARY_PRE_INC || step->unary == UNARY_POST_INC ? 1 : -1;
        return true;
    }
    if (step->kind != EXPR_ASSIGN || !is_var(step->kid[0], var)) {
        return false;
    }
    sum = step->compound ? step : access_bare(step->kid[1]);
    if ((!step->compound && (sum->kind != EXPR_BINARY || !is_var(sum->kid[0], var))) ||
        (sum->binary != BINARY_ADD && sum->binary != BINARY_SUB) ||
        !access_constant(sum->kid[1], by)) {
        return false;
    }
    *by = sum->binary == BINARY_SUB ? -*by : *by;
    return *by != 0;
}

static bool start_of(const struct stmt *start, const struct var **var, long *value)
{
    if (start->kind == STMT_DECL) {
        *var = start->var;
        return start->var->init != NULL && access_constant(start->var->init, value);
    }
    if (start->kind == STMT_EXPR && start->expr->kind == EXPR_ASSIGN && !start->expr->compound &&
        access_bare(start->expr->kid[0])->kind == EXPR_VAR) {
        *var = access_bare(start->expr->kid[0])->var;
        return access_constant(start->expr->kid[1], value);
    }
    return false;
}

/* The last value that passes the condition, when counting from `first` by `by`. */
static bool end_of(const struct expr *test, const struct var *var, long first, long by, long *last)
{
    static const enum binary_op mirrored[] = {
        [BINARY_LT] = BINARY_GT, [BINARY_GT] = BINARY_LT, [BINARY_LE] = BINARY_GE,
        [BINARY_GE] = BINARY_LE, [BINARY_NE] = BINARY_NE,
    };
    enum binary_op op;
    long bound;

    test = test != NULL ? access_bare(test) : NULL;
    if (test == NULL || test->kind != EXPR_BINARY || test->binary < BINARY_LT ||
        test->binary > BINARY_NE || test->binary == BINARY_EQ) {
        return false;
    }
    op = test->binary;
    if (is_var(test->kid[1], var) && access_constant(test->kid[0], &bound)) {
        op = mirrored[op];
    } else if (!is_var(test->kid[0], var) || !access_constant(test->kid[1], &bound)) {
        return false;
    }
    if (op == BINARY_NE) {
        if ((by != 1 && by != -1) || (bound - first) * by < 0) {
            return false;
        }
        op = by > 0 ? BINARY_LT : BINARY_GT;
    }
    if ((op == BINARY_LT || op == BINARY_LE) != (by > 0)) {
        return false;
    }
    if (op == BINARY_LT || op == BINARY_GT) {
        bound -= by > 0 ? 1 : -1;
    }
    *last =
        (bound - first) * (by > 0 ? 1 : -1) < 0 ? first - by : first + (bound - first) / by * by;
    return true;
}

enum loop_runs access_counted(const struct stmt *loop, const struct var **var, struct range *range)
{
    struct disturbance disturbance = {0};
    long first;
    long last;
    long by;

    if (!start_of(loop->kid[0], var, &first) || !step_of(loop->step, *var, &by) ||
        !end_of(loop->expr, *var, first, by, &last)) {
        return LOOP_UNKNOWN;
    }
    if (last == first - by) {
        return LOOP_NEVER;
    }
    disturbance.var = *var;
    stmt_visit(loop->kid[1], NULL, find_change, &disturbance);
    if (disturbance.found || has_exit(loop->kid[1], 0, 0)) {
        return LOOP_UNKNOWN;
    }
    *range = by > 0 ? (struct range){first, last} : (struct range){last, first};
    return LOOP_COUNTED;
}
