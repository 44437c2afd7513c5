/* access.c: checks every loop of a program: the kernel's prototype against the arguments, what the
 * kernel calls, what it does with its arguments (access_walk.c), and arguments that name the same
 * dat. See access.h.
 */
#include "pass/access/access.h"

#include <stdlib.h>

#include "pass/access/access_impl.h"
#include "pass/ir/arena.h"

static const char *type_text(struct arena *arena, const struct type *type)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    const char *copy;

    if (memory == NULL) {
        return "?";
    }
    print_c_type(memory, type, "");
    fclose(memory);
    copy = arena_text(arena, text);
    free(text);
    return copy;
}

/* ---- prototypes ------------------------------------------------------------------------------ */

static bool check_param(struct program *program, struct diag *diag, const struct loop *loop,
                        int number)
{
    const struct arg *arg = &loop->arg[number];
    const struct var *param = loop->kernel->param[number];
    const struct type *type = param->type;

    if (*arg->type_name == '\0') {
        return true; /* known only at run time, where it is checked */
    }
    for (int stars = arg->is_vector ? 2 : 1; stars > 0; stars--) {
        if (type->kind != TYPE_POINTER) {
            diag_report(diag, DIAG_parameter_shape, param->loc, 1, arg->loc, param->name,
                        loop->kernel->user_name, type_text(program->arena, param->type),
                        arena_format(program->arena, "%s %s", type_text(program->arena, arg->type),
                                     arg->is_vector ? "**" : "*"));
            return false;
        }
        type = type->elem;
    }
    while (type->kind == TYPE_ARRAY) {
        type = type->elem;
    }
    if (type->kind == TYPE_VOID || type_same(type, arg->type)) {
        return true;
    }
    if (type->kind == TYPE_POINTER) {
        diag_report(diag, DIAG_parameter_shape, param->loc, 1, arg->loc, param->name,
                    loop->kernel->user_name, type_text(program->arena, param->type),
                    arena_format(program->arena, "%s *", type_text(program->arena, arg->type)));
        return false;
    }
    diag_report(diag, DIAG_type_mismatch, param->loc, 1, arg->loc, param->name,
                loop->kernel->user_name, type_text(program->arena, type),
                arg->type_name != NULL ? arg->type_name : type_text(program->arena, arg->type));
    return false;
}

/* Returns true when the kernel's parameters fit the arguments. */
static bool check_prototype(struct program *program, struct diag *diag, const struct loop *loop)
{
    bool fits = true;

    if (loop->kernel->params != loop->args) {
        diag_report(diag, DIAG_argument_count, loop->loc, 1, loop->kernel->loc,
                    loop->kernel->user_name, loop->kernel->params, loop->args);
        return false;
    }
    /* If the kernel could not be read, the types of its parameters need not be known. */
    if (loop->sequential_reason != NULL && loop->kernel->body == NULL) {
        return true;
    }
    for (int n = 0; n < loop->args; n++) {
        if (loop->arg[n].type != NULL) {
            fits &= check_param(program, diag, loop, n);
        }
    }
    return fits;
}

/* ---- calls ----------------------------------------------------------------------------------- */

struct calls {
    const struct program *program;
    struct diag *diag;
    struct function **stack; /* functions on the current call path, the kernel first */
    int depth;
    int stack_capacity;
    const struct function **done; /* entered before, each once */
    int dones;
    int capacity;
    bool stays_on_host;               /* the loop runs sequentially, so it may call any function */
    const struct function *elsewhere; /* a called function whose body is not visible; or NULL */
    bool failed;
};

static struct loc call_place(const struct function *caller, int callee)
{
    return caller->called != NULL ? caller->called[callee] : caller->loc;
}

static bool is_on_stack(const struct calls *calls, const struct function *function)
{
    for (int n = 0; n < calls->depth; n++) {
        if (calls->stack[n] == function) {
            return true;
        }
    }
    return false;
}

static bool was_entered(const struct calls *calls, const struct function *function)
{
    for (int n = 0; n < calls->dones; n++) {
        if (calls->done[n] == function) {
            return true;
        }
    }
    return false;
}

/* Reports calls in `function` and its callees that no compiled loop may make. */
static void enter_function(struct calls *calls, struct function *function)
{
    struct arena *arena = calls->program->arena;
    struct loc nowhere = {0};

    if (was_entered(calls, function)) {
        return;
    }
    calls->done =
        arena_grow(arena, calls->done, calls->dones, &calls->capacity, sizeof(*calls->done));
    calls->done[calls->dones++] = function;
    calls->stack = arena_grow(arena, calls->stack, calls->depth, &calls->stack_capacity,
                              sizeof(*calls->stack));
    calls->stack[calls->depth++] = function;
    for (int n = 0; n < function->callees; n++) {
        struct function *callee = function->callee[n];

        if (callee->kind != FUNCTION_USER) {
            continue;
        }
        if (callee->body == NULL && callee->opaque_text == NULL) {
            if (calls->stays_on_host) {
                continue;
            }
            calls->elsewhere = callee;
            diag_report(calls->diag, DIAG_calls_elsewhere, call_place(function, n), 1, nowhere,
                        function->user_name, callee->user_name);
        } else if (is_on_stack(calls, callee)) {
            calls->failed = true;
            diag_report(calls->diag, DIAG_recursion, call_place(function, n), 1, nowhere,
                        callee->user_name, function->user_name);
        } else {
            enter_function(calls, callee);
        }
    }
    calls->depth--;
}

static void run_sequentially(struct diag *diag, struct loop *loop, const char *reason)
{
    struct loc nowhere = {0};

    loop->sequential_reason = reason;
    diag_report(diag, DIAG_sequential, loop->loc, 1, nowhere, loop->name, reason);
}

/* Returns true when the kernel calls only what it may. */
static bool check_calls(struct program *program, struct diag *diag, struct loop *loop)
{
    struct calls calls = {
        .program = program, .diag = diag, .stays_on_host = loop->sequential_reason != NULL};

    enter_function(&calls, loop->kernel);
    if (calls.elsewhere != NULL && diag_severity_of(diag, DIAG_calls_elsewhere) == DIAG_ERROR) {
        calls.failed = true;
    } else if (calls.elsewhere != NULL) {
        run_sequentially(diag, loop,
                         arena_format(program->arena, "it calls '%s', whose body is not visible",
                                      calls.elsewhere->user_name));
    }
    return !calls.failed;
}

/* ---- arguments that name the same dat -------------------------------------------------------- */

/* Two arguments name one dat, and an element may see a value that another element changed. Indirect
 * arguments that all write, or all add, are coloured together: the user promises that their order
 * does not matter. */
static bool depend_on_order(const struct arg *a, const struct arg *b)
{
    bool a_writes = a->access == ACCESS_WRITE || a->access == ACCESS_RW;
    bool b_writes = b->access == ACCESS_WRITE || b->access == ACCESS_RW;

    if (a->kind != ARG_DAT || b->kind != ARG_DAT || a->dat < 0 || a->dat != b->dat ||
        (!a->is_indirect && !b->is_indirect) ||
        (a->access == ACCESS_READ && b->access == ACCESS_READ)) {
        return false;
    }
    return a->is_indirect != b->is_indirect || (a->access != b->access && !(a_writes && b_writes));
}

static void check_aliases(struct diag *diag, struct loop *loop)
{
    for (int n = 0; n < loop->args; n++) {
        for (int k = 0; k < n; k++) {
            const struct arg *a = &loop->arg[k];
            const struct arg *b = &loop->arg[n];

            if (!depend_on_order(a, b)) {
                continue;
            }
            /* The caret stands at the argument that reads. */
            if (a->access == ACCESS_READ) {
                const struct arg *swapped = a;

                a = b;
                b = swapped;
            }
            diag_report(diag, DIAG_alias_in_loop, b->loc, 1, a->loc, b->dat_text);
            if (loop->sequential_reason == NULL) {
                loop->sequential_reason = "a dat is read through a map and modified in it";
            }
            return;
        }
    }
}

/* ---- loops ----------------------------------------------------------------------------------- */

static void set_effective_access(struct loop *loop)
{
    for (int n = 0; n < loop->args; n++) {
        struct arg *arg = &loop->arg[n];

        if (arg->kind == ARG_DAT && !arg->is_indirect && arg->declared == ACCESS_INC) {
            arg->access = ACCESS_RW;
        }
    }
}

/* If a payload cannot be combined together with its extremum, the loop runs sequentially. */
static void check_payloads(struct program *program, struct diag *diag, struct loop *loop,
                           struct carried_flags *flags, const char *carries)
{
    const char *reason;

    if (loop->sequential_reason != NULL) {
        return;
    }
    reason = carries == NULL ? access_carried(program->arena, loop, flags)
                             : arena_format(program->arena,
                                            "the op_arg_info '%s' gets a value that depends on an "
                                            "OP_MIN or OP_MAX argument, and so on the order of "
                                            "elements",
                                            carries);
    if (reason != NULL) {
        run_sequentially(diag, loop, reason);
    }
}

static bool check_kernel(struct program *program, struct diag *diag, struct loop *loop,
                         struct carried_flags *flags)
{
    struct access_found found = {0};
    bool fits = check_prototype(program, diag, loop);
    bool may_run = check_calls(program, diag, loop);

    if (loop->kernel->params != loop->args || !may_run) {
        return false;
    }
    if (loop->kernel->body != NULL && access_walk(program, diag, loop, &found)) {
        return false;
    }
    if (found.doubt != NULL && loop->sequential_reason == NULL) {
        run_sequentially(diag, loop, found.doubt);
    }
    if (found.is_unclear && loop->sequential_reason == NULL) {
        loop->sequential_reason =
            "it may use an OP_MIN or OP_MAX argument for more than its minimum or maximum";
    }
    if (fits) {
        check_payloads(program, diag, loop, flags, found.carries);
    }
    if (found.beyond != NULL && loop->sequential_reason == NULL) {
        loop->sequential_reason =
            arena_format(program->arena, "it may use '%s' beyond its dimension, under a condition",
                         found.beyond);
    }
    if (fits && found.seen != NULL && loop->sequential_reason == NULL) {
        access_promote(diag, loop, found.seen);
    }
    return fits;
}

static void say_sequential(void *user, struct loop *loop, const char *reason)
{
    run_sequentially(user, loop, reason);
}

void access_check(struct program *program, struct diag *diag, bool accept_alias)
{
    struct carried_flags flags = {0};

    for (int n = 0; n < program->loops; n++) {
        struct loop *loop = &program->loop[n];

        set_effective_access(loop);
        if (loop->kernel != NULL && !check_kernel(program, diag, loop, &flags) &&
            loop->sequential_reason == NULL) {
            if (diag_severity_of(diag, DIAG_read_written) == DIAG_WARNING) {
                run_sequentially(diag, loop, "its access errors were accepted as warnings");
            } else {
                loop->sequential_reason = "its access errors were accepted as warnings";
            }
        }
        if (!accept_alias) {
            check_aliases(diag, loop);
        }
    }
    access_carried_flags(program, &flags, say_sequential, diag);
    access_constants(program, diag);
}
