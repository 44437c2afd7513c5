/* program.h: what every generated program includes: constants and helpers that kernels use, meshes
 * and data made of a seed, and exact printing. Valid as C11 and as C++17.
 *
 * FUZZ_FAULT_* make what cleavecc reads differ from what the host compiler does, as a mistake in
 * cleave would: MINUS turns one way of subtracting into adding, RETURN ignores early returns,
 * COMPILE calls a function that is not declared.
 *
 * FUZZ_POWERS: all divisors are powers of two, and all that roots are taken of powers of four, so
 * that reciprocals are exact, however many are made by one division, and merged ones give the same
 * bits (cleavecc's --cleave-reciprocals=merged).
 */
#ifndef FUZZ_PROGRAM_H
#define FUZZ_PROGRAM_H

#include "op_seq.h"

#ifdef __cplusplus
#include <algorithm>
#include <cmath>
#endif

#if defined CLEAVE_PARSE && defined FUZZ_FAULT_MINUS
#define FUZZ_MINUS +=
#else
#define FUZZ_MINUS -=
#endif
#if defined CLEAVE_PARSE && defined FUZZ_FAULT_RETURN
#define FUZZ_RETURN
#elif defined CLEAVE_PARSE && defined FUZZ_FAULT_COMPILE
#define FUZZ_RETURN fuzz_not_declared();
#else
#define FUZZ_RETURN return;
#endif

/* ---- what kernels use ------------------------------------------------------------------------ */

#define TWICE(x) (2 * (x))
/* An integer from -50 to 50, whatever x is, never a negative zero. */
#define WHOLE(x) (floor(fmin(fmax((x), -50.0), 50.0)) + 0.0)
/* A value between -1.75 and 1.75 that depends on x continuously. */
#define SOFT(x) (1.75 * (x) / (3.0 + fabs(x)))

typedef double real;
enum word { LOW = 1, HIGH = 3 };
struct pair {
    double x;
    double y;
    int n;
};

double gain = 1.25;
int limit = 3;
float weights[4] = {0.5f, -1.0f, 2.0f, 0.1f};
static const double table[3][4] = {{1, 2, 3, 4}, {0.5, -0.25, 0.125, 8}, {-1, 0, 1, 0.1}};
#ifdef __cplusplus
static constexpr int corner[8] = {0, 1, 2, 3, 7, 6, 5, 4};
#else
static const int corner[8] = {0, 1, 2, 3, 7, 6, 5, 4};
#endif

static inline real whole(real x)
{
    if (!(x > -50.0)) {
        return -50.0;
    }
    if (x > 50.0) {
        return 50.0;
    }
    return floor(x) + 0.0;
}

#ifdef FUZZ_POWERS
static inline double power(double x)
{
    return x < -1.0 ? 0.25 : x < 1.0 ? 2.0 : x < 8.0 ? 0.5 : 8.0;
}

/* Quotients with one denominator, and with another that does not depend on it. */
static inline double over(double a, double b)
{
    const double below = power(b);
    const double other = power(0.5 * b + 3.0);
    return a / below - 0.5 / below + b / other;
}

/* A root, and its reciprocal. */
static inline double root(double x)
{
    const double side = sqrt(x < 0.0 ? 0.25 : x < 3.0 ? 4.0 : 0.0625);
    return x / side + side;
}

static inline float over_float(float a, float b)
{
    const float below = (float)power(b);
    return a / below - 0.5f / below;
}

static inline float root_float(float x)
{
    const float side = sqrtf(x < 2.0f ? 0.25f : 16.0f);
    return 1.0f / side + side * x;
}
#define BELOW(x) power(x)
#define OVER(a, b) over(a, b)
#define OVERF(a, b) over_float(a, b)
#define ROOT(x) root(x)
#define ROOTF(x) root_float(x)
#else
#define BELOW(x) (3.0 + fabs(x))
#define OVER(a, b) ((a) / (1.0 + fabs(b)))
#define OVERF(a, b) ((a) / (2.0f + fabsf(b)))
#define ROOT(x) sqrt(fabs(x))
#define ROOTF(x) sqrtf(fabsf(x))
#endif

static inline int to_int(double x)
{
    if (!(x > -100.0)) {
        return -100;
    }
    return x > 100.0 ? 100 : (int)x;
}

static inline double mix(double x, double y)
{
    double half = 0.5;
    if (x < y) {
        return y - x * half;
    }
    half += 1;
    return half * x + y;
}

static inline void swap(double *a, double *b)
{
    double keep = *a;
    *a = *b;
    *b = keep;
}

static inline void flux_of(double x, double y, int n, double *flux)
{
    double mean = 0.5 * (x + y);
    for (int i = 0; i < n; i++) {
        flux[i] = whole(mean + i * x);
        mean -= y;
    }
}

static inline float narrow(float x, double y)
{
    return x < y ? x - 1 : (float)(y + x);
}

static inline int bump_int(int n)
{
    n++;
    for (int i = 0; i < 2; i++) {
        n += i;
    }
    return n & 63;
}

static inline struct pair pair_make(double x, double y)
{
    struct pair made = {x, y, LOW};
    made.n += x < y;
    return made;
}

static inline double pair_area(struct pair p)
{
    return p.n > LOW ? p.x * p.y : p.x - p.y;
}

static inline void pair_turn(struct pair *p)
{
    double x = p->x;
    p->x = -p->y;
    p->y = x;
    p->n = HIGH;
}

#ifdef __cplusplus
template <class T> static inline T larger(T a, T b)
{
    return a < b ? b : a;
}

static inline double nearer(const double &a, const double &b)
{
    const double &first = a < 0 ? b : a;
    return fabs(first) < fabs(b) ? a : b;
}
#endif

/* ---- meshes and data ------------------------------------------------------------------------- */

/* FUZZ_VARIATION=N: chains that gather run on other meshes and data, and make their conditional
 * calls in other turns. */
static inline int fuzz_variation(void)
{
    const char *number = getenv("FUZZ_VARIATION");
    return number != NULL ? atoi(number) : 0;
}

static inline unsigned fuzz_hash(unsigned seed, unsigned i)
{
    unsigned h = seed * 2654435761u + i * 2246822519u + 374761393u;
    h = (h ^ (h >> 15)) * 2246822519u;
    h = (h ^ (h >> 13)) * 3266489917u;
    return h ^ (h >> 16);
}

/* By seed: near points, any points, few points, or the same point in several columns. */
static inline int fuzz_target(unsigned seed, int e, int c, int columns, int points, int elements)
{
    unsigned any = fuzz_hash(seed, (unsigned)(e * columns + c));
    switch (seed % 5) {
    case 0:
        return (int)(any % (unsigned)points);
    case 1:
        return (int)(any % 3 % (unsigned)points);
    case 2:
        return (int)(fuzz_hash(seed, (unsigned)(e * columns + c / 2)) % (unsigned)points);
    default:
        return (e * points / elements + c) % points;
    }
}

/* FUZZ_SCALE in the environment: the sets of all programs have so many times as many elements, but
 * those of one or few. */
static inline int fuzz_size(int size)
{
    const char *scale = getenv("FUZZ_SCALE");
    return scale != NULL && size > 7 ? size * atoi(scale) : size;
}
#define op_decl_set(size, name) op_decl_set(fuzz_size(size), name)

/* The size of a set by the variation; empty sets and very large ones stay what they are. */
static inline int fuzz_varied_size(int size, int seed)
{
    static const int sizes[] = {1, 31, 129, 64, 300, 2, 33};
    const int is_fixed = fuzz_variation() == 0 || size == 0 || size > 1000;
    return is_fixed ? size : sizes[fuzz_hash((unsigned)fuzz_variation(), (unsigned)seed) % 7];
}

static inline op_map fuzz_map(op_set from, op_set to, int columns, unsigned seed, const char *name)
{
    int *map = (int *)malloc(sizeof(int) * (size_t)(from->size * columns) + 1);
    for (int e = 0; e < from->size; e++) {
        for (int c = 0; c < columns; c++) {
            map[e * columns + c] = fuzz_target(seed, e, c, columns, to->size, from->size);
        }
    }
    op_map made = op_decl_map(from, to, columns, map, name);
    free(map);
    return made;
}

/* ---- printing -------------------------------------------------------------------------------- */

static inline void fuzz_begin(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    op_init(argc, argv, 0);
}

/* Groups of loops that ran go to stderr, for FUZZ_GROUPS. */
static inline void fuzz_end(void)
{
    if (getenv("FUZZ_GROUPS") != NULL) {
        op_timing_output_2_file("/dev/stderr");
    }
    op_exit();
}

/* Values of the kernel may differ by so much, relative to those above 1 (rounding.awk). */
static inline void fuzz_tolerance(int kernel, double tolerance)
{
    printf("= kernel_%d tolerance %g\n", kernel, tolerance);
}

/* A hash of the values' bits, NaNs all alike; FUZZ_VALUES in the environment: the values. Data of
 * `type` are multiples of `unit`. */
#define FUZZ_OF(type, format)                                                                      \
    static inline op_dat fuzz_dat_##type(op_set set, int dim, unsigned seed, double unit,          \
                                         const char *name)                                         \
    {                                                                                              \
        type *value = (type *)malloc(sizeof(type) * (size_t)(set->size * dim) + 1);                \
        for (int i = 0; i < set->size * dim; i++) {                                                \
            value[i] = (type)((int)(fuzz_hash(seed, (unsigned)i) % 41u - 20u) * unit + 0.0);       \
        }                                                                                          \
        op_dat dat = op_decl_dat(set, dim, #type, value, name);                                    \
        free(value);                                                                               \
        return dat;                                                                                \
    }                                                                                              \
    static inline void fuzz_show_##type(int kernel, const char *name, const type *value,           \
                                        int count)                                                 \
    {                                                                                              \
        unsigned long long hash = 1469598103934665603ull;                                          \
        bool all = getenv("FUZZ_VALUES") != NULL;                                                  \
        for (int i = 0; i < count; i++) {                                                          \
            unsigned char byte[sizeof(type)];                                                      \
            bool is_number = value[i] == value[i];                                                 \
            memcpy(byte, &value[i], sizeof(type));                                                 \
            for (size_t b = 0; b < sizeof(type); b++) {                                            \
                hash = (hash ^ (is_number ? byte[b] : 255)) * 1099511628211ull;                    \
            }                                                                                      \
            if (all) {                                                                             \
                printf("= kernel_%d %s[%d] " format "\n", kernel, name, i, value[i]);              \
            }                                                                                      \
        }                                                                                          \
        printf("= kernel_%d %s %016llx\n", kernel, name, hash);                                    \
    }
FUZZ_OF(double, "%.17g")
FUZZ_OF(float, "%.9g")
FUZZ_OF(int, "%d")

static inline void fuzz_show(int kernel, op_dat dat)
{
    char *value = (char *)malloc((size_t)(dat->set->size * dat->size) + 8);
    int count = dat->set->size * dat->dim;
    op_fetch_data(dat, (void *)value);
    if (strcmp(dat->type, "double") == 0) {
        fuzz_show_double(kernel, dat->name, (double *)(void *)value, count);
    } else if (strcmp(dat->type, "float") == 0) {
        fuzz_show_float(kernel, dat->name, (float *)(void *)value, count);
    } else {
        fuzz_show_int(kernel, dat->name, (int *)(void *)value, count);
    }
    free(value);
}

#endif
