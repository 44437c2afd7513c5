/* order_sets.c: orders of the sets that the planner does not order itself. What the maps join to
 * an ordered set follows it: elements come in the order of the points that they name, points in
 * the order in which the elements name them first. */
#include "runtime/mesh/mesh.h"

/* CLEAVE_CHECK_PLAN: checks the order itself, since the checks of plans use maps in this order and
 * would not find its errors. */
static void check_order(op_set set, const int *to_user)
{
    char *seen = cleave_alloc_zero((size_t)set->size, "checking the order of a set");
    for (int i = 0; i < set->size; i++) {
        int element = to_user[i];
        if (element < 0 || element >= set->size || seen[element]) {
            cleave_fatal("set '%s': the order is wrong: element %d, at place %d, %s", set->name,
                         element, i,
                         element < 0 || element >= set->size ? "does not exist" : "comes twice");
        }
        seen[element] = 1;
    }
    free(seen);
}

void cleave_set_order(op_set set, int *to_user)
{
    struct cleave_set *own = cleave_set_of(set);
    if (cleave_settings.check_plan) {
        check_order(set, to_user);
    }
    if (cleave_permute_is_identity(to_user, set->size)) {
        free(to_user);
        return;
    }
    CLEAVE_HOLD_DATS;
    own->to_user = to_user;
    own->to_own = cleave_alloc((size_t)set->size * sizeof(int), "the order of a set");
    cleave_permute_invert(own->to_own, to_user, set->size);
    cleave_order.sets++;
}

/* ---- elements after their points ------------------------------------------------------------ */

/* Numbers of two points of each element, [elements]. */
struct ranked {
    int *least; /* the smallest */
    int *next;  /* the second smallest; the smallest again where there is one column */
};

/* Elements from which on the pass takes longer than starting threads. */
enum { MANY_ELEMENTS = 16384 };

/* One pass over the maps, on all threads: in a shuffled mesh each point is a cache miss. */
static struct ranked rank_points(const struct op_map_core *map, const int *to_own)
{
    const int size = map->from->size;
    const int dim = map->dim;
    struct ranked ranked;
    ranked.least = cleave_alloc((size_t)size * sizeof(int), "the order of a set");
    ranked.next = cleave_alloc((size_t)size * sizeof(int), "the order of a set");
#pragma omp parallel for schedule(static) if (size >= MANY_ELEMENTS)
    for (int i = 0; i < size; i++) {
        const int *row = map->map + (size_t)i * (size_t)dim;
        int least = INT32_MAX;
        int next = INT32_MAX;
        for (int c = 0; c < dim; c++) {
            int point = to_own != NULL ? to_own[row[c]] : row[c];
            if (point < least) {
                next = least;
                least = point;
            } else if (point < next) {
                next = point;
            }
        }
        ranked.least[i] = least;
        ranked.next[i] = next == INT32_MAX ? least : next;
    }
    return ranked;
}

/* Elements by which prefetches run ahead of a sort whose input is in another order. */
enum { AHEAD_SORTED = 32 };

/* Sorts `from` into `to` by the elements' points, keeping the order of equals: a counting sort. */
static void sort_by_point(const struct op_map_core *map, const int *point, int *to, const int *from)
{
    int size = map->from->size;
    int points = map->to->size;
    int *start = cleave_alloc_zero(((size_t)points + 1) * sizeof *start, "the order of a set");
    for (int i = 0; i < size; i++) {
        start[point[i] + 1]++;
    }
    for (int p = 0; p < points; p++) {
        start[p + 1] += start[p];
    }
    for (int i = 0; i < size; i++) {
        int element = from != NULL ? from[i] : i;
        if (from != NULL && i + AHEAD_SORTED < size) {
            __builtin_prefetch(&point[from[i + AHEAD_SORTED]]);
        }
        to[start[point[element]]++] = element;
    }
    free(start);
}

static void order_elements(const struct op_map_core *map)
{
    size_t bytes = (size_t)map->from->size * sizeof(int);
    struct ranked ranked = rank_points(map, cleave_set_of(map->to)->to_own);
    int *order = cleave_alloc(bytes, "the order of a set");
    int *by_second = NULL;
    if (map->dim > 1) {
        by_second = cleave_alloc(bytes, "the order of a set");
        sort_by_point(map, ranked.next, by_second, NULL);
    }
    sort_by_point(map, ranked.least, order, by_second);
    free(by_second);
    free(ranked.least);
    free(ranked.next);
    cleave_set_order(map->from, order);
}

/* ---- points after their elements ------------------------------------------------------------ */

/* Prefetches rows, and what they lead to, so many elements ahead: orders may be random. */
enum { AHEAD_ROWS = 32, AHEAD_POINTS = 16 };

__attribute__((always_inline)) static inline const int *row_of(const struct op_map_core *map,
                                                               const int *to_user, int i)
{
    return map->map + (size_t)(to_user != NULL ? to_user[i] : i) * (size_t)map->dim;
}

__attribute__((always_inline)) static inline void
prefetch_points(const struct op_map_core *map, const int *to_user, const char *seen, int i)
{
    if (i + AHEAD_ROWS < map->from->size) {
        __builtin_prefetch(row_of(map, to_user, i + AHEAD_ROWS));
    }
    if (i + AHEAD_POINTS < map->from->size) {
        const int *row = row_of(map, to_user, i + AHEAD_POINTS);
        for (int c = 0; c < map->dim; c++) {
            __builtin_prefetch(&seen[row[c]]);
        }
    }
}

static void order_points(const struct op_map_core *map)
{
    const int *to_user = cleave_set_of(map->from)->to_user;
    int points = map->to->size;
    int *order = cleave_alloc((size_t)points * sizeof *order, "the order of a set");
    char *seen = cleave_alloc_zero((size_t)points, "the order of a set");
    int count = 0;
    for (int i = 0; i < map->from->size; i++) {
        const int *row = row_of(map, to_user, i);
        prefetch_points(map, to_user, seen, i);
        for (int c = 0; c < map->dim; c++) {
            if (!seen[row[c]]) {
                seen[row[c]] = 1;
                order[count++] = row[c];
            }
        }
    }
    for (int p = 0; p < points; p++) {
        if (!seen[p]) {
            order[count++] = p;
        }
    }
    free(seen);
    cleave_set_order(map->to, order);
}

void cleave_order_follow(const struct op_map_core *map, op_set set)
{
    if (map->from == set) {
        order_elements(map);
    } else {
        order_points(map);
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Follows the first map that joins a settled set to one that is not; elements have precedence. */
static int order_one(char *settled)
{
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (settled[m->core.to->index] && !settled[m->core.from->index]) {
            settled[m->core.from->index] = 1;
            order_elements(&m->core);
            return 1;
        }
    }
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (settled[m->core.from->index] && !settled[m->core.to->index]) {
            settled[m->core.to->index] = 1;
            order_points(&m->core);
            return 1;
        }
    }
    return 0;
}

/* Orders the other sets. Settled are the primary set and those of its maps, which are ordered or
 * were found in order, and empty ones, which nothing can follow. */
void cleave_order_others(void)
{
    int sets = 0;
    for (struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        sets = MAX(sets, s->core.index + 1);
    }
    char *settled = cleave_alloc_zero((size_t)sets, "the order of the mesh");
    settled[cleave_order.primary->index] = 1;
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (m->core.from == cleave_order.primary) {
            settled[m->core.to->index] = 1;
        }
    }
    while (order_one(settled)) {
    }
    free(settled);
}
