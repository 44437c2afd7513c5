/* cuda_transpose.c: a warp turns its threads' contributions round in shared memory, and adds whole records to memory;
 * merged, neighbours that name the same point are added up before.
 * RUN: cuda=CUDA cuda=MERGED --cleave-emit=split
 */
#include "flux.h"

// CUDA-LABEL: CLEAVE_KERNEL void flux_split_transpose(int cleave_begin, int cleave_end, int cleave_block_size,
// CUDA: cleave_active = cleave_thread() < cleave_block_size && cleave_e < cleave_end;
// CUDA: // stage 1: contribution
// CUDA: f = slope * adt1[0];
// All threads of a warp take part, those without an element with no point.
// CUDA: cleave_area = [[AREA:[0-9]+]] * (size_t)(cleave_thread() / 32);
// CUDA: // update of res through sides[0]
// CUDA-NEXT: {
// CUDA-NEXT: int cleave_point = -1;
// CUDA-NEXT: double cleave_value[2] = {};
// CUDA-NEXT: if (cleave_active) {
// CUDA-NEXT: cleave_point = cleave_map_sides[(size_t)cleave_e * cleave_width_sides + 0];
// CUDA-NEXT: cleave_value[0] = f;
// CUDA-NEXT: cleave_value[1] = f_3;
// CUDA-NEXT: }
// CUDA-NEXT: cleave_transpose_out<cleave_op_add, double, 2, false>(cleave_area, cleave_dat_res, cleave_point, cleave_value);
// CUDA: // update of res through sides[1]
// CUDA: cleave_point = cleave_map_sides[(size_t)cleave_e * cleave_width_sides + 1];
// CUDA-NEXT: cleave_value[0] = -f;
// CUDA-NEXT: cleave_value[1] = -f_3;
// CUDA: cleave_transpose_out<cleave_op_add, double, 2, false>(
// Each warp has an area of its own.
// CUDA-LABEL: static void flux_split_transpose_run(
// CUDA: CLEAVE_LAUNCH(flux_split_transpose, cleave_launch->blocks, cleave_block_threads, cleave_larger(cleave_launch->shared_bytes, cleave_block_threads / 32 * [[AREA]]),
// MUTATE CUDA s/int cleave_point = -1/int cleave_point = 0/
// MUTATE CUDA /void flux_split_transpose_run/,/^}/ s/32 \* [0-9]+/32 * 512/
// MUTATE CUDA s/cleave_value\[1\] = -f_3/cleave_value[1] = f_3/
// MUTATE CUDA s/.size_t..cleave_thread.. \/ 32./0/

// MERGED-LABEL: CLEAVE_KERNEL void flux_split_transpose_merge(
// MERGED: cleave_transpose_out<cleave_op_add, double, 2, true>(
// MERGED: cleave_transpose_out<cleave_op_add, double, 2, true>(
// MERGED-LABEL: flux_variants[] = {
// MERGED-DAG: {"flux_split_transpose_merge", CLEAVE_SPLIT, 1, CLEAVE_RACE_TRANSPOSE, CLEAVE_PLAN_NONE, 0, NULL, {{.*}}, CLEAVE_READS_DIRECT,
// MERGED-DAG: {"flux_split_transpose", CLEAVE_SPLIT, 1, CLEAVE_RACE_TRANSPOSE, CLEAVE_PLAN_NONE, 0, NULL, {{.*}}, CLEAVE_READS_DIRECT,
// MUTATE MERGED s/double, 2, true/double, 2, false/
