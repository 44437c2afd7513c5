/* arrays.c: the arrays of a plan as a table, and what is done with all of them: freed, copied,
 * hashed.
 *
 * In: a plan. The rows come from cleave_plan.def, so that a new array needs nothing here.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/plan/build.h"

/* ---- the table ------------------------------------------------------------------------------ */

/* Numbers of elements. Whoever calls these knows that the array is there. */
#define CLEAVE_PLAN_ARRAY(type, name, part, place, count)                                          \
    static size_t count_of_plan_##name(const struct cleave_plan *plan,                             \
                                       const struct cleave_plan_list *list)                        \
    {                                                                                              \
        (void)list;                                                                                \
        return (size_t)(count);                                                                    \
    }
#define CLEAVE_LIST_ARRAY(type, name, part, place, count)                                          \
    static size_t count_of_list_##name(const struct cleave_plan *plan,                             \
                                       const struct cleave_plan_list *list)                        \
    {                                                                                              \
        (void)plan;                                                                                \
        (void)list;                                                                                \
        return (size_t)(count);                                                                    \
    }
#include "runtime/api/cleave_plan.def"

#define ON_TARGET 0
#define ON_HOST 1

const struct plan_array planner_arrays[] = {
#define CLEAVE_PLAN_ARRAY(type, name, part, place, count)                                          \
    {#name,                                                                                        \
     offsetof(struct cleave_plan, name),                                                           \
     0,                                                                                            \
     sizeof(type),                                                                                 \
     PLAN_PART_##part,                                                                             \
     ON_##place,                                                                                   \
     count_of_plan_##name},
#include "runtime/api/cleave_plan.def"
#define CLEAVE_LIST_ARRAY(type, name, part, place, count)                                          \
    {#name,                                                                                        \
     offsetof(struct cleave_plan_list, name),                                                      \
     1,                                                                                            \
     sizeof(type),                                                                                 \
     PLAN_PART_##part,                                                                             \
     ON_##place,                                                                                   \
     count_of_list_##name},
#include "runtime/api/cleave_plan.def"
    {.name = NULL},
};

/* ---- access --------------------------------------------------------------------------------- */

/* The member of the plan, or of its list m, that points to the array. */
static const char *place_of(const struct plan_array *array, const struct cleave_plan *plan, int m)
{
    const char *owner = array->of_list ? (const char *)&plan->list[m] : (const char *)plan;
    return owner + array->offset;
}

/* Pointers to all types of elements are alike on every system that this runs on. */
_Static_assert(sizeof(int *) == sizeof(void *) && sizeof(unsigned char *) == sizeof(void *),
               "addresses of arrays can be read as addresses of anything");

const void *planner_array(const struct plan_array *array, const struct cleave_plan *plan, int m)
{
    const void *data;
    memcpy(&data, place_of(array, plan, m), sizeof data);
    return data;
}

void planner_set_array(const struct plan_array *array, struct cleave_plan *plan, int m,
                       const void *data)
{
    memcpy((char *)place_of(array, plan, m), &data, sizeof data);
}

size_t planner_array_bytes(const struct plan_array *array, const struct cleave_plan *plan, int m)
{
    return planner_array(array, plan, m) != NULL
               ? array->element * array->count(plan, array->of_list ? &plan->list[m] : NULL)
               : 0;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void replace_some(struct cleave_plan *plan, int of_list, int m, planner_replace *replace,
                         void *user)
{
    for (const struct plan_array *array = planner_arrays; array->name != NULL; array++) {
        const void *data = planner_array(array, plan, m);
        if (array->of_list == of_list && data != NULL) {
            planner_set_array(array, plan, m, replace(user, array, m, data));
        }
    }
}

void planner_replace_arrays(struct cleave_plan *plan, planner_replace *replace, void *user)
{
    replace_some(plan, 0, 0, replace, user);
    for (int m = 0; m < plan->lists; m++) {
        replace_some(plan, 1, m, replace, user);
    }
}

static const void *free_array(void *user, const struct plan_array *array, int m, const void *data)
{
    (void)user;
    (void)array;
    (void)m;
    free((void *)(uintptr_t)data);
    return NULL;
}

void planner_free(struct cleave_plan *plan)
{
    if (plan != NULL) {
        planner_replace_arrays(plan, free_array, NULL);
        free(plan);
    }
}

/* ---- bytes and hash -------------------------------------------------------------------------- */

double planner_plan_bytes(const struct cleave_plan *plan)
{
    double bytes = 0;
    for (const struct plan_array *array = planner_arrays; array->name != NULL; array++) {
        for (int m = 0; m < (array->of_list ? plan->lists : 1); m++) {
            bytes += (double)planner_array_bytes(array, plan, m);
        }
    }
    return bytes;
}

static void hash_numbers(uint64_t *hash, const struct cleave_plan *plan)
{
#define CLEAVE_PLAN_NUMBER(name) planner_hash_number(hash, plan->name);
#include "runtime/api/cleave_plan.def"
    planner_hash_number(hash, plan->lists);
    for (int m = 0; m < plan->lists; m++) {
#define CLEAVE_LIST_NUMBER(name) planner_hash_number(hash, plan->list[m].name);
#include "runtime/api/cleave_plan.def"
    }
}

static void hash_arrays(uint64_t *hash, const struct cleave_plan *plan, int of_list, int m)
{
    for (const struct plan_array *array = planner_arrays; array->name != NULL; array++) {
        if (array->of_list == of_list) {
            planner_hash_bytes(hash, planner_array(array, plan, m),
                               planner_array_bytes(array, plan, m));
        }
    }
}

uint64_t planner_hash(const struct cleave_plan *plan)
{
    uint64_t hash = PLANNER_HASH;
    hash_numbers(&hash, plan);
    hash_arrays(&hash, plan, 0, 0);
    for (int m = 0; m < plan->lists; m++) {
        hash_arrays(&hash, plan, 1, m);
    }
    return hash;
}
