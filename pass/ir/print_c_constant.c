/* print_c_constant.c: constants as C11 and C++17 read them back: same type, same bits.
 *
 * Floating constants are the shortest decimal that rounds back to the value. Types narrower than
 * int have no constants of their own and get a cast.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pass/ir/print_c_impl.h"

bool print_c_constant_is_negative(const struct expr *expr)
{
    if (expr->kind == EXPR_FLOAT) {
        return signbit(expr->value) != 0;
    }
    return expr->kind == EXPR_INT && type_is_signed(expr->type) &&
           (long long)type_cut_bits(expr->type, expr->bits) < 0;
}

static void print_float(FILE *out, double value, bool is_single)
{
    char text[64];
    double size = fabs(value);
    int digits = 1;

    if (signbit(value)) {
        fputc('-', out);
    }
    if (isnan(value)) {
        fputs(is_single ? "__builtin_nanf(\"\")" : "__builtin_nan(\"\")", out);
        return;
    }
    if (isinf(value)) {
        fputs(is_single ? "__builtin_inff()" : "__builtin_huge_val()", out);
        return;
    }
    do {
        snprintf(text, sizeof(text), "%.*g", digits, size);
    } while ((is_single ? (double)strtof(text, NULL) : strtod(text, NULL)) != size &&
             ++digits <= 17);
    /* 100000 rather than 1e+05. */
    if (size >= 1.0 && size < 1e15 && strchr(text, 'e') != NULL) {
        snprintf(text, sizeof(text), "%.0f", size);
    }
    fputs(text, out);
    if (strpbrk(text, ".e") == NULL) {
        fputs(".0", out);
    }
    if (is_single) {
        fputc('f', out);
    }
}

static void print_narrow(FILE *out, const struct expr *expr, long long value)
{
    const struct type plain = {.kind = expr->type->kind, .size = expr->type->size};

    if (expr->type->kind == TYPE_CHAR && value >= ' ' && value <= '~' && value != '\'' &&
        value != '\\') {
        fprintf(out, "'%c'", (int)value);
        return;
    }
    fputc('(', out);
    print_c_type(out, &plain, "");
    fprintf(out, ")%lld", value);
}

/* The most negative value has no constant: its digits alone do not fit the type. */
static void print_signed(FILE *out, long long value, long long least, const char *suffix)
{
    if (value == least) {
        fprintf(out, "(%lld%s - 1%s)", value + 1, suffix, suffix);
    } else {
        fprintf(out, "%lld%s", value, suffix);
    }
}

static void print_integer(FILE *out, const struct expr *expr)
{
    unsigned long long bits = type_cut_bits(expr->type, expr->bits);
    long long value = (long long)bits;

    switch (expr->type->kind) {
    case TYPE_BOOL:
        fputs(bits != 0 ? "true" : "false", out);
        break;
    case TYPE_INT:
        print_signed(out, value, INT32_MIN, "");
        break;
    case TYPE_LONG:
        print_signed(out, value, expr->type->size == 4 ? INT32_MIN : INT64_MIN, "L");
        break;
    case TYPE_LLONG:
        print_signed(out, value, INT64_MIN, "LL");
        break;
    case TYPE_UINT:
        fprintf(out, "%lluU", bits);
        break;
    case TYPE_ULONG:
        fprintf(out, "%lluUL", bits);
        break;
    case TYPE_ULLONG:
        fprintf(out, "%lluULL", bits);
        break;
    case TYPE_POINTER:
        fputc('(', out);
        print_c_type(out, expr->type, "");
        fprintf(out, ")%llu", bits);
        break;
    default:
        print_narrow(out, expr, value);
        break;
    }
}

void print_c_constant(FILE *out, const struct expr *expr)
{
    if (expr->kind == EXPR_FLOAT) {
        print_float(out, expr->value, expr->type->kind == TYPE_FLOAT);
    } else {
        print_integer(out, expr);
    }
}

void print_c_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '\n') {
            fputs("\\n", out);
        } else if (c == '\t') {
            fputs("\\t", out);
        } else if (c == '"' || c == '\\' || (c == '?' && text[1] == '?')) {
            /* Two question marks side by side could start a trigraph. */
            fprintf(out, "\\%c", c);
        } else if (c < ' ' || c > '~') {
            fprintf(out, "\\%03o", c);
        } else {
            fputc(c, out);
        }
    }
    fputc('"', out);
}
