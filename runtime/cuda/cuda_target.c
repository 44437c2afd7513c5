/* cuda_target.c: an NVIDIA GPU as a target (target.h), through the CUDA runtime API: start and
 * stop, errors, waiting and times. Memory is cuda_memory.c's, copies are cuda_transfer.c's.
 *
 * One stream carries all launches and copies, so that they happen in order. It synchronises with
 * the default stream, on which generated code sets its constants. Every call is checked; the cause
 * of the last failure is kept as text, and taken out of CUDA's own error state lest it is reported
 * again. The tests build these files a second time, against the emulator's cuda_runtime_api.h.
 */
#include "cuda_impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "ranges.h"

cudaStream_t cleave_cuda_stream;

static struct {
    cudaEvent_t mark[TARGET_MARKS];
    size_t shared_limit;
    struct target_properties properties;
    int number; /* of the device */
    char device[256];
    char error[512];
} cuda = {.error = "no error"};

int cleave_cuda_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cuda.error, sizeof(cuda.error), format, arguments);
    va_end(arguments);
    return -1;
}

int cleave_cuda_checked(cudaError_t error, const char *call)
{
    if (error == cudaSuccess) {
        return 0;
    }
    cudaGetLastError();
    return cleave_cuda_fail("%s: %s (%s)", call, cudaGetErrorString(error),
                            cudaGetErrorName(error));
}

/* ---- start and stop -------------------------------------------------------------------------- */

static int find_device(void)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return cleave_cuda_fail("no CUDA device: %s", cudaGetErrorString(error));
    }
    return count > 0 ? 0 : cleave_cuda_fail("no CUDA device: the driver finds none");
}

static int attribute(enum cudaDeviceAttr which)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, cuda.number) != cudaSuccess) {
        cudaGetLastError(); /* unknown */
        value = 0;
    }
    return value;
}

static int read_properties(void)
{
    int shared = 0;
    struct cudaDeviceProp properties;
    CUDA_TRY(cudaGetDevice, &cuda.number);
    CUDA_TRY(cudaGetDeviceProperties, &properties, cuda.number);
    CUDA_TRY(cudaDeviceGetAttribute, &shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, cuda.number);
    cuda.shared_limit = (size_t)shared;
    cuda.properties =
        (struct target_properties){.multiprocessors = properties.multiProcessorCount,
                                   .memory_bytes = properties.totalGlobalMem,
                                   .l2_bytes = (size_t)properties.l2CacheSize,
                                   .shared_bytes = properties.sharedMemPerMultiprocessor,
                                   .registers = properties.regsPerMultiprocessor,
                                   .threads = properties.maxThreadsPerMultiProcessor};
    cuda.properties.clock = attribute(cudaDevAttrClockRate);
    cuda.properties.memory_clock = attribute(cudaDevAttrMemoryClockRate);
    snprintf(cuda.properties.capability, sizeof(cuda.properties.capability), "%d.%d",
             properties.major, properties.minor);
    snprintf(cuda.device, sizeof(cuda.device), "%.*s", (int)sizeof(cuda.device) - 1,
             properties.name);
    return 0;
}

static void free_resources(void)
{
    for (int i = 0; i < TARGET_MARKS; i++) {
        if (cuda.mark[i] != NULL) {
            cleave_cuda_checked(cudaEventDestroy(cuda.mark[i]), "cudaEventDestroy");
        }
        cuda.mark[i] = NULL;
    }
    cleave_cuda_transfer_stop();
    cleave_cuda_graph_stop();
    if (cleave_cuda_stream != NULL) {
        cleave_cuda_memory_stop();
        cleave_cuda_checked(cudaStreamDestroy(cleave_cuda_stream), "cudaStreamDestroy");
    }
    cleave_cuda_stream = NULL;
}

static void stop(void)
{
    cleave_cuda_prepare_end();
    free_resources();
}

static int make_resources(void)
{
    CUDA_TRY(cudaStreamCreate, &cleave_cuda_stream);
    for (int i = 0; i < TARGET_MARKS; i++) {
        CUDA_TRY(cudaEventCreate, &cuda.mark[i]);
    }
    return cleave_cuda_memory_start(cuda.number) != 0 ? -1 : cleave_cuda_transfer_start();
}

static int start_now(void)
{
    if (find_device() != 0 || read_properties() != 0) {
        return -1;
    }
    if (make_resources() != 0) {
        char cause[sizeof(cuda.error)];
        memcpy(cause, cuda.error, sizeof(cause));
        free_resources();
        memcpy(cuda.error, cause, sizeof(cause));
        return -1;
    }
    return 0;
}

static int start(void)
{
    return cleave_cuda_prepare_start(start_now);
}

static void prepare(const void *const *kernel, int kernels)
{
    cleave_cuda_prepare(kernel, kernels, start_now);
}

int cleave_cuda_device(void)
{
    return cuda.number;
}

static const char *device(void)
{
    return cuda.device;
}

static void device_properties(struct target_properties *properties)
{
    *properties = cuda.properties;
}

static size_t shared_limit(void)
{
    return cuda.shared_limit;
}

static int most_threads(const void *kernel)
{
    struct cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) {
        cudaGetLastError(); /* the launch will say what is wrong */
        return 0;
    }
    return attributes.maxThreadsPerBlock;
}

/* Of a kernel that was not launched yet with so much shared memory, the driver says that no block
 * fits, until the kernel may have it. Launches raise the limit for themselves (cleave_nvcc.cuh). */
static void allow_shared(const void *kernel, const struct cudaFuncAttributes *attributes,
                         size_t shared_bytes)
{
    if (shared_bytes > (size_t)attributes->maxDynamicSharedSizeBytes &&
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)shared_bytes) != cudaSuccess) {
        cudaGetLastError(); /* no block fits */
    }
}

static void kernel_takes(const void *kernel, int threads, size_t shared_bytes,
                         struct target_kernel *takes)
{
    struct cudaFuncAttributes attributes;
    int blocks = 0;
    memset(takes, 0, sizeof *takes);
    if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) {
        cudaGetLastError(); /* the caller cannot mend it */
        return;
    }
    allow_shared(kernel, &attributes, shared_bytes);
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes) !=
        cudaSuccess) {
        cudaGetLastError();
        return;
    }
    takes->registers = attributes.numRegs;
    takes->local_bytes = (int)attributes.localSizeBytes;
    takes->shared_bytes = (int)attributes.sharedSizeBytes;
    takes->resident_threads = blocks * threads;
}

/* ---- launches -------------------------------------------------------------------------------- */

static int wait_all(void)
{
    CUDA_TRY(cudaStreamSynchronize, cleave_cuda_stream);
    return 0;
}

/* Looks at host memory for about 30 microseconds between two questions to the driver, which take
 * one each, and leaves the processor to the driver after about 3 milliseconds. */
enum { LOOKS = 1000, QUESTIONS = 100 };

static int is_done(const unsigned *done)
{
    return __atomic_load_n(done, __ATOMIC_ACQUIRE) != 0;
}

/* After all launches. */
static int require_done(const unsigned *done)
{
    return is_done(done) ? 0 : cleave_cuda_fail("no launch has written the results");
}

static int wait_done(const unsigned *done)
{
    for (int question = 0; question < QUESTIONS; question++) {
        for (int look = 0; look < LOOKS; look++) {
            if (is_done(done)) {
                return 0;
            }
            __builtin_ia32_pause();
        }
        const cudaError_t state = cudaStreamQuery(cleave_cuda_stream);
        if (state != cudaErrorNotReady) {
            return cleave_cuda_checked(state, "cudaStreamQuery") == 0 ? require_done(done) : -1;
        }
        cudaGetLastError(); /* that it is not ready is none */
    }
    return wait_all() == 0 ? require_done(done) : -1;
}

static int launched(void)
{
    return cleave_cuda_checked(cudaGetLastError(), "kernel launch");
}

static const char *last_error(void)
{
    return cuda.error;
}

static void *stream(void)
{
    return cleave_cuda_stream;
}

static int mark(int slot)
{
    CUDA_TRY(cudaEventRecord, cuda.mark[slot], cleave_cuda_stream);
    return 0;
}

static int passed(int slot)
{
    const cudaError_t error = cudaEventQuery(cuda.mark[slot]);
    if (error == cudaErrorNotReady) {
        cudaGetLastError(); /* no failure, and not to be taken for one of a launch */
    }
    return error != cudaErrorNotReady; /* elapsed() says what is wrong */
}

static double elapsed(int begin, int end)
{
    float milliseconds = 0;
    CUDA_TRY(cudaEventSynchronize, cuda.mark[end]);
    CUDA_TRY(cudaEventElapsedTime, &milliseconds, cuda.mark[begin], cuda.mark[end]);
    return 1e-3 * milliseconds;
}

static void range(const char *name)
{
    if (name != NULL) {
        range_begin(name);
    } else {
        range_end();
    }
}

static const struct target_ops cuda_target = {
    .target = CLEAVE_TARGET_CUDA,
    .lanes = 32,
#ifdef CLEAVE_UNTIMED
    .untimed = 1,
#endif
    .start = start,
    .prepare = prepare,
    .is_prepared = cleave_cuda_transfer_is_prepared,
    .stop = stop,
    .device = device,
    .properties = device_properties,
    .shared_limit = shared_limit,
    .most_threads = most_threads,
    .kernel_takes = kernel_takes,
#ifdef CLEAVE_CALIBRATES
    .calibrate = cleave_cuda_calibrate,
#endif
    .alloc = cleave_cuda_alloc,
    .release = cleave_cuda_release,
    .zero = cleave_cuda_zero,
    .copy = cleave_cuda_copy,
    .available = cleave_cuda_available,
    .alloc_host = cleave_cuda_alloc_host,
    .release_host = cleave_cuda_release_host,
    .upload = cleave_cuda_upload,
    .download = cleave_cuda_download,
    .wait = wait_all,
    .wait_done = wait_done,
    .launched = launched,
    .graph_begin = cleave_cuda_graph_begin,
    .graph_captured = cleave_cuda_graph_captured,
    .graph_end = cleave_cuda_graph_end,
    .graph_place = cleave_cuda_graph_place,
    .graph_launch = cleave_cuda_graph_launch,
    .graph_free = cleave_cuda_graph_free,
    .last_error = last_error,
    .stream = stream,
    .mark = mark,
    .passed = passed,
    .elapsed = elapsed,
    .range = range,
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
