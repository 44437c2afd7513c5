/* values.h: values, masks and memory for the tests of lanes, and comparing. Every run sees the same
 * numbers. Valid in C and C++. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

static uint64_t test_state = 0x9e3779b97f4a7c15u;

static uint64_t test_random(void)
{
    test_state ^= test_state << 13;
    test_state ^= test_state >> 7;
    test_state ^= test_state << 17;
    return test_state;
}

static int test_below(int n)
{
    return (int)(test_random() % (uint64_t)n);
}

/* Ordinary numbers, and those that are easily got wrong. */
static inline double test_f64(void)
{
    static const double odd[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-310, 1e300, -1.0,
                                 __builtin_nans("1")};
    const int which = test_below(32);
    return which < 9 ? odd[which] : (double)(int64_t)test_random() / 1e17;
}

static inline float test_f32(void)
{
    static const float odd[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e-42f, 3e38f, -1.0f,
                                __builtin_nansf("1")};
    const int which = test_below(32);
    return which < 9 ? odd[which] : (float)(int64_t)test_random() / 1e17f;
}

/* Integers whose sums do not overflow. */
static inline long test_i64(void)
{
    return (long)((int64_t)test_random() >> 10);
}

static inline unsigned long test_u64(void)
{
    return (unsigned long)test_random();
}

static inline int test_i32(void)
{
    return (int)((int64_t)test_random() >> 40);
}

static inline unsigned test_u32(void)
{
    return (unsigned)test_random();
}

static inline char test_c8(void)
{
    return (char)test_below(100);
}

static inline signed char test_i8(void)
{
    return (signed char)(test_below(256) - 128);
}

static inline unsigned char test_u8(void)
{
    return (unsigned char)test_below(256);
}

static inline short test_i16(void)
{
    return (short)(test_below(65536) - 32768);
}

static inline unsigned short test_u16(void)
{
    return (unsigned short)test_below(65536);
}

#ifdef __cplusplus
#define TEST_BOOL bool
#else
#define TEST_BOOL _Bool
#endif

static inline TEST_BOOL test_b8(void)
{
    return test_below(2) != 0;
}

/* A random mask of n bits with at least one set. */
static inline unsigned test_bits(int n)
{
    const unsigned bits = (unsigned)test_random() & ((1u << n) - 1);
    return bits != 0 ? bits : 1u << test_below(n);
}

/* Equal bits, or two NaNs: which of two NaNs a sum has is the compiler's choice. */
#define TEST_SAME(a, b)                                                                            \
    (memcmp(&(a), &(b), sizeof(a)) == 0 || (isnan((double)(a)) && isnan((double)(b))))

/* `bytes` bytes that end where memory that nobody may touch begins. */
static inline void *test_memory(size_t bytes)
{
    static char *page;
    static const size_t size = 1 << 20;
    if (page == NULL) {
        page = (char *)mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                            0);
        if (page == (char *)MAP_FAILED || mprotect(page + size, size, PROT_NONE) != 0) {
            perror("mmap");
            exit(1);
        }
    }
    return page + size - bytes;
}
