/* distinct.c: which consecutive elements modify different points, for loops in lanes that read and
 * write data in place: what one element of a vector writes, no other may read.
 *
 * In: the modified columns of the maps. Out: plan->distinct.
 *
 * A window of elements begin..e with different points moves over the set. Element e ends the run of
 * every element up to the last one that names a point of e too, or e itself if that names a point
 * twice.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/plan/build.h"

/* The last element up to e that names a point of e, -1: none. e itself counts if it names one
 * twice. Then notes e as the last element at its points. */
static int last_at_points(int *last, const struct plan_ways *ways, int e)
{
    int latest = -1;
    for (int w = 0; w < ways->count; w++) {
        int *at = &last[plan_way_point(&ways->way[w], e)];
        latest = *at > latest ? *at : latest;
        *at = e;
    }
    return latest;
}

static void fill(unsigned char *distinct, int *last, const struct plan_ways *ways, int size)
{
    int begin = 0;
    memset(last, -1, (size_t)ways->points * sizeof *last);
    for (int e = 0; e < size; e++) {
        const int latest = last_at_points(last, ways, e);
        for (; begin <= latest; begin++) {
            distinct[begin] = (unsigned char)(e - begin);
        }
        if (e - begin + 1 == CLEAVE_MAX_DISTINCT) {
            distinct[begin++] = CLEAVE_MAX_DISTINCT;
        }
    }
    for (; begin < size; begin++) {
        distinct[begin] = (unsigned char)(size - begin);
    }
}

int planner_find_distinct(struct cleave_plan *plan, const struct plan_ways *ways, char *error)
{
    static const char what[] = "the elements of a plan that modify different points";
    unsigned char *distinct = planner_memory((size_t)plan->size, sizeof *distinct, what, error);
    int *last = planner_memory((size_t)ways->points, sizeof *last, what, error);
    plan->distinct = distinct;
    if (distinct != NULL && last != NULL) {
        fill(distinct, last, ways, plan->size);
    }
    const int status = distinct != NULL && last != NULL ? 0 : -1;
    free(last);
    return status;
}

double planner_measure_distinct(const struct cleave_plan *plan)
{
    enum { VECTOR = 8 }; /* doubles of the widest registers */
    const int vectors = plan->size - VECTOR + 1;
    int64_t distinct = 0;
    for (int e = 0; plan->distinct != NULL && e < vectors; e++) {
        distinct += plan->distinct[e] >= VECTOR;
    }
    return distinct > 0 ? (double)distinct / vectors : 0.0;
}
