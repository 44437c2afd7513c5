/* cleave_cost.h: what a variant takes of the machine: the part of cleave_gen.h that runtime/model/
 * predicts times from. cleave_gen.h includes it; nobody else has to.
 */
#ifndef CLEAVE_COST_H
#define CLEAVE_COST_H

/* The compiler counts operations and bytes of a variant; the runtime multiplies them with the sizes
 * of the mesh and the plan (runtime/model/). Counts are per element unless a member says
 * otherwise; work that a variant repeats counts each time. A *visit* is one of a point that gathers
 * to one of its elements. */
struct cleave_operations {
    int simple;    /* additions and multiplications */
    int divisions; /* and roots */
    int functions; /* other functions of libm */
};
/* The part that goes through one map; one for each cleave_loop.list, in its order. */
struct cleave_cost_list {
    int staged; /* bytes of each point of a block that are copied to shared memory, in all stages */
    int read;   /* bytes that are read or written in place, straight from memory */
    int records;  /* how many pieces of records, each contiguous in memory, these are */
    int added;    /* values that a block adds to each of its points in memory, after it has summed
                     up those of its elements */
    int stored;   /* bytes of each point of a block that are written to memory and read again */
    int lists;    /* bytes of the plan's lists for each point of a block */
    int gathered; /* bytes that a point which gathers reads and writes of its own records, if it
                     does so, too, when no element names it */
};
struct cleave_cost {
    struct cleave_operations in_double;
    struct cleave_operations in_float;
    int visits;    /* of points to an element; 0: the body runs once for each element */
    int own;       /* bytes of the element's own records */
    int own_apart; /* part of these that neighbouring threads do not find side by side */
    /* Part of them in records so long that those of neighbouring threads are far apart, and that
     * each thread moves by itself: bytes that it reads, and that it writes. */
    int own_strided;
    int own_stored;
    int lists;          /* bytes of the plan's lists and of maps */
    int tmp;            /* bytes of contributions that go to memory and come from there */
    int tmp_apart;      /* part of these that neighbouring threads do not find side by side */
    int shared;         /* bytes that go into shared memory or come from there */
    int summed;         /* values that points of a block sum up from shared memory */
    int shared_atomics; /* values that are added in shared memory by atomic additions */
    int scattered;      /* values that a thread adds in memory, each thread to its own record */
    int coalesced;   /* values that warps add in memory, consecutive lanes to consecutive values */
    int lone;        /* part of these in records of one value */
    int reduced;     /* values that are joined into globals */
    int joins;       /* 1: coalesced values of neighbouring lanes for one point are joined first */
    int added_bytes; /* of a value that is added in memory, the largest */
    int turns;       /* values that elements of a block add one colour after the other */
    int trips;       /* latencies of memory that a thread waits for, one after another */
    int visit_trips; /* besides, in each visit */
    int barriers;    /* of a block */
    int kernels;     /* that are launched, for each colour if there are colours */
    const struct cleave_cost_list *list; /* NULL: the loop has none */
};

#endif
