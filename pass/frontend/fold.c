/* fold.c: computes constants that C++ lets a program initialise at its start and that compilers
 * compute before: `const double root = std::sqrt(2.0);`.
 *
 * In: an initialiser of arithmetic type. Out: its value, if that is certain: arithmetic as the
 * program does it, and functions of libm whose value, computed with more digits, rounds to only one
 * number, which is also gcc's. The value is in no object (global.c) if gcc computes it before the
 * program runs, so there is no other way to it.
 */
#include "pass/frontend/util.h"

#include <math.h>
#include <string.h>

/* Integers of up to 50 bits are exact in doubles, and so are their truncated quotients. */
enum { EXACT_BITS = 50 };

/* Equal to std::min (std::max), also for equal values and NaN. */
static long double lesser(long double a, long double b)
{
    return b < a ? b : a;
}

static long double greater(long double a, long double b)
{
    return a < b ? b : a;
}

static const struct {
    const char *name;
    long double (*of_one)(long double);
    long double (*of_two)(long double, long double);
} function[] = {
    {"sqrt", sqrtl, NULL},   {"fabs", fabsl, NULL},         {"abs", fabsl, NULL},
    {"cbrt", cbrtl, NULL},   {"exp", expl, NULL},           {"exp2", exp2l, NULL},
    {"expm1", expm1l, NULL}, {"log", logl, NULL},           {"log2", log2l, NULL},
    {"log10", log10l, NULL}, {"log1p", log1pl, NULL},       {"sin", sinl, NULL},
    {"cos", cosl, NULL},     {"tan", tanl, NULL},           {"asin", asinl, NULL},
    {"acos", acosl, NULL},   {"atan", atanl, NULL},         {"sinh", sinhl, NULL},
    {"cosh", coshl, NULL},   {"tanh", tanhl, NULL},         {"asinh", asinhl, NULL},
    {"acosh", acoshl, NULL}, {"atanh", atanhl, NULL},       {"erf", erfl, NULL},
    {"erfc", erfcl, NULL},   {"floor", floorl, NULL},       {"ceil", ceill, NULL},
    {"trunc", truncl, NULL}, {"round", roundl, NULL},       {"pow", NULL, powl},
    {"atan2", NULL, atan2l}, {"hypot", NULL, hypotl},       {"fmod", NULL, fmodl},
    {"fmin", NULL, fminl},   {"fmax", NULL, fmaxl},         {"min", NULL, lesser},
    {"max", NULL, greater},  {"copysign", NULL, copysignl},
};

static enum CXTypeKind kind_of(CXCursor cursor)
{
    return clang_getCanonicalType(clang_getCursorType(cursor)).kind;
}

static bool is_floating(enum CXTypeKind kind)
{
    return kind == CXType_Double || kind == CXType_Float;
}

static bool is_integer(enum CXTypeKind kind)
{
    return kind >= CXType_Bool && kind <= CXType_LongLong && kind != CXType_UInt128;
}

/* Converts the value to the type of the cursor; false when that type does not have it, or a double
 * cannot hold it. */
static bool convert(CXCursor cursor, double *value)
{
    enum CXTypeKind kind = kind_of(cursor);
    double most = 8.0 * (double)clang_Type_getSizeOf(clang_getCursorType(cursor));

    if (is_floating(kind)) {
        *value = kind == CXType_Float ? (double)(float)*value : *value;
        return true;
    }
    if (!is_integer(kind) || !isfinite(*value)) {
        return false;
    }
    if (kind == CXType_Bool) {
        *value = *value != 0;
        return true;
    }
    *value = trunc(*value);
    most = fmin(most - 1, EXACT_BITS); /* which every type of this size has */
    return *value >= (kind >= CXType_Char_S ? -ldexp(1, (int)most) : 0) &&
           *value < ldexp(1, (int)most);
}

/* Whether all numbers within the error of the long double functions round to one number of the
 * type. */
static bool round_surely(long double exact, enum CXTypeKind kind, double *value)
{
    long double error = fabsl(exact) * 0x1p-60L;

    if (kind == CXType_Float) {
        *value = (double)(float)exact;
        return isfinite(*value) && (float)(exact - error) == (float)(exact + error);
    }
    *value = (double)exact;
    return isfinite(*value) && (double)(exact - error) == *value &&
           (double)(exact + error) == *value;
}

/* 1: the C library's name of a function, or of its variant for float. */
static bool is_named(CXCursor call, const char *name, const char *function_name)
{
    size_t length = strlen(function_name);

    return strcmp(name, function_name) == 0 ||
           (kind_of(call) == CXType_Float && strncmp(name, function_name, length) == 0 &&
            strcmp(name + length, "f") == 0);
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
        if (is_named(call, name, function[f].name) &&
            args == (function[f].of_one != NULL ? 1 : 2)) {
            return round_surely(args == 1 ? function[f].of_one(arg[0])
                                          : function[f].of_two(arg[0], arg[1]),
                                kind_of(call), value);
        }
    }
    return false;
}

/* Computes in double. Sums, products and quotients of floats that are rounded twice, to double
 * and then to float, equal those rounded once. */
static bool compute(enum CXBinaryOperatorKind kind, double a, double b, double *value)
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
        *value = a / b; /* of integers: convert() cuts it */
        return b != 0;
    case CXBinaryOperator_LT:
        *value = a < b;
        return true;
    case CXBinaryOperator_GT:
        *value = a > b;
        return true;
    case CXBinaryOperator_LE:
        *value = a <= b;
        return true;
    case CXBinaryOperator_GE:
        *value = a >= b;
        return true;
    case CXBinaryOperator_EQ:
        *value = a == b;
        return true;
    case CXBinaryOperator_NE:
        *value = a != b;
        return true;
    default:
        return false;
    }
}

static bool fold_binary(struct front *front, CXCursor binary, const struct children *children,
                        double *value)
{
    double a;
    double b;

    return children->count == 2 && front_fold(front, children->child[0], &a) &&
           front_fold(front, children->child[1], &b) &&
           compute(clang_getCursorBinaryOperatorKind(binary), a, b, value) &&
           convert(binary, value);
}

static bool fold_unary(struct front *front, CXCursor unary, const struct children *children,
                       double *value)
{
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(unary);

    if (children->count != 1 || !front_fold(front, children->child[0], value)) {
        return false;
    }
    if (kind == CXUnaryOperator_Minus) {
        *value = -*value;
    } else if (kind == CXUnaryOperator_LNot) {
        *value = *value == 0;
    }
    return (kind == CXUnaryOperator_Minus || kind == CXUnaryOperator_Plus ||
            kind == CXUnaryOperator_LNot) &&
           convert(unary, value);
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
    return !clang_Cursor_isNull(initialiser) && front_fold(front, initialiser, value) &&
           convert(variable, value);
}

static bool fold_choice(struct front *front, const struct children *children, double *value)
{
    double condition;

    return children->count == 3 && front_fold(front, children->child[0], &condition) &&
           front_fold(front, children->child[condition != 0 ? 1 : 2], value);
}

/* Folds the expression below implicit conversions that do not change the value. */
static bool fold_inner(struct front *front, CXCursor inner, double *value)
{
    struct children children = front_children(front, inner);
    CXCursor last = children.count > 0 ? children.child[children.count - 1] : clang_getNullCursor();
    unsigned long long bits;

    if (front_number(inner, value)) {
        return true;
    }
    if (is_integer(kind_of(inner)) && front_integer(inner, &bits)) {
        *value = (double)(long long)bits;
        return fabs(*value) < ldexp(1, EXACT_BITS);
    }
    if (!is_floating(kind_of(inner)) && !is_integer(kind_of(inner))) {
        return false;
    }
    switch (clang_getCursorKind(inner)) {
    case CXCursor_DeclRefExpr:
        return fold_variable(front, inner, value);
    case CXCursor_CallExpr:
        return fold_call(front, inner, value);
    case CXCursor_UnaryOperator:
        return fold_unary(front, inner, &children, value);
    case CXCursor_BinaryOperator:
        return fold_binary(front, inner, &children, value);
    case CXCursor_ConditionalOperator:
        return fold_choice(front, &children, value);
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
    case CXCursor_InitListExpr:
        return !clang_Cursor_isNull(last) && front_fold(front, last, value) &&
               convert(inner, value);
    default:
        return false;
    }
}

bool front_fold(struct front *front, CXCursor cursor, double *value)
{
    return fold_inner(front, front_strip(front, cursor), value) && convert(cursor, value);
}
