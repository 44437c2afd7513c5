/* copies.cpp: asynchronous copies to a block's shared memory, and additions from it.
 *
 * They are done as late as they may: when they are waited for. Until then the target of a copy
 * holds poison, and accesses to it are reported, as are writes to what is being added from. The
 * words concerned are marked in a table, which shared.cpp asks before accesses while there are any.
 * A bulk copy that has landed may be touched by the threads that waited for it, and by all after a
 * barrier.
 */
#include <algorithm>
#include <vector>
#include "emulator.h"

namespace cleave_emulator
{
size_t copies_watched;

namespace
{
enum watch_kind { FREE, FILLED, FILLED_IN_BULK, ADDED, ARRIVAL };

/* A word of shared memory. */
struct watch {
    enum watch_kind kind;
    uint16_t thread;    /* that started what goes on */
    uint32_t landed_at; /* phase of the block in which the last copy landed */
    uint32_t landing;   /* of a bulk copy: the number of its arrival's phase among all landings */
};

struct copy {
    char *to;
    const char *from;
    size_t size;
};

struct addition {
    void *to;
    const char *from;
    size_t size;
    void (*add)(void *to, const void *from, size_t size);
};

/* An arrival object: phase 0, 1, 2, ... ends when it has arrived and all that it expects is there.
 */
struct arrival {
    size_t byte;
    int made_by;
    uint32_t made_at;
    uint32_t phase;
    bool arrived;
    size_t expected;
    size_t copied;
    uint32_t landing; /* number of the last phase that ended, among all landings */
    std::vector<copy> copies;
};

constexpr size_t BULK_ALIGNMENT = 16;

watch words[MAX_SHARED / 4];
std::vector<copy> copies[MAX_THREADS];        /* those that each thread has not waited for */
std::vector<size_t> groups[MAX_THREADS];      /* of them: how many each group has, oldest first */
std::vector<addition> additions[MAX_THREADS]; /* likewise */
std::vector<arrival> arrivals;
uint32_t landings;
std::vector<uint32_t> seen[MAX_THREADS]; /* landings that each thread waited for in this phase */
size_t landed_words;                     /* those that bulk copies of this phase went to */
size_t marked_words;

void count_words()
{
    copies_watched = marked_words + landed_words;
}

void mark(const void *place, size_t size, enum watch_kind kind)
{
    for (size_t w = shared_offset(place) / 4; w < (shared_offset(place) + size) / 4; w++) {
        marked_words += (kind != FREE) - (words[w].kind != FREE);
        words[w].kind = kind;
        words[w].thread = (uint16_t)here.thread;
    }
    count_words();
}

void land(const copy &c, uint32_t landing)
{
    mark(c.to, c.size, FREE);
    memcpy(c.to, c.from, c.size);
    for (size_t w = shared_offset(c.to) / 4; w < (shared_offset(c.to) + c.size) / 4; w++) {
        words[w].landed_at = shared_time();
        words[w].landing = landing;
    }
}

void check_alignment(const void *in_shared, const void *in_global, size_t alignment)
{
    if (shared_offset(in_shared) % alignment != 0) {
        stop(here.thread, "copies at byte %zu of shared memory, which is not a multiple of %zu",
             shared_offset(in_shared), alignment);
    }
    if ((uintptr_t)in_global % alignment != 0) {
        stop(here.thread, "copies at global address %p, which is not a multiple of %zu", in_global,
             alignment);
    }
}

void check_bulk_size(size_t size)
{
    if (size % BULK_ALIGNMENT != 0) {
        stop(here.thread, "copies %zu bytes in bulk, which is not a multiple of %zu", size,
             BULK_ALIGNMENT);
    }
}

bool has_seen(uint32_t landing)
{
    const std::vector<uint32_t> &mine = seen[here.thread];
    return std::find(mine.begin(), mine.end(), landing) != mine.end();
}

void see(uint32_t landing)
{
    if (landed_words > 0 && !has_seen(landing)) {
        seen[here.thread].push_back(landing);
    }
}
} // namespace

/* ---- accesses -------------------------------------------------------------------------------- */

void copies_check(size_t offset, size_t size, const char *verb, bool writes)
{
    for (size_t w = offset / 4; w < (offset + size + 3) / 4; w++) {
        const watch &word = words[w];
        if (word.kind == FILLED) {
            stop(here.thread,
                 "%s shared memory at byte %zu, to which thread %d copies asynchronously and has "
                 "not waited for it",
                 verb, 4 * w, word.thread);
        }
        if (word.kind == FILLED_IN_BULK) {
            stop(here.thread,
                 "%s shared memory at byte %zu, to which thread %d copies in bulk, before the "
                 "arrival was waited for",
                 verb, 4 * w, word.thread);
        }
        if (word.kind == ADDED && writes) {
            stop(here.thread,
                 "%s shared memory at byte %zu, from which thread %d adds in bulk and has not "
                 "waited for it",
                 verb, 4 * w, word.thread);
        }
        if (word.kind == ARRIVAL) {
            stop(here.thread, "%s shared memory at byte %zu, where an arrival object is", verb,
                 4 * w);
        }
        if (word.landing != 0 && word.landed_at == shared_time() && !has_seen(word.landing)) {
            stop(here.thread,
                 "%s shared memory at byte %zu, to which a bulk copy went, without waiting for its "
                 "arrival or a barrier after another thread did",
                 verb, 4 * w);
        }
    }
}

bool copies_landed(size_t offset)
{
    return words[offset / 4].landed_at == shared_time();
}

/* ---- copies of a few bytes ------------------------------------------------------------------- */

void copy_async(void *to, const void *from, size_t size)
{
    check_alignment(to, from, size);
    shared_end_turn();
    copies_check(shared_offset(to), size, "copies to", true);
    shared_write(to, size);
    memset(to, POISON, size);
    mark(to, size, FILLED);
    copies[here.thread].push_back({(char *)to, (const char *)from, size});
}

/* The oldest `count` copies of this thread. */
static void land_oldest(size_t count)
{
    std::vector<copy> &mine = copies[here.thread];
    for (size_t i = 0; i < count; i++) {
        land(mine[i], 0);
        shared_write(mine[i].to, mine[i].size);
    }
    mine.erase(mine.begin(), mine.begin() + (long)count);
}

void copy_wait()
{
    land_oldest(copies[here.thread].size());
    groups[here.thread].clear();
}

void copy_commit()
{
    size_t grouped = 0;
    for (size_t size : groups[here.thread]) {
        grouped += size;
    }
    groups[here.thread].push_back(copies[here.thread].size() - grouped);
}

void copy_wait_group(size_t but)
{
    std::vector<size_t> &mine = groups[here.thread];
    while (mine.size() > but) {
        land_oldest(mine.front());
        mine.erase(mine.begin());
    }
}

/* ---- arrivals -------------------------------------------------------------------------------- */

static arrival *arrival_at(size_t byte)
{
    for (arrival &a : arrivals) {
        if (a.byte == byte) {
            return &a;
        }
    }
    return nullptr;
}

static arrival *arrival_used(size_t byte)
{
    arrival *a = arrival_at(byte);
    if (a == nullptr) {
        stop(here.thread, "uses an arrival at byte %zu of shared memory that nobody initialised",
             byte);
    }
    if (a->made_at == shared_time() && a->made_by != here.thread) {
        stop(here.thread,
             "uses the arrival at byte %zu, which thread %d initialises without a barrier between",
             byte, a->made_by);
    }
    return a;
}

void arrival_init(size_t byte)
{
    char *place = shared.begin + byte;
    if (byte % 8 != 0) {
        stop(here.thread, "initialises an arrival at byte %zu, which is not a multiple of 8", byte);
    }
    if (place + 8 > shared.end) {
        shared_outside(place, 8, shared.begin);
    }
    if (arrival_at(byte) != nullptr) {
        stop(here.thread, "initialises the arrival at byte %zu a second time", byte);
    }
    shared_end_turn();
    copies_check(byte, 8, "initialises an arrival in", true);
    shared_write(place, 8);
    mark(place, 8, ARRIVAL);
    arrivals.push_back({byte, here.thread, shared_time(), 0, false, 0, 0, 0, {}});
}

void arrival_expect(size_t byte, long long size)
{
    arrival *a = arrival_used(byte);
    if (size < 0) {
        stop(here.thread, "expects %lld bytes at the arrival at byte %zu", size, byte);
    }
    check_bulk_size((size_t)size);
    if (a->arrived) {
        stop(here.thread,
             "expects bytes at the arrival at byte %zu again before its phase was waited for",
             byte);
    }
    a->arrived = true;
    a->expected = (size_t)size;
}

bool arrival_over(size_t byte, int parity)
{
    const arrival *a = arrival_used(byte);
    if (parity != 0 && parity != 1) {
        stop(here.thread,
             "waits for phase %d of the arrival at byte %zu: phases are 0 and 1 by turns", parity,
             byte);
    }
    if (parity == 1 && a->phase == 0) {
        stop(here.thread, "waits for phase 1 of the arrival at byte %zu before phase 0", byte);
    }
    return (int)(a->phase & 1) != parity;
}

bool arrival_try(size_t byte, int parity)
{
    arrival *a = arrival_at(byte);
    if ((int)(a->phase & 1) != parity) {
        return true;
    }
    if (!a->arrived || a->copied != a->expected) {
        return false;
    }
    landings++;
    for (const copy &c : a->copies) {
        land(c, landings);
        landed_words += c.size / 4;
    }
    count_words();
    a->copies.clear();
    a->landing = landings;
    a->arrived = false;
    a->copied = 0;
    a->phase++;
    return true;
}

void arrival_seen(size_t byte)
{
    see(arrival_at(byte)->landing);
}

void arrival_stuck(int thread, size_t byte, const char *place)
{
    const arrival *a = arrival_at(byte);
    if (!a->arrived) {
        stop(thread, "waits at the arrival at byte %zu (%s), for which nobody expects bytes", byte,
             place);
    }
    stop(thread, "waits at the arrival at byte %zu (%s), which expects %zu bytes and gets %zu",
         byte, place, a->expected, a->copied);
}

/* ---- bulk ------------------------------------------------------------------------------------ */

void copy_bulk(void *to, const void *from, size_t size, size_t byte)
{
    arrival *a = arrival_used(byte);
    check_alignment(to, from, BULK_ALIGNMENT);
    check_bulk_size(size);
    shared_end_turn();
    copies_check(shared_offset(to), size, "copies in bulk to", true);
    shared_check_bulk(to, size, true);
    memset(to, POISON, size);
    mark(to, size, FILLED_IN_BULK);
    a->copies.push_back({(char *)to, (const char *)from, size});
    a->copied += size;
}

void add_bulk(void *to, const void *from, size_t size,
              void (*add)(void *to, const void *from, size_t size))
{
    check_alignment(from, to, BULK_ALIGNMENT);
    check_bulk_size(size);
    shared_end_turn();
    copies_check(shared_offset(from), size, "adds in bulk from", false);
    shared_check_bulk(from, size, false);
    shared_read(from, size);
    mark(from, size, ADDED);
    additions[here.thread].push_back({to, (const char *)from, size, add});
}

void add_bulk_wait()
{
    for (const addition &a : additions[here.thread]) {
        a.add(a.to, a.from, a.size);
        mark(a.from, a.size, FREE);
        shared_read(a.from, a.size);
    }
    additions[here.thread].clear();
}

void check_wide_address(const void *p, size_t size)
{
    const char *byte = (const char *)p;
    if (byte >= shared.begin && byte < shared.end) {
        stop(here.thread, "adds %zu bytes at once to shared memory, byte %zu", size,
             shared_offset(p));
    }
    if ((uintptr_t)p % size != 0) {
        stop(here.thread, "adds %zu bytes at once at address %p, which is not a multiple of %zu",
             size, p, size);
    }
}

/* ---- ends ------------------------------------------------------------------------------------ */

void copies_end_thread(int thread)
{
    if (!copies[thread].empty()) {
        stop(thread,
             "ends with an asynchronous copy under way to byte %zu of shared memory, which it did "
             "not wait for",
             shared_offset(copies[thread][0].to));
    }
    if (!additions[thread].empty()) {
        stop(thread,
             "ends with a bulk addition under way from byte %zu of shared memory, which it did not "
             "wait for",
             shared_offset(additions[thread][0].from));
    }
}

void copies_end_phase()
{
    if (landed_words > 0) {
        for (int i = 0; i < here.threads; i++) {
            seen[i].clear();
        }
        landed_words = 0;
        count_words();
    }
}

void copies_end_warp_phase(int warp)
{
    if (landed_words == 0) {
        return;
    }
    int first = warp * WARP;
    int end = first + WARP < here.threads ? first + WARP : here.threads;
    std::vector<uint32_t> all;
    for (int i = first; i < end; i++) {
        all.insert(all.end(), seen[i].begin(), seen[i].end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (int i = first; i < end; i++) {
        seen[i] = all;
    }
}

void copies_end_block()
{
    for (const arrival &a : arrivals) {
        if (a.arrived || a.copied > 0) {
            stop(a.made_by,
                 "initialised the arrival at byte %zu, for whose last phase nobody waited: it "
                 "expects %zu bytes and gets %zu",
                 a.byte, a.arrived ? a.expected : 0, a.copied);
        }
        mark(shared.begin + a.byte, 8, FREE);
    }
    arrivals.clear();
    copies_end_phase();
}
} // namespace cleave_emulator
