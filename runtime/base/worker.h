/* worker.h: one thread of the runtime's own, for work that would make the program wait: orders of
 * the mesh and plans, while loops run without them.
 *
 * A job is handed to the worker, which runs its `work`, one job after the other in the order of
 * their start. `work` may use the job's own memory, the settings, and what nobody changes while the
 * job exists, such as declared maps; it takes no lock of the runtime and calls no device. The
 * thread that holds the runtime then adopts the result, between two loops. All functions but
 * the three that jobs call are for that thread. */
#ifndef CLEAVE_WORKER_H
#define CLEAVE_WORKER_H

#include <stdatomic.h>

/* The first member of a struct that holds what the job needs and makes. */
struct cleave_job {
    /* Called once, by the worker. A cleave_fatal() in it, outside its parallel regions, ends the
     * job, not the program: a note tells the user, and `fail` is called. Memory that the job's
     * struct does not hold is then lost. Long work asks cleave_job_is_cancelled() now and then, and
     * returns. */
    void (*work)(struct cleave_job *job);
    /* Called once after `work`: takes the result over and frees the job. */
    void (*adopt)(struct cleave_job *job);
    /* Called instead for a job that was cancelled, before or after its work: frees the job. */
    void (*discard)(struct cleave_job *job);
    /* Called instead for a job that failed: frees the job. NULL: `discard`. */
    void (*fail)(struct cleave_job *job);
    double seconds; /* that `work` took */
    int failed;     /* 1: by a cleave_fatal() in `work`, whose message is `failure` */
    char *failure;
    atomic_int cancelled;
    struct cleave_job *next;
};

/* Jobs whose work has ended and that wait for cleave_jobs_adopt(). */
extern atomic_int cleave_jobs_ended;

/* Hands the job over. If the system has no thread for it, the work is done before this returns. */
void cleave_job_start(struct cleave_job *job);
/* Adopts or discards all jobs whose work has ended. The message of one that failed becomes a note,
 * and with CLEAVE_CHECK_PLAN=1 an error that ends the program. */
void cleave_jobs_adopt(void);
/* 1: there is no job whose work has not ended. */
int cleave_jobs_are_done(void);
/* Waits until the work of all jobs has ended. */
void cleave_jobs_wait(void);
/* Cancels all jobs and discards them; waits for the one whose work has begun. */
void cleave_jobs_cancel(void);
/* 1: nobody wants the job's result any more. */
int cleave_job_is_cancelled(const struct cleave_job *job);
/* cleave_jobs_cancel(), and ends the thread. The next job starts a new one. Does nothing in a
 * thread that works for a job, in which the process ends. */
void cleave_worker_stop(void);

/* 1: the calling thread works for a job. */
int cleave_is_worker(void);
/* Ends that job; `message` is its own from now on, or NULL if there was no memory for one. */
_Noreturn void cleave_job_fail(char *message);

/* Around fork(): between the first two, the worker changes nothing that the child sees of it. The
 * child has no worker, and its jobs are gone: no job is adopted there. */
void cleave_worker_hold(void);
void cleave_worker_release(void);
void cleave_worker_forked(void);

#endif
