/* cached_plans.c: the plans that loops share: one per kind, set, maps, columns and block size, made
 * at the first call that needs it, in the runtime's order of the mesh, and copied once into the
 * memory of the device. A call that can do without a plan for now asks for it: then the worker
 * makes it while loops run. */
#include "runtime/base/machine.h"
#include "runtime/base/timeline.h"
#include "runtime/mesh/plans.h"

struct cleave_plan_entry *cleave_plans;
unsigned long cleave_plans_arrived = 1;

static struct cleave_plan_entry *impossible; /* asked for, but the mesh does not allow them */
static struct cleave_plan_entry *unmade;     /* the worker had no memory for them */
static struct plan_job *asked;               /* the worker makes them; the latest first */

/* Kinds of plans that depend on more than the maps. */
static const struct {
    int block_size;
    int lanes; /* of the device */
} depends[] = {
    [CLEAVE_PLAN_BLOCKS] = {1, 0},
    [CLEAVE_PLAN_OWNERS] = {1, 1},
    [CLEAVE_PLAN_RANGES] = {0, 0},
};

/* Describes the loop's maps for the planner. */
static int plan_maps(const struct cleave_planned *call, const struct cleave_loop *loop,
                     struct plan_map *map, op_map *of)
{
    for (int l = 0; l < loop->lists; l++) {
        const struct cleave_list *list = &loop->list[l];
        of[l] = call->arg[list->arg].map;
        cleave_plan_map(&map[l], of[l], cleave_map_current(of[l], COPY_HOST));
        map[l].columns = list->columns;
        memcpy(map[l].column, list->column, sizeof map[l].column);
        map[l].conflicts = list->conflicts;
        map[l].apart = of[l]->from != call->set;
        map[l].rows = of[l]->from->size;
    }
    return loop->lists;
}

static int same_map(const struct plan_map *a, const struct plan_map *b)
{
    return a->row == b->row && a->dim == b->dim && a->columns == b->columns &&
           a->conflicts == b->conflicts &&
           memcmp(a->column, b->column, (size_t)a->columns * sizeof a->column[0]) == 0;
}

/* 1: the plan has, or will have, everything that `wanted` asks for. */
static int serves(const struct cleave_plan_entry *e, const struct cleave_plan_entry *wanted)
{
    int same = e->set == wanted->set && e->kind == wanted->kind &&
               e->block_size == wanted->block_size && e->lanes == wanted->lanes &&
               e->maps == wanted->maps &&
               (e->kind == CLEAVE_PLAN_NAMED ? e->parts == wanted->parts
                                             : (e->parts & wanted->parts) == wanted->parts);
    for (int m = 0; m < wanted->maps && same; m++) {
        same = same_map(&e->map[m], &wanted->map[m]);
    }
    return same;
}

/* NULL: no plan of the list serves. */
static struct cleave_plan_entry *find(struct cleave_plan_entry *list,
                                      const struct cleave_plan_entry *wanted)
{
    while (list != NULL && !serves(list, wanted)) {
        list = list->next;
    }
    return list;
}

/* ---- making ---------------------------------------------------------------------------------- */

static struct cleave_plan_entry wanted_for(const struct cleave_planned *call,
                                           const struct cleave_loop *loop,
                                           const struct cleave_variant *variant, int block_size,
                                           int lanes)
{
    const size_t kinds = sizeof depends / sizeof depends[0];
    const size_t kind = (size_t)variant->plan;
    struct cleave_plan_entry wanted = {
        .set = call->set,
        .kind = variant->plan,
        .block_size = kind < kinds && depends[kind].block_size ? block_size : 0,
        .lanes = kind < kinds && depends[kind].lanes ? lanes : 0,
        .parts = variant->parts};
    wanted.maps = plan_maps(call, loop, wanted.map, wanted.of);
    return wanted;
}

static struct plan_making new_making(const struct cleave_planned *call,
                                     const struct cleave_plan_entry *wanted)
{
    struct cleave_plan_entry *entry = cleave_alloc(sizeof *entry, "a plan");
    *entry = *wanted;
    entry->loop = cleave_text_copy(call->loop);
    return (struct plan_making){.entry = entry,
                                .planner = *cleave_planner(),
                                .blocks = cleave_order_blocks(entry->set, entry->block_size),
                                .has_order = cleave_order.primary != NULL,
                                .for_host = cleave_order_is_for_host(),
                                .has_lanes = cleave_has_lanes(cleave_targets.target[0])};
}

static void free_entry(struct cleave_plan_entry *entry)
{
    planner_free(entry->plan);
    free(entry->loop);
    free(entry);
}

/* Adds the plan to those that exist, or to those that cannot. */
static void keep(struct plan_making *making)
{
    struct cleave_plan_entry *entry = making->entry;
    struct cleave_plan_entry **list = making->status == 0 ? &cleave_plans : &impossible;
    entry->next = *list;
    *list = entry;
    if (cleave_settings.diags >= 2 && making->status == 0) {
        cleave_plan_print(entry);
    } else if (cleave_settings.diags >= 2) {
        printf("loop '%s': no plan for blocks of %d points: %s\n", entry->loop, entry->block_size,
               making->error);
    }
}

/* 1: the worker makes a plan that serves. */
static int is_asked(const struct cleave_plan_entry *wanted)
{
    const struct plan_job *job = asked;
    while (job != NULL && !serves(job->making.entry, wanted)) {
        job = job->next;
    }
    return job != NULL;
}

struct cleave_plan_entry *cleave_plan_get(const struct cleave_planned *call,
                                          const struct cleave_loop *loop,
                                          const struct cleave_variant *variant, int block_size,
                                          int lanes)
{
    const struct cleave_plan_entry wanted = wanted_for(call, loop, variant, block_size, lanes);
    const double before = cleave_seconds();
    if (is_asked(&wanted)) {
        const struct cleave_span span = cleave_span_begin(CLEAVE_DOING_PLANS);
        cleave_jobs_wait();
        cleave_jobs_adopt();
        cleave_span_end(span, 0);
        *call->seconds += cleave_seconds() - before;
    }
    struct cleave_plan_entry *entry = find(cleave_plans, &wanted);
    if (entry != NULL || find(impossible, &wanted) != NULL) {
        return entry;
    }
    const struct cleave_span span = cleave_span_begin(CLEAVE_DOING_PLANS);
    struct plan_making making = new_making(call, &wanted);
    cleave_plan_make(&making);
    keep(&making);
    cleave_span_end(span, 0);
    *call->seconds += cleave_seconds() - before;
    return making.status == 0 ? making.entry : NULL;
}

struct cleave_plan_entry *cleave_plan_find(const struct cleave_planned *call,
                                           const struct cleave_loop *loop,
                                           const struct cleave_variant *variant, int block_size,
                                           int lanes)
{
    const struct cleave_plan_entry wanted = wanted_for(call, loop, variant, block_size, lanes);
    return find(cleave_plans, &wanted);
}

/* ---- plans that the worker makes --------------------------------------------------------------
 */

/* 1: plans of this set may be made while loops run without them. */
static int may_come_later(op_set set)
{
    return !cleave_plans_first() && set->size >= cleave_machine.renumbered_elements;
}

static void work(struct cleave_job *job)
{
    cleave_plan_make(&((struct plan_job *)job)->making);
}

static void end(struct plan_job *job)
{
    struct plan_job **link = &asked;
    while (*link != job) {
        link = &(*link)->next;
    }
    *link = job->next;
    free(job->making.at_copy);
    free(job);
}

static void adopt(struct cleave_job *job)
{
    struct plan_job *own = (struct plan_job *)job;
    keep(&own->making);
    cleave_background.plan_seconds += job->seconds;
    cleave_background.plans++;
    cleave_plans_arrived++;
    end(own);
}

static void discard(struct cleave_job *job)
{
    struct plan_job *own = (struct plan_job *)job;
    free_entry(own->making.entry);
    end(own);
}

/* Loops ask for plans of smaller blocks, or do without. cleave_plan_get() tries once more. */
static void fail(struct cleave_job *job)
{
    struct plan_job *own = (struct plan_job *)job;
    own->making.entry->next = unmade;
    unmade = own->making.entry;
    cleave_plans_arrived++;
    end(own);
}

/* Copies the coordinates if the plan may need a numbering of its own. */
static void copy_coordinates(struct plan_making *making)
{
    if (making->blocks != NULL || making->entry->kind != CLEAVE_PLAN_BLOCKS ||
        making->entry->maps == 0 || cleave_is_runs(cleave_settings.method) ||
        cleave_settings.method.start == PLAN_START_BANDS) {
        return;
    }
    making->at_copy = cleave_coordinates_copy(&making->at);
}

static void ask(const struct cleave_planned *call, const struct cleave_plan_entry *wanted)
{
    struct plan_job *job = cleave_alloc_zero(sizeof *job, "a plan");
    job->job = (struct cleave_job){.work = work, .adopt = adopt, .discard = discard, .fail = fail};
    job->making = new_making(call, wanted);
    job->making.later = 1;
    copy_coordinates(&job->making);
    job->next = asked;
    asked = job;
    cleave_job_start(&job->job);
}

struct cleave_plan_entry *cleave_plan_request(const struct cleave_planned *call,
                                              const struct cleave_loop *loop,
                                              const struct cleave_variant *variant, int block_size,
                                              int lanes, enum cleave_plan_state *state)
{
    if (cleave_plans_are_held()) {
        *state = PLAN_AWAITED;
        return NULL;
    }
    if (!may_come_later(call->set)) {
        struct cleave_plan_entry *made = cleave_plan_get(call, loop, variant, block_size, lanes);
        *state = made != NULL ? PLAN_EXISTS : PLAN_IMPOSSIBLE;
        return made;
    }
    const struct cleave_plan_entry wanted = wanted_for(call, loop, variant, block_size, lanes);
    struct cleave_plan_entry *entry = find(cleave_plans, &wanted);
    const int cannot =
        entry == NULL && (find(impossible, &wanted) != NULL || find(unmade, &wanted) != NULL);
    *state = entry != NULL ? PLAN_EXISTS : cannot ? PLAN_IMPOSSIBLE : PLAN_AWAITED;
    if (*state == PLAN_AWAITED && !is_asked(&wanted)) {
        ask(call, &wanted);
    }
    return entry;
}

void cleave_plans_forked(void)
{
    asked = NULL;
}

/* ---- device ------------------------------------------------------------------------------ */

static int is_in_order(const struct cleave_plan *plan)
{
    int position = 0;
    while (plan->order != NULL && position < plan->size && plan->order[position] == position) {
        position++;
    }
    return plan->order == NULL || position == plan->size;
}

struct copying {
    const struct target_ops *device;
    const struct cleave_plan_entry *entry;
};

/* Copies an array to the device's memory and returns it there; some arrays stay on the host. */
static const void *copy(void *user, const struct plan_array *array, int m, const void *data)
{
    const struct copying *copying = user;
    if (array->on_host) {
        return data;
    }
    size_t bytes = planner_array_bytes(array, copying->entry->plan, m);
    void *to =
        cleave_target_alloc(copying->device, bytes, "the plan of loop '%s'", copying->entry->loop);
    cleave_target_upload(copying->device, to, data, bytes, "a plan");
    return to;
}

static void copy_plan(const struct target_ops *device, struct cleave_plan_entry *entry)
{
    struct copying copying = {device, entry};
    struct cleave_plan *to = cleave_alloc(sizeof *to, "a plan");
    *to = *entry->plan;
    if (is_in_order(to)) {
        to->order = NULL;
    }
    entry->on_target = to;
    planner_replace_arrays(to, copy, &copying);
}

size_t cleave_plan_on_bytes(const struct cleave_plan_entry *entry)
{
    size_t bytes = 0;
    if (entry->on_target != NULL) {
        return 0;
    }
    for (const struct plan_array *array = planner_arrays; array->name != NULL; array++) {
        for (int m = 0; m < (array->of_list ? entry->plan->lists : 1) && !array->on_host; m++) {
            bytes += planner_array_bytes(array, entry->plan, m);
        }
    }
    return bytes;
}

const struct cleave_plan *cleave_plan_on(struct cleave_plan_entry *entry,
                                         const struct cleave_planned *call,
                                         const struct target_ops *device)
{
    if (device == NULL) {
        return entry->plan;
    }
    if (entry->on_target == NULL) {
        double before = cleave_seconds();
        copy_plan(device, entry);
        *call->seconds += cleave_seconds() - before;
    }
    return entry->on_target;
}

static const void *release(void *user, const struct plan_array *array, int m, const void *data)
{
    (void)user;
    (void)m;
    if (!array->on_host) {
        cleave_device->release((void *)(uintptr_t)data);
    }
    return NULL;
}

/* Memory of a device that a child of fork() has lost is not its own to release. */
static void release_on_target(struct cleave_plan *plan)
{
    if (plan != NULL && cleave_device != NULL) {
        planner_replace_arrays(plan, release, NULL);
    }
    free(plan);
}

static void free_list(struct cleave_plan_entry **list)
{
    while (*list != NULL) {
        struct cleave_plan_entry *entry = *list;
        *list = entry->next;
        release_on_target(entry->on_target);
        free_entry(entry);
    }
}

void cleave_plans_free(void)
{
    cleave_flush(); /* launches that wait have plans */
    cleave_generation++;
    if (asked != NULL) {
        cleave_jobs_cancel(); /* the maps that the worker reads may go */
    }
    cleave_copies_free();
    free_list(&cleave_plans);
    free_list(&impossible);
    free_list(&unmade);
}
