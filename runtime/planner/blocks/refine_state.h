/* refine_state.h: some blocks, their elements and their points, as one thread improves them. */
#ifndef CLEAVE_REFINE_STATE_H
#define CLEAVE_REFINE_STATE_H

#include "runtime/planner/blocks/blocks.h"

/* Blocks that one thread improves at a time: their number fits a byte. */
#define GROUP_BLOCKS 256

#define NOISE_BITS 11
#define NOISES (1 << NOISE_BITS)

/* A block of the group that touches a point. */
struct toucher {
    unsigned short block;
    unsigned short elements; /* of the block that touch the point */
};

struct group_point {
    int first;               /* its touchers start at toucher[first] */
    unsigned short touchers; /* blocks that touch it */
    unsigned short changed;  /* the last sweep that moved one of its elements; 0: none */
};

/* The group: elements are numbered block after block, points as they come. Blocks outside
 * of the group do not matter: no element moves to them. */
struct group {
    const struct plan_mesh *mesh;
    int block_size;
    int max_points; /* of a block; 0: any number */

    int blocks;
    int elements;
    int points;
    const int *element; /* [elements] numbers in the mesh; borrowed */
    unsigned char *of;  /* [elements] block of each */
    int *row;           /* [elements*arity] each element's points, each once, then -1 */
    struct group_point *point;
    struct toucher *toucher;
    int size[GROUP_BLOCKS];    /* elements of each block */
    int uniques[GROUP_BLOCKS]; /* points of each block */

    int *name;   /* [names] hash table of the mesh's numbers of points; -1: free */
    int *number; /* [names] the group's numbers */
    int name_bits;
    int point_room;               /* length of point[] */
    unsigned found[GROUP_BLOCKS]; /* scratch of an evaluation, 0 between two of them */
    float *noise;                 /* [NOISES] quantiles of Gumbel's distribution, for annealing */
};

/* Memory for groups of at most `elements` elements. -1 with a message when there is not enough. */
int planner_group_reserve(struct group *group, const struct plan_mesh *mesh, int elements,
                          char *error);
void planner_group_release(struct group *group);

/* Loads the blocks whose elements are element[start[b]..start[b+1]-1] for b in 0..blocks-1. -1 when
 * the table of points cannot grow. */
int planner_group_load(struct group *group, int blocks, const int *start, const int *element,
                       char *error);

/* How a sweep works. */
struct sweep {
    int number;         /* 1, 2...: of this group; later ones look only at what has changed */
    int all;            /* 1: looks at all elements whatever has changed */
    double temperature; /* 0: only moves that do not lose */
    uint64_t seed;
};

/* Moves elements; returns by how much the sum over points of touching blocks has shrunk. */
long planner_group_sweep(struct group *group, const struct sweep *sweep);

#endif
