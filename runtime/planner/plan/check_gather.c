/* check_gather.c: gather lists hold every modification of a block once, in order and at its point;
 * runs are consecutive, as long as can be, and cover the lists.
 */
#include "runtime/planner/plan/check.h"

/* An item is right when its column is a modified one of an element of the block that leads to the
 * point there, and it stands behind the one before; with the right number of items in all, none can
 * be missing. */
static int item_is_right(const struct check *check, int m, int block, int place,
                         const unsigned short *item, int at, int begin)
{
    const struct cleave_plan *plan = check->plan;
    int position = CLEAVE_GATHER_POSITION(item[at]);
    int column = CLEAVE_GATHER_COLUMN(item[at]);
    if (position >= plan->start[block + 1] - plan->start[block] ||
        column >= check->map[m].columns || !plan_check_modifies(&check->map[m], column)) {
        return 0;
    }
    size_t i = (size_t)plan->start[block] + (size_t)position;
    if (plan->list[m].local[(size_t)column * plan->size + i] != place) {
        return 0;
    }
    if (at == begin) {
        return 1;
    }
    int before = CLEAVE_GATHER_POSITION(item[at - 1]);
    return before < position || (before == position && CLEAVE_GATHER_COLUMN(item[at - 1]) < column);
}

static int check_items_of_block(const struct check *check, int m, int block,
                                const unsigned short *start, const unsigned short *item)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    for (int p = 0; p < list->start[block + 1] - list->start[block]; p++) {
        for (int i = start[p]; i < start[p + 1]; i++) {
            if (!item_is_right(check, m, block, p, item, i, start[p])) {
                return planner_check_broken(
                    check,
                    "map %d, block %d: item %d of point %d, position %d and "
                    "column %d, is wrong",
                    m, block, i - start[p], list->point[list->start[block] + p],
                    CLEAVE_GATHER_POSITION(item[i]), CLEAVE_GATHER_COLUMN(item[i]));
            }
        }
    }
    return 0;
}

static int check_gather_of_block(const struct check *check, int m, int block)
{
    const struct cleave_plan *plan = check->plan;
    const struct cleave_plan_list *list = &plan->list[m];
    const unsigned short *start = list->gather_start + (size_t)list->start[block] + block;
    const unsigned short *item = list->gather + (size_t)list->modified * plan->start[block];
    int points = list->start[block + 1] - list->start[block];
    int items = list->modified * (plan->start[block + 1] - plan->start[block]);
    if (start[0] != 0 || start[points] != items) {
        return planner_check_broken(
            check, "map %d, block %d: the gather lists go from %d to %d, not from 0 to %d", m,
            block, start[0], start[points], items);
    }
    for (int p = 0; p < points; p++) {
        if (start[p + 1] < start[p]) {
            return planner_check_broken(
                check,
                "map %d, block %d: the offsets of gather lists descend at %d: %d, "
                "then %d",
                m, block, p, start[p], start[p + 1]);
        }
    }
    return check_items_of_block(check, m, block, start, item);
}

int planner_check_gather(const struct check *check, int m)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    if (list->gather == NULL) {
        return 0;
    }
    for (int b = 0; b < check->plan->blocks; b++) {
        if (check_gather_of_block(check, m, b) != 0) {
            return -1;
        }
    }
    return 0;
}

/* ---- runs ---------------------------------------------------------------------------------- */

static int check_run(const struct check *check, int m, int run, int begin, int end)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    for (int k = begin; k < end; k++) {
        if (list->point[k] != list->run_point[run] + (k - begin)) {
            return planner_check_broken(check,
                                        "map %d: run %d from point %d on has point %d at place %d",
                                        m, run, list->run_point[run], list->point[k], k - begin);
        }
    }
    return 0;
}

static int check_runs_of_block(const struct check *check, int m, int block)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    int first = list->start[block];
    int end = list->start[block + 1];
    int covered = first;
    for (int r = list->run_start[block]; r < list->run_start[block + 1]; r++) {
        int is_last = r + 1 == list->run_start[block + 1];
        int begin = first + list->run_place[r];
        int next = is_last ? end : first + list->run_place[r + 1];
        if (begin != covered || next <= begin || next > end) {
            return planner_check_broken(
                check,
                "map %d: run %d of block %d is at places %d to %d; it must begin "
                "at %d and end before %d",
                m, r, block, begin - first, next - first - 1, covered - first, end - first);
        }
        if (check_run(check, m, r, begin, next) != 0) {
            return -1;
        }
        if (begin > first && list->point[begin] == list->point[begin - 1] + 1) {
            return planner_check_broken(
                check, "map %d: run %d of block %d continues the one before", m, r, block);
        }
        covered = next;
    }
    if (covered != end) {
        return planner_check_broken(check, "map %d: the runs of block %d hold %d of its %d points",
                                    m, block, covered - first, end - first);
    }
    return 0;
}

int planner_check_runs(const struct check *check, int m)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    int blocks = check->plan->blocks;
    if (list->run_start == NULL) {
        return 0;
    }
    if (planner_check_offsets(check, list->run_start, blocks, list->run_start[blocks], "runs") !=
        0) {
        return -1;
    }
    for (int b = 0; b < blocks; b++) {
        if (check_runs_of_block(check, m, b) != 0) {
            return -1;
        }
    }
    return 0;
}
