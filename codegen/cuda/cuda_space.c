/* cuda_space.c: where a schedule's groups lie in a block's shared memory.
 *
 * In: the transfers of the stages of emit->schedule. Out: a struct of byte offsets, a function that
 * counts them on the host, and one that tells the runtime how much a block needs. Every stage
 * begins at byte 0, so a block needs what the largest stage needs:
 *
 *   fused   | in group 0 | in group 1 | out group 0 |     all at once
 *   split   | in group 0 | in group 1 |                   contribution
 *           | out group 0 |                               each update
 *   owner   | in group 0 | in group 1 | of points |       each gather,
 *           | sums 0 | sums 1 |                           and then its points' sums
 *
 * Staged ahead (cuda_is_ahead(emit)), every second stage begins at a second buffer instead, behind
 * what the largest of the others needs. The first group of a stage is where the stage begins, so it
 * has no field. Kernels get the struct by value.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

static bool is_owner(const struct emit *emit)
{
    return emit->schedule->kind == SCHEDULE_OWNER_GATHER;
}

/* Schedules share a layout; points that gather need one of their own, for tmp(e). */
const char *cuda_space_name(struct emit *emit)
{
    if (emit->variant->gathers || is_owner(emit)) {
        return emit->variant->name;
    }
    return emit_format(emit, "%s_%s", emit->loop->id, schedule_word(emit->schedule));
}

/* "in1_x_pedge": of the stage that is the schedule's first. */
static const char *field_name(struct emit *emit, int s, const struct transfer *transfer)
{
    return emit_format(emit, "%s%d_%s", transfer->kind == TRANSFER_IN ? "in" : "out", s + 1,
                       cuda_group(emit, transfer->arg));
}

static bool is_second(const struct emit *emit, int s)
{
    return cuda_is_ahead(emit) && s % 2 != 0;
}

const char *cuda_space_group(struct emit *emit, int s, int t)
{
    const struct stage *stage = &emit->schedule->stage[s];
    return t == 0 ? (is_second(emit, s) ? "cleave_space.cleave_second" : "0")
                  : emit_format(emit, "cleave_space.%s", field_name(emit, s, &stage->transfer[t]));
}

const char *cuda_space_offset(struct emit *emit, int s, int t)
{
    const struct stage *stage = &emit->schedule->stage[s];
    int slot = 0;
    const struct pack *pack = place_pack(emit, &stage->transfer[t], &slot);
    if (pack == NULL) {
        return cuda_space_group(emit, s, t);
    }
    const char *first = cuda_space_group(emit, s, (int)(pack->leader - stage->transfer));
    return slot == 0 ? first
                     : emit_format(emit, "%s + %zu", first, (size_t)slot * pack->type->size);
}

/* Number of groups of a stage in shared memory. If points gather, updates have none, and other
 * stages have them unless the variant reads directly. */
static int groups_of(const struct emit *emit, const struct stage *stage)
{
    if (!emit->variant->gathers) {
        return stage->transfers;
    }
    return stage->kind == STAGE_UPDATE || cuda_recipe(emit)->reads == CLEAVE_READS_DIRECT
               ? 0
               : stage->transfers;
}

/* Only these schedules start a kernel for each stage. */
bool cuda_counts_stages(const struct emit *emit)
{
    return emit->schedule->kind == SCHEDULE_LOOPS || is_owner(emit);
}

const char *cuda_space_stage(struct emit *emit, int s)
{
    return cuda_counts_stages(emit) ? emit_format(emit, "cleave_space.cleave_bytes%d", s + 1)
                                    : "cleave_launch->shared_bytes";
}

/* ---- holes of cuda_space.tpl ------------------------------------------------------------------
 */

static void print_name(struct emit *emit)
{
    out_text(emit->out, cuda_space_name(emit));
}

static void print_fields(struct emit *emit)
{
    if (cuda_is_ahead(emit)) {
        out_line(emit->out, "unsigned cleave_second;");
    }
    for (int s = 0; s < emit->schedule->stages; s++) {
        const struct stage *stage = &emit->schedule->stage[s];
        for (int t = 1; t < groups_of(emit, stage); t++) {
            if (cuda_leads_pack(emit, &stage->transfer[t])) {
                out_line(emit->out, "unsigned %s;", field_name(emit, s, &stage->transfer[t]));
            }
        }
        if (stage->kind == STAGE_GATHER) {
            cuda_point_values_fields(emit, s);
            cuda_owner_fields(emit, s);
        }
        if (cuda_counts_stages(emit)) {
            out_line(emit->out, "unsigned cleave_bytes%d;", s + 1);
        }
    }
    if (emit->variant->gathers) {
        cuda_gather_fields(emit);
    }
    if (cuda_leaves_sums(emit)) {
        cuda_ordered_fields(emit);
    }
    if (cuda_is_bulk(emit)) {
        cuda_bulk_fields(emit);
    }
}

static const char *group_bytes(struct emit *emit, const struct transfer *transfer)
{
    return emit_format(emit, "cleave_round_up(cleave_plan->list[%d].max_%s * %d * sizeof(%s))",
                       cuda_map(emit, transfer->arg)->list, is_owner(emit) ? "around" : "points",
                       place_stride(emit, transfer), cuda_type(emit, transfer->arg));
}

static void print_groups(struct emit *emit, int s)
{
    const struct stage *stage = &emit->schedule->stage[s];
    for (int t = 0; t < groups_of(emit, stage); t++) {
        if (!cuda_leads_pack(emit, &stage->transfer[t])) {
            continue;
        }
        if (t > 0) {
            out_line(emit->out, "cleave_space.%s = (unsigned)cleave_at;",
                     field_name(emit, s, &stage->transfer[t]));
        }
        if (t == 0 && is_second(emit, s)) {
            out_line(emit->out, "cleave_at = cleave_space.cleave_second;");
        }
        out_line(emit->out, "cleave_at %s %s;", t == 0 && !is_second(emit, s) ? "=" : "+=",
                 group_bytes(emit, &stage->transfer[t]));
    }
}

/* cleave_bytes is the largest size of the stages so far. */
static void print_stage_counts(struct emit *emit, int s)
{
    const struct stage *stage = &emit->schedule->stage[s];
    size_t scratch = s == 0 ? cuda_scratch_bytes(emit) : 0;
    int groups = groups_of(emit, stage);
    if (emit->variant->gathers && groups == 0 && scratch == 0) {
        return;
    }
    out_comment(emit->out, "stage %d: %s", s + 1, stage->name);
    print_groups(emit, s);
    if (groups == 0) {
        out_line(emit->out, "cleave_at = 0;");
    }
    if (stage->kind == STAGE_GATHER) {
        cuda_point_values_counts(emit, s);
        cuda_owner_counts(emit, s);
    }
    if (scratch > 0) {
        out_line(emit->out, "cleave_at = cleave_larger(cleave_at, %zu); // reductions", scratch);
    }
    if (cuda_counts_stages(emit)) {
        out_line(emit->out, "cleave_space.cleave_bytes%d = (unsigned)cleave_at;", s + 1);
    }
    out_line(emit->out, "cleave_bytes = cleave_larger(cleave_bytes, cleave_at);");
}

static void print_counts(struct emit *emit)
{
    int groups = 0;
    for (int s = 0; s < emit->schedule->stages; s++) {
        groups += groups_of(emit, &emit->schedule->stage[s]);
        if (!is_second(emit, s)) {
            print_stage_counts(emit, s);
        }
    }
    if (cuda_is_ahead(emit)) {
        out_line(emit->out,
                 "cleave_space.cleave_second = (unsigned)cleave_round_up(cleave_bytes);");
    }
    for (int s = 0; s < emit->schedule->stages; s++) {
        if (is_second(emit, s)) {
            print_stage_counts(emit, s);
        }
    }
    if (emit->variant->gathers) {
        cuda_gather_counts(emit);
        cuda_gather_list_counts(emit);
        if (cuda_leaves_sums(emit)) {
            cuda_ordered_counts(emit);
        }
        if (cuda_is_bulk(emit)) {
            cuda_bulk_counts(emit);
        }
    } else if (groups == 0 && !is_owner(emit)) {
        out_line(emit->out, "(void)cleave_plan; // nothing is staged");
    }
}

void cuda_print_space(struct emit *emit)
{
    static const struct hole holes[] = {
        {"space", print_name},
        {"fields", print_fields},
        {"counts", print_counts},
        {NULL, NULL},
    };
    template_print(emit, template_cuda_space, holes);
}
