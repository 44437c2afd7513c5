/* planted.c: loops on a device whose times are planted: that calls try variants and block sizes,
 * settle on the fastest, keep it for the next run, and stay right whatever happens meanwhile. */
#include "planted.h"

/* ---- tests -------------------------------------------------------------------------------------
 */

/* 1: all calls of the variant, which was never the best, were measured. */
static int ran_as_measured(const char *variant)
{
    int samples = 0;
    int calls_of_it = 0;
    for (int n = 0; n < trials()->count; n++) {
        samples +=
            strcmp(trials()->trial[n].variant, variant) == 0 ? trials()->trial[n].samples : 0;
    }
    for (int t = 0; t < tries; t++) {
        calls_of_it += strncmp(tried[t], variant, strlen(variant)) == 0 ? runs[t] : 0;
    }
    return samples > 0 && samples == calls_of_it;
}

/* Finds the best variant, then its best block size; the next run begins with it. */
static void test_finds(void)
{
    for (late = 0; late < 400; late += late < 20 ? 10 : 300) {
        empty_store();
        plant_usual();
        start();
        calls(2500);
        CHECK(trials()->settled && !trials()->from_store);
        CHECK_TEXT(chosen()->variant, "flux_fused_atomic");
        CHECK(chosen()->block_size == 256 && launched_size == 256);
        CHECK(was_tried("flux_twopass") && was_tried("flux_fused_colour"));
        CHECK(!was_tried("flux_fused_colour 256"));
        CHECK(ran_as_measured("flux_twopass") && ran_as_measured("flux_fused_colour"));
        CHECK(sums_are_right(2500));
        CHECK(trials()->lost_seconds < 0.03 * 1000 * 100e-3 * SLOWER);
        op_exit();
        CHECK(in_use == 0);
        start();
        calls(300);
        CHECK(trials()->settled && trials()->from_store);
        CHECK(tries == 1 && was_tried("flux_fused_atomic 256"));
        CHECK(sums_are_right(300));
        op_exit();
    }
    late = 0;
}

/* Timers that were set beside those by which the record of a variant samples its calls: `calls` of
 * them. */
static int timed_besides_samples(int calls)
{
    int samples = 0;
    for (long next = 0; next < calls; next += next / 2 + 1) {
        samples++;
    }
    return timed - samples;
}

/* A program that ends before its trials do: runs as long as it begin with the best so far, go on
 * where they were, and end them; the next one measures nothing. */
static void test_goes_on(void)
{
    int settled = 0;
    empty_store();
    plant_usual();
    start();
    calls(250);
    CHECK(!trials()->settled && samples_of_all() > 3);
    int samples = samples_of_all();
    op_exit();
    for (int run = 0; run < 20 && !settled; run++) {
        start();
        call_flux();
        CHECK(samples_of_all() >= samples && trials()->rests);
        CHECK_TEXT(launched, chosen()->variant);
        calls(349);
        CHECK(samples_of_all() > samples && sums_are_right(350));
        samples = samples_of_all();
        settled = trials()->settled;
        op_exit();
    }
    CHECK(settled);
    start();
    calls(350);
    CHECK(trials()->from_store && chosen()->block_size == 256 && trials()->measured_now == 0);
    CHECK(tries == 1 && timed_besides_samples(350) == 0 && trials()->setup_seconds == 0.0);
    op_exit();
}

/* Trials that have measured nothing, because the run was too short, are not looked for again. */
static void test_nothing_found(void)
{
    empty_store();
    plant_usual();
    for (int p = 0; p < 8; p++) {
        planted[p].seconds = 50e-6 / SLOWER;
    }
    for (int run = 0; run < 2; run++) {
        start();
        calls(500);
        CHECK(!trials()->settled && trials()->rests == run && samples_of_all() == 0);
        CHECK(tries == 1 && timed_besides_samples(500) == 0);
        op_exit();
    }
}

/* Candidates whose plans the worker makes join the others when these have come. */
static void test_background(void)
{
    int count = 0;
    empty_store();
    plant_usual();
    setenv("CLEAVE_PLAN", "background", 1);
    start();
    do {
        calls(100);
        count += 100;
        usleep(1000);
    } while ((trials() == NULL || !trials()->settled) && count < 1000000);
    CHECK(trials()->settled && chosen()->block_size == 256);
    CHECK(trials()->setup_seconds < 0.5 && sums_are_right(count));
    op_exit();
    setenv("CLEAVE_PLAN", "wait", 1);
}

static void with(const char *name, const char *value, const char *only, const char *never)
{
    const int count = only != NULL ? 300 : 1000;
    setenv(name, value, 1);
    start();
    calls(count);
    CHECK(sums_are_right(count));
    CHECK(only == NULL || (tries == 1 && was_tried(only)));
    CHECK(never == NULL || !was_tried(never));
    if (only != NULL && !(tries == 1 && was_tried(only))) {
        fprintf(stderr, "  %s=%s: %d tried, the first is %s\n", name, value, tries, tried[0]);
    }
    op_exit();
    unsetenv(name);
}

/* Forced properties are not varied, and some runs try nothing. */
static void test_settings(void)
{
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    plant_usual();
    with("CLEAVE_TUNE", "off", "flux_split_colour 128", NULL);
    device_clock.untimed = 1;
    with("CLEAVE_TUNE", "", "flux_split_colour 128", NULL); /* the default on an emulator */
    device_clock.untimed = 0;
    with("CLEAVE_TUNE", "", NULL, NULL); /* and on a device */
    CHECK(was_tried("flux_fused_atomic 256"));
    setenv("CLEAVE_TUNE", "auto", 1);
    with("CLEAVE_VARIANT", "*_twopass", "flux_twopass 128", NULL);
    with("CLEAVE_SCHEDULE", "split", NULL, "flux_fused");
    CHECK(was_tried("flux_split_colour 256"));
    with("CLEAVE_RACES", "colour", NULL, "flux_fused_atomic");
    with("CLEAVE_BLOCK_SIZE", "64", NULL, "flux_fused_atomic 256");
    CHECK(was_tried("flux_fused_atomic 64"));
    with("CLEAVE_DETERMINISTIC", "1", "flux_twopass", NULL);
    with("CLEAVE_VERIFY", "1", "flux_split_colour 128", NULL);
    with("CLEAVE_TIMING", "1", NULL, NULL);
    CHECK(was_tried("flux_fused_atomic 256") && timed >= 300);
    tuned_variants[0].lanes = 16; /* the rule prefers several elements at once */
    with("CLEAVE_TIMING", "0", NULL, NULL);
    CHECK(was_tried("flux_fused_atomic"));
    tuned_variants[0].lanes = 0;
    setenv("CLEAVE_PLAN_CACHE", folder, 1);
}

/* All candidates are measured as often, and trials of a run that skipped some do not count. */
static void test_full(void)
{
    empty_store();
    plant_usual();
    plant("flux_split3", 0, 1.0);
    planted[1].seconds = 300e-3; /* fused_colour: slow, but with blocks of 512 the fastest */
    planted[5].variant = "flux_fused_colour";
    planted[5].block_size = 512;
    planted[5].seconds = 20e-3;
    const double slow = planted[1].seconds;
    planted[1].block_size = 128;
    start();
    calls(2000);
    CHECK(trials()->settled && chosen()->seconds > 50e-3 * SLOWER);
    op_exit();
    setenv("CLEAVE_TUNE", "full", 1);
    for (int run = 0; run < 2; run++) {
        start();
        calls(300);
        CHECK(trials()->settled && trials()->from_store == run);
        CHECK(trials()->count == 16);
        CHECK_TEXT(chosen()->variant, "flux_fused_colour");
        CHECK(chosen()->block_size == 512);
        for (int n = 0; n < trials()->count; n++) {
            CHECK(trials()->trial[n].samples >= 7);
        }
        CHECK(tries == (run == 0 ? 16 : 1) && slow > 0.0);
        op_exit();
    }
    setenv("CLEAVE_TUNE", "auto", 1);
    start();
    call_flux();
    CHECK(trials()->from_store && was_tried("flux_fused_colour 512"));
    op_exit();
}

/* A candidate that cannot be launched runs nothing, and another one runs the call. */
static void test_unlaunchable(void)
{
    empty_store();
    plant_usual();
    unlaunchable = "flux_fused_atomic";
    start();
    calls(1000);
    CHECK(trials()->settled && was_tried("flux_fused_atomic"));
    CHECK_TEXT(chosen()->variant, "flux_split_colour");
    CHECK(sums_are_right(1000));
    op_exit();
    unlaunchable = NULL;
}

/* A candidate does not take the last memory of the device. */
static void test_memory(void)
{
    empty_store();
    plant_usual();
    start();
    call_flux();
    budget = in_use + (200 << 10); /* the contributions of flux_twopass take 160 kB */
    calls(1000);
    CHECK(trials()->settled && !was_tried("flux_twopass"));
    CHECK(sums_are_right(1001));
    op_exit();
    budget = (size_t)1 << 30;
}

/* A loop has trials for each mesh, not for each dat; they go on when choices become invalid, but
 * not when the mesh is numbered anew. */
static void test_meshes(void)
{
    empty_store();
    plant_usual();
    start();
    calls(150);
    const int samples = samples_of_all();
    op_dat keep = res;
    res = op_decl_dat_temp(points, 1, "double", (double *)NULL, "temporary");
    calls(150);
    CHECK(samples_of_all() > samples && cleave_trials_of("flux", "flux", trials()) == NULL);
    CHECK(sums_are_right(150));
    op_free_dat_temp(res);
    res = keep;
    cleave_force_variant("flux_twopass");
    calls(5);
    cleave_force_variant(NULL);
    calls(5);
    CHECK(cleave_trials_of("flux", "flux", trials()) == NULL);
    cleave_settings.renumber = 1;
    cleave_settings.plans_first = 1; /* else the calls that follow wait for no order */
    op_partition("hilbert", "", edges, ends, NULL);
    calls(5);
    CHECK(cleave_trials_of("flux", "flux", trials()) != NULL);
    calls(2000);
    CHECK(trials()->settled && sums_are_right(2165));
    op_exit();
    CHECK(in_use == 0);
}

/* A launch for which the driver waits until there is room, and copies of plans that wait until the
 * device has run what was submitted before, cost the trials little. */
static void test_room(void)
{
    for (int copies = 0; copies < 2; copies++) {
        empty_store();
        plant_usual();
        room = copies ? 0 : 100000;
        start();
        calls(5);
        moves_in.tv_nsec = copies ? 30000000 : 0;
        uploads = 0;
        calls(1500);
        const double waited = copies ? 30e-3 * uploads : 1e-6 * room * (tries - 1);
        CHECK(tries > 2 && waited > 0.1 && trials()->setup_seconds < 0.5 * waited);
        moves_in.tv_nsec = 0;
        op_exit();
    }
    room = 0;
}

/* The trials of a short loop end at once, those of a loop over few elements do not begin. */
static void test_short(void)
{
    empty_store();
    plant_usual();
    for (int p = 0; p < 8; p++) {
        planted[p].seconds = 1e-6 / SLOWER;
    }
    start();
    calls(100);
    CHECK(trials()->settled && tries == 1);
    op_exit();
}

static void show_trials(void)
{
    const struct cleave_account *account = cleave_tune_account();
    fprintf(stderr, "  settled %d, from the store %d, chosen %d; %g s taken, %g s spent\n",
            trials()->settled, trials()->from_store, trials()->chosen, account->taken,
            account->spent);
    for (int n = 0; n < trials()->count; n++) {
        const struct cleave_trial *trial = &trials()->trial[n];
        fprintf(stderr, "  %s %d: %s, %d samples, %g s %s\n", trial->variant, trial->block_size,
                cleave_trial_state_word(trial->state), trial->samples, trial->seconds,
                trial->why != NULL ? trial->why : "");
    }
}

static void one_run(void)
{
    start();
    calls(2000);
    const int good = trials()->settled && sums_are_right(2000) &&
                     strcmp(chosen()->variant, "flux_fused_atomic") == 0;
    if (!good) {
        show_trials();
    }
    op_exit();
    exit(good && check_failures == 0 ? 0 : 3);
}

/* Programs that start together share one store. */
static void test_processes(void)
{
    enum { MANY = 20 };
    pid_t child[MANY];
    int status;
    empty_store();
    plant_usual();
    for (int c = 0; c < MANY; c++) {
        child[c] = fork();
        if (child[c] == 0) {
            omp_set_num_threads(1);
            one_run();
        }
    }
    for (int c = 0; c < MANY; c++) {
        CHECK(waitpid(child[c], &status, 0) == child[c] && status == 0);
    }
    start();
    call_flux();
    CHECK(trials()->from_store && was_tried("flux_fused_atomic 256") && tries == 1);
    op_exit();
}

/* Cuts or changes each file of the folder of tuned choices. */
static void damage(int cut)
{
    glob_t found;
    char pattern[64];
    snprintf(pattern, sizeof pattern, "%s/tuned-1/*", folder);
    CHECK(glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc == 1);
    FILE *file = fopen(found.gl_pathv[0], "r+");
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    if (cut) {
        CHECK(ftruncate(fileno(file), size / 2) == 0);
    } else {
        fseek(file, size / 2, SEEK_SET);
        fputc('?', file);
    }
    fclose(file);
    globfree(&found);
}

static void cut_run(void)
{
    damage(1);
    one_run();
}

static void changed_run(void)
{
    damage(0);
    one_run();
}

/* A damaged entry is said, not used, and replaced. */
static void test_damage(void)
{
    static void (*const runs[])(void) = {cut_run, changed_run};
    char said[4096];
    for (int r = 0; r < 2; r++) {
        CHECK(child_run(runs[r], said, sizeof said) == 0);
        CHECK(strstr(said, "damaged") != NULL);
        CHECK(child_run(one_run, said, sizeof said) == 0);
        CHECK(strstr(said, "damaged") == NULL);
    }
}

/* The child of a fork has no device: its loops run on the host, and its parent's go on. */
static void test_fork(void)
{
    int status = 0;
    empty_store();
    plant_usual();
    start();
    calls(25);
    const pid_t child = fork();
    if (child == 0) {
        fclose(stderr);
        calls(40);
        _exit(trials()->settled == 0 && sums_are_right(65) ? 0 : 3);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    calls(2000);
    CHECK(trials()->settled && sums_are_right(2025));
    op_exit();
}

int main(void)
{
    plant_device();
    test_processes(); /* before this one starts threads */
    test_damage();
    test_fork();
    test_finds();
    test_goes_on();
    test_nothing_found();
    test_background();
    test_settings();
    test_full();
    test_unlaunchable();
    test_memory();
    test_meshes();
    test_room();
    test_short();
    unplant_device();
    return CHECK_RESULT();
}
