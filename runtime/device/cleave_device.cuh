/* cleave_device.cuh: the primitives through which generated kernels use a GPU.
 *
 * Generated code contains no <<<>>>, no PTX, no `extern __shared__` and no CUDA builtin, only the
 * primitives below. nvcc compiles them to CUDA's own (cleave_nvcc.cuh). With CLEAVE_EMULATOR
 * defined they come from the emulator, which checks what the hardware does not
 * (testsuite/emulator/). The other headers of this folder use nothing but these primitives.
 *
 * Qualifiers. All but CLEAVE_REGISTERS and CLEAVE_MEMBER include internal linkage: no `static`
 * beside them, and none of them for members.
 *
 *   CLEAVE_KERNEL          a kernel: CLEAVE_KERNEL void name(...)
 *   CLEAVE_REGISTERS(n)    at most n registers per thread, after a kernel's return type:
 *                          CLEAVE_KERNEL void CLEAVE_REGISTERS(64) name(...). n is a constant
 *                          or a template parameter, 16..255; 255 sets no limit. Values beyond
 *                          the limit are spilled. With at most 65536 / threads of a block,
 *                          every launch fits the device. No effect before CUDA 12.4
 *   CLEAVE_DEVICE          a function that runs on the device
 *   CLEAVE_HOST_DEVICE     a function that runs on the device and on the host
 *   CLEAVE_CONSTANT        a constant at file scope that the host sets; 64 KB in each file
 *   CLEAVE_LARGE_CONSTANT  such a constant in global memory, of any size
 *   CLEAVE_MEMBER          a member function that runs on the device
 *   CLEAVE_UNROLL          before a loop with a constant number of turns: it is unrolled, so that
 *                          arrays that it indexes stay in registers
 *   CLEAVE_SHARED(T)       the type of a pointer to T in shared memory: s[i], *s, s + i. Converts
 *                          to CLEAVE_SHARED(const T), and to T *, which the emulator no longer
 *                          checks
 *
 * Threads
 *
 *   cleave_thread()        number of the thread in its block
 *   cleave_threads()       threads of a block
 *   cleave_block()         number of the block in the launch. A kernel calls it once, before it
 *                          accesses global memory: from sm_90 on the launch before it may still
 *                          run until then, and the next one may begin
 *   cleave_lane()          number of the thread in its warp, 0..31
 *   cleave_opaque(i)       i, hidden from the compiler, which therefore recomputes what depends
 *                          on it instead of keeping it in registers
 *   cleave_barrier()       waits for all threads of the block
 *   cleave_warp_barrier()  waits for all lanes of the warp, which is whole. Each then sees what
 *                          the others wrote to memory, as after cleave_barrier()
 *   cleave_fence()         orders this thread's accesses to global memory before its later ones,
 *                          for the whole device
 *
 * Values of other lanes. All 32 lanes of the warp call these, so blocks have whole warps; scalars
 * have 4 or 8 bytes.
 *
 *   cleave_shuffle_down(v, d)  v of lane + d; the lane's own if the warp ends before
 *   cleave_shuffle_up(v, d)    v of lane - d; the lane's own if the warp begins behind
 *   cleave_shuffle(v, lane)    v of this lane, 0..31
 *   cleave_ballot(condition)   unsigned: bit i is 1 if the condition holds in lane i, else 0
 *   cleave_bits(mask)          how many bits of an unsigned are 1; any lane may call it
 *
 * Memory
 *
 *   cleave_shared<T>(byte)     CLEAVE_SHARED(T) at a byte offset of the block's dynamic shared
 *                              memory; aligned to 16 bytes if `byte` is a multiple of 16
 *   cleave_read<BYTES>(to, p)  loads BYTES (4, 8 or 16; p is a multiple of it) from p in global
 *                              memory into a local of the thread, before its next barrier. The
 *                              compiler may delay ordinary loads until their values are used
 *   cleave_modify(p)           announces plain writes to *p in global memory, which no other block
 *                              of the launch may modify. Only the emulator does anything
 *
 * Atomic operations: of float, double, int, unsigned, long, unsigned long, long long, unsigned
 * long long
 *
 *   cleave_add(p, v)             *p += v; p in global or shared memory
 *   cleave_min(p, v)             *p = v if v is smaller
 *   cleave_max(p, v)             *p = v if v is larger
 *   cleave_add2(p, a, b)         p[0] += a, p[1] += b for float in global memory, p a multiple of
 *                                8 bytes; each addition is atomic by itself
 *   cleave_add4(p, a, b, c, d)   p[0] += a, ..., p[3] += d, p a multiple of 16 bytes
 *   cleave_add_shared(s, i, v)   s[i] += v, s a CLEAVE_SHARED(T)
 *   cleave_min_shared(s, i, v)   s[i] = v if v is smaller
 *   cleave_max_shared(s, i, v)   s[i] = v if v is larger
 *   cleave_count(p, last)        increments an unsigned in global memory, from `last` to 0, and
 *                                returns the value before. A thread that counts later and then
 *                                calls cleave_fence() sees what this thread wrote before
 *   cleave_tell_host(p)          writes 1 to an unsigned in host memory. A thread of the host that
 *                                reads it there sees what this thread wrote before, and what others
 *                                of the block wrote before its last cleave_barrier()
 *
 * Asynchronous copies. Until a copy has landed, nobody accesses that shared memory or changes the
 * source. Every thread that copied waits before it ends.
 *
 *   cleave_copy_async<BYTES>(s, i, p)
 *       starts to copy BYTES (4, 8 or 16, a multiple of sizeof(T)) from `const T *p` in global
 *       memory to s[i].., s a CLEAVE_SHARED(T). Both addresses are multiples of BYTES. A plain
 *       copy before sm_80
 *   cleave_copy_async<BYTES>(s, i, p, bytes)
 *       reads only the first `bytes` of them, 1..BYTES; the rest of the destination is undefined
 *   cleave_copy_wait()
 *       waits until all copies of this thread have landed. The block's other threads see them
 *       after cleave_barrier(), those of the warp after cleave_warp_barrier()
 *   cleave_copy_commit()
 *       makes a group of this thread's copies since the last commit, maybe an empty one
 *   cleave_copy_wait_group<BUT>()
 *       waits for all groups of this thread but the last BUT, and for no copy outside of groups
 *
 * Bulk copies, counted by an arrival object. Before sm_90, the calling thread copies by plain loads
 * and stores.
 *
 *   cleave_arrival_init(byte)
 *       makes an arrival object of 8 bytes at a byte offset of shared memory, a multiple of 8. One
 *       thread calls it, before a cleave_barrier() of all. The object stays until the block ends
 *   cleave_arrival_expect(byte, bytes)
 *       says how many bytes arrive in this phase, a multiple of 16 or 0. One thread calls it once
 *       in each phase, before or after the copies
 *   cleave_copy_bulk(s, i, p, count, byte)
 *       starts to copy `count` elements (none if it is not positive) from p in global memory to
 *       s[i].. and reports them to the arrival object. Any thread may call it. p, the shared
 *       address and count * sizeof(T) are multiples of 16. Each thread that accessed this shared
 *       memory before calls cleave_bulk_fence() first; if another thread starts the copy,
 *       cleave_barrier() follows
 *   cleave_arrival_wait(byte, phase)
 *       waits until all copies of the phase have landed. Every thread calls it that reads or
 *       changes the copied data. Phases are 0, 1, 0, 1, ...; nobody copies or expects in a phase
 *       before the phase before it was waited for
 *   cleave_bulk_fence()
 *       orders this thread's accesses to shared memory before later bulk copies and additions
 *   cleave_add_bulk(p, s, i, count)
 *       p[k] += s[i + k] for count elements, each atomically, for the types of cleave_add; one
 *       thread calls it. Alignments are those of cleave_copy_bulk. Every thread that wrote to that
 *       shared memory calls cleave_bulk_fence() and then cleave_barrier() before. One atomic
 *       addition after the other before sm_90
 *   cleave_add_bulk_wait()
 *       waits until the shared memory of all bulk additions of this thread may be changed again.
 *       Every thread that added calls it before it ends
 *   cleave_has_bulk()
 *       true if the device has bulk copies and additions of its own
 *
 * Values of globals
 *
 *   cleave_values_come(early, v...)
 *       every thread calls it behind cleave_block(). A launch that started early waits for the
 *       values of its globals there (struct cleave_early), which each v then has. False: the
 *       kernel returns
 *   CLEAVE_EARLY(words)        cleave_variant.early: 0 where no launch can wait
 *
 * Host
 *
 *   CLEAVE_LAUNCH(kernel, blocks, threads, shared_bytes, stream, ...)
 *       starts a kernel; with no blocks, nothing. The runtime's next check reports an error
 *   cleave_constant_set(symbol, value, bytes)
 *       copies to a CLEAVE_CONSTANT or a CLEAVE_LARGE_CONSTANT
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
