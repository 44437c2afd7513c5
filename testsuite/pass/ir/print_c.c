/* print_c.c: the text of types, constants, expressions and statements. What the text means to a
 * compiler is the business of roundtrip.c; here it is that it reads well, and forms that values do
 * not show.
 */
#include <math.h>

#include "build.h"
#include "check.h"

static void test_types(void)
{
    const struct type *real = B_DOUBLE;
    const struct type *p = b_pointer(B_DOUBLE);
    const struct type *record = b_record("point", 1, (const char *[]){"x"}, &real);

    CHECK_TEXT(b_text_of_type(B_DOUBLE, "x"), "double x");
    CHECK_TEXT(b_text_of_type(B_DOUBLE, ""), "double");
    CHECK_TEXT(b_text_of_type(p, ""), "double *");
    CHECK_TEXT(b_text_of_type(b_pointer(b_const(B_DOUBLE)), "q"), "const double *q");
    CHECK_TEXT(b_text_of_type(b_const(p), "q"), "double *const q");
    CHECK_TEXT(b_text_of_type(b_const(p), ""), "double *const");
    CHECK_TEXT(b_text_of_type(b_pointer(b_pointer(b_const(B_FLOAT))), "v"), "const float **v");
    CHECK_TEXT(b_text_of_type(b_array(b_array(B_INT, 4), 3), "a"), "int a[3][4]");
    CHECK_TEXT(b_text_of_type(b_array(p, 3), "a"), "double *a[3]");
    CHECK_TEXT(b_text_of_type(b_pointer(b_array(B_DOUBLE, 3)), "a"), "double (*a)[3]");
    CHECK_TEXT(b_text_of_type(b_array(b_pointer(b_array(B_DOUBLE, 3)), 2), "a"),
               "double (*a[2])[3]");
    CHECK_TEXT(b_text_of_type(b_const(b_array(B_DOUBLE, 3)), "a"), "const double a[3]");
    CHECK_TEXT(b_text_of_type(b_pointer(b_const(record)), "a"), "const struct point *a");
}

static void test_constants(void)
{
    struct expr *f = b_real(INFINITY);

    CHECK_TEXT(b_text_of_expr(b_real(0.5)), "0.5");
    CHECK_TEXT(b_text_of_expr(b_real(0.1)), "0.1");
    CHECK_TEXT(b_text_of_expr(b_real(1.0)), "1.0");
    CHECK_TEXT(b_text_of_expr(b_real(100000.0)), "100000.0");
    CHECK_TEXT(b_text_of_expr(b_real(1e-300)), "1e-300");
    CHECK_TEXT(b_text_of_expr(b_real(1e22)), "1e+22");
    CHECK_TEXT(b_text_of_expr(b_real(1.0 / 3)), "0.3333333333333333");
    CHECK_TEXT(b_text_of_expr(b_real(-0.0)), "-0.0");
    CHECK_TEXT(b_text_of_expr(b_single(0.1f)), "0.1f");
    CHECK_TEXT(b_text_of_expr(b_single(2.0f)), "2.0f");
    CHECK_TEXT(b_text_of_expr(f), "__builtin_huge_val()");
    f->value = NAN;
    CHECK(strstr(b_text_of_expr(f), "__builtin_nan(\"\")") != NULL);
    CHECK_TEXT(b_text_of_expr(b_integer(b_type(TYPE_ULONG), 5)), "5UL");
    CHECK_TEXT(b_text_of_expr(b_integer(b_type(TYPE_CHAR), 'n')), "'n'");
    CHECK_TEXT(b_text_of_expr(b_integer(b_type(TYPE_BOOL), 1)), "true");
    CHECK_TEXT(b_text_of_expr(b_integer(b_type(TYPE_USHORT), 5)), "(unsigned short)5");
    CHECK_TEXT(b_text_of_expr(b_int(-2147483647L - 1)), "(-2147483647 - 1)");
    CHECK_TEXT(b_text_of_expr(b_integer(b_type(TYPE_SCHAR), 0xff)), "(signed char)-1");
    CHECK_TEXT(b_text_of_expr(b_integer(b_type(TYPE_UINT), -1)), "4294967295U");
    CHECK_TEXT(b_text_of_expr(b_integer(b_type(TYPE_BOOL), 256)), "true");
    CHECK_TEXT(b_text_of_expr(b_string("a\"b\\\n%d?\?=\x01")), "\"a\\\"b\\\\\\n%d\\?\?=\\001\"");
}

static void test_expressions(void)
{
    const struct type *real = B_DOUBLE;
    struct var *x = b_local("x", B_DOUBLE, NULL);
    struct var *i = b_local("i", B_INT, NULL);
    struct var *p = b_local("p", b_pointer(B_DOUBLE), NULL);
    const struct type *record = b_record("point", 1, (const char *[]){"x"}, &real);
    struct var *s = b_local("s", b_pointer(record), NULL);
    struct function *root = b_function("sqrt", B_DOUBLE, 1, (const char *[]){"x"}, &real);
    struct function *own = b_function("own", B_DOUBLE, 1, (const char *[]){"x"}, &real);
    struct expr *to_double = b_implicit(B_DOUBLE, b_var(i));

    root->kind = FUNCTION_MATH;
    CHECK_TEXT(b_text_of_expr(b_unary(UNARY_NEG, b_unary(UNARY_NEG, b_var(x)))), "-(-x)");
    CHECK_TEXT(b_text_of_expr(b_unary(UNARY_NEG, b_unary(UNARY_PRE_DEC, b_var(x)))), "-(--x)");
    CHECK_TEXT(b_text_of_expr(b_unary(UNARY_NEG, b_real(-1))), "-(-1.0)");
    CHECK_TEXT(b_text_of_expr(b_binary(BINARY_SUB, b_var(x), b_unary(UNARY_NEG, b_var(x)))),
               "x - -x");
    CHECK_TEXT(b_text_of_expr(b_binary(BINARY_DIV, b_var(x), b_unary(UNARY_DEREF, b_var(p)))),
               "x / *p");
    CHECK_TEXT(b_text_of_expr(b_unary(UNARY_POST_INC, b_unary(UNARY_DEREF, b_var(p)))), "(*p)++");
    CHECK_TEXT(b_text_of_expr(b_unary(UNARY_DEREF, b_unary(UNARY_POST_INC, b_var(p)))), "*p++");
    CHECK_TEXT(b_text_of_expr(b_index(b_binary(BINARY_ADD, b_var(p), b_int(1)), b_int(2))),
               "(p + 1)[2]");
    CHECK_TEXT(b_text_of_expr(b_unary(UNARY_ADDRESS, b_at_index(p, 2))), "&p[2]");
    CHECK_TEXT(b_text_of_expr(b_member(b_var(s), "x", B_DOUBLE)), "s->x");
    CHECK_TEXT(b_text_of_expr(b_member(b_unary(UNARY_DEREF, b_var(s)), "x", B_DOUBLE)), "(*s).x");
    CHECK_TEXT(b_text_of_expr(
                   b_call(own, 1, (struct expr *[]){b_binary(BINARY_COMMA, b_var(i), b_var(x))})),
               "own((i, x))");
    /* The language converts an argument of a known function, an overload would be another function.
     */
    CHECK_TEXT(b_text_of_expr(b_call(own, 1, &to_double)), "own(i)");
    CHECK_TEXT(b_text_of_expr(b_call(root, 1, &to_double)), "sqrt((double)i)");
    CHECK_TEXT(b_text_of_expr(b_binary(BINARY_MUL, b_var(x), to_double)), "x * i");
    CHECK_TEXT(b_text_of_expr(b_binary(BINARY_MUL, to_double, to_double)), "(double)i * (double)i");
    CHECK_TEXT(b_text_of_expr(b_binary(BINARY_ADD, b_var(p), b_implicit(B_LONG, b_var(i)))),
               "p + i");
    CHECK_TEXT(b_text_of_expr(b_binary(BINARY_ADD, b_var(p),
                                       b_implicit(B_INT, b_integer(b_type(TYPE_UINT), 3)))),
               "p + (int)3U");
    CHECK_TEXT(b_text_of_expr(b_index(b_var(p), b_implicit(B_INT, b_var(x)))), "p[(int)x]");
    CHECK_TEXT(b_text_of_expr(b_binary(BINARY_LT, b_unary(UNARY_NOT, b_var(i)), b_var(i))),
               "(!i) < i");
}

static void test_statements(void)
{
    struct var *i = b_local("i", B_INT, b_int(0));
    struct var *n = b_local("n", B_LONG, b_implicit(B_LONG, b_int(4)));
    struct var *a = b_local("a", b_array(B_DOUBLE, 2), b_init(b_array(B_DOUBLE, 2), 0, NULL));
    struct var *b = b_local("b", b_array(B_INT, 2), NULL);
    struct expr *elements[] = {b_implicit(B_INT, b_real(2.5)), b_int(1)};
    struct stmt *step = b_do(b_unary(UNARY_POST_INC, b_var(i)));
    struct stmt *none = b_stmt(STMT_NOTHING, 0, NULL);

    b->init = b_init(b->type, 2, elements);
    CHECK_TEXT(b_text_of_stmt(b_decl(a)), "double a[2] = {0};\n");
    CHECK_TEXT(b_text_of_stmt(b_decl(n)), "long n = 4;\n");
    CHECK_TEXT(b_text_of_stmt(b_decl(b)), "int b[2] = {(int)2.5, 1};\n");
    /* The else belongs to the outer if. */
    CHECK_TEXT(b_text_of_stmt(b_if(b_var(i), b_if(b_var(n), step, NULL), step)),
               "if (i) {\n    if (n) {\n        i++;\n    }\n} else {\n    i++;\n}\n");
    CHECK_TEXT(b_text_of_stmt(b_if(b_var(i), step, b_if(b_var(n), step, NULL))),
               "if (i) {\n    i++;\n} else if (n) {\n    i++;\n}\n");
    CHECK_TEXT(b_text_of_stmt(b_for(b_decl(i), b_binary(BINARY_LT, b_var(i), b_int(4)),
                                    b_unary(UNARY_PRE_INC, b_var(i)), B_BLOCK(step, step))),
               "for (int i = 0; i < 4; ++i) {\n    i++;\n    i++;\n}\n");
    CHECK_TEXT(b_text_of_stmt(b_for(none, NULL, NULL, none)), "for (; ; ) {\n}\n");
    CHECK_TEXT(b_text_of_stmt(b_for(B_BLOCK(b_decl(i), b_decl(n)), b_var(n), NULL, step)),
               "{\n    int i = 0;\n    long n = 4;\n    for (; n; ) {\n        i++;\n    }\n}\n");
    CHECK_TEXT(b_text_of_stmt(b_while(b_assign(b_var(i), b_int(1)), none)),
               "while ((i = 1)) {\n}\n");
    step = b_stmt(STMT_DO, 1, &none);
    step->expr = b_implicit(b_type(TYPE_BOOL), b_var(i));
    CHECK_TEXT(b_text_of_stmt(step), "do {\n} while (i);\n");
    CHECK_TEXT(b_text_of_stmt(b_return(b_implicit(B_DOUBLE, b_var(i)))), "return i;\n");
    CHECK_TEXT(b_text_of_stmt(b_return(NULL)), "return;\n");
}

/* A label has a statement behind it, also before a declaration and at the end. */
static void test_switch(void)
{
    struct var *i = b_local("i", B_INT, NULL);
    struct var *n = b_local("n", B_INT, NULL);
    struct stmt *step = b_do(b_unary(UNARY_POST_INC, b_var(i)));

    CHECK_TEXT(b_text_of_stmt(b_switch(
                   b_var(i), B_BLOCK(b_case(b_int(-1), NULL), b_case(b_int(3), b_int(5)), step,
                                     b_stmt(STMT_BREAK, 0, NULL), b_case(b_int(7), NULL), b_decl(n),
                                     B_BLOCK(step), b_case(NULL, NULL)))),
               "switch (i) {\ncase -1:\ncase 3 ... 5:\n    i++;\n    break;\ncase 7:;\n"
               "    int n;\n    {\n        i++;\n    }\ndefault:;\n}\n");
}

static const char *renamed_var(const struct var *var, void *user)
{
    return strcmp(var->name, "q") == 0 ? user : NULL;
}

static const char *renamed_function(const struct function *function, void *user)
{
    (void)user;
    return function->kind == FUNCTION_USER ? "other" : NULL;
}

static void test_names(void)
{
    const struct type *type[] = {b_pointer(b_const(B_DOUBLE)), B_INT};
    struct function *function =
        b_function("k", b_pointer(B_DOUBLE), 2, (const char *[]){"q", "n"}, type);
    struct function *empty = b_function("e", B_DOUBLE, 0, NULL, NULL);
    struct c_names names = {renamed_var, renamed_function, "renamed", NULL, false};
    char text[200] = "";
    FILE *out = fmemopen(text, sizeof(text), "w");

    print_c_prototype(out, function, &names);
    fputs("; ", out);
    print_c_prototype(out, empty, NULL);
    fputs("; ", out);
    print_c_expr(out, b_call(function, 1, (struct expr *[]){b_var(function->param[0])}), &names);
    fclose(out);
    CHECK_TEXT(text, "double *other(const double *renamed, int n); double e(void); other(renamed)");
}

int main(void)
{
    struct program *program = b_program();

    test_types();
    test_constants();
    test_expressions();
    test_statements();
    test_switch();
    test_names();
    b_program_free(program);
    return CHECK_RESULT();
}
