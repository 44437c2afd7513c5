/* jobserver.h: decides how many compilers may run at a time.
 *
 * One compiler may always run. Under `make -jN` each further one needs a token of make's jobserver,
 * which the environment variable MAKEFLAGS names: as a named pipe (--jobserver-auth=fifo:PATH) or
 * as two descriptors (R,W). Without make the limit is --cleave-jobs or, if unset, the number of
 * processors. */
#ifndef CLEAVE_DRIVER_JOBSERVER_H
#define CLEAVE_DRIVER_JOBSERVER_H

#include <stdbool.h>

/* Reads MAKEFLAGS. most: of --cleave-jobs; 0: as many as there are processors. To be called before
 * the others; without it, one job runs at a time. */
void jobserver_open(int most);

/* Whether one more compiler may start beside `running` others; always true if none runs. False: ask
 * again later, or when one has ended. */
bool jobserver_take(int running);

/* Gives back the tokens that `running` compilers do not need. */
void jobserver_keep(int running);

/* Waits until a token may be available, or for the given milliseconds. */
void jobserver_wait(int milliseconds);

/* Whether make runs other jobs beside this one. */
bool jobserver_is_shared(void);

#endif
