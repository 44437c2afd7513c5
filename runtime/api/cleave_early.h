/* cleave_early.h: launches that start before the values of their globals are known: the part of
 * cleave_gen.h that the host and the device agree on. */
#ifndef CLEAVE_GEN_EARLY_H
#define CLEAVE_GEN_EARLY_H

/* CUDA: what a launch needs that starts before the values of its globals are known, and waits on
 * the device until the host tells them, or that it shall do nothing. Words have 8 bytes. Those of
 * the host are pairs, of a word and the same by exclusive or with CLEAVE_EARLY_KEY(number): a pair
 * that fits was written for this launch, and as a whole. */
struct cleave_early {
    /* [2 + 2*CLEAVE_EARLY_WORDS] host memory that kernels read: enum cleave_early_told, then the
     * values of the globals that the loop reads, in the order of the arguments, each from a
     * multiple of 16 bytes on. NULL: the values are known. */
    const unsigned long long *told;
    unsigned long long *heard;  /* in host memory: the launch writes 2*number + 1 when it has its
                                   values, 2*number when it does nothing */
    unsigned long long *passed; /* [1 + CLEAVE_EARLY_WORDS] target memory: *heard, and the values,
                                   for the other blocks */
    unsigned long long number;  /* of the launch, from 1 on */
};
enum { CLEAVE_EARLY_WORDS = 8 };
enum cleave_early_told { CLEAVE_EARLY_RUN = 1, CLEAVE_EARLY_NOTHING = 2 };
#define CLEAVE_EARLY_KEY(number) ((number) * 0x9e3779b97f4a7c15ull)
/* A launch that is told nothing gives up this many cycles of the device after it could start, at 3
 * GHz CLEAVE_EARLY_SECONDS, and not before these have passed. */
#define CLEAVE_EARLY_CYCLES 450000
#define CLEAVE_EARLY_SECONDS 150e-6

#endif
