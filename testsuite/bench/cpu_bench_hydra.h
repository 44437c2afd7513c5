/* cpu_bench_hydra.h: what cpu_bench_hydra.c wants of the two files with its loops, one of which is
 * linked to it: cpu_bench_hydra_op2.c and cpu_bench_hydra_plain.c.
 */
#ifndef CLEAVE_CPU_BENCH_HYDRA_H
#define CLEAVE_CPU_BENCH_HYDRA_H

#include "gpu_bench_hydra.h"

enum { EDGECON, IFLUX, VFLUX, ACCU, HYDRA_LOOPS };

/* The sums at vertices that the edge loops add to. */
enum hydra_sum { HYDRA_GRAD, HYDRA_LAP, HYDRA_RES, HYDRA_RVIS, HYDRA_B, HYDRA_T, HYDRA_SUMS };
static const int hydra_components[HYDRA_SUMS] = {18, 6, 6, 6, 25, 1};

/* Values that `prims` gives per vertex. */
struct hydra_state {
    double *w;  /* 6 */
    double *pc; /* 2 */
    double *th; /* 6 */
    double *mu; /* 5 */
};

/* Makes the program's data; sums are 0. The gradients that Iflux and Vflux read are those of
 * hydra->expected. The caller may free what it passes. */
void hydra_declare(const struct hydra_case *hydra, const struct hydra_state *state);
/* One call of each loop: adds to the sums. */
extern void (*const hydra_run[HYDRA_LOOPS])(void);
/* [components*vertices] in the order of the mesh; the program's own. */
const double *hydra_result(enum hydra_sum sum);
void hydra_end(void);

#endif
