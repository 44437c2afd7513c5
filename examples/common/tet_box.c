/* tet_box.c: nodes, edges, duals and boundary of the box of tetrahedra (tet_box.h). Tetrahedra and
 * the faces between them are made in tet_box_cells.c.
 */
#include "tet_box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tet_box_impl.h"

/* Layers of cubes two apart have no node in common and can be worked on at the same time. */
#ifdef _OPENMP
#define IN_PARALLEL _Pragma("omp parallel for")
#else
#define IN_PARALLEL
#endif

/* Directions of edges as bits of (x, y, z): 1 is (1,0,0), 7 is (1,1,1). */
enum { WAYS = 8 };

typedef int edge_numbers[WAYS]; /* of a node's edges, by direction; -1 where there is none */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(double *difference, const double *a, const double *b)
{
    for (int d = 0; d < 3; d++) {
        difference[d] = a[d] - b[d];
    }
}

static void cross(double *product, const double *a, const double *b)
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

static const double *place_of(const struct tet_box *box, int node)
{
    return &box->x[3 * (size_t)node];
}

/* ---- nodes ----------------------------------------------------------------------------------- */

int tet_box_nodes(struct tet_box *box, const int n[3])
{
    memset(box, 0, sizeof *box);
    memcpy(box->n, n, sizeof box->n);
    if (n[0] < 1 || n[1] < 1 || n[2] < 1) {
        return tet_box_no_size(box, "nodes");
    }
    const double nodes = (n[0] + 1.0) * (n[1] + 1.0) * (n[2] + 1.0);
    if (!tet_box_fits(nodes)) {
        return tet_box_no_size(box, "nodes");
    }
    box->nodes = (int)nodes;
    box->x = (double *)malloc(3 * (size_t)box->nodes * sizeof *box->x);
    if (box->x == NULL) {
        return tet_box_no_memory(box, "nodes");
    }
    for (int v = 0; v < box->nodes; v++) {
        int place[3];
        tet_box_place(box, v, place);
        for (int d = 0; d < 3; d++) {
            box->x[3 * (size_t)v + d] = (double)place[d] / n[d];
        }
    }
    return 0;
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* Number of edges in all directions. */
static double edges_of(const struct tet_box *box)
{
    double edges = 0.0;
    for (int way = 1; way < WAYS; way++) {
        double count = 1.0;
        for (int d = 0; d < 3; d++) {
            count *= box->n[d] + 1.0 - (way >> d & 1);
        }
        edges += count;
    }
    return edges;
}

static void number_edges(struct tet_box *box, edge_numbers *number)
{
    const int *n = box->n;
    int e = 0;
    for (int v = 0; v < box->nodes; v++) {
        int place[3];
        tet_box_place(box, v, place);
        for (int way = 1; way < WAYS; way++) {
            const int inside = place[0] + (way & 1) <= n[0] && place[1] + (way >> 1 & 1) <= n[1] &&
                               place[2] + (way >> 2) <= n[2];
            number[v][way] = inside ? e : -1;
            if (inside) {
                box->edge[2 * (size_t)e] = v;
                box->edge[2 * (size_t)e + 1] = v + tet_box_step(box, way);
                e++;
            }
        }
    }
}

/* A tetrahedron: its corners as directions from the lowest one and as nodes, and the centres of the
 * faces opposite them. */
struct tetrahedron {
    const int *way; /* [4] */
    int node[4];
    double face[4][3];
    double middle[3];
};

/* Mean of those corners whose bits are set. */
static void centre(const struct tet_box *box, const struct tetrahedron *tet, unsigned corners,
                   double *middle)
{
    int count = 0;
    memset(middle, 0, 3 * sizeof *middle);
    for (int c = 0; c < 4; c++) {
        if (corners >> c & 1) {
            const double *x = place_of(box, tet->node[c]);
            count++;
            for (int d = 0; d < 3; d++) {
                middle[d] += x[d];
            }
        }
    }
    for (int d = 0; d < 3; d++) {
        middle[d] /= count;
    }
}

/* Adds the part of the dual face of the edge from corner a to corner b that lies in the
 * tetrahedron: two triangles, between the edge's middle, the centres of its two faces and the
 * tetrahedron's. */
static void add_dual_face(struct tet_box *box, const edge_numbers *number,
                          const struct tetrahedron *tet, int a, int b)
{
    const int e = number[tet->node[a]][tet->way[b] & ~tet->way[a]];
    const int c = a != 0 && b != 0 ? 0 : a != 1 && b != 1 ? 1 : 2;
    const int d = 6 - a - b - c;
    double middle[3], one[3], two[3], inner[3], part[3], sum[3], along[3];
    centre(box, tet, 1u << a | 1u << b, middle);
    subtract(one, tet->face[d], middle);
    subtract(two, tet->face[c], middle);
    subtract(inner, tet->middle, middle);
    cross(sum, one, inner);
    cross(part, inner, two);
    subtract(along, place_of(box, tet->node[b]), place_of(box, tet->node[a]));
    for (int i = 0; i < 3; i++) {
        sum[i] = 0.5 * (sum[i] + part[i]);
    }
    const double sign = dot(sum, along) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) {
        box->area[3 * (size_t)e + i] += sign * sum[i];
    }
}

static void add_volume(struct tet_box *box, const struct tetrahedron *tet)
{
    double edge[3][3], normal[3];
    for (int c = 0; c < 3; c++) {
        subtract(edge[c], place_of(box, tet->node[c + 1]), place_of(box, tet->node[0]));
    }
    cross(normal, edge[0], edge[1]);
    const double volume = fabs(dot(normal, edge[2])) / 6.0;
    for (int c = 0; c < 4; c++) {
        box->volume[tet->node[c]] += 0.25 * volume;
    }
}

static void add_tetrahedron(struct tet_box *box, const edge_numbers *number, int lowest,
                            const int *way)
{
    struct tetrahedron tet;
    tet.way = way;
    for (int c = 0; c < 4; c++) {
        tet.node[c] = lowest + tet_box_step(box, way[c]);
    }
    for (int c = 0; c < 4; c++) {
        centre(box, &tet, 15u & ~(1u << c), tet.face[c]);
    }
    centre(box, &tet, 15u, tet.middle);
    for (int a = 0; a < 4; a++) {
        for (int b = a + 1; b < 4; b++) {
            add_dual_face(box, number, &tet, a, b);
        }
    }
    add_volume(box, &tet);
}

static void add_layer(struct tet_box *box, const edge_numbers *number, int k)
{
    for (int j = 0; j < box->n[1]; j++) {
        for (int i = 0; i < box->n[0]; i++) {
            const int lowest = i + (box->n[0] + 1) * (j + (box->n[1] + 1) * k);
            for (int path = 0; path < TET_BOX_PATHS; path++) {
                add_tetrahedron(box, number, lowest, tet_box_path[path]);
            }
        }
    }
}

static void add_layers(struct tet_box *box, const edge_numbers *number, int first)
{
    IN_PARALLEL
    for (int k = first; k < box->n[2]; k += 2) {
        add_layer(box, number, k);
    }
}

int tet_box_edges(struct tet_box *box)
{
    if (!tet_box_fits(edges_of(box))) {
        return tet_box_no_size(box, "edges");
    }
    box->edges = (int)edges_of(box);
    const size_t edges = (size_t)box->edges;
    edge_numbers *number = (edge_numbers *)malloc((size_t)box->nodes * sizeof *number);
    box->edge = (int *)malloc(2 * edges * sizeof *box->edge);
    box->area = (double *)calloc(3 * edges, sizeof *box->area);
    box->volume = (double *)calloc((size_t)box->nodes, sizeof *box->volume);
    if (number == NULL || box->edge == NULL || box->area == NULL || box->volume == NULL) {
        free(number);
        return tet_box_no_memory(box, "edges");
    }
    number_edges(box, number);
    add_layers(box, (const edge_numbers *)number, 0);
    add_layers(box, (const edge_numbers *)number, 1);
    free(number);
    return 0;
}

/* ---- boundary -------------------------------------------------------------------------------- */

/* The side of the box that a triangle lies on, or -1. */
static int side_of(const struct tet_box *box, const int corner[3])
{
    unsigned sides = (1u << TET_BOX_SIDES) - 1;
    for (int c = 0; c < 3; c++) {
        int place[3];
        tet_box_place(box, corner[c], place);
        for (int d = 0; d < 3; d++) {
            sides &= ~((unsigned)(place[d] > 0) << (2 * d));
            sides &= ~((unsigned)(place[d] < box->n[d]) << (2 * d + 1));
        }
    }
    for (int side = 0; side < TET_BOX_SIDES; side++) {
        if (sides >> side & 1) {
            return side;
        }
    }
    return -1;
}

/* Appends the face of a tetrahedron that is opposite to corner `without` if it lies on a side. */
static void add_triangle(struct tet_box *box, const int node[4], int without)
{
    int *corner = &box->triangle[3 * (size_t)box->triangles];
    double *area = &box->triangle_area[3 * (size_t)box->triangles];
    int corners = 0, found[3];
    double edge[2][3], inwards[3];
    for (int c = 0; c < 4; c++) {
        if (c != without) {
            found[corners++] = node[c];
        }
    }
    if (side_of(box, found) < 0) {
        return;
    }
    memcpy(corner, found, sizeof found);
    const double *first = place_of(box, corner[0]);
    subtract(edge[0], place_of(box, corner[1]), first);
    subtract(edge[1], place_of(box, corner[2]), first);
    subtract(inwards, place_of(box, node[without]), first);
    cross(area, edge[0], edge[1]);
    const double scale = dot(area, inwards) > 0.0 ? -0.5 : 0.5;
    for (int d = 0; d < 3; d++) {
        area[d] *= scale;
    }
    box->triangles++;
}

static void add_cube(struct tet_box *box, int lowest)
{
    for (int path = 0; path < TET_BOX_PATHS; path++) {
        int node[4];
        for (int c = 0; c < 4; c++) {
            node[c] = lowest + tet_box_step(box, tet_box_path[path][c]);
        }
        for (int c = 0; c < 4; c++) {
            add_triangle(box, node, c);
        }
    }
}

int tet_box_triangles(struct tet_box *box)
{
    const int *n = box->n;
    const double count =
        4.0 * ((double)n[0] * n[1] + (double)n[1] * n[2] + (double)n[2] * n[0]); /* two a square */
    if (!tet_box_fits(count)) {
        return tet_box_no_size(box, "boundary triangles");
    }
    box->triangle = (int *)malloc(3 * (size_t)count * sizeof *box->triangle);
    box->triangle_area = (double *)malloc(3 * (size_t)count * sizeof *box->triangle_area);
    if (box->triangle == NULL || box->triangle_area == NULL) {
        return tet_box_no_memory(box, "boundary triangles");
    }
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            const int on_side = j == 0 || j == n[1] - 1 || k == 0 || k == n[2] - 1;
            const int stride = on_side || n[0] == 1 ? 1 : n[0] - 1; /* the first and the last */
            for (int i = 0; i < n[0]; i += stride) {
                add_cube(box, i + (n[0] + 1) * (j + (n[1] + 1) * k));
            }
        }
    }
    return 0;
}

/* Two directions along a side, the faster one first. */
static const int along[3][2] = {{1, 2}, {0, 2}, {0, 1}};

/* Nodes of each side; first[TET_BOX_SIDES] is the sum. */
static void count_sides(const struct tet_box *box, double first[TET_BOX_SIDES + 1])
{
    first[0] = 0.0;
    for (int side = 0; side < TET_BOX_SIDES; side++) {
        const int *d = along[side / 2];
        first[side + 1] = first[side] + (box->n[d[0]] + 1.0) * (box->n[d[1]] + 1.0);
    }
}

static size_t boundary_number(const struct tet_box *box, const double *first, int side, int node)
{
    const int *d = along[side / 2];
    int place[3];
    tet_box_place(box, node, place);
    return (size_t)first[side] + (size_t)place[d[0]] +
           ((size_t)box->n[d[0]] + 1) * (size_t)place[d[1]];
}

int tet_box_boundary(struct tet_box *box)
{
    double first[TET_BOX_SIDES + 1];
    count_sides(box, first);
    if (!tet_box_fits(first[TET_BOX_SIDES])) {
        return tet_box_no_size(box, "boundary nodes");
    }
    const size_t count = (size_t)first[TET_BOX_SIDES];
    box->boundary_nodes = (int)count;
    box->boundary_node = (int *)malloc(count * sizeof *box->boundary_node);
    box->side = (int *)malloc(count * sizeof *box->side);
    box->boundary_area = (double *)calloc(3 * count, sizeof *box->boundary_area);
    if (box->boundary_node == NULL || box->side == NULL || box->boundary_area == NULL) {
        return tet_box_no_memory(box, "boundary nodes");
    }
    /* Every node of a side is a corner of one of its triangles. */
    for (size_t t = 0; t < (size_t)box->triangles; t++) {
        const int *corner = &box->triangle[3 * t];
        const int side = side_of(box, corner);
        for (int c = 0; c < 3; c++) {
            const size_t b = boundary_number(box, first, side, corner[c]);
            box->boundary_node[b] = corner[c];
            box->side[b] = side;
            for (int d = 0; d < 3; d++) {
                box->boundary_area[3 * b + (size_t)d] +=
                    box->triangle_area[3 * t + (size_t)d] / 3.0;
            }
        }
    }
    return 0;
}
