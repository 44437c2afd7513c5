/* sides_number.c: numbers the expressions of a body, as they stand and with the sides exchanged.
 *
 * Every expression gets four numbers: both exactly and loosely. Expressions with equal numbers are
 * equal: exactly, in their bits, whether or not a compiler contracts products with sums; loosely,
 * as real numbers. Loose numbers forget the order of all terms of a sum, and of all factors of a
 * product. A sign moves through sums, products and casts, so that x1 - x2 and x2 - x1 have one
 * number.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "splitter/graph/sides_impl.h"

/* An operation on numbers of others; `key` tells leaves apart. */
struct side_op {
    enum expr_kind kind;
    int code; /* unary or binary operator */
    const struct type *type;
    const void *what; /* variable, function, argument */
    unsigned long long key[3];
    int kids;
    struct side_ref *kid;
    bool is_product; /* a compiler may contract it with a sum */
};

/* ---- the table ------------------------------------------------------------------------------- */

static bool same_type(const struct type *a, const struct type *b)
{
    return a == b || (a != NULL && b != NULL && type_same(a, b));
}

static bool same_op(const struct side_op *a, const struct side_op *b)
{
    bool same = a->kind == b->kind && a->code == b->code && a->what == b->what &&
                a->kids == b->kids && memcmp(a->key, b->key, sizeof a->key) == 0 &&
                same_type(a->type, b->type);
    for (int k = 0; same && k < a->kids; k++) {
        same = a->kid[k].id == b->kid[k].id && a->kid[k].negative == b->kid[k].negative;
    }
    return same;
}

static struct side_ref intern(struct sides *sides, const struct side_op *op)
{
    for (int i = sides->ops - 1; i > 0; i--) {
        if (same_op(&sides->op[i], op)) {
            return (struct side_ref){i, false};
        }
    }
    if (sides->ops == SIDES_MOST_OPS) {
        sides->unknown = true;
        return (struct side_ref){0, false};
    }
    sides->op =
        arena_grow(sides->arena, sides->op, sides->ops, &sides->op_capacity, sizeof(*sides->op));
    sides->op[sides->ops] = *op;
    return (struct side_ref){sides->ops++, false};
}

static struct side_op op_like(const struct expr *expr)
{
    return (struct side_op){.kind = expr->kind, .type = expr->type};
}

struct side_ref side_signed(struct side_ref ref, bool negate)
{
    return (struct side_ref){ref.id, ref.negative != negate};
}

static struct side_ref unknown(struct sides *sides)
{
    sides->unknown = true;
    return (struct side_ref){0, false};
}

static struct side_ref make(struct sides *sides, struct side_op op, int kids,
                            const struct side_ref *kid)
{
    op.kids = kids;
    op.kid = arena_alloc(sides->arena, (size_t)kids * sizeof(*kid));
    memcpy(op.kid, kid, (size_t)kids * sizeof(*kid));
    return intern(sides, &op);
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static struct side_ref number_place(struct sides *sides, const struct expr *expr,
                                    struct side_way way)
{
    const int a = expr->place.arg;
    const struct arg *arg = &sides->loop->arg[a];
    struct side_op op = op_like(expr);
    if (!arg_is_constant(sides->loop, a) || arg->is_optional) {
        return unknown(sides);
    }
    op.key[2] = (unsigned long long)expr->place.component;
    if (arg->kind != ARG_DAT || arg->dat < 0) {
        op.what = arg;
        op.key[1] = (unsigned long long)expr->place.column;
        return arg->is_indirect || arg->kind == ARG_INDEX ? unknown(sides) : intern(sides, &op);
    }
    int column = arg->is_vector ? expr->place.column : arg->is_indirect ? arg->map_index : 0;
    if (arg->is_indirect && way.way == EXCHANGED) {
        column = sides_partner(sides->loop, a, column);
    }
    op.key[0] = 1 + (unsigned long long)arg->dat;
    op.key[1] = arg->is_indirect ? (1 + (unsigned long long)arg->map) << 32 | (unsigned)column : 0;
    return intern(sides, &op);
}

static struct side_ref number_var(struct sides *sides, const struct expr *expr, struct side_way way)
{
    const int known = pointer_map_get(&sides->vars, expr->var);
    if (known >= 0) {
        const struct side_value *held = &sides->value[known];
        return way.exact ? held->exact[way.way] : held->loose[way.way];
    }
    if (expr->var->storage != STORAGE_GLOBAL && expr->var->storage != STORAGE_TABLE) {
        return unknown(sides);
    }
    struct side_op op = op_like(expr);
    op.what = expr->var;
    return intern(sides, &op);
}

static struct side_ref number_float(struct sides *sides, const struct expr *expr)
{
    struct side_op op = op_like(expr);
    const double size = fabs(expr->value);
    memcpy(&op.key[0], &size, sizeof size);
    return side_signed(intern(sides, &op), signbit(expr->value) != 0);
}

/* ---- sums and products ----------------------------------------------------------------------- */

static int compare_refs(const void *a, const void *b)
{
    const struct side_ref *x = a;
    const struct side_ref *y = b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : (int)x->negative - (int)y->negative;
}

static int compare_lists(const struct side_list *a, const struct side_list *b)
{
    int order = 0;
    for (int k = 0; order == 0 && k < a->refs; k++) {
        order = compare_refs(&a->ref[k], &b->ref[k]);
    }
    return order;
}

static bool is_op(const struct sides *sides, struct side_ref ref, enum binary_op code,
                  const struct type *type)
{
    const struct side_op *op = &sides->op[ref.id];
    return op->kind == EXPR_BINARY && op->code == (int)code && same_type(op->type, type);
}

/* Adds the operands of `ref` to the list if it is a sum (product) itself. */
static void add_operand(struct sides *sides, struct side_list *list, struct side_ref ref,
                        enum binary_op code, const struct type *type)
{
    const struct side_op *op = is_op(sides, ref, code, type) ? &sides->op[ref.id] : NULL;
    const int count = op != NULL ? op->kids : 1;
    if (list->refs + count > SIDES_MOST_TERMS) {
        sides->unknown = true;
        return;
    }
    for (int k = 0; k < count; k++) {
        list->ref[list->refs++] = op != NULL ? side_signed(op->kid[k], ref.negative) : ref;
    }
}

/* Has the sign that makes its list the smaller one. */
struct side_ref sides_sum(struct sides *sides, const struct type *type, struct side_list *list)
{
    const struct side_op op = {.kind = EXPR_BINARY, .code = BINARY_ADD, .type = type};
    struct side_list other = *list;
    for (int k = 0; k < other.refs; k++) {
        other.ref[k].negative = !other.ref[k].negative;
    }
    qsort(list->ref, (size_t)list->refs, sizeof(struct side_ref), compare_refs);
    qsort(other.ref, (size_t)other.refs, sizeof(struct side_ref), compare_refs);
    const bool negative = compare_lists(&other, list) < 0;
    return side_signed(make(sides, op, list->refs, negative ? other.ref : list->ref), negative);
}

static struct side_ref loose_sum(struct sides *sides, const struct expr *expr, struct side_way way)
{
    struct side_list list = {.refs = 0};
    for (int k = 0; k < 2; k++) {
        const bool minus = k == 1 && expr->binary == BINARY_SUB;
        add_operand(sides, &list, side_signed(sides_number(sides, expr->kid[k], way), minus),
                    BINARY_ADD, expr->type);
    }
    return sides_sum(sides, expr->type, &list);
}

/* a*b + c*d and c*d + a*b may differ: one of the products is contracted with the sum. */
static struct side_ref exact_sum(struct sides *sides, const struct expr *expr, struct side_way way)
{
    struct side_op op = op_like(expr);
    struct side_ref kid[2] = {sides_number(sides, expr->kid[0], way),
                              sides_number(sides, expr->kid[1], way)};
    const bool contracts = sides->op[kid[0].id].is_product || sides->op[kid[1].id].is_product;
    kid[1] = side_signed(kid[1], expr->binary == BINARY_SUB);
    if (!contracts && compare_refs(&kid[0], &kid[1]) > 0) {
        const struct side_ref first = kid[0];
        kid[0] = kid[1];
        kid[1] = first;
    }
    const bool negative = kid[0].negative;
    kid[0] = side_signed(kid[0], negative);
    kid[1] = side_signed(kid[1], negative);
    op.code = BINARY_ADD;
    return side_signed(make(sides, op, 2, kid), negative);
}

struct side_ref sides_product(struct sides *sides, const struct type *type, struct side_ref scale,
                              struct side_ref value)
{
    const struct side_op op = {
        .kind = EXPR_BINARY, .code = BINARY_MUL, .type = type, .is_product = true};
    const struct side_ref kid[2] = {{scale.id, false}, {value.id, false}};
    return side_signed(make(sides, op, 2, kid), value.negative != scale.negative);
}

static struct side_ref number_product(struct sides *sides, const struct expr *expr,
                                      struct side_way way)
{
    struct side_list list = {.refs = 0};
    struct side_op op = op_like(expr);
    bool negative = false;
    for (int k = 0; k < 2; k++) {
        const struct side_ref kid = sides_number(sides, expr->kid[k], way);
        negative = negative != kid.negative;
        if (way.exact) {
            list.ref[list.refs++] = (struct side_ref){kid.id, false};
        } else {
            add_operand(sides, &list, (struct side_ref){kid.id, false}, BINARY_MUL, expr->type);
        }
    }
    qsort(list.ref, (size_t)list.refs, sizeof(struct side_ref), compare_refs);
    op.code = BINARY_MUL;
    op.is_product = true;
    return side_signed(make(sides, op, list.refs, list.ref), negative);
}

/* ---- other operations ------------------------------------------------------------------------ */

/* The operands decide something, or divide. */
static struct side_ref number_exactly(struct sides *sides, const struct expr *expr,
                                      struct side_way way)
{
    struct side_op op = op_like(expr);
    struct side_ref kid[4];
    way.exact = true;
    if (expr->kids > 4) {
        return unknown(sides);
    }
    for (int k = 0; k < expr->kids; k++) {
        kid[k] = sides_number(sides, expr->kid[k], way);
    }
    op.code = expr->kind == EXPR_UNARY    ? (int)expr->unary
              : expr->kind == EXPR_BINARY ? (int)expr->binary
                                          : 0;
    op.what = expr->kind == EXPR_CALL ? expr->callee : NULL;
    return make(sides, op, expr->kids, kid);
}

static struct side_ref number_quotient(struct sides *sides, const struct expr *expr,
                                       struct side_way way)
{
    struct side_op op = op_like(expr);
    const struct side_way exact = {way.way, true};
    struct side_ref kid[2] = {sides_number(sides, expr->kid[0], way),
                              sides_number(sides, expr->kid[1], exact)};
    const bool negative = kid[0].negative;
    kid[0].negative = false;
    op.code = BINARY_DIV;
    return side_signed(make(sides, op, 2, kid), negative);
}

static bool is_zero(const struct sides *sides, struct side_ref ref)
{
    const struct side_op *op = &sides->op[ref.id];
    return op->kind == EXPR_FLOAT && op->key[0] == 0;
}

/* A sign common to both sides moves out; loosely, a zero has any sign. */
static struct side_ref number_choice(struct sides *sides, const struct expr *expr,
                                     struct side_way way)
{
    const struct side_way exact = {way.way, true};
    struct side_ref kid[3] = {sides_number(sides, expr->kid[0], exact),
                              sides_number(sides, expr->kid[1], way),
                              sides_number(sides, expr->kid[2], way)};
    const bool first = !way.exact && is_zero(sides, kid[1]);
    const bool second = !way.exact && is_zero(sides, kid[2]);
    const bool negative = kid[first ? 2 : 1].negative;
    kid[1].negative = !first && kid[1].negative != negative;
    kid[2].negative = !second && kid[2].negative != negative;
    return side_signed(make(sides, op_like(expr), 3, kid), negative);
}

static bool is_called(const struct expr *expr, const char *name)
{
    const struct function *callee = expr->callee;
    const char *called = callee->user_name != NULL ? callee->user_name : callee->name;
    const size_t length = strlen(name);
    return callee->kind == FUNCTION_MATH && strncmp(called, name, length) == 0 &&
           (called[length] == '\0' || strcmp(called + length, "f") == 0);
}

static struct side_ref number_call(struct sides *sides, const struct expr *expr,
                                   struct side_way way)
{
    const bool extreme = is_called(expr, "fmin") || is_called(expr, "fmax");
    if (expr->callee->kind != FUNCTION_MATH) {
        return unknown(sides);
    }
    if (!extreme && !is_called(expr, "fabs")) {
        return number_exactly(sides, expr, way);
    }
    struct side_op op = op_like(expr);
    struct side_ref kid[2] = {sides_number(sides, expr->kid[0], way)};
    kid[1] = extreme ? sides_number(sides, expr->kid[1], way) : kid[0];
    kid[0].negative = extreme && kid[0].negative; /* fabs has no sign */
    qsort(kid, extreme ? 2 : 1, sizeof(struct side_ref), compare_refs);
    op.what = expr->callee;
    return make(sides, op, expr->kids, kid);
}

static struct side_ref number_cast(struct sides *sides, const struct expr *expr,
                                   struct side_way way)
{
    if (!type_is_floating(expr->type) || !type_is_floating(expr->kid[0]->type)) {
        return number_exactly(sides, expr, way);
    }
    const struct side_ref kid = sides_number(sides, expr->kid[0], way);
    const struct side_ref positive = {kid.id, false};
    return side_signed(make(sides, op_like(expr), 1, &positive), kid.negative);
}

static struct side_ref number_binary(struct sides *sides, const struct expr *expr,
                                     struct side_way way)
{
    if (type_is_floating(expr->type)) {
        switch (expr->binary) {
        case BINARY_ADD:
        case BINARY_SUB:
            return way.exact ? exact_sum(sides, expr, way) : loose_sum(sides, expr, way);
        case BINARY_MUL:
            return number_product(sides, expr, way);
        case BINARY_DIV:
            return number_quotient(sides, expr, way);
        default:
            break;
        }
    }
    return number_exactly(sides, expr, way);
}

static struct side_ref number_unary(struct sides *sides, const struct expr *expr,
                                    struct side_way way)
{
    if (expr->unary >= UNARY_DEREF) {
        return unknown(sides);
    }
    if (expr->unary == UNARY_PLUS) {
        return sides_number(sides, expr->kid[0], way);
    }
    return expr->unary == UNARY_NEG && type_is_floating(expr->type)
               ? side_signed(sides_number(sides, expr->kid[0], way), true)
               : number_exactly(sides, expr, way);
}

struct side_ref sides_number(struct sides *sides, const struct expr *expr, struct side_way way)
{
    struct side_op op = op_like(expr);
    if (sides->unknown) {
        return (struct side_ref){0, false};
    }
    switch (expr->kind) {
    case EXPR_INT:
        op.key[0] = expr->bits;
        return intern(sides, &op);
    case EXPR_FLOAT:
        return number_float(sides, expr);
    case EXPR_VAR:
        return number_var(sides, expr, way);
    case EXPR_PLACE:
        return number_place(sides, expr, way);
    case EXPR_UNARY:
        return number_unary(sides, expr, way);
    case EXPR_BINARY:
        return number_binary(sides, expr, way);
    case EXPR_COND:
        return number_choice(sides, expr, way);
    case EXPR_CALL:
        return number_call(sides, expr, way);
    case EXPR_CAST:
        return number_cast(sides, expr, way);
    default:
        return unknown(sides);
    }
}

struct sides sides_new(const struct loop *loop)
{
    struct sides sides = {.arena = arena_new(), .loop = loop, .ops = 1, .op_capacity = 1};
    sides.op = arena_alloc(sides.arena, sizeof(*sides.op));
    sides.vars = pointer_map_new(sides.arena);
    return sides;
}
