/* jit.c: which loops get their further variants, the thread that makes them, and when the program
 * takes them over. See jit.h. */
#include "runtime/jit/impl.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

int cleave_jit_is_ready;

/* Guarded by the lock, but `thread` and `forked`, which belong to whoever has locked the runtime.
 */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct jit_job *jobs; /* in the order in which they were wanted; never freed */
    int stopping;
    pthread_t thread;
    int has_thread;
    int forked;
} jit = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* ---- the thread ------------------------------------------------------------------------------ */

/* The key of the shared object in the store. */
static struct store_key key_of(const struct jit_job *job, const char *archive,
                               const struct jit_command *command)
{
    const struct cleave_source_text *source = job->unit->source_text;
    const int32_t about[] = {CLEAVE_ABI, job->loop};
    struct store_key key = command->identity;
    cleave_store_hash(&key, about, sizeof about);
    cleave_store_hash(&key, source->version, strlen(source->version));
    for (int w = 1; w < command->words; w++) {
        cleave_store_hash(&key, command->word[w], strlen(command->word[w]));
    }
    cleave_store_hash(&key, archive, source->bytes);
    return key;
}

/* 1: the store has a shared object that can be loaded. */
static int load_kept(struct jit_job *job, const struct store_key *key)
{
    size_t bytes;
    void *library = cleave_store_read(CLEAVE_KEPT_KERNELS, key, &bytes);
    job->found = library != NULL && cleave_jit_load(job, library, bytes) == 0;
    free(library);
    return job->found;
}

static int compile(struct jit_job *job, const struct jit_command *command, const char *archive,
                   const struct store_key *key)
{
    size_t bytes;
    const double begin = cleave_seconds();
    void *library = cleave_jit_compile(command, job->unit->source_text, archive, &bytes, job->why);
    job->seconds = cleave_seconds() - begin;
    const int made = library != NULL && cleave_jit_load(job, library, bytes) == 0;
    if (made) {
        cleave_store_write(CLEAVE_KEPT_KERNELS, key, library, bytes);
    }
    free(library);
    return made;
}

static int make(struct jit_job *job)
{
    struct jit_command command = {0};
    int made = 0;
    char *archive = cleave_jit_text_unpack(job->unit->source_text, job->why);
    if (archive != NULL && cleave_jit_command_make(&command, job, job->why) == 0) {
        const struct store_key key = key_of(job, archive, &command);
        made = load_kept(job, &key) || compile(job, &command, archive, &key);
    }
    cleave_jit_command_free(&command);
    free(archive);
    return made;
}

static struct jit_job *first_in(enum jit_stage stage)
{
    struct jit_job *job = jit.jobs;
    while (job != NULL && (job->stage != stage || job->cancelled)) {
        job = job->next;
    }
    return job;
}

/* OpenMP may have bound the thread that started this one to a core, which compilers would share
 * with it: they may run wherever OpenMP's threads may. */
static void leave_place(void)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (int p = 0; p < omp_get_num_places(); p++) {
        const int count = omp_get_place_num_procs(p);
        int *core = malloc((size_t)count * sizeof *core + 1);
        if (core == NULL) {
            return;
        }
        omp_get_place_proc_ids(p, core);
        for (int c = 0; c < count; c++) {
            if (core[c] < CPU_SETSIZE) {
                CPU_SET(core[c], &cores);
            }
        }
        free(core);
    }
    if (CPU_COUNT(&cores) > 0) {
        sched_setaffinity(0, sizeof cores, &cores);
    }
}

/* Compilers get what the program leaves: they inherit the thread's priority, which on Linux is its
 * own. Parallel regions of this thread would make threads of their own. */
static void *work(void *unused)
{
    (void)unused;
    setpriority(PRIO_PROCESS, 0, 19);
    leave_place();
    omp_set_num_threads(1);
    pthread_mutex_lock(&jit.lock);
    while (!jit.stopping) {
        struct jit_job *job = first_in(JIT_WAITS);
        if (job == NULL) {
            pthread_cond_wait(&jit.changed, &jit.lock);
            continue;
        }
        job->stage = JIT_RUNS;
        pthread_mutex_unlock(&jit.lock);
        const int made = make(job);
        pthread_mutex_lock(&jit.lock);
        /* Stopped for another unit's sake, or by op_exit: it may be wanted again. */
        const int interrupted = !made && !job->cancelled && cleave_jit_compile_is_stopped();
        job->stage = made ? JIT_MADE : interrupted ? JIT_WAITS : JIT_FAILED;
        __atomic_store_n(&cleave_jit_is_ready, 1, __ATOMIC_RELEASE);
        pthread_cond_broadcast(&jit.changed);
    }
    pthread_mutex_unlock(&jit.lock);
    return NULL;
}

/* Signals are the program's: its handlers run on its own threads. */
static int start_thread(void)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    jit.stopping = 0;
    jit.has_thread = pthread_create(&jit.thread, NULL, work, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return jit.has_thread;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static int is_on(const struct cleave_unit_entry *entry, const struct cleave_loop *loop)
{
    return cleave_settings.jit && !cleave_settings.deterministic && !jit.forked &&
           loop->further > 0 && entry->unit->source_text != NULL && cleave_device != NULL &&
           cleave_device->target == entry->unit->target;
}

static struct jit_job *find_job(const struct cleave_unit *unit, int loop)
{
    struct jit_job *job = jit.jobs;
    while (job != NULL && (job->unit != unit || job->loop != loop || job->cancelled)) {
        job = job->next;
    }
    return job;
}

/* The device's capability without the point: what compilers call its architecture. */
static void name_architecture(struct jit_job *job)
{
    struct target_properties properties = {.capability = ""};
    size_t length = 0;
    if (cleave_device->properties != NULL) {
        cleave_device->properties(&properties);
    }
    for (const char *c = properties.capability; *c != '\0'; c++) {
        if (*c != '.' && length + 1 < sizeof job->architecture) {
            job->architecture[length++] = *c;
        }
    }
}

/* Appends a job; NULL without memory. */
static struct jit_job *add_job(const struct cleave_unit *unit, int loop)
{
    struct jit_job **end = &jit.jobs;
    struct jit_job *job = calloc(1, sizeof *job);
    while (*end != NULL) {
        end = &(*end)->next;
    }
    if (job != NULL) {
        job->unit = unit;
        job->loop = loop;
        name_architecture(job);
    }
    *end = job;
    return job;
}

static enum cleave_jit_state want(const struct cleave_unit_entry *entry,
                                  const struct cleave_loop *loop, int named)
{
    if (!is_on(entry, loop)) {
        return CLEAVE_JIT_NEVER;
    }
    const int number = (int)(loop - entry->unit->loop);
    pthread_mutex_lock(&jit.lock);
    struct jit_job *job = find_job(entry->unit, number);
    if (job == NULL) {
        job = add_job(entry->unit, number);
        pthread_cond_broadcast(&jit.changed);
    }
    const enum jit_stage stage = job != NULL ? job->stage : JIT_FAILED;
    if (job != NULL) {
        job->named |= named;
    }
    pthread_mutex_unlock(&jit.lock);
    if (stage == JIT_FAILED || (stage != JIT_ADOPTED && !jit.has_thread && !start_thread())) {
        return CLEAVE_JIT_NEVER;
    }
    return stage == JIT_ADOPTED ? CLEAVE_JIT_THERE : CLEAVE_JIT_COMING;
}

enum cleave_jit_state cleave_jit_want(const struct cleave_unit_entry *entry,
                                      const struct cleave_loop *loop)
{
    return want(entry, loop, 0);
}

static int has_named(const struct cleave_variant *variant, int variants)
{
    for (int v = 0; v < variants; v++) {
        if (cleave_variant_is_named(&variant[v])) {
            return 1;
        }
    }
    return 0;
}

void cleave_jit_want_named(const struct cleave_match *match)
{
    if (cleave_settings.variant == NULL) {
        return;
    }
    for (int l = 0; l < match->loops; l++) {
        if (has_named(match->loop[l]->variant, match->loop[l]->variants)) {
            return;
        }
    }
    for (int l = 0; l < match->loops; l++) {
        if (has_named(match->loop[l]->further_variant, match->loop[l]->further)) {
            want(match->unit[l], match->loop[l], 1);
        }
    }
}

/* ---- taking over ----------------------------------------------------------------------------- */

static void tell(const struct jit_job *job)
{
    const struct cleave_loop *loop = &job->unit->loop[job->loop];
    if (job->stage == JIT_FAILED && job->named) {
        cleave_warning("CLEAVE_VARIANT names a variant of '%s' (%s) that is not compiled: %s",
                       loop->kernel, loop->location, job->why);
    } else if (cleave_settings.diags == 0) {
        return;
    } else if (job->stage == JIT_FAILED) {
        cleave_note("further variants of '%s' (%s) are not compiled: %s", loop->kernel,
                    loop->location, job->why);
    } else if (job->found) {
        cleave_note("%d further variants of '%s' (%s) are taken from %s",
                    job->made.loop[0].variants, loop->kernel, loop->location,
                    cleave_settings.cache_folder);
    } else {
        cleave_note("%d further variants of '%s' (%s) were compiled in %.1f s beside the program",
                    job->made.loop[0].variants, loop->kernel, loop->location, job->seconds);
    }
}

/* The next job that has ended and was not taken over; NULL: none. */
static struct jit_job *take_ended(void)
{
    pthread_mutex_lock(&jit.lock);
    struct jit_job *job = first_in(JIT_MADE);
    if (job == NULL) {
        for (job = jit.jobs; job != NULL && (job->stage != JIT_FAILED || job->told);) {
            job = job->next;
        }
    } else {
        job->stage = JIT_ADOPTED;
    }
    pthread_mutex_unlock(&jit.lock);
    return job;
}

void cleave_jit_adopt(void)
{
    __atomic_store_n(&cleave_jit_is_ready, 0, __ATOMIC_RELAXED);
    for (struct jit_job *job; (job = take_ended()) != NULL;) {
        tell(job);
        job->told = 1;
        if (job->stage == JIT_ADOPTED) {
            cleave_flush();
            cleave_register(&job->made);
            cleave_matches_extend(&job->made);
            cleave_generation++;
        }
    }
}

/* ---- ending ---------------------------------------------------------------------------------- */

void cleave_jit_stop(void)
{
    if (!jit.has_thread) {
        return;
    }
    cleave_jit_compile_stop();
    pthread_mutex_lock(&jit.lock);
    jit.stopping = 1;
    pthread_cond_broadcast(&jit.changed);
    pthread_mutex_unlock(&jit.lock);
    pthread_join(jit.thread, NULL);
    jit.has_thread = 0;
    cleave_jit_compile_allow();
}

void cleave_jit_forked(void)
{
    jit.forked = 1;
    jit.has_thread = 0;
    pthread_mutex_init(&jit.lock, NULL);
    pthread_cond_init(&jit.changed, NULL);
    cleave_jit_compile_forget();
}

void cleave_jit_unload(struct cleave_unit_entry *entry)
{
    int stopped = 0;
    pthread_mutex_lock(&jit.lock);
    for (struct jit_job *job = jit.jobs; job != NULL; job = job->next) {
        if (job->unit != entry->unit || job->cancelled) {
            continue;
        }
        job->cancelled = 1;
        while (job->stage == JIT_RUNS) {
            stopped = 1;
            cleave_jit_compile_stop();
            pthread_cond_wait(&jit.changed, &jit.lock);
        }
        if (job->stage == JIT_ADOPTED) {
            pthread_mutex_unlock(&jit.lock);
            cleave_unregister(&job->made);
            pthread_mutex_lock(&jit.lock);
        }
    }
    pthread_mutex_unlock(&jit.lock);
    if (stopped) {
        cleave_jit_compile_allow();
    }
}

struct cleave_jit_summary cleave_jit_summary(void)
{
    static char failure[JIT_WHY];
    struct cleave_jit_summary summary = {0};
    pthread_mutex_lock(&jit.lock);
    for (const struct jit_job *job = jit.jobs; job != NULL; job = job->next) {
        const int made = job->stage == JIT_MADE || job->stage == JIT_ADOPTED;
        summary.wanted++;
        summary.compiled += made && !job->found;
        summary.found += made && job->found;
        summary.seconds += job->seconds;
        if (job->stage == JIT_FAILED) {
            summary.failed++;
            snprintf(failure, sizeof failure, "%s", job->why);
            summary.failure = failure;
        }
    }
    pthread_mutex_unlock(&jit.lock);
    return summary;
}
