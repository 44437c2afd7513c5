/* machine.h: the compile-time figures of devices: what their hardware has, how fast it is, and the
 * limits between two ways to write a loop that were found by measuring.
 *
 * Every constant of the splitter and of codegen/ whose best value depends on the device stands
 * here; machine.c has the values, and where each comes from. Figures for running programs are in
 * runtime/base/machine.h.
 */
#ifndef CLEAVE_IR_MACHINE_H
#define CLEAVE_IR_MACHINE_H

#include <stddef.h>

/* Kinds of devices, one row each. */
enum machine_kind {
    MACHINE_GPU, /* the GPU that CUDA text is written for */
    MACHINE_KINDS
};

struct machine {
    const char *name; /* of the device that was measured */

    /* Hardware. */
    double processors;         /* streaming multiprocessors */
    double shared_bytes;       /* shared memory per multiprocessor */
    double registers;          /* of 32 bits, per multiprocessor */
    double threads;            /* resident per multiprocessor, at most */
    int block_threads;         /* threads of the largest block */
    size_t block_shared_bytes; /* shared memory of one block, at most */

    /* Rates, in bytes or operations per ns, of the whole device. */
    double memory_rate; /* device memory, reads and writes together */
    double l2_rate;
    double shared_rate; /* shared memory */
    double flop_rate;   /* instructions in double precision */

    /* Latencies, in ns. */
    double trip_latency;    /* one trip through memory under load, with a barrier */
    double barrier_latency; /* a barrier between two colours of a block */
    double flop_latency;    /* one flop of a dependence chain */
    double add_latency;     /* one addition to shared memory */

    /* Registers of a thread. */
    int base_registers; /* for addresses, indices and temporaries */
    size_t held_bytes;  /* of records that a kernel called whole keeps in registers, at most */
    size_t row_bytes;   /* of them, those that warps move for it, at most */
    size_t coalesced_record_bytes; /* of a record that each thread may move by itself, at most */
    int record_parts;     /* instructions by which a thread may store a record by itself, at most */
    size_t fetched_bytes; /* that a thread of a block of points fetches for its next element */
    size_t batch_bytes;   /* of records that a point loads for several elements at once, at most */
    size_t ahead_bytes;   /* of own records that a thread loads before its block has staged */
    double capped_flops;  /* per element, up to which kernels get a register cap */
    double spilling_flops; /* from which on the cap may spill, so that both are compiled */
    int joined_registers;  /* of a joined loop of which two members are not light, at most */
    int light_registers;   /* of a light loop, at most */
    size_t four_bytes;     /* staged per point, up to which four blocks of points are resident */

    /* Which way. */
    double recomputed_flops;  /* per element, up to which points recompute contributions */
    int recomputed_per_value; /* flops per value, up to which owners beat ordered sums */
    double added_flops;     /* of all of an element's points, per component, up to which owners beat
                               any other way */
    int many_components;    /* updated per point, from which owners in blocks beat any other way */
    int in_place_flops;     /* per component, above which blocks lose to global colours */
    size_t little_bytes;    /* read per element, up to which staging does not pay */
    double extra_component; /* cost of one more component per staged point, in multiplications */
    double long_bytes;      /* moved per element, from which a few blocks saturate memory */
    size_t short_bytes;     /* read per element, up to which a thread reads several at once */
};

extern const struct machine machines[MACHINE_KINDS];

#endif
