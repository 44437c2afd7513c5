/* combine.c: reductions into globals: every block of a variant writes its partial result; here they
 * are fetched and combined into the user's variable, in the order of the blocks, so that the result
 * does not depend on which block ended first. */
#include "cleave_impl.h"

/* Memory for partial results, kept from call to call and grown when a loop needs more. */
struct pool {
    void *memory;
    size_t bytes;
};

/* The last one is tmp(e)'s. */
enum { TMP_POOL = CLEAVE_MAX_ARGS, POOLS };
static struct pool host_pool[POOLS];
static struct pool device_pool[POOLS];

static size_t partial_bytes(const op_arg *arg, int blocks)
{
    return (size_t)blocks * (size_t)arg->size;
}

static void *host_memory(int a, size_t bytes)
{
    struct pool *pool = &host_pool[a];
    if (pool->bytes < bytes) {
        free(pool->memory);
        pool->memory = cleave_alloc(bytes, a == TMP_POOL ? "contributions of a loop"
                                                         : "partial results of a reduction");
        pool->bytes = bytes;
    }
    return pool->memory;
}

void *cleave_partial(const struct cleave_call *call, int a, const struct target_ops *device,
                     int blocks)
{
    size_t bytes = partial_bytes(&call->arg[a], blocks);
    struct pool *pool = &device_pool[a];
    if (device == NULL) {
        return host_memory(a, bytes);
    }
    if (pool->bytes < bytes) {
        device->release(pool->memory);
        pool->bytes = 0;
        pool->memory = cleave_target_alloc(
            device, bytes, "partial results of argument %d of loop '%s'", a + 1, call->name);
        pool->bytes = bytes;
    }
    return pool->memory;
}

void *cleave_tmp(const struct cleave_call *call, const struct target_ops *device, size_t bytes)
{
    struct pool *pool = &device_pool[TMP_POOL];
    if (device == NULL) {
        return host_memory(TMP_POOL, bytes);
    }
    if (pool->bytes < bytes) {
        device->release(pool->memory);
        pool->bytes = 0;
        pool->memory =
            cleave_target_alloc(device, bytes, "the contributions of loop '%s'", call->name);
        pool->bytes = bytes;
    }
    return pool->memory;
}

static const char *fetched(const struct cleave_call *call, int a, const struct target_ops *device,
                           void *partial, int blocks)
{
    size_t bytes = partial_bytes(&call->arg[a], blocks);
    if (device == NULL) {
        return partial;
    }
    void *memory = host_memory(a, bytes);
    if (device->download(memory, partial, bytes) != 0) {
        cleave_fatal("loop '%s': its reductions cannot be copied from %s: %s", call->name,
                     device->device(), device->last_error());
    }
    return memory;
}

void cleave_partials_combine(const struct cleave_call *call, const struct target_ops *device,
                             void *const *partial, int blocks)
{
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (partial[a] == NULL) {
            continue;
        }
        const struct cleave_type *type = cleave_type_find(arg->type);
        const char *from = fetched(call, a, device, partial[a], blocks);
        for (int b = 0; b < blocks && type != NULL; b++) {
            cleave_type_combine(type->base, arg->acc, arg->data,
                                from + (size_t)b * (size_t)arg->size, arg->dim);
        }
    }
}

void cleave_partials_free(void)
{
    for (int a = 0; a < POOLS; a++) {
        free(host_pool[a].memory);
        if (cleave_device != NULL) {
            cleave_device->release(device_pool[a].memory);
        }
    }
    memset(host_pool, 0, sizeof host_pool);
    memset(device_pool, 0, sizeof device_pool);
}
