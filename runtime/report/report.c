/* report.c: CLEAVE_REPORT: what each loop of a run took, by which variant, how near it came to the
 * speed of memory, and why loops ran sequentially. */
#include "runtime/report/summary.h"

#include <errno.h>

static double started;

/* ---- the setting --------------------------------------------------------------------------- */

static int is_on(const char *text)
{
    return text != NULL && strcmp(text, "0") != 0;
}

static int is_file(const char *text)
{
    static const char ending[] = ".json";
    const size_t length = strlen(text);
    return length > sizeof ending - 1 && strcmp(text + length - (sizeof ending - 1), ending) == 0;
}

int cleave_report_wanted(void)
{
    return is_on(cleave_settings.report);
}

/* A run of hours must not end with a message that its report cannot be written. */
void cleave_report_start(void)
{
    const char *text = cleave_settings.report;
    started = cleave_seconds();
    if (!is_on(text) || strcmp(text, "1") == 0) {
        return;
    }
    if (!is_file(text)) {
        cleave_fatal("CLEAVE_REPORT=%s is not known; known are: 0, 1, and the name of a file that "
                     "ends in .json",
                     text);
    }
    FILE *file = fopen(text, "a");
    if (file == NULL) {
        cleave_fatal("CLEAVE_REPORT: cannot write '%s': %s", text, strerror(errno));
    }
    fclose(file);
}

/* ---- the summary --------------------------------------------------------------------------- */

static int longest_first(const void *a, const void *b)
{
    const double x = ((const struct cleave_row *)a)->seconds;
    const double y = ((const struct cleave_row *)b)->seconds;
    return (x < y) - (x > y);
}

static struct cleave_summary summarise(void)
{
    struct cleave_summary summary = {.device = cleave_device != NULL ? cleave_device->device()
                                                                     : "the host's processors",
                                     .seconds = cleave_seconds() - started};
    summary.row = cleave_rows(&summary.rows);
    for (int r = 0; r < summary.rows; r++) {
        summary.loop_seconds += summary.row[r].seconds;
        summary.plan_seconds += summary.row[r].plan_seconds;
    }
    qsort(summary.row, (size_t)summary.rows, sizeof *summary.row, longest_first);
    summary.copy_rate = summary.rows > 0 ? cleave_copy_rate() : 0.0;
    return summary;
}

/* ---- the table ----------------------------------------------------------------------------- */

/* "12.34", or "-" for 0: unknown. */
static const char *microseconds(char text[16], double seconds)
{
    snprintf(text, 16, seconds > 0.0 ? "%.2f" : "-", 1e6 * seconds);
    return text;
}

/* "54.3 %", or "-" for 0: unknown. */
static const char *percent(char text[16], double part)
{
    snprintf(text, 16, part > 0.0 ? "%.1f" : "-", 100.0 * part);
    return text;
}

static void print_row(const struct cleave_summary *summary, const struct cleave_row *row, int names)
{
    const struct cleave_record *record = row->record;
    struct target_kernel takes;
    char share[16];
    char copy[16];
    char predicted[16];
    char resources[64] = "";
    if (cleave_row_takes(row, &takes)) {
        snprintf(resources, sizeof resources, "  block %d, %d registers, %d threads per SM",
                 record->block_size, takes.registers, takes.resident_threads);
    }
    fprintf(stderr, "%-*s  %8ld  %10.6f  %6s  %10.2f  %10s  %-16s  %8.1f  %6s  %s (%s)%s\n", names,
            record->name, row->count, row->seconds, percent(share, cleave_share(summary, row)),
            1e6 * row->seconds / (double)row->count, microseconds(predicted, row->predicted),
            row->predicted > 0.0 ? cleave_limit_word(row->limit) : "-",
            cleave_gigabytes_per_second(row->bytes, row->seconds),
            percent(copy, cleave_of_copy(summary, row)), record->variant, record->target,
            resources);
}

static void print_reasons(void)
{
    for (const struct cleave_reason *r = cleave_reasons; r != NULL; r = r->next) {
        fprintf(stderr, "sequential: loop '%s' (%s:%d): %s\n", r->loop, r->file, r->line, r->text);
    }
}

static void print_background(void)
{
    char text[512];
    if (cleave_background_text(text, sizeof text)) {
        fprintf(stderr, "%s\n", text);
    }
}

static void print_table(const struct cleave_summary *summary)
{
    int names = (int)strlen("loop");
    for (int r = 0; r < summary->rows; r++) {
        names = MAX(names, (int)strlen(summary->row[r].record->name));
    }
    fprintf(stderr, "report of %.3f s on %s: loops %.3f s, order of the mesh and plans %.3f s\n",
            summary->seconds, summary->device, summary->loop_seconds, summary->plan_seconds);
    print_background();
    fprintf(stderr, "%-*s  %8s  %10s  %6s  %10s  %10s  %-16s  %8s  %6s  %s\n", names, "loop",
            "calls", "time [s]", "share%", "us a call", "predicted", "limit", "GB/s", "copy%",
            "variant");
    for (int r = 0; r < summary->rows; r++) {
        print_row(summary, &summary->row[r], names);
    }
    if (summary->copy_rate > 0.0) {
        fprintf(stderr,
                "GB/s: useful bytes, each record once; copy%%: of %.0f GB/s, which a copy reads "
                "and writes here\n",
                1e-9 * summary->copy_rate);
    }
    cleave_trials_print(stderr);
    print_reasons();
}

/* ---- both forms ---------------------------------------------------------------------------- */

static void write_file(const struct cleave_summary *summary, const char *name)
{
    FILE *file = fopen(name, "w");
    if (file == NULL) {
        cleave_warning("CLEAVE_REPORT: cannot write '%s': %s", name, strerror(errno));
        return;
    }
    const int failed = cleave_report_json(summary, file);
    if (fclose(file) != 0 || failed) {
        cleave_warning("CLEAVE_REPORT: writing '%s' failed", name);
    }
}

void cleave_report_write(void)
{
    const char *text = cleave_settings.report;
    if (!is_on(text)) {
        return;
    }
    struct cleave_summary summary = summarise();
    if (is_file(text)) {
        write_file(&summary, text);
    } else {
        print_table(&summary);
    }
    free(summary.row);
}
