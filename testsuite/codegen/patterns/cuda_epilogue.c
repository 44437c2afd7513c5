/* cuda_epilogue.c: the loop behind the sums reads records through a map: the row of the map is loaded at once, as far as the
 * loop uses it, before something waits for the point's own records. Those that items have read are not loaded again.
 * What the loop reduces is joined by a kernel behind it, of as many blocks as suit the partial results.
 * RUN: cuda=EPILOGUE --cleave-fuse=gather
 */
#include "op_seq.h"

static void flux(const double *q1, const double *q2, double *res1, double *res2)
{
    const double f = *q1 * *q2;
    *res1 += f;
    *res2 -= f;
}

static void update(const double *x2, const double *x0, double *res, double *q, double *sum, float *most)
{
    *q += *res * (*x0 - *x2);
    sum[0] += *q;
    sum[1] += *res;
    *most = *most > (float)*q ? *most : (float)*q;
    *res = 0.0;
}

int main(int argc, char **argv)
{
    static int side[2], corner[4];
    op_init(argc, argv, 0);
    op_set nodes = op_decl_set(1, "nodes"), cells = op_decl_set(1, "cells"),
           edges = op_decl_set(1, "edges");
    op_map sides = op_decl_map(edges, cells, 2, side, "sides"),
           corners = op_decl_map(cells, nodes, 4, corner, "corners");
    op_dat x = op_decl_dat_temp(nodes, 1, "double", NULL, "x");
    op_dat q = op_decl_dat_temp(cells, 1, "double", NULL, "q");
    op_dat res = op_decl_dat_temp(cells, 1, "double", NULL, "res");
    double sum[2] = {0.0, 0.0};
    float most = 0.0f;
    for (int i = 0; i < 9; i++) {
        op_par_loop(flux, "flux", edges, op_arg_dat(q, 0, sides, 1, "double", OP_READ),
                    op_arg_dat(q, 1, sides, 1, "double", OP_READ),
                    op_arg_dat(res, 0, sides, 1, "double", OP_INC),
                    op_arg_dat(res, 1, sides, 1, "double", OP_INC));
        op_par_loop(update, "update", cells, op_arg_dat(x, 2, corners, 1, "double", OP_READ),
                    op_arg_dat(x, 0, corners, 1, "double", OP_READ),
                    op_arg_dat(res, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_gbl(sum, 2, "double", OP_INC), op_arg_gbl(&most, 1, "float", OP_MAX));
    }
    op_exit();
}

// EPILOGUE-LABEL: group0_flux_update_owner_named_1(struct cleave_plan_list cleave_list,
// EPILOGUE: const auto cleave_mine_q = cleave_load_ahead<1>(cleave_dat_q + cleave_p);
// EPILOGUE: auto cleave_self_q = cleave_mine_q;
// EPILOGUE: const auto cleave_row_corners = cleave_row_of<3>(cleave_map_corners, cleave_width_corners, cleave_p);
// EPILOGUE-NEXT: cleave_self_res.v[0] += cleave_p_res_0;
// EPILOGUE: cleave_dat_x + cleave_row_corners[2]
// EPILOGUE-NEXT: cleave_dat_x + cleave_row_corners[0]
// EPILOGUE: cleave_store(cleave_next_q + cleave_p, cleave_self_q);
// MUTATE EPILOGUE s/cleave_row_of<3>/cleave_row_of<2>/
// MUTATE EPILOGUE s/cleave_row_corners\[2\]/cleave_row_corners[1]/
// MUTATE EPILOGUE s/cleave_self_q = cleave_mine_q/cleave_self_q = cleave_load<1>(cleave_dat_q + cleave_p)/

// Partial results of all reductions are read together, in rounds of one block or of several.
// EPILOGUE-LABEL: CLEAVE_KERNEL void CLEAVE_REGISTERS(CLEAVE_JOIN_REGISTERS) group0_flux_update_owner_named_join(
// EPILOGUE-SAME: cleave_reduction<double> cleave_partial_sum, cleave_reduction<float> cleave_partial_most, cleave_portions cleave_portions)
// EPILOGUE-NEXT: cleave_portion cleave_part = cleave_portion_of(cleave_portions, cleave_block());
// EPILOGUE-NEXT: do {
// EPILOGUE-NEXT: cleave_leave_portion(cleave_part,
// EPILOGUE-SAME: cleave_joint_of<cleave_op_add, 2>(cleave_partial_sum, cleave_shared<double>(0)),
// EPILOGUE-SAME: cleave_joint_of<cleave_op_max, 1>(cleave_partial_most, cleave_shared<float>(512)));
// EPILOGUE-NEXT: cleave_barrier();
// EPILOGUE-NEXT: cleave_collect_portion<cleave_op_add, 2>(cleave_partial_sum, cleave_part, cleave_shared<double>(0));
// EPILOGUE-NEXT: cleave_collect_portion<cleave_op_max, 1>(cleave_partial_most, cleave_part, cleave_shared<float>(512));
// EPILOGUE-NEXT: } while (cleave_joins_on(cleave_part, cleave_portions, cleave_shared<int>(640)));
// EPILOGUE-LABEL: static void group0_flux_update_owner_named_run(
// EPILOGUE: const cleave_portions cleave_portions = cleave_portions_of(cleave_launch, (cleave_plan->list[0].points + cleave_block_threads - 1) / cleave_block_threads);
// EPILOGUE: CLEAVE_LAUNCH(group0_flux_update_owner_named_join, cleave_portions.arrived.blocks, CLEAVE_JOIN_THREADS, 644,
// EPILOGUE-SAME: cleave_reduction_of<float>(cleave_launch, 9), cleave_portions);
// MUTATE EPILOGUE s/cleave_joint_of<cleave_op_max/cleave_joint_of<cleave_op_add/
// MUTATE EPILOGUE s/cleave_portions.arrived.blocks, CLEAVE_JOIN_THREADS/1, CLEAVE_JOIN_THREADS/
// MUTATE EPILOGUE s/cleave_shared<int>\(640\)/cleave_shared<int>(512)/
