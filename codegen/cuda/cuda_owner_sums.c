/* cuda_owner_sums.c: what the points of a block add up of the elements that name them.
 *
 * In: a GATHER stage with its body (cuda_owner.c). Out: registers that sum one component of the
 * thread's point each, what an item adds to them, and how they go to memory: through shared memory,
 * where they take the place of the neighbourhood, and from there side by side. Columns that add the
 * same value up to its sign add it at once, so that the lanes of a warp, whose items name their
 * points through any column, do not wait for each other.
 */
#include <string.h>

#include "codegen/cuda/cuda.h"
#include "pass/arena.h"

/* One dat that the stage updates. */
struct sum {
    struct cuda_update update;
    const struct shape_dat *dat;
    enum access access;
    const char *type;
    int stride;     /* of the points' records in shared memory */
    unsigned minus; /* columns that subtract what others add, see find_minus() */
};

/* Whole records lie as in memory, so that one bulk addition takes them (cleave_own_is_bulk); others
 * an odd number of elements apart, because of the banks. */
static int stride_of(const struct emit *emit, const struct cuda_update *update, int dim)
{
    const struct arg *arg = &emit->loop->arg[update->arg];
    bool bulk = arg->access == ACCESS_INC && update->components == dim && arg->type->size >= 4;
    return bulk ? dim : update->components | 1;
}

static bool stage_updates(const struct emit *emit, const struct stage *stage, int arg)
{
    for (int u = 0; u < stage->updates; u++) {
        int a = stage->update[u].place.arg;
        if (emit->shape->dat_of[a] == emit->shape->dat_of[arg] &&
            emit->shape->map_of[a] == emit->shape->map_of[arg]) {
            return true;
        }
    }
    return false;
}

/* All of the stage's dats; with values: what elements add, whose pointers must have been declared.
 */
static int find_sums(struct emit *emit, const struct stage *stage, bool values, struct sum **out)
{
    struct sum *sum = arena_alloc(emit->program->arena, (size_t)emit->loop->args * sizeof(*sum));
    int map = emit->shape->map_of[stage->map];
    int count = 0;
    int arg;
    for (int n = 0; (arg = cuda_update_arg(emit, map, n)) >= 0; n++) {
        if (stage_updates(emit, stage, arg)) {
            struct sum *found = &sum[count++];
            found->update = values ? cuda_find_update(emit, arg) : cuda_find_components(emit, arg);
            found->dat = cuda_dat(emit, arg);
            found->access = emit->loop->arg[arg].access;
            found->type = cuda_type(emit, arg);
            found->stride = stride_of(emit, &found->update, found->dat->dim);
        }
    }
    *out = sum;
    return count;
}

static const char *sum_name(struct emit *emit, const struct sum *sum, int c)
{
    const struct place place = {sum->update.arg, 0, sum->update.component[c]};
    return cuda_point_register(emit, &place);
}

void cuda_owner_start(struct emit *emit)
{
    struct sum *sum;
    int sums = find_sums(emit, emit->stage, false, &sum);
    for (int n = 0; n < sums; n++) {
        const char *start =
            sum[n].access == ACCESS_INC
                ? "0"
                : emit_format(emit, "cleave_%s<%s>()",
                              sum[n].access == ACCESS_MIN ? "highest" : "lowest", sum[n].type);
        for (int c = 0; c < sum[n].update.components; c++) {
            out_line(emit->out, "%s %s = %s;", sum[n].type, sum_name(emit, &sum[n], c), start);
        }
    }
}

/* "cleave_p_res_0 += f;", "cleave_lower(cleave_p_low_0, f);" */
static void print_sum(struct emit *emit, const struct sum *sum, int c, const char *value)
{
    const char *name = sum_name(emit, sum, c);
    if (sum->access == ACCESS_INC) {
        out_assign(emit->out, name, "+=", value);
    } else {
        out_line(emit->out, "cleave_%s(%s, %s);", sum->access == ACCESS_MIN ? "lower" : "raise",
                 name, value);
    }
}

/* Position of what column k adds to component c, in the tables of a struct cuda_update; -1: the
 * column modifies nothing. */
static int position_of(const struct sum *sum, int k, int c)
{
    int at = k * sum->update.components + c;
    return sum->update.value_of[at] >= 0 ? at : -1;
}

static const char *value_of(struct emit *emit, const struct sum *sum, int at)
{
    const char *value = sum->update.value[sum->update.value_of[at]];
    return sum->update.negative[at] ? cuda_negative(emit, value) : value;
}

static unsigned modified_columns(const struct sum *sum)
{
    unsigned columns = 0;
    for (int k = 0; k < sum->update.columns; k++) {
        columns |= (unsigned)(position_of(sum, k, 0) >= 0) << k;
    }
    return columns;
}

/* Whether all columns add the same to component c, up to sign; *minus: those that subtract it. */
static bool is_common(const struct sum *sum, int c, unsigned *minus)
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

/* Some columns add it and others subtract it. */
static bool is_signed(const struct sum *sum, unsigned minus)
{
    return minus != 0 && minus != modified_columns(sum);
}

/* Floating numbers are multiplied by a sign, which costs nothing beside the addition: that of the
 * first component that has one; 0: none has. */
static unsigned find_minus(const struct sum *sum)
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

/* How the columns' values of a component become one that all lanes of a warp add at once. */
enum joined {
    JOINED_COMMON, /* all columns add the same, */
    JOINED_SIGNED, /* or up to the sign that the dat's sums have */
    JOINED_CHOICE, /* two columns: each lane chooses its own */
    JOINED_NOT     /* the columns take turns */
};

static enum joined joined_by(const struct sum *sum, int c)
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

/* The product that a component's value is, if the stage sets it once, as that; else NULL. */
static const struct expr *product_of(const struct emit *emit, const struct sum *sum, int c)
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
    const char *text = out_expr_text(emit->out, emit->program->arena, expr, &emit->names);
    return expr->kids > 0 ? emit_format(emit, "(%s)", text) : text;
}

/* A sign changes no product's magnitude wherever it stands: at a factor that several products may
 * share it leaves each of them to be fused with its addition. */
static const char *signed_product(struct emit *emit, const struct sum *sum,
                                  const struct expr *product)
{
    int shared = product->kid[1]->kids > 0 && product->kid[0]->kids == 0 ? 0 : 1;
    return emit_format(emit, "%s * (cleave_sign_%s * %s)", factor(emit, product->kid[1 - shared]),
                       sum->dat->label, factor(emit, product->kid[shared]));
}

static const char *signed_value(struct emit *emit, const struct sum *sum, int c)
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

static const char *chosen_value(struct emit *emit, const struct sum *sum, int c)
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

static void print_component(struct emit *emit, const struct sum *sum, int c)
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

static bool takes_turns(const struct sum *sum)
{
    bool turns = false;
    for (int c = 0; c < sum->update.components; c++) {
        turns = turns || joined_by(sum, c) == JOINED_NOT;
    }
    return turns;
}

/* What column k adds to a component in its turn; NULL: nothing. */
static const char *turn_value(struct emit *emit, const struct sum *sum, int k, int c)
{
    int at = position_of(sum, k, c);
    if (at < 0 || joined_by(sum, c) != JOINED_NOT) {
        return NULL;
    }
    const char *value = value_of(emit, sum, at);
    return sum->access == ACCESS_INC && strcmp(value, "0") == 0 ? NULL : value;
}

static bool has_turn(struct emit *emit, const struct sum *sum, int k)
{
    bool has = false;
    for (int c = 0; c < sum->update.components; c++) {
        has = has || turn_value(emit, sum, k, c) != NULL;
    }
    return has;
}

/* The components whose columns take turns. */
static void print_cases(struct emit *emit, const struct sum *sum)
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

/* All sums of a stage: a component is added behind the statement after which what it adds does not
 * change, so that no register keeps it longer than it must. */
struct sums {
    int sums;
    struct sum *sum;
    int **ready; /* [sums][components] */
};

static int ready_of(const struct emit *emit, const struct stage *stage, const struct sum *sum,
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

static void print_sign(struct emit *emit, const struct sum *sum)
{
    if (sum->minus != 0) {
        out_line(emit->out, "const %s cleave_sign_%s = %s ? %s(-1) : %s(1);", sum->type,
                 sum->dat->label, column_is(emit, sum->minus), sum->type, sum->type);
    }
}

/* When the body's pointers have been declared, which the values need. */
static void find_values(struct emit *emit, struct sums *sums)
{
    struct arena *arena = emit->program->arena;
    sums->sums = find_sums(emit, emit->stage, true, &sums->sum);
    sums->ready = arena_alloc(arena, (size_t)sums->sums * sizeof(*sums->ready));
    for (int n = 0; n < sums->sums; n++) {
        const struct cuda_update *update = &sums->sum[n].update;
        sums->ready[n] = arena_alloc(arena, (size_t)update->components * sizeof(int));
        sums->sum[n].minus = find_minus(&sums->sum[n]);
        for (int c = 0; c < update->components; c++) {
            sums->ready[n][c] = ready_of(emit, emit->stage, &sums->sum[n], update->component[c]);
        }
        print_sign(emit, &sums->sum[n]);
    }
}

/* statement -1: what is known without any. */
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
            const struct sum *sum = &sums->sum[n];
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

/* A variable that nothing reads would be a warning. */
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

/* ---- shared memory ------------------------------------------------------------------------------
 */

static const char *offset_field(struct emit *emit, int s, const struct sum *sum)
{
    return emit_format(emit, "sum%d_%s", s + 1, cuda_group(emit, sum->update.arg));
}

void cuda_owner_fields(struct emit *emit, int s)
{
    struct sum *sum;
    int sums = find_sums(emit, &emit->schedule->stage[s], false, &sum);
    for (int n = 1; n < sums; n++) {
        out_line(emit->out, "unsigned %s;", offset_field(emit, s, &sum[n]));
    }
}

void cuda_owner_counts(struct emit *emit, int s)
{
    struct sum *sum;
    int sums = find_sums(emit, &emit->schedule->stage[s], false, &sum);
    out_line(emit->out, "size_t cleave_sums%d = 0;", s + 1);
    for (int n = 0; n < sums; n++) {
        if (n > 0) {
            out_line(emit->out, "cleave_space.%s = (unsigned)cleave_sums%d;",
                     offset_field(emit, s, &sum[n]), s + 1);
        }
        out_assign(emit->out, emit_format(emit, "cleave_sums%d", s + 1), "+=",
                   emit_format(emit,
                               "cleave_round_up((size_t)cleave_plan->block_size * %d * sizeof(%s))",
                               sum[n].stride, sum[n].type));
    }
    out_line(emit->out, "cleave_at = cleave_larger(cleave_at, cleave_sums%d);", s + 1);
}

/* ---- to memory ----------------------------------------------------------------------------------
 */

static const char *offset_of(struct emit *emit, const struct sum *sum, int n)
{
    return n == 0 ? "0"
                  : emit_format(emit, "cleave_space.%s", offset_field(emit, emit->number - 1, sum));
}

static void print_stores(struct emit *emit, const struct sum *sum)
{
    for (int c = 0; c < sum->update.components; c++) {
        const char *at = sum->stride == 1 ? "cleave_thread()"
                                          : emit_format(emit, "%d * cleave_thread()", sum->stride);
        out_line(emit->out, "cleave_sum_%s[%s%s] = %s;", cuda_group(emit, sum->update.arg), at,
                 c > 0 ? emit_format(emit, " + %d", c) : "", sum_name(emit, sum, c));
    }
}

static void print_out(struct emit *emit, const struct sum *sum, int n)
{
    out_line(emit->out, "cleave_own_out_%s<%s, %d, %d%s>(%s, %s, cleave_own);",
             cuda_operation(sum->access), sum->type, sum->dat->dim, sum->stride,
             cuda_components_text(emit, &sum->update), offset_of(emit, sum, n),
             place_dat(emit, sum->dat));
}

void cuda_owner_save(struct emit *emit)
{
    struct sum *sum;
    int sums = find_sums(emit, emit->stage, false, &sum);
    bool adds = false;
    for (int n = 0; n < sums; n++) {
        adds = adds || sum[n].access == ACCESS_INC;
        out_assign(
            emit->out,
            emit_format(emit, "const auto cleave_sum_%s", cuda_group(emit, sum[n].update.arg)), "=",
            emit_format(emit, "cleave_shared<%s>(%s)", sum[n].type, offset_of(emit, &sum[n], n)));
    }
    out_line(emit->out, "if (cleave_thread() < cleave_own.owned) {");
    emit->out->indent += 4;
    for (int n = 0; n < sums; n++) {
        print_stores(emit, &sum[n]);
    }
    emit->out->indent -= 4;
    out_line(emit->out, "}");
    out_text(emit->out, adds ? "cleave_bulk_fence();\n" : "");
    out_line(emit->out, "cleave_barrier();");
    for (int n = 0; n < sums; n++) {
        print_out(emit, &sum[n], n);
    }
    out_text(emit->out, adds ? "cleave_add_bulk_wait();\n" : "");
}
