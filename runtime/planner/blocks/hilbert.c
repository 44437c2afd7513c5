/* hilbert.c: runs of elements along a Hilbert curve through their centres.
 *
 * The curve's coordinates are found bit by bit (J. Skilling, "Programming the Hilbert curve",
 * 2004).
 */
#include <limits.h>
#include <stdlib.h>

#include "runtime/planner/blocks/blocks.h"

/* Bits of each coordinate: 62 or 63 in all. */
static int bits_of(int dim)
{
    return dim == 2 ? 31 : 21;
}

/* From coordinates to the transposed index along the curve, in place. */
static void to_curve(uint32_t *x, int dim, int bits)
{
    for (uint32_t q = UINT32_C(1) << (bits - 1); q > 1; q >>= 1) {
        uint32_t low = q - 1;
        for (int d = 0; d < dim; d++) {
            if (x[d] & q) {
                x[0] ^= low;
            } else {
                uint32_t swapped = (x[0] ^ x[d]) & low;
                x[0] ^= swapped;
                x[d] ^= swapped;
            }
        }
    }
    for (int d = 1; d < dim; d++) {
        x[d] ^= x[d - 1];
    }
    uint32_t turned = 0;
    for (uint32_t q = UINT32_C(1) << (bits - 1); q > 1; q >>= 1) {
        turned ^= x[dim - 1] & q ? q - 1 : 0;
    }
    for (int d = 0; d < dim; d++) {
        x[d] ^= turned;
    }
}

static uint64_t curve_key(const struct place *place, int dim, int bits)
{
    uint32_t x[3];
    for (int d = 0; d < dim; d++) {
        x[d] = ((uint32_t)place->at[d] ^ UINT32_C(0x80000000)) >> (32 - bits);
    }
    to_curve(x, dim, bits);
    uint64_t key = 0;
    for (int bit = bits - 1; bit >= 0; bit--) {
        for (int d = 0; d < dim; d++) {
            key = key << 1 | (x[d] >> bit & 1);
        }
    }
    return key;
}

int planner_blocks_curve(int *order, const struct place *place, int count, int dim, int bits,
                         char error[PLANNER_ERROR])
{
    bits = bits < bits_of(dim) ? bits : bits_of(dim);
    uint64_t *key = planner_memory((size_t)count, sizeof *key, "keys along a curve", error);
    if (key == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < count; i++) {
        key[i] = curve_key(&place[i], dim, bits);
    }
    int status = planner_sort(order, key, count, dim * bits, error);
    free(key);
    return status;
}

/* Elements in the order of the curve are cut into runs of about BLOCKS_FILL of a block. */
static void cut_runs(struct blocks *blocks, const int *order, int elements)
{
    double length = BLOCKS_FILL * blocks->block_size;
    int64_t least = (elements + (int64_t)blocks->block_size - 1) / blocks->block_size;
    int64_t count = (int64_t)(elements / (length < 1 ? 1 : length)) + 1;
    count = count < least ? least : count > elements ? elements : count;
    blocks->count = (int)count;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < elements; i++) {
        blocks->of[order[i]] = (int)(i * count / elements);
    }
}

int planner_blocks_hilbert(struct blocks *blocks, const struct plan_mesh *mesh, const float *centre,
                           int dim, char error[PLANNER_ERROR])
{
    struct place *place;
    int elements = mesh->elements;
    if (planner_mesh_places_of_centres(&place, elements, centre, dim, error) != 0) {
        return -1;
    }
    int *order = planner_memory((size_t)elements, sizeof *order, "an order of elements", error);
    int status =
        order != NULL ? planner_blocks_curve(order, place, elements, dim, INT_MAX, error) : -1;
    if (status == 0) {
        cut_runs(blocks, order, elements);
    }
    free(place);
    free(order);
    return status;
}
