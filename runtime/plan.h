/* plan.h: from maps to execution plans. Knows nothing of dats, kernels or devices.
 *
 * Blocks come from METIS's k-way partition of the element graph (two elements are joined when they
 * share a point; Sulyok et al., paper 000), loaded at run time; without METIS they are runs of
 * consecutive elements. Blocks and the elements inside them are coloured greedily so that equal
 * colours modify no common point (hierarchical colouring, OP2).
 */
#ifndef CLEAVE_PLAN_H
#define CLEAVE_PLAN_H

#include "cleave_gen.h"

/* One map as the planner sees it. */
struct plan_map {
    const int *row; /* [elements*dim] row-major: entry (e, c) at e*dim + c, values in 0..points-1 */
    int dim;        /* columns of the map */
    int points;     /* size of the set that it points to */
    int target;     /* number of that set: equal numbers, same points */
    int columns;    /* columns used */
    int column[CLEAVE_MAX_COLUMNS];
    unsigned conflicts; /* bit k: data is modified through column[k] */
};

enum plan_method {
    PLAN_AUTO,  /* PLAN_CHUNKS where consecutive elements share enough points, else PLAN_METIS: data is
                   not renumbered, so METIS's blocks cost a scattered read of every element, which only
                   a numbering without locality repays */
    PLAN_METIS, /* METIS k-way blocks; falls back to PLAN_CHUNKS, said once, when METIS is missing */
    PLAN_CHUNKS /* consecutive elements */
};

struct plan_options {
    int block_size; /* elements per block at most: 1..1024 */
    enum plan_method method;
    int reverse; /* 1: positions run backwards (CLEAVE_ORDER=reverse, a debugging aid) */
};

/* As OP2 prints them with its plans. */
struct plan_metrics {
    int blocks;
    int block_colours;
    double thread_colours; /* average per block */
    double reuse;          /* accesses through the maps / sum of unique points over blocks */
    double points;         /* average unique points per block, all lists */
    int max_points;        /* largest of any block, all lists */
    double fill;           /* elements / (blocks * block_size) */
    double seconds;        /* time to build */
    enum plan_method method; /* PLAN_METIS or PLAN_CHUNKS: where the blocks come from */
};

/* Builds a plan for `elements` elements and `maps` maps (one cleave_plan_list each, same order; maps
 * may be 0). Copies nothing of the input. elements == 0 gives a plan of no blocks.
 * On success returns 0 and *plan owns its arrays (plan_free). On failure returns -1 with a message
 * that names the cause in error[256]; *plan is then NULL. */
int plan_build(struct cleave_plan **plan, struct plan_metrics *metrics, int elements, int maps,
               const struct plan_map *map, const struct plan_options *options, char error[256]);
void plan_free(struct cleave_plan *plan);

/* Every element once, no two elements of one colour (blocks; threads of a block) modify one point,
 * lists complete, sorted and without repeats, local indices right. Returns 0, or -1 with a message. */
int plan_check(const struct cleave_plan *plan, int elements, int maps, const struct plan_map *map,
               char error[256]);

/* A plan for points (CLEAVE_PLAN_POINTS): no blocks, order or colours, and of each list only points and
 * the item_ arrays. At most INT_MAX items per list. Otherwise as plan_build. */
int plan_points_build(struct cleave_plan **plan, int elements, int maps, const struct plan_map *map,
                      char error[256]);
/* Every (element, column) once, in the list of the point that it names, in order. 0, or -1 with a
 * message. */
int plan_points_check(const struct cleave_plan *plan, int elements, int maps,
                      const struct plan_map *map, char error[256]);

/* A method's name, for reports; PLAN_METIS is "chunks" once METIS turned out to be missing. */
const char *plan_method_name(enum plan_method method);

#endif
