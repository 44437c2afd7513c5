/* diagnostics.c: op_diagnostic_output: what the program declared, the order that the runtime
 * gave the mesh, the plans that were made of it and the settings in effect; order and plans also
 * as JSON. */
#include "runtime/base/machine.h"
#include "runtime/base/whole_file.h"
#include "runtime/mesh/order.h"

#include <errno.h>

/* ---- text ---------------------------------------------------------------------------------- */

static const char *source(const struct cleave_plan_entry *entry)
{
    if (cleave_order_blocks(entry->set, entry->block_size) != NULL) {
        return "those of the mesh's order";
    }
    return cleave_is_runs(entry->method) ? "runs of consecutive elements"
                                         : planner_method_name(entry->method);
}

static void print_metrics(const struct cleave_plan_entry *entry)
{
    const struct plan_metrics *m = &entry->metrics;
    printf("  blocks %d (%s), block colours %d, thread colours per block %.2f, fill %.1f%%\n",
           m->blocks, source(entry), m->block_colours, m->thread_colours, 100.0 * m->fill);
    printf("  points per block %.1f in %.1f cache lines, at most %d points; reuse %.2f, points in "
           "several blocks %.1f%%\n",
           m->points, m->lines, m->max_points, m->reuse, 100.0 * m->shared);
    printf("  shared memory wavefronts per 8 lanes %.2f (1: no bank conflicts, 8: all lanes)\n",
           m->wavefronts);
    printf("  bytes read by a staged loop %.3g, if nothing were read twice %.3g; plan %.3g bytes, "
           "built "
           "in %.3f s",
           m->total_bytes, m->useful_bytes, m->plan_bytes, m->seconds);
    if (entry->number_seconds > 0.0) {
        printf(" and %.3f s for its numbering", entry->number_seconds);
    }
    putchar('\n');
}

static void print_owners(const struct cleave_plan_entry *entry)
{
    const struct plan_metrics *m = &entry->metrics;
    printf(
        "  blocks %d, points staged per block %.1f, at most %d, per own point %.2f; list entries "
        "with padding per entry %.2f\n",
        m->blocks, m->points, m->max_points, m->per_own_point, m->padding);
    printf("  plan %.3g bytes, built in %.3f s\n", m->plan_bytes, m->seconds);
}

static void print_colours(const struct cleave_plan_entry *entry)
{
    const struct plan_metrics *m = &entry->metrics;
    printf("  colours %d; plan %.3g bytes, built in %.3f s\n", m->global_colours, m->plan_bytes,
           m->seconds);
}

static void print_ranges(const struct cleave_plan_entry *entry)
{
    const struct plan_metrics *m = &entry->metrics;
    if (m->ranges > 0 || m->blocks == 0) {
        printf(
            "  ranges %d, border elements %.1f%% in %d blocks and %d colours; run of consecutive "
            "elements %.1f on average\n",
            m->ranges, 100.0 * m->border, m->blocks - m->ranges, m->block_colours - (m->ranges > 0),
            m->segment);
    } else {
        printf(
            "  no ranges, since neighbours are far apart in this order of the mesh: %d blocks in "
            "%d colours\n",
            m->blocks, m->block_colours);
    }
    if (entry->plan->distinct != NULL) {
        printf("  8 consecutive elements modify different points in %.1f%% of all places\n",
               100.0 * m->distinct);
    }
    printf("  plan %.3g bytes, built in %.3f s\n", m->plan_bytes, m->seconds);
}

static void print_named(const struct cleave_plan_entry *entry)
{
    printf("  items: padding %.2f\n", entry->metrics.padding);
    printf("  plan %.3g bytes, built in %.3f s\n", entry->metrics.plan_bytes,
           entry->metrics.seconds);
}

void cleave_plan_print(const struct cleave_plan_entry *entry)
{
    printf("plan for loop '%s' over set '%s', ", entry->loop, entry->set->name);
    if (entry->kind == CLEAVE_PLAN_BLOCKS) {
        printf("block size %d", entry->block_size);
    } else if (entry->kind == CLEAVE_PLAN_OWNERS) {
        printf("blocks of %d points", entry->block_size);
    } else if (entry->kind == CLEAVE_PLAN_COLOURS) {
        printf("one launch for each colour");
    } else if (entry->kind == CLEAVE_PLAN_RANGES) {
        printf("ranges of elements");
    } else if (entry->kind == CLEAVE_PLAN_NAMED) {
        printf("the elements of each point and what they name");
    } else {
        printf("the elements of each point");
    }
    for (int l = 0; l < entry->maps; l++) {
        printf("%s '%s'", l == 0 ? ", through" : ",", entry->of[l]->name);
    }
    putchar('\n');
    if (entry->kind == CLEAVE_PLAN_BLOCKS) {
        print_metrics(entry);
    } else if (entry->kind == CLEAVE_PLAN_OWNERS) {
        print_owners(entry);
    } else if (entry->kind == CLEAVE_PLAN_COLOURS) {
        print_colours(entry);
    } else if (entry->kind == CLEAVE_PLAN_RANGES) {
        print_ranges(entry);
    } else if (entry->kind == CLEAVE_PLAN_NAMED) {
        print_named(entry);
    }
}

/* Prints what the order of the CPU was decided by; nothing if no map was measured. */
static void print_localities(void)
{
    const char *before = "  far reads, each a likely cache miss: ";
    for (const struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (m->measured) {
            printf("%s%.2f%% through '%s' (%.2f%% at best", before, 100.0 * m->locality.far,
                   m->core.name, 100.0 * m->locality.least);
            if (m->locality.torn > cleave_machine.torn_points) {
                printf("; elements far apart share %.0f%% of the points", 100.0 * m->locality.torn);
            }
            putchar(')');
            before = ", ";
        }
    }
    if (*before == ',') {
        printf("; an order is kept up to %.2f%% above the best\n",
               100.0 * cleave_machine.far_reads);
    }
}

/* 1: the order was kept for the warps of a device; prints what decided that. */
static int print_lines(void)
{
    const char *before =
        "mesh order: the program's own is kept: 32 consecutive elements name points "
        "in few lines of 16: ";
    for (const struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (m->lines > 0.0) {
            printf("%s%.1f through '%s'", before, m->lines, m->core.name);
            before = ", ";
        }
    }
    if (*before == ',') {
        printf("; an order is kept up to %.0f; found in %.4f s\n", cleave_machine.kept_lines,
               cleave_order.seconds);
    }
    return *before == ',';
}

static void print_kept(void)
{
    if (print_lines()) {
        return;
    }
    int measured = 0;
    for (const struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        measured |= m->measured;
    }
    if (measured) {
        printf("mesh order: the program's own is kept: consecutive elements name points that are "
               "near each other in memory; found in %.3f s\n",
               cleave_order.seconds);
    } else {
        printf("mesh order: the program's own\n");
    }
    print_localities();
}

static void print_sorted(const struct cleave_order *order)
{
    const char *before = "mesh order: ";
    for (const struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        if (s->to_user != NULL) {
            printf("%sset '%s'", before, s->core.name);
            before = ", ";
        }
    }
    printf(" sorted after the sets that maps join to %s, which keep the program's order; made in "
           "%.3f s\n",
           order->sets == 1 ? "it" : "them", order->seconds);
}

static void print_numbered(const struct cleave_order *order)
{
    printf("mesh order: set '%s' in %d blocks of at most %d elements (%s), %d set%s renumbered, "
           "coordinates %s%s%s, %s in %.3f s\n",
           order->primary->name, order->numbering->blocks, order->block_size,
           planner_method_name(order->numbering->method), order->sets, order->sets == 1 ? "" : "s",
           order->coordinates != NULL ? "'" : "",
           order->coordinates != NULL                           ? order->coordinates->name
           : order->numbering->method.start == PLAN_START_BANDS ? "not needed"
                                                                : "unknown",
           order->coordinates != NULL ? "'" : "",
           order->from_cache ? "read from the cache" : "made", order->seconds);
}

static void print_background(void)
{
    char text[512];
    if (cleave_background_text(text, sizeof text)) {
        printf("  %s\n", text);
    }
}

void cleave_order_print(void)
{
    const struct cleave_order *order = &cleave_order;
    if (order->primary == NULL && cleave_order_is_awaited()) {
        printf("mesh order: the program's own, until that of the runtime is there, which is being "
               "made in the background\n");
        return;
    }
    if (order->primary == NULL) {
        print_kept();
        return;
    }
    if (order->numbering != NULL) {
        print_numbered(order);
    } else {
        print_sorted(order);
    }
    print_localities();
    for (int p = 0; p < order->phases.count; p++) {
        printf("%s%s %.3f s%s", p == 0 ? "  steps: " : ", ", order->phases.phase[p].name,
               order->phases.phase[p].seconds,
               order->phases.phase[p].serial ? " on one thread" : "");
    }
    if (order->phases.count > 0) {
        putchar('\n');
    }
    print_background();
}

static void print_sets(void)
{
    printf("sets\n");
    for (const struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        printf("  %-16s %12d elements%s\n", s->core.name, s->core.size,
               s->to_user != NULL ? ", renumbered" : "");
    }
}

static void print_maps(void)
{
    printf("maps\n");
    for (const struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        printf("  %-16s from %s to %s, dimension %d\n", m->core.name, m->core.from->name,
               m->core.to->name, m->core.dim);
    }
}

static void print_dats(void)
{
    printf("dats\n");
    for (const struct cleave_dat *d = cleave_mesh.dats; d != NULL; d = d->next) {
        printf("  %-16s on %s, %d %s%s\n", d->core.name, d->core.set->name, d->core.dim,
               d->core.type, d->temporary ? ", temporary" : "");
    }
}

void op_diagnostic_output(void)
{
    CLEAVE_ENTER("op_diagnostic_output");
    cleave_require_init();
    print_sets();
    print_maps();
    print_dats();
    cleave_order_print();
    for (const struct cleave_plan_entry *e = cleave_plans; e != NULL; e = e->next) {
        cleave_plan_print(e);
    }
    cleave_settings_print();
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void write_phases(struct cleave_json *json, const struct plan_phases *phases)
{
    cleave_json_array(json, "phases");
    for (int p = 0; p < phases->count; p++) {
        cleave_json_object(json, NULL);
        cleave_json_text(json, "name", phases->phase[p].name);
        cleave_json_number(json, "seconds", phases->phase[p].seconds);
        cleave_json_bool(json, "serial", phases->phase[p].serial);
        cleave_json_object_end(json);
    }
    cleave_json_array_end(json);
}

static void write_order(struct cleave_json *json)
{
    const struct cleave_order *order = &cleave_order;
    if (order->primary == NULL) {
        cleave_json_text(json, "order", NULL);
        return;
    }
    cleave_json_object(json, "order");
    cleave_json_text(json, "primary", order->primary->name);
    cleave_json_text(json, "method",
                     order->numbering != NULL ? planner_method_name(order->numbering->method)
                                              : "sorted");
    cleave_json_text(json, "coordinates",
                     order->coordinates != NULL ? order->coordinates->name : "");
    cleave_json_integer(json, "sets", order->sets);
    cleave_json_integer(json, "blocks", order->numbering != NULL ? order->numbering->blocks : 0);
    cleave_json_integer(json, "block_size", order->block_size);
    cleave_json_bool(json, "from_cache", order->from_cache);
    cleave_json_number(json, "seconds", order->seconds);
    write_phases(json, &order->phases);
    cleave_json_object_end(json);
}

static void write_blocks(struct cleave_json *json, const struct cleave_plan_entry *entry)
{
    const struct plan_metrics *m = &entry->metrics;
    cleave_json_text(json, "source", source(entry));
    cleave_json_integer(json, "blocks", m->blocks);
    cleave_json_integer(json, "block_colours", m->block_colours);
    cleave_json_number(json, "thread_colours", m->thread_colours);
    cleave_json_number(json, "fill", m->fill);
    cleave_json_number(json, "reuse", m->reuse);
    cleave_json_number(json, "points", m->points);
    cleave_json_integer(json, "max_points", m->max_points);
    cleave_json_number(json, "lines", m->lines);
    cleave_json_number(json, "shared", m->shared);
    cleave_json_number(json, "wavefronts", m->wavefronts);
    cleave_json_number(json, "useful_bytes", m->useful_bytes);
    cleave_json_number(json, "total_bytes", m->total_bytes);
    cleave_json_number(json, "number_seconds", entry->number_seconds);
    write_phases(json, &m->phases);
}

static void write_owners(struct cleave_json *json, const struct cleave_plan_entry *entry)
{
    const struct plan_metrics *m = &entry->metrics;
    cleave_json_integer(json, "blocks", m->blocks);
    cleave_json_number(json, "points", m->points);
    cleave_json_integer(json, "max_points", m->max_points);
    cleave_json_number(json, "per_own_point", m->per_own_point);
    cleave_json_number(json, "padding", m->padding);
}

static void write_named(struct cleave_json *json, const struct cleave_plan_entry *entry)
{
    cleave_json_number(json, "padding", entry->metrics.padding);
}

static void write_colours(struct cleave_json *json, const struct cleave_plan_entry *entry)
{
    cleave_json_integer(json, "global_colours", entry->metrics.global_colours);
}

static void write_ranges(struct cleave_json *json, const struct cleave_plan_entry *entry)
{
    const struct plan_metrics *m = &entry->metrics;
    cleave_json_integer(json, "blocks", m->blocks);
    cleave_json_integer(json, "block_colours", m->block_colours);
    cleave_json_integer(json, "ranges", m->ranges);
    cleave_json_number(json, "border", m->border);
    cleave_json_number(json, "segment", m->segment);
    cleave_json_number(json, "distinct", m->distinct);
}

/* Each kind of plan has members of its own. */
static void (*const write_kind[])(struct cleave_json *, const struct cleave_plan_entry *) = {
    [CLEAVE_PLAN_BLOCKS] = write_blocks, [CLEAVE_PLAN_OWNERS] = write_owners,
    [CLEAVE_PLAN_NAMED] = write_named,   [CLEAVE_PLAN_COLOURS] = write_colours,
    [CLEAVE_PLAN_RANGES] = write_ranges,
};

static void write_plan(struct cleave_json *json, const struct cleave_plan_entry *entry)
{
    const size_t kinds = sizeof write_kind / sizeof write_kind[0];
    cleave_json_object(json, NULL);
    cleave_json_text(json, "loop", entry->loop);
    cleave_json_text(json, "set", entry->set->name);
    cleave_json_integer(json, "elements", entry->set->size);
    cleave_json_integer(json, "block_size", entry->block_size);
    cleave_json_array(json, "maps");
    for (int l = 0; l < entry->maps; l++) {
        cleave_json_object(json, NULL);
        cleave_json_text(json, "name", entry->of[l]->name);
        cleave_json_integer(json, "columns", entry->map[l].columns);
        cleave_json_object_end(json);
    }
    cleave_json_array_end(json);
    if ((size_t)entry->kind < kinds && write_kind[entry->kind] != NULL) {
        write_kind[entry->kind](json, entry);
        cleave_json_number(json, "plan_bytes", entry->metrics.plan_bytes);
        cleave_json_number(json, "seconds", entry->metrics.seconds);
    }
    cleave_json_object_end(json);
}

void cleave_plans_to_json(struct cleave_json *json)
{
    write_order(json);
    cleave_background_json(json);
    cleave_json_array(json, "plans");
    for (const struct cleave_plan_entry *e = cleave_plans; e != NULL; e = e->next) {
        write_plan(json, e);
    }
    cleave_json_array_end(json);
}

static int write_plans(FILE *file)
{
    struct cleave_json json;
    cleave_json_begin(&json, file);
    cleave_json_object(&json, NULL);
    cleave_plans_to_json(&json);
    cleave_json_object_end(&json);
    return cleave_json_finish(&json);
}

void cleave_plans_write(void)
{
    const char *name = cleave_settings.plan_json;
    struct cleave_whole_file whole;
    if (name == NULL) {
        return;
    }
    if (cleave_whole_file_begin(&whole, name) != 0 ||
        cleave_whole_file_end(&whole, write_plans(whole.file)) != 0) {
        cleave_warning("CLEAVE_PLAN_JSON: cannot write '%s': %s", name, strerror(errno));
    }
}
