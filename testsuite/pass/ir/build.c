/* build.c: see build.h. */
#include "build.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pass/ir/chain.h"

struct arena *b_arena;
struct loc b_loc;

#define NEW(type) ((type *)arena_alloc(b_arena, sizeof(type)))

const struct type *b_type(enum type_kind kind)
{
    static const size_t size[] = {0, 1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 4, 8};
    static struct type type[TYPE_DOUBLE + 1];

    type[kind].kind = kind;
    type[kind].size = size[kind];
    return &type[kind];
}

const struct type *b_pointer(const struct type *elem)
{
    struct type *type = NEW(struct type);

    *type = (struct type){.kind = TYPE_POINTER, .size = 8, .elem = elem};
    return type;
}

const struct type *b_array(const struct type *elem, long count)
{
    struct type *type = NEW(struct type);

    *type = (struct type){
        .kind = TYPE_ARRAY, .size = elem->size * (size_t)count, .elem = elem, .count = count};
    return type;
}

const struct type *b_const(const struct type *type)
{
    struct type *copy = NEW(struct type);

    *copy = *type;
    copy->is_const = true;
    return copy;
}

const struct type *b_record(const char *name, int fields, const char *const *field,
                            const struct type *const *type)
{
    struct record *record = NEW(struct record);
    struct type *made = NEW(struct type);

    record->name = name;
    record->fields = fields;
    record->field = arena_alloc(b_arena, (size_t)fields * sizeof(*record->field));
    *made = (struct type){.kind = TYPE_RECORD, .record = record};
    for (int n = 0; n < fields; n++) {
        record->field[n] = (struct field){field[n], type[n]};
        made->size += type[n]->size;
    }
    return made;
}

static struct program *built; /* by the last b_program() */

struct program *b_program(void)
{
    struct program *program;

    b_arena = arena_new();
    b_loc = (struct loc){"k.c", 1, 1};
    program = NEW(struct program);
    program->arena = b_arena;
    program->source = "k.c";
    program->unit = "0123456789abcdef";
    program->loop = arena_alloc(b_arena, 16 * sizeof(*program->loop));
    program->function = arena_alloc(b_arena, 32 * sizeof(*program->function));
    program->global = arena_alloc(b_arena, 16 * sizeof(*program->global));
    program->record = arena_alloc(b_arena, 16 * sizeof(*program->record));
    program->chain = arena_alloc(b_arena, 16 * sizeof(*program->chain));
    built = program;
    return program;
}

void b_program_free(struct program *program)
{
    arena_free(program->arena);
    b_arena = NULL;
}

void b_at(int line, int column)
{
    b_loc.line = line;
    b_loc.column = column;
}

static struct var *new_var(const char *name, const struct type *type, enum storage storage,
                           struct expr *init)
{
    struct var *var = NEW(struct var);

    *var = (struct var){
        .name = name, .type = type, .storage = storage, .loc = b_loc, .index = -1, .init = init};
    return var;
}

struct var *b_local(const char *name, const struct type *type, struct expr *init)
{
    return new_var(name, type, STORAGE_LOCAL, init);
}

struct var *b_global(struct program *program, const char *name, const struct type *type)
{
    return program->global[program->globals++] = new_var(name, type, STORAGE_GLOBAL, NULL);
}

struct var *b_table(struct program *program, const char *name, const struct type *type,
                    struct expr *init)
{
    return program->global[program->globals++] = new_var(name, type, STORAGE_TABLE, init);
}

/* ---- expressions ----------------------------------------------------------------------------- */

struct expr *b_expr(enum expr_kind kind, const struct type *type, int kids, struct expr *const *kid)
{
    struct expr *expr = NEW(struct expr);

    expr->kind = kind;
    expr->type = type;
    expr->loc = b_loc;
    expr->kids = kids;
    expr->kid = arena_alloc(b_arena, (size_t)kids * sizeof(*expr->kid));
    for (int k = 0; k < kids; k++) {
        expr->kid[k] = kid[k];
    }
    return expr;
}

struct expr *b_integer(const struct type *type, unsigned long long bits)
{
    struct expr *expr = b_expr(EXPR_INT, type, 0, NULL);

    expr->bits = bits;
    return expr;
}

struct expr *b_int(long value)
{
    return b_integer(B_INT, (unsigned long long)value);
}

struct expr *b_real(double value)
{
    struct expr *expr = b_expr(EXPR_FLOAT, B_DOUBLE, 0, NULL);

    expr->value = value;
    return expr;
}

struct expr *b_single(float value)
{
    struct expr *expr = b_expr(EXPR_FLOAT, B_FLOAT, 0, NULL);

    expr->value = value;
    return expr;
}

struct expr *b_string(const char *text)
{
    struct expr *expr =
        b_expr(EXPR_STRING, b_array(b_type(TYPE_CHAR), (long)strlen(text) + 1), 0, NULL);

    expr->text = text;
    return expr;
}

struct expr *b_var(struct var *var)
{
    struct expr *expr = b_expr(EXPR_VAR, var->type, 0, NULL);

    expr->var = var;
    return expr;
}

struct expr *b_unary(enum unary_op op, struct expr *kid)
{
    const struct type *type = kid->type;
    struct expr *expr;

    if (op == UNARY_DEREF) {
        type = type->elem;
    } else if (op == UNARY_ADDRESS) {
        type = b_pointer(type);
    } else if (op == UNARY_NOT) {
        type = B_INT;
    }
    expr = b_expr(EXPR_UNARY, type, 1, &kid);
    expr->unary = op;
    return expr;
}

struct expr *b_binary(enum binary_op op, struct expr *left, struct expr *right)
{
    const struct type *type = left->type;
    struct expr *expr;

    if ((op >= BINARY_LT && op <= BINARY_NE) || op == BINARY_LAND || op == BINARY_LOR) {
        type = B_INT;
    } else if (op == BINARY_COMMA) {
        type = right->type;
    }
    expr = b_expr(EXPR_BINARY, type, 2, (struct expr *[]){left, right});
    expr->binary = op;
    return expr;
}

struct expr *b_assign(struct expr *left, struct expr *right)
{
    return b_expr(EXPR_ASSIGN, left->type, 2, (struct expr *[]){left, right});
}

struct expr *b_compound(enum binary_op op, struct expr *left, struct expr *right)
{
    struct expr *expr = b_assign(left, right);

    expr->compound = true;
    expr->binary = op;
    expr->compute = left->type;
    return expr;
}

struct expr *b_cond(struct expr *test, struct expr *yes, struct expr *no)
{
    return b_expr(EXPR_COND, yes->type, 3, (struct expr *[]){test, yes, no});
}

struct expr *b_index(struct expr *base, struct expr *subscript)
{
    return b_expr(EXPR_INDEX, base->type->elem, 2, (struct expr *[]){base, subscript});
}

struct expr *b_at_index(struct var *var, int subscript)
{
    return b_index(b_var(var), b_int(subscript));
}

struct expr *b_member(struct expr *base, const char *name, const struct type *type)
{
    struct expr *expr = b_expr(EXPR_MEMBER, type, 1, &base);

    expr->text = name;
    return expr;
}

struct expr *b_call(struct function *callee, int kids, struct expr *const *kid)
{
    struct expr *expr = b_expr(EXPR_CALL, callee->result, kids, kid);

    expr->callee = callee;
    return expr;
}

struct expr *b_cast(const struct type *type, struct expr *kid)
{
    return b_expr(EXPR_CAST, type, 1, &kid);
}

struct expr *b_implicit(const struct type *type, struct expr *kid)
{
    struct expr *expr = b_cast(type, kid);

    expr->implicit = true;
    return expr;
}

struct expr *b_init(const struct type *type, int kids, struct expr *const *kid)
{
    return b_expr(EXPR_INIT, type, kids, kid);
}

/* ---- statements ------------------------------------------------------------------------------ */

struct stmt *b_stmt(enum stmt_kind kind, int kids, struct stmt *const *kid)
{
    struct stmt *stmt = NEW(struct stmt);

    stmt->kind = kind;
    stmt->loc = b_loc;
    stmt->kids = kids;
    stmt->kid = arena_alloc(b_arena, (size_t)kids * sizeof(*stmt->kid));
    for (int k = 0; k < kids; k++) {
        stmt->kid[k] = kid[k];
    }
    return stmt;
}

struct stmt *b_do(struct expr *expr)
{
    struct stmt *stmt = b_stmt(STMT_EXPR, 0, NULL);

    stmt->expr = expr;
    return stmt;
}

struct stmt *b_decl(struct var *var)
{
    struct stmt *stmt = b_stmt(STMT_DECL, 0, NULL);

    stmt->var = var;
    return stmt;
}

struct stmt *b_if(struct expr *test, struct stmt *yes, struct stmt *no)
{
    struct stmt *stmt = b_stmt(STMT_IF, no != NULL ? 2 : 1, (struct stmt *[]){yes, no});

    stmt->expr = test;
    return stmt;
}

struct stmt *b_for(struct stmt *start, struct expr *test, struct expr *step, struct stmt *body)
{
    struct stmt *stmt = b_stmt(STMT_FOR, 2, (struct stmt *[]){start, body});

    stmt->expr = test;
    stmt->step = step;
    return stmt;
}

struct stmt *b_count(struct var *var, int from, int below, struct stmt *body)
{
    var->init = b_int(from);
    return b_for(b_decl(var), b_binary(BINARY_LT, b_var(var), b_int(below)),
                 b_unary(UNARY_POST_INC, b_var(var)), body);
}

struct stmt *b_while(struct expr *test, struct stmt *body)
{
    struct stmt *stmt = b_stmt(STMT_WHILE, 1, &body);

    stmt->expr = test;
    return stmt;
}

struct stmt *b_switch(struct expr *value, struct stmt *block)
{
    struct stmt *stmt = b_stmt(STMT_SWITCH, 1, &block);

    stmt->expr = value;
    return stmt;
}

struct stmt *b_case(struct expr *first, struct expr *last)
{
    struct stmt *stmt = b_stmt(STMT_CASE, 0, NULL);

    stmt->expr = first;
    stmt->step = last;
    return stmt;
}

struct stmt *b_return(struct expr *expr)
{
    struct stmt *stmt = b_stmt(STMT_RETURN, 0, NULL);

    stmt->expr = expr;
    return stmt;
}

/* ---- functions and loops --------------------------------------------------------------------- */

struct function *b_function(const char *name, const struct type *result, int params,
                            const char *const *name_of, const struct type *const *type_of)
{
    struct function *function = NEW(struct function);

    function->name = name;
    function->user_name = name;
    function->result = result;
    function->params = params;
    function->loc = b_loc;
    function->param = arena_alloc(b_arena, (size_t)params * sizeof(*function->param));
    for (int n = 0; n < params; n++) {
        function->param[n] = new_var(name_of[n], type_of[n], STORAGE_PARAM, NULL);
        function->param[n]->index = n;
    }
    return function;
}

static void add_use(struct expr *expr, void *user)
{
    struct function *function = user;
    int n = 0;

    if (expr->kind == EXPR_CALL) {
        while (n < function->callees && function->callee[n] != expr->callee) {
            n++;
        }
        if (n == function->callees) {
            function->called[function->callees] = expr->loc;
            function->callee[function->callees++] = expr->callee;
        }
    } else if (expr->kind == EXPR_VAR && expr->var->storage >= STORAGE_GLOBAL) {
        while (n < function->globals && function->global[n] != expr->var) {
            n++;
        }
        if (n == function->globals) {
            function->global[function->globals++] = expr->var;
        }
    }
}

void b_body(struct program *program, struct function *function, struct stmt *body)
{
    function->body = body;
    function->callee = arena_alloc(b_arena, 16 * sizeof(*function->callee));
    function->called = arena_alloc(b_arena, 16 * sizeof(*function->called));
    function->global = arena_alloc(b_arena, 16 * sizeof(*function->global));
    stmt_visit(body, NULL, add_use, function);
    program->function[program->functions++] = function;
}

struct function *b_math(struct program *program, const char *name, const struct type *result,
                        int params)
{
    const char *name_of[] = {"x", "y", "z"};
    const struct type *type_of[] = {result, result, result};
    struct function *function = b_function(name, result, params, name_of, type_of);

    function->kind = FUNCTION_MATH;
    program->function[program->functions++] = function;
    return function;
}

struct loop *b_loop(struct program *program, struct function *kernel)
{
    struct loop *loop = &program->loop[program->loops++];

    program->user_loops = program->loops;

    loop->name = kernel->user_name;
    loop->id = arena_format(b_arena, "%s_%d", kernel->name, program->loops);
    loop->call_text = "text";
    loop->signature = "pattern";
    loop->set_text = "cells";
    loop->kernel = kernel;
    loop->loc = b_loc;
    loop->arg = arena_alloc(b_arena, 16 * sizeof(*loop->arg));
    chain_make_loose(program, program->loops - 1, &program->chain[program->chains++]);
    return loop;
}

struct arg *b_arg(struct loop *loop, enum access access, int dim)
{
    struct arg *arg = &loop->arg[loop->args];

    *arg = (struct arg){.declared = access,
                        .access = access,
                        .type = B_DOUBLE,
                        .type_name = "double",
                        .dim = dim,
                        .columns = 1,
                        .dat = loop->args,
                        .map = -1,
                        .info_of = -1,
                        .loc = b_loc};
    arg->dat_text = arena_format(b_arena, "p_%d", loop->args);
    loop->args++;
    chain_make_loose(built, (int)(loop - built->loop), &built->chain[loop - built->loop]);
    return arg;
}

struct arg *b_indirect(struct arg *arg, int map, int column)
{
    arg->is_indirect = true;
    arg->map = map;
    arg->map_index = column;
    arg->map_text = "pcell";
    return arg;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static const char *take(char *text)
{
    const char *copy = arena_text(b_arena, text);

    free(text);
    return copy;
}

const char *b_text_of_expr(const struct expr *expr)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    print_c_expr(out, expr, NULL);
    fclose(out);
    return take(text);
}

const char *b_text_of_stmt(const struct stmt *stmt)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    print_c_stmt(out, stmt, 0, NULL);
    fclose(out);
    return take(text);
}

const char *b_text_of_type(const struct type *type, const char *declarator)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    print_c_type(out, type, declarator);
    fclose(out);
    return take(text);
}
