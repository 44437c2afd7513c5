/* functions.h: functions of floats that vectors compute with the bits of the scalar ones. Included
 * once for each class of a pass. Others are called lane by lane: CLEAVE_LANEWISE. */
#define CLEAVE_DEFINE_FABS(type, ints)                                                             \
    CLEAVE_LANE_INLINE CLEAVE_V(type) CLEAVE_V(fabs_##type)(CLEAVE_V(type) v)                      \
    {                                                                                              \
        const CLEAVE_V(ints) sign = (CLEAVE_V(ints))CLEAVE_V(set_##type)(-0.0f);                   \
        return (CLEAVE_V(type))((CLEAVE_V(ints))v & ~sign);                                        \
    }

/* Lanes with a NaN ask the library, as the scalar kernel does. Of two zeros, b is the result: C and
 * compilers, which exchange the arguments of such calls as they like, leave that open. */
#define CLEAVE_DEFINE_EXTREMUM(type, ints, name, function, is_first)                               \
    CLEAVE_LANE_INLINE CLEAVE_V(type) CLEAVE_V(name##_##type)(CLEAVE_V(type) a, CLEAVE_V(type) b)  \
    {                                                                                              \
        const CLEAVE_V(ints) nans = (CLEAVE_V(ints))(a != a) | (CLEAVE_V(ints))(b != b);           \
        CLEAVE_V(type) out = a;                                                                    \
        if (CLEAVE_V(any)(CLEAVE_V(mask_of_##type)(nans))) {                                       \
            CLEAVE_LANEWISE(out, function(a[cleave_l], b[cleave_l]));                              \
            return out;                                                                            \
        }                                                                                          \
        return CLEAVE_V(select_##type)(CLEAVE_V(mask_of_##type)(a is_first b), a, b);              \
    }

CLEAVE_DEFINE_FABS(f32, i32)
CLEAVE_DEFINE_EXTREMUM(f32, i32, fmin, fminf, <)
CLEAVE_DEFINE_EXTREMUM(f32, i32, fmax, fmaxf, >)

CLEAVE_LANE_INLINE CLEAVE_V(f32) CLEAVE_V(sqrt_f32)(CLEAVE_V(f32) v)
{
    return CLEAVE_LANE_NAME(CLEAVE_ROOT_F32)(v);
}

CLEAVE_LANE_INLINE CLEAVE_V(i32) CLEAVE_V(abs_i32)(CLEAVE_V(i32) v)
{
    return CLEAVE_V(select_i32)(CLEAVE_V(mask_of_i32)(v < 0), -v, v);
}
