/* targets.c: which targets run the loops: the device, if there is one and code for it, then the
 * host's threads. Libraries that are opened later may bring more. */
#include "runtime/base/timeline.h"
#include "runtime/exec/launcher.h"

/* Kernels whose code is loaded ahead, at most. */
enum { PREPARED_KERNELS = 128 };

static unsigned long chosen_for; /* the cleave_units_version that the targets were chosen for */
static int device_failed[CLEAVE_TARGETS]; /* it was tried and is not usable */
static int begun[CLEAVE_TARGETS];         /* prepare() was called, and start() was not */

static void add_target(enum cleave_target target)
{
    for (int t = 0; t < cleave_targets.count; t++) {
        if (cleave_targets.target[t] == target) {
            return;
        }
    }
    cleave_targets.target[cleave_targets.count++] = target;
}

/* Ends the program where the user asks for a backend that no unit has code for. */
static void require_code(void)
{
    const int wanted = cleave_wanted_target();
    if (wanted < 0) {
        return;
    }
    const enum cleave_target target = (enum cleave_target)wanted;
    if (cleave_units_for(target) == 0 ||
        (cleave_has_lanes(target) && cleave_target_ops(target) == NULL)) {
        const struct cleave_target_row *row = &cleave_target_row[target];
        cleave_fatal("CLEAVE_BACKEND=%s, but the program holds no %s code: build it with %s",
                     row->word, row->spelling, row->builder);
    }
}

static int has_host_code(void)
{
    int units = 0;
    for (int t = 0; t < CLEAVE_TARGETS; t++) {
        units += cleave_has_lanes(t) ? 0 : cleave_units_for(t);
    }
    return units > 0;
}

/* The first variant without a plan, which runs until there are plans; as many as the loop has
 * variants if all need one. */
static int first_without_plan(const struct cleave_loop *loop)
{
    int v = 0;
    while (v < loop->variants && loop->variant[v].plan != CLEAVE_PLAN_NONE) {
        v++;
    }
    return v;
}

/* The variant that is the n-th likely one: that without a plan, then those that the compiler lists
 * first. NULL: there is none, or it comes before. */
static const struct cleave_variant *likely(const struct cleave_loop *loop, int n)
{
    const int first = first_without_plan(loop);
    const int v = n == 0 ? first : n - 1;
    return v >= loop->variants || (n > 0 && v == first) ? NULL : &loop->variant[v];
}

/* Puts the kernels of the n-th likely variant of all loops for the target behind the others.
 * Returns how many there are then. */
static int add_kernels(enum cleave_target target, int n, const void **kernel, int kernels)
{
    for (const struct cleave_unit_entry *e = cleave_units; e != NULL; e = e->next) {
        for (int l = 0; e->unit->target == target && l < e->unit->loops; l++) {
            const struct cleave_variant *variant = likely(&e->unit->loop[l], n);
            if (variant != NULL && variant->kernel != NULL && kernels < PREPARED_KERNELS) {
                kernel[kernels++] = variant->kernel;
            }
        }
    }
    return kernels;
}

/* Lets the device begin with its start, and make ready what the first loops need. They run variants
 * without plans, then one of those that the compiler lists first, or fall back on the next. */
static void begin_device(const struct target_ops *device)
{
    enum { LIKELY = 3 };
    const void *kernel[PREPARED_KERNELS];
    int kernels = 0;
    for (int n = 0; n < LIKELY; n++) {
        kernels = add_kernels(device->target, n, kernel, kernels);
    }
    begun[device->target] = 1;
    cleave_module_pin(device); /* a library must not be closed while its code runs beside */
    device->prepare(kernel, kernels);
}

/* 1: loops of the target may run, on a device that has neither been started nor failed. */
static int is_startable(enum cleave_target target)
{
    return cleave_has_lanes(target) && cleave_device == NULL && !device_failed[target] &&
           cleave_target_ops(target) != NULL && !cleave_fork_lost_device() &&
           cleave_units_for(target) > 0 &&
           (cleave_settings.backend == BACKEND_AUTO || cleave_wanted_target() == (int)target);
}

/* Starts the device when there is code for it; that it is not usable is an error where it is
 * wanted. */
static void start_device(enum cleave_target target)
{
    const struct target_ops *device = cleave_target_ops(target);
    const struct cleave_target_row *row = &cleave_target_row[target];
    if (!is_startable(target)) {
        return;
    }
    if (device->prepare != NULL && !begun[target]) {
        begin_device(device);
    }
    begun[target] = 0;
    const double begin = cleave_moment_begin();
    const int failed = device->start() != 0;
    cleave_moment_end("wait for the start of the device", NULL, begin);
    if (failed) {
        if (cleave_wanted_target() == (int)target) {
            cleave_fatal("CLEAVE_BACKEND=%s, but no device is usable: %s", row->word,
                         device->last_error());
        }
        if (cleave_settings.diags > 0 || !has_host_code()) {
            cleave_note("no %s device is usable: %s", row->spelling, device->last_error());
        }
        device_failed[target] = 1;
        return;
    }
    cleave_module_pin(device); /* what a library brings for the device serves all loops */
    cleave_device = cleave_gate(device);
}

/* Chooses among the targets that exist now; libraries may bring more later. The device comes first,
 * whenever it came. */
static void choose_targets(void)
{
    const enum cleave_backend backend = cleave_settings.backend;
    cleave_targets.count = 0;
    for (int t = 0; t < CLEAVE_TARGETS; t++) {
        start_device(t);
    }
    if (cleave_device != NULL) {
        add_target(cleave_device->target);
    }
    for (int t = 0; t < CLEAVE_TARGETS; t++) {
        if (!cleave_has_lanes(t) && backend != BACKEND_SEQ && cleave_units_for(t) > 0) {
            add_target(t);
        }
    }
    chosen_for = cleave_units_version;
}

static void require_variant(void)
{
    if (cleave_settings.variant != NULL && !cleave_units_have_named()) {
        cleave_fatal("CLEAVE_VARIANT=%s names none of the compiled variants; CLEAVE_VARIANT=list "
                     "lists them",
                     cleave_settings.variant);
    }
}

void cleave_targets_check(void)
{
    require_code();
    require_variant();
}

/* Lets one device begin. 0: there is none, or it has nothing to begin with. */
static int begin_some_device(void)
{
    for (int t = 0; t < CLEAVE_TARGETS; t++) {
        if (is_startable(t) && cleave_target_ops(t)->prepare != NULL) {
            begin_device(cleave_target_ops(t));
            return 1;
        }
    }
    return 0;
}

void cleave_targets_start(void)
{
    memset(device_failed, 0, sizeof device_failed);
    memset(begun, 0, sizeof begun);
    if (begin_some_device()) {
        cleave_settle_by(choose_targets);
    } else {
        choose_targets();
    }
}

int cleave_targets_begin(void)
{
    int begins = 0;
    for (int t = 0; t < CLEAVE_TARGETS; t++) {
        begins |= begun[t];
    }
    return begins;
}

void cleave_targets_require(void)
{
    if (chosen_for != cleave_units_version) {
        cleave_units_check();
        choose_targets();
        cleave_generation++;
    }
    cleave_fork_say();
    cleave_targets_check();
}

/* Makes calls whose variant was chosen for the device choose again. */
void cleave_device_lost(void)
{
    cleave_device = NULL;
    cleave_queue_forget();
    cleave_timers_forget();
    cleave_mesh_lose_device();
    cleave_rates_forget();
    choose_targets();
    cleave_generation++;
}
