/* meshes_impl.h: what the files of the mesh library share. */
#ifndef CLEAVE_TEST_MESHES_IMPL_H
#define CLEAVE_TEST_MESHES_IMPL_H

#include <stddef.h>

#include "meshes.h"

/* count * bytes of memory; ends the program when there is none. */
void *test_memory(size_t count, size_t bytes);

/* Adds a map of `dim` columns to set `target` of `points` points; its entries are for the caller to
 * set. */
int *test_mesh_add_map(struct test_mesh *mesh, int dim, int points, int target);
/* Adds the coordinates of the points of set `target`: [points*dim], to be set by the caller. */
double *test_mesh_add_coordinates(struct test_mesh *mesh, int points, int dim, int target);

/* The smallest box, as near to a cube as possible, for which count() reaches `elements`: side[0..2]
 * vertices or cells per direction. A side that is not 0 on entry is kept. */
void test_mesh_box(int side[3], int elements, long long (*count)(const int side[3]));

/* grid.c */
void test_mesh_tet(struct test_mesh *mesh, int elements, int graded, uint64_t seed);
void test_mesh_hex(struct test_mesh *mesh, int elements, int pipe);
void test_mesh_stencil(struct test_mesh *mesh, int elements, int arity);

/* flat.c */
void test_mesh_quad(struct test_mesh *mesh, int elements, int with_nodes);
void test_mesh_graded_quad(struct test_mesh *mesh, int elements);
void test_mesh_annulus(struct test_mesh *mesh, int elements);
void test_mesh_chain(struct test_mesh *mesh, int elements);
void test_mesh_star(struct test_mesh *mesh, int elements);

#endif
