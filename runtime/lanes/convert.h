/* convert.h: C's conversions between types of 4 bytes. Included once for each class of a pass.
 * CLEAVE_V(convert_A_B)(v); those with masks are in values.h, with smaller types in narrow.h. */
#define CLEAVE_DEFINE_CONVERT(from, to)                                                            \
    CLEAVE_LANE_INLINE CLEAVE_V(to) CLEAVE_V(convert_##from##_##to)(CLEAVE_V(from) v)              \
    {                                                                                              \
        return __builtin_convertvector(v, CLEAVE_V(to));                                           \
    }

/* Lane by lane: a number that the type cannot hold then becomes what the scalar conversion of the
 * machine makes of it. */
#define CLEAVE_DEFINE_CONVERT_LANEWISE(from, to)                                                   \
    CLEAVE_LANE_INLINE CLEAVE_V(to) CLEAVE_V(convert_##from##_##to)(CLEAVE_V(from) v)              \
    {                                                                                              \
        CLEAVE_V(to) out = {0};                                                                    \
        CLEAVE_LANEWISE(out, (cleave_##to)v[cleave_l]);                                            \
        return out;                                                                                \
    }

CLEAVE_DEFINE_CONVERT(f32, i32)
CLEAVE_DEFINE_CONVERT(i32, f32)
CLEAVE_DEFINE_CONVERT(u32, f32)
CLEAVE_DEFINE_CONVERT_LANEWISE(f32, u32)
CLEAVE_DEFINE_CONVERT(i32, u32)
CLEAVE_DEFINE_CONVERT(u32, i32)
