/* bandwidth.c: the speed of memory that loops are compared with: a copy, on the device or by all
 * threads of the host. */
#include "runtime/report/report.h"

/* Above the caches of today's devices (60 MB of an H200) and of most hosts. */
enum { COPY_MIB = 256, COPIES = 5 };
static const size_t copy_bytes = (size_t)COPY_MIB << 20;

static double least(double a, double b)
{
    return a <= 0.0 || (b > 0.0 && b < a) ? b : a;
}

/* Seconds of the fastest of some copies; 0: one failed. */
static double time_on_device(void *to, const void *from)
{
    double best = 0.0;
    for (int c = 0; c < COPIES; c++) {
        if (cleave_device->mark(0) != 0 || cleave_device->copy(to, from, copy_bytes) != 0 ||
            cleave_device->mark(1) != 0) {
            return 0.0;
        }
        best = least(best, cleave_device->elapsed(0, 1));
    }
    return best;
}

static double rate(double seconds)
{
    return seconds > 0.0 ? 2.0 * (double)copy_bytes / seconds : 0.0;
}

static double device_rate(void)
{
    double seconds = 0.0;
    cleave_timers_collect();
    if (cleave_device->available() < 4 * copy_bytes) {
        return 0.0;
    }
    void *to = cleave_device->alloc(copy_bytes);
    void *from = cleave_device->alloc(copy_bytes);
    if (to != NULL && from != NULL && cleave_device->zero(from, copy_bytes) == 0) {
        seconds = time_on_device(to, from);
    }
    cleave_device->release(to);
    cleave_device->release(from);
    return rate(seconds);
}

double cleave_copy_rate(void)
{
    return cleave_device != NULL ? device_rate() : cleave_host_copy_rate(copy_bytes, COPIES);
}
