/* work.c: OP_WORK globals, scratch of the kernel that each element has for itself.
 *
 * In: a loop whose arguments and kernel have been read. Out: the kernel has a local array in place
 * of such a parameter, and what the loop passes is not used:
 *
 *     void flux(const double *q, double *scratch) { ... }
 *     void flux(const double *q, double *scratch_passed) { double scratch[8]; ... }
 *
 * so that nothing after the front end has to know of OP_WORK. */
#include "pass/frontend/util.h"

#include <string.h>

struct search {
    const struct var *var;
    const struct type *array; /* the type that its uses get; NULL: uses are only checked */
    bool is_set;              /* the pointer itself is changed */
};

static void visit_use(struct expr *expr, void *user)
{
    struct search *search = user;
    bool changes =
        expr->kind == EXPR_ASSIGN || (expr->kind == EXPR_UNARY && expr->unary >= UNARY_ADDRESS);

    if (changes && expr->kid[0]->kind == EXPR_VAR && expr->kid[0]->var == search->var) {
        search->is_set = true;
    }
    if (search->array != NULL && expr->kind == EXPR_VAR && expr->var == search->var) {
        expr->type = search->array;
    }
}

/* The kernel's body with the array declared first. */
static struct stmt *with_array(struct front *front, struct stmt *body, struct var *array)
{
    struct stmt *block = arena_alloc(front->arena, sizeof(*block));
    struct stmt *declaration = arena_alloc(front->arena, sizeof(*declaration));

    *declaration = (struct stmt){.kind = STMT_DECL, .loc = array->loc, .var = array};
    *block = (struct stmt){.kind = STMT_BLOCK, .loc = body->loc, .kids = 1};
    block->kids += body->kind == STMT_BLOCK ? body->kids : 1;
    block->kid = arena_alloc(front->arena, (size_t)block->kids * sizeof(*block->kid));
    block->kid[0] = declaration;
    if (body->kind == STMT_BLOCK) {
        memcpy(block->kid + 1, body->kid, (size_t)body->kids * sizeof(*block->kid));
    } else {
        block->kid[1] = body;
    }
    return block;
}

static const struct type *array_of(struct front *front, const struct type *element, int dim)
{
    struct type *type = arena_alloc(front->arena, sizeof(*type));

    *type = (struct type){
        .kind = TYPE_ARRAY, .size = element->size * (size_t)dim, .elem = element, .count = dim};
    return type;
}

/* A name of no other variable of the kernel: "scratch_passed". */
static const char *passed_name(struct front *front, const struct var *var)
{
    return arena_format(front->arena, "%s_passed", var->name);
}

static void replace(struct front *front, struct function *kernel, int number, int dim)
{
    struct var *var = kernel->param[number];
    struct var *passed = arena_alloc(front->arena, sizeof(*passed));
    struct search search = {.var = var, .array = array_of(front, var->type->elem, dim)};

    *passed = *var;
    passed->name = passed_name(front, var);
    passed->work_dim = dim;
    kernel->param[number] = passed;
    var->storage = STORAGE_LOCAL;
    var->index = -1;
    var->type = search.array;
    stmt_visit(kernel->body, NULL, visit_use, &search);
    kernel->body = with_array(front, kernel->body, var);
}

/* Whether another loop passes something other than OP_WORK for this parameter of the kernel. */
static bool is_shared(const struct front *front, const struct loop *loop, int number)
{
    const struct program *program = front->program;

    for (int l = 0; l < program->loops; l++) {
        const struct loop *other = &program->loop[l];

        if (other->kernel == loop->kernel && number < other->args && !other->arg[number].is_work) {
            return true;
        }
    }
    return false;
}

/* Why the parameter cannot become an array; NULL: it can. */
static const char *refusal(const struct front *front, const struct loop *loop, int number)
{
    const struct function *kernel = loop->kernel;
    const struct arg *arg = &loop->arg[number];
    const struct var *var = kernel->param[number];
    struct search search = {.var = var};

    if (kernel->body == NULL) {
        return "its kernel is not analysed and has an OP_WORK argument";
    }
    if (arg->is_optional || arg->dim < 1) {
        return "an OP_WORK argument is optional, or its dimension is known only at run time";
    }
    if ((var->work_dim > 0 && var->work_dim != arg->dim) ||
        (var->work_dim == 0 && is_shared(front, loop, number))) {
        return "another loop calls its kernel with something else in place of an OP_WORK argument";
    }
    stmt_visit(kernel->body, NULL, visit_use, &search);
    if (search.is_set || var->type->kind != TYPE_POINTER || var->type->elem->is_const) {
        return "the parameter of an OP_WORK argument is not used as an array";
    }
    return NULL;
}

/* Sets what the loop passes for OP_WORK: one component that the kernel does not use, or, if the
 * kernel stays as it is, the memory that the sequential loop works on. */
void front_work_passed(struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        struct arg *arg = &loop->arg[a];

        if (arg->is_work && arg->kind == ARG_GLOBAL) {
            arg->dim = loop->sequential_reason == NULL ? 1 : arg->dim;
            arg->declared = loop->sequential_reason == NULL ? ACCESS_READ : ACCESS_RW;
            arg->access = arg->declared;
        }
    }
}

void front_work(struct front *front, struct loop *loop)
{
    const struct function *kernel = loop->kernel;
    bool fits = kernel != NULL && kernel->params == loop->args;

    for (int a = 0; a < loop->args && fits && loop->sequential_reason == NULL; a++) {
        const struct arg *arg = &loop->arg[a];
        const bool is_work = arg->is_work && arg->kind == ARG_GLOBAL;

        if (is_work) {
            loop->sequential_reason = refusal(front, loop, a);
        } else if (kernel->param[a]->work_dim > 0) {
            loop->sequential_reason =
                "another loop calls its kernel with OP_WORK in place of an argument";
        }
        if (is_work && loop->sequential_reason == NULL && kernel->param[a]->work_dim == 0) {
            replace(front, loop->kernel, a, arg->dim);
        }
    }
}
