/* cuda_target.c: an NVIDIA GPU as a target (target.h), through the CUDA runtime API.
 *
 * One stream carries all launches and copies, so that they happen in order. It synchronises with
 * the default stream, on which generated code sets its constants. Every call is checked; the cause
 * of the last failure is kept as text, and taken out of CUDA's own error state lest it is reported
 * again. The tests build this file a second time, against the emulator's cuda_runtime_api.h.
 */
#include <cuda_runtime_api.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "target.h"

/* Downloads up to this size, such as results of reductions, go through pinned memory. */
#define PINNED_BYTES ((size_t)64 * 1024)

static struct {
    cudaStream_t stream;
    cudaEvent_t mark[2];
    void *pinned; /* PINNED_BYTES, or NULL: then copies do without */
    size_t shared_limit;
    char device[256];
    char error[512];
} cuda = {.error = "no error"};

static int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cuda.error, sizeof(cuda.error), format, arguments);
    va_end(arguments);
    return -1;
}

/* Turns a failed call into a text; `call` is the function's name. */
static int checked(cudaError_t error, const char *call)
{
    if (error == cudaSuccess) {
        return 0;
    }
    cudaGetLastError();
    return fail("%s: %s (%s)", call, cudaGetErrorString(error), cudaGetErrorName(error));
}

#define TRY(function, ...)                                                                         \
    do {                                                                                           \
        if (checked(function(__VA_ARGS__), #function) != 0) {                                      \
            return -1;                                                                             \
        }                                                                                          \
    } while (0)

/* ---- start and stop -------------------------------------------------------------------------- */

static int find_device(void)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return fail("no CUDA device: %s", cudaGetErrorString(error));
    }
    return count > 0 ? 0 : fail("no CUDA device: the driver finds none");
}

static int read_properties(void)
{
    int device = 0;
    int shared = 0;
    struct cudaDeviceProp properties;
    TRY(cudaGetDevice, &device);
    TRY(cudaGetDeviceProperties, &properties, device);
    TRY(cudaDeviceGetAttribute, &shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    cuda.shared_limit = (size_t)shared;
    snprintf(cuda.device, sizeof(cuda.device), "%.*s", (int)sizeof(cuda.device) - 1,
             properties.name);
    return 0;
}

static void stop(void)
{
    for (int i = 0; i < 2; i++) {
        if (cuda.mark[i] != NULL) {
            checked(cudaEventDestroy(cuda.mark[i]), "cudaEventDestroy");
        }
        cuda.mark[i] = NULL;
    }
    if (cuda.pinned != NULL) {
        checked(cudaFreeHost(cuda.pinned), "cudaFreeHost");
    }
    cuda.pinned = NULL;
    if (cuda.stream != NULL) {
        checked(cudaStreamDestroy(cuda.stream), "cudaStreamDestroy");
    }
    cuda.stream = NULL;
}

static int make_resources(void)
{
    TRY(cudaStreamCreate, &cuda.stream);
    TRY(cudaEventCreate, &cuda.mark[0]);
    TRY(cudaEventCreate, &cuda.mark[1]);
    if (cudaMallocHost(&cuda.pinned, PINNED_BYTES) != cudaSuccess) {
        cudaGetLastError();
        cuda.pinned = NULL;
    }
    return 0;
}

static int start(void)
{
    if (find_device() != 0 || read_properties() != 0) {
        return -1;
    }
    if (make_resources() != 0) {
        char cause[sizeof(cuda.error)];
        memcpy(cause, cuda.error, sizeof(cause));
        stop();
        memcpy(cuda.error, cause, sizeof(cause));
        return -1;
    }
    return 0;
}

static const char *device(void)
{
    return cuda.device;
}

static size_t shared_limit(void)
{
    return cuda.shared_limit;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void *alloc(size_t bytes)
{
    void *memory = NULL;
    return checked(cudaMalloc(&memory, bytes), "cudaMalloc") == 0 ? memory : NULL;
}

static void release(void *memory)
{
    if (memory == NULL) {
        return;
    }
    checked(cudaStreamSynchronize(cuda.stream), "cudaStreamSynchronize");
    checked(cudaFree(memory), "cudaFree");
}

static size_t available(void)
{
    size_t bytes = 0;
    size_t total = 0;
    return checked(cudaMemGetInfo(&bytes, &total), "cudaMemGetInfo") == 0 ? bytes : 0;
}

static int upload(void *to, const void *from, size_t bytes)
{
    TRY(cudaMemcpyAsync, to, from, bytes, cudaMemcpyHostToDevice, cuda.stream);
    TRY(cudaStreamSynchronize, cuda.stream);
    return 0;
}

static int download(void *to, const void *from, size_t bytes)
{
    bool pinned = cuda.pinned != NULL && bytes <= PINNED_BYTES;
    void *landing = pinned ? cuda.pinned : to;
    TRY(cudaMemcpyAsync, landing, from, bytes, cudaMemcpyDeviceToHost, cuda.stream);
    TRY(cudaStreamSynchronize, cuda.stream);
    if (pinned) {
        memcpy(to, landing, bytes);
    }
    return 0;
}

/* ---- launches -------------------------------------------------------------------------------- */

static int wait_all(void)
{
    TRY(cudaStreamSynchronize, cuda.stream);
    return 0;
}

static int launched(void)
{
    return checked(cudaGetLastError(), "kernel launch");
}

static const char *last_error(void)
{
    return cuda.error;
}

static void *stream(void)
{
    return cuda.stream;
}

static void mark(int slot)
{
    checked(cudaEventRecord(cuda.mark[slot], cuda.stream), "cudaEventRecord");
}

static double elapsed(void)
{
    float milliseconds = 0;
    if (checked(cudaEventSynchronize(cuda.mark[1]), "cudaEventSynchronize") != 0 ||
        checked(cudaEventElapsedTime(&milliseconds, cuda.mark[0], cuda.mark[1]),
                "cudaEventElapsedTime") != 0) {
        return 0;
    }
    return 1e-3 * milliseconds;
}

static const struct target_ops cuda_target = {
    .target = CLEAVE_TARGET_CUDA,
    .start = start,
    .stop = stop,
    .device = device,
    .shared_limit = shared_limit,
    .alloc = alloc,
    .release = release,
    .available = available,
    .upload = upload,
    .download = download,
    .wait = wait_all,
    .launched = launched,
    .last_error = last_error,
    .stream = stream,
    .mark = mark,
    .elapsed = elapsed,
};

void cleave_register_cuda(const struct cleave_unit *unit)
{
    static bool provided;
    if (!provided) {
        provided = true;
        target_provide(&cuda_target);
    }
    cleave_register(unit);
}
