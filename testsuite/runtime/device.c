/* device.c: a target with a memory of its own (here malloc with a budget): what is copied and when,
 * what happens when memory, shared memory or the device itself is missing, and that all is
 * released. */
#include "ring.h"

#include "check.h"
#include "child.h"
#include "fake_device.h"

/* ---- units: flux for the device, norm for the host; the first two variants of flux in this order
 * -- */

static struct cleave_variant device_variants[] = {
    {"flux_fused_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_fused_run, 0, 0, &threads, NULL, 0, NULL, NULL, NULL, 0, CLEAVE_WORST_RANK, 0},
    {"flux_fused_atomic", CLEAVE_FUSED, 0, CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_atomic_run, 0, 0, &threads, NULL, 0, NULL, NULL, NULL, 0, 1, 0}};
/* Scratch memory of the reduction: needed without a plan, too. */
static size_t norm_shared(const struct cleave_plan *plan)
{
    return plan == NULL ? 48 : 1;
}

static size_t norm_shared_seen;

/* The partial results are joined here, in the order of the blocks. */
static void norm_device_run(const struct cleave_launch *l)
{
    const double *const sum = l->partial[1];
    const double *const least = l->partial[2];
    const double *const most = l->partial[3];
    double *result[4] = {NULL, l->result[1], l->result[2], l->result[3]};
    norm_shared_seen = l->shared_bytes;
    norm_run(l);
    CHECK(l->result[0] == NULL && *l->arrived == 0);
    *result[1] = 0.0;
    *result[2] = least[0];
    *result[3] = most[0];
    for (int b = 0; b < l->blocks; b++) {
        *result[1] += sum[b];
        *result[2] = MIN(*result[2], least[b]);
        *result[3] = MAX(*result[3], most[b]);
    }
}

static const struct cleave_variant norm_device_variants[] = {
    {"norm_fused", CLEAVE_FUSED, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_NONE, 0, norm_shared,
     norm_device_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0}};
static struct cleave_loop device_loops[] = {{FLUX_LOOP(2, device_variants)},
                                            {NORM_LOOP(TEXT(NORM_CALL), norm_device_variants)}};
static const struct cleave_loop host_loops[] = {{NORM_LOOP(TEXT(NORM_CALL), norm_variants)}};
static struct cleave_unit device_unit = {RING_UNIT(CLEAVE_TARGET_CUDA, 1, device_loops)};
static const struct cleave_unit host_unit = {RING_UNIT(CLEAVE_TARGET_OPENMP, 1, host_loops)};

static void start(void)
{
    start_ring();
    uploads = downloads = waits = marks = 0;
}

static void call_norm(double *result)
{
    double sum = 0.0;
    double least = 100.0;
    double most = 0.0;
    LOOP(NORM_CALL);
    result[0] = sum;
    result[1] = least;
    result[2] = most;
}

/* ---- what moves -------------------------------------------------------------------------- */

static void test_transfers(void)
{
    double result[3];
    setenv("CLEAVE_WATCH", "off", 1); /* watch.c looks without asking */
    start();
    unsetenv("CLEAVE_WATCH");
    call_flux();
    CHECK(flux_runs == 1);
    CHECK_TEXT(flux_variant, "flux_fused_atomic");
    CHECK(flux_block_size == 128);
    CHECK(uploads > 3 && downloads == 0 && waits == 0);
    CHECK(((double *)(void *)res->data)[1] == 0.0); /* the host copy is old until it is fetched */
    uploads = 0;
    call_flux();
    CHECK(uploads == 0 && downloads == 0 && waits == 0);
    CHECK(flux_is_right(3.0));
    CHECK(downloads == 1); /* res; q is current on both sides */
    call_norm(result);
    CHECK(norm_runs == 1 && uploads == 0 && downloads == 1); /* on the host: q is current there */
    CHECK(result[1] == 1.0 && result[2] == 5.0);
    ((double *)(void *)res->data)[1] = 0.0;
    op_put_data(res);
    call_flux();
    CHECK(uploads == 1);
    op_get_data(res);
    CHECK(downloads == 2);
    op_exit();
    CHECK(in_use == 0);
}

static void test_reference_moves(void)
{
    start();
    call_flux();
    downloads = 0;
    op_par_loop(flux, "not compiled", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ),
                op_arg_dat(q, 1, ends, 1, "double", OP_READ),
                op_arg_dat(res, 0, ends, 1, "double", OP_INC),
                op_arg_dat(res, 1, ends, 1, "double", OP_INC));
    CHECK(downloads == 1);
    uploads = 0;
    call_flux();
    CHECK(uploads == 1);
    CHECK(flux_is_right(4.5));
    op_exit();
    CHECK(in_use == 0);
}

static void test_device_reductions(void)
{
    double result[3];
    device_unit.loops = 2;
    start();
    for (int i = 0; i < 2; i++) {
        call_norm(result);
    }
    /* One wait for the three reductions of a call, and no copy: q and the counter went up once. */
    CHECK(norm_runs == 2 && downloads == 0 && waits == 2 && uploads == 2 && norm_shared_seen == 48);
    CHECK(result[0] > 1000.0 && result[1] == 1.0 && result[2] == 5.0);
    op_exit();
    CHECK(in_use == 0);
    device_unit.loops = 1;
}

static void test_temporary(void)
{
    op_dat keep;
    start();
    call_flux();
    keep = res;
    size_t before = in_use;
    uploads = downloads = 0;
    res = op_decl_dat_temp(points, 1, "double", NULL, "temp");
    call_flux();
    CHECK(in_use == before + RING * sizeof(double));
    CHECK(uploads == 0 && downloads == 0); /* its zeros are made on the device */
    CHECK(flux_is_right(1.5));
    op_free_dat_temp(res);
    CHECK(in_use == before);
    res = keep;
    op_exit();
    CHECK(in_use == 0);
}

/* The host may write a dat that was declared without data before the first loop sees it. */
static void test_touched(void)
{
    op_dat keep;
    start();
    call_flux();
    keep = res;
    uploads = 0;
    res = op_decl_dat_temp(points, 1, "double", NULL, "temp");
    ((double *)res->data)[RING - 1] = 4.0;
    call_flux();
    CHECK(uploads == 1);
    op_get_data(res);
    ((double *)res->data)[RING - 1] -= 4.0;
    op_put_data(res);
    CHECK(flux_is_right(1.5));
    op_free_dat_temp(res);
    res = keep;
    op_exit();
}

static void test_shared_memory(void)
{
    shared_bytes = 90 * 16; /* blocks of 64 reach 65 points or a few more, blocks of 128 over 128 */
    start();
    call_flux();
    CHECK(flux_runs == 1 && flux_block_size == 64);
    CHECK(flux_is_right(1.5));
    op_exit();
    device_variants[0].shared_bytes = NULL;
    shared_bytes = 16;
    start();
    call_flux();
    CHECK_TEXT(flux_variant, "flux_fused_colour"); /* the other one never fits */
    CHECK(flux_block_size == 128);
    op_exit();
    device_variants[0].shared_bytes = flux_shared;
    shared_bytes = (size_t)1 << 20;
}

/* The line of flux in the table of times. */
static void read_line(char *flux, int capacity)
{
    const char *name = "cleave_test_samples.csv";
    char line[512] = "";
    flux[0] = '\0';
    op_timings_to_csv(name);
    FILE *file = fopen(name, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "flux,", 5) == 0) {
            snprintf(flux, (size_t)capacity, "%s", line);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    remove(name);
}

/* A kernel with many registers runs in whole warps of fewer threads than were asked for. */
static void test_registers(void)
{
    threads = 107;
    start();
    call_flux();
    CHECK(flux_runs == 1 && flux_block_size == 96);
    CHECK(flux_is_right(1.5));
    op_exit();
    threads = 0; /* not known */
    start();
    call_flux();
    CHECK(flux_block_size == 128);
    op_exit();
    threads = 1024;
}

/* The table of times tells what the kernel takes of the device, in the block that it really ran
 * with. */
static void test_kernel_takes(void)
{
    const char *known = ",96,40,8,16,";
    char line[512];
    int dynamic = 0;
    int resident = 0;
    threads = 96;
    start();
    call_flux();
    read_line(line, sizeof line);
    const char *end = strstr(line, known);
    CHECK(end != NULL && sscanf(end + strlen(known), "%d,%d", &dynamic, &resident) == 2);
    CHECK(dynamic > 0 && resident == 2 * 96 + dynamic);
    op_exit();
    threads = 1024;
}

static void test_no_device(void)
{
    startable = 0;
    start();
    call_flux();
    CHECK(flux_runs == 0 && flux_is_right(1.5)); /* the host's unit has no flux */
    op_exit();
    startable = 1;
}

static int read_times(double *seconds, double *median)
{
    char line[512];
    read_line(line, sizeof line);
    return sscanf(line, "flux,flux,%*[^,],cuda,100,%lf,%*f,%*f,%*f,%lf", seconds, median);
}

/* Every call is timed, and nothing waits: of 99 calls that are no first ones 25 took 0.75 s. */
static void test_timing(void)
{
    double seconds = 0.0;
    double median = 0.0;
    setenv("CLEAVE_TIMING", "1", 1);
    start();
    unsetenv("CLEAVE_TIMING");
    for (int i = 0; i < 100; i++) {
        call_flux();
    }
    CHECK(waits == 0 && marks == 200);
    CHECK(read_times(&seconds, &median) == 2);
    CHECK(fabs(seconds - (74 * 0.25 + 25 * 0.75) * 100 / 99) < 1e-6);
    CHECK(median == 0.25);
    op_exit();
}

/* The time of calls that nobody waits for is told by those that the device timed. */
static void test_samples(void)
{
    double seconds = 0.0;
    double median = 0.0;
    start();
    for (int i = 0; i < 100; i++) {
        call_flux();
    }
    CHECK(waits == 0 && marks == 2 * 11);
    CHECK(read_times(&seconds, &median) == 2);
    CHECK(fabs(seconds - (8 * 0.25 + 2 * 0.75) * 100 / 10) < 1e-6 && median == 0.0);
    op_exit();
}

/* A dat that does not change is copied at most once, however often it is read. */
static void test_unchanged(void)
{
    double value[RING];
    double one[1];
    start();
    op_fetch_data(q, value);
    op_fetch_data(q, value);
    CHECK(uploads == 0 && downloads == 0);
    call_flux();
    uploads = 0;
    for (int i = 0; i < 3; i++) {
        op_fetch_data(res, value);
        op_fetch_data_idx(res, one, 5, 5);
        op_get_data(res);
    }
    CHECK(downloads == 1 && one[0] == value[5]);
    op_fetch_data(q, value); /* only read on the device */
    CHECK(downloads == 1);
    op_decl_const(1, "double", &gam);
    call_flux();
    call_flux();
    CHECK(uploads == 0); /* res: current on both sides since it was fetched */
    op_fetch_data(res, value);
    CHECK(downloads == 2);
    op_exit();
}

/* A loop on the host that only reads leaves the device's copy as it is. */
static void test_host_reads(void)
{
    double result[3];
    start();
    call_flux();
    uploads = downloads = 0;
    for (int i = 0; i < 3; i++) {
        call_norm(result);
        call_flux();
    }
    CHECK(norm_runs == 3 && uploads == 0 && downloads == 0);
    op_exit();
}

/* ---- errors ------------------------------------------------------------------------------ */

static void memory_for_dat(void)
{
    budget = 2 * RING * sizeof(int) + 4000;
    start();
    call_flux();
}

static void memory_for_map(void)
{
    budget = 2 * RING * sizeof(int) - 8;
    start();
    call_flux();
}

static void memory_for_plan(void)
{
    budget = 2 * RING * sizeof(double) + 2 * RING * sizeof(int) + 100;
    start();
    call_flux();
}

static void memory_for_partials(void)
{
    double result[3];
    device_unit.loops = 2;
    budget = RING * sizeof(double);
    start();
    call_norm(result);
}

static void device_missing(void)
{
    startable = 0;
    setenv("CLEAVE_BACKEND", "cuda", 1);
    start();
}

static const char *unit_failure(void)
{
    return "no kernel image";
}

static void launch_failure_in_library(void)
{
    device_unit.launch_error = unit_failure;
    start();
    call_flux();
}

static void launch_failure(void)
{
    launch_fails = 1;
    start();
    call_flux();
}

static void no_shared_memory(void)
{
    shared_bytes = 16;
    start();
    call_flux();
    call_flux();
    exit(flux_runs == 0 && flux_is_right(3.0) ? 0 : 3);
}

static void verified(void)
{
    setenv("CLEAVE_VERIFY", "1", 1);
    start();
    call_flux();
    call_flux();
    if (flux_runs != 2 || !flux_is_right(3.0)) {
        exit(3);
    }
    op_exit();
}

static void test_errors(void)
{
    expect_child(
        memory_for_dat, 1,
        "out of device memory (a test device): 8000 bytes are needed for dat 'q', 4000 are "
        "available");
    expect_child(memory_for_map, 1, "8000 bytes are needed for map 'ends', 7992 are available");
    expect_child(memory_for_plan, 1, "are needed for the plan of loop 'flux', ");
    expect_child(memory_for_partials, 1,
                 "are needed for the partial results of loop 'norm', 0 are");
    expect_child(device_missing, 1,
                 "CLEAVE_BACKEND=cuda, but no device is usable: the test says so");
    expect_child(launch_failure_in_library, 1,
                 "'flux_fused_atomic' failed on a test device: no kernel image");
    expect_child(launch_failure, 1,
                 "'flux_fused_atomic' failed on a test device: the test says so");
    expect_child(no_shared_memory, 0,
                 "no variant runs on a test device: blocks of 32 elements still need");
    expect_child(verified, 0, "2 calls of compiled loops agree with the reference");
}

int main(void)
{
    target_provide(&ops);
    cleave_register(&device_unit);
    cleave_register(&host_unit);
    test_transfers();
    test_reference_moves();
    test_device_reductions();
    test_temporary();
    test_touched();
    test_shared_memory();
    test_registers();
    test_kernel_takes();
    test_no_device();
    test_timing();
    test_samples();
    test_unchanged();
    test_host_reads();
    test_errors();
    return CHECK_RESULT();
}
