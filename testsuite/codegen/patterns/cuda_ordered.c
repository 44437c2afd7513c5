/* cuda_ordered.c: blocks put their points' sums into memory, a second kernel adds those of a point in the order of
 * the blocks: the same bits in every run, without atomic operations.
 * RUN: cuda=CUDA --cleave-emit=split
 */
#include "flux.h"

// ---- sums of blocks lie in memory, not in shared memory
// CUDA-LABEL: struct flux_split_ordered_space {
// CUDA: size_t sums_res_sides;
// CUDA-NEXT: size_t cleave_sums_bytes;
// CUDA-LABEL: flux_split_ordered_layout(const struct cleave_plan *cleave_plan) {
// CUDA: cleave_space.gather_sides = (unsigned)cleave_bytes;
// CUDA: cleave_space.cleave_sums_bytes = 0;
// CUDA-NEXT: cleave_space.sums_res_sides = cleave_space.cleave_sums_bytes;
// CUDA-NEXT: cleave_space.cleave_sums_bytes += cleave_round_up((size_t)cleave_plan->list[1].places * 2 * sizeof(double));
// CUDA-LABEL: static size_t flux_split_ordered_sums(
// CUDA: return flux_split_ordered_layout(cleave_plan).cleave_sums_bytes;
// MUTATE CUDA s/list\[1\].places \* 2/list[1].points * 2/

// CUDA-LABEL: CLEAVE_REGISTERS(cleave_registers) flux_split_ordered(
// CUDA-NOT: cleave_dat_res
// CUDA: // update through sides
// CUDA: cleave_own_res_sides[1] = f_3;
// CUDA: cleave_barrier();
// CUDA-NEXT: cleave_ordered_put_add<double, 2, cleave_components, 2, 2>((double *)(cleave_sums + cleave_space.sums_res_sides), cleave_plan.list[1], cleave_tmp_res_sides, cleave_gather_sides,
// CUDA-SAME: [](int cleave_column, int) { return cleave_column == 1; });
// CUDA-NOT: cleave_dat_res
// CUDA-LABEL: CLEAVE_KERNEL void flux_split_ordered_2(
// CUDA-NEXT: cleave_ordered_add<double, 2>(cleave_dat_res, (const double *)(cleave_sums + cleave_space.sums_res_sides), cleave_list);
// MUTATE CUDA s/cleave_ordered_put_add<double, 2, cleave_components, 2, 2>/cleave_gather_add<double, 2, cleave_components, 2, 2>/
// MUTATE CUDA s/cleave_ordered_add<double, 2>/cleave_ordered_add<double, 1>/

// Both kernels on one stream: the second begins when all sums are there.
// CUDA-LABEL: static void flux_split_ordered_run(
// CUDA: CLEAVE_LAUNCH((flux_split_ordered<cleave_components, cleave_registers>), cleave_launch->blocks, cleave_block_threads, cleave_launch->shared_bytes, cleave_launch->stream,
// CUDA-SAME: (char *)cleave_launch->tmp);
// CUDA-NEXT: CLEAVE_LAUNCH(flux_split_ordered_2, (cleave_ordered_blocks<double, 2>(cleave_plan->list[1], cleave_block_threads)), cleave_block_threads, 0, cleave_launch->stream,
// CUDA-SAME: cleave_plan->list[1], cleave_space, (double *)cleave_launch->data[4], (char *)cleave_launch->tmp);
// CUDA-LABEL: flux_variants[] = {
// CUDA: {"flux_split_ordered_c2_r72", CLEAVE_SPLIT, 1, CLEAVE_RACE_ORDERED, CLEAVE_PLAN_BLOCKS, 0,
// CUDA-SAME: NULL, flux_split_ordered_sums, {{.*}}, 2, 0, 0, 0},
// MUTATE CUDA s/NULL, flux_split_ordered_sums,/NULL, NULL,/
// MUTATE CUDA s/^( *CLEAVE_LAUNCH.flux_split_ordered_2,.*)list\[1\]/\1list[0]/
