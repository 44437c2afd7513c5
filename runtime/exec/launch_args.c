/* launch_args.c: what a variant is launched with: where its data, maps and numbers are on the
 * target, memory for its partial results and contributions, its plan. */
#include "runtime/exec/launcher.h"

/* ---- memory ------------------------------------------------------------------------------ */

/* Returns the largest number of copies of dats that a variant of the call reads. */
static int most_copies(const struct cleave_call *call)
{
    int most = 0;
    for (int l = 0; l < call->match->loops; l++) {
        const struct cleave_loop *loop = call->match->loop[l];
        for (int v = 0; v < loop->variants; v++) {
            most = MAX(most, loop->variant[v].copies);
        }
    }
    return most;
}

/* 1: variants on the device take the value of this global when they are launched. */
static int is_value(const op_arg *arg)
{
    return arg->argtype == CLEAVE_ARG_GBL && cleave_arg_on(arg) && arg->acc != OP_INC;
}

static size_t aligned(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static size_t value_bytes(const struct cleave_call *call, int *values)
{
    size_t bytes = 0;
    *values = 0;
    for (int a = 0; a < call->args; a++) {
        if (is_value(&call->arg[a])) {
            bytes += aligned((size_t)call->arg[a].size);
            ++*values;
        }
    }
    return bytes;
}

static void place_values(const struct cleave_call *call, struct cleave_launcher *launcher,
                         char *memory)
{
    launcher->values = 0;
    for (int a = 0; a < call->args; a++) {
        if (is_value(&call->arg[a])) {
            launcher->value_arg[launcher->values] = a;
            launcher->value[launcher->values++] = memory;
            memory += aligned((size_t)call->arg[a].size);
        }
    }
}

struct cleave_launcher *cleave_launcher_new(const struct cleave_call *call)
{
    enum { POINTER_ARRAYS = 9, INT_ARRAYS = 3 };
    const size_t args = (size_t)call->args;
    const size_t pointers = POINTER_ARRAYS * args + (size_t)most_copies(call);
    const size_t head = aligned(sizeof(struct cleave_launcher));
    const size_t numbers =
        aligned(pointers * sizeof(void *) + INT_ARRAYS * args * sizeof(int) + args);
    int values;
    const size_t bytes = numbers + value_bytes(call, &values);
    struct cleave_launcher *launcher = cleave_alloc_zero(head + bytes, "a call of a loop");
    launcher->arrays = (char *)launcher + head;
    launcher->args = call->args;
    launcher->fixed_bytes = numbers;
    launcher->array_bytes = bytes;
    void **next = (void **)(void *)launcher->arrays;
    launcher->data = next;
    launcher->map = (const int **)(next + args);
    launcher->number = (const int **)(next + 2 * args);
    launcher->partial = (struct cleave_parts){next + 3 * args, (int **)(next + 4 * args), 0};
    launcher->result = (struct cleave_parts){next + 5 * args, (int **)(next + 6 * args), 0};
    launcher->value = (char **)(next + 7 * args);
    launcher->next = next + 8 * args;
    launcher->copies = (const void **)(next + POINTER_ARRAYS * args);
    launcher->map_dim = (int *)(next + pointers);
    launcher->stride = launcher->map_dim + args;
    launcher->value_arg = launcher->stride + args;
    launcher->zeros = (unsigned char *)(launcher->value_arg + args);
    place_values(call, launcher, launcher->arrays + numbers);
    return launcher;
}

/* ---- what stays as long as the choice ---------------------------------------------------- */

/* The set whose points a joined loop's epilogues run over; NULL: it has none. */
static op_set points_of(const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        if (cleave_arg_is_point(call, a)) {
            return call->arg[a].map != NULL ? call->arg[a].map->from : call->arg[a].dat->set;
        }
    }
    return NULL;
}

/* Returns cleave_launch.blocks. points: points_of() the call. */
static int blocks_of(const struct cleave_call *call, const struct cleave_choice *choice,
                     op_set points)
{
    const struct cleave_plan *plan = choice->plan != NULL ? choice->plan->plan : NULL;
    int blocks = 0;
    if (points != NULL) {
        return (points->size - 1) / choice->block_size + 1;
    }
    if (choice->variant->plan == CLEAVE_PLAN_BLOCKS ||
        choice->variant->plan == CLEAVE_PLAN_RANGES) {
        return plan->blocks;
    }
    if (choice->variant->plan != CLEAVE_PLAN_COLOURS) {
        return (call->set->size - 1) / choice->block_size + 1;
    }
    for (int colour = 0; colour < plan->global_colours; colour++) {
        const int elements = plan->global_start[colour + 1] - plan->global_start[colour];
        blocks += (elements - 1) / choice->block_size + 1;
    }
    return blocks;
}

/* 1: the variant reads the argument's dat as a structure of arrays. */
static int reads_soa(const struct cleave_choice *choice, int a)
{
    return choice->variant->soa != NULL && choice->variant->soa[a];
}

static void choose_shapes(const struct cleave_call *call, struct cleave_launcher *launcher)
{
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        const int soa = cleave_arg_uses_dat(arg) && launcher->choice.device != NULL &&
                        reads_soa(&launcher->choice, a);
        launcher->map_dim[a] = arg->map != NULL ? arg->map->dim : 0;
        launcher->stride[a] = soa ? cleave_dat_stride(cleave_dat_of(arg->dat)) : 0;
    }
}

/* The CLEAVE_RECORD_ bits of the loop's arguments; NULL: all are 0. */
static const unsigned char *records_of(const struct cleave_call *call,
                                       const struct cleave_choice *choice)
{
    const struct cleave_records *records = cleave_records_of(choice->unit->unit, choice->loop);
    unsigned any = 0;
    for (int a = 0; records != NULL && records->record != NULL && a < call->args; a++) {
        any |= records->record[a];
    }
    return any != 0 ? records->record : NULL;
}

void cleave_launch_choose(const struct cleave_call *call, struct cleave_launcher *launcher)
{
    const struct cleave_choice *choice = &launcher->choice;
    const int on_device = choice->device != NULL;
    const op_set points = points_of(call);
    launcher->records = on_device ? records_of(call, choice) : NULL;
    launcher->has_points = points != NULL;
    choose_shapes(call, launcher);
    launcher->launch = (struct cleave_launch){
        .size = call->set->size,
        .end = call->set->size,
        .blocks = blocks_of(call, choice, points),
        .block_size = choice->block_size,
        .data = launcher->data,
        .map = launcher->map,
        .map_dim = launcher->map_dim,
        .number = launcher->number,
        .partial = launcher->partial.value,
        .best_elements = launcher->partial.element,
        .shared_bytes = choice->shared_bytes,
        .result = on_device ? launcher->result.value : NULL,
        .result_elements = on_device ? launcher->result.element : NULL,
        .stride = launcher->stride,
        .copy = choice->variant->copies > 0 ? launcher->copies : NULL,
        .next = launcher->next,
        .zeros = launcher->zeros,
        .lane_bytes = cleave_lane_bytes(choice->variant->lanes, cleave_lanes_most()),
    };
    launcher->partial.bytes =
        cleave_partials_bytes(call, launcher->launch.blocks, launcher->partial);
    launcher->result.bytes = cleave_partials_bytes(call, 1, launcher->result);
}

/* ---- what a call finds anew -------------------------------------------------------------- */

/* The dat of argument a on the target, in the layout that the variant reads. */
static void *data_of(const op_arg *arg, int a, const struct cleave_choice *choice)
{
    if (choice->device != NULL) {
        return cleave_dat_on_device(arg->dat, reads_soa(choice, a));
    }
    void *data = cleave_dat_current(arg->dat, COPY_HOST);
    if (arg->acc != OP_READ) {
        cleave_dat_open(arg->dat, COPY_HOST);
    }
    return data;
}

void cleave_launch_read(const struct cleave_call *call, struct cleave_launcher *launcher)
{
    for (int v = 0; v < launcher->values; v++) {
        const op_arg *arg = &call->arg[launcher->value_arg[v]];
        memcpy(launcher->value[v], arg->data, (size_t)arg->size);
    }
}

/* The values that cleave_launch_read() has copied take the place of the globals. */
static void give_values(struct cleave_launcher *launcher)
{
    for (int v = 0; v < launcher->values; v++) {
        launcher->data[launcher->value_arg[v]] = launcher->value[v];
    }
}

/* 1: the dat's values may be elsewhere than where they are stored (launch_records.c). */
static int is_noted(const op_arg *arg, const struct cleave_launcher *launcher)
{
    const struct cleave_dat *dat = cleave_dat_of(arg->dat);
    return launcher->choice.device != NULL && (dat->zero || dat->buffers.sharer != NULL);
}

/* Entries that do not apply to an argument are NULL from the start and stay so. */
static void gather_argument(const struct cleave_call *call, int a, struct cleave_launcher *launcher)
{
    const op_arg *arg = &call->arg[a];
    const enum cleave_copy copy = cleave_copy_for(launcher->choice.device);
    if (arg->map != NULL) {
        launcher->map[a] = cleave_map_current(arg->map, copy);
    }
    if (!cleave_arg_on(arg)) {
        return;
    }
    if (arg->argtype == CLEAVE_ARG_DAT) {
        if (launcher->zeros[a] != 0) { /* a store here would be waited for by the copy of all */
            launcher->zeros[a] = 0;
        }
        if (!is_noted(arg, launcher) || !cleave_launch_record(call, launcher, a)) {
            launcher->data[a] = data_of(arg, a, &launcher->choice);
        }
    } else if (arg->argtype == CLEAVE_ARG_IDX) {
        launcher->number[a] =
            cleave_numbers_current(arg->map != NULL ? arg->map->to : call->set, copy);
    } else {
        launcher->data[a] = arg->data;
    }
    if (arg->argtype == CLEAVE_ARG_INFO) {
        launcher->number[a] = cleave_numbers_current(call->set, copy);
    }
}

/* Bytes of tmp(e) or block sums. */
static size_t tmp_bytes(const struct cleave_call *call, const struct cleave_choice *choice)
{
    const struct cleave_variant *variant = choice->variant;
    return variant->sums_bytes != NULL ? variant->sums_bytes(choice->plan->plan)
                                       : variant->tmp_bytes * (size_t)call->set->size;
}

/* Returns memory for tmp(e) or block sums; NULL if the variant needs none. Loops share it, and any
 * call may have made it grow. */
static void *tmp_of(const struct cleave_call *call, const struct cleave_choice *choice)
{
    const int are_sums = choice->variant->sums_bytes != NULL;
    const size_t bytes = tmp_bytes(call, choice);
    return are_sums || bytes > 0 ? cleave_tmp(call, choice->device, bytes,
                                              are_sums ? "sums of blocks" : "contributions")
                                 : NULL;
}

int cleave_launch_lacks_memory(const struct cleave_call *call, const struct cleave_choice *choice)
{
    const size_t bytes = (choice->plan != NULL ? cleave_plan_on_bytes(choice->plan) : 0) +
                         cleave_tmp_bytes(tmp_bytes(call, choice));
    return bytes > 0 && 2 * bytes > choice->device->available();
}

void *cleave_launch_second(const struct cleave_call *call, int a)
{
    const op_dat dat = call->arg[a].dat;
    return cleave_arg_is_ahead(call, a) ? cleave_dat_ahead(dat) : cleave_dat_spare(dat);
}

/* Second buffers come last, because the memory of those that no launch waits for may be taken for
 * other data. 0: there is no memory for one. */
static int gather_spares(const struct cleave_call *call, struct cleave_launcher *launcher)
{
    const int any = launcher->has_points || call->ahead != NULL;
    for (int a = 0; any && a < call->args; a++) {
        if (cleave_arg_is_doubled(call, a)) {
            launcher->next[a] = cleave_launch_second(call, a);
            if (launcher->next[a] == NULL) {
                return 0;
            }
        }
    }
    return 1;
}

/* Makes copies of dats last, so that they take no memory that other data need. */
int cleave_launch_gather(struct cleave_call *call, struct cleave_launcher *launcher)
{
    const struct cleave_choice *choice = &launcher->choice;
    struct cleave_launch *launch = &launcher->launch;
    const struct cleave_planned planned = cleave_planned_of(call);
    for (int a = 0; a < call->args; a++) {
        gather_argument(call, a, launcher);
    }
    if (choice->device != NULL) {
        give_values(launcher);
    }
    cleave_partials_place(call, choice->device, launch, launcher->partial, launcher->result);
    launch->plan =
        choice->plan != NULL ? cleave_plan_on(choice->plan, &planned, choice->device) : NULL;
    launch->tmp = tmp_of(call, choice);
    launch->one_thread = 0;
    cleave_launch_leave(call, launcher);
    return cleave_copies_require(call, choice->variant, choice->plan, launcher->copies) &&
           gather_spares(call, launcher);
}
