/* verify_sums.c: how large the terms are that a point sums up, for CLEAVE_VERIFY=1.
 *
 * Large increments may cancel to a small sum, which then is only as exact as they are: relative to
 * the sum alone, a right result in another order would look wrong. So while the reference runs, the
 * magnitudes of all increments are added up beside each sum. An element's increments are the
 * differences between what its kernel finds and what it leaves in the arguments that it increments.
 */
#include "runtime/exec/verify.h"

/* An argument that the loop increments: floating numbers. */
struct watched {
    int arg;
    int item;
    enum cleave_base base;
    size_t component; /* bytes */
    int columns;      /* of a vector argument, else 1 */
    const char *memory;
};

/* A record that the running element increments, as it was before. */
struct record {
    int watched;
    const char *at;
    double *before; /* [dim] */
};

struct cleave_check_watch {
    int args;
    struct watched watched[CLEAVE_MAX_ARGS];
    int records; /* of the running element; 0 before the first */
    struct record *record;
    double *values; /* of all records */
};

static int is_summed(const op_arg *arg)
{
    const enum cleave_base base = cleave_verify_base(arg);
    return cleave_arg_on(arg) && arg->acc == OP_INC &&
           (arg->argtype == CLEAVE_ARG_DAT || arg->argtype == CLEAVE_ARG_GBL) &&
           (base == BASE_DOUBLE || base == BASE_FLOAT);
}

/* The item that keeps the argument's memory, or -1. */
static int item_at(const struct cleave_call *call, const char *memory)
{
    for (int i = 0; i < call->check->items; i++) {
        const struct cleave_check_item *item = &call->check->item[i];
        const char *kept = cleave_verify_memory(&call->arg[item->arg]);
        if (memory >= kept && memory < kept + item->bytes) {
            return i;
        }
    }
    return -1;
}

static void watch(struct cleave_call *call, struct cleave_check_watch *all, int a)
{
    const op_arg *arg = &call->arg[a];
    const char *memory = cleave_verify_memory(arg);
    const int i = item_at(call, memory);
    if (i < 0) {
        return;
    }
    struct cleave_check_item *item = &call->check->item[i];
    const enum cleave_base base = cleave_verify_base(arg);
    const size_t component = base == BASE_DOUBLE ? sizeof(double) : sizeof(float);
    if (item->magnitudes == NULL) {
        item->magnitudes =
            cleave_alloc_zero(item->bytes / component * sizeof(double), "CLEAVE_VERIFY");
    }
    all->watched[all->args++] = (struct watched){a,
                                                 i,
                                                 base,
                                                 component,
                                                 arg->map != NULL && arg->idx < 0 ? -arg->idx : 1,
                                                 cleave_verify_memory(&call->arg[item->arg])};
}

void cleave_verify_watch(struct cleave_run *run, struct cleave_call *call)
{
    struct cleave_check_watch *all = cleave_alloc_zero(sizeof *all, "CLEAVE_VERIFY");
    size_t records = 0;
    size_t values = 0;
    for (int a = 0; a < call->args; a++) {
        if (is_summed(&call->arg[a])) {
            watch(call, all, a);
        }
    }
    for (int w = 0; w < all->args; w++) {
        records += (size_t)all->watched[w].columns;
        values += (size_t)all->watched[w].columns * (size_t)call->arg[all->watched[w].arg].dim;
    }
    if (records == 0) {
        free(all);
        return;
    }
    all->record = cleave_alloc(records * sizeof *all->record, "CLEAVE_VERIFY");
    all->values = cleave_alloc(values * sizeof *all->values, "CLEAVE_VERIFY");
    call->check->watch = all;
    run->vectors = 1;
}

/* Adds the increments of the element that has run last. */
static void add_magnitudes(const struct cleave_call *call)
{
    const struct cleave_check_watch *all = call->check->watch;
    for (int r = 0; r < all->records; r++) {
        const struct record *record = &all->record[r];
        const struct watched *watched = &all->watched[record->watched];
        double *magnitude = call->check->item[watched->item].magnitudes +
                            (size_t)(record->at - watched->memory) / watched->component;
        for (int d = 0; d < call->arg[watched->arg].dim; d++) {
            const char *now = record->at + (size_t)d * watched->component;
            const double added = fabs(cleave_type_value(watched->base, now) - record->before[d]);
            magnitude[d] += isfinite(added) ? added : 0.0;
        }
    }
}

void cleave_verify_element(const struct cleave_run *run)
{
    const struct cleave_call *call = run->call;
    struct cleave_check_watch *all = call->check->watch;
    if (all == NULL) {
        return;
    }
    double *value = all->values;
    add_magnitudes(call);
    all->records = 0;
    for (int w = 0; w < all->args; w++) {
        const struct watched *watched = &all->watched[w];
        const op_arg *arg = &call->arg[watched->arg];
        const void *pointer = run->pointer[watched->arg];
        for (int c = 0; c < watched->columns; c++) {
            struct record *record = &all->record[all->records++];
            *record = (struct record){
                w, arg->map != NULL && arg->idx < 0 ? ((void *const *)pointer)[c] : pointer, value};
            for (int d = 0; d < arg->dim; d++) {
                *value++ =
                    cleave_type_value(watched->base, record->at + (size_t)d * watched->component);
            }
        }
    }
}

void cleave_verify_unwatch(struct cleave_call *call)
{
    struct cleave_check_watch *all = call->check->watch;
    if (all != NULL) {
        add_magnitudes(call);
        free(all->record);
        free(all->values);
        free(all);
        call->check->watch = NULL;
    }
}
