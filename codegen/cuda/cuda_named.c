/* cuda_named.c: points whose items name what their elements read.
 *
 * In: the GATHER stage of an owner gather whose points read memory directly. Out: the holes of
 * cuda_points_named.tpl. An item of other points is an element, and an element's maps tell which
 * records it reads: two loads, one behind the other, before the first record arrives. The items of
 * CLEAVE_PLAN_NAMED have the entries of the maps themselves (cleave_plan.def gives their order).
 * Where the map that leads to the point has two sides, the point keeps its own records in registers
 * (cuda_own.c).
 */
#include "codegen/cuda/cuda_owner.h"
#include "codegen/uses.h"
#include "splitter/graph/sides.h"
#include "pass/ir/arena.h"

/* ---- words ------------------------------------------------------------------------------------
 */

static const struct stage *stage_of(const struct schedule *schedule)
{
    const struct stage *stage = NULL;
    for (int s = 0; s < schedule->stages; s++) {
        if (schedule->stage[s].kind == STAGE_GATHER) {
            stage = stage == NULL ? &schedule->stage[s] : NULL;
        }
    }
    return schedule->stages == 1 ? stage : NULL;
}

static bool is_two_sided(const struct shape_map *map)
{
    return map->columns == 2 && costs_modified_columns(map) == 2;
}

/* Whether the stage needs the element itself: its own records, or its number. */
static bool uses_element(struct emit *emit, const struct stage *stage)
{
    const struct body_use *use = cuda_uses_in(emit, stage);
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        const bool own = arg->kind == ARG_DAT && !arg->is_indirect && !arg->is_point;
        if (arg->kind == ARG_INDEX || (own && arg->set == 0 && use[a].columns != 0)) {
            return true;
        }
    }
    return false;
}

/* Whether items name what list l leads to: elements read through its map, which is not the one that
 * leads to the point. Phases and epilogues read through maps of their own. */
static bool is_named(struct emit *emit, const struct stage *stage, int l)
{
    const struct body_use *use = cuda_uses_in(emit, stage);
    const int m = emit->shape->list[l];
    bool named = false;
    for (int a = 0; a < emit->loop->args && m != emit->shape->map_of[stage->map]; a++) {
        named = named || (emit->shape->map_of[a] == m && use[a].columns != 0);
    }
    return named;
}

/* Position in an item of the first word of map m; m = -1: returns the number of words. */
static int word_of(struct emit *emit, const struct stage *stage, int m)
{
    const int own = emit->shape->map_of[stage->map];
    const struct shape_map *map = &emit->shape->map[own];
    int words = uses_element(emit, stage);
    if (m == own) {
        return words;
    }
    words += is_two_sided(map) ? 1 : map->columns > 1 ? map->columns : 0;
    for (int l = 0; l < emit->shape->lists; l++) {
        const int other = emit->shape->list[l];
        if (other == m) {
            return words;
        }
        words += is_named(emit, stage, l) ? emit->shape->map[other].columns : 0;
    }
    return words;
}

int cuda_named_count(struct emit *emit, const struct schedule *schedule)
{
    return word_of(emit, stage_of(schedule), -1);
}

unsigned cuda_named_parts(struct emit *emit, const struct schedule *schedule)
{
    const struct stage *stage = stage_of(schedule);
    unsigned parts = uses_element(emit, stage) ? CLEAVE_PART_NUMBERED : 0;
    for (int l = 0; l < emit->shape->lists; l++) {
        parts |= is_named(emit, stage, l) ? CLEAVE_PART_NAMES(l) : 0;
    }
    return parts;
}

const char *cuda_named_unfit(struct emit *emit, const struct schedule *schedule)
{
    if (stage_of(schedule) == NULL || stage_of(schedule)->body == NULL) {
        return "its elements modify points through several maps";
    }
    const struct body_use *use = cuda_uses_in(emit, stage_of(schedule));
    for (int a = 0; a < emit->loop->args; a++) {
        const int m = emit->shape->map_of[a];
        if (use[a].columns != 0 && m >= 0 &&
            (emit->shape->map[m].list < 0 || emit->shape->map[m].optional)) {
            return "its plan lacks one of its maps";
        }
    }
    const int words = cuda_named_count(emit, schedule);
    return words > CLEAVE_NAMED_WORDS ? "an item would name too many points"
           : words == 0               ? "elements read nothing but the point that they modify"
                                      : NULL;
}

/* ---- holes of cuda_points_named.tpl -----------------------------------------------------------
 */

/* Bits of the column in the first word. */
static int bits_of(const struct shape_map *map)
{
    int bits = 0;
    for (int k = 0; k < map->columns; k++) {
        while ((map->conflicts >> k & 1) != 0 && k >> bits != 0) {
            bits++;
        }
    }
    return bits;
}

static const char *word(struct emit *emit, int w)
{
    const int bits = w == 0 ? bits_of(cuda_map(emit, emit->stage->map)) : 0;
    return bits > 0 ? emit_format(emit, "cleave_now.word[%d] >> %d", w, bits)
                    : emit_format(emit, "cleave_now.word[%d]", w);
}

static int position_of(const struct shape_map *map, int column)
{
    int k = 0;
    while (map->column[k] != column) {
        k++;
    }
    return k;
}

const char *cuda_named_point(struct emit *emit, int m, int column)
{
    const struct shape_map *map = &emit->shape->map[m];
    const bool own = m == emit->shape->map_of[emit->stage->map];
    const int k = position_of(map, column);
    if (own && map->columns == 1) {
        return "cleave_p";
    }
    if (own && is_two_sided(map)) {
        return !cuda_exchanges(emit)
                   ? emit_format(emit, "cleave_column == %d ? cleave_p : cleave_other", k)
               : k == 0 ? "cleave_p"
                        : "cleave_other";
    }
    const int first = word_of(emit, stage_of(emit->schedule), m);
    const int partner = position_of(map, sides_partner(emit->loop, map->arg, column));
    return cuda_exchanges(emit) && partner != k
               ? emit_format(emit, "cleave_column == 0 ? %s : %s", word(emit, first + k),
                             word(emit, first + partner))
               : word(emit, first + k);
}

bool cuda_exchanges(struct emit *emit)
{
    const struct stage *stage = stage_of(emit->schedule);
    return cuda_recipe(emit)->walk == WALK_NAMED && !emit->file->options->as_written &&
           stage != NULL && stage->has_alike_sides && is_two_sided(cuda_map(emit, stage->map));
}

bool cuda_named_holds(struct emit *emit, int d)
{
    const struct stage *stage = stage_of(emit->schedule);
    return cuda_recipe(emit)->walk == WALK_NAMED && cuda_keeps_own(emit, stage) &&
           cuda_own_has(emit, stage, d) && !cuda_own_replaces(emit, stage, d);
}

struct stage cuda_named_elements(struct emit *emit, const struct stage *stage)
{
    struct stage elements = *stage;
    if (cuda_keeps_own(emit, stage) && cuda_own_values(emit, stage) != NULL) {
        elements.body = stage->own_values->elements;
    }
    return elements;
}

void cuda_named_words(struct emit *emit)
{
    out_format(emit->out, "%d", word_of(emit, stage_of(emit->schedule), -1));
}

/* An item is loaded while the one before is computed. */
void cuda_named_range(struct emit *emit)
{
    const int words = word_of(emit, stage_of(emit->schedule), -1);
    out_line(emit->out, "auto cleave_walk = cleave_named_begin<%d>(cleave_list, cleave_p);", words);
    out_line(emit->out, "auto cleave_next = cleave_named_next<%d>(cleave_walk);", words);
}

void cuda_named_records(struct emit *emit)
{
    if (cuda_keeps_own(emit, stage_of(emit->schedule))) {
        cuda_own_point(emit, stage_of(emit->schedule));
    }
}

/* Records that are loaded before the body. */
struct loads {
    const struct stage *stage;
    bool *held;       /* [args] */
    unsigned *points; /* [maps] columns whose points have names */
};

static void print_point(struct emit *emit, int a, int c, struct loads *loads)
{
    const int m = emit->shape->map_of[a];
    const int column = place_column(&emit->loop->arg[a], c);
    if (m >= 0 && (loads->points[m] >> column & 1) == 0) {
        emit_point(emit, m, column);
        loads->points[m] |= 1u << column;
    }
}

static void print_record(struct emit *emit, int a, int c, void *user)
{
    struct loads *loads = user;
    const int d = emit->shape->dat_of[a];
    if (!cuda_keeps_own(emit, loads->stage) || !cuda_own_has(emit, loads->stage, d)) {
        print_point(emit, a, c, loads);
        out_assign(emit->out, emit_format(emit, "const auto %s", record_name(emit, a, c)), "=",
                   emit_format(emit, "cleave_load_ahead<%d>(%s)", emit->loop->arg[a].dim,
                               place_pointer(emit, a, c, NULL)));
        loads->held[a] = true;
    }
}

/* All of an item's records are loaded before the first of them is used: a division waits for its
 * record, and compilers move no load in front of it. */
static void print_records(struct emit *emit, const struct stage *stage)
{
    struct arena *arena = emit->file->program->arena;
    bool *held = arena_alloc(arena, (size_t)emit->loop->args * sizeof(*held));
    struct loads loads = {.stage = stage, .held = held};
    loads.points = arena_alloc(arena, (size_t)emit->shape->maps * sizeof(*loads.points));
    if (cuda_keeps_own(emit, stage)) {
        cuda_own_other(emit, stage);
    }
    if (cuda_may_load_item(emit, stage)) {
        cuda_each_record(emit, emit->stage, print_record, &loads);
    }
    if (cuda_keeps_own(emit, stage)) {
        cuda_own_sides(emit, stage, emit->stage, held);
    }
    emit->held = held;
}

void cuda_named_item(struct emit *emit)
{
    const int own = emit->shape->map_of[emit->stage->map];
    const struct shape_map *map = &emit->shape->map[own];
    const int bits = bits_of(map);
    if (uses_element(emit, stage_of(emit->schedule))) {
        out_line(emit->out, "const int cleave_e = %s;", word(emit, 0));
    }
    if (emit_mentions(emit, "cleave_column")) {
        out_line(emit->out, "const int cleave_column = cleave_now.word[0] & %d;", (1 << bits) - 1);
    }
    if (is_two_sided(map) && emit_mentions(emit, "cleave_other")) {
        out_line(emit->out, "const int cleave_other = %s;",
                 word(emit, word_of(emit, stage_of(emit->schedule), own)));
    }
    print_records(emit, stage_of(emit->schedule));
}
