/* openmp_points.c: each point adds up its elements in their order, so that no two threads write to one point: the
 * contributions come from memory (twopass), or the point computes them (owner).
 * RUN: openmp=OPENMP --cleave-emit=twopass,owner
 */
#include "op_seq.h"

static void flux(const double *x1, const double *x2, double *res1, double *res2)
{
    double f = x1[0] - x2[1];
    res1[0] += f;
    res2[0] -= f;
}

void loop(op_set edges, op_map ends, op_map sides, op_dat x, op_dat res)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(x, 1, ends, 2, "double", OP_READ),
                op_arg_dat(res, 0, sides, 2, "double", OP_INC),
                op_arg_dat(res, 1, sides, 2, "double", OP_INC));
}

// OPENMP-LABEL: static void flux_twopass(
// OPENMP: double *const cleave_tmp_f = (double *)cleave_launch->tmp;
// The elements, in blocks of their own order.
// OPENMP: // stage 1: contribution
// OPENMP-NEXT: cleave_blocks = cleave_part_of(0, cleave_launch->blocks, cleave_thread);
// OPENMP: cleave_begin = cleave_launch->begin + cleave_b * cleave_launch->block_size;
// OPENMP-NEXT: cleave_left = cleave_launch->end - cleave_begin;
// OPENMP-NEXT: cleave_count = cleave_left < cleave_launch->block_size ? cleave_left : cleave_launch->block_size;
// OPENMP-NEXT: for (int cleave_e = cleave_begin; cleave_e < cleave_begin + cleave_count; cleave_e++) {
// OPENMP-NOT: cleave_dat_res
// OPENMP: cleave_tmp_f[cleave_e] = f;
// MUTATE OPENMP s/cleave_begin \+ cleave_count/cleave_begin + cleave_left/
// MUTATE OPENMP s/cleave_launch->begin \+ /0 + /
// The list of the second map; all threads wait until the contributions are there.
// OPENMP: // stage 2: gather through sides; each point adds up its elements in their order.
// OPENMP: cleave_list = &cleave_plan->list[1];
// OPENMP: cleave_points = cleave_part_of(0, cleave_list->points, cleave_thread);
// OPENMP-NEXT: cleave_wait_for_all(cleave_thread);
// OPENMP-NEXT: for (int cleave_p = cleave_points.first; cleave_p < cleave_points.last; cleave_p++) {
// OPENMP-NEXT: cleave_last = cleave_list->item_start[cleave_p + 1];
// OPENMP-NEXT: cleave_to_res = cleave_dat_res + 2 * (size_t)cleave_p;
// OPENMP-NEXT: for (int cleave_k = cleave_list->item_start[cleave_p]; cleave_k < cleave_last; cleave_k++) {
// OPENMP-NEXT: cleave_e = cleave_list->item_element[cleave_k];
// OPENMP-NEXT: switch (cleave_list->item_column[cleave_k]) {
// OPENMP-NEXT: case 0:
// OPENMP-NEXT: cleave_to_res[0] += cleave_tmp_f[cleave_e];
// OPENMP-NEXT: break;
// OPENMP-NEXT: case 1:
// OPENMP-NEXT: cleave_to_res[0] -= cleave_tmp_f[cleave_e];
// OPENMP-NEXT: break;
// OPENMP-NEXT: }
// MUTATE OPENMP s/&cleave_plan->list\[1\]/\&cleave_plan->list[0]/
// MUTATE OPENMP s/cleave_wait_for_all\(cleave_thread\);//
// MUTATE OPENMP s/item_column\[cleave_k\]/item_column[cleave_p]/
// MUTATE OPENMP s/case 1:/case 2:/

// The owner computes each element that it needs; nothing comes before, so there is nothing to wait for.
// OPENMP-LABEL: static void flux_owner(
// OPENMP-NOT: cleave_tmp_
// OPENMP-NOT: cleave_wait_for_all
// OPENMP: // stage 1: gather through sides
// OPENMP-NOT: cleave_tmp_
// OPENMP-NOT: cleave_wait_for_all
// OPENMP: for (int cleave_p = cleave_points.first; cleave_p < cleave_points.last; cleave_p++) {
// OPENMP: cleave_e = cleave_list->item_element[cleave_k];
// OPENMP: cleave_point_ends_1 = cleave_map_ends[(size_t)cleave_e * cleave_width_ends + 1];
// OPENMP: double f = x1[0] - x2[1];
// OPENMP-NEXT: switch (cleave_list->item_column[cleave_k]) {
// OPENMP-NEXT: case 0:
// OPENMP-NEXT: cleave_to_res[0] += f;
// OPENMP: case 1:
// OPENMP-NEXT: cleave_to_res[0] -= f;
// OPENMP-LABEL: static void flux_owner_run(
// MUTATE OPENMP s/cleave_to_res\[0\] -= f;/cleave_to_res[0] += f;/
// MUTATE OPENMP /flux_owner.const/,$ s/for .int cleave_p/cleave_wait_for_all(cleave_thread); &/

// Only twopass keeps tmp(e). No race is left to resolve.
// OPENMP: {"flux_twopass", CLEAVE_TWO_PASS, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_POINTS, 8, NULL, flux_twopass_run,
// OPENMP-NEXT: {"flux_owner", CLEAVE_OWNER_GATHER, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_POINTS, 0, NULL, flux_owner_run,
// MUTATE OPENMP s/CLEAVE_PLAN_POINTS, 8/CLEAVE_PLAN_POINTS, 0/
