/* flush.c: the gate between the program and loops that it has called and that may not have run yet
 * (exec/queue.c holds them). It is down here because every room has functions that look at data. */
#include "runtime/base/base.h"

static void (*run_queued)(void);

void cleave_flush_by(void (*run)(void))
{
    run_queued = run;
}

void cleave_flush(void)
{
    if (run_queued != NULL) {
        run_queued();
    }
}
