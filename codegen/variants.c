/* variants.c: the variants that a loop gets, how each begins, and the names that its text mentions.
 *
 * In: the loop's schedules and the user's options. Out: rows for tables.c, and the comments above
 * the functions.
 */
#include <ctype.h>
#include <string.h>

#include "codegen/emit.h"
#include "pass/ir/arena.h"

static bool is_asked(const struct emit *emit, int index)
{
    const struct codegen_options *options = emit->file->options;
    bool predicted = options->predicted && emit->file->target->predicts &&
                     (index == AT_SPLIT || index == emit->loop->predicted);
    return emit->loop->schedule[index].legal && (options->schedule[index] || predicted);
}

const struct schedule *emit_wanted(const struct emit *emit, int index)
{
    bool wanted = is_asked(emit, index);
    if (index == AT_FUSED && !wanted) {
        wanted = true;
        for (int other = 0; other < emit->loop->schedules; other++) {
            wanted = wanted && !is_asked(emit, other);
        }
    }
    return wanted ? &emit->loop->schedule[index] : NULL;
}

static enum cleave_schedule runtime_schedule(const struct schedule *schedule)
{
    return schedule == NULL ? CLEAVE_FUSED : (enum cleave_schedule)schedule->kind;
}

struct emitted *emit_row(struct emit *emit)
{
    struct emitted_loop *rows = emit->rows;
    int n = rows->variants++;
    if ((n & (n - 1)) == 0) { /* the table is full: twice as long */
        struct emitted **more =
            arena_alloc(emit->file->program->arena, (size_t)(2 * n + 1) * sizeof(struct emitted *));
        for (int v = 0; v < n; v++) {
            more[v] = rows->variant[v];
        }
        rows->variant = more;
    }
    rows->variant[n] = arena_alloc(emit->file->program->arena, sizeof(struct emitted));
    return rows->variant[n];
}

struct emitted *emit_start(struct emit *emit, const struct schedule *schedule,
                           struct variant wanted, enum cleave_plan_kind plan)
{
    struct emitted *row = emit_row(emit);
    struct variant *variant = arena_alloc(emit->file->program->arena, sizeof(*variant));
    row->name = emit_format(emit, "%s%s", emit->loop->id, wanted.name);
    row->run = row->name;
    row->schedule = runtime_schedule(schedule);
    row->cuts = row->schedule == CLEAVE_SPLIT ? schedule->cuts : 0;
    row->race = wanted.race;
    row->reads = wanted.reads;
    row->plan = plan;
    if (row->schedule == CLEAVE_LOOPS || row->schedule == CLEAVE_TWO_PASS) {
        row->tmp_bytes = tmp_bytes(emit, schedule);
    }
    *variant = wanted;
    variant->name = row->name;
    variant->row = row;
    emit->variant = variant;
    emit->schedule = schedule;
    emit->stage = NULL;
    emit->tmp_format = NULL;
    return row;
}

bool place_has_slots(const struct emit *emit, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    return emit->variant->as_lanes && arg_is_reduction(arg) && !arg_is_carried(arg);
}

/* ---- comments -------------------------------------------------------------------------------- */

/* "0..3", "0 2 3": which components. */
static const char *component_list(struct emit *emit, const struct transfer *transfer)
{
    const char *text = "";
    int first = transfer->component[0];
    int last = transfer->component[transfer->components - 1];
    if (transfer->components > 1 && last - first + 1 == transfer->components) {
        return emit_format(emit, "%d..%d", first, last);
    }
    for (int i = 0; i < transfer->components; i++) {
        text = emit_format(emit, "%s%s%d", text, i > 0 ? " " : "", transfer->component[i]);
    }
    return text;
}

static void comment_transfer(struct emit *emit, const struct transfer *transfer)
{
    const struct arg *arg = &emit->loop->arg[transfer->arg];
    out_comment(emit->out, "    stages %s %s[%s] through %s, %zu bytes per point",
                transfer->kind == TRANSFER_IN ? "in" : "out", arg->dat_text,
                component_list(emit, transfer), arg->map_text,
                (size_t)transfer->components * arg->type->size);
}

static const char *stage_makes(struct emit *emit, const struct stage *stage)
{
    if (stage->kind == STAGE_CONTRIBUTION && stage->body == NULL) {
        return emit_format(emit, "; makes tmp(e), %d values", emit->schedule->tmp_values);
    }
    if (stage->kind == STAGE_CONTRIBUTION) {
        return emit_format(emit, "; makes %d value%s", stage->makes, stage->makes == 1 ? "" : "s");
    }
    return "";
}

void emit_variant_comment(struct emit *emit, const char *what, bool staged)
{
    const struct loop *loop = emit->loop;
    const struct schedule *schedule = emit->schedule;
    out_comment(emit->out, "%s over %s, %s:%d: %s.", loop->kernel->user_name, loop->set_text,
                loop->loc.file, loop->loc.line, what);
    for (int s = 0; schedule != NULL && s < schedule->stages; s++) {
        const struct stage *stage = &schedule->stage[s];
        if (schedule->stages > 1 || staged) {
            out_comment(emit->out, "  stage %d: %s%s", s + 1, stage->name,
                        stage_makes(emit, stage));
        }
        for (int t = 0; staged && t < stage->transfers; t++) {
            if (stage->transfer[t].kind == TRANSFER_IN || !emit->variant->gathers) {
                comment_transfer(emit, &stage->transfer[t]);
            }
        }
    }
}

void emit_variant_name(struct emit *emit)
{
    out_text(emit->out, emit->variant->name);
}

/* ---- what a function mentions ------------------------------------------------------------------
 */

static bool is_word_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool emit_mentions(const struct emit *emit, const char *word)
{
    size_t length = strlen(word);
    const char *found = emit->text;
    while (found != NULL && (found = strstr(found, word)) != NULL) {
        bool starts = found == emit->text || !is_word_part(found[-1]);
        if (starts && !is_word_part(found[length])) {
            return true;
        }
        found += length;
    }
    return false;
}
