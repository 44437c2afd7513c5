/* cuda_owner.c: blocks of points that stage their neighbourhood and compute the contributions to
 * their points.
 *
 * In: an owner gather schedule. Out: the schedule with groups for the data that its stages read
 * through their maps, and the pieces of cuda_owners.tpl that stage these and walk the points' items
 * (runtime/device/owner.cuh). cuda_items.c has the elements' direct data, cuda_owner_sums.c the
 * points' sums. Loops with optional arguments have no such schedule, since they are not taken
 * apart.
 */
#include <string.h>

#include "codegen/cuda/cuda_owner.h"
#include "pass/ir/arena.h"

/* ---- what a stage reads -------------------------------------------------------------------------
 */

static bool is_dat(const struct loop *loop, int a)
{
    return loop->arg[a].kind == ARG_DAT;
}

static void note_read(struct expr *expr, void *user)
{
    struct owner_reads *reads = user;
    if (expr->kind == EXPR_PLACE && is_dat(reads->loop, expr->place.arg)) {
        reads->any[expr->place.arg] = true;
        reads->component[expr->place.arg][expr->place.component] = true;
    }
    for (int a = 0; expr->kind == EXPR_VAR && a < reads->loop->args; a++) {
        if (reads->loop->kernel->param[a] == expr->var && is_dat(reads->loop, a)) {
            reads->any[a] = true;
            reads->itself[a] = true;
            memset(reads->component[a], true, (size_t)reads->loop->arg[a].dim * sizeof(bool));
        }
    }
}

struct owner_reads owner_reads_of(struct emit *emit, const struct stage *stage)
{
    struct arena *arena = emit->file->program->arena;
    size_t args = (size_t)emit->loop->args;
    struct owner_reads reads = {.loop = emit->loop,
                                .component = arena_alloc(arena, args * sizeof(*reads.component)),
                                .any = arena_alloc(arena, args * sizeof(bool)),
                                .itself = arena_alloc(arena, args * sizeof(bool))};
    for (int a = 0; a < emit->loop->args; a++) {
        int dim = is_dat(emit->loop, a) ? emit->loop->arg[a].dim : 1;
        reads.component[a] = arena_alloc(arena, (size_t)dim * sizeof(bool));
    }
    stmt_visit(stage->body, NULL, note_read, &reads);
    if (stage->point_values != NULL) {
        stmt_visit(stage->point_values->points, NULL, note_read, &reads);
    }
    for (int u = 0; u < stage->updates; u++) {
        expr_visit(stage->update[u].value, note_read, &reads);
    }
    return reads;
}

/* ---- groups -------------------------------------------------------------------------------------
 */

static bool can_stage(const struct emit *emit, const struct stage *stage, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    return is_dat(emit->loop, a) && arg->is_indirect && arg->access == ACCESS_READ &&
           emit->shape->map_of[a] == emit->shape->map_of[stage->map];
}

/* Adds the group of argument a, the first that names its dat: all components that arguments of this
 * group read. */
static void add_group(struct emit *emit, struct stage *stage, const struct owner_reads *reads,
                      int a)
{
    int dim = emit->loop->arg[a].dim;
    struct transfer group = {.kind = TRANSFER_IN, .arg = a};
    group.component = arena_alloc(emit->file->program->arena, (size_t)dim * sizeof(int));
    for (int c = 0; c < dim; c++) {
        bool read = false;
        for (int b = a; b < emit->loop->args; b++) {
            read = read || (args_share_group(emit->loop, a, b) && reads->component[b][c]);
        }
        if (read) {
            group.component[group.components++] = c;
        }
    }
    if (group.components > 0) {
        stage->staged_bytes += (size_t)group.components * emit->loop->arg[a].type->size;
        stage->transfer[stage->transfers++] = group;
    }
}

static void add_groups(struct emit *emit, struct stage *stage)
{
    struct owner_reads reads = owner_reads_of(emit, stage);
    stage->transfer = arena_alloc(emit->file->program->arena,
                                  (size_t)emit->loop->args * sizeof(*stage->transfer));
    for (int a = 0; a < emit->loop->args; a++) {
        bool first = can_stage(emit, stage, a);
        for (int before = 0; before < a; before++) {
            first = first && !args_share_group(emit->loop, before, a);
        }
        if (first) {
            add_group(emit, stage, &reads, a);
        }
    }
}

const struct schedule *cuda_owner_schedule(struct emit *emit, const struct schedule *schedule)
{
    struct arena *arena = emit->file->program->arena;
    struct schedule *staged = arena_alloc(arena, sizeof(*staged));
    *staged = *schedule;
    staged->stage = arena_alloc(arena, (size_t)schedule->stages * sizeof(*staged->stage));
    for (int s = 0; s < schedule->stages; s++) {
        staged->stage[s] = schedule->stage[s];
        if (schedule->stage[s].kind == STAGE_GATHER) {
            if (schedule->stage[s].point_values != NULL) {
                staged->stage[s].body = schedule->stage[s].point_values->elements;
            }
            add_groups(emit, &staged->stage[s]);
            staged->stage[s].staged_bytes += cuda_point_values_bytes(&staged->stage[s]);
        }
    }
    return staged;
}

/* ---- holes of cuda_owners.tpl -------------------------------------------------------------------
 */

void cuda_owner_stage_in(struct emit *emit)
{
    if (emit->stage->transfers > 0) {
        out_comment(emit->out, "Staged in: each point of the block's neighbourhood once.");
    }
    for (int t = 0; t < emit->stage->transfers; t++) {
        const struct transfer *group = &emit->stage->transfer[t];
        const struct shape_dat *dat = cuda_dat(emit, group->arg);
        if (cuda_is_packed(emit, group)) {
            cuda_stage_pack(emit, group, "cleave_stage_around",
                            cuda_space_group(emit, emit->number - 1, t), "cleave_own");
            continue;
        }
        const char *record = emit_format(emit, "%s, %d, %d", cuda_type(emit, group->arg), dat->dim,
                                         place_stride(emit, group));
        for (int c = 0; group->components < dat->dim && c < group->components; c++) {
            record = emit_format(emit, "%s, %d", record, group->component[c]);
        }
        out_assign(emit->out,
                   emit_format(emit, "const auto cleave_in_%s", cuda_group(emit, group->arg)), "=",
                   emit_format(emit, "cleave_stage_around<%s>(%s, %s, cleave_own)", record,
                               cuda_space_offset(emit, emit->number - 1, t), place_dat(emit, dat)));
    }
}

void cuda_owner_stage_in_barrier(struct emit *emit)
{
    if (emit->stage->transfers > 0) {
        out_line(emit->out, "cleave_copy_wait();");
        out_line(emit->out, "cleave_barrier();");
    }
}

void cuda_owner_item(struct emit *emit)
{
    const struct shape_map *map = cuda_map(emit, emit->stage->map);
    if (emit_mentions(emit, "cleave_e")) {
        out_line(emit->out, "const int cleave_e = cleave_now.element;");
    }
    if (emit_mentions(emit, "cleave_column")) {
        out_line(emit->out, "const int cleave_column = cleave_now.column;");
    }
    for (int k = 0; k < map->columns; k++) {
        const char *local = emit_format(emit, "cleave_local_%s_%d", map->label, map->column[k]);
        if (emit_mentions(emit, local)) {
            out_line(emit->out, "const int %s = cleave_now.local[%d];", local, k);
        }
    }
    cuda_items_rest(emit);
    cuda_point_values_records(emit);
}
