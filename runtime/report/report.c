/* report.c: CLEAVE_REPORT: what each loop of a run took, by which variant, how near it came to the
 * speed of memory, and why loops ran sequentially. The summary is written as a table (here), as
 * JSON (report_json.c), and as a page that shows that JSON (page.c). */
#include "runtime/base/timeline.h"
#include "runtime/base/whole_file.h"
#include "runtime/jit/jit.h"
#include "runtime/report/summary.h"

#include <errno.h>
#include <omp.h>
#include <unistd.h>

/* ---- the setting --------------------------------------------------------------------------- */

/* Writes the report to a file; json: its text as JSON. Returns -1 if something could not be
 * written, else 0. */
typedef int write_form(FILE *file, const char *json);

static int write_json(FILE *file, const char *json)
{
    return fputs(json, file) >= 0 ? 0 : -1;
}

/* Forms of files, by the ends of their names. */
static const struct form {
    const char *ending;
    write_form *write;
} forms[] = {{".json", write_json}, {".html", cleave_report_page}};

static int is_on(const char *text)
{
    return text != NULL && strcmp(text, "0") != 0;
}

static int is_table(const char *word)
{
    return strcmp(word, "1") == 0;
}

/* NULL: it is no name of a file. A blank before a name is left over from "1, report.html". */
static const struct form *form_of(const char *word)
{
    const size_t count = sizeof forms / sizeof forms[0];
    const size_t length = strlen(word);
    for (const struct form *form = forms; form < forms + count; form++) {
        const size_t ending = strlen(form->ending);
        if (word[0] != ' ' && length > ending &&
            strcmp(word + length - ending, form->ending) == 0) {
            return form;
        }
    }
    return NULL;
}

/* Calls the function for each word of CLEAVE_REPORT, which commas separate. */
static void for_each_word(void (*call)(const char *word, void *user), void *user)
{
    char *text = cleave_text_copy(cleave_settings.report);
    char *next = text;
    while (next != NULL) {
        char *word = next;
        next = strchr(word, ',');
        if (next != NULL) {
            *next++ = '\0';
        }
        call(word, user);
    }
    free(text);
}

static void check_word(const char *word, void *user)
{
    (void)user;
    if (is_table(word)) {
        return;
    }
    if (form_of(word) == NULL) {
        cleave_fatal(
            "CLEAVE_REPORT=%s is not known; known are: 0, or a list of 1 and of names of files "
            "that end in .json or .html, with commas and no blanks between them",
            cleave_settings.report);
    }
    if (cleave_whole_file_try(word) != 0) {
        cleave_fatal("CLEAVE_REPORT: cannot write '%s': %s", word, strerror(errno));
    }
}

int cleave_report_wanted(void)
{
    return is_on(cleave_settings.report);
}

static pid_t reporter; /* the process that is to write a report; 0: none, or it is written */

/* A run of hours must not end with a message that its report cannot be written. */
void cleave_report_start(void)
{
    cleave_timeline_stop();
    reporter = 0;
    if (is_on(cleave_settings.report)) {
        reporter = getpid();
        for_each_word(check_word, NULL);
        cleave_timeline_start();
    }
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
                                     .threads = omp_get_max_threads()};
    cleave_timeline_read(summary.total);
    for (int d = 0; d < CLEAVE_DOINGS; d++) {
        summary.seconds += summary.total[d].own;
    }
    summary.rates_seconds = cleave_settings.deterministic ? 0.0 : cleave_rates_measure();
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

/* Prints how many loops got further variants; no loop has waited for them. */
static void print_further(void)
{
    const struct cleave_jit_summary further = cleave_jit_summary();
    if (further.wanted > 0) {
        fprintf(stderr,
                "further variants were asked for by %d loop%s: %d compiled in the background in "
                "%.1f s, %d taken from the store, %d not ready at the end, %d not compiled%s%s\n",
                further.wanted, further.wanted == 1 ? "" : "s", further.compiled, further.seconds,
                further.found, further.wanted - further.compiled - further.found - further.failed,
                further.failed, further.failure != NULL ? ": " : "",
                further.failure != NULL ? further.failure : "");
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
    cleave_groups_print(stderr);
    cleave_trials_print(stderr);
    print_further();
    print_reasons();
}

/* ---- all forms ----------------------------------------------------------------------------- */

struct writing {
    const struct cleave_summary *summary;
    char *json; /* NULL: not made, as no file is asked for or there is no memory */
};

/* The report as JSON; NULL: there was no memory. The caller frees it. */
static char *json_text(const struct cleave_summary *summary)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL) {
        return NULL;
    }
    const int failed = cleave_report_json(summary, file);
    if (fclose(file) != 0 || failed) {
        free(text);
        text = NULL;
    }
    return text;
}

static void write_word(const char *word, void *user)
{
    struct writing *writing = user;
    struct cleave_whole_file whole;
    if (is_table(word)) {
        print_table(writing->summary);
        return;
    }
    if (writing->json == NULL) {
        writing->json = json_text(writing->summary);
    }
    if (writing->json == NULL) {
        cleave_warning("CLEAVE_REPORT: not enough memory for '%s'", word);
        return;
    }
    int failed = cleave_whole_file_begin(&whole, word);
    if (!failed) {
        failed = cleave_whole_file_end(&whole, form_of(word)->write(whole.file, writing->json));
    }
    if (failed) {
        cleave_warning("CLEAVE_REPORT: cannot write '%s': %s", word, strerror(errno));
    }
}

void cleave_report_missed(void)
{
    if (reporter == getpid()) {
        cleave_warning("CLEAVE_REPORT: the program ends without op_exit, so there is no report of "
                       "this run");
    }
}

void cleave_report_write(void)
{
    reporter = 0;
    if (!is_on(cleave_settings.report)) {
        return;
    }
    struct cleave_summary summary = summarise();
    struct writing writing = {&summary, NULL};
    for_each_word(write_word, &writing);
    free(writing.json);
    free(summary.row);
    cleave_timeline_stop();
}
