/* shape.c: properties of a loop that do not depend on the target: its distinct dats and maps, the
 * plan's lists.
 *
 * In: a loop with schedules. Out: a struct shape in the program's arena, or the reason why the loop
 * has no compiled variants on a target.
 */
#include <string.h>

#include "codegen/emit.h"
#include "pass/ir/arena.h"
#include "pass/ir/machine.h"

bool arg_is_reduction(const struct arg *arg)
{
    return arg->kind == ARG_GLOBAL && arg->access != ACCESS_READ;
}

bool arg_is_carried(const struct arg *arg)
{
    return arg->kind == ARG_INFO || arg->ties != TIES_NONE;
}

bool loop_carries(const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        if (arg_is_carried(&loop->arg[a])) {
            return true;
        }
    }
    return false;
}

bool shape_updates_arg(const struct loop *loop, int a)
{
    const struct arg *arg = &loop->arg[a];
    bool extremum = arg->access == ACCESS_MIN || arg->access == ACCESS_MAX;
    return arg->kind == ARG_DAT && arg->is_indirect &&
           (arg->access == ACCESS_INC || (extremum && !loop->in_place));
}

bool shape_reads_little(const struct loop *loop)
{
    size_t bytes = 0;
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (arg->kind == ARG_DAT && !arg->is_point && arg->set == 0 &&
            (arg->access == ACCESS_READ || arg->access == ACCESS_RW)) {
            bytes += (size_t)place_columns(arg) * (size_t)arg->dim * arg->type->size;
        }
    }
    return bytes <= machines[MACHINE_GPU].little_bytes;
}

bool shape_updates_doubles(const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (arg->kind == ARG_DAT && arg->access == ACCESS_INC && arg->type->size == 8) {
            return true;
        }
    }
    return false;
}

/* ---- refusals -------------------------------------------------------------------------------- */

static const char *refuse_arg(struct arena *arena, const struct loop *loop, int a)
{
    const struct arg *arg = &loop->arg[a];
    if (arg->kind == ARG_INFO && arg->goes_with == NULL) {
        return "a loop with op_arg_info runs sequentially";
    }
    if (arg->kind == ARG_GLOBAL && (arg->access == ACCESS_WRITE || arg->access == ACCESS_RW)) {
        return arena_format(arena, "the global '%s' is %s", arg->dat_text,
                            access_name(arg->access));
    }
    if (arg->kind != ARG_INDEX && arg->dim < 1) {
        return arena_format(arena, "the dimension of '%s' is not known when it is compiled",
                            arg->dat_text);
    }
    const struct type *param = loop->kernel->param[a]->type;
    if (param->kind != TYPE_POINTER && param->kind != TYPE_ARRAY) {
        return arena_format(arena, "parameter '%s' is not a pointer", loop->kernel->param[a]->name);
    }
    if (arg->is_vector && param->elem->kind != TYPE_POINTER) {
        return arena_format(arena, "parameter '%s' is not an array of pointers",
                            loop->kernel->param[a]->name);
    }
    if (arg->is_indirect && (arg->columns > CLEAVE_MAX_COLUMNS)) {
        return arena_format(arena, "more than %d columns of '%s' are used", CLEAVE_MAX_COLUMNS,
                            arg->map_text);
    }
    return NULL;
}

/* Two constants of one name, in two namespaces: the runtime knows those of op_decl_const by their
 * names. */
static const char *refuse_namesake(const struct program *program, const struct loop *loop)
{
    bool *used = arena_alloc(program->arena, (size_t)program->globals * sizeof(*used));
    functions_globals(program, loop, used);
    for (int g = 0; g < program->globals; g++) {
        const struct var *var = program->global[g];
        for (int other = 0; used[g] && other < program->globals; other++) {
            const struct var *namesake = program->global[other];
            if (other != g && var->storage == STORAGE_GLOBAL && var->symbol == NULL &&
                namesake->storage == STORAGE_GLOBAL && namesake->symbol == NULL &&
                strcmp(var->name, namesake->name) == 0) {
                return arena_format(program->arena, "two constants of this file are named '%s'",
                                    var->name);
            }
        }
    }
    return NULL;
}

static const char *refuse_maps(const struct program *program, const struct loop *loop)
{
    struct shape *shape = shape_new(program, loop);
    if (shape == NULL) {
        return arena_format(program->arena, "more than %d columns of one map are used",
                            CLEAVE_MAX_COLUMNS);
    }
    if (shape->lists > CLEAVE_MAX_LISTS) {
        return arena_format(program->arena, "more than %d maps are used", CLEAVE_MAX_LISTS);
    }
    return NULL;
}

const char *shape_refusal(const struct program *program, const struct loop *loop,
                          const struct target_row *target)
{
    const char *reason = loop->sequential_reason;
    if (reason == NULL && loop->kernel == NULL) {
        reason = "the body of its kernel is not visible";
    }
    if (reason == NULL && loop->kernel->params != loop->args) {
        reason = "its kernel has another number of parameters";
    }
    for (int a = 0; a < loop->args && reason == NULL; a++) {
        reason = refuse_arg(program->arena, loop, a);
    }
    if (reason == NULL) {
        reason = refuse_namesake(program, loop);
    }
    if (reason == NULL) {
        reason = refuse_maps(program, loop);
    }
    if (reason == NULL && target->refuse != NULL) {
        reason = target->refuse(program->arena, loop);
    }
    return reason;
}

/* ---- dats and maps --------------------------------------------------------------------------- */

static const char *unique_label(struct arena *arena, const char *text, int arg, bool taken)
{
    bool usable = text != NULL && name_is_identifier(text) && !taken;
    return usable ? text : arena_format(arena, "%d", arg);
}

static int add_dat(struct arena *arena, struct shape *shape, int a)
{
    const struct arg *arg = &shape->loop->arg[a];
    bool taken = false;
    for (int d = 0; d < shape->dats; d++) {
        const struct arg *first = &shape->loop->arg[shape->dat[d].arg];
        if (arg->dat >= 0 && first->dat == arg->dat && !arg->is_optional && !first->is_optional &&
            first->dim == arg->dim && type_same(first->type, arg->type)) {
            return d;
        }
        taken = taken || (arg->dat_text != NULL && strcmp(shape->dat[d].label, arg->dat_text) == 0);
    }
    struct shape_dat *dat = &shape->dat[shape->dats];
    dat->arg = a;
    dat->label = unique_label(arena, arg->dat_text, a, taken);
    dat->name = arena_format(arena, "cleave_dat_%s", dat->label);
    dat->type = arg->type;
    dat->dim = arg->dim;
    dat->optional = arg->is_optional;
    return shape->dats++;
}

static int add_map(struct arena *arena, struct shape *shape, int a)
{
    const struct arg *arg = &shape->loop->arg[a];
    bool taken = false;
    for (int m = 0; m < shape->maps; m++) {
        struct shape_map *map = &shape->map[m];
        if (shape->loop->arg[map->arg].map == arg->map) {
            if (map->optional && !arg->is_optional) {
                map->arg = a;
                map->optional = false;
            }
            return m;
        }
        taken = taken || (arg->map_text != NULL && strcmp(map->label, arg->map_text) == 0);
    }
    struct shape_map *map = &shape->map[shape->maps];
    map->arg = a;
    map->label = unique_label(arena, arg->map_text, a, taken);
    map->optional = arg->is_optional;
    map->list = -1;
    return shape->maps++;
}

/* Adds a column at its place in ascending order; false when there are too many. */
static bool add_column(struct shape_map *map, int column)
{
    int at = 0;
    while (at < map->columns && map->column[at] < column) {
        at++;
    }
    if (at < map->columns && map->column[at] == column) {
        return true;
    }
    if (map->columns == CLEAVE_MAX_COLUMNS) {
        return false;
    }
    memmove(&map->column[at + 1], &map->column[at], (size_t)(map->columns - at) * sizeof(int));
    map->column[at] = column;
    map->columns++;
    return true;
}

int place_columns(const struct arg *arg)
{
    return arg->is_vector ? arg->columns : 1;
}

int place_column(const struct arg *arg, int c)
{
    return arg->is_vector ? c : arg->map_index;
}

static bool add_columns(struct shape *shape, int a)
{
    const struct arg *arg = &shape->loop->arg[a];
    struct shape_map *map = &shape->map[shape->map_of[a]];
    if (map->list < 0) {
        map->list = shape->lists;
        shape->list[shape->lists++] = shape->map_of[a];
    }
    for (int c = 0; c < place_columns(arg); c++) {
        if (!add_column(map, place_column(arg, c))) {
            return false;
        }
    }
    return true;
}

static void mark_conflicts(struct shape *shape, int a)
{
    const struct arg *arg = &shape->loop->arg[a];
    struct shape_map *map = &shape->map[shape->map_of[a]];
    for (int c = 0; c < place_columns(arg); c++) {
        for (int k = 0; k < map->columns; k++) {
            if (map->column[k] == place_column(arg, c)) {
                map->conflicts |= 1u << k;
            }
        }
    }
}

/* Whether an epilogue modifies, through argument a, what elements read, or runs ahead of its loop's
 * call. */
static bool is_doubled(const struct loop *loop, int a)
{
    const struct arg *arg = &loop->arg[a];
    if (arg->is_ahead) {
        return true;
    }
    for (int other = 0; arg->is_point && arg->access != ACCESS_READ && other < loop->args;
         other++) {
        const struct arg *reader = &loop->arg[other];
        if (reader->kind == ARG_DAT && !reader->is_point && reader->access == ACCESS_READ &&
            reader->dat == arg->dat) {
            return true;
        }
    }
    return false;
}

static void mark_doubled(struct arena *arena, struct shape_dat *dat, int a)
{
    if (!dat->doubled) {
        dat->doubled = true;
        dat->next = arena_format(arena, "cleave_next_%s", dat->label);
        dat->next_arg = a;
    }
}

/* Epilogues get the record of a dat that the loop increments with its sums: all of it is the sums
 * where the dat was zero before. */
static void mark_zeros(struct arena *arena, struct shape *shape, int a)
{
    const struct arg *arg = &shape->loop->arg[a];
    for (int other = 0; arg->kind == ARG_DAT && arg->is_point && other < shape->loop->args;
         other++) {
        const struct arg *sum = &shape->loop->arg[other];
        struct shape_dat *dat = &shape->dat[shape->dat_of[a]];
        if (!arg->is_indirect && shape->dat_of[other] == shape->dat_of[a] && sum->is_indirect &&
            sum->access == ACCESS_INC && !dat->optional && !dat->doubled) {
            dat->zeros = arena_format(arena, "cleave_zeros_%s", dat->label);
            dat->starts = true;
        }
    }
}

/* A loop may clear a dat for the next one, which often begins with zeros that it does not read.
 * What members of a group pass to later ones may not be read behind the group. */
static void mark_left(struct arena *arena, struct shape *shape, int a)
{
    const struct arg *arg = &shape->loop->arg[a];
    struct shape_dat *dat = shape->dat_of[a] >= 0 ? &shape->dat[shape->dat_of[a]] : NULL;
    if (dat != NULL && (arg->sets_zeros || arg->is_recomputable) && shape->loop->epilogues == 0 &&
        !dat->optional) {
        dat->zeros = arena_format(arena, "cleave_zeros_%s", dat->label);
    }
}

/* Whether all arguments that name the dat of argument a are increments through its map. */
static bool is_only_summed(const struct shape *shape, int a)
{
    const struct arg *arg = &shape->loop->arg[a];
    bool summed = arg->dat >= 0;
    for (int b = 0; b < shape->loop->args && summed; b++) {
        const struct arg *other = &shape->loop->arg[b];
        if (other->kind == ARG_DAT && other->dat == arg->dat) {
            summed = other->is_indirect && !other->is_point && other->access == ACCESS_INC &&
                     shape->dat_of[b] == shape->dat_of[a] && shape->map_of[b] == shape->map_of[a];
        }
    }
    return summed;
}

/* What points of such a dat held before is nothing but one more term of their sums. */
static void mark_sums(struct arena *arena, struct shape *shape, int a)
{
    struct shape_dat *dat = shape->dat_of[a] >= 0 ? &shape->dat[shape->dat_of[a]] : NULL;
    if (dat != NULL && !dat->sums && !dat->optional && shape->loop->epilogues == 0 &&
        is_only_summed(shape, a)) {
        dat->sums = true;
        dat->zeros = arena_format(arena, "cleave_zeros_%s", dat->label);
    }
}

static void add_arg_facts(struct arena *arena, struct shape *shape, int a)
{
    const struct arg *arg = &shape->loop->arg[a];
    if (is_doubled(shape->loop, a)) {
        mark_doubled(arena, &shape->dat[shape->dat_of[a]], a);
        return;
    }
    bool modifies = arg->kind == ARG_DAT && arg->access != ACCESS_READ;
    for (int d = 0; modifies && d < shape->dats; d++) {
        struct shape_dat *dat = &shape->dat[d];
        bool same = arg->dat >= 0 && shape->loop->arg[dat->arg].dat == arg->dat;
        dat->modified = dat->modified || same || d == shape->dat_of[a];
    }
    if (modifies && arg->is_indirect) {
        mark_conflicts(shape, a);
        shape->updates = shape->updates || shape_updates_arg(shape->loop, a);
    }
    shape->reduces = shape->reduces || arg_is_reduction(arg);
}

struct shape *shape_new(const struct program *program, const struct loop *loop)
{
    struct arena *arena = program->arena;
    struct shape *shape = arena_alloc(arena, sizeof(*shape));
    size_t args = (size_t)loop->args;
    shape->loop = loop;
    shape->in_place = loop->in_place;
    shape->dat = arena_alloc(arena, args * sizeof(*shape->dat));
    shape->map = arena_alloc(arena, args * sizeof(*shape->map));
    shape->list = arena_alloc(arena, args * sizeof(*shape->list));
    shape->dat_of = arena_alloc(arena, args * sizeof(*shape->dat_of));
    shape->map_of = arena_alloc(arena, args * sizeof(*shape->map_of));
    shape->label = arena_alloc(arena, args * sizeof(*shape->label));
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        const char *param = loop->kernel->param[a]->name;
        shape->label[a] =
            param != NULL && name_is_identifier(param) ? param : arena_format(arena, "%d", a);
        shape->dat_of[a] = arg->kind == ARG_DAT ? add_dat(arena, shape, a) : -1;
        shape->map_of[a] = arg->is_indirect ? add_map(arena, shape, a) : -1;
        if (arg->kind == ARG_DAT && arg->is_indirect && !arg->is_point && !add_columns(shape, a)) {
            return NULL;
        }
    }
    for (int a = 0; a < loop->args; a++) {
        add_arg_facts(arena, shape, a);
    }
    for (int a = 0; a < loop->args; a++) {
        mark_zeros(arena, shape, a);
        mark_left(arena, shape, a);
        mark_sums(arena, shape, a);
    }
    return shape;
}
