/* plans.h: a plan that is being made, for cached_plans.c, plan_make.c and background.c. */
#ifndef CLEAVE_MESH_PLANS_H
#define CLEAVE_MESH_PLANS_H

#include "runtime/mesh/order.h"

struct plan_making {
    struct cleave_plan_entry *entry; /* says what is wanted; gets the plan and its metrics */
    struct planner planner;
    const struct plan_numbering *blocks; /* of the order, if the plan takes them; else NULL */
    int has_order;                       /* 1: the mesh has an order of the runtime's */
    int for_host;                        /* cleave_order_is_for_host() */
    int has_lanes;                       /* of the first target */
    int later;                  /* 1: it is made by the worker, which may not look at dats */
    struct plan_coordinates at; /* later: copied coordinates; at.at NULL: none */
    void *at_copy;              /* at.at, to be freed */
    int status;                 /* 0: made, -1: the mesh does not allow it */
    char error[PLANNER_ERROR];  /* why not */
};

/* ---- plan_make.c ------------------------------------------------------------------------------
 */

/* Fills making->entry and making->status. Fails by cleave_fatal(). */
void cleave_plan_make(struct plan_making *making);

/* ---- background.c -----------------------------------------------------------------------------
 */

/* A plan that the worker makes. */
struct plan_job {
    struct cleave_job job;
    struct plan_making making;
    struct plan_job *next; /* the plan that was asked for before */
};

#endif
