/* staged.cu: asynchronous staging brings every component of every listed point to its place.
 *
 * Runs under the emulator in each order of threads, and under nvcc on a GPU: the same source.
 */
#include "device/staging.cuh"
#include "emulator/mirror.h"

/* ---- strides --------------------------------------------------------------------------------- */

static void test_strides()
{
    CHECK((cleave_stride<double, 1>() == 1));
    CHECK((cleave_stride<double, 2>() == 2));
    CHECK((cleave_stride<double, 3>() == 3));
    CHECK((cleave_stride<double, 4>() == 6));
    CHECK((cleave_stride<double, 6>() == 6));
    CHECK((cleave_stride<double, 8>() == 10));
    CHECK((cleave_stride<double, 4, 8>() == 5));
    CHECK((cleave_stride<float, 2>() == 3));
    CHECK((cleave_stride<float, 2, 8>() == 2));
    CHECK((cleave_stride<float, 4>() == 4));
    CHECK((cleave_stride<float, 6, 8>() == 6));
    CHECK((cleave_stride<float, 8>() == 12));
    CHECK((cleave_stride<char, 3>() == 3));
    CHECK((cleave_copy_elements<double, 6>(4, false) == 2));
    CHECK((cleave_copy_elements<double, 5>(4, false) == 1));
    CHECK((cleave_copy_elements<double, 6>(4, true) == 1));
    CHECK((cleave_copy_elements<float, 6>(6, false) == 2));
    CHECK((cleave_copy_elements<char, 12>(12, false) == 4));
    CHECK((cleave_copy_elements<char, 3>(3, false) == 0));
}

/* ---- meshes ---------------------------------------------------------------------------------- */

constexpr int POINTS = 500;

/* The lists of some blocks, and their runs, on the device. */
struct lists {
    std::vector<int> start = {0};
    std::vector<int> point;
    std::vector<int> run_start = {0};
    std::vector<int> run_point;
    std::vector<unsigned short> run_place;
    int max_points = 0;

    /* Points between first and last, of every `period` those before `kept`. */
    void add(int first, int last, int period, int kept)
    {
        int begin = (int)point.size();
        for (int p = first; p < last; p++) {
            if (p % period < kept) {
                if ((int)point.size() == begin || point.back() + 1 != p) {
                    run_point.push_back(p);
                    run_place.push_back((unsigned short)((int)point.size() - begin));
                }
                point.push_back(p);
            }
        }
        start.push_back((int)point.size());
        run_start.push_back((int)run_point.size());
        int points = (int)point.size() - begin;
        max_points = points > max_points ? points : max_points;
    }

    int blocks() const
    {
        return (int)start.size() - 1;
    }
};

/* Among them a block of single points, one of one run, one of one point and one of none. */
static lists make_lists()
{
    lists result;
    result.add(3, 120, 7, 3);
    result.add(0, 200, 2, 1);
    result.add(90, 130, 1, 1);
    result.add(POINTS - 1, POINTS, 1, 1);
    result.add(5, 5, 1, 1);
    result.add(250, POINTS, 11, 10);
    return result;
}

template <class T> static std::vector<T> make_dat(int dim)
{
    std::vector<T> result((size_t)(POINTS * dim));
    for (int i = 0; i < POINTS * dim; i++) {
        result[(size_t)i] = T(i * 7 % 113);
    }
    return result;
}

/* Component C[k], or k, of each listed point, in list order. */
template <class T, int DIM, int... C>
static std::vector<T> expected_records(const lists &l, const std::vector<T> &dat)
{
    const std::vector<int> chosen = {C...};
    std::vector<T> result;
    for (int p : l.point) {
        int size = chosen.empty() ? DIM : (int)chosen.size();
        for (int k = 0; k < size; k++) {
            int component = chosen.empty() ? k : chosen[(size_t)k];
            result.push_back(dat[(size_t)(p * DIM + component)]);
        }
    }
    return result;
}

/* ---- copies of pieces ------------------------------------------------------------------------ */

/* Hands out the records, those of a block from start*size on. */
template <class T, int SIZE, int STRIDE>
CLEAVE_DEVICE void hand_out(CLEAVE_SHARED(const T) s, cleave_points list, T *out)
{
    for (int i = cleave_thread(); i < list.points * SIZE; i += cleave_threads()) {
        out[i] = s[i / SIZE * STRIDE + i % SIZE];
    }
}

template <class T, int DIM, int STRIDE, int... C>
CLEAVE_KERNEL void stage_pieces(cleave_plan_list list, const T *dat, T *out)
{
    constexpr int size = cleave_record_size<DIM, C...>();
    cleave_points mine = cleave_points_of(list, cleave_block());
    CLEAVE_SHARED(const T) s = cleave_stage_in_async<T, DIM, STRIDE, C...>(16, dat, mine);
    cleave_copy_wait();
    cleave_barrier();
    hand_out<T, size, STRIDE>(s, mine, out + list.start[cleave_block()] * size);
}

template <class T, int DIM, int STRIDE, int... C>
static void test_pieces(const lists &l, int threads)
{
    mirror<int> start(l.start);
    mirror<int> point(l.point);
    mirror<T> dat(make_dat<T>(DIM));
    std::vector<T> expected = expected_records<T, DIM, C...>(l, dat.host);
    mirror<T> out(std::vector<T>(expected.size()));
    cleave_plan_list list = {};
    list.start = start.device;
    list.point = point.device;
    CLEAVE_LAUNCH((stage_pieces<T, DIM, STRIDE, C...>), l.blocks(), threads,
                  16 + l.max_points * STRIDE * sizeof(T), nullptr, list, dat.device, out.device);
    CHECK(out.fetch() == expected);
}

static void test_all_pieces(const lists &l, int threads)
{
    test_pieces<double, 1, cleave_stride<double, 1>()>(l, threads);
    test_pieces<double, 3, cleave_stride<double, 3>()>(l, threads);
    test_pieces<double, 4, cleave_stride<double, 4>()>(l, threads);
    test_pieces<double, 4, cleave_stride<double, 4, 8>()>(l, threads);
    test_pieces<double, 4, 4>(l, threads);
    test_pieces<double, 5, cleave_stride<double, 2>(), 3, 1>(l, threads);
    test_pieces<double, 5, cleave_stride<double, 3>(), 2, 3, 4>(l, threads);
    test_pieces<float, 2, cleave_stride<float, 2>()>(l, threads);
    test_pieces<float, 2, cleave_stride<float, 2, 8>()>(l, threads);
    test_pieces<float, 8, cleave_stride<float, 8>()>(l, threads);
    test_pieces<float, 3, cleave_stride<float, 1>(), 2>(l, threads);
    test_pieces<int, 5, cleave_stride<int, 5>()>(l, threads);
    test_pieces<long, 2, cleave_stride<long, 2>()>(l, threads);
    test_pieces<char, 12, cleave_stride<char, 12, 4>()>(l, threads);
    test_pieces<char, 3, cleave_stride<char, 3>()>(l, threads);
    test_pieces<char, 8, cleave_stride<char, 2>(), 7, 1>(l, threads);
}

/* ---- copies of runs -------------------------------------------------------------------------- */

/* Two dats through one arrival. */
template <class T, int DIM, class U, int DIM_U>
CLEAVE_KERNEL void stage_runs(cleave_plan_list list, int max_points, const T *dat, T *out,
                              const U *other, U *other_out)
{
    int block = cleave_block();
    cleave_points points = cleave_points_of(list, block);
    cleave_runs mine = cleave_runs_of(list, block);
    if (cleave_thread() == 0) {
        cleave_arrival_init(0);
    }
    cleave_barrier();
    if (cleave_thread() == 0) {
        cleave_arrival_expect(0, cleave_stage_bulk_bytes<T, DIM>(mine) +
                                     cleave_stage_bulk_bytes<U, DIM_U>(mine));
    }
    size_t second = 16 + max_points * DIM * sizeof(T);
    CLEAVE_SHARED(const T) s = cleave_stage_in_bulk<T, DIM>(16, dat, mine, 0);
    CLEAVE_SHARED(const U) u = cleave_stage_in_bulk<U, DIM_U>(second, other, mine, 0);
    cleave_arrival_wait(0, 0);
    hand_out<T, DIM, DIM>(s, points, out + list.start[block] * DIM);
    hand_out<U, DIM_U, DIM_U>(u, points, other_out + list.start[block] * DIM_U);
}

template <class T, int DIM, class U, int DIM_U> static void test_runs(const lists &l, int threads)
{
    mirror<int> start(l.start);
    mirror<int> point(l.point);
    mirror<int> run_start(l.run_start);
    mirror<int> run_point(l.run_point);
    mirror<unsigned short> run_place(l.run_place);
    mirror<T> dat(make_dat<T>(DIM));
    mirror<U> other(make_dat<U>(DIM_U));
    std::vector<T> expected = expected_records<T, DIM>(l, dat.host);
    std::vector<U> other_expected = expected_records<U, DIM_U>(l, other.host);
    mirror<T> out(std::vector<T>(expected.size()));
    mirror<U> other_out(std::vector<U>(other_expected.size()));
    cleave_plan_list list = {};
    list.start = start.device;
    list.point = point.device;
    list.run_start = run_start.device;
    list.run_point = run_point.device;
    list.run_place = run_place.device;
    size_t bytes = 16 + l.max_points * (DIM * sizeof(T) + DIM_U * sizeof(U));
    CLEAVE_LAUNCH((stage_runs<T, DIM, U, DIM_U>), l.blocks(), threads, bytes, nullptr, list,
                  l.max_points, dat.device, out.device, other.device, other_out.device);
    CHECK(out.fetch() == expected);
    CHECK(other_out.fetch() == other_expected);
}

int main()
{
    lists l = make_lists();
    test_strides();
    for (int threads : {1, 32, 77, 128}) {
        test_all_pieces(l, threads);
        test_runs<double, 2, float, 4>(l, threads);
        test_runs<double, 6, int, 12>(l, threads);
        test_runs<long long, 4, char, 16>(l, threads);
    }
    return CHECK_RESULT();
}
