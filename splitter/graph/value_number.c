/* value_number.c: numbers the values of a graph by hash-consing, see value_number.h.
 *
 * Each expression has two numbers: a loose one, up to the sign of a zero, and a strict one. Loose
 * numbers are made of loose ones where the sign of an operand's zero shows in nothing but the sign
 * of a zero, and of strict ones elsewhere.
 */
#include <math.h>
#include <string.h>

#include "splitter/graph/value_number.h"

/* ---- the table --------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static uint64_t hash_of(const struct value_op *op)
{
    uint64_t hash = mix((uint64_t)op->kind, (uint64_t)op->op);
    hash = mix(hash, op->type != NULL ? (uint64_t)op->type->kind : 0);
    hash = mix(hash, (uint64_t)(uintptr_t)op->what);
    hash = mix(hash, op->bits);
    hash = mix(hash, (uint64_t)op->place.arg);
    hash = mix(hash, (uint64_t)op->place.column);
    hash = mix(hash, (uint64_t)op->place.component);
    for (int k = 0; k < op->kids; k++) {
        hash = mix(hash, 2 * (uint64_t)op->kid[k].id + op->kid[k].negative);
    }
    return hash;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_type(const struct type *a, const struct type *b)
{
    return a == b || (a != NULL && b != NULL && type_same(a, b));
}

static bool same_op(const struct value_op *a, const struct value_op *b)
{
    if (a->kind != b->kind || a->op != b->op || a->what != b->what || a->bits != b->bits ||
        a->kids != b->kids || place_compare(&a->place, &b->place) != 0 ||
        !same_text(a->text, b->text) || !same_type(a->type, b->type)) {
        return false;
    }
    for (int k = 0; k < a->kids; k++) {
        if (a->kid[k].id != b->kid[k].id || a->kid[k].negative != b->kid[k].negative) {
            return false;
        }
    }
    return true;
}

static void rehash(struct value_numbers *numbers)
{
    numbers->buckets = numbers->buckets == 0 ? 256 : 2 * numbers->buckets;
    numbers->bucket =
        arena_alloc(numbers->graph->arena, sizeof(*numbers->bucket) * (size_t)numbers->buckets);
    for (int b = 0; b < numbers->buckets; b++) {
        numbers->bucket[b] = -1;
    }
    for (int i = 0; i < numbers->ops; i++) {
        int b = (int)(hash_of(&numbers->op[i]) >> 33) & (numbers->buckets - 1);
        numbers->op[i].next = numbers->bucket[b];
        numbers->bucket[b] = i;
    }
}

/* The shape of a sum or product does not depend on the order of its operands. */
static uint64_t shape_of(const struct value_numbers *numbers, const struct value_op *op)
{
    bool commutes = op->kind == EXPR_BINARY && (op->op == BINARY_ADD || op->op == BINARY_MUL);
    uint64_t shape = mix(mix((uint64_t)op->kind, (uint64_t)op->op), 17);
    uint64_t sum = 0;
    if (op->kind == EXPR_INT || op->kind == EXPR_FLOAT) {
        shape = mix(shape, op->bits);
    }
    if (op->kind == EXPR_VAR || op->kind == EXPR_CALL) {
        shape = mix(mix(shape, (uint64_t)(uintptr_t)op->what), op->bits);
    }
    if (op->kind == EXPR_PLACE || op->kind == EXPR_VAR) {
        shape = mix(mix(shape, (uint64_t)op->place.arg), (uint64_t)op->place.component);
    }
    for (int k = 0; k < op->kids; k++) {
        uint64_t kid = numbers->op[op->kid[k].id].shape;
        sum += commutes ? mix(kid, 5) : 0;
        shape = commutes ? shape : mix(shape, kid);
    }
    return mix(shape, sum);
}

static int intern(struct value_numbers *numbers, struct value_op op)
{
    if (2 * numbers->ops >= numbers->buckets) {
        rehash(numbers);
    }
    int b = (int)(hash_of(&op) >> 33) & (numbers->buckets - 1);
    for (int i = numbers->bucket[b]; i >= 0; i = numbers->op[i].next) {
        if (same_op(&numbers->op[i], &op)) {
            return i;
        }
    }
    op.shape = shape_of(numbers, &op);
    op.home = -1;
    op.next = numbers->bucket[b];
    numbers->bucket[b] = numbers->ops;
    numbers->op = arena_grow(numbers->graph->arena, numbers->op, numbers->ops, &numbers->capacity,
                             sizeof(*numbers->op));
    numbers->op[numbers->ops] = op;
    return numbers->ops++;
}

static struct value_ref leaf(struct value_numbers *numbers, const struct value_op *op)
{
    return (struct value_ref){intern(numbers, *op), false};
}

/* ---- leaves ------------------------------------------------------------------------------ */

static struct value_op op_like(const struct expr *expr)
{
    return (struct value_op){.kind = expr->kind, .type = expr->type, .expr = expr};
}

/* A value that is like no other. */
static struct value_ref fresh(struct value_numbers *numbers, const struct expr *expr)
{
    struct value_op op = op_like(expr);
    op.what = numbers;
    op.bits = (uint64_t)numbers->ops;
    return leaf(numbers, &op);
}

static struct value_ref number_float(struct value_numbers *numbers, const struct expr *expr)
{
    struct value_op op = op_like(expr);
    bool negative = signbit(expr->value) != 0;
    double size = fabs(expr->value);
    if (negative) {
        struct expr *positive = arena_alloc(numbers->graph->arena, sizeof(*positive));
        *positive = *expr;
        positive->value = size;
        op.expr = positive;
    }
    memcpy(&op.bits, &size, sizeof size);
    return (struct value_ref){intern(numbers, op), negative};
}

/* Names an argument's data at `place`, so that arguments which name the same data get one name. */
static void name_data(const struct loop *loop, int arg, const struct place *place,
                      struct value_op *op)
{
    const struct arg *own = &loop->arg[arg];
    op->place = *place;
    op->what = own;
    if (own->kind == ARG_DAT && own->dat >= 0) {
        op->what = NULL;
        op->bits = (uint64_t)(own->map + 1);
        op->place.arg = own->dat;
        op->place.column = own->is_vector ? place->column : own->is_indirect ? own->map_index : 0;
    }
}

/* `arg`: whose data is read; a load from data that the loop modifies is like no other. */
static struct value_ref number_data(struct value_numbers *numbers, const struct expr *expr, int arg,
                                    const struct place *place)
{
    const struct loop *loop = numbers->graph->loop;
    if (!arg_is_constant(loop, arg)) {
        return fresh(numbers, expr);
    }
    struct value_op op = op_like(expr);
    name_data(loop, arg, place, &op);
    return leaf(numbers, &op);
}

static struct value_ref number_variable(struct value_numbers *numbers, const struct expr *expr,
                                        bool strict)
{
    const struct var *var = expr->var;
    const struct function *kernel = numbers->graph->loop->kernel;
    int node = pointer_map_get(&numbers->values, var);
    if (node >= 0) {
        return strict ? numbers->strict[node] : numbers->loose[node];
    }
    if (var->index >= 0 && var->index < kernel->params && kernel->param[var->index] == var) {
        /* The whole argument: its columns as a pointer to pointers, or the record. */
        struct place whole = {var->index, 0, -1};
        return number_data(numbers, expr, var->index, &whole);
    }
    struct value_op op = op_like(expr);
    int setter = pointer_map_get(&numbers->setters, var);
    op.what = var;
    op.bits = (uint64_t)(setter + 1);
    return leaf(numbers, &op);
}

/* ---- operations -------------------------------------------------------------------------- */

static struct value_ref number_expr(struct value_numbers *numbers, const struct expr *expr,
                                    bool strict);

static struct value_ref negated(struct value_ref ref, bool negate)
{
    return (struct value_ref){ref.id, ref.negative != negate};
}

static struct value_ref make(struct value_numbers *numbers, const struct expr *expr, int op_code,
                             int kids, const struct value_ref *kid)
{
    struct value_op op = op_like(expr);
    op.op = op_code;
    op.kids = kids;
    op.kid = arena_alloc(numbers->graph->arena, sizeof(*kid) * (size_t)kids);
    memcpy(op.kid, kid, sizeof(*kid) * (size_t)kids);
    op.what = expr->kind == EXPR_CALL ? expr->callee : NULL;
    op.text = expr->kind == EXPR_MEMBER ? expr->text : NULL;
    return leaf(numbers, &op);
}

/* Functions through which the sign of a zero shows only as the sign of a zero. */
static bool is_smooth(const struct function *function)
{
    static const char *const name[] = {"sqrt", "fabs", "exp",   "sin",   "cos",   "fmin",
                                       "fmax", "tanh", "cbrt",  "sqrtf", "fabsf", "expf",
                                       "sinf", "cosf", "fminf", "fmaxf", "tanhf", "cbrtf"};
    for (size_t i = 0; function->kind == FUNCTION_MATH && i < sizeof name / sizeof name[0]; i++) {
        if (strcmp(function->user_name != NULL ? function->user_name : function->name, name[i]) ==
            0) {
            return true;
        }
    }
    return false;
}

static bool is_comparison(const struct expr *expr)
{
    return expr->kind == EXPR_BINARY && expr->binary >= BINARY_LT && expr->binary <= BINARY_NE;
}

static struct value_ref number_general(struct value_numbers *numbers, const struct expr *expr,
                                       bool strict)
{
    struct value_ref *kid = arena_alloc(numbers->graph->arena, sizeof(*kid) * (size_t)expr->kids);
    bool loose =
        !strict && (is_comparison(expr) || (expr->kind == EXPR_CALL && is_smooth(expr->callee)));
    for (int k = 0; k < expr->kids; k++) {
        kid[k] = number_expr(numbers, expr->kid[k], !loose);
    }
    int op = expr->kind == EXPR_UNARY    ? (int)expr->unary
             : expr->kind == EXPR_BINARY ? (int)expr->binary
                                         : 0;
    bool swap = expr->kind == EXPR_BINARY &&
                (expr->binary == BINARY_ADD || expr->binary == BINARY_MUL) &&
                expr->type->kind != TYPE_POINTER && kid[0].id > kid[1].id;
    struct value_ref ordered[2] = {kid[swap], kid[expr->kids > 1 ? !swap : 0]};
    return make(numbers, expr, op, expr->kids, swap ? ordered : kid);
}

/* x + y and x - y, as one operation on references with signs, of which the first is positive. */
static struct value_ref number_sum(struct value_numbers *numbers, const struct expr *expr)
{
    struct value_ref a = number_expr(numbers, expr->kid[0], false);
    struct value_ref b =
        negated(number_expr(numbers, expr->kid[1], false), expr->binary == BINARY_SUB);
    if (a.id > b.id || (a.id == b.id && a.negative)) {
        struct value_ref other = a;
        a = b;
        b = other;
    }
    struct value_ref kid[2] = {negated(a, a.negative), negated(b, a.negative)};
    return negated(make(numbers, expr, BINARY_ADD, 2, kid), a.negative);
}

static struct value_ref number_product(struct value_numbers *numbers, const struct expr *expr)
{
    struct value_ref a = number_expr(numbers, expr->kid[0], false);
    struct value_ref b = number_expr(numbers, expr->kid[1], false);
    bool negative = a.negative != b.negative;
    struct value_ref kid[2] = {{a.id < b.id ? a.id : b.id, false},
                               {a.id < b.id ? b.id : a.id, false}};
    return negated(make(numbers, expr, BINARY_MUL, 2, kid), negative);
}

/* Only a constant below the fraction gives its sign away: 1 / (x - y) and -1 / (y - x) are
 * different infinities where x = y. */
static struct value_ref number_quotient(struct value_numbers *numbers, const struct expr *expr)
{
    double value;
    struct value_ref a = number_expr(numbers, expr->kid[0], false);
    struct value_ref b = number_expr(numbers, expr->kid[1], true);
    bool negative = a.negative;
    if (numbers->op[b.id].kind == EXPR_UNARY && numbers->op[b.id].op == UNARY_NEG &&
        value_is_constant(numbers, numbers->op[b.id].kid[0].id, &value)) {
        b = negated(numbers->op[b.id].kid[0], true);
    }
    if (b.negative && value_is_constant(numbers, b.id, &value)) {
        b.negative = false;
        negative = !negative;
    }
    struct value_ref kid[2] = {{a.id, false}, b};
    return negated(make(numbers, expr, BINARY_DIV, 2, kid), negative);
}

static bool is_zero(const struct value_numbers *numbers, struct value_ref ref)
{
    double value;
    return value_is_constant(numbers, ref.id, &value) && value == 0;
}

/* A sign common to both sides moves out; a side that is zero has any sign. */
static struct value_ref number_select(struct value_numbers *numbers, const struct expr *expr)
{
    struct value_ref kid[3];
    kid[0] = number_expr(numbers, expr->kid[0], false);
    kid[1] = number_expr(numbers, expr->kid[1], false);
    kid[2] = number_expr(numbers, expr->kid[2], false);
    bool zero[3] = {false, is_zero(numbers, kid[1]), is_zero(numbers, kid[2])};
    bool negative = zero[1] ? !zero[2] && kid[2].negative : kid[1].negative;
    for (int k = 1; k < 3; k++) {
        kid[k].negative = !zero[k] && kid[k].negative != negative;
    }
    return negated(make(numbers, expr, 0, 3, kid), negative);
}

/* ---- which rule holds for which expression ----------------------------------------------- */

static bool is_number(const struct type *type)
{
    return type_is_floating(type) || (type_is_integer(type) && type->kind >= TYPE_INT);
}

static bool is_floating_cast(const struct expr *expr)
{
    return expr->kind == EXPR_CAST && type_is_floating(expr->type) &&
           type_is_floating(expr->kid[0]->type);
}

static bool is_fabs(const struct expr *expr)
{
    return expr->kind == EXPR_CALL && expr->kids == 1 && is_smooth(expr->callee) &&
           strncmp(expr->callee->name, "fabs", 4) == 0;
}

static struct value_ref number_loosely(struct value_numbers *numbers, const struct expr *expr)
{
    struct value_ref kid;
    if (!is_number(expr->type)) {
        return number_general(numbers, expr, false);
    }
    if (expr->kind == EXPR_UNARY && expr->unary == UNARY_NEG) {
        return negated(number_expr(numbers, expr->kid[0], false), true);
    }
    if (is_floating_cast(expr)) {
        kid = number_expr(numbers, expr->kid[0], false);
        struct value_ref positive = {kid.id, false};
        return negated(make(numbers, expr, 0, 1, &positive), kid.negative);
    }
    if (is_fabs(expr)) {
        kid = number_expr(numbers, expr->kid[0], false);
        kid.negative = false;
        return make(numbers, expr, 0, 1, &kid);
    }
    if (expr->kind == EXPR_COND) {
        return number_select(numbers, expr);
    }
    if (expr->kind == EXPR_BINARY) {
        switch (expr->binary) {
        case BINARY_ADD:
        case BINARY_SUB:
            return number_sum(numbers, expr);
        case BINARY_MUL:
            return number_product(numbers, expr);
        case BINARY_DIV:
            return type_is_floating(expr->type) ? number_quotient(numbers, expr)
                                                : number_general(numbers, expr, false);
        default:
            break;
        }
    }
    return number_general(numbers, expr, false);
}

static struct value_ref number_expr(struct value_numbers *numbers, const struct expr *expr,
                                    bool strict)
{
    struct value_op op;
    switch (expr->kind) {
    case EXPR_INT:
        op = op_like(expr);
        op.bits = expr->bits;
        return leaf(numbers, &op);
    case EXPR_FLOAT:
        return number_float(numbers, expr);
    case EXPR_VAR:
        return number_variable(numbers, expr, strict);
    case EXPR_PLACE:
        return number_data(numbers, expr, expr->place.arg, &expr->place);
    case EXPR_STRING:
    case EXPR_ASSIGN:
        return fresh(numbers, expr);
    case EXPR_UNARY:
        if (expr->unary == UNARY_PLUS) {
            return number_expr(numbers, expr->kid[0], strict);
        }
        if (expr->unary >= UNARY_PRE_INC) {
            return fresh(numbers, expr);
        }
        break;
    default:
        break;
    }
    return strict ? number_general(numbers, expr, true) : number_loosely(numbers, expr);
}

/* ---- nodes ------------------------------------------------------------------------------- */

static void set_home(struct value_numbers *numbers, int n)
{
    struct value_ref ref = numbers->loose[n];
    struct value_op *op = &numbers->op[ref.id];
    if (op->home < 0 && numbers->graph->node[n].guard == NULL) {
        op->home = n;
        op->home_negative = ref.negative;
    }
}

struct value_numbers *value_numbers_new(const struct graph *graph)
{
    struct value_numbers *numbers = arena_alloc(graph->arena, sizeof(*numbers));
    size_t bytes = sizeof(struct value_ref) * (size_t)graph->nodes;
    numbers->graph = graph;
    numbers->values = graph_value_nodes(graph);
    numbers->setters = pointer_map_new(graph->arena);
    numbers->loose = arena_alloc(graph->arena, bytes);
    numbers->strict = arena_alloc(graph->arena, bytes);
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        if (node->kind == NODE_VALUE) {
            numbers->loose[n] = number_expr(numbers, node->expr, false);
            numbers->strict[n] = number_expr(numbers, node->expr, true);
            set_home(numbers, n);
        }
        for (int d = 0; node->kind != NODE_VALUE && d < node->defines; d++) {
            pointer_map_set(&numbers->setters, node->define[d], n);
        }
    }
    return numbers;
}

struct value_ref value_number(struct value_numbers *numbers, const struct expr *expr)
{
    return number_expr(numbers, expr, false);
}

struct value_ref value_number_strict(struct value_numbers *numbers, const struct expr *expr)
{
    return number_expr(numbers, expr, true);
}

static bool type_is_unsigned(const struct type *type)
{
    return type->kind == TYPE_UINT || type->kind == TYPE_ULONG || type->kind == TYPE_ULLONG;
}

bool value_is_constant(const struct value_numbers *numbers, int id, double *value)
{
    const struct value_op *op = &numbers->op[id];
    switch (op->kind) {
    case EXPR_FLOAT:
        *value = op->expr->value;
        return true;
    case EXPR_INT:
        *value = type_is_unsigned(op->type) ? (double)op->bits : (double)(long long)op->bits;
        return true;
    case EXPR_CAST:
        if (!is_number(op->type) || !value_is_constant(numbers, op->kid[0].id, value)) {
            return false;
        }
        *value = op->kid[0].negative ? -*value : *value;
        *value = op->type->kind == TYPE_FLOAT ? (double)(float)*value : *value;
        return type_is_floating(op->type);
    default:
        return false;
    }
}
