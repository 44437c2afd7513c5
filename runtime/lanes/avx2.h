/* avx2.h: instructions of AVX2 on vectors of 32 bytes. Included once.
 *
 * They are the compilers' documented builtins: <immintrin.h> alone would take as long to compile as
 * the generated file of a small program.
 */
#ifndef CLEAVE_LANES_AVX2_H
#define CLEAVE_LANES_AVX2_H

typedef long long cleave_v4di __attribute__((vector_size(32)));
typedef float cleave_v8sf __attribute__((vector_size(32)));

#define CLEAVE_AVX2_ANY(m) (!__builtin_ia32_ptestz256((cleave_v4di)(m), (cleave_v4di)(m)))
#define CLEAVE_AVX2_ALL(m)                                                                         \
    __builtin_ia32_ptestc256((cleave_v4di)(m), CLEAVE_LITERAL(cleave_v4di, -1, -1, -1, -1))
#define CLEAVE_AVX2_BITS_OF_8(m) ((unsigned)__builtin_ia32_movmskpd256((cleave_v4df)(m)))
#define CLEAVE_AVX2_BITS_OF_4(m) ((unsigned)__builtin_ia32_movmskps256((cleave_v8sf)(m)))

#if defined(__clang__) && __has_builtin(__builtin_elementwise_sqrt)
#define CLEAVE_AVX2_ROOT_F64(v) __builtin_elementwise_sqrt(v)
#define CLEAVE_AVX2_ROOT_F32(v) __builtin_elementwise_sqrt(v)
#define CLEAVE_AVX2_ROOT_HALF_F32(v) __builtin_elementwise_sqrt(v)
#else
#define CLEAVE_AVX2_ROOT_F64(v) __builtin_ia32_sqrtpd256(v)
#define CLEAVE_AVX2_ROOT_F32(v) __builtin_ia32_sqrtps256(v)
#define CLEAVE_AVX2_ROOT_HALF_F32(v) __builtin_ia32_sqrtps(v)
#endif

#endif
