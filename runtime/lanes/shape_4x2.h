/* shape_4x2.h: two lanes of 4 bytes, in 8-byte vectors. shapes.h says what each function does. */

CLEAVE_LANE_INLINE void CLEAVE_V(turn2_w4)(cleave_w4x2_any *t, const cleave_w4x2_any *v)
{
    const cleave_w4x2 a = v[0];
    const cleave_w4x2 b = v[1];
    t[0] = CLEAVE_SHUFFLE(cleave_i32x2, a, b, 0, 2);
    t[1] = CLEAVE_SHUFFLE(cleave_i32x2, a, b, 1, 3);
}

CLEAVE_LANE_INLINE cleave_w4x2 CLEAVE_V(part2_w4)(const cleave_w4x2_any *t, int lane)
{
    return t[lane];
}

CLEAVE_LANE_INLINE void CLEAVE_V(load2_w4)(cleave_w4x2_any *out, const char *p, size_t step,
                                           const int *at)
{
    out[0] = CLEAVE_RECORD(cleave_w4x2, 0);
    out[1] = CLEAVE_RECORD(cleave_w4x2, 1);
    CLEAVE_V(turn2_w4)(out, out);
}
