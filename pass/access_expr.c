/* access_expr.c: where the pointers in an expression point, and what the expression does to the
 * places that they name.
 *
 * In: an expression of a kernel or a helper, and what the pointer variables hold before it. Out:
 * the targets of its value; access_state.c is told of each read, write and increment, and of what
 * pointer variables hold from then on. Its statements, and the bodies of helpers that it calls, are
 * access_walk.c's.
 */
#include "pass/access_impl.h"
#include "pass/access_state.h"
#include "pass/arena.h"

static struct targets find_lvalue(struct walk *walk, const struct expr *expr);

/* The value read from a place: a row's pointer gives its components, a variable the pointer that it
 * holds, anything else is a read. */
static struct targets read_place(struct walk *walk, const struct expr *expr,
                                 const struct targets *place)
{
    struct targets value = {0};

    if (expr->type->kind == TYPE_ARRAY) {
        return *place; /* an array is not read, it becomes a pointer */
    }
    for (int n = 0; n < place->count; n++) {
        struct target target = place->target[n];

        if (target.storage != NULL && !access_holds_pointers(expr->type)) {
            continue; /* another part of a record */
        }
        if (target.storage != NULL) {
            struct targets held = store_load(walk, &target, expr->type);

            if (target.in_doubt) {
                targets_doubt(&held);
            }
            targets_join(&value, &held);
        } else if (target.is_rows) {
            access_check_row(walk, expr, &target);
            target.is_rows = false;
            target.offset = (struct range){0, 0};
            target.offset_known = true;
            targets_add(&value, target);
        }
    }
    if (value.count == 0) {
        access_use(walk, expr, place, USE_READ);
    }
    value.is_full |= place->is_full && access_holds_pointers(expr->type);
    return value;
}

static struct targets evaluate_lvalue(struct walk *walk, const struct expr *expr)
{
    struct targets place = find_lvalue(walk, expr);

    return read_place(walk, expr, &place);
}

static struct targets find_index(struct walk *walk, const struct expr *expr)
{
    struct targets base = access_value(walk, expr->kid[0]);

    access_value(walk, expr->kid[1]);
    targets_shift(&base, expr->kid[1], &walk->counters, store_step(expr->type), 1);
    return base;
}

/* C++: either of two places, (c ? x : y) += z. */
static struct targets find_cond(struct walk *walk, const struct expr *expr)
{
    struct targets place;
    struct targets other;
    bool taken;

    access_value(walk, expr->kid[0]);
    if (access_truth(expr->kid[0], &taken)) {
        return find_lvalue(walk, expr->kid[taken ? 1 : 2]);
    }
    walk->counters.depth++;
    place = find_lvalue(walk, expr->kid[1]);
    other = find_lvalue(walk, expr->kid[2]);
    walk->counters.depth--;
    targets_join(&place, &other);
    return place;
}

static struct targets find_lvalue(struct walk *walk, const struct expr *expr)
{
    struct targets place = {0};
    const struct type *type;

    switch (expr->kind) {
    case EXPR_VAR:
        return store_place(expr->var);
    case EXPR_INDEX:
        return find_index(walk, expr);
    case EXPR_UNARY:
        if (expr->unary == UNARY_DEREF) {
            return access_value(walk, expr->kid[0]);
        }
        access_value(walk, expr);
        break;
    case EXPR_MEMBER:
        type = expr->kid[0]->type;
        place = type->kind == TYPE_POINTER ? access_value(walk, expr->kid[0])
                                           : find_lvalue(walk, expr->kid[0]);
        store_member(&place, type->kind == TYPE_POINTER ? type->elem : type, expr->text);
        break;
    case EXPR_CAST:
        return find_lvalue(walk, expr->kid[0]);
    case EXPR_COND:
        return find_cond(walk, expr);
    case EXPR_BINARY:
        if (expr->binary == BINARY_COMMA) {
            access_discard(walk, expr->kid[0]);
            return find_lvalue(walk, expr->kid[1]);
        }
        access_value(walk, expr);
        break;
    default:
        access_value(walk, expr);
        break;
    }
    return place;
}

static struct targets evaluate_cond(struct walk *walk, const struct expr *expr)
{
    struct targets value;
    struct targets other;
    bool taken;

    access_value(walk, expr->kid[0]);
    if (access_truth(expr->kid[0], &taken)) {
        return access_value(walk, expr->kid[taken ? 1 : 2]);
    }
    walk->counters.depth++;
    value = access_value(walk, expr->kid[1]);
    other = access_value(walk, expr->kid[2]);
    walk->counters.depth--;
    targets_join(&value, &other);
    return value;
}

static struct targets evaluate_binary(struct walk *walk, const struct expr *expr)
{
    struct targets left;
    bool is_lazy = expr->binary == BINARY_LAND || expr->binary == BINARY_LOR;
    struct targets right;
    struct targets none = {0};
    bool first;

    if (expr->binary == BINARY_COMMA) {
        access_discard(walk, expr->kid[0]);
        return access_value(walk, expr->kid[1]);
    }
    left = access_value(walk, expr->kid[0]);
    if (is_lazy && access_truth(expr->kid[0], &first) && first == (expr->binary == BINARY_LOR)) {
        return none; /* the second never runs */
    }
    walk->counters.depth += is_lazy;
    right = access_value(walk, expr->kid[1]);
    walk->counters.depth -= is_lazy;
    if (expr->type->kind != TYPE_POINTER) {
        return none;
    }
    if (left.count > 0) {
        targets_shift(&left, expr->kid[1], &walk->counters, store_step(expr->type->elem),
                      expr->binary == BINARY_SUB ? -1 : 1);
        return left;
    }
    targets_shift(&right, expr->kid[0], &walk->counters, store_step(expr->type->elem), 1);
    return right;
}

/* The terms of a sum, but for the place that is incremented. */
static void evaluate_terms(struct walk *walk, const struct expr *sum, const struct expr *place)
{
    sum = access_term(sum);
    if (sum->kind == EXPR_BINARY && (sum->binary == BINARY_ADD || sum->binary == BINARY_SUB)) {
        evaluate_terms(walk, sum->kid[0], place);
        evaluate_terms(walk, sum->kid[1], place);
    } else if (!access_same_place(sum, place)) {
        access_value(walk, sum);
    }
}

/* Assigns pointers, or a record that holds some. */
static struct targets assign_pointer(struct walk *walk, const struct expr *expr,
                                     const struct expr *left)
{
    struct targets value = access_value(walk, expr->kid[1]);
    struct targets place = find_lvalue(walk, left);

    if (expr->compound) {
        value = read_place(walk, left, &place);
        targets_shift(&value, expr->kid[1], &walk->counters, store_step(left->type->elem),
                      expr->binary == BINARY_SUB ? -1 : 1);
    }
    store_assign(walk, &place, left->type, value);
    return value;
}

static struct targets assign(struct walk *walk, const struct expr *expr, bool is_used)
{
    const struct expr *left = access_bare(expr->kid[0]);
    bool is_increment = expr->compound ? expr->binary == BINARY_ADD || expr->binary == BINARY_SUB
                                       : access_adds_to(expr->kid[1], left);
    struct targets value = {0};
    struct targets place;
    enum use use = expr->compound ? USE_UPDATE : USE_WRITE;

    if (access_holds_pointers(left->type)) {
        return assign_pointer(walk, expr, left);
    }
    place = find_lvalue(walk, left);
    if (is_increment && !expr->compound && place.count > 0) {
        evaluate_terms(walk, expr->kid[1], left);
    } else {
        value = access_value(walk, expr->kid[1]);
    }
    is_increment &= place.count > 0;
    if (is_increment) {
        use = access_truncates(expr) ? USE_TRUNCATE : USE_INCREMENT;
    }
    access_use(walk, left, &place, use);
    if (is_used && is_increment) {
        access_use(walk, left, &place, USE_READ);
    }
    return value;
}

static struct targets step(struct walk *walk, const struct expr *expr, bool is_used)
{
    const struct expr *left = access_bare(expr->kid[0]);
    struct targets none = {0};
    struct targets place;

    place = find_lvalue(walk, left);
    if (left->type->kind == TYPE_POINTER) {
        struct targets before = read_place(walk, left, &place);
        struct targets after = before;

        targets_move(&after,
                     (expr->unary == UNARY_PRE_INC || expr->unary == UNARY_POST_INC ? 1 : -1) *
                         store_step(left->type->elem));
        store_assign(walk, &place, left->type, after);
        return expr->unary == UNARY_POST_INC || expr->unary == UNARY_POST_DEC ? before : after;
    }
    access_use(walk, left, &place, USE_INCREMENT);
    if (is_used) {
        access_use(walk, left, &place, USE_READ);
    }
    return none;
}

static bool writes_through(const struct expr *argument)
{
    const struct type *type = argument->type;

    return type->kind == TYPE_POINTER && !type->elem->is_const && type->elem->kind != TYPE_VOID;
}

static struct targets call(struct walk *walk, const struct expr *expr)
{
    struct function *callee = expr->callee;
    int slots = expr->kids > callee->params ? expr->kids : callee->params;
    struct targets *passed =
        arena_alloc(walk->arena, (size_t)(slots > 0 ? slots : 1) * sizeof(*passed));
    struct targets none = {0};
    bool any = false;

    for (int k = 0; k < expr->kids; k++) {
        passed[k] = access_value(walk, expr->kid[k]);
        any |= passed[k].count > 0;
        if (callee->kind == FUNCTION_MATH && writes_through(expr->kid[k])) {
            access_use(walk, expr->kid[k], &passed[k], USE_WRITE);
        }
    }
    if (!any || callee->kind != FUNCTION_USER || callee->body == NULL) {
        return none;
    }
    return access_enter(walk, callee, passed);
}

static struct targets evaluate_unary(struct walk *walk, const struct expr *expr)
{
    struct targets none = {0};

    switch (expr->unary) {
    case UNARY_DEREF:
        return evaluate_lvalue(walk, expr);
    case UNARY_ADDRESS:
        return find_lvalue(walk, expr->kid[0]);
    case UNARY_PRE_INC:
    case UNARY_PRE_DEC:
    case UNARY_POST_INC:
    case UNARY_POST_DEC:
        return step(walk, expr, true);
    default:
        access_value(walk, expr->kid[0]);
        return none;
    }
}

/* Whether pointers of both types count what they point to in the same steps. */
static bool steps_alike(const struct type *a, const struct type *b)
{
    if (a->kind == TYPE_ARRAY) {
        return b->kind == TYPE_POINTER && a->elem->size == b->elem->size;
    }
    return a->kind == TYPE_POINTER && b->kind == TYPE_POINTER && a->elem->size == b->elem->size;
}

static struct targets evaluate_cast(struct walk *walk, const struct expr *expr)
{
    struct targets value = access_value(walk, expr->kid[0]);

    if (!access_holds_pointers(expr->type)) {
        value = (struct targets){0};
    } else if (!expr->implicit && !steps_alike(expr->kid[0]->type, expr->type)) {
        targets_blur(&value);
    }
    return value;
}

/* Of a record that has no place, any of its pointers may be meant. */
static struct targets evaluate_member(struct walk *walk, const struct expr *expr)
{
    const struct expr *record = expr->kid[0];
    struct targets value;

    if (record->kind != EXPR_CALL || record->type->kind != TYPE_RECORD) {
        return evaluate_lvalue(walk, expr);
    }
    value = access_value(walk, record);
    if (!access_holds_pointers(expr->type)) {
        value = (struct targets){0};
    }
    targets_doubt(&value);
    return value;
}

struct targets access_value(struct walk *walk, const struct expr *expr)
{
    struct targets value = {0};

    switch (expr->kind) {
    case EXPR_VAR:
        return access_holds_pointers(expr->type) ? evaluate_lvalue(walk, expr) : value;
    case EXPR_UNARY:
        return evaluate_unary(walk, expr);
    case EXPR_BINARY:
        return evaluate_binary(walk, expr);
    case EXPR_ASSIGN:
        return assign(walk, expr, true);
    case EXPR_COND:
        return evaluate_cond(walk, expr);
    case EXPR_MEMBER:
        return evaluate_member(walk, expr);
    case EXPR_INDEX:
        return evaluate_lvalue(walk, expr);
    case EXPR_CALL:
        return call(walk, expr);
    case EXPR_CAST:
        return evaluate_cast(walk, expr);
    case EXPR_INIT:
        for (int k = 0; k < expr->kids; k++) {
            struct targets kid = access_value(walk, expr->kid[k]);

            targets_join(&value, &kid);
        }
        if (expr->kids > 1) {
            targets_doubt(&value);
        }
        return value;
    default:
        return value;
    }
}

void access_discard(struct walk *walk, const struct expr *expr)
{
    bool taken;

    if (expr->kind == EXPR_ASSIGN) {
        assign(walk, expr, false);
    } else if (expr->kind == EXPR_UNARY && expr->unary >= UNARY_PRE_INC) {
        step(walk, expr, false);
    } else if (expr->kind == EXPR_BINARY && expr->binary == BINARY_COMMA) {
        access_discard(walk, expr->kid[0]);
        access_discard(walk, expr->kid[1]);
    } else if (expr->kind == EXPR_CAST && (expr->implicit || expr->type->kind == TYPE_VOID)) {
        access_discard(walk, expr->kid[0]);
    } else if (expr->kind == EXPR_COND) {
        access_value(walk, expr->kid[0]);
        if (access_truth(expr->kid[0], &taken)) {
            access_discard(walk, expr->kid[taken ? 1 : 2]);
            return;
        }
        walk->counters.depth++;
        access_discard(walk, expr->kid[1]);
        access_discard(walk, expr->kid[2]);
        walk->counters.depth--;
    } else if (expr->kind == EXPR_UNARY && expr->unary == UNARY_DEREF) {
        access_value(walk, expr->kid[0]); /* *p reads nothing */
    } else if (expr->kind != EXPR_VAR && expr->kind != EXPR_INDEX) {
        access_value(walk, expr); /* nor does (void)q[0] */
    }
}
