/* bytes.c: the bytes that a call moves: every component that it names is read or written once per
 * call, however many elements share it. */
#include "runtime/call/call.h"

static int columns_of(const op_arg *arg)
{
    return cleave_arg_is_vector(arg) ? -arg->idx : 1;
}

/* 1: an argument before argument a uses the same column of the same map. */
static int column_seen(const struct cleave_call *call, int a, int column)
{
    for (int i = 0; i < a; i++) {
        const op_arg *other = &call->arg[i];
        int first = cleave_arg_is_vector(other) ? 0 : other->idx;
        if (other->map == call->arg[a].map && other->opt && column >= first &&
            column < first + columns_of(other)) {
            return 1;
        }
    }
    return 0;
}

static double map_bytes(const struct cleave_call *call, int a)
{
    const op_arg *arg = &call->arg[a];
    int first = cleave_arg_is_vector(arg) ? 0 : arg->idx;
    int fresh = 0;
    for (int c = first; c < first + columns_of(arg); c++) {
        fresh += !column_seen(call, a, c);
    }
    return (double)fresh * (double)sizeof(int) * (double)call->arg[a].map->from->size;
}

/* All arguments of the dat of argument a together; 0 when an earlier argument has it. A loop over
 * few elements (a boundary) reaches at most one point per element and column. */
static double dat_bytes(const struct cleave_call *call, int a)
{
    op_dat dat = call->arg[a].dat;
    double touched = 0.0;
    int reads = 0;
    int writes = 0;
    for (int i = 0; i < call->args; i++) {
        const op_arg *arg = &call->arg[i];
        if (!cleave_arg_uses_dat(arg) || arg->dat != dat) {
            continue;
        }
        if (i < a) {
            return 0.0;
        }
        const op_set set = arg->map != NULL ? arg->map->from : dat->set;
        touched += (double)set->size * columns_of(arg);
        reads |= arg->acc != OP_WRITE;
        writes |= arg->acc != OP_READ;
    }
    return fmin(touched, (double)dat->set->size) * (double)dat->size * (reads + writes);
}

double cleave_useful_bytes(const struct cleave_call *call)
{
    double bytes = 0.0;
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (cleave_arg_uses_dat(arg)) {
            bytes += dat_bytes(call, a);
        }
        if (arg->map != NULL && arg->opt) {
            bytes += map_bytes(call, a);
        }
    }
    return bytes;
}
