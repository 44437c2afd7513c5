/* costs.c: the tables of what a loop's variants take of the machine (struct cleave_cost). Variants
 * that differ only in registers, or in components per thread, share one.
 */
#include "codegen/emit.h"
#include "pass/ir/arena.h"
#include "splitter/graph/graph.h"

/* ---- counts that targets share ----------------------------------------------------------------
 */

static void add_times(struct operation_count *to, const struct operation_count *from, int times)
{
    to->simple += times * from->simple;
    to->divisions += times * from->divisions;
    to->functions += times * from->functions;
}

void costs_add(struct graph_operations *to, const struct graph_operations *once, int times)
{
    add_times(&to->in_double, &once->in_double, times);
    add_times(&to->in_float, &once->in_float, times);
}

static struct cleave_operations rounded(const struct operation_count *count)
{
    const double most = 1e9;
    return (struct cleave_operations){(int)(count->simple < most ? count->simple : most),
                                      (int)(count->divisions < most ? count->divisions : most),
                                      (int)(count->functions < most ? count->functions : most)};
}

void costs_set_operations(struct cleave_cost *cost, const struct graph_operations *operations)
{
    cost->in_double = rounded(&operations->in_double);
    cost->in_float = rounded(&operations->in_float);
}

int costs_modified_columns(const struct shape_map *map)
{
    int columns = 0;
    for (unsigned set = map->conflicts; set != 0; set &= set - 1) {
        columns++;
    }
    return columns;
}

bool costs_is_repeated(const struct emit *emit, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    for (int b = 0; b < a; b++) {
        const struct arg *other = &emit->loop->arg[b];
        if (emit->shape->dat_of[a] == emit->shape->dat_of[b] && arg->map == other->map &&
            arg->is_vector == other->is_vector && arg->map_index == other->map_index) {
            return true;
        }
    }
    return false;
}

int costs_moves(const struct arg *arg)
{
    return arg->access == ACCESS_READ || arg->access == ACCESS_WRITE ? 1 : 2;
}

/* ---- tables -----------------------------------------------------------------------------------
 */

/* The first variant with the cost of variant v. */
static int first_with(const struct emitted_loop *emitted, int v)
{
    int first = 0;
    while (emitted->variant[first]->cost != emitted->variant[v]->cost) {
        first++;
    }
    return first;
}

const char *costs_name(struct emit *emit, const struct emitted_loop *emitted, int v,
                       const char *prefix)
{
    int number = 0;
    const int first = first_with(emitted, v);
    if (emitted->variant[v]->cost == NULL) {
        return "NULL";
    }
    for (int before = 0; before < first; before++) {
        number += emitted->variant[before]->cost != NULL && first_with(emitted, before) == before;
    }
    return emit_format(emit, "&%s%s_costs[%d]", emitted->shape->loop->id, prefix, number);
}

static void print_lists(struct emit *emit, const char *name, const struct cleave_cost *cost,
                        int lists)
{
    out_format(emit->out, "static const struct cleave_cost_list %s[] = {", name);
    for (int l = 0; l < lists; l++) {
        const struct cleave_cost_list *list = &cost->list[l];
        out_format(emit->out, "%s{%d, %d, %d, %d, %d, %d, %d}", l > 0 ? ", " : "", list->staged,
                   list->read, list->records, list->added, list->stored, list->lists,
                   list->gathered);
    }
    out_text(emit->out, "};\n");
}

static const char *operations(struct emit *emit, const struct cleave_operations *count)
{
    return emit_format(emit, "{%d, %d, %d}", count->simple, count->divisions, count->functions);
}

static void print_cost(struct emit *emit, const struct cleave_cost *cost, const char *lists)
{
    out_line(emit->out, "    {%s, %s, %d, %d, %d, %d, %d, %d, %d, %d, %d,",
             operations(emit, &cost->in_double), operations(emit, &cost->in_float), cost->visits,
             cost->own, cost->own_apart, cost->own_strided, cost->own_stored, cost->lists,
             cost->tmp, cost->tmp_apart, cost->shared);
    out_line(emit->out, "     %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %s},",
             cost->summed, cost->shared_atomics, cost->scattered, cost->coalesced, cost->lone,
             cost->reduced, cost->joins, cost->added_bytes, cost->turns, cost->trips,
             cost->visit_trips, cost->barriers, cost->kernels, lists);
}

void costs_print(struct emit *emit, const struct emitted_loop *emitted, const char *prefix)
{
    const char *id = emitted->shape->loop->id;
    bool any = false;
    for (int pass = 0; pass < 2; pass++) { /* the lists, then what refers to them */
        for (int v = 0; v < emitted->variants; v++) {
            const struct cleave_cost *cost = emitted->variant[v]->cost;
            if (cost == NULL || first_with(emitted, v) != v) {
                continue;
            }
            const char *lists = emit_format(emit, "%s%s_cost_lists_%d", id, prefix, v + 1);
            if (pass == 0 && cost->list != NULL) {
                print_lists(emit, lists, cost, emitted->shape->lists);
            } else if (pass == 1) {
                if (!any) {
                    out_line(emit->out, "static const struct cleave_cost %s%s_costs[] = {", id,
                             prefix);
                }
                any = true;
                print_cost(emit, cost, cost->list != NULL ? lists : "NULL");
            }
        }
    }
    out_text(emit->out, any ? "};\n\n" : "");
}
