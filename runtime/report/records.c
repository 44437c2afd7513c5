/* records.c: what is kept of the calls of loops: a record for each call site and variant, so that
 * times of different sites or variants never mix. Tables of loops (tables.c) put together what
 * belongs together.
 *
 * Calls on a device are not waited for, so that the host's clock tells nothing of them. The device
 * times some: calls 0, 1, 2, 4, 7, 11, 17, ... of a record, ever rarer, because each costs the host
 * more than the launch; the time of all is taken to be in proportion to their bytes.
 * CLEAVE_TIMING=1 has all of them timed there. */
#include "runtime/report/report.h"

struct cleave_record *cleave_records;
const char cleave_no_variant[] = "none";
struct cleave_graph_use cleave_graph_use;
struct cleave_early_use cleave_early_use;
struct cleave_group_use cleave_group_use;
struct cleave_tile_use cleave_tile_use;

/* ---- records ----------------------------------------------------------------------------- */

static int is_of_loop(const struct cleave_record *record, const char *name, const char *kernel)
{
    return strcmp(record->name, name) == 0 && strcmp(record->kernel, kernel) == 0;
}

/* Appends a record, so that the list is in the order of first calls. */
static struct cleave_record *add(const char *name, const char *kernel,
                                 const struct cleave_site *site)
{
    struct cleave_record **end = &cleave_records;
    struct cleave_record *first = NULL;
    for (; *end != NULL; end = &(*end)->next) {
        if (first == NULL && is_of_loop(*end, name, kernel)) {
            first = *end;
        }
    }
    struct cleave_record *record = cleave_alloc_zero(sizeof *record, "a loop's times");
    record->name = cleave_text_copy(name);
    record->kernel = cleave_text_copy(kernel);
    record->site = site;
    record->variant = cleave_no_variant;
    record->target = cleave_no_variant;
    record->first = first != NULL ? first : record;
    *end = record;
    return record;
}

static struct cleave_record *find(const char *name, const char *kernel,
                                  const struct cleave_site *site)
{
    struct cleave_record *record = cleave_records;
    while (record != NULL && (record->site != site || !is_of_loop(record, name, kernel))) {
        record = record->next;
    }
    return record != NULL ? record : add(name, kernel, site);
}

struct cleave_record *cleave_record_find(const struct cleave_call *call)
{
    char *kernel = cleave_site_kernel(call->site);
    struct cleave_record *record = find(call->name, kernel, call->site);
    free(kernel);
    return record;
}

struct cleave_record *cleave_record_for(struct cleave_record *record, const char *variant,
                                        const char *target)
{
    if (record->variant == variant && record->target == target) {
        return record;
    }
    for (struct cleave_record *r = cleave_records; r != NULL; r = r->next) {
        if (r->site == record->site && r->first == record->first &&
            (r->variant == cleave_no_variant ||
             (strcmp(r->variant, variant) == 0 && strcmp(r->target, target) == 0))) {
            r->variant = variant;
            r->target = target;
            return r;
        }
    }
    struct cleave_record *other = add(record->name, record->kernel, record->site);
    other->variant = variant;
    other->target = target;
    return other;
}

void cleave_record_by_hand(const char *name, double seconds)
{
    struct cleave_record *record = find(name, "", NULL);
    record->variant = "by hand";
    record->target = "seq";
    record->count++;
    record->seconds += seconds;
}

/* ---- libraries that are closed ------------------------------------------------------------ */

static struct text {
    struct text *next;
    char characters[];
} *texts;

const char *cleave_record_text(const char *characters)
{
    struct text *text = texts;
    while (text != NULL && strcmp(text->characters, characters) != 0) {
        text = text->next;
    }
    if (text == NULL) {
        text = cleave_alloc(sizeof *text + strlen(characters) + 1, "a name");
        strcpy(text->characters, characters);
        text->next = texts;
        texts = text;
    }
    return text->characters;
}

static void free_texts(void)
{
    while (texts != NULL) {
        struct text *text = texts;
        texts = text->next;
        free(text);
    }
}

static int is_kernel_of(const struct cleave_unit *unit, const void *kernel)
{
    for (int l = 0; l < unit->loops; l++) {
        for (int v = 0; v < unit->loop[l].variants; v++) {
            if (unit->loop[l].variant[v].kernel == kernel) {
                return 1;
            }
        }
    }
    return 0;
}

/* A variant without blocks reads through the caches, whatever its schedule could stage. */
static int is_staged(const struct cleave_variant *variant)
{
    return variant->reads == CLEAVE_READS_STAGED &&
           (variant->plan == CLEAVE_PLAN_BLOCKS || variant->plan == CLEAVE_PLAN_OWNERS);
}

void cleave_record_stages(struct cleave_record *record, const struct cleave_loop *loop,
                          const struct cleave_variant *variant)
{
    if (record->stages > 0 || !is_staged(variant)) {
        return;
    }
    for (int s = 0; s < loop->stages; s++) {
        const struct cleave_stage *stage = &loop->stage[s];
        if (stage->schedule == variant->schedule && stage->cuts == variant->cuts) {
            record->stage = record->stages++ == 0 ? stage : record->stage;
        }
    }
}

static void copy_stages(struct cleave_record *record)
{
    struct cleave_stage *own =
        cleave_alloc((size_t)record->stages * sizeof *own, "the stages of a loop");
    for (int s = 0; s < record->stages; s++) {
        own[s] = record->stage[s];
        own[s].name = cleave_record_text(own[s].name);
        own[s].staged = cleave_record_text(own[s].staged);
    }
    record->stage = record->own_stages = own;
}

void cleave_record_takes(const struct cleave_record *record, struct target_kernel *takes)
{
    if (cleave_device != NULL && cleave_device->kernel_takes != NULL) {
        cleave_device->kernel_takes(record->started, record->block_size, record->shared_bytes,
                                    takes);
    }
}

void cleave_records_unload(struct cleave_unit_entry *entry)
{
    const struct cleave_unit *unit = entry->unit;
    if (cleave_device == NULL || unit->target != cleave_device->target) {
        return;
    }
    cleave_timers_collect();
    for (struct cleave_record *record = cleave_records; record != NULL; record = record->next) {
        if (record->started != NULL && is_kernel_of(unit, record->started)) {
            cleave_record_takes(record, &record->takes);
            record->started = NULL;
            record->unloaded = 1;
        }
        if (record->stages > 0 && record->own_stages == NULL) {
            copy_stages(record);
        }
    }
}

/* ---- times ------------------------------------------------------------------------------- */

int cleave_record_samples(struct cleave_record *record)
{
    if (cleave_settings.timing) {
        return 1;
    }
    if (record->device_calls < record->next_sample) {
        return 0;
    }
    record->next_sample += record->next_sample / 2 + 1;
    return 1;
}

/* Grows the array of times by doubling, since most loops have few calls. */
static void keep_time(struct cleave_record *record, double seconds)
{
    long timed = record->timed++;
    if (timed < CLEAVE_RECORD_TIMES && (timed & (timed - 1)) == 0) {
        float *times = cleave_alloc((size_t)MAX(2 * timed, 1) * sizeof *times, "a loop's times");
        if (timed > 0) {
            memcpy(times, record->times, (size_t)timed * sizeof *times);
        }
        free(record->times);
        record->times = times;
    }
    record->times[timed % CLEAVE_RECORD_TIMES] = (float)seconds;
}

/* The first call also loads the kernel: it counts only while it is the only one. */
void cleave_record_sample(struct cleave_record *record, double bytes, double seconds)
{
    if (record->samples == 1 && !record->warm) {
        record->warm = 1;
        record->samples = 0;
        record->sample_seconds = record->sample_bytes = 0.0;
        record->timed = 0;
    }
    record->samples++;
    record->sample_seconds += seconds;
    record->sample_bytes += bytes;
    if (cleave_settings.timing) {
        keep_time(record, seconds);
    }
}

double cleave_record_seconds(const struct cleave_record *record)
{
    double share =
        record->samples > 0 ? (double)record->device_calls / (double)record->samples : 0.0;
    if (record->sample_bytes > 0.0) {
        share = record->device_bytes / record->sample_bytes;
    }
    return record->seconds + share * record->sample_seconds;
}

double cleave_records_seconds(void)
{
    double seconds = 0.0;
    for (const struct cleave_record *r = cleave_records; r != NULL; r = r->next) {
        seconds += cleave_record_seconds(r);
    }
    return seconds;
}

double cleave_record_expects(const struct cleave_record *record, double bytes)
{
    if (record->sample_bytes > 0.0) {
        return record->sample_seconds * bytes / record->sample_bytes;
    }
    return record->bytes > 0.0 ? record->seconds * bytes / record->bytes : 0.0;
}

void cleave_record_add(const struct cleave_call *call)
{
    struct cleave_record *record = call->record;
    double bytes = call->bytes;
    record->count++;
    record->plan_seconds += call->plan_seconds - call->planned;
    if (record->in_group) {
        return;
    }
    record->bytes += bytes;
    if (call->held) {
        return;
    }
    if (call->unwaited) {
        record->device_calls++;
        record->device_bytes += bytes;
    } else {
        double planning = call->plan_seconds - call->planned;
        double seconds = fmax(cleave_seconds() - call->start - planning, 0.0);
        record->seconds += seconds;
        if (cleave_settings.timing) {
            keep_time(record, seconds);
        }
    }
}

void cleave_record_took(struct cleave_record *record, double seconds)
{
    record->seconds += seconds;
    if (cleave_settings.timing) {
        keep_time(record, seconds);
    }
}

void cleave_record_take_back(struct cleave_record *record, double bytes)
{
    record->count--;
    record->bytes -= bytes;
    record->device_calls--;
    record->device_bytes -= bytes;
}

void cleave_records_free(void)
{
    cleave_timers_forget();
    memset(&cleave_graph_use, 0, sizeof cleave_graph_use);
    memset(&cleave_early_use, 0, sizeof cleave_early_use);
    memset(&cleave_group_use, 0, sizeof cleave_group_use);
    memset(&cleave_tile_use, 0, sizeof cleave_tile_use);
    while (cleave_records != NULL) {
        struct cleave_record *record = cleave_records;
        cleave_records = record->next;
        free(record->name);
        free(record->kernel);
        free(record->times);
        free(record->own_stages);
        free(record);
    }
    free_texts();
}
