/* explain.c: the text of --cleave-explain: the schedules of each loop, what they cost, and which
 * one is preferred, for readers who know the physics and not the compiler.
 *
 *   loop res_calc over edges (airfoil.c:120)
 *     data     access   through         bytes  components read
 *     p_x      OP_READ  pedge[0..1]       16  0..1
 *     p_res    OP_INC   pecell[0..1]      32
 *     each element makes 4 contributions (32 bytes) and adds them in 8 places
 *     schedule  bytes staged per point  contrib  passed  recomputed  time  limited by
 *     fused     88                            -       -           0  1.00  occupancy
 *     split     56/32/32                     32      32           0  0.93  memory
 *     ...
 */
#include <string.h>

#include "splitter/graph/graph_impl.h"
#include "splitter/schedule/point_values.h"
#include "splitter/schedule/schedules.h"

/* ---- arguments --------------------------------------------------------------------------- */

/* Columns are as wide as their longest entry, and no less than most tables need. */
static int wider(int width, const char *text)
{
    int length = (int)strlen(text);
    return length > width ? length : width;
}

/* Whether a row for an earlier argument speaks for this one too. */
static bool is_in_earlier_row(const struct loop *loop, int a)
{
    for (int b = 0; b < a; b++) {
        if (args_share_group(loop, a, b) && loop->arg[a].access == loop->arg[b].access) {
            return true;
        }
    }
    return false;
}

char *explain_numbers(struct arena *arena, int count, const int *number)
{
    char *text = arena_text(arena, "");
    for (int i = 0; i < count;) {
        int last = i;
        while (last + 1 < count && number[last + 1] == number[last] + 1) {
            last++;
        }
        const char *comma = i > 0 ? ", " : "";
        text = last > i ? arena_format(arena, "%s%s%d..%d", text, comma, number[i], number[last])
                        : arena_format(arena, "%s%s%d", text, comma, number[i]);
        i = last + 1;
    }
    return text;
}

/* Marks the columns of the map that the arguments of a's row go through. */
static void mark_columns(const struct loop *loop, int a, bool *used, int columns)
{
    for (int b = a; b < loop->args; b++) {
        const struct arg *arg = &loop->arg[b];
        if (!args_share_group(loop, a, b) || arg->access != loop->arg[a].access) {
            continue;
        }
        for (int c = 0; c < columns; c++) {
            used[c] = used[c] || (arg->is_vector ? c < arg->columns : c == arg->map_index);
        }
    }
}

static int highest_column(const struct loop *loop)
{
    int highest = 0;
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        int last = arg->is_vector ? arg->columns - 1 : arg->map_index;
        highest = last > highest ? last : highest;
    }
    return highest;
}

static char *through_text(struct arena *arena, const struct loop *loop, int a)
{
    const struct arg *arg = &loop->arg[a];
    if (!arg->is_indirect) {
        return arena_text(arena,
                          arg->kind == ARG_GLOBAL || arg->kind == ARG_INFO ? "global" : "direct");
    }
    int columns = highest_column(loop) + 1;
    bool *used = arena_alloc(arena, (size_t)columns);
    int *number = arena_alloc(arena, sizeof(*number) * (size_t)columns);
    int count = 0;
    mark_columns(loop, a, used, columns);
    for (int c = 0; c < columns; c++) {
        number[count] = c;
        count += used[c];
    }
    return arena_format(arena, "%s[%s]%s", arg->map_text, explain_numbers(arena, count, number),
                        arg->is_optional ? ", if given" : "");
}

/* The components that the body reads through any of the row's arguments. */
static char *row_components(const struct loop *loop, int a)
{
    char *text = "";
    size_t most = 0;
    for (int b = a; loop->graph != NULL && b < loop->args; b++) {
        size_t bytes = 0;
        char *own = args_share_group(loop, a, b) ? components_read(loop->graph, b, &bytes) : "";
        text = bytes > most ? own : text;
        most = bytes > most ? bytes : most;
    }
    return text;
}

static const char *data_text(const struct arg *arg)
{
    const char *text = arg->kind == ARG_INDEX ? "op_arg_idx" : arg->dat_text;
    return text != NULL ? text : "";
}

static void print_arguments(FILE *out, struct arena *arena, const struct loop *loop)
{
    int names = 18;
    int maps = 26;
    for (int a = 0; a < loop->args; a++) {
        names = wider(names, data_text(&loop->arg[a]));
        maps = wider(maps, through_text(arena, loop, a));
    }
    fprintf(out, "  %-*s %-8s %-*s %5s  %s\n", names, "data", "access", maps, "through", "bytes",
            "components read");
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (is_in_earlier_row(loop, a)) {
            continue;
        }
        char *bytes =
            arg->dim < 0
                ? "?"
                : arena_format(arena, "%zu",
                               (size_t)arg->dim * (arg->type != NULL ? arg->type->size : 0));
        fprintf(out, "  %-*s %-8s %-*s %5s", names, data_text(arg),
                arg->kind == ARG_INDEX ? "" : access_name(arg->access), maps,
                through_text(arena, loop, a), bytes);
        char *components = row_components(loop, a);
        fprintf(out, "%s%s\n", components[0] != '\0' ? "  " : "", components);
    }
}

/* ---- candidates -------------------------------------------------------------------------- */

static char *staged_text(struct arena *arena, const struct schedule *schedule)
{
    char *text = NULL;
    for (int s = 0; s < schedule->stages; s++) {
        size_t bytes = schedule->stage[s].shown_bytes;
        text = text == NULL ? arena_format(arena, "%zu", bytes)
                            : arena_format(arena, "%s/%zu", text, bytes);
    }
    return text != NULL ? text : arena_text(arena, "0");
}

static char *relative_text(struct arena *arena, const struct loop *loop,
                           const struct schedule *schedule)
{
    double fused = loop->schedule[AT_FUSED].estimate.time;
    if (fused <= 0 || schedule->estimate.time <= 0) {
        return arena_text(arena, "?");
    }
    return arena_format(arena, "%.2f", schedule->estimate.time / fused);
}

/* Whether values live from one stage to the next. */
static bool has_crossings(const struct schedule *schedule)
{
    return schedule->kind != SCHEDULE_FUSED && schedule->kind != SCHEDULE_OWNER_GATHER;
}

static void print_legal(FILE *out, struct arena *arena, const struct loop *loop,
                        const struct schedule *schedule, int width)
{
    const struct estimate *estimate = &schedule->estimate;
    bool crosses = has_crossings(schedule);
    fprintf(out, "  %-8s %-*s %7s %6s %10.4g %5s  %s\n", schedule_word(schedule), width,
            staged_text(arena, schedule),
            crosses ? arena_format(arena, "%zu", schedule->tmp_bytes) : "-",
            crosses ? arena_format(arena, "%zu", schedule->crossing_bytes) : "-",
            estimate->recomputed, relative_text(arena, loop, schedule),
            estimate->limit != NULL ? estimate->limit : "not known");
}

/* Prints schedules that are refused for one reason on one line; returns how many of them follow
 * from `first` on. */
static int print_refused(FILE *out, struct arena *arena, const struct loop *loop, int first)
{
    const struct schedule *schedule = &loop->schedule[first];
    char *names = arena_text(arena, schedule_word(schedule));
    int count = 1;
    while (first + count < loop->schedules && !schedule[count].legal &&
           strcmp(schedule[count].reason, schedule->reason) == 0) {
        names = arena_format(arena, "%s, %s", names, schedule_word(&schedule[count]));
        count++;
    }
    int column = fprintf(out, "  %-8s ", names);
    print_wrapped(out, arena_format(arena, "left out: %s", schedule->reason), column, 11);
    return count;
}

static void print_candidates(FILE *out, struct arena *arena, const struct loop *loop)
{
    int width = 34;
    for (int s = 0; s < loop->schedules; s++) {
        width = wider(width, staged_text(arena, &loop->schedule[s]));
    }
    fprintf(out, "  %-8s %-*s %7s %6s %10s %5s  %s\n", "schedule", width, "bytes staged per point",
            "contrib", "passed", "recomputed", "time", "limited by");
    for (int s = 0; s < loop->schedules;) {
        if (loop->schedule[s].legal) {
            print_legal(out, arena, loop, &loop->schedule[s++], width);
        } else {
            s += print_refused(out, arena, loop, s);
        }
    }
}

/* ---- staged bytes by stage --------------------------------------------------------------- */

static void print_stages(FILE *out, const struct schedule *schedule, int width)
{
    fprintf(out, "  %s: ", schedule_word(schedule));
    print_wrapped(out, schedule->reason, 4 + (int)strlen(schedule_word(schedule)), 4);
    for (int s = 0; s < schedule->stages; s++) {
        const struct stage *stage = &schedule->stage[s];
        int column = fprintf(out, "    %-*s %4zu  ", width, stage->name, stage->shown_bytes);
        print_wrapped(out, stage->staged_text, column, column);
    }
}

/* Loops and twopass are not listed: each of their loops stages what the same stage of split does.
 */
static bool is_listed(const struct loop *loop, int s)
{
    return loop->schedule[s].legal && (s < AT_SPLIT + MAX_CUTS || s == AT_OWNER_GATHER);
}

static void print_all_stages(FILE *out, const struct loop *loop)
{
    fputs("  stages, with the bytes per point that each one stages (+: data that it adds to)\n",
          out);
    int width = 26;
    for (int s = 0; s < loop->schedules; s++) {
        for (int t = 0; is_listed(loop, s) && t < loop->schedule[s].stages; t++) {
            width = wider(width, loop->schedule[s].stage[t].name);
        }
    }
    for (int s = 0; s < loop->schedules; s++) {
        if (is_listed(loop, s)) {
            print_stages(out, &loop->schedule[s], width);
        }
    }
}

/* ---- the choice -------------------------------------------------------------------------- */

static char *resources_text(struct arena *arena, const struct schedule *schedule)
{
    const struct estimate *estimate = &schedule->estimate;
    const char *memory =
        schedule->kind == SCHEDULE_OWNER_GATHER ? "no shared memory if it runs without blocks"
        : estimate->shared_bytes == 0           ? "no shared memory"
                                      : arena_format(arena, "%.1f kB of shared memory per block",
                                                     (double)estimate->shared_bytes / 1024);
    return arena_format(arena, "%s: %s, occupancy %.0f%%, limited by %s", schedule_word(schedule),
                        memory, 100 * estimate->occupancy, estimate->limit);
}

/* "in 0.93 of fused's time". */
static char *expected_text(struct arena *arena, const struct loop *loop,
                           const struct schedule *schedule)
{
    char *relative = relative_text(arena, loop, schedule);
    return strcmp(relative, "1.00") == 0 ? arena_text(arena, "in about the same time as fused")
                                         : arena_format(arena, "in %s of fused's time", relative);
}

static char *choice_text(struct arena *arena, const struct loop *loop)
{
    const struct schedule *fused = &loop->schedule[AT_FUSED];
    const struct schedule *best = &loop->schedule[loop->predicted];
    if (best->estimate.time <= 0 || best->estimate.limit == NULL || fused->estimate.limit == NULL) {
        return arena_format(arena, "%s: %s", schedule_word(best), best->reason);
    }
    if (best == fused) {
        return arena_format(arena, "fused, since no other schedule is predicted to be faster; %s",
                            resources_text(arena, fused));
    }
    return arena_format(arena, "%s, predicted to run %s; %s; %s", schedule_word(best),
                        expected_text(arena, loop, best), resources_text(arena, fused),
                        resources_text(arena, best));
}

/* Says why a schedule with a lower time in the table is not the preferred one. */
static void print_sparse(FILE *out, struct arena *arena, const struct loop *loop)
{
    const struct schedule *best = &loop->schedule[loop->predicted];
    for (int s = AT_TWO_PASS; s <= AT_OWNER_GATHER; s++) {
        const struct schedule *schedule = &loop->schedule[s];
        int map = schedule->legal ? cost_sparse_map(loop, schedule) : -1;
        if (map < 0 || schedule->estimate.time >= best->estimate.time) {
            continue;
        }
        int column = fprintf(out, "  not preferred: ");
        print_wrapped(
            out,
            arena_format(arena,
                         "%s, which visits every point of the set that %s leads to: its time "
                         "holds if the loop reaches most of them, but a loop through one column "
                         "of a map may cover a small boundary only",
                         schedule_word(schedule), loop->arg[map].map_text),
            column, 4);
    }
}

static void print_only_way(FILE *out, struct arena *arena, const struct loop *loop)
{
    const char *reason = loop->schedule[AT_SPLIT].reason;
    bool same = true;
    for (int s = AT_SPLIT + 1; s < loop->schedules; s++) {
        same = same && strcmp(loop->schedule[s].reason, reason) == 0;
    }
    if (same) {
        fputs("  ", out);
        print_wrapped(out, arena_format(arena, "fused is the only schedule: %s", reason), 2, 4);
        return;
    }
    fputs("  fused is the only schedule\n", out);
    for (int s = AT_SPLIT; s < loop->schedules;) {
        s += print_refused(out, arena, loop, s);
    }
}

static bool has_choice(const struct loop *loop)
{
    for (int s = AT_SPLIT; s < loop->schedules; s++) {
        if (loop->schedule[s].legal) {
            return true;
        }
    }
    return false;
}

/* ---- loops ------------------------------------------------------------------------------- */

static void print_updates(FILE *out, const struct loop *loop)
{
    const struct schedule *split = &loop->schedule[AT_SPLIT];
    int places = loop->graph->contributions;
    const char *s = places == 1 ? "" : "s";
    if (split->tmp_values == 0) {
        fprintf(out, "  each element adds constants or its own data in %d place%s\n", places, s);
    } else {
        fprintf(out,
                "  each element makes %d contribution%s (%zu bytes) and adds %s in %d place%s\n",
                split->tmp_values, split->tmp_values == 1 ? "" : "s", split->tmp_bytes,
                split->tmp_values == 1 ? "it" : "them", places, s);
    }
}

static void print_count(FILE *out, const char *before, const struct quotient_count *count)
{
    fprintf(out, "%s%d division%s, %d root%s", before, count->divisions,
            count->divisions == 1 ? "" : "s", count->roots, count->roots == 1 ? "" : "s");
    if (count->reciprocal_roots > 0) {
        fprintf(out, ", %d reciprocal root%s", count->reciprocal_roots,
                count->reciprocal_roots == 1 ? "" : "s");
    }
}

static bool counts_differ(const struct quotient_count *a, const struct quotient_count *b)
{
    return a->divisions != b->divisions || a->roots != b->roots ||
           a->reciprocal_roots != b->reciprocal_roots;
}

static void print_quotients(FILE *out, const struct loop *loop)
{
    const struct graph *graph = loop->graph;
    const struct graph *gather = loop->gather_graph;
    if (!graph->quotients_merged || graph->written.divisions + graph->written.roots == 0) {
        return;
    }
    print_count(out, "  quotients: ", &graph->written);
    print_count(out, " as written; merged: ", &graph->left);
    if (gather != NULL && loop->schedule[AT_OWNER_GATHER].legal &&
        counts_differ(&graph->left, &gather->left)) {
        print_count(out, "; owner: ", &gather->left);
    }
    fputc('\n', out);
}

static void explain_loop(FILE *out, struct arena *arena, const struct loop *loop)
{
    fprintf(out, "loop %s over %s (%s:%d)\n", loop->name, loop->set_text, loop->loc.file,
            loop->loc.line);
    char *missing = no_graph_text(arena, loop);
    if (missing != NULL) {
        fputs("  ", out);
        print_wrapped(out, missing, 2, 2);
    }
    if (loop->schedules == 0) {
        return;
    }
    print_arguments(out, arena, loop);
    if (loop->graph != NULL && loop->graph->contributions > 0 && !loop->in_place) {
        print_updates(out, loop);
        graph_print_structure(out, loop->graph);
    }
    if (loop->graph != NULL && !loop->in_place) {
        print_quotients(out, loop);
    }
    if (!has_choice(loop)) {
        print_only_way(out, arena, loop);
        return;
    }
    print_candidates(out, arena, loop);
    print_all_stages(out, loop);
    fputs("  preferred: ", out);
    print_wrapped(out, choice_text(arena, loop), 13, 4);
    print_sparse(out, arena, loop);
}

static const char legend[] =
    "bytes: size of one record; components read: those that the kernel needs\n"
    "bytes staged per point: shared memory for one point of a block, stage by stage; the stages "
    "use "
    "the\n"
    "  same memory one after the other\n"
    "contrib: bytes of contributions per element that wait to be added\n"
    "passed: bytes per element passed from stage to stage: contributions and intermediate values\n"
    "recomputed: flops per element that are computed more than once\n"
    "time: relative to fused, predicted by a model of one GPU that ranks the schedules; measure to "
    "know.\n"
    "  twopass and owner visit every point: their times hold for about as many points as elements\n"
    "limited by: memory (its bandwidth), shared memory (its bandwidth), arithmetic, or occupancy: "
    "too\n"
    "  few threads run at a time to hide latency, since each needs much shared memory or many "
    "registers\n"
    "occupancy: the share of a GPU's threads that can run at a time\n";

void schedules_explain(FILE *out, const struct program *program)
{
    for (int l = 0; l < program->loops; l++) {
        explain_loop(out, program->arena, &program->loop[l]);
        fputc('\n', out);
    }
    if (program->loops > 0) {
        fputs(legend, out);
    }
}
