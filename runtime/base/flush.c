/* flush.c: the gate between the program and loops that it has called and that may not have run yet
 * (exec/queue.c holds them). It is down here because every room has functions that look at data. */
#include "runtime/base/base.h"

static void (*run_queued)(void);
static void (*run_complete)(void);

void cleave_flush_by(void (*run)(void), void (*run_groups)(void))
{
    run_queued = run;
    run_complete = run_groups;
}

/* Any thread may look at data: one that reads dat->data has called no function of the runtime. The
 * queue therefore belongs to whoever holds the state of dats. */
void cleave_flush(void)
{
    if (run_queued != NULL) {
        CLEAVE_HOLD_DATS;
        run_queued();
    }
}

void cleave_flush_groups(void)
{
    if (run_queued != NULL) {
        CLEAVE_HOLD_DATS;
        if (run_complete != NULL) {
            run_complete();
        }
        run_queued();
    }
}
