/* shared.cpp: a block's dynamic shared memory, and who touched it.
 *
 * Each 4-byte word has a cell that remembers which threads read, wrote or atomically added to it
 * since the last barrier; smaller types have a cell per byte as well. Two accesses by different
 * threads without a barrier between them conflict when one of them is a write, or when just one is
 * atomic; for threads of one warp a warp barrier is enough. Cells are stamped with the number of
 * the phase (the time between two barriers), so that none is ever cleared but when that number
 * starts anew.
 */
#include <cstdlib>
#include <vector>
#include "emulator.h"

namespace cleave_emulator
{
shared_range shared = {nullptr, nullptr};

namespace
{
enum kind { READ = ACCESS_READ, ATOMIC = ACCESS_ATOMIC, WRITE };

constexpr uint16_t NOBODY = 0xffff;

/* The phase of the block and of each of its warps; all are readings of one clock. */
uint32_t ticks;
uint32_t now;
uint32_t now_of_warp[MAX_THREADS / WARP];

/* Up to two threads that did one thing in one phase: of two warps if two did it, else in the last
 * phase of their warp. Enough to find another than the asking one without a barrier between. */
struct actors {
    uint32_t phase;
    uint32_t phase_of_warp; /* of the first one's */
    uint16_t first;
    uint16_t second;

    bool of_one_warp() const
    {
        return second == NOBODY || second / WARP == first / WARP;
    }

    int other_than(int thread) const
    {
        if (phase != now) {
            return NOBODY;
        }
        if (first / WARP != thread / WARP) {
            return first;
        }
        if (!of_one_warp()) {
            return second;
        }
        if (phase_of_warp != now_of_warp[thread / WARP]) {
            return NOBODY;
        }
        return first != thread ? first : second;
    }

    void add(int thread)
    {
        int warp = thread / WARP;
        bool same_warp = first / WARP == warp;
        if (phase != now || (same_warp && of_one_warp() && phase_of_warp != now_of_warp[warp])) {
            phase = now;
            phase_of_warp = now_of_warp[warp];
            first = (uint16_t)thread;
            second = NOBODY;
        } else if (first != thread && (second == NOBODY || (!same_warp && of_one_warp()))) {
            second = (uint16_t)thread;
        }
    }
};

struct cell {
    actors by[3];   /* indexed by kind */
    uint32_t parts; /* phase in which bytes of this word were accessed one by one */
};

/* An access by the running thread of which it is not known yet whether it wrote. */
struct touch {
    char *p;
    uint32_t size; /* at most 8 */
    uint64_t old;  /* value before, in its first bytes */
};

constexpr size_t PENDING_LIMIT = 1 << 16;
/* References younger than this may still be written through when the list is cut. */
constexpr size_t PENDING_KEPT = 64;

alignas(128) char memory[MAX_SHARED];
cell words[MAX_SHARED / 4];
cell bytes[MAX_SHARED];
std::vector<touch> pending;

const char *const KIND_NAME[] = {"reads", "atomically adds to", "writes"};

[[noreturn]] void conflict(size_t offset, const char *verb, int other, kind others)
{
    bool copied = others == WRITE && copies_landed(offset);
    stop(here.thread, "%s shared memory at byte %zu, which thread %d %s without a barrier between",
         verb, offset, other, copied ? "copies to" : KIND_NAME[others]);
}

/* `verb` says what the running thread does, which is of the kind `mine`. */
inline void check(const cell &c, size_t offset, kind mine, const char *verb)
{
    for (int k = READ; k <= WRITE; k++) {
        bool harmless = k == mine && mine != WRITE;
        int other = c.by[k].other_than(here.thread);
        if (other != NOBODY && !harmless) {
            conflict(offset, verb, other, (kind)k);
        }
    }
}

void access_byte(size_t offset, kind mine)
{
    cell &word = words[offset / 4];
    check(word, offset, mine, KIND_NAME[mine]);
    check(bytes[offset], offset, mine, KIND_NAME[mine]);
    bytes[offset].by[mine].add(here.thread);
    word.parts = now;
}

inline void access_word(size_t offset, kind mine)
{
    cell &word = words[offset / 4];
    check(word, offset, mine, KIND_NAME[mine]);
    if (word.parts == now) {
        for (size_t i = offset; i < offset + 4; i++) {
            check(bytes[i], i, mine, KIND_NAME[mine]);
        }
    }
    word.by[mine].add(here.thread);
}

void access_range(size_t offset, size_t size, kind mine)
{
    if ((offset | size) % 4 != 0) {
        for (size_t i = offset; i < offset + size; i++) {
            access_byte(i, mine);
        }
        return;
    }
    for (size_t i = offset; i < offset + size; i += 4) {
        access_word(i, mine);
    }
}

inline uint64_t value_at(const char *p, size_t size)
{
    uint64_t value = 0;
    if (size == 8) {
        memcpy(&value, p, 8);
    } else {
        memcpy(&value, p, size);
    }
    return value;
}

void settle_pending()
{
    for (const touch &t : pending) {
        kind mine = value_at(t.p, t.size) != t.old ? WRITE : READ;
        if (mine == WRITE && copies_watched > 0) {
            copies_check(shared_offset(t.p), t.size, KIND_NAME[WRITE], true);
        }
        access_range((size_t)(t.p - memory), t.size, mine);
    }
}

/* ---- bulk copies ----------------------------------------------------------------------------- */

/* Phases in which a thread fenced last, and last before that. */
struct fences {
    uint32_t last;
    uint32_t earlier;
};

fences fenced[MAX_THREADS];
uint32_t block_began;

/* Until when the accesses of a thread are ordered before bulk copies of the running one: for those
 * of another thread a barrier has to follow the fence. */
uint32_t ordered_until(int thread)
{
    const fences &f = fenced[thread];
    return thread == here.thread || f.last < now ? f.last : f.earlier;
}

/* The thread among some that has not fenced, or NOBODY. */
int unfenced(const actors &a)
{
    if (a.phase < block_began) {
        return NOBODY;
    }
    if (ordered_until(a.first) < a.phase) {
        return a.first;
    }
    return a.second != NOBODY && ordered_until(a.second) < a.phase ? a.second : NOBODY;
}

void check_bulk(const cell &c, size_t offset, bool writes)
{
    check(c, offset, writes ? WRITE : READ, writes ? "copies in bulk to" : "adds in bulk from");
    for (int k = writes ? READ : ATOMIC; k <= WRITE; k++) {
        int thread = unfenced(c.by[k]);
        if (thread != NOBODY) {
            stop(here.thread,
                 "copies in bulk at byte %zu of shared memory, which thread %d %s before, without "
                 "cleave_bulk_fence() and, for other threads, a barrier between",
                 offset, thread, KIND_NAME[k]);
        }
    }
}
} // namespace

void shared_begin_block(size_t size)
{
    shared.begin = memory;
    shared.end = memory + size;
    memset(memory, POISON, size);
    shared_end_phase();
    block_began = now;
}

void shared_end_block()
{
    copies_end_block();
    shared.end = shared.begin;
}

static uint32_t next_tick()
{
    if (++ticks == 0) {
        memset((void *)words, 0, sizeof(words));
        memset((void *)bytes, 0, sizeof(bytes));
        memset((void *)fenced, 0, sizeof(fenced));
        ticks = 1;
    }
    return ticks;
}

void shared_end_phase()
{
    now = next_tick();
    copies_end_phase();
}

void shared_end_warp_phase(int warp)
{
    now_of_warp[warp] = next_tick();
    copies_end_warp_phase(warp);
}

void shared_end_turn()
{
    if (!pending.empty()) {
        settle_pending();
        pending.clear();
    }
}

void shared_access(const void *p, size_t size, access kind_of_access)
{
    if (copies_watched > 0) {
        copies_check(shared_offset(p), size, KIND_NAME[kind_of_access],
                     kind_of_access != ACCESS_READ);
    }
    access_range((size_t)((const char *)p - memory), size, (kind)kind_of_access);
}

uint32_t shared_time()
{
    return now;
}

size_t shared_offset(const void *p)
{
    return (size_t)((const char *)p - memory);
}

void shared_read(const void *p, size_t size)
{
    access_range(shared_offset(p), size, READ);
}

void shared_check_bulk(const void *p, size_t size, bool writes)
{
    for (size_t i = shared_offset(p); i < shared_offset(p) + size; i++) {
        if (i % 4 == 0) {
            check_bulk(words[i / 4], i, writes);
        }
        check_bulk(bytes[i], i, writes);
    }
}

void bulk_fence()
{
    fences &f = fenced[here.thread];
    shared_end_turn();
    f.earlier = f.last != now ? f.last : f.earlier;
    f.last = now;
}

void shared_write(void *p, size_t size)
{
    access_range(shared_offset(p), size, WRITE);
}

void shared_touch(void *p, size_t size)
{
    if (copies_watched > 0) {
        copies_check(shared_offset(p), size, "accesses", false);
    }
    if (pending.size() >= PENDING_LIMIT) {
        settle_pending();
        pending.erase(pending.begin(), pending.end() - PENDING_KEPT);
    }
    char *byte = (char *)p;
    for (size_t done = 0; done < size; done += 8) {
        size_t part = size - done < 8 ? size - done : 8;
        pending.push_back({byte + done, (uint32_t)part, value_at(byte + done, part)});
    }
}

void shared_outside(const void *p, size_t size, const char *begin)
{
    long first = (long)(begin - shared.begin);
    stop(here.thread,
         "accesses shared memory at byte %ld, %zu bytes long, outside its array, which starts at "
         "byte "
         "%ld; the block has %zu bytes",
         (long)((const char *)p - shared.begin), size, first, (size_t)(shared.end - shared.begin));
}

void shared_misaligned(size_t byte, size_t alignment)
{
    stop(here.thread, "places an array of %zu-byte aligned elements at byte %zu of shared memory",
         alignment, byte);
}
} // namespace cleave_emulator
