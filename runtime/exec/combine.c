/* combine.c: memory of reductions into globals, and of tmp(e), kept from call to call.
 *
 * Every block of a variant writes its partial result. On the host they are joined here, in the
 * order of the blocks; on a device its last block joins them and writes the result to memory of the
 * host (reduce.cuh), so that nothing has to be copied: waiting for the loop is all. In both cases
 * the result depends neither on which block ended first nor on the machine. */
#include "runtime/base/timeline.h"
#include "runtime/exec/early.h"
#include "runtime/exec/speculate.h"

/* Memory that grows when a loop needs more. */
struct pool {
    void *memory;
    size_t bytes;
};

static struct {
    struct pool host;    /* partial results of variants on the host */
    struct pool device;  /* of those on the device */
    struct pool arrived; /* on the device: how many blocks have written their partial results */
    /* Host memory that the device writes: results, and that they are there. Launches have slot 0;
     * those that start before their calls come take the others by turns (speculate.c). */
    struct pool result[CLEAVE_RESULT_SLOTS];
    struct pool done[CLEAVE_RESULT_SLOTS];
    struct pool tmp_host; /* tmp(e) */
    struct pool tmp_device;
} pools;

/* ---- memory ------------------------------------------------------------------------------ */

static void *host_memory(struct pool *pool, size_t bytes, const char *what)
{
    if (pool->bytes < bytes) {
        free(pool->memory);
        pool->bytes = 0;
        pool->memory = cleave_alloc(bytes, what);
        pool->bytes = bytes;
    }
    return pool->memory;
}

static void *device_memory(const struct cleave_call *call, const struct target_ops *device,
                           struct pool *pool, size_t bytes, const char *what)
{
    if (pool->bytes < bytes) {
        device->release(pool->memory);
        pool->bytes = 0;
        pool->memory = cleave_target_alloc(device, bytes, "the %s of loop '%s'", what, call->name);
        pool->bytes = bytes;
    }
    return pool->memory;
}

static void *written_memory(const struct cleave_call *call, const struct target_ops *device,
                            struct pool *pool, size_t bytes)
{
    if (pool->bytes < bytes) {
        device->release_host(pool->memory);
        pool->bytes = 0;
        const double begun = cleave_moment_begin();
        pool->memory = device->alloc_host(bytes);
        cleave_moment_end("host memory that the device writes", call->name, begun);
        if (pool->memory == NULL) {
            cleave_fatal("loop '%s': cannot allocate %zu bytes of host memory for its reductions "
                         "with %s: %s",
                         call->name, bytes, device->device(), device->last_error());
        }
        pool->bytes = bytes;
    }
    return pool->memory;
}

/* Makes the block counter once; the last block of every loop resets it to 0. */
static unsigned *arrived(const struct cleave_call *call, const struct target_ops *device)
{
    static const unsigned zero;
    if (pools.arrived.memory == NULL) {
        void *memory = device_memory(call, device, &pools.arrived, sizeof zero, "block counter");
        cleave_target_upload(device, memory, &zero, sizeof zero, "a block counter");
    }
    return pools.arrived.memory;
}

/* Host memory that the device changes from 0 to 1 after it has written the results. Only one launch
 * at a time has that of a slot, since the host waits for each that does. */
void cleave_results_reset(const struct cleave_launch *launch)
{
    if (launch->done != NULL) {
        __atomic_store_n(launch->done, 0, __ATOMIC_RELEASE);
    }
}

int cleave_results_are_apart(const struct cleave_launch *launch)
{
    return launch->done != NULL && launch->done != pools.done[0].memory;
}

void *cleave_tmp(const struct cleave_call *call, const struct target_ops *device, size_t bytes,
                 const char *what)
{
    return device == NULL ? host_memory(&pools.tmp_host, bytes, "contributions of a loop")
                          : device_memory(call, device, &pools.tmp_device, bytes, what);
}

size_t cleave_tmp_bytes(size_t bytes)
{
    return pools.tmp_device.bytes < bytes ? bytes : 0;
}

void cleave_partials_free(void)
{
    if (cleave_device != NULL) {
        cleave_device->release(pools.device.memory);
        cleave_device->release(pools.arrived.memory);
        cleave_device->release(pools.tmp_device.memory);
        for (int slot = 0; slot < CLEAVE_RESULT_SLOTS; slot++) {
            cleave_device->release_host(pools.result[slot].memory);
            cleave_device->release_host(pools.done[slot].memory);
        }
    }
    free(pools.host.memory);
    free(pools.tmp_host.memory);
    memset(&pools, 0, sizeof pools);
}

/* ---- reductions -------------------------------------------------------------------------- */

/* Returns the offset of the next array, aligned for every type. */
static size_t behind(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* 1: argument a is the first payload of its extremum. */
static int is_first_payload(const struct cleave_call *call, int a)
{
    if (call->arg[a].argtype != CLEAVE_ARG_INFO) {
        return 0;
    }
    for (int b = 0; b < a; b++) {
        if (call->arg[b].argtype == CLEAVE_ARG_INFO && call->arg[b].idx == call->arg[a].idx) {
            return 0;
        }
    }
    return 1;
}

/* Gives every reduction and payload its part of the memory, `blocks` times its size, and every
 * extremum with payloads as many numbers; returns how many bytes that takes. memory NULL: only
 * counts. */
static size_t divide(const struct cleave_call *call, int blocks, char *memory,
                     struct cleave_parts parts)
{
    size_t at = 0;
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        const int takes = cleave_arg_is_reduction(arg) || arg->argtype == CLEAVE_ARG_INFO;
        parts.value[a] = memory != NULL && takes ? memory + at : NULL;
        at += takes ? behind((size_t)blocks * (size_t)arg->size) : 0;
        parts.element[a] = NULL;
    }
    for (int a = 0; a < call->args; a++) {
        const int of = call->arg[a].idx;
        if (is_first_payload(call, a) && cleave_arg_on(&call->arg[of])) {
            parts.element[of] = memory != NULL ? (int *)(void *)(memory + at) : NULL;
            at += behind((size_t)blocks * (size_t)call->arg[of].dim * sizeof(int));
        }
    }
    return at;
}

/* 1: the loop has reductions, even if all are switched off: its variant counts its blocks. */
static int counts_blocks(const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (arg->argtype == CLEAVE_ARG_GBL && arg->acc != OP_READ) {
            return 1;
        }
    }
    return 0;
}

/* 1: argument a is a reduction that is switched on, and whose result is joined with the user's
 * variable. part: of partial results, or of results, which have been divided. */
static int is_joined(const struct cleave_call *call, void *const *part, int a)
{
    return part[a] != NULL && call->arg[a].argtype != CLEAVE_ARG_INFO;
}

/* 1: the host waits for the launch. A loop of which only payloads are left has nothing to wait for:
 * it must not set the flag, since the next loop that has results would take it for its own. */
static int is_waited_for(const struct cleave_call *call, void *const *part)
{
    int waited = 0;
    for (int a = 0; a < call->args; a++) {
        waited |= is_joined(call, part, a);
    }
    return waited;
}

void cleave_results_place(const struct cleave_call *call, const struct target_ops *device,
                          struct cleave_launch *launch, struct cleave_parts result, int slot)
{
    if (result.bytes > 0) {
        divide(call, 1, written_memory(call, device, &pools.result[slot], result.bytes), result);
    }
    launch->done = is_waited_for(call, result.value)
                       ? written_memory(call, device, &pools.done[slot], sizeof(unsigned))
                       : NULL;
}

size_t cleave_partials_bytes(const struct cleave_call *call, int blocks, struct cleave_parts parts)
{
    return divide(call, blocks, NULL, parts);
}

void cleave_partials_place(const struct cleave_call *call, const struct target_ops *device,
                           struct cleave_launch *launch, struct cleave_parts partial,
                           struct cleave_parts result)
{
    if (partial.bytes > 0 && device == NULL) {
        divide(call, launch->blocks,
               host_memory(&pools.host, partial.bytes, "partial results of a reduction"), partial);
    } else if (partial.bytes > 0) {
        divide(call, launch->blocks,
               device_memory(call, device, &pools.device, partial.bytes, "partial results"),
               partial);
    }
    if (device != NULL) {
        const int slot = cleave_speculate_slot(call);
        launch->arrived = counts_blocks(call) ? arrived(call, device) : NULL;
        cleave_results_place(call, device, launch, result, slot);
        if (slot == 0) {
            cleave_results_reset(launch);
        }
    }
}

/* Joins `count` values of the reduction, at `values`, with the user's variable. */
static void join(const op_arg *arg, const void *values, int count)
{
    const char *value = values;
    const struct cleave_type *type = cleave_type_find(arg->type);
    for (int i = 0; i < count && type != NULL; i++) {
        cleave_type_combine(type->base, arg->acc, arg->data, value + (size_t)i * (size_t)arg->size,
                            arg->dim);
    }
}

static const struct cleave_extremum *extremum_of(const struct cleave_loop *loop, int a)
{
    for (int n = 0; n < loop->extrema; n++) {
        if (loop->extremum[n].arg == a) {
            return &loop->extremum[n];
        }
    }
    return NULL;
}

/* Replaces the user's value and payload by those that a block found for component d. */
static void take(const struct cleave_call *call, const struct cleave_extremum *extremum,
                 void *const *values, int block, int d)
{
    const op_arg *arg = &call->arg[extremum->arg];
    const size_t bytes = (size_t)(arg->size / arg->dim);
    memcpy((char *)arg->data + (size_t)d * bytes,
           (char *)values[extremum->arg] + ((size_t)block * (size_t)arg->dim + (size_t)d) * bytes,
           bytes);
    for (int n = 0; n < extremum->payloads; n++) {
        const struct cleave_payload *payload = &extremum->payload[n];
        const op_arg *to = &call->arg[payload->arg];
        const size_t size = (size_t)(to->size / to->dim);
        const char *from = (const char *)values[payload->arg] + (size_t)block * (size_t)to->size;
        for (int i = 0; i < payload->dim; i++) {
            if (payload->component[i] == d) {
                memcpy((char *)to->data + (size_t)i * size, from + (size_t)i * size, size);
            }
        }
    }
}

/* Joins the extrema of `count` blocks, component by component. Every block starts from the user's
 * value, so whatever a block found replaces the user's value. */
static void join_extremum(const struct cleave_call *call, const struct cleave_extremum *extremum,
                          void *const *values, const int *element, int count)
{
    const op_arg *arg = &call->arg[extremum->arg];
    const struct cleave_type *type = cleave_type_find(arg->type);
    const size_t bytes = (size_t)(arg->size / arg->dim);
    for (int d = 0; d < arg->dim && type != NULL; d++) {
        const void *best = (const char *)arg->data + (size_t)d * bytes;
        int found = -1;
        for (int b = 0; b < count; b++) {
            const size_t i = (size_t)b * (size_t)arg->dim + (size_t)d;
            const void *value = (const char *)values[extremum->arg] + i * bytes;
            if (element[i] < 0 || cleave_type_beats(type->base, arg->acc, best, value)) {
                continue;
            }
            if (found < 0 || cleave_type_beats(type->base, arg->acc, value, best) ||
                (extremum->last ? element[i] > found : element[i] < found)) {
                take(call, extremum, values, b, d);
                found = element[i];
            }
        }
    }
}

/* Waits until the device has written the launch's results. */
static void wait_for(const struct cleave_call *call, const struct target_ops *device,
                     const struct cleave_launch *launch)
{
    cleave_early_waits(call);
    cleave_speculate_waits(call);
    const int failed = device->wait_done != NULL && launch->done != NULL
                           ? device->wait_done(launch->done)
                           : device->wait();
    if (failed) {
        cleave_fatal("loop '%s' (%s:%d): its reductions cannot be read from %s: %s", call->name,
                     call->site->file, call->site->line, device->device(), device->last_error());
    }
    cleave_speculate_waited();
}

void cleave_partials_combine(const struct cleave_call *call, const struct target_ops *device,
                             const struct cleave_loop *loop, const struct cleave_launch *launch)
{
    void *const *values = device != NULL ? launch->result : launch->partial;
    int *const *element = device != NULL ? launch->result_elements : launch->best_elements;
    const int count = device != NULL ? 1 : launch->blocks;
    int waited = device == NULL;
    for (int a = 0; a < call->args; a++) {
        const struct cleave_extremum *extremum = element[a] != NULL ? extremum_of(loop, a) : NULL;
        if (!is_joined(call, launch->partial, a)) {
            continue;
        }
        if (!waited) {
            wait_for(call, device, launch);
        }
        waited = 1;
        if (extremum != NULL) {
            join_extremum(call, extremum, values, element[a], count);
        } else {
            join(&call->arg[a], values[a], count);
        }
    }
}
