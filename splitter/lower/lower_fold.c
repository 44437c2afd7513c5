/* lower_fold.c: new trees for the graph. Integer constants are computed as C would, floating ones
 * never (only converted where that is exact); the user's trees are not touched.
 */
#include <math.h>

#include "splitter/lower/lower_impl.h"

const struct type lower_bool = {.kind = TYPE_BOOL, .size = 1};
const struct type lower_int = {.kind = TYPE_INT, .size = 4};
const struct type lower_long = {.kind = TYPE_LONG, .size = 8};

/* Marks the zero that a sum starts from. */
static const char nothing_mark[] = "nothing";

struct expr *make_expr(struct lower *lower, enum expr_kind kind, const struct type *type, int kids)
{
    struct expr *expr = arena_alloc(lower->arena, sizeof(*expr));

    expr->kind = kind;
    expr->type = type;
    expr->loc = lower->loc;
    expr->kids = kids;
    if (kids > 0) {
        expr->kid = arena_alloc(lower->arena, (size_t)kids * sizeof(struct expr *));
    }
    return expr;
}

/* ---- integers ------------------------------------------------------------------------------ */

struct expr *make_int(struct lower *lower, const struct type *type, long long value)
{
    struct expr *expr = make_expr(lower, EXPR_INT, type, 0);

    expr->bits = type_cut_bits(type, (unsigned long long)value);
    return expr;
}

struct expr *make_bool(struct lower *lower, bool value)
{
    return make_int(lower, &lower_bool, value);
}

bool expr_int(const struct expr *expr, long long *value)
{
    if (expr->kind != EXPR_INT || !type_is_integer(expr->type)) {
        return false;
    }
    *value = (long long)type_cut_bits(expr->type, expr->bits);
    return true;
}

bool expr_truth(const struct expr *expr, bool *value)
{
    long long number;

    if (!expr_int(expr, &number)) {
        return false;
    }
    *value = number != 0;
    return true;
}

static struct expr *make_float(struct lower *lower, const struct type *type, double value)
{
    struct expr *expr = make_expr(lower, EXPR_FLOAT, type, 0);

    expr->value = value;
    return expr;
}

struct expr *make_zero(struct lower *lower, const struct type *type)
{
    return type_is_floating(type) ? make_float(lower, type, 0.0) : make_int(lower, type, 0);
}

struct expr *make_nothing(struct lower *lower, const struct type *type)
{
    struct expr *zero = make_zero(lower, type);

    zero->text = nothing_mark;
    return zero;
}

bool expr_is_nothing(const struct expr *expr)
{
    return (expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT) && expr->text == nothing_mark;
}

/* Folds an operation on two constants of one type; false if C leaves the result open. */
static bool fold_arithmetic(enum binary_op op, const struct type *type, long long a, long long b,
                            long long *result)
{
    unsigned long long x = (unsigned long long)a;
    unsigned long long y = (unsigned long long)b;
    bool wide;

    switch (op) {
    case BINARY_ADD:
        wide = __builtin_add_overflow(a, b, result);
        *result = (long long)(x + y);
        break;
    case BINARY_SUB:
        wide = __builtin_sub_overflow(a, b, result);
        *result = (long long)(x - y);
        break;
    case BINARY_MUL:
        wide = __builtin_mul_overflow(a, b, result);
        *result = (long long)(x * y);
        break;
    case BINARY_DIV:
    case BINARY_REM:
        if (b == 0 || (type_is_signed(type) && b == -1)) {
            return false;
        }
        if (type_is_signed(type)) {
            *result = op == BINARY_DIV ? a / b : a % b;
        } else {
            *result = (long long)(op == BINARY_DIV ? x / y : x % y);
        }
        return true;
    default:
        return false;
    }
    return !type_is_signed(type) ||
           (!wide && (long long)type_cut_bits(type, (unsigned long long)*result) == *result);
}

static bool fold_bits(enum binary_op op, const struct type *type, long long a, long long b,
                      long long *result)
{
    switch (op) {
    case BINARY_AND:
        *result = a & b;
        return true;
    case BINARY_OR:
        *result = a | b;
        return true;
    case BINARY_XOR:
        *result = a ^ b;
        return true;
    case BINARY_SHL:
    case BINARY_SHR:
        if (b < 0 || b >= 8 * (long long)type->size || a < 0) {
            return false;
        }
        *result = op == BINARY_SHL ? (long long)((unsigned long long)a << b) : a >> b;
        return !type_is_signed(type) ||
               (long long)type_cut_bits(type, (unsigned long long)*result) == *result;
    default:
        return false;
    }
}

static bool fold_compare(enum binary_op op, const struct type *type, long long a, long long b,
                         long long *result)
{
    bool less = type_is_signed(type) ? a < b : (unsigned long long)a < (unsigned long long)b;
    bool holds;

    if (!binary_compares(op, less, a == b, &holds)) {
        return false;
    }
    *result = holds;
    return true;
}

static bool fold_binary(enum binary_op op, const struct expr *left, const struct expr *right,
                        long long *result)
{
    long long a;
    long long b;

    if (!expr_int(left, &a) || !expr_int(right, &b)) {
        return false;
    }
    return fold_arithmetic(op, left->type, a, b, result) ||
           fold_bits(op, left->type, a, b, result) || fold_compare(op, left->type, a, b, result);
}

/* ---- operators ----------------------------------------------------------------------------- */

struct expr *make_unary(struct lower *lower, enum unary_op op, const struct type *type,
                        struct expr *kid)
{
    long long value;
    struct expr *expr;

    if (expr_is_nothing(kid) && (op == UNARY_PLUS || op == UNARY_NEG)) {
        return make_nothing(lower, type);
    }
    if (kid->kind == EXPR_FLOAT && op == UNARY_NEG) {
        return make_float(lower, type, -kid->value); /* exact */
    }
    if (expr_int(kid, &value)) {
        if (op == UNARY_PLUS || op == UNARY_NOT || op == UNARY_BITNOT) {
            return make_int(lower, type,
                            op == UNARY_PLUS  ? value
                            : op == UNARY_NOT ? !value
                                              : ~value);
        }
        if (op == UNARY_NEG && value > -0x7fffffffLL) {
            return make_int(lower, type, -value);
        }
    }
    expr = make_expr(lower, EXPR_UNARY, type, 1);
    expr->unary = op;
    expr->kid[0] = kid;
    return expr;
}

/* && and || with a constant on the left. */
static struct expr *fold_logic(struct lower *lower, enum binary_op op, const struct type *type,
                               struct expr *left, struct expr *right)
{
    bool a;
    bool b;

    if (!expr_truth(left, &a)) {
        return NULL;
    }
    if (a == (op == BINARY_LOR)) {
        return make_int(lower, type, a);
    }
    if (expr_truth(right, &b)) {
        return make_int(lower, type, b);
    }
    return type_same(right->type, &lower_bool) ? make_cast(lower, type, right, true) : NULL;
}

/* x + nothing, nothing - x and their like. */
static struct expr *fold_nothing(struct lower *lower, enum binary_op op, const struct type *type,
                                 struct expr *left, struct expr *right)
{
    if (op == BINARY_ADD && expr_is_nothing(left)) {
        return right;
    }
    if ((op == BINARY_ADD || op == BINARY_SUB) && expr_is_nothing(right)) {
        return left;
    }
    if (op == BINARY_SUB && expr_is_nothing(left)) {
        return make_unary(lower, UNARY_NEG, type, right);
    }
    return NULL;
}

struct expr *make_binary(struct lower *lower, enum binary_op op, const struct type *type,
                         struct expr *left, struct expr *right)
{
    struct expr *expr = fold_nothing(lower, op, type, left, right);
    long long value;

    if (expr != NULL) {
        return expr;
    }
    if (op == BINARY_LAND || op == BINARY_LOR) {
        expr = fold_logic(lower, op, type, left, right);
        if (expr != NULL) {
            return expr;
        }
    } else if (op != BINARY_COMMA && fold_binary(op, left, right, &value)) {
        return make_int(lower, type, value);
    }
    expr = make_expr(lower, EXPR_BINARY, type, 2);
    expr->binary = op;
    expr->kid[0] = left;
    expr->kid[1] = right;
    return expr;
}

struct expr *make_cond(struct lower *lower, const struct type *type, struct expr *condition,
                       struct expr *yes, struct expr *no)
{
    bool truth;
    struct expr *expr;

    if (expr_truth(condition, &truth)) {
        return truth ? yes : no;
    }
    expr = make_expr(lower, EXPR_COND, type, 3);
    expr->kid[0] = condition;
    expr->kid[1] = yes;
    expr->kid[2] = no;
    return expr;
}

static bool cast_is_exact(const struct type *type, const struct expr *kid, double *result)
{
    long long number;

    if (kid->kind == EXPR_FLOAT) {
        *result = kid->value;
    } else if (expr_int(kid, &number) && number < 1LL << 53 &&
               number > (type_is_signed(kid->type) ? -(1LL << 53) : -1)) {
        *result = (double)number;
    } else {
        return false;
    }
    return type->kind == TYPE_DOUBLE || (type->kind == TYPE_FLOAT && fabs(*result) <= 3.4e38 &&
                                         (double)(float)*result == *result);
}

struct expr *make_cast(struct lower *lower, const struct type *type, struct expr *kid,
                       bool implicit)
{
    struct expr *expr;
    long long number;
    double value;

    if (implicit && type_same(type, kid->type)) {
        return kid;
    }
    if (expr_is_nothing(kid) && (type_is_floating(type) || type_is_integer(type))) {
        return make_nothing(lower, type);
    }
    if (type_is_integer(type) && expr_int(kid, &number)) {
        return make_int(lower, type, number);
    }
    if (type_is_floating(type) && cast_is_exact(type, kid, &value)) {
        return make_float(lower, type, value);
    }
    expr = make_expr(lower, EXPR_CAST, type, 1);
    expr->implicit = implicit;
    expr->kid[0] = kid;
    return expr;
}
