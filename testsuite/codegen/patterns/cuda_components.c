/* cuda_components.c: of long records, only the components that a stage uses are staged, added and gathered; in
 * between, they lie side by side.
 * RUN: cuda=COLOUR cuda=TRANSPOSE cuda=GATHER cuda=ORDERED cuda=OWNER cuda=STAGED --cleave-emit=split,owner
 */
#include "op_seq.h"

static void flux(const double *q1, const double *q2, double *res1, double *res2)
{
    double f = q1[0] * q2[3];
    res1[1] += f;
    res2[3] -= f;
    res2[1] += f;
}

void loop(op_set edges, op_map sides, op_dat q, op_dat res)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(q, 0, sides, 4, "double", OP_READ),
                op_arg_dat(q, 1, sides, 4, "double", OP_READ),
                op_arg_dat(res, 0, sides, 4, "double", OP_INC),
                op_arg_dat(res, 1, sides, 4, "double", OP_INC));
}

// COLOUR-LABEL: flux_split_layout(const struct cleave_plan *cleave_plan) {
// COLOUR: // stage 1: contribution
// COLOUR-NEXT: cleave_at = cleave_round_up(cleave_plan->list[0].max_points * 2 * sizeof(double));
// COLOUR-LABEL: // flux over edges, {{.*}}: split stages, hierarchical colouring.
// COLOUR: // stages in q[0 3] through sides, 16 bytes per point
// COLOUR: // stages out res[1] through sides, 8 bytes per point
// COLOUR: // stages out res[1 3] through sides, 16 bytes per point
// COLOUR: cleave_in_q_sides = cleave_stage_in<double, 4, 0, 3>(0, cleave_dat_q, cleave_points_sides);
// COLOUR: const auto q2 = cleave_in_q_sides + 2 * cleave_local_sides_1;
// COLOUR-NEXT: f = q1[0] * q2[1];
// COLOUR: // stage 2: update through sides[0]
// COLOUR: cleave_out_res_sides = cleave_stage_zero<double, 1>(0, cleave_points_sides);
// COLOUR: cleave_out_res_sides[cleave_local_sides_0] += f;
// COLOUR: cleave_stage_out_add<double, 4, 1>(cleave_dat_res, cleave_out_res_sides, cleave_points_sides);
// COLOUR: // stage 3: update through sides[1]
// COLOUR: cleave_out_res_sides = cleave_stage_zero<double, 2>(0, cleave_points_sides);
// COLOUR: cleave_out_res_sides[2 * cleave_local_sides_1] += f;
// COLOUR-NEXT: cleave_out_res_sides[2 * cleave_local_sides_1 + 1] -= f;
// COLOUR: cleave_stage_out_add<double, 4, 1, 3>(cleave_dat_res, cleave_out_res_sides, cleave_points_sides);
// MUTATE COLOUR s/cleave_stage_in<double, 4, 0, 3>/cleave_stage_in<double, 4, 0, 1>/
// MUTATE COLOUR s/q1\[0\] \* q2\[1\]/q1[0] * q2[3]/
// MUTATE COLOUR s/cleave_stage_out_add<double, 4, 1, 3>/cleave_stage_out_add<double, 4, 3, 1>/

// Both columns have room for both components; what a column does not add to is zero.
// TRANSPOSE-LABEL: CLEAVE_KERNEL void flux_split_transpose(
// TRANSPOSE: // update of res through sides[0]
// TRANSPOSE: cleave_value[0] = f;
// TRANSPOSE-NEXT: cleave_value[1] = 0;
// TRANSPOSE: cleave_transpose_out<cleave_op_add, double, 4, false, 1, 3>(
// TRANSPOSE: // update of res through sides[1]
// TRANSPOSE: cleave_value[0] = f;
// TRANSPOSE-NEXT: cleave_value[1] = -f;
// MUTATE TRANSPOSE s/cleave_value\[1\] = 0;//

// tmp(e) has a slot for f and one for nothing; two tables say which slot a column adds to each component, and its
// sign. Slots of an odd number avoid bank conflicts.
// GATHER-LABEL: CLEAVE_REGISTERS(cleave_registers) flux_split_gather(
// GATHER: cleave_own_res_sides = cleave_tmp_res_sides + 3 * cleave_thread();
// GATHER-NEXT: cleave_own_res_sides[0] = f;
// GATHER-NEXT: cleave_own_res_sides[1] = 0;
// GATHER: cleave_gather_add<double, 4, cleave_components, 1, 3, 1, 3>(cleave_dat_res, cleave_tmp_res_sides, cleave_gather_sides,
// GATHER-SAME: cleave_of[] = {0, 1, 0, 0}; return int(cleave_of[2 * cleave_column + cleave_component]);
// GATHER-SAME: cleave_minus_of[] = {0, 0, 0, 1}; return bool(cleave_minus_of[2 * cleave_column + cleave_component]);
// MUTATE GATHER s/cleave_of\[\] = \{0, 1, 0, 0\}/cleave_of[] = {0, 0, 0, 0}/
// MUTATE GATHER s/cleave_minus_of\[\] = \{0, 0, 0, 1\}/cleave_minus_of[] = {0, 0, 1, 0}/

// ORDERED: cleave_ordered_put_add<double, 2, cleave_components, 1, 3>(
// ORDERED: cleave_ordered_add<double, 4, 1, 3>(cleave_dat_res,
// MUTATE ORDERED s/cleave_ordered_add<double, 4, 1, 3>/cleave_ordered_add<double, 2>/

// OWNER-LABEL: CLEAVE_KERNEL void flux_owner_1(
// OWNER: cleave_p_res_1 += f;
// OWNER-NEXT: cleave_p_res_3 += cleave_choose<double>(cleave_column == 0, 0, -f);
// OWNER: cleave_dat_res[4 * (size_t)cleave_p + 1] += cleave_p_res_1;
// OWNER-NEXT: cleave_dat_res[4 * (size_t)cleave_p + 3] += cleave_p_res_3;
// MUTATE OWNER s/cleave_p \+ 3\] \+= cleave_p_res_3/cleave_p + 2] += cleave_p_res_3/

// STAGED-LABEL: CLEAVE_REGISTERS(cleave_registers) flux_owner_staged_1(
// STAGED: cleave_in_q_sides = cleave_stage_around<double, 4, 2, 0, 3>(0, cleave_dat_q, cleave_own);
// STAGED: cleave_sum_res_sides[3 * cleave_thread() + 1] = cleave_p_res_3;
// STAGED: cleave_own_out_add<double, 4, 3, 1, 3>(0, cleave_dat_res, cleave_own);
// MUTATE STAGED s/cleave_own_out_add<double, 4, 3, 1, 3>/cleave_own_out_add<double, 4, 2, 1, 3>/
