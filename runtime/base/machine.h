/* machine.h: measured tuning constants: every constant whose best value depends on the machine.
 * machine.c has the values and their origin. */
#ifndef CLEAVE_MACHINE_H
#define CLEAVE_MACHINE_H

#include <stddef.h>

/* How fast a machine is, all of it together. */
struct cleave_rates {
    double copy;            /* bytes per second: of memory, read and written */
    double l2;              /* bytes per second: between L2 and the multiprocessors */
    double shared;          /* bytes per second: of shared memory */
    double in_double;       /* operations per second in double precision: additions */
    double in_float;        /* operations per second in single precision */
    double coalesced;       /* values added in memory per second, by consecutive lanes */
    double scattered;       /* the same, each lane to its own record */
    double latency;         /* seconds that a thread waits for memory under load */
    double launch;          /* seconds from one kernel to the next in the stream */
    double wait;            /* seconds until the host knows that a kernel has ended */
    double cached_bytes;    /* size of L2, or of the last cache of the host */
    double multiprocessors; /* the host: threads */
};

/* Costs of operations, in additions. */
struct cleave_weights {
    double division; /* or root */
    double function; /* of libm */
};

/* How loops use a machine: found by fitting the model to measured times. A time is the amount by
 * the rate, times the factor. */
struct cleave_slack {
    double memory;          /* bytes of memory */
    double cached;          /* bytes of memory that are still in L2, relative to its size */
    double l2;              /* bytes of L2 */
    double spilled;         /* of local memory, relative to those */
    double stored;          /* of long records that threads write by themselves, likewise */
    double added;           /* additions */
    double float_addition;  /* of 4 bytes, relative to one of 8 */
    double operation;       /* a multiplication and an addition are one instruction */
    double shared;          /* bytes of shared memory */
    double summed;          /* values that points sum up, as 8 bytes */
    double summed_by_many;  /* the same, if a thread sums up 4 components or more at a time */
    double shared_atomic;   /* an atomic addition in shared memory, likewise */
    double apart;           /* bytes in place, by the rate of shared memory */
    double strided;         /* bytes of long records that threads read by themselves, likewise */
    double reduced;         /* values that a thread joins into globals, as bytes likewise */
    double block;           /* latencies: of the start of a block on its multiprocessor, */
    double trip;            /* of a trip to memory, with other threads at work, */
    double visit;           /* of a visit to an element, */
    double barrier;         /* of a barrier, */
    double turn;            /* of the turn of a colour, */
    double turn_value;      /* of a value that is added in it, */
    double operation_wait;  /* of an operation; */
    double alone;           /* of a trip or a visit without other threads, */
    double operation_alone; /* of an operation, */
    double last;            /* of the last block for each result that it joins */
    double launch;          /* launches */
    double power;           /* how far parts of a machine work at once: 1 not at all, large fully */
};

/* Seconds that launches take with and without graphs (exec/graph_gain.c). */
struct cleave_graph_costs {
    double launch;      /* of the host, for a call that is launched by itself */
    double call;        /* of the host, for a call that waits for its graph */
    double start;       /* of the host, for a graph */
    double gap;         /* of the device, before a graph: more than before a launch */
    double overhead;    /* in the time that the device tells of one launch */
    double least;       /* of the device, for any launch */
    double make;        /* of the host, once for a graph */
    double make_launch; /* of the host, once for each launch in it */
};

/* Terms of the model of a CPU, as above those of a GPU. */
struct cleave_host_slack {
    double memory;    /* bytes of memory */
    double cached;    /* part of the last cache that still holds data of the call before */
    double caches;    /* bytes between a core and its caches */
    double gathered;  /* operations that take as long as one byte through a map */
    double operation; /* of one element at a time */
    double lane;      /* gain of each further element in a register, in elements */
    double power;     /* how far parts of a core work at once */
};

struct cleave_machine {
    /* The host: how many threads run a loop (choose/pace.c, mesh/planning.c). */
    int measured_elements; /* elements: loops over more run on all threads without being measured */
    double few_seconds;    /* seconds on one thread: loops that take less never start a region */
    double patience;       /* share of a loop's time that futile trials of all threads may cost */
    int calls_between;     /* calls between two measurements of a short loop */
    int calls_when_busy;   /* calls between two looks at the load */
    double look_seconds; /* seconds between two looks at what other processes do (base/waiting.c) */
    int quiet_looks;     /* looks that find the machine quiet before threads spin again */
    int most_sleepers;   /* threads of the team that sleeps, at most */
    size_t least_mapped; /* bytes of a dat that get pages of their own (mesh/pages.c) */

    /* Loops that run tile by tile (exec/tiled_trial.c). */
    double tile_bytes;    /* that the loops move in a tile */
    double tiled_bytes;   /* that they move in all, at least: fewer stay in the caches anyway */
    double tile_visit;    /* seconds that a schedule takes for a point of an element */
    double tile_patience; /* a schedule is made when its loops have taken so many times as long */
    double tile_gain;     /* of the time without tiles, up to which tiles are used */

    /* Order of the mesh (mesh/order.c). */
    int renumbered_elements; /* a primary set of fewer keeps the user's order */
    double
        far_reads; /* share of far reads above the least one, up to which the CPU keeps an order */
    double torn_points; /* share of torn points up to which the CPU keeps an order */
    double kept_lines;  /* of planner_coalescing(), up to which a device keeps an order */
    double
        scattered_lines; /* likewise, from which on it gets a first order while another is made */
    int first_plans;     /* calls of loops for whose plans the making of an order waits, where
                            loops are fast in the program's */
    int copy_threads;    /* of the program's thread, at most, where there is a device */
    double minor_map;    /* share of all entries, below which a map does not count for that */
    /* Trials of an order that was made while loops ran (exec/order_trial.c). */
    double trial_ratio;   /* of the loops' time in the order to that before, up to which it stays */
    double trial_seconds; /* of a window, at least */
    double trial_share;   /* of the first window that the second one lasts, at least */
    double trial_apart;   /* shares of loops by which the windows may differ, in sum */
    double trial_patience; /* seconds from the adoption to the end of the trial, at most */
    /* Orders that are made while loops run on a device (mesh/background.c). */
    double transfer_rate; /* bytes per second between host and device */
    double order_gain;    /* share of the loops' time that an order is expected to save */

    size_t heavy_point; /* bytes of all dats of a point, above which loops that gather in blocks
                           want an order of the runtime's */
    size_t light_point; /* bytes of all dats of a point, up to which bands beat blocks */

    /* Vectors of loops in place: share of elements from which 8 consecutive ones modify different
     * points, from which on these loops run in lanes. */
    double least_distinct;

    /* Devices: which variant (choose/). */
    int large_host_set;       /* elements: from so many on, plans of the host have large blocks */
    int large_host_block;     /* elements of these blocks */
    int least_host_block;     /* elements of a block on the host, at least */
    int gather_block_size;    /* without plan, for loops that only move data */
    int map_block_size;       /* likewise, for those that read through maps */
    int small_block_size;     /* the same, if more threads fit a multiprocessor then */
    int reduction_block_size; /* without plan, for other loops */
    double many_reduced;  /* elements: from so many on, if they are light, loops that reduce have
                             large blocks, too */
    double light_reduced; /* bytes per element, below which they are light */
    int transpose_block_size; /* without plan, if warps resolve races */
    double light_element;     /* bytes per element, below which these blocks are large, too */
    double in_place_bytes;    /* bytes of a call in place, up to which global colours win */
    double zeros_bytes;   /* bytes of a call, from which on the model decides whether points gather
                             because they need not read zeros, */
    double zeros_tie;     /* and up to this share of what others take they do */
    double in_place_uses; /* elements of a point, likewise, if elements modify one point each */
    int many_columns; /* points that an element modifies, from which on the model decides between
                         gathers and whole warps, not how many elements share a point */
    double many_uses; /* elements that modify one point, from which on blocks that gather win */
    double most_uses; /* of one point, above which points do not compute for their elements */
    int modelled_elements; /* of sets that are large enough for that */
    int many_points;       /* points of a set that is large for the next rule */
    int few_share; /* a call reaches few points if it has fewer elements than points / few_share */
    int spilled_bytes;     /* local memory of a thread from which on a cap on registers loses, */
    int spilled_by_points; /* and where points gather, which spill once for each of their items */
    int points_of_element; /* map dimension above which colours beat sums of points */
    /* Which loops are tuned (tune/). */
    int tuned_elements_device; /* loops over fewer are not, unless CLEAVE_TUNE=full */
    int tuned_elements_host;
    double tuned_seconds_device; /* seconds of a call: loops that take less are not */
    double tuned_seconds_host;
    double short_seconds; /* of a call on the device, below which it is measured more often */
    int launches_ahead; /* of the device: a host that is further ahead waits for times of trials */
    double timed_seconds;     /* that it costs to time a launch on the device */
    double gathering_seconds; /* that the first call of a candidate takes to gather, without its
                                 plan */
    double copied_bytes_per_second; /* of plans, by the host for the device */
    double apart_seconds; /* and that a launch costs more by itself than in a graph, at most */

    /* Launches as graphs (exec/graph.c). */
    int graph_seen;     /* times that a sequence of launches comes before it is made graphs */
    int graph_least;    /* launches of a graph, at least */
    int graph_first;    /* launches of the first graph of a sequence, if it has more */
    double graph_pause; /* seconds between two calls after which a sequence has ended */
    struct cleave_graph_costs graph;

    int copies_calls;  /* calls over which copies of dats are judged */
    int copies_remade; /* how many of these calls may remake copies */

    /* The model (model/): rates of the machines that cleave was tuned on. */
    struct cleave_rates device_rates;
    struct cleave_rates host_rates;
    struct cleave_weights in_double;
    struct cleave_weights in_float;
    struct cleave_slack slack;
    struct cleave_host_slack host_slack;
};

extern const struct cleave_machine cleave_machine;

#endif
