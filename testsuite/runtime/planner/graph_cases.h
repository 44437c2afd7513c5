/* graph_cases.h: what the tests of blocks from the graph share: a generated mesh as the planner
 * sees it, and what every partition must fulfil. */
#ifndef CLEAVE_TEST_GRAPH_CASES_H
#define CLEAVE_TEST_GRAPH_CASES_H

#include <stdlib.h>

#include "check.h"
#include "meshes/meshes.h"
#include "runtime/planner/blocks/blocks.h"

/* A mesh of `kind`, shuffled, with touch. Freed by planner_mesh_free. */
static inline void graph_case(struct plan_mesh *mesh, enum test_mesh_kind kind, int elements,
                              int arity)
{
    struct test_mesh made;
    char error[PLANNER_ERROR] = "";
    test_mesh_make(&made, kind, elements, arity, 1);
    test_mesh_shuffle(&made, 2);
    CHECK(planner_mesh_make(mesh, made.elements, made.maps, made.map, error) == 0);
    CHECK(planner_mesh_touch(mesh, error) == 0);
    CHECK_TEXT(error, "");
    test_mesh_free(&made);
}

/* A mesh of the given rows. */
static inline void graph_case_rows(struct plan_mesh *mesh, int elements, int arity, int points,
                                   const int *row)
{
    struct plan_map map = {.row = row, .dim = arity, .points = points, .columns = arity};
    char error[PLANNER_ERROR] = "";
    for (int c = 0; c < arity; c++) {
        map.column[c] = c;
    }
    CHECK(planner_mesh_make(mesh, elements, 1, &map, error) == 0);
    CHECK(planner_mesh_touch(mesh, error) == 0);
    CHECK_TEXT(error, "");
}

static inline struct blocks graph_blocks(const struct plan_mesh *mesh, int block_size)
{
    struct blocks blocks = {.block_size = block_size};
    blocks.of = malloc(((size_t)mesh->elements + 1) * sizeof *blocks.of);
    for (int e = 0; e < mesh->elements; e++) {
        blocks.of[e] = -7;
    }
    return blocks;
}

/* Checks that each element has a block, that no block is too large and none empty. */
static inline void graph_check(const struct blocks *blocks, const struct plan_mesh *mesh)
{
    int *size = calloc((size_t)blocks->count + 1, sizeof *size);
    int wrong = 0;
    for (int e = 0; e < mesh->elements; e++) {
        if (blocks->of[e] < 0 || blocks->of[e] >= blocks->count) {
            wrong++;
        } else {
            size[blocks->of[e]]++;
        }
    }
    for (int b = 0; b < blocks->count; b++) {
        wrong += size[b] == 0 || size[b] > blocks->block_size;
    }
    CHECK(wrong == 0);
    free(size);
}

/* Paper 000's reuse; 0 when it cannot be measured. *max_points may be NULL. */
static inline double graph_reuse(const struct blocks *blocks, const struct plan_mesh *mesh,
                                 int *max_points)
{
    struct blocks_quality quality;
    char error[PLANNER_ERROR] = "";
    if (planner_blocks_measure(&quality, blocks, mesh, error) != 0) {
        return 0;
    }
    if (max_points != NULL) {
        *max_points = quality.max_points;
    }
    return (double)mesh->elements * mesh->arity / quality.touches;
}

static inline uint64_t graph_hash(const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

#endif
