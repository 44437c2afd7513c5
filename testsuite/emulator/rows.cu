/* rows.cu: records that warps load and store are those of a plain loop: for several sizes and types of records, with
 * elements missing in the last warp, in a last block, and in all of a warp.
 *
 * Runs under the emulator in each order of threads, and under nvcc on a GPU: the same source.
 */
#include "device/rows.cuh"
#include "emulator/mirror.h"

constexpr int BLOCK = 96;

template <class T> CLEAVE_HOST_DEVICE T value(int i)
{
    return T((i * 7 + i / 5) % 101);
}

/* to = 2 * from, record by record, twice on one area: behind 16 bytes that are not the warps'. */
template <class T, int N>
CLEAVE_KERNEL void twice(const T *from, T *to, T *again, int begin, int end, int block_size)
{
    const int e = begin + cleave_block() * block_size + cleave_thread();
    const bool active = cleave_thread() < block_size && e < end;
    const int rows = cleave_rows_of(active);
    const int first = e - cleave_lane();
    const size_t area = 16 + cleave_rows_bytes<N, T>() * (size_t)(cleave_thread() / CLEAVE_WARP);
    auto record = cleave_rows_load<N>(area, from + N * (size_t)first, rows);
    if (active) {
        for (int c = 0; c < N; c++) {
            record.v[c] += record.v[c];
        }
    }
    cleave_rows_store(area, to + N * (size_t)first, rows, record);
    cleave_rows_store(area, again + N * (size_t)first, rows, record);
}

template <class T, int N> static void check(int begin, int end, int block_size)
{
    const int size = end + 5;
    std::vector<T> from((size_t)(size * N)), marked((size_t)(size * N), T(111));
    for (int i = 0; i < size * N; i++) {
        from[(size_t)i] = value<T>(i);
    }
    mirror<T> in(from), out(marked), more(marked);
    const int threads = (block_size + CLEAVE_WARP - 1) / CLEAVE_WARP * CLEAVE_WARP;
    const int blocks = (end - begin + block_size - 1) / block_size;
    const size_t shared = 16 + (size_t)(threads / CLEAVE_WARP) * (cleave_rows_bytes<N, T>());
    CLEAVE_LAUNCH((twice<T, N>), blocks, threads, shared, nullptr, in.device, out.device, more.device, begin, end,
                  block_size);
    const std::vector<T> &first = out.fetch(), &second = more.fetch();
    for (int i = 0; i < size * N; i++) {
        const bool inside = i >= begin * N && i < end * N;
        const T wanted = inside ? T(2) * value<T>(i) : T(111);
        CHECK(first[(size_t)i] == wanted && second[(size_t)i] == wanted);
    }
}

template <class T, int N> static void check_all()
{
    check<T, N>(0, 3 * BLOCK, BLOCK);
    check<T, N>(0, 2 * BLOCK + 33, BLOCK);
    check<T, N>(3, 3 + BLOCK + 1, BLOCK);
    check<T, N>(1, 70, 40); /* the second warp of each block has 8 elements */
    check<T, N>(0, 1, 32);
}

int main()
{
    check_all<double, 1>();
    check_all<double, 5>();
    check_all<double, 6>();
    check_all<double, 25>();
    check_all<float, 9>();
    check_all<float, 16>();
    check_all<int, 12>();
    return CHECK_RESULT();
}
