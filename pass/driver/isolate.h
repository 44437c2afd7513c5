/* isolate.h: a process of its own for reading one source.
 *
 * libclang and the analysis recurse as deeply as the source nests, and libclang is not ours: a
 * crash there must cost a file its parallel loops, never the run its objects or its temporary
 * files. So the parent keeps files and compilers, and a child reads the source, on a large stack,
 * and writes the generated texts when it is asked to.
 */
#ifndef CLEAVE_DRIVER_ISOLATE_H
#define CLEAVE_DRIVER_ISOLATE_H

#include "pass/driver/driver.h"

/* Forks the child of this unit, which calls `serve` on a large stack and then ends. Returns 0, or
 * -1 after saying why there is none. unit->channel is the parent's end of the socket. */
int isolate_start(struct driver *driver, struct unit *unit,
                  void (*serve)(struct driver *driver, struct unit *unit, int channel));

/* One message of at most ISOLATE_MESSAGE bytes to the other side, or from it: its size, -1 when the
 * other side is gone. */
enum { ISOLATE_MESSAGE = 8192 };
long isolate_send(int channel, const void *message, size_t size);
long isolate_receive(int channel, void *message, size_t capacity);

/* Ends the child of the unit, if there is one. Returns 0, or 1 after saying that it ended badly,
 * for instance with a sanitizer's report. */
int isolate_end(struct unit *unit);

/* The child has ended before its time: a warning that says how, and what becomes of the loops. */
void isolate_report(struct unit *unit);

#endif
