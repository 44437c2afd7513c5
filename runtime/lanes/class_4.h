/* class_4.h: vectors of CLEAVE_LANES_OF_4 lanes, for loops without values of 8 bytes. */
#define CLEAVE_MASK_TYPE i32
#define CLEAVE_MASK_BITS cleave_bits_of_4
#define CLEAVE_ROOT_F32 cleave_root_f32
#include "masks.h"
#include CLEAVE_SHAPE_4_OF_4

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
#include "functions.h"

#undef CLEAVE_MASK_TYPE
#undef CLEAVE_MASK_BITS
#undef CLEAVE_ROOT_F32
