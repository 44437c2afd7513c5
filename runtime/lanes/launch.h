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
#else
#define CLEAVE_LANE_WIDEST 16
#endif

/* The widths that the file has passes for, added up. Unless it says otherwise it leaves out 16 on
 * x86-64: that would help only machines without AVX2, from before 2013, and each pass takes time to
 * compile. */
#if CLEAVE_LANE_WIDEST < 64
#undef CLEAVE_LANE_WIDTHS
#define CLEAVE_LANE_WIDTHS 16
#elif !defined(CLEAVE_LANE_WIDTHS)
#define CLEAVE_LANE_WIDTHS (32 | 64)
#endif

/* The function that `name` is in the pass of as many bytes; the least width stands for all others,
 * which no launch asks for. */
#define CLEAVE_LANE_AT_16(bytes, name) name##_16
#if (CLEAVE_LANE_WIDTHS & 16) != 0
#define CLEAVE_LANE_AT_32(bytes, name) ((bytes) == 32 ? name##_32 : CLEAVE_LANE_AT_16(bytes, name))
#else
#define CLEAVE_LANE_AT_32(bytes, name) name##_32
#endif
#if CLEAVE_LANE_WIDTHS == 64
#define CLEAVE_LANE_AT(bytes, name) name##_64
#elif (CLEAVE_LANE_WIDTHS & 64) != 0
#define CLEAVE_LANE_AT(bytes, name) ((bytes) == 64 ? name##_64 : CLEAVE_LANE_AT_32(bytes, name))
#elif (CLEAVE_LANE_WIDTHS & 32) != 0
#define CLEAVE_LANE_AT(bytes, name) CLEAVE_LANE_AT_32(bytes, name)
#else
#define CLEAVE_LANE_AT(bytes, name) CLEAVE_LANE_AT_16(bytes, name)
#endif

/* How the function is declared that computes elements one after the other: as begin.h has lane
 * functions compiled, which is as fast as -O3 for what they compute, and compiles faster. */
#ifdef __clang__
#define CLEAVE_LANE_REST static __attribute__((noinline))
#else
#define CLEAVE_LANE_REST                                                                           \
    static __attribute__((noinline, optimize("O1", "strict-aliasing", "schedule-insns2",           \
                                             "expensive-optimizations", "caller-saves",            \
                                             "peephole2", "lra-remat", "rerun-cse-after-loop")))
#endif

/* Runs the function of one thread that `name` is in the pass of launch->lane_bytes, on the threads
 * of the launch. */
#define CLEAVE_LANE_RUN(launch, name)                                                              \
    cleave_run_on_threads(launch, CLEAVE_LANE_AT((launch)->lane_bytes, name))

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
