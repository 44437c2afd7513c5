/* operator.c: unary and binary operators, assignments among them, to trees.
 *
 * clang does not tell in which type a compound assignment computes: it follows from the operands by
 * the language's usual conversions.
 */
#include "pass/frontend/util.h"

static const struct {
    enum CXUnaryOperatorKind clang;
    enum unary_op op;
} unary[] = {
    {CXUnaryOperator_Minus, UNARY_NEG},        {CXUnaryOperator_Plus, UNARY_PLUS},
    {CXUnaryOperator_LNot, UNARY_NOT},         {CXUnaryOperator_Not, UNARY_BITNOT},
    {CXUnaryOperator_Deref, UNARY_DEREF},      {CXUnaryOperator_AddrOf, UNARY_ADDRESS},
    {CXUnaryOperator_PreInc, UNARY_PRE_INC},   {CXUnaryOperator_PreDec, UNARY_PRE_DEC},
    {CXUnaryOperator_PostInc, UNARY_POST_INC}, {CXUnaryOperator_PostDec, UNARY_POST_DEC},
};

static const struct {
    enum CXBinaryOperatorKind clang;
    enum CXBinaryOperatorKind assign; /* its compound assignment, or Invalid */
    enum binary_op op;
} binary[] = {
    {CXBinaryOperator_Mul, CXBinaryOperator_MulAssign, BINARY_MUL},
    {CXBinaryOperator_Div, CXBinaryOperator_DivAssign, BINARY_DIV},
    {CXBinaryOperator_Rem, CXBinaryOperator_RemAssign, BINARY_REM},
    {CXBinaryOperator_Add, CXBinaryOperator_AddAssign, BINARY_ADD},
    {CXBinaryOperator_Sub, CXBinaryOperator_SubAssign, BINARY_SUB},
    {CXBinaryOperator_Shl, CXBinaryOperator_ShlAssign, BINARY_SHL},
    {CXBinaryOperator_Shr, CXBinaryOperator_ShrAssign, BINARY_SHR},
    {CXBinaryOperator_And, CXBinaryOperator_AndAssign, BINARY_AND},
    {CXBinaryOperator_Xor, CXBinaryOperator_XorAssign, BINARY_XOR},
    {CXBinaryOperator_Or, CXBinaryOperator_OrAssign, BINARY_OR},
    {CXBinaryOperator_LT, CXBinaryOperator_Invalid, BINARY_LT},
    {CXBinaryOperator_GT, CXBinaryOperator_Invalid, BINARY_GT},
    {CXBinaryOperator_LE, CXBinaryOperator_Invalid, BINARY_LE},
    {CXBinaryOperator_GE, CXBinaryOperator_Invalid, BINARY_GE},
    {CXBinaryOperator_EQ, CXBinaryOperator_Invalid, BINARY_EQ},
    {CXBinaryOperator_NE, CXBinaryOperator_Invalid, BINARY_NE},
    {CXBinaryOperator_LAnd, CXBinaryOperator_Invalid, BINARY_LAND},
    {CXBinaryOperator_LOr, CXBinaryOperator_Invalid, BINARY_LOR},
    {CXBinaryOperator_Comma, CXBinaryOperator_Invalid, BINARY_COMMA},
};

/* ---- ++ and -- of bool, which C++17 does not have -------------------------------------------- */

static struct expr *truth(struct body *body, CXCursor cursor, unsigned long long bits)
{
    struct expr *expr =
        body_new_expr(body, EXPR_INT, cursor, front_basic(body->front, TYPE_BOOL, false), 0);

    expr->bits = bits;
    return expr;
}

/* operand += 1, operand -= 1 */
static struct expr *counted(struct body *body, CXCursor cursor, struct expr *operand, bool is_up)
{
    const struct type *type = front_basic(body->front, TYPE_INT, false);
    struct expr *expr = body_new_expr(body, EXPR_ASSIGN, cursor, operand->type, 2);

    expr->compound = true;
    expr->binary = is_up ? BINARY_ADD : BINARY_SUB;
    expr->compute = type;
    expr->kid[0] = operand;
    expr->kid[1] = body_new_expr(body, EXPR_INT, cursor, type, 0);
    expr->kid[1]->bits = 1;
    return expr;
}

/* The value before counting a bool. For operand-- it is the opposite of the new value; for
 * operand++ it is operand ? 1 : (operand = 1, 0). */
static struct expr *before_counting(struct body *body, CXCursor cursor, struct expr *operand,
                                    bool is_up)
{
    const struct type *type = front_basic(body->front, TYPE_BOOL, false);
    struct expr *expr;
    struct expr *set;

    if (!is_up) {
        expr = body_new_expr(body, EXPR_UNARY, cursor, type, 1);
        expr->unary = UNARY_NOT;
        expr->kid[0] = counted(body, cursor, operand, false);
        return expr;
    }
    if (!expr_is_plain(operand)) {
        return body_refuse_everywhere(body, cursor, "the value of a bool before its increment");
    }
    set = body_new_expr(body, EXPR_BINARY, cursor, type, 2);
    set->binary = BINARY_COMMA;
    set->kid[0] = counted(body, cursor, operand, true);
    set->kid[1] = truth(body, cursor, 0);
    expr = body_new_expr(body, EXPR_COND, cursor, type, 3);
    expr->kid[0] = operand;
    expr->kid[1] = truth(body, cursor, 1);
    expr->kid[2] = set;
    return expr;
}

struct expr *body_count_bool(struct body *body, CXCursor cursor, bool is_discarded)
{
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
    struct children children = front_children(body->front, cursor);
    bool is_post = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec;
    bool is_up = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc;
    struct expr *operand;

    if (!front_counts_bool(cursor) || children.count != 1) {
        return NULL;
    }
    operand = body_expr(body, children.child[0]);
    if (operand == NULL) {
        return NULL;
    }
    return is_post && !is_discarded ? before_counting(body, cursor, operand, is_up)
                                    : counted(body, cursor, operand, is_up);
}

struct expr *body_unary(struct body *body, CXCursor cursor)
{
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
    struct children children = front_children(body->front, cursor);
    const struct type *type;
    struct expr *operand;
    struct expr *expr;

    if (kind == CXUnaryOperator_Extension && children.count == 1) {
        return body_expr(body, children.child[0]);
    }
    if (front_counts_bool(cursor)) {
        return body_count_bool(body, cursor, false);
    }
    for (size_t u = 0; u < sizeof(unary) / sizeof(unary[0]); u++) {
        if (unary[u].clang != kind || children.count != 1) {
            continue;
        }
        operand = body_expr(body, children.child[0]);
        type = operand != NULL ? body_type(body, cursor) : NULL;
        if (type == NULL) {
            return NULL;
        }
        if (unary[u].op == UNARY_ADDRESS &&
            (operand->kind == EXPR_BINARY || operand->kind == EXPR_UNARY)) {
            return body_address_of(body, cursor, operand);
        }
        expr = body_new_expr(body, EXPR_UNARY, cursor, type, 1);
        expr->unary = unary[u].op;
        expr->kid[0] = operand;
        return expr;
    }
    return body_refuse_everywhere(body, cursor, "an operator on complex numbers");
}

/* Whether the second operand may not run, or runs after the side effects of the first. */
static bool is_lazy(CXCursor cursor)
{
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);

    return kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr ||
           kind == CXBinaryOperator_Comma;
}

static struct expr *two_kids(struct body *body, CXCursor cursor, enum expr_kind kind)
{
    struct children children = front_children(body->front, cursor);
    const struct type *type = body_type(body, cursor);
    struct expr *expr;

    if (children.count != 2) {
        return body_refuse(body, cursor, "an operator of a kind that is not known");
    }
    if (type == NULL) {
        return NULL;
    }
    expr = body_new_expr(body, kind, cursor, type, 2);
    expr->kid[0] = body_expr(body, children.child[0]);
    if (expr->kid[0] != NULL) {
        expr->kid[1] = is_lazy(cursor) ? body_repeated(body, children.child[1])
                                       : body_expr(body, children.child[1]);
    }
    return expr->kid[1] != NULL ? expr : NULL;
}

struct expr *body_binary(struct body *body, CXCursor cursor)
{
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
    struct expr *expr;

    if (kind == CXBinaryOperator_Assign) {
        return two_kids(body, cursor, EXPR_ASSIGN);
    }
    for (size_t b = 0; b < sizeof(binary) / sizeof(binary[0]); b++) {
        if (binary[b].clang == kind) {
            expr = two_kids(body, cursor, EXPR_BINARY);
            if (expr != NULL) {
                expr->binary = binary[b].op;
            }
            return expr;
        }
    }
    return body_refuse_everywhere(body, cursor, "a pointer to a member");
}

static enum type_kind promoted(const struct type *type)
{
    return type->kind >= TYPE_BOOL && type->kind <= TYPE_USHORT ? TYPE_INT : type->kind;
}

/* The usual arithmetic conversions. Kinds are declared by rank, each signed one before its unsigned
 * one, so the higher kind wins unless it cannot hold all values of the lower. */
static const struct type *common_type(struct front *front, const struct type *a,
                                      const struct type *b)
{
    enum type_kind x = promoted(a);
    enum type_kind y = promoted(b);
    enum type_kind high = x > y ? x : y;
    enum type_kind low = x > y ? y : x;
    bool low_unsigned = low == TYPE_UINT || low == TYPE_ULONG;

    if ((high == TYPE_LONG || high == TYPE_LLONG) && low_unsigned &&
        front_basic(front, high, false)->size <= front_basic(front, low, false)->size) {
        high = high == TYPE_LONG ? TYPE_ULONG : TYPE_ULLONG;
    }
    return front_basic(front, high, false);
}

struct expr *body_compound(struct body *body, CXCursor cursor)
{
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
    struct expr *expr = two_kids(body, cursor, EXPR_ASSIGN);
    const struct type *left;

    if (expr == NULL) {
        return NULL;
    }
    for (size_t b = 0; b < sizeof(binary) / sizeof(binary[0]); b++) {
        if (binary[b].assign == kind && kind != CXBinaryOperator_Invalid) {
            expr->binary = binary[b].op;
        }
    }
    left = expr->kid[0]->type;
    expr->compound = true;
    if (left->kind == TYPE_POINTER) {
        expr->compute = left;
    } else if (expr->binary == BINARY_SHL || expr->binary == BINARY_SHR) {
        expr->compute = front_basic(body->front, promoted(left), false);
    } else {
        expr->compute = common_type(body->front, left, expr->kid[1]->type);
    }
    return expr;
}

/* libclang calls a pointer that comes from a parameter such as `double x[3]` an array, also behind
 * an operator: `x + 1`. The value of an operator is never an array. */
const struct type *body_value_type(struct body *body, enum expr_kind kind, const struct type *type)
{
    bool is_operator = kind == EXPR_BINARY || kind == EXPR_ASSIGN;

    return is_operator && type->kind == TYPE_ARRAY ? front_pointer(body->front, type->elem) : type;
}
