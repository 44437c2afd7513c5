/* stages.h: pieces that schedules are put together from; between schedules.c and stages.c. */
#ifndef CLEAVE_SPLITTER_STAGES_H
#define CLEAVE_SPLITTER_STAGES_H

#include "splitter/schedule/schedules.h"

/* The loop whose schedules are built, and all its updates, ordered by place. */
struct build {
    struct arena *arena;
    const struct loop *loop;
    const struct graph *graph; /* NULL: the kernel is called whole */
    int updates;
    struct update *update;
};

/* Fills build->update with the graph's contributions, or with every component of incremented
 * arguments. */
void build_updates(struct build *build);

/* Column of its argument's map that an update goes through. */
int update_column(const struct loop *loop, const struct update *update);

/* All stages that apply updates, appended to the schedule: one per column of a map, or one per map.
 * Optional arguments have stages of their own, since each may be switched off alone. */
void stages_add_updates(const struct build *build, struct schedule *schedule);
void stages_add_gathers(const struct build *build, struct schedule *schedule);

/* A new stage of the schedule, which has room for it; with nothing in it yet. */
struct stage *stage_add(struct schedule *schedule, enum stage_kind kind, const char *name);
/* Makes room for as many stages as a schedule of this loop can have, and says how many. */
size_t stages_reserve(const struct build *build, struct schedule *schedule);

/* The groups that the nodes marked in `in` read (NULL: all that can be staged) are staged in. */
void stage_add_inputs(const struct build *build, struct stage *stage, const bool *in);
/* The groups that the stage's updates touch are staged out. */
void stage_add_outputs(const struct build *build, struct stage *stage);

/* Most bytes per unique point that a stage of the schedule stages. */
size_t schedule_largest_bytes(const struct schedule *schedule);

#endif
