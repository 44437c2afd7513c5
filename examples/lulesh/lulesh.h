/* lulesh.h: what the loops of the program share: the mesh and the fields of the elements, and the
 * two forms in which the fields of the nodes can be kept.
 */
#ifndef LULESH_H
#define LULESH_H

#include "op_seq.h"

#include "mesh.h"

/* The mesh as OP2 knows it: lulesh.c declares it. */
extern op_set nodes, elems, planes[3];
extern op_map nodelist;         /* elems -> nodes, 8 */
extern op_map on_plane[3];      /* planes -> nodes, 1 */
extern op_map neighbour[SIDES]; /* elems -> elems, 1 */

/* Fields of the elements, with LULESH's names: energy, pressure and viscosity; the viscosity's
 * linear and quadratic terms; relative volume, before and after a step, and its change; volume at
 * the start; rate of change of the volume; length; speed of sound; mass; volume as the forces see
 * it. elements_declare declares them. */
extern op_dat p_e, p_p, p_q, p_ql, p_qq, p_v, p_vnew, p_delv, p_volo, p_vdov, p_arealg, p_ss,
    p_elem_mass, p_determ;
/* Lengths of the elements, and gradients of velocity, along xi, eta and zeta. */
extern op_dat p_delx[3], p_delv_along[3];

/* Limits of the next time step, and the smallest relative volume. */
struct limits {
    double courant;
    double hydro;
    double least;
};

/* Declares the fields. `energy` is that of the element at the origin, others have none; no gas
 * moves. */
void elements_declare(const struct mesh *mesh, double energy);
/* One time step of the elements, from vdov, vnew, delv and the gradients of velocity. */
void elements_advance(struct limits *limits);

/* How fields of nodes are kept: three components in a dat, or a dat for each. */
struct form {
    const char *name;
    /* Declares the fields, and computes volumes and masses. x[3*nodes]: coordinates. */
    void (*declare)(const double *x);
    /* Forces, accelerations, velocities and positions at the end of a time step dt. */
    void (*move_nodes)(double dt);
    /* Volumes and gradients of velocity in the elements there. */
    void (*deform_elements)(double dt);
    /* Gives positions and velocities [nodes][3], and masses [nodes]. */
    void (*fetch)(double *x, double *xd, double *mass);
};

extern const struct form grouped_form, separate_form;

/* Zeroed memory; the program ends with 1 and a message when there is not enough. The caller frees
 * it. */
void *lulesh_array(size_t count, size_t bytes);

/* Access of the two force loops to the forces. LULESH's port to OP2 declares OP_RW, though the
 * kernels only add. */
#ifndef FORCES
#define FORCES OP_INC
#endif

/* Arguments that loops of all files have. */
#define READ(dat) op_arg_dat(dat, -1, OP_ID, 1, "double", OP_READ)
#define WRITE(dat) op_arg_dat(dat, -1, OP_ID, 1, "double", OP_WRITE)
#define RW(dat) op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW)

#endif
