/* plan_bench_json.c: results as JSON: an array with one object per mesh, method and number of
 * threads. */
#include <inttypes.h>
#include <math.h>

#include "plan_bench.h"

static void text(FILE *file, const char *name, const char *value)
{
    fprintf(file, "\"%s\": \"", name);
    for (; *value != '\0'; value++) {
        unsigned char byte = (unsigned char)*value;
        if (byte == '"' || byte == '\\') {
            fprintf(file, "\\%c", byte);
        } else if (byte < 0x20) {
            fprintf(file, "\\u%04x", byte);
        } else {
            fputc(byte, file);
        }
    }
    fputs("\", ", file);
}

static void number(FILE *file, const char *name, double value)
{
    if (isfinite(value)) {
        fprintf(file, "\"%s\": %.9g, ", name, value);
    } else {
        fprintf(file, "\"%s\": null, ", name);
    }
}

static void hash(FILE *file, const char *name, uint64_t value)
{
    fprintf(file, "\"%s\": \"%016" PRIx64 "\", ", name, value);
}

static void metrics(FILE *file, const struct plan_metrics *m)
{
    number(file, "blocks", m->blocks);
    number(file, "block_colours", m->block_colours);
    number(file, "thread_colours", m->thread_colours);
    number(file, "reuse", m->reuse);
    number(file, "points", m->points);
    number(file, "max_points", m->max_points);
    number(file, "lines", m->lines);
    number(file, "shared", m->shared);
    number(file, "runs", m->runs);
    number(file, "wavefronts", m->wavefronts);
    number(file, "fill", m->fill);
    number(file, "useful_bytes", m->useful_bytes);
    number(file, "total_bytes", m->total_bytes);
    number(file, "plan_bytes", m->plan_bytes);
}

static void ranges(FILE *file, const struct bench_result *result)
{
    number(file, "ranges", result->ranges.ranges);
    number(file, "ranges_border", result->ranges.border);
    number(file, "ranges_colours", result->ranges.block_colours);
    number(file, "ranges_segment", result->ranges.segment);
    number(file, "ranges_plan_bytes", result->ranges.plan_bytes);
    number(file, "ranges_wall", result->ranges_wall);
    hash(file, "ranges_hash", result->ranges_hash);
}

static void costs(FILE *file, const struct bench_result *result)
{
    static const char *const steps[] = {"number", "order", "maps", "plan"};
    char name[32];
    for (int s = 0; s < BENCH_STEPS; s++) {
        snprintf(name, sizeof name, "cpu_%s", steps[s]);
        number(file, name, result->cpu[s]);
        snprintf(name, sizeof name, "wall_%s", steps[s]);
        number(file, name, result->wall[s]);
    }
    number(file, "cpu", result->total_cpu);
    number(file, "wall", result->total_wall);
    number(file, "peak_bytes_per_element", result->peak / result->elements);
    number(file, "serial_share", bench_serial_share(result));
}

static void against(FILE *file, const struct bench_result *result, const struct bench_result *metis)
{
    if (metis == NULL) {
        return;
    }
    number(file, "reuse_of_metis", result->metrics.reuse / metis->metrics.reuse);
    number(file, "cpu_of_metis", result->total_cpu / metis->total_cpu);
    number(file, "max_points_of_metis",
           (double)result->metrics.max_points / metis->metrics.max_points);
}

static void phases(FILE *file, const struct bench_result *result)
{
    static const char *const steps[] = {"number", "order", "maps", "plan"};
    fputs("\"phases\": [", file);
    for (int p = 0; p < result->phases; p++) {
        const struct bench_phase *phase = &result->phase[p];
        fputs(p > 0 ? ", {" : "{", file);
        text(file, "step", steps[phase->step]);
        text(file, "name", phase->name);
        number(file, "seconds", phase->seconds);
        fprintf(file, "\"serial\": %s}", phase->serial ? "true" : "false");
    }
    fputs("]", file);
}

static void object(FILE *file, const struct bench_table *table, int i)
{
    const struct bench_options *options = table->options;
    const struct bench_method *method = &options->method[i / options->thread_counts];
    const struct bench_result *result = &table->result[i];
    fputs("{", file);
    text(file, "mesh", test_mesh_name(table->mesh->kind));
    number(file, "elements", table->mesh->elements);
    text(file, "order", options->shuffled ? "shuffled" : "natural");
    number(file, "block_size", options->block_size);
    text(file, "method", method->name);
    fprintf(file, "\"coordinates\": %s, ", method->graph ? "false" : "true");
    number(file, "threads", result->threads);
    if (result->failed) {
        text(file, "error", result->error);
    } else {
        text(file, "done", result->done);
        metrics(file, &result->metrics);
        ranges(file, result);
        costs(file, result);
        against(file, result, bench_find(table, "metis"));
        hash(file, "numbering_hash", result->numbering_hash);
        hash(file, "plan_hash", result->plan_hash);
    }
    phases(file, result);
    fputs("}", file);
}

void bench_json_begin(FILE *file)
{
    fputs("[", file);
}

void bench_json(FILE *file, const struct bench_table *table, int first)
{
    for (int i = 0; i < table->options->methods * table->options->thread_counts; i++) {
        fputs(first && i == 0 ? "\n" : ",\n", file);
        object(file, table, i);
    }
}

void bench_json_end(FILE *file)
{
    fputs("\n]\n", file);
}
