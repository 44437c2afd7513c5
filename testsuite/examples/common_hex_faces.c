/* common_hex_faces.c: the faces of a box of hexahedra close each of its cells, join neighbours and
 * face outwards on the box's sides.
 */
#include "../../examples/common/hex_faces.h"

#include <math.h>

#include "check.h"

enum { X = 4, Y = 3, Z = 2, CELLS = X * Y * Z };

/* Adds `sign` times a face's area vector to a cell's; returns its component d. */
static double add_area(const struct hex_box *box, const int *node, int sign, double *sum, int d)
{
    double along[2][3], area[3];
    for (int e = 0; e < 3; e++) {
        along[0][e] = box->x[3 * node[2] + e] - box->x[3 * node[0] + e];
        along[1][e] = box->x[3 * node[3] + e] - box->x[3 * node[1] + e];
    }
    for (int e = 0; e < 3; e++) {
        const int f = (e + 1) % 3, g = (e + 2) % 3;
        area[e] = 0.5 * (along[0][f] * along[1][g] - along[0][g] * along[1][f]);
        sum[e] += sign * area[e];
    }
    return area[d];
}

static void check_inner(const struct hex_box *box, const struct hex_faces *faces, double *open)
{
    CHECK(faces->faces == (X - 1) * Y * Z + X * (Y - 1) * Z + X * Y * (Z - 1));
    for (int f = 0; f < faces->faces; f++) {
        const int *cell = faces->cell + 2 * f;
        const int step = cell[1] - cell[0];
        CHECK(step == 1 || step == X || step == X * Y);
        const int d = step == 1 ? 0 : step == X ? 1 : 2;
        CHECK(add_area(box, faces->node + 4 * f, 1, open + 3 * cell[0], d) > 0.0);
        add_area(box, faces->node + 4 * f, -1, open + 3 * cell[1], d);
        CHECK(f == 0 || cell[0] >= cell[-2]);
    }
}

static void check_sides(const struct hex_box *box, const struct hex_faces *faces, double *open)
{
    const int across[3] = {Y * Z, X * Z, X * Y};
    for (int s = 0; s < HEX_SIDES; s++) {
        const struct hex_side_faces *side = &faces->side[s];
        CHECK(side->faces == across[s / 2]);
        for (int f = 0; f < side->faces; f++) {
            const double area =
                add_area(box, side->node + 4 * f, 1, open + 3 * side->cell[f], s / 2);
            CHECK(s % 2 == 0 ? area < 0.0 : area > 0.0);
        }
    }
}

int main(void)
{
    const int n[3] = {X, Y, Z}, one[3] = {1, 1, 1}, many[3] = {900, 900, 900};
    const double size[3] = {2.0, 6.0, 1.0};
    struct hex_box box;
    struct hex_faces faces;
    double open[3 * CELLS] = {0.0};

    CHECK(hex_box_make(&box, n, size) == 0 && hex_faces_make(&faces, &box) == 0);
    check_inner(&box, &faces, open);
    check_sides(&box, &faces, open);
    for (int i = 0; i < 3 * CELLS; i++) {
        CHECK(fabs(open[i]) < 1e-15);
    }
    hex_faces_free(&faces);
    CHECK(faces.cell == NULL && faces.side[HEX_Z_HIGH].node == NULL);
    hex_box_free(&box);

    CHECK(hex_box_make(&box, one, size) == 0 && hex_faces_make(&faces, &box) == 0);
    CHECK(faces.faces == 0 && faces.side[HEX_X_LOW].faces == 1);
    hex_faces_free(&faces);
    hex_box_free(&box);

    /* Cells can be counted with an int, their faces cannot. */
    memcpy(box.n, many, sizeof many);
    CHECK(hex_faces_make(&faces, &box) == 2);
    CHECK(faces.cell == NULL && faces.side[HEX_X_LOW].cell == NULL);
    return CHECK_RESULT();
}
