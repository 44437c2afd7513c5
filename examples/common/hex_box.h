/* hex_box.h: a box of n[0]*n[1]*n[2] hexahedra, with coordinates for its nodes.
 *
 * Node (i, j, k) has the number i + (n[0]+1)(j + (n[1]+1)k), cell (i, j, k) the number i + n[0](j +
 * n[1]k). The corners of a cell stand in the order of LULESH and of VTK's hexahedron: round its
 * lower face, (0,0,0), (1,0,0), (1,1,0), (0,1,0), then the four above them.
 */
#ifndef HEX_BOX_H
#define HEX_BOX_H

#ifdef __cplusplus
extern "C" {
#endif

struct hex_box {
    int n[3]; /* cells along x, y and z */
    int nodes;
    int cells;
    double *x; /* [3*nodes] coordinates */
    int *cell; /* [8*cells] corners */
};

/* Makes a box with edges of length size[0], size[1] and size[2] and one corner at the origin; node
 * (i, j, k) lies at size[0]*i/n[0], and so on. Returns 0; or, after a message to stderr, the exit
 * code of a program that gives up: 2 when a number of cells is below 1 or the numbers of nodes do
 * not fit an int, 1 when there is not enough memory. The arrays are then NULL. */
int hex_box_make(struct hex_box *box, const int n[3], const double size[3]);
void hex_box_free(struct hex_box *box);

static inline int hex_box_node(const struct hex_box *box, int i, int j, int k)
{
    return i + (box->n[0] + 1) * (j + (box->n[1] + 1) * k);
}

static inline int hex_box_cell(const struct hex_box *box, int i, int j, int k)
{
    return i + box->n[0] * (j + box->n[1] * k);
}

#ifdef __cplusplus
}
#endif
#endif
