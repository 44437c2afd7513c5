/* queue.c: the calls of compiled loops that op_par_loop has submitted and that have not run.
 *
 * Whoever looks at what loops read or write, or changes it, calls cleave_flush() (base/flush.c)
 * first, which runs them here in the order of their submission. At present every call is flushed as
 * soon as it is submitted: the queue never holds more than one, and cleave_submit() returns whether
 * a variant ran. */
#include "runtime/exec/exec.h"

static struct cleave_call *queued;

/* Empties the queue before it runs the calls, so that a nested flush finds it empty; a launch that
 * reads a global from a stale dat->data flushes, for instance. */
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
