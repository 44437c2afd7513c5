/* owner.cuh: the points of a block compute the contributions of the elements that name them.
 *
 * Written with the primitives of cleave_device.cuh only. In: cleave_plan_list of a plan for blocks
 * of points (CLEAVE_PLAN_OWNERS). A block owns consecutive points, one thread for each. It stages
 * the records of their neighbourhood in shared memory. Then every thread walks the items of its
 * point, an element and a column each, evaluates the element, and keeps the sums in registers. At
 * the end the block adds the sums to memory, side by side. One thread owns each value, so there are
 * no races and the result does not depend on the order of blocks. In exchange, an element is
 * evaluated once for every point that it modifies.
 *
 *   neighbourhood  |   |   | own points  |   |   in shared memory, records STRIDE elements apart
 *   warp's slice   row 0: the first items of the points of lanes 0..31
 *                  row 1: the second items, ...; element -1 for a lane without more items
 */
#ifndef CLEAVE_OWNER_CUH
#define CLEAVE_OWNER_CUH

#include <type_traits>
#include "cleave_gen.h"
#include "cleave_device.cuh"
#include "ops.cuh"
#include "record.cuh"
#include "staging.cuh"

/* A block of points. */
struct cleave_owner {
    const int *point; /* [points] its neighbourhood, ascending */
    int points;
    int first; /* own points: first..first+owned-1; that of a thread is first + cleave_thread() */
    int owned;
    int row; /* the slice of the thread's warp: rows row..last-1, none if they are equal */
    int last;
    int rows; /* of all its slices; 0: no element names an own point, so there is no work */
};

/* Returns the block cleave_block() of the launch. block_size: own points per block, at most; the
 * block has that many threads, rounded up to whole warps. */
CLEAVE_DEVICE cleave_owner cleave_owner_of(const cleave_plan_list &list, int block_size)
{
    const int block = cleave_block();
    const int warps = (block_size + CLEAVE_WARP - 1) / CLEAVE_WARP;
    const int slice = block * warps + cleave_thread() / CLEAVE_WARP;
    const int around = list.around_start[block];
    cleave_owner owner;
    owner.point = list.around_point + around;
    owner.points = list.around_start[block + 1] - around;
    owner.first = block * block_size;
    owner.owned = list.points - owner.first < block_size ? list.points - owner.first : block_size;
    owner.row = list.slice_start[slice];
    owner.last = list.slice_start[slice + 1];
    owner.rows = list.slice_start[(block + 1) * warps] - list.slice_start[block * warps];
    return owner;
}

/* ---- items ----------------------------------------------------------------------------------- */

/* An element that names the thread's point. */
template <int COLUMNS> struct cleave_item {
    int element;        /* -1: none */
    int column;         /* it names the point through this one of the list's columns */
    int local[COLUMNS]; /* where the points of all columns stand in the neighbourhood */
};

/* Returns the thread's item in a row of its warp's slice; no item in rows behind the last one.
 * COLUMNS: list.columns. */
template <int COLUMNS>
CLEAVE_DEVICE cleave_item<COLUMNS> cleave_item_of(const cleave_plan_list &list,
                                                  const cleave_owner &owner, int row)
{
    cleave_item<COLUMNS> item = {-1, 0, {}};
    if (row < owner.last) {
        const size_t at = (size_t)row * CLEAVE_WARP + cleave_lane();
        const size_t entries = (size_t)list.rows * CLEAVE_WARP;
        item.element = list.slice_element[at];
        item.column = list.slice_column[at];
        for (int c = 0; c < COLUMNS; c++) {
            item.local[c] = list.slice_local[c * entries + at];
        }
    }
    return item;
}

/* Records of an odd number of 8-byte components begin at a multiple of 16 bytes for even elements
 * only. */
template <class T, int DIM> CLEAVE_HOST_DEVICE constexpr bool cleave_is_odd()
{
    return sizeof(T) == 8 && DIM % 2 == 1 && DIM > 1;
}

/* Loads v[first]..v[DIM-1] from an array that begins at a multiple of 16 bytes, 16 bytes at a time
 * if v[first] is at such a multiple. */
template <class T, int DIM>
CLEAVE_DEVICE void cleave_fetch_from(const T *from, cleave_value<T, DIM> &record, int first)
{
    constexpr int part = sizeof(T) < 16 && DIM * sizeof(T) % 16 == 0 ? 16 / (int)sizeof(T)
                         : cleave_is_odd<T, DIM>()                   ? 2
                                                                     : 1;
    for (int d = first; d < DIM; d += part) {
        if constexpr (part == 1) {
            record.v[d] = from[d - first];
        } else {
            const cleave_record<T, part> loaded = cleave_load<part>(from + (d - first));
            for (int k = 0; k < part; k++) {
                record.v[d + k] = loaded[k];
            }
        }
    }
}

/* Loads the element's own record of a dat of DIM components before it is used, zeros if there is no
 * element; cleave_fetched returns the record later. Lanes have scattered elements, so each request
 * touches as many cache lines as there are lanes; loads of 16 bytes need the fewest requests.
 * Records of an odd number of 8-byte components leave one component over, the first of odd elements
 * and the last of even ones; v[0] holds it. The dat's address is a multiple of 16. */
template <class T, int DIM>
CLEAVE_DEVICE cleave_value<T, DIM> cleave_fetch(const T *dat, int element)
{
    cleave_value<T, DIM> ahead = {};
    if (element >= 0) {
        const T *from = dat + (size_t)element * DIM;
        if constexpr (cleave_is_odd<T, DIM>()) {
            ahead.v[0] = from[element % 2 != 0 ? 0 : DIM - 1];
            cleave_fetch_from(from + element % 2, ahead, 1);
        } else {
            cleave_fetch_from(from, ahead, 0);
        }
    }
    return ahead;
}

/* Returns the record that cleave_fetch loaded: component d is v[d]. */
template <class T, int DIM>
CLEAVE_DEVICE cleave_value<T, DIM> cleave_fetched(const cleave_value<T, DIM> &ahead, int element)
{
    cleave_value<T, DIM> record = ahead;
    if constexpr (cleave_is_odd<T, DIM>()) {
        for (int d = 0; d < DIM; d++) {
            record.v[d] = element % 2 != 0 ? ahead.v[d] : ahead.v[(d + 1) % DIM];
        }
    }
    return record;
}

/* Returns a if the condition holds, else b, both converted to T. */
template <class T>
CLEAVE_DEVICE T cleave_choose(bool condition, typename cleave_same<T>::type a,
                              typename cleave_same<T>::type b)
{
    return condition ? a : b;
}

/* Returns record a if the condition holds, else b. */
template <class T, int N>
CLEAVE_DEVICE cleave_record<T, N> cleave_choose_record(bool condition, const cleave_record<T, N> &a,
                                                       const cleave_record<T, N> &b)
{
    cleave_record<T, N> chosen;
    for (int c = 0; c < N; c++) {
        chosen.v[c] = condition ? a[c] : b[c];
    }
    return chosen;
}

/* ---- staging --------------------------------------------------------------------------------- */

/* Stages the records of the neighbourhood at a byte of the block's shared memory, a multiple of 16:
 * all DIM components, or those named by C..., STRIDE elements apart. The copies land later: before
 * they are used, every thread calls cleave_copy_wait() and then cleave_barrier(). All threads of
 * whole warps call it. A warp takes 32 points at a time. Its lanes load the numbers of the next 32
 * points while the records of these are copied, so no copy waits for a number. */
template <class T, int DIM, int STRIDE, int... C>
CLEAVE_DEVICE CLEAVE_SHARED(const T)
    cleave_stage_around(size_t byte, const T *global, const cleave_owner &owner)
{
    constexpr int size = cleave_record_size<DIM, C...>();
    constexpr int step = cleave_copy_elements<T, STRIDE>(size, sizeof...(C) > 0);
    constexpr int steps = step > 0 ? size / step : size;
    static_assert(STRIDE >= size, "records do not overlap");
    CLEAVE_SHARED(T) s = cleave_shared<T>(byte);
    const int lane = cleave_lane();
    const int warp = cleave_thread() - lane;
    int next = warp + lane < owner.points ? owner.point[warp + lane] : 0;
    for (int begin = warp; begin < owner.points; begin += cleave_threads()) {
        const int point = next;
        const int after = begin + cleave_threads() + lane;
        next = after < owner.points ? owner.point[after] : 0;
        for (int n = 0; n < steps; n++) {
            const int i = n * CLEAVE_WARP + lane;
            const size_t from = (size_t)cleave_shuffle(point, i / steps) * DIM;
            const int to = begin + i / steps;
            if (to < owner.points) {
                if constexpr (step > 0) {
                    const int k = i % steps * step;
                    cleave_copy_async<step *(int)sizeof(T)>(
                        s, to * STRIDE + k, global + from + cleave_component<C...>(k));
                } else {
                    s[to * STRIDE + i % steps] = global[from + cleave_component<C...>(i % steps)];
                }
            }
        }
    }
    return s;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* True if records lie in shared memory as in global memory, and are added whole. */
template <class OP, class T, int DIM, int STRIDE, int... C>
CLEAVE_HOST_DEVICE constexpr bool cleave_own_is_bulk()
{
    return std::is_same<OP, cleave_op_add>::value && STRIDE == DIM && sizeof...(C) == 0 &&
           sizeof(T) >= 4;
}

/* global op= s for entries from..count-1 of the block's own records. */
template <class OP, class T, int DIM, int STRIDE, int... C>
CLEAVE_DEVICE void cleave_own_apply(T *global, CLEAVE_SHARED(const T) s, const cleave_owner &owner,
                                    int from)
{
    constexpr int size = cleave_record_size<DIM, C...>();
    for (int i = from + cleave_thread(); i < owner.owned * size; i += cleave_threads()) {
        const size_t point = (size_t)(owner.first + i / size);
        cleave_apply(OP(), global[point * DIM + cleave_component<C...>(i % size)],
                     T(s[i / size * STRIDE + i % size]));
    }
}

/* global op= the sums of the own points at a byte of shared memory: all DIM components or those
 * named by C..., in records STRIDE elements apart, the block's first point first. Every thread that
 * wrote there calls cleave_bulk_fence() and then cleave_barrier() before. All threads call this,
 * and cleave_add_bulk_wait() at the end. If records lie as in global memory and the device has bulk
 * additions, one bulk addition takes all that begins at, and fills, multiples of 16 bytes. */
template <class OP, class T, int DIM, int STRIDE, int... C>
CLEAVE_DEVICE void cleave_own_out(size_t byte, T *global, const cleave_owner &owner)
{
    CLEAVE_SHARED(const T) s = cleave_shared<const T>(byte);
    int added = 0;
    if constexpr (cleave_own_is_bulk<OP, T, DIM, STRIDE, C...>()) {
        constexpr int unit = 16 / (int)sizeof(T);
        T *to = global + (size_t)owner.first * DIM;
        if (cleave_has_bulk() && (size_t)to % 16 == 0) {
            added = owner.owned * DIM / unit * unit;
            if (cleave_thread() == 0) {
                cleave_add_bulk(to, s, 0, added);
            }
        }
    }
    cleave_own_apply<OP, T, DIM, STRIDE, C...>(global, s, owner, added);
}

/* global = 0 + s for all of the block's own records, in pieces of 16 bytes if they lie as in global
 * memory: the zero makes +0 of a sum that is -0.0. */
template <class T, int DIM, int STRIDE>
CLEAVE_DEVICE void cleave_own_store(T *global, CLEAVE_SHARED(const T) s, const cleave_owner &owner)
{
    constexpr bool whole = STRIDE == DIM && DIM * sizeof(T) % 16 == 0;
    constexpr int part = whole ? (int)(16 / sizeof(T)) : 1;
    T *to = global + (size_t)owner.first * DIM;
    for (int i = part * cleave_thread(); i < owner.owned * DIM; i += part * cleave_threads()) {
        cleave_record<T, part> record = {};
        for (int k = 0; k < part; k++) {
            record.v[k] += s[i / DIM * STRIDE + i % DIM + k];
        }
        cleave_store(to + i, record);
    }
}

/* As cleave_own_out_add of whole records; with CLEAVE_ZEROS_KNOWN the global records are +0,
 * whatever memory holds. */
template <class T, int DIM, int STRIDE>
CLEAVE_DEVICE void cleave_own_out_sums(size_t byte, T *global, const cleave_owner &owner,
                                       unsigned zeros)
{
    if ((zeros & CLEAVE_ZEROS_KNOWN) != 0) {
        cleave_own_store<T, DIM, STRIDE>(global, cleave_shared<const T>(byte), owner);
    } else {
        cleave_own_out<cleave_op_add, T, DIM, STRIDE>(byte, global, owner);
    }
}

/* The names that generated code calls. */
#define CLEAVE_OWN_OUT(name, op)                                                                   \
    template <class T, int DIM, int STRIDE, int... C>                                              \
    CLEAVE_DEVICE void name(size_t byte, T *global, const cleave_owner &owner)                     \
    {                                                                                              \
        cleave_own_out<op, T, DIM, STRIDE, C...>(byte, global, owner);                             \
    }
CLEAVE_OWN_OUT(cleave_own_out_add, cleave_op_add)
CLEAVE_OWN_OUT(cleave_own_out_min, cleave_op_min)
CLEAVE_OWN_OUT(cleave_own_out_max, cleave_op_max)
#undef CLEAVE_OWN_OUT

#endif
