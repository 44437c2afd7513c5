/* kernels_double.h: the kernels of the onera example in double. */
#ifndef ONERA_KERNELS_DOUBLE_H
#define ONERA_KERNELS_DOUBLE_H

#include "volumes.h"

static inline void clear_1(double *res)
{
    *res = 0.0;
}

static inline void clear_5(double *res)
{
    for (int k = 0; k < VARIABLES; k++) {
        res[k] = 0.0;
    }
}

/* A flux leaves the owner of its face and enters the neighbour. */
static inline void flux_sum_1(const double *flux, double *owner, double *neighbour)
{
    *owner += *flux;
    *neighbour -= *flux;
}

static inline void flux_sum_5(const double *flux, double *owner, double *neighbour)
{
    for (int k = 0; k < VARIABLES; k++) {
        owner[k] += flux[k];
        neighbour[k] -= flux[k];
    }
}

static inline void start_maximum(const double *ps, double *pmax)
{
    *pmax = *ps;
}

/* ps: pressures of the two volumes at a face, pmax: the highest one near each. */
static inline void local_maximum(const double *ps0, const double *ps1, double *pmax0, double *pmax1)
{
    *pmax0 = fmax(*pmax0, *ps1);
    *pmax1 = fmax(*pmax1, *ps0);
}

/* Sums over the volumes, in double: those of integers stay exact. */
static inline void total_1(const double *res, double *sum, double *squares)
{
    *sum += *res;
    *squares += (double)*res * *res;
}

static inline void total_5(const double *res, double *sum, double *squares)
{
    for (int k = 0; k < VARIABLES; k++) {
        sum[k] += res[k];
        squares[k] += (double)res[k] * res[k];
    }
}

static inline void total_maximum(const double *ps, const double *pmax, double *sum, int *raised)
{
    *sum += *pmax;
    *raised += *pmax > *ps;
}

#endif
