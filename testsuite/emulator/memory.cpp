/* memory.cpp: memory of the emulated device, copies, and its pool.
 *
 * Device memory is a table of host blocks: a copy's device side must lie inside one of them, and
 * its host side outside all of them, as on a machine where host code cannot see the device's
 * memory.
 */
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include "emulator.h"

struct CUmemPoolHandle_st {
    uint64_t threshold; /* bytes that it keeps when they are released */
    size_t kept;
    size_t used;
};

namespace cleave_emulator
{
namespace
{
constexpr size_t MEMORY_ALIGNMENT = 256;

/* Begin and size of each live allocation. The tables are never destroyed: programs may call the API
 * while they exit, and what they leave allocated is the device's, not a leak. */
std::map<const char *, size_t> &allocations()
{
    static auto &table = *new std::map<const char *, size_t>;
    return table;
}

size_t used;
CUmemPoolHandle_st pool;
std::set<void *> &pooled()
{
    static auto &table = *new std::set<void *>;
    return table;
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

} // namespace

bool is_device_memory(const void *memory)
{
    return region_of(memory, 1) == REGION_DEVICE;
}

void constant_set(void *symbol, size_t capacity, const void *value, size_t bytes)
{
    late_run();
    if (bytes > capacity) {
        fail(cudaErrorInvalidValue);
        return;
    }
    memcpy(symbol, value, bytes);
}
} // namespace cleave_emulator

using namespace cleave_emulator;

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
    late_run();
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
    late_run();
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    late_run();
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
    late_run();
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

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    *total = memory_limit();
    *available = used + pool.kept < *total ? *total - used - pool.kept : 0;
    return cudaSuccess;
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
