/* fields.h: the mesh of the hydra example, a deformed cube of tetrahedra, and the flow's fields on
 * it.
 */
#ifndef HYDRA_FIELDS_H
#define HYDRA_FIELDS_H

#include "../common/tet_box.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hydra_mesh {
    struct tet_box box;     /* nodes, edges, boundary triangles and nodes */
    int *degree;            /* [nodes] number of edges */
    int *flag;              /* [nodes] INTERIOR, VISCOUS_WALL where z = 0, FAR_FIELD elsewhere */
    int *boundary_kind;     /* [boundary_nodes] VISCOUS_WALL on the side z = 0, else FAR_FIELD */
    double *inverse_length; /* [nodes] sum of 1/length over the node's edges */
    double *wall;           /* [nodes] distance to the wall z = 0 */
    double *q;              /* [6*nodes] conserved variables at the start */
};

/* The fields: uniform, linear, smooth. */
enum { HYDRA_MODES = 3 };

/* Makes the cube of n*n*n cubes, each in six tetrahedra, deformed inside, with the fields of a
 * mode. Returns 0; or, after a message, exit code 1 or 2 as tet_box_nodes does: the mesh is then
 * empty. */
int hydra_mesh_make(struct hydra_mesh *mesh, int n, int mode);
void hydra_mesh_free(struct hydra_mesh *mesh);

/* (p, u, v, w, T, nu) of a mode at a point; `gradient` (18: 3k + d, variable k along d) of modes 0
 * and 1, which is the same everywhere. */
void hydra_field(int mode, const double *point, double *w);
void hydra_gradient(int mode, double *gradient);

/* The conserved variables of (p, u, v, w, T, nu). */
void hydra_conserved(const double *w, double *q);

#ifdef __cplusplus
}
#endif
#endif
