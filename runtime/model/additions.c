/* additions.c: what a call adds in memory by atomic operations: how many values, and how many
 * sectors of L2 these touch. An operation of a warp takes time for its values, or for the sectors
 * among them; how many of these differ depends on the length of a record and on how near to
 * each other the points of consecutive elements are (sample.c). */
#include "runtime/model/model.h"

enum { LANES = 32 };
#define SECTOR 32.0 /* bytes */

/* Averages over the arguments through which a call modifies points. */
struct updates {
    double values;   /* per element */
    double changed;  /* part of them that changes memory: 1 but for minima and maxima */
    double by_lane;  /* sectors per value if each lane updates its own record, */
    double by_warp;  /* if consecutive lanes update consecutive values of records, */
    double by_block; /* if blocks do so with the points that they list */
};

static const struct cleave_list *list_of(const struct cleave_choice *choice, const op_map map,
                                         const struct cleave_call *call)
{
    for (int l = 0; l < choice->loop->lists; l++) {
        if (call->arg[choice->loop->list[l].arg].map == map) {
            return &choice->loop->list[l];
        }
    }
    return NULL;
}

static int is_update(const op_arg *arg)
{
    return arg->map != NULL && cleave_arg_uses_dat(arg) &&
           (arg->acc == OP_INC || arg->acc == OP_MIN || arg->acc == OP_MAX);
}

/* If k values come to a point in any order, 1 + 1/2 + ... + 1/k of them exceed all before them on
 * average. The others are compared, and not sent. */
static double changed_part(const op_arg *arg, double uses)
{
    return arg->acc == OP_INC || uses <= 1.0 ? 1.0 : fmin(1.0, (0.58 + log(uses)) / uses);
}

static void add_update(const struct cleave_call *call, const struct cleave_choice *choice,
                       const op_arg *arg, struct updates *to)
{
    const struct cleave_list *list = list_of(choice, arg->map, call);
    const double columns = arg->idx < 0 ? -arg->idx : 1;
    const int record = (int)arg->dat->size;
    const int value = record / MAX(arg->dim, 1);
    const double values = columns * arg->dim;
    const double points = MAX(arg->map->to->size, 1);
    if (list == NULL || record == 0) {
        return;
    }
    const double uses = arg->map->from->size * (double)list->columns / points;
    const double changed = changed_part(arg, uses);
    const struct cleave_touch lane = {record, value, LANES, 0};
    const struct cleave_touch warp = {record, record, MAX(LANES / arg->dim, 1), 0};
    const struct cleave_touch block = {record, record, choice->block_size, 1};
    /* Lanes that name one point take turns: as if each had a record beside those of the others. */
    const double apart = fmin(record / SECTOR, 1.0);
    const double listed = cleave_sample_points(call, list, choice->block_size);
    to->values += values;
    to->changed += values * changed;
    to->by_lane += values * changed * fmax(cleave_sample_sectors(call, list, &lane), apart);
    to->by_warp += columns * changed * cleave_sample_sectors(call, list, &warp);
    to->by_block +=
        values * cleave_sample_sectors(call, list, &block) / fmax(listed, 1e-9) / arg->dim;
}

static struct updates updates_of(const struct cleave_call *call, const struct cleave_choice *choice)
{
    struct updates sum = {0};
    for (int a = 0; a < call->args; a++) {
        if (is_update(&call->arg[a])) {
            add_update(call, choice, &call->arg[a], &sum);
        }
    }
    const double values = fmax(sum.values, 1.0);
    return (struct updates){sum.values, sum.changed / values, sum.by_lane / values,
                            sum.by_warp / values, sum.by_block / values};
}

void cleave_load_additions(const struct cleave_call *call, const struct cleave_choice *choice,
                           const struct cleave_added *added, struct cleave_load *load)
{
    const struct updates updates = updates_of(call, choice);
    const double by_lane = added->by_lane * updates.changed;
    const double by_warp = added->by_warp * added->joined * updates.changed;
    load->added = by_lane + by_warp + added->by_block;
    load->sectors = added->by_lane * updates.by_lane + added->by_warp * updates.by_warp +
                    added->by_block * updates.by_block;
    load->sectors = fmin(load->sectors, load->added);
    load->added_bytes = choice->variant->cost->added_bytes;
}
