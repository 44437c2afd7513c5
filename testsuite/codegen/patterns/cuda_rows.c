/* cuda_rows.c: long records of the element are moved by warps: those that the loop modifies, those that it reads unless
 * it reduces. A record that is only written is not loaded. Records that a thread stores in three parts or more count as
 * long if the loop modifies them.
 * RUN: cuda=CUDA --cleave-emit=fused
 */
#include "op_seq.h"

static void scale(const double *a, double *b, double *c, const double *v)
{
    for (int i = 0; i < 5; i++) {
        b[i] = a[i] * v[0];
        c[i] += a[i];
    }
}

static void change(const double *a, double *b, double *sum)
{
    for (int i = 0; i < 5; i++) {
        b[i] = a[i];
        sum[0] += a[i];
    }
}

static void norm(const double *a, double *sum)
{
    for (int i = 0; i < 5; i++) {
        sum[0] += a[i];
    }
}

static void clear(const double *from, double *three, float *five, double *four)
{
    for (int i = 0; i < 3; i++) {
        three[i] = from[i];
    }
    for (int i = 0; i < 5; i++) {
        five[i] = 0.0f;
    }
    for (int i = 0; i < 4; i++) {
        four[i] = 1.0;
    }
}

void loops(op_set cells, op_dat a, op_dat b, op_dat c, op_dat v, op_dat three, op_dat from, op_dat five, double *sum)
{
    op_par_loop(scale, "scale", cells, op_arg_dat(a, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(b, -1, OP_ID, 5, "double", OP_WRITE), op_arg_dat(c, -1, OP_ID, 5, "double", OP_RW),
                op_arg_dat(v, -1, OP_ID, 1, "double", OP_READ));
    op_par_loop(change, "change", cells, op_arg_dat(a, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(b, -1, OP_ID, 5, "double", OP_WRITE), op_arg_gbl(sum, 1, "double", OP_INC));
    op_par_loop(norm, "norm", cells, op_arg_dat(a, -1, OP_ID, 5, "double", OP_READ),
                op_arg_gbl(sum, 1, "double", OP_INC));
    op_par_loop(clear, "clear", cells, op_arg_dat(from, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(three, -1, OP_ID, 3, "double", OP_WRITE), op_arg_dat(five, -1, OP_ID, 5, "float", OP_WRITE),
                op_arg_dat(c, -1, OP_ID, 4, "double", OP_WRITE));
}

// CUDA-LABEL: CLEAVE_KERNEL void scale_direct_rows(
// CUDA: cleave_active = cleave_thread() < cleave_block_size && cleave_e < cleave_end;
// CUDA-NEXT: cleave_rows = cleave_rows_of(cleave_active);
// CUDA-NEXT: cleave_first = cleave_e - cleave_lane();
// CUDA-NEXT: cleave_area = 0 + 1280 * (size_t)(cleave_thread() / 32);
// CUDA-NEXT: auto cleave_rec_a = cleave_rows_load<5>(cleave_area, cleave_dat_a + 5 * (size_t)cleave_first, cleave_rows);
// CUDA-NEXT: cleave_record<double, 5> cleave_rec_b = {};
// CUDA-NEXT: auto cleave_rec_c = cleave_rows_load<5>(cleave_area, cleave_dat_c + 5 * (size_t)cleave_first, cleave_rows);
// CUDA-NEXT: if (cleave_active) {
// CUDA-NEXT: auto cleave_rec_v = cleave_load<1>(
// CUDA-NEXT: scale_body(cleave_rec_a.v, cleave_rec_b.v, cleave_rec_c.v, cleave_rec_v.v);
// CUDA-NEXT: }
// CUDA-NEXT: cleave_rows_store(cleave_area, cleave_dat_b + 5 * (size_t)cleave_first, cleave_rows, cleave_rec_b);
// CUDA-NEXT: cleave_rows_store(cleave_area, cleave_dat_c + 5 * (size_t)cleave_first, cleave_rows, cleave_rec_c);
// CUDA-NEXT: }
// CUDA: CLEAVE_LAUNCH(scale_direct_rows, cleave_launch->blocks, cleave_block_threads, 0 + cleave_block_threads / 32 * 1280,
// CUDA-LABEL: CLEAVE_KERNEL void change_direct_rows(
// CUDA: cleave_area = 528 + 1280 * (size_t)(cleave_thread() / 32);
// CUDA: for (int cleave_c = cleave_b;
// CUDA: cleave_record<double, 5> cleave_rec_b = {};
// CUDA-NEXT: if (cleave_active) {
// CUDA-NEXT: auto cleave_rec_a = cleave_load<5>(cleave_dat_a + 5 * (size_t)cleave_e);
// CUDA-NEXT: change_body(
// CUDA-NEXT: }
// CUDA-NEXT: cleave_rows_store(cleave_area, cleave_dat_b + 5 * (size_t)cleave_first, cleave_rows, cleave_rec_b);
// CUDA-NEXT: }
// CUDA: CLEAVE_LAUNCH(change_direct_rows, cleave_arrived.blocks, cleave_block_threads, 528 + cleave_block_threads / 32 * 1280,
// CUDA-LABEL: CLEAVE_KERNEL void clear_direct_rows(
// CUDA: cleave_record<double, 3> cleave_rec_three = {};
// CUDA-NEXT: cleave_record<float, 5> cleave_rec_five = {};
// CUDA-NEXT: if (cleave_active) {
// CUDA-NEXT: auto cleave_rec_from = cleave_load<3>(
// CUDA-NEXT: auto cleave_rec_four = cleave_load<4>(
// CUDA: cleave_rows_store(cleave_area, cleave_dat_three + 3 * (size_t)cleave_first, cleave_rows, cleave_rec_three);
// CUDA-NEXT: cleave_rows_store(cleave_area, cleave_dat_five + 5 * (size_t)cleave_first, cleave_rows, cleave_rec_five);
// CUDA-NEXT: }
// CUDA: {"scale_direct_rows", CLEAVE_FUSED,
// CUDA: {"change_direct_rows", CLEAVE_FUSED,
// CUDA-NOT: "norm_direct_rows"
// CUDA: {"norm_direct", CLEAVE_FUSED,
// MUTATE CUDA s/cleave_rows_store\(cleave_area, cleave_dat_c.*//
// MUTATE CUDA s/cleave_area = 528/cleave_area = 0/
// MUTATE CUDA s/cleave_first = cleave_e - cleave_lane\(\)/cleave_first = cleave_e/
// MUTATE CUDA s/\{"norm_direct"/{"norm_direct_rows"/
