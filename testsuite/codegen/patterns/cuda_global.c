/* cuda_global.c: one launch for each colour of elements that modify no common point, straight in memory.
 * RUN: cuda=FUSED cuda=LOOPS --cleave-emit=fused,loops,comparisons
 */
#include "flux.h"

// FUSED-LABEL: CLEAVE_KERNEL void flux_fused_global_colour(const int *__restrict__ cleave_element, int cleave_first, int cleave_end, int cleave_block_size,
// FUSED-NOT: cleave_stage_
// FUSED: cleave_position = cleave_first + cleave_block() * cleave_block_size + cleave_thread();
// FUSED: if (cleave_thread() < cleave_block_size && cleave_position < cleave_end) {
// FUSED-NEXT: cleave_e = cleave_element[cleave_position];
// FUSED: cleave_dat_res[2 * (size_t)cleave_point_sides_0] += f;
// FUSED-NEXT: cleave_dat_res[2 * (size_t)cleave_point_sides_0 + 1] += f_3;
// FUSED-NEXT: cleave_dat_res[2 * (size_t)cleave_point_sides_1] -= f;
// FUSED-NEXT: cleave_dat_res[2 * (size_t)cleave_point_sides_1 + 1] -= f_3;
// FUSED-LABEL: static void flux_fused_global_colour_run(
// FUSED: for (int cleave_colour = 0; cleave_colour < cleave_plan->global_colours; cleave_colour++) {
// FUSED-NEXT: cleave_first = cleave_plan->global_start[cleave_colour];
// FUSED-NEXT: cleave_end = cleave_plan->global_start[cleave_colour + 1];
// FUSED-NEXT: cleave_blocks = (cleave_end - cleave_first - 1) / cleave_block_size + 1;
// FUSED-NEXT: CLEAVE_LAUNCH(flux_fused_global_colour, cleave_blocks, cleave_block_threads, cleave_launch->shared_bytes, cleave_launch->stream, cleave_plan->global_element, cleave_first, cleave_end, cleave_block_size,
// FUSED-LABEL: flux_variants[] = {
// FUSED: {"flux_fused_global_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_GLOBAL, CLEAVE_PLAN_COLOURS, 0,
// MUTATE FUSED /void flux_fused_global_colour\(/,/^}/ s/cleave_element\[cleave_position\]/cleave_position/
// MUTATE FUSED /void flux_fused_global_colour\(/,/^}/ s/ && cleave_position < cleave_end//
// MUTATE FUSED /flux_fused_global_colour_run\(/,/^}/ s/global_start\[cleave_colour \+ 1\]/global_start[cleave_colour]/
// MUTATE FUSED /flux_fused_global_colour_run\(/,/^}/ s/cleave_plan->global_colours/cleave_plan->colours/

// The contribution in the elements' own order, each update by colours.
// LOOPS-LABEL: CLEAVE_KERNEL void flux_loops_global_colour_1(int cleave_begin, int cleave_end, int cleave_block_size,
// LOOPS: cleave_tmp_f_3[cleave_e] = f_3;
// LOOPS-LABEL: CLEAVE_KERNEL void flux_loops_global_colour_2(const int *__restrict__ cleave_element,
// LOOPS: cleave_e = cleave_element[cleave_position];
// LOOPS: cleave_dat_res[2 * (size_t)cleave_point_sides_0] += cleave_tmp_f[cleave_e];
// LOOPS-LABEL: CLEAVE_KERNEL void flux_loops_global_colour_3(
// LOOPS: cleave_dat_res[2 * (size_t)cleave_point_sides_1 + 1] -= cleave_tmp_f_3[cleave_e];
// LOOPS-LABEL: static void flux_loops_global_colour_run(
// LOOPS: CLEAVE_LAUNCH(flux_loops_global_colour_1, (cleave_launch->size + cleave_block_size - 1) / cleave_block_size,
// LOOPS-NEXT: for (int cleave_colour = 0; cleave_colour < cleave_plan->global_colours; cleave_colour++) {
// LOOPS: CLEAVE_LAUNCH(flux_loops_global_colour_2, cleave_blocks,
// LOOPS: for (int cleave_colour = 0; cleave_colour < cleave_plan->global_colours; cleave_colour++) {
// LOOPS: CLEAVE_LAUNCH(flux_loops_global_colour_3, cleave_blocks,
// LOOPS-LABEL: flux_variants[] = {
// LOOPS: {"flux_loops_global_colour", CLEAVE_LOOPS, 0, CLEAVE_RACE_GLOBAL, CLEAVE_PLAN_COLOURS, 16, NULL,
// MUTATE LOOPS s/-= cleave_tmp_f_3/+= cleave_tmp_f_3/
// MUTATE LOOPS /flux_loops_global_colour_run\(/,/^}/ s/LAUNCH.flux_loops_global_colour_3/LAUNCH(flux_loops_global_colour_2/
