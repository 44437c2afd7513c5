/* print_c.c: types, prototypes and statements as C, valid as C11 and as C++17.
 *
 * In C the text needs <stdbool.h>. Bodies of if and loops always stand in braces, one declaration
 * stands on each line. Expressions: print_c_expr.c.
 */
#include <string.h>

#include "pass/ir/print_c_impl.h"

static const char *const scalar_name[] = {
    [TYPE_VOID] = "void",
    [TYPE_BOOL] = "bool",
    [TYPE_CHAR] = "char",
    [TYPE_SCHAR] = "signed char",
    [TYPE_UCHAR] = "unsigned char",
    [TYPE_SHORT] = "short",
    [TYPE_USHORT] = "unsigned short",
    [TYPE_INT] = "int",
    [TYPE_UINT] = "unsigned int",
    [TYPE_LONG] = "long",
    [TYPE_ULONG] = "unsigned long",
    [TYPE_LLONG] = "long long",
    [TYPE_ULLONG] = "unsigned long long",
    [TYPE_FLOAT] = "float",
    [TYPE_DOUBLE] = "double",
};

/* Prints the part of a type before the declarator: "const double (*" for a pointer to an array of
 * const double. */
static void print_prefix(FILE *out, const struct type *type, bool is_const, bool has_name)
{
    switch (type->kind) {
    case TYPE_POINTER:
        print_prefix(out, type->elem, false, true);
        fputs(type->elem->kind == TYPE_ARRAY ? "(*" : "*", out);
        if (type->is_const || is_const) {
            fputs(has_name ? "const " : "const", out);
        }
        return;
    case TYPE_ARRAY:
        print_prefix(out, type->elem, is_const || type->is_const, has_name);
        return;
    case TYPE_RECORD:
        fprintf(out, "%s%s %s", type->is_const || is_const ? "const " : "",
                type->record->is_union ? "union" : "struct", type->record->name);
        break;
    default:
        fprintf(out, "%s%s", type->is_const || is_const ? "const " : "", scalar_name[type->kind]);
        break;
    }
    if (has_name) {
        fputc(' ', out);
    }
}

static void print_suffix(FILE *out, const struct type *type)
{
    if (type->kind == TYPE_POINTER) {
        if (type->elem->kind == TYPE_ARRAY) {
            fputc(')', out);
        }
        print_suffix(out, type->elem);
    } else if (type->kind == TYPE_ARRAY) {
        fprintf(out, "[%ld]", type->count);
        print_suffix(out, type->elem);
    }
}

void print_c_type(FILE *out, const struct type *type, const char *declarator)
{
    print_prefix(out, type, false, declarator[0] != '\0');
    fputs(declarator, out);
    print_suffix(out, type);
}

void print_c_prototype(FILE *out, const struct function *function, const struct c_names *names)
{
    const char *name = NULL;

    if (names != NULL && names->function != NULL) {
        name = names->function(function, names->user);
    }
    print_prefix(out, function->result, false, true);
    fprintf(out, "%s(", name != NULL ? name : function->name);
    for (int n = 0; n < function->params; n++) {
        const struct var *param = function->param[n];

        fputs(n > 0 ? ", " : "", out);
        print_c_type(out, param->type, print_c_var_name(param, names));
    }
    fputs(function->params == 0 ? "void)" : ")", out);
    print_suffix(out, function->result);
}

void print_c_line(FILE *out, const char *file, int line)
{
    fprintf(out, "#line %d ", line);
    print_c_string(out, file);
    fputc('\n', out);
}

/* Prints a #line directive; call at the start of a line. */
static void print_place(FILE *out, const struct stmt *stmt, const struct c_names *names)
{
    if (names != NULL && names->lines && stmt->kind != STMT_BLOCK && stmt->loc.line > 0) {
        print_c_line(out, stmt->loc.file, stmt->loc.line);
    }
}

static void print_indent(FILE *out, int indent)
{
    fprintf(out, "%*s", 4 * indent, "");
}

static void print_decl(FILE *out, const struct var *var, const struct c_names *names)
{
    print_c_type(out, var->type, print_c_var_name(var, names));
    if (var->init != NULL) {
        fputs(" = ", out);
        print_c_operand(out, print_c_converted(var->init, var->type), PREC_ASSIGN, names);
    }
}

static void print_lines(FILE *out, const struct stmt *stmt, int indent, const struct c_names *names)
{
    if (stmt->kind != STMT_BLOCK) {
        print_c_stmt(out, stmt, indent, names);
        return;
    }
    for (int k = 0; k < stmt->kids; k++) {
        print_c_stmt(out, stmt->kid[k], indent, names);
    }
}

/* " {", the body's lines, and the closing brace without a newline. */
static void print_braced(FILE *out, const struct stmt *body, int indent,
                         const struct c_names *names)
{
    fputs(" {\n", out);
    if (body->kind != STMT_NOTHING) {
        print_lines(out, body, indent + 1, names);
    }
    print_indent(out, indent);
    fputc('}', out);
}

static void print_condition(FILE *out, const struct expr *expr, const struct c_names *names)
{
    const struct expr *inner = print_c_condition(expr);
    bool is_assign = inner->kind == EXPR_ASSIGN;

    fputs(is_assign ? "((" : "(", out);
    print_c_expr(out, inner, names);
    fputs(is_assign ? "))" : ")", out);
}

static void print_if(FILE *out, const struct stmt *stmt, int indent, const struct c_names *names)
{
    fputs("if ", out);
    print_condition(out, stmt->expr, names);
    print_braced(out, stmt->kid[0], indent, names);
    if (stmt->kids == 2 && stmt->kid[1]->kind == STMT_IF) {
        bool has_place = names != NULL && names->lines && stmt->kid[1]->loc.line > 0;

        fputs(has_place ? " else\n" : " else ", out);
        if (has_place) {
            print_place(out, stmt->kid[1], names);
            print_indent(out, indent);
        }
        print_if(out, stmt->kid[1], indent, names);
    } else if (stmt->kids == 2) {
        fputs(" else", out);
        print_braced(out, stmt->kid[1], indent, names);
    }
}

static void print_for(FILE *out, const struct stmt *stmt, int indent, const struct c_names *names)
{
    const struct stmt *start = stmt->kid[0];

    fputs("for (", out);
    if (start->kind == STMT_DECL) {
        print_decl(out, start->var, names);
    } else if (start->kind == STMT_EXPR) {
        print_c_expr(out, print_c_discarded(start->expr), names);
    }
    fputs("; ", out);
    if (stmt->expr != NULL) {
        print_c_expr(out, print_c_condition(stmt->expr), names);
    }
    fputs("; ", out);
    if (stmt->step != NULL) {
        print_c_expr(out, print_c_discarded(stmt->step), names);
    }
    fputc(')', out);
    print_braced(out, stmt->kid[1], indent, names);
}

/* Puts a block around a `for` that declares variables of different types: a for header cannot. */
static void print_for_block(FILE *out, const struct stmt *stmt, int indent,
                            const struct c_names *names)
{
    fputs("{\n", out);
    print_lines(out, stmt->kid[0], indent + 1, names);
    print_indent(out, indent + 1);
    print_for(out, stmt, indent + 1, names);
    fputc('\n', out);
    print_indent(out, indent);
    fputc('}', out);
}

/* Prints a label. C11 requires a statement behind it, and a declaration is none: then an empty one
 * is added. */
static void print_label(FILE *out, const struct stmt *label, const struct stmt *next, int indent,
                        const struct c_names *names)
{
    print_indent(out, indent);
    fputs(label->expr != NULL ? "case " : "default", out);
    if (label->expr != NULL) {
        print_c_expr(out, label->expr, names);
    }
    if (label->step != NULL) {
        fputs(" ... ", out);
        print_c_expr(out, label->step, names);
    }
    fputs(next == NULL || next->kind == STMT_DECL ? ":;\n" : ":\n", out);
}

static void print_switch(FILE *out, const struct stmt *stmt, int indent,
                         const struct c_names *names)
{
    const struct stmt *block = stmt->kid[0];

    fputs("switch (", out);
    print_c_expr(out, stmt->expr, names);
    fputs(") {\n", out);
    for (int k = 0; k < block->kids; k++) {
        if (block->kid[k]->kind == STMT_CASE) {
            print_label(out, block->kid[k], k + 1 < block->kids ? block->kid[k + 1] : NULL, indent,
                        names);
        } else {
            print_c_stmt(out, block->kid[k], indent + 1, names);
        }
    }
    print_indent(out, indent);
    fputc('}', out);
}

static void print_simple(FILE *out, const struct stmt *stmt, const struct c_names *names)
{
    switch (stmt->kind) {
    case STMT_EXPR:
        print_c_expr(out, print_c_discarded(stmt->expr), names);
        break;
    case STMT_DECL:
        print_decl(out, stmt->var, names);
        break;
    case STMT_RETURN:
        fputs("return", out);
        if (stmt->expr != NULL) {
            fputc(' ', out);
            print_c_expr(out, print_c_converted(stmt->expr, stmt->expr->type), names);
        }
        break;
    case STMT_BREAK:
        fputs("break", out);
        break;
    case STMT_CONTINUE:
        fputs("continue", out);
        break;
    default:
        break;
    }
    fputc(';', out);
}

void print_c_stmt(FILE *out, const struct stmt *stmt, int indent, const struct c_names *names)
{
    print_place(out, stmt, names);
    print_indent(out, indent);
    switch (stmt->kind) {
    case STMT_BLOCK:
        fputs("{\n", out);
        print_lines(out, stmt, indent + 1, names);
        print_indent(out, indent);
        fputc('}', out);
        break;
    case STMT_IF:
        print_if(out, stmt, indent, names);
        break;
    case STMT_FOR:
        if (stmt->kid[0]->kind == STMT_BLOCK) {
            print_for_block(out, stmt, indent, names);
        } else {
            print_for(out, stmt, indent, names);
        }
        break;
    case STMT_WHILE:
        fputs("while ", out);
        print_condition(out, stmt->expr, names);
        print_braced(out, stmt->kid[0], indent, names);
        break;
    case STMT_SWITCH:
        print_switch(out, stmt, indent, names);
        break;
    case STMT_DO:
        fputs("do", out);
        print_braced(out, stmt->kid[0], indent, names);
        fputs(" while ", out);
        print_condition(out, stmt->expr, names);
        fputc(';', out);
        break;
    default:
        print_simple(out, stmt, names);
        break;
    }
    fputc('\n', out);
}
