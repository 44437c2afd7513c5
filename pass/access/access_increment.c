/* access_increment.c: which assignments only add to the place that they assign, and which of these
 * cut the sum to an integer; and which calls give a minimum or a maximum.
 */
#include <string.h>

#include "pass/access/access_impl.h"

const struct expr *access_bare(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST && expr->implicit) {
        expr = expr->kid[0];
    }
    return expr;
}

long access_scalars(const struct type *type)
{
    long scalars = 1;

    for (; type->kind == TYPE_ARRAY; type = type->elem) {
        scalars *= type->count;
    }
    return scalars;
}

const struct expr *access_term(const struct expr *sum)
{
    sum = access_bare(sum);
    while (sum->kind == EXPR_UNARY && sum->unary == UNARY_PLUS) {
        sum = access_bare(sum->kid[0]);
    }
    return sum;
}

/* Whether both expressions have the same operation at the top; names and constants are compared
 * completely. */
static bool same_kind(const struct expr *a, const struct expr *b)
{
    if (a->kind != b->kind || a->kids != b->kids) {
        return false;
    }
    switch (a->kind) {
    case EXPR_INT:
        return a->bits == b->bits;
    case EXPR_FLOAT:
        return memcmp(&a->value, &b->value, sizeof(a->value)) == 0;
    case EXPR_VAR:
        return a->var == b->var;
    case EXPR_CALL:
        return a->callee == b->callee && a->callee->kind == FUNCTION_MATH;
    case EXPR_BINARY:
        return a->binary == b->binary && a->binary != BINARY_COMMA &&
               type_same(a->kid[0]->type, b->kid[0]->type);
    case EXPR_UNARY:
        return a->unary == b->unary && a->unary < UNARY_PRE_INC;
    case EXPR_MEMBER:
        return strcmp(a->text, b->text) == 0;
    case EXPR_CAST:
        return type_same(a->type, b->type);
    case EXPR_COND:
    case EXPR_INDEX:
        return true;
    default:
        return false;
    }
}

bool access_same(const struct expr *a, const struct expr *b)
{
    a = access_term(a);
    b = access_term(b);
    if (!same_kind(a, b)) {
        return false;
    }
    for (int k = 0; k < a->kids; k++) {
        if (!access_same(a->kid[k], b->kid[k])) {
            return false;
        }
    }
    return true;
}

bool access_is_extremum_call(const struct expr *call, bool *is_max)
{
    static const char *const name[2][4] = {{"fmin", "fminf", "fminl", "cleave_min_"},
                                           {"fmax", "fmaxf", "fmaxl", "cleave_max_"}};

    for (int greatest = 0; greatest < 2 && call->callee->kind == FUNCTION_MATH; greatest++) {
        for (int n = 0; n < 4; n++) {
            const char *own = name[greatest][n];

            /* The last one has the type's name behind it. */
            if (n < 3 ? strcmp(call->callee->name, own) == 0
                      : strncmp(call->callee->name, own, strlen(own)) == 0) {
                *is_max = greatest == 1;
                return true;
            }
        }
    }
    return false;
}

/* How often place is added in sum; a subtraction counts as a hundred, so that no sum has it once.
 */
static int count_in_sum(const struct expr *sum, const struct expr *place, int weight)
{
    sum = access_term(sum);
    if (sum->kind == EXPR_BINARY && sum->binary == BINARY_ADD) {
        return count_in_sum(sum->kid[0], place, weight) + count_in_sum(sum->kid[1], place, weight);
    }
    if (sum->kind == EXPR_BINARY && sum->binary == BINARY_SUB) {
        return count_in_sum(sum->kid[0], place, weight) + count_in_sum(sum->kid[1], place, 100);
    }
    return access_same(sum, place) ? weight : 0;
}

bool access_adds_to(const struct expr *sum, const struct expr *place)
{
    return count_in_sum(sum, place, 1) == 1;
}

/* Whole numbers in `double`, which adds them to an int without rounding. */
static bool is_whole(const struct expr *expr)
{
    expr = access_term(expr);
    switch (expr->kind) {
    case EXPR_FLOAT:
        return expr->value >= -2147483648.0 && expr->value <= 2147483647.0 &&
               expr->value == (double)(long)expr->value;
    case EXPR_CAST:
        return type_is_integer(expr->kid[0]->type) && expr->kid[0]->type->size <= sizeof(int);
    case EXPR_UNARY:
        return expr->unary == UNARY_NEG && is_whole(expr->kid[0]);
    case EXPR_BINARY:
        return (expr->binary == BINARY_ADD || expr->binary == BINARY_SUB) &&
               is_whole(expr->kid[0]) && is_whole(expr->kid[1]);
    case EXPR_COND:
        return is_whole(expr->kid[1]) && is_whole(expr->kid[2]);
    default:
        return type_is_integer(expr->type) && expr->type->size <= sizeof(int);
    }
}

bool access_truncates(const struct expr *assign)
{
    const struct type *place = assign->kid[0]->type;
    const struct expr *sum = access_bare(assign->kid[1]);
    const struct type *computed = assign->compound ? assign->compute : sum->type;

    return type_is_integer(place) && type_is_floating(computed) &&
           !(computed->kind == TYPE_DOUBLE && place->size <= sizeof(int) && is_whole(sum));
}
