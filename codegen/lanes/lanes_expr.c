/* lanes_expr.c: expressions on vectors, written as the user wrote them: "ri * q1[3]".
 *
 * A value that is equal in all lanes stays a scalar, also as an operand of a vector of its type.
 * Comparisons and logical operations make masks. Nothing here has side effects, and all operands
 * are computed in all lanes: lanes_lift.c has moved what must not be.
 */
#include "codegen/lanes/lanes_impl.h"

struct symbol {
    const char *text;
    enum lane_binds binds;
};

static struct symbol symbol_of(enum binary_op op)
{
    static const struct symbol symbols[] = {
        [BINARY_MUL] = {"*", BINDS_MUL},     [BINARY_DIV] = {"/", BINDS_MUL},
        [BINARY_REM] = {"%", BINDS_MUL},     [BINARY_ADD] = {"+", BINDS_ADD},
        [BINARY_SUB] = {"-", BINDS_ADD},     [BINARY_SHL] = {"<<", BINDS_SHIFT},
        [BINARY_SHR] = {">>", BINDS_SHIFT},  [BINARY_LT] = {"<", BINDS_COMPARE},
        [BINARY_GT] = {">", BINDS_COMPARE},  [BINARY_LE] = {"<=", BINDS_COMPARE},
        [BINARY_GE] = {">=", BINDS_COMPARE}, [BINARY_EQ] = {"==", BINDS_COMPARE},
        [BINARY_NE] = {"!=", BINDS_COMPARE}, [BINARY_AND] = {"&", BINDS_BITS},
        [BINARY_XOR] = {"^", BINDS_BITS},    [BINARY_OR] = {"|", BINDS_BITS},
        [BINARY_LAND] = {"&", BINDS_BITS},   [BINARY_LOR] = {"|", BINDS_BITS},
    };
    return symbols[op];
}

/* ---- scalars -------------------------------------------------------------------------------- */

static struct lane_value scalar(struct lanes *lanes, const struct expr *expr)
{
    const char *text = out_expr_text(lanes->emit->out, lanes->arena, expr, &lanes->names);
    bool tight = expr->kind == EXPR_VAR || expr->kind == EXPR_PLACE || expr->kind == EXPR_INDEX ||
                 expr->kind == EXPR_CALL ||
                 ((expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT) && text[0] != '-');
    bool arithmetic = expr->kind == EXPR_BINARY && expr->binary <= BINARY_SUB;
    enum lane_binds binds = tight        ? BINDS_TIGHT
                            : arithmetic ? symbol_of(expr->binary).binds
                                         : BINDS_LOOSE;
    return (struct lane_value){text, binds, FORM_SCALAR};
}

/* A scalar of any other type than these is not what a vector's component is in all compilers. */
static bool is_operand(const struct type *type)
{
    return type->kind == TYPE_DOUBLE || type->kind == TYPE_FLOAT || type->kind == TYPE_INT ||
           type->kind == TYPE_UINT;
}

/* Prints an operand that stands beside a vector: a scalar stays one. */
static struct lane_value operand(struct lanes *lanes, const struct expr *expr)
{
    struct lane_value value = lanes_value(lanes, expr);
    bool stays = value.form == FORM_VECTOR || (value.form == FORM_SCALAR && is_operand(expr->type));
    return stays ? value : lanes_to_vector(lanes, value, expr->type);
}

const char *lanes_vector(struct lanes *lanes, const struct expr *expr)
{
    return lanes_to_vector(lanes, lanes_value(lanes, expr), expr->type).text;
}

const char *lanes_mask(struct lanes *lanes, const struct expr *expr)
{
    return lanes_to_mask(lanes, lanes_value(lanes, expr), expr->type).text;
}

/* ---- operators ------------------------------------------------------------------------------ */

static struct lane_value unary(struct lanes *lanes, const struct expr *expr)
{
    const struct type *type = expr->kid[0]->type;
    struct lane_value value;
    switch (expr->unary) {
    case UNARY_NOT:
        value = lanes_to_mask(lanes, lanes_value(lanes, expr->kid[0]), type);
        return (struct lane_value){
            lanes_format(lanes, "~%s", lanes_operand(lanes, value, BINDS_UNARY)), BINDS_UNARY,
            FORM_MASK};
    case UNARY_PLUS:
        return lanes_to_vector(lanes, lanes_value(lanes, expr->kid[0]), type);
    default:
        value = lanes_to_vector(lanes, lanes_value(lanes, expr->kid[0]), type);
        return (struct lane_value){lanes_format(lanes, "%c%s", expr->unary == UNARY_NEG ? '-' : '~',
                                                lanes_operand(lanes, value, BINDS_TIGHT)),
                                   BINDS_UNARY, FORM_VECTOR};
    }
}

static struct lane_value logical(struct lanes *lanes, const struct expr *expr)
{
    struct lane_value kid[2];
    for (int k = 0; k < 2; k++) {
        kid[k] = lanes_to_mask(lanes, lanes_value(lanes, expr->kid[k]), expr->kid[k]->type);
    }
    const char *text =
        lanes_format(lanes, "%s %s %s", lanes_operand(lanes, kid[0], BINDS_UNARY),
                     symbol_of(expr->binary).text, lanes_operand(lanes, kid[1], BINDS_UNARY));
    return (struct lane_value){text, BINDS_BITS, FORM_MASK};
}

/* The right operand of a shift may have another type. */
static struct lane_value right_operand(struct lanes *lanes, const struct expr *expr)
{
    const struct type *type = expr->kid[0]->type;
    if (expr->binary != BINARY_SHL && expr->binary != BINARY_SHR) {
        return operand(lanes, expr->kid[1]);
    }
    struct lane_value value =
        lanes_to_vector(lanes, lanes_value(lanes, expr->kid[1]), expr->kid[1]->type);
    return lanes_convert(lanes, value, expr->kid[1]->type, type);
}

static struct lane_value arithmetic(struct lanes *lanes, const struct expr *expr)
{
    struct symbol symbol = symbol_of(expr->binary);
    struct lane_value left = operand(lanes, expr->kid[0]);
    struct lane_value right = right_operand(lanes, expr);
    bool bits = symbol.binds <= BINDS_SHIFT;
    enum lane_binds least = bits ? BINDS_ADD : symbol.binds;
    if (left.form == FORM_SCALAR && right.form == FORM_SCALAR) { /* a shift's left side */
        left = lanes_to_vector(lanes, left, expr->kid[0]->type);
    }
    const char *text =
        lanes_format(lanes, "%s %s %s", lanes_operand(lanes, left, least), symbol.text,
                     lanes_operand(lanes, right, bits ? least : least + 1));
    if (symbol.binds != BINDS_COMPARE) {
        return (struct lane_value){text, symbol.binds, FORM_VECTOR};
    }
    const char *word = lanes_type_word(expr->kid[0]->type);
    return (struct lane_value){lanes_format(lanes, "CLEAVE_V(mask_of_%s)(%s)", word, text),
                               BINDS_TIGHT, FORM_MASK};
}

static struct lane_value select(struct lanes *lanes, const struct expr *expr)
{
    const char *mask = lanes_mask(lanes, expr->kid[0]);
    bool masks = lanes_is_mask(lanes, expr);
    const char *word = masks ? "mask" : lanes_type_word(expr->type);
    const char *yes = masks ? lanes_mask(lanes, expr->kid[1]) : lanes_vector(lanes, expr->kid[1]);
    const char *no = masks ? lanes_mask(lanes, expr->kid[2]) : lanes_vector(lanes, expr->kid[2]);
    return (struct lane_value){
        lanes_format(lanes, "CLEAVE_V(select_%s)(%s, %s, %s)", word, mask, yes, no), BINDS_TIGHT,
        masks ? FORM_MASK : FORM_VECTOR};
}

/* ---- the whole ------------------------------------------------------------------------------ */

static struct lane_value leaf(struct lanes *lanes, const struct expr *expr)
{
    if (expr->kind == EXPR_PLACE) {
        const struct lane_data *data = lanes_data_of(lanes, &expr->place);
        return (struct lane_value){data->now[expr->place.component], BINDS_TIGHT, FORM_VECTOR};
    }
    const struct lane_var *var = lanes_var(lanes, expr->var);
    return (struct lane_value){var->name, BINDS_TIGHT, var->mask ? FORM_MASK : FORM_VECTOR};
}

struct lane_value lanes_value(struct lanes *lanes, const struct expr *expr)
{
    if (!lanes_varies(lanes, expr)) {
        return scalar(lanes, expr);
    }
    switch (expr->kind) {
    case EXPR_UNARY:
        return unary(lanes, expr);
    case EXPR_BINARY:
        return expr->binary == BINARY_LAND || expr->binary == BINARY_LOR ? logical(lanes, expr)
                                                                         : arithmetic(lanes, expr);
    case EXPR_COND:
        return select(lanes, expr);
    case EXPR_CAST:
        return lanes_convert(lanes, lanes_value(lanes, expr->kid[0]), expr->kid[0]->type,
                             expr->type);
    case EXPR_CALL:
        return lanes_call(lanes, expr);
    default:
        return leaf(lanes, expr);
    }
}
