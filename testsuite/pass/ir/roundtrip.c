/* roundtrip.c: writes a C program (also C++) of printed trees and of what they must evaluate to.
 * The trees are all pairs of operators, nested left and right, and all conversions between
 * arithmetic types, implicit where the languages insert them and implicit where they do not. The
 * values come from the evaluator below, which looks only at the trees; roundtrip.sh compiles and
 * runs what this prints.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"

struct value {
    bool defined; /* false: the tree divides by zero, overflows, shifts too far */
    long long integer;
    double real;
};

static struct var *variable[4]; /* a b c x */
static struct value held[4];
static int tests;

static long long cut(const struct type *type, long long integer)
{
    switch (type->kind) {
    case TYPE_BOOL:
        return integer != 0;
    case TYPE_CHAR:
    case TYPE_SCHAR:
        return (signed char)integer;
    case TYPE_UCHAR:
        return (unsigned char)integer;
    case TYPE_SHORT:
        return (short)integer;
    case TYPE_USHORT:
        return (unsigned short)integer;
    case TYPE_INT:
        return (int)integer;
    case TYPE_UINT:
        return (unsigned)integer;
    default:
        return integer;
    }
}

static bool is_unsigned_wide(const struct type *type)
{
    return type->kind == TYPE_ULONG || type->kind == TYPE_ULLONG;
}

static bool is_unsigned(const struct type *type)
{
    return is_unsigned_wide(type) || type->kind == TYPE_UINT;
}

static struct value integer_value(const struct type *type, long long integer, bool defined)
{
    struct value value = {.defined = defined, .integer = cut(type, integer)};

    if (!is_unsigned(type) && type->kind >= TYPE_INT && value.integer != integer) {
        value.defined = false;
    }
    return value;
}

static struct value real_value(const struct type *type, double real, bool defined)
{
    return (struct value){.defined = defined && isfinite(real),
                          .real = type->kind == TYPE_FLOAT ? (double)(float)real : real};
}

static struct value convert(struct value value, const struct type *from, const struct type *to)
{
    if (type_is_floating(from)) {
        if (type_is_floating(to)) {
            return real_value(to, value.real, value.defined);
        }
        if (to->kind == TYPE_BOOL) {
            return integer_value(to, value.real != 0, value.defined);
        }
        return (struct value){value.defined && fabs(value.real) < 127 &&
                                  (value.real >= 0 || (!is_unsigned(to) && to->kind != TYPE_UCHAR &&
                                                       to->kind != TYPE_USHORT)),
                              cut(to, (long long)value.real), 0};
    }
    if (type_is_floating(to)) {
        return real_value(to,
                          is_unsigned_wide(from) ? (double)(unsigned long long)value.integer
                                                 : (double)value.integer,
                          value.defined);
    }
    value.integer = cut(to, value.integer);
    return value;
}

static struct value combine_real(enum binary_op op, const struct type *type, double a, double b,
                                 bool defined)
{
    switch (op) {
    case BINARY_MUL:
        return real_value(type, a * b, defined);
    case BINARY_DIV:
        return real_value(type, a / b, defined && b != 0);
    case BINARY_ADD:
        return real_value(type, a + b, defined);
    case BINARY_SUB:
        return real_value(type, a - b, defined);
    case BINARY_LT:
        return integer_value(B_INT, a < b, defined);
    default:
        return integer_value(B_INT, a == b, defined && op == BINARY_EQ);
    }
}

static struct value combine(enum binary_op op, const struct type *type, struct value left,
                            struct value right)
{
    bool ok = left.defined && right.defined;
    long long a = left.integer;
    long long b = right.integer;
    bool wide = is_unsigned_wide(type);

    if (type_is_floating(type)) {
        return combine_real(op, type, left.real, right.real, ok);
    }
    switch (op) {
    case BINARY_MUL:
        return integer_value(type, (long long)((unsigned long long)a * (unsigned long long)b),
                             ok &&
                                 (is_unsigned(type) || (llabs(a) < 1 << 30 && llabs(b) < 1 << 30)));
    case BINARY_DIV:
        ok = ok && b != 0 && (wide || b != -1);
        return integer_value(type,
                             !ok    ? 0
                             : wide ? (long long)((unsigned long long)a / (unsigned long long)b)
                                    : a / b,
                             ok);
    case BINARY_REM:
        ok = ok && b != 0 && (wide || b != -1);
        return integer_value(type,
                             !ok    ? 0
                             : wide ? (long long)((unsigned long long)a % (unsigned long long)b)
                                    : a % b,
                             ok);
    case BINARY_ADD:
        return integer_value(type, (long long)((unsigned long long)a + (unsigned long long)b), ok);
    case BINARY_SUB:
        return integer_value(type, (long long)((unsigned long long)a - (unsigned long long)b), ok);
    case BINARY_SHL:
        ok = ok && a >= 0 && b >= 0 && b < 31 && a < 1 << 30;
        return integer_value(type, ok ? a << b : 0, ok);
    case BINARY_SHR:
        ok = ok && a >= 0 && b >= 0 && b < 31;
        return integer_value(type, ok ? a >> b : 0, ok);
    case BINARY_LT:
        return integer_value(B_INT, wide ? (unsigned long long)a < (unsigned long long)b : a < b,
                             ok);
    case BINARY_GT:
        return integer_value(B_INT, a > b, ok);
    case BINARY_LE:
        return integer_value(B_INT, a <= b, ok);
    case BINARY_GE:
        return integer_value(B_INT, a >= b, ok);
    case BINARY_EQ:
        return integer_value(B_INT, a == b, ok);
    case BINARY_NE:
        return integer_value(B_INT, a != b, ok);
    case BINARY_AND:
        return integer_value(type, a & b, ok);
    case BINARY_XOR:
        return integer_value(type, a ^ b, ok);
    case BINARY_OR:
        return integer_value(type, a | b, ok);
    case BINARY_LAND:
        return integer_value(B_INT, a && b, ok);
    case BINARY_LOR:
        return integer_value(B_INT, a || b, ok);
    default:
        return right;
    }
}

static int number_of(const struct var *var)
{
    int n = 0;

    while (n < 3 && variable[n] != var) {
        n++;
    }
    return n;
}

static struct value run(const struct expr *expr)
{
    struct value a = {0};
    int n;

    switch (expr->kind) {
    case EXPR_INT:
        return integer_value(expr->type, (long long)expr->bits, true);
    case EXPR_FLOAT:
        return real_value(expr->type, expr->value, true);
    case EXPR_VAR:
        return held[number_of(expr->var)];
    case EXPR_CAST:
        return convert(run(expr->kid[0]), expr->kid[0]->type, expr->type);
    case EXPR_COND:
        return run(expr->kid[0]).integer != 0 ? run(expr->kid[1]) : run(expr->kid[2]);
    case EXPR_BINARY:
        a = run(expr->kid[0]);
        if ((expr->binary == BINARY_LAND && a.integer == 0) ||
            (expr->binary == BINARY_LOR && a.integer != 0)) {
            return integer_value(B_INT, a.integer != 0, a.defined);
        }
        return combine(expr->binary, expr->kid[0]->type, a, run(expr->kid[1]));
    case EXPR_ASSIGN:
        n = number_of(expr->kid[0]->var);
        a = run(expr->kid[1]);
        if (expr->compound) {
            a = combine(expr->binary, expr->compute, convert(held[n], expr->type, expr->compute),
                        a);
            a = convert(a, expr->compute, expr->type);
        }
        held[n] = a;
        return a;
    case EXPR_UNARY:
        a = run(expr->kid[0]);
        if (expr->unary == UNARY_NOT) {
            return integer_value(B_INT, !a.integer, a.defined);
        }
        if (expr->unary == UNARY_BITNOT) {
            return integer_value(expr->type, ~a.integer, a.defined);
        }
        if (expr->unary == UNARY_NEG) {
            return type_is_floating(expr->type) ? real_value(expr->type, -a.real, a.defined)
                                                : integer_value(expr->type, -a.integer, a.defined);
        }
        return a;
    default:
        abort();
    }
}

static void print_value(const struct type *type, struct value value)
{
    if (type_is_floating(type)) {
        printf("%a", value.real);
    } else if (is_unsigned_wide(type)) {
        printf("%lluULL", (unsigned long long)value.integer);
    } else {
        printf("(long long)%lluULL", (unsigned long long)value.integer);
    }
}

/* One test: declarations of a, b, c, x, the tree, the value. */
static void emit(const struct expr *expr)
{
    struct value before[4];
    struct value value;

    memcpy(before, held, sizeof(before));
    value = run(expr);
    if (value.defined) {
        printf("static void test%d(void)\n{\n", tests);
        for (int n = 0; n < 4; n++) {
            printf("    ");
            print_c_type(stdout, variable[n]->type, variable[n]->name);
            printf(" = ");
            print_value(variable[n]->type, before[n]);
            printf(";\n");
        }
        printf("    ");
        print_c_type(stdout, expr->type, "r");
        printf(" = (");
        print_c_expr(stdout, expr, NULL);
        printf(");\n    (void)a; (void)b; (void)c; (void)x;\n    check(%d, r == ", tests);
        print_value(expr->type, value);
        printf(");\n}\n");
        tests++;
    }
    memcpy(held, before, sizeof(before));
}

static void set_variables(const struct type *a, const struct type *b, const struct type *x)
{
    const struct type *type[] = {a, b, B_INT, x};
    static const char *const name[] = {"a", "b", "c", "x"};
    static const long start[] = {23, 3, 2, 5};

    for (int n = 0; n < 4; n++) {
        variable[n] = b_local(name[n], type[n], NULL);
        held[n] = convert((struct value){true, start[n], 0}, B_INT, type[n]);
    }
}

static struct expr *a(void)
{
    return b_var(variable[0]);
}

static struct expr *b(void)
{
    return b_var(variable[1]);
}

static struct expr *c(void)
{
    return b_var(variable[2]);
}

static struct expr *x(void)
{
    return b_var(variable[3]);
}

static void emit_nested_binaries(void)
{
    for (enum binary_op out = BINARY_MUL; out <= BINARY_COMMA; out++) {
        for (enum binary_op in = BINARY_MUL; in <= BINARY_COMMA; in++) {
            emit(b_binary(out, b_binary(in, a(), b()), c()));
            emit(b_binary(out, a(), b_binary(in, b(), c())));
            emit(b_binary(out, b_int(-7), b_binary(in, b_int(-3), b_int(2))));
        }
        emit(b_binary(out, b_cond(a(), b(), c()), a()));
        emit(b_binary(out, a(), b_cond(c(), b(), a())));
        emit(b_cond(b_binary(out, a(), b()), a(), c()));
        emit(b_cond(a(), b_binary(out, a(), b()), b_binary(out, a(), c())));
        emit(b_binary(out, a(), b_assign(x(), b())));
        emit(b_binary(out, b_assign(x(), b()), a()));
        emit(b_assign(x(), b_binary(out, a(), b())));
        for (enum unary_op unary = UNARY_NEG; unary <= UNARY_BITNOT; unary++) {
            emit(b_unary(unary, b_binary(out, a(), b())));
            emit(b_binary(out, b_unary(unary, a()), b()));
            emit(b_binary(out, a(), b_unary(unary, b())));
        }
        if (out <= BINARY_SHR || (out >= BINARY_AND && out <= BINARY_OR)) {
            emit(b_assign(x(), b_compound(out, x(), b_binary(BINARY_COMMA, a(), b()))));
            emit(b_compound(out, x(), b_compound(out, b_var(variable[0]), b())));
        }
    }
}

static void emit_others(void)
{
    for (enum unary_op out = UNARY_NEG; out <= UNARY_BITNOT; out++) {
        for (enum unary_op in = UNARY_NEG; in <= UNARY_BITNOT; in++) {
            emit(b_unary(out, b_unary(in, a())));
            emit(b_unary(out, b_cast(B_INT, b_unary(in, a()))));
        }
        emit(b_unary(out, b_int(-5)));
        emit(b_unary(out, b_cond(a(), b(), c())));
        emit(b_unary(out, b_assign(x(), a())));
    }
    emit(b_cond(b_cond(a(), b(), c()), b(), c()));
    emit(b_cond(a(), b_cond(b_int(0), b(), c()), a()));
    emit(b_cond(b_int(0), a(), b_cond(b_int(0), b(), c())));
    emit(b_cond(b_int(0), a(), b_assign(x(), b())));
    emit(b_cond(b_assign(x(), b_int(0)), a(), b()));
    emit(b_assign(x(), b_assign(variable[0] ? a() : x(), c())));
    emit(b_int(-2147483647L - 1));
    emit(b_integer(b_type(TYPE_LLONG), 1ULL << 63));
    emit(b_integer(b_type(TYPE_ULLONG), ~0ULL));
    emit(b_integer(b_type(TYPE_UINT), 0xFFFFFFFFULL));
    emit(b_integer(b_type(TYPE_SHORT), (unsigned long long)-5));
    emit(b_integer(b_type(TYPE_CHAR), 'x'));
    emit(b_integer(b_type(TYPE_CHAR), '\''));
}

static void emit_reals(void)
{
    static const double value[] = {
        0.5,   1e-300,     0.1,     1.0 / 3,       4.9406564584124654e-324,
        1e300, 123456789., 1e22,    -2.5,          2.2250738585072014e-308,
        -0.0,  1e15,       100000., 6.02214076e23, 1.7976931348623157e308};

    for (size_t n = 0; n < sizeof(value) / sizeof(value[0]); n++) {
        emit(b_real(value[n]));
        emit(b_single((float)value[n]));
        emit(b_unary(UNARY_NEG, b_real(value[n])));
    }
}

/* A value made of implicit casts to `common`: whether the languages insert them or not, it is that.
 */
static void emit_conversions(const struct type *left, const struct type *right,
                             const struct type *common)
{
    static const enum binary_op op[] = {BINARY_ADD, BINARY_SUB, BINARY_MUL,
                                        BINARY_DIV, BINARY_LT,  BINARY_EQ};

    set_variables(left, right, common);
    held[0] = convert((struct value){true, -29, 0}, B_INT, left);
    for (size_t n = 0; n < sizeof(op) / sizeof(op[0]); n++) {
        emit(b_binary(op[n], b_implicit(common, a()), b_implicit(common, b())));
    }
    emit(b_cond(c(), b_implicit(common, a()), b_implicit(common, b())));
    emit(b_assign(x(), b_implicit(common, a())));
    emit(b_implicit(right, b_implicit(common, a())));
    emit(b_unary(UNARY_NEG, b_implicit(common, a())));
    if (common->kind >= right->kind) { /* the languages compute in no narrower type */
        struct expr *compound = b_compound(BINARY_ADD, b_var(variable[1]), b_implicit(common, a()));

        compound->compute = common;
        emit(compound);
    }
}

static void emit_all_conversions(void)
{
    static const enum type_kind left[] = {TYPE_BOOL,   TYPE_SCHAR, TYPE_USHORT,
                                          TYPE_INT,    TYPE_UINT,  TYPE_LONG,
                                          TYPE_ULLONG, TYPE_FLOAT, TYPE_DOUBLE};
    static const enum type_kind right[] = {TYPE_CHAR,  TYPE_USHORT, TYPE_INT,
                                           TYPE_ULONG, TYPE_FLOAT,  TYPE_DOUBLE};
    static const enum type_kind common[] = {TYPE_INT,    TYPE_UINT,  TYPE_LONG,
                                            TYPE_ULLONG, TYPE_FLOAT, TYPE_DOUBLE};

    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
        for (size_t j = 0; j < sizeof(right) / sizeof(right[0]); j++) {
            for (size_t k = 0; k < sizeof(common) / sizeof(common[0]); k++) {
                emit_conversions(b_type(left[i]), b_type(right[j]), b_type(common[k]));
            }
        }
    }
}

int main(void)
{
    struct program *program = b_program();

    printf("#include <stdbool.h>\n#include <stdio.h>\n\nstatic int failed;\n"
           "static void check(int number, bool ok)\n{\n    if (!ok) {\n        failed++;\n"
           "        printf(\"test%%d differs\\n\", number);\n    }\n}\n");
    set_variables(B_INT, B_INT, B_INT);
    emit_nested_binaries();
    emit_others();
    emit_reals();
    emit_all_conversions();
    printf("int main(void)\n{\n");
    for (int n = 0; n < tests; n++) {
        printf("    test%d();\n", n);
    }
    printf("    printf(\"%d trees, %%d differ\\n\", failed);\n    return failed != 0;\n}\n", tests);
    b_program_free(program);
    return 0;
}
