/* background.c: the order of the mesh while the worker makes it, and when it is adopted.
 *
 * A program on a device starts at once: its first loops run in its own order, by variants that need
 * no plan (choose/choice.c), while idle cores number the mesh. When the order is there, it waits
 * until the run has lasted long enough to repay the move. How long a run will last is not known;
 * one that has lasted for some time is taken to last as long again. An order that saves a tenth of
 * the loops' time (order_gain) then repays a move that takes a tenth of the time so far. */
#include "runtime/base/machine.h"
#include "runtime/mesh/order.h"

int cleave_order_awaited;
struct cleave_background cleave_background;

struct order_job {
    struct cleave_job job;
    struct order_draft *draft;
};

static struct order_job *pending;
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

static void note_state(void)
{
    cleave_order_awaited = pending != NULL || ready != NULL;
}

/* ---- making it --------------------------------------------------------------------------------
 */

static void work(struct cleave_job *job)
{
    struct order_draft *draft = ((struct order_job *)job)->draft;
    cleave_draft_make(draft);
    for (int m = 0; m < draft->maps && !cleave_job_is_cancelled(job); m++) {
        cleave_draft_row(draft, draft->map[m]);
    }
}

static void end(struct cleave_job *job)
{
    pending = NULL;
    free(job);
    note_state();
}

/* Moving is possible from now on. */
static void adopt(struct cleave_job *job)
{
    ready = ((struct order_job *)job)->draft;
    ready->job = NULL;
    adopt_from = first_loop + cleave_draft_transfers(ready) / cleave_machine.transfer_rate /
                                  cleave_machine.order_gain;
    end(job);
}

static void discard(struct cleave_job *job)
{
    cleave_background.unfinished = 1;
    cleave_draft_free(((struct order_job *)job)->draft);
    end(job);
}

/* Without memory for an order the mesh keeps the program's. */
static void fail(struct cleave_job *job)
{
    cleave_background.failed = 1;
    cleave_plans_arrived++; /* plans in the program's order may be made now */
    cleave_draft_free(((struct order_job *)job)->draft);
    end(job);
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
    note_state();
    cleave_job_start(&job->job);
}

/* ---- adopting it ------------------------------------------------------------------------------
 */

static void adopt_ready(void)
{
    struct order_draft *draft = ready;
    ready = NULL;
    note_state();
    if (forgotten) {
        draft->order.coordinates = NULL;
    }
    cleave_background.waited = first_loop > 0.0 ? cleave_seconds() - first_loop : 0.0;
    draft->order.in_background = 1;
    cleave_draft_adopt(draft);
}

void cleave_background_adopt(void)
{
    const double now = cleave_seconds();
    cleave_jobs_adopt();
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
    if (pending != NULL) {
        cleave_jobs_wait();
        cleave_jobs_adopt();
    }
    if (ready != NULL) {
        adopt_ready();
    }
}

/* ---- what became of it -------------------------------------------------------------------------
 */

enum cleave_background_order cleave_background_order(void)
{
    return cleave_order.in_background     ? BACKGROUND_ADOPTED
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
    if (pending != NULL) {
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
    const struct order_draft *draft = pending != NULL ? pending->draft : ready;
    forgotten |= draft != NULL && draft->named == dat;
}

void cleave_background_forked(void)
{
    pending = NULL;
    note_state();
}
