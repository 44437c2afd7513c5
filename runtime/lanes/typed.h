/* typed.h: all functions for vectors of one type, CLEAVE_TYPE. Included once for each type of a
 * class; CLEAVE_INT_TYPE is the integer type that compares of it give, CLEAVE_WORD its words. */
#define CLEAVE_TYPED_NAME(name, type, lanes, bytes) cleave_##name##_##type##_##lanes##_##bytes
#define CLEAVE_TYPED(name, type, lanes, bytes) CLEAVE_TYPED_NAME(name, type, lanes, bytes)
/* CLEAVE_T(load) in the pass of f64 is CLEAVE_V(load_f64), CLEAVE_W(load4) the shape's load4_w8. */
#define CLEAVE_T(name) CLEAVE_TYPED(name, CLEAVE_TYPE, CLEAVE_LANES, CLEAVE_LANE_BYTES)
#define CLEAVE_W(name) CLEAVE_TYPED(name, CLEAVE_WORD, CLEAVE_LANES, CLEAVE_LANE_BYTES)
#define CLEAVE_VECTOR CLEAVE_VECTOR_OF(CLEAVE_TYPE, CLEAVE_LANES)
#define CLEAVE_INTS CLEAVE_VECTOR_OF(CLEAVE_INT_TYPE, CLEAVE_LANES)
#define CLEAVE_WORDS CLEAVE_VECTOR_OF(CLEAVE_WORD, CLEAVE_LANES)
#define CLEAVE_SCALAR CLEAVE_BY_LANES_OF(cleave_, CLEAVE_TYPE)
/* A piece of n components of one record, the integers of its shape, and either in memory. */
#define CLEAVE_PART(n) CLEAVE_VECTOR_OF(CLEAVE_TYPE, n)
#define CLEAVE_PART_INTS(n) CLEAVE_VECTOR_OF(CLEAVE_INT_TYPE, n)
#define CLEAVE_MEMORY(type) CLEAVE_BY_LANES_OF(type, _memory)

#include "values.h"
#include "pieces.h"
#include CLEAVE_PIECES
#include "records.h"
#include "rows.h"
#include "slots.h"

#undef CLEAVE_TYPED_NAME
#undef CLEAVE_TYPED
#undef CLEAVE_T
#undef CLEAVE_W
#undef CLEAVE_VECTOR
#undef CLEAVE_INTS
#undef CLEAVE_WORDS
#undef CLEAVE_PART
#undef CLEAVE_PART_INTS
#undef CLEAVE_MEMORY
#undef CLEAVE_SCALAR
#undef CLEAVE_TYPE
