/* page_model.c: the part of a report's page that says how times were predicted: the formula, and
 * the rates of the machine that went into it. runtime/model/README.md has the whole of it. */
#include "runtime/report/page_impl.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

struct rate {
    const char *member;
    const char *label;
    enum cleave_page_unit unit;
};

static void write_rates(FILE *out, const struct cleave_json_node *rates)
{
    static const struct rate rate[] = {
        {"copy_bytes_per_second", "memory, bytes copied in a second", PAGE_BYTES},
        {"l2_bytes_per_second", "L2, on the CPU the caches of the cores, bytes in a second",
         PAGE_BYTES},
        {"shared_bytes_per_second", "shared memory, bytes in a second", PAGE_BYTES},
        {"fp64_operations_per_second", "operations in double precision, one at a time", PAGE_EACH},
        {"fp32_operations_per_second", "operations in single precision, one at a time", PAGE_EACH},
        {"coalesced_additions_per_second", "atomic additions, consecutive values", PAGE_EACH},
        {"scattered_additions_per_second", "atomic additions, each to its own sector", PAGE_EACH},
        {"latency_seconds", "latency of memory", PAGE_SECONDS},
        {"launch_seconds", "launch of a kernel, on the CPU start of all threads", PAGE_SECONDS},
        {"wait_seconds", "until the host knows that a kernel has ended", PAGE_SECONDS}};
    static const struct cleave_page_column columns[] = {{"part of the machine", 0}, {"rate", 1}};
    cleave_page_table_begin(out, columns, LENGTH(columns));
    for (int r = 0; r < LENGTH(rate); r++) {
        const struct cleave_json_node *number = cleave_json_member(rates, rate[r].member);
        if (number == NULL || number->kind != CLEAVE_JSON_NUMBER) {
            continue;
        }
        cleave_page_row_begin(out);
        cleave_page_cell(out, &columns[0], rate[r].label);
        cleave_page_cell_begin(out, &columns[1]);
        cleave_report_number(out, rates, rate[r].member, rate[r].unit);
        cleave_page_cell_end(out);
        cleave_page_row_end(out);
    }
    cleave_page_table_end(out);
}

void cleave_report_model(FILE *out, const struct cleave_json_node *report)
{
    const struct cleave_json_node *rates = cleave_json_member(report, "rates");
    const char *measured = cleave_json_word(cleave_json_member(rates, "measured"), "false");
    if (rates == NULL) {
        return;
    }
    fputs("<details><summary>How times are predicted</summary>\n"
          "<p>The compiler counts what a loop takes of each part of the machine; the mesh and its "
          "plan say how often. Each part alone would need this amount divided by its rate, times a "
          "factor. The parts work at the same time, though not perfectly:</p>\n"
          "<p><code>time = (memory^p + L2^p + atomics^p + operations^p + shared memory^p + L1^p + "
          "starts of blocks^p)^(1/p) + latency + colours + launch</code></p>\n"
          "<p>with p = 2.5 on a GPU. On the CPU, p = 2 for memory, caches, values through maps "
          "(L1) and operations, and the start of threads comes on top. The part that needs most is "
          "what limits the loop. <code>runtime/model/README.md</code> has each part's formula and "
          "says how far predictions are off.</p>\n<p>",
          out);
    fputs(strcmp(measured, "true") == 0
              ? "These rates were measured on this machine:"
              : "This machine has not been measured. These are the rates of the one that cleave "
                "was tuned on:",
          out);
    fputs("</p>\n", out);
    write_rates(out, rates);
    fputs("</details>\n", out);
}
