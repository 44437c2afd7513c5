/* rates.c: how fast the machine is: what an earlier run, or this one, has measured on the device or
 * the host and kept in the store; else the rates of the machine that cleave was tuned on. */
#include <omp.h>

#include "cleave_version.h"
#include "runtime/model/model.h"
#include "runtime/store/store.h"

/* Changes when rates are measured in another way. */
enum { MEASURED_AS = 2, HOST_MEASURED_AS = 1 };

/* The rates of one machine, the device or the host. */
struct known {
    int looked;   /* 1: the rest is right */
    int measured; /* 1: on this machine */
    struct cleave_rates rates;
};
static struct known known_device;
static struct known known_host;
static double asked_since; /* cleave_seconds() when rates were first asked for in this run, or 0 */

/* ---- the store ----------------------------------------------------------------------------- */

static struct target_properties properties_of(const struct target_ops *device)
{
    struct target_properties properties = {0};
    if (device->properties != NULL) {
        device->properties(&properties);
    }
    return properties;
}

struct store_key cleave_rates_key(const struct target_ops *device)
{
    struct store_key key = {{0, 0}};
    cleave_store_hash(&key, CLEAVE_VERSION, sizeof CLEAVE_VERSION);
    if (device == NULL) {
        const int numbers[] = {HOST_MEASURED_AS, omp_get_max_threads(), cleave_lanes_most()};
        cleave_store_hash(&key, "host", sizeof "host");
        cleave_store_hash(&key, numbers, sizeof numbers);
        return key;
    }
    const struct target_properties properties = properties_of(device);
    const int numbers[] = {MEASURED_AS, properties.multiprocessors, properties.clock,
                           properties.memory_clock};
    cleave_store_hash(&key, device->device(), strlen(device->device()) + 1);
    cleave_store_hash(&key, numbers, sizeof numbers);
    return key;
}

static int is_rate(double value)
{
    return isfinite(value) && value > 0.0;
}

static int are_rates(const struct cleave_rates *rates, int of_device)
{
    const int common = is_rate(rates->copy) && is_rate(rates->l2) && is_rate(rates->in_double) &&
                       is_rate(rates->in_float) && is_rate(rates->launch) &&
                       is_rate(rates->cached_bytes) && is_rate(rates->multiprocessors);
    return common && (!of_device || (is_rate(rates->shared) && is_rate(rates->coalesced) &&
                                     is_rate(rates->scattered) && is_rate(rates->latency) &&
                                     is_rate(rates->wait)));
}

static int read_kept(const struct target_ops *device, struct cleave_rates *rates)
{
    const struct store_key key = cleave_rates_key(device);
    struct cleave_rates kept;
    size_t bytes = 0;
    void *content = cleave_store_read(CLEAVE_KEPT_RATES, &key, &bytes);
    int is_kept = content != NULL && bytes == sizeof kept;
    if (is_kept) {
        memcpy(&kept, content, sizeof kept);
        is_kept = are_rates(&kept, device != NULL);
    }
    if (is_kept) {
        *rates = kept;
    }
    free(content);
    return is_kept;
}

/* ---- what is known ------------------------------------------------------------------------- */

/* Rates of the device in use as far as its driver tells, else of the one that cleave was tuned on.
 */
static struct cleave_rates rates_of_row(const struct target_ops *device)
{
    const struct target_properties properties = properties_of(device);
    struct cleave_rates rates = cleave_machine.device_rates;
    if (properties.multiprocessors > 0) {
        rates.multiprocessors = properties.multiprocessors;
    }
    if (properties.l2_bytes > 0) {
        rates.cached_bytes = (double)properties.l2_bytes;
    }
    return rates;
}

/* Multiplies the rates of one core of the host that cleave was tuned on by the number of threads; a
 * few threads use all of its memory bandwidth. */
static struct cleave_rates rates_of_host_row(void)
{
    const double threads = omp_get_max_threads();
    const double most_for_memory = 8.0;
    struct cleave_rates rates = cleave_machine.host_rates;
    rates.copy *= fmin(threads, most_for_memory);
    rates.l2 *= threads;
    rates.in_double *= threads;
    rates.in_float *= threads;
    rates.multiprocessors = threads;
    return rates;
}

static const struct cleave_rates *rates_of(struct known *known, const struct target_ops *device)
{
    if (asked_since == 0.0) {
        asked_since = cleave_seconds();
    }
    if (!known->looked) {
        known->looked = 1;
        known->rates = device != NULL ? rates_of_row(device) : rates_of_host_row();
        known->measured = read_kept(device, &known->rates);
    }
    return &known->rates;
}

static struct known *present(void)
{
    return cleave_device != NULL ? &known_device : &known_host;
}

const struct cleave_rates *cleave_rates(void)
{
    return rates_of(present(), cleave_device);
}

const struct cleave_rates *cleave_rates_of_host(void)
{
    return rates_of(&known_host, NULL);
}

int cleave_rates_are_measured(void)
{
    cleave_rates();
    return present()->measured;
}

/* ---- measuring ----------------------------------------------------------------------------- */

static int calibrate(struct cleave_rates *rates)
{
    return cleave_device != NULL ? cleave_device->calibrate(rates) : cleave_host_calibrate(rates);
}

static const char *machine_name(void)
{
    return cleave_device != NULL ? cleave_device->device() : "the host";
}

double cleave_rates_measure(void)
{
    struct cleave_rates rates = *cleave_rates();
    struct known *known = present();
    if (known->measured || (cleave_device != NULL && cleave_device->calibrate == NULL)) {
        return 0.0;
    }
    const double begin = cleave_seconds();
    if (calibrate(&rates) != 0 || !are_rates(&rates, cleave_device != NULL)) {
        if (cleave_settings.diags > 0) {
            cleave_note("the rates of %s cannot be measured: %s", machine_name(),
                        cleave_device != NULL ? cleave_device->last_error()
                                              : "there is not enough memory");
        }
        return 0.0;
    }
    const double seconds = cleave_seconds() - begin;
    const struct store_key key = cleave_rates_key(cleave_device);
    known->rates = rates;
    known->measured = 1;
    cleave_store_write(CLEAVE_KEPT_RATES, &key, &rates, sizeof rates);
    if (cleave_settings.diags > 0) {
        cleave_note("measured the rates of %s in %.3f s", machine_name(), seconds);
    }
    return seconds;
}

void cleave_rates_forget(void)
{
    known_device.looked = known_host.looked = 0;
}

void cleave_rates_end(void)
{
    const double part = 0.1;
    const double expected = 0.5; /* seconds that measuring takes, at most */
    if (asked_since > 0.0 && part * (cleave_seconds() - asked_since) > expected &&
        cleave_tuning() != CLEAVE_TUNE_OFF && !cleave_settings.deterministic &&
        cleave_store().folder != NULL) {
        cleave_rates_measure();
    }
    asked_since = 0.0;
    cleave_rates_forget();
}
