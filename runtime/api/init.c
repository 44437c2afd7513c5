/* init.c: op_init and op_exit: reads the settings, decides which targets run the loops, and frees
 * all at the end. */
#include "runtime/api/init_impl.h"
#include "runtime/exec/exec.h"
#include "runtime/base/waiting.h"


static void choose_targets(void);

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

/* What was chosen for the device is chosen again. */
void cleave_device_lost(void)
{
    cleave_device = NULL;
    cleave_timers_forget();
    cleave_mesh_lose_device();
    choose_targets();
    cleave_generation++;
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

/* Once: what is registered here runs before the destructors of libraries, when the program ends. */
static void watch_end(void)
{
    static int watched;
    if (!watched) {
        watched = 1;
        atexit(cleave_note_ending);
    }
}

void op_init(int argc, char **argv, int diags)
{
    CLEAVE_ENTER("op_init");
    if (cleave_lifetime == LIFETIME_STARTED) {
        return;
    }
    watch_end();
    cleave_fork_watch();
    cleave_units_on_leave(cleave_records_unload);
    cleave_units_on_leave(cleave_layouts_unload);
    cleave_units_on_leave(cleave_sites_unload);
    cleave_units_on_leave(cleave_constants_unload);
    cleave_settings_read(argc, argv, diags);
    cleave_units_check();
    if (cleave_settings.variant != NULL && strcmp(cleave_settings.variant, "list") == 0) {
        cleave_units_list();
        exit(0);
    }
    /* A program without loops may open libraries that have them: asked again at the first loop. */
    if (cleave_units != NULL) {
        require_variant();
        require_code();
    }
    cleave_module_use(1);
    cleave_lifetime = LIFETIME_STARTED;
    device_failed = 0;
    choose_targets();
}

void op_init_soa(int argc, char **argv, int diags, int soa)
{
    op_init(argc, argv, diags);
    OP_auto_soa = soa != 0;
    if (soa) {
        cleave_note("op_init_soa: layouts on the GPU are compiled into the kernels: build with "
                    "--cleave-soa=all to have all dats as structures of arrays");
    }
}

void op_exit(void)
{
    CLEAVE_ENTER("op_exit");
    if (cleave_lifetime != LIFETIME_STARTED) {
        return;
    }
    if (cleave_device != NULL && cleave_device->wait() != 0) {
        cleave_fatal("a loop failed on %s: %s", cleave_device->device(),
                     cleave_device->last_error());
    }
    cleave_verify_summary();
    cleave_plans_write();
    cleave_partials_free();
    cleave_plans_free();
    cleave_order_free();
    cleave_matches_free();
    cleave_loop_free();
    cleave_constants_free();
    cleave_mesh_free();
    cleave_records_free();
    cleave_relayouts_forget();
    cleave_derived_made_forget();
    cleave_profile_free();
    cleave_op_words_free();
    OP_maps_base_index = 0;
    if (cleave_device != NULL) {
        cleave_device->stop();
    }
    cleave_device = NULL;
    cleave_targets.count = 0;
    cleave_module_use(0);
    cleave_waiting_short(0);
    cleave_lifetime = LIFETIME_ENDED;
}
