/* functions.h: functions of floats that vectors compute with the bits of the scalar ones. Included
 * once for each class of a pass. Others are called lane by lane: CLEAVE_LANEWISE. */
#define CLEAVE_DEFINE_FABS(type, ints)                                                             \
    CLEAVE_LANE_INLINE CLEAVE_V(type) CLEAVE_V(fabs_##type)(CLEAVE_V(type) v)                      \
    {                                                                                              \
        const CLEAVE_V(ints) sign = (CLEAVE_V(ints))CLEAVE_V(set_##type)(-0.0f);                   \
        return (CLEAVE_V(type))((CLEAVE_V(ints))v & ~sign);                                        \
    }

/* An extremum where some lane has a NaN. In glibc the other operand is the result if that NaN is
 * quiet, and else the sum, a NaN that signals. Vectors compute this themselves: a call in a lane
 * function keeps its vectors in memory, and four of them took a flux 1.4 times as long. Lanes whose
 * operands are numbers neither add nor compare NaNs. Other libraries are asked lane by lane. */
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 25)
#define CLEAVE_DEFINE_EXTREMUM_OF_NANS(type, ints, name, function, is_first, quiet_bit)            \
    CLEAVE_LANE_INLINE CLEAVE_V(type)                                                              \
        CLEAVE_V(name##_of_nans_##type)(CLEAVE_V(type) a, CLEAVE_V(type) b)                        \
    {                                                                                              \
        typedef CLEAVE_V(ints) ints_of;                                                            \
        typedef CLEAVE_V(type) vector_of;                                                          \
        const ints_of nan_a = (ints_of)(a != a);                                                   \
        const ints_of nan_b = (ints_of)(b != b);                                                   \
        const ints_of nan = nan_a | nan_b;                                                         \
        const ints_of bits = ((ints_of)a & nan_a) | ((ints_of)b & nan_b);                          \
        const ints_of is_quiet = (ints_of)((bits & ((cleave_##ints)1 << (quiet_bit))) != 0);       \
        const ints_of other = (nan_a ^ nan_b) & is_quiet;                                          \
        const ints_of added = nan & ~other;                                                        \
        const vector_of sum = (vector_of)((ints_of)a & added) + (vector_of)((ints_of)b & added);   \
        const ints_of first =                                                                      \
            (ints_of)((vector_of)((ints_of)a & ~nan) is_first(vector_of)((ints_of)b & ~nan));      \
        const ints_of take_a = (first & ~nan) | (other & nan_b);                                   \
        const ints_of take_b = ~take_a & ~added;                                                   \
        return (vector_of)(((ints_of)sum & added) | ((ints_of)a & take_a) |                        \
                           ((ints_of)b & take_b));                                                 \
    }
#else
#define CLEAVE_DEFINE_EXTREMUM_OF_NANS(type, ints, name, function, is_first, quiet_bit)            \
    CLEAVE_LANE_INLINE CLEAVE_V(type)                                                              \
        CLEAVE_V(name##_of_nans_##type)(CLEAVE_V(type) a, CLEAVE_V(type) b)                        \
    {                                                                                              \
        CLEAVE_V(type) out = a;                                                                    \
        CLEAVE_LANEWISE(out, function(a[cleave_l], b[cleave_l]));                                  \
        return out;                                                                                \
    }
#endif

/* If both are zeros, b is the result: C and compilers, which exchange the arguments of such calls
 * as they like, leave that open. */
#define CLEAVE_DEFINE_EXTREMUM(type, ints, name, function, is_first, quiet_bit)                    \
    CLEAVE_DEFINE_EXTREMUM_OF_NANS(type, ints, name, function, is_first, quiet_bit)                \
    CLEAVE_LANE_INLINE CLEAVE_V(type) CLEAVE_V(name##_##type)(CLEAVE_V(type) a, CLEAVE_V(type) b)  \
    {                                                                                              \
        const CLEAVE_V(ints) nans = (CLEAVE_V(ints))(a != a) | (CLEAVE_V(ints))(b != b);           \
        if (CLEAVE_V(any)(CLEAVE_V(mask_of_##type)(nans))) {                                       \
            return CLEAVE_V(name##_of_nans_##type)(a, b);                                          \
        }                                                                                          \
        return CLEAVE_V(select_##type)(CLEAVE_V(mask_of_##type)(a is_first b), a, b);              \
    }

CLEAVE_DEFINE_FABS(f32, i32)
CLEAVE_DEFINE_EXTREMUM(f32, i32, fmin, fminf, <, 22)
CLEAVE_DEFINE_EXTREMUM(f32, i32, fmax, fmaxf, >, 22)

CLEAVE_LANE_INLINE CLEAVE_V(f32) CLEAVE_V(sqrt_f32)(CLEAVE_V(f32) v)
{
    return CLEAVE_LANE_NAME(CLEAVE_ROOT_F32)(v);
}

CLEAVE_LANE_INLINE CLEAVE_V(i32) CLEAVE_V(abs_i32)(CLEAVE_V(i32) v)
{
    return CLEAVE_V(select_i32)(CLEAVE_V(mask_of_i32)(v < 0), -v, v);
}
