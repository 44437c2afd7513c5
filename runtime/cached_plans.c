/* cached_plans.c: the plans that loops share: one per set, maps, columns and block size, made by
 * plan_build() at the first call that needs it, and copied once into the memory of the device. */
#include "cleave_impl.h"

struct cleave_plan_entry *cleave_plans;

/* Fills what the planner has to know of the loop's maps. */
static int plan_maps(const struct cleave_call *call, const struct cleave_loop *loop,
                     struct plan_map *map, op_map *of)
{
    for (int l = 0; l < loop->lists; l++) {
        const struct cleave_list *list = &loop->list[l];
        of[l] = call->arg[list->arg].map;
        memset(&map[l], 0, sizeof map[l]);
        map[l].row = of[l]->map;
        map[l].dim = of[l]->dim;
        map[l].points = of[l]->to->size;
        map[l].target = of[l]->to->index;
        map[l].columns = list->columns;
        memcpy(map[l].column, list->column, sizeof map[l].column);
        map[l].conflicts = list->conflicts;
    }
    return loop->lists;
}

static int same_map(const struct plan_map *a, const struct plan_map *b)
{
    return a->row == b->row && a->dim == b->dim && a->columns == b->columns &&
           a->conflicts == b->conflicts &&
           memcmp(a->column, b->column, (size_t)a->columns * sizeof a->column[0]) == 0;
}

static struct cleave_plan_entry *find(op_set set, int block_size, int maps,
                                      const struct plan_map *map)
{
    for (struct cleave_plan_entry *e = cleave_plans; e != NULL; e = e->next) {
        int same = e->set == set && e->block_size == block_size && e->maps == maps;
        for (int m = 0; m < maps && same; m++) {
            same = same_map(&e->map[m], &map[m]);
        }
        if (same) {
            return e;
        }
    }
    return NULL;
}

static void build_for_points(struct cleave_plan_entry *entry)
{
    char error[256] = "";
    int elements = entry->set->size;
    if (plan_points_build(&entry->plan, elements, entry->maps, entry->map, error) != 0) {
        cleave_fatal("loop '%s': no plan can be made: %s", entry->loop, error);
    }
    if (cleave_settings.check_plan &&
        plan_points_check(entry->plan, elements, entry->maps, entry->map, error) != 0) {
        cleave_fatal("loop '%s': the plan is wrong: %s", entry->loop, error);
    }
    if (cleave_settings.diags >= 2) {
        cleave_plan_print(entry);
    }
}

static void build(struct cleave_plan_entry *entry)
{
    char error[256] = "";
    struct plan_options options = {entry->block_size, cleave_settings.method,
                                   cleave_settings.reverse};
    if (entry->block_size == 0) {
        build_for_points(entry);
        return;
    }
    if (plan_build(&entry->plan, &entry->metrics, entry->set->size, entry->maps, entry->map,
                   &options, error) != 0) {
        cleave_fatal("loop '%s': no plan can be made: %s", entry->loop, error);
    }
    if (cleave_settings.check_plan &&
        plan_check(entry->plan, entry->set->size, entry->maps, entry->map, error) != 0) {
        cleave_fatal("loop '%s': the plan is wrong: %s", entry->loop, error);
    }
    if (cleave_settings.diags >= 2) {
        cleave_plan_print(entry);
    }
}

struct cleave_plan_entry *cleave_plan_get(const struct cleave_call *call,
                                          const struct cleave_loop *loop, int block_size)
{
    struct plan_map map[CLEAVE_MAX_LISTS];
    op_map of[CLEAVE_MAX_LISTS];
    int maps = plan_maps(call, loop, map, of);
    struct cleave_plan_entry *entry = find(call->set, block_size, maps, map);
    if (entry != NULL) {
        return entry;
    }
    entry = cleave_alloc_zero(sizeof *entry, "a plan");
    entry->set = call->set;
    entry->block_size = block_size;
    entry->maps = maps;
    memcpy(entry->map, map, (size_t)maps * sizeof map[0]);
    memcpy(entry->of, of, (size_t)maps * sizeof of[0]);
    entry->loop = cleave_text_copy(call->name);
    entry->next = cleave_plans;
    cleave_plans = entry;
    double before = cleave_seconds();
    build(entry);
    call->record->plan_seconds += cleave_seconds() - before;
    return entry;
}

/* ---- device ------------------------------------------------------------------------------ */

static void *copy(const struct target_ops *device, const struct cleave_plan_entry *entry,
                  const void *from, size_t bytes)
{
    if (from == NULL) {
        return NULL;
    }
    void *to = cleave_target_alloc(device, bytes, "the plan of loop '%s'", entry->loop);
    cleave_target_upload(device, to, from, bytes, "a plan");
    return to;
}

static void copy_items(const struct target_ops *device, const struct cleave_plan_entry *entry,
                       int l)
{
    const struct cleave_plan_list *from = &entry->plan->list[l];
    struct cleave_plan_list *to = &entry->on_target->list[l];
    if (from->item_start == NULL) {
        return;
    }
    size_t items = (size_t)from->item_start[from->points];
    to->item_start =
        copy(device, entry, from->item_start, ((size_t)from->points + 1) * sizeof(int));
    to->item_element = copy(device, entry, from->item_element, items * sizeof(int));
    to->item_column = copy(device, entry, from->item_column, items);
}

static void copy_list(const struct target_ops *device, const struct cleave_plan_entry *entry, int l)
{
    const struct cleave_plan_list *from = &entry->plan->list[l];
    struct cleave_plan_list *to = &entry->on_target->list[l];
    size_t blocks = (size_t)entry->plan->blocks;
    size_t locals = (size_t)entry->map[l].columns * (size_t)entry->plan->size;
    to->start = copy(device, entry, from->start, (blocks + 1) * sizeof(int));
    to->point = copy(device, entry, from->point, (size_t)from->start[blocks] * sizeof(int));
    to->local = copy(device, entry, from->local, locals * sizeof from->local[0]);
}

static void copy_plan(const struct target_ops *device, struct cleave_plan_entry *entry)
{
    const struct cleave_plan *plan = entry->plan;
    size_t blocks = (size_t)plan->blocks;
    size_t size = (size_t)plan->size;
    struct cleave_plan *to = cleave_alloc(sizeof *to, "a plan");
    *to = *plan; /* numbers, and colour_start, which stays on the host */
    entry->on_target = to;
    to->start = copy(device, entry, plan->start, (blocks + 1) * sizeof(int));
    to->order = copy(device, entry, plan->order, size * sizeof(int));
    to->colour_block = copy(device, entry, plan->colour_block, blocks * sizeof(int));
    to->thread_colour =
        copy(device, entry, plan->thread_colour, size * sizeof plan->thread_colour[0]);
    to->thread_colours =
        copy(device, entry, plan->thread_colours, blocks * sizeof plan->thread_colours[0]);
    for (int l = 0; l < plan->lists; l++) {
        if (entry->block_size == 0) {
            copy_items(device, entry, l);
        } else {
            copy_list(device, entry, l);
        }
    }
}

const struct cleave_plan *cleave_plan_on(struct cleave_plan_entry *entry,
                                         const struct cleave_call *call,
                                         const struct target_ops *device)
{
    if (device == NULL) {
        return entry->plan;
    }
    if (entry->on_target == NULL) {
        double before = cleave_seconds();
        copy_plan(device, entry);
        call->record->plan_seconds += cleave_seconds() - before;
    }
    return entry->on_target;
}

static void release(const void *memory)
{
    cleave_device->release((void *)(uintptr_t)memory);
}

static void release_on_target(struct cleave_plan *plan)
{
    if (plan == NULL || cleave_device == NULL) {
        return;
    }
    release(plan->start);
    release(plan->order);
    release(plan->colour_block);
    release(plan->thread_colour);
    release(plan->thread_colours);
    for (int l = 0; l < plan->lists; l++) {
        release(plan->list[l].start);
        release(plan->list[l].point);
        release(plan->list[l].local);
        release(plan->list[l].item_start);
        release(plan->list[l].item_element);
        release(plan->list[l].item_column);
    }
    free(plan);
}

void cleave_plans_free(void)
{
    while (cleave_plans != NULL) {
        struct cleave_plan_entry *entry = cleave_plans;
        cleave_plans = entry->next;
        release_on_target(entry->on_target);
        plan_free(entry->plan);
        free(entry->loop);
        free(entry);
    }
}
