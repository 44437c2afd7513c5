/* narrow.h: values of one and two bytes, which C computes with as ints. Included once for each
 * class of a pass. Vectors of them are CLEAVE_V(i32); CLEAVE_V(narrow_i8)(v) is C's conversion to
 * the type and back. */
#ifndef CLEAVE_LANES_WITHOUT_NARROW

/* Vector operations and not casts lane by lane, of which gcc 12 makes wrong code for bool. */
#define CLEAVE_DEFINE_NARROW(name, type, bits)                                                     \
    CLEAVE_LANE_INLINE CLEAVE_V(i32) CLEAVE_V(narrow_##name)(CLEAVE_V(i32) v)                      \
    {                                                                                              \
        const CLEAVE_V(type) high = (CLEAVE_V(type))((CLEAVE_V(u32))v << (32 - bits));             \
        return (CLEAVE_V(i32))(high >> (32 - bits));                                               \
    }
CLEAVE_DEFINE_NARROW(i8, i32, 8)
CLEAVE_DEFINE_NARROW(u8, u32, 8)
CLEAVE_DEFINE_NARROW(i16, i32, 16)
CLEAVE_DEFINE_NARROW(u16, u32, 16)
#undef CLEAVE_DEFINE_NARROW

CLEAVE_LANE_INLINE CLEAVE_V(i32) CLEAVE_V(narrow_c8)(CLEAVE_V(i32) v)
{
    return (char)-1 < 0 ? CLEAVE_V(narrow_i8)(v) : CLEAVE_V(narrow_u8)(v);
}

CLEAVE_LANE_INLINE CLEAVE_V(i32) CLEAVE_V(narrow_b8)(CLEAVE_V(i32) v)
{
    return (CLEAVE_V(i32))(v != 0) & 1;
}

#endif
