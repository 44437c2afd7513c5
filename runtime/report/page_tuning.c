/* page_tuning.c: the part of a report's page about tuning: the candidates of each loop, with their
 * measured and predicted times. */
#include "runtime/report/page_impl.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

static int is_true(const struct cleave_json_node *node, const char *member)
{
    return strcmp(cleave_json_word(cleave_json_member(node, member), "false"), "true") == 0;
}

static void write_head(FILE *out, const struct cleave_json_node *trials, int number)
{
    fprintf(out, "<details%s><summary>", number == 0 ? " open" : "");
    cleave_report_words(out, trials, "loop");
    fputs(" <span class=\"dim\">", out);
    cleave_report_number(out, trials, "elements", PAGE_COUNT);
    fputs(" elements, ", out);
    cleave_report_words(out, trials, "target");
    fputs("</span></summary>\n<p>", out);
    if (is_true(trials, "from_store")) {
        fputs("An earlier run has found the fastest candidate; this run measured none.", out);
    } else if (is_true(trials, "rests")) {
        fputs(
            "An earlier run has begun trials, which go on in a longer run; this one measured none.",
            out);
    } else {
        fputs(is_true(trials, "settled") ? "Settled. Calls of the loop until then: "
                                         : "Not settled. Calls of the loop so far: ",
              out);
        cleave_report_number(out, trials, "calls", PAGE_COUNT);
        fputs(". They took ", out);
        cleave_report_number(out, trials, "lost_seconds", PAGE_SECONDS);
        fputs(" longer than the fastest candidate would have, and ", out);
        cleave_report_number(out, trials, "setup_seconds", PAGE_SECONDS);
        fputs(" for plans of candidates.", out);
    }
    fputs("</p>\n", out);
}

void cleave_report_tuning(FILE *out, const struct cleave_json_node *report)
{
    static const struct cleave_report_column columns[] = {
        {"candidate", "variant", 1, PAGE_NUMBER},
        {"block size", "block_size", 0, PAGE_COUNT},
        {"threads", "threads", 0, PAGE_COUNT},
        {"measured calls", "samples", 0, PAGE_COUNT},
        {"time of a call", "seconds", 0, PAGE_SECONDS},
        {"spread", "spread_seconds", 0, PAGE_SECONDS},
        {"predicted", "predicted_seconds", 0, PAGE_SECONDS},
        {"state", "state", 1, PAGE_NUMBER},
        {"why", "why", 1, PAGE_NUMBER}};
    const struct cleave_json_node *tuning = cleave_json_member(report, "tuning");
    cleave_page_section(out, "tuning", "Candidates measured");
    if (tuning == NULL || tuning->count == 0) {
        fputs("<p>No loop was tuned.</p>\n", out);
        return;
    }
    for (const struct cleave_json_node *trials = tuning->first; trials != NULL;
         trials = trials->next) {
        write_head(out, trials, trials->index);
        cleave_report_table(out, cleave_json_member(trials, "candidates"), columns, LENGTH(columns),
                            NULL);
        fputs("</details>\n", out);
    }
}
