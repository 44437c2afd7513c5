/* cuda_soa.c: with structures of arrays, every access has the stride of its dat; dats of one component have none.
 * RUN: cuda=CUDA cuda=TABLE --cleave-emit=fused,split,owner --cleave-soa=all
 * RUN: openmp=OPENMP -O0 --cleave-emit=fused --cleave-soa=all
 */
#include "flux.h"

static void save(const double *q, double *old)
{
    old[0] = q[0];
    old[1] = q[1];
}

void second(op_set cells, op_dat q, op_dat old);

void second(op_set cells, op_dat q, op_dat old)
{
    op_par_loop(save, "save", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(old, -1, OP_ID, 2, "double", OP_WRITE));
}

// ---- owners
// CUDA-LABEL: CLEAVE_KERNEL void flux_owner_1(
// CUDA: const auto x1 = cleave_soa_at(cleave_dat_x, cleave_stride_x, cleave_point_ends_0);
// CUDA: cleave_soa_at(cleave_dat_res, cleave_stride_res, cleave_p)[0] += cleave_p_res_0;
// CUDA-LABEL: CLEAVE_REGISTERS(cleave_registers) flux_owner_staged_1(
// CUDA: cleave_own_out_add<double, 2, 2>(0, cleave_soa_of(cleave_dat_res, cleave_stride_res), cleave_own);
// ---- split, by gathers
// CUDA-LABEL: CLEAVE_REGISTERS(cleave_registers) flux_split_gather(
// CUDA-SAME: const double *__restrict__ cleave_dat_x, int cleave_stride_x, const double *__restrict__ cleave_dat_adt, double *__restrict__ cleave_dat_res, int cleave_stride_res)
// CUDA: cleave_stage_in_async<double, 2, 2>(0, cleave_soa_of(cleave_dat_x, cleave_stride_x), cleave_points_ends);
// CUDA: cleave_stage_in_async<double, 1, 1>(cleave_space.in1_adt_sides, cleave_dat_adt, cleave_points_sides);
// Once staged, a record is one record.
// CUDA: const auto x1 = cleave_load<2>(cleave_in_x_ends + 2 * cleave_local_ends_0);
// CUDA: cleave_gather_add<double, 2, cleave_components, 2, 2>(cleave_soa_of(cleave_dat_res, cleave_stride_res), cleave_tmp_res_sides,
// ---- ordered
// CUDA: cleave_ordered_add<double, 2>(cleave_soa_of(cleave_dat_res, cleave_stride_res),
// ---- fused
// CUDA-LABEL: CLEAVE_KERNEL void flux_fused_colour(
// CUDA: cleave_stage_in<double, 2>(0, cleave_soa_of(cleave_dat_x, cleave_stride_x), cleave_points_ends);
// CUDA: cleave_stage_out_add<double, 2>(cleave_soa_of(cleave_dat_res, cleave_stride_res), cleave_out_res_sides, cleave_points_sides);
// CUDA-LABEL: CLEAVE_KERNEL void flux_fused_atomic(
// CUDA: cleave_add(&cleave_soa_at(cleave_dat_res, cleave_stride_res, cleave_point_sides_0)[0], f);
// CUDA: cleave_add(&cleave_soa_at(cleave_dat_res, cleave_stride_res, cleave_point_sides_1)[1], -f_3);
// CUDA-LABEL: static void flux_fused_atomic_run(
// CUDA: CLEAVE_LAUNCH(
// CUDA-SAME: (const double *)cleave_launch->data[0], cleave_launch->stride[0], (const double *)cleave_launch->data[2], (double *)cleave_launch->data[4], cleave_launch->stride[4],
// ---- direct
// CUDA-LABEL: CLEAVE_KERNEL void save_direct(
// CUDA: cleave_rec_q = cleave_load<2>(cleave_soa_at(cleave_dat_q, cleave_stride_q, cleave_e));
// CUDA: cleave_store(cleave_soa_at(cleave_dat_old, cleave_stride_old, cleave_e), cleave_rec_old);
// MUTATE CUDA s/cleave_stage_out_add<double, 2>.cleave_soa_of.cleave_dat_res, cleave_stride_res./cleave_stage_out_add<double, 2>(cleave_dat_res/
// MUTATE CUDA /flux_split_gather\(/,/^}/ s/cleave_gather_add(.*)cleave_soa_of.cleave_dat_res, cleave_stride_res./cleave_gather_add\1cleave_dat_res/
// MUTATE CUDA s/cleave_store\(cleave_soa_at\(cleave_dat_old, cleave_stride_old/cleave_store(cleave_soa_at(cleave_dat_old, cleave_stride_q/
// MUTATE CUDA s/cleave_launch->data\[4\], cleave_launch->stride\[4\]/cleave_launch->data[4], cleave_launch->stride[0]/
// MUTATE CUDA s/cleave_stride_res, cleave_point_sides_1\)\[1\]/cleave_stride_res, cleave_point_sides_1)[0]/

// One byte for each argument: the runtime keeps these dats so.
// TABLE-DAG: cleave_transpose_out<cleave_op_add, double, 2, true>(cleave_area, cleave_soa_of(cleave_dat_res, cleave_stride_res), cleave_point,
// TABLE-DAG: cleave_stage_out_atomic_add<double, 2>(cleave_soa_of(cleave_dat_res, cleave_stride_res), cleave_out_res_sides,
// TABLE-DAG: flux_soa[] = {1, 1, 0, 0, 1, 1};
// TABLE-DAG: save_soa[] = {1, 1};
// TABLE-DAG: (const void *)flux_fused_colour, flux_soa, 0,
// TABLE-DAG: (const void *)save_direct, save_soa, 0,
// TABLE: cleave_unit = {
// TABLE: cleave_relayout_run<void>
// MUTATE TABLE s/flux_soa\[\] = \{1, 1, 0, 0/flux_soa[] = {1, 1, 1, 1/
// MUTATE TABLE s/cleave_relayout_run<void>/NULL/

// The CPU has arrays of structures alone.
// OPENMP-NOT: {{cleave_soa|_soa\[}}
// OPENMP: flux_body(cleave_dat_x + 2 * (size_t)cleave_point_ends_0,
// OPENMP-NOT: {{cleave_soa|_soa\[}}
// OPENMP: cleave_unit = {
// MUTATE OPENMP s/static const struct cleave_variant flux/static const unsigned char flux_soa[] = {1}; &/
