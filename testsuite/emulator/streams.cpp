/* streams.cpp: streams and events of the emulated device. All of its work is done when a call
 * returns, so that streams are always empty, but for launches that wait (late.cpp); their handles
 * are checked. */
#include <ctime>
#include <set>
#include "emulator.h"

struct CUstream_st {
    unsigned flags;
};

struct CUevent_st {
    double seconds; /* when it was recorded; negative: never */
};

namespace cleave_emulator
{
namespace
{
/* Never destroyed: programs may call the API while they exit. */
std::set<void *> &streams()
{
    static auto &table = *new std::set<void *>;
    return table;
}

double seconds_now()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
} // namespace

bool stream_exists(void *stream)
{
    return stream == nullptr || streams().count(stream) > 0;
}

cudaError_t usable(void *stream)
{
    late_run();
    return !stream_exists(stream)   ? cudaErrorInvalidResourceHandle
           : graph_captures(stream) ? cudaErrorStreamCaptureUnsupported
                                    : cudaSuccess;
}
} // namespace cleave_emulator

using namespace cleave_emulator;

/* ---- streams and events ---------------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    if (!have_device()) {
        return fail(cudaErrorNoDevice);
    }
    *stream = new CUstream_st{flags};
    streams().insert(*stream);
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (streams().erase(stream) == 0) {
        return fail(cudaErrorInvalidResourceHandle);
    }
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return fail(usable(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    late_run_one();
    if (late_waits()) {
        return fail(cudaErrorNotReady);
    }
    return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t, unsigned)
{
    return cudaStreamSynchronize(stream);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    *event = new CUevent_st{-1};
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    event->seconds = seconds_now();
    return cudaStreamSynchronize(stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t)
{
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    if (begin->seconds < 0 || end->seconds < 0) {
        return fail(cudaErrorInvalidResourceHandle);
    }
    *milliseconds = (float)((end->seconds - begin->seconds) * 1e3);
    return cudaSuccess;
}
