/* print_c_expr.c: expression trees as C, valid as C11 and as C++17.
 *
 * Parentheses stand where precedence or associativity needs them, and in the few places where
 * compilers warn about their absence (a && b || c, a << b + c, a & b == c, !a == b, x = y as a
 * condition). Conversions: print_c_convert.c.
 */
#include <string.h>

#include "pass/ir/print_c_impl.h"

static const struct {
    const char *text;
    enum precedence precedence;
} binary_table[] = {
    [BINARY_MUL] = {"*", PREC_MUL},      [BINARY_DIV] = {"/", PREC_MUL},
    [BINARY_REM] = {"%", PREC_MUL},      [BINARY_ADD] = {"+", PREC_ADD},
    [BINARY_SUB] = {"-", PREC_ADD},      [BINARY_SHL] = {"<<", PREC_SHIFT},
    [BINARY_SHR] = {">>", PREC_SHIFT},   [BINARY_LT] = {"<", PREC_RELATION},
    [BINARY_GT] = {">", PREC_RELATION},  [BINARY_LE] = {"<=", PREC_RELATION},
    [BINARY_GE] = {">=", PREC_RELATION}, [BINARY_EQ] = {"==", PREC_EQUAL},
    [BINARY_NE] = {"!=", PREC_EQUAL},    [BINARY_AND] = {"&", PREC_AND},
    [BINARY_XOR] = {"^", PREC_XOR},      [BINARY_OR] = {"|", PREC_OR},
    [BINARY_LAND] = {"&&", PREC_LAND},   [BINARY_LOR] = {"||", PREC_LOR},
    [BINARY_COMMA] = {",", PREC_COMMA},
};

const char *print_c_var_name(const struct var *var, const struct c_names *names)
{
    const char *name = NULL;

    if (names != NULL && names->var != NULL) {
        name = names->var(var, names->user);
    }
    if (name == NULL) {
        name = var->name;
    }
    return name != NULL ? name : "";
}

static enum precedence precedence_of(const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_INT:
        /* Narrow constants are printed with a cast. */
        if (expr->type->kind < TYPE_INT || expr->type->kind == TYPE_POINTER) {
            return PREC_UNARY;
        }
        return print_c_constant_is_negative(expr) ? PREC_UNARY : PREC_POSTFIX;
    case EXPR_FLOAT:
        return print_c_constant_is_negative(expr) ? PREC_UNARY : PREC_POSTFIX;
    case EXPR_UNARY:
        return expr->unary == UNARY_POST_INC || expr->unary == UNARY_POST_DEC ? PREC_POSTFIX
                                                                              : PREC_UNARY;
    case EXPR_CAST:
        return PREC_UNARY;
    case EXPR_BINARY:
        return binary_table[expr->binary].precedence;
    case EXPR_ASSIGN:
        return PREC_ASSIGN;
    case EXPR_COND:
        return PREC_COND;
    default:
        return PREC_POSTFIX;
    }
}

/* Parentheses that the grammar does not need, but that keep compilers from warning. */
static bool is_misleading(enum precedence parent, enum precedence kid)
{
    switch (parent) {
    case PREC_LOR:
        return kid == PREC_LAND;
    case PREC_SHIFT:
        return kid == PREC_ADD;
    case PREC_AND:
    case PREC_XOR:
    case PREC_OR:
        return kid != parent && kid >= PREC_OR && kid <= PREC_ADD;
    case PREC_EQUAL:
    case PREC_RELATION:
        return kid == PREC_EQUAL || kid == PREC_RELATION;
    default:
        return false;
    }
}

static void print_in(FILE *out, const struct expr *expr, const char *open, const char *close,
                     const struct c_names *names)
{
    fputs(open, out);
    print_c_expr(out, expr, names);
    fputs(close, out);
}

void print_c_operand(FILE *out, const struct expr *expr, enum precedence least,
                     const struct c_names *names)
{
    if (precedence_of(expr) < least) {
        print_in(out, expr, "(", ")", names);
    } else {
        print_c_expr(out, expr, names);
    }
}

static void print_binary(FILE *out, const struct expr *expr, const struct c_names *names)
{
    enum precedence own = binary_table[expr->binary].precedence;

    for (int k = 0; k < 2; k++) {
        const struct expr *kid = print_c_kid(expr, k);
        enum precedence least = k == 0 ? own : own + 1;

        if (k == 1) {
            fprintf(out, expr->binary == BINARY_COMMA ? "%s " : " %s ",
                    binary_table[expr->binary].text);
        }
        if ((kid->kind == EXPR_BINARY && is_misleading(own, precedence_of(kid))) ||
            (kid->kind == EXPR_UNARY && kid->unary == UNARY_NOT && own >= PREC_OR &&
             own <= PREC_RELATION)) {
            print_in(out, kid, "(", ")", names);
        } else {
            print_c_operand(out, kid, least, names);
        }
    }
}

/* True when the text of expr begins with a sign: -x after a minus would read as --. */
static bool begins_with_sign(const struct expr *expr)
{
    if (expr->kind == EXPR_UNARY) {
        return expr->unary == UNARY_NEG || expr->unary == UNARY_PLUS ||
               expr->unary == UNARY_PRE_INC || expr->unary == UNARY_PRE_DEC;
    }
    return print_c_constant_is_negative(expr);
}

static void print_unary(FILE *out, const struct expr *expr, const struct c_names *names)
{
    static const char *const text[] = {
        [UNARY_NEG] = "-",       [UNARY_PLUS] = "+",     [UNARY_NOT] = "!",
        [UNARY_BITNOT] = "~",    [UNARY_DEREF] = "*",    [UNARY_ADDRESS] = "&",
        [UNARY_PRE_INC] = "++",  [UNARY_PRE_DEC] = "--", [UNARY_POST_INC] = "++",
        [UNARY_POST_DEC] = "--",
    };
    const struct expr *kid = print_c_kid(expr, 0);

    if (expr->unary == UNARY_POST_INC || expr->unary == UNARY_POST_DEC) {
        print_c_operand(out, kid, PREC_POSTFIX, names);
        fputs(text[expr->unary], out);
        return;
    }
    fputs(text[expr->unary], out);
    if ((expr->unary == UNARY_NEG || expr->unary == UNARY_PLUS) && begins_with_sign(kid)) {
        print_in(out, kid, "(", ")", names);
    } else {
        print_c_operand(out, kid, PREC_UNARY, names);
    }
}

static void print_list(FILE *out, const struct expr *expr, const struct c_names *names)
{
    for (int k = 0; k < expr->kids; k++) {
        if (k > 0) {
            fputs(", ", out);
        }
        print_c_operand(out, print_c_kid(expr, k), PREC_ASSIGN, names);
    }
}

static void print_call(FILE *out, const struct expr *expr, const struct c_names *names)
{
    const char *name = NULL;

    if (names != NULL && names->function != NULL) {
        name = names->function(expr->callee, names->user);
    }
    fprintf(out, "%s(", name != NULL ? name : expr->callee->name);
    print_list(out, expr, names);
    fputc(')', out);
}

static void print_init(FILE *out, const struct expr *expr, const struct c_names *names)
{
    fputc('{', out);
    if (expr->kids == 0) {
        fputc('0', out); /* C11 knows no empty braces */
    }
    print_list(out, expr, names);
    fputc('}', out);
}

static void print_assign(FILE *out, const struct expr *expr, const struct c_names *names)
{
    print_c_operand(out, print_c_kid(expr, 0), PREC_UNARY, names);
    fprintf(out, " %s= ", expr->compound ? binary_table[expr->binary].text : "");
    print_c_operand(out, print_c_kid(expr, 1), PREC_ASSIGN, names);
}

/* C++ lets an assignment stand after the colon, C does not: it gets parentheses. */
static void print_cond(FILE *out, const struct expr *expr, const struct c_names *names)
{
    print_c_operand(out, print_c_kid(expr, 0), PREC_LOR, names);
    fputs(" ? ", out);
    print_c_operand(out, print_c_kid(expr, 1), PREC_COND, names);
    fputs(" : ", out);
    print_c_operand(out, print_c_kid(expr, 2), PREC_COND, names);
}

static void print_cast(FILE *out, const struct expr *expr, const struct c_names *names)
{
    fputc('(', out);
    print_c_type(out, expr->type, "");
    fputc(')', out);
    print_c_operand(out, print_c_kid(expr, 0), PREC_UNARY, names);
}

static void print_place(FILE *out, const struct expr *expr, const struct c_names *names)
{
    const struct type *param = expr->var->type;
    const char *text =
        names != NULL && names->place != NULL ? names->place(expr, names->user) : NULL;

    if (text != NULL) {
        fputs(text, out);
        return;
    }
    fputs(print_c_var_name(expr->var, names), out);
    if (param->kind == TYPE_POINTER && param->elem->kind == TYPE_POINTER) {
        fprintf(out, "[%d]", expr->place.column);
    }
    fprintf(out, "[%d]", expr->place.component);
}

void print_c_expr(FILE *out, const struct expr *expr, const struct c_names *names)
{
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
        print_c_constant(out, expr);
        break;
    case EXPR_STRING:
        print_c_string(out, expr->text);
        break;
    case EXPR_VAR:
        fputs(print_c_var_name(expr->var, names), out);
        break;
    case EXPR_UNARY:
        print_unary(out, expr, names);
        break;
    case EXPR_BINARY:
        print_binary(out, expr, names);
        break;
    case EXPR_ASSIGN:
        print_assign(out, expr, names);
        break;
    case EXPR_COND:
        print_cond(out, expr, names);
        break;
    case EXPR_INDEX:
        print_c_operand(out, print_c_kid(expr, 0), PREC_POSTFIX, names);
        fputc('[', out);
        print_c_operand(out, print_c_kid(expr, 1), PREC_ASSIGN, names);
        fputc(']', out);
        break;
    case EXPR_MEMBER: {
        const struct expr *kid = print_c_kid(expr, 0);

        print_c_operand(out, kid, PREC_POSTFIX, names);
        fprintf(out, "%s%s", kid->type->kind == TYPE_POINTER ? "->" : ".", expr->text);
        break;
    }
    case EXPR_CALL:
        print_call(out, expr, names);
        break;
    case EXPR_CAST:
        print_cast(out, expr, names);
        break;
    case EXPR_INIT:
        print_init(out, expr, names);
        break;
    case EXPR_PLACE:
        print_place(out, expr, names);
        break;
    }
}
