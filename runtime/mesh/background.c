/* background.c: the order of the mesh while the worker makes it, and when it is adopted.
 *
 * A program on a device starts at once: its first loops run in its own order, by variants that need
 * no plan (choose/choice.c), while idle cores number the mesh. When the order is there, it waits
 * until the run has lasted long enough to repay the move. How long a run will last is not known;
 * one that has lasted for some time is taken to last as long again. An order that saves a tenth of
 * the loops' time (order_gain) then repays a move that takes a tenth of the time so far. */
#include "runtime/base/machine.h"
#include "runtime/base/timeline.h"
#include "runtime/mesh/order.h"

int cleave_order_awaited;
struct cleave_background cleave_background;

/* The worker makes the order, says so, and goes on with what can wait: the entries of the maps in
 * the order, for plans, and the file for the next run. */
struct order_job {
    struct cleave_job job;
    struct order_draft *draft; /* NULL once it is adopted */
    atomic_int made;           /* 1: the draft is ready; the worker does not touch it any more */
    int is_taken;              /* 1: the draft is `ready`, or adopted */
    /* For the worker after that, since the mesh may own the draft's arrays by then. */
    struct kept_order *kept;
    int maps;
    struct map_row {
        op_map map;
        const int *to_user;
        const int *to_own;
        int *row; /* made; NULL: not yet, or the map does not change */
    } *row;
};

static struct order_job *pending; /* the worker has it */
static int is_deferred;           /* the worker will have it again when there are plans */
static long plans_from;           /* is_deferred: calls before loops could ask for plans */
static struct order_draft *ready; /* made, and not adopted */
static double first_loop;         /* cleave_seconds() at the first loop after the order was begun */
static double adopt_from;         /* ready: when adopting it pays */
static int forgotten;             /* the dat of its coordinates was freed */

/* A setting that names variants, or what they do, is for all calls, and most variants need plans.
 */
int cleave_plans_first(void)
{
    const struct cleave_settings *set = &cleave_settings;
    return cleave_device == NULL || set->plans_first || set->deterministic || set->verify ||
           set->variant != NULL || set->schedule >= 0 || set->race >= 0 || set->reads >= 0;
}

int cleave_order_is_awaited(void)
{
    return cleave_order_awaited;
}

int cleave_plans_are_held(void)
{
    return (cleave_order_awaited && !is_deferred) || (pending != NULL && pending->is_taken);
}

static void note_state(void)
{
    cleave_order_awaited = (pending != NULL && !pending->is_taken) || ready != NULL;
}

/* ---- making it --------------------------------------------------------------------------------
 */

/* Notes what the worker needs of the draft after it has given it away. */
static void note_rows(struct order_job *job)
{
    const struct order_draft *draft = job->draft;
    job->kept = cleave_order_kept(draft);
    job->row = cleave_alloc_zero((size_t)draft->maps * sizeof *job->row, "the order of the mesh");
    for (int m = 0; m < draft->maps; m++) {
        const op_map map = draft->map[m];
        job->row[m] = (struct map_row){map, draft->to_user[map->from->index],
                                       draft->to_own[map->to->index], NULL};
    }
    job->maps = draft->maps;
}

static void make_row(struct map_row *row)
{
    const size_t entries = (size_t)row->map->from->size * (size_t)row->map->dim;
    if (row->to_user != NULL || row->to_own != NULL) {
        row->row = cleave_alloc(entries * sizeof *row->row, row->map->name);
        cleave_permute_map(row->row, row->map->map, row->map->from->size, row->map->dim,
                           row->to_user, row->to_own);
    }
}

static void work(struct cleave_job *job)
{
    struct order_job *own = (struct order_job *)job;
    cleave_draft_make(own->draft);
    if (own->draft->is_absent) {
        return;
    }
    note_rows(own);
    atomic_store_explicit(&own->made, 1, memory_order_release);
    for (int m = 0; m < own->maps && !cleave_job_is_cancelled(job); m++) {
        make_row(&own->row[m]);
    }
    cleave_order_keep(own->kept);
}

/* Moving is possible from now on. An order from the store is adopted at once: an earlier run of
 * this mesh was long enough to make it. */
static void take(struct order_job *job)
{
    if (job->draft->is_refused) {
        job->is_taken = 1;
        cleave_background.given_up = 1;
        cleave_draft_free(job->draft);
        job->draft = NULL;
        note_state();
        return;
    }
    ready = job->draft;
    ready->job = NULL;
    job->is_taken = 1;
    adopt_from = first_loop;
    if (!ready->order.from_cache) {
        adopt_from += cleave_draft_transfers(ready) / cleave_machine.transfer_rate /
                      cleave_machine.order_gain;
    }
}

/* Gives the maps the entries that the worker has made: at once, or with the draft. */
static void hand_rows(struct order_job *job)
{
    for (int m = 0; m < job->maps; m++) {
        struct map_row *row = &job->row[m];
        int **to = job->draft != NULL ? &job->draft->row[m] : &cleave_map_of(row->map)->own;
        if (*to == NULL) {
            *to = row->row;
            row->row = NULL;
        }
    }
}

static void end(struct order_job *job)
{
    for (int m = 0; m < job->maps; m++) {
        free(job->row[m].row);
    }
    free(job->row);
    free(job->kept);
    free(job);
    pending = NULL;
    is_deferred = 0;
    cleave_plans_arrived++; /* plans may be made now */
    note_state();
}

static void adopt(struct cleave_job *job)
{
    struct order_job *own = (struct order_job *)job;
    if (own->draft != NULL && own->draft->is_absent) {
        is_deferred = 1;
        plans_from = cleave_background.calls;
        cleave_plans_arrived++; /* plans may be made now */
        return;
    }
    if (!own->is_taken) {
        take(own);
    }
    hand_rows(own);
    end(own);
}

/* The draft goes, unless it is ready. */
static void discard(struct cleave_job *job)
{
    struct order_job *own = (struct order_job *)job;
    if (!own->is_taken) {
        cleave_background.unfinished = 1;
        cleave_draft_free(own->draft);
    }
    end(own);
}

/* Without memory for an order the mesh keeps the program's; without memory for what can wait it
 * has the new one. */
static void fail(struct cleave_job *job)
{
    struct order_job *own = (struct order_job *)job;
    if (atomic_load(&own->made)) {
        adopt(job);
        return;
    }
    cleave_background.failed = 1;
    cleave_draft_free(own->draft);
    end(own);
}

void cleave_draft_start(struct order_draft *draft, int in_loop)
{
    struct order_job *job = cleave_alloc_zero(sizeof *job, "the order of the mesh");
    job->job = (struct cleave_job){.work = work, .adopt = adopt, .discard = discard, .fail = fail};
    job->draft = draft;
    draft->job = &job->job;
    pending = job;
    first_loop = in_loop ? cleave_seconds() : 0.0;
    forgotten = 0;
    cleave_background.calls = in_loop;
    cleave_background.unfinished = 0;
    cleave_background.failed = 0;
    cleave_background.given_up = 0;
    cleave_background.ratio = 0.0;
    cleave_background.first_call = 0;
    note_state();
    cleave_job_start(&job->job);
}

/* Loops that plans make fast are not to wait for them until the order is made: it is begun when the
 * plans of the first loops are there. */
static void start_deferred(void)
{
    is_deferred = 0;
    pending->draft->waits = pending->draft->is_absent = 0;
    pending->draft->order.phases.count = 0;
    cleave_job_start(&pending->job);
}

/* ---- adopting it ------------------------------------------------------------------------------
 */

/* Ends all that runs in the order of before. */
static void wait_for_loops(void)
{
    cleave_flush();
    if (cleave_device != NULL && cleave_device->wait() != 0) {
        cleave_fatal("a loop failed on %s: %s", cleave_device->device(),
                     cleave_device->last_error());
    }
}

/* Any order is better than one that is scattered: the move pays at once. */
static void adopt_first(struct order_draft *draft)
{
    struct order_draft *first = draft->first;
    const struct cleave_span span = cleave_span_begin(CLEAVE_DOING_ADOPTION);
    draft->first = NULL;
    wait_for_loops();
    cleave_background.first_call = cleave_background.calls + 1;
    cleave_draft_adopt_first(first);
    cleave_span_end(span, 0);
}

static void adopt_ready(void)
{
    struct order_draft *draft = ready;
    const struct cleave_span span = cleave_span_begin(CLEAVE_DOING_ADOPTION);
    ready = NULL;
    if (pending != NULL) {
        pending->draft = NULL;
    }
    note_state();
    if (forgotten) {
        draft->order.coordinates = NULL;
    }
    wait_for_loops();
    cleave_background.adopted_from = cleave_seconds();
    cleave_background.waited = first_loop > 0.0 ? cleave_seconds() - first_loop : 0.0;
    draft->order.in_background = 1;
    cleave_draft_adopt(draft);
    cleave_span_end(span, (size_t)cleave_order.moved_bytes);
}

void cleave_background_adopt(void)
{
    const double now = cleave_seconds();
    if (atomic_load_explicit(&cleave_jobs_ended, memory_order_relaxed) != 0) {
        const struct cleave_span span = cleave_span_begin(CLEAVE_DOING_ADOPTION);
        cleave_jobs_adopt();
        cleave_span_end(span, 0);
    }
    if (is_deferred && cleave_background.calls - plans_from >= cleave_machine.first_plans &&
        cleave_jobs_are_done()) {
        start_deferred();
    }
    if (pending != NULL && !pending->is_taken &&
        atomic_load_explicit(&pending->made, memory_order_acquire)) {
        take(pending);
    }
    if (pending != NULL && !pending->is_taken && pending->draft->first != NULL &&
        atomic_load_explicit(&pending->draft->has_first, memory_order_acquire)) {
        adopt_first(pending->draft);
    }
    if (ready != NULL && (now >= adopt_from || first_loop == 0.0)) {
        adopt_ready();
    }
    if (cleave_order_awaited) {
        first_loop = first_loop > 0.0 ? first_loop : now;
        cleave_background.calls++;
    }
}

void cleave_order_await(void)
{
    if (pending != NULL && !pending->is_taken) {
        cleave_jobs_wait();
        cleave_jobs_adopt();
        if (is_deferred) {
            start_deferred();
            cleave_jobs_wait();
            cleave_jobs_adopt();
        }
    }
    if (ready != NULL) {
        adopt_ready();
    }
}

/* ---- what became of it -------------------------------------------------------------------------
 */

enum cleave_background_order cleave_background_order(void)
{
    return cleave_background.given_up     ? BACKGROUND_GIVEN_UP
           : cleave_order.in_background   ? BACKGROUND_ADOPTED
           : cleave_background.failed     ? BACKGROUND_FAILED
           : cleave_background.unfinished ? BACKGROUND_NOT_READY
           : ready != NULL                ? BACKGROUND_NOT_REPAID
                                          : BACKGROUND_NONE;
}

double cleave_background_spared(void)
{
    return cleave_background.plan_seconds +
           (cleave_order.in_background ? cleave_order.seconds - cleave_order.adopt_seconds : 0.0);
}

/* ---- ending it --------------------------------------------------------------------------------
 */

void cleave_background_drop(void)
{
    if (is_deferred) {
        discard(&pending->job);
    } else if (pending != NULL) {
        cleave_jobs_cancel();
    }
    if (ready != NULL) {
        cleave_draft_free(ready);
        ready = NULL;
    }
    note_state();
}

void cleave_background_forget(op_dat dat)
{
    const struct order_draft *draft =
        pending != NULL && !pending->is_taken ? pending->draft : ready;
    forgotten |= draft != NULL && draft->named == dat;
}

void cleave_background_forked(void)
{
    pending = NULL;
    is_deferred = 0;
    note_state();
}
