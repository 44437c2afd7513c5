/* variants.c: which variants a loop gets, how each begins, and what its text mentions.
 *
 * In: the loop's schedules and what the user asked for. Out: rows for tables.c, and the comments
 * above the functions.
 */
#include <ctype.h>
#include <string.h>

#include "codegen/emit.h"
#include "pass/ir/arena.h"

static bool is_asked(const struct emit *emit, int index)
{
    const struct codegen_options *options = emit->options;
    return emit->loop->schedule[index].legal &&
           (options->schedule[index] || (options->predicted && emit->loop->predicted == index));
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

struct emitted *emit_variant(struct emit *emit, struct emitted_loop *loop,
                             const struct schedule *schedule, const char *suffix,
                             enum cleave_race race, enum cleave_plan_kind plan)
{
    struct emitted *emitted = &loop->variant[loop->variants++];
    emitted->name = emit_format(emit, "%s%s", emit->loop->id, suffix);
    emitted->run = emitted->name;
    emitted->schedule = runtime_schedule(schedule);
    emitted->cuts = emitted->schedule == CLEAVE_SPLIT ? schedule->cuts : 0;
    emitted->race = race;
    emitted->plan = plan;
    if (emitted->schedule == CLEAVE_LOOPS || emitted->schedule == CLEAVE_TWO_PASS) {
        emitted->tmp_bytes = tmp_bytes(emit, schedule);
    }
    emit->variant = emitted->name;
    emit->race = race;
    emit->schedule = schedule;
    emit->stage = NULL;
    emit->tmp_format = NULL;
    emit->slices = 0;
    emit->ahead = false;
    emit->ordered = false;
    emit->row = emitted;
    emit->items = false;
    emit->packs = 0;
    emit->bulk = false;
    return emitted;
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
            if (stage->transfer[t].kind == TRANSFER_IN || emit->race != CLEAVE_RACE_GATHER) {
                comment_transfer(emit, &stage->transfer[t]);
            }
        }
    }
}

void emit_variant_name(struct emit *emit)
{
    out_text(emit->out, emit->variant);
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
