/* cuda_zeros.c: zeros that a loop leaves in a dat, and points that gather and need not read them. No groups are needed.
 * RUN: cuda=CUDA --cleave-emit=owner --cleave-fuse=off
 */
#include "op_seq.h"

static void update(double *q, double *res)
{
    for (int n = 0; n < 2; n++) {
        q[n] += res[n];
        res[n] = 0.0;
    }
}

static void lower(double *res)
{
    res[0] = 0.0;
    res[1] = -0.0;
}

static void flux(const double *x, double *res1, double *res2)
{
    res1[0] += x[0];
    res2[0] -= x[0];
    res2[1] += x[0] * x[0];
}

static void more(const double *x, double *res)
{
    res[1] += x[0];
}

static void part(const double *x, double *sum)
{
    sum[1] += x[0];
}

static void both(const double *x, double *a, double *b)
{
    a[0] += x[0];
    b[0] += x[0];
}

static void look(const double *res, double *sum)
{
    sum[0] += res[0];
}

void loop(op_set edges, op_set cells, op_map sides, op_map ends, op_dat x, op_dat q, op_dat res, op_dat sum)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(res, 0, sides, 2, "double", OP_INC), op_arg_dat(res, 1, sides, 2, "double", OP_INC));
    op_par_loop(more, "more", edges, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(res, 0, ends, 2, "double", OP_INC));
    op_par_loop(update, "update", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_RW),
                op_arg_dat(res, -1, OP_ID, 2, "double", OP_RW));
    op_par_loop(lower, "lower", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_WRITE));
    op_par_loop(part, "part", edges, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(sum, 0, sides, 2, "double", OP_INC));
    op_par_loop(both, "both", edges, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(q, 0, sides, 1, "double", OP_INC), op_arg_dat(q, 0, ends, 1, "double", OP_INC));
    op_par_loop(look, "look", edges, op_arg_dat(res, 0, sides, 2, "double", OP_READ),
                op_opt_arg_dat(1, sum, 0, sides, 2, "double", OP_INC));
}

// Blocks of points, and points by themselves: where the dat is known to be zero all are stored, also those that no element
// names.
// CUDA-LABEL: flux_owner_staged_1(struct cleave_plan_list cleave_list,
// CUDA: if (cleave_own.rows == 0 && (cleave_zeros_res & CLEAVE_ZEROS_KNOWN) == 0) {
// CUDA: cleave_own_out_sums<double, 2, 2>(0, cleave_dat_res, cleave_own, cleave_zeros_res);
// CUDA-LABEL: CLEAVE_KERNEL void flux_owner_1(struct cleave_plan_list cleave_list,
// CUDA: if (cleave_first == cleave_last && (cleave_zeros_res & CLEAVE_ZEROS_KNOWN) == 0) {
// CUDA: cleave_add_sums(cleave_zeros_res, cleave_dat_res + 2 * (size_t)cleave_p, cleave_record<double, 2>{{[{][{]}}cleave_p_res_0, cleave_p_res_1}});
// CUDA-LABEL: static void flux_owner_run(
// CUDA: (double *)cleave_launch->data[1], cleave_zeros_of(cleave_launch, 1));
// MUTATE CUDA s/last && .cleave_zeros_res & CLEAVE_ZEROS_KNOWN. == 0/last/
// MUTATE CUDA s/rows == 0 && .cleave_zeros_res & CLEAVE_ZEROS_KNOWN. == 0/rows == 0/
// MUTATE CUDA s/out_sums<double, 2, 2>.0, cleave_dat_res, cleave_own, cleave_zeros_res/out_add<double, 2, 2>(0, cleave_dat_res, cleave_own/

// Zeros are stored where the launch says so; -0.0 always is.
// CUDA-LABEL: CLEAVE_KERNEL void update_direct(
// CUDA: if ((cleave_zeros_res & CLEAVE_ZEROS_LEAVE) == 0) cleave_store(cleave_dat_res + 2 * (size_t)cleave_e, cleave_rec_res);
// CUDA-LABEL: CLEAVE_KERNEL void lower_direct(
// CUDA-NOT: CLEAVE_ZEROS_LEAVE
// MUTATE CUDA s/CLEAVE_ZEROS_LEAVE/CLEAVE_ZEROS_KNOWN/

// One component, two maps, an optional argument: what the dat holds is read.
// CUDA-LABEL: CLEAVE_KERNEL void part_owner_1(
// CUDA-NOT: cleave_add_sums(
// CUDA-NOT: cleave_own_out_sums<

// Arguments 1 and 2 of flux, in all variants. The loop that increments the dat once more does not begin with zeros.
// CUDA-LABEL: flux_variants[] = {
// CUDA: {"flux_owner_staged_r128", {{.*}} 0, 0, 0, 0, 6},
// CUDA-NEXT: {"flux_owner", {{.*}} 0, 0, 0, 0, 6},
// CUDA-LABEL: part_variants[] = {
// CUDA: {"part_owner", {{.*}} 0, 0, 0, 0, 0},
// CUDA-LABEL: flux_records[] = {0, 32, 32};
// CUDA-NEXT: update_records[] = {1, 11};
// CUDA-NEXT: lower_records[] = {1};
// MUTATE CUDA s/(.flux_owner_staged_r128".*), 6\}/\1, 2}/
// MUTATE CUDA s/_records\[\] = .0, 32, 32./_records[] = {0, 0, 0}/
