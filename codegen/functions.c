/* functions.c: kernels and helpers as device functions.
 *
 * In: the functions that the text of variants calls. Out: each once, callees first. A tree is
 * printed as a body; opaque.c prints a function that was taken whole. In CUDA, a kernel's parameter
 * that may be staged has a template type: shared memory is more than a plain pointer to the
 * emulator, which checks its use.
 */
#include <string.h>

#include "codegen/emit.h"
#include "pass/ir/arena.h"

/* ---- which functions and globals --------------------------------------------------------------
 */

static void mark_function(const struct program *program, const struct function *function,
                          bool *function_used, bool *global_used, bool *prints)
{
    if (function->kind != FUNCTION_USER) {
        *prints = *prints || function->kind == FUNCTION_PRINT;
        return;
    }
    int f = program_function_index(program, function);
    if (f < 0 || function_used[f]) {
        return;
    }
    function_used[f] = true;
    for (int g = 0; g < function->globals; g++) {
        int index = program_global_index(program, function->global[g]);
        if (index >= 0) {
            global_used[index] = true;
        }
    }
    for (int c = 0; c < function->callees; c++) {
        mark_function(program, function->callee[c], function_used, global_used, prints);
    }
}

/* Marks the kernel of a loop, and those of its phases and epilogues. */
static bool mark_loop(const struct program *program, const struct loop *loop, bool *global_used)
{
    bool prints = false;
    bool *visited = arena_alloc(program->arena, (size_t)program->functions * sizeof(*visited));
    mark_function(program, loop->kernel, visited, global_used, &prints);
    for (int n = 0; n < loop->phases; n++) {
        mark_function(program, loop->phase[n].kernel, visited, global_used, &prints);
    }
    for (int e = 0; e < loop->epilogues; e++) {
        mark_function(program, loop->epilogue[e].kernel, visited, global_used, &prints);
    }
    return prints;
}

void functions_globals(const struct program *program, const struct loop *loop, bool *out)
{
    (void)mark_loop(program, loop, out);
}

bool functions_may_print(const struct program *program, const struct loop *loop)
{
    bool *used = arena_alloc(program->arena, (size_t)program->globals * sizeof(*used));
    return mark_loop(program, loop, used);
}

/* Globals of the loop being written. */
static bool *loop_globals(struct emit *emit)
{
    return emit->file->loops[emit->loop - emit->file->program->loop].global_used;
}

void functions_mark(struct emit *emit, const struct function *function)
{
    const struct program *program = emit->file->program;
    bool *visited = arena_alloc(program->arena, (size_t)program->functions * sizeof(*visited));
    mark_function(program, function, visited, loop_globals(emit), &emit->file->prints);
    for (int f = 0; f < program->functions; f++) {
        emit->file->function_used[f] = emit->file->function_used[f] || visited[f];
    }
    for (int g = 0; g < program->globals; g++) {
        emit->file->global_used[g] = emit->file->global_used[g] || loop_globals(emit)[g];
    }
}

static void mark_expr(struct expr *expr, void *user)
{
    struct emit *emit = user;
    if (expr->kind == EXPR_CALL) {
        functions_mark(emit, expr->callee);
    }
    int g = expr->kind == EXPR_VAR ? program_global_index(emit->file->program, expr->var) : -1;
    if (g >= 0) {
        loop_globals(emit)[g] = true;
        emit->file->global_used[g] = true;
    }
}

void functions_mark_expr(struct emit *emit, struct expr *expr)
{
    expr_visit(expr, mark_expr, emit);
}

void functions_mark_tree(struct emit *emit, struct stmt *tree)
{
    stmt_visit(tree, NULL, mark_expr, emit);
}

/* ---- template parameters ----------------------------------------------------------------------
 */

/* Counts how a parameter is used: all uses, and those as p[i] or *p whose address is not taken. */
struct uses {
    const struct var *param;
    int all;
    int plain;
};

static const struct expr *through_casts(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST && expr->implicit) {
        expr = expr->kid[0];
    }
    return expr;
}

static bool is_plain_use(const struct expr *expr, const struct var *param)
{
    bool reaches =
        expr->kind == EXPR_INDEX || (expr->kind == EXPR_UNARY && expr->unary == UNARY_DEREF);
    if (!reaches) {
        return false;
    }
    const struct expr *base = through_casts(expr->kid[0]);
    return base->kind == EXPR_VAR && base->var == param;
}

static void count_use(struct expr *expr, void *user)
{
    struct uses *uses = user;
    uses->all += expr->kind == EXPR_VAR && expr->var == uses->param;
    uses->plain += is_plain_use(expr, uses->param);
    if (expr->kind == EXPR_UNARY && expr->unary == UNARY_ADDRESS) {
        uses->plain -= is_plain_use(through_casts(expr->kid[0]), uses->param);
    }
}

bool functions_may_template(const struct emit *emit, const struct function *function, int p)
{
    struct uses uses = {function->param[p], 0, 0};
    for (int l = 0; l < emit->file->program->loops; l++) {
        const struct loop *loop = &emit->file->program->loop[l];
        bool calls = loop->kernel == function && emit->file->loops[l].refusal == NULL;
        if (calls && (loop->arg[p].is_vector || loop->arg[p].is_optional ||
                      function->param[p]->type->elem->kind == TYPE_ARRAY)) {
            return false;
        }
    }
    if (function->body == NULL) {
        return false;
    }
    stmt_visit(function->body, NULL, count_use, &uses);
    return uses.all == uses.plain;
}

/* Some loop may pass something other than a plain pointer: shared memory, or a structure of
 * arrays. */
static bool wants_template(const struct emit *emit, const struct function *function, int p)
{
    bool wants = false;
    for (int l = 0; l < emit->file->program->loops; l++) {
        const struct loop *loop = &emit->file->program->loop[l];
        if (loop->kernel != function || emit->file->loops[l].refusal != NULL) {
            continue;
        }
        const struct arg *arg = &loop->arg[p];
        const struct shape *shape = emit->file->loops[l].shape;
        bool staged = arg->is_indirect && arg->access == ACCESS_READ && loop->graph == NULL &&
                      !loop->in_place && shape->updates;
        wants = wants || (arg->kind == ARG_DAT && (staged || shape->dat[shape->dat_of[p]].soa));
    }
    return wants;
}

void functions_templated(struct emit *emit)
{
    struct arena *arena = emit->file->program->arena;
    emit->file->templated =
        arena_alloc(arena, (size_t)emit->file->program->functions * sizeof(*emit->file->templated));
    for (int f = 0; f < emit->file->program->functions; f++) {
        const struct function *function = emit->file->program->function[f];
        emit->file->templated[f] = arena_alloc(arena, (size_t)function->params * sizeof(bool));
        for (int p = 0; p < function->params; p++) {
            emit->file->templated[f][p] =
                wants_template(emit, function, p) && functions_may_template(emit, function, p);
        }
    }
}

/* ---- printing ---------------------------------------------------------------------------------
 */

/* "template <class ...>", when a parameter has a template type. */
static void print_template(struct emit *emit, const struct function *function,
                           const bool *templated)
{
    int items = 0;
    for (int p = 0; p < function->params; p++) {
        if (templated != NULL && templated[p]) {
            out_text(emit->out, items == 0 ? "template <" : "");
            out_item(emit->out, &items, "class cleave_type_%s", function->param[p]->name);
        }
    }
    out_text(emit->out, items > 0 ? ">\n" : "");
}

static void print_prototype(struct emit *emit, const struct function *function)
{
    int f = program_function_index(emit->file->program, function);
    const bool *templated = emit->file->templated != NULL ? emit->file->templated[f] : NULL;
    int items = 0;
    print_template(emit, function, templated);
    out_format(emit->out, "%s %s(", emit->file->target->qualifier,
               emit_declaration(emit, function->result, names_function(function, emit)));
    for (int p = 0; p < function->params; p++) {
        const struct var *param = function->param[p];
        const char *name = names_var(param, emit);
        if (templated != NULL && templated[p]) {
            out_item(emit->out, &items, "cleave_type_%s %s", param->name, name);
        } else {
            out_item(emit->out, &items, "%s", emit_declaration(emit, param->type, name));
        }
    }
    out_text(emit->out, function->params == 0 ? "void)" : ")");
}

static void print_tree(struct emit *emit, const struct function *function)
{
    print_prototype(emit, function);
    out_text(emit->out, "\n{\n");
    emit->out->indent += 4;
    for (int k = 0; k < function->body->kids; k++) {
        out_stmt(emit->out, function->body->kid[k], &emit->names);
    }
    emit->out->indent -= 4;
    out_text(emit->out, "}\n\n");
}

/* The next line of the text is this one of the file. */
static void print_line(struct emit *emit, const char *file, int line)
{
    out_format(emit->out, "#line %d ", line);
    out_string(emit->out, file);
    out_text(emit->out, "\n");
}

/* The function's definition, whose statements are for debuggers where the user wrote them. */
static void print_located_tree(struct emit *emit, const struct function *function)
{
    const char *debug_name = emit->file->target->has_lines ? emit->file->options->debug_name : NULL;
    if (debug_name == NULL || function->loc.line <= 0) {
        print_tree(emit, function);
        return;
    }
    print_line(emit, function->loc.file, function->loc.line);
    emit->names.lines = true;
    print_tree(emit, function);
    emit->names.lines = false;
    print_line(emit, debug_name, emit->out->lines + 2);
}

void functions_print(struct emit *emit)
{
    for (int f = 0; f < emit->file->program->functions; f++) {
        const struct function *function = emit->file->program->function[f];
        if (!emit->file->function_used[f] || function->kind != FUNCTION_USER) {
            continue;
        }
        out_comment(emit->out, "%s, %s:%d", function->user_name, function->loc.file,
                    function->loc.line);
        if (function->body != NULL) {
            print_located_tree(emit, function);
        } else {
            opaque_print(emit, function); /* its lines are not the user's */
        }
    }
}
