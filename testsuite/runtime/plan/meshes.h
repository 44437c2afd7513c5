/* meshes.h: small mesh generators for the planner's tests. All values are exact and reproducible.
 */
#ifndef CLEAVE_TEST_MESHES_H
#define CLEAVE_TEST_MESHES_H

#include "plan.h"

struct mesh {
    int elements;
    int maps;
    struct plan_map map[4];
    int *row[4]; /* owned; map[m].row points here */
};

/* Adds a map of `dim` columns, all used, to a set of `points`; its entries are for the caller to
 * set. */
int *mesh_add_map(struct mesh *mesh, int dim, int points, int target, unsigned conflicts);

/* Interior edges of nx * ny quadrilaterals: to 2 cells (set 0, modified), to 2 nodes (set 1, read).
 */
void mesh_quads(struct mesh *mesh, int nx, int ny);

/* n*n*n hexahedra to their 8 nodes (set 0, modified). */
void mesh_hexes(struct mesh *mesh, int n);

/* A chain: element e to the points e and e+1 (set 0, modified). */
void mesh_chain(struct mesh *mesh, int elements);

/* A star: element e to the hub (point 0) and to its own point e+1 (set 0, modified). */
void mesh_star(struct mesh *mesh, int elements);

/* Renumbers elements and points at random. */
void mesh_shuffle(struct mesh *mesh, unsigned seed);

void mesh_free(struct mesh *mesh);

#endif
