/* cuda_owner_adds.c: the additions of an item to the sums of its point.
 *
 * In: a GATHER stage with its body, and its sums (cuda_owner_sums.c). Out: the body, with additions
 * behind its statements. Columns that add the same value up to its sign add it at once, so that the
 * lanes of a warp, whose items name their points through different columns, do not diverge.
 */
#include <string.h>

#include "codegen/cuda/cuda_owner.h"
#include "pass/ir/arena.h"

/* "cleave_p_res_0 += f;", "cleave_lower(cleave_p_low_0, f);" */
static void print_sum(struct emit *emit, const struct owner_sum *sum, int c, const char *value)
{
    const char *name = owner_sum_name(emit, sum, c);
    if (sum->access == ACCESS_INC) {
        out_assign(emit->out, name, "+=", value);
    } else {
        out_line(emit->out, "cleave_%s(%s, %s);", sum->access == ACCESS_MIN ? "lower" : "raise",
                 name, value);
    }
}

/* Position of the value that column k adds to component c in the tables of a struct cuda_update;
 * -1: the column modifies nothing, or the first one stands for it. */
static int position_of(const struct owner_sum *sum, int k, int c)
{
    int at = k * sum->update.components + c;
    return sum->update.value_of[at] >= 0 && (k == 0 || !sum->exchanges) ? at : -1;
}

static const char *value_of(struct emit *emit, const struct owner_sum *sum, int at)
{
    const char *value = sum->update.value[sum->update.value_of[at]];
    return sum->update.negative[at] ? cuda_negative(emit, value) : value;
}

static unsigned modified_columns(const struct owner_sum *sum)
{
    unsigned columns = 0;
    for (int k = 0; k < sum->update.columns; k++) {
        columns |= (unsigned)(position_of(sum, k, 0) >= 0) << k;
    }
    return columns;
}

/* Whether all columns add the same value to component c, up to sign; *minus: columns that subtract
 * it. */
static bool is_common(const struct owner_sum *sum, int c, unsigned *minus)
{
    unsigned columns = modified_columns(sum);
    int first = position_of(sum, __builtin_ctz(columns), c);
    *minus = 0;
    for (int k = 0; k < sum->update.columns; k++) {
        int at = position_of(sum, k, c);
        if (at >= 0 && sum->update.value_of[at] != sum->update.value_of[first]) {
            return false;
        }
        *minus |= (unsigned)(at >= 0 && sum->update.negative[at]) << k;
    }
    return true;
}

/* Whether some columns add the value and others subtract it. */
static bool is_signed(const struct owner_sum *sum, unsigned minus)
{
    return minus != 0 && minus != modified_columns(sum);
}

/* Columns that subtract, of the first component that some columns add and others subtract; 0: there
 * is none. Only for floating-point dats: multiplying by a sign is free, because it fuses with the
 * addition. */
static unsigned find_minus(const struct owner_sum *sum)
{
    for (int c = 0; c < sum->update.components && type_is_floating(sum->dat->type); c++) {
        unsigned minus;
        if (is_common(sum, c, &minus) && is_signed(sum, minus)) {
            return minus;
        }
    }
    return 0;
}

/* "cleave_column == 1", "(0xau >> cleave_column & 1) != 0" */
static const char *column_is(struct emit *emit, unsigned columns)
{
    return (columns & (columns - 1)) == 0
               ? emit_format(emit, "cleave_column == %d", __builtin_ctz(columns))
               : emit_format(emit, "(0x%xu >> cleave_column & 1) != 0", columns);
}

/* ---- what an item adds --------------------------------------------------------------------------
 */

/* How the columns' values of a component are combined, so that all lanes of a warp add at once. */
enum joined {
    JOINED_COMMON, /* all columns add the same value */
    JOINED_SIGNED, /* all columns add the same value, up to the dat's sign (owner_sum.minus) */
    JOINED_CHOICE, /* two columns: each lane chooses its own */
    JOINED_NOT     /* the columns take turns */
};

static enum joined joined_by(const struct owner_sum *sum, int c)
{
    unsigned minus;
    if (is_common(sum, c, &minus) && !is_signed(sum, minus)) {
        return JOINED_COMMON;
    }
    if (is_common(sum, c, &minus) && minus == sum->minus) {
        return JOINED_SIGNED;
    }
    return __builtin_popcount(modified_columns(sum)) == 2 ? JOINED_CHOICE : JOINED_NOT;
}

/* Returns the product that is a component's value if the stage sets the value once; else NULL. */
static const struct expr *product_of(const struct emit *emit, const struct owner_sum *sum, int c)
{
    const struct stage *stage = emit->stage;
    const struct expr *product = NULL;
    for (int u = 0; u < stage->updates; u++) {
        const struct update *update = &stage->update[u];
        if (emit->shape->dat_of[update->place.arg] != emit->shape->dat_of[sum->update.arg] ||
            update->place.component != sum->update.component[c]) {
            continue;
        }
        product = update->scale == NULL ? cuda_only_value(stage, update) : NULL;
        if (product == NULL || product->kind != EXPR_BINARY || product->binary != BINARY_MUL) {
            return NULL;
        }
    }
    return product;
}

static const char *factor(struct emit *emit, const struct expr *expr)
{
    const char *text = out_expr_text(emit->out, emit->file->program->arena, expr, &emit->names);
    return expr->kids > 0 ? emit_format(emit, "(%s)", text) : text;
}

/* Applies the sign to the factor that several products may share: each product can then still fuse
 * with its addition. The bits do not depend on the factor. */
static const char *signed_product(struct emit *emit, const struct owner_sum *sum,
                                  const struct expr *product)
{
    int shared = product->kid[1]->kids > 0 && product->kid[0]->kids == 0 ? 0 : 1;
    return emit_format(emit, "%s * (cleave_sign_%s * %s)", factor(emit, product->kid[1 - shared]),
                       sum->dat->label, factor(emit, product->kid[shared]));
}

static const char *signed_value(struct emit *emit, const struct owner_sum *sum, int c)
{
    int at = position_of(sum, __builtin_ctz(modified_columns(sum)), c);
    const char *value = sum->update.value[sum->update.value_of[at]];
    const struct expr *product = product_of(emit, sum, c);
    if (product != NULL) {
        return signed_product(emit, sum, product);
    }
    bool simple = strpbrk(value, " -+*/") == NULL;
    return emit_format(emit, simple ? "cleave_sign_%s * %s" : "cleave_sign_%s * (%s)",
                       sum->dat->label, value);
}

static const char *chosen_value(struct emit *emit, const struct owner_sum *sum, int c)
{
    unsigned columns = modified_columns(sum);
    int one = __builtin_ctz(columns);
    int other = __builtin_ctz(columns & (columns - 1));
    const char *value = value_of(emit, sum, position_of(sum, one, c));
    const char *otherwise = value_of(emit, sum, position_of(sum, other, c));
    return strcmp(value, otherwise) == 0
               ? value
               : emit_format(emit, "cleave_choose<%s>(%s, %s, %s)", sum->type,
                             column_is(emit, 1u << one), value, otherwise);
}

static void print_component(struct emit *emit, const struct owner_sum *sum, int c)
{
    int first = position_of(sum, __builtin_ctz(modified_columns(sum)), c);
    switch (joined_by(sum, c)) {
    case JOINED_COMMON:
        print_sum(emit, sum, c, value_of(emit, sum, first));
        break;
    case JOINED_SIGNED:
        print_sum(emit, sum, c, signed_value(emit, sum, c));
        break;
    case JOINED_CHOICE:
        print_sum(emit, sum, c, chosen_value(emit, sum, c));
        break;
    case JOINED_NOT:
        break;
    }
}

static bool takes_turns(const struct owner_sum *sum)
{
    bool turns = false;
    for (int c = 0; c < sum->update.components; c++) {
        turns = turns || joined_by(sum, c) == JOINED_NOT;
    }
    return turns;
}

/* Returns what column k adds to a component in its turn; NULL: nothing. */
static const char *turn_value(struct emit *emit, const struct owner_sum *sum, int k, int c)
{
    int at = position_of(sum, k, c);
    if (at < 0 || joined_by(sum, c) != JOINED_NOT) {
        return NULL;
    }
    const char *value = value_of(emit, sum, at);
    return sum->access == ACCESS_INC && strcmp(value, "0") == 0 ? NULL : value;
}

static bool has_turn(struct emit *emit, const struct owner_sum *sum, int k)
{
    bool has = false;
    for (int c = 0; c < sum->update.components; c++) {
        has = has || turn_value(emit, sum, k, c) != NULL;
    }
    return has;
}

/* The components whose columns take turns. */
static void print_cases(struct emit *emit, const struct owner_sum *sum)
{
    const struct shape_map *map = cuda_map(emit, sum->update.arg);
    out_line(emit->out, "switch (cleave_column) {");
    for (int k = 0; k < sum->update.columns; k++) {
        if (!has_turn(emit, sum, k)) {
            continue;
        }
        out_line(emit->out, "case %d: // %s[%d]", k, map->label, map->column[k]);
        emit->out->indent += 4;
        for (int c = 0; c < sum->update.components; c++) {
            const char *value = turn_value(emit, sum, k, c);
            if (value != NULL) {
                print_sum(emit, sum, c, value);
            }
        }
        out_line(emit->out, "break;");
        emit->out->indent -= 4;
    }
    out_line(emit->out, "}");
}

/* ---- when it is known ---------------------------------------------------------------------------
 */

/* All sums of a stage. A component is added right behind the last statement that changes its value,
 * so that no register holds the value longer than necessary. */
struct sums {
    int sums;
    struct owner_sum *sum;
    int **ready; /* [sums][components] */
};

static int ready_of(const struct emit *emit, const struct stage *stage, const struct owner_sum *sum,
                    int component)
{
    int ready = -1;
    for (int u = 0; u < stage->updates; u++) {
        const struct place *place = &stage->update[u].place;
        if (emit->shape->dat_of[place->arg] == emit->shape->dat_of[sum->update.arg] &&
            place->component == component) {
            int last = cuda_last_change(stage, &stage->update[u]);
            ready = last > ready ? last : ready;
        }
    }
    return ready;
}

static void print_sign(struct emit *emit, const struct owner_sum *sum)
{
    if (sum->minus != 0) {
        out_line(emit->out, "const %s cleave_sign_%s = %s ? %s(-1) : %s(1);", sum->type,
                 sum->dat->label, column_is(emit, sum->minus), sum->type, sum->type);
    }
}

/* Runs after the body's pointers are declared, because the values need them. */
static void find_values(struct emit *emit, struct sums *sums)
{
    struct arena *arena = emit->file->program->arena;
    sums->sums = owner_find_sums(emit, emit->stage, true, &sums->sum);
    sums->ready = arena_alloc(arena, (size_t)sums->sums * sizeof(*sums->ready));
    for (int n = 0; n < sums->sums; n++) {
        const struct cuda_update *update = &sums->sum[n].update;
        sums->ready[n] = arena_alloc(arena, (size_t)update->components * sizeof(int));
        sums->sum[n].exchanges = cuda_exchanges(emit);
        sums->sum[n].minus = find_minus(&sums->sum[n]);
        for (int c = 0; c < update->components; c++) {
            sums->ready[n][c] = ready_of(emit, emit->stage, &sums->sum[n], update->component[c]);
        }
        print_sign(emit, &sums->sum[n]);
    }
}

/* Adds the components whose values are final after the statement; -1: before any statement. */
static void print_ready(struct emit *emit, int statement, void *user)
{
    struct sums *sums = user;
    if (sums->sum == NULL) {
        find_values(emit, sums);
    }
    for (int n = 0; n < sums->sums; n++) {
        for (int c = 0; c < sums->sum[n].update.components; c++) {
            if (sums->ready[n][c] == statement) {
                print_component(emit, &sums->sum[n], c);
            }
        }
    }
}

/* 1: everything that this variable's updates add is spelled out as a signed product. */
static bool is_spelled_out(const struct emit *emit, const struct sums *sums, const struct var *var)
{
    const struct stage *stage = emit->stage;
    for (int u = 0; u < stage->updates; u++) {
        const struct update *update = &stage->update[u];
        bool found = update->value->kind != EXPR_VAR || update->value->var != var;
        for (int n = 0; n < sums->sums && !found; n++) {
            const struct owner_sum *sum = &sums->sum[n];
            for (int c = 0; c < sum->update.components && !found; c++) {
                found = emit->shape->dat_of[update->place.arg] ==
                            emit->shape->dat_of[sum->update.arg] &&
                        update->place.component == sum->update.component[c] &&
                        joined_by(sum, c) == JOINED_SIGNED && product_of(emit, sum, c) != NULL;
            }
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

/* Compilers warn of a variable that nothing reads. */
static bool leaves_out(struct emit *emit, int statement, void *user)
{
    struct sums *sums = user;
    const struct expr *assign = emit->stage->body->kid[statement]->expr;
    if (sums->sum == NULL) {
        find_values(emit, sums);
    }
    if (emit->stage->body->kid[statement]->kind != STMT_EXPR || assign->kind != EXPR_ASSIGN ||
        assign->kid[0]->kind != EXPR_VAR) {
        return false;
    }
    const struct var *var = assign->kid[0]->var;
    for (int u = 0; u < emit->stage->updates; u++) {
        const struct update *update = &emit->stage->update[u];
        if (update->value->kind == EXPR_VAR && update->value->var == var) {
            return !cuda_is_named_besides(emit->stage, var, statement) &&
                   is_spelled_out(emit, sums, var);
        }
    }
    return false;
}

void cuda_owner_body(struct emit *emit)
{
    struct sums sums = {.sum = NULL};
    emit_stage_inline_each(emit, emit->stage, leaves_out, print_ready, &sums);
    print_ready(emit, -1, &sums);
    for (int n = 0; n < sums.sums; n++) {
        if (takes_turns(&sums.sum[n])) {
            print_cases(emit, &sums.sum[n]);
        }
    }
}
