/* cuda_global.c: kernels over the elements of one global colour, and their launches.
 *
 * Elements of one colour modify no common point, so a thread reads, adds and writes as a plain loop
 * does: no atomic operations, no turns, no shared memory. The price is a launch for each colour,
 * and no reuse in caches between elements that share points. For reductions, the blocks of all
 * launches are numbered consecutively.
 */
#include "codegen/cuda/cuda.h"

static bool counts_blocks(const struct emit *emit)
{
    return emit_mentions(emit, "cleave_b");
}

void cuda_global_block(struct emit *emit)
{
    if (counts_blocks(emit)) {
        out_line(emit->out, "const int cleave_b = cleave_before + cleave_block();");
    }
}

void cuda_global_element(struct emit *emit)
{
    if (emit_mentions(emit, "cleave_e")) {
        out_line(emit->out, "const int cleave_e = cleave_element[cleave_position];");
    }
}

void cuda_global_updates(struct emit *emit)
{
    if (emit->stage == NULL) {
        cuda_private_adds(emit);
    } else {
        cuda_memory_updates(emit, SINK_MEMORY);
    }
}

void cuda_global_before(struct emit *emit)
{
    if (counts_blocks(emit)) {
        out_line(emit->out, "int cleave_before = 0;");
    }
}

void cuda_global_behind(struct emit *emit)
{
    if (counts_blocks(emit)) {
        out_line(emit->out, "cleave_before += cleave_blocks;");
    }
}
