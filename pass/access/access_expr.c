/* access_expr.c: where the pointers in an expression point, and what the expression does to the
 * places that they name.
 *
 * In: an expression of a kernel or a helper, and what the pointer variables hold before it. Out:
 * the targets of its value; access_state.c is told of each read, write and increment, and of what
 * pointer variables hold from then on. Assignments and calls are access_assign.c's; its statements,
 * and the bodies of helpers that it calls, access_walk.c's.
 */
#include "pass/access/access_impl.h"
#include "pass/access/access_state.h"
#include "pass/ir/arena.h"

/* The value of a variable, or of a part of it. If the choice of the part depends on an extremum,
 * the value depends on that too. */
static struct value read_variable(struct walk *walk, const struct var *var,
                                  const struct targets *place)
{
    struct value value = value_get(walk, var);

    return place->value.kind == VALUE_FREE ? value : value_combined(value, place->value, false);
}

struct value access_read_value(struct walk *walk, const struct expr *expr,
                               const struct targets *place)
{
    const struct var *var = value_root(expr);

    return var != NULL ? read_variable(walk, var, place) : value_read(walk, expr, place);
}

/* The value read from a place. For a row's pointer these are its components, for a variable the
 * pointer that it holds; anything else is a read. */
struct targets access_read_place(struct walk *walk, const struct expr *expr,
                                 const struct targets *place)
{
    struct targets value = {0};

    if (expr->type->kind == TYPE_ARRAY) {
        return *place; /* an array is not read, it becomes a pointer */
    }
    for (int n = 0; n < place->count; n++) {
        struct target target = place->target[n];

        if (target.is_global && expr->type->kind == TYPE_POINTER) {
            targets_add(&value, target); /* data that a constant points to is constant, too */
            continue;
        }
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
    if (!access_holds_pointers(expr->type)) {
        value.value = access_read_value(walk, expr, place);
    } else if (place->value.kind != VALUE_FREE) {
        value.value = place->value;
    }
    return value;
}

static struct targets evaluate_lvalue(struct walk *walk, const struct expr *expr)
{
    struct targets place = access_lvalue(walk, expr);

    return access_read_place(walk, expr, &place);
}

static struct targets find_index(struct walk *walk, const struct expr *expr)
{
    struct targets base = access_value(walk, expr->kid[0]);
    struct value subscript = access_value(walk, expr->kid[1]).value;

    base.value =
        value_root(expr) != NULL ? subscript : value_combined(base.value, subscript, false);
    targets_shift(&base, expr->kid[1], &walk->counters, store_step(expr->type), 1);
    return base;
}

/* C++: either of two places, (c ? x : y) += z. */
static struct targets find_cond(struct walk *walk, const struct expr *expr)
{
    struct value chooses = access_value(walk, expr->kid[0]).value;
    struct targets place;
    struct targets other;
    bool taken;

    if (access_truth(expr->kid[0], &taken)) {
        return access_lvalue(walk, expr->kid[taken ? 1 : 2]);
    }
    walk->counters.depth++;
    place = access_lvalue(walk, expr->kid[1]);
    other = access_lvalue(walk, expr->kid[2]);
    walk->counters.depth--;
    targets_join(&place, &other);
    place.value = value_combined(place.value, chooses, false);
    return place;
}

struct targets access_lvalue(struct walk *walk, const struct expr *expr)
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
                                           : access_lvalue(walk, expr->kid[0]);
        store_member(&place, type->kind == TYPE_POINTER ? type->elem : type, expr->text);
        break;
    case EXPR_CAST:
        return access_lvalue(walk, expr->kid[0]);
    case EXPR_COND:
        return find_cond(walk, expr);
    case EXPR_BINARY:
        if (expr->binary == BINARY_COMMA) {
            access_discard(walk, expr->kid[0]);
            return access_lvalue(walk, expr->kid[1]);
        }
        access_value(walk, expr);
        break;
    default:
        access_value(walk, expr);
        break;
    }
    return place;
}

/* Evaluates one operand of a ? b : c under the condition that selects it. */
static struct targets evaluate_choice(struct walk *walk, const struct expr *expr,
                                      const struct guards *guards)
{
    int mark = extremum_enter(walk, guards);
    const unsigned long long *sure = sure_copy(walk);
    struct targets value = access_value(walk, expr);

    sure_set(walk, sure);
    value.value = extremum_chosen(walk, mark, value.value, expr);
    extremum_leave(walk, mark, guards->count);
    return value;
}

static struct targets evaluate_cond(struct walk *walk, const struct expr *expr)
{
    struct value chooses = access_value(walk, expr->kid[0]).value;
    struct targets value;
    struct targets other;
    struct guards yes;
    struct guards no;
    bool taken;

    if (access_truth(expr->kid[0], &taken)) {
        return access_value(walk, expr->kid[taken ? 1 : 2]);
    }
    yes = extremum_guards(walk, expr->kid[0], chooses, true);
    no = extremum_guards(walk, expr->kid[0], chooses, false);
    walk->counters.depth++;
    value = evaluate_choice(walk, expr->kid[1], &yes);
    other = evaluate_choice(walk, expr->kid[2], &no);
    walk->counters.depth--;
    chooses = value_either(value.value, other.value);
    targets_join(&value, &other);
    value.value = chooses;
    return value;
}

static struct targets evaluate_second(struct walk *walk, const struct expr *expr,
                                      struct value first)
{
    bool is_lazy = expr->binary == BINARY_LAND || expr->binary == BINARY_LOR;
    struct guards guards = {0};
    const unsigned long long *sure = sure_copy(walk);
    struct targets value;
    int mark;

    if (is_lazy) {
        guards = extremum_guards(walk, expr->kid[0], first, expr->binary == BINARY_LAND);
    }
    mark = extremum_enter(walk, &guards);
    walk->counters.depth += is_lazy;
    value = access_value(walk, expr->kid[1]);
    walk->counters.depth -= is_lazy;
    if (is_lazy) {
        sure_set(walk, sure);
    }
    extremum_leave(walk, mark, guards.count);
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
        return none; /* the second operand never runs */
    }
    right = evaluate_second(walk, expr, left.value);
    none.value = value_combined(left.value, right.value,
                                expr->binary >= BINARY_LT && expr->binary != BINARY_XOR);
    if (expr->type->kind != TYPE_POINTER) {
        return none;
    }
    left.value = none.value;
    right.value = none.value;
    if (left.count > 0) {
        targets_shift(&left, expr->kid[1], &walk->counters, store_step(expr->type->elem),
                      expr->binary == BINARY_SUB ? -1 : 1);
        return left;
    }
    targets_shift(&right, expr->kid[0], &walk->counters, store_step(expr->type->elem), 1);
    return right;
}

/* The address of a variable lets untracked code read and change it, so its value is in doubt. */
static struct targets address_of(struct walk *walk, const struct expr *expr)
{
    struct targets place = access_lvalue(walk, expr);
    const struct var *var = value_root(expr);
    struct value value = var != NULL ? value_get(walk, var) : (struct value){0};

    if (value.kind != VALUE_FREE) {
        place.value = value_combined(place.value, value, true);
        place.value.in_doubt = true;
        value_set(walk, var, place.value, NULL);
    }
    return place;
}

static struct targets evaluate_unary(struct walk *walk, const struct expr *expr)
{
    struct targets none = {0};

    switch (expr->unary) {
    case UNARY_DEREF:
        return evaluate_lvalue(walk, expr);
    case UNARY_ADDRESS:
        return address_of(walk, expr->kid[0]);
    case UNARY_PRE_INC:
    case UNARY_PRE_DEC:
    case UNARY_POST_INC:
    case UNARY_POST_DEC:
        return access_step(walk, expr, true);
    default:
        none.value = access_value(walk, expr->kid[0]).value;
        if (expr->unary != UNARY_PLUS) {
            none.value = value_combined(none.value, (struct value){0}, expr->unary == UNARY_NOT);
        }
        return none;
    }
}

/* Whether pointers of both types move by the same step in what they point to. */
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
        if (expr->type->kind != TYPE_BOOL) {
            access_see_unknown(walk, &value); /* an address may come back from an integer */
        }
        value = (struct targets){.value = value.value};
        if (expr->type->kind == TYPE_BOOL && expr->kid[0]->type->kind != TYPE_BOOL) {
            value.value = value_combined(value.value, (struct value){0}, true);
        }
    } else if (!expr->implicit && !steps_alike(expr->kid[0]->type, expr->type)) {
        targets_blur(&value);
    }
    return value;
}

/* A member of a record that a call returns. That record has no place, so the result may be any
 * of its pointers. */
static struct targets evaluate_member(struct walk *walk, const struct expr *expr)
{
    const struct expr *record = expr->kid[0];
    struct targets value;

    if (record->kind != EXPR_CALL || record->type->kind != TYPE_RECORD) {
        return evaluate_lvalue(walk, expr);
    }
    value = access_value(walk, record);
    if (!access_holds_pointers(expr->type)) {
        value = (struct targets){.value = value.value};
    }
    targets_doubt(&value);
    return value;
}

struct targets access_value(struct walk *walk, const struct expr *expr)
{
    struct targets value = {0};

    switch (expr->kind) {
    case EXPR_VAR:
        if (access_holds_pointers(expr->type) || expr->var->storage == STORAGE_GLOBAL ||
            expr->var->storage == STORAGE_TABLE) {
            return evaluate_lvalue(walk, expr);
        }
        value.value = value_get(walk, expr->var);
        return value;
    case EXPR_UNARY:
        return evaluate_unary(walk, expr);
    case EXPR_BINARY:
        return evaluate_binary(walk, expr);
    case EXPR_ASSIGN:
        return access_assign(walk, expr, true);
    case EXPR_COND:
        return evaluate_cond(walk, expr);
    case EXPR_MEMBER:
        return evaluate_member(walk, expr);
    case EXPR_INDEX:
        return evaluate_lvalue(walk, expr);
    case EXPR_CALL:
        return access_call(walk, expr);
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

static void discard_cond(struct walk *walk, const struct expr *expr)
{
    struct value chooses = access_value(walk, expr->kid[0]).value;
    struct guards guards[2];
    bool taken;

    if (access_truth(expr->kid[0], &taken)) {
        access_discard(walk, expr->kid[taken ? 1 : 2]);
        return;
    }
    for (int k = 0; k < 2; k++) {
        guards[k] = extremum_guards(walk, expr->kid[0], chooses, k == 0);
    }
    walk->counters.depth++;
    for (int k = 0; k < 2; k++) {
        int mark = extremum_enter(walk, &guards[k]);
        const unsigned long long *sure = sure_copy(walk);

        access_discard(walk, expr->kid[k + 1]);
        sure_set(walk, sure);
        extremum_leave(walk, mark, guards[k].count);
    }
    walk->counters.depth--;
}

void access_discard(struct walk *walk, const struct expr *expr)
{

    if (expr->kind == EXPR_ASSIGN) {
        access_assign(walk, expr, false);
    } else if (expr->kind == EXPR_UNARY && expr->unary >= UNARY_PRE_INC) {
        access_step(walk, expr, false);
    } else if (expr->kind == EXPR_BINARY && expr->binary == BINARY_COMMA) {
        access_discard(walk, expr->kid[0]);
        access_discard(walk, expr->kid[1]);
    } else if (expr->kind == EXPR_CAST && (expr->implicit || expr->type->kind == TYPE_VOID)) {
        access_discard(walk, expr->kid[0]);
    } else if (expr->kind == EXPR_COND) {
        discard_cond(walk, expr);
    } else if (expr->kind == EXPR_UNARY && expr->unary == UNARY_DEREF) {
        access_value(walk, expr->kid[0]); /* *p reads nothing */
    } else if (expr->kind != EXPR_VAR && expr->kind != EXPR_INDEX) {
        access_value(walk, expr); /* nor does (void)q[0] */
    }
}
