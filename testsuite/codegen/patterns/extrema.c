/* extrema.c: OP_MIN and OP_MAX through maps: points compare before they store, whoever computes the value.
 * RUN: openmp=OPENMP cuda=FUSED cuda=SPLIT cuda=GATHER cuda=OWNER cuda=TWOPASS cuda=OTHERS --cleave-emit=fused,split,twopass,owner
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

// ---- on a GPU, what is staged out begins where nothing is below, or above
// FUSED-LABEL: CLEAVE_KERNEL void peak_fused_colour(
// FUSED: cleave_out_node_ends = cleave_stage_lowest<double, 2>(cleave_space.out1_node_ends, cleave_points_ends);
// FUSED-NEXT: cleave_out_adt_sides = cleave_stage_highest<double, 1>(cleave_space.out1_adt_sides, cleave_points_sides);
// FUSED: if (cleave_turn == cleave_colour) {
// FUSED: cleave_raise(cleave_out_node_ends[2 * cleave_local_ends_1], w[0]);
// FUSED-NEXT: cleave_raise(cleave_out_node_ends[2 * cleave_local_ends_1 + 1], high_1);
// FUSED-NEXT: cleave_lower(cleave_out_adt_sides[cleave_local_sides_0], low_0);
// FUSED: cleave_stage_out_max<double, 2>(cleave_dat_node, cleave_out_node_ends, cleave_points_ends);
// FUSED-NEXT: cleave_stage_out_min<double, 1>(cleave_dat_adt, cleave_out_adt_sides, cleave_points_sides);
// MUTATE FUSED s/cleave_stage_lowest<double, 2>/cleave_stage_zero<double, 2>/
// MUTATE FUSED s/cleave_stage_out_min<double, 1>/cleave_stage_out_max<double, 1>/
// MUTATE FUSED s/cleave_lower\(cleave_out_adt/cleave_raise(cleave_out_adt/

// SPLIT-LABEL: CLEAVE_KERNEL void peak_split_atomic(
// SPLIT: cleave_max_shared<double>(cleave_out_node_ends, 2 * cleave_local_ends_1, w[0]);
// SPLIT: cleave_stage_out_atomic_max<double, 2>(cleave_dat_node, cleave_out_node_ends, cleave_points_ends);
// SPLIT: cleave_stage_highest<double, 1>(0, cleave_points_sides);
// SPLIT: cleave_min_shared<double>(cleave_out_adt_sides, cleave_local_sides_0, low_0);
// SPLIT: cleave_stage_out_atomic_min<double, 1>(cleave_dat_adt, cleave_out_adt_sides, cleave_points_sides);
// MUTATE SPLIT s/cleave_stage_out_atomic_min<double, 1>/cleave_stage_out_min<double, 1>/

// Each map gathers in its turn, in the same memory; signs do not matter.
// GATHER-LABEL: CLEAVE_REGISTERS(cleave_registers) peak_split_gather(
// GATHER: cleave_gather_max<double, 2, cleave_components, 2, 2>(cleave_dat_node, cleave_tmp_node_ends, cleave_gather_ends, {{.*}}, [](int, int) { return false; });
// GATHER: // update through sides
// GATHER-NEXT: cleave_barrier();
// GATHER-NEXT: {
// GATHER-NEXT: cleave_tmp_adt_sides = cleave_shared<double>(0);
// GATHER: cleave_gather_min<double, 1, cleave_components, 1, 1>(cleave_dat_adt, cleave_tmp_adt_sides, cleave_gather_sides,
// MUTATE GATHER /peak_split_gather\(/,/^}/ { /update through sides/,/tmp_adt_sides =/ s/cleave_barrier\(\);// }

// OWNER-LABEL: CLEAVE_KERNEL void peak_owner_1(
// OWNER: double cleave_p_node_0 = cleave_lowest<double>();
// OWNER: cleave_raise(cleave_p_node_0, w[0]);
// OWNER: cleave_raise(cleave_dat_node[2 * (size_t)cleave_p], cleave_p_node_0);
// OWNER-LABEL: CLEAVE_KERNEL void peak_owner_2(
// OWNER: double cleave_p_adt_0 = cleave_highest<double>();
// OWNER: cleave_lower(cleave_p_adt_0, low_0);
// OWNER: cleave_lower(cleave_dat_adt[cleave_p], cleave_p_adt_0);
// MUTATE OWNER s/cleave_p_adt_0 = cleave_highest<double>/cleave_p_adt_0 = cleave_lowest<double>/

// TWOPASS-LABEL: CLEAVE_KERNEL void peak_twopass_2(
// TWOPASS: double cleave_p_node_1 = cleave_dat_node[2 * (size_t)cleave_p + 1];
// TWOPASS-NOT: switch
// TWOPASS: cleave_raise(cleave_p_node_0, w[0]);
// TWOPASS-NEXT: cleave_raise(cleave_p_node_1, cleave_tmp_high_1[cleave_e]);
// TWOPASS: cleave_dat_node[2 * (size_t)cleave_p] = cleave_p_node_0;
// MUTATE TWOPASS s/cleave_raise\(cleave_p_node_1/cleave_raise(cleave_p_node_0/

// OTHERS-DAG: cleave_transpose_out<cleave_op_max, double, 2, false>(cleave_area, cleave_dat_node, cleave_point, cleave_value);
// OTHERS-DAG: cleave_transpose_out<cleave_op_min, double, 1, false>(cleave_area, cleave_dat_adt, cleave_point, cleave_value);
// OTHERS-DAG: cleave_ordered_put_max<double, 2, cleave_components, 2, 2>(
// OTHERS-DAG: cleave_ordered_max<double, 2>(cleave_dat_node, (const double *)(cleave_sums + cleave_space.sums_node_ends), cleave_list);
// OTHERS-DAG: cleave_ordered_min<double, 1>(cleave_dat_adt, (const double *)(cleave_sums + cleave_space.sums_adt_sides), cleave_list);
// OTHERS-DAG: cleave_max(&cleave_dat_node[2 * (size_t)cleave_point_ends_1 + 1], high_1);
// OTHERS-DAG: cleave_min(&cleave_dat_adt[cleave_point_sides_0], low_0);
// OTHERS-DAG: cleave_own_out_max<double, 2, 3>(
// OTHERS-DAG: cleave_own_out_min<double, 1, 1>(
// MUTATE OTHERS s/cleave_ordered_min<double, 1>/cleave_ordered_max<double, 1>/
// MUTATE OTHERS s/cleave_max\(&cleave_dat_node\[2 \* .size_t.cleave_point_ends_1 \+ 1/cleave_add(\&cleave_dat_node[2 * (size_t)cleave_point_ends_1 + 1/
