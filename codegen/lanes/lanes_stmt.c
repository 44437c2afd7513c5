/* lanes_stmt.c: the statements of a body on vectors.
 *
 * A variable that differs between lanes is a vector; one that does not stays a scalar. Under a
 * condition that differs, an assignment selects: lanes that are off keep what they had.
 */
#include "codegen/lanes/lanes_impl.h"

/* ---- values computed lane by lane ------------------------------------------------------------ */

static bool is_by_lane(const struct lanes *lanes, const struct expr *expr)
{
    return expr != NULL && lanes_varies(lanes, expr) &&
           (expr->kind == EXPR_INDEX || (expr->kind == EXPR_CALL && !lanes_calls_vector(expr)));
}

/* var = pow(x, gam), for each lane. Lanes that are off read records of their own by a subscript of
 * another lane: what they find there may trap, so they get that lane's value. */
static void print_by_lane(struct lanes *lanes, const struct lane_var *var, const struct expr *expr)
{
    const char *value = lanes_one_lane(lanes, expr);
    bool fills = lanes->depth > 0 && lanes->branch[lanes->depth - 1].fills;
    lanes_line(lanes, var->mask ? "CLEAVE_LANEWISE(%s, %s ? -1 : 0);" : "CLEAVE_LANEWISE(%s, %s);",
               var->name, value);
    if (fills && expr->kind == EXPR_INDEX) {
        lanes_line(lanes, "%s = CLEAVE_V(fill_%s)(%s, %s);", var->name,
                   var->mask ? "mask" : lanes_type_word(var->var->type),
                   lanes->branch[lanes->depth - 1].on, var->name);
    }
}

/* ---- declarations --------------------------------------------------------------------------- */

static void print_scalar(struct lanes *lanes, const struct lane_var *var, const struct expr *value)
{
    struct emit *emit = lanes->emit;
    const char *name = names_var(var->var, emit);
    const char *declaration = emit_declaration(emit, emit_writable(emit, var->var->type), name);
    const char *text =
        value != NULL ? out_expr_text(emit->out, lanes->arena, value, &lanes->names) : "0";
    bool constant = value != NULL && var->assigns == 0;
    lanes_line(lanes, "%s%s = %s;", constant ? "const " : "", declaration, text);
}

static const char *value_text(struct lanes *lanes, const struct lane_var *var,
                              const struct expr *value)
{
    if (value == NULL) {
        return lanes_format(lanes, "CLEAVE_V(set_%s)(0)",
                            var->mask ? "mask" : lanes_type_word(var->var->type));
    }
    return var->mask ? lanes_mask(lanes, value) : lanes_vector(lanes, value);
}

static const char *var_type(struct lanes *lanes, const struct lane_var *var)
{
    return var->mask ? "CLEAVE_V(mask)" : lanes_type(lanes, var->var->type);
}

/* assigns: how often the variable is assigned after this. */
static void print_declaration(struct lanes *lanes, struct lane_var *var, const struct expr *value,
                              int assigns)
{
    const char *type = var_type(lanes, var);
    var->name = names_var(var->var, lanes->emit);
    if (!var->varies) {
        print_scalar(lanes, var, value);
    } else if (is_by_lane(lanes, value)) {
        lanes_line(lanes, "%s %s;", type, var->name);
        print_by_lane(lanes, var, value);
    } else {
        const char *constant = value != NULL && assigns == 0 ? "const " : "";
        lanes_line(lanes, "%s%s %s = %s;", constant, type, var->name,
                   value_text(lanes, var, value));
    }
}

/* ---- assignments ---------------------------------------------------------------------------- */

const char *lanes_mask_since(struct lanes *lanes, int depth)
{
    const char *mask = NULL;
    if (depth == 0 && lanes->depth > 0) {
        return lanes->branch[lanes->depth - 1].on;
    }
    for (int d = depth; d < lanes->depth; d++) {
        const char *condition = lanes->branch[d].condition;
        mask = mask == NULL ? condition : lanes_format(lanes, "%s & %s", mask, condition);
    }
    return mask;
}

/* place = value, in the lanes that are on since `depth`. */
static void print_select(struct lanes *lanes, const char *place, const char *word, int depth,
                         const char *value)
{
    const char *mask = lanes_mask_since(lanes, depth);
    const char *text = mask == NULL ? value
                                    : lanes_format(lanes, "CLEAVE_V(select_%s)(%s, %s, %s)", word,
                                                   mask, value, place);
    lanes_line(lanes, "%s = %s;", place, text);
}

static void assign_var(struct lanes *lanes, const struct expr *expr)
{
    struct lane_var *var = lanes_var(lanes, expr->kid[0]->var);
    const char *name = names_var(var->var, lanes->emit);
    if (!var->varies) {
        lanes_line(lanes, "%s = %s;", name,
                   out_expr_text(lanes->emit->out, lanes->arena, expr->kid[1], &lanes->names));
        return;
    }
    print_select(lanes, name, var->mask ? "mask" : lanes_type_word(var->var->type), var->depth,
                 value_text(lanes, var, expr->kid[1]));
}

static struct expr cast_of(struct expr **kid, const struct type *type)
{
    return (struct expr){.kind = EXPR_CAST, .type = type, .kids = 1, .kid = kid};
}

/* The value that a component gets; compound: computed from the old one. */
static const char *stored_value(struct lanes *lanes, const struct expr *expr)
{
    const struct type *type = expr->kid[0]->type;
    if (!expr->compound) {
        struct expr cast = cast_of(&expr->kid[1], type);
        return lanes_vector(lanes, type_same(type, expr->kid[1]->type) ? expr->kid[1] : &cast);
    }
    struct expr old = cast_of(&expr->kid[0], expr->compute);
    struct expr by = cast_of(&expr->kid[1], expr->compute);
    struct expr *kid[2] = {&old, &by};
    struct expr result = {.kind = EXPR_BINARY, .type = expr->compute, .kids = 2, .kid = kid};
    struct expr *computed = &result;
    result.binary = expr->binary;
    struct expr cast = cast_of(&computed, type);
    return lanes_vector(lanes, &cast);
}

static void assign_place(struct lanes *lanes, const struct expr *expr)
{
    const struct place *place = &expr->kid[0]->place;
    struct lane_data *data = lanes_data_of(lanes, place);
    const char *name = lanes_format(lanes, "%s[%d]", data->name, place->component);
    print_select(lanes, name, lanes_type_word(data->type), 0, stored_value(lanes, expr));
}

/* ---- the whole ------------------------------------------------------------------------------ */

static bool is_made(const struct lanes *lanes, const struct var *var)
{
    for (int v = 0; v < lanes->stage->makes; v++) {
        if (lanes->stage->make[v] == var) {
            return true;
        }
    }
    return false;
}

static bool mentions(const struct stmt *stmt, const struct var *var);

static bool expr_mentions(const struct expr *expr, const struct var *var)
{
    bool found = expr != NULL && expr->kind == EXPR_VAR && expr->var == var;
    for (int k = 0; expr != NULL && k < expr->kids && !found; k++) {
        found = expr_mentions(expr->kid[k], var);
    }
    return found;
}

static bool mentions(const struct stmt *stmt, const struct var *var)
{
    bool found = expr_mentions(stmt->expr, var);
    for (int k = 0; k < stmt->kids && !found; k++) {
        found = mentions(stmt->kid[k], var);
    }
    return found;
}

/* The statement of the body that may declare a variable that updates take: it sets it always, and
 * before any other names it. */
static const struct stmt *declares(const struct lanes *lanes, const struct var *var)
{
    for (int k = 0; k < lanes->body->kids; k++) {
        const struct stmt *stmt = lanes->body->kid[k];
        if (mentions(stmt, var)) {
            bool sets = stmt->kind == STMT_EXPR && stmt->expr->kid[0]->kind == EXPR_VAR &&
                        stmt->expr->kid[0]->var == var && !expr_mentions(stmt->expr->kid[1], var);
            return sets ? stmt : NULL;
        }
    }
    return NULL;
}

void lanes_declare_made(struct lanes *lanes)
{
    for (int v = 0; v < lanes->stage->makes; v++) {
        struct lane_var *var = lanes_var(lanes, lanes->stage->make[v]);
        if (declares(lanes, var->var) == NULL) {
            print_declaration(lanes, var, NULL, var->assigns);
        }
    }
}

static void print_assignment(struct lanes *lanes, const struct stmt *stmt)
{
    const struct expr *expr = stmt->expr;
    if (expr->kid[0]->kind == EXPR_PLACE) {
        assign_place(lanes, expr);
        return;
    }
    struct lane_var *var = lanes_var(lanes, expr->kid[0]->var);
    if (is_made(lanes, var->var) && declares(lanes, var->var) == stmt) {
        print_declaration(lanes, var, expr->kid[1], var->assigns - 1);
    } else {
        assign_var(lanes, expr);
    }
}

void lanes_print_block(struct lanes *lanes, const struct stmt *block)
{
    for (int k = 0; k < block->kids; k++) {
        const struct stmt *stmt = block->kid[k];
        switch (stmt->kind) {
        case STMT_DECL: {
            struct lane_var *var = lanes_var(lanes, stmt->var);
            print_declaration(lanes, var, stmt->expr, var->assigns);
            break;
        }
        case STMT_IF:
            lanes_print_if(lanes, stmt);
            break;
        case STMT_WHILE:
            lanes_print_while(lanes, stmt);
            break;
        case STMT_NOTHING:
            break;
        case STMT_BLOCK:
            lanes_print_block(lanes, stmt);
            break;
        default:
            print_assignment(lanes, stmt);
            break;
        }
        lanes_refresh(lanes, stmt);
    }
}
