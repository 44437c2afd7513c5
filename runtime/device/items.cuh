/* items.cuh: copies of dats in the order in which the points of a block walk their elements.
 *
 * Written with the primitives of cleave_device.cuh only. A thread that owns a point (owner.cuh)
 * reads the own records of the elements that name it. The lanes of a warp have scattered elements,
 * so in the dat itself each request touches as many cache lines as there are lanes. The copy has a
 * record for each entry of the plan's slices, so the lanes of a warp read side by side. A record's
 * place does not depend on the element's number, so no load waits for that number. An element has
 * as many records as it has modified columns.
 *
 * A row of a slice holds the components in groups of 16 bytes, one group of all lanes after the
 * other, then the remaining components one at a time:
 *
 *   | lane 0 | lane 1 | ... | lane 31 |   group 0
 *   | lane 0 | lane 1 | ... | lane 31 |   group 1
 *   |0|1|2|...|31|                        the last component
 */
#ifndef CLEAVE_ITEMS_CUH
#define CLEAVE_ITEMS_CUH

#include "cleave_gen.h"
#include "cleave_device.cuh"
#include "owner.cuh"
#include "packed.cuh"
#include "record.cuh"

/* Returns where component c of a lane's record in a row of the slices is, in components. dim:
 * components of a record; unit: components in 16 bytes. */
CLEAVE_HOST_DEVICE constexpr size_t cleave_item_offset(size_t row, int lane, int c, int dim,
                                                       int unit)
{
    return row * (size_t)(dim * CLEAVE_WARP) +
           (c < dim / unit * unit ? (size_t)((c / unit * CLEAVE_WARP + lane) * unit + c % unit)
                                  : (size_t)(c * CLEAVE_WARP + lane));
}

/* Returns the record of the thread's item in a row of its warp's slice, as cleave_item_of() does:
 * zeros behind the last row and for padding. copy: of a dat of DIM components, at a multiple of 16
 * bytes. */
template <class T, int DIM>
CLEAVE_DEVICE cleave_value<T, DIM> cleave_item_record(const T *copy, const cleave_owner &owner,
                                                      int row)
{
    constexpr int unit = sizeof(T) < 16 ? 16 / (int)sizeof(T) : 1;
    constexpr int grouped = DIM / unit * unit;
    cleave_value<T, DIM> record = {};
    if (row < owner.last) {
        const T *from = copy + (size_t)row * (DIM * CLEAVE_WARP);
        for (int c = 0; c < grouped; c += unit) {
            const cleave_record<T, unit> group =
                cleave_load<unit>(from + cleave_item_offset(0, cleave_lane(), c, DIM, unit));
            for (int k = 0; k < unit; k++) {
                record.v[c + k] = group[k];
            }
        }
        for (int c = grouped; c < DIM; c++) {
            record.v[c] = from[cleave_item_offset(0, cleave_lane(), c, DIM, unit)];
        }
    }
    return record;
}

/* ---- making them ------------------------------------------------------------------------------
 */

/* One thread fills one entry of the slices. */
template <class T>
CLEAVE_KERNEL void cleave_items_copy(T *to, const T *from, const int *element, int rows, int dim,
                                     int stride)
{
    const int unit = 16 / (int)sizeof(T);
    const int row =
        cleave_block() * (cleave_threads() / CLEAVE_WARP) + cleave_thread() / CLEAVE_WARP;
    if (row >= rows) {
        return;
    }
    const int e = element[(size_t)row * CLEAVE_WARP + cleave_lane()];
    for (int c = 0; c < dim; c++) {
        const size_t at = stride > 0 ? (size_t)c * stride + e : (size_t)e * dim + c;
        to[cleave_item_offset(row, cleave_lane(), c, dim, unit)] = e >= 0 ? from[at] : T(0);
    }
}

template <class T> void cleave_items_run(const struct cleave_copy_request *request)
{
    const int warps = 8;
    CLEAVE_LAUNCH((cleave_items_copy<T>), (request->rows - 1) / warps + 1, warps * CLEAVE_WARP, 0,
                  request->stream, (T *)request->to, (const T *)request->from, request->element,
                  request->rows, request->dim, request->stride);
}

template <class T> void cleave_make_copy_as(const struct cleave_copy_request *request)
{
    if (request->element != NULL) {
        cleave_items_run<T>(request);
    } else {
        cleave_packed_run<T>(request);
    }
}

/* The function for cleave_unit.make_copy. A template, so that only units that name it contain its
 * kernels. */
template <class> void cleave_make_copy(const struct cleave_copy_request *request)
{
    switch (request->component) {
    case 1:
        cleave_make_copy_as<unsigned char>(request);
        break;
    case 4:
        cleave_make_copy_as<unsigned>(request);
        break;
    default:
        cleave_make_copy_as<unsigned long long>(request);
        break;
    }
}

#endif
