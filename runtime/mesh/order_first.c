/* order_first.c: an order of a scattered mesh that is there within some milliseconds, for the loops
 * that run while the worker makes the one that stays: points along a curve through their
 * coordinates, and all other sets after them. Plans wait for the order that stays. */
#include "runtime/mesh/order.h"

/* The set whose coordinates the draft has, among those that its maps lead to; NULL: none. */
static op_set located_set(const struct order_draft *draft)
{
    for (int m = 0; m < draft->froms && draft->at.at != NULL; m++) {
        if (draft->of[m]->to->index == draft->at.target) {
            return draft->of[m]->to;
        }
    }
    return NULL;
}

void cleave_draft_make_first(struct order_draft *draft)
{
    char error[PLANNER_ERROR] = "";
    const op_set located = located_set(draft);
    struct order_draft *first = draft->first;
    if (first == NULL || located == NULL) {
        return;
    }
    const double begin = cleave_seconds();
    int *order = cleave_alloc((size_t)located->size * sizeof *order, "the order of a set");
    first->planner = draft->planner;
    if (planner_order_along_curve(&first->planner, order, located->size, &draft->at,
                                  &draft->order.phases, error) != 0) {
        cleave_fatal("set '%s' cannot be ordered: %s (CLEAVE_RENUMBER=off avoids this)",
                     located->name, error);
    }
    cleave_draft_set(first, located, order);
    cleave_draft_all_after(first, located);
    cleave_draft_add_phase(draft, "first order", begin);
    atomic_store_explicit(&draft->has_first, 1, memory_order_release);
}
