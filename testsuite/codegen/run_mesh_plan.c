/* run_mesh_plan.c: see run_mesh.h. Plans by the planner, scratch memory, and copies by the unit's own function. Memory is
 * poisoned: variants may read only what was written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/codegen/run_mesh.h"

enum { LANES = 32 };       /* of the emulated device */
enum { LEAST_RANGE = 64 }; /* elements of a range at least, so that the small mesh has several */

static void find_maps(const struct cleave_loop *loop, const struct call *call, struct plan_map *map)
{
    memset(map, 0, CLEAVE_MAX_LISTS * sizeof *map);
    for (int l = 0; l < loop->lists; l++) {
        const struct cleave_list *list = &loop->list[l];
        map[l].row = call->map[list->arg];
        map[l].dim = call->map_dim[list->arg];
        map[l].target = map[l].row == pecell;
        map[l].points = map[l].target ? CELLS : NODES;
        map[l].columns = list->columns;
        memcpy(map[l].column, list->column, sizeof map[l].column);
        map[l].conflicts = list->conflicts;
    }
}

/* Returns whether the plan could not be built, or is wrong. */
static int build(struct cleave_plan **plan, const struct cleave_variant *variant, int size, int lists,
                 const struct plan_map *map, int block_size, char *error)
{
    static const struct planner p;
    const struct plan_options options = {.block_size = block_size, .parts = variant->parts};
    const struct plan_range_options range = {.least = LEAST_RANGE, .parts = variant->parts};
    switch (variant->plan) {
    case CLEAVE_PLAN_BLOCKS:
        return planner_build(&p, plan, NULL, size, lists, map, NULL, &options, error) ||
               planner_check(&p, *plan, size, lists, map, error);
    case CLEAVE_PLAN_POINTS:
        return planner_points_build(&p, plan, size, lists, map, error) ||
               planner_points_check(&p, *plan, size, lists, map, error);
    case CLEAVE_PLAN_OWNERS:
        return planner_owners_build(&p, plan, size, block_size, LANES, lists, map, error) ||
               planner_owners_check(&p, *plan, size, block_size, LANES, lists, map, error);
    case CLEAVE_PLAN_NAMED:
        return planner_named_build(&p, plan, size, lists, map, variant->parts, error) ||
               planner_named_check(&p, *plan, size, lists, map, variant->parts, error);
    case CLEAVE_PLAN_COLOURS:
        return planner_colours_build(&p, plan, size, lists, map, error) ||
               planner_colours_check(&p, *plan, size, lists, map, error);
    case CLEAVE_PLAN_RANGES:
        return planner_ranges_build(&p, plan, size, lists, map, &range, error) ||
               planner_ranges_check(&p, *plan, size, lists, map, variant->parts, error);
    default:
        return 0;
    }
}

struct cleave_plan *make_plan(const struct cleave_loop *loop, const struct call *call,
                              const struct cleave_variant *variant, int block_size)
{
    struct plan_map map[CLEAVE_MAX_LISTS];
    struct cleave_plan *plan = NULL;
    char error[PLANNER_ERROR];
    find_maps(loop, call, map);
    if (build(&plan, variant, call->size, loop->lists, map, block_size, error)) {
        fprintf(stderr, "plan: %s\n", error);
        exit(1);
    }
    return plan;
}

void *make_tmp(const struct cleave_variant *variant, const struct cleave_plan *plan, int size)
{
    size_t bytes =
        variant->sums_bytes != NULL ? variant->sums_bytes(plan) : variant->tmp_bytes * (size_t)size;
    void *tmp = NULL;
    if (bytes > 0 && posix_memalign(&tmp, 256, bytes) != 0) {
        fprintf(stderr, "no memory for tmp\n");
        exit(1);
    }
    if (bytes > 0) {
        memset(tmp, 0xff, bytes);
    }
    return tmp;
}

static int dim_of(const void *dat)
{
    return dat == data.q ? 4 : dat == data.x ? 2 : 1;
}

static void *copy_memory(size_t components)
{
    void *memory;
    if (posix_memalign(&memory, 256, components * sizeof(double)) != 0) {
        fprintf(stderr, "no memory for copies\n");
        exit(1);
    }
    memset(memory, 0xff, components * sizeof(double));
    return memory;
}

/* Records are copied as a whole: what lies behind their components must have been written, too. */
static void check_padding(const struct cleave_dat_copy *wanted, const double *record, int count)
{
    for (int i = 0; i < count * wanted->dim; i++) {
        const int is_padding = i % wanted->dim >= wanted->parts;
        if (is_padding ? record[i] != 0.0 : record[i] != record[i]) {
            fprintf(stderr, "packed record %d, component %d is %g\n", i / wanted->dim,
                    i % wanted->dim, record[i]);
            exit(1);
        }
    }
}

/* One component at a time. */
static void *make_packed(const struct cleave_unit *unit, const struct cleave_dat_copy *wanted,
                         const struct call *call)
{
    const int count = call->map[wanted->arg] == pecell ? CELLS : NODES;
    double *to = copy_memory((size_t)count * (size_t)wanted->dim);
    for (int k = 0; k < wanted->parts; k++) {
        const void *from = call->data[wanted->part[k].arg];
        const struct cleave_copy_request made = {
            .to = to + k,
            .from = from,
            .dim = dim_of(from),
            .component = sizeof(double),
            .count = count,
            .first = wanted->part[k].component,
            .components = 1,
            .padding = k + 1 < wanted->parts ? 0 : wanted->dim - k - 1,
            .to_dim = wanted->dim};
        unit->make_copy(&made);
    }
    check_padding(wanted, to, count);
    return to;
}

static void *make_items(const struct cleave_unit *unit, const struct cleave_dat_copy *wanted,
                        const struct call *call, const struct cleave_plan *plan)
{
    const struct cleave_plan_list *list = &plan->list[wanted->list];
    const void *from = call->data[wanted->arg];
    const int dim = dim_of(from);
    const struct cleave_copy_request made = {
        .to = copy_memory(LANES * (size_t)list->rows * (size_t)dim),
        .from = from,
        .dim = dim,
        .component = sizeof(double),
        .rows = list->rows,
        .element = list->slice_element};
    unit->make_copy(&made);
    return made.to;
}

void make_copies(const struct cleave_unit *unit, const struct cleave_variant *variant,
                 const struct call *call, const struct cleave_plan *plan, void **copy)
{
    for (int n = 0; n < variant->copies; n++) {
        const struct cleave_dat_copy *wanted = &variant->copy[n];
        copy[n] = wanted->list < 0 ? make_packed(unit, wanted, call)
                                   : make_items(unit, wanted, call, plan);
    }
}
