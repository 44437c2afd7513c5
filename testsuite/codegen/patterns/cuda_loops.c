/* cuda_loops.c: a kernel for each stage; tmp(e) lies in memory, one value of all elements behind the other.
 * RUN: cuda=CUDA --cleave-emit=loops
 */
#include "flux.h"

// CUDA-LABEL: CLEAVE_KERNEL void flux_loops_1(
// CUDA-SAME: char *cleave_tmp) {
// CUDA-NOT: cleave_dat_res
// CUDA: cleave_e = cleave_active ? cleave_element_of(cleave_plan, cleave_position) : 0;
// CUDA: double *const cleave_tmp_f = (double *)cleave_tmp;
// CUDA-NEXT: double *const cleave_tmp_f_3 = (double *)(cleave_tmp + 8 * (size_t)cleave_plan.size);
// CUDA: if (cleave_active) {
// CUDA: cleave_tmp_f[cleave_e] = f;
// CUDA-NEXT: cleave_tmp_f_3[cleave_e] = f_3;
// MUTATE CUDA /void flux_loops_1\(/,/^}/ s/cleave_element_of.cleave_plan, cleave_position. : 0/cleave_position : 0/
// MUTATE CUDA /void flux_loops_1\(/,/^}/ s/8 \* .size_t.cleave_plan.size/8/

// CUDA-LABEL: CLEAVE_KERNEL void flux_loops_colour_2(
// CUDA-SAME: double *__restrict__ cleave_dat_res, const char *__restrict__ cleave_tmp) {
// CUDA-NEXT: cleave_b = cleave_plan.colour_block[cleave_first + cleave_block()];
// CUDA-NOT: ends
// CUDA: const double f = cleave_tmp_f[cleave_e];
// CUDA-NEXT: const double f_3 = cleave_tmp_f_3[cleave_e];
// CUDA: // stage 2: update through sides[0], 16 bytes per point
// CUDA-NEXT: {
// CUDA-NEXT: cleave_stage_zero<double, 2>(0, cleave_points_sides);
// CUDA: cleave_out_res_sides[2 * cleave_local_sides_0 + 1] += f_3;
// CUDA: cleave_stage_out_add<double, 2>(
// CUDA-LABEL: CLEAVE_KERNEL void flux_loops_colour_3(
// CUDA: cleave_out_res_sides[2 * cleave_local_sides_1 + 1] -= f_3;

// The contribution needs no colours; each kernel gets the shared memory that its stage needs.
// CUDA-LABEL: static void flux_loops_colour_run(
// CUDA: CLEAVE_LAUNCH(flux_loops_1, cleave_launch->blocks, cleave_block_threads, cleave_space.cleave_bytes1, cleave_launch->stream,
// CUDA-SAME: (char *)cleave_launch->tmp);
// CUDA-NEXT: for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
// CUDA: CLEAVE_LAUNCH(flux_loops_colour_2, cleave_blocks, cleave_block_threads, cleave_space.cleave_bytes2, cleave_launch->stream,
// CUDA-NEXT: }
// CUDA-NEXT: for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
// CUDA: CLEAVE_LAUNCH(flux_loops_colour_3, cleave_blocks, cleave_block_threads, cleave_space.cleave_bytes3, cleave_launch->stream,
// MUTATE CUDA s/cleave_block_threads, cleave_space.cleave_bytes3/cleave_block_threads, cleave_space.cleave_bytes1/

// ---- atomic: one thread per element, in the elements' own order
// CUDA-LABEL: CLEAVE_KERNEL void flux_loops_atomic_2(
// CUDA: cleave_tmp_f_3 = (const double *)(cleave_tmp + 8 * (size_t)cleave_size);
// CUDA: cleave_add(&cleave_dat_res[2 * (size_t)cleave_point_sides_0], cleave_tmp_f[cleave_e]);
// CUDA-NEXT: cleave_add(&cleave_dat_res[2 * (size_t)cleave_point_sides_0 + 1], cleave_tmp_f_3[cleave_e]);
// CUDA-LABEL: CLEAVE_KERNEL void flux_loops_atomic_3(
// CUDA: cleave_add(&cleave_dat_res[2 * (size_t)cleave_point_sides_1], -cleave_tmp_f[cleave_e]);
// CUDA-LABEL: static void flux_loops_atomic_run(
// CUDA: CLEAVE_LAUNCH(flux_loops_1, cleave_launch->blocks, cleave_block_threads, cleave_space.cleave_bytes1,
// CUDA-NEXT: CLEAVE_LAUNCH(flux_loops_atomic_2, (cleave_launch->size + cleave_block_size - 1) / cleave_block_size, cleave_block_threads, 0, cleave_launch->stream,
// CUDA-SAME: cleave_launch->size, (const char *)cleave_launch->tmp);
// CUDA-NEXT: CLEAVE_LAUNCH(flux_loops_atomic_3,
// MUTATE CUDA s/cleave_add\(&cleave_dat_res\[2 \* \(size_t\)cleave_point_sides_1\], -/cleave_add(\&cleave_dat_res[2 * (size_t)cleave_point_sides_1], /
// MUTATE CUDA s/\(cleave_launch->size \+ cleave_block_size - 1\)/cleave_launch->size/

// CUDA-LABEL: flux_variants[] = {
// CUDA-DAG: {"flux_loops_colour", CLEAVE_LOOPS, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 16, flux_loops_shared, flux_loops_colour_run,
// CUDA-DAG: {"flux_loops_atomic", CLEAVE_LOOPS, 0, CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_BLOCKS, 16, flux_loops_shared, flux_loops_atomic_run,
// MUTATE CUDA s/CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_BLOCKS, 16/CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_BLOCKS, 0/
