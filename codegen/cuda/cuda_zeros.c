/* cuda_zeros.c: points that gather and need not load what they increment.
 *
 * In: a GATHER stage, whose points sum up what their elements contribute, and then add the sum to
 * memory. Out: whether that is all that the loop does to a dat: what was there before is then one
 * more term, and where the runtime knows that it is +0 (CLEAVE_ZEROS_KNOWN), nobody loads it. Every
 * point is stored then, also those that no element names: memory need not hold the zeros. The term
 * itself stays: 0.0 + x differs from x where x is -0.0.
 */
#include <string.h>

#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

enum { STARTS_ARGS = 64 }; /* bits of cleave_variant.starts */

/* Components of dat d that the stage updates, each counted once. */
static int components_of(const struct emit *emit, const struct stage *stage, int d)
{
    int components = 0;
    for (int u = 0; u < stage->updates; u++) {
        const struct place *place = &stage->update[u].place;
        bool counts = emit->shape->dat_of[place->arg] == d;
        for (int before = 0; before < u; before++) {
            const struct place *other = &stage->update[before].place;
            counts = counts &&
                     (emit->shape->dat_of[other->arg] != d || other->component != place->component);
        }
        components += counts;
    }
    return components;
}

/* Stages of the schedule that update dat d. */
static int stages_of(const struct emit *emit, int d)
{
    int stages = 0;
    for (int s = 0; s < emit->schedule->stages; s++) {
        stages += components_of(emit, &emit->schedule->stage[s], d) > 0;
    }
    return stages;
}

bool cuda_begins_with_zeros(const struct emit *emit, const struct stage *stage, int d)
{
    const struct shape_dat *dat = &emit->shape->dat[d];
    return dat->sums && !dat->soa && emit->schedule != NULL &&
           emit->schedule->kind == SCHEDULE_OWNER_GATHER && stage->kind == STAGE_GATHER &&
           stage->body != NULL && components_of(emit, stage, d) == dat->dim &&
           stages_of(emit, d) == 1;
}

unsigned long long cuda_starts(const struct emit *emit)
{
    unsigned long long starts = 0;
    for (int a = 0; a < emit->loop->args && a < STARTS_ARGS; a++) {
        for (int s = 0; emit->schedule != NULL && s < emit->schedule->stages; s++) {
            const int d = emit->shape->dat_of[a];
            if (d >= 0 && cuda_begins_with_zeros(emit, &emit->schedule->stage[s], d)) {
                starts |= 1ull << a;
            }
        }
    }
    return starts;
}

void cuda_unless_zeros(struct emit *emit)
{
    const char *any = NULL;
    for (int d = 0; d < emit->shape->dats; d++) {
        const char *zeros = emit->shape->dat[d].zeros;
        if (cuda_begins_with_zeros(emit, emit->stage, d)) {
            any = any == NULL ? zeros : emit_format(emit, "%s | %s", any, zeros);
        }
    }
    if (any != NULL) {
        out_format(emit->out,
                   strchr(any, '|') != NULL ? " && ((%s) & CLEAVE_ZEROS_KNOWN) == 0"
                                            : " && (%s & CLEAVE_ZEROS_KNOWN) == 0",
                   any);
    }
}

void cuda_zeros_add(struct emit *emit, int d)
{
    const struct shape_dat *dat = &emit->shape->dat[d];
    const char *sums = "";
    for (int c = 0; c < dat->dim; c++) {
        const struct place place = {dat->arg, 0, c};
        sums =
            emit_format(emit, "%s%s%s", sums, c > 0 ? ", " : "", cuda_point_register(emit, &place));
    }
    out_line(emit->out, "cleave_add_sums(");
    out_line(emit->out, "    %s, %s + %s,", dat->zeros, dat->name,
             place_offset(emit, dat->dim, "cleave_p"));
    out_line(emit->out, "    cleave_record<%s, %d>{{%s}});", cuda_type(emit, dat->arg), dat->dim,
             sums);
}
