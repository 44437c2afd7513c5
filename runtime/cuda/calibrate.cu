// calibrate.cu: measures the rates of the device for the runtime's model (runtime/model/), in some
// milliseconds per rate.
//
// Each kernel keeps one part of the device busy, in the way in which loops use it; README.md of
// runtime/model/ says how the rates are used. The kernels are compiled when cleave is built, for
// the driver to translate where no binary fits.
#include <chrono>

extern "C" {
#include "cuda_impl.h"
}

namespace
{

enum {
    THREADS = 256,
    BLOCKS_EACH = 8, // of these, that a multiprocessor holds at once
    RUNS = 4,        // of each kernel; the first is not timed
    STEPS = 64,
    RECORD = 8, // values of a record that one thread adds to
    HOPS = 4096,
    EMPTY_KERNELS = 64,
    SHARED_VALUES = 2048
};
const size_t copied = (size_t)256 << 20;   // bytes: above the caches of today's devices
const size_t cached = (size_t)8 << 20;     // bytes: L2 holds them
const size_t added = (size_t)16 << 20;     // bytes of the values that are added to: L2 holds them
const size_t additions = (size_t)32 << 20; // to them: several to each

__device__ size_t first_of_all()
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ size_t all_threads()
{
    return (size_t)gridDim.x * blockDim.x;
}

__global__ void copy_kernel(double2 *to, const double2 *from, size_t count)
{
    for (size_t i = first_of_all(); i < count; i += all_threads()) {
        to[i] = from[i];
    }
}

// Every block reads everything, past L1, and begins at another place. count: a power of two.
__global__ void l2_kernel(unsigned *to, const uint4 *from, unsigned count)
{
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
        const uint4 value = __ldcg(&from[(i + blockIdx.x * 1024) & (count - 1)]);
        sum ^= value.x ^ value.y ^ value.z ^ value.w;
    }
    if (sum == 1) {
        *to = sum; // hardly ever: the compiler must not leave the loads out
    }
}

// count: values of `to`, a power of two.
__global__ void coalesced_kernel(double *to, size_t count)
{
    for (size_t i = first_of_all(); i < additions; i += all_threads()) {
        atomicAdd(&to[i & (count - 1)], 1.0);
    }
}

// records: of `to`, a power of two.
__global__ void scattered_kernel(double *to, size_t records)
{
    for (size_t i = first_of_all(); i < additions / RECORD; i += all_threads()) {
        for (int c = 0; c < RECORD; c++) {
            atomicAdd(&to[(i & (records - 1)) * RECORD + c], 1.0);
        }
    }
}

// Eight chains of multiply-adds in each thread.
template <class T> __global__ void operations_kernel(double *to, T factor)
{
    T value[8];
    for (int k = 0; k < 8; k++) {
        value[k] = T(threadIdx.x + k);
    }
    for (int step = 0; step < 16 * STEPS; step++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            value[k] = value[k] * factor + factor;
        }
    }
    T sum = 0;
    for (int k = 0; k < 8; k++) {
        sum += value[k];
    }
    if (sum == T(1)) {
        *to = sum;
    }
}

// 8 bytes per lane, those of neighbouring lanes side by side.
__global__ void shared_kernel(unsigned long long *to, int stride)
{
    __shared__ unsigned long long value[SHARED_VALUES];
    unsigned long long sum = 0;
    for (int i = threadIdx.x; i < SHARED_VALUES; i += blockDim.x) {
        value[i] = i;
    }
    __syncthreads();
    for (int step = 0; step < 16 * STEPS; step++) {
        sum ^= value[(threadIdx.x + step * stride) & (SHARED_VALUES - 1)];
    }
    if (sum == 1) {
        *to = sum;
    }
}

// Each entry names the next one to read, far away. count: a power of two, so that this generator of
// random numbers comes to every entry.
__global__ void chain_kernel(unsigned *chain, unsigned count)
{
    for (size_t i = first_of_all(); i < count; i += all_threads()) {
        chain[i] = ((unsigned)i * 1664525u + 1013904223u) & (count - 1);
    }
}

__global__ void hop_kernel(unsigned *to, const unsigned *chain)
{
    unsigned at = 0;
    for (int hop = 0; hop < HOPS; hop++) {
        at = __ldcg(&chain[at]);
    }
    if (at == ~0u) {
        *to = at;
    }
}

__global__ void empty_kernel()
{
}

struct calibration {
    char *memory; // 2 * copied bytes
    int blocks;   // that fill the device
    cudaEvent_t begin, end;
};

// Runs start() some times; *seconds becomes those of the fastest run.
template <class START> int time_of(const calibration &on, double *seconds, START start)
{
    *seconds = 0.0;
    for (int run = 0; run < RUNS; run++) {
        float milliseconds = 0.0f;
        CUDA_TRY(cudaEventRecord, on.begin, cleave_cuda_stream);
        start();
        CUDA_TRY(cudaGetLastError);
        CUDA_TRY(cudaEventRecord, on.end, cleave_cuda_stream);
        CUDA_TRY(cudaEventSynchronize, on.end);
        CUDA_TRY(cudaEventElapsedTime, &milliseconds, on.begin, on.end);
        const double now = 1e-3 * milliseconds;
        *seconds = run == 1 || (run > 1 && now < *seconds) ? now : *seconds;
    }
    return 0;
}

int measure_memory(const calibration &on, struct cleave_rates *rates)
{
    double seconds;
    double2 *const to = (double2 *)on.memory;
    const double2 *const from = (const double2 *)(on.memory + copied);
    if (time_of(on, &seconds, [&] {
            copy_kernel<<<on.blocks, THREADS, 0, cleave_cuda_stream>>>(to, from,
                                                                       copied / sizeof *to);
        }) != 0) {
        return -1;
    }
    rates->copy = 2.0 * (double)copied / seconds;
    const uint4 *const all = (const uint4 *)from;
    if (time_of(on, &seconds, [&] {
            l2_kernel<<<on.blocks, THREADS, 0, cleave_cuda_stream>>>((unsigned *)to, all,
                                                                     cached / sizeof *all);
        }) != 0) {
        return -1;
    }
    rates->l2 = (double)cached * on.blocks / seconds;
    return 0;
}

int measure_additions(const calibration &on, struct cleave_rates *rates)
{
    double seconds;
    double *const to = (double *)on.memory;
    const size_t values = added / sizeof *to;
    if (time_of(on, &seconds, [&] {
            coalesced_kernel<<<on.blocks, THREADS, 0, cleave_cuda_stream>>>(to, values);
        }) != 0) {
        return -1;
    }
    rates->coalesced = (double)additions / seconds;
    if (time_of(on, &seconds, [&] {
            scattered_kernel<<<on.blocks, THREADS, 0, cleave_cuda_stream>>>(to, values / RECORD);
        }) != 0) {
        return -1;
    }
    rates->scattered = (double)additions / seconds;
    return 0;
}

int measure_operations(const calibration &on, struct cleave_rates *rates)
{
    double seconds;
    double *const to = (double *)on.memory;
    const double operations = 8.0 * 16 * STEPS * THREADS * on.blocks;
    if (time_of(on, &seconds, [&] {
            operations_kernel<double><<<on.blocks, THREADS, 0, cleave_cuda_stream>>>(to, 0.999);
        }) != 0) {
        return -1;
    }
    rates->in_double = operations / seconds;
    if (time_of(on, &seconds, [&] {
            operations_kernel<float><<<on.blocks, THREADS, 0, cleave_cuda_stream>>>(to, 0.999f);
        }) != 0) {
        return -1;
    }
    rates->in_float = operations / seconds;
    if (time_of(on, &seconds, [&] {
            shared_kernel<<<on.blocks, THREADS, 0, cleave_cuda_stream>>>((unsigned long long *)to,
                                                                         THREADS);
        }) != 0) {
        return -1;
    }
    rates->shared = 16.0 * STEPS * THREADS * on.blocks * sizeof *to / seconds;
    return 0;
}

int measure_latencies(const calibration &on, struct cleave_rates *rates)
{
    double seconds;
    unsigned *const chain = (unsigned *)(on.memory + copied);
    const unsigned count = (unsigned)(copied / sizeof *chain);
    chain_kernel<<<on.blocks, THREADS, 0, cleave_cuda_stream>>>(chain, count);
    if (time_of(on, &seconds, [&] {
            hop_kernel<<<1, 1, 0, cleave_cuda_stream>>>((unsigned *)on.memory, chain);
        }) != 0) {
        return -1;
    }
    rates->latency = seconds / HOPS;
    if (time_of(on, &seconds, [] {
            for (int k = 0; k < EMPTY_KERNELS; k++) {
                empty_kernel<<<1, 1, 0, cleave_cuda_stream>>>();
            }
        }) != 0) {
        return -1;
    }
    rates->launch = seconds / EMPTY_KERNELS;
    for (int run = 0; run < RUNS; run++) {
        const auto begin = std::chrono::steady_clock::now();
        empty_kernel<<<1, 1, 0, cleave_cuda_stream>>>();
        CUDA_TRY(cudaStreamSynchronize, cleave_cuda_stream);
        rates->wait =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    return 0;
}

} // namespace

extern "C" int cleave_cuda_calibrate(struct cleave_rates *rates)
{
    int device = 0;
    int multiprocessors = 0;
    calibration on = {};
    CUDA_TRY(cudaGetDevice, &device);
    CUDA_TRY(cudaDeviceGetAttribute, &multiprocessors, cudaDevAttrMultiProcessorCount, device);
    on.blocks = BLOCKS_EACH * multiprocessors;
    on.memory = (char *)cleave_cuda_alloc(2 * copied);
    if (on.memory == NULL) {
        return -1;
    }
    int failed = cleave_cuda_zero(on.memory, 2 * copied) != 0 ||
                 cleave_cuda_checked(cudaEventCreate(&on.begin), "cudaEventCreate") != 0 ||
                 cleave_cuda_checked(cudaEventCreate(&on.end), "cudaEventCreate") != 0 ||
                 measure_memory(on, rates) != 0 || measure_additions(on, rates) != 0 ||
                 measure_operations(on, rates) != 0 || measure_latencies(on, rates) != 0;
    if (on.begin != NULL) {
        cleave_cuda_checked(cudaEventDestroy(on.begin), "cudaEventDestroy");
    }
    if (on.end != NULL) {
        cleave_cuda_checked(cudaEventDestroy(on.end), "cudaEventDestroy");
    }
    cleave_cuda_release(on.memory);
    return failed ? -1 : 0;
}
