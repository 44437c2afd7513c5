/* shape_8x4.h: four lanes of 8 bytes. shapes.h says what each function does. */

CLEAVE_LANE_INLINE void CLEAVE_V(turn2_w8)(cleave_w8x4_any *t, const cleave_w8x4_any *v)
{
    const cleave_w8x4 a = v[0];
    const cleave_w8x4 b = v[1];
    t[0] = CLEAVE_SHUFFLE(cleave_i64x4, a, b, 0, 4, 2, 6);
    t[1] = CLEAVE_SHUFFLE(cleave_i64x4, a, b, 1, 5, 3, 7);
}

CLEAVE_LANE_INLINE void CLEAVE_V(turn4_w8)(cleave_w8x4_any *t, const cleave_w8x4_any *v)
{
    cleave_w8x4_any s[4];
    CLEAVE_V(turn2_w8)(s, v);
    CLEAVE_V(turn2_w8)(s + 2, v + 2);
    t[0] = CLEAVE_SHUFFLE(cleave_i64x4, s[0], s[2], 0, 1, 4, 5);
    t[1] = CLEAVE_SHUFFLE(cleave_i64x4, s[1], s[3], 0, 1, 4, 5);
    t[2] = CLEAVE_SHUFFLE(cleave_i64x4, s[0], s[2], 2, 3, 6, 7);
    t[3] = CLEAVE_SHUFFLE(cleave_i64x4, s[1], s[3], 2, 3, 6, 7);
}

/* turn2 leaves lanes 0 and 2, 1 and 3 side by side. */
CLEAVE_LANE_INLINE cleave_w8x2 CLEAVE_V(part2_w8)(const cleave_w8x4_any *t, int lane)
{
    const cleave_w8x4 both = t[lane % 2];
    return lane < 2 ? CLEAVE_LITERAL(cleave_w8x2, both[0], both[1])
                    : CLEAVE_LITERAL(cleave_w8x2, both[2], both[3]);
}

CLEAVE_LANE_INLINE cleave_w8x4 CLEAVE_V(part4_w8)(const cleave_w8x4_any *t, int lane)
{
    return t[lane];
}

CLEAVE_LANE_INLINE void CLEAVE_V(load2_w8)(cleave_w8x4_any *out, const char *p, size_t step,
                                           const int *at)
{
    out[0] = CLEAVE_JOIN_4(CLEAVE_RECORD(cleave_w8x2, 0), CLEAVE_RECORD(cleave_w8x2, 2));
    out[1] = CLEAVE_JOIN_4(CLEAVE_RECORD(cleave_w8x2, 1), CLEAVE_RECORD(cleave_w8x2, 3));
    CLEAVE_V(turn2_w8)(out, out);
}

CLEAVE_LANE_INLINE void CLEAVE_V(load4_w8)(cleave_w8x4_any *out, const char *p, size_t step,
                                           const int *at)
{
    out[0] = CLEAVE_RECORD(cleave_w8x4, 0);
    out[1] = CLEAVE_RECORD(cleave_w8x4, 1);
    out[2] = CLEAVE_RECORD(cleave_w8x4, 2);
    out[3] = CLEAVE_RECORD(cleave_w8x4, 3);
    CLEAVE_V(turn4_w8)(out, out);
}
