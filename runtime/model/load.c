/* load.c: what a call takes of the machine: the compiler's counts per element and point, times the
 * sizes of the mesh and of the plan. Sizes of a plan that does not exist yet come from samples of
 * the maps (sample.c). */
#include "runtime/model/model.h"

enum {
    MAP_BYTES = 4,
    CACHED_WINDOW = 128, /* elements whose points L1 holds at once */
    HOST_WINDOW = 1024,  /* elements whose points the caches of a core hold at once */
    SECTOR = 32,         /* bytes that L2 gives at a time */
    LINE = 64            /* bytes that the memory of a host gives at a time */
};

struct counting {
    const struct cleave_call *call;
    const struct cleave_choice *choice;
    const struct cleave_cost *cost;
    double elements;
    double work; /* threads that step through visits, by visits: at least 1; see padding_of */
};

static const struct cleave_plan *plan_of(const struct counting *count)
{
    return count->choice->plan != NULL ? count->choice->plan->plan : NULL;
}

static int target_points(const struct counting *count, int l)
{
    return count->call->arg[count->choice->loop->list[l].arg].map->to->size;
}

/* 1: the list's map starts at another set than the loop's, a small one: next to nothing moves. */
static int is_apart(const struct counting *count, int l)
{
    return cleave_arg_set(count->call, count->choice->loop->list[l].arg) != count->call->set;
}

static int modified_columns(const struct cleave_list *list)
{
    int columns = 0;
    for (unsigned bits = list->conflicts; bits != 0; bits &= bits - 1) {
        columns++;
    }
    return columns;
}

/* ---- sizes of the plan ---------------------------------------------------------------------- */

/* Points of all neighbourhoods. Without a plan: a block of points is named by about as many
 * consecutive elements as belong to it; as many points as these name besides stand on either side
 * of it. */
static double points_around(const struct counting *count, int l)
{
    const struct cleave_list *list = &count->choice->loop->list[l];
    const double points = target_points(count, l);
    const double block = count->choice->block_size;
    if (plan_of(count) != NULL) {
        const struct cleave_plan_list *planned = &plan_of(count)->list[l];
        return planned->owners > 0 ? planned->around_start[planned->owners] : 0.0;
    }
    if (modified_columns(list) == 0 || points == 0.0) {
        return 0.0;
    }
    const double window = fmax(1.0, block * count->elements / points);
    const double named =
        window * cleave_sample_points(count->call, list, (int)fmin(window, 1024.0));
    return points / block * (block + 2.0 * fmax(named - block, 0.0));
}

/* Points that blocks list, once for each block that lists them. */
static double points_in_blocks(const struct counting *count, int l)
{
    const struct cleave_list *list = &count->choice->loop->list[l];
    switch (count->choice->variant->plan) {
    case CLEAVE_PLAN_BLOCKS:
        if (plan_of(count) != NULL) {
            return plan_of(count)->list[l].start[plan_of(count)->blocks];
        }
        return count->elements * cleave_sample_points(count->call, list, count->choice->block_size);
    case CLEAVE_PLAN_OWNERS:
        return points_around(count, l);
    default:
        return count->cost->visits > 0 && modified_columns(list) > 0 ? target_points(count, l)
                                                                     : 0.0;
    }
}

/* Entries that threads step through for each visit: lanes wait for the point of their warp that has
 * most elements. */
static double padding_of(const struct counting *count)
{
    const struct cleave_plan *plan = plan_of(count);
    double entries = 0.0;
    double items = 0.0;
    const enum cleave_plan_kind kind = count->choice->variant->plan;
    if ((kind != CLEAVE_PLAN_OWNERS && kind != CLEAVE_PLAN_NAMED) || plan == NULL) {
        return count->cost->visits > 0 ? 1.1 : 1.0;
    }
    const int lanes = kind == CLEAVE_PLAN_NAMED ? CLEAVE_NAMED_LANES : plan->lanes;
    for (int l = 0; l < plan->lists; l++) {
        entries += (double)lanes * plan->list[l].rows;
        items += is_apart(count, l) ? 0.0 : count->elements * plan->list[l].modified;
    }
    return items > 0.0 ? fmax(entries / items, 1.0) : 1.0;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* A piece of memory at any multiple of 8 bytes, in whole sectors, on average. */
static double in_sectors(double bytes)
{
    return bytes > 0.0 ? bytes + SECTOR - 8 : 0.0;
}

static void add_list(const struct counting *count, int l, struct cleave_load *load)
{
    const struct cleave_cost_list *cost = &count->cost->list[l];
    const struct cleave_list *list = &count->choice->loop->list[l];
    const double points = points_in_blocks(count, l);
    const double staged = cost->staged * points;
    const double lists = cost->lists * points;
    const double stored = cost->stored * points;
    load->memory += lists + stored - MAP_BYTES * list->columns * count->elements;
    load->l2 += staged + lists + stored;
    load->shared += staged;
    load->memory += cost->gathered * fmax(points - count->elements * list->columns, 0.0);
    if (cost->records > 0) {
        const int apart = count->choice->variant->race == CLEAVE_RACE_GLOBAL;
        const double distinct =
            apart ? list->columns : cleave_sample_points(count->call, list, CACHED_WINDOW);
        const double pieces = (double)cost->records / MAX(list->columns, 1);
        load->apart += cost->read * count->elements;
        load->memory += apart ? cost->read * count->elements : 0.0;
        const double piece = cost->read / (double)cost->records;
        load->l2 += distinct * count->elements * pieces * (apart ? in_sectors(piece) : piece + 8.0);
    }
}

static void add_bytes(const struct counting *count, struct cleave_load *load)
{
    const struct cleave_cost *cost = count->cost;
    const int times = MAX(cost->visits, 1);
    const double apart = times * in_sectors((double)cost->own_apart / times);
    load->memory +=
        cleave_useful_bytes(count->call) - cleave_zero_bytes(count->call, count->choice, 1);
    load->memory += (cost->lists * count->work + cost->tmp) * count->elements;
    load->l2 += (cost->own - cost->own_apart + apart + cost->lists * count->work + cost->tmp +
                 cost->tmp_apart) *
                count->elements;
    load->apart += (cost->own_apart + cost->tmp_apart) * count->elements;
    load->shared += cost->shared * count->elements * count->work;
    for (int l = 0; l < count->choice->loop->lists && cost->list != NULL; l++) {
        if (!is_apart(count, l)) {
            add_list(count, l, load);
        }
    }
}

/* ---- operations and additions ---------------------------------------------------------------- */

static double weighed(const struct cleave_operations *operations,
                      const struct cleave_weights *weight)
{
    return operations->simple + weight->division * operations->divisions +
           weight->function * operations->functions;
}

/* Neighbouring lanes that name one point are joined to one addition. */
static double joined(const struct counting *count)
{
    const struct cleave_loop *loop = count->choice->loop;
    double changes = 0.0;
    double columns = 0.0;
    for (int l = 0; l < loop->lists && count->cost->joins; l++) {
        const int modified = modified_columns(&loop->list[l]);
        changes += modified * cleave_sample_changes(count->call, &loop->list[l]);
        columns += modified;
    }
    return columns > 0.0 ? changes / columns : 1.0;
}

static void add_operations(const struct counting *count, struct cleave_load *load)
{
    const struct cleave_cost *cost = count->cost;
    const double times = count->elements * count->work;
    load->in_double += weighed(&cost->in_double, &cleave_machine.in_double) * times;
    load->in_float += weighed(&cost->in_float, &cleave_machine.in_float) * times;
    load->summed += cost->summed * count->elements;
    load->components = count->choice->variant->components;
    load->shared_atomics += cost->shared_atomics * count->elements;
}

static void add_additions(const struct counting *count, struct cleave_load *load)
{
    const struct cleave_cost *cost = count->cost;
    struct cleave_added added = {.by_lane = cost->scattered * count->elements,
                                 .by_warp = cost->coalesced * count->elements,
                                 .joined = joined(count)};
    for (int l = 0; l < count->choice->loop->lists && cost->list != NULL; l++) {
        added.by_block += cost->list[l].added * points_in_blocks(count, l);
    }
    if (added.by_lane + added.by_warp + added.by_block > 0.0) {
        cleave_load_additions(count->call, count->choice, &added, load);
    }
}

static double colours_of(const struct counting *count)
{
    const struct cleave_plan *plan = plan_of(count);
    switch (count->choice->variant->race) {
    case CLEAVE_RACE_COLOUR:
        return plan != NULL ? plan->colours : 6.0;
    case CLEAVE_RACE_GLOBAL:
        return plan != NULL ? plan->global_colours : 8.0;
    default:
        return 1.0;
    }
}

/* ---- the host -------------------------------------------------------------------------------- */

/* Records that are read again from memory because the elements that name them are far apart: a
 * window of consecutive elements names each once, but several windows name it. */
static double read_again(const struct counting *count, int l)
{
    const struct cleave_list *list = &count->choice->loop->list[l];
    const double named = count->elements * cleave_sample_points(count->call, list, HOST_WINDOW);
    return fmax(named - target_points(count, l), 0.0);
}

/* Bytes, which threads of the host move through their own caches, and how often all threads meet.
 */
static void add_host(const struct counting *count, struct cleave_load *load)
{
    const struct cleave_cost *cost = count->cost;
    const struct cleave_choice *choice = count->choice;
    double maps = 0.0;
    double named = 0.0;
    for (int l = 0; l < choice->loop->lists && cost->list != NULL; l++) {
        const struct cleave_cost_list *list = &cost->list[l];
        maps += MAP_BYTES * choice->loop->list[l].columns;
        named += list->read;
        if (list->records > 0) {
            const double record = fmax((double)list->read / list->records, LINE);
            load->memory += record * read_again(count, l);
        }
    }
    load->memory += cleave_useful_bytes(count->call) +
                    (fmax(cost->lists - maps, 0.0) + cost->tmp) * count->elements;
    load->l2 = (cost->own + cost->lists + cost->tmp + named) * count->elements;
    load->apart = named * count->elements;
    load->launches = cost->kernels * colours_of(count);
    load->threads = count->elements;
    load->lane_bytes = cleave_lane_bytes(choice->variant->lanes, cleave_lanes_most());
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Rounds in which elements of a block take turns. */
static double rounds_of(const struct counting *count)
{
    return count->choice->plan != NULL ? count->choice->plan->metrics.thread_colours : 8.0;
}

static double points_that_gather(const struct counting *count)
{
    double points = 0.0;
    for (int l = 0; l < count->choice->loop->lists; l++) {
        const int gathers =
            modified_columns(&count->choice->loop->list[l]) > 0 && !is_apart(count, l);
        points += gathers ? target_points(count, l) : 0;
    }
    return points;
}

static void add_threads(const struct counting *count, struct cleave_load *load)
{
    const struct cleave_cost *cost = count->cost;
    const struct target_ops *device = count->choice->device;
    const double visits = cost->visits * count->elements * count->work;
    struct target_kernel takes = {0};
    load->threads = cost->visits > 0 ? points_that_gather(count) : count->elements;
    load->waits = cost->trips * load->threads;
    load->visits = cost->visit_trips * visits;
    load->barriers = cost->barriers * load->threads;
    load->strided = cost->own_strided * count->elements;
    load->stored = cost->own_stored * count->elements;
    load->reduced = cost->reduced;
    load->blocks = load->threads / count->choice->block_size;
    load->turns = cost->turns > 0 ? rounds_of(count) * load->threads : 0.0;
    load->turn_values = load->turns * cost->turns;
    load->launches = cost->kernels * colours_of(count);
    if (device->kernel_takes != NULL && count->choice->variant->kernel != NULL) {
        device->kernel_takes(count->choice->variant->kernel, count->choice->block_size,
                             count->choice->shared_bytes, &takes);
    }
    load->resident = takes.resident_threads > 0 ? takes.resident_threads : 1024.0;
    load->spilled = 2.0 * takes.local_bytes * fmax(load->threads, visits);
}

int cleave_load_of(const struct cleave_call *call, const struct cleave_choice *choice,
                   struct cleave_load *load)
{
    struct counting count = {.call = call,
                             .choice = choice,
                             .cost = choice->variant->cost,
                             .elements = call->set->size,
                             .work = 1.0};
    *load = (struct cleave_load){.on_device = choice->device != NULL};
    if (count.cost == NULL) {
        return 0;
    }
    count.work = padding_of(&count);
    add_operations(&count, load);
    if (choice->device == NULL) {
        add_host(&count, load);
        return 1;
    }
    add_bytes(&count, load);
    add_additions(&count, load);
    add_threads(&count, load);
    return 1;
}
