/* openmp_explain.c: what --cleave-explain says of a loop on the CPU: how many elements a core
 * computes at once, or why one after the other.
 */
#include "codegen/openmp/openmp.h"
#include "codegen/openmp/recipes.h"

void openmp_explain(struct emit *emit, FILE *out)
{
    const char *refusal = openmp_lanes_refusal(emit);
    if (refusal != NULL) {
        fprintf(out, "    CPU: one element at a time: %s\n", refusal);
    }
}
