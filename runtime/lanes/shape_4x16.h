/* shape_4x16.h: sixteen lanes of 4 bytes, as four quarters of 16 bytes. shapes.h says what each
 * function does. */

#define CLEAVE_QUARTERS(a, b, i, j, k, l)                                                          \
    CLEAVE_SHUFFLE(cleave_i32x16, a, b, i, j, k, l, i + 4, j + 4, k + 4, l + 4, i + 8, j + 8,      \
                   k + 8, l + 8, i + 12, j + 12, k + 12, l + 12)

/* Puts the first two of each four lanes side by side, and the last two. */
CLEAVE_LANE_INLINE void CLEAVE_V(turn2_w4)(cleave_w4x16_any *t, const cleave_w4x16_any *v)
{
    const cleave_w4x16 a = v[0];
    const cleave_w4x16 b = v[1];
    t[0] = CLEAVE_QUARTERS(a, b, 0, 16, 1, 17);
    t[1] = CLEAVE_QUARTERS(a, b, 2, 18, 3, 19);
}

/* Four records a vector: lanes l, l + 4, l + 8, l + 12. */
CLEAVE_LANE_INLINE void CLEAVE_V(turn4_w4)(cleave_w4x16_any *t, const cleave_w4x16_any *v)
{
    cleave_w4x16_any s[4];
    CLEAVE_V(turn2_w4)(s, v);
    CLEAVE_V(turn2_w4)(s + 2, v + 2);
    t[0] = CLEAVE_QUARTERS(s[0], s[2], 0, 1, 16, 17);
    t[1] = CLEAVE_QUARTERS(s[0], s[2], 2, 3, 18, 19);
    t[2] = CLEAVE_QUARTERS(s[1], s[3], 0, 1, 16, 17);
    t[3] = CLEAVE_QUARTERS(s[1], s[3], 2, 3, 18, 19);
}

CLEAVE_LANE_INLINE cleave_w4x4 CLEAVE_V(quarter_w4)(cleave_w4x16 all, int quarter)
{
    const cleave_w8x8 words = (cleave_w8x8)all;
    return quarter == 0   ? (cleave_w4x4)CLEAVE_LITERAL(cleave_w8x2, words[0], words[1])
           : quarter == 1 ? (cleave_w4x4)CLEAVE_LITERAL(cleave_w8x2, words[2], words[3])
           : quarter == 2 ? (cleave_w4x4)CLEAVE_LITERAL(cleave_w8x2, words[4], words[5])
                          : (cleave_w4x4)CLEAVE_LITERAL(cleave_w8x2, words[6], words[7]);
}

CLEAVE_LANE_INLINE cleave_w4x2 CLEAVE_V(part2_w4)(const cleave_w4x16_any *t, int lane)
{
    const cleave_w4x4 both = CLEAVE_V(quarter_w4)(t[lane % 4 / 2], lane / 4);
    return lane % 2 == 0 ? CLEAVE_LITERAL(cleave_w4x2, both[0], both[1])
                         : CLEAVE_LITERAL(cleave_w4x2, both[2], both[3]);
}

CLEAVE_LANE_INLINE cleave_w4x4 CLEAVE_V(part4_w4)(const cleave_w4x16_any *t, int lane)
{
    return CLEAVE_V(quarter_w4)(t[lane % 4], lane / 4);
}

#define CLEAVE_EIGHT(l)                                                                            \
    (cleave_w4x16) CLEAVE_LITERAL(cleave_w8x8, CLEAVE_PAIR(l), CLEAVE_PAIR(l + 1),                 \
                                  CLEAVE_PAIR(l + 4), CLEAVE_PAIR(l + 5), CLEAVE_PAIR(l + 8),      \
                                  CLEAVE_PAIR(l + 9), CLEAVE_PAIR(l + 12), CLEAVE_PAIR(l + 13))
CLEAVE_LANE_INLINE void CLEAVE_V(load2_w4)(cleave_w4x16_any *out, const char *p, size_t step,
                                           const int *at)
{
    const cleave_w4x16 a = CLEAVE_EIGHT(0);
    const cleave_w4x16 b = CLEAVE_EIGHT(2);
    out[0] = CLEAVE_QUARTERS(a, b, 0, 2, 16, 18);
    out[1] = CLEAVE_QUARTERS(a, b, 1, 3, 17, 19);
}
#undef CLEAVE_EIGHT

#define CLEAVE_QUAD(l) (cleave_w8x2) CLEAVE_RECORD(cleave_w4x4, l)
#define CLEAVE_FOUR(l)                                                                             \
    (cleave_w4x16) CLEAVE_JOIN_8(CLEAVE_JOIN_4(CLEAVE_QUAD(l), CLEAVE_QUAD(l + 4)),                \
                                 CLEAVE_JOIN_4(CLEAVE_QUAD(l + 8), CLEAVE_QUAD(l + 12)))
CLEAVE_LANE_INLINE void CLEAVE_V(load4_w4)(cleave_w4x16_any *out, const char *p, size_t step,
                                           const int *at)
{
    out[0] = CLEAVE_FOUR(0);
    out[1] = CLEAVE_FOUR(1);
    out[2] = CLEAVE_FOUR(2);
    out[3] = CLEAVE_FOUR(3);
    CLEAVE_V(turn4_w4)(out, out);
}
#undef CLEAVE_FOUR
#undef CLEAVE_QUAD
#undef CLEAVE_QUARTERS
