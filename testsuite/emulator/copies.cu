/* copies.cu: asynchronous copies give what plain ones do.
 *
 * Runs under the emulator in each order of threads, and under nvcc on a GPU: the same source.
 */
#include "device/cleave_device.cuh"
#include "emulator/mirror.h"

/* Small integers, distinct for a long while, in a type. */
template <class T> static std::vector<T> numbers(int count)
{
    std::vector<T> result((size_t)count);
    for (int i = 0; i < count; i++) {
        result[(size_t)i] = T(i * 7 % 1009);
    }
    return result;
}

/* ---- copies of a few bytes ------------------------------------------------------------------- */

/* Each thread fetches a piece of BYTES, backwards from the end, and hands out what another one did;
 * the second round reuses the memory. */
template <class T, int BYTES> CLEAVE_KERNEL void fetch_pieces(const T *in, T *out, int rounds)
{
    constexpr int piece = BYTES / (int)sizeof(T);
    CLEAVE_SHARED(T) s = cleave_shared<T>(32);
    int all = cleave_threads();
    for (int r = 0; r < rounds; r++) {
        int from = r * all + all - 1 - cleave_thread();
        cleave_copy_async<BYTES>(s, piece * cleave_thread(), in + piece * from);
        cleave_copy_wait();
        cleave_barrier();
        int other = (cleave_thread() + 1) % all;
        for (int i = 0; i < piece; i++) {
            out[piece * (r * all + cleave_thread()) + i] = s[piece * other + i];
        }
        cleave_barrier();
    }
}

template <class T, int BYTES> static void test_pieces(int threads)
{
    const int rounds = 2;
    const int piece = BYTES / (int)sizeof(T);
    mirror<T> in(numbers<T>(piece * threads * rounds));
    mirror<T> out(std::vector<T>(in.host.size()));
    CLEAVE_LAUNCH((fetch_pieces<T, BYTES>), 1, threads, (size_t)(32 + threads * BYTES), nullptr,
                  in.device, out.device, rounds);
    const std::vector<T> &got = out.fetch();
    for (int r = 0; r < rounds; r++) {
        for (int t = 0; t < threads; t++) {
            int from = r * threads + threads - 1 - (t + 1) % threads;
            for (int i = 0; i < piece; i++) {
                CHECK(got[(size_t)(piece * (r * threads + t) + i)] ==
                      in.host[(size_t)(piece * from + i)]);
            }
        }
    }
}

/* Several copies before one wait, and lanes that read each other's after a warp barrier only. */
CLEAVE_KERNEL void fetch_for_warp(const double *in, double *out)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0) + 3 * (cleave_thread() - cleave_lane());
    for (int k = 0; k < 3; k++) {
        cleave_copy_async<8>(s, 3 * cleave_lane() + k, in + 3 * cleave_thread() + 2 - k);
    }
    cleave_copy_wait();
    cleave_warp_barrier();
    CLEAVE_SHARED(const double) other = s + 3 * (31 - cleave_lane());
    out[cleave_thread()] = other[0] + 2 * other[1] + 4 * other[2];
}

static void test_copies_for_warp()
{
    const int threads = 96;
    mirror<double> in(numbers<double>(3 * threads));
    mirror<double> out(std::vector<double>((size_t)threads));
    CLEAVE_LAUNCH(fetch_for_warp, 1, threads, 3 * threads * sizeof(double), nullptr, in.device,
                  out.device);
    for (int t = 0; t < threads; t++) {
        const double *v = &in.host[(size_t)(3 * (t / 32 * 32 + 31 - t % 32))];
        CHECK(out.fetch()[(size_t)t] == v[2] + 2 * v[1] + 4 * v[0]);
    }
}

int main()
{
    for (int threads : {1, 32, 77, 256}) {
        test_pieces<double, 8>(threads);
        test_pieces<double, 16>(threads);
        test_pieces<float, 4>(threads);
        test_pieces<float, 8>(threads);
        test_pieces<float, 16>(threads);
        test_pieces<char, 4>(threads);
        test_pieces<long long, 16>(threads);
    }
    test_copies_for_warp();
    return CHECK_RESULT();
}
