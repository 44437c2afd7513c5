/* carried.c: op_arg_info, the payload of an extremum. Which of equal elements counts is a matter of the user's
 * numbers, not of the order in which elements run: each element works on copies, which replace what was kept.
 * RUN: openmp=OPENMP cuda=CUDA --cleave-emit=fused
 */
#include "op_seq.h"

static void error(const double *x, double *most, const int *self, int *at)
{
    if (x[0] > most[0]) {
        most[0] = x[0];
        at[0] = *self;
    }
}

void loop(op_set edges, op_map ends, op_dat x, double most, int at)
{
    op_par_loop(error, "error", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_gbl(&most, 1, "double", OP_MAX), op_arg_idx(-1, OP_ID),
                op_arg_info(&at, 1, "int", 1));
}

// OPENMP-LABEL: static void error_direct(
// OPENMP-DAG: cleave_best_elements_most = cleave_launch->best_elements[1];
// OPENMP-DAG: cleave_partial_at = (int *)cleave_launch->partial[3];
// OPENMP-DAG: cleave_number_at = cleave_launch->number[3];
// OPENMP: for (int cleave_b = cleave_blocks.first;
// OPENMP: int cleave_best_element_most[1] = {-1};
// OPENMP: for (int cleave_e =
// OPENMP: cleave_own_most[cleave_d] = cleave_start_most[cleave_d];
// OPENMP: int cleave_own_at[1] = {0};
// OPENMP: error_body({{.*}}, cleave_own_most, &cleave_idx_self, cleave_own_at);
// OPENMP-NEXT: if (cleave_own_most[0] > cleave_gbl_most[0] || (cleave_own_most[0] == cleave_gbl_most[0] && cleave_best_element_most[0] > 0)) {
// OPENMP-NEXT: cleave_key = cleave_number_at != NULL ? cleave_number_at[cleave_e] : cleave_e;
// OPENMP-NEXT: if (cleave_own_most[0] > cleave_gbl_most[0] || cleave_key < cleave_best_element_most[0]) {
// OPENMP-NEXT: cleave_gbl_most[0] = cleave_own_most[0];
// OPENMP-NEXT: cleave_best_element_most[0] = cleave_key;
// OPENMP-NEXT: cleave_gbl_at[0] = cleave_own_at[0];
// The block hands on all three.
// OPENMP: cleave_partial_most[cleave_b + cleave_d] = cleave_gbl_most[cleave_d];
// OPENMP: cleave_best_elements_most[cleave_b + cleave_d] = cleave_best_element_most[cleave_d];
// OPENMP: cleave_partial_at[cleave_b + cleave_d] = cleave_gbl_at[cleave_d];
// MUTATE OPENMP s/cleave_key < cleave_best_element_most/cleave_key > cleave_best_element_most/
// MUTATE OPENMP s/cleave_best_element_most\[0\] = cleave_key;//
// MUTATE OPENMP s/cleave_own_most\[cleave_d\] = cleave_start_most/cleave_own_most[cleave_d] = cleave_gbl_most/
// MUTATE OPENMP s/cleave_best_elements_most\[cleave_b/cleave_best_elements_most[0/

// The extremum, ties to the first element, and one payload: argument 3, of one value that goes with component 0.
// OPENMP: error_goes_with_3[] = {0};
// OPENMP: error_payloads_1[] = {
// OPENMP-NEXT: {3, 1, error_goes_with_3},
// OPENMP: error_extrema[] = {
// OPENMP-NEXT: {1, 0, 1, error_payloads_1},
// OPENMP: cleave_loops[] = {
// OPENMP-NEXT: error_variants, 1, error_extrema,
// MUTATE OPENMP s/\{1, 0, 1, error_payloads_1\}/{1, 1, 1, error_payloads_1}/

// ---- on a GPU, the threads of a block find the block's best element, which alone stores its payload; the last block
// finds that of the loop
// CUDA-LABEL: CLEAVE_KERNEL void error_direct(
// CUDA: int cleave_best_element_most[1] = {-1};
// CUDA: if (cleave_own_most[0] > cleave_gbl_most[0] || cleave_key < cleave_best_element_most[0]) {
// CUDA: cleave_locate_block<cleave_first_max, 1>(cleave_gbl_most, cleave_best_element_most, cleave_partial_most, cleave_best_elements_most, cleave_b, cleave_shared<double>(0), cleave_shared<int>(512));
// CUDA-NEXT: if (cleave_best_element_most[0] >= 0) {
// CUDA-NEXT: cleave_partial_at.partial[1 * (size_t)cleave_b + 0] = cleave_gbl_at[0];
// CUDA-NEXT: }
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: if (cleave_is_last(cleave_arrived, cleave_shared<int>(768))) {
// CUDA: cleave_locate_all<cleave_first_max, 1>(cleave_start_most.v, cleave_from_most, cleave_partial_most, cleave_best_elements_most, cleave_arrived.blocks,
// CUDA-NEXT: if (cleave_from_most[0] >= 0) {
// CUDA-NEXT: cleave_partial_at.result[0] = cleave_partial_at.partial[1 * (size_t)cleave_from_most[0] + 0];
// CUDA: cleave_barrier();
// CUDA-NEXT: cleave_tell_results(cleave_arrived);
// CUDA-LABEL: static void error_direct_run(
// CUDA: CLEAVE_LAUNCH(
// CUDA-SAME: cleave_elements_of(cleave_launch, 1), cleave_launch->number[2], cleave_reduction_of<int>(cleave_launch, 3), cleave_launch->number[3], cleave_arrived);
// MUTATE CUDA s/if \(cleave_best_element_most\[0\] >= 0\) \{/{/
// MUTATE CUDA s/.size_t.cleave_from_most\[0\] \+ 0/(size_t)cleave_b + 0/
// MUTATE CUDA s/cleave_locate_all<cleave_first_max/cleave_locate_all<cleave_last_max/
