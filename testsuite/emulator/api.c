/* api.c: the emulator's runtime API, and the CUDA target (runtime/cuda/) through it.
 *
 * Takes the places of the runtime's core: target_provide, cleave_register, and the timeline.
 */
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"
#include "runtime/base/target.h"
#include "runtime/base/timeline.h"

static const struct target_ops *target;
static int targets_provided;
static int units_registered;

void target_provide(const struct target_ops *ops)
{
    target = ops;
    targets_provided++;
}

void cleave_register(const struct cleave_unit *unit)
{
    units_registered += unit != NULL;
}

double cleave_moment_begin(void)
{
    return 0.0;
}

void cleave_moment_end(const char *what, const char *about, double begun)
{
    (void)what; /* a thread beside calls it, too: no CHECK, which counts */
    (void)about;
    (void)begun;
}

/* ---- runtime API ----------------------------------------------------------------------------- */

static void test_copies(void)
{
    int host[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int back[8] = {0};
    int *first = NULL;
    int *second = NULL;
    CHECK(cudaMalloc((void **)&first, sizeof(host)) == cudaSuccess);
    CHECK(cudaMalloc((void **)&second, sizeof(host)) == cudaSuccess);
    CHECK(cudaMemcpy(first, host, sizeof(host), cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(second, first, sizeof(host), cudaMemcpyDeviceToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(back, second + 2, 6 * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(back[0] == 3 && back[5] == 8 && back[6] == 0);
    CHECK(cudaMemset(first, 0, sizeof(host)) == cudaSuccess);
    CHECK(cudaMemcpy(back, first, sizeof(back), cudaMemcpyDefault) == cudaSuccess);
    CHECK(back[5] == 0);
    CHECK(cudaFree(first) == cudaSuccess);
    CHECK(cudaFree(second) == cudaSuccess);
    CHECK(cudaFree(NULL) == cudaSuccess);
    CHECK(cudaGetLastError() == cudaSuccess);
}

static void expect_error(cudaError_t result, cudaError_t expected)
{
    CHECK(result == expected);
    CHECK(cudaPeekAtLastError() == expected);
    CHECK(cudaGetLastError() == expected);
    CHECK(cudaGetLastError() == cudaSuccess);
}

static void test_copy_errors(void)
{
    int host[16] = {0};
    int *memory = NULL;
    size_t bytes = 8 * sizeof(int);
    CHECK(cudaMalloc((void **)&memory, bytes) == cudaSuccess);
    expect_error(cudaMemcpy(memory, host, bytes + 1, cudaMemcpyHostToDevice),
                 cudaErrorInvalidValue);
    expect_error(cudaMemcpy(memory + 4, host, bytes, cudaMemcpyHostToDevice),
                 cudaErrorInvalidValue);
    expect_error(cudaMemcpy(memory - 1, host, bytes, cudaMemcpyHostToDevice),
                 cudaErrorInvalidValue);
    expect_error(cudaMemcpy(host, memory + 1, bytes, cudaMemcpyDeviceToHost),
                 cudaErrorInvalidValue);
    expect_error(cudaMemcpy(host, memory, bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    expect_error(cudaMemcpy(host + 8, host, bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    expect_error(cudaMemset(memory, 0, bytes + 1), cudaErrorInvalidValue);
    expect_error(cudaMemset(host, 0, bytes), cudaErrorInvalidValue);
    expect_error(cudaFree(host), cudaErrorInvalidValue);
    expect_error(cudaFree(memory + 1), cudaErrorInvalidValue);
    CHECK(cudaFree(memory) == cudaSuccess);
    expect_error(cudaMemcpyAsync(host + 8, host, 0, cudaMemcpyDefault, (cudaStream_t)host),
                 cudaErrorInvalidResourceHandle);
}

static void test_poison(void)
{
    double *memory = NULL;
    double value[4] = {0};
    int integer = 0;
    CHECK(cudaMalloc((void **)&memory, sizeof(value)) == cudaSuccess);
    CHECK(cudaMemcpy(value, memory, sizeof(value), cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(isnan(value[0]) && isnan(value[3]));
    CHECK(cudaMemcpy(&integer, memory, sizeof(integer), cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(integer == -1);
    CHECK(cudaFree(memory) == cudaSuccess);
}

static void test_memory_limit(void)
{
    void *first = NULL;
    void *second = NULL;
    size_t available = 0;
    size_t total = 0;
    setenv("CLEAVE_EMU_MEMORY", "1000", 1);
    CHECK(cudaMalloc(&first, 600) == cudaSuccess);
    CHECK(cudaMemGetInfo(&available, &total) == cudaSuccess);
    CHECK(available == 400 && total == 1000);
    expect_error(cudaMalloc(&second, 401), cudaErrorMemoryAllocation);
    CHECK(second == NULL);
    CHECK(cudaMalloc(&second, 400) == cudaSuccess);
    CHECK(cudaFree(first) == cudaSuccess);
    CHECK(cudaMalloc(&first, 600) == cudaSuccess);
    CHECK(cudaFree(first) == cudaSuccess);
    CHECK(cudaFree(second) == cudaSuccess);
    unsetenv("CLEAVE_EMU_MEMORY");
}

static void test_pools(void)
{
    cudaMemPool_t pool = NULL;
    cudaStream_t stream = NULL;
    unsigned long long value = 700;
    void *memory = NULL;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value) == cudaSuccess);
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    for (int i = 0; i < 2; i++) {
        CHECK(cudaMallocAsync(&memory, i == 0 ? 600 : 800, stream) == cudaSuccess);
        CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value) == cudaSuccess);
        CHECK(value == (i == 0 ? 600 : 800));
        CHECK(cudaFreeAsync(memory, stream) == cudaSuccess);
        CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value) ==
              cudaSuccess);
        CHECK(value == 600); /* 1400 are more than it may keep */
    }
    CHECK(cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value) == cudaSuccess);
    CHECK(value == 0);
    expect_error(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
    CHECK(cudaMalloc(&memory, 10) == cudaSuccess);
    expect_error(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
    CHECK(cudaFree(memory) == cudaSuccess);
    setenv("CLEAVE_EMU_POOLS", "0", 1);
    expect_error(cudaMallocAsync(&memory, 10, stream), cudaErrorNotSupported);
    unsetenv("CLEAVE_EMU_POOLS");
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

static void test_device(void)
{
    struct cudaDeviceProp properties;
    int value = 0;
    CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    CHECK_TEXT(properties.name, "cleave emulator");
    CHECK(properties.major == 9 && properties.minor == 0);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0) ==
          cudaSuccess);
    CHECK(value == 227 * 1024);
    expect_error(cudaSetDevice(1), cudaErrorInvalidDevice);
    CHECK_TEXT(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    CHECK_TEXT(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");
}

/* ---- the CUDA target ------------------------------------------------------------------------- */

static void test_registration(void)
{
    static const struct cleave_unit unit = {.abi = CLEAVE_ABI, .target = CLEAVE_TARGET_CUDA};
    cleave_register_cuda(&unit);
    cleave_register_cuda(&unit);
    CHECK(targets_provided == 1);
    CHECK(units_registered == 2);
    CHECK(target != NULL && target->target == CLEAVE_TARGET_CUDA);
}

static void test_no_device(void)
{
    setenv("CLEAVE_EMU_DEVICES", "0", 1);
    CHECK(target->start() == -1);
    CHECK_TEXT(target->last_error(), "no CUDA device: no CUDA-capable device is detected");
    unsetenv("CLEAVE_EMU_DEVICES");
    CHECK(cudaGetLastError() == cudaSuccess);
}

static void fill(const struct target_records *records, void *piece, size_t first, size_t count)
{
    memcpy(piece, (char *)records->memory + first * records->bytes, count * records->bytes);
}

static void take(const struct target_records *records, void *piece, size_t first, size_t count)
{
    memcpy((char *)records->memory + first * records->bytes, piece, count * records->bytes);
}

static int upload(void *to, void *from, size_t bytes, size_t count)
{
    struct target_records records = {bytes, count, fill, from, NULL};
    return target->upload(to, &records);
}

static int download(void *to, const void *from, size_t bytes, size_t count)
{
    struct target_records records = {bytes, count, take, to, NULL};
    return target->download(&records, from);
}

static void test_target_memory(void)
{
    size_t count = 1700000; /* four pieces of 4 MiB, the last one not full */
    double *values = malloc(count * sizeof(double));
    double *back = malloc(count * sizeof(double));
    double *memory = target->alloc(count * sizeof(double));
    CHECK(values != NULL && back != NULL && memory != NULL);
    for (size_t i = 0; i < count; i++) {
        values[i] = (double)i;
    }
    CHECK(upload(memory, values, sizeof(double), count) == 0);
    CHECK(download(back, memory, sizeof(double), count) == 0);
    CHECK(memcmp(values, back, count * sizeof(double)) == 0);
    CHECK(download(back, memory + 5, sizeof(double), 2) == 0);
    CHECK(back[0] == 5 && back[1] == 6 && back[2] == 2);
    CHECK(upload(memory, back, count * sizeof(double), 1) == 0); /* a record larger than a piece */
    CHECK(download(values, memory, 17, count * sizeof(double) / 17) == 0);
    CHECK(values[0] == 5 && values[1] == 6 && values[1000] == 1000);
    CHECK(download(back, memory + 1, sizeof(double), count) == -1);
    CHECK_TEXT(target->last_error(), "cudaMemcpyAsync: invalid argument (cudaErrorInvalidValue)");
    CHECK(upload(memory + 1, back, sizeof(double), count) == -1);
    CHECK(target->launched() == 0);
    target->release(memory);
    target->release(NULL);
    double *pinned = target->alloc_host(100 * sizeof(double));
    CHECK(pinned != NULL);
    target->release_host(pinned);
    target->release_host(NULL);
    free(values);
    free(back);
}

/* A block that needs more shared memory than kernels have by default fits all the same, before the
 * kernel was launched with so much. */
static void test_target_shared(void)
{
    static int kernel;
    struct target_kernel takes;
    for (int turn = 0; turn < 2; turn++) {
        target->kernel_takes(&kernel, 128, 100 * 1024, &takes);
        CHECK(takes.resident_threads == 128);
        target->kernel_takes(&kernel, 128, 1024, &takes);
        CHECK(takes.resident_threads == 128);
    }
    target->kernel_takes(&kernel, 128, 1024 * 1024, &takes);
    CHECK(takes.resident_threads == 0);
    CHECK(target->launched() == 0);
}

/* Released memory stays in the pool, counts as available, and is handed out again. */
static void test_target_memory_limit(const char *function)
{
    char said[100];
    snprintf(said, sizeof(said), "%s: out of memory (cudaErrorMemoryAllocation)", function);
    setenv("CLEAVE_EMU_MEMORY", "5000", 1);
    CHECK(target->available() == 5000);
    CHECK(target->alloc(5001) == NULL);
    CHECK_TEXT(target->last_error(), said);
    CHECK(target->launched() == 0);
    void *first = target->alloc(2000);
    void *second = target->alloc(2000);
    CHECK(first != NULL && second != NULL && target->available() == 1000);
    target->release(first);
    target->release(second);
    CHECK(target->available() == 5000);
    first = target->alloc(4480); /* not one piece of what was released is as large */
    CHECK(first != NULL && target->available() == 520);
    second =
        target->alloc(17); /* whole pieces of 16 bytes, of which asynchronous copies take a part */
    CHECK(second != NULL && target->available() == 488);
    CHECK(second != NULL && ((const char *)second)[31] == 0);
    target->release(first);
    target->release(second);
    unsetenv("CLEAVE_EMU_MEMORY");
}

static void test_target_marks(void)
{
    for (int i = 0; i < TARGET_MARKS; i++) {
        CHECK(target->mark(i) == 0);
    }
    CHECK(target->elapsed(0, TARGET_MARKS - 1) >= target->elapsed(1, 2));
    CHECK(target->elapsed(1, 2) >= 0);
    CHECK(target->untimed); /* loops are not tuned by default */
    target->range("a name");
    target->range(NULL);
}

static void test_target_done(void)
{
    unsigned *done = target->alloc_host(sizeof *done);
    *done = 0;
    CHECK(target->wait_done(done) == -1);
    CHECK_TEXT(target->last_error(), "no launch has written the results");
    *done = 1;
    CHECK(target->wait_done(done) == 0);
    target->release_host(done);
}

static void test_target(const char *function)
{
    CHECK(target->start() == 0);
    CHECK_TEXT(target->device(), "cleave emulator");
    CHECK(target->shared_limit() == 227 * 1024);
    CHECK(target->stream() != NULL);
    test_target_memory_limit(function);
    test_target_memory();
    test_target_shared();
    test_target_marks();
    test_target_done();
    CHECK(target->wait() == 0);
    cudaSetDevice(7);
    CHECK(target->launched() == -1);
    CHECK_TEXT(target->last_error(),
               "kernel launch: invalid device ordinal (cudaErrorInvalidDevice)");
    CHECK(target->launched() == 0);
    target->stop();
    CHECK(cudaGetLastError() == cudaSuccess);
}

/* The thread starts the device, or finds that it cannot. Transfers find buffers whether or not it
 * has made them, and an error of the program's thread stays its own. It is gone after a stop, and
 * is none of a child's. */
static void test_target_prepare(void)
{
    static const void *const kernel[] = {fill, take, NULL};
    setenv("CLEAVE_EMU_DEVICES", "0", 1);
    target->prepare(kernel, 3);
    CHECK(target->start() == -1);
    CHECK_TEXT(target->last_error(), "no CUDA device: no CUDA-capable device is detected");
    unsetenv("CLEAVE_EMU_DEVICES");
    for (int turn = 0; turn < 20; turn++) {
        double values[3] = {1, 2, 3};
        double back[3] = {0};
        target->prepare(kernel, 3);
        CHECK(target->start() == 0);
        CHECK_TEXT(target->device(), "cleave emulator");
        cudaSetDevice(7);
        CHECK(target->launched() == -1);
        double *memory = target->alloc(sizeof values);
        CHECK(upload(memory, values, sizeof(double), 3) == 0);
        CHECK(download(back, memory, sizeof(double), 3) == 0 && back[2] == 3);
        target->release(memory);
        if (turn % 2 == 0) {
            const pid_t child = fork();
            int status = -1;
            if (child == 0) {
                exit(0); /* and does not wait for a thread that it does not have */
            }
            CHECK(waitpid(child, &status, 0) == child && status == 0);
        }
        target->stop();
    }
    target->prepare(kernel, 3); /* and the program ends without another call */
}

int main(void)
{
    test_copies();
    test_copy_errors();
    test_poison();
    test_memory_limit();
    test_device();
    test_registration();
    test_no_device();
    test_target("cudaMallocAsync");
    setenv("CLEAVE_EMU_POOLS", "0", 1);
    test_target("cudaMalloc");
    unsetenv("CLEAVE_EMU_POOLS");
    test_pools();
    test_target_prepare();
    return CHECK_RESULT();
}
