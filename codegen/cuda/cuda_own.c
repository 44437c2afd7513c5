/* cuda_own.c: points that keep their own records in registers.
 *
 * In: a GATHER stage of an owner gather whose points read memory directly, through a map by whose
 * two columns elements modify points. Out: the holes of cuda_points_own.tpl. One of the two points
 * of each item is the thread's own. Its records are loaded once, before the items; an item loads
 * those of the other point alone, and the column tells which argument gets which.
 */
#include "codegen/cuda/cuda_owner.h"
#include "codegen/uses.h"
#include "pass/ir/arena.h"

enum { SIDES = 2 };

/* ---- which stages -----------------------------------------------------------------------------
 */

static bool has_sides(const struct shape_map *map)
{
    return map->columns == SIDES && map->conflicts == (1u << map->column[0] | 1u << map->column[1]);
}

/* The side of the record in column c of argument a, 0 or 1: the position of its column in the map;
 * -1: it is not read so. */
static int side_of(const struct emit *emit, const struct stage *stage, const struct body_use *use,
                   int a, int c)
{
    const struct shape_map *map = cuda_map(emit, stage->map);
    if (emit->shape->map_of[a] != emit->shape->map_of[stage->map] ||
        (use[a].columns >> c & 1) == 0 || !cuda_may_load(emit, use, a)) {
        return -1;
    }
    return place_column(&emit->loop->arg[a], c) == map->column[0] ? 0 : 1;
}

/* Whether items read dat d of both their points. */
static bool is_two_sided(const struct emit *emit, const struct stage *stage,
                         const struct body_use *use, int d)
{
    bool sides[SIDES] = {false, false};
    for (int a = 0; a < emit->loop->args; a++) {
        for (int c = 0; emit->shape->dat_of[a] == d && c < CLEAVE_MAX_COLUMNS; c++) {
            const int side = side_of(emit, stage, use, a, c);
            if (side >= 0) {
                sides[side] = true;
            }
        }
    }
    return sides[0] && sides[1];
}

bool cuda_keeps_own(struct emit *emit, const struct stage *stage)
{
    bool keeps = false;
    if (stage->kind == STAGE_GATHER && has_sides(cuda_map(emit, stage->map))) {
        const struct body_use *use = cuda_uses_in(emit, stage);
        for (int d = 0; d < emit->shape->dats; d++) {
            keeps = keeps || is_two_sided(emit, stage, use, d);
        }
    }
    return keeps;
}

bool cuda_own_fits(struct emit *emit, const struct schedule *schedule)
{
    bool fit = false;
    for (int s = 0; s < schedule->stages; s++) {
        fit = fit || cuda_keeps_own(emit, &schedule->stage[s]);
    }
    return fit;
}

/* ---- holes of cuda_points_own.tpl -------------------------------------------------------------
 */

static void print_load(struct emit *emit, const struct shape_dat *dat, const char *whose,
                       const char *point)
{
    out_assign(emit->out, emit_format(emit, "const auto cleave_%s_%s", whose, dat->label), "=",
               emit_format(emit, "cleave_load<%d>(%s + %s)", dat->dim, dat->name,
                           place_offset(emit, dat->dim, point)));
}

/* Loads the records of a point of each dat that items read of both points. */
static void print_loads(struct emit *emit, const char *whose, const char *point)
{
    const struct body_use *use = cuda_uses_in(emit, emit->stage);
    for (int d = 0; d < emit->shape->dats; d++) {
        if (is_two_sided(emit, emit->stage, use, d)) {
            print_load(emit, &emit->shape->dat[d], whose, point);
        }
    }
}

void cuda_own_records(struct emit *emit)
{
    out_comment(emit->out, "The point's own records, which one side of each item reads.");
    print_loads(emit, "mine", "cleave_p");
}

/* Prints the record of each argument on a side, and marks the arguments whose records all are. */
static void print_sides(struct emit *emit, bool *held)
{
    const struct body_use *use = cuda_uses_in(emit, emit->stage);
    for (int a = 0; a < emit->loop->args; a++) {
        const int d = emit->shape->dat_of[a];
        for (int c = 0; d >= 0 && c < CLEAVE_MAX_COLUMNS; c++) {
            const int side = side_of(emit, emit->stage, use, a, c);
            if (side >= 0 && is_two_sided(emit, emit->stage, use, d)) {
                const char *label = emit->shape->dat[d].label;
                out_assign(emit->out, emit_format(emit, "const auto %s", record_name(emit, a, c)),
                           "=",
                           emit_format(emit,
                                       "cleave_choose_record(cleave_column == %d, "
                                       "cleave_mine_%s, cleave_theirs_%s)",
                                       side, label, label));
                held[a] = true;
            }
        }
    }
}

void cuda_own_item(struct emit *emit)
{
    const struct shape_map *map = cuda_map(emit, emit->stage->map);
    out_assign(emit->out, "const int cleave_other", "=",
               emit_format(emit,
                           "cleave_map_%s[(size_t)cleave_e * cleave_width_%s + "
                           "(cleave_column == 0 ? %d : %d)]",
                           map->label, map->label, map->column[1], map->column[0]));
    cuda_own_sides(emit);
}

void cuda_own_sides(struct emit *emit)
{
    bool *held = arena_alloc(emit->file->program->arena, (size_t)emit->loop->args * sizeof(*held));
    print_loads(emit, "theirs", "cleave_other");
    print_sides(emit, held);
    emit->held = held;
}
