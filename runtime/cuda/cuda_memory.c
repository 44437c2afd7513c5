/* cuda_memory.c: memory of the device, and host memory that kernels may write.
 *
 * Memory comes from the device's pool, in the order of the stream, if the driver has one: neither
 * taking nor releasing it waits, and the pool keeps what is released, so that dats that come and go
 * in every time step cost no call of the driver. Else cudaMalloc and cudaFree.
 */
#include "cuda_impl.h"

#include <stdint.h>

static cudaMemPool_t pool; /* NULL: the device has none */

/* The first piece of memory that a pool gives takes 9 ms on an H200, all others 0.1 ms: takes it
 * now, beside the program. */
static void prepare_pool(void)
{
    void *memory = NULL;
    if (cudaMallocAsync(&memory, 1, cleave_cuda_stream) == cudaSuccess) {
        cudaFreeAsync(memory, cleave_cuda_stream);
    }
    cudaGetLastError(); /* whoever needs memory will say that there is none */
}

int cleave_cuda_memory_start(int device)
{
    int supported = 0;
    uint64_t keep = UINT64_MAX;
    pool = NULL;
    CUDA_TRY(cudaDeviceGetAttribute, &supported, cudaDevAttrMemoryPoolsSupported, device);
    if (supported) {
        CUDA_TRY(cudaDeviceGetDefaultMemPool, &pool, device);
        CUDA_TRY(cudaMemPoolSetAttribute, pool, cudaMemPoolAttrReleaseThreshold, &keep);
        prepare_pool();
    }
    return 0;
}

/* Gives back what the pool keeps. */
static void trim(void)
{
    cleave_cuda_checked(cudaStreamSynchronize(cleave_cuda_stream), "cudaStreamSynchronize");
    cleave_cuda_checked(cudaMemPoolTrimTo(pool, 0), "cudaMemPoolTrimTo");
}

void cleave_cuda_memory_stop(void)
{
    if (pool != NULL) {
        trim();
    }
    pool = NULL;
}

/* Asynchronous copies move 4, 8 or 16 bytes at a time. A copy may read fewer, but the allocation
 * must hold the whole piece. */
enum { PIECE = 16 };

static void *alloc_pieces(size_t bytes)
{
    void *memory = NULL;
    if (pool == NULL) {
        return cleave_cuda_checked(cudaMalloc(&memory, bytes), "cudaMalloc") == 0 ? memory : NULL;
    }
    if (cudaMallocAsync(&memory, bytes, cleave_cuda_stream) == cudaSuccess) {
        return memory;
    }
    cudaGetLastError();
    trim(); /* the pool may keep memory in pieces that are too small */
    return cleave_cuda_checked(cudaMallocAsync(&memory, bytes, cleave_cuda_stream),
                               "cudaMallocAsync") == 0
               ? memory
               : NULL;
}

void *cleave_cuda_alloc(size_t bytes)
{
    const size_t rest = bytes % PIECE;
    char *memory = alloc_pieces(rest == 0 ? bytes : bytes - rest + PIECE);
    if (memory != NULL && rest != 0) {
        cleave_cuda_checked(cudaMemsetAsync(memory + (bytes - rest), 0, PIECE, cleave_cuda_stream),
                            "cudaMemsetAsync");
    }
    return memory;
}

int cleave_cuda_zero(void *memory, size_t bytes)
{
    CUDA_TRY(cudaMemsetAsync, memory, 0, bytes, cleave_cuda_stream);
    return 0;
}

int cleave_cuda_copy(void *to, const void *from, size_t bytes)
{
    CUDA_TRY(cudaMemcpyAsync, to, from, bytes, cudaMemcpyDeviceToDevice, cleave_cuda_stream);
    return 0;
}

void cleave_cuda_release(void *memory)
{
    if (memory == NULL) {
        return;
    }
    if (pool != NULL) {
        cleave_cuda_checked(cudaFreeAsync(memory, cleave_cuda_stream), "cudaFreeAsync");
        return;
    }
    cleave_cuda_checked(cudaStreamSynchronize(cleave_cuda_stream), "cudaStreamSynchronize");
    cleave_cuda_checked(cudaFree(memory), "cudaFree");
}

/* Returns the unused bytes that the pool keeps. */
static size_t kept(void)
{
    uint64_t reserved = 0;
    uint64_t used = 0;
    if (pool == NULL ||
        cleave_cuda_checked(
            cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved),
            "cudaMemPoolGetAttribute") != 0 ||
        cleave_cuda_checked(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used),
                            "cudaMemPoolGetAttribute") != 0) {
        return 0;
    }
    return (size_t)(reserved - used);
}

size_t cleave_cuda_available(void)
{
    size_t bytes = 0;
    size_t total = 0;
    return cleave_cuda_checked(cudaMemGetInfo(&bytes, &total), "cudaMemGetInfo") == 0
               ? bytes + kept()
               : 0;
}

void *cleave_cuda_alloc_host(size_t bytes)
{
    void *memory = NULL;
    return cleave_cuda_checked(cudaMallocHost(&memory, bytes), "cudaMallocHost") == 0 ? memory
                                                                                      : NULL;
}

void cleave_cuda_release_host(void *memory)
{
    if (memory == NULL) {
        return;
    }
    cleave_cuda_checked(cudaStreamSynchronize(cleave_cuda_stream), "cudaStreamSynchronize");
    cleave_cuda_checked(cudaFreeHost(memory), "cudaFreeHost");
}
