/* shape_4x8.h: eight lanes of 4 bytes, as two halves of 16 bytes. shapes.h says what each function
 * does. */

/* Lanes 0 and 1, 4 and 5; lanes 2 and 3, 6 and 7. */
CLEAVE_LANE_INLINE void CLEAVE_V(turn2_w4)(cleave_w4x8_any *t, const cleave_w4x8_any *v)
{
    const cleave_w4x8 a = v[0];
    const cleave_w4x8 b = v[1];
    t[0] = CLEAVE_SHUFFLE(cleave_i32x8, a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    t[1] = CLEAVE_SHUFFLE(cleave_i32x8, a, b, 2, 10, 3, 11, 6, 14, 7, 15);
}

/* Two records a vector: lanes l and l + 4. */
CLEAVE_LANE_INLINE void CLEAVE_V(turn4_w4)(cleave_w4x8_any *t, const cleave_w4x8_any *v)
{
    cleave_w4x8_any s[4];
    CLEAVE_V(turn2_w4)(s, v);
    CLEAVE_V(turn2_w4)(s + 2, v + 2);
    t[0] = CLEAVE_SHUFFLE(cleave_i32x8, s[0], s[2], 0, 1, 8, 9, 4, 5, 12, 13);
    t[1] = CLEAVE_SHUFFLE(cleave_i32x8, s[0], s[2], 2, 3, 10, 11, 6, 7, 14, 15);
    t[2] = CLEAVE_SHUFFLE(cleave_i32x8, s[1], s[3], 0, 1, 8, 9, 4, 5, 12, 13);
    t[3] = CLEAVE_SHUFFLE(cleave_i32x8, s[1], s[3], 2, 3, 10, 11, 6, 7, 14, 15);
}

CLEAVE_LANE_INLINE cleave_w4x4 CLEAVE_V(half_w4)(cleave_w4x8 both, int half)
{
    const cleave_w8x4 words = (cleave_w8x4)both;
    return half == 0 ? (cleave_w4x4)CLEAVE_LITERAL(cleave_w8x2, words[0], words[1])
                     : (cleave_w4x4)CLEAVE_LITERAL(cleave_w8x2, words[2], words[3]);
}

CLEAVE_LANE_INLINE cleave_w4x2 CLEAVE_V(part2_w4)(const cleave_w4x8_any *t, int lane)
{
    const cleave_w4x4 both = CLEAVE_V(half_w4)(t[lane % 4 / 2], lane / 4);
    return lane % 2 == 0 ? CLEAVE_LITERAL(cleave_w4x2, both[0], both[1])
                         : CLEAVE_LITERAL(cleave_w4x2, both[2], both[3]);
}

CLEAVE_LANE_INLINE cleave_w4x4 CLEAVE_V(part4_w4)(const cleave_w4x8_any *t, int lane)
{
    return CLEAVE_V(half_w4)(t[lane % 4], lane / 4);
}

CLEAVE_LANE_INLINE void CLEAVE_V(load2_w4)(cleave_w4x8_any *out, const char *p, size_t step,
                                           const int *at)
{
    const cleave_w4x8 a = (cleave_w4x8)CLEAVE_LITERAL(cleave_w8x4, CLEAVE_PAIR(0), CLEAVE_PAIR(1),
                                                      CLEAVE_PAIR(4), CLEAVE_PAIR(5));
    const cleave_w4x8 b = (cleave_w4x8)CLEAVE_LITERAL(cleave_w8x4, CLEAVE_PAIR(2), CLEAVE_PAIR(3),
                                                      CLEAVE_PAIR(6), CLEAVE_PAIR(7));
    out[0] = CLEAVE_SHUFFLE(cleave_i32x8, a, b, 0, 2, 8, 10, 4, 6, 12, 14);
    out[1] = CLEAVE_SHUFFLE(cleave_i32x8, a, b, 1, 3, 9, 11, 5, 7, 13, 15);
}

#define CLEAVE_QUAD(l) (cleave_w8x2) CLEAVE_RECORD(cleave_w4x4, l)
#define CLEAVE_TWO(l) (cleave_w4x8) CLEAVE_JOIN_4(CLEAVE_QUAD(l), CLEAVE_QUAD(l + 4))
CLEAVE_LANE_INLINE void CLEAVE_V(load4_w4)(cleave_w4x8_any *out, const char *p, size_t step,
                                           const int *at)
{
    out[0] = CLEAVE_TWO(0);
    out[1] = CLEAVE_TWO(1);
    out[2] = CLEAVE_TWO(2);
    out[3] = CLEAVE_TWO(3);
    CLEAVE_V(turn4_w4)(out, out);
}
#undef CLEAVE_QUAD
#undef CLEAVE_TWO
