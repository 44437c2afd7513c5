/* targets.c: which targets run the loops, by the settings and by what units have code for. */
#include "runtime/exec/exec.h"

static unsigned long chosen_for; /* the cleave_units_version that the targets were chosen for */
static int device_failed;        /* a device was tried and is not usable */

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
    if (cleave_settings.backend == BACKEND_OPENMP && cleave_units_for(CLEAVE_TARGET_OPENMP) == 0) {
        cleave_fatal("CLEAVE_BACKEND=openmp, but the program holds no OpenMP code: build it with "
                     "cleavecc");
    }
    if (cleave_settings.backend == BACKEND_CUDA &&
        (cleave_units_for(CLEAVE_TARGET_CUDA) == 0 ||
         cleave_target_ops(CLEAVE_TARGET_CUDA) == NULL)) {
        cleave_fatal("CLEAVE_BACKEND=cuda, but the program holds no CUDA code: build it with "
                     "cleavecc where nvcc is installed");
    }
}

/* Starts the device when there is code for it. `required`: its absence is an error. */
static void start_device(int required)
{
    const struct target_ops *device = cleave_target_ops(CLEAVE_TARGET_CUDA);
    if (cleave_device != NULL || device_failed || device == NULL || cleave_fork_lost_device() ||
        cleave_units_for(CLEAVE_TARGET_CUDA) == 0) {
        return;
    }
    if (device->start() != 0) {
        if (required) {
            cleave_fatal("CLEAVE_BACKEND=cuda, but no device is usable: %s", device->last_error());
        }
        if (cleave_settings.diags > 0 || cleave_units_for(CLEAVE_TARGET_OPENMP) == 0) {
            cleave_note("no CUDA device is usable: %s", device->last_error());
        }
        device_failed = 1;
        return;
    }
    cleave_module_pin(device); /* what a library brings for the device serves all loops */
    cleave_device = device;
}

/* What there is now: libraries may bring more later. The device comes first, whenever it came. */
static void choose_targets(void)
{
    enum cleave_backend backend = cleave_settings.backend;
    cleave_targets.count = 0;
    if (backend == BACKEND_AUTO || backend == BACKEND_CUDA) {
        start_device(backend == BACKEND_CUDA);
    }
    if (cleave_device != NULL) {
        add_target(CLEAVE_TARGET_CUDA);
    }
    if (backend != BACKEND_SEQ && cleave_units_for(CLEAVE_TARGET_OPENMP) > 0) {
        add_target(CLEAVE_TARGET_OPENMP);
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

/* What was chosen for the device is chosen again. */
void cleave_device_lost(void)
{
    cleave_device = NULL;
    cleave_timers_forget();
    cleave_mesh_lose_device();
    choose_targets();
    cleave_generation++;
}

void cleave_targets_check(void)
{
    require_variant();
    require_code();
}

void cleave_targets_start(void)
{
    device_failed = 0;
    choose_targets();
}

void cleave_require_targets(void)
{
    if (chosen_for != cleave_units_version) {
        cleave_units_check();
        choose_targets();
        cleave_generation++;
    }
    cleave_fork_say();
    require_code();
    require_variant();
}
