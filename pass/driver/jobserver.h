/* jobserver.h: how many compilers may run at a time.
 *
 * One always may. Under `make -jN` each further one needs a token of make's jobserver, which the
 * environment variable MAKEFLAGS names: as a named pipe (--jobserver-auth=fifo:PATH) or as two
 * descriptors (R,W). Elsewhere as many as --cleave-jobs says or, unset, as there are processors.
 */
#ifndef CLEAVE_DRIVER_JOBSERVER_H
#define CLEAVE_DRIVER_JOBSERVER_H

#include <stdbool.h>

/* Reads MAKEFLAGS. most: of --cleave-jobs; 0: as many as there are processors. To be called before
 * the others; without it, one job runs at a time. */
void jobserver_open(int most);

/* Room for one more compiler beside `running` others: true where none runs. False: ask again when
 * one has ended, or later. */
bool jobserver_take(int running);

/* Gives tokens back until they are as many as `running` compilers need. */
void jobserver_keep(int running);

/* Waits until a token may be there, or for the milliseconds. */
void jobserver_wait(int milliseconds);

/* Whether make runs other jobs beside this one. */
bool jobserver_is_shared(void);

#endif
