/* isolate.c: starts and awaits the process that reads a source. See isolate.h. */
#include "pass/driver/isolate.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Stack sizes in bytes. Untouched pages take no memory: the larger size serves expressions of some
 * hundred thousand levels; a smaller one is tried if the address space is limited (ulimit -v). */
static const size_t largest_stack = (size_t)1 << 30;
static const size_t smallest_stack = (size_t)1 << 23;

struct service {
    struct driver *driver;
    struct unit *unit;
    int channel;
    void (*serve)(struct driver *driver, struct unit *unit, int channel);
};

static void *run_service(void *data)
{
    struct service *service = data;

    service->serve(service->driver, service->unit, service->channel);
    return NULL;
}

/* Memory for a stack whose lowest page cannot be touched, so that a stack that is too small ends
 * the process instead of writing into other memory. NULL where there is none. */
static void *map_stack(size_t *size)
{
    size_t guard = (size_t)sysconf(_SC_PAGESIZE);

    for (*size = largest_stack; *size >= smallest_stack; *size /= 2) {
        char *stack = mmap(NULL, *size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

        if (stack != MAP_FAILED && mprotect(stack, guard, PROT_NONE) == 0) {
            return stack;
        }
        if (stack != MAP_FAILED) {
            munmap(stack, *size);
        }
    }
    return NULL;
}

/* Without memory for a large stack the service runs on the one that it has. */
static void run_on_large_stack(struct service *service)
{
    size_t size;
    void *stack = map_stack(&size);
    pthread_attr_t attributes;
    pthread_t thread;
    bool started = false;

    if (stack != NULL && pthread_attr_init(&attributes) == 0) {
        started = pthread_attr_setstack(&attributes, stack, size) == 0 &&
                  pthread_create(&thread, &attributes, run_service, service) == 0;
        pthread_attr_destroy(&attributes);
    }
    if (started) {
        pthread_join(thread, NULL);
    } else {
        run_service(service);
    }
    if (stack != NULL) {
        munmap(stack, size);
    }
}

int isolate_start(struct driver *driver, struct unit *unit,
                  void (*serve)(struct driver *driver, struct unit *unit, int channel))
{
    int ends[2];

    fflush(NULL);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        fprintf(stderr, "cleavecc: error: cannot make a socket: %s\n", strerror(errno));
        return -1;
    }
    unit->channel = ends[0];
    unit->reader = fork();
    if (unit->reader == 0) {
        struct service service = {driver, unit, ends[1], serve};

        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
        run_on_large_stack(&service);
        exit(0);
    }
    close(ends[1]);
    if (unit->reader < 0) {
        fprintf(stderr, "cleavecc: error: cannot start a process: %s\n", strerror(errno));
        close(ends[0]);
        unit->reader = 0;
        return -1;
    }
    return 0;
}

long isolate_send(int channel, const void *message, size_t size)
{
    ssize_t sent;

    do {
        sent = send(channel, message, size, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)size ? (long)sent : -1;
}

long isolate_receive(int channel, void *message, size_t capacity)
{
    ssize_t size;

    do {
        size = recv(channel, message, capacity, 0);
    } while (size < 0 && errno == EINTR);
    return size > 0 ? (long)size : -1;
}

/* The child's status, as from waitpid(). If another call has already reaped the child, its status
 * counts as a kill: jobs_run() reaps any child that ends while compilers run. */
static int await(struct unit *unit)
{
    int status = SIGKILL;

    /* Also where a later child holds a copy of our end: the socket itself is shut. */
    shutdown(unit->channel, SHUT_RDWR);
    close(unit->channel);
    while (waitpid(unit->reader, &status, 0) < 0 && errno == EINTR) {
    }
    unit->reader = 0;
    return status;
}

static void say_end(const struct unit *unit, const char *kind, int status)
{
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "cleavecc: %s: %s: cleavecc crashed when it read this file (signal %d: %s)",
                kind, unit->source, WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        fprintf(stderr, "cleavecc: %s: %s: cleavecc ended early when it read this file (code %d)",
                kind, unit->source, WEXITSTATUS(status));
    }
}

int isolate_end(struct unit *unit)
{
    int status = unit->reader != 0 ? await(unit) : 0;

    if (status != 0) {
        say_end(unit, "error", status);
        fputs("; please report this\n", stderr);
    }
    return status != 0;
}

void isolate_report(struct unit *unit)
{
    say_end(unit, "warning", await(unit));
    fputs("; it is compiled without parallel loops: they run sequentially; please report this\n",
          stderr);
}
