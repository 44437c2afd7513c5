/* failing_memory.h: one of the planner's allocations fails, those before and after it succeed. For
 * one file of a test that is linked with --wrap=planner_memory and --wrap=planner_zeroed. */
#ifndef CLEAVE_TEST_FAILING_MEMORY_H
#define CLEAVE_TEST_FAILING_MEMORY_H

#include <stdio.h>

#include "runtime/planner/base/base.h"

static int allowed; /* allocations until the one that fails; negative: all succeed */

void *__real_planner_memory(size_t count, size_t bytes, const char *what, char *error);
void *__real_planner_zeroed(size_t count, size_t bytes, const char *what, char *error);
void *__wrap_planner_memory(size_t count, size_t bytes, const char *what, char *error);
void *__wrap_planner_zeroed(size_t count, size_t bytes, const char *what, char *error);

static int fails(const char *what, char *error)
{
    int left = __atomic_fetch_sub(&allowed, 1, __ATOMIC_RELAXED);
    if (left == 0 && error != NULL) {
        snprintf(error, PLANNER_ERROR, "out of memory for %s", what);
    }
    return left == 0;
}

void *__wrap_planner_memory(size_t count, size_t bytes, const char *what, char *error)
{
    return fails(what, error) ? NULL : __real_planner_memory(count, bytes, what, error);
}

void *__wrap_planner_zeroed(size_t count, size_t bytes, const char *what, char *error)
{
    return fails(what, error) ? NULL : __real_planner_zeroed(count, bytes, what, error);
}

#endif
