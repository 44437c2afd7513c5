/* steps.h: what gcc does to optimise the functions below it. Included in each pass, above the lane
 * functions; without optimisation above the functions that they inline, too.
 *
 * Vectors are written out: of what gcc does at -O2 and -O3 these steps speed them up, and the
 * others double the time that it takes.
 *
 * gcc 12 leaves the upper halves of the registers dirty when it calls a static function of the file
 * that it knows not to use them; each SSE instruction there then waits for them, and takes five
 * times as long. With no-ipa-ra it clears them before every call.
 */
#ifndef __clang__
#pragma GCC optimize("O1", "strict-aliasing", "schedule-insns2", "expensive-optimizations")
#pragma GCC optimize("caller-saves", "peephole2", "lra-remat", "rerun-cse-after-loop")
#if CLEAVE_LANE_BYTES > 16
#pragma GCC optimize("no-ipa-ra")
#endif
#endif
