/* functions.c: which of the user's functions are written, and how: those alone that some variant calls.
 * RUN: openmp=WHOLE -O0 --cleave-emit=fused
 * RUN: openmp=STAGES --cleave-emit=split
 * RUN: cuda=CUDA --cleave-emit=split
 */
#include "op_seq.h"

static const double weight[2] = {0.5, 0.25};

static double square(double x)
{
    return x * x;
}

static double never(double x)
{
    return x + 1.0;
}

static void flux(const double *x, double *res)
{
    res[0] += square(x[0]) * weight[1];
}

static double cube(double x)
{
    return x * x * x;
}

static void opaque(const double *x, double *res)
{
    int k = 0;
again:
    res[k] += cube(x[k]);
    if (++k < 2) {
        goto again;
    }
}

double loops(op_set edges, op_map ends, op_dat x, op_dat res)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(res, 1, ends, 2, "double", OP_INC));
    op_par_loop(opaque, "opaque", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(res, 1, ends, 2, "double", OP_INC));
    return never(1.0);
}

// A kernel that is called whole stands there with what it calls, each under a name of its own.
// WHOLE: {{^}}static const double cleave_table_weight[2] = {0.5, 0.25};
// WHOLE-NOT: never
// WHOLE: // square, {{.*}}functions.c:10
// WHOLE-NEXT: {{^}}static inline double square_helper(double x) {
// WHOLE: {{^}}static inline void flux_body(const double *x, double *res) {
// WHOLE-NEXT: res[0] += square_helper(x[0]) * cleave_table_weight[1];
// WHOLE: {{^}}static inline double cube_helper(double x) {
// WHOLE: {{^}}static inline void opaque_body(
// MUTATE WHOLE s/square_helper/square/g
// MUTATE WHOLE s/^static const double cleave_table/&_never; &/

// In stages, the functions' bodies and the tables' values stand where they are used; a body that is not taken apart
// is still called, with private increments.
// STAGES-NOT: flux_body
// STAGES-NOT: square_helper
// STAGES-NOT: cleave_table_weight
// STAGES: {{^}}static inline double cube_helper(double x) {
// STAGES: {{^}}static inline void opaque_body(const double *x, double *res) {
// STAGES: res[k] += cube_helper(x[k]);
// STAGES-NEXT: if (++k < 2) {
// STAGES-NEXT: goto again;
// STAGES-LABEL: static void flux_split_colour(
// STAGES: double [[S:square_?[0-9]*]] = x[0] * x[0];
// STAGES: [[S]] * 0.25
// STAGES-LABEL: static void opaque_split_colour(
// STAGES: double cleave_tmp_res[{{[0-9]+}}][2];
// STAGES: memset(cleave_tmp_res[cleave_i], 0, sizeof cleave_tmp_res[cleave_i]);
// STAGES: opaque_body(cleave_dat_x + 2 * (size_t)cleave_point_ends_0, cleave_tmp_res[cleave_i]);
// STAGES: cleave_to_res[cleave_d] += cleave_tmp_res[cleave_i][cleave_d];
// MUTATE STAGES s/0\.25/0.5/
// MUTATE STAGES s/^static inline double cube_helper/static inline void flux_body(void); &/
// MUTATE STAGES s/memset\(cleave_tmp_res.*//

// CUDA-NOT: flux_body
// CUDA: CLEAVE_DEVICE double cube_helper(double x) {
// CUDA: CLEAVE_DEVICE void opaque_body(
// MUTATE CUDA s/CLEAVE_DEVICE double cube/double cube/
