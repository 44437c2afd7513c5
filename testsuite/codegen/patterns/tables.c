/* tables.c: how a file describes its loops to the runtime, for each target.
 * RUN: openmp=BOTH,OPENMP cuda=BOTH,CUDA -O0 --cleave-emit=fused
 */
#include "op_seq.h"

static void copy(const double *q, double *old, double *spare)
{
    old[0] = q[0];
    (void)spare;
}

static void add(const float *x, double *res)
{
    res[0] += x[0];
}

static void again(double *q)
{
    q[0] = 2.0 * q[0];
    printf("again\n");
}

void loops(op_set cells, op_set edges, op_map ends, op_dat q, op_dat old, op_dat x, op_dat res)
{
    op_par_loop(copy, "copy \"q\"", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(old, -1, OP_ID, 2, "double", OP_RW),
                op_arg_dat(res, -1, OP_ID, 2, "double", OP_RW));
    op_par_loop(add, "add", edges, op_arg_dat(x, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(res, 1, ends, 2, "double", OP_INC));
    op_par_loop(again, "again", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_RW));
}

// A loop that modifies points has a list of the columns of each map.
// BOTH-LABEL: add_lists[] = {
// BOTH-NEXT: {1, 1, {1}, 0x1u}, // ends
// BOTH-NEXT: };

// Name; schedule, cuts, races, plan, bytes of tmp(e); shared memory, the function that runs it; how it reads, its
// parts, its kernel if one of a GPU's; layout, copies of dats, sums, cost, components of a thread, rank, lanes.
// OPENMP-LABEL: add_variants[] = {
// OPENMP-NEXT: {"add_fused_range", CLEAVE_FUSED, 0, CLEAVE_RACE_RANGE, CLEAVE_PLAN_RANGES, 0,
// OPENMP-SAME: NULL, add_fused_range_run, CLEAVE_READS_STAGED, 0, NULL, NULL, 0, NULL, NULL, {{.*}}, 0, 0, 0, 0},
// OPENMP-NEXT: };
// CUDA-LABEL: add_variants[] = {
// CUDA-NEXT: {"add_fused_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0,
// CUDA-SAME: add_fused_shared, add_fused_colour_run, CLEAVE_READS_STAGED, 0, (const void *)add_fused_colour, NULL, 0, NULL, NULL, {{.*}}, 2, 0, 0, 0},
// CUDA-NEXT: {"add_fused_atomic", CLEAVE_FUSED, 0, CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_NONE, 0,
// CUDA-SAME: NULL, add_fused_atomic_run, CLEAVE_READS_STAGED, 0, (const void *)add_fused_atomic, NULL, 0, NULL, NULL, {{.*}}, 1, 0, 0, 0},
// CUDA-NEXT: };
// MUTATE OPENMP s/CLEAVE_PLAN_RANGES/CLEAVE_PLAN_NONE/
// MUTATE CUDA s/add_fused_shared, //
// MUTATE CUDA s/(add_costs\[0\], 0,) 2, 0, 0, 0\}/\1 0, 0, 0, 0}/

// A GPU's stages, with the bytes that each of them stages for one point: of the schedules that have variants.
// CUDA-LABEL: add_stages[] = {
// CUDA-NEXT: {CLEAVE_FUSED, 0, "whole body", 8, "+res[0]"},
// CUDA-NEXT: };
// MUTATE CUDA s/8, "\+res/4, "+res/

// A loop is found by what its call says, and by the signature of its arguments. Next stand its kernel, the place
// of the call, no refusal; its lists, constants, variants, extrema; the accesses that the kernel really makes, where
// others are declared, whether it prints, its stages, and variants that are not compiled.
// BOTH-LABEL: cleave_loops[] = {
// BOTH-NEXT: {"copy, \"copy \\\"q\\\"\", cells, op_arg_dat(q, -1, OP_ID, 2, \"double\", OP_READ),
// BOTH-SAME: "d0.-1.0:2:double:R d1.-1.0:2:double:B d2.-1.0:2:double:B", "copy", "{{[^"]*}}tables.c:[[#@LINE-40]]", NULL,
// OPENMP-SAME: 0, NULL, 0, NULL, 1, copy_variants, 0, NULL, "RBR", 0, 0, NULL, 0, NULL},
// CUDA-SAME: 0, NULL, 0, NULL, 1, copy_variants, 0, NULL, "RBR", 0, 1, copy_stages, 0, NULL},
// BOTH-NEXT: {"add, \"add\", edges,
// BOTH-SAME: "d0.-1.0:1:float:R i1.1.1:2:double:I", "add", "{{[^"]*}}tables.c:[[#@LINE-41]]", NULL,
// OPENMP-SAME: 1, add_lists, 0, NULL, 1, add_variants, 0, NULL, NULL, 0, 0, NULL, 0, NULL},
// CUDA-SAME: 1, add_lists, 0, NULL, 2, add_variants, 0, NULL, NULL, 0, 1, add_stages, 0, NULL},
// BOTH-NEXT: {"again,
// BOTH-SAME: 1, again_variants, 0, NULL, NULL, 1,
// BOTH-NEXT: };
// MUTATE BOTH s/"RBR"/"RWR"/
// MUTATE BOTH s/tables.c:[0-9]+", NULL, 1/tables.c:1", NULL, 1/
// MUTATE BOTH s/again_variants, 0, NULL, NULL, 1/again_variants, 0, NULL, NULL, 0/
// MUTATE BOTH s/d1.-1.0:2:double:B/d1.-1.0:2:double:R/

// The unit, which registers itself when its object is loaded; cleavecc looks for the last name.
// BOTH-LABEL: cleave_unit = {
// OPENMP-NEXT: CLEAVE_ABI, CLEAVE_TARGET_OPENMP, "{{[0-9a-f]+}}", "{{[^"]*}}tables.c",
// CUDA-NEXT: CLEAVE_ABI, CLEAVE_TARGET_CUDA, "{{[0-9a-f]+}}", "{{[^"]*}}tables.c",
// BOTH-SAME: 3, cleave_loops, 0, NULL, NULL, NULL, &cleave_unit_key,
// CUDA-SAME: cleave_launch_error, cleave_permute_run<void>, NULL, 0, NULL, cleave_change_graph, NULL, 0, NULL, };
// OPENMP-SAME: NULL, NULL, 0, NULL, NULL, NULL, {{[0-9]+}}, {{NULL|cleave_tiled_all}}, };
// BOTH: __attribute__((constructor)) static void cleave_unit_register(void) {
// OPENMP-NEXT: cleave_register(&cleave_unit);
// CUDA-NEXT: cleave_register_cuda(&cleave_unit);
// BOTH: __attribute__((destructor)) static void cleave_unit_unregister(void) {
// BOTH-NEXT: cleave_unregister(&cleave_unit);
// OPENMP: {{^}}const char cleave_unit_openmp = 1;
// CUDA: {{^}}const char cleave_unit_cuda = 1;
// MUTATE BOTH s/__attribute__..constructor.. //
// MUTATE BOTH s/3, cleave_loops/2, cleave_loops/
// MUTATE CUDA s/cleave_launch_error/NULL/
// MUTATE CUDA s/cleave_change_graph/NULL/
// MUTATE CUDA s/cleave_permute_run<void>/NULL/
