/* damage.h: the kernels of damage.c. All values are whole numbers, so that sums are the same in any
 * order. */
#ifndef DAMAGE_H
#define DAMAGE_H

static inline void pull(const int *self, const double *a, const double *b, double *to_a,
                        double *to_b)
{
    double f = a[0] + 2.0 * b[1] + *self % 5;
    to_a[0] += f;
    to_a[1] += 1.0;
    to_b[0] -= f;
}

static inline void touch(const double *at, double *to)
{
    to[1] += at[0] + 3.0;
}

static inline void last(const int *self, double *point)
{
    point[0] += *self + 1.0;
    point[1] = point[1] > 7.0 ? 7.0 : point[1];
}

#endif
