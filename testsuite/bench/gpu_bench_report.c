/* gpu_bench_report.c: what was measured: a table for people, and one JSON object per line. */
#include "gpu_bench.h"

#include <errno.h>
#include <unistd.h>

void gpu_bench_size_text(const struct gpu_bench *bench, char *text, size_t capacity)
{
    const int *size = bench->options.size;
    if (size[1] > 0) {
        snprintf(text, capacity, "%d,%d", size[0], size[1]);
    } else {
        snprintf(text, capacity, "%d", size[0]);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void write_text(FILE *file, const char *name, const char *text)
{
    fprintf(file, "\"%s\": \"", name);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            fputc('\\', file);
        }
        fputc((unsigned char)*text < 0x20 ? ' ' : *text, file);
    }
    fputs("\", ", file);
}

/* The variables CLEAVE_ of the environment: what the run was told. Where numberings are kept
 * changes nothing. */
static void write_settings(FILE *file)
{
    char name[64];
    for (char **entry = environ; *entry != NULL; entry++) {
        const size_t length = strcspn(*entry, "=");
        if (strncmp(*entry, "CLEAVE_", 7) != 0 || length >= sizeof name) {
            continue;
        }
        memcpy(name, *entry, length);
        name[length] = '\0';
        if ((*entry)[length] == '=' && strcmp(name, "CLEAVE_PLAN_CACHE") != 0) {
            write_text(file, name, *entry + length + 1);
        }
    }
}

static void write_case(FILE *file, const struct gpu_bench *bench, const struct gpu_bench_loop *loop,
                       const struct gpu_bench_result *result)
{
    char size[32];
    gpu_bench_size_text(bench, size, sizeof size);
    write_text(file, "program", bench->program);
    write_text(file, "loop", loop->name);
    write_text(file, "variant", result->variant);
    write_text(file, "target", result->target);
    write_text(file, "device", gpu_bench_device());
    write_text(file, "size", size);
    write_text(file, "order", bench->options.shuffled ? "shuffled" : "natural");
    write_text(file, "precision", bench->precision);
    write_settings(file);
}

static double gigabytes_per_second(const struct gpu_bench_loop *loop,
                                   const struct gpu_bench_result *result)
{
    return loop->bytes / result->microseconds[0] * 1e-3;
}

static void write_kernel(FILE *file, const struct gpu_bench_kernel *kernel)
{
    fprintf(file,
            "\"block_size\": %d, \"registers\": %d, \"local_bytes\": %d, "
            "\"static_shared_bytes\": %d, \"dynamic_shared_bytes\": %d, \"threads_per_sm\": %d, ",
            kernel->block_size, kernel->registers, kernel->local_bytes, kernel->static_shared,
            kernel->dynamic_shared, kernel->resident_threads);
}

static void write_json(const struct gpu_bench *bench, const struct gpu_bench_loop *loop,
                       const struct gpu_bench_result *result)
{
    FILE *file = fopen(bench->options.json, "a");
    if (file == NULL) {
        fprintf(stderr, "gpu_bench: --json: cannot write '%s': %s\n", bench->options.json,
                strerror(errno));
        exit(2);
    }
    fputc('{', file);
    write_case(file, bench, loop, result);
    write_kernel(file, &result->kernel);
    const double rate = gigabytes_per_second(loop, result);
    if (result->deterministic) {
        fprintf(file, "\"deterministic\": true, ");
    }
    if (result->of_fastest > 0.0) {
        write_text(file, "fastest", bench->fastest.variant);
        fprintf(file, "\"of_fastest\": %.3f, ", result->of_fastest);
    }
    if (bench->options.copy > 0.0) {
        fprintf(file, "\"copy_gb_s\": %.1f, \"percent_of_copy\": %.2f, ", bench->options.copy,
                100.0 * rate / bench->options.copy);
    }
    if (result->waited > 0.0) {
        fprintf(file, "\"us_waited\": %.3f, ", result->waited);
    }
    fprintf(file,
            "\"calls\": %d, \"us\": %.3f, \"us_least\": %.3f, \"us_most\": %.3f, \"bytes\": %.0f, "
            "\"gb_s\": %.2f, \"us_copies\": %.3f, \"error\": %.3e, \"passed\": %s}\n",
            bench->options.calls, result->microseconds[0], result->microseconds[1],
            result->microseconds[2], loop->bytes, rate, result->remade,
            isfinite(result->error) ? result->error : 1e300, result->passed ? "true" : "false");
    if (fclose(file) != 0) {
        fprintf(stderr, "gpu_bench: --json: '%s' could not be written in full\n",
                bench->options.json);
        exit(2);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

void gpu_bench_table_head(void)
{
    printf("%-16s %-44s %-7s %10s %9s %6s %4s %5s %6s %5s %5s %9s  %s\n", "loop", "variant",
           "target", "us", "GB/s", "% copy", "regs", "local", "shared", "block", "SM", "error",
           "check");
}

static void print_row(const struct gpu_bench *bench, const struct gpu_bench_loop *loop,
                      const struct gpu_bench_result *result)
{
    const double rate = gigabytes_per_second(loop, result);
    char percent[16] = "-";
    if (bench->options.copy > 0.0) {
        snprintf(percent, sizeof percent, "%.1f", 100.0 * rate / bench->options.copy);
    }
    const struct gpu_bench_kernel *kernel = &result->kernel;
    printf("%-16s %-44s %-7s %10.1f %9.1f %6s %4d %5d %6d %5d %5d %9.1e  %s\n", loop->name,
           result->variant, result->target, result->microseconds[0], rate, percent,
           kernel->registers, kernel->local_bytes, kernel->static_shared + kernel->dynamic_shared,
           kernel->block_size, kernel->resident_threads, result->error,
           result->passed ? "ok" : "FAILED");
    if (result->waited > 0.0) {
        printf("%-16s   until the host has what is reduced: %.1f us\n", "", result->waited);
    }
    if (result->remade > 0.0) {
        printf("%-16s   copies made again: %.1f us more\n", "", result->remade);
    }
    if (result->of_fastest > 0.0) {
        printf("%-16s deterministic: %.2f times %s\n", loop->name, result->of_fastest,
               bench->fastest.variant);
    }
    fflush(stdout);
}

void gpu_bench_report(struct gpu_bench *bench, const struct gpu_bench_loop *loop,
                      const struct gpu_bench_result *result)
{
    print_row(bench, loop, result);
    if (bench->options.json != NULL) {
        write_json(bench, loop, result);
    }
}
