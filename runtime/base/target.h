/* target.h: the machine that variants run on, as the runtime's core uses it: memory, transfers,
 * waiting.
 *
 * The host is a target whose memory is the host's. The CUDA target lives in runtime/cuda/ and makes
 * itself known through target_provide(); nothing in the core names CUDA. All functions are called
 * from one host thread. int functions return 0, or -1 with the cause in last_error().
 *
 * Launches and transfers happen in the order in which they were asked for. Nothing waits for them
 * but download, wait and elapsed.
 */
#ifndef CLEAVE_TARGET_H
#define CLEAVE_TARGET_H

#include "cleave_gen.h"

/* Data on the host as a transfer sees it: `count` records of `bytes` bytes each, in the order that
 * the target keeps them in. */
struct target_records {
    size_t bytes; /* at least 1 */
    size_t count;
    /* Moves records first..first+count-1 to `piece` (upload) or from there (download), where they
     * are contiguous. */
    void (*move)(const struct target_records *records, void *piece, size_t first, size_t count);
    void *memory;     /* for `move`: where they are */
    const int *index; /* for `move`: which of them each record is, or NULL */
};

/* Marks that can be set and not read yet: slots 0..TARGET_MARKS-1. The runtime times calls with all but
 * the two from TARGET_OWN_MARKS on, which are a benchmark's own. */
enum { TARGET_OWN_MARKS = 64, TARGET_MARKS = TARGET_OWN_MARKS + 2 };

/* Device resources of one kernel. */
struct target_kernel {
    int registers;        /* of a thread */
    int local_bytes;      /* of a thread: arrays in memory, and registers that were spilled there */
    int shared_bytes;     /* of a block, which the kernel itself declares */
    int resident_threads; /* that a multiprocessor holds at once */
};

struct target_ops {
    enum cleave_target target;
    int lanes; /* threads of a warp, 1..CLEAVE_MAX_LANES: plans lay out the items of points for them */
    /* Makes the target ready; called once, before any other. -1: not usable on this machine (no
     * device, no driver), cause in last_error(). */
    int (*start)(void);
    void (*stop)(void);
    const char *(*device)(void);   /* name of the device, after start */
    size_t (*shared_limit)(void);  /* bytes of dynamic shared memory that one block may use */
    /* Threads that one block of a kernel (cleave_variant.kernel) may have, which its registers decide;
     * 0: not known. NULL: never known. */
    int (*most_threads)(const void *kernel);
    /* Finds the resources of a kernel that is launched in blocks of so many threads, with so many
     * bytes of dynamic shared memory; all 0 if they are unknown. NULL: always unknown. */
    void (*kernel_takes)(const void *kernel, int threads, size_t shared_bytes,
                         struct target_kernel *takes);
    void *(*alloc)(size_t bytes);  /* NULL when there is not enough; bytes > 0 */
    void (*release)(void *memory); /* once the launches so far have ended; NULL is legal */
    int (*zero)(void *memory, size_t bytes); /* starts to set it to zeros */
    size_t (*available)(void);     /* free bytes now, for the out-of-memory message */
    /* Host memory that launches write, too: the host sees what they wrote after wait(). */
    void *(*alloc_host)(size_t bytes);
    void (*release_host)(void *memory); /* likewise */
    /* Copies to target memory: the records have been read when it returns. */
    int (*upload)(void *to, const struct target_records *from);
    /* From target memory: they have been written when it returns. */
    int (*download)(const struct target_records *to, const void *from);
    int (*wait)(void); /* until all launches have ended */
    /* Called right after a variant's run: -1 if the launch or an earlier one failed. Never waits.
     */
    int (*launched)(void);
    const char *(*last_error)(void); /* text of the last failure, never NULL */
    void *(*stream)(void);           /* for cleave_launch; NULL where there is none */
    /* Times launches without waiting: a mark before and one after. */
    int (*mark)(int slot);
    /* Waits for both marks, and gives the seconds between them; negative when that failed. */
    double (*elapsed)(int begin, int end);
    /* Names what follows to a profiler, until it is called with NULL. */
    void (*range)(const char *name);
};

/* Makes a target known; called before main by whichever object brings it. */
void target_provide(const struct target_ops *ops);

#endif
