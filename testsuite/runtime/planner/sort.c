/* sort.c: the planner's sort and prefix sums against qsort and a plain loop, with 1, 2, 3 and 8
 * threads, and inside parallel regions, where the inner regions get fewer threads than they may ask
 * for. */
#include <omp.h>
#include <stdlib.h>

#include "check.h"
#include "runtime/planner/base/base.h"

static const int THREADS[] = {1, 2, 3, 8};

struct item {
    uint64_t key;
    int place;
};

static int compare_items(const void *a, const void *b)
{
    const struct item *left = a;
    const struct item *right = b;
    if (left->key != right->key) {
        return left->key < right->key ? -1 : 1;
    }
    return left->place - right->place;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state ^ *state >> 29;
}

static int sorts_right(const uint64_t *key, const struct item *expected, int count, int bits)
{
    char error[PLANNER_ERROR] = "";
    int *order = malloc(((size_t)count + 1) * sizeof *order);
    int right = planner_sort(order, key, count, bits, error) == 0;
    for (int i = 0; right && i < count; i++) {
        right = order[i] == expected[i].place;
    }
    free(order);
    return right;
}

/* Sorts the same keys on one level and in four threads that each want threads of their own. */
static void check_sort(int count, int bits, uint64_t mask)
{
    uint64_t state = (uint64_t)count * 77 + (uint64_t)bits;
    uint64_t low = bits < 64 ? ((uint64_t)1 << bits) - 1 : ~(uint64_t)0;
    uint64_t *key = malloc(((size_t)count + 1) * sizeof *key);
    struct item *expected = malloc(((size_t)count + 1) * sizeof *expected);
    for (int i = 0; i < count; i++) {
        key[i] = next_random(&state) & (mask | ~low);
        expected[i] = (struct item){key[i] & low, i};
    }
    qsort(expected, (size_t)count, sizeof *expected, compare_items);
    for (size_t t = 0; t < sizeof THREADS / sizeof *THREADS; t++) {
        omp_set_num_threads(THREADS[t]);
        CHECK(sorts_right(key, expected, count, bits));
    }
    for (int levels = 1; levels <= 2; levels++) {
        int wrong = 0;
        omp_set_max_active_levels(levels);
#pragma omp parallel num_threads(4) reduction(+ : wrong)
        {
            omp_set_num_threads(3);
            wrong += !sorts_right(key, expected, count, bits);
        }
        CHECK(wrong == 0);
    }
    omp_set_max_active_levels(1);
    free(key);
    free(expected);
}

static void check_prefix(int64_t count)
{
    int64_t *start = malloc(((size_t)count + 1) * sizeof *start);
    for (size_t t = 0; t < sizeof THREADS / sizeof *THREADS; t++) {
        omp_set_num_threads(THREADS[t]);
        for (int64_t i = 0; i < count; i++) {
            start[i] = i % 7 == 0 ? (int64_t)1 << 33 : i % 5;
        }
        planner_prefix(start, count);
        int64_t sum = 0;
        int wrong = 0;
        for (int64_t i = 0; i < count; i++) {
            wrong += start[i] != sum;
            sum += i % 7 == 0 ? (int64_t)1 << 33 : i % 5;
        }
        CHECK(wrong == 0 && start[count] == sum);
    }
    free(start);
}

static void test_memory(void)
{
    char error[PLANNER_ERROR] = "";
    char *none = planner_memory(0, 8, "nothing", error);
    CHECK(none != NULL && error[0] == '\0');
    free(none);
    CHECK(planner_memory(SIZE_MAX / 4, 8, "the stars", error) == NULL);
    CHECK(strstr(error, "the stars") != NULL && strstr(error, "out of memory") != NULL);
    CHECK(planner_memory(SIZE_MAX / 4, 8, "the stars", NULL) == NULL);
    size_t size = 5000011;
    char *zeroed = planner_zeroed(size, 1, "zeroes", error);
    size_t wrong = 0;
    for (size_t i = 0; i < size; i++) {
        wrong += zeroed[i] != 0;
    }
    CHECK(wrong == 0 && (uintptr_t)zeroed % 64 == 0);
    free(zeroed);
}

static void test_phases(void)
{
    struct plan_phases phases = {0};
    planner_phase(NULL, "nothing", planner_clock(), 0);
    planner_phase(&phases, "one", planner_clock() - 1, 0);
    planner_phase(&phases, "two", planner_clock() - 2, 1);
    planner_phase(&phases, "one", planner_clock() - 3, 0);
    CHECK(phases.count == 2);
    CHECK_TEXT(phases.phase[0].name, "one");
    CHECK(phases.phase[0].seconds >= 4 && phases.phase[0].seconds < 5 && !phases.phase[0].serial);
    CHECK(phases.phase[1].seconds >= 2 && phases.phase[1].serial);
}

int main(void)
{
    static const int COUNT[] = {0, 1, 2, 3, 1000, 65536, 65537, 300000};
    for (size_t i = 0; i < sizeof COUNT / sizeof *COUNT; i++) {
        check_sort(COUNT[i], 64, ~(uint64_t)0);
        check_sort(COUNT[i], 40, 0xff00000fff);
        check_sort(COUNT[i], 22, ~(uint64_t)0);
        check_sort(COUNT[i], 13, 0x1003);
        check_sort(COUNT[i], 8, 3);
        check_sort(COUNT[i], 30, 0);
        check_sort(COUNT[i], 0, 0);
        check_prefix(COUNT[i]);
    }
    check_sort(1500000, 33, ~(uint64_t)0);
    check_prefix(3000001);
    test_memory();
    test_phases();
    return CHECK_RESULT();
}
