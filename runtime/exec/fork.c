/* fork.c: lets loops run in a child of fork().
 *
 * A child has one thread and cannot use the device. The idle threads of OpenMP do not exist there,
 * and a parallel region would wait for them for ever, so the child's loops run on one thread.
 * Before the fork, values that only the device has are copied to the host for the child. vfork(),
 * posix_spawn(), system() and popen() need none of this: the runtime does not run in their
 * children. */
#include "runtime/base/timeline.h"
#include "runtime/base/worker.h"
#include "runtime/exec/exec.h"
#include "runtime/jit/jit.h"

#include <omp.h>
#include <pthread.h>
#include <sys/stat.h>

static struct {
    int threads;    /* of the parent, when it forked; 0: not known */
    int had_device; /* the parent had started it */
    int is_child;
    int said;
} forked;

/* The folder has an entry for each thread, and two of its own. */
static int count_threads(void)
{
    struct stat folder;
    return stat("/proc/self/task", &folder) == 0 && folder.st_nlink > 2 ? (int)folder.st_nlink - 2
                                                                        : 0;
}

static void before_fork(void)
{
    if (!cleave_is_held_elsewhere()) {
        cleave_settle(); /* the child cannot */
    }
    cleave_dats_hold(); /* no thread may be about to change dats: in the child it would be gone */
    cleave_flush();
    cleave_worker_hold();
    forked.threads = count_threads();
    forked.had_device = forked.had_device || cleave_device != NULL || cleave_targets_begin();
    if (cleave_device == NULL || cleave_is_held_elsewhere()) {
        return; /* another thread is in a loop: the child cannot use the runtime at all */
    }
    if (cleave_device->wait() != 0) {
        cleave_fatal("a loop failed on %s before a fork: %s", cleave_device->device(),
                     cleave_device->last_error());
    }
    cleave_timers_collect();
    cleave_recipes_settle();
    cleave_dats_to_host();
}

static void in_parent(void)
{
    cleave_worker_release();
    cleave_dats_release();
}

static void in_child(void)
{
    cleave_timeline_forked();
    cleave_dats_forked();
    cleave_worker_forked();
    cleave_background_forked();
    cleave_plans_forked();
    cleave_jit_forked();
    forked.is_child = forked.threads != 1 || forked.had_device;
    forked.said = 0;
    if (!forked.is_child) {
        return;
    }
    omp_set_num_threads(1);
    cleave_generation++;
    cleave_tune_forked();
    cleave_settings.plan_json = NULL; /* the parent writes these files */
    cleave_settings.report = NULL;
    if (cleave_device != NULL) {
        cleave_device_lost();
    }
}

void cleave_fork_watch(void)
{
    static int watched;
    if (!watched) {
        watched = 1;
        pthread_atfork(before_fork, in_parent, in_child);
    }
}

int cleave_fork_lost_device(void)
{
    return forked.is_child && forked.had_device;
}

void cleave_fork_say(void)
{
    if (!forked.is_child || forked.said) {
        return;
    }
    forked.said = 1;
    const int wanted = cleave_wanted_target();
    if (wanted >= 0 && cleave_has_lanes(wanted) && forked.had_device) {
        cleave_fatal("CLEAVE_BACKEND=%s, but this is a child process of one that uses the "
                     "device, and a child cannot use it: fork before op_init, or unset "
                     "CLEAVE_BACKEND in the child and call op_exit and op_init there",
                     cleave_target_row[wanted].word);
    }
    cleave_note("this is a child process, forked after its parent's first loop: here, loops run on "
                "one thread%s; fork before op_init to use all threads and devices",
                forked.had_device ? " and not on the device" : "");
}
