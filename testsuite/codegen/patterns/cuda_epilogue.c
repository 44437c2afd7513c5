/* cuda_epilogue.c: the loop behind the sums reads records through a map: the row of the map is loaded at once, as far as the
 * loop uses it, before something waits for the point's own records. Those that items have read are not loaded again.
 * RUN: cuda=EPILOGUE --cleave-fuse=gather
 */
#include "op_seq.h"

static void flux(const double *q1, const double *q2, double *res1, double *res2)
{
    const double f = *q1 * *q2;
    *res1 += f;
    *res2 -= f;
}

static void update(const double *x2, const double *x0, double *res, double *q)
{
    *q += *res * (*x0 - *x2);
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
    for (int i = 0; i < 9; i++) {
        op_par_loop(flux, "flux", edges, op_arg_dat(q, 0, sides, 1, "double", OP_READ),
                    op_arg_dat(q, 1, sides, 1, "double", OP_READ),
                    op_arg_dat(res, 0, sides, 1, "double", OP_INC),
                    op_arg_dat(res, 1, sides, 1, "double", OP_INC));
        op_par_loop(update, "update", cells, op_arg_dat(x, 2, corners, 1, "double", OP_READ),
                    op_arg_dat(x, 0, corners, 1, "double", OP_READ),
                    op_arg_dat(res, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
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
