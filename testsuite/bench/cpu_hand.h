/* cpu_hand.h: three loops written by hand, which cpu_bench compares compiled ones with: what is
 * possible on this machine. Each exists as a scalar kernel and on vectors of 4 (AVX2) and 8 doubles
 * (AVX-512), and runs sequentially, by colours, or by ranges.
 */
#ifndef CLEAVE_CPU_HAND_H
#define CLEAVE_CPU_HAND_H

#include <stddef.h>

/* ---- data ------------------------------------------------------------------------------------ */

/* Airfoil's arrays, in the mesh's numbering. */
struct cpu_hand_airfoil {
    const int *edge;  /* [2*edges] nodes */
    const int *ecell; /* [2*edges] cells */
    const double *x;  /* [2*nodes] */
    const double *q;  /* [4*cells] */
    const double *adt;
    double *res; /* [4*cells] */
    double gm1;
    double eps;
};

/* The arrays of the Navier-Stokes solver on tetrahedra. */
struct cpu_hand_hydra {
    const int *edge;        /* [2*edges] vertices */
    const double *x;        /* [3*vertices] */
    const double *q;        /* [6*vertices] */
    const double *pc;       /* [2*vertices] */
    const double *lap_read; /* [6*vertices] for Iflux */
    const int *flag;        /* [vertices] */
    const double *S;        /* [3*edges] */
    double *grad;           /* [18*vertices] */
    double *lap;            /* [6*vertices] Edgecon's */
    double *res;            /* [6*vertices] */
};

/* Borrowed arrays. */
struct cpu_hand {
    int edges;
    struct cpu_hand_airfoil airfoil;
    struct cpu_hand_hydra hydra;
};

/* ---- kernels (cpu_hand_kernels.c) ------------------------------------------------------------ */

/* Runs elements first..last-1 of a loop, in their order, on the calling thread. */
typedef void cpu_hand_run(const struct cpu_hand *hand, int first, int last);

enum { CPU_HAND_SCALAR, CPU_HAND_LANES_4, CPU_HAND_LANES_8, CPU_HAND_WIDTHS };
enum { CPU_HAND_RES_CALC, CPU_HAND_EDGECON, CPU_HAND_IFLUX, CPU_HAND_LOOPS };

/* NULL where this machine or compiler lacks the instructions. */
cpu_hand_run *cpu_hand_kernel(int loop, int width);

/* ---- plans (cpu_hand_plan.c) ----------------------------------------------------------------- */

/* Blocks of edges. Those of one colour have no point in common and run at once; colours follow one
 * another. A block is runs of consecutive edges ("segments"). */
struct cpu_hand_plan {
    int colours;
    int *colour_start; /* [colours+1] in `block` */
    int *block;        /* [blocks] sorted by colour */
    int *segment;      /* [blocks+1] first segment of each block */
    int *first;        /* [segments] */
    int *last;         /* [segments] exclusive */
};

/* One block. */
void cpu_hand_plan_whole(struct cpu_hand_plan *plan, int edges);
/* Blocks of `size` consecutive edges. point: [2*edges] what the edges modify, below `points`. */
void cpu_hand_plan_colours(struct cpu_hand_plan *plan, int edges, int points, const int *point,
                           int size);
/* Ranges: blocks of consecutive edges whose points no other range modifies; the remaining edges
 * follow as coloured blocks. There are as many ranges as leave at most a tenth of the edges. */
void cpu_hand_plan_ranges(struct cpu_hand_plan *plan, int edges, int points, const int *point);
void cpu_hand_plan_free(struct cpu_hand_plan *plan);
/* Runs all elements on `threads` threads. */
void cpu_hand_execute(const struct cpu_hand_plan *plan, cpu_hand_run *run,
                      const struct cpu_hand *hand, int threads);

#endif
