/* transposed.cu: a warp's updates of points, turned round or from registers, are those of a plain
 * loop.
 *
 * Runs under the emulator in each order of threads, and under nvcc on a GPU: the same source.
 */
#include "device/transpose.cuh"
#include "emulator/mirror.h"

constexpr int POINTS = 61;

enum numbering { SCATTERED, IN_RUNS, ALL_ONE, NONE };

/* The point of each of `count` elements; about one in nine has none. */
static std::vector<int> make_points(numbering kind, int count)
{
    std::vector<int> result((size_t)count);
    for (int i = 0; i < count; i++) {
        int run = kind == SCATTERED ? i : i / 5 + i / 7;
        int p = run * 23 % 67;
        result[(size_t)i] = p < POINTS ? p : -1;
        if (kind == ALL_ONE || kind == NONE) {
            result[(size_t)i] = kind == NONE ? -1 : 17;
        }
    }
    return result;
}

/* Component k of what element i has for its point: small integers, so that sums are exact. */
template <class T> CLEAVE_HOST_DEVICE T contribution(int i, int k)
{
    return T((i * 5 + k * 11) % 29 + k);
}

/* Twice, on one area, the second time with the components that much larger. */
template <class OP, class T, int DIM, bool MERGE, int... C>
CLEAVE_KERNEL void update(const int *point, T *global, int count)
{
    constexpr int size = cleave_record_size<DIM, C...>();
    int i = cleave_block() * cleave_threads() + cleave_thread();
    T value[size];
    for (int again = 0; again < 2; again++) {
        for (int k = 0; k < size; k++) {
            value[k] = T(contribution<T>(i, k) + T(again * 3));
        }
        size_t area =
            32 + cleave_thread() / CLEAVE_WARP * cleave_transpose_bytes<OP, T, DIM, MERGE, C...>();
        cleave_transpose_out<OP, T, DIM, MERGE, C...>(area, global, i < count ? point[i] : -1, value);
    }
}

static int joined(cleave_op_add, int a, int b)
{
    return a + b;
}

static int joined(cleave_op_min, int a, int b)
{
    return b < a ? b : a;
}

static int joined(cleave_op_max, int a, int b)
{
    return b > a ? b : a;
}

template <class OP, class T, int DIM, bool MERGE, int... C>
static void test_update(numbering kind, int threads)
{
    const int count = 333;
    const int blocks = (count + threads - 1) / threads;
    const int warps = threads / 32;
    const int size = sizeof...(C) == 0 ? DIM : (int)sizeof...(C);
    std::vector<int> component = {C...};
    std::vector<T> expected((size_t)(POINTS * DIM), T(12));
    mirror<int> point(make_points(kind, count));
    mirror<T> global(expected);
    for (int i = 0; i < 2 * count; i++) {
        int p = point.host[(size_t)(i / 2)];
        for (int k = 0; k < size && p >= 0; k++) {
            T &place = expected[(size_t)(p * DIM + (component.empty() ? k : component[(size_t)k]))];
            place = T(joined(OP(), (int)place, (int)contribution<T>(i / 2, k) + i % 2 * 3));
        }
    }
    size_t bytes = 32 + warps * cleave_transpose_bytes<OP, T, DIM, MERGE, C...>();
    CLEAVE_LAUNCH((update<OP, T, DIM, MERGE, C...>), blocks, threads, bytes, nullptr, point.device,
                  global.device, count);
    CHECK(global.fetch() == expected);
}

template <bool MERGE> static void test_sums(numbering kind, int threads)
{
    test_update<cleave_op_add, double, 1, MERGE>(kind, threads);
    test_update<cleave_op_add, double, 4, MERGE>(kind, threads);
    test_update<cleave_op_add, double, 5, MERGE, 3>(kind, threads);
    test_update<cleave_op_add, double, 5, MERGE, 1, 2>(kind, threads);
    test_update<cleave_op_add, double, 6, MERGE, 5, 0, 3>(kind, threads);
    test_update<cleave_op_add, float, 2, MERGE>(kind, threads);
    test_update<cleave_op_add, float, 4, MERGE>(kind, threads);
    test_update<cleave_op_add, float, 4, MERGE, 0, 1, 2, 3>(kind, threads);
    test_update<cleave_op_add, int, 26, MERGE>(kind, threads);
    test_update<cleave_op_add, unsigned long long, 3, MERGE>(kind, threads);
}

template <class OP, bool MERGE> static void test_extrema(numbering kind, int threads)
{
    test_update<OP, double, 1, MERGE>(kind, threads);
    test_update<OP, double, 3, MERGE, 2, 1>(kind, threads);
    test_update<OP, float, 4, MERGE>(kind, threads);
    test_update<OP, int, 5, MERGE>(kind, threads);
}

static void test_bytes()
{
    CHECK((cleave_transpose_bytes<cleave_op_add, double, 4, false>() == 32 * 5 * 8));
    CHECK((cleave_transpose_bytes<cleave_op_add, double, 5, true>() == 32 * 5 * 8 + 32));
    CHECK((cleave_transpose_bytes<cleave_op_add, double, 5, false, 2>() == 0));
    CHECK((cleave_transpose_bytes<cleave_op_min, double, 1, false>() == 0));
    CHECK((cleave_transpose_bytes<cleave_op_add, double, 1, true>() == 32 * 8 + 32));
    CHECK((cleave_transpose_bytes<cleave_op_add, float, 4, false>() == 0));
    CHECK((cleave_transpose_bytes<cleave_op_add, float, 2, false>() == 0));
    CHECK((cleave_transpose_bytes<cleave_op_add, float, 4, true>() == 32 * 5 * 4 + 32));
    CHECK((cleave_transpose_bytes<cleave_op_max, float, 4, false>() == 32 * 5 * 4));
}

int main()
{
    test_bytes();
    for (numbering kind : {SCATTERED, IN_RUNS, ALL_ONE, NONE}) {
        for (int threads : {32, 96, 128}) {
            test_sums<false>(kind, threads);
            test_sums<true>(kind, threads);
            test_extrema<cleave_op_min, false>(kind, threads);
            test_extrema<cleave_op_min, true>(kind, threads);
            test_extrema<cleave_op_max, false>(kind, threads);
            test_extrema<cleave_op_max, true>(kind, threads);
        }
    }
    return CHECK_RESULT();
}
