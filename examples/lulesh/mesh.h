/* mesh.h: the cube of hexahedra in which the blast wave runs: one octant of the whole, with planes
 * of symmetry at x = 0, y = 0 and z = 0 and free surfaces opposite.
 */
#ifndef LULESH_MESH_H
#define LULESH_MESH_H

#include "../common/hex_box.h"

/* Directions in which an element has neighbours, in the order of the arrays below. */
enum { XI_MINUS, XI_PLUS, ETA_MINUS, ETA_PLUS, ZETA_MINUS, ZETA_PLUS, SIDES };

/* Beyond a face of an element lies another element, a plane of symmetry, or nothing. */
enum side { INSIDE, SYMMETRY, FREE };

struct mesh {
    struct hex_box box;    /* nodes, and elements with their corners */
    int *neighbour[SIDES]; /* [elements] the next element; itself at the surface of the cube */
    int *side;             /* [elements][SIDES] what is there: enum side */
    int plane_nodes;       /* on each plane of symmetry */
    int *plane[3];         /* [plane_nodes] nodes with x = 0, y = 0, z = 0 */
    int *element; /* [elements] an element's number, by that of hex_box.h: shuffled or equal */
};

/* Makes a cube with edge 1.125 of size^3 elements; numbers nodes, elements and planes at random
 * where shuffle is a seed, above 0. Ends the program after a message: with 2 when the cube is too
 * large to be numbered with int, with 1 when there is not enough memory. */
void mesh_make(struct mesh *mesh, int size, int shuffle);
void mesh_free(struct mesh *mesh);

#endif
