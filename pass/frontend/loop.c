/* loop.c: calls of op_par_loop to loops of the program.
 *
 * In: a call of cleave_parse_loop(text, kernel, name, set, args...). Out: a struct loop with its
 * kernel, arguments and signature; errors in diag; what cannot be compiled gets a reason to run
 * sequentially, which is said once.
 */
#include "pass/frontend/util.h"

#include <string.h>

#include "runtime/api/cleave_gen.h"

enum { FIRST_ARG = 4 }; /* behind text, kernel, name and set */

/* ---- arguments ----------------------------------------------------------------------------------
 */

static bool same_place(const struct place_key *a, const struct place_key *b)
{
    return a->known && b->known && front_same(a->base, b->base) && strcmp(a->path, b->path) == 0;
}

/* Returns the position of the first argument that has the same dat and the same map. */
static void classify(struct loop *loop, const struct arg_keys *keys)
{
    for (int a = 0; a < loop->args; a++) {
        struct arg *arg = &loop->arg[a];

        arg->dat = arg->kind == ARG_DAT ? a : -1;
        arg->map = arg->is_indirect ? a : -1;
        for (int b = a - 1; b >= 0; b--) {
            if (arg->kind == ARG_DAT && loop->arg[b].kind == ARG_DAT &&
                same_place(&keys[a].dat, &keys[b].dat)) {
                arg->dat = b;
            }
            if (arg->is_indirect && loop->arg[b].is_indirect &&
                same_place(&keys[a].map, &keys[b].map)) {
                arg->map = b;
            }
        }
    }
}

/* An op_arg_info must belong to a minimum or a maximum; otherwise it becomes a plain OP_RW global
 * and the loop runs sequentially. */
static void check_partner(struct loop *loop, struct arg *arg)
{
    bool fits = arg->info_of >= 0 && arg->info_of < loop->args &&
                loop->arg[arg->info_of].kind == ARG_GLOBAL &&
                (loop->arg[arg->info_of].declared == ACCESS_MIN ||
                 loop->arg[arg->info_of].declared == ACCESS_MAX);

    if (arg->kind == ARG_INFO && !fits) {
        arg->kind = ARG_GLOBAL;
        arg->declared = ACCESS_RW;
        arg->info_of = -1;
        if (loop->sequential_reason == NULL) {
            loop->sequential_reason = "an op_arg_info refers to no OP_MIN or OP_MAX global";
        }
    }
}

/* `g` and `&g[0]` are one. */
static bool same_global(const struct place_key *a, const struct place_key *b)
{
    const char *path[2] = {a->path, b->path};

    for (int n = 0; n < 2 && a->known && b->known; n++) {
        if (strcmp(path[n], "*[0]") == 0) {
            path[n] = "";
        }
    }
    return a->known && b->known && front_same(a->base, b->base) && strcmp(path[0], path[1]) == 0;
}

static struct arg_keys *read_args(struct front *front, struct loop *loop, CXCursor call)
{
    int given = clang_Cursor_getNumArguments(call);
    struct arg_keys *keys;

    loop->args = given > FIRST_ARG ? given - FIRST_ARG : 0;
    loop->arg = arena_alloc(front->arena, (size_t)loop->args * sizeof(*loop->arg));
    keys = arena_alloc(front->arena, (size_t)loop->args * sizeof(*keys));
    for (int a = 0; a < loop->args; a++) {
        const char *reason =
            front_arg(front, clang_Cursor_getArgument(call, (unsigned)(FIRST_ARG + a)), a,
                      front_written_argument(front, loop->call_text, call, FIRST_ARG + a),
                      &loop->arg[a], &keys[a]);

        if (loop->sequential_reason == NULL) {
            loop->sequential_reason = reason;
        }
    }
    classify(loop, keys);
    for (int a = 0; a < loop->args; a++) {
        check_partner(loop, &loop->arg[a]);
        loop->arg[a].access = loop->arg[a].declared;
    }
    return keys;
}

/* ---- kernel -------------------------------------------------------------------------------------
 */

/* The function that the second argument names: through parentheses, & and casts. */
static CXCursor kernel_of(struct front *front, CXCursor argument)
{
    CXCursor inner = front_strip_casts(front, argument);

    while (clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_AddrOf ||
           clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_Deref) {
        inner = front_strip_casts(front, front_children(front, inner).child[0]);
    }
    return clang_getCursorReferenced(inner);
}

/* Why a kernel with this parameter cannot be called by generated code; NULL: it can. */
static const char *param_reason(struct front *front, const struct function *kernel,
                                const struct var *param)
{
    const struct type *type = param->type;

    if (type->kind != TYPE_POINTER) {
        return NULL; /* access_check() reports it */
    }
    while (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY) {
        type = type->elem;
    }
    return type->kind != TYPE_RECORD
               ? NULL
               : arena_format(front->arena, "parameter '%s' of '%s' is a pointer to a record",
                              param->name, kernel->user_name);
}

static void check_params(struct front *front, struct loop *loop, const struct function_entry *entry)
{
    if (loop->sequential_reason == NULL && front_has_references(entry->cursor)) {
        loop->sequential_reason = arena_format(front->arena, "'%s' has a reference as parameter",
                                               entry->function->user_name);
    }
    for (int k = 0; k < entry->function->params && loop->sequential_reason == NULL; k++) {
        loop->sequential_reason = param_reason(front, entry->function, entry->function->param[k]);
    }
}

/* A lambda, or another object that can be called: no other compiler could find its body by name. */
static bool is_object(struct front *front, CXCursor argument)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(front_strip_casts(front, argument)));

    return type.kind == CXType_Record;
}

/* Returns false when there is an error about it in diag. */
static bool read_kernel(struct front *front, struct loop *loop, CXCursor argument)
{
    CXCursor referenced = kernel_of(front, argument);
    struct function_entry *entry = front_function_text(front, referenced);
    struct loc loc = front_loc(front, argument);

    if (is_object(front, argument)) {
        diag_report(front->diag, DIAG_kernel_object, loc, 1, loc);
        loop->sequential_reason = "its kernel is no function";
        return false;
    }
    if (entry == NULL) {
        if (loop->sequential_reason == NULL) {
            loop->sequential_reason = "its kernel is not named by the call";
        }
        return true;
    }
    if (entry->function->body == NULL && entry->function->opaque_text == NULL) {
        diag_report(front->diag, DIAG_no_body, loc, 1, entry->function->loc,
                    entry->function->user_name);
        loop->sequential_reason = "its kernel is not visible";
        return diag_severity_of(front->diag, DIAG_no_body) != DIAG_ERROR;
    }
    loop->kernel = entry->function;
    if (loop->sequential_reason == NULL) {
        loop->sequential_reason = entry->no_device;
    }
    check_params(front, loop, entry);
    return !entry->has_error;
}

/* Says how the loop sees a global, which it modifies, in another argument or by name, at *where;
 * NULL: not at all. Copies of the global are combined after the loop, so nothing else in the loop
 * may see it. */
static const char *seen_elsewhere(struct front *front, const struct loop *loop,
                                  const struct arg_keys *keys, int a, struct loc *where)
{
    const struct arg *arg = &loop->arg[a];

    if (arg->kind != ARG_GLOBAL || arg->declared == ACCESS_READ || !keys[a].dat.known) {
        return NULL;
    }
    for (int b = 0; b < loop->args; b++) {
        const struct arg *other = &loop->arg[b];

        if (other->kind == ARG_GLOBAL && other->declared != arg->declared &&
            same_global(&keys[a].dat, &keys[b].dat)) {
            *where = other->loc;
            return arena_format(front->arena, "passed as %s", access_name(other->declared));
        }
    }
    if (loop->kernel != NULL && front_uses_global(front, loop->kernel, keys[a].dat.base)) {
        *where = loop->kernel->loc;
        return arena_format(front->arena, "read by '%s' itself", loop->kernel->user_name);
    }
    return NULL;
}

/* Returns true when a warning says why the loop runs sequentially. */
static bool check_globals(struct front *front, struct loop *loop, const struct arg_keys *keys)
{
    for (int a = 0; a < loop->args && loop->sequential_reason == NULL; a++) {
        struct loc where;
        const char *also = seen_elsewhere(front, loop, keys, a, &where);

        if (also != NULL) {
            loop->sequential_reason = "a global that it modifies is also read in it";
            diag_report(front->diag, DIAG_alias_of_global, loop->arg[a].loc, 1, where,
                        loop->arg[a].dat_text, also);
            return true;
        }
    }
    return false;
}

/* ---- loops --------------------------------------------------------------------------------------
 */

static bool id_taken(struct front *front, const char *name)
{
    for (int l = 0; l < front->program->loops; l++) {
        if (strcmp(front->program->loop[l].id, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Index of the loop of an earlier call that is the same to the runtime; -1: there is none. */
static int find_known(const struct program *program, const struct loop *loop)
{
    for (int l = 0; l < program->loops; l++) {
        const struct loop *other = &program->loop[l];

        if (other->kernel == loop->kernel && strcmp(other->call_text, loop->call_text) == 0 &&
            strcmp(other->signature, loop->signature) == 0) {
            return l;
        }
    }
    return -1;
}

static void set_names(struct front *front, struct loop *loop, CXCursor call)
{
    const char *name = front_literal(front, clang_Cursor_getArgument(call, 2));

    loop->set_text = front_written_argument(front, loop->call_text, call, 3);
    loop->id =
        front_identifier(front, loop->kernel != NULL ? loop->kernel->user_name : "loop", id_taken);
    loop->name = name != NULL ? name : loop->id;
}

int front_loop(struct front *front, CXCursor call)
{
    struct program *program = front->program;
    struct loop loop = {0};
    struct loc nowhere = {NULL, 0, 0};
    int unknown = diag_count(front->diag, DIAG_unknown_type);
    struct arg_keys *keys;
    bool found;
    bool is_said;
    int known;

    if (clang_Cursor_getNumArguments(call) < FIRST_ARG) {
        return -1; /* the host compiler reports it */
    }
    loop.loc = front_loc(front, call);
    loop.call_text = front_literal(front, clang_Cursor_getArgument(call, 0));
    if (loop.call_text == NULL) {
        return -1;
    }
    keys = read_args(front, &loop, call);
    found = read_kernel(front, &loop, clang_Cursor_getArgument(call, 1));
    front_work(front, &loop);
    is_said = check_globals(front, &loop, keys);
    loop.signature = loop_signature(front->arena, &loop);
    front_work_passed(&loop);
    known = find_known(program, &loop);
    if (known >= 0) {
        return known;
    }
    set_names(front, &loop, call);
    if (loop.sequential_reason != NULL && found && !is_said &&
        diag_count(front->diag, DIAG_unknown_type) == unknown) {
        diag_report(front->diag, DIAG_sequential, loop.loc, 1, nowhere, loop.name,
                    loop.sequential_reason);
    }
    program->loop = arena_grow(front->arena, program->loop, program->loops, &front->loop_room,
                               sizeof(*program->loop));
    program->loop[program->loops] = loop;
    program->user_loops = program->loops + 1;
    return program->loops++;
}

static const char *kernel_name(const struct loop *loop)
{
    return loop->kernel != NULL ? loop->kernel->user_name : loop->name;
}

void front_check_keys(struct front *front)
{
    struct program *program = front->program;
    struct loc nowhere = {NULL, 0, 0};

    for (int b = 0; b < program->loops; b++) {
        for (int a = 0; a < b; a++) {
            struct loop *first = &program->loop[a];
            struct loop *second = &program->loop[b];

            if (strcmp(first->call_text, second->call_text) != 0 ||
                strcmp(first->signature, second->signature) != 0) {
                continue;
            }
            diag_report(front->diag, DIAG_two_kernels, second->loc, 1, nowhere, kernel_name(first),
                        kernel_name(second));
            first->sequential_reason =
                "another kernel is called with the same text and pattern of arguments";
            second->sequential_reason = first->sequential_reason;
        }
    }
}
