/* openmp_explain.c: what --cleave-explain says of a loop on the CPU: how many elements a core
 * computes at once, or why one after the other.
 */
#include "codegen/lanes/lanes.h"
#include "codegen/openmp/openmp.h"
#include "codegen/openmp/recipes.h"

void openmp_explain(struct emit *emit, FILE *out)
{
    const char *refusal = openmp_lanes_refusal(emit);
    if (refusal == NULL && emit->file->options->single) {
        refusal = "--cleave-emit=fast compiles no vectors";
    }
    if (refusal != NULL) {
        fprintf(out, "    CPU: one element at a time: %s%s\n",
                emit->loop->graph == NULL && !emit->file->options->whole
                    ? "the kernel is called whole: "
                    : "",
                refusal);
        return;
    }
    int size = lanes_class(emit, emit->loop);
    fprintf(out,
            "    CPU: %d elements at once in registers of 16 bytes, %d of 32 (AVX2), %d of 64 "
            "(AVX-512)\n",
            16 / size, 32 / size, 64 / size);
}
