/* passes.h: includes CLEAVE_TEST_BODY, the name of a file, once for each width that the compiler
 * has and in each for both classes of loops. run_passes calls the tests in it in the widths that
 * this machine has. */
#include "lanes/launch.h"

#if CLEAVE_LANE_WIDEST >= 64 && !defined(TEST_NARROWEST)
#define TEST_WIDE
#endif

#define CLEAVE_LANE_BYTES 16
#include "pass.h"
#ifdef TEST_WIDE
#define CLEAVE_LANE_BYTES 32
#include "pass.h"
#define CLEAVE_LANE_BYTES 64
#include "pass.h"
#endif

static void run_passes(void)
{
    test_16();
#ifdef TEST_WIDE
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) {
        test_32();
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
        test_64();
    }
#endif
}
