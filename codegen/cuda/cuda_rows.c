/* cuda_rows.c: kernels over elements whose warps move long records (runtime/device/rows.cuh).
 *
 * In: a loop with such records (records.c). Out: where in shared memory each warp exchanges them:
 * behind what reductions use, because warps are not in step.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

static size_t first_byte(const struct emit *emit)
{
    return (cuda_scratch_bytes(emit) + 15) / 16 * 16;
}

void cuda_rows_area(struct emit *emit)
{
    out_line(emit->out, "const size_t cleave_area = %zu + %zu * (size_t)(cleave_thread() / %d);",
             first_byte(emit), emit_rows_bytes(emit), emit->file->target->lanes);
}

const char *cuda_rows_shared(struct emit *emit)
{
    return emit_format(emit, "%zu + cleave_block_threads / %d * %zu", first_byte(emit),
                       emit->file->target->lanes, emit_rows_bytes(emit));
}
