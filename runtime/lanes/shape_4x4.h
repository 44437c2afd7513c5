/* shape_4x4.h: four lanes of 4 bytes. shapes.h says what each function does. */

/* Lanes 0 and 1, 2 and 3 side by side. */
CLEAVE_LANE_INLINE void CLEAVE_V(turn2_w4)(cleave_w4x4_any *t, const cleave_w4x4_any *v)
{
    const cleave_w4x4 a = v[0];
    const cleave_w4x4 b = v[1];
    t[0] = CLEAVE_SHUFFLE(cleave_i32x4, a, b, 0, 4, 1, 5);
    t[1] = CLEAVE_SHUFFLE(cleave_i32x4, a, b, 2, 6, 3, 7);
}

CLEAVE_LANE_INLINE void CLEAVE_V(turn4_w4)(cleave_w4x4_any *t, const cleave_w4x4_any *v)
{
    cleave_w4x4_any s[4];
    CLEAVE_V(turn2_w4)(s, v);
    CLEAVE_V(turn2_w4)(s + 2, v + 2);
    t[0] = CLEAVE_SHUFFLE(cleave_i32x4, s[0], s[2], 0, 1, 4, 5);
    t[1] = CLEAVE_SHUFFLE(cleave_i32x4, s[0], s[2], 2, 3, 6, 7);
    t[2] = CLEAVE_SHUFFLE(cleave_i32x4, s[1], s[3], 0, 1, 4, 5);
    t[3] = CLEAVE_SHUFFLE(cleave_i32x4, s[1], s[3], 2, 3, 6, 7);
}

CLEAVE_LANE_INLINE cleave_w4x2 CLEAVE_V(part2_w4)(const cleave_w4x4_any *t, int lane)
{
    const cleave_w4x4 both = t[lane / 2];
    return lane % 2 == 0 ? CLEAVE_LITERAL(cleave_w4x2, both[0], both[1])
                         : CLEAVE_LITERAL(cleave_w4x2, both[2], both[3]);
}

CLEAVE_LANE_INLINE cleave_w4x4 CLEAVE_V(part4_w4)(const cleave_w4x4_any *t, int lane)
{
    return t[lane];
}

CLEAVE_LANE_INLINE void CLEAVE_V(load2_w4)(cleave_w4x4_any *out, const char *p, size_t step,
                                           const int *at)
{
    const cleave_w4x4 a = (cleave_w4x4)CLEAVE_LITERAL(cleave_w8x2, CLEAVE_PAIR(0), CLEAVE_PAIR(1));
    const cleave_w4x4 b = (cleave_w4x4)CLEAVE_LITERAL(cleave_w8x2, CLEAVE_PAIR(2), CLEAVE_PAIR(3));
    out[0] = CLEAVE_SHUFFLE(cleave_i32x4, a, b, 0, 2, 4, 6);
    out[1] = CLEAVE_SHUFFLE(cleave_i32x4, a, b, 1, 3, 5, 7);
}

CLEAVE_LANE_INLINE void CLEAVE_V(load4_w4)(cleave_w4x4_any *out, const char *p, size_t step,
                                           const int *at)
{
    out[0] = CLEAVE_RECORD(cleave_w4x4, 0);
    out[1] = CLEAVE_RECORD(cleave_w4x4, 1);
    out[2] = CLEAVE_RECORD(cleave_w4x4, 2);
    out[3] = CLEAVE_RECORD(cleave_w4x4, 3);
    CLEAVE_V(turn4_w4)(out, out);
}
