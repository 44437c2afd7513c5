/* narrow.h: values of one and two bytes, which C computes with as ints. Included once for each
 * class of a pass. Vectors of them are CLEAVE_V(i32); CLEAVE_V(narrow_i8)(v) is C's conversion to
 * the type and back. */
#ifdef __cplusplus
#define CLEAVE_BOOL bool
#else
#define CLEAVE_BOOL _Bool
#endif

#define CLEAVE_TYPE c8
#define CLEAVE_SCALAR char
#include "narrow_type.h"
#define CLEAVE_TYPE i8
#define CLEAVE_SCALAR signed char
#include "narrow_type.h"
#define CLEAVE_TYPE u8
#define CLEAVE_SCALAR unsigned char
#include "narrow_type.h"
#define CLEAVE_TYPE i16
#define CLEAVE_SCALAR short
#include "narrow_type.h"
#define CLEAVE_TYPE u16
#define CLEAVE_SCALAR unsigned short
#include "narrow_type.h"
#define CLEAVE_TYPE b8
#define CLEAVE_SCALAR CLEAVE_BOOL
#include "narrow_type.h"

#undef CLEAVE_BOOL
