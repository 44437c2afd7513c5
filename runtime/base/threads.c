/* threads.c: lets one thread at a time use the runtime.
 *
 * Every function that changes the runtime's state holds a lock from its first line to its last, and
 * a loop holds it from begin to end. If a second thread needs the lock meanwhile, the program ends
 * with a message: waiting would hide that the order of its loops is random. Threads may take turns.
 * While a kernel runs sequentially, the user's code runs under the lock; a call of such a function
 * there would change the loop's data and is refused, too.
 *
 * A thread that reads dat->data calls no function, and may read while another thread runs a loop.
 * The state of dats therefore has a second lock: which copies are current, the list of dats, the
 * orders of sets, and the device. The fault handler (watch.c) waits for it. A thread that holds it
 * must not wait for threads that run the user's code, since those may touch dat->data, too.
 */
#include "runtime/base/settings.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(pthread_t) holder;           /* thread that holds the lock; 0: none */
static int depth;                           /* nested functions of the holder */
static const struct cleave_site *in_kernel; /* the loop whose kernel runs sequentially, or NULL */
static const char *kernel_frame;            /* in the stack frame of the function that calls it */

/* The function that holds the runtime, for messages to other threads: static storage of the
 * program. */
static const char *volatile holder_function;
static const struct cleave_site *volatile holder_site;

enum { PLACE = 512 };

/* "op_par_loop (airfoil.c:120)" or "op_fetch_data". */
static const char *describe(char text[PLACE], const char *function, const struct cleave_site *site)
{
    if (site != NULL) {
        snprintf(text, PLACE, "%s (%s:%d)", function, site->file, site->line);
    } else {
        snprintf(text, PLACE, "%s", function);
    }
    return text;
}

static void refuse_thread(const char *function, const struct cleave_site *site)
{
    char mine[PLACE];
    char other[PLACE];
    const char *held = holder_function;
    cleave_fatal("%s is called while another thread is in %s: one thread at a time may call the "
                 "functions of OP2; call them outside of parallel regions, or put one lock around "
                 "all of these calls",
                 describe(mine, function, site),
                 describe(other, held != NULL ? held : "one of them", holder_site));
}

/* Whoever calls has a frame above that of the loop: its function is gone, and its kernel with it.
 */
static void refuse_left(const char *function, const struct cleave_site *site)
{
    char mine[PLACE];
    char loop[PLACE];
    const struct cleave_site *outer = in_kernel;
    cleave_fatal(
        "%s is called after the kernel of %s has been left without returning, as by longjmp, so "
        "that this loop never ended: let kernels return, and say in a dat or a global what is "
        "wrong",
        describe(mine, function, site), describe(loop, "op_par_loop", outer));
}

static void refuse_kernel(const char *function, const struct cleave_site *site)
{
    char mine[PLACE];
    char loop[PLACE];
    const struct cleave_site *outer = in_kernel;
    cleave_fatal(
        "%s is called by the kernel of a loop that has not ended, %s: kernels may not "
        "call what changes or reads the mesh; call it between the loops (and no kernel may be left "
        "by longjmp)",
        describe(mine, function, site), describe(loop, "op_par_loop", outer));
}

static int take(const char *function, const struct cleave_site *site)
{
    pthread_t self = pthread_self();
    pthread_t nobody = 0;
    if (atomic_load_explicit(&holder, memory_order_relaxed) == self) {
        depth++;
        return 0;
    }
    if (!atomic_compare_exchange_strong_explicit(&holder, &nobody, self, memory_order_acquire,
                                                 memory_order_relaxed)) {
        refuse_thread(function, site);
    }
    holder_function = function;
    holder_site = site;
    return 0;
}

static void refuse_in_kernel(const char *function, const struct cleave_site *site)
{
    if (in_kernel != NULL &&
        atomic_load_explicit(&holder, memory_order_relaxed) == pthread_self()) {
        if ((const char *)__builtin_frame_address(0) > kernel_frame) {
            refuse_left(function, site);
        }
        refuse_kernel(function, site);
    }
}

/* ---- what op_init has begun ------------------------------------------------------------------ */

static _Atomic(cleave_settling *) settling; /* NULL: nothing */

void cleave_settle_by(cleave_settling *settle)
{
    atomic_store(&settling, settle);
}

int cleave_is_unsettled(void)
{
    return atomic_load_explicit(&settling, memory_order_relaxed) != NULL;
}

void cleave_settle(void)
{
    if (atomic_load_explicit(&settling, memory_order_relaxed) != NULL) {
        cleave_settling *settle = atomic_exchange(&settling, NULL);
        if (settle != NULL) {
            settle();
        }
    }
}

/* ---- entering and leaving ------------------------------------------------------------------ */

int cleave_enter_early(const char *function)
{
    refuse_in_kernel(function, NULL);
    return take(function, NULL);
}

int cleave_enter(const char *function, const struct cleave_site *site)
{
    refuse_in_kernel(function, site);
    take(function, site);
    cleave_settle();
    return 0;
}

int cleave_enter_anywhere(const char *function)
{
    take(function, NULL);
    cleave_settle();
    return 0;
}

void cleave_leave(void)
{
    if (depth > 0) {
        depth--;
        return;
    }
    atomic_store_explicit(&holder, 0, memory_order_release);
}

void cleave_kernel_runs(const struct cleave_site *site, const void *frame)
{
    in_kernel = site;
    kernel_frame = frame;
}

int cleave_is_held_elsewhere(void)
{
    pthread_t now = atomic_load_explicit(&holder, memory_order_relaxed);
    return now != 0 && now != pthread_self();
}

/* ---- the state of dats --------------------------------------------------------------------- */

static pthread_mutex_t dats = PTHREAD_MUTEX_INITIALIZER;
static __thread int
    holds; /* how often this thread has taken it: a launch does so for each argument */

int cleave_dats_hold(void)
{
    if (holds == 0) {
        pthread_mutex_lock(&dats);
    }
    return ++holds;
}

void cleave_dats_release(void)
{
    if (--holds == 0) {
        pthread_mutex_unlock(&dats);
    }
}

/* Resets the mutex: a thread of the parent may have locked it, and the child cannot unlock that. */
void cleave_dats_forked(void)
{
    const pthread_mutex_t open = PTHREAD_MUTEX_INITIALIZER;
    dats = open;
    holds = 0;
}

/* ---- errors -------------------------------------------------------------------------------- */

static void (*leave_too[CLEAVE_LEAVES])(void);

void cleave_leave_too(void (*leave)(void))
{
    int l = 0;
    while (l < CLEAVE_LEAVES && leave_too[l] != NULL && leave_too[l] != leave) {
        l++;
    }
    assert(l < CLEAVE_LEAVES);
    leave_too[l] = leave;
}

void cleave_leave_all(void)
{
    for (int l = 0; l < CLEAVE_LEAVES && leave_too[l] != NULL; l++) {
        leave_too[l]();
    }
    while (holds > 0) {
        cleave_dats_release();
    }
    if (atomic_load_explicit(&holder, memory_order_relaxed) == pthread_self()) {
        in_kernel = NULL;
        depth = 0;
        atomic_store_explicit(&holder, 0, memory_order_release);
    }
}
