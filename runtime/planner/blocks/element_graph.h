/* element_graph.h: which elements share points, for METIS. */
#ifndef CLEAVE_ELEMENT_GRAPH_H
#define CLEAVE_ELEMENT_GRAPH_H

#include "runtime/planner/blocks/blocks.h"

/* Points of more elements would join all of them with all; they join them in a ring instead, each
 * with the next. No mesh of tetrahedra or hexahedra has such points. */
#define RING_ABOVE 64

struct element_graph {
    int elements;
    int64_t *start; /* [elements+1] */
    int *link;      /* [start[elements]] the elements that share a point with each, each once */
    int *weight;    /* [start[elements]] how many points they share; NULL unless asked for */
};

/* Needs planner_mesh_touch. -1 with a message when there is no memory; nothing to free then. */
int planner_element_graph_make(struct element_graph *graph, const struct plan_mesh *mesh,
                               int weighted, char *error);
void planner_element_graph_free(struct element_graph *graph);

#endif
