/* kernels.h: the kernels of the onera example; the including file defines real and real_max. */
#ifndef ONERA_KERNELS_H
#define ONERA_KERNELS_H

#include "volumes.h"

static inline void clear_1(real *res)
{
    *res = 0;
}

static inline void clear_5(real *res)
{
    for (int k = 0; k < VARIABLES; k++) {
        res[k] = 0;
    }
}

/* A flux leaves the owner of its face and enters the neighbour. */
static inline void flux_sum_1(const real *flux, real *owner, real *neighbour)
{
    *owner += *flux;
    *neighbour -= *flux;
}

static inline void flux_sum_5(const real *flux, real *owner, real *neighbour)
{
    for (int k = 0; k < VARIABLES; k++) {
        owner[k] += flux[k];
        neighbour[k] -= flux[k];
    }
}

static inline void start_maximum(const real *ps, real *pmax)
{
    *pmax = *ps;
}

/* ps: pressures of the two volumes at a face, pmax: the highest one near each. */
static inline void local_maximum(const real *ps0, const real *ps1, real *pmax0, real *pmax1)
{
    *pmax0 = real_max(*pmax0, *ps1);
    *pmax1 = real_max(*pmax1, *ps0);
}

/* Sums over the volumes, in double: those of integers stay exact. */
static inline void total_1(const real *res, double *sum, double *squares)
{
    *sum += *res;
    *squares += (double)*res * *res;
}

static inline void total_5(const real *res, double *sum, double *squares)
{
    for (int k = 0; k < VARIABLES; k++) {
        sum[k] += res[k];
        squares[k] += (double)res[k] * res[k];
    }
}

static inline void total_maximum(const real *ps, const real *pmax, double *sum, int *raised)
{
    *sum += *pmax;
    *raised += *pmax > *ps;
}

#endif
