/* hex_box.c: makes the boxes of hex_box.h. */
#include "hex_box.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 1 when there are cells in all three directions and the numbers of the nodes fit an int. */
static int sizes_fit(const int n[3])
{
    long long nodes = 1;
    for (int d = 0; d < 3; d++) {
        if (n[d] < 1 || nodes > INT_MAX / ((long long)n[d] + 1)) {
            return 0;
        }
        nodes *= (long long)n[d] + 1;
    }
    return 1;
}

static void make_nodes(struct hex_box *box, const double size[3])
{
    double *x = box->x;
    for (int k = 0; k <= box->n[2]; k++) {
        for (int j = 0; j <= box->n[1]; j++) {
            for (int i = 0; i <= box->n[0]; i++, x += 3) {
                x[0] = size[0] * i / box->n[0];
                x[1] = size[1] * j / box->n[1];
                x[2] = size[2] * k / box->n[2];
            }
        }
    }
}

static void make_cells(struct hex_box *box)
{
    static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    int *cell = box->cell;
    for (int k = 0; k < box->n[2]; k++) {
        for (int j = 0; j < box->n[1]; j++) {
            for (int i = 0; i < box->n[0]; i++, cell += 8) {
                for (int c = 0; c < 8; c++) {
                    cell[c] =
                        hex_box_node(box, i + corner[c][0], j + corner[c][1], k + corner[c][2]);
                }
            }
        }
    }
}

int hex_box_make(struct hex_box *box, const int n[3], const double size[3])
{
    memset(box, 0, sizeof *box);
    if (!sizes_fit(n)) {
        fprintf(stderr,
                "a box of %d * %d * %d cells: each number must be from 1 on, and a box has at most "
                "%d nodes\n",
                n[0], n[1], n[2], INT_MAX);
        return 2;
    }
    memcpy(box->n, n, sizeof box->n);
    box->nodes = (n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    box->cells = n[0] * n[1] * n[2];
    box->x = (double *)malloc(3 * (size_t)box->nodes * sizeof *box->x);
    box->cell = (int *)malloc(8 * (size_t)box->cells * sizeof *box->cell);
    if (box->x == NULL || box->cell == NULL) {
        fprintf(stderr, "a box of %d * %d * %d cells: not enough memory for %d nodes\n", n[0], n[1],
                n[2], box->nodes);
        hex_box_free(box);
        return 1;
    }
    make_nodes(box, size);
    make_cells(box);
    return 0;
}

void hex_box_free(struct hex_box *box)
{
    free(box->x);
    free(box->cell);
    memset(box, 0, sizeof *box);
}
