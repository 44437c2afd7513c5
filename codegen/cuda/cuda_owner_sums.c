/* cuda_owner_sums.c: the sums of a block's points, from registers to memory.
 *
 * In: a GATHER stage (cuda_owner.c). Out: registers that sum one component of the thread's point
 * each, which cuda_owner_adds.c adds to, and their way to memory: through shared memory, where they
 * overwrite the neighbourhood, and from there in coalesced stores.
 */
#include "codegen/cuda/cuda_owner.h"
#include "pass/ir/arena.h"

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

/* Finds the sums of all of the stage's dats. With `values`, also what elements add, whose pointers
 * must have been declared.
 */
int owner_find_sums(struct emit *emit, const struct stage *stage, bool values,
                    struct owner_sum **out)
{
    struct owner_sum *sum =
        arena_alloc(emit->file->program->arena, (size_t)emit->loop->args * sizeof(*sum));
    int map = emit->shape->map_of[stage->map];
    int count = 0;
    int arg;
    for (int n = 0; (arg = cuda_update_arg(emit, map, n)) >= 0; n++) {
        if (stage_updates(emit, stage, arg)) {
            struct owner_sum *found = &sum[count++];
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

const char *owner_sum_name(struct emit *emit, const struct owner_sum *sum, int c)
{
    const struct place place = {sum->update.arg, 0, sum->update.component[c]};
    return cuda_point_register(emit, &place);
}

/* The sum of no terms. -0.0 + x is x for all x, so a point's old -0.0 stays as it is where no
 * element adds to it, or where all terms are -0.0, as in the program; 0.0 would make it +0.0. */
static const char *nothing_of(const struct owner_sum *sum)
{
    return type_is_floating(sum->dat->type) ? "-0.0" : "0";
}

void cuda_owner_start(struct emit *emit)
{
    struct owner_sum *sum;
    int sums = owner_find_sums(emit, emit->stage, false, &sum);
    for (int n = 0; n < sums; n++) {
        const char *start =
            sum[n].access == ACCESS_INC
                ? nothing_of(&sum[n])
                : emit_format(emit, "cleave_%s<%s>()",
                              sum[n].access == ACCESS_MIN ? "highest" : "lowest", sum[n].type);
        for (int c = 0; c < sum[n].update.components; c++) {
            out_line(emit->out, "%s %s = %s;", sum[n].type, owner_sum_name(emit, &sum[n], c),
                     start);
        }
    }
}

/* ---- shared memory ------------------------------------------------------------------------------
 */

static const char *offset_field(struct emit *emit, int s, const struct owner_sum *sum)
{
    return emit_format(emit, "sum%d_%s", s + 1, cuda_group(emit, sum->update.arg));
}

void cuda_owner_fields(struct emit *emit, int s)
{
    struct owner_sum *sum;
    int sums = owner_find_sums(emit, &emit->schedule->stage[s], false, &sum);
    for (int n = 1; n < sums; n++) {
        out_line(emit->out, "unsigned %s;", offset_field(emit, s, &sum[n]));
    }
}

void cuda_owner_counts(struct emit *emit, int s)
{
    struct owner_sum *sum;
    int sums = owner_find_sums(emit, &emit->schedule->stage[s], false, &sum);
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

static const char *offset_of(struct emit *emit, const struct owner_sum *sum, int n)
{
    return n == 0 ? "0"
                  : emit_format(emit, "cleave_space.%s", offset_field(emit, emit->number - 1, sum));
}

static void print_stores(struct emit *emit, const struct owner_sum *sum)
{
    for (int c = 0; c < sum->update.components; c++) {
        const char *at = sum->stride == 1 ? "cleave_thread()"
                                          : emit_format(emit, "%d * cleave_thread()", sum->stride);
        out_line(emit->out, "cleave_sum_%s[%s%s] = %s;", cuda_group(emit, sum->update.arg), at,
                 c > 0 ? emit_format(emit, " + %d", c) : "", owner_sum_name(emit, sum, c));
    }
}

static void print_out(struct emit *emit, const struct owner_sum *sum, int n)
{
    const bool starts =
        cuda_begins_with_zeros(emit, emit->stage, emit->shape->dat_of[sum->update.arg]);
    out_line(emit->out, "cleave_own_out_%s<%s, %d, %d%s>(%s, %s, cleave_own%s%s);",
             starts ? "sums" : cuda_operation(sum->access), sum->type, sum->dat->dim, sum->stride,
             cuda_components_text(emit, &sum->update), offset_of(emit, sum, n),
             place_dat(emit, sum->dat), starts ? ", " : "", starts ? sum->dat->zeros : "");
}

/* Whether no element names a point of the block, so that all data stay as they are. */
void cuda_owner_is_idle(struct emit *emit)
{
    out_text(emit->out, "cleave_own.rows == 0");
    cuda_unless_zeros(emit);
}

void cuda_owner_save(struct emit *emit)
{
    struct owner_sum *sum;
    int sums = owner_find_sums(emit, emit->stage, false, &sum);
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
