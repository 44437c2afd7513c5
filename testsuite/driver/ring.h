/* ring.h: the kernels of ring.c and of its twin second.c, which has another `share` by a macro. */
#ifndef RING_H
#define RING_H

#ifndef RING_FACTOR
#define RING_FACTOR 1.0
#endif

static void share(const double *amount, double *left, double *right)
{
    *left += RING_FACTOR * *amount;
    *right += *amount;
}

static void total(const double *value, double *sum)
{
    *sum += *value;
}

#endif
