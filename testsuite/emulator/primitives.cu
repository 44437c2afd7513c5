/* primitives.cu: blocks, atomics and launches, ops.cuh, staging.cuh and reduce.cuh give what they
 * say; what warps do is in warps.cu, asynchronous copies are in copies.cu.
 *
 * Runs under the emulator in each order of threads, and under nvcc on a GPU: the same source.
 */
#include <cmath>
#include <cstdlib>
#include <cstring>
#include "device/reduce.cuh"
#include "device/soa.cuh"
#include "device/staging.cuh"
#include "emulator/mirror.h"

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
    CLEAVE_SHARED(T) s = cleave_stage_zero<T, 2>(16, {nullptr, 1});
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

/* Three reductions through two scratches, without a barrier of the caller's between and after them.
 */
template <class T> CLEAVE_KERNEL void reduce_all(const T *in, T *out)
{
    CLEAVE_SHARED(T) scratch = cleave_shared<T>(0);
    T mine = in[cleave_thread()];
    if (cleave_thread() < 32) {
        scratch[cleave_thread()] = mine;
    }
    cleave_barrier();
    T sum = cleave_reduce<cleave_op_add>(mine, scratch);
    T low = cleave_reduce<cleave_op_min>(mine, scratch + 32);
    T high = cleave_reduce<cleave_op_max>(mine, scratch);
    if (cleave_thread() < 32) {
        scratch[32 + cleave_thread()] = mine;
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
    CLEAVE_LAUNCH(reduce_all<T>, 1, threads, 64 * sizeof(T), nullptr, values.device, out.device);
    const std::vector<T> &got = out.fetch();
    CHECK(got[0] == sum);
    CHECK(got[1] == low);
    CHECK(got[2] == high);
}

static void test_reductions()
{
    for (int threads : {32, 64, 96, 128, 160, 224, 256, 288, 512, 544, 992, 1024}) {
        test_reduction<double>(threads);
        test_reduction<float>(threads);
        test_reduction<int>(threads);
        test_reduction<unsigned>(threads);
        test_reduction<long>(threads);
        test_reduction<long long>(threads);
        test_reduction<unsigned long long>(threads);
    }
}

/* Blocks first..first+n-1 of all: each reduces its threads' values, the last one all partial
 * results. */
template <class T>
CLEAVE_KERNEL void reduce_blocks(cleave_reduction<T> sum, cleave_reduction<T> most,
                                 cleave_arrivals arrived, int first)
{
    const int b = first + cleave_block();
    const int i = b * cleave_threads() + cleave_thread();
    const T sums[2] = {T(i % 7), T(1)};
    const T mosts[1] = {T(i * 31 % 251)};
    CLEAVE_SHARED(T) scratch = cleave_shared<T>(0);
    cleave_reduce_block<cleave_op_add, 2>(sums, sum, b, scratch);
    cleave_reduce_block<cleave_op_max, 1>(mosts, most, b, scratch);
    if (cleave_is_last(arrived, cleave_shared<int>(64 * sizeof(T)))) {
        cleave_reduce_all<cleave_op_add, 2>(sum, arrived.blocks, scratch);
        cleave_reduce_all<cleave_op_max, 1>(most, arrived.blocks, scratch);
        cleave_tell_results(arrived);
    }
}

template <class T>
static void launch_part(const cleave_launch &launch, cleave_arrivals arrived, int first, int blocks,
                        int threads)
{
    CLEAVE_LAUNCH(reduce_blocks<T>, blocks, threads, 64 * sizeof(T) + sizeof(int), nullptr,
                  cleave_reduction_of<T>(&launch, 0), cleave_reduction_of<T>(&launch, 1), arrived,
                  first);
}

/* A loop of two launches, twice: the counter is as before after each. */
template <class T> static void test_all_blocks(int blocks, int most, int threads)
{
    mirror<T> partial(std::vector<T>((size_t)(3 * blocks)));
    mirror<unsigned> count(std::vector<unsigned>(1, 0));
    T *result = nullptr;
    CHECK(cudaMallocHost((void **)&result, 3 * sizeof(T)) == cudaSuccess);
    unsigned *done = nullptr;
    CHECK(cudaMallocHost((void **)&done, sizeof(*done)) == cudaSuccess);
    void *partials[2] = {partial.device, partial.device + 2 * blocks};
    void *results[2] = {result, result + 2};
    cleave_launch launch = {};
    launch.blocks = blocks;
    launch.partial = partials;
    launch.result = results;
    launch.arrived = count.device;
    launch.done = done;
    const cleave_arrivals arrived = cleave_arrivals_of(&launch, most);
    const int half = arrived.blocks / 2;
    const int all = (blocks < most ? blocks : most) * threads;
    T sum = 0;
    T high = 0;
    for (int i = 0; i < all; i++) {
        sum = T(sum + i % 7);
        high = high < T(i * 31 % 251) ? T(i * 31 % 251) : high;
    }
    for (int run = 0; run < 2; run++) {
        result[0] = result[1] = result[2] = T(77);
        *done = 0;
        launch_part<T>(launch, arrived, 0, half, threads);
        CHECK(*done == 0);
        launch_part<T>(launch, arrived, half, arrived.blocks - half, threads);
        CHECK(count.fetch()[0] == 0 && *done == 1);
        CHECK(result[0] == sum && result[1] == T(all) && result[2] == high);
    }
    CHECK(cudaFreeHost(result) == cudaSuccess);
    CHECK(cudaFreeHost(done) == cudaSuccess);
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
    cleave_points mine = {point + start[cleave_block()], points};
    CLEAVE_SHARED(const double) all = cleave_stage_in<double, 2>(0, x, mine);
    CLEAVE_SHARED(double) sy = cleave_stage_zero<double, 2>(2 * points * sizeof(double), mine);
    cleave_barrier();
    for (int p = cleave_thread(); p < points; p += cleave_threads()) {
        axpy(all + 2 * p, sy + 2 * p, a.v);
    }
    cleave_barrier();
    if (atomic) {
        cleave_stage_out_atomic_add<double, 2>(y, sy, mine);
    } else {
        cleave_stage_out_add<double, 2>(y, sy, mine);
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

/* Records of some components: 2 and 0 of 4 in, in this order, and 1 to 2 of 3 out. */
CLEAVE_KERNEL void stage_some(const float *x, float *y, const int *point, int points)
{
    cleave_points all = {point, points};
    CLEAVE_SHARED(const float) sx = cleave_stage_in<float, 4, 2, 0>(0, x, all);
    CLEAVE_SHARED(float) sy = cleave_stage_zero<float, 2>(2 * points * sizeof(float), all);
    cleave_barrier();
    for (int p = cleave_thread(); p < points; p += cleave_threads()) {
        sy[2 * p] += sx[2 * p];
        sy[2 * p + 1] -= sx[2 * p + 1];
    }
    cleave_barrier();
    cleave_stage_out_add<float, 3, 1, 2>(y, sy, all);
}

static void test_components(int threads)
{
    std::vector<float> values(16);
    for (int i = 0; i < 16; i++) {
        values[(size_t)i] = (float)(i * i);
    }
    mirror<float> x(values);
    mirror<float> y(std::vector<float>(12, 1));
    mirror<int> point(std::vector<int>{3, 1, 2});
    CLEAVE_LAUNCH(stage_some, 1, threads, 12 * sizeof(float), nullptr, x.device, y.device,
                  point.device, 3);
    std::vector<float> expected(12, 1);
    for (int p = 1; p < 4; p++) {
        expected[(size_t)(3 * p + 1)] += values[(size_t)(4 * p + 2)];
        expected[(size_t)(3 * p + 2)] -= values[(size_t)(4 * p)];
    }
    CHECK(y.fetch() == expected);
}

/* A block adds to the first of its points only. The others must be left alone, and not have zeros
 * added to them, since a block of the same colour may modify them at the same time: -0 would become
 * 0. */
CLEAVE_KERNEL void add_to_first(double *structures, double *arrays, int stride, const int *point,
                                int points)
{
    cleave_points all = {point, points};
    CLEAVE_SHARED(double) sums = cleave_stage_zero<double, 2>(0, all);
    cleave_barrier();
    if (cleave_thread() == 0) {
        sums[1] += 7;
    }
    cleave_barrier();
    cleave_stage_out_add<double, 2>(structures, sums, all);
    cleave_stage_out_add<double, 2>(cleave_soa_of(arrays, stride), sums, all);
}

static void test_left_alone(void)
{
    const int points = 3;
    mirror<double> structures(std::vector<double>(2 * points, -0.0));
    mirror<double> arrays(std::vector<double>(2 * points, -0.0));
    mirror<int> point(std::vector<int>{1, 0, 2});
    CLEAVE_LAUNCH(add_to_first, 1, 40, 2 * points * sizeof(double), nullptr, structures.device,
                  arrays.device, points, point.device, points);
    const std::vector<double> by_point = structures.fetch(), by_component = arrays.fetch();
    for (size_t p = 0; p < (size_t)points; p++) {
        for (size_t c = 0; c < 2; c++) {
            const bool is_first = p == 1 && c == 1;
            const double value[2] = {by_point[2 * p + c], by_component[c * (size_t)points + p]};
            for (const double v : value) {
                CHECK(is_first ? v == 7 : v == 0 && std::signbit(v));
            }
        }
    }
}

/* Minima and maxima: within a block by atomics on shared memory, between blocks by `atomic`. */
template <class T> CLEAVE_KERNEL void extrema(T *low, T *high, const int *point, bool atomic)
{
    cleave_points two = {point, 2};
    CLEAVE_SHARED(T) slow = cleave_stage_highest<T, 1>(0, two);
    CLEAVE_SHARED(T) shigh = cleave_stage_lowest<T, 1>(32, two);
    cleave_barrier();
    T mine = T(cleave_block() * cleave_threads() + cleave_thread() * 7 % cleave_threads());
    cleave_min_shared<T>(slow, cleave_thread() % 2, mine);
    cleave_max_shared<T>(shigh, cleave_thread() % 2, mine);
    cleave_barrier();
    if (atomic) {
        cleave_stage_out_atomic_min<T, 2, 1>(low, slow, two);
        cleave_stage_out_atomic_max<T, 2, 1>(high, shigh, two);
    } else {
        cleave_stage_out_min<T, 2, 1>(low, slow, two);
        cleave_stage_out_max<T, 2, 1>(high, shigh, two);
    }
}

/* Component 1 of points 2 and 0; all else stays. One place has a better value from the start. */
template <class T> static void test_extrema(bool atomic)
{
    const int threads = 50;
    const int blocks = atomic ? 3 : 1;
    mirror<T> low(std::vector<T>{5, 5, 5, 5, 5, 90});
    mirror<T> high(std::vector<T>{5, 250, 5, 5, 5, 5});
    mirror<int> point(std::vector<int>{2, 0});
    CLEAVE_LAUNCH(extrema<T>, blocks, threads, 64, nullptr, low.device, high.device, point.device,
                  atomic);
    T even_low = 1000;
    T odd_low = 1000;
    T even_high = 0;
    for (int b = 0; b < blocks; b++) {
        for (int t = 0; t < threads; t++) {
            T v = T(b * threads + t * 7 % threads);
            T &place = t % 2 == 0 ? even_low : odd_low;
            place = v < place ? v : place;
            even_high = t % 2 == 0 && even_high < v ? v : even_high;
        }
    }
    CHECK(low.fetch() == (std::vector<T>{5, odd_low < 5 ? odd_low : T(5), 5, 5, 5, even_low}));
    CHECK(high.fetch() == (std::vector<T>{5, 250, 5, 5, 5, even_high}));
}

/* Values of both signs in a scattered order, the two zeros and two NaNs among them. */
template <class T> CLEAVE_DEVICE T value_of_thread(T zero)
{
    const int t = cleave_thread();
    return t == 0   ? -zero
           : t == 1 ? zero
           : t == 2 ? zero / zero
           : t == 3 ? -(zero / zero)
                    : T(t * 29 % 64) - T(32.5);
}

/* Straight to memory: places 2 * i and 2 * i + 1 get the minimum and the maximum of the values
 * times factor[i]. */
template <class T> CLEAVE_KERNEL void extrema_of_memory(T *place, const T *factor, int factors)
{
    const T v = value_of_thread(T(0) * factor[0]);
    for (int i = 0; i < factors; i++) {
        cleave_min(&place[2 * i], v * factor[i]);
        cleave_max(&place[2 * i + 1], v * factor[i]);
    }
}

template <class T> static bool same_bits(const T &a, const T &b)
{
    return memcmp(&a, &b, sizeof(T)) == 0;
}

/* Extrema cross zero in both directions and reach infinity. A NaN of either sign is no extremum,
 * and is left alone where it is. */
template <class T> static void test_extrema_of_memory()
{
    const T nan = T(NAN), negative_nan = std::copysign(nan, T(-1)), large = T(INFINITY);
    const std::vector<T> before{3,   -100,         -1,           1,     -50,    60,      nan,
                                nan, negative_nan, negative_nan, large, -large, T(-0.0), T(-0.0)};
    const std::vector<T> factors{1, T(0.01), 1, 1, 1, large, 1};
    const std::vector<T> after{
        T(-31.5), T(30.5),      -1,           1,      -50,   60,       nan,
        nan,      negative_nan, negative_nan, -large, large, T(-31.5), T(30.5)};
    mirror<T> place(before);
    mirror<T> factor(factors);
    CLEAVE_LAUNCH(extrema_of_memory<T>, 2, 64, 0, nullptr, place.device, factor.device,
                  (int)factors.size());
    const std::vector<T> got = place.fetch();
    for (size_t i = 0; i < after.size(); i++) {
        CHECK(same_bits(got[i], after[i]));
    }
}

static void test_minima_and_maxima()
{
    for (bool atomic : {false, true}) {
        test_extrema<float>(atomic);
        test_extrema<double>(atomic);
        test_extrema<int>(atomic);
        test_extrema<unsigned>(atomic);
        test_extrema<long>(atomic);
        test_extrema<unsigned long>(atomic);
        test_extrema<long long>(atomic);
        test_extrema<unsigned long long>(atomic);
    }
    test_extrema_of_memory<float>();
    test_extrema_of_memory<double>();
}

/* A plan of two blocks: elements 0..2 and 3..4, two columns. */
CLEAVE_KERNEL void read_plan(struct cleave_plan plan, int *out)
{
    int block = cleave_block();
    bool active = cleave_thread() < plan.start[block + 1] - plan.start[block];
    int position = plan.start[block] + cleave_thread();
    cleave_points points = cleave_points_of(plan.list[1], block);
    int local = cleave_local_of(plan, 1, 1, position, active);
    if (cleave_thread() < 4) {
        out[8 * block + cleave_thread()] = active ? points.point[local] : -local;
    }
    if (cleave_thread() == 0) {
        out[8 * block + 4] = points.points;
    }
}

static void test_plan()
{
    mirror<int> start(std::vector<int>{0, 3, 5});
    mirror<int> list_start(std::vector<int>{0, 2, 5});
    mirror<int> point(std::vector<int>{10, 20, 30, 40, 50});
    mirror<unsigned short> local(std::vector<unsigned short>{9, 9, 9, 9, 9, 1, 0, 1, 2, 0});
    mirror<int> out(std::vector<int>(16, 7));
    struct cleave_plan plan = {};
    plan.size = 5;
    plan.start = start.device;
    plan.list[1].start = list_start.device;
    plan.list[1].point = point.device;
    plan.list[1].local = local.device;
    CLEAVE_LAUNCH(read_plan, 2, 32, 0, nullptr, plan, out.device);
    CHECK(out.fetch() == (std::vector<int>{20, 10, 20, 0, 2, 7, 7, 7, 50, 30, 0, 0, 3, 7, 7, 7}));
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
    for (int threads : {32, 96, 160}) {
        test_all_blocks<double>(1, 100, threads);
        test_all_blocks<double>(2, 100, threads);
        test_all_blocks<float>(300, 1000, threads);
        test_all_blocks<int>(300, 200, threads);
        test_all_blocks<unsigned long long>(200, 200, threads);
    }
    for (int threads : {1, 3, 32, 64}) {
        test_staging(threads, false);
        test_staging(threads, true);
    }
    test_components(32);
    test_components(1);
    test_left_alone();
    test_minima_and_maxima();
    test_plan();
    test_constants();
    test_launches();
    return CHECK_RESULT();
}
