/* reductions.c: each block sums up what its elements add to a global, from zero, and finds their least and largest
 * value, from the user's; the runtime, or the last block of a GPU, joins the results of the blocks in their order.
 * RUN: openmp=OPENMP cuda=CUDA cuda=OTHERS cuda=SPACE -O0 --cleave-emit=fused,split,owner
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

static void sum16(const double *x, double *sum)
{
    for (int k = 0; k < 16; k++) {
        sum[0] += x[k];
    }
}

static void much16(const double *x, double *sum)
{
    for (int k = 0; k < 16; k++) {
        sum[0] += sqrt(x[k]) / (1.0 + x[k]) + exp(x[k]) * sin(x[k]) * exp(2.0 * x[k]) / (3.0 + x[k]);
    }
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
    op_par_loop(sum16, "sum16", cells, op_arg_dat(x, -1, OP_ID, 16, "double", OP_READ),
                op_arg_gbl(rms, 1, "double", OP_INC));
    op_par_loop(much16, "much16", cells, op_arg_dat(x, -1, OP_ID, 16, "double", OP_READ),
                op_arg_gbl(rms, 1, "double", OP_INC));
}

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

// ---- on a GPU, blocks go on by strides; the last one to arrive joins the results of all
// CUDA-LABEL: static size_t update_direct_shared(
// CUDA-NEXT: return 1156;
// CUDA-LABEL: CLEAVE_KERNEL void update_direct(int cleave_begin, int cleave_end, int cleave_block_size,
// CUDA-SAME: cleave_value<double, 1> cleave_gbl_step, cleave_reduction<double> cleave_partial_rms, cleave_value<double, 1> cleave_start_high,
// CUDA: cleave_element_blocks = (cleave_end - cleave_begin - 1) / cleave_block_size + 1;
// CUDA-NEXT: double cleave_gbl_rms[2] = {};
// CUDA: cleave_gbl_high[cleave_d] = cleave_start_high.v[cleave_d];
// CUDA: cleave_gbl_low[cleave_d] = cleave_start_low.v[cleave_d];
// CUDA: int cleave_gbl_n[1] = {};
// CUDA-NEXT: for (int cleave_c = cleave_b; cleave_c < cleave_element_blocks; cleave_c += cleave_arrived.blocks) {
// CUDA-NEXT: cleave_e = cleave_begin + cleave_c * cleave_block_size + cleave_thread();
// CUDA-NEXT: if (cleave_thread() < cleave_block_size && cleave_e < cleave_end) {
// CUDA: update_body({{.*}}, cleave_gbl_step.v, cleave_gbl_rms, cleave_gbl_high, cleave_gbl_low, cleave_gbl_n);
// All threads take part in the reduction of their block.
// CUDA: cleave_store(cleave_dat_res + cleave_e, cleave_rec_res);
// CUDA-NEXT: }
// CUDA-NEXT: }
// Reductions leave the values of their warps side by side, and share a barrier.
// CUDA-NEXT: cleave_leave_values<cleave_op_add, 2>(cleave_gbl_rms, cleave_shared<double>(0));
// CUDA-NEXT: cleave_leave_values<cleave_op_max, 1>(cleave_gbl_high, cleave_shared<double>(512));
// CUDA-NEXT: cleave_leave_values<cleave_op_min, 1>(cleave_gbl_low, cleave_shared<double>(768));
// CUDA-NEXT: cleave_leave_values<cleave_op_add, 1>(cleave_gbl_n, cleave_shared<int>(1024));
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: cleave_collect_block<cleave_op_add, 2>(cleave_partial_rms, cleave_b, cleave_shared<double>(0));
// CUDA-NEXT: cleave_collect_block<cleave_op_max, 1>(cleave_partial_high, cleave_b, cleave_shared<double>(512));
// CUDA-NEXT: cleave_collect_block<cleave_op_min, 1>(cleave_partial_low, cleave_b, cleave_shared<double>(768));
// CUDA-NEXT: cleave_collect_block<cleave_op_add, 1>(cleave_partial_n, cleave_b, cleave_shared<int>(1024));
// CUDA-NEXT: if (cleave_is_last(cleave_arrived, cleave_shared<int>(1152))) {
// CUDA-NEXT: cleave_leave_all<cleave_op_add, 2>(cleave_partial_rms, cleave_arrived.blocks, cleave_shared<double>(0));
// CUDA-NEXT: cleave_leave_all<cleave_op_max, 1>(cleave_partial_high,
// CUDA-NEXT: cleave_leave_all<cleave_op_min, 1>(cleave_partial_low,
// CUDA-NEXT: cleave_leave_all<cleave_op_add, 1>(cleave_partial_n, cleave_arrived.blocks, cleave_shared<int>(1024));
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: cleave_collect_all<cleave_op_add, 2>(cleave_partial_rms, cleave_shared<double>(0));
// CUDA-NEXT: cleave_collect_all<cleave_op_max, 1>(cleave_partial_high,
// CUDA-NEXT: cleave_collect_all<cleave_op_min, 1>(cleave_partial_low,
// CUDA-NEXT: cleave_collect_all<cleave_op_add, 1>(cleave_partial_n, cleave_shared<int>(1024));
// CUDA-NEXT: cleave_tell_results(cleave_arrived);
// CUDA-LABEL: static void update_direct_run(
// Values of the host are copied when the loop is called.
// CUDA: memcpy(cleave_gbl_step.v, cleave_launch->data[2], sizeof(cleave_gbl_step.v));
// CUDA: memcpy(cleave_start_high.v, cleave_launch->data[4], sizeof(cleave_start_high.v));
// Little to compute for short records: how many blocks are best depends on how many there are.
// CUDA: cleave_arrived = cleave_arrivals_of(cleave_launch, cleave_most_for_short(cleave_launch));
// CUDA-NEXT: CLEAVE_LAUNCH(update_direct, cleave_arrived.blocks, cleave_block_threads,
// CUDA-SAME: cleave_gbl_step, cleave_reduction_of<double>(cleave_launch, 3), cleave_start_high, cleave_reduction_of<double>(cleave_launch, 4),
// CUDA-SAME: cleave_reduction_of<int>(cleave_launch, 6), cleave_arrived);
// MUTATE CUDA s/cleave_c \+= cleave_arrived.blocks/cleave_c++/
// MUTATE CUDA s/cleave_leave_values<cleave_op_max/cleave_leave_values<cleave_op_add/
// MUTATE CUDA s/cleave_collect_all<cleave_op_min/cleave_collect_all<cleave_op_max/
// MUTATE CUDA s/return 1156/return 516/
// MUTATE CUDA s/memcpy\(cleave_start_high.v, cleave_launch->data\[4\]/memcpy(cleave_start_high.v, cleave_launch->data[3]/
// MUTATE CUDA s/cleave_most_for_short\(cleave_launch\)/CLEAVE_MOST_BLOCKS/
// MUTATE CUDA s/cleave_reduction_of<int>.cleave_launch, 6./cleave_reduction_of<int>(cleave_launch, 5)/

// Blocks of all colours count as one grid. Owners leave sums to a kernel over the elements.
// OTHERS-LABEL: CLEAVE_KERNEL void both_owner_1(int cleave_begin,
// OTHERS-NOT: cleave_dat_res
// OTHERS: sum[0] += f;
// OTHERS: cleave_reduce_block<cleave_op_add, 1>(cleave_gbl_sum, cleave_partial_sum, cleave_b,
// OTHERS-LABEL: CLEAVE_KERNEL void both_owner_2(struct cleave_plan_list cleave_list,
// OTHERS-NOT: sum[0]
// OTHERS: cleave_add_sums(
// OTHERS-SAME: cleave_zeros_res, cleave_dat_res + cleave_p, cleave_record<double, 1>{{[{][{]}}cleave_p_res_0}});
// OTHERS-LABEL: CLEAVE_KERNEL void both_fused_colour(
// OTHERS: if (cleave_active) {
// OTHERS: sum[0] += f;
// OTHERS: cleave_stage_out_add<double, 1>(
// OTHERS-NEXT: cleave_reduce_block<cleave_op_add, 1>(cleave_gbl_sum, cleave_partial_sum, cleave_b, cleave_shared<double>(0));
// OTHERS-LABEL: static void both_fused_colour_run(
// OTHERS: cleave_arrivals_of(cleave_launch, cleave_launch->blocks);
// OTHERS-NEXT: for (int cleave_colour = 0;
// OTHERS: CLEAVE_LAUNCH(both_fused_colour,
// MUTATE OTHERS /both_fused_colour_run/,/^}/ s/cleave_arrivals_of.cleave_launch, cleave_launch->blocks/cleave_arrivals_of(cleave_launch, CLEAVE_MOST_BLOCKS/
// MUTATE OTHERS /void both_owner_2/,/^}/ s/cleave_add_sums\(/sum[0] += 1; &/

// Reductions need shared memory of their own size, also where nothing is staged.
// SPACE-LABEL: both_owner_staged_layout(
// SPACE: cleave_at = cleave_larger(cleave_at, 516); // reductions
// MUTATE SPACE s/cleave_larger\(cleave_at, 516\)/cleave_larger(cleave_at, 0)/

// Few blocks saturate the memory's bandwidth with long records; a kernel that computes much needs more.
// CUDA-LABEL: static void sum16_direct_run(
// CUDA: cleave_arrivals_of(cleave_launch, CLEAVE_FEW_BLOCKS);
// CUDA-LABEL: static void much16_direct_run(
// CUDA: cleave_arrivals_of(cleave_launch, CLEAVE_MOST_BLOCKS);
// MUTATE CUDA s/CLEAVE_FEW_BLOCKS/CLEAVE_MOST_BLOCKS/
// MUTATE CUDA s/CLEAVE_MOST_BLOCKS/CLEAVE_FEW_BLOCKS/
