/* costs.c: what a variant takes of the machine, as the runtime's model multiplies it with the sizes of a mesh.
 * RUN: cuda=CUDA -O0 --cleave-emit=split,fused
 * RUN: cuda=POINTS -O0 --cleave-emit=owner
 */
#include "op_seq.h"

#include <math.h>

static void flux(const double *a, const double *b, const double *s, double *ra, double *rb)
{
    double f = s[0] * sqrt(a[0] + b[0]) / (a[1] * b[1]);
    ra[0] += f;
    rb[0] -= f;
}

void loops(op_set edges, op_map ends, op_dat q, op_dat s, op_dat r)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(q, 0, ends, 2, "double", OP_READ),
                op_arg_dat(q, 1, ends, 2, "double", OP_READ), op_arg_dat(s, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(r, 0, ends, 1, "double", OP_INC), op_arg_dat(r, 1, ends, 1, "double", OP_INC));
}

// Of each point of a block: bytes that are staged, read in place and in how many records, values that are added, bytes
// of sums in memory, bytes of lists.
// CUDA: flux_cost_lists_4[] = {{[{][{]}}0, 32, 2, 0, 0, 0, 0}};
// CUDA: flux_cost_lists_6[] = {{[{][{]}}16, 0, 0, 1, 0, 6, 0}};
// CUDA-LABEL: flux_costs[] = {
// By whole warps: five additions and multiplications, a division and a root; 8 bytes of its own, 8 of the map; two
// values that go from registers to records of one value each.
// CUDA: {{[{][{]}}5, 2, 0}, {0, 0, 0}, 0, 8, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 8, 0, 2, 0, 0, 1, flux_cost_lists_4},
// Points of a block sum up two values of each element, which are one in shared memory beside the records of its points.
// CUDA: {{[{][{]}}5, 2, 0}, {0, 0, 0}, 0, 8, 0, 0, 0, 8, 0, 0, 56, 2, 0, 0, 0, 0, 0, 0, 8, 0, 3, 0, 6, 1, flux_cost_lists_6},
// CUDA: {"flux_split_gather_c2_r64", {{.*}}, &flux_costs[5], 2, {{[0-9]}}, 0, 0, 0},
// MUTATE CUDA s/(flux_cost_lists_6\[\] = \{\{)16/\18/
// MUTATE CUDA s/&flux_costs\[5\]/\&flux_costs[4]/

// A thread leaves a point that no element names at once, and the bytes of other points are counted with the call's. A
// block stores the sums of all its points: 16 bytes each, which are read and written.
// POINTS: flux_cost_lists_1[] = {{[{][{]}}0, 32, 2, 0, 0, 4, 0}};
// POINTS: flux_cost_lists_2[] = {{[{][{]}}16, 0, 0, 0, 0, 4, 16}};
// POINTS: flux_costs[] = {
// POINTS-NEXT: , flux_cost_lists_1},
// POINTS-NEXT: , flux_cost_lists_2},
// POINTS: {"flux_owner", {{.*}}, &flux_costs[0],
// POINTS: {"flux_owner_staged_items_r128", {{.*}}, &flux_costs[1],
// MUTATE POINTS s/(flux_cost_lists_1\[\] = .*, )0\}/\116}/
// MUTATE POINTS s/(flux_cost_lists_2\[\] = .*, )16\}/\10}/
