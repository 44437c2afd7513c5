/* places.c: threads stay where OMP_PLACES and OMP_PROC_BIND put them, whatever the runtime does in
 * between, and large dats and maps hold what was declared, from a cache line on. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include "op_lib.h"
#include "runtime/api/cleave_threads.h"
#include "runtime/base/waiting.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_THREADS = 256, LARGE = 400000 };

static struct {
    int cpu, place;
    cpu_set_t mask;
} seen[MOST_THREADS];

/* A loop: each of its threads notes where it runs. */
static void note(const struct cleave_launch *launch, struct cleave_thread thread)
{
    (void)launch;
    seen[thread.number].cpu = sched_getcpu();
    seen[thread.number].place = omp_get_place_num();
    sched_getaffinity(0, sizeof(cpu_set_t), &seen[thread.number].mask);
}

/* Thread t of as many as there are places is bound to place t, with `close`. */
static void check_places(void)
{
    const struct cleave_launch launch = {.begin = 0, .end = 1};
    const int places = omp_get_num_places();
    cleave_run_on_threads(&launch, note);
    for (int t = 0; t < places; t++) {
        int own[CPU_SETSIZE];
        const int count = omp_get_place_num_procs(t);
        omp_get_place_proc_ids(t, own);
        CHECK(seen[t].place == t);
        CHECK(CPU_COUNT(&seen[t].mask) == count && CPU_ISSET((size_t)seen[t].cpu, &seen[t].mask));
        for (int c = 0; c < count; c++) {
            CHECK(CPU_ISSET((size_t)own[c], &seen[t].mask));
        }
    }
}

static int is_aligned(const void *memory)
{
    return (uintptr_t)memory % 64 == 0;
}

static void check_declared(void)
{
    double *value = malloc(LARGE * sizeof *value);
    int *row = malloc(LARGE * sizeof *row);
    for (int i = 0; i < LARGE; i++) {
        value[i] = i;
        row[i] = LARGE - 1 - i;
    }
    op_set set = op_decl_set(LARGE, "set");
    op_map map = op_decl_map(set, set, 1, row, "back");
    op_dat given = op_decl_dat(set, 1, "double", value, "given");
    op_dat zero = op_decl_dat(set, 1, "double", (double *)NULL, "zero");
    free(value);
    free(row);
    CHECK(is_aligned(given->data) && is_aligned(zero->data) && is_aligned(map->map));
    int wrong = 0;
    for (int i = 0; i < LARGE; i++) {
        wrong += ((const double *)given->data)[i] != i || ((const double *)zero->data)[i] != 0;
        wrong += map->map[i] != LARGE - 1 - i;
    }
    CHECK(wrong == 0);
}

int main(int argc, char **argv)
{
    if (getenv("PLACES_SET") == NULL) { /* OpenMP reads its variables before main() */
        setenv("PLACES_SET", "1", 1);
        setenv("OMP_PLACES", "cores", 1);
        setenv("OMP_PROC_BIND", "close", 1);
        unsetenv("OMP_NUM_THREADS");
        execv("/proc/self/exe", argv);
    }
    if (omp_get_num_places() < 2 || omp_get_num_places() > MOST_THREADS) {
        printf("one core: nothing to bind threads to\n");
        return 77;
    }
    omp_set_num_threads(omp_get_num_places());
    check_places();
    op_init(argc, argv, 0);
    check_declared();
    check_places();
    cleave_waiting_short(1);
    check_places();
    cleave_waiting_short(0);
    check_places();
    op_exit();
    check_places();
    return CHECK_RESULT();
}
