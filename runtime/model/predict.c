/* predict.c: from what a call takes and how fast the machine is to seconds. README.md explains the
 * formulas. */
#include "runtime/model/model.h"

const char *cleave_limit_word(enum cleave_limit limit)
{
    static const char *const word[] = {
#define CLEAVE_LIMIT(name, word) word,
#include "runtime/model/limits.def"
    };
    return word[limit];
}

static double over(double amount, double rate)
{
    return rate > 0.0 ? amount / rate : 0.0;
}

/* Part of the bytes that L2 still holds from the call before. */
static double cached_part(const struct cleave_load *load, const struct cleave_rates *rates)
{
    const double most = 0.8;
    return fmin(over(cleave_machine.slack.cached * rates->cached_bytes, load->memory), most);
}

static double memory_seconds(const struct cleave_load *load, const struct cleave_rates *rates)
{
    const struct cleave_slack *slack = &cleave_machine.slack;
    const double cached = cached_part(load, rates);
    return over(slack->memory * load->memory * (1.0 - cached), rates->copy) +
           over(slack->l2 * load->memory * cached, rates->l2);
}

static double l2_seconds(const struct cleave_load *load, const struct cleave_rates *rates)
{
    const struct cleave_slack *slack = &cleave_machine.slack;
    const double bytes = load->l2 + slack->spilled * load->spilled + slack->stored * load->stored;
    return over(slack->l2 * bytes, rates->l2);
}

/* L2 takes so many values in a second, and so many sectors, whichever it has more of: values of one
 * operation that share a sector are added at once. */
static double addition_seconds(const struct cleave_load *load, const struct cleave_rates *rates)
{
    const struct cleave_slack *slack = &cleave_machine.slack;
    const double values = over(load->added, rates->coalesced);
    const double sectors = over(load->sectors, rates->scattered);
    const double all = slack->added * fmax(values, sectors);
    return load->added_bytes <= 4.0 ? slack->float_addition * all : all;
}

static double shared_seconds(const struct cleave_load *load, const struct cleave_rates *rates)
{
    const struct cleave_slack *slack = &cleave_machine.slack;
    const double value = 8.0;
    const double summed = load->components >= 4.0 ? slack->summed_by_many : slack->summed;
    return over(slack->shared * load->shared + value * summed * load->summed +
                    value * slack->shared_atomic * load->shared_atomics,
                rates->shared);
}

static double l1_seconds(const struct cleave_load *load, const struct cleave_rates *rates)
{
    const struct cleave_slack *slack = &cleave_machine.slack;
    return over(slack->apart * load->apart + slack->strided * load->strided +
                    slack->reduced * load->reduced * load->threads,
                rates->shared);
}

/* Threads that wait at once. */
static double held(const struct cleave_load *load, const struct cleave_rates *rates)
{
    return fmax(1.0, fmin(load->resident * rates->multiprocessors, load->threads));
}

/* Latencies that threads wait for, as many at once as the device holds; those of a single thread,
 * which no other hides at the end; the last block of a reduction joins the results of all. */
static double wait_seconds(const struct cleave_load *load, const struct cleave_rates *rates)
{
    const struct cleave_slack *slack = &cleave_machine.slack;
    const double operations = load->in_double + load->in_float;
    const double threads = fmax(1.0, load->threads);
    const double all = slack->trip * load->waits + slack->visit * load->visits +
                       slack->barrier * load->barriers + slack->operation_wait * operations;
    const double one = slack->alone * (load->waits + load->visits) / threads +
                       slack->operation_alone * operations / threads;
    const double last =
        load->reduced > 0.0 ? slack->last * load->blocks * load->blocks / threads : 0.0;
    return rates->latency * (all / held(load, rates) + one + last);
}

static struct cleave_limits limits_of(const struct cleave_load *load,
                                      const struct cleave_rates *rates)
{
    const struct cleave_slack *slack = &cleave_machine.slack;
    const double launches = load->launches + 1.0 + (load->reduced > 0.0);
    struct cleave_limits limits = {
        .seconds = {
            [CLEAVE_LIMIT_MEMORY] = memory_seconds(load, rates),
            [CLEAVE_LIMIT_L2] = l2_seconds(load, rates),
            [CLEAVE_LIMIT_ADDITIONS] = addition_seconds(load, rates),
            [CLEAVE_LIMIT_DOUBLE] = over(slack->operation * load->in_double, rates->in_double),
            [CLEAVE_LIMIT_SINGLE] = over(slack->operation * load->in_float, rates->in_float),
            [CLEAVE_LIMIT_SHARED] = shared_seconds(load, rates),
            [CLEAVE_LIMIT_L1] = l1_seconds(load, rates),
            [CLEAVE_LIMIT_BLOCKS] =
                over(slack->block * load->blocks * rates->latency, rates->multiprocessors),
            [CLEAVE_LIMIT_LATENCY] = wait_seconds(load, rates),
            [CLEAVE_LIMIT_COLOURS] =
                over((slack->turn * load->turns + slack->turn_value * load->turn_values) *
                         rates->latency,
                     held(load, rates)),
            [CLEAVE_LIMIT_LAUNCH] = slack->launch * launches * rates->launch,
        }};
    return limits;
}

/* ---- the host -------------------------------------------------------------------------------- */

/* How many times as fast a core computes in registers that hold several values of a type. */
static double lanes_of(const struct cleave_load *load, size_t type_bytes)
{
    const double lanes = (double)load->lane_bytes / (double)type_bytes;
    return lanes > 1.0 ? 1.0 + cleave_machine.host_slack.lane * (lanes - 1.0) : 1.0;
}

/* On all threads. The caches of the cores and the last one hold what they held after the call
 * before, so that a small loop reads little from memory. */
static struct cleave_limits host_limits_of(const struct cleave_load *load,
                                           const struct cleave_rates *rates)
{
    const struct cleave_host_slack *slack = &cleave_machine.host_slack;
    const double kept = fmax(1.0 - over(load->memory, slack->cached * rates->cached_bytes), 0.0);
    const double from_memory = load->memory * (1.0 - kept);
    const double in_double = load->in_double / lanes_of(load, sizeof(double));
    const double in_float = load->in_float / lanes_of(load, sizeof(float));
    struct cleave_limits limits = {
        .seconds = {
            [CLEAVE_LIMIT_MEMORY] = over(slack->memory * from_memory, rates->copy),
            [CLEAVE_LIMIT_L2] = over(slack->caches * load->l2, rates->l2),
            [CLEAVE_LIMIT_L1] = over(slack->gathered * load->apart, rates->in_double),
            [CLEAVE_LIMIT_DOUBLE] = over(slack->operation * in_double, rates->in_double),
            [CLEAVE_LIMIT_SINGLE] = over(slack->operation * in_float, rates->in_float),
            [CLEAVE_LIMIT_THREADS] = load->launches * rates->launch,
        }};
    return limits;
}

/* Leaves the work of all threads to one, which alone has more than its part of the memory. */
static void leave_to_one(struct cleave_limits *limits, const struct cleave_rates *rates)
{
    const double threads = fmax(rates->multiprocessors, 1.0);
    const double for_memory = fmin(threads, 4.0);
    limits->seconds[CLEAVE_LIMIT_MEMORY] *= for_memory;
    limits->seconds[CLEAVE_LIMIT_L2] *= threads;
    limits->seconds[CLEAVE_LIMIT_L1] *= threads;
    limits->seconds[CLEAVE_LIMIT_DOUBLE] *= threads;
    limits->seconds[CLEAVE_LIMIT_SINGLE] *= threads;
    limits->seconds[CLEAVE_LIMIT_THREADS] = 0.0;
}

/* ---- seconds --------------------------------------------------------------------------------- */

/* The parts of the machine that are busy work at the same time, more or less; waiting comes on
 * top. Sets which of them needs most. */
static double seconds_of(struct cleave_limits *limits, double power)
{
    double busy = 0.0;
    double waiting = 0.0;
    for (int l = 0; l < CLEAVE_LIMITS; l++) {
        if (l < CLEAVE_LIMIT_LATENCY) {
            busy += pow(limits->seconds[l], power);
        } else {
            waiting += limits->seconds[l];
        }
        limits->most = limits->seconds[l] > limits->seconds[limits->most] ? (enum cleave_limit)l
                                                                          : limits->most;
    }
    return pow(busy, 1.0 / power) + waiting;
}

/* Few elements are left to one thread if that is faster (runtime/choose/pace.c). */
static double host_seconds(const struct cleave_load *load, const struct cleave_rates *rates,
                           struct cleave_limits *limits)
{
    const double power = cleave_machine.host_slack.power;
    *limits = host_limits_of(load, rates);
    const double all = seconds_of(limits, power);
    if (load->threads > cleave_machine.measured_elements) {
        return all;
    }
    struct cleave_limits of_one = host_limits_of(load, rates);
    leave_to_one(&of_one, rates);
    const double one = seconds_of(&of_one, power);
    *limits = one < all ? of_one : *limits;
    return fmin(one, all);
}

double cleave_load_seconds(const struct cleave_load *load, const struct cleave_rates *rates,
                           struct cleave_limits *why)
{
    struct cleave_limits limits;
    double seconds;
    if (load->on_device) {
        limits = limits_of(load, rates);
        seconds = seconds_of(&limits, cleave_machine.slack.power);
    } else {
        seconds = host_seconds(load, rates, &limits);
    }
    if (why != NULL) {
        *why = limits;
    }
    return seconds;
}

const struct cleave_rates *cleave_rates_for(const struct cleave_load *load)
{
    return load->on_device ? cleave_rates() : cleave_rates_of_host();
}

double cleave_predict(const struct cleave_call *call, const struct cleave_choice *choice,
                      struct cleave_limits *why)
{
    struct cleave_load load;
    return cleave_load_of(call, choice, &load)
               ? cleave_load_seconds(&load, cleave_rates_for(&load), why)
               : 0.0;
}

/* Zeros that a loop needs in memory are stored by the loop before it, or filled: in both cases as
 * many bytes are written. */
double cleave_expected_seconds(const struct cleave_call *call, const struct cleave_choice *choice)
{
    const double seconds = cleave_predict(call, choice, NULL);
    const double filled = cleave_zero_bytes(call, choice, 0);
    return seconds > 0.0 && filled > 0.0 ? seconds + over(filled, cleave_rates()->copy) : seconds;
}
