/* loop_ir_print.c: the text of --cleave-dump=loops. One fact per line, the kind of fact first,
 * nested by indentation; the format is described in pass/ir/FORMAT.md.
 */
#include <stdlib.h>
#include <string.h>

#include "pass/ir/loop_ir.h"

/* A type without blanks: "const.double*", "unsigned.int", "struct.point[3]". */
static void print_type(FILE *out, const struct type *type)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);

    if (memory == NULL) {
        fputs("?", out);
        return;
    }
    print_c_type(memory, type, "");
    fclose(memory);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c != ' ') {
            fputc(*c, out);
        } else if (c[1] != '*' && c[1] != '(') {
            fputc('.', out);
        }
    }
    free(text);
}

static void print_place(FILE *out, struct loc loc)
{
    if (loc.line > 0) {
        fprintf(out, " at %s:%d:%d", loc.file != NULL ? loc.file : "?", loc.line, loc.column);
    }
}

static void print_quoted(FILE *out, const char *text)
{
    const struct expr string = {.kind = EXPR_STRING, .text = text != NULL ? text : ""};

    print_c_expr(out, &string, NULL);
}

static const char *const unary_name[] = {
    "neg", "plus", "not", "bitnot", "deref", "address", "preinc", "predec", "postinc", "postdec",
};
static const char *const binary_name[] = {
    "mul", "div", "rem", "add", "sub", "shl", "shr",  "lt",  "gt",    "le",
    "ge",  "eq",  "ne",  "and", "xor", "or",  "land", "lor", "comma",
};

static void print_operator(FILE *out, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_UNARY:
        fputs(unary_name[expr->unary], out);
        break;
    case EXPR_BINARY:
        fputs(binary_name[expr->binary], out);
        break;
    case EXPR_ASSIGN:
        fputs("set", out);
        if (expr->compound) {
            fprintf(out, "-%s", binary_name[expr->binary]);
        }
        break;
    case EXPR_COND:
        fputs("if", out);
        break;
    case EXPR_INDEX:
        fputs("index", out);
        break;
    case EXPR_MEMBER:
        fprintf(out, "member.%s", expr->text);
        break;
    case EXPR_CALL:
        fprintf(out, "call.%s", expr->callee->name);
        break;
    case EXPR_CAST:
        fputs(expr->implicit ? "as" : "cast", out);
        break;
    default:
        fputs("init", out);
        break;
    }
}

static void print_expr(FILE *out, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
    case EXPR_STRING:
    case EXPR_VAR:
        print_c_expr(out, expr, NULL);
        return;
    case EXPR_PLACE:
        fprintf(out, "(place %d %d %d)", expr->place.arg, expr->place.column,
                expr->place.component);
        return;
    default:
        break;
    }
    fputc('(', out);
    print_operator(out, expr);
    fputc(':', out);
    print_type(out, expr->type);
    for (int k = 0; k < expr->kids; k++) {
        fputc(' ', out);
        print_expr(out, expr->kid[k]);
    }
    fputc(')', out);
}

static const char *const stmt_name[] = {
    "expr",   "decl",  "block",    "if",      "for",    "while", "do",
    "return", "break", "continue", "nothing", "switch", "case",
};

static void print_stmt(FILE *out, const struct stmt *stmt, int indent)
{
    bool is_default = stmt->kind == STMT_CASE && stmt->expr == NULL;

    fprintf(out, "%*s%s", indent, "", is_default ? "default" : stmt_name[stmt->kind]);
    if (stmt->kind == STMT_DECL) {
        fprintf(out, " %s:", stmt->var->name);
        print_type(out, stmt->var->type);
        if (stmt->var->init != NULL) {
            fputs(" = ", out);
            print_expr(out, stmt->var->init);
        }
    }
    if (stmt->expr != NULL) {
        fputc(' ', out);
        print_expr(out, stmt->expr);
    }
    if (stmt->step != NULL) {
        fputs(stmt->kind == STMT_CASE ? " ... " : " ; ", out);
        print_expr(out, stmt->step);
    }
    fputc('\n', out);
    for (int k = 0; k < stmt->kids; k++) {
        if (stmt->kind == STMT_IF && k == 1) {
            fprintf(out, "%*selse\n", indent, "");
        }
        print_stmt(out, stmt->kid[k], indent + 2);
    }
}

static void print_record(FILE *out, const struct record *record)
{
    fprintf(out, "record %s %s\n", record->is_union ? "union" : "struct", record->name);
    for (int n = 0; n < record->fields; n++) {
        fprintf(out, "  field %s ", record->field[n].name);
        print_type(out, record->field[n].type);
        fputc('\n', out);
    }
}

static void print_global(FILE *out, const struct var *var)
{
    if (var->storage == STORAGE_TABLE) {
        fprintf(out, "table %s ", var->name);
        print_type(out, var->type);
        fputs(" = ", out);
        print_expr(out, var->init);
    } else {
        fprintf(out, "constant %s ", var->name);
        print_type(out, var->type);
        fputs(var->is_external ? " external" : " internal", out);
        if (var->symbol != NULL) {
            fprintf(out, " in object as %s", var->symbol);
        }
    }
    print_place(out, var->loc);
    fputc('\n', out);
}

static void print_function(FILE *out, const struct function *function)
{
    static const char *const kind[] = {"user", "math", "print"};

    fprintf(out, "function %s %s", function->name, kind[function->kind]);
    print_place(out, function->loc);
    fputc('\n', out);
    if (function->user_name != NULL && strcmp(function->user_name, function->name) != 0) {
        fprintf(out, "  name %s\n", function->user_name);
    }
    fputs("  result ", out);
    print_type(out, function->result);
    fputc('\n', out);
    for (int n = 0; n < function->params; n++) {
        fprintf(out, "  param %s ", function->param[n]->name);
        print_type(out, function->param[n]->type);
        fputc('\n', out);
    }
    for (int n = 0; n < function->callees; n++) {
        fprintf(out, "  calls %s\n", function->callee[n]->name);
    }
    for (int n = 0; n < function->globals; n++) {
        fprintf(out, "  uses %s\n", function->global[n]->name);
    }
    if (function->body != NULL) {
        fputs("  body\n", out);
        print_stmt(out, function->body, 4);
    } else if (function->opaque_text != NULL) {
        fprintf(out, "  opaque %s", function->opaque_reason != NULL ? function->opaque_reason : "");
        print_place(out, function->opaque_loc);
        fputc('\n', out);
    }
}

static void print_arg(FILE *out, const struct arg *arg, int number)
{
    static const char *const kind[] = {"dat", "global", "index", "info"};

    fprintf(out, "  arg %d %s", number, kind[arg->kind]);
    if (arg->dat_text != NULL) {
        fputc(' ', out);
        print_quoted(out, arg->dat_text);
    }
    if (arg->dat >= 0) {
        fprintf(out, " class %d", arg->dat);
    }
    fprintf(out, " %s", access_name(arg->declared));
    if (arg->access != arg->declared) {
        fprintf(out, " as %s", access_name(arg->access));
    }
    if (arg->dim >= 0) {
        fprintf(out, " dim %d", arg_payload(arg));
    } else {
        fputs(" dim unknown", out);
    }
    if (arg->type != NULL) {
        fputs(" type ", out);
        print_type(out, arg->type);
    }
    if (arg->is_soa) {
        fputs(" soa", out);
    }
    if (arg->is_indirect) {
        fputs(" map ", out);
        print_quoted(out, arg->map_text);
        fprintf(out, " class %d", arg->map);
        fprintf(out, arg->is_vector ? " columns %d" : " column %d",
                arg->is_vector ? arg->columns : arg->map_index);
    }
    if (arg->kind == ARG_INFO) {
        fprintf(out, " of %d", arg->info_of);
        for (int c = 0; arg->goes_with != NULL && c < arg_payload(arg); c++) {
            fprintf(out, c == 0 ? " with %d" : ",%d", arg->goes_with[c]);
        }
    }
    fputs(arg->ties == TIES_FIRST ? " first" : arg->ties == TIES_LAST ? " last" : "", out);
    fputs(arg->is_optional ? " optional" : "", out);
    print_place(out, arg->loc);
    fputc('\n', out);
}

static void print_loop(FILE *out, const struct loop *loop)
{
    fprintf(out, "loop %s", loop->id);
    print_place(out, loop->loc);
    fputs("\n  name ", out);
    print_quoted(out, loop->name);
    fprintf(out, "\n  kernel %s\n  set ", loop->kernel != NULL ? loop->kernel->name : "-");
    print_quoted(out, loop->set_text);
    fputs("\n  call ", out);
    print_quoted(out, loop->call_text);
    fputs("\n  signature ", out);
    print_quoted(out, loop->signature);
    fputc('\n', out);
    for (int n = 0; n < loop->args; n++) {
        print_arg(out, &loop->arg[n], n);
    }
    if (loop->sequential_reason != NULL) {
        fprintf(out, "  sequential %s\n", loop->sequential_reason);
    }
}

void loop_ir_print(FILE *out, const struct program *program)
{
    fputs("program ", out);
    print_quoted(out, program->source);
    fprintf(out, " unit %s language %s\n", program->unit != NULL ? program->unit : "-",
            program->language == LANGUAGE_C ? "c" : "c++");
    for (int n = 0; n < program->records; n++) {
        print_record(out, program->record[n]);
    }
    for (int n = 0; n < program->globals; n++) {
        print_global(out, program->global[n]);
    }
    for (int n = 0; n < program->functions; n++) {
        print_function(out, program->function[n]);
    }
    for (int n = 0; n < program->loops; n++) {
        print_loop(out, &program->loop[n]);
    }
}
