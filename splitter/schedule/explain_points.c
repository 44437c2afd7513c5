/* explain_points.c: explains to the user what each stage stages.
 *
 * In: the stages of all schedules of a loop. Out: their staged_text and shown_bytes. An owner
 * gather has no transfers: there the components that a GATHER stage reads through its map are
 * looked for in its body, and the values computed from them once per point (point_values.c) are
 * added.
 */
#include "pass/ir/arena.h"
#include "splitter/schedule/point_values.h"
#include "splitter/schedule/schedules.h"

/* The components that a GATHER stage reads through its map. Blocks of points stage them in shared
 * memory, on targets that stage. */
struct point_reads {
    const struct loop *loop;
    const struct arg *through;
    bool **component; /* [args], by a group's first argument; NULL: none */
};

static bool is_through(const struct point_reads *reads, int a)
{
    const struct arg *arg = &reads->loop->arg[a];
    return arg_is_staged(reads->loop, a) && arg->map == reads->through->map;
}

static void note_read(struct expr *expr, void *user)
{
    struct point_reads *reads = user;
    const struct loop *loop = reads->loop;
    for (int a = 0; a < loop->args; a++) {
        bool place = expr->kind == EXPR_PLACE && expr->place.arg == a;
        bool whole = expr->kind == EXPR_VAR && expr->var == loop->kernel->param[a];
        for (int c = 0; (place || whole) && is_through(reads, a) && c < loop->arg[a].dim; c++) {
            bool *component = reads->component[first_of_dat(loop, a)];
            component[c] = component[c] || whole || expr->place.component == c;
        }
    }
}

static struct point_reads point_reads_of(struct arena *arena, const struct loop *loop,
                                         const struct stage *stage)
{
    size_t args = (size_t)loop->args;
    struct point_reads reads = {loop, &loop->arg[stage->map],
                                arena_alloc(arena, args * sizeof(*reads.component))};
    for (int a = 0; a < loop->args; a++) {
        int dim = loop->arg[a].kind == ARG_DAT ? loop->arg[a].dim : 0;
        reads.component[a] = arena_alloc(arena, (size_t)(dim > 0 ? dim : 0) * sizeof(bool));
    }
    stmt_visit(stage->body, NULL, note_read, &reads);
    return reads;
}

/* "x[0..2] q[0..3]", and the values of struct point_values by name; *bytes of it per point. */
static char *point_records(struct arena *arena, const struct loop *loop, const struct stage *stage,
                           size_t *bytes)
{
    struct point_reads reads = point_reads_of(arena, loop, stage);
    const struct point_values *computed = stage->point_values;
    char *text = arena_text(arena, "");
    *bytes = computed != NULL ? (size_t)computed->extras * computed->type->size : 0;
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        int *number = arena_alloc(arena, (size_t)(arg->dim > 0 ? arg->dim : 0) * sizeof(*number));
        int count = 0;
        for (int c = 0; arg->kind == ARG_DAT && c < arg->dim; c++) {
            if (reads.component[a][c]) {
                number[count++] = c;
            }
        }
        *bytes += count > 0 ? (size_t)count * arg->type->size : 0;
        text = count > 0 ? arena_format(arena, "%s %s[%s]", text, arg->dat_text,
                                        explain_numbers(arena, count, number))
                         : text;
    }
    for (int v = 0; computed != NULL && v < computed->values; v++) {
        text = arena_format(arena, "%s%s %s", text, v == 0 ? "; once for each point:" : ",",
                            expr_text(arena, computed->value[v].var->init));
    }
    return text[0] == '\0' ? "nothing" : text + 1;
}

static const char *transfers_text(struct arena *arena, const struct loop *loop,
                                  const struct stage *stage)
{
    char *text = arena_text(arena, "");
    for (int t = 0; t < stage->transfers; t++) {
        const struct transfer *transfer = &stage->transfer[t];
        text = arena_format(arena, "%s %s%s[%s]", text, transfer->kind == TRANSFER_OUT ? "+" : "",
                            loop->arg[transfer->arg].dat_text,
                            explain_numbers(arena, transfer->components, transfer->component));
    }
    return text[0] == '\0' ? "nothing" : text + 1;
}

void explain_stages(struct arena *arena, struct loop *loop)
{
    for (int s = 0; s < loop->schedules; s++) {
        const struct schedule *schedule = &loop->schedule[s];
        for (int t = 0; t < schedule->stages; t++) {
            struct stage *stage = &schedule->stage[t];
            stage->shown_bytes = stage->staged_bytes;
            stage->staged_text =
                schedule->kind == SCHEDULE_OWNER_GATHER && stage->kind == STAGE_GATHER
                    ? point_records(arena, loop, stage, &stage->shown_bytes)
                    : transfers_text(arena, loop, stage);
        }
    }
}
