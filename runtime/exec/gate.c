/* gate.c: the device as the rest of the runtime sees it: every operation that launches could tell
 * from being done earlier or later starts those that wait in the queue (queue.c) first. Nobody can
 * forget it, because cleave_device is this table.
 *
 * Three things reach the device without it, and flush by themselves: constants (call/constants.c),
 * conversions of layouts (mesh/layout.c) and copies for blocks (mesh/dat_copies.c), whose launches
 * are in generated code. Allocating needs no flush: memory that queued launches use has not been
 * released yet. */
#include "runtime/exec/launcher.h"

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
    return own->upload(to, from);
}

static int download(const struct target_records *to, const void *from)
{
    cleave_flush();
    return own->download(to, from);
}

static int wait_all(void)
{
    cleave_flush();
    return own->wait();
}

static int wait_done(const unsigned *done)
{
    cleave_flush();
    return own->wait_done(done);
}

static int mark(int slot)
{
    cleave_flush();
    return own->mark(slot);
}

static double elapsed(int begin, int end)
{
    cleave_flush();
    return own->elapsed(begin, end);
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
    gated.elapsed = elapsed;
    return &gated;
}
