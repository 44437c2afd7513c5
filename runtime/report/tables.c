/* tables.c: the times of loops as a table and as CSV: op_timing_output and op_timings_to_csv. */
#include "runtime/report/rows.h"

#include <errno.h>

static const char *times_are(void)
{
    if (cleave_device == NULL) {
        return "wall time of each loop";
    }
    if (cleave_settings.timing) {
        return "on the device, of each call there (CLEAVE_TIMING=1), else wall time";
    }
    return "on the device from some of the calls, which were timed there, else wall time "
           "(CLEAVE_TIMING=1 times each call)";
}

static int widest(size_t (*width)(const struct cleave_record *), size_t least)
{
    for (const struct cleave_record *r = cleave_records; r != NULL; r = r->next) {
        least = MAX(least, width(r));
    }
    return (int)least;
}

static size_t name_width(const struct cleave_record *record)
{
    return strlen(record->name);
}

static size_t kernel_width(const struct cleave_record *record)
{
    return strlen(record->kernel);
}

/* "copies: dats were copied 3 times HOW, 0.1 MB in all"; nothing where none were. */
static void print_copied(FILE *file, const char *name, const char *how, long count, size_t bytes)
{
    if (count > 0) {
        fprintf(file, "%s: dats were copied %ld times %s, %.3f MB in all\n", name, count, how,
                1e-6 * (double)bytes);
    }
}

static void print_buffers(FILE *file)
{
    const struct cleave_buffer_use *use = &cleave_buffer_use;
    if (use->shared > 0) {
        fprintf(file,
                "buffers: %ld copies of dats took no time, %.3f MB in all; %ld had to be made "
                "later\n",
                use->shared, 1e-6 * use->shared_bytes, use->unshared);
    }
    if (use->zeros_left + use->zeros_used > 0) {
        fprintf(file,
                "buffers: zeros were not stored %ld times and not read %ld times; they had to be "
                "written later %ld times\n",
                use->zeros_left, use->zeros_used, use->zeros_made);
    }
    if (use->unstored > 0) {
        fprintf(
            file,
            "buffers: values were not stored %ld times, %.3f MB in all; they had to be computed "
            "later %ld times\n",
            use->unstored, 1e-6 * use->unstored_bytes, use->recomputed);
    }
    if (use->most_bytes > 0) {
        fprintf(file, "buffers: second ones took %.3f MB at most\n",
                1e-6 * (double)use->most_bytes);
    }
}

void cleave_groups_print(FILE *file)
{
    if (cleave_group_use.launches + cleave_group_use.missed + cleave_group_use.refused > 0) {
        fprintf(file,
                "groups: %ld calls of loops ran in %ld launches; waited in vain %ld times, could "
                "not run as one kernel %ld times\n",
                cleave_group_use.loops, cleave_group_use.launches, cleave_group_use.missed,
                cleave_group_use.refused);
    }
    if (cleave_group_use.ahead > 0) {
        fprintf(file,
                "groups: %ld launches computed a loop ahead of its call, of which %ld were taken "
                "over and %ld dropped\n",
                cleave_group_use.ahead, cleave_group_use.adopted, cleave_group_use.dropped);
    }
    if (cleave_group_use.speculative > 0) {
        fprintf(file, "groups: %ld launches started before their loops were called, %ld in vain\n",
                cleave_group_use.speculative,
                cleave_group_use.speculative - cleave_group_use.confirmed);
    }
    if (cleave_group_use.apart > 0) {
        fprintf(file, "groups: %ld are faster loop by loop, and run so\n", cleave_group_use.apart);
    }
    print_buffers(file);
    if (cleave_tile_use.runs + cleave_tile_use.refused > 0) {
        fprintf(file, "tiles: %ld calls of loops ran in %ld runs, could not %ld times\n",
                cleave_tile_use.loops, cleave_tile_use.runs, cleave_tile_use.refused);
    }
    if (cleave_tile_use.apart > 0) {
        fprintf(file, "tiles: %ld sequences are faster loop by loop, and run so\n",
                cleave_tile_use.apart);
    }
}

static void print_copies(FILE *file)
{
    size_t bytes;
    long count = cleave_relayouts(&bytes);
    print_copied(file, "layouts", "between array of structures and structure of arrays", count,
                 bytes);
    count = cleave_copies_made(&bytes);
    print_copied(file, "copies", "for blocks to read them in their order", count, bytes);
    if (cleave_graph_use.launches > 0) {
        fprintf(file, "graphs: %ld calls of loops were launched together, %ld graphs in all\n",
                cleave_graph_use.loops, cleave_graph_use.launches);
    }
    if (cleave_early_use.started > 0) {
        fprintf(file,
                "early: %ld calls of loops were launched before their globals were known, %ld in "
                "vain\n",
                cleave_early_use.started, cleave_early_use.started - cleave_early_use.taken);
    }
    cleave_groups_print(file);
}

static void print_times(FILE *file)
{
    double seconds = 0.0;
    double plan_seconds = 0.0;
    double bytes = 0.0;
    int count;
    struct cleave_row *rows = cleave_rows(&count);
    int names = widest(name_width, 5);
    int kernels = widest(kernel_width, 6);
    fprintf(file, "%-*s  %8s  %12s  %10s  %13s%s  %-*s  %s\n", names, "loop", "count", "time [s]",
            "GB/s", "plan time [s]", cleave_settings.timing ? "  median [us]" : "", kernels,
            "kernel", "variant");
    for (const struct cleave_row *row = rows; row < rows + count; row++) {
        const struct cleave_record *r = row->record;
        fprintf(file, "%-*s  %8ld  %12.6f  %10.3f  %13.6f", names, r->name, row->count,
                row->seconds, cleave_gigabytes_per_second(row->bytes, row->seconds),
                row->plan_seconds);
        if (cleave_settings.timing) {
            fprintf(file, "  %11.3f", 1e6 * row->median_seconds);
        }
        fprintf(file, "  %-*s  %s (%s)\n", kernels, r->kernel, r->variant, r->target);
        seconds += row->seconds;
        plan_seconds += row->plan_seconds;
        bytes += row->bytes;
    }
    free(rows);
    fprintf(file, "%-*s  %8s  %12.6f  %10.3f  %13.6f\n", names, "total", "", seconds,
            cleave_gigabytes_per_second(bytes, seconds), plan_seconds);
    fprintf(file, "times: %s\n", times_are());
    print_copies(file);
    if (cleave_settings.deterministic) {
        fprintf(file, "results: the same bits in every run (CLEAVE_DETERMINISTIC=1)\n");
    }
}

void op_timing_output(void)
{
    CLEAVE_ENTER("op_timing_output");
    cleave_flush_groups();
    print_times(stdout);
}

static FILE *open_file(const char *function, const char *file_name)
{
    FILE *file = file_name != NULL ? fopen(file_name, "w") : NULL;
    if (file == NULL) {
        cleave_fatal("%s: cannot write '%s': %s", function,
                     file_name != NULL ? file_name : "(null)",
                     file_name != NULL ? strerror(errno) : "no file name");
    }
    return file;
}

static void close_file(const char *function, FILE *file, const char *file_name)
{
    const int failed = ferror(file);
    if (fclose(file) != 0 || failed) {
        cleave_fatal("%s: writing '%s' failed", function, file_name);
    }
}

void op_timing_output_2_file(const char *file_name)
{
    CLEAVE_ENTER("op_timing_output_2_file");
    cleave_flush_groups();
    FILE *file = open_file("op_timing_output_2_file", file_name);
    print_times(file);
    close_file("op_timing_output_2_file", file, file_name);
}

/* Writes a CSV field, in quotes if it contains a comma, a quote or a line break. */
static void write_field(FILE *file, const char *text)
{
    if (strpbrk(text, ",\"\n\r") == NULL) {
        fprintf(file, "%s,", text);
        return;
    }
    fputc('"', file);
    for (; *text != '\0'; text++) {
        fprintf(file, "%s%c", *text == '"' ? "\"" : "", *text);
    }
    fputs("\",", file);
}

/* Writes the variant's device resources: 0 if it runs on the host or they are unknown. */
static void write_takes(FILE *file, const struct cleave_row *row)
{
    struct target_kernel takes;
    const int known = cleave_row_takes(row, &takes);
    fprintf(file, ",%d,%d,%d,%d,%zu,%d\n", known ? row->record->block_size : 0, takes.registers,
            takes.local_bytes, takes.shared_bytes, known ? row->record->shared_bytes : 0,
            takes.resident_threads);
}

void op_timings_to_csv(const char *file_name)
{
    CLEAVE_ENTER("op_timings_to_csv");
    cleave_flush_groups();
    CLEAVE_PLAIN_NUMBERS;
    FILE *file = open_file("op_timings_to_csv", file_name);
    int count;
    struct cleave_row *rows = cleave_rows(&count);
    fprintf(file, "loop,kernel,variant,target,count,seconds,bytes,gb_per_second,plan_seconds,"
                  "median_seconds,block_size,registers,local_bytes,static_shared_bytes,"
                  "dynamic_shared_bytes,resident_threads\n");
    for (const struct cleave_row *row = rows; row < rows + count; row++) {
        const struct cleave_record *r = row->record;
        write_field(file, r->name);
        write_field(file, r->kernel);
        write_field(file, r->variant);
        fprintf(file, "%s,%ld,%.9g,%.17g,%.9g,%.9g,%.9g", r->target, row->count, row->seconds,
                row->bytes, cleave_gigabytes_per_second(row->bytes, row->seconds),
                row->plan_seconds, row->median_seconds);
        write_takes(file, row);
    }
    free(rows);
    close_file("op_timings_to_csv", file, file_name);
}
