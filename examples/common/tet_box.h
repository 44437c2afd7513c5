/* tet_box.h: a box of n[0]*n[1]*n[2] cubes, each cut into the six tetrahedra of Kuhn, and what
 * solvers need of it: edges with median-dual areas and volumes, the boundary, tetrahedra, faces.
 *
 * Node (i, j, k) has the number i + (n[0]+1)(j + (n[1]+1)k). Each tetrahedron of a cube follows one
 * of the six paths along the cube's edges, from its lowest corner to its highest. Edges are sorted
 * by their lower node, then by direction: (1,0,0), (0,1,0), (1,1,0), (0,0,1), (1,0,1), (0,1,1),
 * (1,1,1).
 *
 * tet_box_nodes comes first. The program may then move the nodes (box->x), as long as no
 * tetrahedron turns over, and asks for the parts that it needs. Every function that makes a part
 * returns 0; or, after a message to stderr, the exit code of a program that gives up: 2 when a
 * number of cubes is below 1 or a number of items does not fit an int, 1 when there is not enough
 * memory. The box is then empty: sizes 0, arrays NULL.
 */
#ifndef TET_BOX_H
#define TET_BOX_H

#ifdef __cplusplus
extern "C" {
#endif

/* The sides of the box. */
enum tet_box_side {
    TET_BOX_X_LOW,
    TET_BOX_X_HIGH,
    TET_BOX_Y_LOW,
    TET_BOX_Y_HIGH,
    TET_BOX_Z_LOW,
    TET_BOX_Z_HIGH,
    TET_BOX_SIDES
};

struct tet_box {
    int n[3]; /* cubes along x, y and z */
    int nodes;
    double *x; /* [3*nodes] coordinates */

    /* tet_box_edges */
    int edges;
    int *edge;      /* [2*edges] nodes, the lower number first */
    double *area;   /* [3*edges] area vector of the dual face, from the first node to the second */
    double *volume; /* [nodes] of the dual cell */

    /* tet_box_triangles: those on the boundary */
    int triangles;
    int *triangle;         /* [3*triangles] nodes */
    double *triangle_area; /* [3*triangles] area vector, outwards */

    /* tet_box_boundary: a node stands here once for each side of the box that it lies on */
    int boundary_nodes;
    int *boundary_node;    /* [boundary_nodes] node; side by side, ascending on each */
    int *side;             /* [boundary_nodes] enum tet_box_side */
    double *boundary_area; /* [3*boundary_nodes] a third of the side's triangles there, outwards */

    /* tet_box_tets */
    int tets;
    int *tet; /* [4*tets] nodes; positive volume where nodes were not moved across each other */

    /* tet_box_faces: those between two tetrahedra */
    int faces;
    int *face; /* [2*faces] tetrahedra, the lower number first */
};

/* Makes a unit cube's nodes: node (i, j, k) lies at (i/n[0], j/n[1], k/n[2]). */
int tet_box_nodes(struct tet_box *box, const int n[3]);
int tet_box_edges(struct tet_box *box);
int tet_box_triangles(struct tet_box *box);
/* Needs the triangles. */
int tet_box_boundary(struct tet_box *box);
/* Cube by cube, the lowest corners in the order of the nodes; in each the paths xyz, xzy, yxz, yzx,
 * zxy, zyx. Local faces 0 to 3 of a tetrahedron are (1,2,3), (0,3,2), (0,1,3) and (0,2,1). */
int tet_box_tets(struct tet_box *box);
/* Sorted by the lower tetrahedron, then by its local face. Does not need the tetrahedra. */
int tet_box_faces(struct tet_box *box);
void tet_box_free(struct tet_box *box);

/* The place (i, j, k) of a node. */
static inline void tet_box_place(const struct tet_box *box, int node, int place[3])
{
    place[0] = node % (box->n[0] + 1);
    place[1] = node / (box->n[0] + 1) % (box->n[1] + 1);
    place[2] = node / (box->n[0] + 1) / (box->n[1] + 1);
}

#ifdef __cplusplus
}
#endif
#endif
