/* plan_cases.h: what the tests of plans share: maps written out by hand, numberings that no method
 * would make, and plans that must pass planner_check.
 */
#ifndef CLEAVE_TEST_PLAN_CASES_H
#define CLEAVE_TEST_PLAN_CASES_H

#include <stdlib.h>

#include "check.h"
#include "meshes/meshes.h"

/* Maps of one set of elements. Owned: cases_free. */
struct plan_case {
    int elements;
    int maps;
    struct plan_map map[CLEAVE_MAX_LISTS];
    int *row[CLEAVE_MAX_LISTS]; /* map[m].row points here */
};

/* Adds a map of `dim` columns, all used, to a set of `points`; its entries are for the caller to
 * set. */
static inline int *case_add_map(struct plan_case *own, int dim, int points, int target,
                                unsigned conflicts)
{
    int m = own->maps++;
    own->row[m] = calloc((size_t)own->elements * dim + 1, sizeof(int));
    if (own->row[m] == NULL) {
        fprintf(stderr, "out of memory for a test\n");
        exit(2);
    }
    own->map[m] = (struct plan_map){.row = own->row[m],
                                    .dim = dim,
                                    .points = points,
                                    .target = target,
                                    .columns = dim,
                                    .conflicts = conflicts};
    for (int k = 0; k < dim; k++) {
        own->map[m].column[k] = k;
    }
    return own->row[m];
}

static inline void case_free(struct plan_case *own)
{
    for (int m = 0; m < own->maps; m++) {
        free(own->row[m]);
    }
    *own = (struct plan_case){0};
}

/* The maps of a generated mesh, borrowed. */
static inline struct plan_case case_of(const struct test_mesh *mesh)
{
    struct plan_case own = {.elements = mesh->elements, .maps = mesh->maps};
    for (int m = 0; m < mesh->maps; m++) {
        own.map[m] = mesh->map[m];
        own.row[m] = mesh->row[m];
    }
    return own;
}

/* A numbering with a random order and blocks of 1..block_size elements at random. */
static inline struct plan_numbering *case_numbering(int elements, int block_size, uint64_t seed)
{
    struct plan_numbering *own = calloc(1, sizeof *own);
    *own = (struct plan_numbering){.elements = elements, .block_size = block_size};
    own->start = calloc((size_t)elements + 1, sizeof(int));
    own->order = calloc((size_t)elements + 1, sizeof(int));
    for (int i = 0; i < elements; i++) {
        int other = test_random_below(&seed, i + 1);
        own->order[i] = own->order[other];
        own->order[other] = i;
    }
    while (own->start[own->blocks] < elements) {
        int next = own->start[own->blocks] + 1 + test_random_below(&seed, block_size);
        own->start[++own->blocks] = next < elements ? next : elements;
    }
    return own;
}

static inline void case_numbering_free(struct plan_numbering *own)
{
    free(own->start);
    free(own->order);
    free(own);
}

/* A plan that passed planner_check, or NULL after a failed CHECK. metrics may be NULL. */
static inline struct cleave_plan *case_build(const struct plan_case *own,
                                             const struct plan_numbering *numbering,
                                             struct plan_options options,
                                             struct plan_metrics *metrics)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    int status = planner_build(&test_planner, &plan, metrics, own->elements, own->maps, own->map,
                               numbering, &options, error);
    CHECK_TEXT(error, "");
    CHECK(status == 0 && plan != NULL);
    if (plan != NULL) {
        int valid = planner_check(&test_planner, plan, own->elements, own->maps, own->map, error);
        CHECK_TEXT(error, "");
        CHECK(valid == 0);
    }
    return plan;
}

#define PLAN_WITH_ALL                                                                              \
    (CLEAVE_PART_GATHER | CLEAVE_PART_SUMS | CLEAVE_PART_RUNS | CLEAVE_PART_GLOBAL)

#endif
