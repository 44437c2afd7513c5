/* pages.c: memory in pages of its own. For dats declared without data it is zero and costs nothing
 * until somebody writes it. Programs declare and free temporary dats in every time step; as long as
 * the host never touches the pages, memory.c zeroes such a dat where it is needed and copies
 * nothing. For dats with data the pages are large where the system has such: they are protected
 * when the dat is first copied to a device (watch.c). */
#include "runtime/base/machine.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/pages.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_PAGE ((size_t)2 << 20) /* bytes, on x86-64 */

/* Bytes per page of the operating system. */
static size_t page_bytes(void)
{
    static size_t bytes;
    if (bytes == 0) {
        bytes = (size_t)sysconf(_SC_PAGESIZE);
    }
    return bytes;
}

static size_t whole_pages(size_t bytes)
{
    const size_t page = page_bytes();
    return (bytes + page - 1) / page * page;
}

int cleave_pages_pay(size_t bytes)
{
    return cleave_device != NULL && bytes >= cleave_machine.least_mapped;
}

/* The hook of AddressSanitizer, if the program is built with it: no array owns the bytes behind the
 * data. */
void __asan_poison_memory_region(void const volatile *memory, size_t bytes) __attribute__((weak));
void __asan_unpoison_memory_region(void const volatile *memory, size_t bytes) __attribute__((weak));

/* Returns the number of bytes to map, never 0. */
static size_t mapped_bytes(size_t bytes)
{
    return whole_pages(bytes + (__asan_poison_memory_region != NULL || bytes == 0));
}

/* More bytes than mapped_bytes() are mapped by the caller's wish. */
static char *map_pages(size_t size, size_t bytes, const char *what)
{
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        cleave_fatal("out of memory: %zu bytes for %s", bytes, what);
    }
    return memory;
}

static void *guarded(char *memory, size_t bytes)
{
    if (__asan_poison_memory_region != NULL) {
        __asan_poison_memory_region(memory + bytes, mapped_bytes(bytes) - bytes);
    }
    return memory;
}

void *cleave_pages_new(size_t bytes, const char *what)
{
    return guarded(map_pages(mapped_bytes(bytes), bytes, what), bytes);
}

/* Maps one large page more, and gives back what lies before and behind the aligned part. */
void *cleave_pages_filled(size_t bytes, const char *what)
{
    if (cleave_device == NULL || bytes < LARGE_PAGE) {
        return cleave_pages_new(bytes, what);
    }
    const size_t size = mapped_bytes(bytes);
    char *all = map_pages(size + LARGE_PAGE, bytes, what);
    const size_t before = (LARGE_PAGE - (uintptr_t)all % LARGE_PAGE) % LARGE_PAGE;
    char *memory = all + before;
    if (before > 0) {
        munmap(all, before);
    }
    if (before < LARGE_PAGE) {
        munmap(memory + size, LARGE_PAGE - before);
    }
    (void)madvise(memory, size, MADV_HUGEPAGE); /* without them it is as right */
    return guarded(memory, bytes);
}

void cleave_pages_free(void *memory, size_t bytes)
{
    if (memory == NULL) {
        return;
    }
    if (__asan_unpoison_memory_region != NULL) {
        __asan_unpoison_memory_region(memory, mapped_bytes(bytes));
    }
    munmap(memory, mapped_bytes(bytes));
}

int cleave_pages_move(void *from, void *to, size_t bytes)
{
    const size_t size = mapped_bytes(bytes);
    if (__asan_unpoison_memory_region != NULL) {
        __asan_unpoison_memory_region(from, size);
    }
    return mremap(from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to ? 0 : -1;
}

/* One 64-bit word per page (Linux, Documentation/admin-guide/mm/pagemap.rst): bit 63, the page is
 * in memory; bit 62, it is in swap. */
#define TOUCHED ((uint64_t)3 << 62)

/* 1: no page of `left` pages from `at` on has been touched, as `pagemap` says. */
static int none_touched(int pagemap, size_t left, off_t at)
{
    uint64_t word[1024];
    while (left > 0) {
        const size_t count = left < 1024 ? left : 1024;
        const ssize_t bytes = (ssize_t)(count * sizeof word[0]);
        if (pread(pagemap, word, (size_t)bytes, at) != bytes) {
            return 0;
        }
        for (size_t i = 0; i < count; i++) {
            if ((word[i] & TOUCHED) != 0) {
                return 0;
            }
        }
        left -= count;
        at += bytes;
    }
    return 1;
}

/* The page map of this process, opened once; a fork's child opens its own, since the descriptor
 * that it inherits describes its parent's memory. Negative where the system has none. */
static int page_map(void)
{
    static int descriptor = -1;
    static pid_t owner = -1;
    const pid_t self = getpid();
    if (owner != self) {
        if (descriptor >= 0) {
            close(descriptor);
        }
        descriptor = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
        owner = self;
    }
    return descriptor;
}

int cleave_pages_untouched(const void *memory, size_t bytes)
{
    const int pagemap = page_map();
    const off_t first = (off_t)((uintptr_t)memory / page_bytes() * sizeof(uint64_t));
    return pagemap >= 0 && none_touched(pagemap, whole_pages(bytes) / page_bytes(), first);
}

int cleave_pages_small_zero(const char *memory, size_t bytes)
{
    /* Each byte equals the one before, and the first is 0. */
    return bytes < cleave_machine.least_mapped &&
           (bytes == 0 || (memory[0] == 0 && memcmp(memory, memory + 1, bytes - 1) == 0));
}
