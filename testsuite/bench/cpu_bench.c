/* cpu_bench.c: options, clock and output of the programs that cpu_bench.sh runs. Plain C that knows
 * nothing of OP2.
 */
#define _POSIX_C_SOURCE 200809L
#include "cpu_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void refuse(const char *program, const char *word)
{
    fprintf(stderr,
            "%s: '%s' is no option; usage: %s [--size=N[,M]] [--shuffled] [--iterations=K]\n",
            program, word, program);
    exit(2);
}

/* Returns the number at `text`, 1..most, and sets *end behind it; 0 for anything else. */
static int number(const char *text, int most, char **end)
{
    const long value = strtol(text, end, 10);
    return *end == text || value < 1 || value > most ? 0 : (int)value;
}

static int read_size(struct cpu_bench_options *options, int most, const char *text)
{
    char *end;
    const int sizes = options->size[1] == 0 ? 1 : 2;
    for (int s = 0; s < sizes; s++) {
        options->size[s] = number(text, most, &end);
        if (options->size[s] == 0 || *end != (s + 1 < sizes ? ',' : '\0')) {
            return 0;
        }
        text = end + 1;
    }
    return 1;
}

void cpu_bench_options(struct cpu_bench_options *options, int most, int argc, char **argv)
{
    for (int a = 1; a < argc; a++) {
        const char *word = argv[a];
        int known = 1;
        if (strncmp(word, "--size=", 7) == 0) {
            known = read_size(options, most, word + 7);
        } else if (strncmp(word, "--iterations=", 13) == 0) {
            char *end;
            options->iterations = number(word + 13, 1000000, &end);
            known = options->iterations > 0 && *end == '\0';
        } else if (strcmp(word, "--shuffled") == 0) {
            options->shuffled = 1;
        } else {
            known = 0;
        }
        if (!known) {
            refuse(argv[0], word);
        }
    }
}

double cpu_bench_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double cpu_bench_median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, ascending);
    return 0.5 * (times[(count - 1) / 2] + times[count / 2]);
}

void *cpu_bench_memory(long long count, int bytes)
{
    const size_t size = ((size_t)count * (size_t)bytes + 127) / 64 * 64;
    void *memory = aligned_alloc(64, size);
    if (memory == NULL) {
        fprintf(stderr, "cpu_bench: not enough memory for %zu bytes\n", size);
        exit(1);
    }
    memset(memory, 0, size);
    return memory;
}

/* Times of a run: of each iteration, and of each loop's calls. */
struct times {
    int calls[CPU_BENCH_LOOPS];
    double *of[CPU_BENCH_LOOPS];
    double *iteration;
};

/* One iteration; returns its seconds. */
static double iterate(const struct cpu_bench_loop *loop, const int *step, int steps,
                      struct times *times)
{
    double sum = 0.0;
    for (int s = 0; s < steps; s++) {
        const int l = step[s];
        const double begin = cpu_bench_clock();
        loop[l].run();
        const double seconds = cpu_bench_clock() - begin;
        times->of[l][times->calls[l]++] = seconds;
        sum += seconds;
    }
    return sum;
}

void cpu_bench_run(const struct cpu_bench_loop *loop, int loops, const int *step, int steps,
                   const struct cpu_bench_options *options)
{
    const int iterations = options->iterations + 1;
    struct times times = {.iteration = cpu_bench_memory(iterations, sizeof(double))};
    double bytes = 0.0;
    for (int l = 0; l < loops; l++) {
        times.of[l] = cpu_bench_memory((long long)iterations * steps, sizeof(double));
    }
    for (int i = 0; i < iterations; i++) {
        times.iteration[i] = iterate(loop, step, steps, &times);
    }
    for (int l = 0; l < loops; l++) {
        const double first = times.of[l][0];
        printf("loop %s %.6f %.6f %.0f\n", loop[l].name, 1e3 * first,
               1e3 * cpu_bench_median(times.of[l] + 1, times.calls[l] - 1), loop[l].bytes);
        free(times.of[l]);
    }
    for (int s = 0; s < steps; s++) {
        bytes += loop[step[s]].bytes;
    }
    const double first = times.iteration[0];
    printf("iteration %.6f %.6f %.0f\n", 1e3 * first,
           1e3 * cpu_bench_median(times.iteration + 1, iterations - 1), bytes);
    free(times.iteration);
}

void cpu_bench_setup(double seconds)
{
    printf("setup %.6f\n", 1e3 * seconds);
}

void cpu_bench_value(const char *name, double value)
{
    printf("value %s %.17g\n", name, value);
}

void cpu_bench_norm(const char *name, const double *value, long long count)
{
    double sum = 0.0;
    for (long long i = 0; i < count; i++) {
        sum += value[i] * value[i];
    }
    cpu_bench_value(name, sqrt(sum));
}
