/* model.h: predicts how long a call takes in a variant, from what the compiler counted in its
 * graph, the plan, and measured rates of the machine. README.md explains the formulas. */
#ifndef CLEAVE_MODEL_H
#define CLEAVE_MODEL_H

#include "runtime/base/machine.h"
#include "runtime/choose/choose.h"
#include "runtime/store/store.h"

/* ---- rates.c -------------------------------------------------------------------------------- */

/* Rates of the device that runs loops, else of the host: those that were measured on it, else those
 * of the machine that cleave was tuned on (runtime/base/machine.c). Never NULL; valid until
 * cleave_rates_forget(). */
const struct cleave_rates *cleave_rates(void);
/* Rates of the host, whether or not there is a device; otherwise as above. */
const struct cleave_rates *cleave_rates_of_host(void);
/* 1: cleave_rates() were measured on this machine, in this run or in an earlier one. */
int cleave_rates_are_measured(void);
/* Measures cleave_rates() if that has not been done, and keeps them for later runs. No loop may run
 * meanwhile. Returns the seconds that it took; 0: nothing was measured. */
double cleave_rates_measure(void);
/* Call when another device is used, or none. */
void cleave_rates_forget(void);
/* At op_exit, after all loops: measures for the next run if this one has predicted times and was so
 * long that measuring takes less than a tenth of it. */
void cleave_rates_end(void);
/* The key in the store of the device's rates, NULL: of the host's for the present number of
 * threads; their content is a struct cleave_rates. */
struct store_key cleave_rates_key(const struct target_ops *device);

/* ---- host.c --------------------------------------------------------------------------------- */

/* Bytes per second that all threads of the host read and write when they copy `bytes`, a multiple
 * of 64, in the best of so many copies; 0: there is no memory for it. */
double cleave_host_copy_rate(size_t bytes, int copies);

/* Measures the host with as many threads as loops have. Takes some 0.1 s. 0: *rates is set; -1:
 * there is not enough memory. */
int cleave_host_calibrate(struct cleave_rates *rates);

/* ---- load.c --------------------------------------------------------------------------------- */

/* The load that one call in one variant puts on the machine, in total. */
struct cleave_load {
    int on_device;      /* 0: what is said of a device does not apply, and is 0 */
    int lane_bytes;     /* host: of registers that hold several elements; 0: one at a time */
    double memory;      /* bytes from and to memory, each record once */
    double l2;          /* bytes between L2 and the multiprocessors, without additions; on the
                           host between the caches of a core and its registers */
    double apart;       /* bytes that each thread reads in place, from its own piece of memory; on
                           the host that are read or written through maps */
    double strided;     /* bytes of long records that threads read by themselves */
    double stored;      /* and write */
    double added;       /* values added in memory by atomic operations */
    double sectors;     /* that these touch, each counted once for each operation of a warp */
    double added_bytes; /* of one of these values */
    double in_double;   /* operations in double precision, in additions */
    double in_float;    /* in single precision */
    double shared;      /* bytes into and out of shared memory */
    double summed;      /* values that points sum up from there */
    double components;  /* how many of these a thread sums up at a time */
    double shared_atomics; /* atomic additions in shared memory */
    double reduced;        /* values joined into globals, by each thread */
    double waits;          /* latencies of memory, summed over all threads */
    double visits;      /* of points that gather to their elements, with those of lanes that wait */
    double barriers;    /* summed over all threads */
    double turns;       /* colours that threads wait for, summed over all threads */
    double turn_values; /* values that are added meanwhile, by one element after the other */
    double spilled;     /* bytes of local memory, written and read */
    double resident;    /* threads that a multiprocessor holds at once */
    double blocks;      /* of the largest kernel, and */
    double threads;     /* all threads of the largest kernel; on the host elements */
    double launches;    /* kernels; on the host meetings of all threads */
};

/* Finds what the call takes with this choice: variant, unit, loop, target, device, block_size,
 * shared_bytes and, if it is made already, plan. Returns 0 if the compiler left no count. Requires
 * the state of dats held. */
int cleave_load_of(const struct cleave_call *call, const struct cleave_choice *choice,
                   struct cleave_load *load);

/* 1: the load was found; 0: it is all 0. */
static inline int cleave_load_is_known(const struct cleave_load *load)
{
    return load->memory > 0.0;
}

/* ---- additions.c ---------------------------------------------------------------------------- */

/* Values that a call adds in memory, by the way in which they get there. */
struct cleave_added {
    double by_lane;  /* each lane to its own record */
    double by_warp;  /* consecutive lanes to consecutive values of records */
    double joined;   /* part of these that is left after neighbouring lanes are joined, 0..1 */
    double by_block; /* once for each point that a block lists */
};
/* Sets added, sectors and added_bytes of the load. Requires the state of dats held. */
void cleave_load_additions(const struct cleave_call *call, const struct cleave_choice *choice,
                           const struct cleave_added *added, struct cleave_load *load);

/* ---- predict.c ------------------------------------------------------------------------------ */

/* The parts of a machine that may limit a loop. */
enum cleave_limit {
#define CLEAVE_LIMIT(name, word) CLEAVE_LIMIT_##name,
#include "runtime/model/limits.def"
    CLEAVE_LIMITS
};
const char *cleave_limit_word(enum cleave_limit limit);

/* Seconds that each part alone would need, and the one that needs most. */
struct cleave_limits {
    double seconds[CLEAVE_LIMITS];
    enum cleave_limit most;
};

/* Predicted seconds of a call with this load, which is known. why: may be NULL. */
double cleave_load_seconds(const struct cleave_load *load, const struct cleave_rates *rates,
                           struct cleave_limits *why);

/* The rates of the machine that the load is put on. */
const struct cleave_rates *cleave_rates_for(const struct cleave_load *load);

/* Predicted seconds of the call with this choice (cleave_load_of), by cleave_rates_for(); 0:
 * unknown. why: may be NULL. */
double cleave_predict(const struct cleave_call *call, const struct cleave_choice *choice,
                      struct cleave_limits *why);
/* For cleave_choose_by(): predicted seconds, with those that it takes to store zeros which the
 * variant needs in memory (CLEAVE_RECORD_EXPECTS). */
double cleave_expected_seconds(const struct cleave_call *call, const struct cleave_choice *choice);

/* ---- sample.c ------------------------------------------------------------------------------- */

/* Distinct points that `window` consecutive elements name through a list of the loop, on average,
 * of windows evenly spread over the set, by the number of elements of the window: 0..columns. */
double cleave_sample_points(const struct cleave_call *call, const struct cleave_list *list,
                            int window);
/* How an operation touches records of points, for counts of the sectors of L2 that it touches. */
struct cleave_touch {
    int record;   /* bytes from one record to the next */
    int touched;  /* bytes at the beginning of each record that the operation touches */
    int window;   /* consecutive elements whose records one operation touches */
    int together; /* 1: through all columns at once; 0: through each column by itself */
};
/* Distinct sectors that an operation touches, per element, and, unless together, per column: above
 * 0, on average over windows spread over the set. */
double cleave_sample_sectors(const struct cleave_call *call, const struct cleave_list *list,
                             const struct cleave_touch *touch);
/* The share of the elements' (element, column) pairs that name another point than the element
 * before them does through that column, 0..1. */
double cleave_sample_changes(const struct cleave_call *call, const struct cleave_list *list);

#endif
