/* cleave_nvcc.cuh: the primitives of cleave_device.cuh for nvcc.
 *
 * Included through cleave_device.cuh only. Each is a thin name for one of CUDA's own; the other
 * headers of this folder build on them, and the emulator runs those headers as well. Everything has
 * internal linkage, since every generated file has a copy of its own and one program links many.
 * cleave_nvcc_extrema.cuh has the atomic extrema, cleave_nvcc_async.cuh the asynchronous copies,
 * cleave_nvcc_early.cuh launches that wait for their values.
 */
#ifndef CLEAVE_NVCC_CUH
#define CLEAVE_NVCC_CUH

#include <stddef.h>
#include <string.h>
#include <cuda_runtime.h>
#include "cleave_gen.h"

#define CLEAVE_KERNEL static __global__
#define CLEAVE_DEVICE static __device__ __forceinline__
#define CLEAVE_MEMBER __device__ __forceinline__
#define CLEAVE_HOST_DEVICE static __host__ __device__ __forceinline__
#define CLEAVE_CONSTANT static __constant__
#define CLEAVE_LARGE_CONSTANT static __device__
#define CLEAVE_SHARED(T) T *
#define CLEAVE_UNROLL _Pragma("unroll")

/* __maxnreg__ came with CUDA 12.4. */
#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1204
#define CLEAVE_REGISTERS(n) __maxnreg__(n)
#else
#define CLEAVE_REGISTERS(n)
#endif

/* Shared memory that a kernel may use without asking for more. */
#define CLEAVE_SHARED_DEFAULT ((size_t)48 * 1024)

/* Names T without taking part in its deduction, so the value may have another type. */
template <class T> struct cleave_same {
    using type = T;
};

CLEAVE_DEVICE int cleave_thread()
{
    return (int)threadIdx.x;
}

CLEAVE_DEVICE int cleave_threads()
{
    return (int)blockDim.x;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

/* Lets the next launch of the stream start blocks where there is room for them, and waits for the
 * one before this: what it wrote is seen from here on. The compiler may move a load through a
 * restricted pointer across the wait, but not one whose address comes from it: so do all of those
 * that another launch can have written. */
CLEAVE_DEVICE int cleave_block()
{
    int block;
    asm volatile("griddepcontrol.launch_dependents;\n\t"
                 "griddepcontrol.wait;\n\t"
                 "mov.u32 %0, %%ctaid.x;"
                 : "=r"(block)
                 :
                 : "memory");
    __builtin_assume(block >= 0);
    return block;
}

#else

CLEAVE_DEVICE int cleave_block()
{
    return (int)blockIdx.x;
}

#endif

CLEAVE_DEVICE int cleave_lane()
{
    return (int)(threadIdx.x & 31);
}

CLEAVE_DEVICE int cleave_opaque(int i)
{
    asm volatile("" : "+r"(i));
    return i;
}

CLEAVE_DEVICE void cleave_barrier()
{
    __syncthreads();
}

CLEAVE_DEVICE void cleave_fence()
{
    __threadfence();
}

/* One array for all kernels of a file: CUDA gives every `extern __shared__` the same address. */
extern __shared__ __align__(16) char cleave_shared_bytes[];

template <class T> CLEAVE_DEVICE CLEAVE_SHARED(T) cleave_shared(size_t byte)
{
    return (T *)(cleave_shared_bytes + byte);
}

/* ---- warps ----------------------------------------------------------------------------------- */

/* Blocks consist of whole warps. A mask that depended on the number of threads would cost much: not
 * knowing it, the compiler has lanes look for others with an equal one before each shuffle, and
 * prints the code behind a second time for lanes that arrive apart. */
#define CLEAVE_ALL_LANES 0xffffffffu

CLEAVE_DEVICE void cleave_warp_barrier()
{
    __syncwarp(CLEAVE_ALL_LANES);
}

template <class T> CLEAVE_DEVICE T cleave_shuffle(T v, int lane)
{
    return (T)__shfl_sync(CLEAVE_ALL_LANES, v, lane);
}

template <class T> CLEAVE_DEVICE T cleave_shuffle_up(T v, int distance)
{
    return (T)__shfl_up_sync(CLEAVE_ALL_LANES, v, (unsigned)distance);
}

template <class T> CLEAVE_DEVICE T cleave_shuffle_down(T v, int distance)
{
    return (T)__shfl_down_sync(CLEAVE_ALL_LANES, v, (unsigned)distance);
}

CLEAVE_DEVICE unsigned cleave_ballot(bool condition)
{
    return __ballot_sync(CLEAVE_ALL_LANES, condition);
}

CLEAVE_DEVICE int cleave_bits(unsigned mask)
{
    return __popc(mask);
}

CLEAVE_DEVICE void cleave_modify(const void *)
{
}

/* ---- counting ----------------------------------------------------------------------------------
 */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700

/* A release operation, which keeps the L1 cache; a fence would empty it. */
CLEAVE_DEVICE unsigned cleave_count(unsigned *p, unsigned last)
{
    unsigned was;
    asm volatile("atom.release.gpu.global.inc.u32 %0, [%1], %2;"
                 : "=r"(was)
                 : "l"(__cvta_generic_to_global(p)), "r"(last)
                 : "memory");
    return was;
}

#else

CLEAVE_DEVICE unsigned cleave_count(unsigned *p, unsigned last)
{
    cleave_fence();
    return atomicInc(p, last);
}

#endif

/* The fence orders writes for the host, too. */
CLEAVE_DEVICE void cleave_tell_host(unsigned *p)
{
    __threadfence_system();
    *(volatile unsigned *)p = 1;
}

/* ---- atomic additions ------------------------------------------------------------------------ */

CLEAVE_DEVICE void cleave_add(float *p, float v)
{
    atomicAdd(p, v);
}

CLEAVE_DEVICE void cleave_add(double *p, double v)
{
    atomicAdd(p, v);
}

CLEAVE_DEVICE void cleave_add(int *p, int v)
{
    atomicAdd(p, v);
}

CLEAVE_DEVICE void cleave_add(unsigned *p, unsigned v)
{
    atomicAdd(p, v);
}

CLEAVE_DEVICE void cleave_add(unsigned long long *p, unsigned long long v)
{
    atomicAdd(p, v);
}

/* Addition of two's complement numbers does not depend on their sign. */
CLEAVE_DEVICE void cleave_add(long long *p, long long v)
{
    atomicAdd((unsigned long long *)p, (unsigned long long)v);
}

static_assert(sizeof(long) == sizeof(long long), "cleave needs 64-bit long");

CLEAVE_DEVICE void cleave_add(long *p, long v)
{
    atomicAdd((unsigned long long *)p, (unsigned long long)v);
}

CLEAVE_DEVICE void cleave_add(unsigned long *p, unsigned long v)
{
    atomicAdd((unsigned long long *)p, (unsigned long long)v);
}

#include "cleave_nvcc_extrema.cuh"

/* ---- the same on shared memory --------------------------------------------------------------- */

template <class T>
CLEAVE_DEVICE void cleave_add_shared(CLEAVE_SHARED(T) s, int index, typename cleave_same<T>::type v)
{
    cleave_add(s + index, v);
}

template <class T>
CLEAVE_DEVICE void cleave_min_shared(CLEAVE_SHARED(T) s, int index, typename cleave_same<T>::type v)
{
    cleave_min(s + index, v);
}

template <class T>
CLEAVE_DEVICE void cleave_max_shared(CLEAVE_SHARED(T) s, int index, typename cleave_same<T>::type v)
{
    cleave_max(s + index, v);
}

/* ---- host ------------------------------------------------------------------------------------ */

/* State of a kernel, kept at the place in the code that launches it. */
struct cleave_launcher_state {
    size_t allowed; /* bytes of shared memory that it may use */
    int overlaps;   /* 1: it waits for the launch before it by itself; -1: not known yet */
};

/* Lets a kernel use more shared memory than the default. Returns false if the device has less; the
 * cause stays for cudaGetLastError. */
template <class K>
static inline bool cleave_allow_shared(K *kernel, size_t bytes, cleave_launcher_state *state)
{
    if (bytes <= state->allowed) {
        return true;
    }
    if (cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)bytes) != cudaSuccess) {
        return false;
    }
    state->allowed = bytes;
    return true;
}

/* 1: the device and the code that it runs know programmatic dependent launches. */
template <class K> static inline int cleave_overlaps(K *kernel)
{
    struct cudaFuncAttributes code;
    int device = 0;
    int major = 0;
    if (cudaFuncGetAttributes(&code, (const void *)kernel) != cudaSuccess ||
        cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess) {
        cudaGetLastError(); /* the launch will say what is wrong */
        return 0;
    }
    return code.ptxVersion >= 90 && major >= 9;
}

/* The launch of a graph that gets the parameters of the next launches of this module; NULL: they
 * start. */
static const struct cleave_graph_launch *cleave_changed;

static inline void cleave_change_graph(const struct cleave_graph_launch *launch)
{
    cleave_changed = launch;
}

template <class... P>
static inline void cleave_change(void (*kernel)(P...), unsigned blocks, unsigned threads,
                                 size_t shared_bytes, typename cleave_same<P>::type... arguments)
{
    void *pointers[] = {(void *)&arguments..., NULL};
    cudaKernelNodeParams parameters = {};
    parameters.func = (void *)kernel;
    parameters.gridDim = dim3(blocks);
    parameters.blockDim = dim3(threads);
    parameters.sharedMemBytes = (unsigned)shared_bytes;
    parameters.kernelParams = pointers;
    (void)cudaGraphExecKernelNodeSetParams((cudaGraphExec_t)cleave_changed->graph,
                                           (cudaGraphNode_t)cleave_changed->launch, &parameters);
}

#if CUDART_VERSION >= 11080

/* The launch may begin before the one before it in the stream has ended, where its kernel waits for
 * that by itself. */
template <class... P, class... A>
static inline void cleave_start(void (*kernel)(P...), cleave_launcher_state *state, unsigned blocks,
                                unsigned threads, size_t shared_bytes, cudaStream_t stream,
                                const A &...arguments)
{
    cudaLaunchAttribute overlap = {};
    cudaLaunchConfig_t config = {};
    if (state->overlaps < 0) {
        state->overlaps = cleave_overlaps(kernel);
    }
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = (unsigned)state->overlaps;
    (void)cudaLaunchKernelEx(&config, kernel, arguments...);
}

#else

template <class... P, class... A>
static inline void cleave_start(void (*kernel)(P...), cleave_launcher_state *, unsigned blocks,
                                unsigned threads, size_t shared_bytes, cudaStream_t stream,
                                const A &...arguments)
{
    kernel<<<blocks, threads, shared_bytes, stream>>>(arguments...);
}

#endif

#define CLEAVE_LAUNCH(kernel, blocks, threads, shared_bytes, stream, ...)                          \
    do {                                                                                           \
        static cleave_launcher_state cleave_state = {CLEAVE_SHARED_DEFAULT, -1};                   \
        if (cleave_changed != NULL) {                                                              \
            cleave_change(kernel, (unsigned)(blocks), (unsigned)(threads), (shared_bytes),         \
                          ##__VA_ARGS__);                                                          \
        } else if ((blocks) > 0 && cleave_allow_shared(kernel, (shared_bytes), &cleave_state)) {   \
            cleave_start(kernel, &cleave_state, (unsigned)(blocks), (unsigned)(threads),           \
                         (shared_bytes), (cudaStream_t)(stream), ##__VA_ARGS__);                   \
        }                                                                                          \
    } while (0)

/* Runs in the order of the launches, whose stream synchronises with the default one. The value is
 * copied before the call returns, and nothing waits. */
#define cleave_constant_set(symbol, value, bytes)                                                  \
    ((void)cudaMemcpyToSymbolAsync(symbol, value, bytes))

/* Returns why a launch from this module failed, or NULL. */
static inline const char *cleave_launch_error(void)
{
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}

#include "cleave_nvcc_async.cuh"
#include "cleave_nvcc_early.cuh"

#endif
