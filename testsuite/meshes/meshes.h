/* meshes.h: generated meshes for the planner's tests and its benchmark.
 *
 * The same arguments give the same arrays, bit for bit, on every machine with IEEE doubles and the
 * same libm. Numbers are natural (row after row of the grid) until test_mesh_shuffle. Every
 * function that allocates ends the program with exit code 2 and a message when memory is missing:
 * these are tests.
 */
#ifndef CLEAVE_TEST_MESHES_LIBRARY_H
#define CLEAVE_TEST_MESHES_LIBRARY_H

#include <stdint.h>

#include "runtime/planner/planner.h"

enum test_mesh_kind {
    /* Edges -> 2 vertices, as in a mesh of tetrahedra: a box of cubes, the 3 edges of each vertex,
     * one random diagonal per face of a cube and one through each cube; vertices displaced at
     * random by up to a quarter of the spacing. 3D. A vertex has 14 edges inside, 13.7 on average
     * with 350,000 vertices. */
    TEST_MESH_TET,
    /* Interior edges -> 2 cells of a rectangle of unit squares; coordinates: centres of the cells.
       2D. */
    TEST_MESH_QUAD,
    /* Unit cubes of a box -> 8 nodes. 3D. */
    TEST_MESH_HEX,
    /* TEST_MESH_TET with a boundary layer: 36 layers of vertices above a curved wall. Spacing
     * along the wall is 1, the first layer's is 1e-4; layers grow by a constant factor, the last
     * has spacing 1. */
    TEST_MESH_GRADED,
    /* TEST_MESH_QUAD with a boundary layer over a curved wall: four times as long as high in
     * cells, aspect ratio of the cells from 1e4 at the wall down to 1. */
    TEST_MESH_GRADED_QUAD,
    /* Interior edges -> 2 cells of a ring of quadrilaterals around a circle, periodic, twice as
     * many around as across; layers grow outwards such that cells stay square. Coordinates:
     * centres. 2D. */
    TEST_MESH_ANNULUS,
    /* TEST_MESH_HEX as a piece of a thick pipe, twisted along its axis: planes of cells follow
     * no axis of the coordinates. */
    TEST_MESH_PIPE,
    /* Interior edges of a rectangle of squares -> 2 cells (set 0, modified) and -> 2 nodes (set 1,
     * read); coordinates: the nodes. 2D. */
    TEST_MESH_QUAD_NODES,
    /* Cells of a box -> `arity` points: the first of the 8 corners of the cell, then the 4 corners
     * that the neighbour in x adds, then the 4 that the neighbour in y adds. 3D. */
    TEST_MESH_STENCIL,
    /* Element e -> points e and e+1. Coordinates (e, 0). 2D. */
    TEST_MESH_CHAIN,
    /* A hub: element e -> point 0 and its own point e+1, on a circle around point 0. 2D. */
    TEST_MESH_STAR,
    TEST_MESH_KINDS
};

struct test_mesh {
    enum test_mesh_kind kind;
    int elements;
    int maps;
    /* All columns are used; set 0 is modified through all of them, set 1 only read. */
    struct plan_map map[2];
    int *row[2]; /* owned; map[m].row points here */
    double *at;  /* owned [points*dim]; coordinates.at points here */
    struct plan_coordinates coordinates;
};

/* Makes a mesh.
 *   elements  about how many are wanted, 1 or more: grids are made just large enough, so there are
 *             at least as many, and at most some percent more (tens of percent below 1,000); exact
 * for chain and star arity     columns of TEST_MESH_STENCIL, 1..16; ignored by the other kinds seed
 * of the random diagonals and displacements */
void test_mesh_make(struct test_mesh *mesh, enum test_mesh_kind kind, int elements, int arity,
                    uint64_t seed);

/* Renumbers elements and points (maps and coordinates) at random, in place. */
void test_mesh_shuffle(struct test_mesh *mesh, uint64_t seed);

/* Frees the arrays; again is harmless. */
void test_mesh_free(struct test_mesh *mesh);

/* "tet", "quad", "hex", "graded", "graded-quad", "annulus", "pipe", "quad-nodes", "stencil",
 * "chain", "star". */
const char *test_mesh_name(enum test_mesh_kind kind);
/* 0, or -1 when `name` is none of them. */
int test_mesh_parse(const char *name, enum test_mesh_kind *kind);

/* The planner's surroundings in tests: OpenMP's threads, libraries under their usual names, no cache; notes go
 * to stderr as programs see them ("cleave: note: ..."), each once, but those about refused files. Tests set
 * its fields. */
extern struct planner test_planner;

/* The generator of all random numbers here: splitmix64 (G. Steele, D. Lea, C. Flood, "Fast
 * splittable pseudorandom number generators", 2014). Advances *state; all states are good. */
uint64_t test_random(uint64_t *state);
/* Uniform in 0..bound-1; bound 1..2^31. */
int test_random_below(uint64_t *state, int bound);
/* The numbers 0..count-1 in random order (Fisher and Yates), the same for the same seed. [count], the
 * caller frees it; count from 0. */
int *test_random_permutation(int count, uint64_t seed);

#endif
