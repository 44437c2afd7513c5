/* reductions.c: each block sums up what its elements add to a global, from zero, and finds their least and largest
 * value, from the user's; the runtime, or the last block of a GPU, joins the results of the blocks in their order.
 * RUN: openmp=OPENMP --cleave-emit=fused,split,owner
 */
#include "op_seq.h"

static void update(const double *old, double *res, const double *step, double *rms, double *high,
                   double *low, int *n)
{
    res[0] = old[0] - step[0] * res[0];
    rms[0] += res[0] * res[0];
    rms[1] += res[0];
    high[0] = fmax(high[0], res[0]);
    if (res[0] < low[0]) {
        low[0] = res[0];
    }
    n[0]++;
}

static void both(const double *x, double *res1, double *res2, double *sum)
{
    double f = x[0] * x[1];
    res1[0] += f;
    res2[0] -= f;
    sum[0] += f;
}

void loops(op_set cells, op_set edges, op_map sides, op_dat old, op_dat res, op_dat x, double *step,
           double *rms, double high, double low, int n)
{
    op_par_loop(update, "update", cells, op_arg_dat(old, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(res, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(step, 1, "double", OP_READ), op_arg_gbl(rms, 2, "double", OP_INC),
                op_arg_gbl(&high, 1, "double", OP_MAX), op_arg_gbl(&low, 1, "double", OP_MIN),
                op_arg_gbl(&n, 1, "int", OP_INC));
    op_par_loop(both, "both", edges, op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(res, 0, sides, 1, "double", OP_INC),
                op_arg_dat(res, 1, sides, 1, "double", OP_INC), op_arg_gbl(rms, 1, "double", OP_INC));
}

// ---- OpenMP
// OPENMP-LABEL: static void update_direct(
// OPENMP-DAG: const double *const cleave_gbl_step = (const double *)cleave_launch->data[2];
// OPENMP-DAG: {{^ *}}double *const cleave_partial_rms = (double *)cleave_launch->partial[3];
// OPENMP-DAG: const double *const cleave_start_high = (const double *)cleave_launch->data[4];
// OPENMP-DAG: double *const cleave_partial_high = (double *)cleave_launch->partial[4];
// OPENMP-DAG: const double *const cleave_start_low = (const double *)cleave_launch->data[5];
// OPENMP-DAG: int *const cleave_partial_n = (int *)cleave_launch->partial[6];
// Nothing has to be known of sums.
// OPENMP-NOT: cleave_start_rms
// OPENMP: for (int cleave_b = cleave_blocks.first;
// OPENMP: {{^ *}}double cleave_gbl_rms[2] = {0};
// OPENMP: cleave_gbl_high[cleave_d] = cleave_start_high[cleave_d];
// OPENMP: cleave_gbl_low[cleave_d] = cleave_start_low[cleave_d];
// OPENMP: int cleave_gbl_n[1] = {0};
// OPENMP: update_body(
// OPENMP-SAME: cleave_gbl_step, cleave_gbl_rms, cleave_gbl_high, cleave_gbl_low, cleave_gbl_n);
// OPENMP-NEXT: }
// OPENMP-NEXT: for (int cleave_d = 0; cleave_d < 2; cleave_d++) {
// OPENMP-NEXT: cleave_partial_rms[2 * (size_t)cleave_b + cleave_d] = cleave_gbl_rms[cleave_d];
// OPENMP: cleave_partial_high[cleave_b + cleave_d] = cleave_gbl_high[cleave_d];
// OPENMP: cleave_partial_low[cleave_b + cleave_d] = cleave_gbl_low[cleave_d];
// OPENMP: cleave_partial_n[cleave_b + cleave_d] = cleave_gbl_n[cleave_d];
// MUTATE OPENMP s/cleave_launch->partial\[3\]/cleave_launch->data[3]/
// MUTATE OPENMP s/cleave_gbl_high\[cleave_d\] = cleave_start_high/cleave_gbl_high[cleave_d] = cleave_start_low/
// MUTATE OPENMP s/cleave_partial_rms\[2 \* .size_t.cleave_b/cleave_partial_rms[(size_t)cleave_b/
// MUTATE OPENMP s/^( *)(double cleave_gbl_rms.*)/\1static \2/

// In stages, the sum of a block goes on over its pieces.
// OPENMP-LABEL: static void both_split_colour(
// OPENMP: for (int cleave_k = cleave_part.first;
// OPENMP: double cleave_gbl_sum[1] = {0};
// OPENMP: for (int cleave_at
// OPENMP-NOT: cleave_gbl_sum[1]
// OPENMP: double *const sum = cleave_gbl_sum;
// OPENMP: sum[0] += f;
// OPENMP: // stage 3
// OPENMP: cleave_partial_sum[cleave_b + cleave_d] = cleave_gbl_sum[cleave_d];
// MUTATE OPENMP /both_split/,$ s/double \*const sum =/double cleave_gbl_sum[1] = {0}; &/

// Owners compute elements more than once: sums are made by a loop over the elements before.
// OPENMP-LABEL: static void both_owner(
// OPENMP: // stage 1: effects
// OPENMP: double *const sum = cleave_gbl_sum;
// OPENMP-NOT: cleave_dat_res
// OPENMP: sum[0] += f;
// OPENMP: cleave_partial_sum[cleave_b + cleave_d] = cleave_gbl_sum[cleave_d];
// OPENMP: // stage 2: gather
// OPENMP-NOT: sum
// OPENMP: cleave_to_res[0] += f;
// OPENMP-NOT: sum
// OPENMP-LABEL: static void both_owner_run(
// MUTATE OPENMP /stage 2: gather/,$ s/double f = /double *const sum = cleave_gbl_sum; &/
