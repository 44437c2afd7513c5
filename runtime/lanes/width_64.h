/* width_64.h: vectors of 64 bytes, AVX-512: a row of the table of widths (see width_16.h). */
#define CLEAVE_LANES_OF_8 8
#define CLEAVE_LANES_OF_4 16
#define CLEAVE_SHAPE_8_OF_8 "shape_8x8.h"
#define CLEAVE_SHAPE_4_OF_8 "shape_4x8.h"
#define CLEAVE_SHAPE_4_OF_4 "shape_4x16.h"

#include "avx2.h"
#include "avx512.h"

CLEAVE_LANE_INLINE int CLEAVE_LANE_NAME(cleave_any_of)(cleave_i64x8 mask)
{
    return CLEAVE_AVX512_ANY(mask);
}

CLEAVE_LANE_INLINE int CLEAVE_LANE_NAME(cleave_all_of)(cleave_i64x8 mask)
{
    return CLEAVE_AVX512_ALL(mask);
}

CLEAVE_LANE_INLINE unsigned CLEAVE_LANE_NAME(cleave_bits_of_8)(cleave_i64x8 mask)
{
    return CLEAVE_AVX512_BITS_OF_8(mask);
}

CLEAVE_LANE_INLINE unsigned CLEAVE_LANE_NAME(cleave_bits_of_4)(cleave_i64x8 mask)
{
    return CLEAVE_AVX512_BITS_OF_4(mask);
}

CLEAVE_LANE_INLINE cleave_f64x8 CLEAVE_LANE_NAME(cleave_root_f64)(cleave_f64x8 v)
{
    return (cleave_f64x8)CLEAVE_AVX512_ROOT_F64(v);
}

CLEAVE_LANE_INLINE cleave_f32x8 CLEAVE_LANE_NAME(cleave_root_half_f32)(cleave_f32x8 v)
{
    return CLEAVE_AVX2_ROOT_F32(v);
}

CLEAVE_LANE_INLINE cleave_f32x16 CLEAVE_LANE_NAME(cleave_root_f32)(cleave_f32x16 v)
{
    return (cleave_f32x16)CLEAVE_AVX512_ROOT_F32(v);
}
