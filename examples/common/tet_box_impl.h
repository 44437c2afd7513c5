/* tet_box_impl.h: what tet_box.c and tet_box_cells.c share. */
#ifndef TET_BOX_IMPL_H
#define TET_BOX_IMPL_H

#include "tet_box.h"

/* The paths from a cube's lowest corner to its highest: the corners as bits of (x, y, z). */
enum { TET_BOX_PATHS = 6 };
extern const int tet_box_path[TET_BOX_PATHS][4];

/* Difference of the node numbers along a direction. */
static inline int tet_box_step(const struct tet_box *box, int way)
{
    return (way & 1) + (box->n[0] + 1) * ((way >> 1 & 1) + (box->n[1] + 1) * (way >> 2));
}

/* 1: a number of items fits an int. */
int tet_box_fits(double count);
/* Say that a part cannot be made, empty the box, and return the exit code. */
int tet_box_no_size(struct tet_box *box, const char *items);
int tet_box_no_memory(struct tet_box *box, const char *items);

#endif
