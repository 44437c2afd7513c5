/* plan_bench_report.c: the table on standard output. */
#include <string.h>

#include "plan_bench.h"

const struct bench_result *bench_find(const struct bench_table *table, const char *name)
{
    const struct bench_options *options = table->options;
    for (int m = 0; m < options->methods; m++) {
        const struct bench_result *result = &table->result[m * options->thread_counts];
        enum plan_start asked = options->method[m].method.start;
        int replaced = asked != PLAN_START_DEFAULT && asked != result->method.start;
        if (strcmp(options->method[m].name, name) == 0) {
            return result->failed || replaced ? NULL : result;
        }
    }
    return NULL;
}

double bench_serial_share(const struct bench_result *result)
{
    double seconds = 0;
    for (int p = 0; p < result->phases; p++) {
        seconds += result->phase[p].serial ? result->phase[p].seconds : 0;
    }
    return result->total_wall > 0 ? seconds / result->total_wall : 0;
}

static void print_ratio(double value, double reference)
{
    if (reference > 0) {
        printf(" %6.3f", value / reference);
    } else {
        printf(" %6s", "-");
    }
}

static void print_result(const struct bench_method *method, const struct bench_result *result,
                         const struct bench_result *metis)
{
    const struct plan_metrics *m = &result->metrics;
    printf("%-18s %3d", method->name, result->threads);
    if (result->failed) {
        printf("  failed: %s\n", result->error);
        return;
    }
    printf(" %6.3f %7.1f %5d %6.1f %5.1f %5.1f %7d %4d %5.1f %5.2f", m->reuse, m->points, m->max_points,
           m->lines, 100 * m->shared, 100 * m->fill, m->blocks, m->block_colours,
           m->thread_colours, m->wavefronts);
    for (int s = 0; s < BENCH_STEPS; s++) {
        printf(" %6.2f", result->cpu[s]);
    }
    printf(" %7.2f %7.2f %6.0f", result->total_cpu, result->total_wall,
           result->peak / result->elements);
    print_ratio(m->reuse, metis != NULL ? metis->metrics.reuse : 0);
    print_ratio(result->total_cpu, metis != NULL ? metis->total_cpu : 0);
    print_ratio(m->max_points, metis != NULL ? metis->metrics.max_points : 0);
    printf("  %016llx %s\n", (unsigned long long)result->plan_hash, result->done);
}

static void print_ranges(const struct bench_method *method, const struct bench_result *result)
{
    const struct plan_metrics *m = &result->ranges;
    if (!result->failed) {
        printf("%-18s %3d %7d %7.1f %7d %8.1f %8.2f  %016llx\n", method->name, result->threads, m->ranges,
               100 * m->border, m->block_colours, m->segment, 1e3 * result->ranges_wall,
               (unsigned long long)result->ranges_hash);
    }
}

static void print_phases(const struct bench_method *method, const struct bench_result *result)
{
    static const char *const steps[] = {"numbering", "points", "maps", "plan"};
    if (result->failed) {
        return;
    }
    printf("  phases of %s, %d threads (seconds of wall time, share of the whole line):\n",
           method->name, result->threads);
    for (int p = 0; p < result->phases; p++) {
        const struct bench_phase *phase = &result->phase[p];
        printf("    %-10s %-28s %8.3f %5.1f%%%s\n", steps[phase->step], phase->name, phase->seconds,
               100 * phase->seconds / result->total_wall, phase->serial ? "  serial" : "");
    }
    printf("    %-39s %8.3f %5.1f%%\n", "maps renumbered", result->wall[BENCH_RENUMBER],
           100 * result->wall[BENCH_RENUMBER] / result->total_wall);
    printf("    all serial phases together %26.1f%%\n", 100 * bench_serial_share(result));
}

void bench_print(const struct bench_table *table)
{
    const struct bench_options *options = table->options;
    const struct test_mesh *mesh = table->mesh;
    const struct bench_result *metis = bench_find(table, "metis");
    printf("%s: %d elements -> %d points, %d map%s, %s, blocks of %d\n", test_mesh_name(mesh->kind),
           mesh->elements, mesh->map[0].points, mesh->maps, mesh->maps > 1 ? "s" : "",
           options->shuffled ? "shuffled" : "natural", options->block_size);
    printf("%-18s %3s %6s %7s %5s %6s %5s %5s %7s %4s %5s %5s", "method", "thr", "reuse", "points",
           "max", "lines", "shr%", "fill%", "blocks", "bcol", "tcol", "wave");
    printf(" %6s %6s %6s %6s %7s %7s %6s %6s %6s %6s  %s\n", "number", "order", "maps", "plan",
           "cpu", "wall", "B/el", "reuse/", "cpu/", "max/", "(of METIS's) plan hash, done by");
    for (int i = 0; i < options->methods * options->thread_counts; i++) {
        print_result(&options->method[i / options->thread_counts], &table->result[i], metis);
    }
    printf("%-18s %3s %7s %7s %7s %8s %8s  %s\n", "plans for ranges", "thr", "ranges", "border%", "colours",
           "segment", "wall ms", "plan hash");
    for (int i = 0; i < options->methods * options->thread_counts; i++) {
        print_ranges(&options->method[i / options->thread_counts], &table->result[i]);
    }
    for (int i = 0; i < options->methods * options->thread_counts && options->phases; i++) {
        print_phases(&options->method[i / options->thread_counts], &table->result[i]);
    }
    fflush(stdout);
}
