/* feature_kernels.h: kernels of features.c that a user would keep in a header. */
#ifndef FEATURE_KERNELS_H
#define FEATURE_KERNELS_H

enum weight { LIGHT = 1, HEAVY = 3 };

#define TWICE(x) (2 * (x))

typedef double real;

struct pair {
    real first;
    real second;
};

extern double shared_scale; /* declared with op_decl_const in features_constants.c */

static const double table[4] = {1.0, 2.0, 4.0, 8.0};

static inline real square(real x)
{
    return x * x;
}

static inline void add_pair(real *to, const struct pair *p)
{
    to[0] += p->first;
    to[1] += p->second;
}

/* Direct, with constants, a table and an enumerator. */
static inline void start(const real *x, real *y, int *count)
{
    for (int d = 0; d < 2; d++) {
        y[d] = x[d] * table[d + 1] + HEAVY;
    }
    *count = y[0] > 10.0 ? 1 : -1;
}

/* Increments at several nestings, of values that are whole numbers: any order gives the same bits.
 */
static inline void scatter(const real *a, const real *b, const real *w, real *to_a, real *to_b)
{
    real f = floor(*w * square(a[0] - b[0]));
    if (f > 100.0) {
        to_a[0] += f;
        to_b[0] -= f;
    } else {
        for (int d = 0; d < 2; d++) {
            to_a[d] += TWICE(f) + d;
            to_b[d] -= f;
        }
    }
    ++to_a[1];
}

/* A contribution through a helper, a struct and a while loop; two reductions beside it. */
static inline void scatter_pairs(const real *a, const real *b, real *to_a, real *to_b, real *sum,
                                 real *largest, real *smallest)
{
    struct pair p = {a[0], b[1]};
    int rounds = 3;
    while (rounds > 0) {
        add_pair(to_a, &p);
        rounds--;
    }
    to_b[0] += p.second;
    *sum += a[0] + b[0];
    if (a[0] > *largest) {
        *largest = a[0];
    }
    *smallest = fmin(*smallest, b[0]);
}

/* Vector arguments: one pointer per column. */
static inline void gather_corners(const real *x[4], real *centre, real *to[4])
{
    real s = 0.0;
    for (int k = 0; k < 4; k++) {
        s += x[k][0];
    }
    centre[0] = s;
    for (int k = 0; k < 4; k++) {
        to[k][0] += s * (k + 1);
        to[k][1] += 1.0;
    }
}

static inline void number(const int *self, const int *left, int *out, int *sum)
{
    out[0] = *self;
    out[1] = *left;
    *sum += *self % 7;
}

/* OP_RW and OP_WRITE through a map: coloured, order-independent by construction. */
static inline void touch(real *node, int *flag)
{
    node[0] = node[0] + 1.0;
    *flag = 7;
}

/* OP_MAX and OP_MIN through a map. */
static inline void extremes(const real *value, real *high, real *low)
{
    *high = fmax(*high, *value);
    if (*value < *low) {
        *low = *value;
    }
}

/* An optional argument that may be off, told to the kernel by a global. */
static inline void maybe(const int *has, const real *extra, real *to)
{
    real f = 1.0;
    if (*has) {
        f += *extra;
    }
    *to += f;
}

static inline void types(const float *f, const int *i, const unsigned int *u, const long *l,
                         const long long *ll_, const unsigned long long *ull_, const bool *b,
                         float *sf, int *si, unsigned int *su, long *sl, long long *sll,
                         unsigned long long *sull)
{
    if (!*b) {
        return;
    }
    *sf += *f;
    *si += *i;
    *su += *u;
    *sl += *l;
    *sll += *ll_;
    *sull += *ull_;
}

/* A body that is taken whole: a goto. */
static inline void choose(const int *kind, const real *x, real *to)
{
    switch (*kind % 3) {
    case 0:
        to[0] += x[0];
        goto done;
    case 1:
        to[0] += 2.0;
        /* fall through */
    default:
        to[1] += x[1] > 0.0 ? 1.0 : -1.0;
    }
done:;
}

/* Parameter names that CUDA and C++ also use. */
static inline void names(const real *in, const real *min, real *max, const real *threadIdx)
{
    max[0] += in[0] + min[0] + threadIdx[1];
}

static inline void scaled(const real *x, real *y)
{
    *y = *x * shared_scale;
}

#endif
