/* early.c: launches that start before the values of their globals are known.
 *
 * Behind a reduction the host waits for its result, computes with it, and calls the next loop:
 * launching that takes the host 3 microseconds, and the device starts it 2 later. A loop that reads
 * globals, and has come behind the same reduction several times with all else equal, is therefore
 * launched while the host waits. Its kernel waits on the device (cleave_nvcc_early.cuh) until the
 * call comes and tells it the values. Whatever else comes first tells it to do nothing, and it has
 * not touched any data.
 *
 * A kernel that is told nothing gives up, lest a program waits for ever that waits for the device
 * by other means than ours. Host and device must agree whether it did: within CLEAVE_EARLY_SECONDS
 * of its launch it cannot have, later the host waits for what it says. */
#include "runtime/exec/early.h"
#include "runtime/base/machine.h"
#include "runtime/exec/doubt.h"
#include "runtime/exec/graph_step.h"

enum { MOST_EXPECTED = 8 };
enum { PAIR = 2, TOLD_WORDS = PAIR * (1 + CLEAVE_EARLY_WORDS) };

/* What came behind the wait for the results of a call. */
struct expected {
    const struct cleave_call *behind;
    struct cleave_step step;     /* compared with what comes */
    struct cleave_launch launch; /* as started early, with arrays of its own: */
    char *memory;
    struct cleave_doubt doubt;
};

/* The device reads it; the host writes but `heard`. */
struct words {
    unsigned long long told[TOLD_WORDS];
    unsigned long long apart[16];
    unsigned long long heard;
};

static struct {
    struct expected expected[MOST_EXPECTED];
    int used;                        /* entries in use */
    const struct cleave_call *waits; /* the host is about to wait for its results; or NULL */
    struct expected *behind;    /* the first launch from now on comes behind its wait; or NULL */
    struct expected *started;   /* early, and not told anything yet; or NULL */
    double at;                  /* cleave_seconds() before it was launched */
    unsigned long long number;  /* of the latest early launch */
    struct words *words;        /* of the host, which the device reads and writes */
    unsigned long long *passed; /* on the device */
    unsigned long generation;   /* cleave_generation for which the launches are right */
} early;

/* ---- memory ------------------------------------------------------------------------------ */

static void forget_launch(struct expected *expected)
{
    free(expected->step.launch.memory);
    free(expected->memory);
    expected->step.launch.memory = expected->memory = NULL;
    expected->doubt.times = 0;
}

static void forget(void)
{
    for (int e = 0; e < early.used; e++) {
        forget_launch(&early.expected[e]);
    }
    early.used = 0;
    early.waits = NULL;
    early.behind = early.started = NULL;
}

void cleave_early_forget(void)
{
    cleave_early_revoke();
    forget();
}

void cleave_early_lost(void)
{
    forget();
    early.words = NULL;
    early.passed = NULL;
}

void cleave_early_free(void)
{
    cleave_early_forget();
    if (cleave_device != NULL) {
        cleave_device->release_host(early.words);
        cleave_device->release(early.passed);
    }
    early.words = NULL;
    early.passed = NULL;
}

/* 0: there is none, and launches start when they are called. */
static int has_memory(void)
{
    static const unsigned long long zeros[1 + CLEAVE_EARLY_WORDS];
    if (early.words == NULL &&
        (early.words = cleave_device->alloc_host(sizeof *early.words)) != NULL) {
        memset(early.words, 0, sizeof *early.words);
    }
    if (early.words != NULL && early.passed == NULL &&
        (early.passed = cleave_device->alloc(sizeof zeros)) != NULL) {
        cleave_target_upload(cleave_device, early.passed, zeros, sizeof zeros,
                             "the values of early launches");
    }
    return early.words != NULL && early.passed != NULL;
}

/* ---- telling ----------------------------------------------------------------------------- */

static void write_pair(int pair, unsigned long long word)
{
    volatile unsigned long long *told = early.words->told + PAIR * pair;
    told[0] = word;
    told[1] = word ^ CLEAVE_EARLY_KEY(early.number);
}

/* The device sees the words in this order; it must not be told before its values are there. */
static void tell(enum cleave_early_told told)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    write_pair(0, told);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void tell_values(const struct cleave_queued *queued)
{
    const char *values = queued->memory + queued->fixed_bytes;
    for (int w = 0; w < queued->variant->early; w++) {
        unsigned long long word;
        memcpy(&word, values + (size_t)w * sizeof word, sizeof word);
        write_pair(1 + w, word);
    }
    tell(CLEAVE_EARLY_RUN);
}

/* Waits until the launch, which may have given up meanwhile, says what it did. */
static int has_run(void)
{
    const volatile unsigned long long *heard = &early.words->heard;
    const double begun = cleave_seconds();
    while (*heard / 2 != early.number && cleave_seconds() - begun < 1.0) {
        __builtin_ia32_pause();
    }
    if (*heard / 2 != early.number && cleave_device->wait() != 0) {
        cleave_fatal("a launch that waits for the values of its globals failed on %s: %s",
                     cleave_device->device(), cleave_device->last_error());
    }
    return *heard == 2 * early.number + 1;
}

static void stop(void)
{
    early.started = NULL;
    tell(CLEAVE_EARLY_NOTHING);
}

void cleave_early_revoke(void)
{
    if (early.started != NULL) {
        cleave_doubt_wrong(&early.started->doubt);
        stop();
    }
}

/* ---- expecting --------------------------------------------------------------------------- */

static int is_alike(const struct expected *expected, const struct cleave_queued *queued)
{
    return expected->memory != NULL && cleave_step_same(&expected->step, queued);
}

static int is_same(const struct expected *expected, const struct cleave_queued *queued)
{
    return is_alike(expected, queued) && !cleave_step_is_candidate(queued) && !queued->timed &&
           !queued->fills;
}

void cleave_early_stop(const struct cleave_queued *queued)
{
    if (early.started != NULL && is_alike(early.started, queued)) {
        stop();
    }
    cleave_early_revoke();
}

static struct expected *find(const struct cleave_call *behind)
{
    for (int e = 0; e < early.used; e++) {
        if (early.expected[e].behind == behind) {
            return &early.expected[e];
        }
    }
    if (early.used == MOST_EXPECTED) {
        return NULL;
    }
    struct expected *expected = &early.expected[early.used++];
    *expected = (struct expected){.behind = behind, .doubt.enough = CLEAVE_DOUBT_SURE};
    return expected;
}

static void keep(struct expected *expected, const struct cleave_queued *queued)
{
    forget_launch(expected);
    if (queued->variant->early == 0 || cleave_step_is_candidate(queued)) {
        return;
    }
    cleave_step_keep(&expected->step, queued);
    expected->memory = memcpy(cleave_alloc(queued->array_bytes, "an early launch"), queued->memory,
                              queued->array_bytes);
    expected->launch = queued->launch;
    cleave_launch_move(&expected->launch, queued->launcher, queued->memory, expected->memory);
    expected->doubt.times = 1;
}

void cleave_early_saw(const struct cleave_queued *queued)
{
    struct expected *expected = early.behind;
    early.behind = NULL;
    if (expected == NULL) {
        return;
    }
    if (queued->timed) {
        expected->doubt.times = is_alike(expected, queued) ? expected->doubt.times : 0;
        return;
    }
    if (is_same(expected, queued)) {
        expected->doubt.times++;
    } else {
        cleave_early_revoke(); /* it may be the one that is replaced */
        keep(expected, queued);
    }
}

/* ---- launching --------------------------------------------------------------------------- */

void cleave_early_waits(const struct cleave_call *call)
{
    early.waits = call;
}

void cleave_early_launch(void)
{
    const struct cleave_call *behind = early.waits;
    early.waits = NULL;
    if (behind == NULL || cleave_settings.early == CLEAVE_EARLY_OFF) {
        return;
    }
    if (early.generation != cleave_generation) {
        cleave_early_forget();
        early.generation = cleave_generation;
    }
    struct expected *expected = find(behind);
    early.behind = expected;
    if (expected == NULL || expected->doubt.times < expected->doubt.enough ||
        early.started != NULL || !has_memory()) {
        return;
    }
    const struct cleave_queued *queued = &expected->step.launch;
    early.number++;
    early.at = cleave_seconds();
    expected->launch.stream = cleave_device->stream();
    expected->launch.early =
        (struct cleave_early){early.words->told, &early.words->heard, early.passed, early.number};
    queued->variant->run(&expected->launch);
    early.started = cleave_launch_failure(queued->unit) == NULL ? expected : NULL;
    expected->doubt.times = early.started != NULL ? expected->doubt.times : 0;
    cleave_early_use.started += early.started != NULL;
}

int cleave_early_expects(const struct cleave_queued *queued)
{
    return early.started != NULL && is_same(early.started, queued);
}

int cleave_early_takes(const struct cleave_queued *queued)
{
    struct expected *expected = early.started;
    if (expected == NULL) {
        return 0;
    }
    if (!is_same(expected, queued) || cleave_seconds() - early.at > CLEAVE_EARLY_SECONDS / 2) {
        cleave_early_revoke();
        return 0;
    }
    early.started = NULL;
    tell_values(queued);
    if (cleave_seconds() - early.at > CLEAVE_EARLY_SECONDS && !has_run()) {
        cleave_doubt_wrong(&expected->doubt);
        return 0;
    }
    cleave_doubt_right(&expected->doubt);
    cleave_early_use.taken++;
    return 1;
}
