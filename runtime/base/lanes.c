/* lanes.c: how many bytes the registers have with which variants compute several elements at once:
 * what CLEAVE_LANES asks for, or the most that this machine has and the program is compiled for. */
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

void cleave_lanes_check(int most)
{
    if (cleave_settings.lanes > most) {
        cleave_fatal("CLEAVE_LANES=%d: this machine has no registers of %d bytes that loops can "
                     "use (%s); set CLEAVE_LANES=%d or auto",
                     cleave_settings.lanes, cleave_settings.lanes,
                     cleave_settings.lanes == 64 ? "AVX-512 F, VL, DQ and BW" : "AVX2", most);
    }
}

int cleave_lanes_most(void)
{
    static int most; /* threads that find it at the same time find the same */
    most = most != 0 ? most : widest();
    return most;
}

int cleave_lane_bytes(int widths, int most)
{
    int bytes = cleave_settings.lanes == CLEAVE_LANES_AUTO ? most : cleave_settings.lanes;
    while (cleave_settings.lanes == CLEAVE_LANES_AUTO && bytes > 0 && (widths & bytes) == 0) {
        bytes = bytes > 16 ? bytes / 2 : 0;
    }
    return widths & bytes;
}
