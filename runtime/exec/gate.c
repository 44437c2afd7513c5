/* gate.c: the device as the rest of the runtime sees it: every operation that launches could tell
 * from being done earlier or later starts those that wait in the queue (queue.c) first. Nobody can
 * forget it, because cleave_device is this table.
 *
 * Three things reach the device without it, and flush by themselves: constants (call/constants.c),
 * conversions of layouts (mesh/layout.c) and copies for blocks (mesh/dat_copies.c), whose launches
 * are in generated code. Allocating needs no flush: memory that queued launches use has not been
 * released yet. Nor does reading marks, which stand between launches that have started: timers are
 * read while launches wait, and those set marks of their own when they start.
 *
 * Transfers and waits are timed here for CLEAVE_REPORT (base/timeline.c). */
#include "runtime/base/timeline.h"
#include "runtime/exec/early.h"
#include "runtime/exec/speculate.h"

static const struct target_ops *own;
static struct target_ops gated;

static void stop(void)
{
    cleave_flush();
    own->stop();
}

static void release(void *memory)
{
    if (memory != NULL) {
        cleave_flush();
        cleave_speculate_released(memory);
        own->release(memory);
    }
}

static int zero(void *memory, size_t bytes)
{
    cleave_flush();
    return own->zero(memory, bytes);
}

static int copy(void *to, const void *from, size_t bytes)
{
    cleave_flush();
    return own->copy(to, from, bytes);
}

static void release_host(void *memory)
{
    if (memory != NULL) {
        cleave_flush();
        own->release_host(memory);
    }
}

static int upload(void *to, const struct target_records *from)
{
    cleave_flush();
    const struct cleave_span span = cleave_span_begin(CLEAVE_DOING_UPLOADS);
    const int failed = own->upload(to, from);
    cleave_span_end(span, from->bytes * from->count);
    return failed;
}

static int wait_all(void)
{
    cleave_flush();
    const struct cleave_span span = cleave_span_begin(CLEAVE_DOING_WAITS);
    const int failed = own->wait();
    cleave_span_end(span, 0);
    return failed;
}

/* A download waits for the launches before it. A report counts that time as such, not as that of
 * the transfer. */
static int download(const struct target_records *to, const void *from)
{
    cleave_flush();
    if (cleave_timeline_runs() && wait_all() != 0) {
        return -1;
    }
    const struct cleave_span span = cleave_span_begin(CLEAVE_DOING_DOWNLOADS);
    const int failed = own->download(to, from);
    cleave_span_end(span, to->bytes * to->count);
    return failed;
}

static int wait_done(const unsigned *done)
{
    cleave_flush();
    cleave_early_launch();
    cleave_speculate_launch();
    const struct cleave_span span = cleave_span_begin(CLEAVE_DOING_WAITS);
    const int failed = own->wait_done(done);
    cleave_span_end(span, 0);
    return failed;
}

static int mark(int slot)
{
    cleave_flush();
    return own->mark(slot);
}

const struct target_ops *cleave_gate(const struct target_ops *device)
{
    own = device;
    gated = *device;
    gated.stop = stop;
    gated.release = release;
    gated.zero = zero;
    gated.copy = copy;
    gated.release_host = release_host;
    gated.upload = upload;
    gated.download = download;
    gated.wait = wait_all;
    gated.wait_done = device->wait_done != NULL ? wait_done : NULL;
    gated.mark = mark;
    return &gated;
}
