/* queue.c: the calls of compiled loops that op_par_loop has submitted and that have not run.
 *
 * Whoever looks at what loops read or write, or changes it, calls cleave_flush() (base/flush.c)
 * first, which runs them here in the order of their submission. At present every call is flushed as
 * soon as it is submitted: the queue never holds more than one, and cleave_submit() returns whether
 * a variant ran. */
#include "runtime/exec/exec.h"

static struct cleave_call *queued;

/* A flush inside of a flush, as when a launch reads a global from an old dat->data, finds the queue
 * empty. */
static void run_queued(void)
{
    struct cleave_call *call = queued;
    queued = NULL;
    if (call != NULL) {
        call->launched = cleave_launch_call(call);
    }
}

void cleave_queue_start(void)
{
    cleave_flush_by(run_queued);
}

int cleave_submit(struct cleave_call *call)
{
    queued = call;
    cleave_flush();
    return call->launched;
}
