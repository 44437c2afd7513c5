/* renumber_kernels.h: the kernels of renumber.c. All values are whole numbers, so that sums are
 * the same in any order. */
#ifndef RENUMBER_KERNELS_H
#define RENUMBER_KERNELS_H

static inline void number_edges(const int *self, const int *end, int *kept, int *sum, int *least)
{
    kept[0] = *self;
    kept[1] = *end;
    *sum += *self % 13 * (*end % 7);
    *least = *end - *self < *least ? *end - *self : *least;
}

static inline void number_nodes(const int *self, int *kept, int *most)
{
    *kept = 2 * *self + 1;
    *most = *self * 31 % 1009 > *most ? *self * 31 % 1009 : *most;
}

static inline void flux(const double *a, const double *b, const float *weight, double *to_a,
                        double *to_b)
{
    double f = a[0] - 2.0 * b[1] + *weight;
    to_a[0] += f;
    to_a[2] += 1.0;
    to_b[0] -= f;
    to_b[1] += 3.0;
}

/* Adds the numbers of the ends as the program knows them. */
static inline void flux_of_numbers(const int *a, const int *b, double *to_a, double *to_b)
{
    to_a[1] += *b;
    to_b[1] += *a;
}

static inline void corners(const double *const *node, double *centre, double **sum)
{
    *centre = node[0][0] + node[1][1] + node[2][0] + node[3][1];
    for (int c = 0; c < 4; c++) {
        sum[c][2] += (c + 1) * *centre;
    }
}

static inline void peak(const int *self, double *high, double *low)
{
    high[0] = *self > high[0] ? *self : high[0];
    high[1] = -*self > high[1] ? -*self : high[1];
    low[0] = 100 - *self < low[0] ? 100 - *self : low[0];
}

static inline void boundary(const double *node, const int *number, double *group, double *sum)
{
    group[0] += node[0] + *number % 5;
    *sum += node[0] + 1.0;
}

static inline void groups(const int *self, double *group)
{
    group[1] = *self;
    group[0] += group[1];
}

/* Modified through the map in another way than by sums, but the order does not matter. */
static inline void in_place(double *cell)
{
    *cell = *cell * 1.0 + 2.0;
}

static inline void probe(const int *self, const double *node, double *reading, double *back)
{
    reading[0] = node[0];
    reading[1] = *self;
    back[1] += reading[0];
}

static inline void to_scratch(const double *a, const double *b, double *scratch)
{
    scratch[0] = a[0] + b[0];
    scratch[1] = a[1] - b[1];
}

static inline void from_scratch(const double *scratch, double *a, double *b)
{
    a[0] += scratch[0];
    b[0] += scratch[1];
}

/* A record so large that the dat is reordered piece by piece on its way to a device. */
enum { WIDE = 20000 };

static inline void widen(const int *self, const double *node, double *wide)
{
    wide[0] += node[0];
    wide[7777] += 1.0;
    wide[WIDE - 1] = *self;
}

static inline void nothing(const double *node, double *count)
{
    *count += node[0];
}

#endif
