/* owners.cu: blocks of points stage their neighbourhood, walk their items and add up what elements
 * give them, on meshes with isolated points, a hub and elements that name a point twice.
 *
 * Runs under the emulator in each order of threads, and under nvcc on a GPU: the same source.
 * Values are small whole numbers, so that any order of additions gives the same bits.
 */
#include <algorithm>
#include <set>

#include "device/owner.cuh"
#include "emulator/mirror.h"

/* ---- meshes and their plans -------------------------------------------------------------------
 */

template <int COLUMNS> struct mesh {
    int points;
    std::vector<int> row; /* [elements*COLUMNS] */

    int elements() const
    {
        return (int)row.size() / COLUMNS;
    }
};

/* Neighbours some way off, a point in many elements, points in none, and rows that repeat a point.
 */
template <int COLUMNS> static mesh<COLUMNS> make_mesh(int points, int elements)
{
    mesh<COLUMNS> result = {points, {}};
    for (int e = 0; e < elements; e++) {
        for (int c = 0; c < COLUMNS; c++) {
            int point = e % 11 == 3 ? points / 2 : (e * 3 + c * (e % 7)) % points;
            result.row.push_back(point % 10 == 9 ? point - 1 : point);
        }
    }
    return result;
}

/* The arrays of one list of a plan for blocks of points, made the slow way. */
template <int COLUMNS> struct plan {
    int block_size;
    int max_around = 0;
    std::vector<int> around_start = {0};
    std::vector<int> around_point;
    std::vector<int> around_own;
    std::vector<int> slice_start = {0};
    std::vector<int> slice_element;
    std::vector<unsigned char> slice_column;
    std::vector<unsigned short> slice_local; /* [COLUMNS][entries], once finished */

    plan(const mesh<COLUMNS> &m, unsigned modified, int size) : block_size(size)
    {
        std::vector<std::vector<std::pair<int, int>>> items((size_t)m.points);
        for (int e = 0; e < m.elements(); e++) {
            for (int c = 0; c < COLUMNS; c++) {
                if ((modified >> c & 1) != 0) {
                    items[(size_t)m.row[(size_t)(e * COLUMNS + c)]].push_back({e, c});
                }
            }
        }
        std::vector<unsigned short> local[COLUMNS];
        for (int first = 0; first < m.points; first += size) {
            add_block(m, items, first, local);
        }
        for (int c = 0; c < COLUMNS; c++) {
            slice_local.insert(slice_local.end(), local[c].begin(), local[c].end());
        }
    }

    int owners() const
    {
        return (int)around_own.size();
    }

  private:
    void add_block(const mesh<COLUMNS> &m,
                   const std::vector<std::vector<std::pair<int, int>>> &items, int first,
                   std::vector<unsigned short> *local)
    {
        int end = std::min(first + block_size, m.points);
        std::set<int> around;
        for (int p = first; p < end; p++) {
            around.insert(p);
            for (auto item : items[(size_t)p]) {
                for (int c = 0; c < COLUMNS; c++) {
                    around.insert(m.row[(size_t)(item.first * COLUMNS + c)]);
                }
            }
        }
        std::vector<int> place((size_t)m.points);
        int count = 0;
        for (int p : around) {
            place[(size_t)p] = count++;
        }
        around_point.insert(around_point.end(), around.begin(), around.end());
        around_start.push_back((int)around_point.size());
        around_own.push_back(place[(size_t)first]);
        max_around = std::max(max_around, count);
        for (int lane0 = first; lane0 < first + block_size; lane0 += 32) {
            add_slice(m, items, lane0, end, place, local);
        }
    }

    void add_slice(const mesh<COLUMNS> &m,
                   const std::vector<std::vector<std::pair<int, int>>> &items, int first, int end,
                   const std::vector<int> &place, std::vector<unsigned short> *local)
    {
        size_t rows = 0;
        for (int p = first; p < first + 32 && p < end; p++) {
            rows = std::max(rows, items[(size_t)p].size());
        }
        for (size_t row = 0; row < rows; row++) {
            for (int p = first; p < first + 32; p++) {
                bool has = p < end && row < items[(size_t)p].size();
                std::pair<int, int> item = has ? items[(size_t)p][row] : std::make_pair(-1, 0);
                slice_element.push_back(item.first);
                slice_column.push_back((unsigned char)item.second);
                for (int c = 0; c < COLUMNS; c++) {
                    int point = has ? m.row[(size_t)(item.first * COLUMNS + c)] : -1;
                    local[c].push_back((unsigned short)(has ? place[(size_t)point] : 0));
                }
            }
        }
        slice_start.push_back((int)slice_element.size() / 32);
    }
};

/* ---- one loop ----------------------------------------------------------------------------------
 */

/* The contribution of an element through a column to component d, from its own record and the
 * points'. */
template <class T> CLEAVE_HOST_DEVICE T contribution(int column, int d, T own, T sum)
{
    return T(T(column + 1) * own + sum + T(d));
}

/* The value of an element's own two records. */
template <class T> CLEAVE_HOST_DEVICE T own_value(const T *two, const T *three)
{
    return T(two[0] - two[1] + three[0] + 2 * three[1] - 3 * three[2]);
}

/* Sums IN components C... of all points of the element, or all; adds OUT components. */
template <class OP, class T, int COLUMNS, int IN, int OUT, int STRIDE, int... C>
CLEAVE_KERNEL void gather(cleave_plan_list list, int block_size, const T *in, const T *own,
                          const T *odd, T *out)
{
    constexpr int size = cleave_record_size<IN, C...>();
    constexpr int stride = cleave_stride<T, size>();
    const cleave_owner mine = cleave_owner_of(list, block_size);
    if (mine.rows == 0) {
        return;
    }
    CLEAVE_SHARED(const T) s = cleave_stage_around<T, IN, stride, C...>(0, in, mine);
    auto next = cleave_item_of<COLUMNS>(list, mine, mine.row);
    T sum[OUT];
    for (int d = 0; d < OUT; d++) {
        sum[d] = cleave_start<T>(OP());
    }
    cleave_copy_wait();
    cleave_barrier();
    for (int row = mine.row; row < mine.last; row++) {
        const auto now = next;
        const auto record = cleave_fetched(cleave_fetch<T, 2>(own, now.element), now.element);
        const auto other = cleave_fetched(cleave_fetch<T, 3>(odd, now.element), now.element);
        next = cleave_item_of<COLUMNS>(list, mine, row + 1);
        if (now.element >= 0) {
            T all = 0;
            for (int c = 0; c < COLUMNS; c++) {
                for (int k = 0; k < size; k++) {
                    all = T(all + s[now.local[c] * stride + k]);
                }
            }
            for (int d = 0; d < OUT; d++) {
                sum[d] =
                    cleave_join(OP(), sum[d],
                                contribution<T>(now.column, d, own_value(record.v, other.v), all));
            }
        }
    }
    cleave_barrier();
    CLEAVE_SHARED(T) sums = cleave_shared<T>(0);
    if (cleave_thread() < mine.owned) {
        for (int d = 0; d < OUT; d++) {
            sums[STRIDE * cleave_thread() + d] = sum[d];
        }
    }
    cleave_bulk_fence();
    cleave_barrier();
    cleave_own_out<OP, T, OUT, STRIDE>(0, out, mine);
    cleave_add_bulk_wait();
}

template <class T> static std::vector<T> make_dat(int count)
{
    std::vector<T> result((size_t)count);
    for (int i = 0; i < count; i++) {
        result[(size_t)i] = T(i * 7 % 5);
    }
    return result;
}

template <class T> static void join(cleave_op_add, T &place, T value)
{
    place = T(place + value);
}

template <class T> static void join(cleave_op_min, T &place, T value)
{
    place = std::min(place, value);
}

template <class T> static void join(cleave_op_max, T &place, T value)
{
    place = std::max(place, value);
}

template <class OP, class T, int COLUMNS, int IN, int OUT, int... C>
static std::vector<T> expected_sums(const mesh<COLUMNS> &m, unsigned modified,
                                    const std::vector<T> &in, const std::vector<T> &own,
                                    const std::vector<T> &odd, std::vector<T> out)
{
    std::vector<int> chosen = {C...};
    for (int k = 0; sizeof...(C) == 0 && k < IN; k++) {
        chosen.push_back(k);
    }
    for (int e = 0; e < m.elements(); e++) {
        const int *row = &m.row[(size_t)(e * COLUMNS)];
        T all = 0;
        for (int c = 0; c < COLUMNS; c++) {
            for (int k : chosen) {
                all = T(all + in[(size_t)(row[c] * IN + k)]);
            }
        }
        T mine = own_value(&own[(size_t)(2 * e)], &odd[(size_t)(3 * e)]);
        for (int c = 0; c < COLUMNS; c++) {
            for (int d = 0; (modified >> c & 1) != 0 && d < OUT; d++) {
                join(OP(), out[(size_t)(row[c] * OUT + d)], contribution<T>(c, d, mine, all));
            }
        }
    }
    return out;
}

/* STRIDE: of the sums in shared memory, OUT where one bulk addition may take them. */
template <class OP, class T, int COLUMNS, int IN, int OUT, int STRIDE, int... C>
static void test_gather(const mesh<COLUMNS> &m, unsigned modified, int block_size)
{
    plan<COLUMNS> p(m, modified, block_size);
    mirror<int> around_start(p.around_start), around_point(p.around_point),
        around_own(p.around_own);
    mirror<int> slice_start(p.slice_start), slice_element(p.slice_element);
    mirror<unsigned char> slice_column(p.slice_column);
    mirror<unsigned short> slice_local(p.slice_local);
    mirror<T> in(make_dat<T>(m.points * IN)), own(make_dat<T>(m.elements() * 2));
    mirror<T> odd(make_dat<T>(m.elements() * 3));
    mirror<T> out(make_dat<T>(m.points * OUT));
    std::vector<T> expected = expected_sums<OP, T, COLUMNS, IN, OUT, C...>(
        m, modified, in.host, own.host, odd.host, out.host);
    cleave_plan_list list = {};
    list.columns = COLUMNS;
    list.points = m.points;
    list.owners = p.owners();
    list.rows = p.slice_start.back();
    list.around_start = around_start.device;
    list.around_point = around_point.device;
    list.around_own = around_own.device;
    list.slice_start = slice_start.device;
    list.slice_element = slice_element.device;
    list.slice_column = slice_column.device;
    list.slice_local = slice_local.device;
    constexpr int stride = cleave_stride<T, cleave_record_size<IN, C...>()>();
    size_t bytes =
        std::max((size_t)(p.max_around * stride), (size_t)(block_size * STRIDE)) * sizeof(T);
    CLEAVE_LAUNCH((gather<OP, T, COLUMNS, IN, OUT, STRIDE, C...>), p.owners(),
                  (block_size + 31) / 32 * 32, bytes, nullptr, list, block_size, in.device,
                  own.device, odd.device, out.device);
    CHECK(out.fetch() == expected);
}

static void test_block_size(int size)
{
    const mesh<1> single = make_mesh<1>(300, 500);
    const mesh<2> edges = make_mesh<2>(501, 1500);
    const mesh<3> triangles = make_mesh<3>(257, 400);
    const mesh<4> cells = make_mesh<4>(130, 200);
    test_gather<cleave_op_add, double, 1, 1, 1, 1>(single, 1, size);
    test_gather<cleave_op_add, double, 2, 6, 5, 5>(edges, 3, size);
    test_gather<cleave_op_add, double, 2, 3, 4, 5>(edges, 2, size);
    test_gather<cleave_op_add, float, 2, 4, 3, 3>(edges, 3, size);
    test_gather<cleave_op_add, float, 3, 5, 1, 1, 4, 1>(triangles, 5, size);
    test_gather<cleave_op_add, int, 3, 2, 6, 6>(triangles, 7, size);
    test_gather<cleave_op_add, long long, 4, 1, 2, 2>(cells, 15, size);
    test_gather<cleave_op_add, short, 2, 3, 3, 3>(edges, 3, size);
    test_gather<cleave_op_min, double, 4, 2, 2, 3>(cells, 9, size);
    test_gather<cleave_op_max, int, 2, 3, 2, 3, 1>(edges, 1, size);
}

int main()
{
    for (int size : {1, 32, 33, 64, 100, 128, 256}) {
        test_block_size(size);
    }
    test_gather<cleave_op_add, double, 2, 3, 2, 2>(make_mesh<2>(1, 5), 3, 128);
    test_gather<cleave_op_add, float, 2, 3, 2, 2>(make_mesh<2>(70, 1), 3, 32);
    return CHECK_RESULT();
}
