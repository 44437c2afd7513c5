/* width_64.h: vectors of 64 bytes, AVX-512: a row of the table of widths (see width_16.h).
 *
 * Tests of masks and roots work on halves: a root of 64 bytes takes as long as two of 32.
 */
#define CLEAVE_LANES_OF_8 8
#define CLEAVE_LANES_OF_4 16
#define CLEAVE_SHAPE_8_OF_8 "shape_8x8.h"
#define CLEAVE_SHAPE_4_OF_8 "shape_4x8.h"
#define CLEAVE_SHAPE_4_OF_4 "shape_4x16.h"

#include "avx2.h"

CLEAVE_LANE_INLINE cleave_w8x4 CLEAVE_LANE_NAME(cleave_low_half)(cleave_w8x8 v)
{
    return CLEAVE_LITERAL(cleave_w8x4, v[0], v[1], v[2], v[3]);
}

CLEAVE_LANE_INLINE cleave_w8x4 CLEAVE_LANE_NAME(cleave_high_half)(cleave_w8x8 v)
{
    return CLEAVE_LITERAL(cleave_w8x4, v[4], v[5], v[6], v[7]);
}

#define CLEAVE_LOW(type, v) ((type)CLEAVE_LANE_NAME(cleave_low_half)((cleave_w8x8)(v)))
#define CLEAVE_HIGH(type, v) ((type)CLEAVE_LANE_NAME(cleave_high_half)((cleave_w8x8)(v)))

CLEAVE_LANE_INLINE int CLEAVE_LANE_NAME(cleave_any_of)(cleave_i64x8 mask)
{
    return CLEAVE_AVX2_ANY(CLEAVE_LOW(cleave_i64x4, mask) | CLEAVE_HIGH(cleave_i64x4, mask));
}

CLEAVE_LANE_INLINE int CLEAVE_LANE_NAME(cleave_all_of)(cleave_i64x8 mask)
{
    return CLEAVE_AVX2_ALL(CLEAVE_LOW(cleave_i64x4, mask) & CLEAVE_HIGH(cleave_i64x4, mask));
}

CLEAVE_LANE_INLINE unsigned CLEAVE_LANE_NAME(cleave_bits_of_8)(cleave_i64x8 mask)
{
    return CLEAVE_AVX2_BITS_OF_8(CLEAVE_LOW(cleave_i64x4, mask)) |
           CLEAVE_AVX2_BITS_OF_8(CLEAVE_HIGH(cleave_i64x4, mask)) << 4;
}

CLEAVE_LANE_INLINE unsigned CLEAVE_LANE_NAME(cleave_bits_of_4)(cleave_i64x8 mask)
{
    return CLEAVE_AVX2_BITS_OF_4(CLEAVE_LOW(cleave_i64x4, mask)) |
           CLEAVE_AVX2_BITS_OF_4(CLEAVE_HIGH(cleave_i64x4, mask)) << 8;
}

CLEAVE_LANE_INLINE cleave_f64x8 CLEAVE_LANE_NAME(cleave_root_f64)(cleave_f64x8 v)
{
    return (cleave_f64x8)CLEAVE_JOIN_8(
        (cleave_w8x4)CLEAVE_AVX2_ROOT_F64(CLEAVE_LOW(cleave_f64x4, v)),
        (cleave_w8x4)CLEAVE_AVX2_ROOT_F64(CLEAVE_HIGH(cleave_f64x4, v)));
}

CLEAVE_LANE_INLINE cleave_f32x8 CLEAVE_LANE_NAME(cleave_root_half_f32)(cleave_f32x8 v)
{
    return CLEAVE_AVX2_ROOT_F32(v);
}

CLEAVE_LANE_INLINE cleave_f32x16 CLEAVE_LANE_NAME(cleave_root_f32)(cleave_f32x16 v)
{
    return (cleave_f32x16)CLEAVE_JOIN_8(
        (cleave_w8x4)CLEAVE_AVX2_ROOT_F32(CLEAVE_LOW(cleave_f32x8, v)),
        (cleave_w8x4)CLEAVE_AVX2_ROOT_F32(CLEAVE_HIGH(cleave_f32x8, v)));
}

#undef CLEAVE_LOW
#undef CLEAVE_HIGH
