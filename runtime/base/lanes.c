/* lanes.c: how many bytes the registers have with which variants compute several elements at once:
 * what CLEAVE_LANES asks for, or the most that this machine has. */
#include "runtime/base/settings.h"

/* The instructions that generated code is compiled with for each width: runtime/lanes/begin.h. */
#if defined(__x86_64__)
static int widest(void)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
        return 64;
    }
    return __builtin_cpu_supports("avx2") ? 32 : 16;
}
#else
static int widest(void)
{
    return 16;
}
#endif

int cleave_lane_bytes_of(int most)
{
    if (cleave_settings.lanes > most) {
        cleave_fatal("CLEAVE_LANES=%d: this machine has no registers of %d bytes that loops can "
                     "use (%s); set CLEAVE_LANES=%d or auto",
                     cleave_settings.lanes, cleave_settings.lanes,
                     cleave_settings.lanes == 64 ? "AVX-512 F, VL, DQ and BW" : "AVX2", most);
    }
    return cleave_settings.lanes == CLEAVE_LANES_AUTO ? most : cleave_settings.lanes;
}

int cleave_lane_bytes(void)
{
    return cleave_lane_bytes_of(widest());
}
