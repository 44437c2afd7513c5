/* timers.c: times of calls on the device, which nothing waits for: marks are set before and after a
 * call and read when they are needed again, or when somebody asks for times. */
#include "runtime/report/report.h"

/* Timer t has marks 2 t and 2 t + 1. */
enum { TIMERS = TARGET_OWN_MARKS / 2 };

/* A call that was timed, and whose time has not been read. */
static struct pending {
    struct cleave_record *record; /* NULL: none */
    double bytes;
    struct cleave_timed timed;
    unsigned long launch; /* its number */
} pending[TIMERS];
static int next_timer;
static unsigned long launches; /* so far */

void cleave_timers_launched(int count)
{
    launches += (unsigned long)count;
}

static void collect(int timer)
{
    const struct pending call = pending[timer];
    if (call.record == NULL) {
        return;
    }
    pending[timer].record = NULL;
    double seconds = cleave_device->elapsed(2 * timer, 2 * timer + 1);
    if (seconds < 0.0) {
        cleave_fatal("loop '%s': its time on %s is not known: %s", call.record->name,
                     cleave_device->device(), cleave_device->last_error());
    }
    cleave_record_sample(call.record, call.bytes, seconds);
    if (call.timed.took != NULL) {
        call.timed.took(call.timed.about, call.timed.which, seconds);
    }
}

/* 1: reading the timer would not wait; a target that cannot tell never does. */
static int has_passed(int timer)
{
    return cleave_device->passed == NULL || cleave_device->passed(2 * timer + 1);
}

int cleave_timer_is_free(void)
{
    return pending[next_timer].record == NULL || has_passed(next_timer);
}

static void set_mark(const struct cleave_record *record, int mark)
{
    if (cleave_device->mark(mark) != 0) {
        cleave_fatal("loop '%s' cannot be timed on %s: %s", record->name, cleave_device->device(),
                     cleave_device->last_error());
    }
}

int cleave_timer_begin(const struct cleave_record *record)
{
    int timer = next_timer;
    next_timer = (next_timer + 1) % TIMERS;
    collect(timer);
    set_mark(record, 2 * timer);
    return timer;
}

void cleave_timer_end(struct cleave_record *record, double bytes, int timer,
                      struct cleave_timed timed)
{
    if (timer >= 0) {
        set_mark(record, 2 * timer + 1);
        pending[timer] = (struct pending){record, bytes, timed, launches};
    }
}

void cleave_timers_poll(int ahead)
{
    for (int t = 0; t < TIMERS; t++) {
        const int timer = (next_timer + t) % TIMERS;
        if (pending[timer].record != NULL && !has_passed(timer) &&
            launches - pending[timer].launch < (unsigned long)ahead) {
            return;
        }
        collect(timer);
    }
}

void cleave_timers_collect(void)
{
    for (int t = 0; t < TIMERS; t++) {
        collect((next_timer + t) % TIMERS);
    }
}

double cleave_timers_last(void)
{
    const int timer = (next_timer + TIMERS - 1) % TIMERS;
    return cleave_device->elapsed(2 * timer, 2 * timer + 1);
}

void cleave_timers_forget(void)
{
    memset(pending, 0, sizeof pending);
}
