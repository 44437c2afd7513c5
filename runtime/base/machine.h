/* machine.h: measured tuning constants: every constant whose best value depends on the machine.
 * machine.c has the values and their origin. */
#ifndef CLEAVE_MACHINE_H
#define CLEAVE_MACHINE_H

#include <stddef.h>

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

    /* Order of the mesh (mesh/order.c). */
    int renumbered_elements; /* a primary set of fewer keeps the user's order */
    double
        far_reads; /* share of far reads above the least one, up to which the CPU keeps an order */
    double torn_points; /* share of torn points up to which the CPU keeps an order */
    size_t light_point; /* bytes of all dats of a point, up to which bands beat blocks */

    /* Vectors of loops in place: share of elements from which 8 consecutive ones modify different
     * points, from which on these loops run in lanes. */
    double least_distinct;

    /* Devices: which variant (choose/). */
    int large_host_set;       /* elements: from so many on, plans of the host have large blocks */
    int large_host_block;     /* elements of these blocks */
    int least_host_block;     /* elements of a block on the host, at least */
    int gather_block_size;    /* without plan, for loops that only move data */
    int reduction_block_size; /* without plan, for other loops */
    int transpose_block_size; /* without plan, if warps resolve races */
    double in_place_bytes;    /* bytes of a call in place, up to which global colours win */
    int many_points;          /* points of a set that is large for the next rule */
    int few_share; /* a call reaches few points if it has fewer elements than points / few_share */
    int spilled_bytes;     /* local memory of a thread from which on a cap on registers loses */
    int points_of_element; /* map dimension above which colours beat sums of points */
    /* Which loops are tuned (tune/). */
    int tuned_elements;          /* loops over fewer are not, unless CLEAVE_TUNE=full */
    double tuned_seconds_device; /* seconds of a call: loops that take less are not */
    double tuned_seconds_host;

    /* Launches as graphs (exec/graph.c). */
    int graph_seen;     /* times that a sequence of launches comes before it is made graphs */
    int graph_least;    /* launches of a graph, at least */
    int graph_ahead;    /* launches at the beginning of a sequence that no graph holds */
    int graph_first;    /* launches of the first graph of a sequence, if it has more */
    double graph_pause; /* seconds between two calls after which a sequence has ended */

    int copies_calls;  /* calls over which copies of dats are judged */
    int copies_remade; /* how many of these calls may remake copies */
};

extern const struct cleave_machine cleave_machine;

#endif
