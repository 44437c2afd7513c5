/* openmp_ranges.c: threads run long ranges of consecutive elements, then blocks of elements on their borders, colour by
 * colour. Reductions are made in CLEAVE_SLOTS parts.
 * RUN: openmp=OPENMP --cleave-emit=fused
 */
#include "op_seq.h"

static void flux(const double *x1, const double *x2, double *res1, double *res2, double *sum,
                 double *high)
{
    double f = x1[0] * x2[1];
    res1[0] += f;
    res2[0] -= f;
    sum[0] += f;
    sum[1] += 2.0 * f;
    high[0] = fmax(high[0], f);
}

static void many(const double *x, double *bins)
{
    bins[x[0] > 0.0 ? 0 : 8] += x[0];
}

void loop(op_set edges, op_map ends, op_dat x, op_dat res, double *sum, double *high, double *bins)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(x, 1, ends, 2, "double", OP_READ),
                op_arg_dat(res, 0, ends, 1, "double", OP_INC),
                op_arg_dat(res, 1, ends, 1, "double", OP_INC), op_arg_gbl(sum, 2, "double", OP_INC),
                op_arg_gbl(high, 1, "double", OP_MAX));
    op_par_loop(many, "many", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_gbl(bins, 9, "double", OP_INC));
}

// OPENMP-LABEL: static void flux_fused_range(
// All threads wait before each colour but the first, which has the ranges.
// OPENMP: for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
// OPENMP-NEXT: if (cleave_colour > 0) {
// OPENMP-NEXT: cleave_wait_for_all(cleave_thread);
// OPENMP-NEXT: }
// OPENMP-NEXT: cleave_part = cleave_part_of(cleave_plan->colour_start[cleave_colour], cleave_plan->colour_start[cleave_colour + 1], cleave_thread);
// OPENMP-NEXT: for (int cleave_k = cleave_part.first; cleave_k < cleave_part.last; cleave_k++) {
// OPENMP-NEXT: cleave_b = cleave_plan->colour_block[cleave_k];
// OPENMP-NEXT: cleave_last = cleave_plan->segment_start[cleave_b + 1];
// A block begins with accumulators at zero, or at the user's value.
// OPENMP-NEXT: double cleave_gbl_sum[2][CLEAVE_SLOTS] = {{[{][{]0[}][}]}};
// OPENMP: cleave_gbl_high[cleave_d][cleave_slot] = cleave_start_high[cleave_d];
// OPENMP: for (int cleave_s = cleave_plan->segment_start[cleave_b]; cleave_s < cleave_last; cleave_s++) {
// OPENMP-NEXT: cleave_begin = cleave_plan->segment_first[cleave_s];
// OPENMP-NEXT: cleave_end = cleave_plan->segment_last[cleave_s];
// OPENMP-NEXT: for (int cleave_e = cleave_begin; cleave_e < cleave_end; cleave_e++) {
// OPENMP-NEXT: cleave_slot = (cleave_e - cleave_begin) & (CLEAVE_SLOTS - 1);
// Several components of a slot are copied to where the kernel finds them side by side.
// OPENMP: cleave_own_sum[cleave_d] = cleave_gbl_sum[cleave_d][cleave_slot];
// OPENMP: flux_body({{.*}}cleave_dat_res + cleave_point_ends_1, cleave_own_sum, &cleave_gbl_high[0][cleave_slot]);
// OPENMP: cleave_gbl_sum[cleave_d][cleave_slot] = cleave_own_sum[cleave_d];
// At its end the slots are joined in their order.
// OPENMP: cleave_all = cleave_gbl_sum[cleave_d][0];
// OPENMP-NEXT: for (int cleave_slot = 1; cleave_slot < CLEAVE_SLOTS; cleave_slot++) {
// OPENMP-NEXT: cleave_all += cleave_gbl_sum[cleave_d][cleave_slot];
// OPENMP-NEXT: }
// OPENMP-NEXT: cleave_partial_sum[2 * (size_t)cleave_b + cleave_d] = cleave_all;
// OPENMP: if (cleave_gbl_high[cleave_d][cleave_slot] > cleave_all) {
// OPENMP: cleave_partial_high[cleave_b + cleave_d] = cleave_all;
// OPENMP: cleave_run_on_threads(cleave_launch, flux_fused_range);
// MUTATE OPENMP s/cleave_colour > 0/cleave_colour > 1/
// MUTATE OPENMP s/segment_last/segment_first/
// MUTATE OPENMP s/cleave_e - cleave_begin/cleave_e/
// MUTATE OPENMP s/int cleave_slot = 1/int cleave_slot = 0/
// MUTATE OPENMP s/cleave_gbl_high.*> cleave_all/if (cleave_gbl_high[cleave_d][cleave_slot] < cleave_all/
// MUTATE OPENMP s/cleave_own_sum, &cleave_gbl_high/\&cleave_gbl_sum[0][cleave_slot], \&cleave_gbl_high/
// MUTATE OPENMP s/cleave_gbl_sum\[cleave_d\]\[cleave_slot\] = cleave_own_sum.*//

// Many components would be copied for each element: they have no slots.
// OPENMP-LABEL: static void many_direct(
// OPENMP: double cleave_gbl_bins[9] = {0};
// OPENMP: many_body({{.*}}, cleave_gbl_bins);
// MUTATE OPENMP s/cleave_gbl_bins\[9\]/cleave_gbl_bins[9][CLEAVE_SLOTS]/

// OPENMP: {"flux_fused_range", CLEAVE_FUSED, 0, CLEAVE_RACE_RANGE, CLEAVE_PLAN_RANGES, 0, NULL, flux_fused_range_run,
// MUTATE OPENMP s/CLEAVE_RACE_RANGE, CLEAVE_PLAN_RANGES/CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS/
