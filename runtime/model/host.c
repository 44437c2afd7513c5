/* host.c: measures the rates of the host: memory, the caches of its cores, operations, and what it
 * takes to start all threads. Compiled without vectors, so that an operation is one of one element;
 * lanes do more of them at a time (predict.c). */
#include <omp.h>

#include "runtime/model/model.h"

enum {
    COPIES = 3,
    LINE = 64,               /* bytes: no two threads write one */
    CACHED_BYTES = 64 << 10, /* a copy between two halves of it stays in the caches of a core */
    CACHED_COPIES = 512,
    CHAINS = 8,    /* of operations that wait for each other, in each thread */
    STEPS = 50000, /* of a multiplication and an addition each */
    STARTS = 64
};

static double least(double a, double b)
{
    return a <= 0.0 || b < a ? b : a;
}

/* Bytes of a buffer that no cache holds. */
static size_t large_bytes(const struct cleave_rates *rates)
{
    const double bytes = fmin(fmax(rates->cached_bytes, 48e6), 128e6);
    return (size_t)bytes / 4096 * 4096;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Each thread copies its part, whose pages it has touched. */
static double copy_once(char *to, char *from, size_t bytes, int touch)
{
    const double begin = cleave_seconds();
#pragma omp parallel
    {
        const size_t threads = (size_t)omp_get_num_threads();
        const size_t me = (size_t)omp_get_thread_num();
        const size_t first = bytes / LINE * me / threads * LINE;
        const size_t part = bytes / LINE * (me + 1) / threads * LINE - first;
        if (touch) {
            memset(from + first, 1, part);
            memset(to + first, 0, part);
        } else {
            memcpy(to + first, from + first, part);
        }
    }
    return cleave_seconds() - begin;
}

double cleave_host_copy_rate(size_t bytes, int copies)
{
    char *to = malloc(bytes);
    char *from = malloc(bytes);
    double seconds = 0.0;
    if (to != NULL && from != NULL) {
        copy_once(to, from, bytes, 1);
        for (int c = 0; c < copies; c++) {
            seconds = least(seconds, copy_once(to, from, bytes, 0));
        }
    }
    free(to);
    free(from);
    return seconds > 0.0 ? 2.0 * (double)bytes / seconds : 0.0;
}

/* Copies a buffer again and again; the threads begin together. Returns their rate, all together. */
static int measure_caches(struct cleave_rates *rates)
{
    double slowest = 0.0;
    int failed = 0;
    int threads = 1;
#pragma omp parallel reduction(max : slowest, failed, threads)
    {
        char *bytes = malloc(CACHED_BYTES);
        threads = omp_get_num_threads();
        failed = bytes == NULL;
        if (bytes != NULL) {
            memset(bytes, 1, CACHED_BYTES);
            const double begin = cleave_seconds();
            for (int c = 0; c < CACHED_COPIES; c++) {
                bytes[c % (CACHED_BYTES / 2)]++; /* or one copy would do */
                memcpy(bytes + CACHED_BYTES / 2, bytes, CACHED_BYTES / 2);
                bytes[0] += bytes[CACHED_BYTES - 1 - c];
            }
            slowest = cleave_seconds() - begin;
        }
        free(bytes);
    }
    rates->l2 = (double)CACHED_BYTES * CACHED_COPIES * threads / fmax(slowest, 1e-9);
    return failed ? -1 : 0;
}

/* ---- operations ------------------------------------------------------------------------------ */

/* A function of one type: all threads multiply and add in several chains each, and return the
 * operations per second of all of them. The sum of the chains is used, so that they are computed.
 */
#define OPERATIONS(NAME, TYPE)                                                                     \
    static double NAME(void)                                                                       \
    {                                                                                              \
        double slowest = 0.0;                                                                      \
        double sum = 0.0;                                                                          \
        int threads = 1;                                                                           \
        _Pragma("omp parallel reduction(max : slowest, threads) reduction(+ : sum)")               \
        {                                                                                          \
            TYPE chain[CHAINS];                                                                    \
            const TYPE factor = (TYPE)0.999;                                                       \
            const double begin = cleave_seconds();                                                 \
            threads = omp_get_num_threads();                                                       \
            for (int c = 0; c < CHAINS; c++) {                                                     \
                chain[c] = (TYPE)(begin + c);                                                      \
            }                                                                                      \
            for (int s = 0; s < STEPS; s++) {                                                      \
                for (int c = 0; c < CHAINS; c++) {                                                 \
                    chain[c] = chain[c] * factor + (TYPE)1;                                        \
                }                                                                                  \
            }                                                                                      \
            for (int c = 0; c < CHAINS; c++) {                                                     \
                sum += (double)chain[c];                                                           \
            }                                                                                      \
            slowest = cleave_seconds() - begin;                                                    \
        }                                                                                          \
        return isfinite(sum) ? 2.0 * CHAINS * STEPS * threads / fmax(slowest, 1e-9) : 0.0;         \
    }
OPERATIONS(double_rate, double)
OPERATIONS(float_rate, float)

/* ---- threads --------------------------------------------------------------------------------- */

/* Seconds from the start of all threads to their end, at best: they may wait for a processor that
 * another program has. */
static double start_seconds(void)
{
    double best = 0.0;
    for (int s = 0; s < STARTS; s++) {
        int threads = 0;
        const double begin = cleave_seconds();
#pragma omp parallel reduction(+ : threads)
        threads++;
        best = threads > 0 ? least(best, cleave_seconds() - begin) : best;
    }
    return best;
}

/* Bytes of the last cache, as Linux tells it. The C library counts that of all sockets' cores. */
static double last_cache_bytes(double otherwise)
{
    double kibibytes = 0.0;
    for (int level = 4; level >= 2 && kibibytes <= 0.0; level--) {
        char name[96];
        snprintf(name, sizeof name, "/sys/devices/system/cpu/cpu0/cache/index%d/size", level);
        FILE *file = fopen(name, "r");
        if (file != NULL) {
            kibibytes = fscanf(file, "%lfK", &kibibytes) == 1 ? kibibytes : 0.0;
            fclose(file);
        }
    }
    return kibibytes > 0.0 ? 1024.0 * kibibytes : otherwise;
}

int cleave_host_calibrate(struct cleave_rates *rates)
{
    rates->cached_bytes = last_cache_bytes(rates->cached_bytes);
    rates->multiprocessors = omp_get_max_threads();
    rates->copy = cleave_host_copy_rate(large_bytes(rates), COPIES);
    if (rates->copy <= 0.0 || measure_caches(rates) != 0) {
        return -1;
    }
    rates->in_double = double_rate();
    rates->in_float = float_rate();
    rates->launch = start_seconds();
    return 0;
}
