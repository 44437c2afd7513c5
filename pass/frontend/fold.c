/* fold.c: values of constants that the language initialises when the program starts, and the compiler
 * before: C++'s `const double root = std::sqrt(2.0);`.
 *
 * In: an initialiser of type double. Out: its value, where that is certain: arithmetic as the program
 * does it, and functions of libm whose value in more digits rounds to one double only, which is what
 * gcc takes too.
 */
#include "pass/frontend/util.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    long double (*of_one)(long double);
    long double (*of_two)(long double, long double);
} function[] = {
    {"sqrt", sqrtl, NULL}, {"fabs", fabsl, NULL},   {"abs", fabsl, NULL},   {"cbrt", cbrtl, NULL},
    {"exp", expl, NULL},   {"log", logl, NULL},     {"log10", log10l, NULL}, {"sin", sinl, NULL},
    {"cos", cosl, NULL},   {"tan", tanl, NULL},     {"asin", asinl, NULL},  {"acos", acosl, NULL},
    {"atan", atanl, NULL}, {"sinh", sinhl, NULL},   {"cosh", coshl, NULL},  {"tanh", tanhl, NULL},
    {"pow", NULL, powl},   {"atan2", NULL, atan2l}, {"hypot", NULL, hypotl},
};

static bool is_double(CXCursor cursor)
{
    return clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_Double;
}

/* Whether all numbers within the error of long double functions round to the same double. */
static bool round_surely(long double exact, double *value)
{
    long double error = fabsl(exact) * 0x1p-60L;

    *value = (double)exact;
    return isfinite(exact) && (double)(exact - error) == *value &&
           (double)(exact + error) == *value;
}

static bool fold_call(struct front *front, CXCursor call, double *value)
{
    CXCursor referenced = clang_getCursorReferenced(call);
    const char *name = front_spelling(front, referenced);
    int args = clang_Cursor_getNumArguments(call);
    double arg[2] = {0, 0};

    if (!front_in_system(referenced) || args < 1 || args > 2) {
        return false;
    }
    for (int k = 0; k < args; k++) {
        if (!front_fold(front, clang_Cursor_getArgument(call, (unsigned)k), &arg[k])) {
            return false;
        }
    }
    for (size_t f = 0; f < sizeof(function) / sizeof(function[0]); f++) {
        if (strcmp(function[f].name, name) == 0 && args == (function[f].of_one != NULL ? 1 : 2)) {
            return round_surely(args == 1 ? function[f].of_one(arg[0])
                                          : function[f].of_two(arg[0], arg[1]),
                                value);
        }
    }
    return false;
}

static bool fold_binary(enum CXBinaryOperatorKind kind, double a, double b, double *value)
{
    switch (kind) {
    case CXBinaryOperator_Add:
        *value = a + b;
        return true;
    case CXBinaryOperator_Sub:
        *value = a - b;
        return true;
    case CXBinaryOperator_Mul:
        *value = a * b;
        return true;
    case CXBinaryOperator_Div:
        *value = a / b;
        return b != 0;
    default:
        return false;
    }
}

/* A const variable's value is that of its initialiser. */
static bool fold_variable(struct front *front, CXCursor reference, double *value)
{
    CXCursor variable = clang_getCursorDefinition(clang_getCursorReferenced(reference));
    CXCursor initialiser;

    if (clang_Cursor_isNull(variable) || clang_getCursorKind(variable) != CXCursor_VarDecl ||
        !clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(variable)))) {
        return false;
    }
    initialiser = clang_Cursor_getVarDeclInitializer(variable);
    return !clang_Cursor_isNull(initialiser) && front_fold(front, initialiser, value);
}

bool front_fold(struct front *front, CXCursor cursor, double *value)
{
    CXCursor inner = front_strip(front, cursor);
    struct children children = front_children(front, inner);
    double operand[2];

    if (front_number(inner, value)) {
        return true;
    }
    if (!is_double(inner)) {
        return false;
    }
    switch (clang_getCursorKind(inner)) {
    case CXCursor_DeclRefExpr:
        return fold_variable(front, inner, value);
    case CXCursor_CallExpr:
        return fold_call(front, inner, value);
    case CXCursor_UnaryOperator:
        if (clang_getCursorUnaryOperatorKind(inner) != CXUnaryOperator_Minus ||
            !front_fold(front, children.child[0], value)) {
            return false;
        }
        *value = -*value;
        return true;
    case CXCursor_BinaryOperator:
        return children.count == 2 && front_fold(front, children.child[0], &operand[0]) &&
               front_fold(front, children.child[1], &operand[1]) &&
               fold_binary(clang_getCursorBinaryOperatorKind(inner), operand[0], operand[1], value);
    default:
        return false;
    }
}
