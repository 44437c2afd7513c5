/* report.c: times of loops: op_timing_output and op_timings_to_csv. Bytes are the useful ones:
 * every component that a loop names is read or written once per call, however many elements share
 * it.
 *
 * Calls on a device are not waited for, so that the host's clock tells nothing of them. The device
 * times some: calls 0, 1, 2, 4, 7, 11, 17, ... of a loop, ever rarer, as each costs the host more
 * than the launch; and the time of all is taken to be in proportion to their bytes. CLEAVE_TIMING=1
 * has all of them timed there, and a median told of each loop. */
#include "runtime/report/report.h"

#include <errno.h>

static struct cleave_record *records; /* in order of first call */

/* ---- records ----------------------------------------------------------------------------- */

static struct cleave_record *find_or_add(const char *name, const char *kernel)
{
    struct cleave_record **end = &records;
    for (; *end != NULL; end = &(*end)->next) {
        if (strcmp((*end)->name, name) == 0 && strcmp((*end)->kernel, kernel) == 0) {
            return *end;
        }
    }
    struct cleave_record *record = cleave_alloc_zero(sizeof *record, "a loop's times");
    record->name = cleave_text_copy(name);
    record->kernel = cleave_text_copy(kernel);
    record->variant = "none";
    record->target = "none";
    *end = record;
    return record;
}

struct cleave_record *cleave_record_find(const struct cleave_call *call)
{
    char *kernel = cleave_site_kernel(call->site);
    struct cleave_record *record = find_or_add(call->name, kernel);
    free(kernel);
    return record;
}

void cleave_record_by_hand(const char *name, double seconds)
{
    struct cleave_record *record = find_or_add(name, "");
    record->variant = "by hand";
    record->target = "seq";
    record->count++;
    record->seconds += seconds;
}

/* ---- libraries that are closed ------------------------------------------------------------ */

static struct text {
    struct text *next;
    char characters[];
} *texts;

const char *cleave_record_text(const char *characters)
{
    struct text *text = texts;
    while (text != NULL && strcmp(text->characters, characters) != 0) {
        text = text->next;
    }
    if (text == NULL) {
        text = cleave_alloc(sizeof *text + strlen(characters) + 1, "a name");
        strcpy(text->characters, characters);
        text->next = texts;
        texts = text;
    }
    return text->characters;
}

static void free_texts(void)
{
    while (texts != NULL) {
        struct text *text = texts;
        texts = text->next;
        free(text);
    }
}

static int is_kernel_of(const struct cleave_unit *unit, const void *kernel)
{
    for (int l = 0; l < unit->loops; l++) {
        for (int v = 0; v < unit->loop[l].variants; v++) {
            if (unit->loop[l].variant[v].kernel == kernel) {
                return 1;
            }
        }
    }
    return 0;
}

static void ask_what_it_takes(const struct cleave_record *record, struct target_kernel *takes)
{
    if (cleave_device != NULL && cleave_device->kernel_takes != NULL) {
        cleave_device->kernel_takes(record->started, record->block_size, record->shared_bytes,
                                    takes);
    }
}

void cleave_records_unload(struct cleave_unit_entry *entry)
{
    const struct cleave_unit *unit = entry->unit;
    if (cleave_device == NULL || unit->target != cleave_device->target) {
        return;
    }
    cleave_timers_collect();
    for (struct cleave_record *record = records; record != NULL; record = record->next) {
        if (record->started != NULL && is_kernel_of(unit, record->started)) {
            ask_what_it_takes(record, &record->takes);
            record->started = NULL;
            record->unloaded = 1;
        }
    }
}

/* ---- times ------------------------------------------------------------------------------- */

int cleave_record_samples(struct cleave_record *record)
{
    if (cleave_settings.timing) {
        return 1;
    }
    if (record->device_calls < record->next_sample) {
        return 0;
    }
    record->next_sample += record->next_sample / 2 + 1;
    return 1;
}

/* Room grows with what there is, as most loops have few calls. */
static void keep_time(struct cleave_record *record, double seconds)
{
    long timed = record->timed++;
    if (timed < CLEAVE_RECORD_TIMES && (timed & (timed - 1)) == 0) {
        float *times = cleave_alloc((size_t)MAX(2 * timed, 1) * sizeof *times, "a loop's times");
        if (timed > 0) {
            memcpy(times, record->times, (size_t)timed * sizeof *times);
        }
        free(record->times);
        record->times = times;
    }
    record->times[timed % CLEAVE_RECORD_TIMES] = (float)seconds;
}

/* The first call also loads the kernel: it counts only while it is the only one. */
void cleave_record_sample(struct cleave_record *record, double bytes, double seconds)
{
    if (record->samples == 1 && !record->warm) {
        record->warm = 1;
        record->samples = 0;
        record->sample_seconds = record->sample_bytes = 0.0;
        record->timed = 0;
    }
    record->samples++;
    record->sample_seconds += seconds;
    record->sample_bytes += bytes;
    if (cleave_settings.timing) {
        keep_time(record, seconds);
    }
}

void cleave_record_add(const struct cleave_call *call)
{
    struct cleave_record *record = call->record;
    double bytes = call->bytes;
    record->count++;
    record->bytes += bytes;
    if (call->unwaited) {
        record->device_calls++;
        record->device_bytes += bytes;
    } else {
        double planning = record->plan_seconds - call->planned;
        double seconds = fmax(cleave_seconds() - call->start - planning, 0.0);
        record->seconds += seconds;
        if (cleave_settings.timing) {
            keep_time(record, seconds);
        }
    }
}

void cleave_records_free(void)
{
    cleave_timers_forget();
    while (records != NULL) {
        struct cleave_record *record = records;
        records = record->next;
        free(record->name);
        free(record->kernel);
        free(record->times);
        free(record);
    }
    free_texts();
}

static double loop_seconds(const struct cleave_record *record)
{
    double share =
        record->samples > 0 ? (double)record->device_calls / (double)record->samples : 0.0;
    if (record->sample_bytes > 0.0) {
        share = record->device_bytes / record->sample_bytes;
    }
    return record->seconds + share * record->sample_seconds;
}

static int compare_times(const void *a, const void *b)
{
    float x = *(const float *)a;
    float y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Of the calls whose times are kept; of an even number the mean of the two in the middle. */
static double median_seconds(const struct cleave_record *record)
{
    size_t count = (size_t)MIN(record->timed, CLEAVE_RECORD_TIMES);
    if (count == 0) {
        return 0.0;
    }
    float *sorted = cleave_alloc(count * sizeof *sorted, "a loop's times");
    memcpy(sorted, record->times, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_times);
    double median = 0.5 * ((double)sorted[(count - 1) / 2] + (double)sorted[count / 2]);
    free(sorted);
    return median;
}

static double gigabytes_per_second(double bytes, double seconds)
{
    return seconds > 0.0 ? bytes / seconds * 1e-9 : 0.0;
}

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
    for (const struct cleave_record *r = records; r != NULL; r = r->next) {
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

static void print_copies(FILE *file)
{
    size_t bytes;
    long count = cleave_relayouts(&bytes);
    print_copied(file, "layouts", "between array of structures and structure of arrays", count,
                 bytes);
    count = cleave_derived_made(&bytes);
    print_copied(file, "copies", "for blocks to read them in their order", count, bytes);
}

static void print_times(FILE *file)
{
    double seconds = 0.0;
    double plan_seconds = 0.0;
    double bytes = 0.0;
    int names = widest(name_width, 5);
    int kernels = widest(kernel_width, 6);
    cleave_timers_collect();
    fprintf(file, "%-*s  %8s  %12s  %10s  %13s%s  %-*s  %s\n", names, "loop", "count", "time [s]",
            "GB/s", "plan time [s]", cleave_settings.timing ? "  median [us]" : "", kernels,
            "kernel", "variant");
    for (const struct cleave_record *r = records; r != NULL; r = r->next) {
        fprintf(file, "%-*s  %8ld  %12.6f  %10.3f  %13.6f", names, r->name, r->count,
                loop_seconds(r), gigabytes_per_second(r->bytes, loop_seconds(r)), r->plan_seconds);
        if (cleave_settings.timing) {
            fprintf(file, "  %11.3f", 1e6 * median_seconds(r));
        }
        fprintf(file, "  %-*s  %s (%s)\n", kernels, r->kernel, r->variant, r->target);
        seconds += loop_seconds(r);
        plan_seconds += r->plan_seconds;
        bytes += r->bytes;
    }
    fprintf(file, "%-*s  %8s  %12.6f  %10.3f  %13.6f\n", names, "total", "", seconds,
            gigabytes_per_second(bytes, seconds), plan_seconds);
    fprintf(file, "times: %s\n", times_are());
    print_copies(file);
    if (cleave_settings.deterministic) {
        fprintf(file, "results: the same bits in every run (CLEAVE_DETERMINISTIC=1)\n");
    }
}

void op_timing_output(void)
{
    CLEAVE_ENTER("op_timing_output");
    cleave_flush();
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
    cleave_flush();
    FILE *file = open_file("op_timing_output_2_file", file_name);
    print_times(file);
    close_file("op_timing_output_2_file", file, file_name);
}

/* In quotes when it holds what the format itself uses. */
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

/* What the variant takes of the device: 0 where it runs on the host, or that is not known. */
static void write_takes(FILE *file, const struct cleave_record *record)
{
    struct target_kernel takes = record->takes;
    const int known = record->unloaded || (record->started != NULL && cleave_device != NULL);
    if (known && !record->unloaded) {
        ask_what_it_takes(record, &takes);
    }
    fprintf(file, ",%d,%d,%d,%d,%zu,%d\n", known ? record->block_size : 0, takes.registers,
            takes.local_bytes, takes.shared_bytes, known ? record->shared_bytes : 0,
            takes.resident_threads);
}

void op_timings_to_csv(const char *file_name)
{
    CLEAVE_ENTER("op_timings_to_csv");
    cleave_flush();
    CLEAVE_PLAIN_NUMBERS;
    FILE *file = open_file("op_timings_to_csv", file_name);
    cleave_timers_collect();
    fprintf(file, "loop,kernel,variant,target,count,seconds,bytes,gb_per_second,plan_seconds,"
                  "median_seconds,block_size,registers,local_bytes,static_shared_bytes,"
                  "dynamic_shared_bytes,resident_threads\n");
    for (const struct cleave_record *r = records; r != NULL; r = r->next) {
        write_field(file, r->name);
        write_field(file, r->kernel);
        write_field(file, r->variant);
        fprintf(file, "%s,%ld,%.9g,%.17g,%.9g,%.9g,%.9g", r->target, r->count, loop_seconds(r),
                r->bytes, gigabytes_per_second(r->bytes, loop_seconds(r)), r->plan_seconds,
                median_seconds(r));
        write_takes(file, r);
    }
    close_file("op_timings_to_csv", file, file_name);
}
