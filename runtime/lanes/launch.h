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

/* CLEAVE_LANE_AT(bytes, lanes, rest): lane function `lanes` of the pass for as many bytes, or, for
 * 0, the function that computes elements one after the other. Both have the same parameters. */
#define CLEAVE_LANE_AT(bytes, lanes, rest)                                                         \
    CLEAVE_LANE_IF_64(bytes, lanes,                                                                \
                      CLEAVE_LANE_IF_32(bytes, lanes, CLEAVE_LANE_IF_16(bytes, lanes, rest)))
#if (CLEAVE_LANE_WIDTHS & 16) != 0
#define CLEAVE_LANE_IF_16(bytes, lanes, other) ((bytes) == 16 ? lanes##_16 : (other))
#else
#define CLEAVE_LANE_IF_16(bytes, lanes, other) (other)
#endif
#if (CLEAVE_LANE_WIDTHS & 32) != 0
#define CLEAVE_LANE_IF_32(bytes, lanes, other) ((bytes) == 32 ? lanes##_32 : (other))
#else
#define CLEAVE_LANE_IF_32(bytes, lanes, other) (other)
#endif
#if (CLEAVE_LANE_WIDTHS & 64) != 0
#define CLEAVE_LANE_IF_64(bytes, lanes, other) ((bytes) == 64 ? lanes##_64 : (other))
#else
#define CLEAVE_LANE_IF_64(bytes, lanes, other) (other)
#endif

/* How the function is declared that computes elements one after the other: as begin.h has lane
 * functions compiled, which is as fast as -O3 for what they compute, and compiles faster. Bodies
 * with loops of their own took twice as long, and are compiled as the user asks for. */
#define CLEAVE_LANE_REST_OF_LOOPS static __attribute__((noinline))
#ifdef __clang__
#define CLEAVE_LANE_REST static __attribute__((noinline))
#else
#define CLEAVE_LANE_REST                                                                           \
    static __attribute__((noinline, optimize("O1", "strict-aliasing", "schedule-insns2",           \
                                             "expensive-optimizations", "caller-saves",            \
                                             "peephole2", "lra-remat", "rerun-cse-after-loop")))
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
