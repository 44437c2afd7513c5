/* call.c: reads calls as trees. C++ also shows copies and assignments of plain records as calls of
 * functions that nobody wrote: those become plain copies and assignments. */
#include "pass/frontend/util.h"

#include <string.h>

static bool is_user_written(CXCursor method)
{
    return !front_same(clang_getCursorSemanticParent(method), method) &&
           clang_getCursorKind(method) != CXCursor_FunctionDecl &&
           !clang_equalLocations(clang_getCursorLocation(method),
                                 clang_getCursorLocation(clang_getCursorSemanticParent(method)));
}

/* P() for a plain record P. */
static struct expr *no_values(struct body *body, CXCursor cursor)
{
    const struct type *type = body_type(body, cursor);
    struct expr *value =
        type != NULL ? body_temporary(body, cursor, body_zero(body, cursor, type)) : NULL;

    return value != NULL
               ? value
               : body_refuse(body, cursor, "a constructor of an object with constant members");
}

static struct expr *constructor(struct body *body, CXCursor cursor, CXCursor referenced)
{
    bool copies = clang_CXXConstructor_isCopyConstructor(referenced) ||
                  clang_CXXConstructor_isMoveConstructor(referenced);

    if (clang_Cursor_getNumArguments(cursor) == 0 && !is_user_written(referenced)) {
        return no_values(body, cursor);
    }
    if (!copies || is_user_written(referenced) || clang_Cursor_getNumArguments(cursor) != 1) {
        return body_refuse_everywhere(body, cursor, "a constructor");
    }
    return body_expr(body, clang_Cursor_getArgument(cursor, 0));
}

static struct expr *record_assignment(struct body *body, CXCursor cursor, CXCursor referenced)
{
    const struct type *type;
    struct expr *expr;

    if (strcmp(front_spelling(body->front, referenced), "operator=") != 0 ||
        is_user_written(referenced) || clang_Cursor_getNumArguments(cursor) != 2) {
        return body_refuse_everywhere(body, cursor, "a member function");
    }
    type = body_type(body, cursor);
    if (type == NULL) {
        return NULL;
    }
    expr = body_new_expr(body, EXPR_ASSIGN, cursor, type, 2);
    for (int k = 0; k < 2; k++) {
        expr->kid[k] = body_expr(body, clang_Cursor_getArgument(cursor, (unsigned)k));
        if (expr->kid[k] == NULL) {
            return NULL;
        }
    }
    return expr;
}

/* Library functions whose values clang knows: std::numeric_limits<double>::max(),
 * __builtin_inf(). */
static struct expr *known_value(struct body *body, CXCursor cursor, CXCursor referenced)
{
    bool is_builtin = strncmp(front_spelling(body->front, referenced), "__builtin_", 10) == 0;

    if (clang_Cursor_getNumArguments(cursor) != 0 && !is_builtin) {
        return NULL;
    }
    return front_in_system(referenced) || is_builtin ? body_constant(body, cursor) : NULL;
}

static struct expr *argument(struct body *body, CXCursor call, CXCursor referenced, int k)
{
    CXCursor given = clang_Cursor_getArgument(call, (unsigned)k);
    CXCursor param = clang_Cursor_getArgument(referenced, (unsigned)k);
    struct expr *value;

    if (!front_is_default(given)) {
        return body_expr(body, given);
    }
    value = body_constant(body, given);
    if (value == NULL) {
        return body_refuse(body, call, "a default argument that is not constant");
    }
    value->loc = front_loc(body->front, call);
    return body_convert(
        body, value, body_type_of(body, call, front_without_reference(clang_getCursorType(param))));
}

/* Returns the argument for parameter k, in the form that the callee (tree or text) takes. */
static struct expr *passed(struct body *body, CXCursor call, CXCursor referenced, int k,
                           struct function *callee)
{
    const struct function_entry *entry = front_function_entry(body->front, callee);
    CXCursor given = clang_Cursor_getArgument(call, (unsigned)k);
    const struct type *type = k < callee->params ? callee->param[k]->type : NULL;
    struct expr *value;

    if (entry != NULL && entry->by_address != NULL && k < callee->params && entry->by_address[k]) {
        return front_is_default(given) ? body_refuse(body, call, "a default argument")
                                       : body_passed_address(body, given, type);
    }
    value = argument(body, call, referenced, k);
    return value != NULL && callee->kind == FUNCTION_MATH && type != NULL
               ? body_convert(body, value, type)
               : value;
}

static struct expr *plain_call(struct body *body, CXCursor cursor, CXCursor referenced)
{
    int args = clang_Cursor_getNumArguments(cursor);
    struct function *callee = body_callee(body, cursor, referenced);
    const struct type *type = callee != NULL ? callee->result : NULL;
    const struct function_entry *entry;
    struct expr *expr;

    if (callee != NULL && callee->kind == FUNCTION_USER && clang_Cursor_isVariadic(referenced)) {
        return body_refuse_everywhere(body, cursor, "a call with any number of arguments");
    }
    if (type == NULL || args < 0) {
        return callee == NULL ? NULL : body_refuse(body, cursor, "a call of an unknown kind");
    }
    expr = body_new_expr(body, EXPR_CALL, cursor, type, args);
    expr->callee = callee;
    for (int k = 0; k < args; k++) {
        expr->kid[k] = passed(body, cursor, referenced, k, callee);
        if (expr->kid[k] == NULL) {
            return NULL;
        }
    }
    entry = front_function_entry(body->front, callee);
    return entry != NULL && entry->result_by_address ? body_dereferenced(body, cursor, expr) : expr;
}

/* A hint to the compiler becomes its first argument; a pointer loses its conversion to void *. */
static struct expr *hinted(struct body *body, CXCursor given)
{
    struct expr *value = body_expr(body, given);

    while (value != NULL && value->kind == EXPR_CAST && value->implicit &&
           value->type->kind == TYPE_POINTER && value->type->elem->kind == TYPE_VOID) {
        value = value->kid[0];
    }
    return value;
}

static bool is_clamp(struct body *body, CXCursor cursor, CXCursor referenced)
{
    return front_in_system(referenced) && clang_Cursor_getNumArguments(cursor) == 3 &&
           strcmp(front_spelling(body->front, referenced), "clamp") == 0;
}

static struct expr *extremum(struct body *body, CXCursor cursor, const char *name, struct expr *a,
                             struct expr *b)
{
    struct function *callee = body_extremum(body, cursor, name, a->type);
    struct expr *expr;

    if (callee == NULL) {
        return NULL;
    }
    expr = body_new_expr(body, EXPR_CALL, cursor, a->type, 2);
    expr->callee = callee;
    expr->kid[0] = a;
    expr->kid[1] = b;
    return expr;
}

/* std::clamp(value, low, high) is std::min(std::max(value, low), high), NaN and ties alike. */
static struct expr *clamp(struct body *body, CXCursor cursor)
{
    const struct type *type = body_type(body, cursor);
    struct expr *value = NULL;

    if (type == NULL || type->kind > TYPE_DOUBLE) {
        return type == NULL ? NULL : body_refuse_everywhere(body, cursor, "std::clamp of records");
    }
    type = front_basic(body->front, type->kind, false);
    for (int k = 0; k < 3; k++) {
        struct expr *given = body_expr(body, clang_Cursor_getArgument(cursor, (unsigned)k));

        given = body_convert(body, given, type);
        if (given == NULL) {
            return NULL;
        }
        value = k == 0 ? given : extremum(body, cursor, k == 1 ? "max" : "min", value, given);
        if (value == NULL) {
            return body_refuse_everywhere(body, cursor, "std::clamp of a narrow type");
        }
    }
    return value;
}

/* ---- comparisons of the library
 * ------------------------------------------------------------------
 */

static struct expr *compared(struct body *body, CXCursor cursor, enum binary_op op, struct expr *a,
                             struct expr *b)
{
    bool is_cxx = body->front->options->language == LANGUAGE_CXX;
    const struct type *type = front_basic(body->front, is_cxx ? TYPE_BOOL : TYPE_INT, false);
    struct expr *expr = body_new_expr(body, EXPR_BINARY, cursor, type, 2);

    expr->binary = op;
    expr->kid[0] = a;
    expr->kid[1] = b;
    return expr;
}

/* Reads both arguments and converts them to the type in which they are compared: float if both are
 * float, otherwise double. */
static bool operands(struct body *body, CXCursor cursor, struct expr *kid[2])
{
    enum type_kind kind = TYPE_FLOAT;

    for (unsigned k = 0; k < 2; k++) {
        kid[k] = body_expr(body, clang_Cursor_getArgument(cursor, k));
        if (kid[k] == NULL) {
            return false;
        }
        kind = kid[k]->type->kind == TYPE_FLOAT ? kind : TYPE_DOUBLE;
    }
    for (int k = 0; k < 2; k++) {
        kid[k] = body_convert(body, kid[k], front_basic(body->front, kind, false));
    }
    return true;
}

/* Whether the expression can be computed twice: it changes nothing. */
static bool is_repeatable(const struct expr *expr)
{
    if (expr->kind == EXPR_CAST || (expr->kind == EXPR_UNARY && expr->unary <= UNARY_BITNOT)) {
        return is_repeatable(expr->kid[0]);
    }
    return expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT || expr_is_plain(expr) ||
           (expr->kind == EXPR_BINARY && expr->binary != BINARY_COMMA &&
            is_repeatable(expr->kid[0]) && is_repeatable(expr->kid[1]));
}

/* The expression that tells whether either value is NaN: NaN is unequal to itself. */
static struct expr *unordered(struct body *body, CXCursor cursor, struct expr *kid[2])
{
    if (!is_repeatable(kid[0]) || !is_repeatable(kid[1])) {
        return body_refuse_everywhere(body, cursor, "isunordered of calls");
    }
    return compared(body, cursor, BINARY_LOR, compared(body, cursor, BINARY_NE, kid[0], kid[0]),
                    compared(body, cursor, BINARY_NE, kid[1], kid[1]));
}

/* isless(a, b) and similar macros become comparisons: the operators differ only in the
 * floating-point flags that they raise. NULL (perhaps nothing refused): the call is none of
 * these. */
static struct expr *comparison(struct body *body, CXCursor cursor, CXCursor referenced)
{
    static const struct {
        const char *name;
        enum binary_op op;
    } known[] = {{"isless", BINARY_LT},
                 {"islessequal", BINARY_LE},
                 {"isgreater", BINARY_GT},
                 {"isgreaterequal", BINARY_GE}};
    enum { KNOWN = sizeof(known) / sizeof(known[0]) };
    const char *name = front_spelling(body->front, referenced);
    struct expr *kid[2];
    struct expr *expr;
    int n = 0;

    if (front_is_builtin(body->front, referenced)) {
        name += strlen("__builtin_");
    } else if (!front_in_system(referenced)) {
        return NULL;
    }
    while (n < KNOWN && strcmp(known[n].name, name) != 0) {
        n++;
    }
    if ((n == KNOWN && strcmp(name, "isunordered") != 0) ||
        clang_Cursor_getNumArguments(cursor) != 2 || !operands(body, cursor, kid)) {
        return NULL;
    }
    expr = n == KNOWN ? unordered(body, cursor, kid)
                      : compared(body, cursor, known[n].op, kid[0], kid[1]);
    return expr != NULL ? body_convert(body, expr, body_type(body, cursor)) : NULL;
}

struct expr *body_call(struct body *body, CXCursor cursor)
{
    CXCursor referenced = clang_getCursorReferenced(cursor);
    struct expr *value;

    switch (clang_getCursorKind(referenced)) {
    case CXCursor_Constructor:
        return constructor(body, cursor, referenced);
    case CXCursor_CXXMethod:
    case CXCursor_FunctionDecl:
        if (front_is_hint(body->front, referenced)) {
            return hinted(body, clang_Cursor_getArgument(cursor, 0));
        }
        if (is_clamp(body, cursor, referenced)) {
            return clamp(body, cursor);
        }
        value = known_value(body, cursor, referenced);
        if (value == NULL) {
            value = comparison(body, cursor, referenced);
        }
        if (value != NULL || body->refusal.reason != NULL) {
            return value;
        }
        return front_is_function(referenced) ? plain_call(body, cursor, referenced)
                                             : record_assignment(body, cursor, referenced);
    case CXCursor_ConversionFunction:
        return body_refuse_everywhere(body, cursor, "a member function");
    default:
        return body_refuse_everywhere(body, cursor, "a call through a pointer");
    }
}
