/* pieces.h: records in and out of vectors, in pieces of four, two and one component. Included once.
 *
 * Nothing beyond a record is touched: five components are a piece of four and one of one. T is a
 * type of values.h, or for pieces of one component one of narrow.h, whose vectors are those of i32.
 *
 *   CLEAVE_GETk(T, out, p, dim, at)   out[0..k-1] = k components of the records at p + dim * at[l],
 *                                     transposed: out[c] has component c of all lanes
 *   CLEAVE_TURNk(T, t, v)             the way back: v[0..k-1] to records, in an order that PUTk
 *                                     knows; t may be v. A piece of one component is not turned
 *   CLEAVE_PUTk(T, how, p, t, lane)   the record of a lane, out of what TURNk made, joins k
 *                                     components at p; how: STORE ADD SUBTRACT LOWER RAISE
 *   CLEAVE_ROW(T, p)                  as many consecutive values as there are lanes
 *   CLEAVE_PUT_ROW(T, p, v)           likewise, stored
 *
 * dim and lane are constants. These are macros: functions would be compiled for each type and
 * width, and inlined through several layers in each call, which took most of the time of a
 * compiler.
 */
#ifndef CLEAVE_LANES_PIECES_H
#define CLEAVE_LANES_PIECES_H

/* The words that move a type, and the integers that its compares give. */
#define CLEAVE_WORD_f64 w8
#define CLEAVE_WORD_i64 w8
#define CLEAVE_WORD_u64 w8
#define CLEAVE_WORD_f32 w4
#define CLEAVE_WORD_i32 w4
#define CLEAVE_WORD_u32 w4
#define CLEAVE_INTS_f64 i64
#define CLEAVE_INTS_i64 i64
#define CLEAVE_INTS_u64 i64
#define CLEAVE_INTS_f32 i32
#define CLEAVE_INTS_i32 i32
#define CLEAVE_INTS_u32 i32
/* The type of the vectors that hold values of a type. */
#define CLEAVE_HELD_f64 f64
#define CLEAVE_HELD_i64 i64
#define CLEAVE_HELD_u64 u64
#define CLEAVE_HELD_f32 f32
#define CLEAVE_HELD_i32 i32
#define CLEAVE_HELD_u32 u32
#define CLEAVE_HELD_c8 i32
#define CLEAVE_HELD_i8 i32
#define CLEAVE_HELD_u8 i32
#define CLEAVE_HELD_i16 i32
#define CLEAVE_HELD_u16 i32
#define CLEAVE_HELD_b8 i32

/* Names whose parts are macros. */
#define CLEAVE_V_OF(name, type) CLEAVE_V(name##_##type)
#define CLEAVE_TYPE_NAME(type, lanes, kind) cleave_##type##x##lanes##kind
#define CLEAVE_TYPE_OF(type, lanes, kind) CLEAVE_TYPE_NAME(type, lanes, kind)
/* The words of all lanes, wherever values of another type lie. */
#define CLEAVE_WORDS(word) CLEAVE_TYPE_OF(word, CLEAVE_LANES, _any)

/* ---- reading -------------------------------------------------------------------------------- */

#define CLEAVE_GET_BY(k, T, word, out, p, dim, at)                                                 \
    CLEAVE_V_OF(load##k, word)                                                                     \
    ((CLEAVE_WORDS(word) *)(out), (const char *)(p), (dim) * sizeof(cleave_##T), at)
#define CLEAVE_GET_WORDS(k, T, word, out, p, dim, at) CLEAVE_GET_BY(k, T, word, out, p, dim, at)
#define CLEAVE_GET2(T, out, p, dim, at) CLEAVE_GET_WORDS(2, T, CLEAVE_WORD_##T, out, p, dim, at)
#define CLEAVE_GET4(T, out, p, dim, at)                                                            \
    CLEAVE_BY_LANES_OF(CLEAVE_GET4_, CLEAVE_LANES)(T, out, p, dim, at)
#define CLEAVE_GET4_4(T, out, p, dim, at) CLEAVE_GET_WORDS(4, T, CLEAVE_WORD_##T, out, p, dim, at)
#define CLEAVE_GET4_8 CLEAVE_GET4_4
#define CLEAVE_GET4_16 CLEAVE_GET4_4
/* Shapes with two lanes move two words. */
#define CLEAVE_GET4_2(T, out, p, dim, at)                                                          \
    CLEAVE_GET2(T, out, p, dim, at);                                                               \
    CLEAVE_GET2(T, (out) + 2, (p) + 2, dim, at)

#define CLEAVE_GET1(T, out, p, dim, at)                                                            \
    do {                                                                                           \
        const cleave_##T##_memory *const cleave_from = (const cleave_##T##_memory *)(p);           \
        const int *const cleave_at = (at);                                                         \
        const size_t cleave_step = (dim);                                                          \
        (out)[0] =                                                                                 \
            CLEAVE_LITERAL(CLEAVE_V_NAME(CLEAVE_HELD_##T), CLEAVE_LANE_LIST(CLEAVE_GET1_AT));      \
    } while (0)
#define CLEAVE_GET1_AT(l) cleave_from[cleave_step * (size_t)cleave_at[l]]
#define CLEAVE_V_NAME(type) CLEAVE_V(type)

#define CLEAVE_ROW(T, p) (*(const CLEAVE_TYPE_OF(T, CLEAVE_LANES, _memory) *)(p))

/* ---- writing -------------------------------------------------------------------------------- */

#define CLEAVE_TURN_BY(k, word, t, v)                                                              \
    CLEAVE_V_OF(turn##k, word)((CLEAVE_WORDS(word) *)(t), (const CLEAVE_WORDS(word) *)(v))
#define CLEAVE_TURN_WORDS(k, word, t, v) CLEAVE_TURN_BY(k, word, t, v)
#define CLEAVE_TURN2(T, t, v) CLEAVE_TURN_WORDS(2, CLEAVE_WORD_##T, t, v)
#define CLEAVE_TURN4(T, t, v) CLEAVE_BY_LANES_OF(CLEAVE_TURN4_, CLEAVE_LANES)(T, t, v)
#define CLEAVE_TURN4_4(T, t, v) CLEAVE_TURN_WORDS(4, CLEAVE_WORD_##T, t, v)
#define CLEAVE_TURN4_8 CLEAVE_TURN4_4
#define CLEAVE_TURN4_16 CLEAVE_TURN4_4
#define CLEAVE_TURN4_2(T, t, v)                                                                    \
    CLEAVE_TURN2(T, t, v);                                                                         \
    CLEAVE_TURN2(T, (t) + 2, (v) + 2)

/* The value that `old` gets where `now` is put. LOWER and RAISE keep `old` unless `now` is less, or
 * greater: a NaN replaces nothing and is not replaced. */
#define CLEAVE_JOIN_STORE(pick, vector, ints, old, now) now
#define CLEAVE_JOIN_ADD(pick, vector, ints, old, now) old + now
#define CLEAVE_JOIN_SUBTRACT(pick, vector, ints, old, now) old - now
#define CLEAVE_JOIN_LOWER(pick, vector, ints, old, now) pick(vector, ints, now < old, now, old)
#define CLEAVE_JOIN_RAISE(pick, vector, ints, old, now) pick(vector, ints, now > old, now, old)

#define CLEAVE_PUT_BY(k, T, word, ints, how, p, t, lane)                                           \
    do {                                                                                           \
        cleave_##T##x##k##_memory *const cleave_to = (cleave_##T##x##k##_memory *)(p);             \
        const cleave_##T##x##k cleave_now =                                                        \
            (cleave_##T##x##k)CLEAVE_V_OF(part##k, word)((const CLEAVE_WORDS(word) *)(t), lane);   \
        *cleave_to = CLEAVE_JOIN_##how(CLEAVE_PICK, cleave_##T##x##k, CLEAVE_TYPE_OF(ints, k, ),   \
                                       *cleave_to, cleave_now);                                    \
    } while (0)
#define CLEAVE_PUT_WORDS(k, T, word, ints, how, p, t, lane)                                        \
    CLEAVE_PUT_BY(k, T, word, ints, how, p, t, lane)
#define CLEAVE_PUT2(T, how, p, t, lane)                                                            \
    CLEAVE_PUT_WORDS(2, T, CLEAVE_WORD_##T, CLEAVE_INTS_##T, how, p, t, lane)
#define CLEAVE_PUT4(T, how, p, t, lane)                                                            \
    CLEAVE_BY_LANES_OF(CLEAVE_PUT4_, CLEAVE_LANES)(T, how, p, t, lane)
#define CLEAVE_PUT4_4(T, how, p, t, lane)                                                          \
    CLEAVE_PUT_WORDS(4, T, CLEAVE_WORD_##T, CLEAVE_INTS_##T, how, p, t, lane)
#define CLEAVE_PUT4_8 CLEAVE_PUT4_4
#define CLEAVE_PUT4_16 CLEAVE_PUT4_4
#define CLEAVE_PUT4_2(T, how, p, t, lane)                                                          \
    CLEAVE_PUT2(T, how, p, t, lane);                                                               \
    CLEAVE_PUT2(T, how, (p) + 2, (t) + 2, lane)

#define CLEAVE_PUT1(T, how, p, t, lane)                                                            \
    do {                                                                                           \
        cleave_##T##_memory *const cleave_to = (cleave_##T##_memory *)(p);                         \
        const CLEAVE_BY_LANES_OF(cleave_, CLEAVE_HELD_##T) cleave_now = (t)[0][lane];              \
        *cleave_to = (cleave_##T)(CLEAVE_JOIN_##how(CLEAVE_PICK_ONE, , , *cleave_to, cleave_now)); \
    } while (0)

#define CLEAVE_PUT_ROW(T, p, v) (*(CLEAVE_TYPE_OF(T, CLEAVE_LANES, _memory) *)(p) = (v))

#endif
