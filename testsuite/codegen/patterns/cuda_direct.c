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

static void take(double *res, double *q)
{
    q[0] += res[0];
    q[1] += res[1];
    res[0] = 0.0;
    res[1] = -1;
}

static void square(const double *q, double *sum)
{
    sum[0] += q[0] * q[1];
}

static void square16(const double *x, double *sum)
{
    sum[0] += x[0] * x[15];
}

void loop(op_set cells, op_dat q, op_dat old, op_dat x, double *sum)
{
    op_par_loop(take, "take", cells, op_arg_dat(old, -1, OP_ID, 2, "double", OP_RW),
                op_arg_dat(q, -1, OP_ID, 2, "double", OP_RW));
    op_par_loop(square, "square", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_gbl(sum, 1, "double", OP_INC));
    op_par_loop(square16, "square16", cells, op_arg_dat(x, -1, OP_ID, 16, "double", OP_READ),
                op_arg_gbl(sum, 1, "double", OP_INC));
    op_par_loop(save, "save", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(old, -1, OP_ID, 2, "double", OP_WRITE));
}

// Constants are stored last, when all loads have ended.
// CUDA-LABEL: CLEAVE_KERNEL void take_direct(
// CUDA: take_body(cleave_rec_res.v, cleave_rec_q.v);
// CUDA-NEXT: cleave_store(cleave_dat_q + 2 * (size_t)cleave_e, cleave_rec_q);
// CUDA-NEXT: cleave_store(cleave_dat_old + 2 * (size_t)cleave_e, cleave_rec_res);
// MUTATE CUDA s/take_body\(cleave_rec_res/take_body(cleave_rec_q/

// A loop that only reduces short records reads several elements at once, in the order of one after the other.
// CUDA-LABEL: CLEAVE_KERNEL void square_direct(
// CUDA-NEXT: cleave_b = cleave_block();
// CUDA-NEXT: cleave_step = cleave_arrived.blocks * cleave_block_size;
// CUDA: cleave_visit = [&](const int cleave_e) {
// CUDA-NEXT: auto cleave_rec_q = cleave_load<2>(cleave_dat_q + 2 * (size_t)cleave_e);
// CUDA-NEXT: square_body(cleave_rec_q.v, cleave_gbl_sum);
// CUDA: for (; cleave_left > (CLEAVE_AT_ONCE - 1) * cleave_step; cleave_left -= CLEAVE_AT_ONCE * cleave_step) {
// CUDA: cleave_visit(cleave_end - cleave_left + cleave_i * cleave_step);
// CUDA: for (; cleave_left > 0; cleave_left -= cleave_step) {
// CUDA-NEXT: cleave_visit(cleave_end - cleave_left);
// CUDA: cleave_reduce_block<cleave_op_add, 1>(
// CUDA-LABEL: static void square_direct_run(
// CUDA: cleave_arrivals_of(cleave_launch, CLEAVE_FEW_BLOCKS, CLEAVE_AT_ONCE);
// CUDA-LABEL: CLEAVE_KERNEL void square16_direct(
// CUDA: cleave_c += cleave_arrived.blocks) {
// MUTATE CUDA s/cleave_left > 0; cleave_left -= cleave_step/cleave_left > 0; cleave_left -= 2 * cleave_step/
// MUTATE CUDA s/CLEAVE_FEW_BLOCKS, CLEAVE_AT_ONCE/CLEAVE_FEW_BLOCKS/

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
