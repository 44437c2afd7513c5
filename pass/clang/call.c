/* call.c: calls to trees.
 *
 * Besides calls of functions, C++ shows copies and assignments of plain records as calls of
 * functions that nobody wrote: those become what they do.
 */
#include "pass/clang/util.h"

#include <string.h>

static bool is_user_written(CXCursor method)
{
    return !front_same(clang_getCursorSemanticParent(method), method) &&
           clang_getCursorKind(method) != CXCursor_FunctionDecl &&
           !clang_equalLocations(clang_getCursorLocation(method),
                                 clang_getCursorLocation(clang_getCursorSemanticParent(method)));
}

static struct expr *constructor(struct body *body, CXCursor cursor, CXCursor referenced)
{
    bool copies = clang_CXXConstructor_isCopyConstructor(referenced) ||
                  clang_CXXConstructor_isMoveConstructor(referenced);

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

/* Values that clang knows: std::numeric_limits<double>::max(), __builtin_inf(). */
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
    struct expr *value;

    if (!front_is_default(given)) {
        return body_expr(body, given);
    }
    value = body_constant(body, given);
    if (value == NULL) {
        return body_refuse(body, call, "a default argument that is not constant");
    }
    value->loc = front_loc(body->front, call);
    return body_convert(body, value,
                        body_type(body, clang_Cursor_getArgument(referenced, (unsigned)k)));
}

static struct expr *plain_call(struct body *body, CXCursor cursor, CXCursor referenced)
{
    int args = clang_Cursor_getNumArguments(cursor);
    struct function *callee = body_callee(body, cursor, referenced);
    const struct type *type = callee != NULL ? callee->result : NULL;
    struct expr *expr;

    if (type == NULL || args < 0) {
        return callee == NULL ? NULL : body_refuse(body, cursor, "a call of an unknown kind");
    }
    expr = body_new_expr(body, EXPR_CALL, cursor, type, args);
    expr->callee = callee;
    for (int k = 0; k < args; k++) {
        struct expr *kid = argument(body, cursor, referenced, k);

        if (kid == NULL) {
            return NULL;
        }
        if (callee->kind == FUNCTION_MATH && k < callee->params) {
            kid = body_convert(body, kid, callee->param[k]->type);
        }
        expr->kid[k] = kid;
    }
    return expr;
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
            return body_expr(body, clang_Cursor_getArgument(cursor, 0));
        }
        value = known_value(body, cursor, referenced);
        if (value != NULL) {
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
