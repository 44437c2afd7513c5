/* vectors.h: the vector types of all widths, and where compilers differ. Included once.
 *
 * cleave_f64x4 is GNU C's vector of four doubles, cleave_f64x4_memory four doubles in memory:
 * aligned as one double is, and allowed to be whatever type the user's program gave that memory.
 * cleave_w8x4_any is four words in a vector of whatever type of that size.
 */
#ifndef CLEAVE_LANES_VECTORS_H
#define CLEAVE_LANES_VECTORS_H

#include <math.h>
#include <stddef.h>

/* A value of a vector type, lane by lane. */
#ifdef __cplusplus
#define CLEAVE_LITERAL(type, ...) (type{__VA_ARGS__})
#else
#define CLEAVE_LITERAL(type, ...) ((type){__VA_ARGS__})
#endif

/* All functions on vectors are inlined: calling conventions for vectors differ with the target. */
#define CLEAVE_LANE_INLINE static inline __attribute__((always_inline, unused))

#if __SIZEOF_LONG__ == 8
#define CLEAVE_LONG long
#else
#define CLEAVE_LONG long long
#endif

/* w4 and w8 are 4 and 8 bytes that are only moved. x86-64 loads them into vectors fastest if it
 * takes them for floating-point numbers; elsewhere such a move may change a NaN. */
#ifdef __x86_64__
#define CLEAVE_WORD_4 float
#define CLEAVE_WORD_8 double
#else
#define CLEAVE_WORD_4 int
#define CLEAVE_WORD_8 CLEAVE_LONG
#endif

#define CLEAVE_VECTOR_TYPE(name, base, lanes)                                                      \
    typedef base cleave_##name##x##lanes __attribute__((vector_size(lanes * sizeof(base))));       \
    typedef base cleave_##name##x##lanes##_memory                                                  \
        __attribute__((vector_size(lanes * sizeof(base)), aligned(sizeof(base)), may_alias));      \
    typedef base cleave_##name##x##lanes##_any                                                     \
        __attribute__((vector_size(lanes * sizeof(base)), may_alias));

#define CLEAVE_VECTOR_TYPES(name, base)                                                            \
    typedef base cleave_##name;                                                                    \
    typedef base cleave_##name##_memory __attribute__((may_alias));                                \
    CLEAVE_VECTOR_TYPE(name, base, 2)                                                              \
    CLEAVE_VECTOR_TYPE(name, base, 4)                                                              \
    CLEAVE_VECTOR_TYPE(name, base, 8)

CLEAVE_VECTOR_TYPES(f64, double)
CLEAVE_VECTOR_TYPES(i64, CLEAVE_LONG)
CLEAVE_VECTOR_TYPES(u64, unsigned CLEAVE_LONG)
CLEAVE_VECTOR_TYPES(w8, CLEAVE_WORD_8)
CLEAVE_VECTOR_TYPES(f32, float)
CLEAVE_VECTOR_TYPES(i32, int)
CLEAVE_VECTOR_TYPES(u32, unsigned)
CLEAVE_VECTOR_TYPES(w4, CLEAVE_WORD_4)
CLEAVE_VECTOR_TYPE(f32, float, 16)
CLEAVE_VECTOR_TYPE(i32, int, 16)
CLEAVE_VECTOR_TYPE(u32, unsigned, 16)
CLEAVE_VECTOR_TYPE(w4, CLEAVE_WORD_4, 16)

/* The vector of `lanes` values of a type, both of which may be macros. */
#define CLEAVE_VECTOR_NAME(type, lanes) cleave_##type##x##lanes
#define CLEAVE_VECTOR_OF(type, lanes) CLEAVE_VECTOR_NAME(type, lanes)

/* Two words of 4 bytes in memory, moved as one. */
typedef CLEAVE_WORD_8 cleave_pair_memory __attribute__((aligned(4), may_alias));

#define CLEAVE_NARROW_TYPE(name, base)                                                             \
    typedef base cleave_##name;                                                                    \
    typedef base cleave_##name##_memory __attribute__((may_alias));
CLEAVE_NARROW_TYPE(c8, char)
CLEAVE_NARROW_TYPE(i8, signed char)
CLEAVE_NARROW_TYPE(u8, unsigned char)
CLEAVE_NARROW_TYPE(i16, short)
CLEAVE_NARROW_TYPE(u16, unsigned short)
#ifdef __cplusplus
CLEAVE_NARROW_TYPE(b8, bool)
#else
CLEAVE_NARROW_TYPE(b8, _Bool)
#endif
#undef CLEAVE_NARROW_TYPE

#undef CLEAVE_VECTOR_TYPES
#undef CLEAVE_VECTOR_TYPE
#undef CLEAVE_WORD_4
#undef CLEAVE_WORD_8
#undef CLEAVE_LONG

/* CLEAVE_SHUFFLE(ints, a, b, l...): lanes of a and b; those of b are counted on from those of a.
 * `ints` is the vector of integers that has the shape of a. gcc 12 makes one instruction of it only
 * when it is written as a shuffle, gcc 11 only when it is written lane by lane. */
#if defined(__clang__) || __GNUC__ >= 12
#define CLEAVE_SHUFFLE(ints, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define CLEAVE_SHUFFLE(ints, a, b, ...) __builtin_shuffle(a, b, CLEAVE_LITERAL(ints, __VA_ARGS__))
#endif

/* Types that builtins for x86-64 take. */
typedef double cleave_v2df __attribute__((vector_size(16)));
typedef double cleave_v4df __attribute__((vector_size(32)));

/* CLEAVE_JOIN_4, CLEAVE_JOIN_8: two vectors of w8 as one of 4 or 8 lanes, on x86-64. Builtins
 * insert b from memory in one instruction that any unit runs. gcc loads b and shuffles where it
 * sees a shuffle, which takes the one unit that also transposes records: a flux took 1.07 times as
 * long. */
#if defined(__clang__)
#define CLEAVE_JOIN_4(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3)
#define CLEAVE_JOIN_8(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#elif __GNUC__ >= 12 && defined(__x86_64__)
#define CLEAVE_JOIN_4(a, b)                                                                        \
    ((cleave_w8x4)__builtin_ia32_vinsertf128_pd256(__builtin_ia32_pd256_pd((cleave_v2df)(a)),      \
                                                   (cleave_v2df)(b), 1))
#define CLEAVE_JOIN_8(a, b)                                                                        \
    ((cleave_w8x8)__builtin_ia32_insertf64x4_mask(                                                 \
        __builtin_ia32_pd512_256pd((cleave_v4df)(a)), (cleave_v4df)(b), 1,                         \
        __builtin_ia32_pd512_256pd((cleave_v4df)(a)), (signed char)-1))
#else
#define CLEAVE_JOIN_4(a, b) (CLEAVE_LITERAL(cleave_w8x4, (a)[0], (a)[1], (b)[0], (b)[1]))
#define CLEAVE_JOIN_8(a, b)                                                                        \
    (CLEAVE_LITERAL(cleave_w8x8, (a)[0], (a)[1], (a)[2], (a)[3], (b)[0], (b)[1], (b)[2], (b)[3]))
#endif

/* Vector a where `on` is -1, b where it is 0; `ints` is the vector of integers of their shape. */
#define CLEAVE_PICK(vector, ints, on, a, b)                                                        \
    (vector)(((ints)(on) & (ints)(a)) | (~(ints)(on) & (ints)(b)))

#define CLEAVE_PICK_ONE(type, ints, on, a, b) ((on) ? (a) : (b))

#endif
