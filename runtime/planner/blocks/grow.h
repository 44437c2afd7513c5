/* grow.h: what grow.c and grow_chunk.c share. */
#ifndef CLEAVE_GROW_H
#define CLEAVE_GROW_H

#include "runtime/planner/blocks/blocks.h"

/* Values of item.missing that are no numbers of points. Elements outside have no point in the
 * block; they wait in the queue too, behind all others, as seeds. */
#define TAKEN (-1)
#define ARRIVING (-2)
#define OUTSIDE(growth) ((growth)->mesh->arity + 1)

/* An element of the chunk, in the list of its bucket unless it is TAKEN. */
struct item {
    int next;
    int previous;
    int bucket;
    int missing; /* its points that the block does not have, hubs left out; or as above */
    int score;   /* the sum of its points' values; the smaller the better */
    int changed; /* 1: in the list of changed elements */
};

struct growth {
    const struct plan_mesh *mesh;
    int block_size;
    int max_points;
    int hub; /* points of more elements are hubs */

    int first; /* the chunk: elements first..first+count-1 of the mesh */
    int count;
    int points;
    int *point; /* [count*arity] the chunk's own numbers of points; -1: a repeat in its element */
    int64_t *start; /* [points+1] the elements of each point: touch[start[p]..start[p+1]-1] */
    int *touch;
    int *name;  /* [names] hash table of the mesh's point numbers, -1: free */
    int *named; /* [names] the chunk's numbers */
    int64_t names;

    struct item *item; /* [count+buckets] elements, then the head of each bucket's list */
    int buckets;
    uint64_t *filled; /* [buckets/64] buckets that are not empty */
    int shift;        /* scores are divided by 2^shift to fit the queue's levels */
    int weight_left;  /* of the free elements at points of the block, in the score */

    int block;   /* the block being grown */
    int *left;   /* [points] elements at each point that are not TAKEN */
    int *outer;  /* [points] elements outside at each point */
    int *value;  /* [points] what it adds to the score of its elements */
    int *owner;  /* [points] the last block that took it */
    int *taken;  /* [block_size*arity] the block's points */
    int unique;  /* how many */
    int *beside; /* [count] all elements that came beside the block */
    int besides;
    int *changed; /* [count] elements whose bucket is to be looked at */
    int changes;
};

/* Scratch for chunks of up to `count` elements of growth->mesh. -1 with a message without memory;
 * free it in both cases. */
int planner_growth_make(struct growth *growth, int count, char *error);
void planner_growth_free(struct growth *growth);

/* Puts the elements first..first+count-1 of the mesh in growth: own numbers, all of them seeds. */
void planner_grow_enter_chunk(struct growth *growth, int first, int count);

int planner_grow_is_busy(const struct growth *growth, int p);
int planner_grow_is_hub(const struct growth *growth, int p);
int planner_grow_worth(const struct growth *growth, int p);

/* The queue: buckets by missing, then by score; first in, first out in each. */
void planner_queue_add(struct growth *growth, int e);
void planner_queue_remove(struct growth *growth, int e);
/* Moves e when its missing or score has changed so far that it belongs in another bucket. */
void planner_queue_move(struct growth *growth, int e);
/* The best element; there must be one. */
int planner_queue_first(const struct growth *growth);
/* e becomes a seed: those with the fewest free elements around them come first, which are the
 * corners of what is left. */
void planner_queue_put_outside(struct growth *growth, int e);

#endif
