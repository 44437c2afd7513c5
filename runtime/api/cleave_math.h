/* cleave_math.h: functions that generated code calls and no library has: C11, C++ and CUDA.
 *
 * std::min and std::max as plain functions do exactly what C++ says, which differs from fmin and
 * fmax for NaN and for signed zeros: the first argument is the result unless the comparison says
 * otherwise. cleave_rsqrt(x) is 1 / sqrt(x), and cleave_root(x, r) is sqrt(x) from r =
 * cleave_rsqrt(x), right for zero and infinity too; GPUs make both of one reciprocal root, CPUs of
 * one root. cleave_stored(x) is x, as memory would give it back: a compiler cannot contract the
 * multiplication that makes x and an addition that takes the result. CUDA files define
 * CLEAVE_MATH_INLINE with what makes a function one of the device before they include this.
 */
#ifndef CLEAVE_MATH_H
#define CLEAVE_MATH_H

#include <math.h>

#ifdef CLEAVE_MATH_INLINE
#define CLEAVE_MATH_ROOT(root, x, r) ((x) == 0 || (x) == INFINITY ? (x) : (x) * (r))
#else
#define CLEAVE_MATH_INLINE static inline
#define CLEAVE_MATH_ROOT(root, x, r) ((void)(r), root(x))
#endif
#ifdef __CUDACC__
#define CLEAVE_MATH_RECIPROCAL(root, x) r##root(x)
#else
#define CLEAVE_MATH_RECIPROCAL(root, x) (1 / root(x))
#endif

#define CLEAVE_MATH_MIN_MAX(suffix, type)                                                          \
    CLEAVE_MATH_INLINE type cleave_min_##suffix(type a, type b)                                    \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    CLEAVE_MATH_INLINE type cleave_max_##suffix(type a, type b)                                    \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }

CLEAVE_MATH_MIN_MAX(double, double)
CLEAVE_MATH_MIN_MAX(float, float)
CLEAVE_MATH_MIN_MAX(int, int)
CLEAVE_MATH_MIN_MAX(uint, unsigned int)
CLEAVE_MATH_MIN_MAX(long, long)
CLEAVE_MATH_MIN_MAX(ulong, unsigned long)
CLEAVE_MATH_MIN_MAX(llong, long long)
CLEAVE_MATH_MIN_MAX(ullong, unsigned long long)

#undef CLEAVE_MATH_MIN_MAX

#define CLEAVE_MATH_ROOTS(suffix, type)                                                            \
    CLEAVE_MATH_INLINE type cleave_rsqrt##suffix(type x)                                           \
    {                                                                                              \
        return CLEAVE_MATH_RECIPROCAL(sqrt##suffix, x);                                            \
    }                                                                                              \
    CLEAVE_MATH_INLINE type cleave_root##suffix(type x, type r)                                    \
    {                                                                                              \
        return CLEAVE_MATH_ROOT(sqrt##suffix, x, r);                                               \
    }

CLEAVE_MATH_ROOTS(, double)
CLEAVE_MATH_ROOTS(f, float)

/* Adding -0 with a stated rounding changes no value. An empty asm statement would not do: ptxas
 * looks through it. */
#if defined(__CUDACC__)
#define CLEAVE_MATH_STORED(suffix, type, letter, bits, zero)                                       \
    CLEAVE_MATH_INLINE type cleave_stored##suffix(type x)                                          \
    {                                                                                              \
        type stored;                                                                               \
        __asm__("add.rn." bits " %0, %1, " zero ";" : "=" letter(stored) : letter(x));             \
        return stored;                                                                             \
    }
#elif defined(__x86_64__)
#define CLEAVE_MATH_STORED(suffix, type, letter, bits, zero)                                       \
    CLEAVE_MATH_INLINE type cleave_stored##suffix(type x)                                          \
    {                                                                                              \
        __asm__("" : "+x"(x));                                                                     \
        return x;                                                                                  \
    }
#else
#define CLEAVE_MATH_STORED(suffix, type, letter, bits, zero)                                       \
    CLEAVE_MATH_INLINE type cleave_stored##suffix(type x)                                          \
    {                                                                                              \
        volatile type stored = x;                                                                  \
        return stored;                                                                             \
    }
#endif

CLEAVE_MATH_STORED(, double, "d", "f64", "0d8000000000000000")
CLEAVE_MATH_STORED(f, float, "f", "f32", "0f80000000")

#undef CLEAVE_MATH_STORED

#undef CLEAVE_MATH_ROOTS
#undef CLEAVE_MATH_ROOT
#undef CLEAVE_MATH_RECIPROCAL

#endif
