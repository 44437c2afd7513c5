/* init.c: op_init and op_exit: reads the settings, has the targets chosen, and frees all at the
 * end. */
#include "runtime/exec/exec.h"
#include "runtime/base/waiting.h"
#include "runtime/jit/jit.h"

static void at_end(void)
{
    cleave_note_ending();
    cleave_report_missed();
}

/* Registers an atexit() function once; it runs before the destructors of libraries. */
static void watch_end(void)
{
    static int watched;
    if (!watched) {
        watched = 1;
        atexit(at_end);
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
    cleave_queue_start();
    cleave_units_on_leave(cleave_records_unload);
    cleave_units_on_leave(cleave_layouts_unload);
    cleave_units_on_leave(cleave_graphs_unload);
    cleave_units_on_leave(cleave_sites_unload);
    cleave_units_on_leave(cleave_groups_unload);
    cleave_units_on_leave(cleave_constants_unload);
    cleave_units_on_leave(cleave_jit_unload);
    cleave_settings_read(argc, argv, diags);
    cleave_lanes_check(cleave_lanes_most()); /* a wrong width ends the program now */
    cleave_profile_start();
    cleave_report_start();
    cleave_units_check();
    if (cleave_settings.variant != NULL && strcmp(cleave_settings.variant, "list") == 0) {
        cleave_units_list();
        exit(0);
    }
    /* A program without loops may open libraries that have them: asked again at the first loop. */
    if (cleave_units != NULL) {
        cleave_targets_check();
    }
    cleave_module_use(1);
    cleave_lifetime = LIFETIME_STARTED;
    cleave_targets_start();
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
    cleave_flush_groups();
    cleave_recipes_forget();
    cleave_jit_stop();
    if (cleave_device != NULL && cleave_device->wait() != 0) {
        cleave_fatal("a loop failed on %s: %s", cleave_device->device(),
                     cleave_device->last_error());
    }
    cleave_worker_stop();
    cleave_verify_summary();
    cleave_plans_write();
    cleave_report_write();
    cleave_queue_free();
    cleave_order_trial_reset();
    cleave_timers_collect();
    cleave_groups_end();
    cleave_tune_end(cleave_records_seconds());
    cleave_rates_end();
    cleave_partials_free();
    cleave_plans_free();
    cleave_order_free();
    cleave_matches_free();
    cleave_constants_free();
    cleave_mesh_free();
    cleave_records_free();
    cleave_relayouts_forget();
    cleave_copies_made_forget();
    cleave_buffer_use_forget();
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
