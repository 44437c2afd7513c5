/* expr.c: expressions to trees.
 *
 * In: an expression cursor of a body. Out: its tree, or NULL after body_refuse(). A table says
 * which handler reads which kind of cursor; operators are in operator.c, calls in
 * call.c, initialisers in init.c. Decay of arrays and functions, loads and parentheses
 * leave no node; every other conversion is a cast.
 */
#include "pass/frontend/util.h"

#include <string.h>

struct expr *body_new_expr(struct body *body, enum expr_kind kind, CXCursor cursor,
                           const struct type *type, int kids)
{
    struct expr *expr = arena_alloc(body->front->arena, sizeof(*expr));

    expr->kind = kind;
    expr->type = body_value_type(body, kind, type);
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
        return body_is_reference(body, var) ? body_dereferenced(body, cursor, expr) : expr;
    case CXCursor_FunctionDecl:
        return body_refuse_everywhere(body, cursor, "a pointer to a function");
    default:
        expr = body_part(body, cursor, referenced);
        return expr != NULL ? expr
                            : body_refuse(body, cursor, "a name of a kind that is not known");
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

/* A part of either of two objects is either of two parts: in C++ it may be assigned, and C has no
 * other way to say that. */
static struct expr *part_of_either(struct body *body, CXCursor cursor, struct expr *part)
{
    const struct expr *either = part->kid[0];
    struct expr *expr;

    if (either->kind != EXPR_COND || either->type->kind == TYPE_POINTER) {
        return part;
    }
    expr = body_new_expr(body, EXPR_COND, cursor, part->type, 3);
    expr->kid[0] = either->kid[0];
    for (int k = 1; k < 3; k++) {
        struct expr *one = body_new_expr(body, part->kind, cursor, part->type, part->kids);

        for (int rest = 1; rest < part->kids; rest++) {
            one->kid[rest] = part->kid[rest];
        }
        one->kid[0] = either->kid[k];
        one->text = part->text;
        expr->kid[k] = part_of_either(body, cursor, one);
    }
    return expr;
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
    return part_of_either(body, cursor, expr);
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
    return part_of_either(body, cursor, expr);
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
        expr->kid[k] =
            k == 0 ? body_expr(body, children.child[k]) : body_repeated(body, children.child[k]);
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

/* A parameter written as an array: clang's interface gives its value, and what is passed for it,
 * the array's type again. */
static bool is_array_parameter(CXCursor cursor, const struct expr *operand)
{
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(cursor)).kind;

    return (operand->type->kind == TYPE_POINTER && kind == CXType_ConstantArray) ||
           kind == CXType_IncompleteArray;
}

/* a ?: b, whose children are a, the two uses of its value, and b. */
static struct expr *without_middle(struct body *body, CXCursor cursor,
                                   const struct children *children)
{
    const struct type *type = body_type(body, cursor);
    struct expr *value = body_expr(body, children->child[0]);
    struct expr *again;
    struct expr *expr;

    if (type == NULL || value == NULL) {
        return NULL;
    }
    if (!expr_is_plain(value)) {
        value = body_temporary(body, cursor, value);
    }
    again = value != NULL && value->kind == EXPR_BINARY ? value->kid[1] : value;
    if (value == NULL || value->type->kind > TYPE_DOUBLE || type->kind > TYPE_DOUBLE) {
        return body_refuse(body, cursor, "the operator ?: without a middle");
    }
    expr = body_new_expr(body, EXPR_COND, cursor, type, 3);
    expr->kid[0] = body->front->options->language == LANGUAGE_CXX
                       ? body_convert(body, value, front_basic(body->front, TYPE_BOOL, false))
                       : value;
    expr->kid[1] = body_convert(body, again, type);
    expr->kid[2] = body_convert(body, body_repeated(body, children->child[3]), type);
    return expr->kid[2] != NULL ? expr : NULL;
}

/* Expressions without a cursor kind of their own in libclang: mostly implicit conversions. */
static struct expr *unexposed(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    const char *text = front_literal(body->front, cursor);
    const struct type *type;
    struct expr *operand;

    if (text != NULL) {
        return string_literal(body, cursor, text);
    }
    if (children.count == 4) {
        return without_middle(body, cursor, &children);
    }
    if (children.count != 1) {
        return body_refuse(body, cursor, "an extension of the language");
    }
    if (clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_Pointer &&
        front_is_null(body->front, cursor)) {
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

/* A literal is an object of its own: a variable before the statement. */
static struct expr *kept(struct body *body, CXCursor cursor, struct expr *value)
{
    struct expr *variable = body_temporary(body, cursor, value);

    return variable != NULL
               ? variable
               : body_refuse(body, cursor, "a literal of an object with constant members");
}

static struct expr *compound_literal(struct body *body, CXCursor cursor)
{
    const struct type *type = body_type(body, cursor);
    CXCursor list = front_literal_braces(body->front, cursor);
    struct expr *value = NULL;

    if (type == NULL || clang_Cursor_isNull(list)) {
        return body_refuse(body, cursor, "a compound literal of a kind that is not known");
    }
    value = body_initialiser(body, list, type);
    return value != NULL ? kept(body, cursor, value) : NULL;
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
    struct expr *value = type != NULL ? body_initialiser(body, cursor, type) : NULL;

    return value != NULL && value->kind == EXPR_INIT ? kept(body, cursor, value) : value;
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
    {CXCursor_StmtExpr, body_statement_value},
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
