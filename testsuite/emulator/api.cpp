/* api.cpp: the CUDA runtime API of include/cuda_runtime_api.h: memory, copies, streams, events,
 * errors.
 *
 * Device memory is a table of host blocks: a copy's device side must lie inside one of them, and
 * its host side outside all of them, as on a machine where host code cannot see the device's
 * memory.
 */
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <map>
#include <set>
#include "emulator.h"

struct CUstream_st {
    unsigned flags;
};

struct CUmemPoolHandle_st {
    uint64_t threshold; /* bytes that it keeps when they are released */
    size_t kept;
    size_t used;
};

struct CUevent_st {
    double seconds; /* when it was recorded; negative: never */
};

namespace cleave_emulator
{
namespace
{
constexpr size_t MEMORY_DEFAULT = (size_t)16 << 30;
constexpr size_t MEMORY_ALIGNMENT = 256;

/* Begin and size of each live allocation. The tables are never destroyed: programs may call the API
 * while they exit, and what they leave allocated is the device's, not a leak. */
std::map<const char *, size_t> &allocations()
{
    static auto &table = *new std::map<const char *, size_t>;
    return table;
}

std::set<void *> &streams()
{
    static auto &table = *new std::set<void *>;
    return table;
}

cudaError_t last_error = cudaSuccess;
size_t used;
CUmemPoolHandle_st pool;
std::set<void *> &pooled()
{
    static auto &table = *new std::set<void *>;
    return table;
}

size_t number_setting(const char *name, size_t otherwise)
{
    const char *text = getenv(name);
    if (text == nullptr || *text == '\0') {
        return otherwise;
    }
    char *end = nullptr;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0') {
        stop_setting(name, text, "a number");
    }
    return (size_t)value;
}

/* Read at each use, so that a program can change it on its way. */
size_t memory_limit()
{
    return number_setting("CLEAVE_EMU_MEMORY", MEMORY_DEFAULT);
}

bool have_device()
{
    return number_setting("CLEAVE_EMU_DEVICES", 1) > 0;
}

bool have_pools()
{
    return number_setting("CLEAVE_EMU_POOLS", 1) > 0;
}

double seconds_now()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum region { REGION_HOST, REGION_DEVICE, REGION_BROKEN };

/* Finds the allocation of a range; a range that is only partly inside one is an error. */
enum region region_of(const void *memory, size_t bytes)
{
    const char *begin = (const char *)memory;
    auto next = allocations().upper_bound(begin);
    if (next != allocations().begin()) {
        auto here = std::prev(next);
        const char *end = here->first + here->second;
        if (begin < end) {
            return bytes <= (size_t)(end - begin) ? REGION_DEVICE : REGION_BROKEN;
        }
    }
    bool reaches_next = next != allocations().end() && begin + bytes > next->first;
    return reaches_next ? REGION_BROKEN : REGION_HOST;
}

bool fits(enum region to, enum region from, enum cudaMemcpyKind kind)
{
    switch (kind) {
    case cudaMemcpyHostToHost:
        return to == REGION_HOST && from == REGION_HOST;
    case cudaMemcpyHostToDevice:
        return to == REGION_DEVICE && from == REGION_HOST;
    case cudaMemcpyDeviceToHost:
        return to == REGION_HOST && from == REGION_DEVICE;
    case cudaMemcpyDeviceToDevice:
        return to == REGION_DEVICE && from == REGION_DEVICE;
    case cudaMemcpyDefault:
        return to != REGION_BROKEN && from != REGION_BROKEN;
    }
    return false;
}

const struct {
    cudaError_t error;
    const char *name;
    const char *text;
} ERRORS[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
};
} // namespace

cudaError_t fail(cudaError_t error)
{
    if (error != cudaSuccess) {
        last_error = error;
    }
    return error;
}

bool stream_exists(void *stream)
{
    return stream == nullptr || streams().count(stream) > 0;
}

bool is_device_memory(const void *memory)
{
    return region_of(memory, 1) == REGION_DEVICE;
}

/* The stream takes what is no launch. */
static cudaError_t usable(void *stream)
{
    return !stream_exists(stream)   ? cudaErrorInvalidResourceHandle
           : graph_captures(stream) ? cudaErrorStreamCaptureUnsupported
                                    : cudaSuccess;
}

void constant_set(void *symbol, size_t capacity, const void *value, size_t bytes)
{
    if (bytes > capacity) {
        fail(cudaErrorInvalidValue);
        return;
    }
    memcpy(symbol, value, bytes);
}
} // namespace cleave_emulator

using namespace cleave_emulator;

/* ---- device ---------------------------------------------------------------------------------- */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = have_device() ? 1 : 0;
    return fail(*count > 0 ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return fail(have_device() ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaSetDevice(int device)
{
    return fail(have_device() && device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    if (!have_device() || device != 0) {
        return fail(cudaErrorInvalidDevice);
    }
    *properties = cudaDeviceProp();
    strcpy(properties->name, "cleave emulator");
    properties->totalGlobalMem = memory_limit();
    properties->sharedMemPerBlock = 48 * 1024;
    properties->sharedMemPerBlockOptin = MAX_SHARED;
    properties->warpSize = WARP;
    properties->maxThreadsPerBlock = MAX_THREADS;
    properties->multiProcessorCount = 1;
    properties->major = 9;
    properties->minor = 0;
    properties->sharedMemPerMultiprocessor = MAX_SHARED;
    properties->maxThreadsPerMultiProcessor = MAX_THREADS;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *)
{
    struct cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    if (error == cudaSuccess) {
        *attributes = {properties.maxThreadsPerBlock, 0, 0, 0};
    }
    return error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int threads,
                                                          size_t shared_bytes)
{
    struct cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    if (error == cudaSuccess) {
        *blocks = threads <= properties.maxThreadsPerBlock && shared_bytes <= MAX_SHARED;
    }
    return error;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    struct cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error != cudaSuccess) {
        return error;
    }
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        *value = properties.maxThreadsPerBlock;
        return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = (int)properties.sharedMemPerBlock;
        return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = (int)properties.sharedMemPerBlockOptin;
        return cudaSuccess;
    case cudaDevAttrWarpSize:
        *value = properties.warpSize;
        return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
        *value = properties.multiProcessorCount;
        return cudaSuccess;
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate:
        *value = 1000000;
        return cudaSuccess;
    case cudaDevAttrL2CacheSize:
        *value = 60 << 20;
        return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
        *value = properties.major;
        return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
        *value = properties.minor;
        return cudaSuccess;
    case cudaDevAttrMemoryPoolsSupported:
        *value = have_pools();
        return cudaSuccess;
    }
    return fail(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    *total = memory_limit();
    *available = used + pool.kept < *total ? *total - used - pool.kept : 0;
    return cudaSuccess;
}

/* ---- errors ---------------------------------------------------------------------------------- */

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (const auto &row : ERRORS) {
        if (row.error == error) {
            return row.text;
        }
    }
    return "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (const auto &row : ERRORS) {
        if (row.error == error) {
            return row.name;
        }
    }
    return "unrecognized error code";
}

/* ---- memory ---------------------------------------------------------------------------------- */

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    size_t limit = memory_limit();
    *memory = nullptr;
    if (!have_device()) {
        return fail(cudaErrorNoDevice);
    }
    if (bytes == 0) {
        return cudaSuccess;
    }
    if (used + pool.kept > limit || bytes > limit - used - pool.kept ||
        posix_memalign(memory, MEMORY_ALIGNMENT, bytes) != 0) {
        *memory = nullptr;
        return fail(cudaErrorMemoryAllocation);
    }
    memset(*memory, POISON, bytes);
    allocations()[(const char *)*memory] = bytes;
    used += bytes;
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    if (memory == nullptr) {
        return cudaSuccess;
    }
    auto found = allocations().find((const char *)memory);
    if (found == allocations().end()) {
        return fail(cudaErrorInvalidValue);
    }
    used -= found->second;
    allocations().erase(found);
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    *memory = malloc(bytes > 0 ? bytes : 1);
    return fail(*memory != nullptr ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaFreeHost(void *memory)
{
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    if (bytes == 0) {
        return cudaSuccess;
    }
    if (!fits(region_of(to, bytes), region_of(from, bytes), kind)) {
        return fail(cudaErrorInvalidValue);
    }
    memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    if (usable(stream) != cudaSuccess) {
        return fail(usable(stream));
    }
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    if (bytes == 0) {
        return cudaSuccess;
    }
    if (region_of(memory, bytes) != REGION_DEVICE) {
        return fail(cudaErrorInvalidValue);
    }
    memset(memory, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    if (usable(stream) != cudaSuccess) {
        return fail(usable(stream));
    }
    return cudaMemset(memory, value, bytes);
}

/* ---- pools ----------------------------------------------------------------------------------- */

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *device_pool, int device)
{
    if (!have_device() || device != 0) {
        return fail(cudaErrorInvalidDevice);
    }
    *device_pool = &pool;
    return fail(have_pools() ? cudaSuccess : cudaErrorNotSupported);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t device_pool, enum cudaMemPoolAttr attribute,
                                    void *value)
{
    if (device_pool != &pool || attribute != cudaMemPoolAttrReleaseThreshold) {
        return fail(cudaErrorInvalidValue);
    }
    memcpy(&pool.threshold, value, sizeof(pool.threshold));
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t device_pool, enum cudaMemPoolAttr attribute,
                                    void *value)
{
    uint64_t bytes = 0;
    if (device_pool != &pool) {
        return fail(cudaErrorInvalidValue);
    }
    switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
        bytes = pool.threshold;
        break;
    case cudaMemPoolAttrReservedMemCurrent:
        bytes = pool.used + pool.kept;
        break;
    case cudaMemPoolAttrUsedMemCurrent:
        bytes = pool.used;
        break;
    }
    memcpy(value, &bytes, sizeof(bytes));
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t device_pool, size_t keep)
{
    if (device_pool != &pool) {
        return fail(cudaErrorInvalidValue);
    }
    pool.kept = pool.kept < keep ? pool.kept : keep;
    return cudaSuccess;
}

/* Memory of the pool is handed out in whole pieces or not at all. */
cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream)
{
    *memory = nullptr;
    if (!have_pools()) {
        return fail(cudaErrorNotSupported);
    }
    if (usable(stream) != cudaSuccess) {
        return fail(usable(stream));
    }
    size_t before = pool.kept;
    pool.kept -= bytes <= pool.kept ? bytes : 0;
    cudaError_t error = cudaMalloc(memory, bytes);
    if (error != cudaSuccess) {
        pool.kept = before;
        return error;
    }
    pool.used += bytes;
    pooled().insert(*memory);
    return cudaSuccess;
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    if (usable(stream) != cudaSuccess) {
        return fail(usable(stream));
    }
    auto found = allocations().find((const char *)memory);
    if (found == allocations().end() || pooled().erase(memory) == 0) {
        return fail(cudaErrorInvalidValue);
    }
    size_t bytes = found->second;
    pool.used -= bytes;
    pool.kept += pool.kept + bytes <= pool.threshold ? bytes : 0;
    return cudaFree(memory);
}

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
