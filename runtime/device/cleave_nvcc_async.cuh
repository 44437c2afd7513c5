/* cleave_nvcc_async.cuh: the asynchronous primitives of cleave_device.cuh as nvcc has them.
 *
 * Included through cleave_nvcc.cuh only. Each has two bodies: the instruction of the architectures
 * that have it, and what does the same with the same calls on older ones. PTX wants addresses of
 * shared and of global memory, not generic ones.
 */
#ifndef CLEAVE_NVCC_ASYNC_CUH
#define CLEAVE_NVCC_ASYNC_CUH

CLEAVE_DEVICE unsigned cleave_shared_address(const void *shared)
{
    return (unsigned)__cvta_generic_to_shared(shared);
}

/* ---- copies of a few bytes ------------------------------------------------------------------- */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

/* 16 bytes pass the L1 cache by, which is left to other data; fewer cannot. */
template <int BYTES, class T> CLEAVE_DEVICE void cleave_copy_bytes(T *s, const T *p)
{
    unsigned to = cleave_shared_address(s);
    size_t from = __cvta_generic_to_global(p);
    if constexpr (BYTES == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(BYTES)
                     : "memory");
    }
}

CLEAVE_DEVICE void cleave_copy_wait()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

#else

template <int BYTES, class T> CLEAVE_DEVICE void cleave_copy_bytes(T *s, const T *p)
{
    for (int i = 0; i < BYTES / (int)sizeof(T); i++) {
        s[i] = p[i];
    }
}

CLEAVE_DEVICE void cleave_copy_wait()
{
}

#endif

template <int BYTES, class T>
CLEAVE_DEVICE void cleave_copy_async(T *s, int index, const typename cleave_same<T>::type *p)
{
    static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "copies have 4, 8 or 16 bytes");
    static_assert(BYTES % sizeof(T) == 0, "whole elements are copied");
    cleave_copy_bytes<BYTES>(s + index, p);
}

#endif
