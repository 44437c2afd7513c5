/* print.c: the text of --cleave-dump=stages: what the splitter made of each loop.
 *
 *   loop res_calc (airfoil.c:120)
 *     split: at most 56 bytes per point are staged at a time, not 88; tmp(e) 4 values, 32 bytes
 *       stage 1: contribution; 56 bytes per point
 *         in      p_x through pedge, components 0..1: 16 bytes
 *         makes   f_1, f_2, f_3, f_4
 *         {
 *             double dx = x1[0] - x2[0];
 *             ...
 *         }
 *       stage 2: update through pecell[0]; 32 bytes per point
 *         out     p_res through pecell, components 0..3: 32 bytes
 *         uses    f_1, f_2, f_3, f_4
 *         update  res1[0..3] += f_1, f_2, f_3, f_4
 */
#include "splitter/schedule/schedules.h"

/* ---- groups, variables ----------------------------------------------------------------------- */

/* "0..3, 6": runs of numbers. */
static void print_numbers(FILE *out, int count, const int *number)
{
    for (int i = 0; i < count;) {
        int last = i;
        while (last + 1 < count && number[last + 1] == number[last] + 1) {
            last++;
        }
        fprintf(out, "%s%d", i > 0 ? ", " : "", number[i]);
        if (last > i) {
            fprintf(out, "..%d", number[last]);
        }
        i = last + 1;
    }
}

static void print_transfer(FILE *out, const struct loop *loop, const struct transfer *transfer)
{
    const struct arg *arg = &loop->arg[transfer->arg];
    fprintf(out, "      %s %s through %s, component%s ",
            transfer->kind == TRANSFER_IN ? "in     " : "out    ", arg->dat_text, arg->map_text,
            transfer->components == 1 ? "" : "s");
    print_numbers(out, transfer->components, transfer->component);
    fprintf(out, ": %zu bytes\n", (size_t)transfer->components * arg->type->size);
}

static void print_vars(FILE *out, const char *label, int vars, struct var *const *var)
{
    for (int v = 0; v < vars; v++) {
        fprintf(out, "%s%s", v == 0 ? label : ", ", var[v]->name);
    }
    fputs(vars > 0 ? "\n" : "", out);
}

/* ---- updates --------------------------------------------------------------------------------- */

static const char *update_operator(const struct loop *loop, const struct update *update)
{
    switch (loop->arg[update->place.arg].access) {
    case ACCESS_MIN:
        return "min=";
    case ACCESS_MAX:
        return "max=";
    default:
        return update->negative ? "-=" : "+=";
    }
}

/* Whether b carries on the line that a is printed on. */
static bool updates_go_together(const struct loop *loop, const struct update *a,
                                const struct update *b)
{
    return a->place.arg == b->place.arg && a->place.column == b->place.column &&
           a->place.component + 1 == b->place.component &&
           update_operator(loop, a) == update_operator(loop, b);
}

static void print_value(FILE *out, const struct update *update)
{
    if (update->value == NULL) {
        fputs("what the kernel adds", out);
        return;
    }
    if (update->scale != NULL) {
        print_c_expr(out, update->scale, NULL);
        fputs(" * ", out);
    }
    print_c_expr(out, update->value, NULL);
}

/* Prints the updates from `first` on that share a line; returns how many. */
static int print_update_run(FILE *out, const struct loop *loop, int updates,
                            const struct update *update)
{
    int run = 1;
    while (run < updates && updates_go_together(loop, &update[run - 1], &update[run])) {
        run++;
    }
    const struct place *place = &update[0].place;
    fprintf(out, "      update  %s", loop->kernel->param[place->arg]->name);
    if (loop->arg[place->arg].is_vector) {
        fprintf(out, "[%d]", place->column);
    }
    fprintf(out, "[%d", place->component);
    if (run > 1) {
        fprintf(out, "..%d", place->component + run - 1);
    }
    fprintf(out, "] %s ", update_operator(loop, &update[0]));
    for (int u = 0; u < run && (u == 0 || update[u].value != NULL); u++) {
        fputs(u > 0 ? ", " : "", out);
        print_value(out, &update[u]);
    }
    fputc('\n', out);
    return run;
}

/* ---- stages ---------------------------------------------------------------------------------- */

/* "in place of q[0]", "extra[1]" */
static void print_point_value(FILE *out, const struct loop *loop, const struct point_value *value)
{
    fprintf(out, "        %s: ", value->var->name);
    if (value->place.arg < 0) {
        fprintf(out, "number %d of the point's extra record\n", value->extra);
    } else {
        fprintf(out, "in place of %s[%d]\n", loop->arg[value->place.arg].dat_text,
                value->place.component);
    }
}

static void print_point_values(FILE *out, const struct loop *loop,
                               const struct point_values *computed)
{
    fputs("      where records are staged: once for each point\n", out);
    print_c_stmt(out, computed->points, 2, NULL);
    for (int v = 0; v < computed->values; v++) {
        print_point_value(out, loop, &computed->value[v]);
    }
    fputs("      and then for each element\n", out);
    print_c_stmt(out, computed->elements, 2, NULL);
}

static void print_stage(FILE *out, const struct loop *loop, const struct stage *stage, int number)
{
    fprintf(out, "    stage %d: %s; %zu bytes per point\n", number, stage->name,
            stage->staged_bytes);
    for (int t = 0; t < stage->transfers; t++) {
        print_transfer(out, loop, &stage->transfer[t]);
    }
    print_vars(out, "      uses    ", stage->uses, stage->use);
    print_vars(out, "      makes   ", stage->makes, stage->make);
    if (stage->body != NULL) {
        print_c_stmt(out, stage->body, 1, NULL);
    }
    for (int u = 0; u < stage->updates;) {
        u += print_update_run(out, loop, stage->updates - u, &stage->update[u]);
    }
    if (stage->point_values != NULL) {
        print_point_values(out, loop, stage->point_values);
    }
}

static void print_schedule(FILE *out, const struct loop *loop, const struct schedule *schedule)
{
    fprintf(out, "  %s: %s%s", schedule_word(schedule),
            schedule->legal ? "" : "not possible: ", schedule->reason);
    if (schedule->tmp_values > 0) {
        fprintf(out, "; tmp(e) %d values, %zu bytes", schedule->tmp_values, schedule->tmp_bytes);
    }
    if (schedule->crossings > schedule->tmp_values) {
        fprintf(out, "; %d more cross, %zu bytes", schedule->crossings - schedule->tmp_values,
                schedule->crossing_bytes - schedule->tmp_bytes);
    }
    fputc('\n', out);
    for (int s = 0; s < schedule->stages; s++) {
        print_stage(out, loop, &schedule->stage[s], s + 1);
    }
}

static void print_loop(FILE *out, const struct loop *loop)
{
    fprintf(out, "loop %s (%s:%d)\n", loop->id, loop->loc.file, loop->loc.line);
    if (loop->sequential_reason != NULL) {
        fprintf(out, "  sequential: %s\n", loop->sequential_reason);
        return;
    }
    if (loop->whole_reason != NULL) {
        fprintf(out, "  called whole: %s (%s:%d)\n", loop->whole_reason, loop->whole_loc.file,
                loop->whole_loc.line);
    }
    for (int s = 0; s < loop->schedules; s++) {
        print_schedule(out, loop, &loop->schedule[s]);
    }
    if (loop->in_place && loop->whole != NULL) { /* otherwise the fused schedule shows it */
        print_stage(out, loop, &loop->whole->stage[0], 1);
    }
    if (loop->schedules > 0) {
        fprintf(out, "  preferred: %s\n", schedule_word(&loop->schedule[loop->predicted]));
    }
}

void schedules_print(FILE *out, const struct program *program)
{
    for (int l = 0; l < program->loops; l++) {
        print_loop(out, &program->loop[l]);
    }
}
