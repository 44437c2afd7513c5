/* lanes_refuse.c: which bodies have no text on vectors, and why; and the size of a loop's lanes.
 */
#include "codegen/lanes/lanes_impl.h"

#include <string.h>

enum {
    MOST_DIM = 64,        /* components of a record */
    MOST_STATEMENTS = 500 /* three widths of the body are compiled */
};

struct search {
    struct emit *emit;
    const struct loop *loop;
    const char *reason;
    int statements;
    bool wide; /* a value of 8 bytes was met */
};

static void refuse(struct search *search, const char *reason)
{
    search->reason = search->reason != NULL ? search->reason : reason;
}

/* "line 41: ...", in the file of the loop; "flux.h:41: ..." in another one. */
static void refuse_at(struct search *search, struct loc loc, const char *reason)
{
    const char *file = search->loop->loc.file;
    if (loc.line <= 0) {
        refuse(search, reason);
    } else if (loc.file == NULL || file == NULL || strcmp(loc.file, file) == 0) {
        refuse(search, emit_format(search->emit, "line %d: %s", loc.line, reason));
    } else {
        refuse(search, emit_format(search->emit, "%s:%d: %s", loc.file, loc.line, reason));
    }
}

static bool is_number(const struct type *type)
{
    return type_is_floating(type) || type_is_integer(type);
}

bool lanes_subscripts(const struct loop *loop, const struct var *param)
{
    const struct arg *arg = &loop->arg[param->index];
    const struct type *component = arg->is_vector ? param->type->elem->elem : param->type->elem;
    bool reads = arg->access == ACCESS_READ && component != NULL && is_number(component) &&
                 (arg->kind == ARG_DAT || arg->kind == ARG_GLOBAL);
    for (int a = 0; a < loop->args && reads; a++) {
        const struct arg *other = &loop->arg[a];
        bool same = other->kind == ARG_DAT && arg->kind == ARG_DAT && other->dat == arg->dat;
        reads = !same || other->access == ACCESS_READ;
    }
    return reads && type_same(component, arg->type);
}

/* ---- expressions ---------------------------------------------------------------------------- */

static void check_call(struct search *search, const struct expr *call)
{
    if (call->callee->kind == FUNCTION_PRINT) {
        refuse_at(search, call->loc, "it prints");
    }
    for (int p = 0; p < call->kids; p++) {
        if (!is_number(call->kid[p]->type)) {
            refuse_at(search, call->loc,
                      emit_format(search->emit, "'%s' is called with more than numbers",
                                  call->callee->user_name));
        }
    }
}

/* An array of constants, perhaps subscripted already; or the parameter of data that the loop only
 * reads: vectors hold nothing of it but what constant subscripts name. */
static bool is_table(const struct search *search, const struct expr *expr)
{
    while (expr->kind == EXPR_INDEX || (expr->kind == EXPR_CAST && expr->implicit)) {
        expr = expr->kid[0];
    }
    if (expr->kind == EXPR_VAR && expr->var->storage == STORAGE_PARAM) {
        return lanes_subscripts(search->loop, expr->var);
    }
    return expr->kind == EXPR_VAR &&
           (expr->var->storage == STORAGE_GLOBAL || expr->var->storage == STORAGE_TABLE);
}

static void check_place(struct search *search, const struct expr *expr)
{
    const struct arg *arg = &search->loop->arg[expr->place.arg];
    if (arg->kind != ARG_INDEX && !type_same(expr->type, arg->type)) {
        refuse_at(search, expr->loc,
                  emit_format(search->emit, "the kernel takes '%s' for another type than it has",
                              search->loop->kernel->param[expr->place.arg]->name));
    }
}

static void check_expr(struct search *search, const struct expr *expr)
{
    bool array = expr->type->kind == TYPE_ARRAY || expr->type->kind == TYPE_POINTER;
    if (array && is_table(search, expr)) {
        for (; expr->kind == EXPR_INDEX || expr->kind == EXPR_CAST; expr = expr->kid[0]) {
            if (expr->kind == EXPR_INDEX) {
                check_expr(search, expr->kid[1]);
            }
        }
        return;
    }
    if (!is_number(expr->type)) {
        refuse_at(search, expr->loc, "it computes with records or pointers");
        return;
    }
    search->wide = search->wide || expr->type->size == 8;
    switch (expr->kind) {
    case EXPR_ASSIGN:
    case EXPR_STRING:
    case EXPR_MEMBER:
    case EXPR_INIT:
        refuse_at(search, expr->loc, "it is more than assignments of numbers");
        return;
    case EXPR_UNARY:
        if (expr->unary > UNARY_BITNOT) {
            refuse_at(search, expr->loc, "it is more than assignments of numbers");
        }
        break;
    case EXPR_INDEX:
        if (!is_table(search, expr)) {
            refuse_at(search, expr->loc, "a subscript is known at run time only");
        }
        break;
    case EXPR_VAR:
        if (expr->var->storage == STORAGE_PARAM) {
            refuse_at(search, expr->loc, "it passes a pointer to its data on");
        }
        break;
    case EXPR_CALL:
        check_call(search, expr);
        break;
    case EXPR_PLACE:
        check_place(search, expr);
        break;
    default:
        break;
    }
    for (int k = 0; k < expr->kids && search->reason == NULL; k++) {
        check_expr(search, expr->kid[k]);
    }
}

/* ---- statements ----------------------------------------------------------------------------- */

static void check_assign(struct search *search, const struct expr *expr)
{
    bool assigns =
        expr->kind == EXPR_ASSIGN &&
        (expr->kid[0]->kind == EXPR_PLACE || (expr->kid[0]->kind == EXPR_VAR && !expr->compound &&
                                              expr->kid[0]->var->storage == STORAGE_LOCAL));
    if (!assigns) {
        bool prints = expr->kind == EXPR_CALL && expr->callee->kind == FUNCTION_PRINT;
        bool subscripts = expr->kind == EXPR_ASSIGN && expr->kid[0]->kind == EXPR_INDEX;
        refuse_at(search, expr->loc,
                  prints       ? "it prints"
                  : subscripts ? "it writes to a subscript that is known at run time only"
                               : "it is more than assignments of numbers");
        return;
    }
    check_expr(search, expr->kid[0]);
    check_expr(search, expr->kid[1]);
}

static void check_stmt(struct search *search, const struct stmt *stmt)
{
    search->statements++;
    switch (stmt->kind) {
    case STMT_DECL:
        if (!is_number(stmt->var->type)) {
            refuse_at(search, stmt->loc,
                      "it has an array or a record whose elements are found at run time");
        } else if (stmt->var->init != NULL) {
            check_expr(search, stmt->var->init);
        }
        break;
    case STMT_EXPR:
        check_assign(search, stmt->expr);
        break;
    case STMT_IF:
    case STMT_WHILE:
        check_expr(search, stmt->expr);
        break;
    case STMT_BLOCK:
    case STMT_NOTHING:
        break;
    default:
        refuse_at(search, stmt->loc, "it has a switch, or a jump out of one");
        return;
    }
    for (int k = 0; k < stmt->kids && search->reason == NULL; k++) {
        check_stmt(search, stmt->kid[k]);
    }
}

/* ---- arguments ------------------------------------------------------------------------------ */

static bool is_modified(const struct arg *arg)
{
    return arg->kind == ARG_DAT && arg->access != ACCESS_READ;
}

/* Another argument leads to records that this one modifies, other than by increments alone. */
static void check_shared(struct search *search, int a)
{
    const struct arg *arg = &search->loop->arg[a];
    for (int b = 0; b < search->loop->args && is_modified(arg); b++) {
        const struct arg *other = &search->loop->arg[b];
        bool same = b != a && other->kind == ARG_DAT && arg->dat >= 0 && other->dat == arg->dat;
        bool together = (!arg->is_indirect && !other->is_indirect) ||
                        (arg->is_indirect && other->is_indirect && arg->access == other->access);
        if (same && !together) {
            refuse(search, emit_format(search->emit, "it modifies '%s' and accesses it otherwise",
                                       arg->dat_text));
        }
    }
}

static void check_arg(struct search *search, int a)
{
    const struct arg *arg = &search->loop->arg[a];
    const char *name = search->loop->kernel->param[a]->name;
    if (arg->is_optional) {
        refuse(search, emit_format(search->emit, "the argument '%s' is optional", name));
    } else if (arg_is_carried(arg)) {
        refuse(search, "op_arg_info goes along with an extremum");
    } else if (arg->kind != ARG_INDEX && !lanes_has_type(arg->type)) {
        refuse(search, emit_format(search->emit, "'%s' is not of numbers", name));
    } else if (arg->kind == ARG_DAT && arg->dim > MOST_DIM) {
        refuse(search, emit_format(search->emit, "'%s' has %d components, and vectors hold %d",
                                   name, arg->dim, MOST_DIM));
    }
    check_shared(search, a);
}

static void check_body(struct search *search)
{
    struct arena *arena = search->emit->file->program->arena;
    const struct stage *stage = &search->loop->whole->stage[0];
    struct lanes lanes = {
        .emit = search->emit, .arena = arena, .loop = search->loop, .stage = stage};
    const char *reason;
    struct loc loc;
    struct stmt *body = lanes_rewrite_loops(&lanes, stage->body, &reason, &loc);
    if (reason != NULL) {
        refuse_at(search, loc, reason);
    } else {
        check_stmt(search, body);
    }
}

static void check_updates(struct search *search)
{
    const struct stage *stage = &search->loop->whole->stage[0];
    for (int u = 0; u < stage->updates && search->reason == NULL; u++) {
        const struct type *type = search->loop->arg[stage->update[u].place.arg].type;
        check_expr(search, stage->update[u].value);
        search->wide = search->wide || type->size == 8;
    }
}

static struct search search_of(struct emit *emit, const struct loop *loop)
{
    struct search search = {.emit = emit, .loop = loop};
    if (loop->whole == NULL) {
        search.reason =
            loop->whole_reason != NULL ? loop->whole_reason : "its body could not be taken apart";
        return search;
    }
    for (int a = 0; a < loop->args && search.reason == NULL; a++) {
        check_arg(&search, a);
    }
    if (search.reason == NULL) {
        check_body(&search);
        check_updates(&search);
    }
    if (search.reason == NULL && search.statements > MOST_STATEMENTS) {
        search.reason = emit_format(emit,
                                    "its body has %d statements, and at most %d are compiled "
                                    "for all widths",
                                    search.statements, MOST_STATEMENTS);
    }
    return search;
}

const char *lanes_refusal(struct emit *emit, const struct loop *loop)
{
    return search_of(emit, loop).reason;
}

int lanes_class(struct emit *emit, const struct loop *loop)
{
    return search_of(emit, loop).wide ? 8 : 4;
}
