/* gpu_bench_check.c: compares dats and numbers with what they should be. */
#include "gpu_bench.h"

#include <float.h>

/* Largest values and differences of each component, and how many values are no numbers. */
struct spread {
    double most[GPU_BENCH_COMPONENTS];
    double difference[GPU_BENCH_COMPONENTS];
    long bad;
};

static void spread_doubles(struct spread *spread, const double *got, const double *reference,
                           size_t size, size_t dim, double scale)
{
    double most[GPU_BENCH_COMPONENTS] = {0.0}, difference[GPU_BENCH_COMPONENTS] = {0.0};
    long bad = 0;
#pragma omp parallel for reduction(max : most, difference) reduction(+ : bad)
    for (size_t i = 0; i < size; i++) {
        for (size_t d = 0; d < dim; d++) {
            const double expected = scale * reference[i * dim + d];
            const double off = fabs(got[i * dim + d] - expected);
            bad += !(off <= DBL_MAX);
            most[d] = fmax(most[d], fabs(expected));
            difference[d] = fmax(difference[d], off);
        }
    }
    memcpy(spread->most, most, sizeof most);
    memcpy(spread->difference, difference, sizeof difference);
    spread->bad = bad;
}

static void spread_floats(struct spread *spread, const float *got, const float *reference,
                          size_t size, size_t dim, double scale)
{
    double most[GPU_BENCH_COMPONENTS] = {0.0}, difference[GPU_BENCH_COMPONENTS] = {0.0};
    long bad = 0;
#pragma omp parallel for reduction(max : most, difference) reduction(+ : bad)
    for (size_t i = 0; i < size; i++) {
        for (size_t d = 0; d < dim; d++) {
            const double expected = scale * (double)reference[i * dim + d];
            const double off = fabs((double)got[i * dim + d] - expected);
            bad += !(off <= DBL_MAX);
            most[d] = fmax(most[d], fabs(expected));
            difference[d] = fmax(difference[d], off);
        }
    }
    memcpy(spread->most, most, sizeof most);
    memcpy(spread->difference, difference, sizeof difference);
    spread->bad = bad;
}

static void spread_of(struct spread *spread, const struct gpu_bench_output *output, double scale)
{
    const op_dat dat = output->dat;
    const size_t size = (size_t)dat->set->size;
    const size_t dim = (size_t)dat->dim;
    if (dim > GPU_BENCH_COMPONENTS) {
        fprintf(stderr, "gpu_bench: dat '%s' has %zu components; the most is %d\n", dat->name, dim,
                GPU_BENCH_COMPONENTS);
        exit(1);
    }
    op_get_data(dat);
    if (strcmp(dat->type, "float") == 0) {
        spread_floats(spread, (const float *)dat->data, output->reference, size, dim, scale);
    } else {
        spread_doubles(spread, (const double *)dat->data, output->reference, size, dim, scale);
    }
}

/* For components that are zero everywhere, the difference itself. */
static double relative(double difference, double most)
{
    return most > 0.0 ? difference / most : difference;
}

double gpu_bench_worst(const struct gpu_bench_output *output, double scale)
{
    struct spread spread;
    double worst = 0.0;
    spread_of(&spread, output, scale);
    for (int d = 0; d < output->dat->dim; d++) {
        worst = fmax(worst, relative(spread.difference[d], spread.most[d]));
    }
    return spread.bad > 0 ? INFINITY : worst;
}

void gpu_bench_compare(struct gpu_bench *bench, const char *name,
                       const struct gpu_bench_output *output, double tolerance)
{
    struct spread spread;
    double most = 0.0, difference = 0.0;
    spread_of(&spread, output, 1.0);
    for (int d = 0; d < output->dat->dim; d++) {
        most = fmax(most, spread.most[d]);
        difference = fmax(difference, spread.difference[d]);
    }
    const double worst = spread.bad > 0 ? INFINITY : relative(difference, most);
    const int passed = worst <= tolerance;
    printf("compare %-12s worst %.2e of its largest value: %s\n", name, worst,
           passed ? "ok" : "FAILED");
    bench->failed |= !passed;
}

void gpu_bench_known(struct gpu_bench *bench, const char *name, double value, double expected,
                     double tolerance)
{
    if (expected == 0.0) {
        printf("known   %-12s %.13e, nothing to compare with\n", name, value);
        return;
    }
    const int passed = fabs(value / expected - 1.0) <= tolerance;
    printf("known   %-12s %.13e, expected %.13e: %s\n", name, value, expected,
           passed ? "ok" : "FAILED");
    bench->failed |= !passed;
}

void gpu_bench_small(struct gpu_bench *bench, const char *name, double value, double bound)
{
    const int passed = fabs(value) <= bound;
    printf("known   %-12s %.2e, at most %.2e: %s\n", name, value, bound, passed ? "ok" : "FAILED");
    bench->failed |= !passed;
}

double gpu_bench_norm(const double *value, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += value[i] * value[i];
    }
    return sqrt(sum);
}
