/* openmp_colours.c: blocks of one colour run in parallel, each in one thread; between colours all threads wait.
 * The kernel is called whole (fused), or its stages run piece by piece (split) or one after the other (loops).
 * RUN: openmp=OPENMP --cleave-emit=fused,split,split2,loops,comparisons
 */
#include "flux.h"

// ---- fused: dats and maps once each, from the first argument that has them; only `res` may be written
// OPENMP-LABEL: static void flux_fused_colour(
// OPENMP-DAG: const double *const cleave_dat_x = (const double *)cleave_launch->data[0];
// OPENMP-DAG: const double *const cleave_dat_adt = (const double *)cleave_launch->data[2];
// OPENMP-DAG: {{^ *}}double *const cleave_dat_res = (double *)cleave_launch->data[4];
// OPENMP-DAG: const int *const cleave_map_ends = cleave_launch->map[0];
// OPENMP-DAG: const int cleave_width_ends = cleave_launch->map_dim[0];
// OPENMP-DAG: const int *const cleave_map_sides = cleave_launch->map[2];
// OPENMP-DAG: const int cleave_width_sides = cleave_launch->map_dim[2];
// OPENMP-NOT: cleave_launch
// MUTATE OPENMP s/ double \*const cleave_dat_res = .double/const&/
// MUTATE OPENMP s/cleave_launch->data\[4\]/cleave_launch->data[5]/
// MUTATE OPENMP s/cleave_launch->map_dim\[2\]/cleave_launch->map_dim[0]/

// All threads wait before each colour but the first; each takes its part of the colour's blocks.
// OPENMP: for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
// OPENMP-NEXT: if (cleave_colour > 0) {
// OPENMP-NEXT: cleave_wait_for_all(cleave_thread);
// OPENMP-NEXT: }
// OPENMP-NEXT: cleave_part = cleave_part_of(cleave_plan->colour_start[cleave_colour], cleave_plan->colour_start[cleave_colour + 1], cleave_thread);
// OPENMP-NEXT: for (int cleave_k = cleave_part.first; cleave_k < cleave_part.last; cleave_k++) {
// OPENMP-NEXT: cleave_b = cleave_plan->colour_block[cleave_k];
// OPENMP-NEXT: cleave_end = cleave_plan->start[cleave_b + 1];
// OPENMP-NEXT: for (int cleave_i = cleave_plan->start[cleave_b]; cleave_i < cleave_end; cleave_i++) {
// OPENMP-NEXT: cleave_e = cleave_plan->order[cleave_i];
// MUTATE OPENMP s/cleave_colour > 0/cleave_colour > 1/
// MUTATE OPENMP s/cleave_plan->colour_block\[cleave_k\]/cleave_k/
// MUTATE OPENMP s/cleave_plan->order\[cleave_i\]/cleave_i/

// The kernel gets pointers to the records of its points.
// OPENMP-DAG: cleave_point_ends_0 = cleave_map_ends[(size_t)cleave_e * cleave_width_ends + 0];
// OPENMP-DAG: cleave_point_ends_1 = cleave_map_ends[(size_t)cleave_e * cleave_width_ends + 1];
// OPENMP-DAG: cleave_point_sides_0 = cleave_map_sides[(size_t)cleave_e * cleave_width_sides + 0];
// OPENMP-DAG: cleave_point_sides_1 = cleave_map_sides[(size_t)cleave_e * cleave_width_sides + 1];
// OPENMP: flux_body(cleave_dat_x + 2 * (size_t)cleave_point_ends_0, cleave_dat_x + 2 * (size_t)cleave_point_ends_1,
// OPENMP-SAME: cleave_dat_adt + cleave_point_sides_0, cleave_dat_adt + cleave_point_sides_1,
// OPENMP-SAME: cleave_dat_res + 2 * (size_t)cleave_point_sides_0, cleave_dat_res + 2 * (size_t)cleave_point_sides_1);
// MUTATE OPENMP s/cleave_dat_res \+ 2 \* \(size_t\)cleave_point_sides_1/cleave_dat_res + cleave_point_sides_1/
// MUTATE OPENMP s/cleave_width_sides \+ 1\]/cleave_width_ends + 1]/

// OPENMP-LABEL: static void flux_fused_colour_run(
// OPENMP: cleave_run_on_threads(cleave_launch, flux_fused_colour);

// ---- split: a block is worked off in pieces, stage after stage; arrays hold what crosses
// OPENMP-LABEL: stage 1: contribution; makes 2 values
// OPENMP-NEXT: stage 2: update through sides[0]
// OPENMP-NEXT: stage 3: update through sides[1]
// OPENMP-NEXT: static void flux_split_colour(
// OPENMP: if (cleave_colour > 0) {
// OPENMP-NEXT: cleave_wait_for_all(cleave_thread);
// OPENMP: for (int cleave_at = cleave_plan->start[cleave_b]; cleave_at < cleave_end; cleave_at += 1024) {
// OPENMP: const int cleave_left = cleave_end - cleave_at;
// OPENMP: const int cleave_count = cleave_left < 1024 ? cleave_left : 1024;
// OPENMP: double cleave_tmp_f[1024];
// OPENMP: double cleave_tmp_f_3[1024];
// OPENMP: // stage 1: contribution
// OPENMP-NEXT: for (int cleave_i = 0; cleave_i < cleave_count; cleave_i++) {
// OPENMP-NEXT: cleave_e = cleave_plan->order[cleave_at + cleave_i];
// OPENMP: const double *const x1 = cleave_dat_x + 2 * (size_t)cleave_point_ends_0;
// OPENMP: double f = slope * adt1[0];
// Both branches make the value that leaves the stage.
// OPENMP: if (cond) {
// OPENMP-NEXT: f_3 = f + slope;
// OPENMP-NEXT: } else {
// OPENMP-NEXT: f_3 = f;
// OPENMP-NEXT: }
// OPENMP-NEXT: cleave_tmp_f[cleave_i] = f;
// OPENMP-NEXT: cleave_tmp_f_3[cleave_i] = f_3;
// OPENMP: // stage 2: update through sides[0]
// OPENMP-NEXT: for (int cleave_i = 0; cleave_i < cleave_count; cleave_i++) {
// OPENMP: cleave_to_res = cleave_dat_res + 2 * (size_t)cleave_point_sides_0;
// OPENMP-NEXT: cleave_to_res[0] += cleave_tmp_f[cleave_i];
// OPENMP-NEXT: cleave_to_res[1] += cleave_tmp_f_3[cleave_i];
// OPENMP-NEXT: }
// OPENMP: // stage 3: update through sides[1]
// OPENMP: cleave_to_res = cleave_dat_res + 2 * (size_t)cleave_point_sides_1;
// OPENMP-NEXT: cleave_to_res[0] -= cleave_tmp_f[cleave_i];
// OPENMP-NEXT: cleave_to_res[1] -= cleave_tmp_f_3[cleave_i];
// MUTATE OPENMP s/double cleave_tmp_f_3\[1024\]/double cleave_tmp_f_3[819]/
// MUTATE OPENMP s/cleave_left < 1024 \?/cleave_left > 1024 ?/
// MUTATE OPENMP s/cleave_plan->order\[cleave_at \+ cleave_i\]/cleave_plan->order[cleave_i]/
// MUTATE OPENMP s/f_3 = f;/f_3 = 0;/
// MUTATE OPENMP s/cleave_to_res\[1\] -= cleave_tmp_f_3/cleave_to_res[1] += cleave_tmp_f_3/

// A stage of its own for the first part: it stores what the second reads.
// OPENMP-LABEL: static void flux_split2_colour(
// OPENMP: // stage 1: contribution 1
// OPENMP-NOT: adt
// OPENMP: cleave_tmp_slope[cleave_i] = slope;
// OPENMP: // stage 2: contribution 2
// OPENMP-NOT: cleave_map_ends
// OPENMP: const double slope = cleave_tmp_slope[cleave_i];
// OPENMP-NOT: cleave_map_ends
// OPENMP: // stage 3: update through sides[0]
// OPENMP: // stage 4: update through sides[1]
// MUTATE OPENMP s/const double slope = cleave_tmp_slope/const double slope = cleave_tmp_f/

// ---- loops: tmp(e) lies in memory, one value of all elements behind the other
// OPENMP-LABEL: static void flux_loops_colour(
// OPENMP: double *const cleave_tmp_f = (double *)cleave_launch->tmp;
// OPENMP-NEXT: double *const cleave_tmp_f_3 = (double *)((char *)cleave_launch->tmp + 8 * (size_t)cleave_launch->size);
// The contribution modifies nothing through a map: it needs no colours.
// OPENMP-NOT: colour
// OPENMP: cleave_blocks = cleave_part_of(0, cleave_plan->blocks, cleave_thread);
// OPENMP-NEXT: for (int cleave_b = cleave_blocks.first; cleave_b < cleave_blocks.last; cleave_b++) {
// OPENMP: cleave_tmp_f[cleave_e] = f;
// OPENMP-NEXT: cleave_tmp_f_3[cleave_e] = f_3;
// Each update waits before its first colour, too: its values come from other threads.
// OPENMP: // stage 2: update through sides[0]
// OPENMP-NEXT: for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
// OPENMP-NEXT: cleave_wait_for_all(cleave_thread);
// OPENMP: cleave_to_res[0] += cleave_tmp_f[cleave_e];
// OPENMP-NEXT: cleave_to_res[1] += cleave_tmp_f_3[cleave_e];
// OPENMP: // stage 3: update through sides[1]
// OPENMP-NEXT: for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
// OPENMP-NEXT: cleave_wait_for_all(cleave_thread);
// OPENMP: cleave_to_res[0] -= cleave_tmp_f[cleave_e];
// OPENMP-NEXT: cleave_to_res[1] -= cleave_tmp_f_3[cleave_e];
// OPENMP-LABEL: static void flux_loops_colour_run(
// MUTATE OPENMP s/8 \* .size_t.cleave_launch->size/8/
// MUTATE OPENMP /stage 3/,$ s/cleave_wait_for_all\(cleave_thread\);//
// MUTATE OPENMP s/cleave_tmp_f_3\[cleave_e\] = f_3/cleave_tmp_f_3[cleave_i] = f_3/

// The tables describe them: cuts, how races are resolved, bytes of tmp(e) for each element.
// OPENMP: {"flux_fused_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, NULL, flux_fused_colour_run,
// OPENMP-NEXT: {"flux_split_colour", CLEAVE_SPLIT, 1, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, NULL, flux_split_colour_run,
// OPENMP-NEXT: {"flux_split2_colour", CLEAVE_SPLIT, 2, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, NULL, flux_split2_colour_run,
// OPENMP-NEXT: {"flux_loops_colour", CLEAVE_LOOPS, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 16, NULL, flux_loops_colour_run,
// MUTATE OPENMP s/CLEAVE_PLAN_BLOCKS, 16/CLEAVE_PLAN_BLOCKS, 8/
// MUTATE OPENMP s/(flux_split2_colour", CLEAVE_SPLIT,) 2/\1 1/
