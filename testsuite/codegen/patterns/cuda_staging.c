/* cuda_staging.c: a block stages each point that its elements use once, computes, lets its elements take turns by
 * their colours, and adds the sums to memory. Blocks of one launch modify no common point.
 * RUN: cuda=CUDA --cleave-emit=fused
 */
#include "flux.h"

// ---- shared memory: one group behind the other, each rounded up
// CUDA-LABEL: struct flux_fused_space {
// CUDA-NEXT: unsigned in1_adt_sides;
// CUDA-NEXT: unsigned out1_res_sides;
// CUDA-NEXT: unsigned cleave_bytes;
// CUDA: flux_fused_layout(const struct cleave_plan *cleave_plan) {
// CUDA: cleave_at = cleave_round_up(cleave_plan->list[0].max_points * 2 * sizeof(double));
// CUDA-NEXT: cleave_space.in1_adt_sides = (unsigned)cleave_at;
// CUDA-NEXT: cleave_at += cleave_round_up(cleave_plan->list[1].max_points * 1 * sizeof(double));
// CUDA-NEXT: cleave_space.out1_res_sides = (unsigned)cleave_at;
// CUDA-NEXT: cleave_at += cleave_round_up(cleave_plan->list[1].max_points * 2 * sizeof(double));
// CUDA-NEXT: cleave_bytes = cleave_larger(cleave_bytes, cleave_at);
// CUDA-NEXT: cleave_space.cleave_bytes = (unsigned)cleave_bytes;
// CUDA: static size_t flux_fused_shared(const struct cleave_plan *cleave_plan) {
// CUDA-NEXT: return flux_fused_layout(cleave_plan).cleave_bytes;
// MUTATE CUDA s/list\[0\].max_points \* 2/list[0].max_points * 1/
// MUTATE CUDA s/cleave_at \+= (cleave_round_up.*list\[1\].max_points \* 2)/cleave_at = \1/

// ---- the comment says what is staged, and how many bytes that takes
// CUDA-LABEL: // flux over edges, {{.*}}: fused, hierarchical colouring.
// CUDA-NEXT: // stage 1: whole body
// CUDA-NEXT: // stages in x[0..1] through ends, 16 bytes per point
// CUDA-NEXT: // stages in adt[0] through sides, 8 bytes per point
// CUDA-NEXT: // stages out res[0..1] through sides, 16 bytes per point
// CUDA-NEXT: CLEAVE_KERNEL void flux_fused_colour(cleave_block_plan<2> cleave_plan, flux_fused_space cleave_space, int cleave_first,
// CUDA-SAME: const double *__restrict__ cleave_dat_x, const double *__restrict__ cleave_dat_adt, double *__restrict__ cleave_dat_res) {

// ---- the block's place in its colour, its elements, and their points' places in shared memory
// CUDA-NEXT: cleave_b = cleave_plan.colour_block[cleave_first + cleave_block()];
// CUDA-NEXT: cleave_begin = cleave_plan.start[cleave_b];
// CUDA-NEXT: cleave_count = cleave_plan.start[cleave_b + 1] - cleave_begin;
// CUDA-NEXT: cleave_active = cleave_thread() < cleave_count;
// CUDA-NEXT: cleave_position = cleave_begin + cleave_thread();
// CUDA-DAG: cleave_points_ends = cleave_points_of(cleave_plan.list[0], cleave_b);
// CUDA-DAG: cleave_local_ends_0 = cleave_local_of(cleave_plan, 0, 0, cleave_position, cleave_active);
// CUDA-DAG: cleave_local_ends_1 = cleave_local_of(cleave_plan, 0, 1, cleave_position, cleave_active);
// CUDA-DAG: cleave_points_sides = cleave_points_of(cleave_plan.list[1], cleave_b);
// CUDA-DAG: cleave_local_sides_0 = cleave_local_of(cleave_plan, 1, 0, cleave_position, cleave_active);
// CUDA-DAG: cleave_local_sides_1 = cleave_local_of(cleave_plan, 1, 1, cleave_position, cleave_active);
// CUDA-DAG: cleave_colours = cleave_plan.thread_colours[cleave_b];
// CUDA-DAG: cleave_turn = cleave_active ? cleave_plan.thread_colour[cleave_position] : -1;
// MUTATE CUDA s/colour_block\[cleave_first \+ cleave_block/colour_block[cleave_block/
// MUTATE CUDA s/cleave_local_of\(cleave_plan, 1, 1/cleave_local_of(cleave_plan, 1, 0/
// MUTATE CUDA s/cleave_thread\(\) < cleave_count/true/
// MUTATE CUDA s/thread_colour\[cleave_position\] : -1/thread_colour[cleave_position] : 0/

// ---- staged at the offsets of the layout; nobody reads before all is there
// CUDA: // stage 1: whole body, 40 bytes per point
// CUDA: cleave_in_x_ends = cleave_stage_in<double, 2>(0, cleave_dat_x, cleave_points_ends);
// CUDA-NEXT: cleave_in_adt_sides = cleave_stage_in<double, 1>(cleave_space.in1_adt_sides, cleave_dat_adt, cleave_points_sides);
// CUDA-NEXT: cleave_out_res_sides = cleave_stage_zero<double, 2>(cleave_space.out1_res_sides, cleave_points_sides);
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: if (cleave_active) {
// CUDA-NEXT: const auto x1 = cleave_in_x_ends + 2 * cleave_local_ends_0;
// CUDA-NEXT: const auto x2 = cleave_in_x_ends + 2 * cleave_local_ends_1;
// CUDA-NEXT: const auto adt1 = cleave_in_adt_sides + cleave_local_sides_0;
// CUDA-NEXT: const auto adt2 = cleave_in_adt_sides + cleave_local_sides_1;
// CUDA: f = slope * adt1[0];
// MUTATE CUDA /whole body, 40/,/if .cleave_active/ s/cleave_barrier\(\);//
// MUTATE CUDA s/cleave_stage_in<double, 1>.cleave_space.in1_adt_sides/cleave_stage_in<double, 1>(cleave_space.out1_res_sides/
// MUTATE CUDA s/cleave_stage_in<double, 2>/cleave_stage_in<double, 1>/
// MUTATE CUDA s/x2 = cleave_in_x_ends \+ 2 \* /x2 = cleave_in_x_ends + /

// ---- turns: the barrier lies outside of what only some threads do
// CUDA: for (int cleave_colour = 0; cleave_colour < cleave_colours; cleave_colour++) {
// CUDA-NEXT: if (cleave_turn == cleave_colour) {
// CUDA-NEXT: cleave_out_res_sides[2 * cleave_local_sides_0] += f;
// CUDA-NEXT: cleave_out_res_sides[2 * cleave_local_sides_0 + 1] += f_3;
// CUDA-NEXT: cleave_out_res_sides[2 * cleave_local_sides_1] -= f;
// CUDA-NEXT: cleave_out_res_sides[2 * cleave_local_sides_1 + 1] -= f_3;
// CUDA-NEXT: }
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: }
// CUDA: cleave_stage_out_add<double, 2>(cleave_dat_res, cleave_out_res_sides, cleave_points_sides);
// CUDA-NEXT: }
// MUTATE CUDA /cleave_colour = 0; cleave_colour < cleave_colours/,/stage_out/ s/cleave_barrier\(\);//
// MUTATE CUDA s/cleave_local_sides_1 \+ 1\] -= f_3/cleave_local_sides_1 + 1] -= f/
// MUTATE CUDA s/cleave_stage_out_add<double, 2>/cleave_stage_out_add<double, 1>/

// ---- one launch for each colour, in order, on the stream of the loop
// CUDA-LABEL: static void flux_fused_colour_run(
// CUDA: cleave_block_threads = (cleave_launch->block_size + 31) / 32 * 32;
// CUDA-NEXT: if (cleave_launch->begin == cleave_launch->end) {
// CUDA-NEXT: return;
// CUDA: cleave_space = flux_fused_layout(cleave_plan);
// CUDA-NEXT: for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
// CUDA-NEXT: cleave_first = cleave_plan->colour_start[cleave_colour];
// CUDA-NEXT: cleave_blocks = cleave_plan->colour_start[cleave_colour + 1] - cleave_first;
// CUDA-NEXT: CLEAVE_LAUNCH(flux_fused_colour, cleave_blocks, cleave_block_threads, cleave_launch->shared_bytes, cleave_launch->stream,
// CUDA-SAME: cleave_block_plan<2>(*cleave_plan), cleave_space, cleave_first,
// CUDA-SAME: (const double *)cleave_launch->data[0], (const double *)cleave_launch->data[2], (double *)cleave_launch->data[4]);
// MUTATE CUDA s/\(cleave_launch->block_size \+ 31\) \/ 32 \* 32/cleave_launch->block_size/
// MUTATE CUDA s/cleave_launch->begin == cleave_launch->end/false/
// MUTATE CUDA /void flux_fused_colour_run/,$ s/cleave_launch->data\[2\]/cleave_launch->data[3]/
