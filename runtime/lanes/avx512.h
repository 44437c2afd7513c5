/* avx512.h: instructions of AVX-512 on vectors of 64 bytes: tests of masks, and roots. Included
 * once, behind avx2.h. gcc tests the halves of a mask by six instructions if nobody names the one
 * that it takes, which made a flux with four extrema 1.1 times as long. Its builtins are those of
 * its own <immintrin.h>. clang has other builtins, and finds the instruction by itself.
 */
#ifndef CLEAVE_LANES_AVX512_H
#define CLEAVE_LANES_AVX512_H

#if defined(__clang__)
#define CLEAVE_LOW(type, v)                                                                        \
    ((type)__builtin_shufflevector((cleave_w8x8)(v), (cleave_w8x8)(v), 0, 1, 2, 3))
#define CLEAVE_HIGH(type, v)                                                                       \
    ((type)__builtin_shufflevector((cleave_w8x8)(v), (cleave_w8x8)(v), 4, 5, 6, 7))
#define CLEAVE_AVX512_ANY(m)                                                                       \
    CLEAVE_AVX2_ANY(CLEAVE_LOW(cleave_i64x4, m) | CLEAVE_HIGH(cleave_i64x4, m))
#define CLEAVE_AVX512_ALL(m)                                                                       \
    CLEAVE_AVX2_ALL(CLEAVE_LOW(cleave_i64x4, m) & CLEAVE_HIGH(cleave_i64x4, m))
#define CLEAVE_AVX512_BITS_OF_8(m)                                                                 \
    (CLEAVE_AVX2_BITS_OF_8(CLEAVE_LOW(cleave_i64x4, m)) |                                          \
     CLEAVE_AVX2_BITS_OF_8(CLEAVE_HIGH(cleave_i64x4, m)) << 4)
#define CLEAVE_AVX512_BITS_OF_4(m)                                                                 \
    (CLEAVE_AVX2_BITS_OF_4(CLEAVE_LOW(cleave_i64x4, m)) |                                          \
     CLEAVE_AVX2_BITS_OF_4(CLEAVE_HIGH(cleave_i64x4, m)) << 8)
#define CLEAVE_AVX512_ROOT(root, half, v)                                                          \
    CLEAVE_JOIN_8((cleave_w8x4)root(CLEAVE_LOW(half, v)), (cleave_w8x4)root(CLEAVE_HIGH(half, v)))
#define CLEAVE_AVX512_ROOT_F64(v) CLEAVE_AVX512_ROOT(CLEAVE_AVX2_ROOT_F64, cleave_f64x4, v)
#define CLEAVE_AVX512_ROOT_F32(v) CLEAVE_AVX512_ROOT(CLEAVE_AVX2_ROOT_F32, cleave_f32x8, v)
#else
typedef long long cleave_v8di __attribute__((vector_size(64)));
typedef int cleave_v16si __attribute__((vector_size(64)));

/* One bit for each of 8 or 16 lanes, all of which are wanted. */
#define CLEAVE_ALL_OF_8 ((unsigned char)-1)
#define CLEAVE_ALL_OF_16 ((unsigned short)-1)
#define CLEAVE_AVX512_ANY(m)                                                                       \
    (__builtin_ia32_ptestmq512((cleave_v8di)(m), (cleave_v8di)(m), CLEAVE_ALL_OF_8) != 0)
#define CLEAVE_AVX512_ALL(m) (!CLEAVE_AVX512_ANY(~(m)))
#define CLEAVE_AVX512_BITS_OF_8(m) ((unsigned)__builtin_ia32_cvtq2mask512((cleave_v8di)(m)))
#define CLEAVE_AVX512_BITS_OF_4(m) ((unsigned)__builtin_ia32_cvtd2mask512((cleave_v16si)(m)))
/* 4: rounded as the thread rounds. */
#define CLEAVE_AVX512_ROOT_F64(v) __builtin_ia32_sqrtpd512_mask(v, v, CLEAVE_ALL_OF_8, 4)
#define CLEAVE_AVX512_ROOT_F32(v) __builtin_ia32_sqrtps512_mask(v, v, CLEAVE_ALL_OF_16, 4)
#endif

#endif
