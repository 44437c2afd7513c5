/* kernels_float.h: the kernels of the onera example in float. */
#ifndef ONERA_KERNELS_FLOAT_H
#define ONERA_KERNELS_FLOAT_H

#include "volumes.h"

static inline void clear_1(float *res)
{
    *res = 0.0f;
}

static inline void clear_5(float *res)
{
    for (int k = 0; k < VARIABLES; k++) {
        res[k] = 0.0f;
    }
}

/* A flux leaves the owner of its face and enters the neighbour. */
static inline void flux_sum_1(const float *flux, float *owner, float *neighbour)
{
    *owner += *flux;
    *neighbour -= *flux;
}

static inline void flux_sum_5(const float *flux, float *owner, float *neighbour)
{
    for (int k = 0; k < VARIABLES; k++) {
        owner[k] += flux[k];
        neighbour[k] -= flux[k];
    }
}

static inline void start_maximum(const float *ps, float *pmax)
{
    *pmax = *ps;
}

/* ps: pressures of the two volumes at a face, pmax: the highest one near each. */
static inline void local_maximum(const float *ps0, const float *ps1, float *pmax0, float *pmax1)
{
    *pmax0 = fmaxf(*pmax0, *ps1);
    *pmax1 = fmaxf(*pmax1, *ps0);
}

/* Sums over the volumes, in double: those of integers stay exact. */
static inline void total_1(const float *res, double *sum, double *squares)
{
    *sum += *res;
    *squares += (double)*res * *res;
}

static inline void total_5(const float *res, double *sum, double *squares)
{
    for (int k = 0; k < VARIABLES; k++) {
        sum[k] += res[k];
        squares[k] += (double)res[k] * res[k];
    }
}

static inline void total_maximum(const float *ps, const float *pmax, double *sum, int *raised)
{
    *sum += *pmax;
    *raised += *pmax > *ps;
}

#endif
