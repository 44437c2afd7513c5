/* cleave_math.h: std::min and std::max as plain functions, for generated code: C11, C++ and CUDA.
 *
 * They do exactly what C++ says, which differs from fmin and fmax for NaN and for signed zeros: the
 * first argument is the result unless the comparison says otherwise. CUDA files define
 * CLEAVE_MATH_INLINE with what makes a function one of the device before they include this.
 */
#ifndef CLEAVE_MATH_H
#define CLEAVE_MATH_H

#ifndef CLEAVE_MATH_INLINE
#define CLEAVE_MATH_INLINE static inline
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

#endif
