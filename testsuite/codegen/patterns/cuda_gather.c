/* cuda_gather.c: the block's elements put their contributions into shared memory, from where its points gather: no
 * colours, and one atomic addition for each point and component. Data is staged, or read directly.
 * RUN: cuda=CUDA cuda=DIRECT cuda=TABLE --cleave-emit=split
 */
#include "flux.h"

// ---- staged: by asynchronous copies; the points' lists lie behind what all stages share
// CUDA-LABEL: flux_split_gather_layout(const struct cleave_plan *cleave_plan) {
// CUDA: // stage 1: contribution
// CUDA: cleave_bytes = cleave_larger(cleave_bytes, cleave_at);
// CUDA-NEXT: // tmp(e) for the points of sides
// CUDA-NEXT: cleave_at = cleave_round_up((size_t)cleave_plan->block_size * 2 * sizeof(double));
// CUDA-NEXT: cleave_bytes = cleave_larger(cleave_bytes, cleave_at);
// CUDA-NEXT: cleave_space.gather_sides = (unsigned)cleave_bytes;
// CUDA-NEXT: cleave_bytes += cleave_gather_bytes(cleave_plan->list[1], cleave_plan->block_size);
// MUTATE CUDA /gather_layout\(const/,/^}/ s/block_size \* 2 \* sizeof/block_size * 1 * sizeof/
// MUTATE CUDA /gather_layout\(const/,/^}/ s/cleave_bytes \+= cleave_gather_bytes.*//

// CUDA-LABEL: template <int cleave_components, int cleave_registers>
// CUDA-NEXT: CLEAVE_KERNEL void CLEAVE_REGISTERS(cleave_registers) flux_split_gather(cleave_block_plan<2> cleave_plan,
// The lists are on their way while the contribution is computed.
// CUDA: cleave_gather_stage(cleave_space.gather_sides, cleave_plan, cleave_plan.list[1], cleave_b, cleave_points_sides, cleave_begin, cleave_count);
// CUDA: // stage 1: contribution, 24 bytes per point
// CUDA: cleave_in_x_ends = cleave_stage_in_async<double, 2, 2>(0, cleave_dat_x, cleave_points_ends);
// CUDA: cleave_in_adt_sides = cleave_stage_in_async<double, 1, 1>(cleave_space.in1_adt_sides, cleave_dat_adt, cleave_points_sides);
// CUDA-NEXT: cleave_copy_wait();
// CUDA-NEXT: cleave_barrier();
// CUDA: const auto x1 = cleave_load<2>(cleave_in_x_ends + 2 * cleave_local_ends_0);
// tmp(e) overwrites what was staged: first a barrier.
// CUDA: // update through sides: points gather what the block's elements put here
// CUDA-NEXT: cleave_barrier();
// CUDA-NEXT: {
// CUDA-NEXT: cleave_tmp_res_sides = cleave_shared<double>(0);
// CUDA-NEXT: if (cleave_active) {
// CUDA-NEXT: cleave_own_res_sides = cleave_aligned(cleave_tmp_res_sides + 2 * cleave_thread());
// CUDA-NEXT: cleave_own_res_sides[0] = f;
// CUDA-NEXT: cleave_own_res_sides[1] = f_3;
// CUDA-NEXT: }
// CUDA-NEXT: cleave_gather_sides = cleave_gather_of(cleave_space.gather_sides, cleave_plan, cleave_plan.list[1], cleave_b, cleave_points_sides, cleave_begin);
// CUDA-NEXT: cleave_copy_wait();
// CUDA-NEXT: cleave_barrier();
// Both columns add component c of tmp(e) to component c; column 1 subtracts it.
// CUDA-NEXT: cleave_gather_add<double, 2, cleave_components, 2, 2>(cleave_dat_res, cleave_tmp_res_sides, cleave_gather_sides,
// CUDA-SAME: [](int, int cleave_component) { return cleave_component; }, [](int cleave_column, int) { return cleave_column == 1; });
// MUTATE CUDA /^CLEAVE_KERNEL.*flux_split_gather\(/,/^}/ { /stage 1/,/update through/ s/cleave_copy_wait\(\);// }
// MUTATE CUDA /^CLEAVE_KERNEL.*flux_split_gather\(/,/^}/ { /update through/,/shared<double>/ s/cleave_barrier\(\);// }
// MUTATE CUDA /^CLEAVE_KERNEL.*flux_split_gather\(/,/^}/ { /gather_of/,$ s/cleave_barrier\(\);// }
// MUTATE CUDA /^CLEAVE_KERNEL.*flux_split_gather\(/,/^}/ s/return cleave_column == 1/return false/
// MUTATE CUDA /^CLEAVE_KERNEL.*flux_split_gather\(/,/^}/ s/own_res_sides\[1\] = f_3/own_res_sides[1] = f/

// ---- direct: only the points' lists and tmp(e) are in shared memory
// DIRECT-LABEL: CLEAVE_REGISTERS(cleave_registers) flux_split_gather_direct(
// DIRECT-NOT: cleave_stage_in
// DIRECT-NOT: cleave_local_
// DIRECT: cleave_e = cleave_active ? cleave_element_of(cleave_plan, cleave_position) : 0;
// DIRECT: // stage 1: contribution
// DIRECT-NOT: cleave_barrier
// DIRECT: const auto x1 = cleave_load<2>(cleave_dat_x + 2 * (size_t)cleave_point_ends_0);
// DIRECT-NOT: cleave_barrier
// DIRECT: // update through sides
// DIRECT-NEXT: {
// DIRECT: cleave_gather_add<double, 2, cleave_components, 2, 2>(
// DIRECT-LABEL: static void flux_split_gather_direct_run(
// DIRECT: CLEAVE_LAUNCH((flux_split_gather_direct<cleave_components, cleave_registers>), cleave_launch->blocks,
// MUTATE DIRECT /flux_split_gather_direct\(/,/^}/ s/cleave_element_of.cleave_plan, cleave_position. : 0/cleave_position : 0/

// Components at a time and registers of each compiled form; kernel and function have the same.
// TABLE-LABEL: flux_variants[] = {
// TABLE-DAG: {"flux_split_gather_direct_c2_r64", CLEAVE_SPLIT, 1, CLEAVE_RACE_GATHER, CLEAVE_PLAN_BLOCKS, 0, flux_split_gather_direct_shared, flux_split_gather_direct_run<2, 64>, CLEAVE_READS_DIRECT, 1, (const void *)flux_split_gather_direct<2, 64>,
// TABLE-DAG: {"flux_split_gather_c2_r64", CLEAVE_SPLIT, 1, CLEAVE_RACE_GATHER, CLEAVE_PLAN_BLOCKS, 0, flux_split_gather_shared, flux_split_gather_run<2, 64>, CLEAVE_READS_STAGED, 1, (const void *)flux_split_gather<2, 64>,
// MUTATE TABLE s/flux_split_gather_run<2, 64>/flux_split_gather_run<2, 72>/
// MUTATE TABLE s/CLEAVE_READS_DIRECT, 1, (.*gather_direct)/CLEAVE_READS_STAGED, 1, \1/
