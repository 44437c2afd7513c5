/* constants.c: op_decl_const's variables are the unit's own, set through functions; tables keep their values.
 * RUN: openmp=OPENMP cuda=CUDA -O0 --cleave-emit=fused
 */
#include "op_seq.h"

double gam;
static float air[2][3];
static double *list;
static const double weight[2] = {0.5, 0.25};
static double unused;

static void save(const double *q, double *old, const int *k)
{
    old[0] = q[0] * gam * air[1][2] + weight[k[0]] + list[k[0]];
}

static void copy(const double *q, double *old)
{
    old[0] = q[0] * air[0][1];
}

void loops(op_set cells, op_dat q, op_dat old, op_dat k, int n)
{
    op_decl_const(1, "double", &gam);
    op_decl_const(6, "float", (float *)air);
    op_decl_const(n, "double", list);
    op_decl_const(1, "double", &unused);
    op_par_loop(save, "save", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(old, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(k, -1, OP_ID, 1, "int", OP_READ));
    op_par_loop(copy, "copy", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(old, -1, OP_ID, 1, "double", OP_WRITE));
}

// OPENMP: {{^}}static double cleave_constant_gam;
// OPENMP: static void cleave_set_0(const void *cleave_value) {
// OPENMP-NEXT: memcpy(&cleave_constant_gam, cleave_value, sizeof(cleave_constant_gam));
// OPENMP: {{^}}static float cleave_constant_air[2][3];
// OPENMP: static void cleave_set_1(const void *cleave_value) {
// OPENMP-NEXT: memcpy(&cleave_constant_air, cleave_value, sizeof(cleave_constant_air));
// OPENMP: {{^}}static const double cleave_table_weight[2] = {0.5, 0.25};
// OPENMP: {{^}}static double *cleave_constant_list;
// OPENMP-NOT: unused
// OPENMP: old[0] = q[0] * cleave_constant_gam * cleave_constant_air[1][2] + cleave_table_weight[k[0]] + cleave_constant_list[k[0]];
// MUTATE OPENMP s/memcpy\(&cleave_constant_air/memcpy(\&cleave_constant_gam/
// MUTATE OPENMP s/\{0.5, 0.25\}/{0.5, 0.5}/
// MUTATE OPENMP s/^static double cleave_constant_gam/static double unused; &/

// CUDA: CLEAVE_CONSTANT double cleave_constant_gam;
// CUDA: static void cleave_set_0(const void *cleave_value) {
// CUDA-NEXT: cleave_constant_set(cleave_constant_gam, cleave_value, sizeof(cleave_constant_gam));
// CUDA: CLEAVE_CONSTANT float cleave_constant_air[2][3];
// CUDA: CLEAVE_CONSTANT const double cleave_table_weight[2] = {0.5, 0.25};
// CUDA: CLEAVE_CONSTANT double *cleave_constant_list;
// CUDA-NOT: unused
// CUDA: old[0] = q[0] * cleave_constant_gam * cleave_constant_air[1][2] + cleave_table_weight[k[0]] + cleave_constant_list[k[0]];
// MUTATE CUDA s/CLEAVE_CONSTANT const double/static const double/
// MUTATE CUDA s/cleave_constant_set\(cleave_constant_gam/cleave_constant_set(cleave_constant_air/

// Name, type, components (0: known when it is declared), bytes, whether other files see it, its setter. Each loop
// names those that its kernel needs.
// OPENMP: cleave_constants[] = {
// OPENMP-NEXT: {"gam", "double", 1, sizeof(cleave_constant_gam), 1, cleave_set_0, 0, NULL},
// OPENMP-NEXT: {"air", "float", 6, sizeof(cleave_constant_air), 0, cleave_set_1, 0, NULL},
// OPENMP-NEXT: {"list", "double", 0, sizeof(cleave_constant_list), 0, cleave_set_{{[0-9]}}, 0, NULL},
// OPENMP-NEXT: };
// OPENMP: save_constants[] = {0, 1, 2};
// OPENMP: copy_constants[] = {1};
// MUTATE OPENMP s/"float", 6/"float", 1/
// MUTATE OPENMP s/copy_constants\[\] = \{1\}/copy_constants[] = {0}/
