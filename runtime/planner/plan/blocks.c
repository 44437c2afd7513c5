/* blocks.c: the blocks of a plan and the order of its positions.
 *
 * In: a numbering, or none: runs of block_size elements. Out: start, order.
 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/planner/plan/build.h"

int planner_check_blocks(const struct plan_numbering *numbering, int elements, int block_size,
                         char *error)
{
    const int *start = numbering->start;
    if (numbering->elements != elements || start[0] != 0 || start[numbering->blocks] != elements) {
        snprintf(error, PLANNER_ERROR,
                 "a plan for %d elements cannot be made from a numbering of %d", elements,
                 numbering->elements);
        return -1;
    }
    for (int b = 0; b < numbering->blocks; b++) {
        if (start[b + 1] - start[b] < 1 || start[b + 1] - start[b] > block_size) {
            snprintf(error, PLANNER_ERROR,
                     "block %d of the numbering has %d elements; a plan of blocks of %d takes 1 to "
                     "%d",
                     b, start[b + 1] - start[b], block_size, block_size);
            return -1;
        }
    }
    return 0;
}

static void fill_start(int *start, const struct cleave_plan *plan,
                       const struct plan_numbering *numbering, int reverse)
{
    for (int b = 0; b <= plan->blocks; b++) {
        int from = reverse ? plan->blocks - b : b;
        int64_t at = (int64_t)from * plan->block_size;
        int first = at < plan->size ? (int)at : plan->size;
        first = numbering != NULL ? numbering->start[from] : first;
        start[b] = reverse ? plan->size - first : first;
    }
}

/* Elements of the numbering that do not exist are found; the rest is planner_check's. */
static int fill_order(const struct plan_job *job, int *order, const int *given)
{
    int size = job->plan->size;
    int reverse = job->options->reverse;
    int wrong = -1;
#pragma omp parallel for schedule(static) reduction(max : wrong) if (plan_is_large(job->plan))
    for (int i = 0; i < size; i++) {
        int from = reverse ? size - 1 - i : i;
        order[i] = given != NULL ? given[from] : from;
        wrong = order[i] < 0 || order[i] >= size ? from : wrong;
    }
    if (wrong >= 0) {
        snprintf(job->error, PLANNER_ERROR,
                 "the numbering has element %d at position %d; there are %d", given[wrong], wrong,
                 size);
        return -1;
    }
    return 0;
}

int planner_make_blocks(const struct plan_job *job, const struct plan_numbering *numbering)
{
    struct cleave_plan *plan = job->plan;
    if (numbering != NULL &&
        planner_check_blocks(numbering, plan->size, plan->block_size, job->error) != 0) {
        return -1;
    }
    plan->blocks = numbering != NULL
                       ? numbering->blocks
                       : plan->size / plan->block_size + (plan->size % plan->block_size != 0);
    int *start = planner_memory((size_t)plan->blocks + 1, sizeof *start,
                                "the offsets of a plan's blocks", job->error);
    plan->start = start;
    int *order = planner_memory((size_t)plan->size, sizeof *order, "the order of a plan's elements",
                                job->error);
    plan->order = order;
    if (start == NULL || order == NULL) {
        return -1;
    }
    fill_start(start, plan, numbering, job->options->reverse);
    return fill_order(job, order, numbering != NULL ? numbering->order : NULL);
}
