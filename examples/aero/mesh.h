/* mesh.h: the mesh of the aero example: the quadrilaterals of a C-shaped grid round the NACA 0012
 * aerofoil (../common/c_grid.h). Both sides of the cut share their nodes.
 *
 * Sizes that are too large end the program with 2 and a message, missing memory ends it with 1. All
 * indices start at 0.
 */
#ifndef AERO_MESH_H
#define AERO_MESH_H

struct mesh {
    int nnode;
    int ncell;
    int nbnode; /* nodes of the far field */
    double *x;  /* [nnode][2] coordinates of the nodes */
    int *cell;  /* [ncell][4] corners: (0,0), (1,0), (0,1) and (1,1) of the reference square */
    int *bnode; /* [nbnode] */
};

/* 3*columns*rows cells. columns, rows >= 1. */
void mesh_generate(struct mesh *mesh, int columns, int rows);

/* Numbers nodes, cells and far-field nodes at random. seed >= 1 chooses the numbers. */
void mesh_shuffle(struct mesh *mesh, int seed);

void mesh_free(struct mesh *mesh);

#endif
