/* cleave_nvcc_async.cuh: the asynchronous primitives of cleave_device.cuh for nvcc.
 *
 * Included through cleave_nvcc.cuh only. Each primitive has two bodies: the instruction, for
 * architectures that have it, and an equivalent for older ones. PTX takes addresses of shared and
 * of global memory, not generic ones.
 */
#ifndef CLEAVE_NVCC_ASYNC_CUH
#define CLEAVE_NVCC_ASYNC_CUH

CLEAVE_DEVICE unsigned cleave_shared_address(const void *shared)
{
    return (unsigned)__cvta_generic_to_shared(shared);
}

/* ---- reads that are not put off
 * ------------------------------------------------------------------ */

template <int BYTES> CLEAVE_DEVICE void cleave_read(void *to, const void *p)
{
    static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "reads have 4, 8 or 16 bytes");
    size_t from = __cvta_generic_to_global(p);
    unsigned long long v[2];
    if constexpr (BYTES == 16) {
        asm volatile("ld.global.v2.b64 {%0, %1}, [%2];" : "=l"(v[0]), "=l"(v[1]) : "l"(from));
        memcpy(to, v, 16);
    } else if constexpr (BYTES == 8) {
        asm volatile("ld.global.b64 %0, [%1];" : "=l"(v[0]) : "l"(from));
        memcpy(to, v, 8);
    } else {
        unsigned word;
        asm volatile("ld.global.b32 %0, [%1];" : "=r"(word) : "l"(from));
        memcpy(to, &word, 4);
    }
}

/* ---- copies of a few bytes ------------------------------------------------------------------- */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

/* Copies of 16 bytes bypass the L1 cache and leave it to other data; smaller ones cannot. */
template <int BYTES> CLEAVE_DEVICE void cleave_copy_bytes(void *s, const void *p)
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

template <int BYTES> CLEAVE_DEVICE void cleave_copy_bytes(void *s, const void *p, int bytes)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(cleave_shared_address(s)),
                 "l"(__cvta_generic_to_global(p)), "n"(BYTES), "r"(bytes)
                 : "memory");
}

CLEAVE_DEVICE void cleave_copy_wait()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

CLEAVE_DEVICE void cleave_copy_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int BUT> CLEAVE_DEVICE void cleave_copy_wait_group()
{
    static_assert(BUT >= 0, "so many groups are left");
    asm volatile("cp.async.wait_group %0;" ::"n"(BUT) : "memory");
}

#else

template <int BYTES> CLEAVE_DEVICE void cleave_copy_bytes(void *s, const void *p, int bytes = BYTES)
{
    memcpy(s, p, (size_t)bytes);
}

CLEAVE_DEVICE void cleave_copy_wait()
{
}

CLEAVE_DEVICE void cleave_copy_commit()
{
}

template <int BUT> CLEAVE_DEVICE void cleave_copy_wait_group()
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

template <int BYTES, class T>
CLEAVE_DEVICE void cleave_copy_async(T *s, int index, const typename cleave_same<T>::type *p,
                                     int bytes)
{
    static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "copies have 4, 8 or 16 bytes");
    static_assert(BYTES % sizeof(T) == 0, "whole elements are copied");
    cleave_copy_bytes<BYTES>(s + index, p, bytes);
}

/* ---- bulk copies ----------------------------------------------------------------------------- */

CLEAVE_DEVICE void *cleave_arrival(size_t byte)
{
    return cleave_shared_bytes + byte;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12

CLEAVE_DEVICE bool cleave_has_bulk()
{
    return true;
}

/* Bulk copies use another path than loads and stores: only this fence orders the two. */
CLEAVE_DEVICE void cleave_bulk_fence()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

CLEAVE_DEVICE void cleave_arrival_init(size_t byte)
{
    asm volatile(
        "mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(cleave_shared_address(cleave_arrival(byte)))
        : "memory");
    cleave_bulk_fence();
}

CLEAVE_DEVICE void cleave_arrival_expect(size_t byte, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     cleave_shared_address(cleave_arrival(byte))),
                 "r"(bytes)
                 : "memory");
}

CLEAVE_DEVICE void cleave_arrival_wait(size_t byte, int phase)
{
    unsigned over = 0;
    while (over == 0) {
        asm volatile("{\n\t"
                     ".reg .pred over;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, over;\n\t"
                     "}"
                     : "=r"(over)
                     : "r"(cleave_shared_address(cleave_arrival(byte))), "r"(phase)
                     : "memory");
    }
}

template <class T>
CLEAVE_DEVICE void cleave_copy_bulk(T *s, int index, const typename cleave_same<T>::type *p,
                                    int count, size_t byte)
{
    if (count > 0) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(cleave_shared_address(s + index)),
                     "l"(__cvta_generic_to_global(p)), "r"(count * (int)sizeof(T)),
                     "r"(cleave_shared_address(cleave_arrival(byte)))
                     : "memory");
    }
}

/* PTX adds unsigned 64-bit numbers only; for signed ones the bits are the same. */
#define CLEAVE_ADD_BULK(T, type)                                                                   \
    CLEAVE_DEVICE void cleave_add_bulk_bytes(T *p, const T *s, int bytes)                          \
    {                                                                                              \
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add." type                \
                     " [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(p)),                        \
                     "r"(cleave_shared_address(s)), "r"(bytes)                                     \
                     : "memory");                                                                  \
    }
CLEAVE_ADD_BULK(float, "f32")
CLEAVE_ADD_BULK(double, "f64")
CLEAVE_ADD_BULK(int, "s32")
CLEAVE_ADD_BULK(unsigned, "u32")
CLEAVE_ADD_BULK(long, "u64")
CLEAVE_ADD_BULK(unsigned long, "u64")
CLEAVE_ADD_BULK(long long, "u64")
CLEAVE_ADD_BULK(unsigned long long, "u64")
#undef CLEAVE_ADD_BULK

template <class T>
CLEAVE_DEVICE void cleave_add_bulk(T *p, const typename cleave_same<T>::type *s, int index,
                                   int count)
{
    if (count > 0) {
        cleave_add_bulk_bytes(p, s + index, count * (int)sizeof(T));
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
}

/* Waits until the shared memory has been read. The sums are in memory when the kernel has ended. */
CLEAVE_DEVICE void cleave_add_bulk_wait()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

#else

CLEAVE_DEVICE bool cleave_has_bulk()
{
    return false;
}

CLEAVE_DEVICE void cleave_bulk_fence()
{
}

/* An arrival object consists of two words. The first counts the bytes that were copied in the
 * current phase less those that are expected, plus CLEAVE_ARRIVED once they are expected; the
 * second counts the phases that are over. A thread that makes the first word CLEAVE_ARRIVED ends
 * the phase. */
#define CLEAVE_ARRIVED (1u << 30)

CLEAVE_DEVICE void cleave_arrival_init(size_t byte)
{
    volatile unsigned *word = (volatile unsigned *)cleave_arrival(byte);
    word[0] = 0;
    word[1] = 0;
}

CLEAVE_DEVICE void cleave_arrival_change(size_t byte, unsigned change)
{
    unsigned *word = (unsigned *)cleave_arrival(byte);
    __threadfence_block();
    if (atomicAdd(&word[0], change) + change == CLEAVE_ARRIVED) {
        atomicSub(&word[0], CLEAVE_ARRIVED);
        __threadfence_block();
        atomicAdd(&word[1], 1);
    }
}

CLEAVE_DEVICE void cleave_arrival_expect(size_t byte, int bytes)
{
    cleave_arrival_change(byte, CLEAVE_ARRIVED - (unsigned)bytes);
}

CLEAVE_DEVICE void cleave_arrival_wait(size_t byte, int phase)
{
    const volatile unsigned *word = (const volatile unsigned *)cleave_arrival(byte);
    while ((int)(word[1] & 1) == phase) {
    }
    __threadfence_block();
}

template <class T>
CLEAVE_DEVICE void cleave_copy_bulk(T *s, int index, const typename cleave_same<T>::type *p,
                                    int count, size_t byte)
{
    if (count > 0) {
        for (int i = 0; i < count; i++) {
            s[index + i] = p[i];
        }
        cleave_arrival_change(byte, (unsigned)(count * (int)sizeof(T)));
    }
}

template <class T>
CLEAVE_DEVICE void cleave_add_bulk(T *p, const typename cleave_same<T>::type *s, int index,
                                   int count)
{
    for (int i = 0; i < count; i++) {
        cleave_add(p + i, s[index + i]);
    }
}

CLEAVE_DEVICE void cleave_add_bulk_wait()
{
}

#endif

/* ---- wide atomic additions ------------------------------------------------------------------- */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 &&                                              \
    __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1201

CLEAVE_DEVICE void cleave_add2(float *p, float a, float b)
{
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(p)), "f"(a),
                 "f"(b)
                 : "memory");
}

CLEAVE_DEVICE void cleave_add4(float *p, float a, float b, float c, float d)
{
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(p)),
                 "f"(a), "f"(b), "f"(c), "f"(d)
                 : "memory");
}

#else

CLEAVE_DEVICE void cleave_add2(float *p, float a, float b)
{
    cleave_add(p, a);
    cleave_add(p + 1, b);
}

CLEAVE_DEVICE void cleave_add4(float *p, float a, float b, float c, float d)
{
    cleave_add2(p, a, b);
    cleave_add2(p + 2, c, d);
}

#endif

#endif
