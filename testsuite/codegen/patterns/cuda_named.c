/* cuda_named.c: points whose items name what elements read: the other point, by which the column stands, and the nodes.
 * What depends on one point alone is computed once for the own point, and for the other point of each item. Records of a
 * dat that is only added up or multiplied are not chosen by the column.
 * RUN: cuda=NAMED --cleave-emit=owner,comparisons
 */
#include "op_seq.h"

static void flux(const double *x1, const double *x2, const double *q1, const double *q2,
                 const double *adt1, const double *adt2, double *res1, double *res2)
{
    const double dx = x1[0] - x2[0];
    const double r1 = 1.0 / q1[0];
    const double r2 = 1.0 / q2[0];
    const double f = dx * (r1 * q1[1] + r2 * q2[1]) + (adt1[0] + adt2[0]) * (q1[1] - q2[0]);
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
    op_dat x = op_decl_dat_temp(nodes, 2, "double", NULL, "x");
    op_dat q = op_decl_dat_temp(cells, 2, "double", NULL, "q");
    op_dat adt = op_decl_dat_temp(cells, 1, "double", NULL, "adt");
    op_dat res = op_decl_dat_temp(cells, 1, "double", NULL, "res");
    op_par_loop(flux, "flux", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(x, 1, ends, 2, "double", OP_READ),
                op_arg_dat(q, 0, sides, 2, "double", OP_READ),
                op_arg_dat(q, 1, sides, 2, "double", OP_READ),
                op_arg_dat(adt, 0, sides, 1, "double", OP_READ),
                op_arg_dat(adt, 1, sides, 1, "double", OP_READ),
                op_arg_dat(res, 0, sides, 1, "double", OP_INC),
                op_arg_dat(res, 1, sides, 1, "double", OP_INC));
    op_exit();
}

// A point without elements is left alone, in a chunk of which other points have some, too. An item is loaded while the one
// before is computed, and all its records before the first of them is used, by loads that stay where they are.
// NAMED-LABEL: flux_owner_named_1(struct cleave_plan_list cleave_list,
// NAMED-NOT: cleave_map_
// NAMED: auto cleave_walk = cleave_named_begin<3>(cleave_list, cleave_p);
// NAMED-NEXT: auto cleave_next = cleave_named_next<3>(cleave_walk);
// NAMED-NEXT: if (cleave_next.word[0] < 0 && (cleave_zeros_res & CLEAVE_ZEROS_KNOWN) == 0) {
// NAMED-NEXT: return;
// NAMED: const auto cleave_mine_adt = cleave_load_ahead<1>(cleave_dat_adt + cleave_p);
// NAMED-NEXT: cleave_record<double, 1> cleave_mine_values;
// NAMED-NEXT: {
// NAMED-NEXT: const auto &cleave_rec_q1 = cleave_mine_q;
// NAMED: double r1 = 1.0 / q1[0];
// NAMED-NEXT: cleave_mine_values.v[0] = r1;
// NAMED: while (cleave_next.word[0] >= 0) {
// NAMED-NEXT: const auto cleave_now = cleave_next;
// NAMED-NEXT: cleave_next = cleave_named_next<3>(cleave_walk);
// NAMED-NEXT: const int cleave_column = cleave_now.word[0] & 1;
// NAMED-NEXT: const int cleave_other = cleave_now.word[0] >> 1;
// NAMED-NEXT: const auto cleave_theirs_q = cleave_load_ahead<2>(cleave_dat_q + 2 * (size_t)cleave_other);
// NAMED-NEXT: const auto cleave_theirs_adt = cleave_load_ahead<1>(cleave_dat_adt + cleave_other);
// NAMED-NEXT: const int cleave_point_ends_0 = cleave_now.word[1];
// NAMED-NEXT: const auto cleave_rec_x1 = cleave_load_ahead<2>(cleave_dat_x + 2 * (size_t)cleave_point_ends_0);
// NAMED-NEXT: const int cleave_point_ends_1 = cleave_now.word[2];
// NAMED-NEXT: const auto cleave_rec_x2 = cleave_load_ahead<2>(cleave_dat_x + 2 * (size_t)cleave_point_ends_1);
// NAMED: cleave_theirs_values.v[0] = r1;
// NAMED: cleave_rec_q2 = cleave_choose_record(cleave_column == 1, cleave_mine_q, cleave_theirs_q);
// NAMED-NEXT: const auto cleave_rec_adt1 = cleave_mine_adt;
// NAMED-NEXT: const auto cleave_rec_adt2 = cleave_theirs_adt;
// NAMED: point_values_1 = cleave_choose_record(cleave_column == 1, cleave_mine_values, cleave_theirs_values);
// NAMED-NEXT: const double *const x1 = cleave_rec_x1.v;
// NAMED: double r2 = point_values_1[0];
// NAMED: cleave_add_sums(
// NAMED-SAME: cleave_zeros_res, cleave_dat_res + cleave_p, cleave_record<double, 1>{{[{][{]}}cleave_p_res_0}});
// A visit computes the reciprocal of the other point alone, and reads 12 bytes of items.
// NAMED-LABEL: flux_costs[] = {
// NAMED: 22, 2, 0}, {0, 0, 0}, 2, 0, 0, 0, 0, 24,
// The plan names the points of list 0, the nodes, and not the elements.
// NAMED-LABEL: flux_variants[] = {
// NAMED: {"flux_owner_named", CLEAVE_OWNER_GATHER, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_NAMED, 0, NULL, flux_owner_named_run<255>, CLEAVE_READS_DIRECT, 65536,
// MUTATE NAMED s/named_begin<3>/named_begin<2>/
// MUTATE NAMED s/cleave_load_ahead</cleave_load</
// MUTATE NAMED s/cleave_now = cleave_next/cleave_now = cleave_named_next<3>(cleave_walk)/
// MUTATE NAMED s/cleave_now.word\[0\] >> 1/cleave_now.word[0]/
// MUTATE NAMED s/cleave_point_ends_1 = cleave_now.word\[2\]/cleave_point_ends_1 = cleave_now.word[1]/
// MUTATE NAMED s/cleave_rec_adt2 = cleave_theirs_adt/cleave_rec_adt2 = cleave_mine_adt/
// MUTATE NAMED s/, 65536, /, 0, /
// MUTATE NAMED s/22, 2, 0}/22, 4, 0}/
