/* ranges.h: names for profilers, through NVTX where the toolkit had its headers when the runtime
 * was built. Without a profiler a name costs a comparison. */
#ifndef CLEAVE_CUDA_RANGES_H
#define CLEAVE_CUDA_RANGES_H

#ifdef CLEAVE_NVTX
#include <nvtx3/nvToolsExt.h>

static inline void range_begin(const char *name)
{
    nvtxRangePushA(name);
}

static inline void range_end(void)
{
    nvtxRangePop();
}
#else
static inline void range_begin(const char *name)
{
    (void)name;
}

static inline void range_end(void)
{
}
#endif

#endif
