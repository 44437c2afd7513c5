/* pass.h: one pass over CLEAVE_TEST_BODY, which defines TEST_NAME(test) for CLEAVE_LANES lanes.
 * TEST_CLASS is 8 or 4. */
#include "lanes/begin.h"

#define TEST_PASTE_NAME(name, lanes, bytes) name##_##lanes##_##bytes
#define TEST_PASTE(name, lanes, bytes) TEST_PASTE_NAME(name, lanes, bytes)
#define TEST_NAME(name) TEST_PASTE(name, CLEAVE_LANES, CLEAVE_LANE_BYTES)

#define CLEAVE_LANES CLEAVE_LANES_OF_8
#define TEST_CLASS 8
#include CLEAVE_TEST_BODY
#undef TEST_CLASS
#undef CLEAVE_LANES

#define CLEAVE_LANES CLEAVE_LANES_OF_4
#define TEST_CLASS 4
#include CLEAVE_TEST_BODY
#undef TEST_CLASS
#undef CLEAVE_LANES

static void CLEAVE_LANE_NAME(test)(void)
{
    TEST_PASTE(test, CLEAVE_LANES_OF_8, CLEAVE_LANE_BYTES)();
    TEST_PASTE(test, CLEAVE_LANES_OF_4, CLEAVE_LANE_BYTES)();
}

#undef TEST_NAME
#undef TEST_PASTE
#undef TEST_PASTE_NAME
#include "lanes/end.h"
