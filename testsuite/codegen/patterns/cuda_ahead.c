/* cuda_ahead.c: while a stage computes, the data of the next is on its way to an area of its own.
 * RUN: cuda=CUDA --cleave-emit=split2,comparisons
 */
#include "flux.h"

// CUDA-LABEL: flux_split2_gather_ahead_layout(const struct cleave_plan *cleave_plan) {
// CUDA: cleave_space.cleave_second = (unsigned)
// The second area begins behind the largest that begins at zero.
// CUDA: // stage 2: contribution 2
// CUDA-NEXT: cleave_at = cleave_space.cleave_second;
// CUDA-LABEL: CLEAVE_REGISTERS(cleave_registers) flux_split2_gather_ahead(
// CUDA: // stage 1: contribution 1
// CUDA: cleave_stage_in_async<double, 2, 2>(0, cleave_dat_x, cleave_points_ends);
// CUDA-NEXT: cleave_copy_commit();
// CUDA: cleave_stage_in_async<double, 1, 1>(cleave_space.cleave_second, cleave_dat_adt, cleave_points_sides);
// CUDA-NEXT: cleave_copy_commit();
// CUDA-NEXT: cleave_in_x_ends = cleave_shared<const double>(0);
// One group of copies may still be on its way.
// CUDA-NEXT: cleave_copy_wait_group<1>();
// CUDA-NEXT: cleave_barrier();
// CUDA: slope = x1[0] - x2[1];
// CUDA: // stage 2: contribution 2
// CUDA-NEXT: {
// CUDA-NEXT: cleave_in_adt_sides = cleave_shared<const double>(cleave_space.cleave_second);
// CUDA-NEXT: cleave_copy_wait();
// CUDA-NEXT: cleave_barrier();
// CUDA: f = slope * adt1[0];
// CUDA: // update through sides
// CUDA-NEXT: cleave_barrier();
// CUDA-LABEL: flux_variants[] = {
// CUDA: {"flux_split2_gather_ahead_c2_r64", CLEAVE_SPLIT, 2, CLEAVE_RACE_GATHER, CLEAVE_PLAN_BLOCKS, 0,
// MUTATE CUDA s/cleave_copy_wait_group<1>\(\)/cleave_copy_wait_group<2>()/
// MUTATE CUDA /gather_ahead\(/,/^}/ s/cleave_stage_in_async<double, 1, 1>.cleave_space.cleave_second/cleave_stage_in_async<double, 1, 1>(0/
// MUTATE CUDA /gather_ahead\(/,/^}/ { /stage 2/,/if .cleave_active/ s/cleave_copy_wait\(\);// }
// MUTATE CUDA /gather_ahead\(/,/^}/ s/cleave_copy_commit\(\);//
