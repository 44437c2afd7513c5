/* extrema.c: OP_MIN and OP_MAX through maps: points compare before they store, whoever computes the value.
 * RUN: openmp=OPENMP --cleave-emit=split,twopass
 */
#include "op_seq.h"

static void peak(const double *x, const double *w, double *high, double *low)
{
    if (x[0] > high[1]) {
        high[1] = x[0];
    }
    high[0] = w[0] > high[0] ? w[0] : high[0];
    if (x[1] < low[0]) {
        low[0] = x[1];
    }
}

void loop(op_set edges, op_map ends, op_map sides, op_dat x, op_dat w, op_dat node, op_dat adt)
{
    op_par_loop(peak, "peak", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(node, 1, ends, 2, "double", OP_MAX),
                op_arg_dat(adt, 0, sides, 1, "double", OP_MIN));
}

// OPENMP-LABEL: static void peak_split_colour(
// OPENMP: // stage 1: contribution
// OPENMP-NOT: cleave_dat_node +
// OPENMP: // stage 2: update through ends[1]
// OPENMP: cleave_to_node = cleave_dat_node + 2 * (size_t)cleave_point_ends_1;
// OPENMP: if (w[0] > cleave_to_node[0]) {
// OPENMP-NEXT: cleave_to_node[0] = w[0];
// OPENMP: if (cleave_tmp_high_1[cleave_i] > cleave_to_node[1]) {
// OPENMP-NEXT: cleave_to_node[1] = cleave_tmp_high_1[cleave_i];
// OPENMP: // stage 3: update through sides[0]
// OPENMP: if (cleave_tmp_low_0[cleave_i] < cleave_to_adt[0]) {
// OPENMP-NEXT: cleave_to_adt[0] = cleave_tmp_low_0[cleave_i];
// MUTATE OPENMP s/cleave_tmp_low_0\[cleave_i\] </cleave_tmp_low_0[cleave_i] >/
// MUTATE OPENMP s/cleave_to_node\[1\] = cleave_tmp_high_1/cleave_to_node[0] = cleave_tmp_high_1/

// Through one column of a map, no switch is needed. What is the element's own is not stored.
// OPENMP-LABEL: static void peak_twopass(
// OPENMP-NOT: cleave_tmp_w
// OPENMP: // stage 2: gather through ends
// OPENMP-NOT: switch
// OPENMP: const double *const w = cleave_dat_w + cleave_e;
// OPENMP-NEXT: if (w[0] > cleave_to_node[0]) {
// OPENMP: if (cleave_tmp_high_1[cleave_e] > cleave_to_node[1]) {
// OPENMP: // stage 3: gather through sides
// OPENMP: cleave_list = &cleave_plan->list[1];
// OPENMP: cleave_wait_for_all(cleave_thread);
// OPENMP: if (cleave_tmp_low_0[cleave_e] < cleave_to_adt[0]) {
// OPENMP-LABEL: static void peak_twopass_run(
// MUTATE OPENMP /stage 2: gather/,$ s/cleave_dat_w \+ cleave_e/cleave_dat_w + cleave_p/
// MUTATE OPENMP /stage 3: gather/,$ s/plan->list\[1\]/plan->list[0]/

// Nothing computes again what a point compares: owners exist for sums alone.
// OPENMP-NOT: peak_owner
