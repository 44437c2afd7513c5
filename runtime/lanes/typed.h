/* typed.h: all functions for vectors of one type, CLEAVE_TYPE. Included once for each type of a
 * class; CLEAVE_INT_TYPE is the integer type that compares of it give. */
#define CLEAVE_TYPED_NAME(name, type, lanes, bytes) cleave_##name##_##type##_##lanes##_##bytes
#define CLEAVE_TYPED(name, type, lanes, bytes) CLEAVE_TYPED_NAME(name, type, lanes, bytes)
/* CLEAVE_T(set) in the pass of f64 is CLEAVE_V(set_f64). */
#define CLEAVE_T(name) CLEAVE_TYPED(name, CLEAVE_TYPE, CLEAVE_LANES, CLEAVE_LANE_BYTES)
#define CLEAVE_VECTOR CLEAVE_VECTOR_OF(CLEAVE_TYPE, CLEAVE_LANES)
#define CLEAVE_INTS CLEAVE_VECTOR_OF(CLEAVE_INT_TYPE, CLEAVE_LANES)
#define CLEAVE_SCALAR CLEAVE_BY_LANES_OF(cleave_, CLEAVE_TYPE)

#include "values.h"

#undef CLEAVE_TYPED_NAME
#undef CLEAVE_TYPED
#undef CLEAVE_T
#undef CLEAVE_VECTOR
#undef CLEAVE_INTS
#undef CLEAVE_SCALAR
#undef CLEAVE_TYPE
