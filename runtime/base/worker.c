/* worker.c: the thread that does the jobs of worker.h.
 *
 * It is started with the first job and runs until op_exit. Its parallel regions have one thread
 * less than those of the program, so that the thread which launches loops keeps a processor. It
 * blocks all signals: the program's handlers run on the program's threads.
 *
 * The process may end in the middle of a job, in one of the job's own threads: libgomp calls exit()
 * if it has no memory for a parallel region. Functions that exit() calls must not wait for the job
 * then, which would wait for them. So all threads of the job are marked. */
#include "runtime/base/worker.h"

#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/settings.h"

atomic_int cleave_jobs_ended;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER;  /* a job was added, or the end is near */
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;   /* the work of a job has ended */
static struct cleave_job *queued;                        /* in order of their start */
static struct cleave_job *running;
static struct cleave_job *ended; /* in order of their end */
static int stopping;

/* Only the holder of the runtime uses these. */
static pthread_t thread;
static int has_thread;
static int threads; /* of the worker's parallel regions */

/* In the thread that does a job: where a failure goes. */
static _Thread_local struct cleave_job *mine;
static _Thread_local jmp_buf failure;

/* 1: the worker, or a thread of its parallel regions. */
static _Thread_local int works;

static void append(struct cleave_job **list, struct cleave_job *job)
{
    while (*list != NULL) {
        list = &(*list)->next;
    }
    job->next = NULL;
    *list = job;
}

/* ---- doing ---------------------------------------------------------------------------------- */

int cleave_job_is_cancelled(const struct cleave_job *job)
{
    return atomic_load_explicit(&job->cancelled, memory_order_relaxed);
}

int cleave_is_worker(void)
{
    return mine != NULL;
}

/* Also gives all regions of the job their threads, whatever a job that failed has left. */
static void mark_threads(void)
{
    omp_set_num_threads(threads);
#pragma omp parallel
    works = 1;
}

void cleave_job_fail(char *message)
{
    mine->failed = 1;
    mine->failure = message;
    longjmp(failure, 1);
}

static void do_job(struct cleave_job *job)
{
    const double begin = cleave_seconds();
    mine = job;
    if (!cleave_job_is_cancelled(job) && setjmp(failure) == 0) {
        job->work(job);
    }
    mine->seconds = cleave_seconds() - begin;
    mine = NULL;
}

/* Likewise in the program's thread, which keeps its number of threads. */
static void do_job_here(struct cleave_job *job)
{
    const int all = omp_get_max_threads();
    do_job(job);
    omp_set_num_threads(all);
}

/* Both are called with the lock held. */
static void begin_job(struct cleave_job *job)
{
    queued = job->next;
    running = job;
}

static void end_job(struct cleave_job *job)
{
    running = NULL;
    append(&ended, job);
    atomic_fetch_add_explicit(&cleave_jobs_ended, 1, memory_order_release);
    pthread_cond_broadcast(&done);
}

static void *run(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (queued != NULL || !stopping) {
        struct cleave_job *job = queued;
        if (job == NULL) {
            pthread_cond_wait(&asked, &lock);
            continue;
        }
        begin_job(job);
        pthread_mutex_unlock(&lock);
        mark_threads();
        do_job(job);
        pthread_mutex_lock(&lock);
        end_job(job);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* 1: there is a thread. */
static int start_thread(void)
{
    static int watched;
    sigset_t all;
    sigset_t before;
    if (has_thread) {
        return 1;
    }
    threads = MAX(1, omp_get_max_threads() - 1);
    stopping = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    has_thread = pthread_create(&thread, NULL, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (has_thread && !watched) {
        watched = 1;
        cleave_module_pin((const void *)&threads); /* its code must not go while it runs */
        atexit(cleave_worker_stop);
    }
    return has_thread;
}

void cleave_job_start(struct cleave_job *job)
{
    const int has = start_thread();
    job->failed = 0;
    job->failure = NULL;
    job->seconds = 0.0;
    atomic_init(&job->cancelled, 0);
    if (!has) {
        do_job_here(job);
    }
    pthread_mutex_lock(&lock);
    if (has) {
        append(&queued, job);
        pthread_cond_signal(&asked);
    } else {
        end_job(job);
    }
    pthread_mutex_unlock(&lock);
}

void cleave_worker_stop(void)
{
    if (works) {
        return;
    }
    cleave_jobs_cancel();
    if (has_thread) {
        pthread_mutex_lock(&lock);
        stopping = 1;
        pthread_cond_signal(&asked);
        pthread_mutex_unlock(&lock);
        pthread_join(thread, NULL);
        has_thread = 0;
    }
}

/* ---- results --------------------------------------------------------------------------------- */

/* The job that ended first, or NULL. */
static struct cleave_job *take(void)
{
    pthread_mutex_lock(&lock);
    struct cleave_job *job = ended;
    if (job != NULL) {
        ended = job->next;
        atomic_fetch_sub_explicit(&cleave_jobs_ended, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&lock);
    return job;
}

/* Tells the user that a job failed, for want of memory, and goes on without its result. What a
 * check of results finds ends the program. */
static void report(struct cleave_job *job)
{
    static _Thread_local char *message; /* kept: the user's handler may leave by longjmp */
    free(message);
    message = job->failure != NULL ? job->failure : strdup("out of memory in the background");
    job->failure = NULL;
    (job->fail != NULL ? job->fail : job->discard)(job);
    if (cleave_settings.check_plan) {
        cleave_fatal("%s", message != NULL ? message : "out of memory in the background");
    }
    cleave_note("%s; loops go on without it",
                message != NULL ? message : "out of memory in the background");
}

void cleave_jobs_adopt(void)
{
    struct cleave_job *job;
    while ((job = take()) != NULL) {
        if (cleave_job_is_cancelled(job)) {
            free(job->failure);
            job->discard(job);
        } else if (job->failed) {
            report(job);
        } else {
            job->adopt(job);
        }
    }
}

int cleave_jobs_are_done(void)
{
    pthread_mutex_lock(&lock);
    const int done = queued == NULL && running == NULL;
    pthread_mutex_unlock(&lock);
    return done;
}

void cleave_jobs_wait(void)
{
    pthread_mutex_lock(&lock);
    while (queued != NULL || running != NULL) {
        pthread_cond_wait(&done, &lock);
    }
    pthread_mutex_unlock(&lock);
}

static void cancel_all(struct cleave_job *job)
{
    for (; job != NULL; job = job->next) {
        atomic_store_explicit(&job->cancelled, 1, memory_order_relaxed);
    }
}

void cleave_jobs_cancel(void)
{
    pthread_mutex_lock(&lock);
    cancel_all(queued);
    cancel_all(ended);
    if (running != NULL) {
        atomic_store_explicit(&running->cancelled, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&lock);
    cleave_jobs_wait();
    cleave_jobs_adopt();
}

/* ---- fork -------------------------------------------------------------------------------------
 */

void cleave_worker_hold(void)
{
    pthread_mutex_lock(&lock);
}

void cleave_worker_release(void)
{
    pthread_mutex_unlock(&lock);
}

/* The memory of jobs stays: the thread that could say what a running one holds is gone. */
void cleave_worker_forked(void)
{
    const pthread_mutex_t open = PTHREAD_MUTEX_INITIALIZER;
    const pthread_cond_t nobody = PTHREAD_COND_INITIALIZER;
    lock = open;
    asked = done = nobody;
    queued = running = ended = NULL;
    atomic_store_explicit(&cleave_jobs_ended, 0, memory_order_relaxed);
    has_thread = 0;
}
