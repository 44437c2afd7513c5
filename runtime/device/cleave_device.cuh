/* cleave_device.cuh: all that generated kernels know of the machine.
 *
 * Generated code contains no <<<>>>, no PTX, no `extern __shared__` and no CUDA builtin: it uses
 * the primitives below. Under nvcc they are thin names for CUDA's; with CLEAVE_EMULATOR defined
 * they come from the emulator, which checks what the hardware would not (testsuite/emulator/).
 *
 *   CLEAVE_KERNEL           qualifier of a kernel:           CLEAVE_KERNEL void name(...)
 *   CLEAVE_REGISTERS(n)     after a kernel's return type: at most n registers per thread, 16..255,
 *                           a constant, also a template parameter; 255 is no cap. What does not fit
 *                           is spilled. With a cap of 65536 / threads of a block every launch fits
 *                           the device:  CLEAVE_KERNEL void CLEAVE_REGISTERS(64) name(...).
 *                           Before CUDA 12.4 it caps nothing
 *   CLEAVE_DEVICE           qualifier of a device function:  CLEAVE_DEVICE double name(...)
 *   CLEAVE_HOST_DEVICE      the same for the host too, as numbers are that a launch must know
 *   CLEAVE_CONSTANT         qualifier of a file-scope constant set from the host; a file has 64 KB
 *   CLEAVE_LARGE_CONSTANT   the same in global memory. All of these but CLEAVE_REGISTERS include
 *                           internal linkage: no `static` beside them, and not for members
 *   CLEAVE_MEMBER           qualifier of a member function that runs on the device
 *   CLEAVE_SHARED(T)        type of a pointer to T in shared memory: s[i], *s, s + i; converts to
 *                           CLEAVE_SHARED(const T) and to T * (no longer checked by the emulator)
 *   cleave_thread()         thread in its block          cleave_threads()  threads per block
 *   cleave_block()          block in the launch          cleave_lane()     thread in its warp,
 * 0..31 cleave_again(i)         i, of which compilers know nothing: what depends on it is computed
 * again cleave_barrier()        all threads of the block cleave_warp_barrier()   all lanes of the
 * warp that exist: what they wrote to memory is seen by the others of the warp, as after
 * cleave_barrier() cleave_shared<T>(byte)  CLEAVE_SHARED(T) at a byte offset of the block's dynamic
 * shared memory, 16-byte aligned when byte is a multiple of 16 cleave_shuffle_down(v, d)  v of lane
 * + d, all lanes of the warp taking part; meaningless where that lane does not exist. Scalars of 4
 * and 8 bytes cleave_shuffle_up(v, d)    likewise of lane - d cleave_shuffle(v, lane)    likewise
 * of that lane, 0..31 cleave_ballot(condition)   unsigned: bit i tells whether the condition holds
 * in lane i; 0 where that lane does not exist. All lanes of the warp taking part cleave_bits(mask)
 * how many bits of an unsigned are 1 cleave_add(p, v)        atomic *p += v, p global or shared;
 * float, double, int, unsigned, long, unsigned long, long long, unsigned long long cleave_min(p,
 * v), cleave_max(p, v)  atomic *p = v where v is smaller, larger; the same types cleave_add2(p, a,
 * b)    atomic p[0] += a, p[1] += b for float *p in global memory, a multiple of 8; each addition
 * is atomic by itself cleave_add4(p, a, b, c, d)  likewise of four, p a multiple of 16
 *   cleave_add_shared(s, i, v)  atomic s[i] += v, s a CLEAVE_SHARED(T)
 *   cleave_min_shared(s, i, v), cleave_max_shared(s, i, v)  likewise
 *   cleave_count(p, last)   atomic on an unsigned in global memory: *p + 1 replaces *p, or 0 where
 * it was `last`; gives what it was. Who counts later and then calls cleave_fence() sees what this
 * thread wrote before cleave_read<BYTES>(to, p) copies BYTES (4, 8 or 16, of which p is a multiple)
 * from p in global memory to a local of the thread, before its next barrier: other loads are put
 *                           off to where their value is used
 *   cleave_copy_async<BYTES>(s, i, p)
 *                           starts to copy BYTES (4, 8 or 16, a multiple of sizeof(T)) from p in
 *                           global memory to s[i].., s a CLEAVE_SHARED(T), p a const T *; p and the
 *                           shared address are multiples of BYTES. Until it has landed nobody
 * touches that shared memory, nor changes *p. Before sm_80 a plain copy cleave_copy_async<BYTES>(s,
 * i, p, bytes) likewise, but reads only the first `bytes` of them, 1..BYTES; what the others become
 * is not known cleave_copy_wait()      all of these copies of this thread have landed; for the
 * block's other threads after cleave_barrier(), for the warp's after cleave_warp_barrier(). Every
 * thread that copied calls it before it ends cleave_copy_commit()    this thread's copies since the
 * last commit are a group, also if none are cleave_copy_wait_group<BUT>() likewise waits, but only
 * for the groups before the last BUT of this thread's; for copies that are in no group it does not
 *   cleave_arrival_init(byte)
 *                           by one thread, before a cleave_barrier() of all: an arrival object, 8
 *                           bytes at a byte offset of shared memory that is a multiple of 8. It
 * stays until the block ends cleave_arrival_expect(byte, bytes) by one thread, once a phase: so
 * many bytes, a multiple of 16, are copied to the arrival in this phase, before or after this call;
 * 0 is legal cleave_copy_bulk(s, i, p, count, byte) by any thread: starts to copy count elements
 * (none, if it is not positive) from p in global memory to s[i].. and tells the arrival. p, the
 * shared address and count*sizeof(T) are multiples of 16. Where threads read or wrote that shared
 * memory before, each calls cleave_bulk_fence() afterwards and, if it is not the one that copies,
 *                           cleave_barrier() is next
 *   cleave_arrival_wait(byte, phase)
 *                           by the threads that read what was copied, or change it: returns when
 * all of the phase has landed. Phases are 0, 1, 0, 1, ...; nobody may copy to or expect in a phase
 * before the one before it was waited for. Until it has landed nobody touches that shared memory.
 * Before sm_90 the calling thread copies by plain loads and stores and the arrival counts them
 *   cleave_bulk_fence()     orders this thread's accesses to shared memory before later bulk copies
 *                           and additions
 *   cleave_add_bulk(p, s, i, count)
 *                           by one thread: p[k] += s[i + k] for count elements, atomically for
 * each, for the types of cleave_add; alignments as for cleave_copy_bulk. Every thread that wrote to
 * that shared memory calls cleave_bulk_fence() and then cleave_barrier() before. Before sm_90 an
 * atomic addition after the other cleave_add_bulk_wait()  the shared memory of all bulk additions
 * of this thread may be changed again. Every thread that added calls it before it ends
 *   cleave_has_bulk()       whether bulk copies and additions are the machine's own, not made of
 *                           others
 *   cleave_modify(p)        tells that *p in global memory is going to be changed without atomics:
 * no other block of the launch may do so. Nothing, but for the emulator cleave_fence() orders this
 * thread's accesses to global memory before later ones, for the whole device CLEAVE_LAUNCH(kernel,
 * blocks, threads, shared_bytes, stream, ...) host: starts a kernel; an error is reported by the
 * runtime's next check; no blocks, no launch cleave_constant_set(symbol, value, bytes) host: copies
 * to a CLEAVE_CONSTANT or a CLEAVE_LARGE_CONSTANT
 *
 * The other files beside this one, ops.cuh, staging.cuh, reduce.cuh and so on, are written with
 * these primitives only.
 */
#ifndef CLEAVE_DEVICE_CUH
#define CLEAVE_DEVICE_CUH

#ifdef CLEAVE_EMULATOR
#include "cleave_emulator.h"
#else
#include "cleave_nvcc.cuh"
#endif

enum { CLEAVE_WARP = 32 }; /* lanes of a warp; the last one of a block may have fewer */

#endif
