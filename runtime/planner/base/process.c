/* process.c: what the planner uses of the process it runs in: its threads, and the caller's ear. */
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>

#include "runtime/planner/base/base.h"

/* OpenMP keeps this number for each thread of the program: no other thread sees the change. */
int planner_threads_set(int threads)
{
    int before = omp_get_max_threads();
    if (threads > 0) {
        omp_set_num_threads(threads);
    }
    return before;
}

void planner_threads_restore(const int *before)
{
    omp_set_num_threads(*before);
}

void planner_note(const struct planner *planner, enum plan_note about, const char *format, ...)
{
    char text[PLANNER_NOTE];
    va_list arguments;
    if (planner->note == NULL) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    planner->note(about, text);
}
