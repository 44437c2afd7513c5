/* api.cpp: the CUDA runtime API of include/cuda_runtime_api.h: the device, its properties, errors.
 * memory.cpp has its memory, streams.cpp streams and events. */
#include <cstdlib>
#include <map>
#include <mutex>
#include "emulator.h"

namespace cleave_emulator
{
namespace
{
constexpr size_t MEMORY_DEFAULT = (size_t)16 << 30;
thread_local cudaError_t last_error = cudaSuccess; /* as with CUDA */

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

bool is_late()
{
    return number_setting("CLEAVE_EMU_LATE", 0) > 0;
}

cudaError_t fail(cudaError_t error)
{
    if (error != cudaSuccess) {
        last_error = error;
    }
    return error;
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

/* Bytes of dynamic shared memory that a kernel may have: the default until it is raised. */
static std::map<const void *, int> allowed;
static std::mutex allowed_lock;

static int allowed_for(const void *kernel, const struct cudaDeviceProp &properties)
{
    const std::lock_guard<std::mutex> hold(allowed_lock);
    const auto found = allowed.find(kernel);
    return found != allowed.end() ? found->second : (int)properties.sharedMemPerBlock;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    struct cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    if (error == cudaSuccess) {
        *attributes = {properties.maxThreadsPerBlock, 0, 0, 0, allowed_for(kernel, properties)};
    }
    return error;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value)
{
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        (size_t)value > MAX_SHARED) {
        return fail(cudaErrorInvalidValue);
    }
    const std::lock_guard<std::mutex> hold(allowed_lock);
    allowed[kernel] = value;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                          int threads, size_t shared_bytes)
{
    struct cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    if (error == cudaSuccess) {
        *blocks = threads <= properties.maxThreadsPerBlock &&
                  shared_bytes <= (size_t)allowed_for(kernel, properties);
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
    late_run();
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
