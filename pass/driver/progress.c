/* progress.c: see progress.h. */
#include "pass/driver/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pass/driver/environment.h"
#include "pass/driver/jobserver.h"

enum { SILENT_SECONDS = 2, USUAL_COLUMNS = 80, LONGEST = 512 };

static int shown; /* seconds on the terminal; 0: none */

bool progress_is_wanted(void)
{
    const char *terminal = variable_text(VARIABLE_TERM);

    return isatty(STDERR_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0 &&
           !jobserver_is_shared();
}

/* A line that is longer than the terminal is wide could not be erased as a whole. */
static int columns(void)
{
    struct winsize size;

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col
                                                                           : USUAL_COLUMNS;
}

void progress_show(const char *source, const char *what, double seconds)
{
    char line[LONGEST];

    if (seconds < SILENT_SECONDS || (int)seconds == shown) {
        return;
    }
    shown = (int)seconds;
    snprintf(line, sizeof(line), "cleavecc: %s: %s, %d s", source, what, shown);
    fprintf(stderr, "\r%.*s", columns() - 1, line);
    fflush(stderr);
}

void progress_erase(void)
{
    if (shown > 0) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        shown = 0;
    }
}
