/* levels.c: blocks from a numbering of the points that keeps neighbours together.
 *
 * In: a mesh. Out: runs of elements sorted by their points. Reverse Cuthill-McKee: points in
 * breadth first order from a point at the rim, those of the fewest elements first (E. Cuthill, J.
 * McKee, 1969); the rim is found as A. George and J. Liu do (1979).
 *
 * A search runs on one thread: a level of the mesh has too few points for several. So all that it
 * would do again and again is done before, in parallel (neighbours.c): the points beside each point
 * are found and sorted by rank. The first search of each component gives all points numbers in
 * which neighbours are near in memory, whatever the program's; the others run on these numbers. */
#include <limits.h>
#include <stdlib.h>

#include "runtime/planner/blocks/levels.h"
#include "runtime/planner/blocks/neighbours.h"

/* Searches for a point farther out, at most. */
#define MOST_SEARCHES 4
/* Points by which fetches run ahead in the first search: of the offset of a point's neighbours, of
 * the neighbours, and of their marks. */
#define AHEAD_OFFSETS 24
#define AHEAD_NEIGHBOURS 12
#define AHEAD_MARKS 6

struct search {
    const struct plan_mesh *mesh;
    const struct neighbours *near;
    const int *user; /* the mesh's number of each point; NULL: the same */
    int run;         /* number of the present search */
    int *at;         /* [points] the last search that came to each */
    int levels;      /* of the last search */
    int rim;         /* point of the lowest rank in the last level */
};

/* A connected part of the mesh, as its first search found it. */
struct component {
    int begin; /* of its points in the order */
    int count;
    int levels;
    int rim;
};

/* Memory for all of it, and the results of the first searches. */
struct numbering {
    struct neighbours near;
    struct neighbours nearer;    /* in the numbers of `order` */
    int *at;                     /* [points] */
    int *order;                  /* [points] as the first searches found them */
    int *number;                 /* [points] its inverse */
    int *last;                   /* [points] as the last searches found them, in these numbers */
    struct component *component; /* [points] at most */
    int components;
};

/* ---- searches ------------------------------------------------------------------------------ */

static uint64_t rank_of(const struct search *search, int point)
{
    return planner_neighbours_rank(search->mesh,
                                   search->user != NULL ? search->user[point] : point);
}

static int first_of_rank(const struct search *search, const int *order, int begin, int end)
{
    int best = order[begin];
    for (int i = begin + 1; i < end; i++) {
        best = rank_of(search, order[i]) < rank_of(search, best) ? order[i] : best;
    }
    return best;
}

__attribute__((always_inline)) static inline void fetch_ahead(const struct search *search,
                                                              const int *order, int i, int count)
{
    const struct neighbours *near = search->near;
    if (i + AHEAD_OFFSETS < count) {
        __builtin_prefetch(&near->start[order[i + AHEAD_OFFSETS]]);
    }
    if (i + AHEAD_NEIGHBOURS < count) {
        __builtin_prefetch(&near->point[near->start[order[i + AHEAD_NEIGHBOURS]]]);
    }
    if (i + AHEAD_MARKS < count) {
        const int point = order[i + AHEAD_MARKS];
        for (int64_t k = near->start[point]; k < near->end[point]; k++) {
            __builtin_prefetch(&search->at[near->point[k]], 1);
        }
    }
}

/* Breadth first from `from` into order[0..]; returns how many points. scattered: a constant; 1: the
 * numbers of neighbours may be far apart. */
__attribute__((always_inline)) static inline int walk(struct search *search, int *order, int from,
                                                      int scattered)
{
    const struct neighbours *near = search->near;
    int *at = search->at;
    const int run = ++search->run;
    int count = 1;
    int level = 0;
    int end = 1;
    search->levels = 1;
    at[from] = run;
    order[0] = from;
    for (int i = 0; i < count; i++) {
        if (i == end) {
            level = end;
            end = count;
            search->levels++;
        }
        if (scattered) {
            fetch_ahead(search, order, i, count);
        }
        const int64_t last = near->end[order[i]];
        for (int64_t k = near->start[order[i]]; k < last; k++) {
            const int other = near->point[k];
            if (at[other] != run) {
                at[other] = run;
                order[count++] = other;
            }
        }
    }
    search->rim = first_of_rank(search, order, level, count);
    return count;
}

/* ---- all points ----------------------------------------------------------------------------- */

static void search_first(struct numbering *n, const struct plan_mesh *mesh)
{
    struct search search = {.mesh = mesh, .near = &n->near, .at = n->at};
    int done = 0;
    for (int p = 0; p < mesh->points; p++) {
        if (n->at[p] == 0) {
            struct component *component = &n->component[n->components++];
            component->begin = done;
            component->count = walk(&search, n->order + done, p, 1);
            component->levels = search.levels;
            component->rim = search.rim;
            done += component->count;
        }
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < mesh->points; i++) {
        n->number[n->order[i]] = i;
        n->at[i] = 0;
    }
}

/* Orders each component from a point at its rim, into last[]. */
static void search_last(struct numbering *n, const struct plan_mesh *mesh)
{
    struct search search = {.mesh = mesh, .near = &n->nearer, .user = n->order, .at = n->at};
    for (int c = 0; c < n->components; c++) {
        const struct component *component = &n->component[c];
        int *order = n->last + component->begin;
        int levels = 0;
        search.levels = component->levels;
        search.rim = n->number[component->rim];
        order[0] = search.rim;
        for (int k = 0; k < MOST_SEARCHES && search.levels > levels && component->count > 1; k++) {
            levels = search.levels;
            walk(&search, order, search.rim, 0);
        }
    }
}

static int search_all(struct numbering *n, int *place, const struct plan_mesh *mesh, char *error)
{
    const int points = mesh->points;
    search_first(n, mesh);
    if (planner_neighbours_renumber(&n->nearer, &n->near, points, n->order, n->number, error) !=
        0) {
        return -1;
    }
    search_last(n, mesh);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < points; i++) {
        place[n->order[n->last[i]]] = points - 1 - i;
    }
    return 0;
}

static int reserve(struct numbering *n, const struct plan_mesh *mesh, char *error)
{
    const char *what = "Cuthill and McKee's order";
    const size_t points = (size_t)mesh->points;
    n->at = planner_zeroed(points, sizeof *n->at, what, error);
    n->order = planner_memory(points, sizeof *n->order, what, error);
    n->number = planner_memory(points, sizeof *n->number, what, error);
    n->last = planner_memory(points, sizeof *n->last, what, error);
    n->component = planner_memory(points, sizeof *n->component, what, error);
    return n->at != NULL && n->order != NULL && n->number != NULL && n->last != NULL &&
                   n->component != NULL
               ? 0
               : -1;
}

static int number_points(int *place, const struct plan_mesh *mesh, char *error)
{
    struct numbering n = {0};
    int status = reserve(&n, mesh, error);
    if (status == 0) {
        status = planner_neighbours_make(&n.near, mesh, error);
    }
    if (status == 0) {
        status = search_all(&n, place, mesh, error);
    }
    planner_neighbours_free(&n.near);
    planner_neighbours_free(&n.nearer);
    free(n.at);
    free(n.order);
    free(n.number);
    free(n.last);
    free(n.component);
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
