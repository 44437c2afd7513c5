/* order_sets.c: orders of the sets that the planner does not order itself. What the maps join to
 * an ordered set follows it: elements come in the order of the points that they name, points in
 * the order in which the elements name them first. */
#include "runtime/mesh/order.h"

/* Checks the order itself, since the checks of plans use maps in this order and would not find its
 * errors. */
void cleave_order_check(op_set set, const int *to_user)
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

void cleave_draft_set(struct order_draft *draft, op_set set, int *to_user)
{
    if (cleave_settings.check_plan) {
        cleave_order_check(set, to_user);
    }
    if (cleave_permute_is_identity(to_user, set->size)) {
        free(to_user);
        return;
    }
    int *to_own = cleave_alloc((size_t)set->size * sizeof *to_own, "the order of a set");
    cleave_permute_invert(to_own, to_user, set->size);
    draft->to_user[set->index] = to_user;
    draft->to_own[set->index] = to_own;
    draft->order.sets++;
}

/* ---- elements after their points ------------------------------------------------------------ */

static void order_elements(struct order_draft *draft, op_map map)
{
    struct plan_map rows;
    char error[PLANNER_ERROR] = "";
    int *order = cleave_alloc((size_t)map->from->size * sizeof *order, "the order of a set");
    cleave_plan_map(&rows, map, map->map);
    if (planner_order_after_points(&draft->planner, order, map->from->size, &rows,
                                   draft->to_own[map->to->index], error) != 0) {
        cleave_fatal("set '%s' cannot be ordered: %s (CLEAVE_RENUMBER=off avoids this)",
                     map->from->name, error);
    }
    cleave_draft_set(draft, map->from, order);
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

static void order_points(struct order_draft *draft, op_map map)
{
    const int *to_user = draft->to_user[map->from->index];
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
    cleave_draft_set(draft, map->to, order);
}

void cleave_draft_follow(struct order_draft *draft, op_map map, op_set set)
{
    if (map->from == set) {
        order_elements(draft, map);
    } else {
        order_points(draft, map);
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Follows the first map that joins a settled set to one that is not; elements have precedence. */
static int order_one(struct order_draft *draft, char *settled)
{
    for (int m = 0; m < draft->maps; m++) {
        op_map map = draft->map[m];
        if (settled[map->to->index] && !settled[map->from->index]) {
            settled[map->from->index] = 1;
            order_elements(draft, map);
            return 1;
        }
    }
    for (int m = 0; m < draft->maps; m++) {
        op_map map = draft->map[m];
        if (settled[map->from->index] && !settled[map->to->index]) {
            settled[map->to->index] = 1;
            order_points(draft, map);
            return 1;
        }
    }
    return 0;
}

/* Settled are the primary set and those of its maps, which are ordered or were found in order, and
 * empty ones, which nothing can follow. */
void cleave_draft_others(struct order_draft *draft)
{
    char *settled = cleave_alloc_zero((size_t)draft->sets, "the order of the mesh");
    settled[draft->primary->index] = 1;
    for (int m = 0; m < draft->maps; m++) {
        if (draft->map[m]->from == draft->primary) {
            settled[draft->map[m]->to->index] = 1;
        }
    }
    while (order_one(draft, settled)) {
    }
    free(settled);
}

void cleave_draft_all_after(struct order_draft *draft, op_set set)
{
    char *settled = cleave_alloc_zero((size_t)draft->sets, "the order of the mesh");
    settled[set->index] = 1;
    while (order_one(draft, settled)) {
    }
    free(settled);
}
