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

/* A group is used while the next is on its way, in two buffers in turns; the last is waited for
 * with nothing behind it. Thread t has the sum of what its neighbour copied, weighted by the round.
 */
CLEAVE_KERNEL void fetch_in_groups(const double *in, double *out, int rounds)
{
    const int all = cleave_threads(), other = (cleave_thread() + 1) % all;
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    double sum = 0;
    cleave_copy_async<8>(s, cleave_thread(), in + cleave_thread());
    cleave_copy_commit();
    for (int r = 0; r < rounds; r++) {
        if (r + 1 < rounds) {
            cleave_copy_async<8>(s, (r + 1) % 2 * all + cleave_thread(),
                                 in + (r + 1) * all + cleave_thread());
        }
        cleave_copy_commit(); /* of the last round an empty group */
        cleave_copy_wait_group<1>();
        cleave_barrier();
        sum += (r + 1) * s[r % 2 * all + other];
        cleave_barrier();
    }
    out[cleave_thread()] = sum;
    cleave_copy_wait();
}

static void test_groups(int threads)
{
    const int rounds = 5;
    mirror<double> in(numbers<double>(rounds * threads));
    mirror<double> out(std::vector<double>((size_t)threads));
    CLEAVE_LAUNCH(fetch_in_groups, 1, threads, 2 * threads * sizeof(double), nullptr, in.device,
                  out.device, rounds);
    for (int t = 0; t < threads; t++) {
        double sum = 0;
        for (int r = 0; r < rounds; r++) {
            sum += (r + 1) * in.host[(size_t)(r * threads + (t + 1) % threads)];
        }
        CHECK(out.fetch()[(size_t)t] == sum);
    }
}

/* Pairs of shorts, the last of which may be half of one: nothing behind it is read. */
CLEAVE_KERNEL void fetch_shorts(const unsigned short *in, unsigned short *out, int count)
{
    CLEAVE_SHARED(unsigned short) s = cleave_shared<unsigned short>(0);
    for (int i = 2 * cleave_thread(); i < count; i += 2 * cleave_threads()) {
        cleave_copy_async<4>(s, i, in + i, i + 1 < count ? 4 : 2);
    }
    cleave_copy_wait();
    cleave_barrier();
    for (int i = cleave_thread(); i < count; i += cleave_threads()) {
        out[i] = s[count - 1 - i];
    }
}

static void test_shorts(int threads, int count)
{
    mirror<unsigned short> in(numbers<unsigned short>(count));
    mirror<unsigned short> out(std::vector<unsigned short>((size_t)count));
    CLEAVE_LAUNCH(fetch_shorts, 1, threads, (size_t)(2 * count + 2), nullptr, in.device, out.device,
                  count);
    for (int i = 0; i < count; i++) {
        CHECK(out.fetch()[(size_t)i] == in.host[(size_t)(count - 1 - i)]);
    }
}

/* Reads of each width before a barrier, used behind it. */
template <class T, int BYTES> CLEAVE_KERNEL void read_pieces(const T *in, T *out)
{
    constexpr int piece = BYTES / (int)sizeof(T);
    T own[piece];
    cleave_read<BYTES>(own, in + piece * cleave_thread());
    cleave_barrier();
    for (int i = 0; i < piece; i++) {
        out[piece * cleave_thread() + i] = T(2 * own[i]);
    }
}

template <class T, int BYTES> static void test_reads(int threads)
{
    mirror<T> in(numbers<T>(BYTES / (int)sizeof(T) * threads));
    mirror<T> out(std::vector<T>(in.host.size()));
    CLEAVE_LAUNCH((read_pieces<T, BYTES>), 1, threads, 0, nullptr, in.device, out.device);
    for (size_t i = 0; i < in.host.size(); i++) {
        CHECK(out.fetch()[i] == T(2 * in.host[i]));
    }
}

/* ---- bulk copies ----------------------------------------------------------------------------- */

/* In each round, thread t fetches records t, t + threads, ..., each of RECORD elements, through one
 * arrival: in reverse, so that a record too far would be seen. All change what they read. */
template <class T, int RECORD>
CLEAVE_KERNEL void fetch_records(const T *in, T *out, int records, int rounds)
{
    CLEAVE_SHARED(T) s = cleave_shared<T>(16);
    if (cleave_thread() == 0) {
        cleave_arrival_init(0);
    }
    cleave_barrier();
    for (int r = 0; r < rounds; r++) {
        if (cleave_thread() == cleave_threads() / 2) {
            cleave_arrival_expect(0, records * RECORD * (int)sizeof(T));
        }
        for (int i = cleave_thread(); i < records; i += cleave_threads()) {
            cleave_copy_bulk(s, RECORD * (records - 1 - i), in + (r * records + i) * RECORD, RECORD,
                             0);
        }
        cleave_arrival_wait(0, r % 2);
        for (int i = cleave_thread(); i < records * RECORD; i += cleave_threads()) {
            out[r * records * RECORD + i] = s[i];
            s[i] = 0;
        }
        cleave_bulk_fence();
        cleave_barrier();
    }
}

template <class T, int RECORD> static void test_records(int threads, int records)
{
    const int rounds = 5;
    const int size = records * RECORD;
    mirror<T> in(numbers<T>(size * rounds));
    mirror<T> out(std::vector<T>(in.host.size()));
    CLEAVE_LAUNCH((fetch_records<T, RECORD>), 1, threads, 16 + (size_t)size * sizeof(T), nullptr,
                  in.device, out.device, records, rounds);
    const std::vector<T> &got = out.fetch();
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < size; i++) {
            int from = (records - 1 - i / RECORD) * RECORD + i % RECORD;
            CHECK(got[(size_t)(r * size + i)] == in.host[(size_t)(r * size + from)]);
        }
    }
}

/* Two arrivals under way at once; what lands is read by those that wait, or that meet them at a
 * barrier. Nothing is expected of the first one in its second phase. */
CLEAVE_KERNEL void two_arrivals(const double *in, double *out)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(32);
    bool leads = cleave_thread() == 0;
    if (leads) {
        cleave_arrival_init(0);
        cleave_arrival_init(8);
        cleave_arrival_expect(8, 64 * 8);
        cleave_copy_bulk(s, 64, in + 64, 64, 8);
        cleave_copy_bulk(s, 0, in, 64, 0);
        cleave_copy_bulk(s, 0, in, 0, 0);
        cleave_arrival_expect(0, 64 * 8);
        cleave_arrival_wait(0, 0);
        cleave_arrival_expect(0, 0);
    }
    cleave_barrier();
    double first = s[63 - cleave_thread()];
    cleave_arrival_wait(8, 0);
    double second = s[64 + 63 - cleave_thread()];
    cleave_arrival_wait(0, 1);
    out[cleave_thread()] = first + 1000 * second;
}

static void test_two_arrivals()
{
    mirror<double> in(numbers<double>(128));
    mirror<double> out(std::vector<double>(64));
    CLEAVE_LAUNCH(two_arrivals, 3, 64, 32 + 128 * sizeof(double), nullptr, in.device, out.device);
    for (int i = 0; i < 64; i++) {
        CHECK(out.fetch()[(size_t)i] ==
              in.host[(size_t)(63 - i)] + 1000 * in.host[(size_t)(127 - i)]);
    }
}

/* ---- bulk additions -------------------------------------------------------------------------- */

/* Every block adds its numbers to all of `out`, by its last thread, and others right after it. */
template <class T> CLEAVE_KERNEL void add_numbers(const T *in, T *out, int count)
{
    CLEAVE_SHARED(T) s = cleave_shared<T>(16);
    for (int round = 0; round < 2; round++) {
        for (int i = cleave_thread(); i < count; i += cleave_threads()) {
            s[i] = T(in[i] + T(round) - T(300) * T(cleave_block()));
        }
        cleave_bulk_fence();
        cleave_barrier();
        if (cleave_thread() == cleave_threads() - 1) {
            cleave_add_bulk(out + round * count, s, 0, count / 2);
            cleave_add_bulk(out + round * count + count / 2, s, count / 2, count / 2);
            cleave_add_bulk(out, s, 0, 0);
            cleave_add_bulk_wait();
        }
        cleave_barrier();
    }
}

template <class T> static void test_bulk_additions(int threads)
{
    const int count = 1024;
    const int blocks = 6;
    mirror<T> in(numbers<T>(count));
    mirror<T> out(std::vector<T>(2 * count, T(5)));
    CLEAVE_LAUNCH(add_numbers<T>, blocks, threads, 16 + count * sizeof(T), nullptr, in.device,
                  out.device, count);
    const std::vector<T> &got = out.fetch();
    for (int i = 0; i < 2 * count; i++) {
        T expected = T(5);
        for (int b = 0; b < blocks; b++) {
            expected = T(expected + in.host[(size_t)(i % count)] + T(i / count) - T(300) * T(b));
        }
        CHECK(got[(size_t)i] == expected);
    }
}

/* ---- wide additions -------------------------------------------------------------------------- */

CLEAVE_KERNEL void add_wide(float *four, float *two)
{
    float t = (float)cleave_thread();
    cleave_add4(four + 4 * (cleave_thread() % 5), 1, t, -2, 0.5f);
    cleave_add2(two + 2 * (cleave_thread() % 7), t, 0.25f);
}

static void test_wide_additions()
{
    const int threads = 96;
    const int blocks = 4;
    mirror<float> four(std::vector<float>(20, 1));
    mirror<float> two(std::vector<float>(14, 1));
    CLEAVE_LAUNCH(add_wide, blocks, threads, 0, nullptr, four.device, two.device);
    std::vector<float> expected_four(20, 1);
    std::vector<float> expected_two(14, 1);
    for (int t = 0; t < threads; t++) {
        const float by_four[4] = {1, (float)t, -2, 0.5f};
        const float by_two[2] = {(float)t, 0.25f};
        for (int k = 0; k < 4; k++) {
            expected_four[(size_t)(4 * (t % 5) + k)] += blocks * by_four[k];
        }
        for (int k = 0; k < 2; k++) {
            expected_two[(size_t)(2 * (t % 7) + k)] += blocks * by_two[k];
        }
    }
    CHECK(four.fetch() == expected_four);
    CHECK(two.fetch() == expected_two);
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
    for (int threads : {1, 32, 77, 256}) {
        test_shorts(threads, 255);
        test_shorts(threads, 256);
        test_groups(threads);
        test_reads<double, 8>(threads);
        test_reads<double, 16>(threads);
        test_reads<float, 4>(threads);
        test_reads<short, 8>(threads);
        test_reads<char, 16>(threads);
    }
    for (int threads : {1, 32, 77, 256}) {
        test_records<double, 2>(threads, 100);
        test_records<double, 10>(threads, 60);
        test_records<float, 4>(threads, 257);
        test_records<char, 48>(threads, 33);
        test_bulk_additions<float>(threads);
        test_bulk_additions<double>(threads);
        test_bulk_additions<int>(threads);
        test_bulk_additions<unsigned>(threads);
        test_bulk_additions<long>(threads);
        test_bulk_additions<unsigned long>(threads);
        test_bulk_additions<long long>(threads);
        test_bulk_additions<unsigned long long>(threads);
    }
    test_two_arrivals();
    test_wide_additions();
    return CHECK_RESULT();
}
