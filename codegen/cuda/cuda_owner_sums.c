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
    int stride; /* of the points' records in shared memory */
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

/* Whether all columns add the same, up to sign; *minus: those that subtract it, for all components.
 */
static bool is_common(const struct sum *sum, unsigned *minus)
{
    unsigned columns = modified_columns(sum);
    int first = __builtin_ctz(columns);
    *minus = 0;
    for (int k = first; k < sum->update.columns; k++) {
        for (int c = 0; (columns >> k & 1) != 0 && c < sum->update.components; c++) {
            int at = position_of(sum, k, c);
            bool negative = sum->update.negative[at];
            *minus |= (unsigned)(c == 0 && negative) << k;
            if (sum->update.value_of[at] != sum->update.value_of[position_of(sum, first, c)] ||
                negative != (*minus >> k & 1)) {
                return false;
            }
        }
    }
    return true;
}

/* "cleave_now.column == 1", "(0xau >> cleave_now.column & 1) != 0" */
static const char *column_is(struct emit *emit, unsigned columns)
{
    return (columns & (columns - 1)) == 0
               ? emit_format(emit, "cleave_now.column == %d", __builtin_ctz(columns))
               : emit_format(emit, "(0x%xu >> cleave_now.column & 1) != 0", columns);
}

/* Floating numbers are multiplied by the sign, which costs nothing beside the addition. */
static bool takes_sign(const struct sum *sum, unsigned minus)
{
    return minus == 0 || minus == modified_columns(sum) || type_is_floating(sum->dat->type);
}

static const char *times(struct emit *emit, const char *sign, const char *value)
{
    return emit_format(emit, strpbrk(value, " -+*/") == NULL ? "%s * %s" : "%s * (%s)", sign,
                       value);
}

/* All lanes add at once, whatever their columns. */
static void print_common(struct emit *emit, const struct sum *sum, unsigned minus)
{
    unsigned columns = modified_columns(sum);
    const char *sign = NULL;
    if (minus != 0 && minus != columns) {
        sign = emit_format(emit, "cleave_sign_%s", sum->dat->label);
        out_line(emit->out, "const %s %s = %s ? -1 : 1;", sum->type, sign, column_is(emit, minus));
    }
    for (int c = 0; c < sum->update.components; c++) {
        int at = position_of(sum, __builtin_ctz(columns), c);
        print_sum(emit, sum, c,
                  sign == NULL ? value_of(emit, sum, at)
                               : times(emit, sign, sum->update.value[sum->update.value_of[at]]));
    }
}

/* Two columns that add different values: lanes choose, and add at once. */
static void print_choices(struct emit *emit, const struct sum *sum)
{
    unsigned columns = modified_columns(sum);
    int one = __builtin_ctz(columns);
    int other = __builtin_ctz(columns & (columns - 1));
    const char *condition = column_is(emit, 1u << one);
    for (int c = 0; c < sum->update.components; c++) {
        const char *value = value_of(emit, sum, position_of(sum, one, c));
        const char *otherwise = value_of(emit, sum, position_of(sum, other, c));
        if (strcmp(value, otherwise) != 0) {
            value = emit_format(emit, "cleave_choose<%s>(%s, %s, %s)", sum->type, condition, value,
                                otherwise);
        }
        print_sum(emit, sum, c, value);
    }
}

static void print_cases(struct emit *emit, const struct sum *sum)
{
    const struct shape_map *map = cuda_map(emit, sum->update.arg);
    out_line(emit->out, "switch (cleave_now.column) {");
    for (int k = 0; k < sum->update.columns; k++) {
        if (position_of(sum, k, 0) < 0) {
            continue;
        }
        out_line(emit->out, "case %d: // %s[%d]", k, map->label, map->column[k]);
        emit->out->indent += 4;
        for (int c = 0; c < sum->update.components; c++) {
            const char *value = value_of(emit, sum, position_of(sum, k, c));
            if (strcmp(value, "0") != 0) {
                print_sum(emit, sum, c, value);
            }
        }
        out_line(emit->out, "break;");
        emit->out->indent -= 4;
    }
    out_line(emit->out, "}");
}

void cuda_owner_sums(struct emit *emit)
{
    struct sum *sum;
    int sums = find_sums(emit, emit->stage, true, &sum);
    for (int n = 0; n < sums; n++) {
        unsigned minus;
        if (is_common(&sum[n], &minus) && takes_sign(&sum[n], minus)) {
            print_common(emit, &sum[n], minus);
        } else if (__builtin_popcount(modified_columns(&sum[n])) == 2) {
            print_choices(emit, &sum[n]);
        } else {
            print_cases(emit, &sum[n]);
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
             cuda_components_text(emit, &sum->update), offset_of(emit, sum, n), sum->dat->name);
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
