/* fixture.c: see fixture.h. Builders for functions and loops, then one function per kernel. */
#include "fixture.h"

#include <string.h>

#include "fixture_trees.h"
#include "pass/ir/arena.h"

/* ---- functions and loops ----------------------------------------------------------------------
 */

static struct var *variable(struct build *b, const char *name, const struct type *type,
                            enum storage storage, int index)
{
    struct var *var = arena_alloc(b->arena, sizeof(*var));
    var->name = name;
    var->type = type;
    var->storage = storage;
    var->index = index;
    var->loc = (struct loc){"mesh.c", b->line, 1};
    return var;
}

static struct function *function(struct build *b, const char *name, const struct type *result)
{
    struct function *function = arena_alloc(b->arena, sizeof(*function));
    function->name = name;
    function->user_name = name;
    function->result = result;
    function->param = arena_alloc(b->arena, 16 * sizeof(*function->param));
    function->callee = arena_alloc(b->arena, sizeof(*function->callee));
    function->global = arena_alloc(b->arena, 2 * sizeof(*function->global));
    function->loc = (struct loc){"mesh.c", ++b->line, 1};
    b->program->function[b->program->functions++] = function;
    return function;
}

static void param(struct build *b, const char *name, const struct type *type)
{
    struct function *f = b->kernel;
    f->param[f->params] = variable(b, name, type, STORAGE_PARAM, f->params);
    f->params++;
}

static void body(struct build *b, int kids, struct stmt *const *kid)
{
    b->kernel->body = block(b, kids, kid);
}

static struct loop *loop(struct build *b, const char *name, const char *set)
{
    struct loop *loop = &b->program->loop[b->program->loops++];
    b->program->user_loops = b->program->loops;
    loop->name = name;
    loop->id = name;
    loop->call_text = arena_format(b->arena, "%s, \"%s\", %s, ...", name, name, set);
    loop->signature = arena_format(b->arena, "signature of %s", name);
    loop->set_text = set;
    loop->loc = (struct loc){"mesh.c", 100 + b->program->loops, 5};
    loop->arg = arena_alloc(b->arena, 16 * sizeof(*loop->arg));
    b->kernel = loop->kernel = function(b, name, &type_void);
    return loop;
}

/* Dats and maps are told apart by their texts. */
static int class_of(const struct loop *loop, bool map, const char *text)
{
    for (int a = 0; a < loop->args; a++) {
        const char *other = map ? loop->arg[a].map_text : loop->arg[a].dat_text;
        if (other != NULL && strcmp(other, text) == 0) {
            return map ? loop->arg[a].map : loop->arg[a].dat;
        }
    }
    return loop->args;
}

static struct arg *arg(struct loop *loop, enum arg_kind kind, const char *dat, int dim,
                       enum access access, const struct type *type)
{
    struct arg *arg = &loop->arg[loop->args];
    arg->kind = kind;
    arg->declared = arg->access = access;
    arg->type = type;
    arg->type_name = type == &type_int ? "int" : "double";
    arg->dim = dim;
    arg->columns = 1;
    arg->dat = kind == ARG_DAT ? class_of(loop, false, dat) : -1;
    arg->map = -1;
    arg->info_of = -1;
    arg->dat_text = dat;
    return arg;
}

static struct arg *direct(struct loop *loop, const char *dat, int dim, enum access access)
{
    struct arg *made = arg(loop, ARG_DAT, dat, dim, access, &type_double);
    loop->args++;
    return made;
}

static struct arg *through(struct loop *loop, struct arg *arg, const char *map, int column)
{
    arg->is_indirect = true;
    arg->map = class_of(loop, true, map);
    arg->map_text = map;
    arg->is_vector = column < 0;
    arg->map_index = column < 0 ? 0 : column;
    arg->columns = column < 0 ? -column : 1;
    loop->args++;
    return arg;
}

static struct arg *indirect(struct loop *loop, const char *dat, const char *map, int column,
                            int dim, enum access access)
{
    return through(loop, arg(loop, ARG_DAT, dat, dim, access, &type_double), map, column);
}

static void global(struct loop *loop, const char *name, const struct type *type, enum access access)
{
    arg(loop, ARG_GLOBAL, name, 1, access, type);
    loop->args++;
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

static void build_shared(struct build *b)
{
    b->gam = variable(b, "gam", &type_double, STORAGE_GLOBAL, -1);
    b->gam->is_external = true;
    b->weight = variable(b, "weight", &type_weights, STORAGE_TABLE, -1);
    b->weight->init = make(b, EXPR_INIT, &type_weights, 2, real(b, 0.5), real(b, 0.25));
    b->program->global[b->program->globals++] = b->gam;
    b->program->global[b->program->globals++] = b->weight;
    b->square = b->kernel = function(b, "square", &type_double);
    param(b, "x", &type_double);
    struct var *x = b->square->param[0];
    struct stmt *all[] = {statement(b, STMT_RETURN, mul(b, use(b, x), use(b, x)))};
    body(b, 1, all);
}

static void uses_globals(struct build *b, struct var *var)
{
    b->kernel->global[b->kernel->globals++] = var;
}

/* qold = q */
static void build_save(struct build *b)
{
    struct loop *l = loop(b, "save_soln", "cells");
    param(b, "q", &type_from);
    param(b, "qold", &type_to);
    struct stmt *all[] = {assign(b, at(b, 1, 0), at(b, 0, 0)), assign(b, at(b, 1, 1), at(b, 0, 1)),
                          assign(b, at(b, 1, 2), at(b, 0, 2)), assign(b, at(b, 1, 3), at(b, 0, 3))};
    body(b, 4, all);
    direct(l, "q", 4, ACCESS_READ);
    direct(l, "qold", 4, ACCESS_WRITE);
}

/* f = gam*(x1[0] - x2[1])*weight[k%2] + adt1*q1[k] - adt2*q2[k]; res1[k] += f; res2[k] -= f; and
 * res2[3] += square(x2[0]) where q1[0] > 0 */
static void build_res(struct build *b)
{
    static const char *const name[] = {"x1", "x2", "q1", "q2", "adt1", "adt2", "res1", "res2"};
    struct loop *l = loop(b, "res_calc", "edges");
    struct stmt *all[13];
    int n = 0;
    for (int p = 0; p < 8; p++) {
        param(b, name[p], p < 6 ? &type_from : &type_to);
    }
    for (int k = 0; k < 4; k++) {
        struct var *f =
            variable(b, arena_format(b->arena, "f%d", k), &type_double, STORAGE_LOCAL, -1);
        struct expr *w = make(b, EXPR_INDEX, &type_const_double, 2, use(b, b->weight),
                              number(b, (unsigned)k % 2));
        struct expr *slope =
            mul(b, mul(b, use(b, b->gam), binary(b, BINARY_SUB, at(b, 0, 0), at(b, 1, 1))), w);
        f->init = binary(b, BINARY_SUB, add(b, slope, mul(b, at(b, 4, 0), at(b, 2, k))),
                         mul(b, at(b, 5, 0), at(b, 3, k)));
        all[n] = statement(b, STMT_DECL, NULL);
        all[n++]->var = f;
        all[n++] = increment(b, at(b, 6, k), use(b, f));
        all[n++] = compound(b, BINARY_SUB, at(b, 7, k), use(b, f));
    }
    all[n++] = when(b, binary(b, BINARY_GT, at(b, 2, 0), real(b, 0.0)),
                    increment(b, at(b, 7, 3), square(b, at(b, 1, 0))));
    body(b, n, all);
    uses_globals(b, b->gam);
    uses_globals(b, b->weight);
    b->kernel->callee[b->kernel->callees++] = b->square;
    for (int c = 0; c < 2; c++) {
        indirect(l, "x", "pedge", c, 2, ACCESS_READ);
    }
    for (int c = 0; c < 2; c++) {
        indirect(l, "q", "pecell", c, 4, ACCESS_READ);
    }
    for (int c = 0; c < 2; c++) {
        indirect(l, "adt", "pecell", c, 1, ACCESS_READ);
    }
    for (int c = 0; c < 2; c++) {
        indirect(l, "res", "pecell", c, 4, ACCESS_INC);
    }
}

/* res = qold - step*res; rms += res*res; high = max(high, res); low = min(low, res) */
static void build_update(struct build *b)
{
    struct loop *l = loop(b, "update", "cells");
    param(b, "qold", &type_from);
    param(b, "res", &type_to);
    param(b, "step", &type_to); /* not const, as many OP2 kernels have it */
    param(b, "rms", &type_to);
    param(b, "max", &type_to);
    param(b, "min", &type_to);
    struct stmt *all[] = {
        assign(b, at(b, 1, 0),
               binary(b, BINARY_SUB, at(b, 0, 0), mul(b, at(b, 2, 0), at(b, 1, 0)))),
        increment(b, at(b, 3, 0), mul(b, at(b, 1, 0), at(b, 1, 0))),
        when(b, binary(b, BINARY_GT, at(b, 1, 0), at(b, 4, 0)),
             assign(b, at(b, 4, 0), at(b, 1, 0))),
        when(b, binary(b, BINARY_LT, at(b, 1, 0), at(b, 5, 0)),
             assign(b, at(b, 5, 0), at(b, 1, 0))),
    };
    body(b, 4, all);
    direct(l, "qold", 4, ACCESS_READ);
    direct(l, "res", 4, ACCESS_RW);
    global(l, "&step", &type_double, ACCESS_READ);
    global(l, "&rms", &type_double, ACCESS_INC);
    global(l, "&high", &type_double, ACCESS_MAX);
    global(l, "&low", &type_double, ACCESS_MIN);
}

/* centre = x[0][0] + x[3][1]; to[k][0] += centre; to[1][1] += 1 */
static void build_corners(struct build *b)
{
    struct loop *l = loop(b, "corners", "cells");
    param(b, "x", &type_from_all);
    param(b, "centre", &type_to);
    param(b, "to", &type_to_all);
    struct stmt *all[] = {
        assign(b, at(b, 1, 0), add(b, at2(b, 0, 0, 0), at2(b, 0, 3, 1))),
        increment(b, at2(b, 2, 0, 0), add(b, at2(b, 0, 0, 0), at2(b, 0, 3, 1))),
        increment(b, at2(b, 2, 3, 0), at2(b, 0, 2, 0)),
        increment(b, at2(b, 2, 1, 1), real(b, 1.0)),
    };
    body(b, 4, all);
    indirect(l, "x", "pcell", -4, 2, ACCESS_READ);
    direct(l, "centre", 1, ACCESS_WRITE);
    indirect(l, "node", "pcell", -4, 2, ACCESS_INC);
}

/* node = node + 1; count += 2 */
static void build_touch(struct build *b)
{
    struct loop *l = loop(b, "touch", "edges");
    param(b, "node", &type_to);
    param(b, "count", &type_to);
    struct stmt *all[] = {assign(b, at(b, 0, 0), add(b, at(b, 0, 0), real(b, 1.0))),
                          increment(b, at(b, 1, 0), real(b, 2.0))};
    body(b, 2, all);
    indirect(l, "node", "pedge", 0, 2, ACCESS_RW);
    indirect(l, "adt", "pecell", 1, 1, ACCESS_INC);
}

/* out = {self, left}; sum += self */
static void build_number(struct build *b)
{
    struct loop *l = loop(b, "number", "edges");
    param(b, "self", &type_from_int);
    param(b, "left", &type_from_int);
    param(b, "out", &type_to_int);
    param(b, "sum", &type_to_int);
    struct stmt *all[] = {assign(b, at(b, 2, 0), at(b, 0, 0)), assign(b, at(b, 2, 1), at(b, 1, 0)),
                          increment(b, at(b, 3, 0), at(b, 0, 0))};
    body(b, 3, all);
    arg(l, ARG_INDEX, NULL, 1, ACCESS_READ, &type_int);
    l->args++;
    through(l, arg(l, ARG_INDEX, NULL, 1, ACCESS_READ, &type_int), "pedge", 1);
    arg(l, ARG_DAT, "number", 2, ACCESS_WRITE, &type_int);
    l->args++;
    global(l, "&sum", &type_int, ACCESS_INC);
}

/* res += 1, and where `on`: res += node[0] + w, other += w */
static void build_maybe(struct build *b)
{
    struct loop *l = loop(b, "maybe", "edges");
    param(b, "on", &type_from_int);
    param(b, "node", &type_to);
    param(b, "w", &type_from);
    param(b, "res", &type_to);
    param(b, "other", &type_to);
    struct stmt *some[] = {increment(b, at(b, 3, 0), add(b, at(b, 1, 0), at(b, 2, 0))),
                           increment(b, at(b, 4, 0), at(b, 2, 0))};
    struct stmt *all[] = {
        increment(b, at(b, 3, 0), real(b, 1.0)),
        when(b, binary(b, BINARY_NE, at(b, 0, 0), number(b, 0)), block(b, 2, some))};
    body(b, 2, all);
    global(l, "&on", &type_int, ACCESS_READ);
    indirect(l, "node", "pedge", 0, 2, ACCESS_READ)->is_optional = true;
    direct(l, "w", 1, ACCESS_READ)->is_optional = true;
    indirect(l, "res", "pecell", 0, 4, ACCESS_INC);
    indirect(l, "adt", "pecell", 1, 1, ACCESS_INC)->is_optional = true;
}

static void build_whole(struct build *b)
{
    struct loop *l = loop(b, "whole", "edges");
    param(b, "new", &type_from);
    param(b, "res", &type_to);
    b->kernel->opaque_text = "static inline void whole(const double *value, double *res)\n"
                             "{\n"
                             "    switch (value[0] > 0.0) {\n"
                             "    case 1:\n"
                             "        res[1] += gam * square(value[1]);\n"
                             "        break;\n"
                             "    default:\n"
                             "        res[2] += 1.0;\n"
                             "    }\n"
                             "}\n";
    b->kernel->opaque_reason = "it has a switch statement";
    uses_globals(b, b->gam);
    b->kernel->callee[b->kernel->callees++] = b->square;
    indirect(l, "x", "pedge", 0, 2, ACCESS_READ);
    indirect(l, "res", "pecell", 1, 4, ACCESS_INC);
}

static void build_reference(struct build *b)
{
    struct loop *l = loop(b, "reference", "cells");
    param(b, "q", &type_to);
    struct stmt *all[] = {assign(b, at(b, 0, 0), real(b, 0.0))};
    body(b, 1, all);
    direct(l, "q", 4, ACCESS_RW);
    l->sequential_reason = "a test says \"no\"";
}

/* if (x[0] > high[1]) high[1] = x[0]; high[0] = w > high[0] ? w : high[0]; if (x[1] < low) low = x[1] */
static void build_peak(struct build *b)
{
    struct loop *l = loop(b, "peak", "edges");
    param(b, "x", &type_from);
    param(b, "w", &type_from);
    param(b, "high", &type_to);
    param(b, "low", &type_to);
    struct expr *larger =
        make(b, EXPR_COND, &type_double, 3, binary(b, BINARY_GT, at(b, 1, 0), at(b, 2, 0)),
             at(b, 1, 0));
    larger->kid[2] = at(b, 2, 0);
    struct stmt *all[] = {
        when(b, binary(b, BINARY_GT, at(b, 0, 0), at(b, 2, 1)),
             assign(b, at(b, 2, 1), at(b, 0, 0))),
        assign(b, at(b, 2, 0), larger),
        when(b, binary(b, BINARY_LT, at(b, 0, 1), at(b, 3, 0)),
             assign(b, at(b, 3, 0), at(b, 0, 1))),
    };
    body(b, 3, all);
    indirect(l, "x", "pedge", 0, 2, ACCESS_READ);
    direct(l, "w", 1, ACCESS_READ);
    indirect(l, "node", "pedge", 1, 2, ACCESS_MAX);
    indirect(l, "adt", "pecell", 0, 1, ACCESS_MIN);
}

struct program *fixture_program(enum language language)
{
    struct build b = {.arena = arena_new()};
    b.program = arena_alloc(b.arena, sizeof(*b.program));
    b.program->arena = b.arena;
    b.program->source = "mesh.c";
    b.program->unit = "0123456789abcdef";
    b.program->language = language;
    b.program->loop = arena_alloc(b.arena, FIXTURE_LOOPS * sizeof(*b.program->loop));
    b.program->function = arena_alloc(b.arena, 32 * sizeof(*b.program->function));
    b.program->global = arena_alloc(b.arena, 4 * sizeof(*b.program->global));
    build_shared(&b);
    build_save(&b);
    build_res(&b);
    build_update(&b);
    build_corners(&b);
    build_touch(&b);
    build_number(&b);
    build_maybe(&b);
    build_whole(&b);
    build_reference(&b);
    build_peak(&b);
    return b.program;
}
