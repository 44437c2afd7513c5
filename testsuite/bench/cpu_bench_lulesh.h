/* cpu_bench_lulesh.h: what cpu_bench_lulesh.c wants of the two files with its loops, one of which
 * is linked to it: cpu_bench_lulesh_op2.c and cpu_bench_lulesh_plain.c.
 */
#ifndef CLEAVE_CPU_BENCH_LULESH_H
#define CLEAVE_CPU_BENCH_LULESH_H

#include "gpu_bench_lulesh.h"

/* Makes the program's data; forces are 0. The caller may free what it passes. */
void lulesh_declare(const struct lulesh_case *lulesh);
/* One call of each loop: adds to the forces. */
void lulesh_integrate_stress(void);
void lulesh_hourglass(void);
/* [3*nodes] in the order of the mesh; the program's own. */
const double *lulesh_force(void);
void lulesh_end(void);

#endif
