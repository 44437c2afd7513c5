/* number.h: the stages of planner_number. */
#ifndef CLEAVE_PLANNER_NUMBER_H
#define CLEAVE_PLANNER_NUMBER_H

#include "runtime/planner/blocks/blocks.h"

/* A numbering in the making. */
struct numbering_job {
    const struct planner *planner;
    int maps;
    const struct plan_map *map;
    const struct plan_coordinates *coordinates; /* may be NULL */
    const struct plan_numbering_options *options;
    struct plan_phases *phases; /* may be NULL */
    struct plan_mesh mesh;      /* owned */
    struct blocks blocks;       /* blocks.of owned */
    /* improve is never DEFAULT; start is, until planner_number_start has chosen */
    struct plan_method method;
    int max_points; /* 0: any number */
    /* [elements] the mesh's elements in the order that the start has found; runs of it are the
     * blocks. Owned; NULL: the start has filled `blocks`. */
    int *order;
};

/* ---- arrays.c ------------------------------------------------------------------------------- */

/* One array of int of a numbering. They are freed, hashed, written to files and read in the order
 * of the table. */
struct numbering_array {
    const char *what; /* for messages about memory */
    size_t offset;    /* of the pointer in struct plan_numbering */
    size_t (*count)(const struct plan_numbering *numbering);
};
#define NUMBERING_ARRAYS 2
extern const struct numbering_array planner_numbering_arrays[NUMBERING_ARRAYS];

/* The a-th array of a numbering, or NULL, and its bytes. */
int *planner_numbering_array(const struct plan_numbering *numbering, int a);
size_t planner_numbering_bytes(const struct plan_numbering *numbering, int a);
/* Allocates all arrays for the numbering's elements and blocks. -1 without memory, with a message
 * if error is not NULL; the caller frees the numbering in both cases. */
int planner_numbering_reserve(struct plan_numbering *numbering, char *error);

/* ---- method.c ------------------------------------------------------------------------------- */

/* The method that this job runs: a start that is possible, and the improvement that the wanted
 * method stands for. A replacement is noted. */
struct plan_method planner_number_method(const struct numbering_job *job);
/* 1: the start needs a library, and the library is there. */
int planner_number_library(const struct planner *planner, enum plan_start start);
/* 1: a map of the job leads to points whose coordinates are known. */
int planner_number_has_coordinates(const struct numbering_job *job);

/* ---- start.c, graph.c ------------------------------------------------------------------------ */

/* The functions of methods.def. Each fills job->blocks and puts job->mesh into an order in which
 * near elements are near; or, if planner_number_takes_order, sets job->order. 0, or -1 with a
 * message. */
#define METHOD(name, function, word, needs, meaning)                                               \
    int planner_start_##function(struct numbering_job *job, char error[PLANNER_ERROR]);
#include "runtime/planner/methods.def"
#undef METHOD
/* 1: nothing changes blocks after the start, so that an order of the elements is enough. */
static inline int planner_number_takes_order(const struct numbering_job *job)
{
    return job->method.improve == PLAN_IMPROVE_NONE && job->options->max_points == 0;
}
/* Calls the function of job->method. */
int planner_number_start(struct numbering_job *job, char error[PLANNER_ERROR]);

/* Blocks become the runs start[k]..start[k+1]-1 of the mesh's order. */
void planner_start_take_leaves(struct blocks *blocks, const struct leaves *leaves);
/* The mesh's order becomes that of the blocks. */
int planner_start_order_by_blocks(struct numbering_job *job, char error[PLANNER_ERROR]);

/* ---- trial.c -------------------------------------------------------------------------------- */

/* Points of the blocks that bisection and growth make in some of the chunks, per element. */
struct number_trial {
    double bisected;
    double grown;
};

/* Tries both in chunks evenly spread over the mesh; wanted, dim: as for planner_rcb_split. */
int planner_number_try(struct number_trial *trial, const struct numbering_job *job,
                       const struct place *place, const struct leaves *chunks, double wanted,
                       int dim, char error[PLANNER_ERROR]);

/* ---- walk.c --------------------------------------------------------------------------------- */

/* An element and its key for sorting. */
struct number_item {
    uint64_t key;
    int element;
};

/* The memory of one thread that orders the elements of a block; the block's points have names of
 * their own, 0 to points-1. Blocks of at most block_size elements of `arity` points: slots =
 * block_size * arity. */
struct number_walk {
    int *table;               /* [1 << bits] points of the mesh, -1: free */
    int *name;                /* [1 << bits] their names */
    int bits;                 /* the table stays half empty */
    int *point;               /* [slots] names of the elements' points */
    int *start;               /* [slots+2] */
    int *touch;               /* [slots] elements of each point, from start[p] to start[p+1]-1 */
    int *rank;                /* [slots] when the walk comes to each point */
    int *queue;               /* [slots] points in this order */
    char *passed;             /* [block_size] 1: the walk has seen the element's points */
    struct number_item *item; /* [2*block_size] */
};

/* 0, or -1 without memory; planner_walk_free in both cases. */
int planner_walk_reserve(struct number_walk *walk, int block_size, int arity);
void planner_walk_free(struct number_walk *walk);
/* Puts the elements of a block, element[count] in the mesh's numbers, into the order of a walk over
 * their points (walk.c). The order does not depend on the threads. */
void planner_walk_sort(struct number_walk *walk, int *element, int count,
                       const struct plan_mesh *mesh);

/* ---- finish.c ------------------------------------------------------------------------------- */

/* Blocks and order of the numbering from job->blocks: empty blocks are dropped, blocks of more than
 * max_points points are cut, elements of a block are sorted by their points (planner_walk_sort) if
 * `sorted`. Fills blocks, start and order. */
int planner_number_finish(struct plan_numbering *numbering, const struct numbering_job *job,
                          int sorted, char error[PLANNER_ERROR]);

#endif
