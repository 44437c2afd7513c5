/* levels.c: blocks from a numbering of the points that keeps neighbours together.
 *
 * In: a mesh. Out: runs of elements sorted by their points. Reverse Cuthill-McKee: points in
 * breadth first order from a point at the rim, those of the fewest elements first (E. Cuthill, J.
 * McKee, 1969); the rim is found as A. George and J. Liu do (1979). By its nature on one thread.
 */
#include <limits.h>
#include <stdlib.h>

#include "runtime/planner/blocks/levels.h"

/* Searches for a point farther out, at most. */
#define MOST_SEARCHES 4

struct search {
    const struct plan_mesh *mesh;
    int run;         /* number of the present search */
    int *at_point;   /* [points] the last search that came to each */
    int *at_element; /* [elements] */
    int *order;      /* [points] points found; a component's from its beginning on */
    uint64_t *met;   /* [points] neighbours of one point, to be sorted: elements << 32 | point */
    int levels;      /* of the last search */
    int rim;         /* point of the fewest elements in the last level */
};

/* ---- searches ------------------------------------------------------------------------------ */

static uint64_t rank_of(const struct plan_mesh *mesh, int point)
{
    uint64_t elements = (uint64_t)(mesh->touch_start[point + 1] - mesh->touch_start[point]);
    return elements << 32 | (uint32_t)point;
}

static int compare_ranks(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a;
    uint64_t second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

static void sort_met(uint64_t *met, int count)
{
    if (count > 64) {
        qsort(met, (size_t)count, sizeof *met, compare_ranks);
        return;
    }
    for (int i = 1; i < count; i++) {
        uint64_t rank = met[i];
        int k = i;
        for (; k > 0 && met[k - 1] > rank; k--) {
            met[k] = met[k - 1];
        }
        met[k] = rank;
    }
}

/* Points beside `point` that the search has not come to, in rising order of rank. Each element is
 * looked at once, from the first of its points. */
static int meet(struct search *search, int point)
{
    const struct plan_mesh *mesh = search->mesh;
    int count = 0;
    for (int64_t i = mesh->touch_start[point]; i < mesh->touch_start[point + 1]; i++) {
        int e = mesh->touch[i];
        if (search->at_element[e] == search->run) {
            continue;
        }
        search->at_element[e] = search->run;
        for (int c = 0; c < mesh->arity; c++) {
            int other = mesh->point[(int64_t)e * mesh->arity + c];
            if (search->at_point[other] != search->run) {
                search->at_point[other] = search->run;
                search->met[count++] = rank_of(mesh, other);
            }
        }
    }
    sort_met(search->met, count);
    return count;
}

static int first_of_rank(const struct search *search, const int *order, int begin, int end)
{
    int best = order[begin];
    for (int i = begin + 1; i < end; i++) {
        best = rank_of(search->mesh, order[i]) < rank_of(search->mesh, best) ? order[i] : best;
    }
    return best;
}

/* Breadth first from `from` into order[0..]; returns how many points. */
static int walk(struct search *search, int *order, int from)
{
    int count = 1;
    int level = 0;
    int end = 1;
    search->run++;
    search->levels = 1;
    search->at_point[from] = search->run;
    order[0] = from;
    for (int i = 0; i < count; i++) {
        if (i == end) {
            level = end;
            end = count;
            search->levels++;
        }
        int met = meet(search, order[i]);
        for (int k = 0; k < met; k++) {
            order[count++] = (int)(search->met[k] & UINT32_MAX);
        }
    }
    search->rim = first_of_rank(search, order, level, count);
    return count;
}

/* Orders the component of `from` into order[0..], from a point at its rim. Returns its size. */
static int order_component(struct search *search, int *order, int from)
{
    int count = walk(search, order, from);
    int levels = 0;
    for (int k = 0; k < MOST_SEARCHES && search->levels > levels && count > 1; k++) {
        levels = search->levels;
        walk(search, order, search->rim);
    }
    return count;
}

static void order_points(struct search *search, int *place)
{
    int points = search->mesh->points;
    int done = 0;
    for (int p = 0; p < points; p++) {
        if (search->at_point[p] == 0) {
            done += order_component(search, search->order + done, p);
        }
    }
    for (int i = 0; i < points; i++) {
        place[search->order[i]] = points - 1 - i;
    }
}

static int number_points(int *place, const struct plan_mesh *mesh, char *error)
{
    struct search search = {.mesh = mesh};
    const char *what = "Cuthill and McKee's order";
    size_t points = (size_t)mesh->points;
    search.at_point = planner_zeroed(points, sizeof *search.at_point, what, error);
    search.at_element =
        planner_zeroed((size_t)mesh->elements, sizeof *search.at_element, what, error);
    search.order = planner_memory(points, sizeof *search.order, what, error);
    search.met = planner_memory(points, sizeof *search.met, what, error);
    int status = search.at_point != NULL && search.at_element != NULL && search.order != NULL &&
                         search.met != NULL
                     ? 0
                     : -1;
    if (status == 0) {
        order_points(&search, place);
    }
    free(search.at_point);
    free(search.at_element);
    free(search.order);
    free(search.met);
    return status;
}

/* ---- elements ------------------------------------------------------------------------------ */

static uint64_t key_of(const struct plan_mesh *mesh, const int *place, int e, int bits)
{
    int first = INT_MAX;
    int second = INT_MAX;
    for (int c = 0; c < mesh->arity; c++) {
        int at = place[mesh->point[(int64_t)e * mesh->arity + c]];
        if (at < first) {
            second = first;
            first = at;
        } else if (at > first && at < second) {
            second = at;
        }
    }
    second = second == INT_MAX ? first : second;
    return (uint64_t)first << bits | (uint64_t)second;
}

int planner_levels_make_blocks(struct blocks *blocks, const struct plan_mesh *mesh,
                               const int *place, char *error)
{
    const char *what = "the order of elements";
    uint64_t *key = planner_memory((size_t)mesh->elements, sizeof *key, what, error);
    int *order = planner_memory((size_t)mesh->elements, sizeof *order, what, error);
    int bits = 1;
    int status = key != NULL && order != NULL ? 0 : -1;
    while (bits < 31 && mesh->points >> bits != 0) {
        bits++;
    }
    if (status == 0) {
#pragma omp parallel for schedule(static)
        for (int e = 0; e < mesh->elements; e++) {
            key[e] = key_of(mesh, place, e, bits);
        }
        status = planner_sort(order, key, mesh->elements, 2 * bits, error);
    }
    if (status == 0) {
        int size = blocks->block_size;
        blocks->count = mesh->elements / size + (mesh->elements % size != 0);
#pragma omp parallel for schedule(static)
        for (int i = 0; i < mesh->elements; i++) {
            blocks->of[order[i]] = i / size;
        }
    }
    free(key);
    free(order);
    return status;
}

int planner_blocks_rcm(struct blocks *blocks, const struct plan_mesh *mesh,
                       char error[PLANNER_ERROR])
{
    int *place =
        planner_memory((size_t)mesh->points, sizeof *place, "Cuthill and McKee's order", error);
    int status = -1;
    if (place != NULL && number_points(place, mesh, error) == 0) {
        status = planner_levels_make_blocks(blocks, mesh, place, error);
    }
    free(place);
    return status;
}
