/* page_loops.c: the part of a report's page that is about loops: their times as bars against the
 * speed of memory, the roofline, a table, and each loop by itself. */
#include "runtime/report/page_impl.h"

enum {
    LARGEST_MARK = 130,
    NUMBERED_POINTS = 20,
    OPEN_LOOPS = 3,
    UNFOLDED_LOOPS = 8,
    LIMIT_NAME = 96
};

/* Rows of a smaller share of the time, variants that were only tried for instance, are folded away.
 */
static const double least_share = 0.005;

#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* 1: calls that one kernel ran together with others: their time is in the row of that kernel. */
static int is_in_group(const struct cleave_json_node *loop)
{
    return strncmp(cleave_json_word(cleave_json_member(loop, "variant"), ""), "in ", 3) == 0;
}

static double value_of(const struct cleave_json_node *node, const char *member)
{
    return cleave_json_value(cleave_json_member(node, member), 0.0);
}

/* ---- bars ---------------------------------------------------------------------------------- */

/* Seconds that a copy of the loop's useful bytes takes; 0: unknown. */
static double copy_seconds(const struct cleave_json_node *loop)
{
    return value_of(loop, "seconds") * value_of(loop, "of_copy");
}

/* Seconds of a full track. A mark far to the right of all bars is drawn at its end. */
static double full_track(const struct cleave_json_node *loops)
{
    double longest = 0.0;
    double marks = 0.0;
    for (const struct cleave_json_node *loop = loops->first; loop != NULL; loop = loop->next) {
        longest = fmax(longest, value_of(loop, "seconds"));
        marks = fmax(marks, copy_seconds(loop));
    }
    return fmax(longest, fmin(marks, 0.01 * LARGEST_MARK * longest));
}

static void write_bar(FILE *out, const struct cleave_json_node *loop, double full)
{
    const double copy = copy_seconds(loop);
    fprintf(out, "<li><span class=\"name\"><a href=\"#loop-%d\">", loop->index + 1);
    cleave_report_words(out, loop, "loop");
    fputs("</a><span class=\"what\">", out);
    cleave_report_words(out, loop, "variant");
    fputs("</span></span>", out);
    cleave_page_bar(out, full > 0.0 ? value_of(loop, "seconds") / full : 0.0,
                    copy > 0.0 && full > 0.0 ? copy / full : -1.0);
    fputs("<span class=\"value\">", out);
    cleave_report_number(out, loop, "seconds", PAGE_SECONDS);
    fputs(" <span class=\"dim\">(", out);
    cleave_report_number(out, loop, "share", PAGE_SHARE);
    fputs(")</span></span></li>\n", out);
}

static int has_groups(const struct cleave_json_node *loops)
{
    const struct cleave_json_node *loop = loops->first;
    while (loop != NULL && !is_in_group(loop)) {
        loop = loop->next;
    }
    return loop != NULL;
}

static void write_bars(FILE *out, const struct cleave_json_node *report,
                       const struct cleave_json_node *loops)
{
    const double full = full_track(loops);
    cleave_page_section(out, "loops", "Loops");
    if (loops->count == 0) {
        fputs("<p>The program ran no loops.</p>\n", out);
        return;
    }
    fputs("<p>Bars: the time of all calls of a loop.", out);
    if (cleave_json_member(report, "copy_gb_per_second") != NULL) {
        fputs(" The mark <span class=\"mark\"></span> is the bandwidth limit: the time in which a "
              "copy moves the useful bytes of these calls, at ",
              out);
        cleave_report_number(out, report, "copy_gb_per_second", PAGE_RATE);
        fputs(". A loop whose data stays in a cache can be faster.", out);
    }
    if (has_groups(loops)) {
        fputs(" Names with + are loops that one kernel runs together.", out);
    }
    fputs("</p>\n<ol class=\"bars\">\n", out);
    int folded = 0;
    for (const struct cleave_json_node *loop = loops->first; loop != NULL; loop = loop->next) {
        if (is_in_group(loop)) {
            continue;
        }
        if (!folded && loop->index >= UNFOLDED_LOOPS && value_of(loop, "share") < least_share) {
            folded = 1;
            fputs("</ol>\n<details><summary>Rows of less than 0.5 % of the time</summary>\n"
                  "<ol class=\"bars\">\n",
                  out);
        }
        write_bar(out, loop, full);
    }
    fputs(folded ? "</ol></details>\n" : "</ol>\n", out);
}

/* ---- all loops in a table ------------------------------------------------------------------ */

/* Of calls that ran in a group only their number is known. */
static int has_time(const struct cleave_json_node *loop, const char *member)
{
    return !is_in_group(loop) || strcmp(member, "calls") == 0;
}

static void write_table(FILE *out, const struct cleave_json_node *loops)
{
    static const struct cleave_report_column columns[] = {
        {"loop", "loop", 1, PAGE_NUMBER},
        {"calls", "calls", 0, PAGE_COUNT},
        {"a call", "seconds_per_call", 0, PAGE_SECONDS},
        {"median", "median_seconds", 0, PAGE_SECONDS},
        {"predicted", "predicted_seconds", 0, PAGE_SECONDS},
        {"limited by", "limit", 1, PAGE_NUMBER},
        {"useful data of a call", "bytes_per_call", 0, PAGE_BYTES},
        {"rate", "gb_per_second", 0, PAGE_RATE},
        {"of a copy", "of_copy", 0, PAGE_SHARE},
        {"operations", "operations_per_second", 0, PAGE_EACH},
        {"variant", "variant", 1, PAGE_NUMBER},
        {"target", "target", 1, PAGE_NUMBER}};
    if (loops->count > 0) {
        cleave_report_table(out, loops, columns, LENGTH(columns), has_time);
    }
}

/* ---- the roofline -------------------------------------------------------------------------- */

static int is_point(const struct cleave_json_node *loop)
{
    return value_of(loop, "operations_per_byte") > 0.0 &&
           value_of(loop, "operations_per_second") > 0.0;
}

/* How many values of 8 bytes the loops compute at once, at most: on the CPU, whose rate is that of
 * one after the other. */
static double most_lanes(const struct cleave_json_node *loops)
{
    double most = 1.0;
    for (const struct cleave_json_node *loop = loops->first; loop != NULL; loop = loop->next) {
        most = fmax(most, value_of(cleave_json_member(loop, "load"), "lane_bytes") / 8.0);
    }
    return most;
}

/* Limits of the machine; returns how many. */
static int limits_of(const struct cleave_json_node *report, struct cleave_page_limit *limit,
                     char name[][LIMIT_NAME])
{
    char text[PAGE_NUMBER_ROOM];
    const double copy = 1e9 * value_of(report, "copy_gb_per_second");
    const double peak =
        value_of(cleave_json_member(report, "rates"), "fp64_operations_per_second") *
        most_lanes(cleave_json_member(report, "loops"));
    int limits = 0;
    if (copy > 0.0) {
        int length = snprintf(name[limits], LIMIT_NAME, "%s",
                              cleave_page_number_text(text, PAGE_RATE, 1e-9 * copy));
        if (peak > 0.0) {
            snprintf(name[limits] + length, LIMIT_NAME - (size_t)length, ", %s in double",
                     cleave_page_number_text(text, PAGE_EACH, peak));
        }
        limit[limits] = (struct cleave_page_limit){name[limits], copy, peak};
        limits++;
    }
    return limits;
}

static void write_roofline(FILE *out, const struct cleave_json_node *report,
                           const struct cleave_json_node *loops)
{
    char name[1][LIMIT_NAME];
    struct cleave_page_limit limit[1];
    struct cleave_page_point *point =
        cleave_alloc((size_t)loops->count * sizeof *point, "a report's roofline");
    int points = 0;
    for (const struct cleave_json_node *loop = loops->first; loop != NULL; loop = loop->next) {
        if (is_point(loop)) {
            point[points++] = (struct cleave_page_point){
                cleave_json_word(cleave_json_member(loop, "loop"), ""),
                value_of(loop, "operations_per_byte"), value_of(loop, "operations_per_second"),
                loop->index < NUMBERED_POINTS ? loop->index + 1 : 0};
        }
    }
    cleave_page_section(out, "roofline", "Roofline");
    if (points > 0) {
        fputs(
            "<p>Operations of each loop, as the compiler counts them in its variant: those that it "
            "repeats count each time. Numbers are those of <a href=\"#each\">Loop by loop</a>. The "
            "line is the limit by the speed of a copy, and by additions in double precision. A "
            "loop "
            "whose data stays in a cache can be above it.</p>\n",
            out);
        cleave_page_roofline(out, point, points, limit, limits_of(report, limit, name));
    } else {
        fputs("<p>How many operations the loops do is not known.</p>\n", out);
    }
    free(point);
}

/* ---- loop by loop -------------------------------------------------------------------------- */

/* The largest value of a member in an array. */
static double largest(const struct cleave_json_node *rows, const char *member)
{
    double most = 0.0;
    for (const struct cleave_json_node *row = rows->first; row != NULL; row = row->next) {
        most = fmax(most, value_of(row, member));
    }
    return most;
}

/* A bar in a cell of its own. */
static void write_bar_cell(FILE *out, const struct cleave_page_column *column, double value,
                           double most)
{
    cleave_page_cell_begin(out, column);
    cleave_page_bar(out, most > 0.0 ? value / most : 0.0, -1.0);
    cleave_page_cell_end(out);
}

static void write_stages(FILE *out, const struct cleave_json_node *stages)
{
    static const struct cleave_page_column columns[] = {
        {"stage", 0}, {"staged for each point", 1}, {"", 0}, {"data (+: it adds to them)", 0}};
    if (stages == NULL || stages->count == 0) {
        return;
    }
    const double most = largest(stages, "staged_bytes_per_point");
    fputs("<h3>Stages</h3>\n", out);
    cleave_page_table_begin(out, columns, LENGTH(columns));
    for (const struct cleave_json_node *stage = stages->first; stage != NULL; stage = stage->next) {
        cleave_page_row_begin(out);
        cleave_page_cell_begin(out, &columns[0]);
        cleave_report_words(out, stage, "name");
        cleave_page_cell_end(out);
        cleave_page_cell_begin(out, &columns[1]);
        cleave_report_number(out, stage, "staged_bytes_per_point", PAGE_BYTES);
        cleave_page_cell_end(out);
        write_bar_cell(out, &columns[2], value_of(stage, "staged_bytes_per_point"), most);
        cleave_page_cell_begin(out, &columns[3]);
        fputs("<code>", out);
        cleave_report_words(out, stage, "staged");
        fputs("</code>", out);
        cleave_page_cell_end(out);
        cleave_page_row_end(out);
    }
    cleave_page_table_end(out);
}

static void write_pair(FILE *out, const char *label, const struct cleave_json_node *node,
                       const char *member, enum cleave_page_unit unit)
{
    if (cleave_json_member(node, member) != NULL) {
        fputs("<li><b>", out);
        cleave_report_number(out, node, member, unit);
        fputs("</b><span class=\"dim\">", out);
        cleave_page_text(out, label);
        fputs("</span></li>\n", out);
    }
}

static void write_resources(FILE *out, const struct cleave_json_node *loop)
{
    const struct cleave_json_node *takes = cleave_json_member(loop, "kernel_resources");
    fputs("<ul class=\"tiles\">\n", out);
    write_pair(out, "calls", loop, "calls", PAGE_COUNT);
    if (is_in_group(loop)) {
        fputs("</ul>\n<p>Their time is that of the kernel which runs them together.</p>\n", out);
        return;
    }
    write_pair(out, "a call", loop, "seconds_per_call", PAGE_SECONDS);
    write_pair(out, "predicted", loop, "predicted_seconds", PAGE_SECONDS);
    write_pair(out, "for its plans", loop, "plan_seconds", PAGE_SECONDS);
    write_pair(out, "operations per useful byte", loop, "operations_per_byte", PAGE_NUMBER);
    write_pair(out, "of the speed of a copy", loop, "of_copy", PAGE_SHARE);
    write_pair(out, "block size", takes, "block_size", PAGE_COUNT);
    write_pair(out, "registers of a thread", takes, "registers", PAGE_COUNT);
    write_pair(out, "local memory of a thread", takes, "local_bytes", PAGE_BYTES);
    write_pair(out, "static shared memory of a block", takes, "static_shared_bytes", PAGE_BYTES);
    write_pair(out, "dynamic shared memory of a block", takes, "dynamic_shared_bytes", PAGE_BYTES);
    write_pair(out, "threads of a multiprocessor", takes, "threads_per_multiprocessor", PAGE_COUNT);
    fputs("</ul>\n", out);
}

static void write_loop(FILE *out, const struct cleave_json_node *loop)
{
    const struct cleave_json_node *limit = cleave_json_member(loop, "limit");
    fprintf(out, "<details id=\"loop-%d\"%s><summary>%d. ", loop->index + 1,
            loop->index < OPEN_LOOPS ? " open" : "", loop->index + 1);
    cleave_report_words(out, loop, "loop");
    fputs(" <span class=\"dim\">", out);
    cleave_report_words(out, loop, "variant");
    fputs(", ", out);
    cleave_report_words(out, loop, "target");
    fputs("</span></summary>\n", out);
    if (limit != NULL) {
        fputs("<p>The model expects it to be limited by ", out);
        cleave_page_text(out, cleave_json_word(limit, ""));
        fputs(".</p>\n", out);
    }
    write_resources(out, loop);
    write_stages(out, cleave_json_member(loop, "stages"));
    fputs("</details>\n", out);
}

void cleave_report_loops(FILE *out, const struct cleave_json_node *report)
{
    const struct cleave_json_node *loops = cleave_json_member(report, "loops");
    if (loops == NULL || loops->kind != CLEAVE_JSON_ARRAY) {
        return;
    }
    write_bars(out, report, loops);
    write_table(out, loops);
    if (loops->count == 0) {
        return;
    }
    cleave_report_model(out, report);
    write_roofline(out, report, loops);
    cleave_page_section(out, "each", "Loop by loop");
    for (const struct cleave_json_node *loop = loops->first; loop != NULL; loop = loop->next) {
        write_loop(out, loop);
    }
}
