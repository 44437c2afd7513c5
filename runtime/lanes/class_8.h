/* class_8.h: vectors of CLEAVE_LANES_OF_8 lanes, for loops with values of 8 bytes. Their masks are
 * of 8 bytes a lane; values of 4 bytes fill half a register. */
#define CLEAVE_MASK_TYPE i64
#define CLEAVE_MASK_BITS cleave_bits_of_8
#define CLEAVE_ROOT_F32 cleave_root_half_f32
#include "masks.h"
#include CLEAVE_SHAPE_8_OF_8
#include CLEAVE_SHAPE_4_OF_8

#define CLEAVE_INT_TYPE i64
#define CLEAVE_TYPE f64
#include "typed.h"
#define CLEAVE_TYPE i64
#include "typed.h"
#define CLEAVE_TYPE u64
#include "typed.h"
#undef CLEAVE_INT_TYPE

#define CLEAVE_INT_TYPE i32
#define CLEAVE_TYPE f32
#include "typed.h"
#define CLEAVE_TYPE i32
#include "typed.h"
#define CLEAVE_TYPE u32
#include "typed.h"
#undef CLEAVE_INT_TYPE

#include "narrow.h"
#include "convert.h"
#include "convert_8.h"
#include "functions.h"
#include "functions_8.h"

#undef CLEAVE_MASK_TYPE
#undef CLEAVE_MASK_BITS
#undef CLEAVE_ROOT_F32
