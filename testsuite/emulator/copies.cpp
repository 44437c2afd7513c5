/* copies.cpp: asynchronous copies to a block's shared memory.
 *
 * A copy lands as late as it may: when it is waited for. Until then its target holds poison, and
 * accesses to it are reported. The words that copies fill are marked in a table, which shared.cpp
 * asks before accesses while any is.
 */
#include <vector>
#include "emulator.h"

namespace cleave_emulator
{
size_t copies_watched;

namespace
{
struct copy {
    char *to;
    const char *from;
    size_t size;
};

/* A word of shared memory. */
struct watch {
    bool filled;        /* a copy is under way to it */
    uint16_t thread;    /* that started it */
    uint32_t landed_at; /* time when the last one landed */
};

watch words[MAX_SHARED / 4];
std::vector<copy> copies[MAX_THREADS]; /* those that each thread has not waited for */

void mark(const void *to, size_t size, bool filled)
{
    for (size_t w = shared_offset(to) / 4; w < (shared_offset(to) + size) / 4; w++) {
        words[w].filled = filled;
        words[w].thread = (uint16_t)here.thread;
        words[w].landed_at = shared_time();
    }
    copies_watched += filled ? size / 4 : -(size / 4);
}

void check_alignment(const void *to, const void *from, size_t alignment)
{
    if (shared_offset(to) % alignment != 0) {
        stop(here.thread, "copies to byte %zu of shared memory, which is not a multiple of %zu",
             shared_offset(to), alignment);
    }
    if ((uintptr_t)from % alignment != 0) {
        stop(here.thread, "copies from address %p, which is not a multiple of %zu", from,
             alignment);
    }
}
} // namespace

void copy_async(void *to, const void *from, size_t size)
{
    check_alignment(to, from, size);
    shared_end_turn();
    copies_check(shared_offset(to), size, "copies to");
    shared_write(to, size);
    memset(to, POISON, size);
    mark(to, size, true);
    copies[here.thread].push_back({(char *)to, (const char *)from, size});
}

void copy_wait()
{
    for (const copy &c : copies[here.thread]) {
        mark(c.to, c.size, false);
        memcpy(c.to, c.from, c.size);
        shared_write(c.to, c.size);
    }
    copies[here.thread].clear();
}

void copies_check(size_t offset, size_t size, const char *verb)
{
    for (size_t w = offset / 4; w < (offset + size + 3) / 4; w++) {
        if (words[w].filled) {
            stop(here.thread,
                 "%s shared memory at byte %zu, to which thread %d copies asynchronously and has "
                 "not waited for it",
                 verb, 4 * w, words[w].thread);
        }
    }
}

void copies_end_thread(int thread)
{
    if (!copies[thread].empty()) {
        stop(thread,
             "ends with an asynchronous copy under way to byte %zu of shared memory, which it did "
             "not wait for",
             shared_offset(copies[thread][0].to));
    }
}

bool copies_landed(size_t offset)
{
    return words[offset / 4].landed_at == shared_time();
}
} // namespace cleave_emulator
