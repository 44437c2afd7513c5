/* cuda_cost.c: what a variant takes of a GPU, counted for the runtime's model (runtime/model/).
 *
 * In: a variant whose kernels are known. Out: its struct cleave_cost. Each kernel adds its part:
 * the operations of its stages, the bytes that it reads and stages, how its updates reach memory.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"
#include "pass/ir/machine.h"
#include "splitter/graph/graph.h"

enum { MAP_BYTES = 4, LOCAL_BYTES = 2 }; /* an entry of a map; of a plan's list inside a block */

struct counting {
    struct emit *emit;
    const struct cuda_kernel *kernel;
    struct graph_operations operations;
    struct cleave_cost *cost;
    struct cleave_cost_list *list; /* [lists] */
    bool updated;                  /* the updates are counted */
};

static bool is_over_points(const struct cuda_kernel *kernel)
{
    return kernel->form == FORM_POINTS || kernel->form == FORM_OWNERS;
}

static const struct stage *stage_of(const struct counting *count, int s)
{
    return &count->emit->schedule->stage[s];
}

/* How often the kernel does its work for an element: once, or in each visit of a point. */
static int times_of(const struct counting *count)
{
    const struct cuda_kernel *kernel = count->kernel;
    if (!is_over_points(kernel)) {
        return 1;
    }
    return costs_modified_columns(cuda_map(count->emit, stage_of(count, kernel->stage)->map));
}

/* ---- operations ------------------------------------------------------------------------------ */

/* A visit computes the values of the other point, and uses its own point's. */
static void count_body(struct counting *count, const struct stage *stage,
                       struct graph_operations *once)
{
    if (cuda_recipe(count->emit)->walk == WALK_NAMED) {
        const struct stage elements = cuda_named_elements(count->emit, stage);
        graph_operations_add(elements.body, once);
        if (elements.body != stage->body) {
            graph_operations_add(stage->own_values->points, once);
        }
    } else if (stage->body != NULL) {
        graph_operations_add(stage->body, once);
    }
}

static void count_operations(struct counting *count)
{
    struct emit *emit = count->emit;
    const struct cuda_kernel *kernel = count->kernel;
    const struct function *called = emit->loop->kernel;
    const int times = times_of(count) * (kernel->form == FORM_BLOCKS ? cuda_slices(emit) : 1);
    struct graph_operations once = {{0, 0, 0}, {0, 0, 0}};
    if (kernel->whole && called != NULL && called->body != NULL) {
        graph_operations_add(called->body, &once);
    }
    for (int s = kernel->stage; !kernel->whole && s < kernel->stage + kernel->stages; s++) {
        count_body(count, stage_of(count, s), &once);
        once.in_double.simple += stage_of(count, s)->updates;
    }
    costs_add(&count->operations, &once, times);
}

/* ---- data --------------------------------------------------------------------------------------
 */

static struct cleave_cost_list *list_of(const struct counting *count, int arg)
{
    const int list = cuda_map(count->emit, arg)->list;
    return list >= 0 ? &count->list[list] : NULL;
}

/* The element's own records. Neighbouring threads find those of neighbouring elements side by side,
 * and copies in the order of the visits. */
static void count_own(struct counting *count)
{
    const struct emit *emit = count->emit;
    const int times = times_of(count);
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (arg->kind == ARG_DAT && !arg->is_indirect && !arg->is_point && arg->set == 0 &&
            !costs_is_repeated(emit, a)) {
            const int bytes = times * costs_moves(arg) * arg->dim * (int)arg->type->size;
            count->cost->own += bytes;
            count->cost->own_apart +=
                (is_over_points(count->kernel) && !cuda_recipe(emit)->items) ||
                        count->kernel->form == FORM_GLOBAL
                    ? bytes
                    : 0;
        }
    }
}

/* Long records of the element's own that each thread moves by itself: a warp touches as many lines
 * as it has lanes. */
static void count_strided(struct counting *count)
{
    const struct emit *emit = count->emit;
    if (count->kernel->form == FORM_ROWS || is_over_points(count->kernel)) {
        return;
    }
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (arg->kind != ARG_DAT || arg->is_indirect || costs_is_repeated(emit, a) ||
            cuda_dat(emit, a)->soa) {
            continue;
        }
        const int bytes = arg->dim * (int)arg->type->size;
        if ((size_t)bytes > machines[MACHINE_GPU].coalesced_record_bytes) {
            count->cost->own_strided += arg->access != ACCESS_WRITE ? bytes : 0;
            count->cost->own_stored += arg->access != ACCESS_READ ? bytes : 0;
        }
    }
}

static void count_reductions(struct counting *count)
{
    const struct loop *loop = count->emit->loop;
    for (int a = 0; a < loop->args && count->kernel->reduces; a++) {
        count->cost->reduced += arg_is_reduction(&loop->arg[a]) ? loop->arg[a].dim : 0;
    }
}

/* Pieces that an element reads of the group's records: one for each column. */
static int columns_of_group(const struct loop *loop, int arg)
{
    int columns = 0;
    for (int a = 0; a < loop->args; a++) {
        if (loop->arg[a].kind == ARG_DAT && args_share_group(loop, arg, a)) {
            columns += loop->arg[a].is_vector ? loop->arg[a].columns : 1;
        }
    }
    return columns;
}

static bool is_staged(const struct counting *count, const struct transfer *transfer)
{
    return count->kernel->binding[transfer->arg] == BIND_STAGED;
}

/* The data that a stage reads through maps. */
static void count_reads(struct counting *count, const struct stage *stage)
{
    const struct loop *loop = count->emit->loop;
    for (int t = 0; t < stage->transfers; t++) {
        const struct transfer *transfer = &stage->transfer[t];
        struct cleave_cost_list *list = list_of(count, transfer->arg);
        const int bytes = transfer->components * (int)loop->arg[transfer->arg].type->size;
        const int columns = columns_of_group(loop, transfer->arg) * times_of(count);
        if (transfer->kind != TRANSFER_IN || list == NULL) {
            continue;
        }
        if (is_staged(count, transfer)) {
            list->staged += bytes;
            count->cost->shared += bytes * columns;
        } else {
            list->read += bytes * columns;
            list->records += columns;
        }
    }
}

/* Without stages: every record that the kernel names; those of the point that gathers are in its
 * registers. */
static void count_named(struct counting *count)
{
    const int times = times_of(count);
    for (int a = 0; a < count->emit->loop->args; a++) {
        const struct arg *arg = &count->emit->loop->arg[a];
        if (arg->kind == ARG_DAT && arg->is_indirect && arg->set == 0 &&
            !costs_is_repeated(count->emit, a) && !shape_updates_arg(count->emit->loop, a) &&
            list_of(count, a) != NULL) {
            const int bytes = costs_moves(arg) * arg->dim * (int)arg->type->size;
            const int columns = times == 1 ? arg->columns : arg->columns * (times - 1);
            list_of(count, a)->read += bytes * columns;
            list_of(count, a)->records += columns;
            count->cost->turns += count->kernel->form == FORM_TURNS && arg->access != ACCESS_READ
                                      ? arg->dim * arg->columns
                                      : 0;
        }
    }
}

/* ---- updates -----------------------------------------------------------------------------------
 */

/* One atomic addition takes a thread's whole record: see cleave_is_wide in
 * runtime/device/transpose.cuh. */
static bool is_wide(const struct counting *count, const struct cuda_update *update)
{
    const struct arg *arg = &count->emit->loop->arg[update->arg];
    return arg->type->kind == TYPE_FLOAT && arg->access == ACCESS_INC &&
           (arg->dim == 2 || arg->dim == 4) && update->components == arg->dim &&
           !cuda_recipe(count->emit)->merges;
}

/* Whether points that no element names are read and written, too: a thread by itself leaves such a
 * point at once, but a block stores the sums of all its points, and epilogues run for each. */
static bool writes_all_points(const struct counting *count)
{
    return count->kernel->form == FORM_OWNERS || count->emit->loop->epilogues > 0;
}

/* How the kernel's updates reach memory. */
static void count_update(struct counting *count, const struct cuda_update *update)
{
    const struct recipe *recipe = cuda_recipe(count->emit);
    const struct arg *arg = &count->emit->loop->arg[update->arg];
    struct cleave_cost_list *list = list_of(count, update->arg);
    struct cleave_cost *cost = count->cost;
    const int size = (int)arg->type->size;
    const int added =
        update->components * costs_modified_columns(cuda_map(count->emit, update->arg));
    cost->added_bytes = size > cost->added_bytes ? size : cost->added_bytes;
    if (is_over_points(count->kernel)) { /* the sums stay in registers */
        list->gathered += writes_all_points(count) ? 2 * update->components * size : 0;
        return;
    }
    if (count->kernel->form == FORM_WARPS && is_wide(count, update)) {
        cost->scattered += costs_modified_columns(cuda_map(count->emit, update->arg));
    } else if (count->kernel->form == FORM_WARPS) {
        cost->coalesced += added;
        cost->lone += update->components == 1 ? added : 0;
        cost->shared += update->components == 1 && !recipe->merges ? 0 : 2 * added * size;
    } else if (count->kernel->form == FORM_ELEMENTS) {
        cost->scattered += added;
    } else if (count->kernel->form == FORM_GLOBAL) {
        list->read += 2 * added * size;
        list->records += costs_modified_columns(cuda_map(count->emit, update->arg));
    } else if (recipe->updating != NULL && recipe->updating->gathers) {
        cost->shared += added * size;
        cost->summed += added;
        list->added += recipe->updating->sums ? 0 : update->components;
        list->stored += recipe->updating->sums ? 2 * update->components * size : 0;
    } else {
        cost->shared += 3 * added * size; /* read, added to, and the zeros and the flush */
        if (count->kernel->form == FORM_COLOURS) {
            cost->turns += added;
        } else {
            cost->shared_atomics += added;
        }
        list->added += update->components;
    }
}

/* Counts the updates of a kernel that is called whole: it may add to all components. */
static void count_whole_updates(struct counting *count)
{
    const struct emit *emit = count->emit;
    for (int a = 0; a < emit->loop->args; a++) {
        bool first = shape_updates_arg(emit->loop, a);
        for (int b = 0; b < a && first; b++) {
            first = emit->shape->dat_of[b] != emit->shape->dat_of[a] ||
                    emit->shape->map_of[b] != emit->shape->map_of[a];
        }
        if (first) {
            const struct cuda_update update = {.arg = a, .components = emit->loop->arg[a].dim};
            count_update(count, &update);
        }
    }
}

static void count_updates(struct counting *count)
{
    struct emit *emit = count->emit;
    const struct recipe *recipe = cuda_recipe(emit);
    int arg;
    if (recipe->updating != NULL && recipe->updating->gathers) {
        count->cost->shared += (int)emit->schedule->tmp_bytes; /* stored for the points */
    }
    for (int m = 0; m < emit->shape->maps; m++) {
        for (int n = 0; (arg = cuda_update_arg(emit, m, n)) >= 0; n++) {
            const struct cuda_update update = cuda_find_components(emit, arg);
            count_update(count, &update);
            count->updated = true;
        }
    }
    if (!count->updated) {
        count_whole_updates(count);
    }
    count->updated = true;
}

/* Whether the kernel updates; of several that each update through one column, the first counts for
 * all. */
static bool updates(const struct counting *count)
{
    const struct cuda_kernel *kernel = count->kernel;
    for (int s = kernel->stage; !count->updated && s < kernel->stage + kernel->stages; s++) {
        if (stage_of(count, s)->updates > 0 || stage_of(count, s)->kind == STAGE_WHOLE) {
            return true;
        }
    }
    return false;
}

/* ---- lists and latencies -----------------------------------------------------------------------
 */

/* Bytes of the plan and of maps. */
static void count_lists(struct counting *count)
{
    const struct cuda_kernel *kernel = count->kernel;
    const struct recipe *recipe = cuda_recipe(count->emit);
    const struct shape *shape = count->emit->shape;
    const bool gathers = recipe->updating != NULL && recipe->updating->gathers;
    const bool direct = recipe->reads == CLEAVE_READS_DIRECT || !cuda_form(kernel->form)->stages;
    int *bytes = &count->cost->lists;
    for (int l = 0; l < shape->lists; l++) {
        const struct shape_map *map = &shape->map[shape->list[l]];
        const int columns = map->columns;
        const int modified = costs_modified_columns(map);
        if (is_over_points(kernel)) {
            const int own = shape->list[l] == shape->map_of[stage_of(count, kernel->stage)->map];
            const int local = kernel->form == FORM_OWNERS ? LOCAL_BYTES : MAP_BYTES;
            if (recipe->walk == WALK_NAMED) {
                *bytes += own * times_of(count) * MAP_BYTES *
                          cuda_named_count(count->emit, count->emit->schedule);
                continue;
            }
            *bytes += times_of(count) * (own * (MAP_BYTES + 1) + columns * local);
            count->list[l].lists += own * MAP_BYTES;
            continue;
        }
        *bytes += columns * (direct ? MAP_BYTES : LOCAL_BYTES);
        *bytes += gathers ? modified * LOCAL_BYTES : 0;
        count->list[l].lists += cuda_form(kernel->form)->blocks ? MAP_BYTES : 0;
        count->list[l].lists += gathers && modified > 0 ? LOCAL_BYTES : 0;
    }
    *bytes += kernel->form == FORM_GLOBAL ? MAP_BYTES : 0;
    *bytes += kernel->form == FORM_COLOURS || kernel->form == FORM_TURNS ? LOCAL_BYTES : 0;
}

static bool stages_data(const struct stage *stage)
{
    for (int t = 0; t < stage->transfers; t++) {
        if (stage->transfer[t].kind == TRANSFER_IN) {
            return true;
        }
    }
    return false;
}

/* A block loads its list of points, then their records, then computes; a thread loads its map, then
 * the records. Points that gather load the number of each element before its data. */
static void count_latencies(struct counting *count)
{
    const struct cuda_kernel *kernel = count->kernel;
    struct cleave_cost *cost = count->cost;
    int reading = 0;
    for (int s = kernel->stage; s < kernel->stage + kernel->stages; s++) {
        reading += stages_data(stage_of(count, s));
    }
    const bool staged =
        cuda_form(kernel->form)->stages && cuda_recipe(count->emit)->reads != CLEAVE_READS_DIRECT;
    cost->kernels++;
    cost->trips += 1 + (reading > 0 || kernel->whole) + (kernel->loads || kernel->saves);
    if (staged) {
        cost->trips += 1 + (reading > 1 ? 2 * (reading - 1) : 0);
    }
    if (cuda_form(kernel->form)->stages) {
        cost->barriers += 2 * kernel->stages;
    }
    if (is_over_points(kernel)) {
        cost->visits += times_of(count);
        cost->visit_trips =
            kernel->form == FORM_POINTS && cuda_recipe(count->emit)->walk != WALK_NAMED ? 2 : 1;
    }
}

/* ---- a variant ---------------------------------------------------------------------------------
 */

static void count_kernel(struct counting *count)
{
    const struct cuda_kernel *kernel = count->kernel;
    const size_t tmp = count->emit->variant->row->tmp_bytes;
    count_operations(count);
    count_lists(count);
    count_latencies(count);
    if (kernel->form == FORM_SUMS) {
        return;
    }
    if (kernel->stages == 0 || kernel->form == FORM_POINTS) {
        count_named(count);
    }
    for (int s = kernel->stage; s < kernel->stage + kernel->stages; s++) {
        count_reads(count, stage_of(count, s));
    }
    if (kernel->whole || kernel->stages == 0 || stage_of(count, kernel->stage)->body != NULL) {
        count_own(count);
        count_strided(count);
        count_reductions(count);
    }
    if (updates(count)) {
        count_updates(count);
    }
    count->cost->tmp += kernel->saves ? (int)tmp : 0;
    if (kernel->loads) {
        const int read = (int)tmp * times_of(count);
        count->cost->tmp += read;
        count->cost->tmp_apart += is_over_points(kernel) ? read : 0;
    }
}

void cuda_count_cost(struct emit *emit, const struct cuda_kernel *kernel, int kernels)
{
    struct arena *arena = emit->file->program->arena;
    struct cleave_cost *cost = arena_alloc(arena, sizeof(*cost));
    struct counting count = {.emit = emit, .cost = cost};
    count.list =
        arena_alloc(arena, ((size_t)emit->shape->lists + 1) * sizeof(struct cleave_cost_list));
    for (int k = 0; k < kernels; k++) {
        count.kernel = &kernel[k];
        count_kernel(&count);
    }
    cost->joins = cuda_recipe(emit)->merges;
    costs_set_operations(cost, &count.operations);
    cost->list = emit->shape->lists > 0 ? count.list : NULL;
    emit->variant->row->cost = cost;
}
