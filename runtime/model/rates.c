/* rates.c: how fast the machine is: what an earlier run, or this one, has measured on the device
 * and kept in the store; else the rates of the device that cleave was tuned on. */
#include "cleave_version.h"
#include "runtime/model/model.h"
#include "runtime/store/store.h"

/* Changes when rates are measured in another way. */
enum { MEASURED_AS = 1 };

static struct {
    int looked;   /* 1: the rest is right */
    int measured; /* 1: on this device */
    double since; /* cleave_seconds() when somebody first asked in this run; 0: nobody has */
    struct cleave_rates rates;
} known;

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
    const struct target_properties properties = properties_of(device);
    const int numbers[] = {MEASURED_AS, properties.multiprocessors, properties.clock,
                           properties.memory_clock};
    struct store_key key = {{0, 0}};
    cleave_store_hash(&key, device->device(), strlen(device->device()) + 1);
    cleave_store_hash(&key, CLEAVE_VERSION, sizeof CLEAVE_VERSION);
    cleave_store_hash(&key, numbers, sizeof numbers);
    return key;
}

static int is_rate(double value)
{
    return isfinite(value) && value > 0.0;
}

static int are_rates(const struct cleave_rates *rates)
{
    return is_rate(rates->copy) && is_rate(rates->l2) && is_rate(rates->shared) &&
           is_rate(rates->in_double) && is_rate(rates->in_float) && is_rate(rates->coalesced) &&
           is_rate(rates->scattered) && is_rate(rates->latency) && is_rate(rates->launch) &&
           is_rate(rates->wait) && is_rate(rates->cached_bytes) && is_rate(rates->multiprocessors);
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
        is_kept = are_rates(&kept);
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

static void look(void)
{
    known.looked = 1;
    known.measured = 0;
    if (cleave_device == NULL) {
        known.rates = cleave_machine.host_rates;
        return;
    }
    known.rates = rates_of_row(cleave_device);
    known.measured = read_kept(cleave_device, &known.rates);
}

const struct cleave_rates *cleave_rates(void)
{
    if (known.since == 0.0) {
        known.since = cleave_seconds();
    }
    if (!known.looked) {
        look();
    }
    return &known.rates;
}

int cleave_rates_are_measured(void)
{
    cleave_rates();
    return known.measured;
}

/* ---- measuring ----------------------------------------------------------------------------- */

double cleave_rates_measure(void)
{
    struct cleave_rates rates = *cleave_rates();
    if (known.measured || cleave_device == NULL || cleave_device->calibrate == NULL) {
        return 0.0;
    }
    const double begin = cleave_seconds();
    if (cleave_device->calibrate(&rates) != 0 || !are_rates(&rates)) {
        if (cleave_settings.diags > 0) {
            cleave_note("the rates of %s cannot be measured: %s", cleave_device->device(),
                        cleave_device->last_error());
        }
        return 0.0;
    }
    const double seconds = cleave_seconds() - begin;
    const struct store_key key = cleave_rates_key(cleave_device);
    known.rates = rates;
    known.measured = 1;
    cleave_store_write(CLEAVE_KEPT_RATES, &key, &rates, sizeof rates);
    if (cleave_settings.diags > 0) {
        cleave_note("measured the rates of %s in %.3f s", cleave_device->device(), seconds);
    }
    return seconds;
}

void cleave_rates_forget(void)
{
    known.looked = 0;
}

void cleave_rates_end(void)
{
    const double part = 0.1;
    const double expected = 0.5; /* seconds that measuring takes, at most */
    if (known.since > 0.0 && part * (cleave_seconds() - known.since) > expected &&
        cleave_settings.tune != CLEAVE_TUNE_OFF && !cleave_settings.deterministic &&
        cleave_store().folder != NULL) {
        cleave_rates_measure();
    }
    known.since = 0.0;
    known.looked = 0;
}
