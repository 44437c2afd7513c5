/* timeline.c: a child of fork() counts time though another thread of its parent was counting. */
#include "op_seq.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "runtime/base/timeline.h"

enum { FORKS = 100, SECONDS = 10 };

static atomic_int ends;

static void count(void)
{
    cleave_span_end(cleave_span_begin(CLEAVE_DOING_PLANS), 1);
}

static void *count_on(void *unused)
{
    while (!atomic_load(&ends)) {
        count();
    }
    return unused;
}

static int child_counts(void)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS); /* a child that waits for ever is killed */
        count();
        _exit(0);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int right = 0;
    op_init(argc, argv, 0);
    cleave_timeline_start();
    CHECK(pthread_create(&thread, NULL, count_on, NULL) == 0);
    while (right < FORKS && child_counts()) {
        right++;
    }
    CHECK(right == FORKS);
    atomic_store(&ends, 1);
    pthread_join(thread, NULL);
    op_exit();
    return CHECK_RESULT();
}
