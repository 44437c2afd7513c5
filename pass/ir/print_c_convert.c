/* print_c_convert.c: which conversions may be left out of the text.
 *
 * In the trees every conversion is a node. Printed as casts they would bury the formulae, so an
 * implicit one is left out where the languages insert exactly it again: the usual arithmetic
 * conversions, promotions, and conversions to the type of what is assigned, initialised, returned
 * or passed. Everywhere else it is printed: only one level is ever left out, and calls to math
 * functions keep all, because C++ would choose another overload.
 */
#include <math.h>

#include "pass/ir/print_c_impl.h"

static bool is_arithmetic(const struct type *type)
{
    return type_is_integer(type) || type_is_floating(type);
}

static bool is_address(const struct type *type)
{
    return type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY;
}

static enum type_kind promoted(const struct type *type)
{
    return type->kind >= TYPE_BOOL && type->kind <= TYPE_USHORT ? TYPE_INT : type->kind;
}

/* The usual arithmetic conversions. The kinds are declared by rank, signed before unsigned. */
static enum type_kind common(const struct type *a, const struct type *b)
{
    enum type_kind x = promoted(a);
    enum type_kind y = promoted(b);
    enum type_kind high = x > y ? x : y;
    enum type_kind low = x > y ? y : x;
    size_t high_size = promoted(a) == high ? a->size : b->size;
    size_t low_size = promoted(a) == high ? b->size : a->size;
    bool low_unsigned = low == TYPE_UINT || low == TYPE_ULONG;

    if ((high == TYPE_LONG || high == TYPE_LLONG) && low_unsigned && high_size <= low_size) {
        return high + 1; /* its unsigned form */
    }
    return high;
}

/* The operand of an implicit arithmetic cast; NULL when expr is none. */
static const struct expr *arithmetic_inner(const struct expr *expr)
{
    if (expr->kind == EXPR_CAST && expr->implicit && is_arithmetic(expr->type) &&
        is_arithmetic(expr->kid[0]->type)) {
        return expr->kid[0];
    }
    return NULL;
}

/* The operand of an implicit conversion between addresses (decay, qualifiers, to void *); NULL when
 * expr is none. From void * only C converts implicitly. */
static const struct expr *address_inner(const struct expr *expr)
{
    const struct type *from;

    if (expr->kind != EXPR_CAST || !expr->implicit || expr->type->kind != TYPE_POINTER) {
        return NULL;
    }
    from = expr->kid[0]->type;
    if (!is_address(from) || from->elem == NULL) {
        return NULL;
    }
    if (from->elem->kind == expr->type->elem->kind || expr->type->elem->kind == TYPE_VOID) {
        return expr->kid[0];
    }
    return NULL;
}

/* Conversions that change nothing but qualifiers or value category, in any place. */
static const struct expr *plain_inner(const struct expr *expr)
{
    if (expr->kind == EXPR_CAST && expr->implicit && type_same(expr->type, expr->kid[0]->type)) {
        return expr->kid[0];
    }
    return address_inner(expr);
}

const struct expr *print_c_condition(const struct expr *expr)
{
    if (expr->kind == EXPR_CAST && expr->implicit && expr->type->kind == TYPE_BOOL) {
        return expr->kid[0];
    }
    return expr;
}

const struct expr *print_c_discarded(const struct expr *expr)
{
    return expr->kind == EXPR_CAST && expr->implicit ? expr->kid[0] : expr;
}

const struct expr *print_c_converted(const struct expr *expr, const struct type *type)
{
    const struct expr *inner = arithmetic_inner(expr);

    if (inner != NULL) {
        return type_same(expr->type, type) ? inner : expr;
    }
    inner = plain_inner(expr);
    return inner != NULL ? inner : expr;
}

/* C++ forbids narrowing inside braces, except for constants that keep their value. */
static const struct expr *element_inner(const struct expr *expr)
{
    const struct expr *inner = arithmetic_inner(expr);

    if (inner == NULL) {
        inner = plain_inner(expr);
        return inner != NULL ? inner : expr;
    }
    if (expr->type->kind == TYPE_DOUBLE &&
        (inner->type->kind == TYPE_FLOAT || inner->kind == EXPR_INT)) {
        return inner->kind != EXPR_INT || inner->bits < (1ULL << 53) ? inner : expr;
    }
    if (expr->type->kind == TYPE_FLOAT && inner->kind == EXPR_FLOAT &&
        (double)(float)inner->value == inner->value) {
        return inner;
    }
    if (type_is_integer(expr->type) && inner->kind == EXPR_INT && inner->bits <= 127 &&
        expr->type->kind != TYPE_BOOL) {
        return inner;
    }
    return expr;
}

static const struct expr *promotion_inner(const struct expr *expr)
{
    const struct expr *inner = arithmetic_inner(expr);

    return inner != NULL && promoted(inner->type) == expr->type->kind ? inner : expr;
}

/* A subscript, or an integer added to a pointer: leave out what only widens. */
static const struct expr *offset_inner(const struct expr *expr)
{
    const struct expr *inner = arithmetic_inner(expr);

    if (inner == NULL || !type_is_integer(inner->type) || !type_is_integer(expr->type)) {
        return expr;
    }
    if (promoted(inner->type) == expr->type->kind ||
        (promoted(inner->type) == TYPE_INT && expr->type->size >= inner->type->size &&
         (expr->type->kind == TYPE_LONG || expr->type->kind == TYPE_LLONG))) {
        return inner;
    }
    return expr;
}

/* Both operands of an arithmetic operator, or both values of ?:, are judged together. */
static const struct expr *balanced_inner(const struct expr *expr, const struct expr *other)
{
    const struct expr *inner = arithmetic_inner(expr);
    const struct expr *other_inner = arithmetic_inner(other);

    if (inner == NULL) {
        inner = plain_inner(expr);
        return inner != NULL ? inner : expr;
    }
    if (other_inner == NULL) {
        other_inner = other;
    }
    if (!is_arithmetic(other_inner->type) || expr->type->kind != other->type->kind) {
        return expr;
    }
    return common(inner->type, other_inner->type) == expr->type->kind ? inner : expr;
}

static const struct expr *binary_inner(const struct expr *parent, int k)
{
    const struct expr *expr = parent->kid[k];
    const struct expr *other = parent->kid[1 - k];

    switch (parent->binary) {
    case BINARY_LAND:
    case BINARY_LOR:
        return print_c_condition(expr);
    case BINARY_SHL:
    case BINARY_SHR:
        return promotion_inner(expr);
    case BINARY_COMMA:
        return k == 0 ? print_c_discarded(expr) : expr;
    default:
        return is_address(other->type) && is_arithmetic(expr->type) ? offset_inner(expr)
                                                                    : balanced_inner(expr, other);
    }
}

static const struct expr *assign_inner(const struct expr *parent, int k)
{
    const struct expr *expr = parent->kid[k];
    const struct expr *target = parent->kid[0];
    const struct expr *inner = arithmetic_inner(expr);

    if (k == 0 || inner == NULL) {
        inner = plain_inner(expr);
        return inner != NULL ? inner : expr;
    }
    if (!parent->compound) {
        return print_c_converted(expr, target->type);
    }
    if (is_address(target->type)) {
        return offset_inner(expr);
    }
    if (parent->binary == BINARY_SHL || parent->binary == BINARY_SHR) {
        return promotion_inner(expr);
    }
    return parent->compute != NULL && expr->type->kind == parent->compute->kind &&
                   common(target->type, inner->type) == parent->compute->kind
               ? inner
               : expr;
}

static const struct expr *argument_inner(const struct expr *parent, int k)
{
    const struct function *callee = parent->callee;
    const struct expr *expr = parent->kid[k];
    const struct expr *inner = arithmetic_inner(expr);

    if (callee->kind == FUNCTION_USER && k < callee->params) {
        return print_c_converted(expr, callee->param[k]->type);
    }
    if (inner == NULL) {
        inner = plain_inner(expr);
        return inner != NULL ? inner : expr;
    }
    if (callee->kind == FUNCTION_PRINT && k > 0) {
        enum type_kind kind = promoted(inner->type);

        return (kind == TYPE_FLOAT ? TYPE_DOUBLE : kind) == expr->type->kind ? inner : expr;
    }
    return expr;
}

const struct expr *print_c_kid(const struct expr *parent, int k)
{
    const struct expr *expr = parent->kid[k];
    const struct expr *inner = plain_inner(expr);

    switch (parent->kind) {
    case EXPR_UNARY:
        if (parent->unary == UNARY_NOT) {
            return print_c_condition(expr);
        }
        if (parent->unary == UNARY_NEG || parent->unary == UNARY_PLUS ||
            parent->unary == UNARY_BITNOT) {
            return promotion_inner(expr);
        }
        break;
    case EXPR_BINARY:
        return binary_inner(parent, k);
    case EXPR_ASSIGN:
        return assign_inner(parent, k);
    case EXPR_COND:
        return k == 0 ? print_c_condition(expr) : balanced_inner(expr, parent->kid[3 - k]);
    case EXPR_INDEX:
        return k == 0 && inner != NULL ? inner : offset_inner(expr);
    case EXPR_CALL:
        return argument_inner(parent, k);
    case EXPR_CAST:
        return print_c_converted(expr, parent->type);
    case EXPR_INIT:
        return element_inner(expr);
    default:
        break;
    }
    return inner != NULL ? inner : expr;
}
