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

bool cuda_own_has(struct emit *emit, const struct stage *stage, int d)
{
    return is_two_sided(emit, stage, cuda_uses_in(emit, stage), d);
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

static void print_load(struct emit *emit, const struct shape_dat *dat, bool changes,
                       const char *whose, const char *point)
{
    const char *ahead = cuda_recipe(emit)->walk == WALK_NAMED ? "_ahead" : "";
    out_assign(emit->out,
               emit_format(emit, "%sauto cleave_%s_%s", changes ? "" : "const ", whose, dat->label),
               "=",
               emit_format(emit, "cleave_load%s<%d>(%s + %s)", ahead, dat->dim, dat->name,
                           place_offset(emit, dat->dim, point)));
}

/* Loads the records of a point of each dat that items read of both points. values: components of
 * them make room for values (cuda_own_values.c). */
static void print_loads(struct emit *emit, const struct stage *stage, bool values,
                        const char *whose, const char *point)
{
    for (int d = 0; d < emit->shape->dats; d++) {
        if (cuda_own_has(emit, stage, d)) {
            print_load(emit, &emit->shape->dat[d], values && cuda_own_replaces(emit, stage, d),
                       whose, point);
        }
    }
}

void cuda_own_records(struct emit *emit)
{
    out_comment(emit->out, "The point's own records, which one side of each item reads.");
    print_loads(emit, emit->stage, false, "mine", "cleave_p");
}

static const char *record_of_side(struct emit *emit, const char *label, int side, bool chosen)
{
    return chosen ? emit_format(emit,
                                "cleave_choose_record(cleave_column == %d, cleave_mine_%s, "
                                "cleave_theirs_%s)",
                                side, label, label)
                  : emit_format(emit, "cleave_%s_%s", side == 0 ? "mine" : "theirs", label);
}

/* Prints the record of each argument on a side, and marks the arguments whose records all are.
 * stage: whose body reads them; loaded: the stage whose records have been loaded; bare: the
 * thread's point may stand for the first side where the body gives the same then. */
static void print_sides(struct emit *emit, const struct stage *stage, const struct stage *loaded,
                        bool bare, bool *held)
{
    const struct body_use *use = cuda_uses_in(emit, stage);
    for (int a = 0; a < emit->loop->args; a++) {
        const int d = emit->shape->dat_of[a];
        for (int c = 0; d >= 0 && c < CLEAVE_MAX_COLUMNS; c++) {
            const int side = side_of(emit, stage, use, a, c);
            if (side >= 0 && cuda_own_has(emit, loaded, d)) {
                const bool chosen =
                    !bare || (!cuda_exchanges(emit) && !cuda_own_is_symmetric(emit, stage, d));
                out_assign(emit->out, emit_format(emit, "const auto %s", record_name(emit, a, c)),
                           "=", record_of_side(emit, emit->shape->dat[d].label, side, chosen));
                held[a] = true;
            }
        }
    }
}

static bool *new_held(const struct emit *emit)
{
    return arena_alloc(emit->file->program->arena, (size_t)emit->loop->args * sizeof(bool));
}

void cuda_own_item(struct emit *emit)
{
    const struct shape_map *map = cuda_map(emit, emit->stage->map);
    bool *held = new_held(emit);
    out_assign(emit->out, "const int cleave_other", "=",
               emit_format(emit,
                           "cleave_map_%s[(size_t)cleave_e * cleave_width_%s + "
                           "(cleave_column == 0 ? %d : %d)]",
                           map->label, map->label, map->column[1], map->column[0]));
    print_loads(emit, emit->stage, false, "theirs", "cleave_other");
    print_sides(emit, emit->stage, emit->stage, false, held);
    emit->held = held;
}

/* ---- for cuda_named.c -------------------------------------------------------------------------
 */

void cuda_own_point(struct emit *emit, const struct stage *stage)
{
    out_comment(emit->out, "The point's own records, which one side of each item reads.");
    print_loads(emit, stage, true, "mine", "cleave_p");
    cuda_own_compute(emit, stage, "mine");
}

void cuda_own_other(struct emit *emit, const struct stage *stage)
{
    print_loads(emit, stage, true, "theirs", "cleave_other");
}

void cuda_own_sides(struct emit *emit, const struct stage *stage, const struct stage *elements,
                    bool *held)
{
    cuda_own_compute(emit, stage, "theirs");
    print_sides(emit, elements, stage, true, held);
    cuda_own_choose(emit, stage);
}
