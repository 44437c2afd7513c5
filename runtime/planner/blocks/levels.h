/* levels.h: what levels.c and scotch.c share. */
#ifndef CLEAVE_LEVELS_H
#define CLEAVE_LEVELS_H

#include "runtime/planner/blocks/blocks.h"

/* Blocks as runs of block_size elements when elements are sorted by their smallest and then their
 * second smallest point, where place[points] numbers the points. -1 with a message without memory.
 */
int planner_levels_make_blocks(struct blocks *blocks, const struct plan_mesh *mesh,
                               const int *place, char *error);

#endif
