/* target.h: the interface between the runtime's core and the machine that runs variants: memory,
 * transfers, waiting.
 *
 * The host has none of these: where a `struct target_ops *` is NULL, loops run in the host's
 * memory. The CUDA target lives in runtime/cuda/ and makes itself known through target_provide().
 * One thread at a time calls these functions (cleave_dats_hold). int functions return 0, or -1 with
 * the cause in last_error().
 *
 * Launches and transfers happen in the order in which they were asked for. Only download, wait and
 * elapsed wait until all of them have ended; wait_done may return earlier.
 */
#ifndef CLEAVE_TARGET_H
#define CLEAVE_TARGET_H

#include "cleave_gen.h"

/* Data on the host for a transfer: `count` records of `bytes` bytes each, in the order of the
 * target's copy. */
struct target_records {
    size_t bytes; /* at least 1 */
    size_t count;
    /* Moves records first..first+count-1 to `piece` (upload) or from there (download), where they
     * are contiguous. */
    void (*move)(const struct target_records *records, void *piece, size_t first, size_t count);
    void *memory;     /* for `move`: the records on the host, borrowed */
    const int *index; /* for `move`: [count] position of each record in `memory`; NULL: in order */
};

/* Slots for time marks: 0..TARGET_MARKS-1. The runtime times calls with the first TARGET_OWN_MARKS;
 * the next two belong to a benchmark, and the others to trials of groups (exec/group_round.c). */
enum {
    TARGET_OWN_MARKS = 128,
    TARGET_ROUND_MARKS = 32,
    TARGET_MARKS = TARGET_OWN_MARKS + 2 + TARGET_ROUND_MARKS
};

/* Device resources of one kernel. */
struct target_kernel {
    int registers;        /* per thread */
    int local_bytes;      /* local memory per thread: arrays and spilled registers */
    int shared_bytes;     /* static shared memory per block */
    int resident_threads; /* threads that one multiprocessor holds at once */
};

/* The device itself, for reports; 0 and "" where it does not say. */
struct target_properties {
    char capability[16]; /* "9.0" */
    int multiprocessors;
    size_t memory_bytes;
    size_t l2_bytes;
    int clock;        /* kHz */
    int memory_clock; /* kHz */
    /* Each multiprocessor has: */
    size_t shared_bytes;
    int registers; /* of 32 bits */
    int threads;   /* that it holds at once, at most */
};

struct cleave_rates;

struct target_ops {
    enum cleave_target target;
    int lanes; /* threads of a warp, 1..CLEAVE_MAX_LANES; the layout of plans depends on it */
    /* 1: seconds between marks do not tell which launch is faster on a device, as on an emulator:
     * loops are not tuned by default. */
    int untimed;
    /* Begins, on a thread of its own, what start() then waits for, and after that what the first
     * transfers and launches of these kernels (cleave_variant.kernel) need, for which nothing has
     * to wait. kernel: [kernels] likely ones first; copied. NULL: start() does all. */
    void (*prepare)(const void *const *kernel, int kernels);
    /* 1: transfers need not wait for what prepare() has begun. NULL: they never do. */
    int (*is_prepared)(void);
    /* Makes the target ready; called once, before any other but prepare. -1: not usable on this
     * machine (no device, no driver), cause in last_error(). */
    int (*start)(void);
    void (*stop)(void);
    const char *(*device)(void);  /* name of the device, after start */
    size_t (*shared_limit)(void); /* bytes of dynamic shared memory that one block may use */
    /* After start. NULL: nothing is known. */
    void (*properties)(struct target_properties *properties);
    /* Returns the most threads that a block of a kernel (cleave_variant.kernel) may have, which its
     * registers decide; 0: unknown. NULL: always unknown. */
    int (*most_threads)(const void *kernel);
    /* Finds the resources of a kernel that is launched in blocks of so many threads, with so many
     * bytes of dynamic shared memory; all 0 if they are unknown. NULL: always unknown. */
    void (*kernel_takes)(const void *kernel, int threads, size_t shared_bytes,
                         struct target_kernel *takes);
    /* Measures the rates of the device (machine.h), in less than a second, with nothing else
     * running; needs 512 MB of memory. -1: failed. NULL: it cannot be measured. */
    int (*calibrate)(struct cleave_rates *rates);
    void *(*alloc)(size_t bytes);            /* NULL when there is not enough; bytes > 0 */
    void (*release)(void *memory);           /* frees it after the launches so far; NULL is legal */
    int (*zero)(void *memory, size_t bytes); /* starts to fill it with zeros */
    /* Starts to copy from target memory to target memory. */
    int (*copy)(void *to, const void *from, size_t bytes);
    size_t (*available)(void); /* free bytes now, for the out-of-memory message */
    /* Host memory that launches can write; the host sees their values after wait(). NULL when there
     * is not enough. */
    void *(*alloc_host)(size_t bytes);
    void (*release_host)(void *memory); /* frees it after the launches so far; NULL is legal */
    /* Copies to target memory: the records have been read when it returns. */
    int (*upload)(void *to, const struct target_records *from);
    /* Copies from target memory: the records have been written when it returns. */
    int (*download)(const struct target_records *to, const void *from);
    int (*wait)(void); /* until all launches have ended */
    /* Waits until a launch has written to *done, in memory of alloc_host, something other than 0:
     * looks at the memory, which takes less time than asking the driver. -1 also when all launches
     * have ended without that. NULL: the caller waits for all. */
    int (*wait_done)(const unsigned *done);
    /* Called right after a variant's run: -1 if the launch or an earlier one failed. Never waits.
     */
    int (*launched)(void);
    /* Launches that go to the stream which graph_begin returns (NULL: failed) do not run: graph_end
     * returns them as a graph (NULL: failed), which graph_launch starts in the order of other
     * launches, as often as wanted. graph_free releases it; it may still run. All four are NULL
     * where there are no graphs. Between begin and end, only launches are allowed. */
    void *(*graph_begin)(void);
    void *(*graph_end)(void);
    int (*graph_launch)(void *graph);
    void (*graph_free)(void *graph);
    /* Between begin and end: returns how many launches there are, and sets *latest to the last of
     * them, NULL if it has no name; -1: failed. NULL: launches of a graph never change. */
    int (*graph_captured)(void **latest);
    /* Sets *place to that launch of a graph for cleave_unit.change_graph. */
    void (*graph_place)(void *graph, void *launch, struct cleave_graph_launch *place);
    const char *(*last_error)(void); /* text of the last failure, never NULL */
    void *(*stream)(void);           /* for cleave_launch; NULL where there is none */
    /* Sets a time mark between two launches, without waiting. */
    int (*mark)(int slot);
    /* 1: the device has passed the mark, so that elapsed() does not wait for it. Never waits. NULL:
     * unknown. */
    int (*passed)(int slot);
    /* Waits for both marks; returns the seconds between them, negative on failure. */
    double (*elapsed)(int begin, int end);
    /* Names the launches that follow in a profiler, until a call with NULL. */
    void (*range)(const char *name);
};

/* Registers a target; the object that contains it calls this before main. `ops` is kept. */
void target_provide(const struct target_ops *ops);

#endif
