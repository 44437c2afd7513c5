/* jobserver.c: tokens of GNU make's jobserver. See jobserver.h. */
#include "pass/driver/jobserver.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pass/driver/environment.h"

enum { MOST_TOKENS = 16 };

static struct {
    int from; /* descriptor that tokens are read from, without waiting; -1: no jobserver */
    int to;
    int most; /* compilers at a time */
    bool shared;
    int held;
    char token[MOST_TOKENS]; /* the tokens held: each must be given back unchanged */
} server = {.from = -1, .to = -1, .most = 1};

static int processors(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* The value of the last `option` in the text, up to a blank; false if there is none. */
static bool last_value(const char *text, const char *option, char *value, size_t size)
{
    const char *last = NULL;

    for (const char *found = text; (found = strstr(found, option)) != NULL; found++) {
        last = found + strlen(option);
    }
    if (last == NULL) {
        return false;
    }
    snprintf(value, size, "%.*s", (int)strcspn(last, " \t"), last);
    return true;
}

/* Opens the pipe again: its end may be shared with make, which does not expect it to be
 * non-blocking. */
static int open_anew(int descriptor, int flags)
{
    char path[64];

    if (fcntl(descriptor, F_GETFD) < 0) {
        return -1; /* make before 4.4 closes it for all but $(MAKE) and lines that begin with + */
    }
    snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
    return open(path, flags | O_CLOEXEC);
}

static void open_server(const char *value)
{
    int from;
    int to;

    if (strncmp(value, "fifo:", strlen("fifo:")) == 0) {
        server.from = open(value + strlen("fifo:"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        server.to = open(value + strlen("fifo:"), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    } else if (sscanf(value, "%d,%d", &from, &to) == 2) {
        server.from = open_anew(from, O_RDONLY | O_NONBLOCK);
        server.to = open_anew(to, O_WRONLY);
    }
    if (server.from < 0 || server.to < 0) {
        server.from = -1; /* the jobs are make's, and no more can be asked for */
        server.most = 1;
    }
}

/* N of "-jN" among make's flags, for use when make has no jobserver; 0: no such flag. */
static int jobs_of_make(const char *flags)
{
    char value[16];

    return last_value(flags, "-j", value, sizeof(value)) ? atoi(value) : 0;
}

void jobserver_open(int most)
{
    const char *flags = variable_text(VARIABLE_MAKEFLAGS);
    char value[4096];

    server.most = most > 0 ? most : processors();
    if (flags == NULL) {
        return;
    }
    server.shared = last_value(flags, "--jobserver-auth=", value, sizeof(value)) ||
                    last_value(flags, "--jobserver-fds=", value, sizeof(value));
    if (server.shared) {
        open_server(value);
    } else if (jobs_of_make(flags) > 0 && jobs_of_make(flags) < server.most) {
        server.most = jobs_of_make(flags);
    }
}

bool jobserver_take(int running)
{
    if (running == 0) {
        return true;
    }
    if (running >= server.most || (server.from >= 0 && server.held == MOST_TOKENS)) {
        return false;
    }
    if (server.from < 0) {
        return true;
    }
    if (read(server.from, &server.token[server.held], 1) != 1) {
        return false;
    }
    server.held++;
    return true;
}

void jobserver_keep(int running)
{
    while (server.held > 0 && server.held > running - 1) {
        server.held--;
        while (write(server.to, &server.token[server.held], 1) == 0) {
        }
    }
}

void jobserver_wait(int milliseconds)
{
    struct pollfd token = {.fd = server.from, .events = POLLIN};

    poll(&token, 1, milliseconds); /* a negative descriptor only takes the time */
}

bool jobserver_is_shared(void)
{
    return server.shared;
}
