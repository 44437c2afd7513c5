/* page.c: the report as a page. Its input is the report as JSON, so that it can show nothing else:
 * each number carries the place in the JSON that it comes from, and its text there.
 *
 * page_loops.c writes what belongs to single loops, page_tuning.c what was measured for them. */
#include "runtime/report/page_impl.h"
#include "runtime/report/summary.h"

#include <errno.h>

/* ---- numbers and their places ---------------------------------------------------------------- */

/* "loops[0].calls" */
static void path_of(const struct cleave_json_node *node, char *path, size_t room)
{
    char above[REPORT_PATH_ROOM] = "";
    if (node->parent == NULL) {
        path[0] = '\0';
        return;
    }
    path_of(node->parent, above, sizeof above);
    if (node->name == NULL) {
        snprintf(path, room, "%s[%d]", above, node->index);
    } else {
        snprintf(path, room, "%s%s%s", above, above[0] != '\0' ? "." : "", node->name);
    }
}

/* A dash. */
static void write_unknown(FILE *out)
{
    fputs("<span class=\"dim\">\xe2\x80\x93</span>", out);
}

void cleave_report_number(FILE *out, const struct cleave_json_node *node, const char *member,
                          enum cleave_page_unit unit)
{
    char path[REPORT_PATH_ROOM];
    const struct cleave_json_node *number = cleave_json_member(node, member);
    if (number == NULL || number->kind != CLEAVE_JSON_NUMBER) {
        write_unknown(out);
        return;
    }
    path_of(number, path, sizeof path);
    cleave_page_number(out, unit, cleave_json_value(number, 0.0), path, number->text);
}

void cleave_report_words(FILE *out, const struct cleave_json_node *node, const char *member)
{
    cleave_page_name(out, cleave_json_word(cleave_json_member(node, member), ""));
}

/* 1: an element of the array has this member. */
static int has_column(const struct cleave_json_node *rows, const char *member)
{
    const struct cleave_json_node *row = rows != NULL ? rows->first : NULL;
    while (row != NULL && cleave_json_member(row, member) == NULL) {
        row = row->next;
    }
    return row != NULL;
}

static void write_row(FILE *out, const struct cleave_json_node *row,
                      const struct cleave_report_column *const *column,
                      const struct cleave_page_column *heading, int columns,
                      cleave_report_known *known)
{
    cleave_page_row_begin(out);
    for (int c = 0; c < columns; c++) {
        cleave_page_cell_begin(out, &heading[c]);
        if (column[c]->is_text) {
            cleave_report_words(out, row, column[c]->member);
        } else if (known != NULL && !known(row, column[c]->member)) {
            write_unknown(out);
        } else {
            cleave_report_number(out, row, column[c]->member, column[c]->unit);
        }
        cleave_page_cell_end(out);
    }
    cleave_page_row_end(out);
}

void cleave_report_table(FILE *out, const struct cleave_json_node *rows,
                         const struct cleave_report_column *column, int columns,
                         cleave_report_known *known)
{
    const struct cleave_report_column *used[REPORT_COLUMNS];
    struct cleave_page_column heading[REPORT_COLUMNS];
    int count = 0;
    for (int c = 0; c < columns; c++) {
        if (has_column(rows, column[c].member)) {
            heading[count] = (struct cleave_page_column){column[c].heading, !column[c].is_text};
            used[count++] = &column[c];
        }
    }
    cleave_page_table_begin(out, heading, count);
    const struct cleave_json_node *row = rows != NULL ? rows->first : NULL;
    for (; row != NULL; row = row->next) {
        write_row(out, row, used, heading, count, known);
    }
    cleave_page_table_end(out);
}

/* A number with its name, one of a row of tiles. */
struct tile {
    const char *label;
    const char *member;
    enum cleave_page_unit unit;
};

/* Tiles of the numbers that the object has. */
static void write_tiles(FILE *out, const struct cleave_json_node *node, const struct tile *tile,
                        int tiles)
{
    fputs("<ul class=\"tiles\">\n", out);
    for (int t = 0; t < tiles; t++) {
        if (cleave_json_member(node, tile[t].member) != NULL) {
            fputs("<li><b>", out);
            cleave_report_number(out, node, tile[t].member, tile[t].unit);
            fputs("</b><span class=\"dim\">", out);
            cleave_page_text(out, tile[t].label);
            fputs("</span></li>\n", out);
        }
    }
    fputs("</ul>\n", out);
}

#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* ---- the head ------------------------------------------------------------------------------ */

static void write_head(FILE *out, const struct cleave_json_node *report)
{
    static const struct tile tiles[] = {
        {"from op_init to op_exit", "seconds", PAGE_SECONDS},
        {"in loops", "loop_seconds", PAGE_SECONDS},
        {"order of the mesh and plans", "plan_seconds", PAGE_SECONDS},
        {"speed of a copy, read and written", "copy_gb_per_second", PAGE_RATE},
        {"threads of the host", "host_threads", PAGE_COUNT}};
    char heading[256];
    const char *fixed = cleave_json_word(cleave_json_member(report, "deterministic"), "false");
    snprintf(heading, sizeof heading, "Report of %s",
             cleave_json_word(cleave_json_member(report, "program"), "a program"));
    cleave_page_begin(out, heading);
    fputs("<p>A run on ", out);
    cleave_report_words(out, report, "device");
    fputs(" with cleave ", out);
    cleave_report_words(out, report, "cleave");
    fputs(strcmp(fixed, "true") == 0 ? ", in deterministic mode.</p>\n" : ".</p>\n", out);
    write_tiles(out, report, tiles, LENGTH(tiles));
}

/* ---- the mesh ------------------------------------------------------------------------------ */

static void write_order(FILE *out, const struct cleave_json_node *order)
{
    static const struct tile tiles[] = {{"time for the order", "seconds", PAGE_SECONDS},
                                        {"blocks", "blocks", PAGE_COUNT},
                                        {"elements of a block, at most", "block_size", PAGE_COUNT},
                                        {"sets with a new order", "sets", PAGE_COUNT}};
    static const struct cleave_report_column columns[] = {
        {"step of the order", "name", 1, PAGE_NUMBER}, {"time", "seconds", 0, PAGE_SECONDS}};
    if (order == NULL) {
        fputs("<p>The mesh kept the order of the program.</p>\n", out);
        return;
    }
    fputs("<p>Set ", out);
    cleave_report_words(out, order, "primary");
    fputs(" was ordered by the method <code>", out);
    cleave_report_words(out, order, "method");
    fputs("</code>", out);
    const char *kept = cleave_json_word(cleave_json_member(order, "from_cache"), "false");
    fputs(strcmp(kept, "true") == 0 ? ", kept from an earlier run.</p>\n" : ".</p>\n", out);
    write_tiles(out, order, tiles, LENGTH(tiles));
    cleave_report_table(out, cleave_json_member(order, "phases"), columns, LENGTH(columns), NULL);
}

static void write_background(FILE *out, const struct cleave_json_node *background)
{
    static const struct tile tiles[] = {
        {"calls before the new order", "calls", PAGE_COUNT},
        {"from the first call to the new order", "seconds", PAGE_SECONDS},
        {"to move dats and maps", "adopt_seconds", PAGE_SECONDS},
        {"of dats moved on the GPU", "moved_bytes", PAGE_BYTES},
        {"plans made in the background", "plans", PAGE_COUNT},
        {"of work that no loop waited for", "spared_seconds", PAGE_SECONDS}};
    const char *order = cleave_json_word(cleave_json_member(background, "order"), "none");
    const char *plans = cleave_json_word(cleave_json_member(background, "plans"), "0");
    if (strcmp(order, "none") == 0 && strcmp(plans, "0") == 0) {
        return;
    }
    fputs("<p>While loops ran, the order of the mesh or plans were made. The order: ", out);
    cleave_report_words(out, background, "order");
    fputs(".</p>\n", out);
    write_tiles(out, background, tiles, LENGTH(tiles));
}

static void write_mesh(FILE *out, const struct cleave_json_node *report)
{
    static const struct cleave_report_column columns[] = {
        {"loop", "loop", 1, PAGE_NUMBER},
        {"set", "set", 1, PAGE_NUMBER},
        {"elements", "elements", 0, PAGE_COUNT},
        {"block size", "block_size", 0, PAGE_COUNT},
        {"blocks", "blocks", 0, PAGE_COUNT},
        {"block colours", "block_colours", 0, PAGE_COUNT},
        {"colours in a block", "thread_colours", 0, PAGE_NUMBER},
        {"points of a block", "points", 0, PAGE_NUMBER},
        {"most points", "max_points", 0, PAGE_COUNT},
        {"uses of a point", "reuse", 0, PAGE_NUMBER},
        {"full blocks", "fill", 0, PAGE_SHARE},
        {"cache lines of a block", "lines", 0, PAGE_NUMBER},
        {"points of several blocks", "shared", 0, PAGE_SHARE},
        {"wavefronts per access", "wavefronts", 0, PAGE_NUMBER},
        {"points around an own point", "per_own_point", 0, PAGE_NUMBER},
        {"padding", "padding", 0, PAGE_NUMBER},
        {"global colours", "global_colours", 0, PAGE_COUNT},
        {"ranges", "ranges", 0, PAGE_COUNT},
        {"border elements", "border", 0, PAGE_SHARE},
        {"elements of a run", "segment", 0, PAGE_NUMBER},
        {"vectors without conflicts", "distinct", 0, PAGE_SHARE},
        {"size of the plan", "plan_bytes", 0, PAGE_BYTES},
        {"time", "seconds", 0, PAGE_SECONDS}};
    const struct cleave_json_node *plans = cleave_json_member(report, "plans");
    cleave_page_section(out, "mesh", "Mesh and plans");
    write_order(out, cleave_json_member(report, "order"));
    write_background(out, cleave_json_member(report, "background"));
    if (plans != NULL && plans->count > 0) {
        cleave_report_table(out, plans, columns, LENGTH(columns), NULL);
    } else {
        fputs("<p>No loop needed a plan.</p>\n", out);
    }
}

/* ---- the host and transfers ---------------------------------------------------------------- */

struct activity {
    const char *member;
    const char *label;
};

static void write_host(FILE *out, const struct cleave_json_node *report)
{
    static const struct activity activity[] = {
        {"program_seconds", "the program itself, between loops"},
        {"call_seconds", "calls of op_par_loop, without what follows"},
        {"kernel_seconds", "kernels on the host"},
        {"plan_seconds", "order of the mesh and plans"},
        {"adopt_seconds", "taking over what the background made"},
        {"upload_seconds", "transfers to the device"},
        {"download_seconds", "transfers from the device"},
        {"wait_seconds", "waiting for the device"}};
    static const struct cleave_page_column columns[] = {{"what the host did", 0}, {"time", 1}};
    const struct cleave_json_node *host = cleave_json_member(report, "host");
    double part[LENGTH(activity)];
    double sum = 0.0;
    for (int a = 0; a < LENGTH(activity); a++) {
        part[a] = cleave_json_value(cleave_json_member(host, activity[a].member), 0.0);
        sum += part[a];
    }
    cleave_page_section(out, "host", "What the host did");
    fputs("<p>The time of the thread that called op_init. Loops on a device run meanwhile.</p>\n",
          out);
    for (int a = 0; a < LENGTH(activity); a++) {
        part[a] = sum > 0.0 ? part[a] / sum : 0.0;
    }
    cleave_page_stack(out, part, LENGTH(activity));
    cleave_page_table_begin(out, columns, LENGTH(columns));
    for (int a = 0; a < LENGTH(activity); a++) {
        cleave_page_row_begin(out);
        cleave_page_cell_begin(out, &columns[0]);
        cleave_page_key(out, a);
        cleave_page_text(out, activity[a].label);
        cleave_page_cell_end(out);
        cleave_page_cell_begin(out, &columns[1]);
        cleave_report_number(out, host, activity[a].member, PAGE_SECONDS);
        cleave_page_cell_end(out);
        cleave_page_row_end(out);
    }
    cleave_page_table_end(out);
}

/* A row of the table of transfers: an object of the report. */
static void write_moved(FILE *out, const struct cleave_json_node *moved, const char *label,
                        const struct cleave_page_column *columns)
{
    cleave_page_row_begin(out);
    cleave_page_cell(out, &columns[0], label);
    cleave_page_cell_begin(out, &columns[1]);
    cleave_report_number(out, moved, "count", PAGE_COUNT);
    cleave_page_cell_end(out);
    cleave_page_cell_begin(out, &columns[2]);
    cleave_report_number(out, moved, "bytes", PAGE_BYTES);
    cleave_page_cell_end(out);
    cleave_page_cell_begin(out, &columns[3]);
    cleave_report_number(out, moved, "seconds", PAGE_SECONDS);
    cleave_page_cell_end(out);
    cleave_page_row_end(out);
}

static void write_transfers(FILE *out, const struct cleave_json_node *report)
{
    static const struct cleave_page_column columns[] = {
        {"what", 0}, {"times", 1}, {"data", 1}, {"time", 1}};
    const struct cleave_json_node *transfers = cleave_json_member(report, "transfers");
    cleave_page_section(out, "transfers", "Transfers and waits");
    cleave_page_table_begin(out, columns, LENGTH(columns));
    write_moved(out, cleave_json_member(transfers, "to_device"), "data went to the device",
                columns);
    write_moved(out, cleave_json_member(transfers, "from_device"), "data came from the device",
                columns);
    write_moved(out, cleave_json_member(report, "layouts"),
                "dats changed between array of structures and structure of arrays", columns);
    write_moved(out, cleave_json_member(report, "copies"),
                "copies of dats were made in the order of blocks", columns);
    write_moved(out, cleave_json_member(report, "waits"), "the host waited for the device",
                columns);
    write_moved(out, cleave_json_member(report, "graphs"),
                "loops were launched together as a graph", columns);
    write_moved(out, cleave_json_member(report, "further_variants"),
                "further variants of a loop were compiled in the background", columns);
    cleave_page_table_end(out);
}

static void write_groups(FILE *out, const struct cleave_json_node *groups)
{
    static const struct tile tiles[] = {
        {"launches of several loops as one kernel", "launches", PAGE_COUNT},
        {"calls of loops in these", "calls", PAGE_COUNT},
        {"launches waited for loops that did not come", "waited_in_vain", PAGE_COUNT},
        {"groups that could not run as one kernel", "refused", PAGE_COUNT},
        {"groups that are faster loop by loop", "apart", PAGE_COUNT}};
    double all = 0.0;
    for (int t = 0; t < LENGTH(tiles); t++) {
        all += cleave_json_value(cleave_json_member(groups, tiles[t].member), 0.0);
    }
    if (all > 0.0) {
        cleave_page_section(out, "groups", "Groups of loops");
        write_tiles(out, groups, tiles, LENGTH(tiles));
    }
}

/* ---- the rest ------------------------------------------------------------------------------ */

static void write_sequential(FILE *out, const struct cleave_json_node *report)
{
    static const struct cleave_report_column columns[] = {{"loop", "loop", 1, PAGE_NUMBER},
                                                          {"file", "file", 1, PAGE_NUMBER},
                                                          {"line", "line", 0, PAGE_COUNT},
                                                          {"reason", "reason", 1, PAGE_NUMBER}};
    const struct cleave_json_node *reasons = cleave_json_member(report, "sequential");
    cleave_page_section(out, "sequential", "Sequential loops");
    if (reasons == NULL || reasons->count == 0) {
        fputs("<p>No loop had a reason to run one element after the other.</p>\n", out);
        return;
    }
    cleave_report_table(out, reasons, columns, LENGTH(columns), NULL);
}

static void write_device(FILE *out, const struct cleave_json_node *report)
{
    static const struct tile tiles[] = {
        {"multiprocessors", "multiprocessors", PAGE_COUNT},
        {"memory", "memory_bytes", PAGE_BYTES},
        {"L2 cache", "l2_bytes", PAGE_BYTES},
        {"shared memory of a multiprocessor", "shared_bytes_per_multiprocessor", PAGE_BYTES},
        {"registers of a multiprocessor", "registers_per_multiprocessor", PAGE_COUNT},
        {"threads of a multiprocessor", "threads_per_multiprocessor", PAGE_COUNT},
        {"lanes of a warp", "lanes", PAGE_COUNT}};
    const struct cleave_json_node *device = cleave_json_member(report, "device_properties");
    if (device == NULL) {
        return;
    }
    cleave_page_section(out, "device", "Device");
    fputs("<p>", out);
    cleave_report_words(out, report, "device");
    fputs(", compute capability ", out);
    cleave_report_words(out, device, "compute_capability");
    fputs("</p>\n", out);
    write_tiles(out, device, tiles, LENGTH(tiles));
}

int cleave_report_page(FILE *out, const char *json)
{
    CLEAVE_PLAIN_NUMBERS;
    struct cleave_json_node *report = cleave_json_read(json);
    if (report == NULL) {
        errno = EINVAL;
        return -1;
    }
    write_head(out, report);
    cleave_report_loops(out, report);
    cleave_report_tuning(out, report);
    write_mesh(out, report);
    cleave_report_start_page(out, report);
    write_host(out, report);
    write_transfers(out, report);
    write_groups(out, cleave_json_member(report, "groups"));
    write_sequential(out, report);
    write_device(out, report);
    cleave_page_end(out);
    cleave_json_free(report);
    return ferror(out) ? -1 : 0;
}
