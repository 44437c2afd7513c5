/* mesh.h: the mesh of the airfoil example, generated (mesh.c) or read from a file (mesh_file.c).
 *
 * Functions of type int return 0, or -1 after a message on stderr that names the cause; the arrays
 * of a mesh are then all NULL. All indices start at 0.
 */
#ifndef AIRFOIL_MESH_H
#define AIRFOIL_MESH_H

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of boundary edges, as OP2's mesh files number them. */
enum { BOUND_WALL = 1, BOUND_FAR_FIELD = 2 };

struct mesh {
    int nnode;
    int ncell;
    int nedge;   /* edges between two cells */
    int nbedge;  /* edges of the boundary */
    double *x;   /* [nnode][2] coordinates of the nodes */
    int *cell;   /* [ncell][4] corners, in order round the cell */
    int *edge;   /* [nedge][2] ends */
    int *ecell;  /* [nedge][2] cells on both sides */
    int *bedge;  /* [nbedge][2] ends */
    int *becell; /* [nbedge] the cell inside */
    int *bound;  /* [nbedge] BOUND_WALL or BOUND_FAR_FIELD */
};

/* Largest mesh that is read: every array stays well below 2^31 entries. */
enum { MESH_MAX_CELLS = 200000000 };

/* A C-shaped grid round the NACA 0012 aerofoil with 3*columns cells along the cut and the aerofoil
 * and `rows` away from it: 3*columns*rows cells. columns, rows >= 1. */
int mesh_generate(struct mesh *mesh, int columns, int rows);

/* OP2's text format: a line "nnode ncell nedge nbedge", then a line for each node (x y), cell (four
 * nodes), edge (two nodes, two cells) and boundary edge (two nodes, one cell, kind). */
int mesh_read(struct mesh *mesh, const char *file);
int mesh_write(const struct mesh *mesh, const char *file);

/* Numbers nodes, cells, edges and boundary edges at random: the mesh stays the same, but neighbours
 * are far apart in memory, as in meshes from generators that do not care. seed >= 1 chooses the
 * numbers. Ends the program with 1 and a message without memory. */
void mesh_shuffle(struct mesh *mesh, int seed);

/* Allocates the arrays for the sizes that are set in mesh. */
int mesh_allocate(struct mesh *mesh);
void mesh_free(struct mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
