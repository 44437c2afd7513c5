/* start.c: the start of a program in reports: which parts of the time from op_init to the first
 * loops went where, as JSON and as a section of the page. */
#include "runtime/base/timeline.h"
#include "runtime/report/page_impl.h"
#include "runtime/report/summary.h"

/* ---- JSON ---------------------------------------------------------------------------------- */

static int earliest_first(const void *a, const void *b)
{
    const struct cleave_moment *x = a;
    const struct cleave_moment *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

void cleave_start_to_json(struct cleave_json *json)
{
    struct cleave_moment moment[CLEAVE_MOMENTS];
    const int count = cleave_moments_read(moment);
    qsort(moment, (size_t)count, sizeof moment[0], earliest_first);
    cleave_json_array(json, "start");
    for (int m = 0; m < count; m++) {
        cleave_json_object(json, NULL);
        cleave_json_text(json, "what", moment[m].what);
        cleave_json_text(json, "about", moment[m].about);
        cleave_json_number(json, "begin_seconds", moment[m].begin);
        cleave_json_number(json, "seconds", moment[m].seconds);
        cleave_json_bool(json, "beside", moment[m].beside);
        cleave_json_object_end(json);
    }
    cleave_json_array_end(json);
}

/* ---- the page ------------------------------------------------------------------------------ */

static double begin_of(const struct cleave_json_node *part)
{
    return cleave_json_value(cleave_json_member(part, "begin_seconds"), 0.0);
}

static double end_of(const struct cleave_json_node *part)
{
    return begin_of(part) + cleave_json_value(cleave_json_member(part, "seconds"), 0.0);
}

static int is_beside(const struct cleave_json_node *part)
{
    return strcmp(cleave_json_word(cleave_json_member(part, "beside"), "false"), "true") == 0;
}

static void write_part(FILE *out, const struct cleave_json_node *part, double full)
{
    fputs("<li><span class=\"name\">", out);
    cleave_report_words(out, part, "what");
    fputs("<span class=\"what\">", out);
    cleave_report_words(out, part, "about");
    fputs(is_beside(part) ? " on a thread beside" : "", out);
    fputs("</span></span>", out);
    cleave_page_interval(out, begin_of(part) / full, end_of(part) / full, is_beside(part) ? 1 : 0);
    fputs("<span class=\"value\">", out);
    cleave_report_number(out, part, "seconds", PAGE_SECONDS);
    fputs(" <span class=\"dim\">at ", out);
    cleave_report_number(out, part, "begin_seconds", PAGE_SECONDS);
    fputs("</span></span></li>\n", out);
}

/* Seconds from op_init to the end of the last part. */
static double all_of(const struct cleave_json_node *parts)
{
    double last = 0.0;
    for (const struct cleave_json_node *part = parts->first; part != NULL; part = part->next) {
        last = fmax(last, end_of(part));
    }
    return last;
}

void cleave_report_start_page(FILE *out, const struct cleave_json_node *report)
{
    const struct cleave_json_node *parts = cleave_json_member(report, "start");
    const struct cleave_json_node *background = cleave_json_member(report, "background");
    if (parts == NULL || parts->count == 0) {
        return;
    }
    const double full = all_of(parts);
    cleave_page_section(out, "start", "The start");
    fputs(
        "<p>What the runtime did from op_init to the program's first loops. Gaps are the program's "
        "own. From the last declaration to the launch of the first loop: ",
        out);
    cleave_report_number(out, background, "first_loop_seconds", PAGE_SECONDS);
    fputs(".</p>\n<details><summary>All parts</summary>\n<ul class=\"bars\">\n", out);
    for (const struct cleave_json_node *part = parts->first; part != NULL; part = part->next) {
        write_part(out, part, full);
    }
    fputs("</ul>\n</details>\n", out);
}
