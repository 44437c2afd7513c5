/* hex_faces.c: makes the faces of hex_faces.h. */
#include "hex_faces.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Corners (hex_box.h) of a cell's six faces, in order such that the area vector points outwards;
 * the rows are those of enum hex_side. */
static const int face_corner[HEX_SIDES][4] = {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4},
                                              {3, 7, 6, 2}, {0, 3, 2, 1}, {4, 5, 6, 7}};

/* Faces of one layer of cells towards direction d. */
static long long layer_faces(const struct hex_box *box, int d)
{
    return (long long)box->n[(d + 1) % 3] * box->n[(d + 2) % 3];
}

static void put_nodes(int *node, const struct hex_box *box, int cell, int side)
{
    for (int c = 0; c < 4; c++) {
        node[c] = box->cell[8 * (size_t)cell + face_corner[side][c]];
    }
}

static void put_face(struct hex_faces *faces, const struct hex_box *box, int cell, int neighbour,
                     int side)
{
    const size_t face = (size_t)faces->faces++;
    faces->cell[2 * face] = cell;
    faces->cell[2 * face + 1] = neighbour;
    put_nodes(faces->node + 4 * face, box, cell, side);
}

static void put_side_face(struct hex_side_faces *faces, const struct hex_box *box, int cell,
                          int side)
{
    const size_t face = (size_t)faces->faces++;
    faces->cell[face] = cell;
    put_nodes(faces->node + 4 * face, box, cell, side);
}

/* The faces of one cell: those towards higher numbers, and those on sides of the box. */
static void put_cell(struct hex_faces *faces, const struct hex_box *box, const int at[3])
{
    const int cell = hex_box_cell(box, at[0], at[1], at[2]);
    int stride = 1;
    for (int d = 0; d < 3; d++) {
        if (at[d] == 0) {
            put_side_face(&faces->side[2 * d], box, cell, 2 * d);
        }
        if (at[d] + 1 < box->n[d]) {
            put_face(faces, box, cell, cell + stride, 2 * d + 1);
        } else {
            put_side_face(&faces->side[2 * d + 1], box, cell, 2 * d + 1);
        }
        stride *= box->n[d];
    }
}

/* Allocates rows of `width` ints; at least one, since malloc(0) may return NULL. */
static int *rows_new(long long rows, int width)
{
    return (int *)malloc((size_t)(rows > 0 ? rows : 1) * (size_t)width * sizeof(int));
}

/* Returns 0, or -1 when an array is missing. */
static int allocate(struct hex_faces *faces, const struct hex_box *box, long long inner)
{
    faces->cell = rows_new(inner, 2);
    faces->node = rows_new(inner, 4);
    int missing = faces->cell == NULL || faces->node == NULL;
    for (int side = 0; side < HEX_SIDES; side++) {
        struct hex_side_faces *of = &faces->side[side];
        const long long number = layer_faces(box, side / 2);
        of->cell = rows_new(number, 1);
        of->node = rows_new(number, 4);
        missing |= of->cell == NULL || of->node == NULL;
    }
    return missing ? -1 : 0;
}

int hex_faces_make(struct hex_faces *faces, const struct hex_box *box)
{
    memset(faces, 0, sizeof *faces);
    long long inner = 0;
    for (int d = 0; d < 3; d++) {
        inner += (box->n[d] - 1) * layer_faces(box, d);
    }
    if (inner > INT_MAX) {
        fprintf(stderr,
                "a box of %d * %d * %d cells has %lld faces between cells; at most %d fit\n",
                box->n[0], box->n[1], box->n[2], inner, INT_MAX);
        return 2;
    }
    if (allocate(faces, box, inner) != 0) {
        fprintf(stderr, "a box of %d * %d * %d cells: not enough memory for %lld faces\n",
                box->n[0], box->n[1], box->n[2], inner);
        hex_faces_free(faces);
        return 1;
    }
    for (int k = 0; k < box->n[2]; k++) {
        for (int j = 0; j < box->n[1]; j++) {
            for (int i = 0; i < box->n[0]; i++) {
                const int at[3] = {i, j, k};
                put_cell(faces, box, at);
            }
        }
    }
    return 0;
}

void hex_faces_free(struct hex_faces *faces)
{
    free(faces->cell);
    free(faces->node);
    for (int side = 0; side < HEX_SIDES; side++) {
        free(faces->side[side].cell);
        free(faces->side[side].node);
    }
    memset(faces, 0, sizeof *faces);
}
