/* gpu_bench_tetbox.c: the box of tetrahedra (gpu_bench_tetbox.h). */
#include "gpu_bench_tetbox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "meshes/meshes_impl.h"

/* The directions of edges as bits of (x, y, z): 1 is (1,0,0), 7 is (1,1,1). */
enum { WAYS = 8 };

struct builder {
    struct tetbox *box;
    int (*number)[WAYS]; /* [vertices] number of the edge in each direction, -1 where there is none
                          */
};

static int vertex_of(const struct tetbox *box, const int at[3])
{
    const int across = box->n + 1;
    return at[0] + across * (at[1] + across * at[2]);
}

static void place_of(const struct tetbox *box, int vertex, int at[3])
{
    const int across = box->n + 1;
    at[0] = vertex % across;
    at[1] = vertex / across % across;
    at[2] = vertex / across / across;
}

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

/* ---- vertices and edges ---------------------------------------------------------------------- */

static int least_side(const struct tetbox *box, const int at[3])
{
    int inside = 1;
    for (int d = 0; d < 3; d++) {
        inside = inside && at[d] > 0 && at[d] < box->n;
    }
    return inside ? TETBOX_INTERIOR : at[2] == 0 ? TETBOX_WALL : TETBOX_BOUNDARY;
}

static void make_vertices(struct tetbox *box)
{
#pragma omp parallel for
    for (int v = 0; v < box->vertices; v++) {
        int at[3];
        double a[3];
        double bump = 1.0;
        place_of(box, v, at);
        for (int d = 0; d < 3; d++) {
            a[d] = (double)at[d] / box->n;
            bump *= sin(M_PI * a[d]);
        }
        double *x = &box->x[3 * (size_t)v];
        x[0] = a[0] + 0.05 * bump;
        x[1] = a[1] + 0.04 * bump;
        x[2] = a[2] - 0.03 * bump;
        box->flag[v] = least_side(box, at);
    }
}

/* The neighbour in a direction, or -1 outside the box. */
static int neighbour(const struct tetbox *box, int vertex, int way)
{
    int at[3];
    place_of(box, vertex, at);
    for (int d = 0; d < 3; d++) {
        at[d] += way >> d & 1;
        if (at[d] > box->n) {
            return -1;
        }
    }
    return vertex_of(box, at);
}

static void add_edge(const struct builder *builder, int from, int to, int way)
{
    struct tetbox *box = builder->box;
    const int e = box->edges++;
    double along[3];
    builder->number[from][way] = e;
    box->edge[2 * (size_t)e] = from;
    box->edge[2 * (size_t)e + 1] = to;
    subtract(along, &box->x[3 * (size_t)to], &box->x[3 * (size_t)from]);
    const double inverse = 1.0 / sqrt(dot(along, along));
    box->degree[from]++;
    box->degree[to]++;
    box->inverse_length[from] += inverse;
    box->inverse_length[to] += inverse;
}

static void make_edges(const struct builder *builder)
{
    struct tetbox *box = builder->box;
    box->edges = 0;
    for (int v = 0; v < box->vertices; v++) {
        for (int way = 1; way < WAYS; way++) {
            const int to = neighbour(box, v, way);
            builder->number[v][way] = -1;
            if (to >= 0) {
                add_edge(builder, v, to, way);
            }
        }
    }
}

/* ---- tetrahedra ------------------------------------------------------------------------------ */

/* Corners of a tetrahedron: the bits of the way from the cube's lowest corner to each, and numbers.
 */
struct tetrahedron {
    int way[4];
    int vertex[4];
};

static void centre(const struct tetbox *box, const struct tetrahedron *tet, unsigned corners,
                   double *middle)
{
    int count = 0;
    memset(middle, 0, 3 * sizeof *middle);
    for (int c = 0; c < 4; c++) {
        if (corners >> c & 1) {
            count++;
            for (int d = 0; d < 3; d++) {
                middle[d] += box->x[3 * (size_t)tet->vertex[c] + d];
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
static void add_dual_face(const struct builder *builder, const struct tetrahedron *tet, int a,
                          int b)
{
    struct tetbox *box = builder->box;
    const int e = builder->number[tet->vertex[a]][tet->way[b] & ~tet->way[a]];
    const int c = a != 0 && b != 0 ? 0 : a != 1 && b != 1 ? 1 : 2;
    const unsigned ends = 1u << a | 1u << b;
    const unsigned third = 1u << c;
    double middle[3], one[3], two[3], inner[3], part[3], sum[3], along[3];
    centre(box, tet, ends, middle);
    centre(box, tet, ends | third, one);
    centre(box, tet, 15u & ~third, two);
    centre(box, tet, 15u, inner);
    subtract(one, one, middle);
    subtract(two, two, middle);
    subtract(inner, inner, middle);
    cross(sum, one, inner);
    cross(part, inner, two);
    subtract(along, &box->x[3 * (size_t)tet->vertex[b]], &box->x[3 * (size_t)tet->vertex[a]]);
    for (int d = 0; d < 3; d++) {
        sum[d] = 0.5 * (sum[d] + part[d]);
    }
    const double sign = dot(sum, along) < 0.0 ? -1.0 : 1.0;
    for (int d = 0; d < 3; d++) {
        box->area[3 * (size_t)e + d] += sign * sum[d];
    }
}

static void add_volume(struct tetbox *box, const struct tetrahedron *tet)
{
    double side[3][3], normal[3];
    for (int c = 0; c < 3; c++) {
        subtract(side[c], &box->x[3 * (size_t)tet->vertex[c + 1]],
                 &box->x[3 * (size_t)tet->vertex[0]]);
    }
    cross(normal, side[0], side[1]);
    const double volume = fabs(dot(normal, side[2])) / 6.0;
    for (int c = 0; c < 4; c++) {
        box->volume[tet->vertex[c]] += 0.25 * volume;
    }
}

/* 1: all corners but one lie on one side of the box. */
static int on_boundary(const struct tetbox *box, const struct tetrahedron *tet, int without)
{
    int low = 7;
    int high = 7;
    for (int c = 0; c < 4; c++) {
        int at[3];
        if (c == without) {
            continue;
        }
        place_of(box, tet->vertex[c], at);
        for (int d = 0; d < 3; d++) {
            low &= ~((at[d] > 0) << d);
            high &= ~((at[d] < box->n) << d);
        }
    }
    return low != 0 || high != 0;
}

static void add_triangle(struct tetbox *box, const struct tetrahedron *tet, int without)
{
    int *corner = &box->triangle[3 * (size_t)box->triangles];
    double *area = &box->boundary[3 * (size_t)box->triangles];
    double side[2][3], inwards[3];
    int corners = 0;
    for (int c = 0; c < 4; c++) {
        if (c != without) {
            corner[corners++] = tet->vertex[c];
        }
    }
    const double *first = &box->x[3 * (size_t)corner[0]];
    subtract(side[0], &box->x[3 * (size_t)corner[1]], first);
    subtract(side[1], &box->x[3 * (size_t)corner[2]], first);
    subtract(inwards, &box->x[3 * (size_t)tet->vertex[without]], first);
    cross(area, side[0], side[1]);
    const double scale = dot(area, inwards) > 0.0 ? -0.5 : 0.5;
    for (int d = 0; d < 3; d++) {
        area[d] *= scale;
    }
    box->triangles++;
}

static void add_tetrahedron(const struct builder *builder, const struct tetrahedron *tet)
{
    for (int a = 0; a < 4; a++) {
        for (int b = a + 1; b < 4; b++) {
            add_dual_face(builder, tet, a, b);
        }
    }
    add_volume(builder->box, tet);
}

static void add_triangles(const struct builder *builder, const struct tetrahedron *tet)
{
    for (int c = 0; c < 4; c++) {
        if (on_boundary(builder->box, tet, c)) {
            add_triangle(builder->box, tet, c);
        }
    }
}

/* Calls `add` for the six tetrahedra of the cube that begins at a vertex. */
static void cut_cube(const struct builder *builder, const int at[3],
                     void (*add)(const struct builder *, const struct tetrahedron *))
{
    static const int first[6] = {1, 1, 2, 2, 4, 4};
    static const int second[6] = {3, 5, 3, 6, 5, 6};
    const int lowest = vertex_of(builder->box, at);
    for (int path = 0; path < 6; path++) {
        struct tetrahedron tet = {{0, first[path], second[path], 7}, {lowest, 0, 0, 0}};
        for (int c = 1; c < 4; c++) {
            tet.vertex[c] = neighbour(builder->box, lowest, tet.way[c]);
        }
        add(builder, &tet);
    }
}

/* Layers of cubes that are not neighbours have no vertex in common: every second one at once. */
static void make_duals(const struct builder *builder)
{
    const int n = builder->box->n;
    for (int first = 0; first < 2; first++) {
#pragma omp parallel for
        for (int k = first; k < n; k += 2) {
            for (int cube = 0; cube < n * n; cube++) {
                cut_cube(builder, (const int[3]){cube % n, cube / n, k}, add_tetrahedron);
            }
        }
    }
}

static void make_triangles(const struct builder *builder)
{
    const int n = builder->box->n;
    for (int cube = 0; cube < n * n * n; cube++) {
        const int at[3] = {cube % n, cube / n % n, cube / n / n};
        int outside = 0;
        for (int d = 0; d < 3; d++) {
            outside |= at[d] == 0 || at[d] == n - 1;
        }
        if (outside) {
            cut_cube(builder, at, add_triangles);
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void *zeros(size_t count, size_t bytes)
{
    void *memory = test_memory(count, bytes);
    memset(memory, 0, count * bytes);
    return memory;
}

static void allocate(struct tetbox *box)
{
    const size_t n = (size_t)box->n;
    const size_t vertices = (size_t)box->vertices;
    const size_t edges = 3 * n * (n + 1) * (n + 1) + 3 * n * n * (n + 1) + n * n * n;
    const size_t triangles = 12 * n * n;
    box->edge = test_memory(2 * edges, sizeof *box->edge);
    box->triangle = test_memory(3 * triangles, sizeof *box->triangle);
    box->x = test_memory(3 * vertices, sizeof *box->x);
    box->area = zeros(3 * edges, sizeof *box->area);
    box->boundary = test_memory(3 * triangles, sizeof *box->boundary);
    box->volume = zeros(vertices, sizeof *box->volume);
    box->inverse_length = zeros(vertices, sizeof *box->inverse_length);
    box->degree = zeros(vertices, sizeof *box->degree);
    box->flag = test_memory(vertices, sizeof *box->flag);
}

void tetbox_make(struct tetbox *box, int n)
{
    memset(box, 0, sizeof *box);
    box->n = n;
    box->vertices = (n + 1) * (n + 1) * (n + 1);
    allocate(box);
    struct builder builder = {box, test_memory((size_t)box->vertices, sizeof *builder.number)};
    make_vertices(box);
    make_edges(&builder);
    make_duals(&builder);
    make_triangles(&builder);
    free(builder.number);
}

void tetbox_free(struct tetbox *box)
{
    free(box->edge);
    free(box->triangle);
    free(box->x);
    free(box->area);
    free(box->boundary);
    free(box->volume);
    free(box->inverse_length);
    free(box->degree);
    free(box->flag);
    memset(box, 0, sizeof *box);
}
