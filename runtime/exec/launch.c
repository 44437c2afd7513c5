/* launch.c: runs a compiled variant of a loop: chooses it, gets its plan, makes the data current
 * where it runs, starts it and combines its reductions. Nothing waits for the device but
 * reductions. */
#include "runtime/exec/exec.h"

/* What runs such calls, kept from call to call. */
struct candidate {
    struct cleave_choice choice;
    const char *name; /* of the variant, for the records */
    /* cleave_constants_version() when the loop last got its constants, plus 1; 0: never. */
    unsigned long constants;
};

/* What the variant's cleave_launch points to. */
static struct {
    void *data[CLEAVE_MAX_ARGS];
    const int *map[CLEAVE_MAX_ARGS];
    int map_dim[CLEAVE_MAX_ARGS];
    const int *number[CLEAVE_MAX_ARGS];
    int stride[CLEAVE_MAX_ARGS];
    void *partial[CLEAVE_MAX_ARGS];
    int *where[CLEAVE_MAX_ARGS];
    void *result[CLEAVE_MAX_ARGS];
    int *result_where[CLEAVE_MAX_ARGS];
    const void *derived[CLEAVE_MAX_ARGS * CLEAVE_MAX_LISTS];
} arrays;

/* ---- start ------------------------------------------------------------------------------- */

/* The dat of argument a where the variant runs, and as it wants it. */
static void *data_of(const op_arg *arg, int a, const struct cleave_choice *c)
{
    if (c->device == NULL) {
        void *data = cleave_dat_current(arg->dat, COPY_HOST);
        if (arg->acc != OP_READ) {
            cleave_dat_open(arg->dat, COPY_HOST);
        }
        return data;
    }
    int soa = c->variant->soa != NULL && c->variant->soa[a];
    arrays.stride[a] = soa ? cleave_dat_stride(cleave_dat_of(arg->dat)) : 0;
    return cleave_dat_on_device(arg->dat, soa);
}

static void gather_argument(const struct cleave_call *call, int a, const struct cleave_choice *c)
{
    const op_arg *arg = &call->arg[a];
    enum cleave_copy copy = cleave_copy_for(c->device);
    arrays.data[a] = NULL;
    arrays.number[a] = NULL;
    arrays.stride[a] = 0;
    arrays.map[a] = arg->map != NULL ? cleave_map_current(arg->map, copy) : NULL;
    arrays.map_dim[a] = arg->map != NULL ? arg->map->dim : 0;
    if (!cleave_arg_on(arg)) {
        return;
    }
    if (arg->argtype == CLEAVE_ARG_DAT) {
        arrays.data[a] = data_of(arg, a, c);
    } else if (arg->argtype == CLEAVE_ARG_IDX) {
        arrays.number[a] =
            cleave_numbers_current(arg->map != NULL ? arg->map->to : call->set, copy);
    } else {
        arrays.data[a] = arg->data;
    }
    if (arg->argtype == CLEAVE_ARG_INFO) {
        arrays.number[a] = cleave_numbers_current(call->set, copy);
    }
}

static void check_launched(const struct cleave_call *call, const struct cleave_choice *c)
{
    const char *error = cleave_launch_failure(c->unit->unit);
    if (error != NULL) {
        cleave_fatal("loop '%s' (%s:%d): '%s' failed on %s: %s", call->name, call->site->file,
                     call->site->line, c->variant->name, c->device->device(), error);
    }
}

static void mark_written(const struct cleave_call *call, const struct target_ops *device)
{
    for (int a = 0; a < call->args; a++) {
        if (cleave_arg_uses_dat(&call->arg[a]) && call->arg[a].acc != OP_READ) {
            cleave_dat_written(call->arg[a].dat, cleave_copy_for(device));
        }
    }
}

/* Starts it on the device, under the kernel's name for profilers; some calls are timed there. */
static void start(struct cleave_call *call, const struct cleave_choice *c,
                  const struct cleave_launch *launch)
{
    c->device->range(call->record->kernel);
    int timer = cleave_timer_begin(call);
    c->variant->run(launch);
    check_launched(call, c);
    cleave_timer_end(call, timer);
    c->device->range(NULL);
    call->unwaited = 1;
}

/* The blocks that cleave_launch.blocks counts. */
static int blocks_of(const struct cleave_call *call, const struct cleave_choice *c)
{
    const struct cleave_plan *plan = c->plan != NULL ? c->plan->plan : NULL;
    int blocks = 0;
    if (c->variant->plan == CLEAVE_PLAN_BLOCKS) {
        return plan->blocks;
    }
    if (c->variant->plan != CLEAVE_PLAN_COLOURS) {
        return (call->set->size - 1) / c->block_size + 1;
    }
    for (int colour = 0; colour < plan->global_colours; colour++) {
        int elements = plan->global_start[colour + 1] - plan->global_start[colour];
        blocks += (elements - 1) / c->block_size + 1;
    }
    return blocks;
}

static void *tmp_of(const struct cleave_call *call, const struct cleave_choice *c)
{
    if (c->variant->sums_bytes != NULL) {
        return cleave_tmp(call, c->device, c->variant->sums_bytes(c->plan->plan), "sums of blocks");
    }
    const size_t bytes = c->variant->tmp_bytes * (size_t)call->set->size;
    return bytes > 0 ? cleave_tmp(call, c->device, bytes, "contributions") : NULL;
}

/* Fills the launch; 0: the variant cannot have the copies that it reads. They come last, so that
 * they take no memory that the rest needs. */
static int make_launch(struct cleave_call *call, const struct cleave_choice *c,
                       struct cleave_launch *made)
{
    struct cleave_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.size = call->set->size;
    launch.threads = c->block_size;
    launch.blocks = blocks_of(call, c);
    for (int a = 0; a < call->args; a++) {
        gather_argument(call, a, c);
    }
    launch.partial = arrays.partial;
    launch.where = arrays.where;
    launch.result = c->device != NULL ? arrays.result : NULL;
    launch.result_where = c->device != NULL ? arrays.result_where : NULL;
    cleave_partials_place(call, c->device, &launch,
                          (struct cleave_parts){arrays.partial, arrays.where},
                          (struct cleave_parts){arrays.result, arrays.result_where});
    launch.data = arrays.data;
    launch.map = arrays.map;
    launch.map_dim = arrays.map_dim;
    launch.number = arrays.number;
    launch.stride = arrays.stride;
    const struct cleave_planned planned = cleave_planned_of(call);
    launch.plan = c->plan != NULL ? cleave_plan_on(c->plan, &planned, c->device) : NULL;
    if (launch.size > 0) {
        launch.tmp = tmp_of(call, c);
    }
    launch.shared_bytes = c->shared_bytes;
    launch.stream = c->device != NULL ? c->device->stream() : NULL;
    launch.derived = c->variant->deriveds > 0 ? arrays.derived : NULL;
    *made = launch;
    return cleave_derived_require(call, c->variant, c->plan, arrays.derived);
}

/* Called with the state of dats held. On the host other threads may have it while kernels run, which may
 * read globals in an old dat->data; a launch on a device must find its memory as it was gathered. */
static void run_variant(struct cleave_call *call, const struct cleave_choice *c,
                        struct cleave_launch *launch)
{
    if (c->device != NULL) {
        start(call, c, launch);
    } else {
        cleave_dats_release();
        cleave_pace_run(&call->prepared->pace, call->set->size, c->variant->run, launch);
        cleave_dats_hold();
    }
    mark_written(call, c->device);
    cleave_partials_combine(call, c->device, c->loop, launch);
}

/* Before the first loop through a map the mesh is put into order. */
static void require_order(struct cleave_call *call)
{
    int uses_map = 0;
    for (int a = 0; a < call->args; a++) {
        uses_map |= call->arg[a].map != NULL;
    }
    if (uses_map) {
        double before = cleave_seconds();
        cleave_order_require();
        call->record->plan_seconds += cleave_seconds() - before;
    }
}

/* What was chosen for such a call before, else what is chosen now; NULL when no variant can run. */
static struct candidate *chosen(struct cleave_call *call)
{
    struct cleave_prepared *prepared = call->prepared;
    struct candidate candidate;
    if (prepared->choice != NULL && prepared->chosen_at == cleave_generation) {
        return prepared->choice;
    }
    cleave_fork_say();
    memset(&candidate, 0, sizeof candidate);
    require_order(call);
    if (!cleave_choose(call, &candidate.choice)) {
        return NULL;
    }
    candidate.name = cleave_record_text(candidate.choice.variant->name);
    if (prepared->choice == NULL) {
        prepared->choice = cleave_alloc(sizeof candidate, "a call of a loop");
    }
    *prepared->choice = candidate;
    prepared->chosen_at = cleave_generation;
    return prepared->choice;
}

/* 1: a constant has no value that could be copied: said once. */
static int lacks_constant(const struct cleave_call *call, const struct candidate *candidate)
{
    const struct cleave_constant *lack =
        cleave_constants_lack(candidate->choice.unit, candidate->choice.loop);
    if (lack != NULL && !call->match->said) {
        call->match->said = 1;
        cleave_warning(
            "loop '%s' (%s:%d) runs sequentially: its kernel uses %s '%s', which %s", call->name,
            call->site->file, call->site->line, lack->in_object ? "the constant" : "the pointer",
            lack->name,
            lack->in_object ? "the host compiler left out of the object; declare it with op_decl_const"
                            : "no op_decl_const has given a value");
    }
    return lack != NULL;
}

int cleave_launch_call(struct cleave_call *call)
{
    struct cleave_launch launch;
    CLEAVE_HOLD_DATS;
    struct candidate *candidate = chosen(call);
    while (candidate != NULL && !make_launch(call, &candidate->choice, &launch)) {
        candidate = chosen(call);
    }
    if (candidate == NULL) {
        return 0;
    }
    if (candidate->constants != cleave_constants_version() + 1) {
        if (lacks_constant(call, candidate)) {
            return 0;
        }
        cleave_constants_set(candidate->choice.unit, candidate->choice.loop);
        candidate->constants = cleave_constants_version() + 1;
    }
    cleave_constants_look(candidate->choice.unit, candidate->choice.loop);
    call->record->variant = candidate->name;
    call->record->target = cleave_target_row[candidate->choice.target].word;
    call->record->started = candidate->choice.device != NULL ? candidate->choice.variant->kernel : NULL;
    call->record->unloaded = 0;
    call->record->block_size = candidate->choice.block_size;
    call->record->shared_bytes = candidate->choice.shared_bytes;
    run_variant(call, &candidate->choice, &launch);
    return 1;
}
