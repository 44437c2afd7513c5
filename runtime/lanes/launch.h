/* launch.h: what a generated file for OpenMP uses of the lanes outside of its passes.
 *
 * A loop in lanes computes several consecutive elements at once, in vectors of 16, 32 or 64 bytes.
 * The file has its lane functions once per width, between lanes/begin.h and lanes/end.h; the
 * widths are those up to CLEAVE_LANE_WIDEST, and the runtime chooses one for each launch.
 */
#ifndef CLEAVE_LANES_LAUNCH_H
#define CLEAVE_LANES_LAUNCH_H

/* Partial sums of a reduction, whatever the width: element e of a block that begins at `first` adds
 * into sum (e - first) % CLEAVE_SLOTS. As many as the widest vector has lanes. */
#define CLEAVE_SLOTS 16

#if defined(__x86_64__)
#define CLEAVE_LANE_WIDEST 64

/* Runs the function of one thread that `name` is in the pass of launch->lane_bytes, on the threads
 * of the launch. */
#define CLEAVE_LANE_RUN(launch, name)                                                              \
    cleave_run_on_threads(launch, (launch)->lane_bytes == 64   ? name##_64                         \
                                  : (launch)->lane_bytes == 32 ? name##_32                         \
                                                               : name##_16)
#else
#define CLEAVE_LANE_WIDEST 16
#define CLEAVE_LANE_RUN(launch, name) cleave_run_on_threads(launch, name##_16)
#endif

/* The first of the elements e, e + lanes, e + 2*lanes, ... that begins a vector of elements which
 * modify different points, as cleave_plan.distinct says; `end` if there is none below it. */
static inline int cleave_next_distinct(const unsigned char *distinct, int e, int end, int lanes)
{
    while (end - e >= lanes && distinct[e] < lanes) {
        e += lanes;
    }
    return end - e >= lanes ? e : end;
}

#endif
