/* common_tet_box.c: the parts of a box of tetrahedra fit together: dual cells are closed and fill
 * the box, faces join tetrahedra that share three corners, and what cannot be made is refused.
 */
#include "../../examples/common/tet_box.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"

enum { X = 3, Y = 2, Z = 1, TETS = 6 * X * Y * Z, NODES = (X + 1) * (Y + 1) * (Z + 1) };

/* The boundary's area vectors, of triangles or of nodes, by side of the box where it is known. */
static double most_open(const struct tet_box *box)
{
    double open[3 * NODES] = {0.0}, most = 0.0;
    for (int i = 0; i < 3 * box->edges; i++) {
        open[3 * box->edge[2 * (i / 3)] + i % 3] += box->area[i];
        open[3 * box->edge[2 * (i / 3) + 1] + i % 3] -= box->area[i];
    }
    for (int i = 0; i < 3 * box->boundary_nodes; i++) {
        open[3 * box->boundary_node[i / 3] + i % 3] += box->boundary_area[i];
    }
    for (int i = 0; i < 3 * box->nodes; i++) {
        most = fmax(most, fabs(open[i]));
    }
    return most;
}

static void check_duals(const struct tet_box *box)
{
    double volume = 0.0, side[TET_BOX_SIDES][3] = {{0.0}};
    for (int v = 0; v < box->nodes; v++) {
        volume += box->volume[v];
    }
    for (int b = 0; b < box->boundary_nodes; b++) {
        for (int d = 0; d < 3; d++) {
            side[box->side[b]][d] += box->boundary_area[3 * b + d];
        }
        CHECK(b == 0 || box->side[b] > box->side[b - 1] ||
              (box->side[b] == box->side[b - 1] &&
               box->boundary_node[b] > box->boundary_node[b - 1]));
    }
    CHECK(fabs(volume - 2.0) < 1e-15);
    CHECK(most_open(box) < 1e-15);
    for (int s = 0; s < TET_BOX_SIDES; s++) {
        const double area = s / 2 == 0 ? 1.0 : 2.0;
        for (int d = 0; d < 3; d++) {
            const double expected = d != s / 2 ? 0.0 : s % 2 == 0 ? -area : area;
            CHECK(fabs(side[s][d] - expected) < 1e-15);
        }
    }
}

static void check_edges(const struct tet_box *box)
{
    CHECK(box->nodes == NODES);
    /* 18 + 16 + 12 along the axes, 12 + 9 + 8 diagonals of squares, 6 of cubes */
    CHECK(box->edges == 81);
    for (int e = 1; e < box->edges; e++) {
        CHECK(box->edge[2 * e] < box->edge[2 * e + 1]);
        CHECK(box->edge[2 * e] >= box->edge[2 * e - 2]);
    }
    CHECK(box->edge[0] == 0 && box->edge[1] == 1 && box->edge[3] == X + 1 && box->edge[5] == X + 2);
    CHECK(box->triangles == 4 * (X * Y + Y * Z + Z * X));
    CHECK(box->boundary_nodes == 2 * ((X + 1) * (Y + 1) + (Y + 1) * (Z + 1) + (Z + 1) * (X + 1)));
}

static double volume_of(const struct tet_box *box, int t)
{
    const int *corner = &box->tet[4 * t];
    double e[3][3];
    for (int c = 0; c < 3; c++) {
        for (int d = 0; d < 3; d++) {
            e[c][d] = box->x[3 * corner[c + 1] + d] - box->x[3 * corner[0] + d];
        }
    }
    return (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
            e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
            e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
           6.0;
}

/* The local face of tetrahedron t all of whose corners belong to tetrahedron `other`, or -1. */
static int face_towards(const struct tet_box *box, int t, int other)
{
    static const int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    for (int f = 0; f < 4; f++) {
        int common = 0;
        for (int c = 0; c < 12; c++) {
            common += box->tet[4 * t + face[f][c / 4]] == box->tet[4 * other + c % 4];
        }
        if (common == 3) {
            return f;
        }
    }
    return -1;
}

static void check_faces(const struct tet_box *box)
{
    double volume = 0.0;
    CHECK(box->tets == TETS);
    for (int t = 0; t < box->tets; t++) {
        CHECK(volume_of(box, t) > 0.0);
        volume += volume_of(box, t);
    }
    CHECK(fabs(volume - 2.0) < 1e-15);
    CHECK(2 * box->faces + box->triangles == 4 * box->tets);
    int last = -1;
    for (int f = 0; f < box->faces; f++) {
        const int owner = box->face[2 * f], other = box->face[2 * f + 1];
        const int local = face_towards(box, owner, other);
        CHECK(owner < other && other < box->tets && local >= 0);
        CHECK(4 * owner + local > last); /* sorted, and none twice */
        last = 4 * owner + local;
    }
}

int main(void)
{
    static const int n[3] = {X, Y, Z}, none[3] = {4, 0, 4}, many[3] = {3000, 3000, 3000};
    struct tet_box box;
    CHECK(tet_box_nodes(&box, n) == 0);
    for (int v = 0; v < box.nodes; v++) {
        box.x[3 * v] *= 2.0;
    }
    CHECK(tet_box_edges(&box) == 0 && tet_box_triangles(&box) == 0 && tet_box_boundary(&box) == 0);
    CHECK(tet_box_tets(&box) == 0 && tet_box_faces(&box) == 0);
    check_edges(&box);
    check_duals(&box);
    check_faces(&box);
    tet_box_free(&box);
    CHECK(box.x == NULL && box.face == NULL && box.nodes == 0);
    CHECK(tet_box_nodes(&box, none) == 2 && box.x == NULL);
    CHECK(tet_box_nodes(&box, many) == 2 && box.x == NULL);
    return CHECK_RESULT();
}
