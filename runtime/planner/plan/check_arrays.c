/* check_arrays.c: a plan has the arrays that its kind and parts say, and no others.
 *
 * In: the rows of cleave_plan.def. Checks that walk arrays run behind this one.
 */
#include <stdio.h>

#include "runtime/planner/plan/check.h"

/* "the plan", or "map 2: the list". */
#define OWNER_TEXT 40
static void name_owner(char text[OWNER_TEXT], int of_list, int m)
{
    snprintf(text, OWNER_TEXT, of_list ? "map %d: the list" : "the plan", m);
}

/* The first array of the part that is there, or that is not; NULL: there is none such. */
static const struct plan_array *first(const struct check *check, int of_list, int m,
                                      enum plan_part part, int is_there)
{
    for (const struct plan_array *array = planner_arrays; array->name != NULL; array++) {
        if (array->of_list == of_list && array->part == part &&
            (planner_array(array, check->plan, m) != NULL) == is_there) {
            return array;
        }
    }
    return NULL;
}

static int check_part(const struct check *check, int of_list, int m, enum plan_part part, int may,
                      int must)
{
    const struct plan_array *there = first(check, of_list, m, part, 1);
    const struct plan_array *missing = first(check, of_list, m, part, 0);
    char owner[OWNER_TEXT];
    name_owner(owner, of_list, m);
    if (there != NULL && !may) {
        return planner_check_broken(check, "%s has '%s', which no such plan has", owner,
                                    there->name);
    }
    if (there != NULL && missing != NULL) {
        return planner_check_broken(check, "%s has '%s' without '%s'", owner, there->name,
                                    missing->name);
    }
    if (missing != NULL && must) {
        return planner_check_broken(check, "%s has no '%s'", owner, missing->name);
    }
    return 0;
}

static int check_parts(const struct check *check, int of_list, int m, unsigned may, unsigned must)
{
    for (int part = 0; part < PLAN_PARTS; part++) {
        if (check_part(check, of_list, m, (enum plan_part)part, may >> part & 1,
                       must >> part & 1) != 0) {
            return -1;
        }
    }
    return 0;
}

int planner_check_plan_arrays(const struct check *check, unsigned may, unsigned must)
{
    return check_parts(check, 0, 0, may, must);
}

int planner_check_list_arrays(const struct check *check, int m, unsigned may, unsigned must)
{
    return check_parts(check, 1, m, may, must);
}
