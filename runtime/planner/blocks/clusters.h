/* clusters.h: a mesh's points in clusters of some dozens, and where those lie in space, found from
 * the graph alone. Shared by pseudo.c, clusters.c and embed.c. */
#ifndef CLEAVE_CLUSTERS_H
#define CLEAVE_CLUSTERS_H

#include "runtime/planner/blocks/blocks.h"

/* Points of more elements are hubs: each is a cluster of its own without neighbours, because it
 * says nothing about what is near. */
#define CLUSTER_HUB 512

struct clusters {
    int count;
    int *of;        /* [points] cluster of each point; -1: no element touches it */
    int64_t *start; /* [count+1] the neighbours of each cluster, each once */
    int *link;      /* [start[count]] ascending for each cluster */
    float *weight;  /* [start[count]] how many pairs of points join the two */
};

/* Needs planner_mesh_touch. -1 with a message when there is no memory; nothing to free then. */
int planner_clusters_make(struct clusters *clusters, const struct plan_mesh *mesh, char *error);
void planner_clusters_free(struct clusters *clusters);

/* Elements at a point. */
int64_t planner_clusters_degree(const struct plan_mesh *mesh, int point);

/* at[count*3]: a place for each cluster so that distances in space are about as numbers of steps in
 * the graph, axes by falling extent; connected components lie side by side on the first. Owned by
 * the caller. Pivot MDS (U. Brandes, C. Pich, "Eigensolver Methods for Progressive Multidimensional
 * Scaling of Large Data", 2007). On one thread: there are far fewer clusters than points. */
int planner_clusters_embed(float **at, const struct clusters *clusters, char *error);

#endif
