/* mesh.h: the mesh of the miniaero example, a box of hexahedra whose lower side may rise as a ramp.
 */
#ifndef MINIAERO_MESH_H
#define MINIAERO_MESH_H

#include <vector>

#include "../common/hex_box.h"
#include "../common/hex_faces.h"

/* Faces between two cells, or of one side of the box. */
struct face_set {
    int size;
    std::vector<int> cell; /* [cells of a face][size]: owner and neighbour, or the cell inside */
    std::vector<double> centre; /* [size][3] */
    std::vector<double> S;      /* [size][3] area vector, out of the first cell */
    std::vector<double> T;      /* [size][3] tangent, of length 1 */
    std::vector<double> B;      /* [size][3] S x T */
};

struct mesh {
    int n[3];
    int cells;
    std::vector<double> centre; /* [cells][3] */
    std::vector<double> volume; /* [cells] */
    face_set inner;
    face_set side[HEX_SIDES];
    std::vector<int> number;  /* [cells] of cell i + nx(j + ny k), after shuffling */
    std::vector<double> x;    /* [nodes][3], for output */
    std::vector<int> corners; /* [cells][8], for output: cells and nodes as generated */
};

/* Makes a box of n[0]*n[1]*n[2] cells and size[0]*size[1]*size[2] m. From the middle of its length
 * on, the lower side (y = 0) rises by `angle` degrees, and the cells above it become lower. Returns
 * 0; or, after a message to stderr, the exit code of a program that gives up: 2 when the numbers do
 * not fit an int or the ramp reaches the upper side, 1 when there is not enough memory. */
int mesh_make(mesh &mesh, const int n[3], const double size[3], double angle);

/* Numbers cells and faces at random. seed: from 1 on. */
void mesh_shuffle(mesh &mesh, int seed);

#endif
