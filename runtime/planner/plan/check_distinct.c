/* check_distinct.c: does distinct[] of a plan say which consecutive elements modify different
 * points? It is compared pair by pair, from the last element on: the run of an element is that of
 * the next one and itself. */
#include "runtime/planner/plan/check.h"

static int sets_meet(const struct check *check, int m, int n)
{
    return check->map[m].target == check->map[n].target;
}

/* Column k of map m, for element e, modifies what another column does for element f. */
static int is_shared(const struct check *check, int e, int m, int k, int f)
{
    const struct plan_map *map = &check->map[m];
    const int point = map->row[(size_t)e * (size_t)map->dim + (size_t)map->column[k]];
    for (int n = 0; n < check->maps; n++) {
        const struct plan_map *other = &check->map[n];
        for (int l = 0; l < other->columns && sets_meet(check, m, n); l++) {
            const int own = e == f && m == n && k == l;
            if (!own && plan_check_modifies(other, l) &&
                other->row[(size_t)f * (size_t)other->dim + (size_t)other->column[l]] == point) {
                return 1;
            }
        }
    }
    return 0;
}

/* Both elements modify one point; e == f: the element modifies one twice. */
static int share(const struct check *check, int e, int f)
{
    for (int m = 0; m < check->maps; m++) {
        for (int k = 0; k < check->map[m].columns; k++) {
            if (plan_check_modifies(&check->map[m], k) && is_shared(check, e, m, k, f)) {
                return 1;
            }
        }
    }
    return 0;
}

/* Elements from e on with different points, given that those behind e have `next`. */
static int run_of(const struct check *check, int e, int next)
{
    const int most = next + 1 < CLEAVE_MAX_DISTINCT ? next + 1 : CLEAVE_MAX_DISTINCT;
    int run = 0;
    while (run < most && !share(check, e, e + run)) {
        run++;
    }
    return run;
}

int planner_check_distinct(const struct check *check)
{
    const struct cleave_plan *plan = check->plan;
    int run = 0;
    for (int e = plan->distinct != NULL ? plan->size - 1 : -1; e >= 0; e--) {
        run = run_of(check, e, run);
        if (plan->distinct[e] != run) {
            return planner_check_broken(check,
                                        "%d elements from %d on modify different points, but the "
                                        "plan says %d",
                                        run, e, plan->distinct[e]);
        }
    }
    return 0;
}
