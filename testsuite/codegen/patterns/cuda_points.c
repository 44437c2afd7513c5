/* cuda_points.c: one thread per point adds up its elements in their order: contributions come from memory (twopass),
 * or the point computes them (owner).
 * RUN: cuda=TWOPASS cuda=OWNER --cleave-emit=twopass,owner
 * RUN: cuda=BATCH cuda=OWN --cleave-emit=owner,comparisons
 */
#include "flux.h"

// TWOPASS-LABEL: CLEAVE_KERNEL void flux_twopass_1(int cleave_begin, int cleave_end, int cleave_block_size,
// TWOPASS-NOT: cleave_dat_res
// TWOPASS: cleave_tmp_f_3 = (double *)(cleave_tmp + 8 * (size_t)cleave_size);
// TWOPASS: cleave_tmp_f[cleave_e] = f;
// TWOPASS-NEXT: cleave_tmp_f_3[cleave_e] = f_3;
// TWOPASS-LABEL: CLEAVE_KERNEL void flux_twopass_2(struct cleave_plan_list cleave_list,
// TWOPASS: cleave_p = cleave_block() * cleave_threads() + cleave_thread();
// TWOPASS-NEXT: if (cleave_p >= cleave_list.points) {
// TWOPASS-NEXT: return;
// A point without elements is left alone.
// TWOPASS: cleave_first = cleave_list.item_start[cleave_p];
// TWOPASS-NEXT: cleave_last = cleave_list.item_start[cleave_p + 1];
// TWOPASS-NEXT: if (cleave_first == cleave_last) {
// TWOPASS-NEXT: return;
// The sums begin with the point's own value: additions in the order of a sequential run.
// TWOPASS: double cleave_p_res_0 = cleave_dat_res[2 * (size_t)cleave_p];
// TWOPASS-NEXT: double cleave_p_res_1 = cleave_dat_res[2 * (size_t)cleave_p + 1];
// TWOPASS-NEXT: for (int cleave_i = cleave_first; cleave_i < cleave_last; cleave_i++) {
// TWOPASS-NEXT: cleave_e = cleave_list.item_element[cleave_i];
// TWOPASS-NEXT: cleave_column = cleave_list.item_column[cleave_i];
// TWOPASS-NEXT: switch (cleave_column) {
// TWOPASS-NEXT: case 0:
// TWOPASS-NEXT: cleave_p_res_0 += cleave_tmp_f[cleave_e];
// TWOPASS-NEXT: cleave_p_res_1 += cleave_tmp_f_3[cleave_e];
// TWOPASS-NEXT: break;
// TWOPASS-NEXT: case 1:
// TWOPASS-NEXT: cleave_p_res_0 -= cleave_tmp_f[cleave_e];
// TWOPASS-NEXT: cleave_p_res_1 -= cleave_tmp_f_3[cleave_e];
// TWOPASS: cleave_dat_res[2 * (size_t)cleave_p] = cleave_p_res_0;
// TWOPASS-NEXT: cleave_dat_res[2 * (size_t)cleave_p + 1] = cleave_p_res_1;
// TWOPASS-LABEL: static void flux_twopass_run(
// TWOPASS: CLEAVE_LAUNCH(flux_twopass_1, cleave_launch->blocks, cleave_block_threads, cleave_launch->shared_bytes, cleave_launch->stream, cleave_launch->begin, cleave_launch->end,
// TWOPASS-NEXT: CLEAVE_LAUNCH(flux_twopass_2, (cleave_plan->list[1].points + cleave_block_threads - 1) / cleave_block_threads, cleave_block_threads, 0, cleave_launch->stream, cleave_plan->list[1],
// TWOPASS-LABEL: flux_variants[] = {
// TWOPASS: {"flux_twopass", CLEAVE_TWO_PASS, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_POINTS, 16, NULL, flux_twopass_run,
// MUTATE TWOPASS s/cleave_p >= cleave_list.points/cleave_p > cleave_list.points/
// MUTATE TWOPASS /void flux_twopass_2/,/^}/ s/if .cleave_first == cleave_last/if (false/
// MUTATE TWOPASS /void flux_twopass_2/,/^}/ s/cleave_p_res_0 = cleave_dat_res\[2 \* .size_t.cleave_p\]/cleave_p_res_0 = 0/
// MUTATE TWOPASS s/cleave_p_res_1 -= cleave_tmp_f_3/cleave_p_res_1 += cleave_tmp_f_3/
// MUTATE TWOPASS s/LAUNCH.flux_twopass_2, .cleave_plan->list\[1\]/LAUNCH(flux_twopass_2, (cleave_plan->list[0]/

// ---- owner: the sign that the column gives is part of a factor, so that nothing is computed for it
// OWNER-LABEL: CLEAVE_KERNEL void flux_owner_1(struct cleave_plan_list cleave_list,
// OWNER-NOT: cleave_tmp_
// OWNER: if (cleave_p >= cleave_list.points) {
// OWNER: double cleave_p_res_0 = -0.0;
// OWNER-NEXT: double cleave_p_res_1 = -0.0;
// OWNER-NEXT: for (int cleave_i = cleave_first; cleave_i < cleave_last; cleave_i++) {
// OWNER: cleave_e = cleave_list.item_element[cleave_i];
// OWNER: const auto x1 = cleave_load<2>(cleave_dat_x + 2 * (size_t)cleave_point_ends_0);
// OWNER: double cleave_sign_res = cleave_column == 1 ? double(-1) : double(1);
// OWNER: cleave_p_res_0 += slope * (cleave_sign_res * adt1[0]);
// OWNER: cleave_p_res_1 += cleave_sign_res * f_3;
// OWNER: cleave_add_sums(
// OWNER-SAME: cleave_zeros_res, cleave_dat_res + 2 * (size_t)cleave_p, cleave_record<double, 2>{{[{][{]}}cleave_p_res_0, cleave_p_res_1}});
// OWNER-LABEL: static void flux_owner_run(
// OWNER: CLEAVE_LAUNCH(flux_owner_1, (cleave_plan->list[1].points + cleave_block_threads - 1) / cleave_block_threads, cleave_block_threads, 0, cleave_launch->stream, cleave_plan->list[1],
// OWNER-LABEL: flux_variants[] = {
// OWNER: {"flux_owner", CLEAVE_OWNER_GATHER, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_POINTS, 0, NULL, flux_owner_run, CLEAVE_READS_DIRECT,
// MUTATE OWNER s/cleave_column == 1 \? double.-1./cleave_column == 0 ? double(-1)/
// MUTATE OWNER s/cleave_p_res_0, cleave_p_res_1\}/cleave_p_res_1, cleave_p_res_0}/
// MUTATE OWNER s/cleave_sign_res \* f_3/f_3/

// ---- batch: the records of several elements are loaded before the first of them is used. The point's last element
// stands for those that it does not have. A plain load would move behind the computations of the element before.
// BATCH-LABEL: flux_owner_batch_1(struct cleave_plan_list cleave_list,
// BATCH: for (int cleave_from = cleave_first; cleave_from < cleave_last; cleave_from += 4) {
// BATCH-NEXT: int cleave_columns[4];
// BATCH-NEXT: cleave_record<double, 2> cleave_batch_x1[4];
// BATCH: CLEAVE_UNROLL for (int cleave_k = 0; cleave_k < 4; cleave_k++) {
// BATCH-NEXT: const int cleave_i = cleave_from + cleave_k < cleave_last ? cleave_from + cleave_k : cleave_last - 1;
// BATCH-NEXT: const int cleave_e = cleave_list.item_element[cleave_i];
// BATCH-NEXT: cleave_columns[cleave_k] = cleave_list.item_column[cleave_i];
// BATCH: cleave_batch_x1[cleave_k] = cleave_load_ahead<2>(cleave_dat_x + 2 * (size_t)cleave_point_ends_0);
// BATCH: CLEAVE_UNROLL for (int cleave_k = 0; cleave_k < 4; cleave_k++) {
// BATCH-NEXT: if (cleave_k == 0 || cleave_from + cleave_k < cleave_last) {
// BATCH-NEXT: const int cleave_column = cleave_columns[cleave_k];
// BATCH-NEXT: const auto &cleave_rec_x1 = cleave_batch_x1[cleave_k];
// BATCH: const double *const x1 = cleave_rec_x1.v;
// BATCH-NOT: cleave_map_
// BATCH: cleave_p_res_0 +=
// MUTATE BATCH s/cleave_k == 0 \|\| cleave_from \+ cleave_k < cleave_last/true/
// MUTATE BATCH s/: cleave_last - 1;/: cleave_last;/
// MUTATE BATCH s/cleave_load_ahead</cleave_load</

// ---- own: the point's own records are loaded once, and an item loads those of the other point. The column tells which
// argument gets which.
// OWN-LABEL: flux_owner_own_1(struct cleave_plan_list cleave_list,
// OWN: const auto cleave_mine_adt = cleave_load<1>(cleave_dat_adt + cleave_p);
// OWN-NEXT: for (int cleave_i = cleave_first; cleave_i < cleave_last; cleave_i++) {
// OWN: const int cleave_other = cleave_map_sides[(size_t)cleave_e * cleave_width_sides + (cleave_column == 0 ? 1 : 0)];
// OWN-NEXT: const auto cleave_theirs_adt = cleave_load<1>(cleave_dat_adt + cleave_other);
// OWN-NEXT: const auto cleave_rec_adt1 = cleave_choose_record(cleave_column == 0, cleave_mine_adt, cleave_theirs_adt);
// OWN-NEXT: const auto cleave_rec_adt2 = cleave_choose_record(cleave_column == 1, cleave_mine_adt, cleave_theirs_adt);
// OWN-NOT: cleave_mine_x
// OWN: cleave_p_res_0 +=
// MUTATE OWN s/cleave_column == 0 \? 1 : 0/cleave_column == 0 ? 0 : 1/
// MUTATE OWN s/record.cleave_column == 1, cleave_mine_adt/record(cleave_column == 0, cleave_mine_adt/
// MUTATE OWN s/cleave_dat_adt \+ cleave_other/cleave_dat_adt + cleave_p/
