/* waiting.c: keeps waiting threads from spinning on processors that other processes want.
 *
 * In gcc's OpenMP a waiting thread spins for about 3 ms. That is fast on an idle machine and
 * ruinous on a busy one, where it keeps the thread that it waits for from running. OMP_WAIT_POLICY
 * cannot be changed: the library reads it before any code of the program runs. But the library
 * spins for only 100 rounds while it manages more threads than there are processors. So while the
 * machine is busy, this file keeps a team of sleeping threads that the library counts. Other OpenMP
 * libraries ignore them. */
#include "runtime/base/waiting.h"

#include "runtime/base/machine.h"
#include "runtime/base/settings.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static struct {
    pthread_t thread;
    sem_t ready, end;
    pid_t
        owner; /* the process that has the thread; 0: none has. A fork's child does not have it. */
    int team;  /* threads of the sleeping team */
    double next_look;
    int quiet;
} waiting;

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0 && errno == EINTR) {
    }
}

static void *sleep_with_team(void *unused)
{
    int members = 0; /* makes the region one that the compiler keeps */
    (void)unused;
#pragma omp parallel num_threads(waiting.team) reduction(+ : members)
    members++;
    sem_post(&waiting.ready);
    wait_for(&waiting.end);
    return NULL;
}

static int start(void)
{
    sigset_t all;
    sigset_t old;
    /* The library counts this team's threads but the first, and the loops' own. */
    waiting.team = omp_get_num_procs() - omp_get_max_threads() + 2;
    if (waiting.team < 2 || waiting.team > cleave_machine.most_sleepers ||
        sem_init(&waiting.ready, 0, 0) != 0 || sem_init(&waiting.end, 0, 0) != 0) {
        return 0;
    }
    /* The program's signals are for its own threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    const int failed = pthread_create(&waiting.thread, NULL, sleep_with_team, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (failed != 0) {
        return 0;
    }
    wait_for(&waiting.ready);
    waiting.owner = getpid();
    return 1;
}

static void stop(void)
{
    sem_post(&waiting.end);
    pthread_join(waiting.thread, NULL);
    waiting.owner = 0;
}

int cleave_waiting_short(int on)
{
    const int is_short = waiting.owner != 0 && waiting.owner == getpid();
    if (is_short == on) {
        return 1;
    }
    if (!on) {
        stop();
        return 1;
    }
    return start();
}

/* Before the code of a library that holds the runtime is unmapped. */
__attribute__((destructor)) static void at_end(void)
{
    cleave_waiting_short(0);
}

int cleave_runnable(void)
{
    int runnable = 0;
    FILE *file = fopen("/proc/loadavg", "r");
    if (file == NULL) {
        return 0;
    }
    /* The fourth word is "runnable/all". */
    if (fscanf(file, "%*s %*s %*s %d/", &runnable) != 1) {
        runnable = 0;
    }
    fclose(file);
    return runnable;
}

void cleave_waiting_look(void)
{
    const double now = cleave_seconds();
    if (cleave_settings.user_waits || now < waiting.next_look) {
        return;
    }
    const int is_first = waiting.next_look == 0;
    const int is_short = waiting.owner != 0 && waiting.owner == getpid();
    waiting.next_look = now + cleave_machine.look_seconds;
    /* Threads of this process that wait are among the runnable only if they spin. */
    const int own = is_first || is_short ? 1 : omp_get_max_threads();
    const int others = cleave_runnable() - own;
    if (others + omp_get_max_threads() > omp_get_num_procs()) {
        waiting.quiet = 0;
        cleave_waiting_short(1);
    } else if (is_short && ++waiting.quiet >= cleave_machine.quiet_looks) {
        waiting.quiet = 0;
        cleave_waiting_short(0);
    }
}
