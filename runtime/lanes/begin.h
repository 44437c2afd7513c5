/* begin.h: opens a pass over the lane functions of a generated file, for vectors of
 * CLEAVE_LANE_BYTES bytes: 16, or on x86-64 also 32 (AVX2) and 64 (AVX-512 F, VL, DQ, BW).
 *
 * The file includes itself between begin.h and end.h, once per width (README.md has the pattern).
 * The text between them is compiled for the pass's instructions, without contraction into fused
 * multiply-adds, and sees the vectors of this width:
 *
 *   CLEAVE_LANE_NAME(f)                   what lane function f is called in this pass
 *   CLEAVE_LANES_OF_8, CLEAVE_LANES_OF_4  lanes of a loop with, and without, values of 8 bytes
 *   CLEAVE_LANES                          one of them: the file defines it before each loop
 *   CLEAVE_V(name)                        type or function `name` for that many lanes
 *
 * end.h undefines all of it. A file whose loops need no vectors of the one or the other class, or
 * no values of one and two bytes, may define CLEAVE_LANES_WITHOUT_8, CLEAVE_LANES_WITHOUT_4 or
 * CLEAVE_LANES_WITHOUT_NARROW before all passes: that halves the time in which the headers are
 * read.
 */
#include "launch.h"
#if CLEAVE_LANE_BYTES != 16 && CLEAVE_LANE_BYTES != 32 && CLEAVE_LANE_BYTES != 64
#error "CLEAVE_LANE_BYTES must be 16, 32 or 64"
#elif CLEAVE_LANE_BYTES > CLEAVE_LANE_WIDEST
#error "this machine has no vectors of CLEAVE_LANE_BYTES bytes"
#endif

#include "vectors.h"
#include "lanewise.h"
#include "shapes.h"
#include "pieces.h"

#define CLEAVE_PASTE_NAME(name, bytes) name##_##bytes
#define CLEAVE_PASTE_PASS(name, bytes) CLEAVE_PASTE_NAME(name, bytes)
#define CLEAVE_PASTE_VECTOR(name, lanes, bytes) cleave_##name##_##lanes##_##bytes
#define CLEAVE_PASTE_LANES(name, lanes, bytes) CLEAVE_PASTE_VECTOR(name, lanes, bytes)
#define CLEAVE_LANE_NAME(name) CLEAVE_PASTE_PASS(name, CLEAVE_LANE_BYTES)
#define CLEAVE_V(name) CLEAVE_PASTE_LANES(name, CLEAVE_LANES, CLEAVE_LANE_BYTES)

/* clang computes what is selected away later, and may move what is computed under a condition in
 * front of it, unless it is told that floating-point operations may trap. gcc assumes so. */
#ifdef __clang__
#pragma float_control(push)
#pragma clang fp exceptions(maytrap)
#endif

#ifndef __clang__
#pragma GCC push_options
#endif
#if CLEAVE_LANE_BYTES == 32 && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#elif CLEAVE_LANE_BYTES == 32
#pragma GCC target("avx2")
#elif CLEAVE_LANE_BYTES == 64 && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2"))),   \
                             apply_to = function)
#elif CLEAVE_LANE_BYTES == 64
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,avx2,prefer-vector-width=512")
#endif

/* The functions below are inlined into lane functions, whose steps they then go through. A function
 * with both a target and steps of its own takes gcc eight times as long to declare. Without
 * optimisation gcc keeps all branches of the functions that it inlines, and takes minutes and
 * gigabytes for the passes of a large file. */
#ifndef __OPTIMIZE__
#include "steps.h"
#endif

#if CLEAVE_LANE_BYTES == 16
#include "width_16.h"
#elif CLEAVE_LANE_BYTES == 32
#include "width_32.h"
#else
#include "width_64.h"
#endif

/* Loops that compute with values of 8 bytes, or with both. */
#ifndef CLEAVE_LANES_WITHOUT_8
#define CLEAVE_LANES CLEAVE_LANES_OF_8
#include "class_8.h"
#undef CLEAVE_LANES
#endif

/* Loops that compute with values of 4 bytes and less. */
#ifndef CLEAVE_LANES_WITHOUT_4
#define CLEAVE_LANES CLEAVE_LANES_OF_4
#include "class_4.h"
#undef CLEAVE_LANES
#endif

#ifdef __OPTIMIZE__
#include "steps.h"
#endif

/* Lane functions may declare slots and masks that their bodies then need not. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
