/* cuda_overwritten.c: a record that the body adds up in place is stored once, and its pointer says how it is aligned, so
 * that compilers join the stores.
 * RUN: cuda=CUDA --cleave-emit=fused
 */
#include "op_seq.h"

static void add_up(const double *const *x, double *K, double **res)
{
    for (int k = 0; k < 4; k++) {
        K[k] = 0.0;
    }
    for (int turn = 0; turn < 3; turn++) {
        const double factor = pow(x[0][0], 0.5 * turn + x[1][0]);
        for (int k = 0; k < 4; k++) {
            K[k] += factor * x[k % 2][0];
        }
        res[0][0] += factor;
        if (turn == 1 && factor > 1.0) {
            K[3] = 1.0;
        }
    }
}

void loop(op_set edges, op_map ends, op_dat x, op_dat K, op_dat res)
{
    op_par_loop(add_up, "add_up", edges, op_arg_dat(x, -2, ends, 1, "double", OP_READ),
                op_arg_dat(K, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_dat(res, -2, ends, 1, "double", OP_INC));
}

// CUDA-LABEL: CLEAVE_KERNEL void add_up_fused_atomic(
// CUDA: double *const K = cleave_aligned(cleave_dat_K + 4 * (size_t)cleave_e);
// CUDA-NOT: K[{{[0-9]}}] =
// CUDA: pow({{.*}});
// CUDA: pow({{.*}});
// CUDA: pow({{.*}});
// CUDA: K[0] = K_
// CUDA: K[1] = K_
// CUDA: K[2] = K_
// CUDA: K[3] = K_
// CUDA-NOT: K[{{[0-9]}}] =
// CUDA: }
// MUTATE CUDA s/cleave_aligned//
// MUTATE CUDA /= pow\(/ s/^/K[0] = 1.0;\n/
