/* gpu_bench_tetbox.h: a box of tetrahedra with everything that a vertex-centred solver needs of it:
 * edges, median-dual areas and volumes, boundary triangles.
 *
 * The unit cube of n*n*n cubes, each cut into the six tetrahedra of Kuhn (all paths along its edges
 * from its lowest to its highest corner), then deformed smoothly. Vertex (i, j, k) has number i +
 * (n+1)(j + (n+1)k). Edges are sorted by their lower vertex, then by direction: (1,0,0), (0,1,0),
 * (1,1,0), (0,0,1), (1,0,1), (0,1,1), (1,1,1).
 */
#ifndef CLEAVE_GPU_BENCH_TETBOX_H
#define CLEAVE_GPU_BENCH_TETBOX_H

/* The largest n: 7 edges per vertex, three numbers per edge still have indices that fit an int. */
#define TETBOX_MOST 400

enum { TETBOX_INTERIOR = 0, TETBOX_WALL = 2, TETBOX_BOUNDARY = 3 };

struct tetbox {
    int n;
    int vertices;
    int edges;
    int triangles; /* on the boundary */
    int *edge;     /* [2*edges] lower vertex first */
    int *triangle; /* [3*triangles] */
    double *x;     /* [3*vertices] */
    /* [3*edges] area vector of the dual face, from the edge's first vertex to its second */
    double *area;
    double *boundary;       /* [3*triangles] area vector, outwards */
    double *volume;         /* [vertices] of the dual cell */
    double *inverse_length; /* [vertices] sum of 1/length over the vertex's edges */
    int *degree;            /* [vertices] number of edges */
    int *flag; /* [vertices] TETBOX_WALL where z = 0, TETBOX_BOUNDARY on the other sides */
};

/* Fills *box; n from 1 to TETBOX_MOST. Ends the program with exit code 2 when memory is missing. */
void tetbox_make(struct tetbox *box, int n);
/* Frees the arrays. */
void tetbox_free(struct tetbox *box);

#endif
