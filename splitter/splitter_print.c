/* splitter_print.c: the text of --cleave-dump=stages: what the splitter made of each loop.
 *
 *   loop res_calc (airfoil.c:120)
 *     split: at most 56 bytes per point are staged at a time, not 88; tmp(e) 8 values, 64 bytes
 *       stage 1: contribution; 56 bytes per point
 *         in       x1 = p_x through pedge[0], components 0..1
 *         tmp out  res1 = p_res through pecell[0], components 0..3
 */
#include "splitter/splitter_impl.h"

static const char *const transfer_label[] = {
    [TRANSFER_IN] = "in     ",
    [TRANSFER_OUT] = "out    ",
    [TRANSFER_TMP_OUT] = "tmp out",
    [TRANSFER_TMP_IN] = "tmp in ",
};

static const char *const schedule_label[] = {
    [SCHEDULE_FUSED] = "fused",
    [SCHEDULE_SPLIT] = "split",
};

static void print_transfer(FILE *out, const struct loop *loop, const struct transfer *transfer)
{
    const struct arg *arg = &loop->arg[transfer->arg];
    int first = transfer->first % arg->dim;
    fprintf(out, "      %s  %s = %s through %s[%d], components %d..%d\n",
            transfer_label[transfer->kind], loop->kernel->param[transfer->arg]->name, arg->dat_text,
            arg->map_text, transfer_column(arg, transfer), first, first + transfer->count - 1);
}

static void print_schedule(FILE *out, const struct loop *loop, const struct schedule *schedule)
{
    fprintf(out, "  %s: %s%s", schedule_label[schedule->kind],
            schedule->legal ? "" : "not possible: ", schedule->reason);
    if (schedule->tmp_values > 0) {
        fprintf(out, "; tmp(e) %d values, %zu bytes", schedule->tmp_values, schedule->tmp_bytes);
    }
    fputc('\n', out);
    for (int s = 0; s < schedule->stages; s++) {
        const struct stage *stage = &schedule->stage[s];
        fprintf(out, "    stage %d: %s; %zu bytes per point\n", s + 1, stage->name,
                stage->staged_bytes);
        for (int t = 0; t < stage->transfers; t++) {
            print_transfer(out, loop, &stage->transfer[t]);
        }
    }
}

struct increment_print {
    FILE *out;
    const struct loop *loop;
};

static void print_increment(struct stmt *stmt, void *user)
{
    const struct increment_print *print = user;
    if (stmt->increments_arg < 0) {
        return;
    }
    const struct function *kernel = print->loop->kernel;
    fprintf(print->out, "  line %d: adds to %s", stmt->loc.line,
            kernel->param[stmt->increments_arg]->name);
    if (stmt->increments_component >= 0) {
        fprintf(print->out, ", component %d", stmt->increments_component);
    }
    fputc('\n', print->out);
}

static void print_loop(FILE *out, const struct loop *loop)
{
    fprintf(out, "loop %s (%s:%d)\n", loop->id, loop->loc.file, loop->loc.line);
    if (loop->sequential_reason != NULL) {
        fprintf(out, "  sequential: %s\n", loop->sequential_reason);
        return;
    }
    if (loop->kernel != NULL && loop->kernel->body != NULL) {
        struct increment_print print = {out, loop};
        stmt_visit(loop->kernel->body, print_increment, NULL, &print);
    }
    for (int s = 0; s < loop->schedules; s++) {
        print_schedule(out, loop, &loop->schedule[s]);
    }
}

void splitter_print(FILE *out, const struct program *program)
{
    for (int l = 0; l < program->loops; l++) {
        print_loop(out, &program->loop[l]);
    }
}
