/* planning.c: the threads of what the runtime does on the host, and what it hands to the planner:
 * threads, libraries and the store from the settings, and a function that tells the user its notes.
 */
#include "runtime/base/machine.h"
#include "runtime/mesh/order.h"
#include "runtime/store/store.h"

#include <omp.h>

/* Prints each note once. */
static void take_note(enum plan_note about, const char *text)
{
    static int told[PLAN_NOTES];
    if (!__atomic_exchange_n(&told[about], 1, __ATOMIC_RELAXED)) {
        cleave_note("%s", text);
    }
}

const struct planner *cleave_planner(void)
{
    static struct planner planner;
    planner = (struct planner){.threads = omp_get_max_threads(),
                               .metis = cleave_settings.metis,
                               .scotch = cleave_settings.scotch,
                               .store = cleave_store(),
                               .note = take_note};
    return &planner;
}

int cleave_planning_threads(void)
{
    return omp_get_max_threads();
}

/* With a device they are fewer than there are processors: a region ends when its last thread does,
 * which waits for a time slice of 8 ms if another thread has its processor, as the driver's and the
 * worker's have. */
int cleave_copy_threads(void)
{
    const int all = omp_get_max_threads();
    const int beside = cleave_device != NULL || cleave_is_unsettled();
    return beside && !cleave_is_worker() ? MIN((all + 1) / 2, cleave_machine.copy_threads) : all;
}

int cleave_planning_begin(int elements)
{
    const int all = omp_get_max_threads();
    if (elements <= cleave_machine.measured_elements) {
        omp_set_num_threads(1);
    }
    return all;
}

void cleave_planning_end(int all)
{
    omp_set_num_threads(all);
}
