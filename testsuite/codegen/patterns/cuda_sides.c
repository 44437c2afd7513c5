/* cuda_sides.c: what an edge takes from one side it gives to the other: the thread's point stands for the first side, no
 * record is chosen by the column and no sign is, and the ends of an edge change places. Sums round differently then, so that
 * -ffp-contract=off forbids it.
 * RUN: cuda=SIDES --cleave-emit=owner,comparisons
 * RUN: cuda=WRITTEN --cleave-emit=owner,comparisons -ffp-contract=off
 */
#include "op_seq.h"

static void flux(const double *x1, const double *x2, const double *q1, const double *q2,
                 double *res1, double *res2)
{
    const double d = x1[0] - x2[0];
    const double v1 = q1[1] / q1[0] * d;
    const double v2 = q2[1] / q2[0] * d;
    const double f = v1 * q1[0] + q1[1] * d + v2 * q2[0] + q2[1] * d;
    *res1 += f;
    *res2 -= f;
}

int main(int argc, char **argv)
{
    static int end[2], side[2];
    op_init(argc, argv, 0);
    op_set nodes = op_decl_set(1, "nodes"), cells = op_decl_set(1, "cells"),
           edges = op_decl_set(1, "edges");
    op_map ends = op_decl_map(edges, nodes, 2, end, "ends"),
           sides = op_decl_map(edges, cells, 2, side, "sides");
    op_dat x = op_decl_dat_temp(nodes, 1, "double", NULL, "x");
    op_dat q = op_decl_dat_temp(cells, 2, "double", NULL, "q");
    op_dat res = op_decl_dat_temp(cells, 1, "double", NULL, "res");
    op_par_loop(flux, "flux", edges, op_arg_dat(x, 0, ends, 1, "double", OP_READ),
                op_arg_dat(x, 1, ends, 1, "double", OP_READ),
                op_arg_dat(q, 0, sides, 2, "double", OP_READ),
                op_arg_dat(q, 1, sides, 2, "double", OP_READ),
                op_arg_dat(res, 0, sides, 1, "double", OP_INC),
                op_arg_dat(res, 1, sides, 1, "double", OP_INC));
    op_exit();
}

// SIDES-LABEL: flux_owner_named_1(struct cleave_plan_list cleave_list,
// SIDES: const int cleave_point_ends_0 = cleave_column == 0 ? cleave_now.word[1] : cleave_now.word[2];
// SIDES: const int cleave_point_ends_1 = cleave_column == 0 ? cleave_now.word[2] : cleave_now.word[1];
// SIDES-NOT: cleave_choose
// SIDES: const auto cleave_rec_q1 = cleave_mine_q;
// SIDES-NEXT: const auto cleave_rec_q2 = cleave_theirs_q;
// SIDES-NEXT: const auto &point_values_0 = cleave_mine_values;
// SIDES-NEXT: const auto &point_values_1 = cleave_theirs_values;
// SIDES: double f = v1 * q1[0] + q1[1] * d + v2 * q2[0] + q2[1] * d;
// SIDES-NEXT: cleave_p_res_0 += f;
// SIDES-NOT: cleave_sign_
// SIDES: cleave_add_sums(
// SIDES-SAME: cleave_zeros_res, cleave_dat_res + cleave_p, cleave_record<double, 1>{{[{][{]}}cleave_p_res_0}});
// MUTATE SIDES s/ends_0 = cleave_column == 0/ends_0 = cleave_column == 1/
// MUTATE SIDES s/rec_q2 = cleave_theirs_q/rec_q2 = cleave_mine_q/
// MUTATE SIDES s/point_values_1 = cleave_theirs/point_values_1 = cleave_mine/

// WRITTEN-LABEL: flux_owner_named_1(struct cleave_plan_list cleave_list,
// WRITTEN: const int cleave_point_ends_0 = cleave_now.word[1];
// WRITTEN: cleave_rec_q1 = cleave_choose_record(cleave_column == 0, cleave_mine_q, cleave_theirs_q);
// WRITTEN: const double cleave_sign_res = cleave_column == 1 ? double(-1) : double(1);
// WRITTEN: cleave_p_res_0 += cleave_sign_res * f;
// MUTATE WRITTEN s/cleave_sign_res \* f/f/
