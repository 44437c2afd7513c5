/* model.c: predicted times follow the rates of the machine. Rates are planted, so that the ranking
 * of ways to run a loop changes as the formulas say (runtime/model/README.md). */
#include <math.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"
#include "runtime/model/model.h"

#include "fake_device.h"

static const double MILLION = 1e6;

/* A machine on which every part takes its time, and none is so slow that it hides the others. */
static struct cleave_rates rates_of(void)
{
    return cleave_machine.device_rates;
}

/* A million edges that add four values to each of two points: each thread by itself; by whole
 * warps; and points of blocks after they have summed up what their elements add. */
static struct cleave_load load_of(double added, double sectors, double shared)
{
    return (struct cleave_load){.on_device = 1,
                                .memory = 100 * MILLION,
                                .l2 = 100 * MILLION,
                                .added = added,
                                .sectors = sectors,
                                .added_bytes = 8,
                                .in_double = 50 * MILLION,
                                .shared = shared,
                                .waits = 2 * MILLION,
                                .resident = 1024,
                                .threads = MILLION,
                                .launches = 1};
}

static double seconds(const struct cleave_load *load, const struct cleave_rates *rates)
{
    return cleave_load_seconds(load, rates, NULL);
}

/* The slower an addition of single threads, the better the other two; and so on. */
static void test_ranking(void)
{
    const struct cleave_load by_threads = load_of(8 * MILLION, 8 * MILLION, 0);
    const struct cleave_load by_warps = load_of(8 * MILLION, 2 * MILLION, 128 * MILLION);
    const struct cleave_load by_points = load_of(1.5 * MILLION, 0.5 * MILLION, 200 * MILLION);
    struct cleave_rates rates = rates_of();
    rates.scattered = rates.coalesced = 100e9;
    CHECK(seconds(&by_threads, &rates) < seconds(&by_warps, &rates));
    rates.scattered = 20e9;
    CHECK(seconds(&by_warps, &rates) < seconds(&by_threads, &rates));
    rates.coalesced = 20e9;
    CHECK(seconds(&by_points, &rates) < seconds(&by_warps, &rates));
    rates.shared = 0.05e12;
    CHECK(seconds(&by_warps, &rates) < seconds(&by_points, &rates));
}

static enum cleave_limit most(const struct cleave_load *load, const struct cleave_rates *rates)
{
    struct cleave_limits why;
    const double all = cleave_load_seconds(load, rates, &why);
    for (int l = 0; l < CLEAVE_LIMITS; l++) {
        CHECK(why.seconds[l] >= 0.0 && why.seconds[l] <= why.seconds[why.most]);
    }
    CHECK(all >= why.seconds[why.most]);
    return why.most;
}

/* The rate that is made slow becomes the limit, with the time that the load takes there. */
static void test_limits(void)
{
    const struct cleave_load load = load_of(8 * MILLION, 2 * MILLION, 128 * MILLION);
    struct cleave_rates rates = rates_of();
    rates.copy = 1e9;
    CHECK(most(&load, &rates) == CLEAVE_LIMIT_MEMORY);
    rates = rates_of();
    rates.l2 = 1e9;
    CHECK(most(&load, &rates) == CLEAVE_LIMIT_L2);
    rates = rates_of();
    rates.coalesced = rates.scattered = 1e9;
    CHECK(most(&load, &rates) == CLEAVE_LIMIT_ADDITIONS);
    rates = rates_of();
    rates.in_double = 1e9;
    CHECK(most(&load, &rates) == CLEAVE_LIMIT_DOUBLE);
    rates = rates_of();
    rates.shared = 1e9;
    CHECK(most(&load, &rates) == CLEAVE_LIMIT_SHARED);
    rates = rates_of();
    rates.latency = 1e-3;
    CHECK(most(&load, &rates) == CLEAVE_LIMIT_LATENCY);
    rates = rates_of();
    rates.launch = 1;
    CHECK(most(&load, &rates) == CLEAVE_LIMIT_LAUNCH);
    CHECK_TEXT(cleave_limit_word(CLEAVE_LIMIT_LAUNCH), "launch");
}

/* Twice the mesh takes twice as long, but for launches; more threads at once hide more latency. */
static void test_sizes(void)
{
    struct cleave_load load = load_of(8 * MILLION, 2 * MILLION, 128 * MILLION);
    struct cleave_rates rates = rates_of();
    const double once = seconds(&load, &rates);
    load.resident = 512;
    CHECK(seconds(&load, &rates) > once);
    rates.multiprocessors *= 2;
    CHECK(fabs(seconds(&load, &rates) / once - 1.0) < 1e-9);
    load.threads *= 2; /* the same work by more threads: more of it is hidden */
    CHECK(seconds(&load, &rates) <= once);
    rates.launch = 0.0;
    load.launches = 100;
    CHECK(seconds(&load, &rates) < once);
}

/* Additions take longer the more sectors they touch. */
static void test_sectors(void)
{
    const struct cleave_rates rates = rates_of();
    const struct cleave_load together = load_of(8 * MILLION, 2 * MILLION, 0);
    const struct cleave_load apart = load_of(8 * MILLION, 8 * MILLION, 0);
    struct cleave_limits why;
    cleave_load_seconds(&together, &rates, &why);
    CHECK(fabs(why.seconds[CLEAVE_LIMIT_ADDITIONS] * rates.coalesced / (8 * MILLION) - 1.0) < 1e-9);
    cleave_load_seconds(&apart, &rates, &why);
    CHECK(fabs(why.seconds[CLEAVE_LIMIT_ADDITIONS] * rates.scattered / (8 * MILLION) - 1.0) < 1e-9);
}

/* ---- the host ---------------------------------------------------------------------------------
 */

static const struct cleave_rates host = {.copy = 40e9,
                                         .l2 = 600e9,
                                         .in_double = 8e9,
                                         .in_float = 8e9,
                                         .launch = 3e-6,
                                         .cached_bytes = 32e6,
                                         .multiprocessors = 2};

/* Lanes do more operations at a time, and read no more bytes; few elements are left to one thread
 * if starting others takes longer. */
static void test_host(void)
{
    struct cleave_load load = {
        .memory = 80 * MILLION, .l2 = 80 * MILLION, .threads = MILLION, .launches = 1};
    struct cleave_limits why;
    const double moved = cleave_load_seconds(&load, &host, &why);
    CHECK(why.most == CLEAVE_LIMIT_MEMORY && moved > 2e-3 && moved < 3e-3);
    load.in_double = 200 * MILLION;
    const double one_by_one = cleave_load_seconds(&load, &host, &why);
    CHECK(why.most == CLEAVE_LIMIT_DOUBLE && one_by_one > 12e-3);
    load.lane_bytes = 64;
    CHECK(cleave_load_seconds(&load, &host, NULL) < one_by_one / 3);
    load = (struct cleave_load){.memory = 8000, .l2 = 8000, .threads = 100, .launches = 10};
    CHECK(cleave_load_seconds(&load, &host, &why) < 1e-6);
    CHECK(why.seconds[CLEAVE_LIMIT_THREADS] == 0.0);
}

/* Rates that were measured on this machine are used, kept, and not measured again. */
static void test_host_rates(void)
{
    const struct cleave_rates *rates = cleave_rates_of_host();
    const double row = rates->copy;
    CHECK(row >= cleave_machine.host_rates.copy && !cleave_rates_are_measured());
    CHECK(cleave_rates_measure() > 0.0 && cleave_rates_are_measured());
    CHECK(rates->copy > 1e8 && rates->l2 > rates->copy && rates->in_double > 1e7);
    CHECK(rates->in_float > 1e7 && rates->launch > 0.0 && rates->launch < 1.0);
    CHECK(rates->cached_bytes > 1e5 && rates->multiprocessors >= 1);
    const double measured = rates->copy;
    cleave_rates_forget();
    CHECK(cleave_rates_measure() == 0.0 && cleave_rates()->copy == measured);
}

/* ---- samples of maps --------------------------------------------------------------------------
 */

enum { RING = 4096 };

/* Sectors for each element that a warp touches at the points of a map's only column. */
static double sectors(op_set edges, op_set nodes, int step, int record)
{
    int *row = malloc(RING * sizeof *row);
    for (int e = 0; e < RING; e++) {
        row[e] = (int)((long)e * step % RING);
    }
    op_arg arg = {0};
    struct cleave_call call = {.set = edges, .args = 1, .arg = &arg};
    const struct cleave_list list = {.columns = 1, .conflicts = 1};
    const struct cleave_touch touch = {record, 8, 32, 0};
    call.arg[0].map = op_decl_map(edges, nodes, 1, row, "ring");
    const double found = cleave_sample_sectors(&call, &list, &touch);
    free(row);
    return found;
}

/* Four doubles side by side share a sector; those of longer records, or of points that are far
 * apart, do not; lanes of one point touch one sector. */
static void test_samples(void)
{
    op_set edges = op_decl_set(RING, "edges");
    op_set nodes = op_decl_set(RING, "nodes");
    const double together = sectors(edges, nodes, 1, 8);
    CHECK(together >= 0.25 && together < 0.29);
    CHECK(sectors(edges, nodes, 1, 32) == 1.0);
    CHECK(sectors(edges, nodes, 5, 8) == 1.0);
    CHECK(sectors(edges, nodes, 0, 8) == 1.0 / 32.0);
}

/* ---- rates of a device ----------------------------------------------------------------------- */

static int calibrations;

static int calibrate(struct cleave_rates *rates)
{
    calibrations++;
    *rates = cleave_machine.device_rates;
    rates->copy = 3e12;
    return 0;
}

/* Entries of the store count if they are whole; what is measured is kept for the next run. */
static void test_store(void)
{
    static struct target_ops device;
    char folder[] = "/tmp/cleave-model.XXXXXX";
    char command[64];
    device = ops;
    CHECK(mkdtemp(folder) != NULL);
    setenv("CLEAVE_PLAN_CACHE", folder, 1);
    cleave_settings_read(0, NULL, 0);
    cleave_device = &device;
    cleave_rates_forget();
    CHECK(cleave_rates()->copy == cleave_machine.device_rates.copy && !cleave_rates_are_measured());
    CHECK(cleave_rates_measure() == 0.0 && calibrations == 0);

    const struct store_key key = cleave_rates_key(&device);
    struct cleave_rates planted = cleave_machine.device_rates;
    planted.copy = 1e12;
    CHECK(cleave_store_write(CLEAVE_KEPT_RATES, &key, &planted, sizeof planted) == 0);
    cleave_rates_forget();
    CHECK(cleave_rates()->copy == 1e12 && cleave_rates_are_measured());
    planted.l2 = NAN;
    CHECK(cleave_store_write(CLEAVE_KEPT_RATES, &key, &planted, sizeof planted) == 0);
    cleave_rates_forget();
    CHECK(!cleave_rates_are_measured());
    CHECK(cleave_store_write(CLEAVE_KEPT_RATES, &key, &planted, 16) == 0);
    cleave_rates_forget();
    CHECK(!cleave_rates_are_measured());

    device.calibrate = calibrate;
    CHECK(cleave_rates_measure() > 0.0 && cleave_rates()->copy == 3e12);
    CHECK(cleave_rates_measure() == 0.0 && calibrations == 1);
    cleave_rates_forget();
    CHECK(cleave_rates_measure() == 0.0 && calibrations == 1);
    CHECK(cleave_rates()->copy == 3e12 && cleave_rates_are_measured());
    cleave_device = NULL;
    cleave_rates_forget();
    test_host_rates();
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    cleave_settings_read(0, NULL, 0);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
}

int main(void)
{
    op_init(0, NULL, 0);
    test_samples();
    test_store();
    test_ranking();
    test_limits();
    test_sizes();
    test_sectors();
    test_host();
    return CHECK_RESULT();
}
