/* lower_call.c: calls. A helper with a tree is inlined: its parameters are locals that start from
 * the arguments, and pointers keep their targets. Functions of libm stay calls.
 */
#include "splitter/lower/lower_impl.h"

enum { MAX_DEPTH = 64 };

bool type_is_address(const struct type *type)
{
    return type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY;
}

static bool passes_pointers(const struct expr *call)
{
    for (int k = 0; k < call->kids; k++) {
        if (type_is_address(call->kid[k]->type) && call->kid[k]->kind != EXPR_STRING) {
            return true;
        }
    }
    return false;
}

bool lower_prints(struct lower *lower, const struct function *function)
{
    int known = pointer_map_get(&lower->prints, function);
    bool does = function->kind == FUNCTION_PRINT;

    if (known >= 0) {
        return known;
    }
    for (int c = 0; c < function->callees && !does; c++) {
        does = lower_prints(lower, function->callee[c]);
    }
    pointer_map_set(&lower->prints, function, does);
    return does;
}

static struct expr *plain_call(struct lower *lower, const struct expr *call)
{
    struct expr *copy = make_expr(lower, EXPR_CALL, call->type, call->kids);

    copy->callee = call->callee;
    for (int k = 0; k < call->kids; k++) {
        copy->kid[k] = lower_value(lower, call->kid[k]);
    }
    return copy;
}

/* ---- libm functions with results behind pointers: modf, frexp ...
 * -------------------------------- */

struct outputs {
    int count;
    struct location **to;
    struct local **local; /* [0] is the call's own result */
};

static struct expr *output(struct lower *lower, struct outputs *outputs, struct expr *pointer)
{
    struct location *to = pointer_value(lower, pointer);
    struct local *local = lower_local(lower, "result", to->type);
    struct expr *address = make_expr(lower, EXPR_UNARY, pointer->type, 1);

    address->unary = UNARY_ADDRESS;
    address->kid[0] = make_var(lower, &local->var);
    outputs->to[outputs->count] = to;
    outputs->local[outputs->count++] = local;
    return address;
}

static struct expr *call_with_outputs(struct lower *lower, const struct expr *call)
{
    struct expr *copy = make_expr(lower, EXPR_CALL, call->type, call->kids);
    struct outputs outputs = {0, NULL, NULL};
    bool is_void = call->type->kind == TYPE_VOID;
    struct expr *expr = copy;

    outputs.to = arena_alloc(lower->arena, (size_t)(call->kids + 1) * sizeof(*outputs.to));
    outputs.local = arena_alloc(lower->arena, (size_t)(call->kids + 1) * sizeof(*outputs.local));
    if (!is_void) {
        outputs.local[outputs.count++] = lower_local(lower, call->callee->name, call->type);
        expr = make_assign(lower, make_var(lower, &outputs.local[0]->var), copy);
    }
    copy->callee = call->callee;
    for (int k = 0; k < call->kids; k++) {
        copy->kid[k] = type_is_address(call->kid[k]->type) ? output(lower, &outputs, call->kid[k])
                                                           : lower_value(lower, call->kid[k]);
    }
    node_stmt(lower, NODE_REGION, make_expr_stmt(lower, expr), outputs.count, outputs.local);
    for (int n = !is_void; n < outputs.count; n++) {
        memory_store(lower, outputs.to[n], make_var(lower, &outputs.local[n]->var));
    }
    return is_void ? NULL : make_var(lower, &outputs.local[0]->var);
}

/* ---- helpers
 * ------------------------------------------------------------------------------------- */

static struct value *argument(struct lower *lower, struct expr *expr)
{
    struct value *value;

    if (expr->type->kind == TYPE_RECORD) {
        return record_value(lower, expr);
    }
    value = arena_alloc(lower->arena, sizeof(*value));
    if (type_is_address(expr->type)) {
        value->target = pointer_value(lower, expr);
    } else {
        value->atom = lower_value(lower, expr);
    }
    return value;
}

static void pass(struct lower *lower, const struct var *param, struct value *value)
{
    struct object *object = object_new(lower, param->name, param->type, param, ROLE_LOCAL);
    struct location *location = location_object(lower, object);

    object_bind(lower, param, object);
    if (param->type->kind == TYPE_RECORD) {
        record_store(lower, location, value);
    } else if (object->storage == NULL && value->atom != NULL && value->atom->kind == EXPR_PLACE) {
        leaf_set(lower, object->first, *value);
    } else {
        memory_store_value(lower, location, *value);
    }
}

static struct object *inline_call(struct lower *lower, const struct expr *call)
{
    const struct function *callee = call->callee;
    struct value **value =
        arena_alloc(lower->arena, (size_t)(call->kids + 1) * sizeof(struct value *));
    const struct frame *outer = lower->frame;
    struct loc loc = lower->loc;
    struct frame frame = {.outer = outer, .is_function = true, .skipped = -1};

    if (lower->depth >= MAX_DEPTH) {
        lower_refuse(lower, arena_format(lower->arena,
                                         "calls are nested more than %d deep, at that of '%s'",
                                         MAX_DEPTH, callee->user_name));
    }
    for (int k = 0; k < call->kids; k++) {
        value[k] = argument(lower, call->kid[k]);
    }
    for (int p = 0; p < callee->params; p++) {
        pass(lower, callee->param[p], value[p]);
    }
    frame.stopped = leaf_new(lower, "returned", &lower_bool, ROLE_LOCAL);
    leaf_set(lower, frame.stopped, (struct value){.atom = make_bool(lower, false)});
    if (callee->result->kind != TYPE_VOID) {
        frame.result = object_new(lower, callee->user_name, callee->result, callee, ROLE_LOCAL);
    }
    lower->frame = &frame;
    lower->members += lower->depth == 0;
    lower->depth++;
    lower_stmt(lower, callee->body);
    lower->depth--;
    lower->frame = outer;
    lower->loc = loc;
    return frame.result;
}

struct object *lower_call(struct lower *lower, struct expr *call, struct expr **direct)
{
    const struct function *callee = call->callee;

    *direct = NULL;
    if (lower->region != NULL) {
        *direct = region_call(lower, call);
        return NULL;
    }
    if (callee->kind == FUNCTION_MATH) {
        *direct = passes_pointers(call) ? call_with_outputs(lower, call) : plain_call(lower, call);
        return NULL;
    }
    if (callee->kind == FUNCTION_PRINT) {
        if (passes_pointers(call)) {
            lower_refuse(lower, "a pointer is printed");
        }
        node_stmt(lower, NODE_EFFECT, make_expr_stmt(lower, plain_call(lower, call)), 0, NULL);
        return NULL;
    }
    if (callee->body != NULL) {
        return inline_call(lower, call);
    }
    if (passes_pointers(call) || lower_prints(lower, callee)) {
        lower_refuse(lower,
                     arena_format(lower->arena, "a call of '%s', which has %s", callee->user_name,
                                  callee->opaque_reason != NULL ? callee->opaque_reason
                                                                : "no visible body"));
    }
    *direct = plain_call(lower, call);
    return NULL;
}
