/* cuda_transpose.c: updates by whole warps, without a plan.
 *
 * In: the updates of a split schedule. Out: for each dat, and each column of a map that it is
 * updated through, the record that an element adds to its point, and the call that transposes the
 * records of a warp, so that consecutive lanes add consecutive components to memory
 * (runtime/device/transpose.cuh).
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"
#include "pass/ir/machine.h"

/* "cleave_op_add, double, 4, true": with the chosen components behind, if not all. */
static const char *arguments(struct emit *emit, const struct cuda_update *update)
{
    int dim = cuda_dat(emit, update->arg)->dim;
    return emit_format(
        emit, "cleave_op_%s, %s, %d, %s%s", cuda_operation(emit->loop->arg[update->arg].access),
        cuda_type(emit, update->arg), dim, cuda_recipe(emit)->merges ? "true" : "false",
        cuda_components_text(emit, update));
}

static const char *value_of(struct emit *emit, const struct cuda_update *update, int k, int c)
{
    int at = k * update->components + c;
    const char *value = update->value[update->value_of[at]];
    return update->negative[at] ? cuda_negative(emit, value) : value;
}

static void print_column(struct emit *emit, int map, const struct cuda_update *update, int k)
{
    const struct shape_map *shape = &emit->shape->map[map];
    const struct shape_dat *dat = cuda_dat(emit, update->arg);
    cuda_open_guard(emit, update->arg);
    out_line(emit->out, "{");
    emit->out->indent += 4;
    out_line(emit->out, "int cleave_point = -1;");
    out_line(emit->out, "%s cleave_value[%d] = {};", cuda_type(emit, update->arg),
             update->components);
    out_line(emit->out, "if (cleave_active) {");
    emit->out->indent += 4;
    cuda_update_pointers(emit, map, update->arg, shape->column[k]);
    out_line(emit->out, "cleave_point = cleave_map_%s[(size_t)cleave_e * cleave_width_%s + %d];",
             shape->label, shape->label, shape->column[k]);
    for (int c = 0; c < update->components; c++) {
        out_assign(emit->out, emit_format(emit, "cleave_value[%d]", c), "=",
                   value_of(emit, update, k, c));
    }
    emit->out->indent -= 4;
    out_line(emit->out, "}");
    out_line(emit->out, "cleave_transpose_out<%s>(", arguments(emit, update));
    out_line(emit->out, "    cleave_area, %s,%scleave_point, cleave_value);", place_dat(emit, dat),
             dat->soa ? "\n    " : " ");
    emit->out->indent -= 4;
    out_line(emit->out, "}");
    cuda_close_guard(emit, update->arg);
}

/* Bytes of shared memory per warp; must agree with cleave_transpose_bytes of the header. */
static size_t warp_bytes(struct emit *emit, const struct cuda_update *update, bool merges)
{
    const struct arg *arg = &emit->loop->arg[update->arg];
    int dim = cuda_dat(emit, update->arg)->dim;
    bool is_wide = arg->access == ACCESS_INC && arg->type->kind == TYPE_FLOAT &&
                   (dim == 2 || dim == 4) && update->components == dim;
    bool from_registers = !merges && (is_wide || update->components == 1);
    size_t record = (size_t)(update->components | 1) * arg->type->size;
    return from_registers ? 0 : (size_t)emit->file->target->lanes * (record + (merges ? 1 : 0));
}

/* Bytes per warp of the largest of its updates. Each warp has a place of its own, because warps are
 * not in step. */
static size_t largest_warp_bytes(struct emit *emit, bool merges)
{
    size_t largest = 0;
    for (int m = 0; m < emit->shape->maps; m++) {
        int arg;
        for (int n = 0; (arg = cuda_update_arg(emit, m, n)) >= 0; n++) {
            struct cuda_update update = cuda_find_components(emit, arg);
            size_t bytes = warp_bytes(emit, &update, merges);
            largest = bytes > largest ? bytes : largest;
        }
    }
    return (largest + 15) / 16 * 16;
}

static void print_transposes(struct emit *emit, bool staged)
{
    (void)staged;
    out_text(emit->out, "\n");
    out_line(emit->out, "const size_t cleave_area = %zu * (size_t)(cleave_thread() / %d);",
             largest_warp_bytes(emit, cuda_recipe(emit)->merges), emit->file->target->lanes);
    for (int m = 0; m < emit->shape->maps; m++) {
        int arg;
        for (int n = 0; (arg = cuda_update_arg(emit, m, n)) >= 0; n++) {
            struct cuda_update update = cuda_find_update(emit, arg);
            for (int k = 0; k < update.columns; k++) {
                if (update.value_of[k * update.components] < 0) {
                    continue;
                }
                out_text(emit->out, "\n");
                out_comment(emit->out, "update of %s through %s[%d]", cuda_dat(emit, arg)->label,
                            emit->shape->map[m].label, emit->shape->map[m].column[k]);
                print_column(emit, m, &update, k);
            }
        }
    }
}

const struct cuda_updating cuda_by_transpose = {.print = print_transposes};

const char *cuda_transpose_shared(struct emit *emit)
{
    return emit_format(
        emit, "cleave_larger(cleave_launch->shared_bytes, cleave_block_threads / %d * %zu)",
        emit->file->target->lanes, largest_warp_bytes(emit, cuda_recipe(emit)->merges));
}

bool cuda_transpose_fits(struct emit *emit, bool merges)
{
    return (size_t)(machines[MACHINE_GPU].block_threads / emit->file->target->lanes) *
               largest_warp_bytes(emit, merges) <=
           machines[MACHINE_GPU].block_shared_bytes;
}
