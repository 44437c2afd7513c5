/* pace_constants.h: the constants of the host that decide how many threads a loop gets. See pace.c. */
#ifndef CLEAVE_PACE_CONSTANTS_H
#define CLEAVE_PACE_CONSTANTS_H

struct pace_constants {
    int measured_elements; /* elements: sets of more are not measured, all threads run their loops
                            */
    double few_seconds;    /* seconds on one thread: loops that take less never start a region */
    double patience;       /* share of a loop's time that may go into trying all threads in vain */
    int calls_between;     /* calls: a loop that takes little is measured again after so many */
    int calls_when_busy;   /* calls: the load is looked at again after so many */
};

/* 2 cores of an AMD EPYC, gcc 12's libgomp, threads that spin: an empty region of two threads took
 * 1.1 microseconds in the median, and on average 15 to 1,000 while other processes had the cores,
 * as one wait in a hundred lasts for their turn (22 ms). A loop has a region for each colour, some
 * ten: 0.1 ms is what these cost on a machine with a little other work, so that less cannot gain.
 * The other rows bound what measuring costs; testsuite/bench/results/2026-11-22-few.txt has airfoil
 * with them. */
static const struct pace_constants pace_constants = {.measured_elements = 65536,
                                                     .few_seconds = 100e-6,
                                                     .patience = 0.03,
                                                     .calls_between = 256,
                                                     .calls_when_busy = 64};

#endif
