/* print_c_impl.h: what the parts of print_c share; nobody else includes it.
 *
 * print_c.c prints types, statements and prototypes, print_c_expr.c expressions, print_c_convert.c
 * decides which conversions a compiler inserts by itself, print_c_constant.c prints constants.
 */
#ifndef CLEAVE_PRINT_C_IMPL_H
#define CLEAVE_PRINT_C_IMPL_H

#include "pass/ir/loop_ir.h"

/* C's operator precedence, loosest first. */
enum precedence {
    PREC_COMMA,
    PREC_ASSIGN,
    PREC_COND,
    PREC_LOR,
    PREC_LAND,
    PREC_OR,
    PREC_XOR,
    PREC_AND,
    PREC_EQUAL,
    PREC_RELATION,
    PREC_SHIFT,
    PREC_ADD,
    PREC_MUL,
    PREC_UNARY,
    PREC_POSTFIX
};

/* Prints expr as an operand, with parentheses if its precedence is below `least`. */
void print_c_operand(FILE *out, const struct expr *expr, enum precedence least,
                     const struct c_names *names);

void print_c_constant(FILE *out, const struct expr *expr);
/* True when the constant prints with a minus sign in front. */
bool print_c_constant_is_negative(const struct expr *expr);
void print_c_string(FILE *out, const char *text);

/* The operand that is printed in place of kid k of `parent`: the kid itself, or, when it is an
 * implicit cast that C and C++ both insert there by themselves, what the cast is applied to. */
const struct expr *print_c_kid(const struct expr *parent, int k);
/* The value printed where `expr` is converted to `type`: an initialiser, a returned value, an
 * argument. */
const struct expr *print_c_converted(const struct expr *expr, const struct type *type);
/* The value printed for a condition, and for an expression whose value is unused. */
const struct expr *print_c_condition(const struct expr *expr);
const struct expr *print_c_discarded(const struct expr *expr);

const char *print_c_var_name(const struct var *var, const struct c_names *names);

#endif
