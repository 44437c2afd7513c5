/* shape_8x8.h: eight lanes of 8 bytes. shapes.h says what each function does. */

CLEAVE_LANE_INLINE void CLEAVE_V(turn2_w8)(cleave_w8x8_any *t, const cleave_w8x8_any *v)
{
    const cleave_w8x8 a = v[0];
    const cleave_w8x8 b = v[1];
    t[0] = CLEAVE_SHUFFLE(cleave_i64x8, a, b, 0, 8, 2, 10, 4, 12, 6, 14);
    t[1] = CLEAVE_SHUFFLE(cleave_i64x8, a, b, 1, 9, 3, 11, 5, 13, 7, 15);
}

/* Two records a vector: lanes 0 and 2, 1 and 3, 4 and 6, 5 and 7. */
CLEAVE_LANE_INLINE void CLEAVE_V(turn4_w8)(cleave_w8x8_any *t, const cleave_w8x8_any *v)
{
    cleave_w8x8_any s[4];
    CLEAVE_V(turn2_w8)(s, v);
    CLEAVE_V(turn2_w8)(s + 2, v + 2);
    t[0] = CLEAVE_SHUFFLE(cleave_i64x8, s[0], s[2], 0, 1, 8, 9, 2, 3, 10, 11);
    t[1] = CLEAVE_SHUFFLE(cleave_i64x8, s[1], s[3], 0, 1, 8, 9, 2, 3, 10, 11);
    t[2] = CLEAVE_SHUFFLE(cleave_i64x8, s[0], s[2], 4, 5, 12, 13, 6, 7, 14, 15);
    t[3] = CLEAVE_SHUFFLE(cleave_i64x8, s[1], s[3], 4, 5, 12, 13, 6, 7, 14, 15);
}

/* turn2 leaves lanes 0, 2, 4, 6 and 1, 3, 5, 7 side by side. */
CLEAVE_LANE_INLINE cleave_w8x2 CLEAVE_V(part2_w8)(const cleave_w8x8_any *t, int lane)
{
    const cleave_w8x8 all = t[lane % 2];
    return lane < 2   ? CLEAVE_LITERAL(cleave_w8x2, all[0], all[1])
           : lane < 4 ? CLEAVE_LITERAL(cleave_w8x2, all[2], all[3])
           : lane < 6 ? CLEAVE_LITERAL(cleave_w8x2, all[4], all[5])
                      : CLEAVE_LITERAL(cleave_w8x2, all[6], all[7]);
}

CLEAVE_LANE_INLINE cleave_w8x4 CLEAVE_V(part4_w8)(const cleave_w8x8_any *t, int lane)
{
    const cleave_w8x8 both = t[lane / 4 * 2 + lane % 2];
    return lane % 4 < 2 ? CLEAVE_LITERAL(cleave_w8x4, both[0], both[1], both[2], both[3])
                        : CLEAVE_LITERAL(cleave_w8x4, both[4], both[5], both[6], both[7]);
}

#define CLEAVE_FOUR(a, b, c, d)                                                                    \
    CLEAVE_JOIN_8(CLEAVE_JOIN_4(CLEAVE_RECORD(cleave_w8x2, a), CLEAVE_RECORD(cleave_w8x2, b)),     \
                  CLEAVE_JOIN_4(CLEAVE_RECORD(cleave_w8x2, c), CLEAVE_RECORD(cleave_w8x2, d)))
CLEAVE_LANE_INLINE void CLEAVE_V(load2_w8)(cleave_w8x8_any *out, const char *p, size_t step,
                                           const int *at)
{
    out[0] = CLEAVE_FOUR(0, 2, 4, 6);
    out[1] = CLEAVE_FOUR(1, 3, 5, 7);
    CLEAVE_V(turn2_w8)(out, out);
}
#undef CLEAVE_FOUR

#define CLEAVE_TWO(a, b) CLEAVE_JOIN_8(CLEAVE_RECORD(cleave_w8x4, a), CLEAVE_RECORD(cleave_w8x4, b))
CLEAVE_LANE_INLINE void CLEAVE_V(load4_w8)(cleave_w8x8_any *out, const char *p, size_t step,
                                           const int *at)
{
    cleave_w8x8_any s[4] = {CLEAVE_TWO(0, 2), CLEAVE_TWO(1, 3), CLEAVE_TWO(4, 6), CLEAVE_TWO(5, 7)};
    CLEAVE_V(turn2_w8)(s, s);
    CLEAVE_V(turn2_w8)(s + 2, s + 2);
    out[0] = CLEAVE_SHUFFLE(cleave_i64x8, s[0], s[2], 0, 1, 4, 5, 8, 9, 12, 13);
    out[1] = CLEAVE_SHUFFLE(cleave_i64x8, s[1], s[3], 0, 1, 4, 5, 8, 9, 12, 13);
    out[2] = CLEAVE_SHUFFLE(cleave_i64x8, s[0], s[2], 2, 3, 6, 7, 10, 11, 14, 15);
    out[3] = CLEAVE_SHUFFLE(cleave_i64x8, s[1], s[3], 2, 3, 6, 7, 10, 11, 14, 15);
}
#undef CLEAVE_TWO
