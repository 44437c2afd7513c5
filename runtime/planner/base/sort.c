/* sort.c: parallel prefix sums and a stable parallel radix sort.
 *
 * Both cut their arrays into chunks whose number depends on the length alone, never on the threads:
 * each chunk is counted, the counts are summed in the order of the chunks, each chunk is moved. So
 * the result is the same for any number of threads, nested parallel regions included, where the
 * inner region may get one thread only.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/base/base.h"

/* ---- prefix sums ---------------------------------------------------------------------------- */

#define PREFIX_CHUNK ((int64_t)1 << 15)
#define PREFIX_CHUNKS 256

/* Sums within [first, end), from `sum` on; returns the sum behind them. */
static int64_t prefix_serial(int64_t *start, int64_t first, int64_t end, int64_t sum)
{
    for (int64_t i = first; i < end; i++) {
        int64_t count = start[i];
        start[i] = sum;
        sum += count;
    }
    return sum;
}

void planner_prefix(int64_t *start, int64_t count)
{
    if (count <= 2 * PREFIX_CHUNK) {
        start[count] = prefix_serial(start, 0, count, 0);
        return;
    }
    int64_t length = count / PREFIX_CHUNKS + 1;
    if (length < PREFIX_CHUNK) {
        length = PREFIX_CHUNK;
    }
    int chunks = (int)((count + length - 1) / length);
    int64_t total[PREFIX_CHUNKS + 1] = {0};
#pragma omp parallel for schedule(static)
    for (int chunk = 0; chunk < chunks; chunk++) {
        int64_t end = (chunk + 1) * length < count ? (chunk + 1) * length : count;
        int64_t sum = 0;
        for (int64_t i = chunk * length; i < end; i++) {
            sum += start[i];
        }
        total[chunk] = sum;
    }
    start[count] = prefix_serial(total, 0, chunks, 0);
#pragma omp parallel for schedule(static)
    for (int chunk = 0; chunk < chunks; chunk++) {
        int64_t end = (chunk + 1) * length < count ? (chunk + 1) * length : count;
        prefix_serial(start, chunk * length, end, total[chunk]);
    }
}

/* ---- sort ----------------------------------------------------------------------------------- */

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)
#define SORT_CHUNK (1 << 16)
#define SORT_CHUNKS 64

/* One side of a pass: keys and the places that they had at first. */
struct side {
    uint64_t *key;
    int *place;
};

struct sort {
    int count;
    int length; /* of a chunk */
    int chunks;
    int *offset; /* [chunks*DIGITS] how many of each digit, then where the next one goes */
};

static int digit_of(uint64_t key, int shift, int bits)
{
    return (int)(key >> shift & (((uint64_t)1 << bits) - 1));
}

/* Counts the digits of each chunk and turns counts into places. Returns 1 when all have one digit.
 */
static int count_digits(struct sort *sort, const uint64_t *key, int shift, int bits)
{
    int digits = 1 << bits;
#pragma omp parallel for schedule(static)
    for (int chunk = 0; chunk < sort->chunks; chunk++) {
        int *count = sort->offset + (size_t)chunk * DIGITS;
        int first = chunk * sort->length;
        int end = sort->count - first < sort->length ? sort->count : first + sort->length;
        memset(count, 0, (size_t)digits * sizeof *count);
        for (int i = first; i < end; i++) {
            count[digit_of(key[i], shift, bits)]++;
        }
    }
    int sum = 0;
    for (int digit = 0; digit < digits; digit++) {
        int before = sum;
        for (int chunk = 0; chunk < sort->chunks; chunk++) {
            int *at = &sort->offset[(size_t)chunk * DIGITS + (size_t)digit];
            int count = *at;
            *at = sum;
            sum += count;
        }
        if (sum - before == sort->count) {
            return 1;
        }
    }
    return 0;
}

/* from.place NULL: the places are 0, 1, 2...; to.key NULL: the keys are not needed any more. */
static void move_digits(struct sort *sort, struct side from, struct side to, int shift, int bits)
{
#pragma omp parallel for schedule(static)
    for (int chunk = 0; chunk < sort->chunks; chunk++) {
        int *offset = sort->offset + (size_t)chunk * DIGITS;
        int first = chunk * sort->length;
        int end = sort->count - first < sort->length ? sort->count : first + sort->length;
        for (int i = first; i < end; i++) {
            int at = offset[digit_of(from.key[i], shift, bits)]++;
            to.place[at] = from.place != NULL ? from.place[i] : i;
            if (to.key != NULL) {
                to.key[at] = from.key[i];
            }
        }
    }
}

static void identity(int *order, int count)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < count; i++) {
        order[i] = i;
    }
}

/* Keeps the result of the last pass in `order`, whichever side it was written to. */
static void sort_passes(struct sort *sort, int *order, const uint64_t *key, int bits,
                        struct side one, struct side two)
{
    struct side from = {(uint64_t *)key, NULL};
    struct side to = one;
    for (int shift = 0; shift < bits; shift += DIGIT_BITS) {
        int width = bits - shift < DIGIT_BITS ? bits - shift : DIGIT_BITS;
        if (count_digits(sort, from.key, shift, width)) {
            continue;
        }
        int last = shift + DIGIT_BITS >= bits;
        move_digits(sort, from, last ? (struct side){NULL, to.place} : to, shift, width);
        from = to;
        to = to.place == one.place ? two : one;
    }
    if (from.place == NULL) {
        identity(order, sort->count);
    } else if (from.place != order) {
        memcpy(order, from.place, (size_t)sort->count * sizeof *order);
    }
}

int planner_sort(int *order, const uint64_t *key, int count, int bits, char error[PLANNER_ERROR])
{
    if (count < 2 || bits <= 0) {
        identity(order, count);
        return 0;
    }
    int passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
    struct sort sort = {.count = count, .length = count / SORT_CHUNKS + 1};
    if (sort.length < SORT_CHUNK) {
        sort.length = SORT_CHUNK;
    }
    sort.chunks = (count - 1) / sort.length + 1;
    size_t size = (size_t)count;
    /* An odd number of passes that write ends in side one, which has `order` for its places. */
    struct side one = {NULL, order};
    struct side two = {NULL, NULL};
    const char *what = "sorting";
    int status = 0;
    sort.offset = planner_memory((size_t)sort.chunks * DIGITS, sizeof *sort.offset, what, error);
    if (passes > 1) {
        one.key = planner_memory(size, sizeof *one.key, what, error);
        two.place = planner_memory(size, sizeof *two.place, what, error);
        status = one.key == NULL || two.place == NULL;
    }
    if (passes > 2) {
        two.key = planner_memory(size, sizeof *two.key, what, error);
        status |= two.key == NULL;
    }
    if (sort.offset != NULL && status == 0) {
        sort_passes(&sort, order, key, bits, one, two);
    } else {
        status = -1;
    }
    free(sort.offset);
    free(one.key);
    free(two.key);
    free(two.place);
    return status != 0 ? -1 : 0;
}

int planner_compare_ints(const void *a, const void *b)
{
    int left = *(const int *)a;
    int right = *(const int *)b;
    return (left > right) - (left < right);
}

void planner_sort_list(int *list, int64_t length)
{
    if (length > 64) {
        qsort(list, (size_t)length, sizeof *list, planner_compare_ints);
        return;
    }
    for (int64_t i = 1; i < length; i++) {
        int value = list[i];
        int64_t at = i;
        for (; at > 0 && list[at - 1] > value; at--) {
            list[at] = list[at - 1];
        }
        list[at] = value;
    }
}
