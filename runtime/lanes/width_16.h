/* width_16.h: vectors of 16 bytes, on any machine: a row of the table of widths.
 *
 * A row says how many lanes the classes have and which shapes move their records, and has what
 * takes an instruction of its own: tests of masks, and roots. This one has no such instruction.
 */
#define CLEAVE_LANES_OF_8 2
#define CLEAVE_LANES_OF_4 4
#define CLEAVE_SHAPE_8_OF_8 "shape_8x2.h"
#define CLEAVE_SHAPE_4_OF_8 "shape_4x2.h"
#define CLEAVE_SHAPE_4_OF_4 "shape_4x4.h"

CLEAVE_LANE_INLINE int CLEAVE_LANE_NAME(cleave_any_of)(cleave_i64x2 mask)
{
    return (mask[0] | mask[1]) != 0;
}

CLEAVE_LANE_INLINE int CLEAVE_LANE_NAME(cleave_all_of)(cleave_i64x2 mask)
{
    return (mask[0] & mask[1]) == -1;
}

CLEAVE_LANE_INLINE unsigned CLEAVE_LANE_NAME(cleave_bits_of_8)(cleave_i64x2 mask)
{
    return (unsigned)((mask[0] & 1) | (mask[1] & 2));
}

CLEAVE_LANE_INLINE unsigned CLEAVE_LANE_NAME(cleave_bits_of_4)(cleave_i64x2 mask)
{
    const cleave_i32x4 m = (cleave_i32x4)mask;
    return (unsigned)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
}

CLEAVE_LANE_INLINE cleave_f64x2 CLEAVE_LANE_NAME(cleave_root_f64)(cleave_f64x2 v)
{
    return CLEAVE_LITERAL(cleave_f64x2, sqrt(v[0]), sqrt(v[1]));
}

CLEAVE_LANE_INLINE cleave_f32x2 CLEAVE_LANE_NAME(cleave_root_half_f32)(cleave_f32x2 v)
{
    return CLEAVE_LITERAL(cleave_f32x2, sqrtf(v[0]), sqrtf(v[1]));
}

CLEAVE_LANE_INLINE cleave_f32x4 CLEAVE_LANE_NAME(cleave_root_f32)(cleave_f32x4 v)
{
    return CLEAVE_LITERAL(cleave_f32x4, sqrtf(v[0]), sqrtf(v[1]), sqrtf(v[2]), sqrtf(v[3]));
}
