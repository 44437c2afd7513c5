/* openmp_ranges.c: threads run long ranges of consecutive elements, then blocks of elements on their borders, colour by
 * colour; in place, too. Here the kernel is called whole.
 * RUN: openmp=OPENMP -O0 --cleave-emit=fused
 */
#include "op_seq.h"

static void flux(const double *x1, const double *x2, double *res1, double *res2, double *sum)
{
    double f = x1[0] * x2[1];
    res1[0] += f;
    res2[0] -= f;
    sum[0] += f;
}

static void fill(const double *x1, double *x2)
{
    x2[0] = x1[0];
}

void loops(op_set edges, op_map ends, op_dat x, op_dat y, op_dat res, double *sum)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(x, 1, ends, 2, "double", OP_READ),
                op_arg_dat(res, 0, ends, 1, "double", OP_INC),
                op_arg_dat(res, 1, ends, 1, "double", OP_INC), op_arg_gbl(sum, 1, "double", OP_INC));
    op_par_loop(fill, "fill", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(y, 1, ends, 2, "double", OP_WRITE));
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
// OPENMP-NEXT: double cleave_gbl_sum[1] = {0};
// OPENMP-NEXT: for (int cleave_s = cleave_plan->segment_start[cleave_b]; cleave_s < cleave_last; cleave_s++) {
// OPENMP-NEXT: cleave_begin = cleave_plan->segment_first[cleave_s];
// OPENMP-NEXT: cleave_end = cleave_plan->segment_last[cleave_s];
// OPENMP-NEXT: for (int cleave_e = cleave_begin; cleave_e < cleave_end; cleave_e++) {
// OPENMP: flux_body({{.*}}cleave_dat_res + cleave_point_ends_1, cleave_gbl_sum);
// OPENMP: cleave_partial_sum[cleave_b + cleave_d] = cleave_gbl_sum[cleave_d];
// OPENMP: cleave_run_on_threads(cleave_launch, flux_fused_range);
// MUTATE OPENMP s/cleave_colour > 0/cleave_colour > 1/
// MUTATE OPENMP s/segment_last/segment_first/
// MUTATE OPENMP s/cleave_b \+ cleave_d/cleave_d/

// OPENMP-LABEL: static void fill_fused_range(
// OPENMP: cleave_wait_for_all(cleave_thread);
// OPENMP: fill_body(

// OPENMP: {"flux_fused_range", CLEAVE_FUSED, 0, CLEAVE_RACE_RANGE, CLEAVE_PLAN_RANGES, 0, NULL, flux_fused_range_run,
// OPENMP: {"fill_fused_range", CLEAVE_FUSED, 0, CLEAVE_RACE_RANGE, CLEAVE_PLAN_RANGES, 0, NULL, fill_fused_range_run,
// MUTATE OPENMP s/CLEAVE_RACE_RANGE, CLEAVE_PLAN_RANGES/CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS/
