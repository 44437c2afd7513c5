/* emulator.h: what the parts of the emulator share; not seen by generated code.
 *
 * schedule.cpp runs blocks, on the fibers of fiber.cpp, and tells global.cpp when launches begin,
 * shared.cpp when blocks, barriers and turns of threads end, and copies.cpp when threads do.
 * api.cpp is the runtime API's memory, streams and errors, graph.cpp its graphs.
 */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <cstddef>
#include <cstdint>
#include "cleave_emulator.h"

namespace cleave_emulator
{
/* Limits of the device that is emulated, an H100 or H200. */
constexpr int WARP = 32;
constexpr int MAX_THREADS = 1024;
constexpr size_t MAX_SHARED = 227 * 1024;

/* The content of fresh memory: NaN as a float, -1 as an integer. */
constexpr int POISON = 0xff;

/* Ends the program with a message that starts with the running kernel, block and thread (the latter
 * unless it is -1). Takes what printf takes. */
[[noreturn]] void stop(int thread, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A mistake in the environment: no kernel is to be named. */
[[noreturn]] void stop_setting(const char *name, const char *value, const char *expected);

/* ---- shared.cpp ------------------------------------------------------------------------------ */

/* A fresh, poisoned shared memory for one block. */
void shared_begin_block(size_t bytes);
void shared_end_block();
/* From here on, accesses do not conflict with earlier ones. */
void shared_end_phase();
/* A barrier for the lanes of one warp. */
void shared_end_warp_phase(int warp);
/* The running thread stops for now: finds out which of its accesses wrote. */
void shared_end_turn();
/* The running thread reads or writes, which is known at once. */
void shared_read(const void *p, size_t size);
void shared_write(void *p, size_t size);
/* Before a bulk copy to these bytes (`writes`) or a bulk addition from them: reports accesses that
 * conflict with it, and threads that accessed them without a bulk fence afterwards. Of the accesses
 * of one phase, a fence in that phase counts for all. */
void shared_check_bulk(const void *p, size_t size, bool writes);
/* The number of the block's phase: of the time since its last barrier. */
uint32_t shared_time();
/* Offset of an address in the block's shared memory. */
size_t shared_offset(const void *p);

/* ---- global.cpp ------------------------------------------------------------------------------ */

/* Blocks from here on run at another time than those before. */
void global_begin_launch();

/* ---- copies.cpp ------------------------------------------------------------------------------ */

/* How many words of the block's shared memory copies_check has something to say about. */
extern size_t copies_watched;
/* Reports an access to bytes that an asynchronous copy still fills, or a write to those that a bulk
 * addition still reads; `verb` says what the access does. */
void copies_check(size_t offset, size_t size, const char *verb, bool writes);
/* Whether an asynchronous copy has written the word at an offset since the last barrier. */
bool copies_landed(size_t offset);

/* Whether the phase of an arrival that the running thread waits for is over. */
bool arrival_over(size_t byte, int parity);
/* Tells the same, and ends the phase if all expected bytes have been copied: no other thread can go
 * on. */
bool arrival_try(size_t byte, int parity);
/* The running thread has waited for the arrival's last phase that is over. */
void arrival_seen(size_t byte);
/* A thread waits in vain, at a place given as text. */
[[noreturn]] void arrival_stuck(int thread, size_t byte, const char *place);

/* The thread has ended: it must have waited for what it started. The block has: likewise. */
void copies_end_thread(int thread);
void copies_end_block();
/* All threads of the block, or those of a warp, have met at a barrier. */
void copies_end_phase();
void copies_end_warp_phase(int warp);

/* ---- schedule.cpp ---------------------------------------------------------------------------- */

/* Runs a launch, which has been checked. */
void run_now(const launch &launch);

/* ---- late.cpp -------------------------------------------------------------------------------- */

/* Whether the launch, which is copied, runs later. */
bool late_takes(const launch &now);
/* Runs the first of those that wait; false: none does. */
bool late_run_one();
bool late_waits();
/* Runs all of them: before anything that comes behind them in the order of the stream. */
void late_run();

/* ---- fiber.cpp ------------------------------------------------------------------------------- */

/* A stack that runs `entry` until it switches away. Fibers are made once and never end. */
struct fiber;
fiber *fiber_new(void (*entry)());
/* The fiber that stands for the host's own stack. */
fiber *fiber_host();
/* Goes on in `to`; returns when somebody switches back to `from`. */
void fiber_switch(fiber *from, fiber *to);
/* `entry` calls this first. */
void fiber_entered();

/* ---- api.cpp --------------------------------------------------------------------------------- */

/* Settings of the environment, read at each use, so that a program can change them on its way. */
bool have_device();
bool have_pools();
bool is_late();
size_t memory_limit();
/* Keeps an error for cudaGetLastError and returns it. */
cudaError_t fail(cudaError_t error);

/* ---- memory.cpp ------------------------------------------------------------------------------ */

/* Whether there is live device memory at the address. */
bool is_device_memory(const void *memory);

/* ---- streams.cpp ----------------------------------------------------------------------------- */

bool stream_exists(void *stream);
/* cudaSuccess: the stream takes work that is no launch. */
cudaError_t usable(void *stream);

/* ---- graph.cpp ------------------------------------------------------------------------------- */

/* Whether the stream captures. */
bool graph_captures(void *stream);
/* Keeps the launch, whose stream captures. */
void graph_add(const launch &launch);
} // namespace cleave_emulator

#endif
