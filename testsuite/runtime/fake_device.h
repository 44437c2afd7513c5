/* fake_device.h: a target with a memory of its own, malloc with a budget, for tests of the runtime.
 * It counts what is copied and waited for, and lacks memory, shared memory or itself as a test
 * wishes. Released memory is checked by the count of bytes in use; what is allocated holds no
 * zeros, and what is released no values. */
#ifndef CLEAVE_TEST_FAKE_DEVICE_H
#define CLEAVE_TEST_FAKE_DEVICE_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "runtime/base/target.h"

static size_t budget = (size_t)1 << 30;
static size_t in_use;
static size_t shared_bytes = (size_t)1 << 20;
static int uploads;
static int downloads;
static int waits;
static int startable = 1;
static int launch_fails;
static int marks;
static int mark_number[TARGET_MARKS]; /* of the mark that each slot holds */
static int ranges;                    /* open ones */

static int device_start(void)
{
    return startable ? 0 : -1;
}

static void device_stop(void)
{
}

static const char *device_name(void)
{
    return "a test device";
}

static size_t device_shared_limit(void)
{
    return shared_bytes;
}

static int threads = 1024;
static int spills = 400; /* its address is that of a kernel which spills so many bytes */
static int heavy;        /* that of a kernel of which more threads are resident in small blocks */

static int is_kernel(const void *kernel)
{
    return kernel == (const void *)&threads || kernel == (const void *)&spills ||
           kernel == (const void *)&heavy;
}

static int device_most_threads(const void *kernel)
{
    CHECK(is_kernel(kernel));
    return threads;
}

static void device_kernel_takes(const void *kernel, int block, size_t shared,
                                struct target_kernel *takes)
{
    CHECK(is_kernel(kernel));
    *takes = (struct target_kernel){40, kernel == (const void *)&spills ? spills : 8, 16,
                                    2 * block + (int)shared};
    if (kernel == (const void *)&heavy) {
        takes->resident_threads = 448 / block * block;
    }
}

static void *device_alloc(size_t bytes)
{
    if (bytes > budget - in_use) {
        return NULL;
    }
    size_t *memory = malloc(bytes + 16);
    if (memory == NULL) {
        return NULL;
    }
    memory[0] = bytes;
    memset(memory + 2, 0xee, bytes);
    in_use += bytes;
    return memory + 2;
}

static void device_release(void *memory)
{
    if (memory == NULL) {
        return;
    }
    size_t *start = (size_t *)memory - 2;
    in_use -= start[0];
    memset(memory, 0xdd, start[0]);
    __asm__ volatile("" ::: "memory"); /* else the compiler leaves out what only free() could see */
    free(start);
}

static int device_zero(void *memory, size_t bytes)
{
    memset(memory, 0, bytes);
    return 0;
}

static int device_copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return 0;
}

static size_t device_available(void)
{
    return budget - in_use;
}

static int moving;               /* transfers that have not ended: one at a time */
static struct timespec moves_in; /* the least that one takes */

/* In pieces of 100 records. */
static int device_move(char *memory, const struct target_records *records, int down)
{
    char piece[100 * 64];
    CHECK(__atomic_add_fetch(&moving, 1, __ATOMIC_SEQ_CST) == 1);
    nanosleep(&moves_in, NULL);
    for (size_t first = 0; first < records->count; first += 100) {
        size_t count = MIN(100, records->count - first);
        size_t bytes = count * records->bytes;
        CHECK(bytes <= sizeof piece);
        if (down) {
            memcpy(piece, memory + first * records->bytes, bytes);
            records->move(records, piece, first, count);
        } else {
            records->move(records, piece, first, count);
            memcpy(memory + first * records->bytes, piece, bytes);
        }
    }
    __atomic_sub_fetch(&moving, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static int device_upload(void *to, const struct target_records *from)
{
    uploads++;
    return device_move(to, from, 0);
}

static int device_download(const struct target_records *to, const void *from)
{
    downloads++;
    return device_move((char *)(uintptr_t)from, to, 1);
}

static int device_wait(void)
{
    waits++;
    return 0;
}

static int device_launched(void)
{
    return launch_fails ? -1 : 0;
}

static const char *device_error(void)
{
    return "the test says so";
}

static void *device_stream(void)
{
    return &in_use;
}

static int device_mark(int slot)
{
    CHECK(slot >= 0 && slot < TARGET_MARKS);
    marks++;
    mark_number[slot] = marks;
    return 0;
}

/* The first launch loads its kernel; the others take 1/4 s, every fourth call 3/4. */
static double device_elapsed(int begin, int end)
{
    int call = mark_number[end] / 2; /* from 1 */
    CHECK(mark_number[end] == mark_number[begin] + 1 && mark_number[end] % 2 == 0);
    return call == 1 ? 1000.0 : call % 4 == 0 ? 0.75 : 0.25;
}

static void device_range(const char *name)
{
    ranges += name != NULL ? 1 : -1;
    CHECK(ranges == (name != NULL));
}

static const struct target_ops ops = {.target = CLEAVE_TARGET_CUDA,
                                      .lanes = 32,
                                      .start = device_start,
                                      .stop = device_stop,
                                      .device = device_name,
                                      .shared_limit = device_shared_limit,
                                      .most_threads = device_most_threads,
                                      .kernel_takes = device_kernel_takes,
                                      .alloc = device_alloc,
                                      .release = device_release,
                                      .zero = device_zero,
                                      .copy = device_copy,
                                      .available = device_available,
                                      .alloc_host = device_alloc,
                                      .release_host = device_release,
                                      .upload = device_upload,
                                      .download = device_download,
                                      .wait = device_wait,
                                      .launched = device_launched,
                                      .last_error = device_error,
                                      .stream = device_stream,
                                      .mark = device_mark,
                                      .elapsed = device_elapsed,
                                      .range = device_range};

#endif
