/* explain_loop.c: loops on the page of --cleave-explain: the data that they use, the schedules with
 * their predicted costs, and what each stage stages. */
#include "pass/driver/explain_loop.h"

#include <string.h>

#include "runtime/page/page.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* ---- cells --------------------------------------------------------------------------------------
 */

static void number_cell(FILE *out, const struct cleave_page_column *column,
                        enum cleave_page_unit unit, double value)
{
    cleave_page_cell_begin(out, column);
    cleave_page_number(out, unit, value, NULL, NULL);
    cleave_page_cell_end(out);
}

static void bar_cell(FILE *out, const struct cleave_page_column *column, double part)
{
    cleave_page_cell_begin(out, column);
    cleave_page_bar(out, part, -1.0);
    cleave_page_cell_end(out);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* ---- the overview -------------------------------------------------------------------------------
 */

/* Bytes per point that the schedule stages at a time, at most. */
static size_t most_staged(const struct schedule *schedule)
{
    size_t most = 0;

    for (int s = 0; s < schedule->stages; s++) {
        most = schedule->stage[s].shown_bytes > most ? schedule->stage[s].shown_bytes : most;
    }
    return most;
}

static void overview_row(FILE *out, const struct cleave_page_column *column,
                         const struct loop *loop, const char *unit, int l)
{
    cleave_page_row_begin(out);
    cleave_page_cell_begin(out, &column[0]);
    fprintf(out, "<a href=\"#%s-loop-%d\">", unit, l + 1);
    cleave_page_text(out, loop->name);
    fputs("</a>", out);
    cleave_page_cell_end(out);
    number_cell(out, &column[1], PAGE_COUNT, loop->loc.line);
    cleave_page_cell(out, &column[2], loop->set_text);
    if (loop->schedules > 0) {
        const struct schedule *best = &loop->schedule[loop->predicted];
        const struct estimate *estimate = &best->estimate;

        cleave_page_cell(out, &column[3], schedule_word(best));
        number_cell(out, &column[4], PAGE_BYTES, (double)most_staged(&loop->schedule[AT_FUSED]));
        number_cell(out, &column[5], PAGE_BYTES, (double)most_staged(best));
        if (estimate->limit != NULL) {
            number_cell(out, &column[6], PAGE_SHARE, estimate->occupancy);
        } else {
            cleave_page_cell(out, &column[6], "not known");
        }
        cleave_page_cell(out, &column[7], estimate->limit != NULL ? estimate->limit : "not known");
    } else {
        fputs("<td colspan=\"5\">sequential</td>", out);
    }
    cleave_page_row_end(out);
}

void explain_overview(FILE *out, const struct program *program, const char *unit)
{
    static const struct cleave_page_column column[] = {{"loop", 0},
                                                       {"line", 1},
                                                       {"set", 0},
                                                       {"preferred", 0},
                                                       {"fused stages per point", 1},
                                                       {"preferred stages", 1},
                                                       {"occupancy", 1},
                                                       {"limited by", 0}};

    cleave_page_table_begin(out, column, LENGTH(column));
    for (int l = 0; l < program->loops; l++) {
        overview_row(out, column, &program->loop[l], unit, l);
    }
    cleave_page_table_end(out);
}

/* ---- data ---------------------------------------------------------------------------------------
 */

static void through_cell(FILE *out, const struct cleave_page_column *column, const struct arg *arg)
{
    cleave_page_cell_begin(out, column);
    if (!arg->is_indirect) {
        fputs(arg->kind == ARG_DAT ? "direct" : "", out);
    } else {
        cleave_page_text(out, arg->map_text != NULL ? arg->map_text : "");
        if (arg->is_vector) {
            fprintf(out, "[0..%d]", arg->columns - 1);
        } else {
            fprintf(out, "[%d]", arg->map_index);
        }
    }
    cleave_page_cell_end(out);
}

static void write_data(FILE *out, const struct loop *loop)
{
    static const struct cleave_page_column column[] = {
        {"argument", 0}, {"access", 0}, {"through", 0}, {"size of a record", 1}};

    fputs("<h3>Data</h3>\n", out);
    cleave_page_table_begin(out, column, LENGTH(column));
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];

        cleave_page_row_begin(out);
        cleave_page_cell_begin(out, &column[0]);
        fputs("<code>", out);
        cleave_page_text(out, arg->kind == ARG_INDEX  ? "op_arg_idx"
                              : arg->dat_text != NULL ? arg->dat_text
                                                      : "");
        fputs("</code>", out);
        cleave_page_cell_end(out);
        cleave_page_cell(out, &column[1], arg->kind == ARG_INDEX ? "" : access_name(arg->access));
        through_cell(out, &column[2], arg);
        if (arg->dim > 0 && arg->type != NULL) {
            number_cell(out, &column[3], PAGE_BYTES, (double)((size_t)arg->dim * arg->type->size));
        } else {
            cleave_page_cell(out, &column[3], "?");
        }
        cleave_page_row_end(out);
    }
    cleave_page_table_end(out);
}

/* ---- schedules ----------------------------------------------------------------------------------
 */

/* "56/32/32", stage by stage. */
static void staged_cell(FILE *out, const struct cleave_page_column *column,
                        const struct schedule *schedule)
{
    cleave_page_cell_begin(out, column);
    for (int s = 0; s < schedule->stages; s++) {
        fprintf(out, "%s%zu", s > 0 ? "/" : "", schedule->stage[s].shown_bytes);
    }
    cleave_page_cell_end(out);
}

static void legal_row(FILE *out, const struct cleave_page_column *column, const struct loop *loop,
                      const struct schedule *schedule, double slowest)
{
    const struct estimate *estimate = &schedule->estimate;
    const double fused = loop->schedule[AT_FUSED].estimate.time;
    const bool preferred = schedule == &loop->schedule[loop->predicted];

    cleave_page_row_begin(out);
    cleave_page_cell_begin(out, &column[0]);
    fprintf(out, preferred ? "<b>%s</b>, preferred" : "%s", schedule_word(schedule));
    cleave_page_cell_end(out);
    if (fused > 0.0 && estimate->time > 0.0) {
        number_cell(out, &column[1], PAGE_NUMBER, estimate->time / fused);
        bar_cell(out, &column[2], estimate->time / slowest);
    } else {
        fputs("<td colspan=\"2\">not known</td>", out);
    }
    staged_cell(out, &column[3], schedule);
    if (schedule->kind == SCHEDULE_FUSED || schedule->kind == SCHEDULE_OWNER_GATHER) {
        cleave_page_cell(out, &column[4], "-"); /* they are added at once */
    } else {
        number_cell(out, &column[4], PAGE_BYTES, (double)schedule->tmp_bytes);
    }
    number_cell(out, &column[5], PAGE_COUNT, estimate->recomputed);
    number_cell(out, &column[6], PAGE_BYTES, (double)estimate->shared_bytes);
    number_cell(out, &column[7], PAGE_SHARE, estimate->occupancy);
    cleave_page_cell(out, &column[8], estimate->limit != NULL ? estimate->limit : "not known");
    cleave_page_row_end(out);
}

/* A row for schedules that are refused for one reason; returns how many of them follow from `first`
 * on. */
static int refused_row(FILE *out, const struct cleave_page_column *column, const struct loop *loop,
                       int first)
{
    const struct schedule *schedule = &loop->schedule[first];
    int count = 1;

    cleave_page_row_begin(out);
    cleave_page_cell_begin(out, &column[0]);
    fputs(schedule_word(schedule), out);
    while (first + count < loop->schedules && !schedule[count].legal &&
           strcmp(schedule[count].reason, schedule->reason) == 0) {
        fprintf(out, ", %s", schedule_word(&schedule[count++]));
    }
    cleave_page_cell_end(out);
    fputs("<td colspan=\"8\" class=\"dim\">left out: ", out);
    cleave_page_text(out, schedule->reason);
    fputs("</td>", out);
    cleave_page_row_end(out);
    return count;
}

static void write_schedules(FILE *out, const struct loop *loop)
{
    static const struct cleave_page_column column[] = {{"schedule", 0},
                                                       {"time, of fused's", 1},
                                                       {"", 0},
                                                       {"bytes staged per point, by stage", 1},
                                                       {"contributions", 1},
                                                       {"flops repeated", 1},
                                                       {"shared memory of a block", 1},
                                                       {"occupancy", 1},
                                                       {"limited by", 0}};
    double slowest = 0.0;

    for (int s = 0; s < loop->schedules; s++) {
        slowest =
            loop->schedule[s].legal ? larger(slowest, loop->schedule[s].estimate.time) : slowest;
    }
    fputs("<h3>Schedules</h3>\n", out);
    cleave_page_table_begin(out, column, LENGTH(column));
    for (int s = 0; s < loop->schedules;) {
        if (loop->schedule[s].legal) {
            legal_row(out, column, loop, &loop->schedule[s++], slowest);
        } else {
            s += refused_row(out, column, loop, s);
        }
    }
    cleave_page_table_end(out);
}

/* ---- stages -------------------------------------------------------------------------------------
 */

static void stage_rows(FILE *out, const struct cleave_page_column *column,
                       const struct schedule *schedule, double most)
{
    for (int s = 0; s < schedule->stages; s++) {
        const struct stage *stage = &schedule->stage[s];

        cleave_page_row_begin(out);
        cleave_page_cell(out, &column[0], s == 0 ? schedule_word(schedule) : "");
        cleave_page_cell(out, &column[1], stage->name);
        number_cell(out, &column[2], PAGE_BYTES, (double)stage->shown_bytes);
        bar_cell(out, &column[3], most > 0.0 ? (double)stage->shown_bytes / most : 0.0);
        cleave_page_cell_begin(out, &column[4]);
        fputs("<code>", out);
        cleave_page_text(out, stage->staged_text);
        fputs("</code>", out);
        cleave_page_cell_end(out);
        cleave_page_row_end(out);
    }
}

static void write_stages(FILE *out, const struct loop *loop)
{
    static const struct cleave_page_column column[] = {{"schedule", 0},
                                                       {"stage", 0},
                                                       {"staged per point", 1},
                                                       {"", 0},
                                                       {"data (+: it adds to them)", 0}};
    double most = 0.0;

    for (int s = 0; s < loop->schedules; s++) {
        most =
            larger(most, loop->schedule[s].legal ? (double)most_staged(&loop->schedule[s]) : 0.0);
    }
    fputs("<h3>Stages</h3>\n", out);
    cleave_page_table_begin(out, column, LENGTH(column));
    for (int s = 0; s < loop->schedules; s++) {
        if (loop->schedule[s].legal) {
            stage_rows(out, column, &loop->schedule[s], most);
        }
    }
    cleave_page_table_end(out);
}

/* ---- a loop -------------------------------------------------------------------------------------
 */

static bool has_choice(const struct loop *loop)
{
    return loop->schedules > 0 && loop->schedule[AT_SPLIT].legal;
}

/* The page opens with the first loop that can be split. */
static bool is_open(const struct program *program, int l)
{
    for (int earlier = 0; earlier < l; earlier++) {
        if (has_choice(&program->loop[earlier])) {
            return false;
        }
    }
    return has_choice(&program->loop[l]);
}

void explain_loop(FILE *out, const struct program *program, const char *unit, int l)
{
    const struct loop *loop = &program->loop[l];

    fprintf(out, "<details id=\"%s-loop-%d\"%s><summary>", unit, l + 1,
            is_open(program, l) ? " open" : "");
    cleave_page_text(out, loop->name);
    fputs(" <span class=\"dim\">over ", out);
    cleave_page_text(out, loop->set_text);
    fputs(", ", out);
    cleave_page_text(out, loop->loc.file != NULL ? loop->loc.file : "?");
    fprintf(out, ":%d</span></summary>\n", loop->loc.line);
    if (loop->sequential_reason != NULL) {
        fputs("<p>It runs sequentially: ", out);
        cleave_page_text(out, loop->sequential_reason);
        fputs(".</p>\n", out);
    } else if (loop->whole_reason != NULL) {
        fputs("<p>Its body is one piece: ", out);
        cleave_page_text(out, loop->whole_reason);
        fputs(".</p>\n", out);
    }
    write_data(out, loop);
    if (loop->schedules > 0) {
        write_schedules(out, loop);
        write_stages(out, loop);
    }
    fputs("</details>\n", out);
}
