/* cuda_owners.c: blocks of points stage what lies around them, and each point computes what its elements contribute.
 * RUN: cuda=CUDA --cleave-emit=owner
 */
#include "flux.h"

// The sums overwrite what was staged.
// CUDA-LABEL: flux_owner_staged_layout(const struct cleave_plan *cleave_plan) {
// CUDA: cleave_at = cleave_round_up(cleave_plan->list[1].max_around * 1 * sizeof(double));
// CUDA-NEXT: size_t cleave_sums1 = 0;
// CUDA-NEXT: cleave_sums1 += cleave_round_up((size_t)cleave_plan->block_size * 2 * sizeof(double));
// CUDA-NEXT: cleave_at = cleave_larger(cleave_at, cleave_sums1);
// CUDA-NEXT: cleave_space.cleave_bytes1 = (unsigned)cleave_at;
// MUTATE CUDA s/cleave_at = cleave_larger\(cleave_at, cleave_sums1\);//
// MUTATE CUDA s/list\[1\].max_around/list[1].max_points/

// CUDA-LABEL: template <int cleave_registers>
// CUDA-NEXT: CLEAVE_KERNEL void CLEAVE_REGISTERS(cleave_registers) flux_owner_staged_1(struct cleave_plan_list cleave_list, int cleave_block_size,
// Only the map of owners has neighbourhoods: x is read directly.
// CUDA: cleave_own = cleave_owner_of(cleave_list, cleave_block_size);
// CUDA-NEXT: if (cleave_own.rows == 0 && (cleave_zeros_res & CLEAVE_ZEROS_KNOWN) == 0) {
// CUDA-NEXT: return;
// CUDA: cleave_in_adt_sides = cleave_stage_around<double, 1, 1>(0, cleave_dat_adt, cleave_own);
// CUDA-NOT: cleave_stage_around
// Each row's item is loaded while the one before is computed.
// CUDA: auto cleave_next = cleave_item_of<2>(cleave_list, cleave_own, cleave_own.row);
// CUDA-NEXT: double cleave_p_res_0 = -0.0;
// CUDA-NEXT: double cleave_p_res_1 = -0.0;
// CUDA-NEXT: cleave_copy_wait();
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: for (int cleave_row = cleave_own.row; cleave_row < cleave_own.last; cleave_row++) {
// CUDA-NEXT: cleave_now = cleave_next;
// CUDA-NEXT: cleave_next = cleave_item_of<2>(cleave_list, cleave_own, cleave_row + 1);
// CUDA-NEXT: if (cleave_now.element >= 0) {
// CUDA-NEXT: cleave_e = cleave_now.element;
// CUDA-NEXT: cleave_column = cleave_now.column;
// CUDA-NEXT: cleave_local_sides_0 = cleave_now.local[0];
// CUDA-NEXT: cleave_local_sides_1 = cleave_now.local[1];
// CUDA: const auto x1 = cleave_load<2>(cleave_dat_x + 2 * (size_t)cleave_point_ends_0);
// CUDA: const auto adt2 = cleave_in_adt_sides + cleave_local_sides_1;
// CUDA: cleave_p_res_0 += slope * (cleave_sign_res * adt1[0]);
// The points' sums go to memory side by side.
// CUDA: {{^}} // Each point's sums, side by side, to memory.
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: cleave_sum_res_sides = cleave_shared<double>(0);
// CUDA-NEXT: if (cleave_thread() < cleave_own.owned) {
// CUDA-NEXT: cleave_sum_res_sides[2 * cleave_thread()] = cleave_p_res_0;
// CUDA-NEXT: cleave_sum_res_sides[2 * cleave_thread() + 1] = cleave_p_res_1;
// CUDA-NEXT: }
// CUDA-NEXT: cleave_bulk_fence();
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: cleave_own_out_sums<double, 2, 2>(0, cleave_dat_res, cleave_own, cleave_zeros_res);
// CUDA-NEXT: cleave_add_bulk_wait();
// CUDA-LABEL: static void flux_owner_staged_run(
// CUDA: CLEAVE_LAUNCH((flux_owner_staged_1<cleave_registers>), cleave_plan->list[1].owners, cleave_block_threads, cleave_space.cleave_bytes1, cleave_launch->stream, cleave_plan->list[1], cleave_plan->block_size,
// CUDA-LABEL: flux_variants[] = {
// CUDA: {"flux_owner_staged_r128", CLEAVE_OWNER_GATHER, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_OWNERS, 0, flux_owner_staged_shared, flux_owner_staged_run<128>, CLEAVE_READS_STAGED, 0, (const void *)flux_owner_staged_1<128>,
// MUTATE CUDA s/cleave_own, cleave_row \+ 1\)/cleave_own, cleave_row)/
// MUTATE CUDA s/cleave_now.element >= 0/true/
// MUTATE CUDA s/cleave_bulk_fence\(\);//
// MUTATE CUDA /side by side/,$ s/cleave_barrier\(\);//
// MUTATE CUDA s/cleave_thread\(\) < cleave_own.owned/true/
// MUTATE CUDA s/cleave_add_bulk_wait\(\);//
// MUTATE CUDA s/list\[1\].owners, cleave_block_threads/list[1].points, cleave_block_threads/
