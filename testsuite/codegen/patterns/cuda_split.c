/* cuda_split.c: each stage stages its own data where the stage before had its; what crosses stays in registers.
 * RUN: cuda=CUDA --cleave-emit=split,split2
 */
#include "flux.h"

// ---- one cut: the contribution, then the updates, one for each column
// CUDA-LABEL: CLEAVE_KERNEL void flux_split_colour(
// CUDA: double f = 0;
// CUDA-NEXT: double f_3 = 0;
// CUDA: // stage 1: contribution, 24 bytes per point
// CUDA-NOT: cleave_stage_zero
// CUDA: cleave_barrier();
// CUDA-NEXT: if (cleave_active) {
// CUDA-NOT: cleave_dat_res
// CUDA: f = slope * adt1[0];
// Each stage begins with a barrier: others may still read what it overwrites.
// CUDA: // stage 2: update through sides[0], 16 bytes per point
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: {
// CUDA-NEXT: cleave_out_res_sides = cleave_stage_zero<double, 2>(0, cleave_points_sides);
// CUDA-NEXT: cleave_barrier();
// CUDA: if (cleave_turn == cleave_colour) {
// CUDA-NEXT: cleave_out_res_sides[2 * cleave_local_sides_0] += f;
// CUDA-NEXT: cleave_out_res_sides[2 * cleave_local_sides_0 + 1] += f_3;
// CUDA-NEXT: }
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: }
// CUDA-NEXT: cleave_stage_out_add<double, 2>(cleave_dat_res, cleave_out_res_sides, cleave_points_sides);
// CUDA: // stage 3: update through sides[1], 16 bytes per point
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: {
// CUDA-NEXT: cleave_stage_zero<double, 2>(0, cleave_points_sides);
// CUDA: cleave_out_res_sides[2 * cleave_local_sides_1] -= f;
// CUDA: cleave_stage_out_add<double, 2>(
// MUTATE CUDA /^CLEAVE_KERNEL void flux_split_colour/,/^}/ { /stage 3/,/\{/ s/cleave_barrier\(\);// }
// MUTATE CUDA /^CLEAVE_KERNEL void flux_split_colour/,/^}/ { /stage_zero/,/Threads of/ s/cleave_barrier\(\);// }
// MUTATE CUDA /^CLEAVE_KERNEL void flux_split_colour/,/^}/ s/_sides_1\] -= f;/_sides_0] -= f;/

// ---- two cuts: a stage stages what it reads; the block takes as much shared memory as its largest stage
// CUDA-LABEL: flux_split2_layout(const struct cleave_plan *cleave_plan) {
// CUDA: // stage 1: contribution 1
// CUDA-NEXT: cleave_at = cleave_round_up(cleave_plan->list[0].max_points * 2 * sizeof(double));
// CUDA-NEXT: cleave_bytes = cleave_larger(cleave_bytes, cleave_at);
// CUDA-NEXT: // stage 2: contribution 2
// CUDA-NEXT: cleave_at = cleave_round_up(cleave_plan->list[1].max_points * 1 * sizeof(double));
// CUDA-NEXT: cleave_bytes = cleave_larger(cleave_bytes, cleave_at);
// CUDA-NEXT: // stage 3: update through sides[0]
// CUDA-NEXT: cleave_at = cleave_round_up(cleave_plan->list[1].max_points * 2 * sizeof(double));
// CUDA-NEXT: cleave_bytes = cleave_larger(cleave_bytes, cleave_at);
// MUTATE CUDA /^static flux_split2_space/,/^}/ { /stage 2/,/stage 3/ s/cleave_at = /cleave_at += / }
// CUDA-LABEL: CLEAVE_KERNEL void flux_split2_colour(
// CUDA: double slope = 0;
// CUDA: // stage 1: contribution 1, 16 bytes per point
// CUDA-NOT: cleave_dat_adt
// CUDA: slope = x1[0] - x2[1];
// CUDA: // stage 2: contribution 2, 8 bytes per point
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: {
// CUDA-NEXT: cleave_in_adt_sides = cleave_stage_in<double, 1>(0, cleave_dat_adt, cleave_points_sides);
// CUDA-NEXT: cleave_barrier();
// CUDA-NOT: x1
// CUDA: {{^ *}}f = slope * adt1[0];
// CUDA: // stage 3: update through sides[0]
// CUDA: // stage 4: update through sides[1]
// MUTATE CUDA /^CLEAVE_KERNEL void flux_split2_colour/,/^}/ { /stage 2: contr/,/stage_in/ s/cleave_barrier\(\);// }
// MUTATE CUDA /^CLEAVE_KERNEL void flux_split2_colour/,/^}/ s/ f = slope/ double f = slope/

// The table: shared memory, reads, cuts.
// CUDA-LABEL: flux_variants[] = {
// CUDA: {"flux_split_colour", CLEAVE_SPLIT, 1, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_split_shared, flux_split_colour_run, CLEAVE_READS_STAGED,
// CUDA: {"flux_split2_colour", CLEAVE_SPLIT, 2, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_split2_shared, flux_split2_colour_run, CLEAVE_READS_STAGED,
// MUTATE CUDA s/flux_split2_shared, flux_split2_colour_run/flux_split_shared, flux_split2_colour_run/
