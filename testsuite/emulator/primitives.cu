/* primitives.cu: every primitive of cleave_device.cuh, staging.cuh and reduce.cuh gives what it
 * says.
 *
 * Runs under the emulator in each order of threads, and under nvcc on a GPU: the same source.
 */
#include <cstdlib>
#include <vector>
#include "device/reduce.cuh"
#include "device/staging.cuh"
#include "check.h"

/* A host array and its copy on the device. */
template <class T> struct mirror {
    std::vector<T> host;
    T *device = nullptr;

    explicit mirror(const std::vector<T> &values) : host(values)
    {
        cudaMalloc((void **)&device, bytes());
        cudaMemcpy(device, host.data(), bytes(), cudaMemcpyHostToDevice);
    }

    ~mirror()
    {
        cudaFree(device);
    }

    size_t bytes() const
    {
        return host.size() * sizeof(T);
    }

    const std::vector<T> &fetch()
    {
        CHECK(cudaDeviceSynchronize() == cudaSuccess);
        CHECK(cudaMemcpy(host.data(), device, bytes(), cudaMemcpyDeviceToHost) == cudaSuccess);
        return host;
    }
};

/* ---- barriers -------------------------------------------------------------------------------- */

/* Each thread reads what its neighbours on both sides wrote, over and over. */
CLEAVE_KERNEL void relax(int *out, int rounds)
{
    CLEAVE_SHARED(int) s = cleave_shared<int>(0);
    int me = cleave_thread();
    int n = cleave_threads();
    s[me] = me;
    for (int i = 0; i < rounds; i++) {
        cleave_barrier();
        int next = s[(me + 1) % n] + s[(me + n - 1) % n];
        cleave_barrier();
        s[me] = next % 1000;
    }
    out[cleave_block() * n + me] = s[me];
}

static void test_barrier(int threads)
{
    const int rounds = 20;
    const int blocks = 3;
    mirror<int> out(std::vector<int>((size_t)(blocks * threads)));
    CLEAVE_LAUNCH(relax, blocks, threads, threads * sizeof(int), nullptr, out.device, rounds);
    std::vector<int> now((size_t)threads);
    std::vector<int> then((size_t)threads);
    for (int i = 0; i < threads; i++) {
        now[(size_t)i] = i;
    }
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < threads; i++) {
            then[(size_t)i] =
                (now[(size_t)((i + 1) % threads)] + now[(size_t)((i + threads - 1) % threads)]) %
                1000;
        }
        now = then;
    }
    const std::vector<int> &got = out.fetch();
    for (int i = 0; i < blocks * threads; i++) {
        CHECK(got[(size_t)i] == now[(size_t)(i % threads)]);
    }
}

/* ---- atomics --------------------------------------------------------------------------------- */

template <class T> CLEAVE_KERNEL void count(T *total)
{
    CLEAVE_SHARED(T) s = cleave_shared<T>(16);
    cleave_stage_zero<T>(s, 2);
    cleave_barrier();
    cleave_add_shared(s, 1, T(cleave_thread() % 3));
    cleave_add(s + 0, T(1));
    cleave_barrier();
    if (cleave_thread() == 0) {
        cleave_add(total, T(s[1]));
    }
    cleave_add(total + 1, T(2));
    cleave_fence();
}

template <class T> static void test_atomics()
{
    const int blocks = 5;
    const int threads = 96;
    mirror<T> total(std::vector<T>(2, T(1)));
    CLEAVE_LAUNCH(count<T>, blocks, threads, 16 + 2 * sizeof(T), nullptr, total.device);
    CHECK(total.fetch()[0] == T(1 + blocks * threads));
    CHECK(total.fetch()[1] == T(1 + 2 * blocks * threads));
}

CLEAVE_KERNEL void subtract(long long *total)
{
    cleave_add(total, -3LL);
}

static void test_negative_addition()
{
    mirror<long long> total(std::vector<long long>(1, 10));
    CLEAVE_LAUNCH(subtract, 2, 32, 0, nullptr, total.device);
    CHECK(total.fetch()[0] == 10 - 3 * 64);
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* Three reductions through one scratch, used before and after without a barrier of the caller's. */
template <class T> CLEAVE_KERNEL void reduce_all(const T *in, T *out)
{
    CLEAVE_SHARED(T) scratch = cleave_shared<T>(0);
    T mine = in[cleave_thread()];
    if (cleave_thread() < 32) {
        scratch[cleave_thread()] = mine;
    }
    T sum = cleave_reduce_add<T>(mine, scratch);
    T low = cleave_reduce_min<T>(mine, scratch);
    T high = cleave_reduce_max<T>(mine, scratch);
    if (cleave_thread() < 32) {
        scratch[cleave_thread()] = mine;
    }
    if (cleave_thread() == 0) {
        out[0] = sum;
        out[1] = low;
        out[2] = high;
    }
}

template <class T> static void test_reduction(int threads)
{
    std::vector<T> in((size_t)threads);
    T sum = 0;
    T low = 200;
    T high = 0;
    for (int i = 0; i < threads; i++) {
        T v = T(2 + i * 37 % 101);
        in[(size_t)i] = v;
        sum = T(sum + v);
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    mirror<T> values(in);
    mirror<T> out(std::vector<T>(3));
    CLEAVE_LAUNCH(reduce_all<T>, 1, threads, 32 * sizeof(T), nullptr, values.device, out.device);
    const std::vector<T> &got = out.fetch();
    CHECK(got[0] == sum);
    CHECK(got[1] == low);
    CHECK(got[2] == high);
}

static void test_reductions()
{
    const int sizes[] = {1,   2,   3,   5,   16,  31,  32,  33,  63,  64,  65,   95,   96,
                         100, 127, 128, 129, 160, 255, 256, 333, 512, 513, 1000, 1023, 1024};
    for (int threads : sizes) {
        test_reduction<double>(threads);
        test_reduction<float>(threads);
        test_reduction<int>(threads);
        test_reduction<unsigned>(threads);
        test_reduction<long>(threads);
        test_reduction<long long>(threads);
        test_reduction<unsigned long long>(threads);
    }
}

/* ---- shuffles -------------------------------------------------------------------------------- */

CLEAVE_KERNEL void shift(double *out, int distance)
{
    out[cleave_thread()] = cleave_shuffle_down(1.5 * cleave_thread(), distance);
}

static void test_shuffle()
{
    mirror<double> out(std::vector<double>(64));
    CLEAVE_LAUNCH(shift, 1, 64, 0, nullptr, out.device, 3);
    const std::vector<double> &got = out.fetch();
    for (int i = 0; i < 64; i++) {
        CHECK(got[(size_t)i] == 1.5 * (i % 32 + 3 < 32 ? i + 3 : i));
    }
}

/* ---- staging --------------------------------------------------------------------------------- */

/* A helper as generated code has them: whatever it is given behaves like a pointer. */
template <class P, class Q> CLEAVE_DEVICE void axpy(P x, Q y, const double *a)
{
    double sum = x[0] * x[1];
    y[0] = y[0] + a[0] * sum;
    y[1] += sum > 0 ? x[1] : 1;
    *y -= x[0];
}

/* Two blocks share point 3. With `atomic`, both add to it. */
CLEAVE_KERNEL void stage(const double *x, double *y, const int *start, const int *point, int points,
                         cleave_value<double, 2> a, bool atomic)
{
    const int *mine = point + start[cleave_block()];
    CLEAVE_SHARED(double) sx = cleave_shared<double>(0);
    CLEAVE_SHARED(double) sy = cleave_shared<double>(2 * points * sizeof(double));
    cleave_stage_in<double, 2>(sx, x, mine, points);
    cleave_stage_zero<double>(sy, 2 * points);
    cleave_barrier();
    CLEAVE_SHARED(const double) all = sx;
    for (int p = cleave_thread(); p < points; p += cleave_threads()) {
        axpy(all + 2 * p, sy + 2 * p, a.v);
    }
    cleave_barrier();
    if (atomic) {
        cleave_stage_out_atomic<double, 2>(y, sy, mine, points);
    } else {
        cleave_stage_out_add<double, 2>(y, sy, mine, points);
    }
}

static void test_staging(int threads, bool atomic)
{
    const std::vector<int> point_list = {0, 2, 3, 5, atomic ? 3 : 6, 1, 4, 7};
    std::vector<double> x_values(16);
    for (int i = 0; i < 16; i++) {
        x_values[(size_t)i] = i - 4.5;
    }
    std::vector<double> expected(16, 100);
    for (int p : point_list) {
        const double *x = &x_values[(size_t)(2 * p)];
        double sum = x[0] * x[1];
        expected[(size_t)(2 * p)] += 3 * sum - x[0];
        expected[(size_t)(2 * p + 1)] += sum > 0 ? x[1] : 1;
    }
    mirror<double> x(x_values);
    mirror<double> y(std::vector<double>(16, 100));
    mirror<int> start(std::vector<int>{0, 4});
    mirror<int> point(point_list);
    cleave_value<double, 2> a = {{3, 0}};
    CLEAVE_LAUNCH(stage, 2, threads, 16 * sizeof(double), nullptr, x.device, y.device, start.device,
                  point.device, 4, a, atomic);
    CHECK(y.fetch() == expected);
}

CLEAVE_KERNEL void swap_pairs(float *x, const int *point, int points)
{
    CLEAVE_SHARED(float) s = cleave_shared<float>(0);
    cleave_stage_in<float, 3>(s, x, point, points);
    cleave_barrier();
    int me = cleave_thread();
    if (me < points / 2) {
        for (int d = 0; d < 3; d++) {
            float first = s[6 * me + d];
            s[6 * me + d] = s[6 * me + 3 + d];
            s[6 * me + 3 + d] = first;
        }
    }
    cleave_barrier();
    cleave_stage_out<float, 3>(x, s, point, points);
}

static void test_stage_out()
{
    std::vector<float> values;
    for (int i = 0; i < 12; i++) {
        values.push_back((float)i);
    }
    mirror<float> x(values);
    mirror<int> point(std::vector<int>{3, 1});
    CLEAVE_LAUNCH(swap_pairs, 1, 32, 6 * sizeof(float), nullptr, x.device, point.device, 2);
    const std::vector<float> expected = {0, 1, 2, 9, 10, 11, 6, 7, 8, 3, 4, 5};
    CHECK(x.fetch() == expected);
}

/* ---- constants and launches ------------------------------------------------------------------ */

CLEAVE_CONSTANT double gas[2];
CLEAVE_CONSTANT int factor;

CLEAVE_KERNEL void use_constants(double *out)
{
    out[cleave_thread()] = factor * gas[cleave_thread() % 2];
}

static void test_constants()
{
    double values[2] = {1.4, 0.4};
    int two = 2;
    mirror<double> out(std::vector<double>(2));
    cleave_constant_set(gas, values, sizeof(values));
    cleave_constant_set(factor, &two, sizeof(two));
    CLEAVE_LAUNCH(use_constants, 1, 2, 0, nullptr, out.device);
    CHECK(out.fetch()[0] == 2 * 1.4);
    CHECK(out.fetch()[1] == 2 * 0.4);
}

CLEAVE_KERNEL void fill_shared(double *out, int last)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    s[last] = 7;
    out[0] = s[last];
}

static void test_launches()
{
    mirror<double> out(std::vector<double>(2));
    CLEAVE_LAUNCH(use_constants, 0, 32, 0, nullptr, nullptr);
    CHECK(cudaGetLastError() == cudaSuccess);
    for (int kilobytes : {16, 100, 227, 16}) {
        int last = kilobytes * 128 - 1;
        CLEAVE_LAUNCH(fill_shared, 1, 1, (size_t)kilobytes * 1024, nullptr, out.device, last);
        CHECK(cudaGetLastError() == cudaSuccess);
        CHECK(out.fetch()[0] == 7);
    }
    CLEAVE_LAUNCH(use_constants, 1, 1025, 0, nullptr, out.device);
    CHECK(cudaGetLastError() != cudaSuccess);
    CLEAVE_LAUNCH(fill_shared, 1, 1, (size_t)228 * 1024, nullptr, out.device, 0);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaSuccess);
}

int main()
{
    for (int threads : {1, 32, 77, 256, 1024}) {
        test_barrier(threads);
    }
    test_atomics<float>();
    test_atomics<double>();
    test_atomics<int>();
    test_atomics<unsigned>();
    test_atomics<long>();
    test_atomics<unsigned long>();
    test_atomics<long long>();
    test_atomics<unsigned long long>();
    test_negative_addition();
    test_reductions();
    test_shuffle();
    for (int threads : {1, 3, 32, 64}) {
        test_staging(threads, false);
        test_staging(threads, true);
    }
    test_stage_out();
    test_constants();
    test_launches();
    return CHECK_RESULT();
}
