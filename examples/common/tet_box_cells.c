/* tet_box_cells.c: tetrahedra of the box and the faces between them (tet_box.h), and its messages.
 *
 * The tetrahedron of a cube on the path (p, q, r), its corners 0 to 3 along the path, has
 * neighbours that follow from the path alone: opposite to corner 1 lies the path (q, p, r) and to
 * corner 2 the path (p, r, q) of the cube itself; to corner 0 the path (q, r, p) of the next cube
 * along p; to corner 3 the path (r, p, q) of the cube before along r.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tet_box_impl.h"

const int tet_box_path[TET_BOX_PATHS][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7},
                                            {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};

/* Directions in the order in which each path takes them. */
static const int order[TET_BOX_PATHS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                            {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
/* 1: the corners of the path turn left; else the last two are swapped. */
static const int turns_left[TET_BOX_PATHS] = {1, 0, 0, 1, 1, 0};

/* ---- messages -------------------------------------------------------------------------------- */

int tet_box_fits(double count)
{
    return count <= INT_MAX;
}

static int give_up(struct tet_box *box, const char *problem, const char *items, int status)
{
    fprintf(stderr, "a box of %d * %d * %d cubes: %s%s\n", box->n[0], box->n[1], box->n[2], problem,
            items);
    tet_box_free(box);
    return status;
}

int tet_box_no_size(struct tet_box *box, const char *items)
{
    return give_up(box, "each number must be from 1 on and small enough for an int to count its ",
                   items, 2);
}

int tet_box_no_memory(struct tet_box *box, const char *items)
{
    return give_up(box, "not enough memory for its ", items, 1);
}

void tet_box_free(struct tet_box *box)
{
    free(box->x);
    free(box->edge);
    free(box->area);
    free(box->volume);
    free(box->triangle);
    free(box->triangle_area);
    free(box->boundary_node);
    free(box->side);
    free(box->boundary_area);
    free(box->tet);
    free(box->face);
    memset(box, 0, sizeof *box);
}

/* ---- tetrahedra ------------------------------------------------------------------------------ */

static double tets_of(const struct tet_box *box)
{
    return (double)TET_BOX_PATHS * box->n[0] * box->n[1] * box->n[2];
}

int tet_box_tets(struct tet_box *box)
{
    if (!tet_box_fits(tets_of(box))) {
        return tet_box_no_size(box, "tetrahedra");
    }
    box->tets = (int)tets_of(box);
    box->tet = (int *)malloc(4 * (size_t)box->tets * sizeof *box->tet);
    if (box->tet == NULL) {
        return tet_box_no_memory(box, "tetrahedra");
    }
    for (int t = 0; t < box->tets; t++) {
        const int cube = t / TET_BOX_PATHS, path = t % TET_BOX_PATHS;
        const int i = cube % box->n[0], j = cube / box->n[0] % box->n[1];
        const int k = cube / box->n[0] / box->n[1];
        const int lowest = i + (box->n[0] + 1) * (j + (box->n[1] + 1) * k);
        for (int c = 0; c < 4; c++) {
            const int corner = turns_left[path] || c < 2 ? c : 5 - c;
            box->tet[4 * (size_t)t + (size_t)c] =
                lowest + tet_box_step(box, tet_box_path[path][corner]);
        }
    }
    return 0;
}

/* ---- faces ----------------------------------------------------------------------------------- */

static int path_of(int first, int second)
{
    return 2 * first + (second > 3 - first - second);
}

/* The tetrahedron opposite to a corner along the path, or -1 outside the box. */
static int neighbour(const struct tet_box *box, int t, int corner)
{
    const int cube = t / TET_BOX_PATHS, path = t % TET_BOX_PATHS;
    const int p = order[path][0], q = order[path][1], r = order[path][2];
    const int at[3] = {cube % box->n[0], cube / box->n[0] % box->n[1],
                       cube / box->n[0] / box->n[1]};
    const int step[3] = {1, box->n[0], box->n[0] * box->n[1]};
    switch (corner) {
    case 0:
        return at[p] + 1 < box->n[p] ? TET_BOX_PATHS * (cube + step[p]) + path_of(q, r) : -1;
    case 1:
        return TET_BOX_PATHS * cube + path_of(q, p);
    case 2:
        return TET_BOX_PATHS * cube + path_of(p, r);
    default:
        return at[r] > 0 ? TET_BOX_PATHS * (cube - step[r]) + path_of(r, p) : -1;
    }
}

int tet_box_faces(struct tet_box *box)
{
    const int *n = box->n;
    const double sides =
        4.0 * ((double)n[0] * n[1] + (double)n[1] * n[2] + (double)n[2] * n[0]); /* triangles */
    const double faces = 0.5 * (4.0 * tets_of(box) - sides);
    if (!tet_box_fits(faces)) {
        return tet_box_no_size(box, "faces");
    }
    box->face = (int *)malloc(2 * (size_t)faces * sizeof *box->face);
    if (box->face == NULL) {
        return tet_box_no_memory(box, "faces");
    }
    const int tets = (int)tets_of(box);
    for (int t = 0; t < tets; t++) {
        for (int c = 0; c < 4; c++) {
            const int corner = turns_left[t % TET_BOX_PATHS] || c < 2 ? c : 5 - c;
            const int other = neighbour(box, t, corner);
            if (other > t) {
                box->face[2 * (size_t)box->faces] = t;
                box->face[2 * (size_t)box->faces + 1] = other;
                box->faces++;
            }
        }
    }
    return 0;
}
