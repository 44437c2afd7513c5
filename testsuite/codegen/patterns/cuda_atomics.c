/* cuda_atomics.c: atomic additions to memory by one thread per element (fused), or to shared memory by the threads
 * of a block, whose sums are added to memory atomically (split). Neither needs colours.
 * RUN: cuda=CUDA --cleave-emit=fused,split
 */
#include "flux.h"

// CUDA-LABEL: CLEAVE_KERNEL void flux_split_atomic(cleave_block_plan<2> cleave_plan, flux_split_space cleave_space, const double
// CUDA-NOT: colour
// CUDA: cleave_b = cleave_block();
// CUDA: // stage 2: update through sides[0], 16 bytes per point
// CUDA-NEXT: cleave_barrier();
// CUDA: cleave_stage_zero<double, 2>(0, cleave_points_sides);
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: if (cleave_active) {
// CUDA-NEXT: cleave_add_shared<double>(cleave_out_res_sides, 2 * cleave_local_sides_0, f);
// CUDA-NEXT: cleave_add_shared<double>(cleave_out_res_sides, 2 * cleave_local_sides_0 + 1, f_3);
// CUDA-NEXT: }
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: cleave_stage_out_atomic_add<double, 2>(cleave_dat_res, cleave_out_res_sides, cleave_points_sides);
// CUDA: // stage 3: update through sides[1]
// CUDA: cleave_add_shared<double>(cleave_out_res_sides, 2 * cleave_local_sides_1, -f);
// CUDA: cleave_stage_out_atomic_add<double, 2>(
// CUDA-NOT: colour
// CUDA-LABEL: static void flux_split_atomic_run(
// CUDA-NOT: for (
// CUDA: CLEAVE_LAUNCH(flux_split_atomic, cleave_launch->blocks, cleave_block_threads, cleave_launch->shared_bytes,
// MUTATE CUDA s/cleave_stage_out_atomic_add/cleave_stage_out_add/
// MUTATE CUDA s/cleave_add_shared<double>.(cleave_out_res_sides), (2 \* cleave_local_sides_0), f./\1[\2] += f/
// MUTATE CUDA s/sides_1, -f\)/sides_1, f)/

// CUDA-LABEL: CLEAVE_KERNEL void flux_fused_atomic(int cleave_begin, int cleave_end, int cleave_block_size,
// CUDA-SAME: const int *__restrict__ cleave_map_ends, int cleave_width_ends, const int *__restrict__ cleave_map_sides, int cleave_width_sides) {
// CUDA-NOT: cleave_barrier
// CUDA-NOT: cleave_stage_
// CUDA: cleave_e = cleave_begin + cleave_b * cleave_block_size + cleave_thread();
// CUDA-NEXT: cleave_active = cleave_thread() < cleave_block_size && cleave_e < cleave_end;
// CUDA-NEXT: if (cleave_active) {
// Records of 16 bytes are loaded whole.
// CUDA: const auto x2 = cleave_load<2>(cleave_dat_x + 2 * (size_t)cleave_point_ends_1);
// CUDA: const double *const adt1 = cleave_dat_adt + cleave_point_sides_0;
// CUDA: cleave_add(&cleave_dat_res[2 * (size_t)cleave_point_sides_0], f);
// CUDA-NEXT: cleave_add(&cleave_dat_res[2 * (size_t)cleave_point_sides_0 + 1], f_3);
// CUDA-NEXT: cleave_add(&cleave_dat_res[2 * (size_t)cleave_point_sides_1], -f);
// CUDA-NEXT: cleave_add(&cleave_dat_res[2 * (size_t)cleave_point_sides_1 + 1], -f_3);
// CUDA-NOT: cleave_barrier
// CUDA-LABEL: static void flux_fused_atomic_run(
// CUDA: CLEAVE_LAUNCH(flux_fused_atomic, cleave_launch->blocks, cleave_block_threads, cleave_launch->shared_bytes, cleave_launch->stream,
// CUDA-SAME: cleave_launch->begin, cleave_launch->end, cleave_block_size,
// CUDA-SAME: cleave_launch->map[0], cleave_launch->map_dim[0], cleave_launch->map[2], cleave_launch->map_dim[2]);
// MUTATE CUDA s/ && cleave_e < cleave_end//
// MUTATE CUDA s/x2 = cleave_load<2>/x2 = cleave_load<1>/
// MUTATE CUDA s/point_sides_1 \+ 1\], -f_3/point_sides_1], -f_3/
// MUTATE CUDA s/cleave_launch->map\[2\], cleave_launch->map_dim\[2\]\);/cleave_launch->map[2], cleave_launch->map_dim[0]);/

// CUDA-LABEL: flux_variants[] = {
// CUDA: {"flux_split_atomic", CLEAVE_SPLIT, 1, CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_BLOCKS, 0, flux_split_shared,
// CUDA: {"flux_fused_atomic", CLEAVE_FUSED, 0, CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_NONE, 0, NULL,
// MUTATE CUDA s/CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_NONE/CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_BLOCKS/
