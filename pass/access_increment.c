/* access_increment.c: which statements only add to a place of a kernel's argument. Shared by the
 * access check and splitter/, so that both mean the same by it. See access.h.
 */
#include "pass/access_impl.h"

const struct expr *access_bare(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST && expr->implicit) {
        expr = expr->kid[0];
    }
    return expr;
}

long access_scalars(const struct type *type)
{
    long scalars = 1;

    for (; type->kind == TYPE_ARRAY; type = type->elem) {
        scalars *= type->count;
    }
    return scalars;
}

bool access_same_place(const struct expr *a, const struct expr *b)
{
    a = access_bare(a);
    b = access_bare(b);
    if (a->kind != b->kind || a->kids != b->kids) {
        return false;
    }
    switch (a->kind) {
    case EXPR_INT:
        return a->bits == b->bits;
    case EXPR_VAR:
        return a->var == b->var;
    case EXPR_INDEX:
        break;
    case EXPR_BINARY:
        if (a->binary != b->binary) {
            return false;
        }
        break;
    case EXPR_UNARY:
        if (a->unary != b->unary || a->unary >= UNARY_PRE_INC) {
            return false;
        }
        break;
    case EXPR_MEMBER:
        for (int n = 0; a->text[n] != '\0' || b->text[n] != '\0'; n++) {
            if (a->text[n] != b->text[n]) {
                return false;
            }
        }
        break;
    case EXPR_CAST:
        if (!type_same(a->type, b->type)) {
            return false;
        }
        break;
    default:
        return false;
    }
    for (int k = 0; k < a->kids; k++) {
        if (!access_same_place(a->kid[k], b->kid[k])) {
            return false;
        }
    }
    return true;
}

/* How often place is added in sum; a subtraction counts as a hundred, so that no sum has it once.
 */
static int count_in_sum(const struct expr *sum, const struct expr *place, int weight)
{
    sum = access_bare(sum);
    if (sum->kind == EXPR_BINARY && sum->binary == BINARY_ADD) {
        return count_in_sum(sum->kid[0], place, weight) + count_in_sum(sum->kid[1], place, weight);
    }
    if (sum->kind == EXPR_BINARY && sum->binary == BINARY_SUB) {
        return count_in_sum(sum->kid[0], place, weight) + count_in_sum(sum->kid[1], place, 100);
    }
    return access_same_place(sum, place) ? weight : 0;
}

bool access_adds_to(const struct expr *sum, const struct expr *place)
{
    return count_in_sum(sum, place, 1) == 1;
}

/* Where a pointer made from a parameter by constant offsets points. */
struct origin {
    int param;
    bool is_rows; /* points to the rows of a vector argument */
    bool column_known;
    bool component_known;
    long column;
    long component;
};

static bool find_origin(const struct expr *expr, const struct function *kernel,
                        struct origin *origin);

static void shift(struct origin *origin, const struct expr *by, long scale)
{
    long value = 0;
    bool is_known = access_constant(by, &value);

    if (origin->is_rows) {
        origin->column += value * scale;
        origin->column_known &= is_known;
    } else {
        origin->component += value * scale;
        origin->component_known &= is_known;
    }
}

/* The place that an lvalue names, as a pointer to it. */
static bool find_place(const struct expr *expr, const struct function *kernel,
                       struct origin *origin)
{
    expr = access_bare(expr);
    if (expr->kind == EXPR_INDEX) {
        if (!find_origin(expr->kid[0], kernel, origin)) {
            return false;
        }
        shift(origin, expr->kid[1], access_scalars(expr->type));
        return true;
    }
    return expr->kind == EXPR_UNARY && expr->unary == UNARY_DEREF &&
           find_origin(expr->kid[0], kernel, origin);
}

static bool find_origin(const struct expr *expr, const struct function *kernel,
                        struct origin *origin)
{
    expr = access_bare(expr);
    if (expr->kind == EXPR_VAR) {
        const struct var *var = expr->var;

        if (var->storage != STORAGE_PARAM || var->index < 0 || var->index >= kernel->params ||
            kernel->param[var->index] != var || var->type->kind != TYPE_POINTER) {
            return false;
        }
        *origin = (struct origin){.param = var->index,
                                  .column_known = true,
                                  .component_known = true,
                                  .is_rows = var->type->elem->kind == TYPE_POINTER};
        return true;
    }
    if (expr->kind == EXPR_BINARY && expr->binary == BINARY_ADD &&
        expr->type->kind == TYPE_POINTER && type_is_integer(expr->kid[1]->type)) {
        if (!find_origin(expr->kid[0], kernel, origin)) {
            return false;
        }
        shift(origin, expr->kid[1], access_scalars(expr->type->elem));
        return true;
    }
    if (expr->kind == EXPR_UNARY && expr->unary == UNARY_ADDRESS) {
        return find_place(expr->kid[0], kernel, origin);
    }
    if (expr->type->kind != TYPE_POINTER && expr->type->kind != TYPE_ARRAY) {
        return false;
    }
    if (!find_place(expr, kernel, origin)) {
        return false;
    }
    /* A row was read: from here on components are counted. */
    origin->is_rows &= expr->type->kind != TYPE_POINTER;
    return true;
}

static bool mentions(const struct expr *expr, const struct var *var)
{
    if (expr->kind == EXPR_VAR) {
        return expr->var == var;
    }
    for (int k = 0; k < expr->kids; k++) {
        if (mentions(expr->kid[k], var)) {
            return true;
        }
    }
    return false;
}

static int count_mentions(const struct expr *expr, const struct var *var)
{
    int count = expr->kind == EXPR_VAR && expr->var == var;

    for (int k = 0; k < expr->kids; k++) {
        count += count_mentions(expr->kid[k], var);
    }
    return count;
}

/* The operand of place + x, x + place or place - x that is not the place; else NULL. */
static const struct expr *added_value(const struct expr *sum, const struct expr *place,
                                      bool *negative)
{
    sum = access_bare(sum);
    if (sum->kind != EXPR_BINARY || (sum->binary != BINARY_ADD && sum->binary != BINARY_SUB)) {
        return NULL;
    }
    *negative = sum->binary == BINARY_SUB;
    if (access_same_place(sum->kid[0], place)) {
        return sum->kid[1];
    }
    if (sum->binary == BINARY_ADD && access_same_place(sum->kid[1], place)) {
        return sum->kid[0];
    }
    *negative = false;
    return NULL;
}

static bool increments_place(const struct expr *expr, struct increment *increment)
{
    increment->value = NULL;
    increment->negative = false;
    if (expr->kind == EXPR_UNARY && expr->unary >= UNARY_PRE_INC) {
        increment->negative = expr->unary == UNARY_PRE_DEC || expr->unary == UNARY_POST_DEC;
        increment->place = access_bare(expr->kid[0]);
        return true;
    }
    if (expr->kind != EXPR_ASSIGN) {
        return false;
    }
    increment->place = access_bare(expr->kid[0]);
    if (expr->compound) {
        increment->negative = expr->binary == BINARY_SUB;
        increment->value = expr->kid[1];
        return expr->binary == BINARY_ADD || expr->binary == BINARY_SUB;
    }
    increment->value = added_value(expr->kid[1], increment->place, &increment->negative);
    return access_adds_to(expr->kid[1], increment->place);
}

bool access_is_increment(const struct stmt *stmt, const struct function *kernel,
                         struct increment *increment)
{
    struct origin origin;
    const struct expr *expr;
    const struct var *param;

    if (stmt->kind != STMT_EXPR) {
        return false;
    }
    expr = access_bare(stmt->expr);
    if (!increments_place(expr, increment) || !find_place(increment->place, kernel, &origin) ||
        origin.is_rows ||
        !(type_is_integer(increment->place->type) || type_is_floating(increment->place->type))) {
        return false;
    }
    param = kernel->param[origin.param];
    if (increment->value != NULL
            ? mentions(increment->value, param)
            : expr->kind == EXPR_ASSIGN && count_mentions(expr->kid[1], param) != 1) {
        return false;
    }
    increment->param = origin.param;
    increment->component = origin.component_known ? (int)origin.component : -1;
    increment->column = origin.column_known ? (int)origin.column : -1;
    return true;
}
