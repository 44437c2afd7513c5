/* combine.c: memory of reductions into globals, and of tmp(e), kept from call to call.
 *
 * Every block of a variant writes its partial result. On the host they are joined here, in the
 * order of the blocks; on a device its last block joins them and writes the result to memory of the
 * host (reduce.cuh), so that nothing has to be copied: waiting for the loop is all. In both cases
 * the result depends neither on which block ended first nor on the machine. */
#include "cleave_impl.h"

/* Memory that grows when a loop needs more. */
struct pool {
    void *memory;
    size_t bytes;
};

static struct {
    struct pool host;     /* partial results of variants on the host */
    struct pool device;   /* of those on the device */
    struct pool result;   /* host memory that the device writes */
    struct pool arrived;  /* on the device: how many blocks have written their partial results */
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

static void *result_memory(const struct cleave_call *call, const struct target_ops *device,
                           size_t bytes)
{
    struct pool *pool = &pools.result;
    if (pool->bytes < bytes) {
        device->release_host(pool->memory);
        pool->bytes = 0;
        pool->memory = device->alloc_host(bytes);
        if (pool->memory == NULL) {
            cleave_fatal("loop '%s': %zu bytes on the host for its reductions cannot be had from "
                         "%s: %s",
                         call->name, bytes, device->device(), device->last_error());
        }
        pool->bytes = bytes;
    }
    return pool->memory;
}

/* The counter is made once: the last block of every loop sets it back. */
static unsigned *arrived(const struct cleave_call *call, const struct target_ops *device)
{
    static const unsigned zero;
    if (pools.arrived.memory == NULL) {
        void *memory = device_memory(call, device, &pools.arrived, sizeof zero, "block counter");
        cleave_target_upload(device, memory, &zero, sizeof zero, "a block counter");
    }
    return pools.arrived.memory;
}

void *cleave_tmp(const struct cleave_call *call, const struct target_ops *device, size_t bytes,
                 const char *what)
{
    return device == NULL ? host_memory(&pools.tmp_host, bytes, "contributions of a loop")
                          : device_memory(call, device, &pools.tmp_device, bytes, what);
}

void cleave_partials_free(void)
{
    if (cleave_device != NULL) {
        cleave_device->release(pools.device.memory);
        cleave_device->release(pools.arrived.memory);
        cleave_device->release(pools.tmp_device.memory);
        cleave_device->release_host(pools.result.memory);
    }
    free(pools.host.memory);
    free(pools.tmp_host.memory);
    memset(&pools, 0, sizeof pools);
}

/* ---- reductions -------------------------------------------------------------------------- */

/* Where the next array begins: aligned for every type. */
static size_t behind(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* Bytes of one partial result of each reduction. */
static size_t reduction_bytes(const struct cleave_call *call, int blocks)
{
    size_t bytes = 0;
    for (int a = 0; a < call->args; a++) {
        if (cleave_arg_is_reduction(&call->arg[a])) {
            bytes += behind((size_t)blocks * (size_t)call->arg[a].size);
        }
    }
    return bytes;
}

/* Gives every reduction its part of the memory, `blocks` times its size. */
static void divide(const struct cleave_call *call, int blocks, void *memory, void **part)
{
    size_t at = 0;
    for (int a = 0; a < call->args; a++) {
        part[a] = NULL;
        if (cleave_arg_is_reduction(&call->arg[a])) {
            part[a] = (char *)memory + at;
            at += behind((size_t)blocks * (size_t)call->arg[a].size);
        }
    }
}

/* 1: the variant counts its blocks, though all that it reduces may be switched off. */
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

void cleave_partials_place(const struct cleave_call *call, const struct target_ops *device,
                           struct cleave_launch *launch, void **partial, void **result)
{
    size_t bytes = reduction_bytes(call, launch->blocks);
    launch->partial = partial;
    if (device == NULL) {
        divide(call, launch->blocks,
               host_memory(&pools.host, bytes, "partial results of a reduction"), partial);
        return;
    }
    launch->result = result;
    void *partials =
        bytes > 0 ? device_memory(call, device, &pools.device, bytes, "partial results") : NULL;
    void *results = bytes > 0 ? result_memory(call, device, reduction_bytes(call, 1)) : NULL;
    divide(call, launch->blocks, partials, partial);
    divide(call, 1, results, result);
    launch->arrived = counts_blocks(call) ? arrived(call, device) : NULL;
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

void cleave_partials_combine(const struct cleave_call *call, const struct target_ops *device,
                             const struct cleave_launch *launch)
{
    int waited = device == NULL;
    for (int a = 0; a < call->args; a++) {
        if (launch->partial[a] == NULL) {
            continue;
        }
        if (!waited && device->wait() != 0) {
            cleave_fatal("loop '%s' (%s:%d): its reductions cannot be had from %s: %s", call->name,
                         call->site->file, call->site->line, device->device(),
                         device->last_error());
        }
        waited = 1;
        if (device != NULL) {
            join(&call->arg[a], launch->result[a], 1);
        } else {
            join(&call->arg[a], launch->partial[a], launch->blocks);
        }
    }
}
