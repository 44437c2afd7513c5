/* target.h: the machine that variants run on, as the runtime's core uses it: memory, transfers, waiting.
 *
 * The host is a target whose memory is the host's. The CUDA target lives in runtime/cuda/ and makes
 * itself known through target_provide(); nothing in the core names CUDA. All functions are called from
 * one host thread. int functions return 0, or -1 with the cause in last_error().
 */
#ifndef CLEAVE_TARGET_H
#define CLEAVE_TARGET_H

#include "cleave_gen.h"

struct target_ops {
    enum cleave_target target;
    /* Makes the target ready; called once, before any other. -1: not usable on this machine (no
     * device, no driver), cause in last_error(). */
    int (*start)(void);
    void (*stop)(void);
    const char *(*device)(void);       /* name of the device, after start */
    size_t (*shared_limit)(void);      /* bytes of dynamic shared memory that one block may use */
    void *(*alloc)(size_t bytes);      /* NULL when there is not enough; bytes > 0 */
    void (*release)(void *memory);     /* waits for launches that use it; NULL is legal */
    size_t (*available)(void);         /* free bytes now, for the out-of-memory message */
    int (*upload)(void *to, const void *from, size_t bytes);   /* host to target; from may be reused */
    int (*download)(void *to, const void *from, size_t bytes); /* target to host; waits for launches */
    int (*wait)(void);                 /* until all launches have ended */
    /* Called right after a variant's run: -1 if the launch or an earlier one failed. Never waits. */
    int (*launched)(void);
    const char *(*last_error)(void);   /* text of the last failure, never NULL */
    void *(*stream)(void);             /* for cleave_launch; NULL where there is none */
    /* Times launches without waiting: mark before and after; elapsed waits for the second mark and
     * gives seconds. `slot` is 0 or 1. */
    void (*mark)(int slot);
    double (*elapsed)(void);
};

/* Makes a target known; called before main by whichever object brings it. */
void target_provide(const struct target_ops *ops);

#endif
