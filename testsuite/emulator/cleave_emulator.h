/* cleave_emulator.h: the primitives of cleave_device.cuh on the CPU, with checks.
 *
 * Generated .cu files, compiled as C++ with CLEAVE_EMULATOR defined, get this header instead of
 * cleave_nvcc.cuh. A launch runs at once, block after block; the threads of a block run one at a
 * time, each until its next barrier or shuffle (schedule.cpp). Accesses through CLEAVE_SHARED are
 * checked for range and for conflicts between threads (shared.cpp). Asynchronous copies land as
 * late as they may, and what they fill holds poison until then (copies.cpp). A broken rule ends the
 * program with exit code 1 and a message that names kernel, block and threads. Blocks, too, run one
 * after the other here, but not on a GPU: two that change one place of global memory and say so
 * (cleave_modify) are reported (global.cpp).
 *
 *   CLEAVE_EMU_ORDER=ascending|descending|random:SEED   order of blocks, and of threads between
 * barriers
 *
 * Accesses to shared memory: reading through CLEAVE_SHARED(const T) is a read. An access through
 * CLEAVE_SHARED(T) yields a plain T &, so that any expression may use it; whether it wrote is known
 * by comparing the value at the thread's next barrier. A write that changes nothing counts as a
 * read.
 */
#ifndef CLEAVE_EMULATOR_H
#define CLEAVE_EMULATOR_H

#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>
#include "cuda_runtime_api.h"

#define CLEAVE_KERNEL static
#define CLEAVE_REGISTERS(n)
#define CLEAVE_UNROLL
#define CLEAVE_DEVICE static inline
#define CLEAVE_MEMBER inline
#define CLEAVE_HOST_DEVICE static inline
#define CLEAVE_CONSTANT static
#define CLEAVE_LARGE_CONSTANT static
#define CLEAVE_SHARED(T) cleave_shared_view<T>

/* ---- what the emulator's library offers ------------------------------------------------------ */

struct cleave_graph_launch;

namespace cleave_emulator
{
/* The position of the running thread: the scheduler writes it, the primitives read it. */
struct position {
    int thread;
    int threads;
    int block;
};
extern position here;

/* Dynamic shared memory of the running block. */
struct shared_range {
    char *begin;
    char *end;
};
extern shared_range shared;

enum access { ACCESS_READ, ACCESS_ATOMIC };

void barrier(const char *file, int line);

/* Operations of the lanes of a warp together. */
enum exchange {
    SHUFFLE,      /* number: the lane whose value is wanted */
    SHUFFLE_UP,   /* number: how far below it is */
    SHUFFLE_DOWN, /* number: how far above */
    BALLOT,       /* every lane's value is 0 or 1; wanted is the mask of them */
    WARP_BARRIER
};
/* Waits for the other lanes and replaces value, of up to 8 bytes, by what is wanted. */
void warp_exchange(exchange kind, void *value, size_t size, int number, const char *file, int line);

/* Copies bytes to `to`, in shared memory, by the time that the thread calls copy_wait. */
void copy_async(void *to, const void *from, size_t size);
void copy_wait();
/* Makes a group of those since the last; waits for all groups but the last `but`. */
void copy_commit();
void copy_wait_group(size_t but);

/* Arrival objects, at a byte of shared memory, and what goes to them. */
void arrival_init(size_t byte);
void arrival_expect(size_t byte, long long size);
void arrival_wait(size_t byte, int phase, const char *file, int line);
void copy_bulk(void *to, const void *from, size_t size, size_t byte);
void bulk_fence();

/* Does add(to, from, size) by the time that the thread calls add_bulk_wait. */
void add_bulk(void *to, const void *from, size_t size,
              void (*add)(void *to, const void *from, size_t size));
void add_bulk_wait();
/* Reports an address that `size` bytes cannot be added to at once. */
void check_wide_address(const void *p, size_t size);

/* Records an access to bytes of shared memory, and reports a conflict. */
void shared_access(const void *p, size_t size, access kind);
/* Records an access whose kind is found out later, by comparing the value. */
void shared_touch(void *p, size_t size);
[[noreturn]] void shared_outside(const void *p, size_t size, const char *begin);
[[noreturn]] void shared_misaligned(size_t byte, size_t alignment);

/* The running block changes a place in global memory without atomics: reports another block of the
 * launch that has done so. */
void global_modify(const void *p);

void constant_set(void *symbol, size_t capacity, const void *value, size_t bytes);

/* A launch without its arguments' types: body(data) runs the kernel once. Graphs keep it: copy()
 * returns a copy of the `bytes` bytes of data, for destroy(). */
struct launch {
    const char *kernel;
    long long blocks;
    long long threads;
    size_t shared_bytes;
    void *stream;
    void (*body)(void *data);
    void *data;
    size_t bytes;
    void *(*copy)(const void *data);
    void (*destroy)(void *data);
};
void run(const launch &launch);
/* Gives the parameters of `now` to a launch of a graph. */
void graph_change(const ::cleave_graph_launch &launch, const struct launch &now);
} // namespace cleave_emulator

/* Names T without taking part in its deduction, so that the value may be of another type. */
template <class T> struct cleave_same {
    using type = T;
};

/* ---- threads --------------------------------------------------------------------------------- */

static inline int cleave_thread()
{
    return cleave_emulator::here.thread;
}

static inline int cleave_threads()
{
    return cleave_emulator::here.threads;
}

static inline int cleave_block()
{
    return cleave_emulator::here.block;
}

static inline int cleave_opaque(int i)
{
    return i;
}

static inline int cleave_lane()
{
    return cleave_emulator::here.thread & 31;
}

/* The defaults name the place of the call. */
static inline void cleave_barrier(const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    cleave_emulator::barrier(file, line);
}

/* Threads run one at a time: their writes are seen in order already. */
static inline void cleave_fence()
{
}

namespace cleave_emulator
{
template <class T> static inline T shuffled(exchange kind, T v, int n, const char *file, int line)
{
    static_assert(std::is_arithmetic<T>::value && sizeof(T) <= 8, "scalars of up to 8 bytes");
    warp_exchange(kind, &v, sizeof(T), n, file, line);
    return v;
}
} // namespace cleave_emulator

static inline void cleave_warp_barrier(const char *file = __builtin_FILE(),
                                       int line = __builtin_LINE())
{
    cleave_emulator::shuffled(cleave_emulator::WARP_BARRIER, 0, 0, file, line);
}

template <class T>
static inline T cleave_shuffle(T v, int lane, const char *file = __builtin_FILE(),
                               int line = __builtin_LINE())
{
    return cleave_emulator::shuffled(cleave_emulator::SHUFFLE, v, lane, file, line);
}

template <class T>
static inline T cleave_shuffle_up(T v, int distance, const char *file = __builtin_FILE(),
                                  int line = __builtin_LINE())
{
    return cleave_emulator::shuffled(cleave_emulator::SHUFFLE_UP, v, distance, file, line);
}

template <class T>
static inline T cleave_shuffle_down(T v, int distance, const char *file = __builtin_FILE(),
                                    int line = __builtin_LINE())
{
    return cleave_emulator::shuffled(cleave_emulator::SHUFFLE_DOWN, v, distance, file, line);
}

static inline unsigned cleave_ballot(bool condition, const char *file = __builtin_FILE(),
                                     int line = __builtin_LINE())
{
    return cleave_emulator::shuffled(cleave_emulator::BALLOT, condition ? 1u : 0u, 0, file, line);
}

static inline int cleave_bits(unsigned mask)
{
    return __builtin_popcount(mask);
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* A pointer into the block's dynamic shared memory that checks what it is used for: never before
 * the view that it was made from, never beyond what the launch asked for. */
template <class T> class cleave_shared_view
{
  public:
    cleave_shared_view() : first(nullptr), begin(nullptr)
    {
    }

    cleave_shared_view(T *first, const char *begin) : first(first), begin(begin)
    {
    }

    template <class U, class = std::enable_if_t<std::is_same<const U, T>::value>>
    cleave_shared_view(const cleave_shared_view<U> &other)
        : first(other.address(0)), begin(other.start())
    {
    }

    T &operator[](ptrdiff_t index) const
    {
        T *p = first + index;
        const char *byte = (const char *)p;
        if (byte < begin || byte + sizeof(T) > cleave_emulator::shared.end) {
            cleave_emulator::shared_outside(p, sizeof(T), begin);
        }
        record(p);
        return *p;
    }

    T &operator*() const
    {
        return (*this)[0];
    }

    cleave_shared_view operator+(ptrdiff_t count) const
    {
        return cleave_shared_view(first + count, begin);
    }

    cleave_shared_view operator-(ptrdiff_t count) const
    {
        return cleave_shared_view(first - count, begin);
    }

    cleave_shared_view &operator+=(ptrdiff_t count)
    {
        first += count;
        return *this;
    }

    /* Accesses through a plain pointer are not checked. */
    operator T *() const
    {
        return first;
    }

    T *address(ptrdiff_t index) const
    {
        return first + index;
    }

    const char *start() const
    {
        return begin;
    }

  private:
    static void record(const T *p, std::true_type)
    {
        cleave_emulator::shared_access(p, sizeof(T), cleave_emulator::ACCESS_READ);
    }

    static void record(T *p, std::false_type)
    {
        cleave_emulator::shared_touch(p, sizeof(T));
    }

    static void record(T *p)
    {
        record(p, std::is_const<T>());
    }

    T *first;
    const char *begin;
};

template <class T> static inline CLEAVE_SHARED(T) cleave_shared(size_t byte)
{
    if (byte % alignof(T) != 0) {
        cleave_emulator::shared_misaligned(byte, alignof(T));
    }
    char *begin = cleave_emulator::shared.begin + byte;
    return CLEAVE_SHARED(T)((T *)begin, begin);
}

static inline void cleave_modify(const void *p)
{
    cleave_emulator::global_modify(p);
}

/* ---- atomic operations ----------------------------------------------------------------------- */

namespace cleave_emulator
{
/* Threads run one at a time, so that recording the access is all that an atomic operation needs. */
template <class T> static inline void atomic_access(T *p)
{
    static_assert(std::is_arithmetic<T>::value && (sizeof(T) == 4 || sizeof(T) == 8),
                  "atomic operations have 4 or 8 bytes");
    const char *byte = (const char *)p;
    if (byte >= shared.begin && byte < shared.end) {
        shared_access(p, sizeof(T), ACCESS_ATOMIC);
    }
}

/* Address of `size` bytes from s[index] on, all of them inside the view. */
template <class T> static inline T *shared_place(CLEAVE_SHARED(T) s, int index, size_t size)
{
    T *p = s.address(index);
    const char *byte = (const char *)p;
    if (byte < s.start() || byte + size > shared.end) {
        shared_outside(p, size, s.start());
    }
    return p;
}

template <class T> static inline T *shared_place(CLEAVE_SHARED(T) s, int index)
{
    return shared_place(s, index, sizeof(T));
}
} // namespace cleave_emulator

static inline unsigned cleave_count(unsigned *p, unsigned last)
{
    cleave_emulator::atomic_access(p);
    unsigned was = *p;
    *p = was >= last ? 0 : was + 1;
    return was;
}

static inline void cleave_tell_host(unsigned *p)
{
    *p = 1;
}

/* A launch has ended when the host goes on: none can wait for it. */
#define CLEAVE_EARLY(words) 0

template <class E, class... V> static inline bool cleave_values_come(const E &, V &...)
{
    return true;
}

template <class T> static inline void cleave_add(T *p, typename cleave_same<T>::type v)
{
    cleave_emulator::atomic_access(p);
    *p = T(*p + v);
}

template <class T> static inline void cleave_min(T *p, typename cleave_same<T>::type v)
{
    cleave_emulator::atomic_access(p);
    *p = v < *p ? v : *p;
}

template <class T> static inline void cleave_max(T *p, typename cleave_same<T>::type v)
{
    cleave_emulator::atomic_access(p);
    *p = *p < v ? v : *p;
}

template <class T>
static inline void cleave_add_shared(CLEAVE_SHARED(T) s, int index, typename cleave_same<T>::type v)
{
    cleave_add(cleave_emulator::shared_place(s, index), v);
}

template <class T>
static inline void cleave_min_shared(CLEAVE_SHARED(T) s, int index, typename cleave_same<T>::type v)
{
    cleave_min(cleave_emulator::shared_place(s, index), v);
}

template <class T>
static inline void cleave_max_shared(CLEAVE_SHARED(T) s, int index, typename cleave_same<T>::type v)
{
    cleave_max(cleave_emulator::shared_place(s, index), v);
}

template <class T>
static inline void cleave_add(CLEAVE_SHARED(T) s, typename cleave_same<T>::type v)
{
    cleave_add_shared(s, 0, v);
}

static inline void cleave_add2(float *p, float a, float b)
{
    cleave_emulator::check_wide_address(p, 2 * sizeof(float));
    cleave_add(p, a);
    cleave_add(p + 1, b);
}

static inline void cleave_add4(float *p, float a, float b, float c, float d)
{
    cleave_emulator::check_wide_address(p, 4 * sizeof(float));
    cleave_add(p, a);
    cleave_add(p + 1, b);
    cleave_add(p + 2, c);
    cleave_add(p + 3, d);
}

/* ---- asynchronous copies --------------------------------------------------------------------- */

template <int BYTES> static inline void cleave_read(void *to, const void *p)
{
    static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "reads have 4, 8 or 16 bytes");
    memcpy(to, p, BYTES);
}

template <int BYTES, class T>
static inline void cleave_copy_async(CLEAVE_SHARED(T) s, int index,
                                     const typename cleave_same<T>::type *p)
{
    static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "copies have 4, 8 or 16 bytes");
    static_assert(BYTES % sizeof(T) == 0, "whole elements are copied");
    cleave_emulator::copy_async(cleave_emulator::shared_place(s, index, BYTES), p, BYTES);
}

template <int BYTES, class T>
static inline void cleave_copy_async(CLEAVE_SHARED(T) s, int index,
                                     const typename cleave_same<T>::type *p, int bytes)
{
    static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "copies have 4, 8 or 16 bytes");
    static_assert(BYTES % sizeof(T) == 0, "whole elements are copied");
    cleave_emulator::copy_async(cleave_emulator::shared_place(s, index, BYTES), p, (size_t)bytes);
}

static inline void cleave_copy_wait()
{
    cleave_emulator::copy_wait();
}

static inline void cleave_copy_commit()
{
    cleave_emulator::copy_commit();
}

template <int BUT> static inline void cleave_copy_wait_group()
{
    static_assert(BUT >= 0, "so many groups are left");
    cleave_emulator::copy_wait_group(BUT);
}

static inline void cleave_arrival_init(size_t byte)
{
    cleave_emulator::arrival_init(byte);
}

static inline void cleave_arrival_expect(size_t byte, int bytes)
{
    cleave_emulator::arrival_expect(byte, bytes);
}

static inline void cleave_arrival_wait(size_t byte, int phase, const char *file = __builtin_FILE(),
                                       int line = __builtin_LINE())
{
    cleave_emulator::arrival_wait(byte, phase, file, line);
}

static inline bool cleave_has_bulk()
{
    return true;
}

static inline void cleave_bulk_fence()
{
    cleave_emulator::bulk_fence();
}

template <class T>
static inline void cleave_copy_bulk(CLEAVE_SHARED(T) s, int index,
                                    const typename cleave_same<T>::type *p, int count, size_t byte)
{
    if (count > 0) {
        size_t size = (size_t)count * sizeof(T);
        cleave_emulator::copy_bulk(cleave_emulator::shared_place(s, index, size), p, size, byte);
    }
}

namespace cleave_emulator
{
template <class T> static inline void add_all(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size / sizeof(T); i++) {
        ((T *)to)[i] = T(((T *)to)[i] + ((const T *)from)[i]);
    }
}
} // namespace cleave_emulator

template <class T>
static inline void cleave_add_bulk(T *p, typename cleave_same<CLEAVE_SHARED(const T)>::type s,
                                   int index, int count)
{
    static_assert(std::is_arithmetic<T>::value && (sizeof(T) == 4 || sizeof(T) == 8),
                  "atomic operations have 4 or 8 bytes");
    if (count > 0) {
        size_t size = (size_t)count * sizeof(T);
        cleave_emulator::add_bulk(p, cleave_emulator::shared_place(s, index, size), size,
                                  cleave_emulator::add_all<T>);
    }
}

static inline void cleave_add_bulk_wait()
{
    cleave_emulator::add_bulk_wait();
}

/* ---- host ------------------------------------------------------------------------------------ */

/* cleave_nvcc.cuh explains it. */
static const struct cleave_graph_launch *cleave_changed;

static inline void cleave_change_graph(const struct cleave_graph_launch *launch)
{
    cleave_changed = launch;
}

/* Converts the arguments to the kernel's parameters once, as a real launch does. */
template <class... P, class... A>
static inline void cleave_emulator_launch(const char *name, void (*kernel)(P...), long long blocks,
                                          long long threads, size_t shared_bytes, void *stream,
                                          const A &...arguments)
{
    struct call {
        void (*kernel)(P...);
        std::tuple<P...> arguments;

        static void body(void *data)
        {
            call *self = (call *)data;
            std::apply(self->kernel, self->arguments);
        }

        static void *copy(const void *data)
        {
            return new call(*(const call *)data);
        }

        static void destroy(void *data)
        {
            delete (call *)data;
        }
    };
    call data = {kernel, std::tuple<P...>(arguments...)};
    cleave_emulator::launch launch = {name,       blocks,       threads, shared_bytes,
                                      stream,     call::body,   &data,   sizeof(data),
                                      call::copy, call::destroy};
    if (cleave_changed != nullptr) {
        cleave_emulator::graph_change(*cleave_changed, launch);
    } else {
        cleave_emulator::run(launch);
    }
}

#define CLEAVE_LAUNCH(kernel, blocks, threads, shared_bytes, stream, ...)                          \
    cleave_emulator_launch(#kernel, &kernel, (blocks), (threads), (shared_bytes),                  \
                           (void *)(stream), ##__VA_ARGS__)

/* One emulator serves all modules: the target itself hears of its failures. */
static inline const char *cleave_launch_error(void)
{
    return NULL;
}

template <class T>
static inline void cleave_constant_set(T &symbol, const void *value, size_t bytes)
{
    cleave_emulator::constant_set((void *)&symbol, sizeof(symbol), value, bytes);
}

#endif
