/* flush.c: the gate between the program and loops that it has called and that may not have run yet
 * (exec/queue.c holds them). It is down here because every room has functions that look at data. */
#include "runtime/base/base.h"

static void (*run_queued)(void);

void cleave_flush_by(void (*run)(void))
{
    run_queued = run;
}

/* A call runs before its op_par_loop returns, at present: nothing is queued while nobody has the
 * runtime, and whoever has it runs what it has called. So only its holder has anything to run. */
void cleave_flush(void)
{
    if (run_queued != NULL && cleave_is_holder()) {
        run_queued();
    }
}
