/* cuda_packs.c: copies of dats that a variant asks the runtime for, and those that pack several
 * into one.
 *
 * In: a schedule with its groups. Out: packs of those groups that one record per point can stand
 * for, so that blocks stage it by a few wide copies; and the numbers of all copies that the variant
 * asks for. In shared memory each group is where its components are in the record, so that bodies
 * see no difference but the stride.
 */
#include <string.h>

#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

/* ---- which groups -----------------------------------------------------------------------------
 */

static bool can_pack(const struct emit *emit, const struct transfer *group)
{
    const struct shape_dat *dat = cuda_dat(emit, group->arg);
    return group->kind == TRANSFER_IN && !dat->modified && !dat->soa && !dat->optional &&
           dat->type->size >= 4;
}

static bool fit_together(const struct emit *emit, const struct transfer *a,
                         const struct transfer *b)
{
    return emit->shape->map_of[a->arg] == emit->shape->map_of[b->arg] &&
           type_same(cuda_dat(emit, a->arg)->type, cuda_dat(emit, b->arg)->type);
}

static bool is_whole(const struct emit *emit, const struct transfer *group)
{
    return (size_t)group->components * cuda_dat(emit, group->arg)->type->size % 16 == 0;
}

/* Puts the groups one behind the other; those of whole 16-byte units come first, so that they keep
 * their alignment.
 */
static void add_group(struct pack *pack, const struct transfer *group)
{
    pack->group[pack->groups] = group;
    pack->slot[pack->groups++] = pack->dim;
    pack->dim += group->components;
}

static void add_groups(struct emit *emit, const struct stage *stage, struct pack *pack, bool whole)
{
    for (int t = 0; t < stage->transfers; t++) {
        const struct transfer *group = &stage->transfer[t];
        if (can_pack(emit, group) && fit_together(emit, pack->leader, group) &&
            is_whole(emit, group) == whole) {
            add_group(pack, group);
        }
    }
}

/* Returns the pack of all groups that fit together with group t of a stage, its first one. */
static struct pack pack_of(struct emit *emit, const struct schedule *schedule, int s, int t,
                           bool bulk)
{
    struct arena *arena = emit->file->program->arena;
    const struct stage *stage = &schedule->stage[s];
    const struct shape_dat *dat = cuda_dat(emit, stage->transfer[t].arg);
    size_t most = (size_t)stage->transfers;
    struct pack pack = {.type = dat->type,
                        .leader = &stage->transfer[t],
                        .group = arena_alloc(arena, most * sizeof(*pack.group)),
                        .slot = arena_alloc(arena, most * sizeof(*pack.slot))};
    pack.label = emit_format(emit, "packed%d_%d_%s", s + 1, t + 1,
                             cuda_map(emit, stage->transfer[t].arg)->label);
    add_groups(emit, stage, &pack, true);
    add_groups(emit, stage, &pack, false);
    int unit = 16 / (int)dat->type->size;
    int units = (pack.dim + unit - 1) / unit;
    pack.stride = (units | 1) * unit;
    pack.dim = bulk ? pack.stride : units * unit;
    return pack;
}

static bool is_leader(const struct emit *emit, const struct stage *stage, int t)
{
    for (int before = 0; before < t; before++) {
        if (can_pack(emit, &stage->transfer[before]) &&
            fit_together(emit, &stage->transfer[before], &stage->transfer[t])) {
            return false;
        }
    }
    return can_pack(emit, &stage->transfer[t]);
}

int cuda_packs_make(struct emit *emit, const struct schedule *schedule, bool bulk,
                    const struct pack **out)
{
    int most = 0;
    int packs = 0;
    for (int s = 0; s < schedule->stages; s++) {
        most += schedule->stage[s].transfers;
    }
    struct pack *made = arena_alloc(emit->file->program->arena, (size_t)(most + 1) * sizeof(*made));
    for (int s = 0; s < schedule->stages; s++) {
        for (int t = 0; t < schedule->stage[s].transfers; t++) {
            if (is_leader(emit, &schedule->stage[s], t)) {
                made[packs] = pack_of(emit, schedule, s, t, bulk);
                packs += made[packs].groups > 1;
            }
        }
    }
    *out = made;
    return packs;
}

bool cuda_packs_fit(struct emit *emit, const struct schedule *schedule)
{
    const struct pack *made;
    return cuda_packs_make(emit, schedule, false, &made) > 0;
}

/* ---- staging them -----------------------------------------------------------------------------
 */

bool cuda_is_packed(const struct emit *emit, const struct transfer *group)
{
    int slot;
    return place_pack(emit, group, &slot) != NULL;
}

bool cuda_leads_pack(const struct emit *emit, const struct transfer *group)
{
    int slot;
    const struct pack *pack = place_pack(emit, group, &slot);
    return pack == NULL || pack->leader == group;
}

const char *cuda_pack_name(struct emit *emit, const struct pack *pack)
{
    return emit_format(emit, "cleave_%s", pack->label);
}

void cuda_stage_pack(struct emit *emit, const struct transfer *group, const char *call,
                     const char *offset, const char *points)
{
    int slot = 0;
    const struct pack *pack = place_pack(emit, group, &slot);
    if (pack->leader != group) {
        return;
    }
    cuda_print_staging(emit, emit_format(emit, "const auto cleave_in_%s", pack->label),
                       emit_format(emit, "%s<%s, %d, %d>", call, emit_type_name(emit, pack->type),
                                   pack->dim, pack->stride),
                       emit_format(emit, "%s, %s, %s", offset, cuda_pack_name(emit, pack), points));
    for (int g = 0; g < pack->groups; g++) {
        const char *from = emit_format(emit, "cleave_in_%s", pack->label);
        out_line(emit->out, "const auto cleave_in_%s = %s%s;",
                 cuda_group(emit, pack->group[g]->arg), from,
                 pack->slot[g] > 0 ? emit_format(emit, " + %d", pack->slot[g]) : "");
    }
}

/* ---- what the variant asks for ----------------------------------------------------------------
 */

int cuda_copy_number(struct emit *emit, struct emitted_copy wanted)
{
    struct emitted *row = emit->variant->row;
    for (int n = 0; n < row->copies; n++) {
        const struct emitted_copy *known = &row->copy[n];
        if (known->arg == wanted.arg && known->list == wanted.list && known->pack == wanted.pack) {
            return n;
        }
    }
    if (row->copy == NULL) {
        size_t most = (size_t)emit->loop->args * CLEAVE_MAX_LISTS + (size_t)emit->variant->packs;
        row->copy = arena_alloc(emit->file->program->arena, most * sizeof(*row->copy));
        row->copies_name = emit_format(emit, "%s_copies", row->name);
    }
    row->copy[row->copies] = wanted;
    return row->copies++;
}
