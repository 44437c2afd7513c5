/* diagnostics.c: op_diagnostic_output: what the program declared, the plans that were made of it
 * and the settings in effect. */
#include "cleave_impl.h"

void cleave_plan_print(const struct cleave_plan_entry *entry)
{
    const struct plan_metrics *m = &entry->metrics;
    printf("plan for loop '%s' over set '%s', ", entry->loop, entry->set->name);
    if (entry->block_size > 0) {
        printf("block size %d", entry->block_size);
    } else {
        printf("elements of each point");
    }
    for (int l = 0; l < entry->maps; l++) {
        printf("%s '%s'", l == 0 ? ", through" : ",", entry->of[l]->name);
    }
    if (entry->block_size == 0) {
        putchar('\n');
        return;
    }
    printf("\n  blocks %d (%s), block colours %d, thread colours %.2f, reuse %.2f, points per "
           "block %.1f, "
           "max points %d, fill %.1f%%, built in %.3f s\n",
           m->blocks, plan_method_name(m->method), m->block_colours, m->thread_colours, m->reuse,
           m->points, m->max_points, 100.0 * m->fill, m->seconds);
}

static void print_sets(void)
{
    printf("sets\n");
    for (const struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        printf("  %-16s %12d elements\n", s->core.name, s->core.size);
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
    cleave_require_init();
    print_sets();
    print_maps();
    print_dats();
    for (const struct cleave_plan_entry *e = cleave_plans; e != NULL; e = e->next) {
        cleave_plan_print(e);
    }
    cleave_settings_print();
}
