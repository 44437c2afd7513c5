/* cuda_direct.c: one thread per element. Records that the kernel uses are loaded and stored whole, except where the
 * kernel touches little of a long record.
 * RUN: cuda=CUDA --cleave-emit=fused
 */
#include "op_seq.h"

static void save(const double *q, double *old)
{
    old[0] = q[0];
    old[1] = q[1];
}

void loop(op_set cells, op_dat q, op_dat old)
{
    op_par_loop(save, "save", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(old, -1, OP_ID, 2, "double", OP_WRITE));
}

// CUDA-LABEL: CLEAVE_KERNEL void save_direct(int cleave_begin, int cleave_end, int cleave_block_size, const double *__restrict__ cleave_dat_q, double *__restrict__ cleave_dat_old) {
// CUDA-NEXT: cleave_b = cleave_block();
// CUDA-NEXT: cleave_e = cleave_begin + cleave_b * cleave_block_size + cleave_thread();
// CUDA-NEXT: cleave_active = cleave_thread() < cleave_block_size && cleave_e < cleave_end;
// CUDA-NEXT: if (cleave_active) {
// CUDA-NEXT: auto cleave_rec_q = cleave_load<2>(cleave_dat_q + 2 * (size_t)cleave_e);
// CUDA-NEXT: auto cleave_rec_old = cleave_load<2>(cleave_dat_old + 2 * (size_t)cleave_e);
// CUDA-NEXT: save_body(cleave_rec_q.v, cleave_rec_old.v);
// CUDA-NEXT: cleave_store(cleave_dat_old + 2 * (size_t)cleave_e, cleave_rec_old);
// CUDA-LABEL: static void save_direct_run(
// CUDA: cleave_block_size = cleave_launch->block_size;
// CUDA: CLEAVE_LAUNCH(save_direct, cleave_launch->blocks, cleave_block_threads, cleave_launch->shared_bytes, cleave_launch->stream, cleave_launch->begin, cleave_launch->end, cleave_block_size,
// CUDA-SAME: (const double *)cleave_launch->data[0], (double *)cleave_launch->data[1]);
// CUDA: {"save_direct", CLEAVE_FUSED, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_NONE, 0, NULL, save_direct_run,
// MUTATE CUDA s/cleave_thread\(\) < cleave_block_size && //
// MUTATE CUDA s/cleave_store\(.*//
// MUTATE CUDA s/cleave_begin \+ cleave_b \* cleave_block_size/cleave_b * cleave_block_size/
// MUTATE CUDA s/cleave_launch->data\[1\]/cleave_launch->data[0]/
