/* hex_faces.h: the faces of a box of hexahedra (hex_box.h), as finite-volume programs with values
 * in the cells need them: faces between two cells, and faces of each of the box's six sides.
 *
 * A face has four nodes in order round it. Half the cross product of its diagonals, (x2 - x0) * (x3
 * - x1), is its area vector: it points from the first cell of the face to the second, and out of
 * the box on the sides. Faces stand in the order of their first cells.
 */
#ifndef HEX_FACES_H
#define HEX_FACES_H

#include "hex_box.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hex_side { HEX_X_LOW, HEX_X_HIGH, HEX_Y_LOW, HEX_Y_HIGH, HEX_Z_LOW, HEX_Z_HIGH, HEX_SIDES };

struct hex_side_faces {
    int faces;
    int *cell; /* [faces] */
    int *node; /* [4*faces] */
};

struct hex_faces {
    int faces; /* between two cells */
    int *cell; /* [2*faces] owner, which has the lower number, and neighbour */
    int *node; /* [4*faces] */
    struct hex_side_faces side[HEX_SIDES];
};

/* Makes the faces of a box. Returns 0; or, after a message to stderr, the exit code of a program
 * that gives up: 2 when the number of faces does not fit an int, 1 when there is not enough memory.
 * The arrays are then NULL. */
int hex_faces_make(struct hex_faces *faces, const struct hex_box *box);
void hex_faces_free(struct hex_faces *faces);

#ifdef __cplusplus
}
#endif
#endif
