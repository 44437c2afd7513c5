/* cost.h: predicted cost of a schedule on a GPU, to rank candidates before any is measured.
 *
 * The model counts, per element: bytes from and to device memory, bytes staged in and out of shared
 * memory, flops including recomputed ones, barriers, and the occupancy that shared memory and
 * registers per block leave. Its constants are those of a machine (pass/ir/machine.h) and of a
 * nominal mesh, which cost.c names and explains. It ranks, it does not promise: times
 * are not predictions for a mesh, and measurement has the last word.
 */
#ifndef CLEAVE_SPLITTER_COST_H
#define CLEAVE_SPLITTER_COST_H

#include "splitter/partition/partition.h"

/* Fills estimate for a legal schedule of the loop; partition: of SPLIT, else NULL. graph may be
 * NULL (kernel called whole): flops and registers are then not known and count as 0. */
void cost_estimate(const struct loop *loop, const struct graph *graph,
                   const struct partition *partition, struct schedule *schedule);

/* Bytes per element to and from device memory that every schedule moves: direct data, maps, and
 * each point's data once. Only the loop's arguments are looked at. */
double cost_memory(const struct loop *loop);

/* A gather visits every point of the set that its map leads to, and how many points there are for
 * an element only the mesh knows. The estimate is for a set that the loop reaches all of, which is
 * likely where elements have several points in it; a loop that uses one column may be one over a
 * small boundary, for which visiting all points would be far slower. The schedule's first gather of
 * that kind: the argument whose map it is; -1: there is none. */
int cost_sparse_map(const struct loop *loop, const struct schedule *schedule);

/* Predicted ns per element of SPLIT with this partition, without building the schedule;
 * partition_find() minimises it. */
double cost_partition(const struct graph *graph, const struct partition *partition);

#endif
