/* launch.c: runs a compiled variant of a loop: chooses it, gets its plan, makes the data current
 * where it runs, starts it and combines its reductions. Nothing waits for the device but
 * reductions. */
#include "runtime/exec/exec.h"

#include <fnmatch.h>

/* A variant that can run, with what it needs. */
struct candidate {
    struct cleave_unit_entry *unit;
    const struct cleave_loop *loop;
    const struct cleave_variant *variant;
    const char *name;                /* of the variant, for the records */
    const struct target_ops *device; /* NULL: the host */
    enum cleave_target target;
    struct cleave_plan_entry *plan;
    int block_size;
    size_t shared_bytes;
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

/* ---- choice ------------------------------------------------------------------------------ */

int cleave_schedule_number(const struct cleave_variant *variant)
{
    static const struct {
        enum cleave_schedule kind;
        int cuts;
    } schedules[] = {
#define CLEAVE_SCHEDULE(place, kind, cuts, word, meaning) {CLEAVE_##kind, cuts},
#include "cleave_words.def"
    };
    const int count = (int)(sizeof schedules / sizeof schedules[0]);
    for (int s = 0; s < count; s++) {
        if (schedules[s].kind == variant->schedule &&
            (variant->schedule != CLEAVE_SPLIT || schedules[s].cuts == variant->cuts)) {
            return s;
        }
    }
    return count; /* none that a setting can name */
}

/* What a variant's fitness is made of: larger counts for more than all smaller ones together. */
enum { READS = 1, RACE = 2, SCHEDULE = 8, NAMED = 16, BEST_FIT = 2 * NAMED - 1 };

int cleave_variant_is_named(const struct cleave_variant *variant)
{
    return cleave_settings.variant != NULL &&
           fnmatch(cleave_settings.variant, variant->name, 0) == 0;
}

/* 0 to 2. Where a schedule has no variant of the usual kind, atomic operations are faster than
 * colours on a GPU; where the order must be fixed, sums of blocks are. */
static int race_fits(const struct cleave_call *call, const struct candidate *c,
                     const struct cleave_variant *variant, int ordered)
{
    int race = cleave_settings.race;
    if (race < 0) {
        const int on_gpu = c->target == CLEAVE_TARGET_CUDA;
        race = !on_gpu ? CLEAVE_RACE_COLOUR : ordered ? CLEAVE_RACE_ORDERED : cleave_usual_race(call, c->loop);
        if (on_gpu && variant->race == CLEAVE_RACE_ATOMIC) {
            return 1;
        }
    }
    return (int)variant->race == race || variant->race == CLEAVE_RACE_NONE ? 2 : 0;
}

static const struct cleave_variant *coloured(const struct candidate *c)
{
    for (int v = 0; v < c->loop->variants; v++) {
        const struct cleave_variant *variant = &c->loop->variant[v];
        if (variant->race == CLEAVE_RACE_COLOUR && variant->schedule == CLEAVE_FUSED) {
            return variant;
        }
    }
    return NULL;
}

/* On a GPU, of those that are ordered: the first that needs no colours; where points lose that by
 * colours with one stage, whose elements take turns once, if no blocks make sums or few points have
 * any. */
static const struct cleave_variant *preferred_ordered(const struct cleave_call *call,
                                                      const struct candidate *c)
{
    const int few = cleave_few_points_named(call);
    const int lose = few || cleave_many_points_each(call);
    const struct cleave_variant *by_colour = lose ? coloured(c) : NULL;
    if (few && by_colour != NULL) {
        return by_colour;
    }
    for (int v = 0; v < c->loop->variants; v++) {
        const enum cleave_race race = c->loop->variant[v].race;
        if (race == CLEAVE_RACE_ORDERED || (race == CLEAVE_RACE_NONE && !lose)) {
            return &c->loop->variant[v];
        }
    }
    return by_colour != NULL ? by_colour : &c->loop->variant[0];
}

/* 1: there are fewer elements than points that they may modify, as of a mesh's boundary. Then few
 * points have anything to sum, and those that visit their elements all look for them. */
static int has_few_elements(const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (cleave_arg_uses_dat(arg) && arg->map != NULL && arg->acc != OP_READ &&
            arg->map->to->size > call->set->size) {
            return 1;
        }
    }
    return 0;
}

/* The variant whose schedule is taken without a wish: the first that suits the call. */
static const struct cleave_variant *preferred(const struct cleave_call *call,
                                              const struct candidate *c, int ordered)
{
    if (ordered && c->target == CLEAVE_TARGET_CUDA) {
        return preferred_ordered(call, c);
    }
    const struct cleave_variant *variant = c->loop->variant;
    if (c->target == CLEAVE_TARGET_CUDA && has_few_elements(call)) {
        for (int v = 0; v < c->loop->variants; v++) {
            if (variant[v].schedule != CLEAVE_OWNER_GATHER) {
                return &variant[v];
            }
        }
    }
    return variant;
}

/* How well a variant fits the settings: larger is better, BEST_FIT at most. */
static int fitness(const struct cleave_call *call, const struct candidate *c,
                   const struct cleave_variant *variant, int schedule, int ordered)
{
    return NAMED * cleave_variant_is_named(variant) +
           SCHEDULE * (cleave_schedule_number(variant) == schedule) +
           RACE * race_fits(call, c, variant, ordered) +
           READS * ((int)variant->reads == cleave_settings.reads);
}

static size_t shared_bytes_of(const struct candidate *c)
{
    if (c->device == NULL || c->variant->shared_bytes == NULL) {
        return 0;
    }
    return c->variant->shared_bytes(c->plan != NULL ? c->plan->plan : NULL);
}

/* What kernels without a plan run best with on a GPU (measured on an H200): warps that add by
 * themselves wait for no other, so that small blocks end early; large ones pay where all threads
 * copy records. */
static int planless_block_size(const struct cleave_call *call, const struct cleave_variant *variant)
{
    if (variant->race == CLEAVE_RACE_TRANSPOSE) {
        return 64;
    }
    return variant->race == CLEAVE_RACE_NONE && !cleave_call_reduces(call) ? 256 : 128;
}

/* Elements per block, one thread each: fewer where the kernel's registers allow no more threads. */
static int largest_block(const struct cleave_call *call, const struct candidate *c)
{
    int size = cleave_block_size(c->target);
    if (cleave_blocks_show(call, c->variant)) {
        size = cleave_steady_block_size(c->target);
    } else if (cleave_settings.block_size == 0 && c->target == CLEAVE_TARGET_CUDA &&
               c->variant->plan == CLEAVE_PLAN_NONE) {
        size = planless_block_size(call, c->variant);
    }
    int most = 0;
    if (c->device != NULL && c->device->most_threads != NULL && c->variant->kernel != NULL) {
        most = c->device->most_threads(c->variant->kernel) / 32 * 32;
    }
    return most > 0 && most < size ? most : size;
}

/* The blocks of a plan get smaller until it can be made and the variant's shared memory fits; 0
 * when it never does. */
static int plan_fits(const struct cleave_call *call, struct candidate *c)
{
    const size_t limit = c->device != NULL ? c->device->shared_limit() : 0;
    const int has_blocks =
        c->variant->plan == CLEAVE_PLAN_BLOCKS || c->variant->plan == CLEAVE_PLAN_OWNERS;
    c->block_size = largest_block(call, c);
    c->plan = NULL;
    for (;;) {
        if (c->variant->plan != CLEAVE_PLAN_NONE) {
            c->plan = cleave_plan_get(call, c->loop, c->variant, c->block_size);
        }
        if (c->plan != NULL || c->variant->plan == CLEAVE_PLAN_NONE) {
            c->shared_bytes = shared_bytes_of(c);
            if (c->shared_bytes <= limit) {
                return 1;
            }
        }
        if (!has_blocks || c->block_size / 2 < 32) {
            return 0;
        }
        c->block_size /= 2;
    }
}

/* Tries the variants of one loop, best first, those of equal fitness in their order. */
static int choose_variant(const struct cleave_call *call, struct candidate *c)
{
    const int ordered = cleave_must_be_ordered(call);
    const int schedule = cleave_settings.schedule >= 0
                             ? cleave_settings.schedule
                             : cleave_schedule_number(preferred(call, c, ordered));
    for (int level = BEST_FIT; level >= 0; level--) {
        for (int v = 0; v < c->loop->variants; v++) {
            c->variant = &c->loop->variant[v];
            if (fitness(call, c, c->variant, schedule, ordered) == level &&
                (!ordered || cleave_race_is_ordered(c->variant->race)) &&
                cleave_derived_allowed(call, c->variant) && plan_fits(call, c)) {
                return 1;
            }
        }
    }
    return 0;
}

/* CLEAVE_VARIANT and CLEAVE_DETERMINISTIC may exclude each other. */
static void say_left_out(const struct cleave_call *call, const struct candidate *c)
{
    if (call->match->said || cleave_variant_is_named(c->variant)) {
        return;
    }
    for (int v = 0; v < c->loop->variants; v++) {
        const struct cleave_variant *variant = &c->loop->variant[v];
        if (cleave_variant_is_named(variant) && !cleave_race_is_ordered(variant->race)) {
            call->match->said = 1;
            cleave_warning(
                "loop '%s' (%s:%d) runs as '%s': the order of sums in '%s', which CLEAVE_VARIANT "
                "names, changes from run to run, and CLEAVE_DETERMINISTIC=1 is set",
                call->name, call->site->file, call->site->line, c->variant->name, variant->name);
            return;
        }
    }
}

static int choose(const struct cleave_call *call, struct candidate *c)
{
    for (int l = 0; l < call->match->loops; l++) {
        c->unit = call->match->unit[l];
        c->loop = call->match->loop[l];
        c->target = c->unit->unit->target;
        c->device = c->target == CLEAVE_TARGET_CUDA ? cleave_device : NULL;
        if (c->target == CLEAVE_TARGET_CUDA && c->device == NULL) {
            continue; /* a child of fork() has lost it */
        }
        if (c->device != NULL && cleave_settings.no_device) {
            continue;
        }
        if (choose_variant(call, c)) {
            if (cleave_must_be_ordered(call)) {
                say_left_out(call, c);
            }
            return 1;
        }
        if (call->match->said) {
            continue;
        }
        call->match->said = 1;
        if (cleave_say_unordered(call, c->loop, c->device->device())) {
            continue;
        }
        cleave_warning("loop '%s' (%s:%d): no variant runs on %s: blocks of %d elements still need "
                       "%zu bytes of shared memory, %zu are there",
                       call->name, call->site->file, call->site->line, c->device->device(),
                       c->block_size, c->shared_bytes, c->device->shared_limit());
    }
    return 0;
}

/* ---- start ------------------------------------------------------------------------------- */

/* The dat of argument a where the variant runs, and as it wants it. */
static void *data_of(const op_arg *arg, int a, const struct candidate *c)
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

static void gather_argument(const struct cleave_call *call, int a, const struct candidate *c)
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

static void check_launched(const struct cleave_call *call, const struct candidate *c)
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
static void start(struct cleave_call *call, const struct candidate *c,
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
static int blocks_of(const struct cleave_call *call, const struct candidate *c)
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

static void *tmp_of(const struct cleave_call *call, const struct candidate *c)
{
    if (c->variant->sums_bytes != NULL) {
        return cleave_tmp(call, c->device, c->variant->sums_bytes(c->plan->plan), "sums of blocks");
    }
    const size_t bytes = c->variant->tmp_bytes * (size_t)call->set->size;
    return bytes > 0 ? cleave_tmp(call, c->device, bytes, "contributions") : NULL;
}

/* Fills the launch; 0: the variant cannot have the copies that it reads. They come last, so that
 * they take no memory that the rest needs. */
static int make_launch(struct cleave_call *call, const struct candidate *c,
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
    launch.plan = c->plan != NULL ? cleave_plan_on(c->plan, call, c->device) : NULL;
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
static void run_variant(struct cleave_call *call, const struct candidate *c,
                        const struct cleave_launch *launch)
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
    if (!choose(call, &candidate)) {
        return NULL;
    }
    candidate.name = cleave_record_text(candidate.variant->name);
    if (prepared->choice == NULL) {
        prepared->choice = cleave_alloc(sizeof candidate, "a call of a loop");
    }
    *prepared->choice = candidate;
    prepared->chosen_at = cleave_generation;
    return prepared->choice;
}

/* 1: a pointer of the program's, whose size is not known, was not declared: said once. */
static int lacks_constant(const struct cleave_call *call, const struct candidate *candidate)
{
    const char *name = cleave_constants_lack(candidate->unit, candidate->loop);
    if (name != NULL && !call->match->said) {
        call->match->said = 1;
        cleave_warning(
            "loop '%s' (%s:%d) runs sequentially: its kernel uses the pointer '%s', which no "
            "op_decl_const has given a value",
            call->name, call->site->file, call->site->line, name);
    }
    return name != NULL;
}

int cleave_launch_call(struct cleave_call *call)
{
    struct cleave_launch launch;
    CLEAVE_HOLD_DATS;
    struct candidate *candidate = chosen(call);
    while (candidate != NULL && !make_launch(call, candidate, &launch)) {
        candidate = chosen(call);
    }
    if (candidate == NULL) {
        return 0;
    }
    if (candidate->constants != cleave_constants_version() + 1) {
        if (lacks_constant(call, candidate)) {
            return 0;
        }
        cleave_constants_set(candidate->unit, candidate->loop);
        candidate->constants = cleave_constants_version() + 1;
    }
    call->record->variant = candidate->name;
    call->record->target = candidate->target == CLEAVE_TARGET_CUDA ? "cuda" : "openmp";
    call->record->started = candidate->device != NULL ? candidate->variant->kernel : NULL;
    call->record->unloaded = 0;
    call->record->block_size = candidate->block_size;
    call->record->shared_bytes = candidate->shared_bytes;
    run_variant(call, candidate, &launch);
    return 1;
}
