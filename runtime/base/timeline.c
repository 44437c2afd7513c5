/* timeline.c: where the time of the program's thread goes.
 *
 * The thread that called op_init does one thing at a time. When it begins another one, the time
 * since the last change is added to what it did until then, and at the end it goes back to that. So
 * nested spans are counted once, and the kinds add up to the time of the thread. Other threads of
 * the program may fetch data, in the fault handler for instance: their spans count for `count`,
 * `bytes` and `seconds` alone. */
#include "runtime/base/timeline.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/base.h"

static int runs;
static pthread_t owner;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* Under the mutex: */
static struct cleave_total totals[CLEAVE_DOINGS];
static enum cleave_doing now_doing; /* of the owner, since `since` */
static double since;
/* Only the holder of the runtime uses these. */
static double declared;          /* cleave_seconds() at the end of the last declaration; 0: none */
static double first_loop = -1.0; /* see cleave_timeline_first_loop() */
static int launches;             /* of loops so far, CLEAVE_FIRST_LAUNCHES at most */

static double started;    /* cleave_seconds() at cleave_timeline_start() */
static atomic_int starts; /* 1: parts of the start are kept */
/* Under the mutex: */
static struct cleave_moment moments[CLEAVE_MOMENTS];
static int moment_count;

/* Adds the owner's time until now to what it was doing; the caller has the mutex. */
static void change_to(enum cleave_doing doing, double now)
{
    totals[now_doing].own += now - since;
    now_doing = doing;
    since = now;
}

void cleave_timeline_start(void)
{
    memset(totals, 0, sizeof totals);
    owner = pthread_self();
    now_doing = CLEAVE_DOING_PROGRAM;
    since = cleave_seconds();
    declared = 0.0;
    first_loop = -1.0;
    launches = 0;
    started = since;
    moment_count = 0;
    runs = 1;
    atomic_store(&starts, 1);
}

void cleave_timeline_stop(void)
{
    runs = 0;
    atomic_store(&starts, 0);
    memset(totals, 0, sizeof totals);
}

void cleave_timeline_forked(void)
{
    const pthread_mutex_t open = PTHREAD_MUTEX_INITIALIZER;
    mutex = open;
}

int cleave_timeline_runs(void)
{
    return runs;
}

void cleave_timeline_read(struct cleave_total *total)
{
    pthread_mutex_lock(&mutex);
    if (runs) {
        change_to(now_doing, cleave_seconds());
    }
    memcpy(total, totals, sizeof totals);
    pthread_mutex_unlock(&mutex);
}

void cleave_timeline_declared(void)
{
    if (runs && first_loop < 0.0) {
        declared = cleave_seconds();
    }
}

void cleave_timeline_launches(void)
{
    if (runs && first_loop < 0.0 && declared > 0.0) {
        first_loop = cleave_seconds() - declared;
    }
}

void cleave_timeline_launched(void)
{
    if (runs && launches < CLEAVE_FIRST_LAUNCHES && ++launches == CLEAVE_FIRST_LAUNCHES) {
        atomic_store(&starts, 0);
    }
}

double cleave_timeline_first_loop(void)
{
    return first_loop;
}

struct cleave_span cleave_span_begin(enum cleave_doing doing)
{
    struct cleave_span span = {doing, -1, 0.0};
    if (!runs) {
        return span;
    }
    span.begun = cleave_seconds();
    span.before = CLEAVE_DOING_PROGRAM;
    if (pthread_equal(owner, pthread_self())) {
        pthread_mutex_lock(&mutex);
        span.before = doing == CLEAVE_DOING_CALLS ? CLEAVE_DOING_PROGRAM : now_doing;
        change_to(doing, span.begun);
        pthread_mutex_unlock(&mutex);
    }
    return span;
}

void cleave_span_end(struct cleave_span span, size_t bytes)
{
    if (!runs || span.before < 0) {
        return;
    }
    const double now = cleave_seconds();
    pthread_mutex_lock(&mutex);
    totals[span.doing].count++;
    totals[span.doing].bytes += (double)bytes;
    totals[span.doing].seconds += now - span.begun;
    if (pthread_equal(owner, pthread_self())) {
        change_to((enum cleave_doing)span.before, now);
    }
    pthread_mutex_unlock(&mutex);
}

double cleave_moment_begin(void)
{
    return atomic_load_explicit(&starts, memory_order_relaxed) ? cleave_seconds() : 0.0;
}

static void keep_moment(const char *what, const char *about, double begun)
{
    const double now = cleave_seconds();
    pthread_mutex_lock(&mutex);
    if (runs && moment_count < CLEAVE_MOMENTS) {
        struct cleave_moment *moment = &moments[moment_count++];
        *moment = (struct cleave_moment){.what = what,
                                         .begin = begun - started,
                                         .seconds = now - begun,
                                         .beside = !pthread_equal(owner, pthread_self())};
        snprintf(moment->about, sizeof moment->about, "%s", about != NULL ? about : "");
    }
    pthread_mutex_unlock(&mutex);
}

/* Launches call it that are long past the start: they save no registers for the work above. */
void cleave_moment_end(const char *what, const char *about, double begun)
{
    if (begun != 0.0) {
        keep_moment(what, about, begun);
    }
}

int cleave_moments_read(struct cleave_moment *moment)
{
    pthread_mutex_lock(&mutex);
    const int count = moment_count;
    memcpy(moment, moments, (size_t)count * sizeof *moment);
    pthread_mutex_unlock(&mutex);
    return count;
}
