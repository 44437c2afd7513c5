/* expr.c: expressions to trees.
 *
 * In: an expression cursor of a body. Out: its tree, or NULL after body_refuse(). A table says
 * which handler reads which kind of cursor; operators are in operator.c, calls in
 * call.c, initialisers in init.c. Decay of arrays and functions, loads and parentheses
 * leave no node; every other conversion is a cast.
 */
#include "pass/clang/util.h"

#include <string.h>

struct expr *body_new_expr(struct body *body, enum expr_kind kind, CXCursor cursor,
                           const struct type *type, int kids)
{
    struct expr *expr = arena_alloc(body->front->arena, sizeof(*expr));

    expr->kind = kind;
    expr->type = type;
    expr->loc = front_loc(body->front, cursor);
    expr->kids = kids;
    expr->kid =
        kids > 0 ? arena_alloc(body->front->arena, (size_t)kids * sizeof(*expr->kid)) : NULL;
    return expr;
}

struct expr *body_convert(struct body *body, struct expr *expr, const struct type *type)
{
    struct expr *cast;

    if (expr == NULL || type == NULL || type_same(expr->type, type)) {
        return expr;
    }
    cast = arena_alloc(body->front->arena, sizeof(*cast));
    cast->kind = EXPR_CAST;
    cast->implicit = true;
    cast->type = type;
    cast->loc = expr->loc;
    cast->kids = 1;
    cast->kid = arena_alloc(body->front->arena, sizeof(*cast->kid));
    cast->kid[0] = expr;
    return cast;
}

struct expr *body_constant(struct body *body, CXCursor cursor)
{
    struct refusal refusal = {0};
    const struct type *type = front_type(body->front, clang_getCursorType(cursor), &refusal);
    unsigned long long bits = 0;
    double value = 0.0;
    struct expr *expr;

    if (type == NULL) {
        return NULL;
    }
    if (type_is_floating(type) ? !front_number(cursor, &value)
                               : !type_is_integer(type) || !front_integer(cursor, &bits)) {
        return NULL;
    }
    expr = body_new_expr(body, type_is_floating(type) ? EXPR_FLOAT : EXPR_INT, cursor,
                         front_basic(body->front, type->kind, false), 0);
    expr->bits = bits;
    expr->value = value;
    return expr;
}

static struct expr *literal(struct body *body, CXCursor cursor)
{
    struct expr *expr = body_constant(body, cursor);

    if (expr == NULL && body_type(body, cursor) != NULL) {
        return body_refuse(body, cursor, "a constant of a kind that is not known");
    }
    return expr;
}

static struct expr *null_pointer(struct body *body, CXCursor cursor)
{
    (void)cursor;
    return body_new_expr(body, EXPR_INT, cursor, front_basic(body->front, TYPE_INT, false), 0);
}

/* sizeof and alignof. */
static struct expr *size_of(struct body *body, CXCursor cursor)
{
    struct expr *expr = body_constant(body, cursor);

    return expr != NULL ? expr
                        : body_refuse_everywhere(body, cursor, "a size known only at run time");
}

static struct expr *enumerator(struct body *body, CXCursor cursor, CXCursor referenced)
{
    const struct type *type = body_type(body, cursor);
    struct expr *expr;

    if (type == NULL) {
        return NULL;
    }
    expr = body_new_expr(body, EXPR_INT, cursor, front_basic(body->front, type->kind, false), 0);
    expr->bits = clang_getEnumConstantDeclUnsignedValue(referenced);
    return expr;
}

static struct expr *reference(struct body *body, CXCursor cursor)
{
    CXCursor referenced = clang_getCursorReferenced(cursor);
    struct expr *expr;
    struct var *var;

    switch (clang_getCursorKind(referenced)) {
    case CXCursor_EnumConstantDecl:
        return enumerator(body, cursor, referenced);
    case CXCursor_VarDecl:
    case CXCursor_ParmDecl:
        var = body_variable(body, cursor, referenced);
        if (var == NULL) {
            return NULL;
        }
        expr = body_new_expr(body, EXPR_VAR, cursor, var->type, 0);
        expr->var = var;
        return expr;
    case CXCursor_FunctionDecl:
        return body_refuse_everywhere(body, cursor, "a pointer to a function");
    default:
        return body_refuse(body, cursor, "a name of a kind that is not known");
    }
}

/* A template argument in place of its parameter. */
static struct expr *declaration_reference(struct body *body, CXCursor cursor)
{
    if (front_is_template_value(cursor)) {
        struct children children = front_children(body->front, cursor);

        return children.count == 1 ? body_expr(body, children.child[0])
                                   : body_refuse(body, cursor, "a template argument");
    }
    return reference(body, cursor);
}

static struct expr *member(struct body *body, CXCursor cursor)
{
    CXCursor referenced = clang_getCursorReferenced(cursor);
    struct children children = front_children(body->front, cursor);
    const struct type *type;
    struct expr *base;
    struct expr *expr;

    if (clang_getCursorKind(referenced) == CXCursor_VarDecl) {
        return reference(body, cursor); /* a static member */
    }
    if (clang_getCursorKind(referenced) != CXCursor_FieldDecl || children.count < 1 ||
        !clang_isExpression(clang_getCursorKind(children.child[0]))) {
        return body_refuse_everywhere(body, cursor, "a member of the object itself");
    }
    base = body_expr(body, children.child[0]);
    type = body_type(body, cursor);
    if (base == NULL || type == NULL) {
        return NULL;
    }
    expr = body_new_expr(body, EXPR_MEMBER, cursor, type, 1);
    expr->kid[0] = base;
    expr->text = front_spelling(body->front, cursor);
    return expr;
}

static struct expr *subscript(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    const struct type *type = body_type(body, cursor);
    struct expr *base;
    struct expr *index;
    struct expr *expr;

    if (children.count != 2) {
        return body_refuse(body, cursor, "a subscript of a kind that is not known");
    }
    base = body_expr(body, children.child[0]);
    index = body_expr(body, children.child[1]);
    if (type == NULL || base == NULL || index == NULL) {
        return NULL;
    }
    expr = body_new_expr(body, EXPR_INDEX, cursor, type, 2);
    if (type_is_integer(base->type)) { /* 2[a] */
        struct expr *first = base;

        base = index;
        index = first;
    }
    expr->kid[0] = base;
    expr->kid[1] = index;
    return expr;
}

static struct expr *conditional(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    const struct type *type = body_type(body, cursor);
    struct expr *expr;

    if (children.count != 3) {
        return body_refuse(body, cursor, "a conditional of a kind that is not known");
    }
    if (type == NULL) {
        return NULL;
    }
    expr = body_new_expr(body, EXPR_COND, cursor, type, 3);
    for (int k = 0; k < 3; k++) {
        expr->kid[k] = body_expr(body, children.child[k]);
        if (expr->kid[k] == NULL) {
            return NULL;
        }
    }
    return expr;
}

static struct expr *parenthesised(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);

    return children.count == 1
               ? body_expr(body, children.child[0])
               : body_refuse(body, cursor, "parentheses of a kind that is not known");
}

static struct expr *explicit_cast(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    const struct type *type = body_type(body, cursor);
    struct expr *operand;
    struct expr *expr;

    if (children.count == 0 ||
        !clang_isExpression(clang_getCursorKind(children.child[children.count - 1]))) {
        return body_refuse(body, cursor, "a cast of a kind that is not known");
    }
    operand = body_expr(body, children.child[children.count - 1]);
    if (type == NULL || operand == NULL) {
        return NULL;
    }
    if (type->kind == TYPE_RECORD) {
        return type_same(type, operand->type) ? operand
                                              : body_refuse(body, cursor, "a cast to a record");
    }
    /* clang shows the conversion below the cast that asks for it. */
    if (operand->kind == EXPR_CAST && operand->implicit && type_same(operand->type, type)) {
        operand = operand->kid[0];
    }
    expr = body_new_expr(body, EXPR_CAST, cursor, type, 1);
    expr->kid[0] = operand;
    return expr;
}

/* Array to pointer: the IR lets an array stand where a pointer is needed. */
static bool is_decay(const struct type *from, const struct type *to)
{
    return from->kind == TYPE_ARRAY && to->kind == TYPE_POINTER && type_same(from->elem, to->elem);
}

static struct expr *string_literal(struct body *body, CXCursor cursor, const char *text)
{
    const struct type *element = front_basic(body->front, TYPE_CHAR, true);
    struct expr *expr =
        body_new_expr(body, EXPR_STRING, cursor, front_pointer(body->front, element), 0);

    expr->text = text;
    return expr;
}

/* A parameter written as an array: clang's interface gives its value the array's type again. */
static bool is_array_parameter(CXCursor cursor, const struct expr *operand)
{
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(cursor)).kind;

    return operand->type->kind == TYPE_POINTER &&
           (kind == CXType_ConstantArray || kind == CXType_IncompleteArray);
}

/* Whatever clang's interface has no kind for: implicit conversions, mostly. */
static struct expr *unexposed(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    const char *text = front_literal(body->front, cursor);
    const struct type *type;
    struct expr *operand;

    if (text != NULL) {
        return string_literal(body, cursor, text);
    }
    if (children.count != 1) {
        return body_refuse(body, cursor,
                           children.count == 4 ? "the operator ?: without a middle"
                                               : "an extension of the language");
    }
    if (front_is_null(body->front, cursor) &&
        clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_Pointer) {
        operand = null_pointer(body, cursor);
    } else {
        operand = body_expr(body, children.child[0]);
    }
    if (operand != NULL && is_array_parameter(cursor, operand)) {
        return operand;
    }
    type = operand != NULL ? body_type(body, cursor) : NULL;
    if (type == NULL) {
        return NULL;
    }
    if (is_decay(operand->type, type)) {
        return operand;
    }
    if (operand->type->kind == TYPE_ARRAY && type->kind == TYPE_ARRAY) {
        return operand; /* qualifiers only */
    }
    return body_convert(body, operand, type);
}

static struct expr *lambda(struct body *body, CXCursor cursor)
{
    return body_refuse(body, cursor, "a lambda");
}

static struct expr *compound_literal(struct body *body, CXCursor cursor)
{
    return body_refuse(body, cursor, "a compound literal");
}

static struct expr *statement_expression(struct body *body, CXCursor cursor)
{
    return body_refuse(body, cursor, "a statement inside of an expression");
}

static struct expr *generic_selection(struct body *body, CXCursor cursor)
{
    return body_refuse(body, cursor, "a generic selection");
}

static struct expr *label_address(struct body *body, CXCursor cursor)
{
    return body_refuse_everywhere(body, cursor, "the address of a label");
}

static struct expr *allocation(struct body *body, CXCursor cursor)
{
    return body_refuse_everywhere(body, cursor, "new or delete");
}

static struct expr *throwing(struct body *body, CXCursor cursor)
{
    return body_refuse_everywhere(body, cursor, "an exception");
}

static struct expr *this_object(struct body *body, CXCursor cursor)
{
    return body_refuse_everywhere(body, cursor, "the object of a member function");
}

static struct expr *dynamic_type(struct body *body, CXCursor cursor)
{
    return body_refuse_everywhere(body, cursor, "a type looked at while the program runs");
}

static struct expr *braces(struct body *body, CXCursor cursor)
{
    const struct type *type = body_type(body, cursor);

    return type != NULL ? body_initialiser(body, cursor, type) : NULL;
}

static const struct {
    enum CXCursorKind kind;
    struct expr *(*read)(struct body *body, CXCursor cursor);
} handler[] = {
    {CXCursor_IntegerLiteral, literal},
    {CXCursor_FloatingLiteral, literal},
    {CXCursor_CharacterLiteral, literal},
    {CXCursor_CXXBoolLiteralExpr, literal},
    {CXCursor_CXXNullPtrLiteralExpr, null_pointer},
    {CXCursor_GNUNullExpr, null_pointer},
    {CXCursor_UnaryExpr, size_of},
    {CXCursor_DeclRefExpr, declaration_reference},
    {CXCursor_MemberRefExpr, member},
    {CXCursor_ArraySubscriptExpr, subscript},
    {CXCursor_UnaryOperator, body_unary},
    {CXCursor_BinaryOperator, body_binary},
    {CXCursor_CompoundAssignOperator, body_compound},
    {CXCursor_ConditionalOperator, conditional},
    {CXCursor_ParenExpr, parenthesised},
    {CXCursor_CStyleCastExpr, explicit_cast},
    {CXCursor_CXXStaticCastExpr, explicit_cast},
    {CXCursor_CXXFunctionalCastExpr, explicit_cast},
    {CXCursor_CXXConstCastExpr, explicit_cast},
    {CXCursor_CXXReinterpretCastExpr, explicit_cast},
    {CXCursor_CallExpr, body_call},
    {CXCursor_InitListExpr, braces},
    {CXCursor_UnexposedExpr, unexposed},
    {CXCursor_LambdaExpr, lambda},
    {CXCursor_CompoundLiteralExpr, compound_literal},
    {CXCursor_StmtExpr, statement_expression},
    {CXCursor_GenericSelectionExpr, generic_selection},
    {CXCursor_AddrLabelExpr, label_address},
    {CXCursor_CXXNewExpr, allocation},
    {CXCursor_CXXDeleteExpr, allocation},
    {CXCursor_CXXThrowExpr, throwing},
    {CXCursor_CXXThisExpr, this_object},
    {CXCursor_CXXDynamicCastExpr, dynamic_type},
    {CXCursor_CXXTypeidExpr, dynamic_type},
};

struct expr *body_expr(struct body *body, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);

    for (size_t h = 0; h < sizeof(handler) / sizeof(handler[0]); h++) {
        if (handler[h].kind == kind) {
            return handler[h].read(body, cursor);
        }
    }
    return body_refuse(body, cursor, "an expression of a kind that is not known");
}
