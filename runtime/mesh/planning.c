/* planning.c: what the runtime hands to the planner: threads, libraries and the cache's folder from
 * the settings, and a function that tells the user its notes. */
#include "runtime/base/machine.h"
#include "runtime/mesh/mesh.h"

#include <omp.h>

/* Prints each note once, but every file that is refused. */
static void take_note(enum plan_note about, const char *text)
{
    static int told[PLAN_NOTES];
    if (about == PLAN_NOTE_REFUSED || !__atomic_exchange_n(&told[about], 1, __ATOMIC_RELAXED)) {
        cleave_note("%s", text);
    }
}

/* Returns the folder of the plan cache, in static memory; NULL: there is no cache. */
static const char *cache_folder(void)
{
    static char *folder;
    if (cleave_settings.cache_off || cleave_settings.cache_folder == NULL) {
        return NULL;
    }
    size_t bytes = strlen(cleave_settings.cache_folder) + strlen(cleave_settings.cache_below) + 1;
    free(folder);
    folder = cleave_alloc(bytes, "the name of a folder");
    snprintf(folder, bytes, "%s%s", cleave_settings.cache_folder, cleave_settings.cache_below);
    return folder;
}

const struct planner *cleave_planner(void)
{
    static struct planner planner;
    planner = (struct planner){.threads = omp_get_max_threads(),
                               .metis = cleave_settings.metis,
                               .scotch = cleave_settings.scotch,
                               .folder = cache_folder(),
                               .folder_bytes = cleave_settings.cache_bytes,
                               .note = take_note};
    return &planner;
}

void cleave_planner_need_folder(void)
{
    static int told;
    if (!cleave_settings.cache_off && cleave_settings.cache_folder == NULL && !told) {
        told = 1;
        cleave_note(
            "no folder to keep plans in (HOME is not set): they are made again in every run; "
            "set CLEAVE_PLAN_CACHE to a folder, or to off");
    }
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
