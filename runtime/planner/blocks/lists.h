/* lists.h: the elements of each block. */
#ifndef CLEAVE_BLOCKS_LISTS_H
#define CLEAVE_BLOCKS_LISTS_H

#include "blocks.h"

/* The elements of block b become (*element)[(*start)[b]..(*start)[b+1]-1], ascending. Both arrays
 * are the caller's to free; -1 and NULL when there is no memory. */
int planner_blocks_lists(int **start, int **element, const struct blocks *blocks, int elements,
                         char error[PLANNER_ERROR]);

#endif
