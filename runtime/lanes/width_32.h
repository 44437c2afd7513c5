/* width_32.h: vectors of 32 bytes, AVX2: a row of the table of widths (see width_16.h).
 *
 * The instructions are reached by the compilers' documented builtins: <immintrin.h> alone would
 * take as long to compile as a small program's generated file.
 */
#define CLEAVE_LANES_OF_8 4
#define CLEAVE_LANES_OF_4 8
#define CLEAVE_SHAPE_8_OF_8 "shape_8x4.h"
#define CLEAVE_SHAPE_4_OF_8 "shape_4x4.h"
#define CLEAVE_SHAPE_4_OF_4 "shape_4x8.h"

#include "avx2.h"

CLEAVE_LANE_INLINE int CLEAVE_LANE_NAME(cleave_any_of)(cleave_i64x4 mask)
{
    return CLEAVE_AVX2_ANY(mask);
}

CLEAVE_LANE_INLINE int CLEAVE_LANE_NAME(cleave_all_of)(cleave_i64x4 mask)
{
    return CLEAVE_AVX2_ALL(mask);
}

CLEAVE_LANE_INLINE unsigned CLEAVE_LANE_NAME(cleave_bits_of_8)(cleave_i64x4 mask)
{
    return CLEAVE_AVX2_BITS_OF_8(mask);
}

CLEAVE_LANE_INLINE unsigned CLEAVE_LANE_NAME(cleave_bits_of_4)(cleave_i64x4 mask)
{
    return CLEAVE_AVX2_BITS_OF_4(mask);
}

CLEAVE_LANE_INLINE cleave_f64x4 CLEAVE_LANE_NAME(cleave_root_f64)(cleave_f64x4 v)
{
    return CLEAVE_AVX2_ROOT_F64(v);
}

CLEAVE_LANE_INLINE cleave_f32x4 CLEAVE_LANE_NAME(cleave_root_half_f32)(cleave_f32x4 v)
{
    return CLEAVE_AVX2_ROOT_HALF_F32(v);
}

CLEAVE_LANE_INLINE cleave_f32x8 CLEAVE_LANE_NAME(cleave_root_f32)(cleave_f32x8 v)
{
    return CLEAVE_AVX2_ROOT_F32(v);
}
