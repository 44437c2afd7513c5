/* cuda_copies.c: copies of dats that variants ask the runtime for: a point's records packed side by side, or what is
 * the elements' own in the order in which points go through them.
 * RUN: cuda=PACKED cuda=BULK cuda=ITEMS cuda=FETCHED cuda=TABLE --cleave-emit=split,owner,comparisons
 * RUN: cuda=NONE --cleave-emit=fused,split
 */
#include "op_seq.h"

static void flux(const double *q1, const double *q2, const double *adt1, const double *adt2,
                 const double *w, double *res1, double *res2)
{
    double f = adt1[0] * q1[0] - adt2[0] * q2[2] + w[1];
    res1[0] += f;
    res2[0] -= f;
    f = f + q1[1];
    res1[1] += f;
    res2[1] -= f;
}

void loop(op_set edges, op_map sides, op_dat q, op_dat adt, op_dat w, op_dat res)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(q, 0, sides, 3, "double", OP_READ),
                op_arg_dat(q, 1, sides, 3, "double", OP_READ),
                op_arg_dat(adt, 0, sides, 1, "double", OP_READ),
                op_arg_dat(adt, 1, sides, 1, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(res, 0, sides, 2, "double", OP_INC),
                op_arg_dat(res, 1, sides, 2, "double", OP_INC));
}

// ---- packed: four components of a point come in one record; strides of 6 avoid bank conflicts
// PACKED-LABEL: flux_split_gather_packed_layout(const struct cleave_plan *cleave_plan) {
// PACKED: // stage 1: contribution
// PACKED-NEXT: cleave_at = cleave_round_up(cleave_plan->list[0].max_points * 6 * sizeof(double));
// PACKED-LABEL: CLEAVE_REGISTERS(cleave_registers) flux_split_gather_packed(
// PACKED-NOT: cleave_dat_q
// PACKED: // stage 1: contribution
// PACKED: cleave_in_packed1_1_sides = cleave_stage_in_async<double, 4, 6>(0, cleave_packed1_1_sides, cleave_points_sides);
// PACKED-NEXT: cleave_in_q_sides = cleave_in_packed1_1_sides;
// PACKED-NEXT: cleave_in_adt_sides = cleave_in_packed1_1_sides + 3;
// The element's own data is loaded while points are on their way.
// PACKED-NEXT: cleave_rec_w = cleave_load_ahead<2>(cleave_dat_w + 2 * (size_t)cleave_e);
// PACKED-NEXT: cleave_copy_wait();
// PACKED-NEXT: cleave_barrier();
// PACKED: const auto q2 = cleave_in_q_sides + 6 * cleave_local_sides_1;
// PACKED-NEXT: const auto adt1 = cleave_in_adt_sides + 6 * cleave_local_sides_0;
// PACKED: const double *const w = cleave_rec_w.v;
// MUTATE PACKED s/cleave_in_packed1_1_sides \+ 3/cleave_in_packed1_1_sides + 2/
// MUTATE PACKED s/const auto adt1 = cleave_in_adt_sides \+ 6/const auto adt1 = cleave_in_adt_sides + 1/
// MUTATE PACKED s/list\[0\].max_points \* 6/list[0].max_points * 4/

// ---- bulk: runs of packed records; one thread says how many bytes a barrier has to wait for
// BULK-LABEL: flux_split_gather_bulk_layout(const struct cleave_plan *cleave_plan) {
// BULK: cleave_space.landing = (unsigned)cleave_round_up(cleave_bytes);
// BULK-NEXT: cleave_bytes = cleave_space.landing + 8;
// BULK-LABEL: CLEAVE_REGISTERS(cleave_registers) flux_split_gather_bulk(
// BULK: if (cleave_thread() == 0) {
// BULK-NEXT: cleave_arrival_init(cleave_landing);
// BULK: cleave_runs_sides = cleave_runs_of(cleave_plan.list[0], cleave_b);
// BULK: cleave_barrier();
// BULK-NEXT: cleave_in_packed1_1_sides = cleave_stage_in_bulk<double, 6, 6>(0, cleave_packed1_1_sides, cleave_runs_sides, cleave_landing);
// BULK: if (cleave_thread() == 0) {
// BULK-NEXT: cleave_arrival_expect(cleave_landing, cleave_stage_bulk_bytes<double, 6>(cleave_runs_sides));
// BULK: // stage 1: contribution
// BULK: cleave_arrival_wait(cleave_landing, 0);
// BULK-NEXT: if (cleave_active) {
// MUTATE BULK s/cleave_arrival_wait\(cleave_landing, 0\);//
// MUTATE BULK /flux_split_gather_bulk\(/,/stage_in_bulk/ s/cleave_barrier\(\);//
// MUTATE BULK s/cleave_stage_bulk_bytes<double, 6>/cleave_stage_bulk_bytes<double, 4>/
// MUTATE BULK s/cleave_space.landing \+ 8/cleave_space.landing/

// ---- in the order of items: each row loads its element's record a row before it is used
// ITEMS-LABEL: CLEAVE_REGISTERS(cleave_registers) flux_owner_staged_items_1(
// ITEMS-NOT: cleave_dat_w
// ITEMS: auto cleave_next_w = cleave_item_record<double, 2>(cleave_items_w, cleave_own, cleave_own.row);
// ITEMS: for (int cleave_row = cleave_own.row; cleave_row < cleave_own.last; cleave_row++) {
// ITEMS: cleave_now_w = cleave_next_w;
// ITEMS: cleave_next_w = cleave_item_record<double, 2>(cleave_items_w, cleave_own, cleave_row + 1);
// ITEMS: const double *const w = cleave_now_w.v;
// ITEMS-LABEL: static void flux_owner_staged_items_run(
// ITEMS: CLEAVE_LAUNCH(
// ITEMS-SAME: (const double *)cleave_launch->copy[0],
// MUTATE ITEMS s/w = cleave_now_w.v/w = cleave_next_w.v/
// MUTATE ITEMS /flux_owner_staged_items_run/,/^}/ s/cleave_launch->copy\[0\]/cleave_launch->data[4]/

// Without the copy, the record is fetched as soon as the element's number is there, and that is two rows ahead.
// FETCHED-LABEL: CLEAVE_REGISTERS(cleave_registers) flux_owner_staged_1(
// FETCHED: auto cleave_next = cleave_item_of<2>(cleave_list, cleave_own, cleave_own.row);
// FETCHED-NEXT: auto cleave_next_w = cleave_fetch<double, 2>(cleave_dat_w, cleave_next.element);
// FETCHED-NEXT: auto cleave_after = cleave_item_of<2>(cleave_list, cleave_own, cleave_own.row + 1);
// FETCHED: for (int cleave_row = cleave_own.row; cleave_row < cleave_own.last; cleave_row++) {
// FETCHED: cleave_now = cleave_next;
// FETCHED: cleave_now_w = cleave_fetched(cleave_next_w, cleave_now.element);
// FETCHED: cleave_next = cleave_after;
// FETCHED-NEXT: cleave_next_w = cleave_fetch<double, 2>(cleave_dat_w, cleave_next.element);
// FETCHED-NEXT: cleave_after = cleave_item_of<2>(cleave_list, cleave_own, cleave_row + 2);
// FETCHED: if (cleave_now.element >= 0) {
// MUTATE FETCHED s/cleave_own, cleave_row \+ 2\)/cleave_own, cleave_row + 1)/
// MUTATE FETCHED s/cleave_fetched\(cleave_next_w, cleave_now.element/cleave_fetched(cleave_next_w, cleave_next.element/

// ---- the tables: arguments and components of each packed record, padded to a whole number of 16 bytes for bulk
// copies; -1: in the order of points, else of a list's items. The last but two fields of a variant name them.
// TABLE: flux_owner_staged_items_copies[] = {
// TABLE-NEXT: {4, 0, 0, 0, NULL},
// TABLE: flux_split_gather_packed_copies_1[] = {{[{][{]}}0, 0}, {0, 1}, {0, 2}, {2, 0}};
// TABLE: flux_split_gather_packed_copies[] = {
// TABLE-NEXT: {0, -1, 4, 4, flux_split_gather_packed_copies_1},
// TABLE-NEXT: };
// TABLE: flux_split_gather_bulk_copies[] = {
// TABLE-NEXT: {0, -1, 6, 4, flux_split_gather_bulk_copies_1},
// TABLE: {"flux_split_gather_packed_c2_r64", {{.*}}, NULL, 1, flux_split_gather_packed_copies, NULL, {{.*}}, 2, 0, 0, 0},
// TABLE: cleave_unit = {
// TABLE: cleave_make_copy<void>
// MUTATE TABLE s/\{2, 0\}\};/{3, 0}};/
// MUTATE TABLE s/cleave_make_copy<void>/NULL/

// Without such a variant, nothing has to make copies.
// NONE-NOT: _packed
// NONE-NOT: _gather_bulk
// NONE-NOT: _copies[
// NONE: cleave_unit = {
// NONE-NOT: cleave_make_copy
// NONE: &cleave_unit_key
// MUTATE NONE s/NULL, NULL, &cleave_unit_key/NULL, cleave_make_copy<void>, \&cleave_unit_key/
