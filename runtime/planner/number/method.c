/* method.c: the names of planning methods, as users write them. */
#include <stdio.h>
#include <string.h>

#include "runtime/planner/base/base.h"

static const char *const START_NAME[PLAN_STARTS] = {
    [PLAN_START_DEFAULT] = "default",
    [PLAN_START_NONE] = "none",
    [PLAN_START_RCM] = "rcm",
    [PLAN_START_GPS] = "gps",
    [PLAN_START_HILBERT] = "hilbert",
    [PLAN_START_RCB] = "rcb",
    [PLAN_START_GROW] = "grow",
    [PLAN_START_CHUNKS] = "chunks",
    [PLAN_START_METIS] = "metis",
    [PLAN_START_METIS_WEIGHTED] = "metis-weighted",
    [PLAN_START_METIS_RECURSIVE] = "metis-recursive",
};

/* The improvement that text names, from its '+' on; DEFAULT for an end, -1 for another word. */
static int parse_improvement(const char *text)
{
    if (*text == '\0') {
        return PLAN_IMPROVE_DEFAULT;
    }
    if (strcmp(text, "+refine") == 0) {
        return PLAN_IMPROVE_REFINE;
    }
    return strcmp(text, "+anneal") == 0 ? PLAN_IMPROVE_ANNEAL : -1;
}

int planner_method_parse(const char *text, struct plan_method *method)
{
    if (strcmp(text, "default") == 0 || strcmp(text, "hard") == 0) {
        *method = (struct plan_method){PLAN_START_DEFAULT,
                                       *text == 'h' ? PLAN_IMPROVE_ANNEAL : PLAN_IMPROVE_DEFAULT};
        return 0;
    }
    size_t length = strcspn(text, "+");
    int improve = parse_improvement(text + length);
    for (int start = PLAN_START_NONE; improve >= 0 && start < PLAN_STARTS; start++) {
        if (strlen(START_NAME[start]) == length && memcmp(START_NAME[start], text, length) == 0) {
            *method = (struct plan_method){(enum plan_start)start, (enum plan_improvement)improve};
            return 0;
        }
    }
    return -1;
}

const char *planner_method_name(struct plan_method method)
{
    static _Thread_local char name[32];
    const char *improve = "";
    if (method.start == PLAN_START_DEFAULT && method.improve == PLAN_IMPROVE_ANNEAL) {
        return "hard";
    }
    if (method.start != PLAN_START_DEFAULT && method.improve == PLAN_IMPROVE_REFINE) {
        improve = "+refine";
    } else if (method.improve == PLAN_IMPROVE_ANNEAL) {
        improve = "+anneal";
    }
    snprintf(name, sizeof name, "%s%s", START_NAME[method.start], improve);
    return name;
}
